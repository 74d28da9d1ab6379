r"""LOC's proof that a local estimate of a sum errs by the order of sqrt n: its lemmas and tails beside the truth.

The notation is that of ``lower_bound``: n bits that are all 0 are told from A, where each is 1 with probability
rate = 1/(epsilon sqrt n) (LOC's alpha; any rate is taken here), through randomizers whose two distributions are within
e^{2 epsilon} of each other. Every claim is evaluated on both sides, so that its slack is seen. LOC's errata:

* Lemma 1 uses e^{2x} < 1 + 4x for 0 < x <= 1, which holds up to x = 0.628... only (``lemma_1_limit``); its second line
  lacks a minus sign, and log(1 - x) >= -2x for x <= 1/2 asks for rate epsilon <= 1/4, that is n >= 16.
* Lemma 2 asks for the same, as 1/(1 + b) <= 1 - b + 2 b^2 holds for b >= -1/2 only.
* Lemma 3's third line lacks the n that the fourth has.
* Case II cites Lemma 2 for Lemma 3, and prints "=" where P_0[D] >= e^{-v} (P_A[D] - e^{-(v - 32)^2/32}) is meant.
* The outline says that error tau gives gap tau/2; it is error tau/2 that gives gap tau, as the theorem below it says.

Source: LOC, "Lower Bound for means and sum"; Beimel, Nissim, Omri 2011 (arXiv 1103.2626).
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import ceil, floor

from dpcalc.errors import DomainError
from dpcalc.laws.tails import binomial_at_least, binomial_at_most
from dpcalc.mechanisms.pooled_count import lower_tail, pooled, upper_tail
from dpcalc.mechanisms.response import KRandomization, RandomizedResponse
from dpcalc.notes.barrier.lower_bound import Randomizer, crossing
from dpcalc.numbers.elementary import exp, log, sqrt
from dpcalc.numbers.enclosure import Enclosure
from dpcalc.numbers.rational import Number, between, integer, positive, rational


@dataclass(frozen=True, slots=True, kw_only=True)
class Inequality:
    """A claim left <= right with both sides evaluated.

    Attributes:
        claim: what it says, in the notation of the module.
        left, right: the two sides.
    """

    claim: str
    left: Enclosure
    right: Enclosure

    @property
    def holds(self) -> bool:
        """Whether left <= right.

        Raises:
            Undecided: the two sides cannot be told apart.
        """
        return self.left <= self.right

    @property
    def slack(self) -> Enclosure:
        """right - left."""
        return self.right - self.left


def loc_rate(*, n: Number, epsilon: Number) -> Fraction:
    """LOC's rate 1/(epsilon sqrt n); exact when it is rational, else rounded down by a relative 1e-40 at most.

    Raises:
        DomainError: epsilon <= 0, or n < 1/epsilon^2, where the rate would not be a probability.

    >>> loc_rate(n=100, epsilon="1/2")
    Fraction(1, 5)
    """
    people = integer(n, "n", minimum=1)
    return _ones(people, positive(epsilon, "epsilon")).lower / people


def _ones(n: int, epsilon: Fraction) -> Enclosure:
    """The number sqrt(n) / epsilon <= n of ones expected under A."""
    if n * epsilon**2 < 1:
        raise DomainError("n", n, f"a whole number >= 1/epsilon^2 = {1 / epsilon**2}")
    return sqrt(n / epsilon**2)


def lemma_1(randomizer: Randomizer, *, rate: Number, epsilon: Number) -> tuple[Inequality, ...]:
    """The four inequalities of Lemma 1: r_i from above and below, V_i from above and below.

    Raises:
        DomainError: rate outside (0, 1], or an epsilon with e^(2 epsilon) < local_ratio.

    Source: LOC, Lemma 1, with the missing minus sign; the first fails for ratios of e^(2 epsilon), epsilon > 0.628...

    >>> coins = Randomizer.of(KRandomization(n=1, q="1/4"))
    >>> [line.holds for line in lemma_1(coins, rate="1/10", epsilon="0.6")]
    [True, True, True, True]
    """
    share, exponent = _lemma(randomizer, rate, epsilon)
    ratios, unit = randomizer.ratios(share), share * exponent
    most, least = max(ratios), min(ratios)
    return (
        Inequality(claim="r_i <= 1 + 4 rate epsilon", left=Enclosure.of(most), right=Enclosure.of(1 + 4 * unit)),
        Inequality(claim="1 - 2 rate epsilon <= r_i", left=Enclosure.of(1 - 2 * unit), right=Enclosure.of(least)),
        Inequality(claim="V_i <= 4 rate epsilon", left=log(most), right=Enclosure.of(4 * unit)),
        Inequality(claim="-4 rate epsilon <= V_i", left=Enclosure.of(-4 * unit), right=log(least)),
    )


def lemma_1_limit() -> Enclosure:
    """The x > 0 with e^(2x) = 1 + 4x, to an absolute width of 1e-30: LOC's e^(2x) < 1 + 4x holds exactly below it.

    e^(2x) - 1 - 4x is convex, 0 at 0 and falling there, so it has one positive root; e^(2x) is irrational for rational
    x != 0, so every comparison ends.

    >>> print(lemma_1_limit())
    0.62821560431308483...
    """
    low, high = Fraction(1, 2), Fraction(1)
    while high - low > Fraction(1, 10**30):
        middle = (low + high) / 2
        if _within_limit(middle):
            low = middle
        else:
            high = middle
    return Enclosure(low, high)


def _within_limit(x: Fraction) -> bool:
    return exp(2 * x) < 1 + 4 * x


def lemma_2(randomizer: Randomizer, *, rate: Number, epsilon: Number) -> Inequality:
    """E_A V_i <= 32 rate^2 epsilon^2; the left side is the divergence of one message under A from one of a zero.

    Raises:
        DomainError: rate outside (0, 1], or an epsilon with e^(2 epsilon) < local_ratio.

    Source: LOC, Lemma 2.

    >>> lemma_2(Randomizer.of(KRandomization(n=1, q="1/4")), rate="1/10", epsilon="0.6").holds
    True
    """
    share, exponent = _lemma(randomizer, rate, epsilon)
    terms = zip(randomizer.mixed(share), randomizer.ratios(share), strict=True)
    mean = sum((chance * log(ratio) for chance, ratio in terms), Enclosure.of(0))
    return Inequality(claim="E V_i <= 32 rate^2 epsilon^2", left=mean, right=Enclosure.of(32 * (share * exponent) ** 2))


def lemma_3(response: RandomizedResponse, *, n: Number, rate: Number, epsilon: Number, v: Number) -> Inequality:
    r"""P_A[r(c) > e^v] <= exp(-2 (v - 32 a)^2 / (64 a)) with a = n rate^2 epsilon^2, for randomized response.

    With LOC's rate a = 1, and the bound is exp(-(v - 32)^2 / 32). It is Hoeffding's, for the n terms V_i of range
    8 rate epsilon (Lemma 1) and mean at most 32 rate^2 epsilon^2 (Lemma 2).

    Raises:
        DomainError: rate outside (0, 1], e^(2 epsilon) < p/q, or v <= 32 a.

    Source: LOC, Lemma 3.

    >>> line = lemma_3(RandomizedResponse("1/3"), n=10_000, rate="1/50", epsilon="1/2", v=34)
    >>> print(line.right, line.holds)
    0.88249690258459540... True
    """
    people, reports = integer(n, "n", minimum=1), Randomizer.of(KRandomization(n=1, q=response.q))
    share, exponent = _lemma(reports, rate, epsilon)
    scale = people * (share * exponent) ** 2
    level = rational(v, "v")
    if level <= 32 * scale:
        raise DomainError("v", v, f"a number > 32 n rate^2 epsilon^2 = {32 * scale}")
    # e^v is irrational for rational v != 0, so that no count gives exactly v.
    first = floor(crossing(response, n=people, rate=share, v=level)) + 1
    return Inequality(
        claim="P[r > e^v] <= exp(-(v - 32 a)^2 / (32 a))",
        left=binomial_at_least(people, reports.mixed(share)[1], first),
        right=exp(-((level - 32 * scale) ** 2) / (32 * scale)),
    )


def chernoff(*, n: Number, rate: Number) -> Inequality:
    """P[sum X_i <= n rate / 2] <= e^(-n rate / 8) for n bits that are 1 with probability ``rate``.

    Raises:
        DomainError: n < 1, or rate outside (0, 1].

    Source: LOC, step 2, where n rate = sqrt(n) / epsilon.

    >>> line = chernoff(n=20, rate="1/2")
    >>> print(line.left, line.right, line.holds)
    0.02069473266601562... 0.28650479686019010... True
    """
    people, share = integer(n, "n", minimum=1), positive(rate, "rate", "a probability", maximum=1)
    return Inequality(
        claim="P[sum X_i <= n rate / 2] <= exp(-n rate / 8)",
        left=binomial_at_most(people, share, floor(people * share / 2)),
        right=exp(-people * share / 8),
    )


def gap_threshold(mechanism: KRandomization, *, kappa: Number, tau: Number) -> tuple[Inequality, Inequality]:
    """How often the estimate's threshold test errs at kappa and at kappa + tau, against its misses by tau/2 there.

    The test answers 1 if T_hat > kappa + tau/2. These two sums are the hardest: T_hat rises stochastically with T.

    Raises:
        DomainError: kappa or kappa + tau not whole or outside 0..n, tau < 1, or records of several bits.

    Source: LOC, "Proof for Step 1": an error of tau/2 for the sum gives a gap of tau.

    >>> [str(line.left) for line in gap_threshold(KRandomization(n=2, q="1/4"), kappa=0, tau=2)]
    ['1/16', '7/16']
    """
    low = integer(kappa, "kappa", minimum=0, maximum=mechanism.n)
    mechanism.single_bit("gap_threshold")
    high = low + integer(tau, "tau", minimum=1, maximum=mechanism.n - low)
    per_record = mechanism.k * (mechanism.p - mechanism.q)
    offset, half = mechanism.q * mechanism.reports, Fraction(high - low, 2)
    middle = floor(offset + per_record * (low + half))  # T_hat <= kappa + tau/2 exactly if S <= middle

    def miss(ones: int) -> Enclosure:
        below, above = (offset + per_record * (ones + side * half) for side in (-1, 1))
        pool = pooled(mechanism, ones)
        return lower_tail(pool, floor(below)) + upper_tail(pool, ceil(above))

    return (
        Inequality(
            claim="P[answer 1 | kappa] <= P[|T_hat - T| >= tau/2]",
            left=upper_tail(pooled(mechanism, low), middle + 1),
            right=miss(low),
        ),
        Inequality(
            claim="P[answer 0 | kappa + tau] <= P[|T_hat - T| >= tau/2]",
            left=lower_tail(pooled(mechanism, high), middle),
            right=miss(high),
        ),
    )


def proof_floor(*, n: Number, epsilon: Number, v: Number = 40, p: Number = "1/2") -> Enclosure:
    r"""The error probability that LOC's proof grants at a gap of sqrt(n) / (2 epsilon), as corrected.

    min( 1 - p - e^{-sqrt(n)/(8 epsilon)},  e^{-v} (p - e^{-(v - 32)^2/32}) ): Case I for protocols that answer 1 under
    A with probability below p, Case II for the others. A negative value grants nothing.

    Raises:
        DomainError: n < 16 or n < 1/epsilon^2, epsilon outside (0, 0.628...], v <= 32, or p outside (0, 1).

    Source: LOC, "Step 2 of main proof".

    >>> print(proof_floor(n=10**6, epsilon="1/2"))
    1.5492249012164385...e-18
    """
    people, exponent = integer(n, "n", minimum=16), positive(epsilon, "epsilon")
    if not _within_limit(exponent):
        raise DomainError("epsilon", epsilon, "a number > 0 with e^(2 epsilon) < 1 + 4 epsilon, up to 0.628...")
    ones = _ones(people, exponent)
    level, chance = rational(v, "v"), between(p, "p", 0, 1, "a probability")
    if level <= 32:
        raise DomainError("v", v, "a number > 32")
    first = 1 - chance - Enclosure(exp(-ones.upper / 8).lower, exp(-ones.lower / 8).upper)
    second = exp(-level) * (chance - exp(-((level - 32) ** 2) / 32))
    return Enclosure(min(first.lower, second.lower), min(first.upper, second.upper))


def _lemma(randomizer: Randomizer, rate: Number, epsilon: Number) -> tuple[Fraction, Fraction]:
    share, exponent = positive(rate, "rate", "a probability", maximum=1), positive(epsilon, "epsilon")
    if exp(2 * exponent) < randomizer.local_ratio:
        raise DomainError("epsilon", epsilon, f"a number with e^(2 epsilon) >= {randomizer.local_ratio}")
    return share, exponent
