r"""Confidence intervals for the number T of ones from the pooled count S, or from one count for each group of a fleet.

The symbols are those of ``counted``; of one group T_hat = (S - q k n) / (k (p - q)) has mean T and variance
p q n / (k (p - q)^2) for every T. With level beta = 1 - confidence each end is wrong with probability at most beta/2:
T_hat plus and minus z standard deviations,

    chebyshev   z^2 = 1 / beta                    P[T in it] >= confidence, for every T
    hoeffding   z^2 = ln(2 / beta) / (2 p q)      P[T in it] >= confidence, for every T
    normal      z   = Phi^{-1}(1 - beta / 2)      about the confidence, above or below it: no guarantee

or, "exact", the integers T in 0..n that S does not refute: those with P_T[S <= s] > beta/2 and P_T[S >= s] > beta/2.

*hoeffding*  in general the squared ranges of independent terms add up (``Counted.ranges``).
*a fleet's pooled count*  Where it has no unbiased estimate, z standard deviations are those of S. The most T for a mean
    of S fills the groups of least w_g first.
*exact*  U is the greatest T with P_T[S <= s] > beta/2, and L is n less such a U for the number of zeros. Where
    L = U + 1 every T is refuted, as the noise is smaller than a record or s lies beyond what any T explains, and the
    interval is the one or two integers of 0..n around the gap, which only adds coverage.
*exact, of a fleet*  the T of all splits that S does not refute. If moving a 1 from group j to group i lowers S
    stochastically, the split that fills i first is refuted last; this is checked for all pairs. Where it fails
    (k_i (1 - 2 q_i) is the smaller and k_i ln(p_i/q_i) the larger one), Chernoff's bound of P[S <= s] is used instead:
    its logarithm is linear in the T_g.
*exact, by group*  the exact levels F_g(T_g) = P[S_g <= s_g] of all groups, combined by Stouffer's method (11.9), with
    sigma_g the deviation of T_hat_g: F_g(T) is then about Phi((T_hat_g - T) / sigma_g), and M_g about T_hat_g.
*exact, of numbers*  for k = 1: among reports with the same mean none spreads its count more than binomial ones, and for
    s <= E S - 1 P[S <= s] is at most theirs. So the T with s <= n w - 1 and P[Bin(n, w) <= s] <= beta/2 are refuted,
    w = q + (p - q) T / n.

T is one of 0..n, so every interval is cut to 0..n. If all of it lies outside, no T is plausible at this confidence, and
the nearest T, 0 or n, is returned: this too only adds coverage.

Of asymmetric reports, 1 with probability a for a bit 1 and b for a bit 0, put a for p and b for q; the variance is then
the largest of any T (proof notes, A6), and hoeffding's z^2 what the bound above says. All else is the same.

Source: Clopper and Pearson 1934, for binomial counts; Stouffer et al. 1949; Hoeffding, "On the distribution of the
number of successes in independent trials" (1956), Theorem 5; LOC, "Upper Bound"; EC, "Accuracy of this estimator";
proof notes, 11.8, 11.9, T10 and T11.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate, combinations
from typing import Literal, TypeAlias, get_args

from dpcalc.accuracy.counted import Counted, variance_of, weight
from dpcalc.displayed import Displayed
from dpcalc.errors import DomainError
from dpcalc.laws.pool import Pool
from dpcalc.mechanisms.response import Group
from dpcalc.numbers import normal
from dpcalc.numbers.elementary import log, sqrt
from dpcalc.numbers.enclosure import Enclosure
from dpcalc.numbers.lists import one_of
from dpcalc.numbers.rational import Number, between
from dpcalc.numbers.search import last_where, logarithm

Method: TypeAlias = Literal["exact", "chebyshev", "hoeffding", "normal"]

RTOL = Fraction(1, 10**6)  #: relative width of tails and quantiles where they are not decided
_FINER = tuple(Fraction(1, 10**digits) for digits in (12, 50, 200))
_LONGEST_ORDER = 400  # reports of two users, up to which their order is checked
_RUNGS = 32  # M_g is bounded on a grid of so many T per sigma
_SHARE = Fraction(1, 100)  # 2 G eta as a share of beta/2
_FINE = 1 << 40  # parts of the range of a sum of numbers
_NO_EXACT = "hoeffding, chebyshev or normal: with k > 1 there is no exact interval for numbers"


@dataclass(frozen=True, slots=True)
class Interval(Displayed):
    """Two certified ends, both included.

    For the number T of ones among n records, 0 <= lower <= upper <= n. Where no T is plausible at the confidence, both
    are the nearest T.
    """

    lower: Enclosure
    upper: Enclosure

    def __contains__(self, x: Fraction | int) -> bool:
        return self.lower <= x and self.upper >= x

    def __str__(self) -> str:
        return f"[{self.lower}, {self.upper}]"


def around(middle: Fraction, square: Enclosure) -> Interval:
    """The numbers whose distance from ``middle`` has a square of at most ``square``."""
    reach = Enclosure(sqrt(square.lower).lower, sqrt(square.upper).upper)
    return Interval(middle - reach, middle + reach)


def within(found: Interval, n: int) -> Interval:
    """The interval cut to 0..n; the nearest end if it lies outside."""
    ends = [min(max(x, Fraction(0)), Fraction(n)) for end in (found.lower, found.upper) for x in (end.lower, end.upper)]
    return Interval(Enclosure(*ends[:2]), Enclosure(*ends[2:]))


def method_of(method: object, *, without: str = "") -> str:
    """The method, if it is one of the four."""
    return one_of(method, "method", (name for name in get_args(Method) if name != without))


def level_of(confidence: Number) -> Fraction:
    """The level 1 - confidence, for 0 < confidence < 1."""
    return 1 - between(confidence, "confidence", 0, 1, "a probability")


def square(variance: Fraction, ranges: Fraction, level: Fraction, method: str) -> Enclosure:
    """The squared half-width of an interval around a sum of terms of which ``ranges`` adds up the squared ranges."""
    match method:
        case "chebyshev":
            return Enclosure.of(variance / level)
        case "hoeffding":
            return log(2 / level) * (ranges / 2)
    z = normal.quantile(1 - level / 2)  # "normal"
    return z * z * variance


def off(asked: Counted, level: Fraction, method: str) -> Enclosure:
    """The squared half-width of an interval around the estimate, at a level."""
    return square(asked.variance(), asked.ranges, level, method)


def total_interval(everybody: Counted, counts: Sequence[int], *, level: Fraction, method: Method = "exact") -> Interval:
    """The interval for the number of ones from the counts."""
    name = method_of(method)
    asked, counts = everybody.merged(counts)
    if name == "exact":
        most = _most_of_numbers if asked.rounding else _most_pooled if len(counts) == 1 else _most_by_group
        ends = Enclosure.of(asked.n) - most(*asked.flipped(counts), level), Enclosure.of(0) + most(asked, counts, level)
        found = Interval(*(ends if ends[0] <= ends[1] else ends[::-1]))  # if every T is refuted, those around the gap
    elif not asked.estimable and len(counts) == 1:
        found = _around_pooled(asked, counts[0], level, name)
    else:
        found = around(asked.estimate(counts), off(asked, level, name))
    return within(found, asked.n)


# --- one pooled count --------------------------------------------------------------------------------------------


def _around_pooled(asked: Counted, s: int, level: Fraction, method: str) -> Interval:
    """The T of all splits for which E S is near enough to s."""
    near = around(s - asked.pool(0).mean, square(_variance(asked), Fraction(asked.size), level, method))
    parts = [(weight(group), group.n) for group in asked.groups]
    every = sum(w * users for w, users in parts)
    return Interval(
        Enclosure(*(asked.n - _filled(parts, every - mean) for mean in (near.lower.lower, near.lower.upper))),
        Enclosure(*(_filled(parts, mean) for mean in (near.upper.lower, near.upper.upper))),
    )


def _variance(asked: Counted) -> Fraction:
    """Of the pooled count, for every split; of one asymmetric group the largest."""
    return sum(map(variance_of, asked.groups), asked.dummies.variance)


def _filled(parts: Sequence[tuple[Fraction, int]], budget: Fraction) -> Fraction:
    """The largest sum of T_g in 0..n_g with sum w_g T_g = budget, for rising w_g > 0; continued linearly beyond."""
    total = Fraction(0)
    for w, n in parts[:-1]:
        if budget <= w * n:
            return total + budget / w
        budget, total = budget - w * n, total + n
    return total + budget / parts[-1][0]


def likely(pool: Pool, s: int, level: Fraction) -> bool:
    """Whether P[S <= s] > level / 2: from enclosures, or from the exact pmf where these do not decide."""
    for rtol in _FINER:
        chance = pool.at_most(s, rtol=rtol)
        if chance.lower > level / 2 or chance.upper <= level / 2:
            return chance > level / 2
    return pool.pmf().at_most(s) > level / 2


def _most_pooled(asked: Counted, counts: Sequence[int], level: Fraction) -> int:
    """An upper bound of all T with a split for which P[S <= s] > level / 2; attained where the groups are in order."""
    (s,) = counts
    if not all(_in_order(first, second) for first, second in combinations(asked.groups, 2)):
        return _chernoff(asked, s, level)
    near = math.floor(_around_pooled(asked, s, level, "normal").upper.upper)
    return last_where(lambda ones: likely(asked.pool(ones), s, level), 0, asked.n, near=min(max(0, near), asked.n))


def _in_order(first: Group, second: Group) -> bool:
    """Whether a 1 in the first group and a 0 in the second are stochastically at most a 0 and a 1.

    The latter law is the former counted from above, so that two cumulative sums are compared. For equal k the answer is
    yes, as the first group has the larger q: the reports can be paired.
    """
    if first.k == second.k:
        return True
    if first.k + second.k > _LONGEST_ORDER:
        return False
    weights = Counted((first.of(1), second.of(1))).pool(1).pmf().weights
    return all(a >= b for a, b in zip(accumulate(weights), accumulate(reversed(weights)), strict=True))


def _chernoff(asked: Counted, s: int, level: Fraction) -> int:
    """An upper bound, at most n, of all T with a split for which P[S <= s] > level / 2.

    P[S <= s] <= R^{-s} E R^S for R < 1, and the logarithm is a constant less sum_g T_g k_g ln((p + q R) / (q + p R)),
    for a and b in place of p and q where they are asymmetric.
    """
    theta = -math.sqrt(2 * logarithm(2 / level) / max(float(_variance(asked)), 1e-9))
    r = Fraction(math.exp(max(theta, -50.0)))
    budget = sum((count * log(1 - a + a * r) for a, count in asked.pool(0).kinds), -s * log(r) - log(level / 2))
    chances = [group.chances for group in asked.groups]
    falls = [log((1 - b + b * r) / (1 - a + a * r)).lower for a, b in chances]
    each = sorted((group.k * fall, group.n) for group, fall in zip(asked.groups, falls, strict=True))
    return min(asked.n, max(-1, math.floor(_filled(each, budget.upper))))


# --- a count for each group --------------------------------------------------------------------------------------


def _most_by_group(asked: Counted, counts: Sequence[int], level: Fraction) -> int:
    """The upper end: T is larger with probability at most level / 2."""
    each = [Counted((group,)) for group in asked.groups]
    eta = level / 2 * _SHARE / (2 * len(each))
    sigmas = [Fraction(math.sqrt(one.variance())) for one in each]
    c = normal.quantile(1 - eta, RTOL).upper
    z = normal.quantile(1 - level / 2 * (1 - _SHARE), RTOL).upper
    reach = z * sqrt(sum((sigma**2 for sigma in sigmas), Fraction(0))).upper
    parts = zip(each, counts, sigmas, strict=True)
    return math.floor(reach + sum(_highest(one, s, sigma, c, eta) for one, s, sigma in parts))


def _highest(
    one: Counted, s: int, sigma: Fraction, c: Fraction, eta: Fraction, rungs: Fraction | int = _RUNGS
) -> Fraction:
    """An upper bound of M_g: for a < T <= b the term is at most b + sigma_g min(Phi^{-1}(F_g(a + 1)), c).

    Where F_g <= eta for every T, T = 0 is taken: that is wrong with probability at most eta.
    """
    stride, b = max(1, math.floor(sigma / rungs)), _most_pooled(one, [s], 2 * eta)
    highest = max(b, 0) - sigma * c
    while b >= 0:
        quantile = _quantile(one, s, max(0, b - stride + 1), c, eta)
        highest, b = max(highest, b + sigma * quantile), b - stride
        if quantile == c:  # lower T have no larger quantile
            break
    return highest


def _quantile(one: Counted, s: int, ones: int, c: Fraction, eta: Fraction) -> Fraction:
    """An upper bound of min(Phi^{-1}(F_g(ones)), c)."""
    chance = one.pool(ones).at_most(s, rtol=RTOL).upper
    return c if chance >= 1 - eta else min(c, normal.quantile(chance, RTOL).upper)


# --- numbers ------------------------------------------------------------------------------------------------------


def _most_of_numbers(asked: Counted, counts: Sequence[int], level: Fraction) -> Enclosure:
    """An enclosure of the largest sum of numbers that a count does not refute from below."""
    (s,), (group,) = counts, asked.groups
    if group.k > 1:
        raise DomainError("method", "exact", _NO_EXACT)
    a, b = group.chances

    def refuted(total: Fraction) -> bool:
        w = b + (a - b) * total / group.n
        return s <= group.n * w - 1 and not likely(Pool.of((w, group.n)), s, level)

    least = min(max(asked.estimate(counts), Fraction(0)), Fraction(group.n))
    if refuted(least):
        return Enclosure.of(least)
    fine = (group.n - least) / _FINE
    last = last_where(lambda i: not refuted(least + i * fine), 1, _FINE)
    return Enclosure(least + last * fine, least + min(last + 1, _FINE) * fine)


# --- how often an interval contains the truth ---------------------------------------------------------------------


def window(asked: Counted, ones: int, level: Fraction, method: str) -> tuple[int, int]:
    """The outcomes s of one group whose interval contains ``ones``: they are consecutive, as both ends rise with s."""
    if method != "exact":
        near = around(asked.pool(ones).mean, weight(asked.groups[0]) ** 2 * off(asked, level, method))
        low = 0 if ones == 0 else max(0, math.ceil(near.lower))  # all that lies below has the interval [0, 0]
        return low, asked.size if ones == asked.n else min(asked.size, math.floor(near.upper))
    # T also belongs to the gap between what refutes T and what refutes its neighbour.
    low = min(_least(asked, ones, level), _most(asked, ones - 1, level) + 1)
    high = max(_most(asked, ones, level), _least(asked, ones + 1, level) - 1)
    return low, high


def _least(asked: Counted, ones: int, level: Fraction) -> int:
    """The least s with P_T[S <= s] > level / 2; k n + 1 for T = n + 1."""
    if ones > asked.n:
        return asked.size + 1
    pool = asked.pool(ones)
    return 1 + last_where(lambda s: not likely(pool, s, level), 0, pool.size - 1, near=round(pool.mean))


def _most(asked: Counted, ones: int, level: Fraction) -> int:
    """The greatest s with P_T[S >= s] > level / 2; -1 for T = -1."""
    return asked.size - _least(asked.flipped([0])[0], asked.n - ones, level)
