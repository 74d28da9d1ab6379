r"""The least noise for records of several bits.

The worst delta falls in q (a bit flipped more often is one flipped once more), but over every dataset it is only known
to lie between that of identical records, one of them changed to its opposite, and a bound. So the least q for every
dataset is bracketed by the largest q found at which identical records break the target and the least found at which
the bound keeps it; for identical records alone both ends are theirs, and near to one another.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from functools import cache

from dpcalc.choose.crossing import tolerance
from dpcalc.errors import NoSolution
from dpcalc.mechanisms.response import KRandomization
from dpcalc.notes.vectors.blanket import blanket_bound
from dpcalc.notes.vectors.identical_records import VectorDelta, vector_delta
from dpcalc.numbers.bracket import Bracket, short
from dpcalc.numbers.decimal import decimal
from dpcalc.numbers.limit import Limit
from dpcalc.numbers.promise import Promise
from dpcalc.numbers.rational import Number

_RTOL = Fraction(1, 1000)
_LOOSE = Fraction(1, 10)  # of a delta that is compared: sums over histograms take a hundred times as long as a bracket
_LEAST = Fraction(1, 10**300)
_HIGHEST = Fraction(1, 2) - Fraction(1, 10**12)  # for epsilon = 0


def least_vector_noise(
    *, n: int, k: int, bits: int, limit: Limit, target: Fraction, rtol: Number | None, dataset: str
) -> Bracket:
    """The bracket; arguments as in ``least_q``."""
    width = tolerance(_RTOL if rtol is None else rtol)
    fine = min(width, _RTOL)
    top = min(1 / (1 + limit.root(k * bits).lower), _HIGHEST)

    def pool(q: Fraction) -> KRandomization:
        return KRandomization(n=n, q=q, k=k, bits=bits)

    @cache
    def found(q: Fraction, rtol: Fraction = fine) -> VectorDelta:
        return vector_delta(pool(q), **limit.argument, rtol=rtol, exact=False)

    def identical(q: Fraction) -> Promise:
        """As narrow as a comparison with the target takes."""
        loose = found(q, _LOOSE).identical
        return loose if loose.upper <= target or loose.lower > target else found(q).identical

    def kept(q: Fraction) -> Fraction:
        """What delta is proven not to exceed; the bound by itself takes a fraction of the time."""
        return blanket_bound(pool(q), **limit.argument) if dataset == "every" else identical(q).upper

    if kept(top) > target:
        raise NoSolution(f"delta is not proven to be at most {decimal(target, target, 12)} at any q < 1/2")
    _, upper = _last(lambda q: kept(q) <= target, top, width)
    lower, _ = _last(lambda q: identical(q).lower <= target, upper, width)
    below, above = found(lower).identical, found(upper)
    low = min(above.identical.lower, above.bound)
    every = Promise(low, above.bound, attained_by=above.identical.attained_by)
    at_upper = above.identical if dataset == "identical" else every
    return Bracket(lower=lower, upper=upper, at_lower=below, at_upper=at_upper, rtol=width)


def _last(holds: Callable[[Fraction], bool], top: Fraction, width: Fraction) -> tuple[Fraction, Fraction]:
    """(x, y) with the condition failing at x and holding at y, y - x about ``width`` y or less; it holds at the top.

    Raises:
        NoSolution: it holds down to 1e-300.
    """
    good, step = top, float(width) / 2
    while holds(bad := short(max(good * Fraction(math.exp(-step)), _LEAST), width)):
        good, step = bad, 2 * step
        if good < 2 * _LEAST:
            raise NoSolution("the target holds already at q = 1e-300, the least value searched")
    while good - bad > width / 2 * good:
        middle = short((good + bad) / 2, width)
        good, bad = (middle, bad) if holds(middle) else (good, middle)
    return bad, good
