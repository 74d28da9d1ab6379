r"""delta of identical records with k reports each, from above and from below, for any number of records.

D holds N = k n reports of one vector x; in D' k of them are of x'. The N reports may be changed one after the other, as
N records with one report each: for 1 <= mu <= lambda^{1/k} group privacy says

    delta(lambda) <= (1 + mu + ... + mu^{k-1}) delta_1(mu),

delta_1 that of one more report changed beside N - 1 others, some of which are of x' already. It is at most that beside
those of x alone, N - k or more of them: reports that are known can be added by whoever sees the rest. So delta_1 is the
mean excess of N - k + 1 independent likelihood ratios.

From below any test will do: for scores of the reports, their sum S, and independent noise U,

    delta(lambda) >= P'[S + U > 0] - lambda P[S + U > 0].

The score log(1 + z w) - c, w the likelihood ratio of a report, nearly orders the outcomes by the ratio of all of them,
R = [z^k] prod (1 + w z) / C(N, k), if z is about the saddle point; c is where the two densities of the sum differ by
lambda. Scores and noise are chosen in floating point: any will do. The two bounds approach one another as n grows.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from contextlib import suppress
from fractions import Fraction
from typing import TypeAlias

from dpcalc.errors import TooLarge, Undecided
from dpcalc.families.bits import Bits
from dpcalc.laws.excess import Steering, mean_excess, smoothed
from dpcalc.laws.tilt import moments
from dpcalc.numbers.ball import enclosure_of, union, working_precision
from dpcalc.numbers.elementary import root
from dpcalc.numbers.enclosure import Enclosure
from dpcalc.numbers.limit import Limit
from dpcalc.numbers.search import increasing_root, logarithm

#: The likelihood ratios w of a report and their probabilities under P.
Ratios: TypeAlias = Sequence[tuple[Fraction, Fraction]]

_Kind: TypeAlias = tuple[Ratios, int]  # scores with their probabilities, and how many reports have them

_LOOSE = Fraction(1, 1000)
_NOISE = 0.01  # standard deviation of U times the saddle point: about 1e-4 of delta is lost to it
_MAX_POINTS = 1 << 15
_WIDTHS = (Fraction(1, 10**6), Fraction(1, 10**12), Fraction(1, 10**18))  # of two chances that may nearly cancel
_BITS = 160


def count_delta(q: Fraction, repeats: int, limit: Limit, *, ones: int, zeros: int, rtol: Fraction) -> Enclosure:
    """delta of single bits, the changed record being 0 over its being 1, beside so many others."""
    try:
        return Bits.symmetric(q, repeats, ones + zeros).pair(ones).divergence(limit, rtol=rtol)
    except Undecided:
        return Enclosure(Fraction(0), Fraction(1))


def single_change(lam: Fraction, k: int) -> tuple[Fraction, Fraction]:
    """A mu with 1 <= mu <= lambda^{1/k}, just below it, and a bound of 1 + mu + ... + mu^{k-1}."""
    step = max(root(lam, k).lower, Fraction(1))
    # the terms are at most lambda, and their sum is (mu^k - 1)/(mu - 1)
    return step, Fraction(k) if step == 1 else min(k * lam, (lam - 1) / (step - 1))


def by_single_changes(ratios: Ratios, k: int, total: int, lam: Fraction) -> tuple[Fraction, Fraction]:
    """Bounds of delta forward (P' beyond lambda P) and backward.

    Args:
        ratios: of one report.
        k: reports that are changed.
        total: N, all reports.
        lam: lambda >= 1.
    """
    step, growth = single_change(lam, k)
    rest = total - k + 1
    forward = mean_excess([(w - step, chance) for w, chance in ratios], rest, rtol=_LOOSE, points=_MAX_POINTS)
    backward = mean_excess([(1 - step * w, chance) for w, chance in ratios], rest, rtol=_LOOSE, points=_MAX_POINTS)
    return growth * forward.upper / rest, growth * backward.upper / rest


def by_threshold(ratios: Ratios, k: int, total: int, lam: Enclosure) -> tuple[Fraction, Fraction]:
    """What a threshold of the scores gives away, as ``by_single_changes`` but from below; 0 where nothing is found."""
    found = [Fraction(0), Fraction(0)]
    for way, sign in enumerate((1, -1)):
        with suppress(Undecided, TooLarge, OverflowError):
            scores = _scores(ratios, k, total, sign * logarithm(lam.lower) / k)
            same = [(sign * score, chance) for score, (_, chance) in zip(scores, ratios, strict=True)]
            changed = [(sign * score, w * chance) for score, (w, chance) in zip(scores, ratios, strict=True)]
            likely, unlikely = ([(same, total - k), (changed, k)], [(same, total)])[::sign]
            found[way] = _advantage(likely, unlikely, lam)
    return found[0], found[1]


def _scores(ratios: Ratios, k: int, total: int, exponent: float) -> list[Fraction]:
    """log(1 + z w) - c: c is the mean score where the tilted E e^{tv} and E w e^{tv} differ by e^exponent."""
    shift = math.log(k) - math.log(total - k + 1)
    scores = [moments([(0.0, 0.0), (0.0, shift + logarithm(w))], 0.0).growth for w, _ in ratios]
    unit = max(scores)
    same = [(score / unit, logarithm(chance)) for score, (_, chance) in zip(scores, ratios, strict=True)]
    changed = [(score, log_chance + logarithm(w)) for (score, log_chance), (w, _) in zip(same, ratios, strict=True)]
    sign = math.copysign(1.0, exponent)

    def gap(t: float) -> float:
        return (moments(changed, sign * t).growth - moments(same, sign * t).growth) / exponent - 1

    tilt = sign * increasing_root(gap) if exponent else 0.0
    centre = ((total - k / 2) * moments(same, tilt).mean + k / 2 * moments(changed, tilt).mean) / total
    return [Fraction(score - centre) for score, _ in same]


def _advantage(likely: Sequence[_Kind], unlikely: Sequence[_Kind], lam: Enclosure) -> Fraction:
    """A lower bound of P_1[S + U > 0] - lambda P_2[S + U > 0] for the two laws of S."""
    laws = [[kind for kind in law if kind[1]] for law in (likely, unlikely)]
    steering = [Steering(law, 1) for law in laws]
    noise, best = _NOISE / steering[1].saddle, Fraction(0)
    for rtol in _WIDTHS:
        lines = [one.line(noise, rtol) for one in steering]
        wider = max(line.points for line in lines) / _MAX_POINTS
        if wider > 1:
            lines = [one.line(wider * noise, rtol) for one in steering]
        if max(line.points for line in lines) > 2 * _MAX_POINTS:
            break
        with working_precision(_BITS):
            first, second = (smoothed(law, 1, line)[0] for law, line in zip(laws, lines, strict=True))
            found = enclosure_of(first - union(lam.lower, lam.upper) * second)
        best = max(best, found.lower)
        if found.upper - found.lower <= _LOOSE * found.lower:
            break
    return best
