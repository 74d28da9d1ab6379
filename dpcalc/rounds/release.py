r"""What one round releases: the counts that change, which are independent, and the datasets they can have together.

A single count can have any number m of ones among the n - 1 others. So can each changing count of a histogram, unless
the others' records rule out some combinations (``mechanisms.unary``): then the counts are tied.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from itertools import combinations_with_replacement, pairwise
from math import log
from typing import Any, TypeGuard

from dpcalc.families.bits import Bits, BitsGiven
from dpcalc.families.boxes import Boxes, affordable
from dpcalc.families.table import pairs_by_name
from dpcalc.mechanisms.mechanism import Mechanism
from dpcalc.mechanisms.response import KRandomization
from dpcalc.mechanisms.unary import AsymmetricBits, UnaryEncoding
from dpcalc.pairs.listed import ListedPair
from dpcalc.pairs.named import NamedPairs
from dpcalc.rounds.few_rounds import Pairs, log_choose
from dpcalc.worst.compositions import Composition
from dpcalc.worst.datasets import Dataset, HistogramDataset

_MOST_COUNTS, _LARGEST_K = 3, 1000  # in boxes


def counts(mechanism: Mechanism, absent: bool = True, ones: int | None = None) -> tuple[NamedPairs[Any], int]:
    """What is bounded by itself, and how many such counts change when a mechanism is run once.

    Of asymmetric bits a deleted record is absent in the likelier dataset, or in the other one: it is so in all rounds.
    A dataset with so many ones is looked at in the direction 0 over 1, or in the other one.
    """
    if isinstance(mechanism, KRandomization | UnaryEncoding):
        bits = Bits.symmetric(mechanism.q, mechanism.k, mechanism.n - 1)
        return (bits if ones is None else bits.given(ones if absent else bits.others - ones)), mechanism.changed
    if _one_way(mechanism):
        bits = Bits(mechanism.group.own, mechanism.k, mechanism.n - 1)
        return bits if absent else bits.flipped, 1
    return pairs_by_name(mechanism), 1


def directed(mechanism: Mechanism) -> bool:
    """Whether it is another question in which dataset a deleted record is absent."""
    return _one_way(mechanism) or (mechanism.neighbours == "delete" and tied(mechanism))


def _one_way(mechanism: Mechanism) -> TypeGuard[AsymmetricBits]:
    """Whether it is a histogram of asymmetric bits from which records are deleted."""
    return isinstance(mechanism, AsymmetricBits) and mechanism.neighbours == "delete"


def tied(mechanism: Mechanism) -> bool:
    """Whether some combinations of ones cannot occur; then only those that can are searched."""
    return isinstance(mechanism, UnaryEncoding) and not mechanism.untied


def every(mechanism: Mechanism, absent: bool, most: float, ones: int | None = None) -> Pairs:
    """Every dataset by its name, with the pair of all counts that change, as they are released.

    Args:
        mechanism: any.
        absent: whether a deleted record is absent in the likelier dataset (``UnaryEncoding.placements``), and a bit
            that is given is looked at in the direction 0 over 1.
        most: with more outcomes than this there are none.
        ones: of the only dataset; default: any.
    """
    one, number = counts(mechanism, absent, ones)
    each = tuple(one.every(int(most)))
    if not isinstance(one, Bits | BitsGiven):
        return each
    if not each or log_choose(len(each) + number - 1, number) + number * log(len(each[0][1].likely)) > log(most):
        return ()
    chosen = (zip(*some, strict=True) for some in combinations_with_replacement(each, number))
    found = ((named(mechanism, held, absent), pairs) for held, pairs in chosen)
    return tuple((at, reduce(ListedPair.beside, pairs)) for at, pairs in found if at)


def boxes(kinds: Sequence[tuple[Mechanism, int]]) -> Boxes | None:
    """All datasets of a few counts of bits, fixed in advance; None if there are too many counts or outcomes."""
    if sum(counts(mechanism)[1] * times for mechanism, times in kinds) > _MOST_COUNTS:
        return None
    if any(_one_way(mechanism) for mechanism, _ in kinds):  # each direction is another search
        return None
    sides = list[tuple[Bits, ...]]()
    for mechanism, times in kinds:
        one, number = counts(mechanism)
        if not isinstance(one, Bits) or one.k > affordable(_LARGEST_K) or (tied(mechanism) and number > 2):
            return None
        sides += [(one,) * number] * times if tied(mechanism) else [(one,)] * (number * times)
    found = Boxes(sides, [one == after for one, after in pairwise(sides)])  # equal counts may change places
    return found if found.served else None


def named(mechanism: Mechanism, chosen: Sequence[Any], absent: bool) -> Any:
    """A dataset; None of a histogram that cannot have these ones.

    Args:
        mechanism: any.
        chosen: of bits the ones of every count that changes, of all else the dataset of each count.
        absent: as above.
    """
    if isinstance(mechanism, KRandomization):
        return Dataset(chosen[0], 0) if absent else Dataset(mechanism.n - 1 - chosen[0], 1)
    if isinstance(mechanism, UnaryEncoding):
        return next((HistogramDataset(*held) for held in mechanism.placements(chosen, absent)), None)
    if _one_way(mechanism):
        (ones,) = chosen
        return Composition(0, (ones if absent else mechanism.n - 1 - ones,), int(not absent), int(absent))
    return pairs_by_name(mechanism).together(chosen)
