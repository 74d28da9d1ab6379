r"""The largest delta of single bits in one direction, by branch and bound over ranges of the number m of ones.

``largest`` finds the maximum to a relative width; ``largest_exact`` as a rational, where that is affordable;
``settled`` and ``decided`` tell whether it is at or below a target. Where one pass of doubles settles it (``at_once``),
no more is needed; otherwise all of them run the search of ``worst_composition``. Proof notes, 5.1.
"""

from __future__ import annotations

from fractions import Fraction
from functools import partial
from typing import Any

from dpcalc.errors import Undecided
from dpcalc.numbers.decimal import decimal
from dpcalc.numbers.enclosure import Enclosure
from dpcalc.numbers.limit import Limit
from dpcalc.pairs.family import Progress
from dpcalc.worst.datasets import NARROWEST, Dataset, Datasets, Delta
from dpcalc.worst.worst_composition import OverCompositions

_FINE = Fraction(1, 10**13)  # of the values among which the exact maximum is sought
_LOOSER = 1000  # times wider, what is tried first to settle a target
_LOOSENED = (10, 100, 1000)  # times wider, what is tried where a width is beyond reach
_EXACT_REPORTS = 2_000  # k n up to which a rational lambda gives the rational maximum
_EXACT_BITS = 1 << 31  # size of the pmfs of all that may be the maximum, up to which they are compared exactly
_LONG = 300  # bits of a denominator from which on a pmf takes 8 times as long for its size


def largest(datasets: Datasets, limit: Limit, *, rtol: Fraction, progress: Progress | None = None) -> Delta:
    """The largest delta to relative width ``rtol``.

    Raises:
        Undecided: rtol is beyond reach; its enclosure is the narrowest found, of a looser width too.
    """
    found = datasets.at_once(limit, rtol=rtol)
    if found is not None:
        if progress:
            progress(1.0)
        return found
    try:
        return _searched(_over(datasets, limit, rtol, progress=progress))
    except Undecided as error:
        raise _loosened(error, datasets, limit, rtol) from None


def _over(datasets: Datasets, limit: Limit, rtol: Fraction, **more: Any) -> OverCompositions:
    """The search over every m that Chernoff's bound does not rule out."""
    return OverCompositions(datasets.compositions, limit, rtol, above=partial(datasets.above, limit), **more)


def _searched(search: OverCompositions) -> Delta:
    """What a search finds.

    Raises:
        Undecided: a range is left that may hold more; its enclosure is what was proven.
    """
    found = search.run()
    if search.open:
        raise Undecided(
            f"the worst dataset is not settled after {search.pairs:,} pairs; ask for a larger rtol",
            Enclosure(found.lower, found.upper),
        )
    return Delta(found.lower, found.upper, Dataset(found.dataset.ones[0], 0))


def _loosened(error: Undecided, datasets: Datasets, limit: Limit, rtol: Fraction) -> Undecided:
    """The error with what the least of some looser widths proves, if it settles the largest delta at once."""
    for width in (rtol * looser for looser in _LOOSENED):
        found = datasets.at_once(limit, rtol=width)
        if found is not None and isinstance(error.enclosure, Enclosure):
            return Undecided(f"{error}, such as {decimal(width, width, 2)}", Enclosure(found.lower, found.upper))
    return error


def largest_exact(datasets: Datasets, limit: Limit, *, rtol: Fraction, progress: Progress | None = None) -> Delta:
    """The largest delta as a rational, for a rational lambda; to width ``rtol`` where too many may be the largest.

    Raises:
        Undecided, TooLarge: as ``largest``.
    """
    size = datasets.pair(0).exact_bits
    most = _EXACT_BITS // (8 * size if datasets.own[0].denominator.bit_length() > _LONG else size)
    search = _over(datasets, limit, rtol, fine=_FINE, ties=most, progress=progress)
    found = _searched(search)
    if len(search.finalists) > most:
        return found
    ones = max(
        sorted(at.ones[0] for at in search.finalists), key=lambda m: datasets.pair(m).exact_parts(limit.given)[0]
    )
    value = datasets.pair(ones).exact(limit.given)
    return Delta(value, value, Dataset(ones, 0))


def exact_is_affordable(datasets: Datasets, limit: Limit) -> bool:
    """Whether ``largest_exact`` is worth its time."""
    return limit.lam is not None and datasets.k * (datasets.others + 1) <= _EXACT_REPORTS


def settled(datasets: Datasets, limit: Limit, target: Fraction, *, rtol: Fraction) -> Delta:
    """The largest delta as far as a target asks: ``upper`` is at most the target exactly if that is proven.

    If delta is above the target, so is that of the dataset named, which is not always the worst there is. ``rtol`` is
    16 times the relative width of the single values looked at.

    Raises:
        Undecided: it is not settled.
    """
    narrow = max(rtol, NARROWEST)
    for width in (_LOOSER * narrow, narrow):  # what is not next to the target needs no narrow width
        found = datasets.at_once(limit, rtol=width, target=target)
        if found is not None:
            return found
    return _searched(_over(datasets, limit, rtol, target=target))


def decided(datasets: Datasets, limit: Limit, target: Fraction, *, rtol: Fraction) -> Delta:
    """As ``settled``; where the target may be attained, the largest delta exactly, if that is affordable."""
    found = settled(datasets, limit, target, rtol=rtol)
    if found.lower <= target < found.upper and exact_is_affordable(datasets, limit):
        return largest_exact(datasets, limit, rtol=rtol)
    return found
