r"""The least noise, the fewest users and the most repeats for a target (epsilon, delta).

All are over every dataset. The worst delta, for fixed and for adaptive datasets, falls in q and in n: reports flipped
with q' > q are reports flipped with q and then once more; the reports of one more user, whatever they hold in whichever
round, can be added by anybody (proof notes, 2.2, 2.3 and C14). So each of the two questions has one threshold.

In k it usually grows, but not always: reports have no owners once pooled, so that dropping one of each record is not
post-processing. At n = 60, q = 1/30 and lambda = 28 the worst delta is 0.0520 with two repeats and 0.0509 with three.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from fractions import Fraction
from functools import cache
from typing import Any

from dpcalc.choose.bracket import Bracket
from dpcalc.choose.crossing import shown, solved, target_delta, tolerance
from dpcalc.choose.deployment import Deployment
from dpcalc.errors import DomainError, NoSolution, TooLarge, Undecided
from dpcalc.mechanisms.response import MOST_REPORTS, KRandomization
from dpcalc.numbers.enclosure import Enclosure, decimal
from dpcalc.numbers.limit import Limit
from dpcalc.numbers.lists import one_of
from dpcalc.numbers.rational import Number, integer
from dpcalc.pairs.family import Family
from dpcalc.worst.branch_and_bound import decided
from dpcalc.worst.datasets import Datasets

__all__ = ["least_n", "least_q", "most_k"]

_DATASETS = ("every", "identical")
_LEAST_Q, _MOST_Q = Fraction(1, 10**18), Fraction(1, 2) - Fraction(1, 10**12)
_RTOL, _RTOL_ROUNDS = Fraction(1, 10**6), Fraction(1, 1000)
_MOST_K = 10**6
_TRIED_K = 8  # reports per record tried for a first that holds: delta may fall before it rises
_FINE = Fraction(1, 10**9)


def least_q(
    n: Number, *, delta: Number, lam: Number | None = None, epsilon: Number | None = None, k: Number = 1,
    rounds: Number = 1, categories: Number | None = None, ones: Number = 1, neighbours: str = "replace",
    bits: Number = 1, dataset: str = "every", at_most: Number | None = None, rtol: Number | None = None,
) -> Bracket:  # fmt: skip
    """The least flip probability at which the pooled counts are (epsilon, delta)-differentially private.

    Args:
        n: records of honest users (``mechanisms.fleet``: whoever drops out or colludes hides nobody).
        delta: the target, 0 < delta < 1.
        lam: lambda = e^epsilon > 1; give it or
        epsilon: >= 0.
        k: reports per record.
        rounds: how many times all records report; their data may differ every time.
        categories: of a one-hot histogram; default: each record is a single bit.
        ones: how many categories each record holds, in a histogram.
        neighbours: of a histogram: "replace" or "delete", see ``UnaryEncoding``.
        bits: L, bits per record, for records that are reported as vectors; see ``vector_delta``.
        dataset: "every" one, or records that are "identical" but for the changed one.
        at_most: in place of ``ones``: each record holds any number of categories up to this one.
        rtol: relative width of the bracket, at least 1e-9; default: 1e-6, and 1e-3 for rounds and histograms, where it
            is aimed at (see ``Rounds``), and for vectors.

    Returns:
        A bracket: at ``lower`` one dataset's delta is above the target, from ``upper`` on all are at or below it. For
        vectors in every dataset it is as wide as what is known: from identical records to the blanket's bound.

    Raises:
        DomainError: an argument out of range.
        NoSolution: the target already holds at q = 1e-18.
        Undecided: no bracket of this width was found.

    >>> print(least_q(n=1000, lam=2, delta="1e-6"))
    0.047557...
    """
    asked = Deployment.of(
        k=k, rounds=rounds, categories=categories, ones=ones, neighbours=neighbours, bits=bits,
        at_most=at_most,
    )  # fmt: skip
    if one_of(dataset, "dataset", _DATASETS) == "identical" and (asked.rounds > 1 or asked.histogram):
        raise DomainError("dataset", dataset, '"every" for rounds and histograms')
    records, repeats = integer(n, "n", minimum=1), asked.k
    KRandomization(n=records, q=_LEAST_Q, k=repeats)  # refuses more reports than are searched
    limit, target = Limit.of(lam=lam, epsilon=epsilon), target_delta(delta)
    if asked.bits > 1 or dataset == "identical":
        from dpcalc.registered import registered

        vectors: Bracket = registered("least_vector_noise")(
            n=records, k=repeats, bits=asked.bits, limit=limit, target=target, rtol=rtol, dataset=dataset
        )
        return vectors
    width = _width(asked, rtol)
    silent = min(1 / (1 + limit.root(asked.exposed).lower), _MOST_Q)  # delta is 0 there, or q next to 1/2
    if silent <= _LEAST_Q:
        raise NoSolution(f"delta is at most {shown(target)} already at {shown(_LEAST_Q)}, the least value searched")
    found = solved(
        lambda q: (asked.family(records, q), limit), target, failing=_LEAST_Q, holding=silent, rtol=width
    )  # fmt: skip
    return found.bracket(width)


def least_n(
    q: Number, *, delta: Number, lam: Number | None = None, epsilon: Number | None = None, k: Number = 1,
    rounds: Number = 1, categories: Number | None = None, ones: Number = 1, neighbours: str = "replace",
    at_most: Number | None = None, rtol: Number | None = None,
) -> Bracket:  # fmt: skip
    """The fewest honest users with whom the pooled counts are (epsilon, delta)-differentially private.

    So large must a batch be, with as many users more as may drop out, never flip, or tell what they sent. Arguments as
    in ``least_q``.

    Returns:
        A bracket of whole numbers: ``lower`` users are too few, with ``upper`` the target is proven. They are
        neighbours as long as n is below 1/rtol. If one user is enough, both ends are 1.

    Raises:
        DomainError: an argument out of range.
        NoSolution: more than 10^15 reports would be needed.
        Undecided: no bracket of this width was found.

    >>> fewest = least_n(q="1/10", epsilon=1, delta="1e-6")
    >>> fewest.upper - fewest.lower
    Fraction(1, 1)
    """
    asked = Deployment.of(k=k, rounds=rounds, categories=categories, ones=ones, neighbours=neighbours, at_most=at_most)
    chance, repeats = KRandomization(n=1, q=q).q, asked.k
    limit, target, width = Limit.of(lam=lam, epsilon=epsilon), target_delta(delta), _width(asked, rtol)
    one = asked.family(1, chance)
    alone = one.delta(limit, rtol=one.fineness(width, target), target=target)
    if alone.upper <= target:
        return Bracket(lower=Fraction(1), upper=Fraction(1), at_lower=alone, at_upper=alone, whole=True)
    found = solved(
        lambda n: (asked.family(int(n), chance), limit), target,
        failing=Fraction(1), holding=Fraction(MOST_REPORTS // repeats), rtol=width, whole=True,
    )  # fmt: skip
    return found.bracket(width, whole=True)


def _width(asked: Deployment, rtol: Number | None) -> Fraction:
    default = _RTOL if asked.single_count else _RTOL_ROUNDS
    return tolerance(default if rtol is None else rtol)


def most_k(
    n: Number, *, q: Number, delta: Number, lam: Number | None = None, epsilon: Number | None = None,
    rounds: Number = 1, categories: Number | None = None, ones: Number = 1, neighbours: str = "replace",
    at_most: Number | None = None, rtol: Number | None = None,
) -> Bracket:  # fmt: skip
    """A number of repeats that is (epsilon, delta)-differentially private while one more is not.

    Arguments as in ``least_q``; rtol is for rounds and histograms.

    Returns:
        A bracket of whole numbers, neighbours for single bits in one round: the target holds at ``lower`` (its
        ``value``) and fails at ``upper``. Where delta does not grow with k (see above) it may hold again beyond
        ``upper``, or fail somewhere below.

    Raises:
        DomainError: an argument out of range.
        NoSolution: every k up to 8 (of rounds and histograms k = 1) breaks the target, or a million reports per record
            (or 10^15 in all) do not.
        Undecided: a delta too near the target: of more than 2,000 reports one that equals it to 9 digits.

    >>> most_k(n=1000, q="1/4", lam=2, delta="1e-6").value
    Fraction(20, 1)
    >>> most_k(n=100_000, q="0.00014", lam=100, delta="1e-9").value  # k = 1 fails: delta is 8e-7 there
    Fraction(3, 1)
    """
    once = KRandomization(n=n, q=q)
    most = min(_MOST_K, MOST_REPORTS // once.n)
    limit, target = Limit.of(lam=lam, epsilon=epsilon), target_delta(delta)
    asked = Deployment.of(rounds=rounds, categories=categories, ones=ones, neighbours=neighbours, at_most=at_most)
    width = _width(asked, rtol)
    if not asked.single_bit:
        return _most_k_of(lambda k: replace(asked, k=k).family(once.n, once.q), most, limit, target, width)

    @cache
    def worst(k: int, n: int = once.n) -> Enclosure:
        return decided(Datasets(once.q, k, n - 1), limit, target, rtol=_FINE * (1 - target))

    def fails(k: int) -> bool:
        if worst(k, n=1).upper <= target:  # other records only hide
            return False
        value = worst(k)
        if value.lower <= target < value.upper:
            raise Undecided(f"delta at k = {k} is too near the target", value)
        return value.lower > target

    def broken(k: int) -> bool:
        """Whether one dataset breaks the target already."""
        with suppress(TooLarge):  # far below the target
            found = Datasets(once.q, k, once.n - 1).swift(0, limit, rtol=_FINE * (1 - target), near=target)
            return found.lower > target
        return False

    tried = min(_TRIED_K, most)
    good = next((k for k in range(1, tried + 1) if not fails(k)), None)
    if good is None:
        raise NoSolution(
            f"delta is above {decimal(target, target, 12)} with 1 to {tried} reports per record; more were not tried"
        )
    last, bad = _neighbours(broken, *_doubled(broken, good, most))
    if fails(last):  # another dataset is the worse one
        last, bad = _neighbours(fails, *_doubled(fails, good, last))
    if last == most:
        raise NoSolution(f"delta is at most {decimal(target, target, 12)} even with {most:,} reports per record")
    return Bracket(
        lower=Fraction(last),
        upper=Fraction(bad),
        at_lower=worst(last),
        at_upper=worst(bad),
        holds_above=False,
        whole=True,
    )


def _most_k_of(
    repeated: Callable[[int], Family[Any]], most: int, limit: Limit, target: Fraction, width: Fraction
) -> Bracket:
    """Of rounds and histograms: the two ends of one crossing, each proven."""
    one = repeated(1)
    alone = one.delta(limit, rtol=one.fineness(width, target), target=target)
    if alone.lower > target:
        raise NoSolution(f"delta is above {shown(target)} with one report per record; more were not tried")
    if alone.upper > target:
        raise Undecided("delta with one report per record is too near the target", alone)
    found = solved(
        lambda k: (repeated(int(k)), limit), target, failing=Fraction(most), holding=Fraction(1), rtol=width, whole=True
    )  # fmt: skip
    return found.bracket(width, whole=True)


def _doubled(fails: Callable[[int], bool], good: int, most: int) -> tuple[int, int]:
    """A k that holds and a failing one of at most twice it; (most, most) if none is found to fail."""
    while good < most:
        if fails(bad := min(2 * good, most)):
            return good, bad
        good = bad
    return most, most


def _neighbours(fails: Callable[[int], bool], good: int, bad: int) -> tuple[int, int]:
    """Neighbouring numbers between the two of which one holds and the next fails."""
    while bad - good > 1:
        middle = (good + bad) // 2
        good, bad = (good, middle) if fails(middle) else (middle, bad)
    return good, bad
