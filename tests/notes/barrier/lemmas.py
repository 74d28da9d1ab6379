r"""LOC's proof that a local estimate of a sum errs by the order of sqrt n: its lemmas and tails beside the truth.

The notation is that of ``dpcalc.notes.barrier.lower_bound``: n bits that are all 0 are told from A, where each is 1
with probability rate = 1/(epsilon sqrt n) (LOC's alpha; any rate is taken here), through randomizers whose two
distributions are within e^{2 epsilon} of each other. Every claim is evaluated on both sides. LOC's errata:

* Lemma 1 uses e^{2x} < 1 + 4x for 0 < x <= 1, which holds up to x = 0.628... only (``lemma_1_limit``); its second line
  lacks a minus sign, and log(1 - x) >= -2x for x <= 1/2 asks for rate epsilon <= 1/4, that is n >= 16.
* Lemma 2 asks for the same, as 1/(1 + b) <= 1 - b + 2 b^2 holds for b >= -1/2 only.
* Lemma 3's third line lacks the n that the fourth has.
* Case II cites Lemma 2 for Lemma 3, and prints "=" where P_0[D] >= e^{-v} (P_A[D] - e^{-(v - 32)^2/32}) is meant.
* The outline says that error tau gives gap tau/2; it is error tau/2 that gives gap tau, as the theorem below it says.

Source: LOC, "Lower Bound for means and sum"; Beimel, Nissim, Omri 2011 (arXiv 1103.2626).
"""

from __future__ import annotations

from fractions import Fraction
from math import ceil, floor
from typing import NamedTuple

from dpcalc.laws.pool import binomial_at_least, binomial_at_most
from dpcalc.mechanisms.pooled_count import pooled
from dpcalc.mechanisms.response import KRandomization, RandomizedResponse
from dpcalc.notes.barrier.lower_bound import Randomizer, crossing
from dpcalc.numbers.elementary import exp, log, sqrt
from dpcalc.numbers.enclosure import Enclosure


class Inequality(NamedTuple):
    """A claim left <= right with both sides evaluated."""

    left: Enclosure
    right: Enclosure

    @property
    def holds(self) -> bool:
        return self.left <= self.right


def after_response(
    randomizer: Randomizer, response: RandomizedResponse
) -> tuple[tuple[Fraction, ...], tuple[Fraction, ...]]:
    """The distributions (t_0, t_1) of the message given a report of ``response`` that make up the randomizer.

    t_0 = (p zero - q one) / (p - q) and t_1 = (p one - q zero) / (p - q) solve p t_0 + q t_1 = zero and
    q t_0 + p t_1 = one; they sum to 1, and are not negative exactly if local_ratio <= p/q.
    """
    p, q, pairs = response.p, response.q, list(zip(randomizer.zero, randomizer.one, strict=True))
    return tuple((p * a - q * b) / (p - q) for a, b in pairs), tuple((p * b - q * a) / (p - q) for a, b in pairs)


def loc_rate(n: int, epsilon: Fraction) -> Fraction:
    """1/(epsilon sqrt n), exact where it is rational, else rounded down by a relative 1e-40 at most."""
    return sqrt(n / epsilon**2).lower / n


def lemma_1(randomizer: Randomizer, rate: Fraction, epsilon: Fraction) -> tuple[Inequality, ...]:
    """r_i <= 1 + 4 x, 1 - 2 x <= r_i, V_i <= 4 x, -4 x <= V_i with x = rate epsilon; the missing minus sign put in."""
    ratios, unit = randomizer.ratios(rate), rate * epsilon
    most, least = max(ratios), min(ratios)
    return (
        Inequality(Enclosure.of(most), Enclosure.of(1 + 4 * unit)),
        Inequality(Enclosure.of(1 - 2 * unit), Enclosure.of(least)),
        Inequality(log(most), Enclosure.of(4 * unit)),
        Inequality(Enclosure.of(-4 * unit), log(least)),
    )


def lemma_1_limit() -> Enclosure:
    """The x > 0 with e^(2x) = 1 + 4x, 1e-30 wide: e^(2x) - 1 - 4x is convex, 0 at 0, falling there."""
    low, high = Fraction(1, 2), Fraction(1)
    while high - low > Fraction(1, 10**30):
        middle = (low + high) / 2
        low, high = (middle, high) if exp(2 * middle) < 1 + 4 * middle else (low, middle)
    return Enclosure(low, high)


def lemma_2(randomizer: Randomizer, rate: Fraction, epsilon: Fraction) -> Inequality:
    """E_A V_i <= 32 rate^2 epsilon^2; the left side is the divergence of one message under A from one of a zero."""
    terms = zip(randomizer.mixed(rate), randomizer.ratios(rate), strict=True)
    mean = sum((chance * log(ratio) for chance, ratio in terms), Enclosure.of(0))
    return Inequality(mean, Enclosure.of(32 * (rate * epsilon) ** 2))


def lemma_3(response: RandomizedResponse, n: int, rate: Fraction, epsilon: Fraction, v: Fraction) -> Inequality:
    r"""P_A[r(c) > e^v] <= exp(-(v - 32 a)^2 / (32 a)) with a = n rate^2 epsilon^2, v > 32 a, for randomized response.

    It is Hoeffding's bound, for n terms V_i of range 8 rate epsilon (Lemma 1) and mean at most 32 rate^2 epsilon^2.
    """
    reports, scale = Randomizer.of(KRandomization(n=1, q=response.q)), n * (rate * epsilon) ** 2
    # e^v is irrational for rational v != 0, so that no count gives exactly v.
    first = floor(crossing(response, n=n, rate=rate, v=v)) + 1
    return Inequality(binomial_at_least(n, reports.mixed(rate)[1], first), exp(-((v - 32 * scale) ** 2) / (32 * scale)))


def chernoff(n: int, rate: Fraction) -> Inequality:
    """P[sum X_i <= n rate / 2] <= e^(-n rate / 8) for n bits that are 1 with probability ``rate``."""
    return Inequality(binomial_at_most(n, rate, floor(n * rate / 2)), exp(-n * rate / 8))


def gap_threshold(mechanism: KRandomization, kappa: int, tau: int) -> tuple[Inequality, Inequality]:
    """How often the estimate's threshold test errs at kappa and at kappa + tau, against its misses by tau/2 there.

    The test answers 1 if T_hat > kappa + tau/2. These two sums are the hardest: T_hat rises stochastically with T.
    """
    per_record, offset = mechanism.k * (mechanism.p - mechanism.q), mechanism.q * mechanism.reports
    high, half = kappa + tau, Fraction(tau, 2)
    middle = floor(offset + per_record * (kappa + half))  # T_hat <= kappa + tau/2 exactly if S <= middle

    def miss(ones: int) -> Enclosure:
        below, above = (offset + per_record * (ones + side * half) for side in (-1, 1))
        pool = pooled(mechanism, ones)
        return pool.at_most(floor(below)) + pool.at_least(ceil(above))

    return (
        Inequality(pooled(mechanism, kappa).at_least(middle + 1), miss(kappa)),
        Inequality(pooled(mechanism, high).at_most(middle), miss(high)),
    )


def proof_floor(n: int, epsilon: Fraction, v: int = 40, p: Fraction = Fraction(1, 2)) -> Enclosure:
    r"""The error probability that LOC's proof grants at a gap of sqrt(n) / (2 epsilon), as corrected, from n = 16 on.

    min( 1 - p - e^{-sqrt(n)/(8 epsilon)},  e^{-v} (p - e^{-(v - 32)^2/32}) ): Case I for protocols that answer 1 under
    A with probability below p, Case II for the others. A negative value grants nothing.
    """
    ones = sqrt(n / epsilon**2)
    first = 1 - p - Enclosure(exp(-ones.upper / 8).lower, exp(-ones.lower / 8).upper)
    second = exp(Fraction(-v)) * (p - exp(-Fraction((v - 32) ** 2, 32)))
    return Enclosure(min(first.lower, second.lower), min(first.upper, second.upper))
