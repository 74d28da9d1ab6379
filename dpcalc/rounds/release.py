r"""What one round releases: the counts that change, which are independent, and the datasets they can have together.

A single count can have any number m of ones among the n - 1 others. So can each changing count of a histogram, unless
the others' records rule out some combinations (``mechanisms.unary``): then the counts are tied.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache, reduce
from itertools import combinations_with_replacement, pairwise
from math import log
from typing import Any

from dpcalc.families.bits import Bits
from dpcalc.families.table import pairs_by_name
from dpcalc.losses.boxes import Boxes, Count, affordable
from dpcalc.mechanisms.mechanism import Mechanism
from dpcalc.mechanisms.response import KRandomization
from dpcalc.mechanisms.unary import UnaryEncoding
from dpcalc.pairs.listed import ListedPair
from dpcalc.pairs.named import NamedPairs
from dpcalc.rounds.few_rounds import Pairs, log_choose
from dpcalc.worst.datasets import Dataset, HistogramDataset

_MOST_COUNTS, _LARGEST_K = 3, 1000  # in boxes


def counts(mechanism: Mechanism) -> tuple[NamedPairs[Any], int]:
    """What is bounded by itself, and how many such counts change when a mechanism is run once."""
    if isinstance(mechanism, KRandomization | UnaryEncoding):
        return Bits.symmetric(mechanism.q, mechanism.k, mechanism.n - 1), mechanism.changed
    return pairs_by_name(mechanism), 1


def tied(mechanism: Mechanism) -> bool:
    """Whether some combinations of ones cannot occur; then only those that can are searched."""
    return isinstance(mechanism, UnaryEncoding) and not mechanism.untied


def fixed_in_advance(mechanism: Mechanism, absent: bool, most: float) -> tuple[Pairs, int]:
    """The pairs that datasets fixed in advance can show, and how many times: counts that are not tied are rounds of
    their own.

    Args:
        mechanism: any.
        absent: whether a deleted record is absent in the likelier dataset; see ``UnaryEncoding.placements``.
        most: with more outcomes than this there are none.
    """
    one, times = counts(mechanism)
    if not isinstance(one, Bits) or tied(mechanism):
        return together(mechanism, absent, most), 1
    return of_count(one, most), times


@lru_cache(maxsize=64)
def together(mechanism: Mechanism, absent: bool, most: float) -> Pairs:
    """The same of all counts that change, as they are released: names are their ones, in rising order."""
    one, number = counts(mechanism)
    if not isinstance(one, Bits):
        return tuple(one.every(int(most)))
    each = of_count(one, most)
    if number == 1 or not each:
        return each
    if log_choose(len(each) + number - 1, number) + number * log(len(each[0][1].likely)) > log(most):
        return ()
    found = (tuple(zip(*some, strict=True)) for some in combinations_with_replacement(each, number))
    return tuple(
        (ones, reduce(ListedPair.beside, pairs))
        for ones, pairs in ((tuple(m for (m,) in names), pairs) for names, pairs in found)
        if not isinstance(mechanism, UnaryEncoding) or mechanism.untied or mechanism.reached(ones, absent)
    )


@lru_cache(maxsize=64)
def of_count(bits: Bits, most: float, ones: int | None = None) -> Pairs:
    """Every dataset of one count, or that with so many ones."""
    n = bits.others + 1
    chosen = range(n) if ones is None else (ones,)
    if len(chosen) * (n * bits.k + 1) > most:
        return ()
    return tuple(((m,), ListedPair.counted(bits.pair(m))) for m in chosen)


def boxes(kinds: Sequence[tuple[Mechanism, int]]) -> Boxes | None:
    """All datasets of a few counts of bits, fixed in advance; None if there are too many counts or outcomes."""
    if sum(counts(mechanism)[1] * times for mechanism, times in kinds) > _MOST_COUNTS:
        return None
    sides = list[tuple[Count, ...]]()
    for mechanism, times in kinds:
        one, number = counts(mechanism)
        if not isinstance(one, Bits) or one.k > affordable(_LARGEST_K) or (tied(mechanism) and number > 2):
            return None
        count = Count(one.own, one.k, one.others)
        sides += [(count,) * number] * times if tied(mechanism) else [(count,)] * (number * times)
    found = Boxes(sides, [one == after for one, after in pairwise(sides)])  # equal counts may change places
    return found if found.served else None


def named(mechanism: Mechanism, chosen: Sequence[Any], absent: bool) -> Any:
    """A dataset, given that of every count, or the ones of every count that changes if they can be so.

    Args:
        mechanism: any.
        chosen: see there.
        absent: as above.
    """
    if isinstance(mechanism, KRandomization):
        return Dataset(chosen[0], 0)
    if isinstance(mechanism, UnaryEncoding):
        return HistogramDataset(*next(mechanism.placements(chosen, absent)))
    return pairs_by_name(mechanism).together(chosen)
