r"""Upper bounds of delta of one round over all datasets, at many limits.

Limits near each other in one pass of doubles, others by themselves (``worst``); where all of them would take too long,
by Chernoff's bound. They serve the chords of composed rounds: how sharp each is asked for is steered there.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache
from typing import TypeAlias

from dpcalc.errors import Undecided
from dpcalc.numbers.arrays import arrays
from dpcalc.numbers.ball import bits_for
from dpcalc.numbers.limit import Limit
from dpcalc.worst.branch_and_bound import largest
from dpcalc.worst.datasets import Datasets
from dpcalc.worst.steering import log_odds, serves

#: From this variance of a count on, an envelope of balls is the quicker way where arrays do not serve. Without arrays
#: it is so from _SMOOTH_ALONE on, where it is not much wider than asked for: by about _RIPPLE over the variance.
_SMOOTH, _SMOOTH_ALONE = 30_000, 500
_RIPPLE = Fraction(3, 20)
_WORK = 1500  # ranges of datasets, looked at one by one in some 5 s
_TRIED = 8  # knots: the first ones need not tell how many that will be
_ENOUGH = 4  # times as wide it may be elsewhere: all others take longer
_GUARD = 30  # bits of it
_PLAIN = 600  # up to this logarithm a float holds delta


#: epsilon, and how sharp the bound should be.
_Asked: TypeAlias = tuple[Fraction, Fraction]


def over_datasets(datasets: Datasets, asked: Sequence[_Asked], *, centre: float) -> list[Fraction]:
    """At or above delta over all datasets, for each limit; by Chernoff's bound where all would take too long.

    Args:
        datasets: of the round.
        asked: epsilons >= 0, in rising order, and relative widths.
        centre: the epsilon that matters most: those next to it come first.
    """
    found, spent = _together(datasets, asked), 0
    places = sorted((one for one in asked if one[0] not in found), key=lambda one: abs(one[0] - centre))
    for tried, (epsilon, width) in enumerate(places):
        if spent * len(places) > _WORK * max(tried, _TRIED):
            found |= {x: datasets.quick(Limit.exp(x)) for x, _ in places[tried:]}
            break
        found[epsilon], _, ranges = bound(datasets, epsilon, width)
        spent += ranges
    return [found[x] for x, _ in asked]


@lru_cache(maxsize=1 << 6)
def of_each(datasets: Datasets, parts: tuple[tuple[int, int], ...], asked: tuple[_Asked, ...]) -> list[list[Fraction]]:
    """At or above delta of the datasets with so many ones, from the first to the last of a part, for each, and for each
    limit, in rising order; 1 where that is not settled.
    """
    served = datasets.of_each(parts, [Limit.exp(epsilon) for epsilon, _ in asked], [width for _, width in asked])
    return [each or [Fraction(1)] * len(parts) for each in served]


def _together(datasets: Datasets, asked: Sequence[_Asked]) -> dict[Fraction, Fraction]:
    """Those that passes over many limits serve."""
    if not arrays():
        return {}
    limits = [Limit.exp(epsilon) for epsilon, _ in asked]
    served = datasets.together(limits, [width for _, width in asked])
    return {epsilon: one.upper for (epsilon, _), one in zip(asked, served, strict=True) if one is not None}


def _variance(datasets: Datasets) -> Fraction:
    """Of a count."""
    return datasets.k * datasets.others * datasets.q * (1 - datasets.q)


@lru_cache(maxsize=1 << 14)
def bound(datasets: Datasets, epsilon: Fraction, rtol: Fraction) -> tuple[Fraction, int, int]:
    """A bound of delta over all datasets, about so sharp, the ones of one that comes near it, and how many ranges of
    datasets were looked at.
    """
    limit = Limit.exp(epsilon)
    if datasets.kept_within(limit):
        return Fraction(0), 0, 0
    try:
        if _variance(datasets) > (_SMOOTH if arrays() else max(Fraction(_SMOOTH_ALONE), _RIPPLE / rtol)):
            bits = bits_for(rtol) + 2 * (datasets.k * (datasets.others + 1)).bit_length() + _GUARD
            level = _about(datasets, limit, rtol) * (1 + _ENOUGH * rtol)
            bound = datasets.envelope(0, datasets.others, limit, bits=bits, level=level)
            if bound <= level:
                return bound, 0, 0
        shares: list[float] = []
        found = largest(datasets, limit, rtol=rtol, progress=shares.append)
    except Undecided:
        return datasets.quick(limit), 0, _WORK
    return found.upper, found.dataset.ones, len(shares) - 1


def _about(datasets: Datasets, limit: Limit, rtol: Fraction) -> Fraction:
    """delta of the dataset of zeros; it steers."""
    odds = log_odds(datasets, limit) if serves(datasets, limit) else math.inf
    return Fraction(1 / (1 + math.exp(-odds))) if abs(odds) < _PLAIN else datasets.single(0, limit, rtol=rtol / 8).lower


@lru_cache(maxsize=1 << 14)
def single(datasets: Datasets, ones: int, epsilon: Fraction, rtol: Fraction) -> Fraction:
    """A bound of delta of one composition in both directions."""
    return datasets.one(ones, Limit.exp(epsilon), rtol=rtol).upper
