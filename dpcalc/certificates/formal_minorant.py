"""The lower bound of one dataset in all rounds, as a witness for Coq (below.v).

The outcomes of its count are cut into parts, and the parts are merged to outcomes whose losses are multiples of log g
(proof notes, C8). The merging starts with the largest likelihood ratio, and adds parts of the next outcomes until the
ratio of all is at a point of the grid. The choice of the dataset and of the grid only steers.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction

from dpcalc.certificates import whole_numbers
from dpcalc.certificates.coq import exponent, next_to, precision
from dpcalc.certificates.whole_numbers import NOTHING, Minorant, Setting, Share
from dpcalc.errors import Undecided
from dpcalc.families.bits import Bits
from dpcalc.numbers.decimal import rounded
from dpcalc.numbers.enclosure import Enclosure
from dpcalc.numbers.search import logarithm
from dpcalc.rounds.round import Round
from dpcalc.rounds.tilted_rounds import tilted

_SCALE, _CUT = 64, 40  # bits of 1/g, and of the share of an outcome
_GUARD = 64  # bits of masses, besides those of delta
_WORK, _FEWEST, _MOST = 2400, 80, 400  # points of the grid, divided by the number of rounds; the fewest and the most
_NARROWEST = 1e-9  # range of losses
_FINER = 8  # the grid may be so many times finer, to have lambda on it
_RARE = 1e-6  # the grid ends at losses that are so rare
_DIGITS = 6  # decimal digits of the end
_WIDER = Fraction(1, 10**9)  # the share by which the end is moved outward: more than the errors of floats
_SHARE = 10_000  # rows go on twice as far while that makes delta larger by more than one part in so many


def minorant(asked: Setting, counts: int, goal: Fraction) -> Minorant:
    """The witness of nearly the worst dataset, the same in all rounds; lambda is close to a point of the grid.

    Args:
        asked: n, k, q, and an upper bound of lambda.
        counts: how many rounds.
        goal: delta is about that.
    """
    rounds = Round(Bits.symmetric(asked.q, asked.k, asked.n - 1))
    named = int(tilted(((rounds, counts),), logarithm(asked.lam)).chosen[0])
    at, fine = precision(asked, goal / counts), _GUARD - exponent(goal / counts)
    law, unit = whole_numbers.law_of(asked, at, named, asked.n - 1 - named), asked.q.denominator**asked.k
    (P, Q), most, least = whole_numbers.masses(asked, law), unit * law.most, unit * law.least
    losses = [logarithm(Fraction(p * least, q * most)) if p else -math.inf for p, q in zip(P, Q, strict=True)]

    def seen(rare: float) -> list[float]:
        return [x for x, p in zip(losses, P, strict=True) if p / most > rare / counts]

    usual, highest_loss = seen(_RARE), max(seen(min(_RARE, float(goal) * _RARE)))
    h, level = _grid(logarithm(asked.lam), (max(usual) - min(usual)) / min(max(_WORK // counts, _FEWEST), _MOST))
    coarse = math.floor(math.exp(-h) * (1 << _SCALE))
    coarse -= coarse >> 44  # more than the floats' own errors
    deepest, beyond = max(1, math.ceil(-min(usual) / h)), max(1, math.ceil(highest_loss / h)) + 1
    highest = -(-(1 << fine + _SCALE * beyond) // coarse**beyond)
    w = Minorant(coarse, _SCALE, fine, named, at, _CUT, [], [], deepest, highest, level, 0, 0)

    grid = whole_numbers.ratios(w, deepest + beyond)
    shares, sums = _shares([p * w.one * least for p in P], [q * most for q in Q], grid, most * least), [0] * len(grid)
    for p, (first, part) in zip(P, shares, strict=True):
        for i, share in enumerate(part, first):
            sums[i] += share * p
    return _long_enough(replace(w, shares=shares, made=[x * w.one // (most << _CUT) for x in sums]), counts)


def _grid(epsilon: float, h: float) -> tuple[float, int]:
    """A step of the grid, about h, and the level of epsilon."""
    h = max(h, _NARROWEST)
    level = math.ceil(epsilon / h)
    return (max(epsilon / level, h / _FINER), level) if level else (h, 0)


def _long_enough(w: Minorant, counts: int) -> Minorant:
    """The witness with rows that reach so far beyond lambda, and below 1, that longer ones would hardly help."""
    room, before, found = len(w.made) * math.isqrt(counts), -1, 0
    while found - before > found // _SHARE:
        w, before = replace(w, before=room, after=room), found
        found, room = whole_numbers.rows_down(w, counts)[room], 2 * room
    return w


def _shares(P: Sequence[int], Q: Sequence[int], grid: Sequence[int], unit: int) -> list[Share]:
    """For each outcome, which share of it goes to which point of the grid.

    Args:
        P: the masses, in units such that the ratio is at least a point z of the grid if P >= z Q.
        Q: see there.
        grid: the points, rising.
        unit: P must exceed z Q by at least that, as shares are rounded.
    """
    full, parts = 1 << _CUT, [dict[int, int]() for _ in P]
    order = sorted((i for i, q in enumerate(Q) if q), key=lambda i: Fraction(P[i], Q[i]), reverse=True)
    left, start = [full] * len(P), 0
    for point in reversed(range(len(grid))):
        surplus, taken = 0, dict[int, int]()
        for i in order[start:]:
            apart = P[i] - grid[point] * Q[i]
            taken[i] = left[i] if apart >= 0 else min(left[i], max(0, surplus - unit * full) // -apart)
            surplus += taken[i] * apart
            if taken[i] < left[i]:
                break
        if surplus >= unit * full:  # else the outcomes wait for a lower point
            for i, share in taken.items():
                left[i], parts[i][point] = left[i] - share, share
        while start < len(order) and not left[order[start]]:
            start += 1
    return [_listed(part) for part in parts]


def _listed(part: dict[int, int]) -> Share:
    kept = {i: share for i, share in part.items() if share}
    first, last = min(kept, default=0), max(kept, default=-1)
    return first, [kept.get(i, 0) for i in range(first, last + 1)]


#: A lower end, an upper bound of lambda there, the terms that show this bound, and the witness.
_End = tuple[Fraction, Fraction, int, Minorant]
NO_END: _End = (Fraction(0), Fraction(1), 0, NOTHING)


def lower_end(
    asked: Setting, counts: int, delta: Fraction | None, limit: tuple[str, Fraction], upper: Fraction
) -> _End:
    """The lower end that one dataset shows, rounded down to a short decimal.

    Args:
        asked: n, k, q.
        counts: how many counts change.
        delta: the target, if epsilon is asked for; else None.
        limit: the name and the value of lam or epsilon, at the upper end of the answer.
        upper: that end.
    """
    high, terms = next_to(*limit, above=True)
    if not upper:
        return NO_END
    w = minorant(replace(asked, lam=max(high, Fraction(1))), counts, delta or upper)
    row = whole_numbers.rows_down(w, counts)
    if delta is None:
        lower = _downward(min(Fraction(row[w.before], w.one), upper))
        return (lower, high, terms, w) if lower else NO_END
    at = next((i for i, x in enumerate(row[: w.level + w.before]) if x > delta * w.one), None)
    if at is None:
        return NO_END
    w = replace(w, level=w.level + w.before - at, before=at)  # the highest point of the grid where delta is larger
    lower = _downward(Fraction(w.level * math.log((1 << w.scale) / w.coarse)) * (1 - _WIDER))
    high, terms = next_to("epsilon", lower, above=True)
    if high > w.power(w.level):
        raise Undecided("the lower end was not found to hold", Enclosure(lower, upper))
    return lower, high, terms, w


def _downward(x: Fraction) -> Fraction:
    """The next short decimal downward; 0 if x is not above 0."""
    return Fraction(rounded(x, _DIGITS, -1)) if x > 0 else Fraction(0)
