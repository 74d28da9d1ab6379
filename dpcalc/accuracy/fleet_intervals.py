r"""Intervals for the number T of ones in a fleet, from one count for each group or from the pooled count of all.

The symbols are those of ``counted``. With beta = 1 - confidence each end is wrong with probability at most beta/2:

*chebyshev, hoeffding, normal*  as in ``one_count``, of T_hat or of S. Hoeffding's sum of squared ranges is
    sum_g k_g n_g / w_g^2 or the number of reports. The most T for a mean of S fills the groups of least w_g first.
*exact, pooled*  the T of all splits that S does not refute: P[S <= s] > beta/2 and P[S >= s] > beta/2. If moving a 1
    from group j to group i lowers S stochastically, the split that fills i first is refuted last; this is checked for
    all pairs. Where it fails (k_i (1 - 2 q_i) is the smaller and k_i ln(p_i/q_i) the larger one), Chernoff's bound of
    P[S <= s] is used instead: its logarithm is linear in the T_g.
*exact, by group*  the exact levels F_g(T_g) = P[S_g <= s_g] of all groups, combined by Stouffer's method. F_g <= u has
    probability at most u, so that Phi^{-1}(F_g) is stochastically at least normal. For any sigma_g and eta, with
    Phi(-c) = eta, and M_g = max of T + sigma_g min(Phi^{-1}(F_g(T)), c) over the T in 0..n_g with F_g(T) > eta,

        T <= sum_g M_g + z sqrt(sum_g sigma_g^2)    except with probability Phi(-z) + 2 G eta = beta/2.

    With sigma_g the deviation of T_hat_g, F_g(T) is about Phi((T_hat_g - T) / sigma_g) and M_g about T_hat_g.

*exact, of numbers*  for k = 1: among reports with the same mean none spreads its count more than binomial ones, and for
    s <= E S - 1 P[S <= s] is at most theirs. So the T with s <= n w - 1 and P[Bin(n, w) <= s] <= beta/2 are refuted,
    w = q + (p - q) T / n.

A lower end is n less an upper end for the number of zeros. Where all T are refuted the ends cross or leave 0..n; they
are then put in order and moved into 0..n, as in ``one_count``.

Source: Clopper and Pearson 1934; Stouffer et al. 1949; Hoeffding, "On the distribution of the number of successes in
independent trials" (1956), Theorem 5; proof notes, 11.8, 11.9, T10 and T11.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from itertools import accumulate, combinations

from dpcalc.accuracy.counted import Counted, variance_of, weight
from dpcalc.accuracy.one_count import RTOL, Interval, Method, around, likely, method_of, off, square, within
from dpcalc.errors import DomainError
from dpcalc.laws.pool import Pool
from dpcalc.mechanisms.fleet import Group
from dpcalc.numbers import normal
from dpcalc.numbers.elementary import log, sqrt
from dpcalc.numbers.enclosure import Enclosure
from dpcalc.numbers.search import last_where, logarithm

_LONGEST_ORDER = 400  # reports of two users, up to which their order is checked
_RUNGS = 32  # M_g is bounded on a grid of so many T per sigma
_SHARE = Fraction(1, 100)  # 2 G eta as a share of beta/2
_FINE = 1 << 40  # parts of the range of a sum of numbers
_NO_EXACT = "hoeffding, chebyshev or normal: with k > 1 there is no exact interval for numbers"


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


def _most_pooled(asked: Counted, counts: Sequence[int], level: Fraction) -> int:
    """An upper bound of all T with a split for which P[S <= s] > level / 2; attained where the groups are in order."""
    (s,) = counts
    high = _chernoff(asked, s, level)
    if not all(_in_order(first, second) for first, second in combinations(asked.groups, 2)):
        return high
    # Chebyshev: with a mean below this, P[S <= s] > level / 2
    mean = s - asked.pool(0).mean - sqrt(_variance(asked) * 2 / (1 - level / 2)).upper
    low = min(high, max(-1, math.floor(_filled([(weight(group), group.n) for group in asked.groups], mean))))
    return last_where(lambda ones: likely(asked.pool(ones), s, level), low + 1, high)


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
