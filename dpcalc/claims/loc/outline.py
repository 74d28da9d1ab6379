"""LOC, "Lower Bound for means and sum", "Main Proof" and the outline that opens its step 2."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

from dpcalc.accuracy.barrier import sqrt_barrier
from dpcalc.accuracy.lower_bound import Randomizer, distinguish
from dpcalc.claims.cases import odds_below, randomizers, response
from dpcalc.claims.checking import exhausted, repaired, restricted
from dpcalc.claims.claim import Finding, Ledger, Ruling
from dpcalc.mechanisms.pooled_count import at_least, at_most
from dpcalc.mechanisms.response import KRandomization, RandomizedResponse
from dpcalc.numbers.elementary import exp, sqrt
from dpcalc.numbers.enclosure import Enclosure

__all__ = ["ledger"]

ledger = Ledger("LOC")

_EPSILONS = (Fraction(1, 10), Fraction(1, 2), Fraction(1))


@ledger.claim(
    "s-1965",
    where="Lower Bound, first sentence",
    says="Randomized response was invented in 1965.",
)
def _invented() -> Finding:
    """History, not decided by calculation."""
    return Finding(ruling=Ruling.VACUOUS, said="1965", exact="not decided by calculation")


@ledger.claim(
    "s-lower-best",
    where="Lower Bound, first sentence",
    says="Randomized response is the best that an epsilon-private local protocol for sums and means can do.",
    assuming="one message per person; best: no other randomizer tells the analyst more about the bits",
)
def _best() -> Finding:
    """Every other protocol is randomized response followed by a step that sees only the reports.

    Let the two distributions of a message, zero and one, be within a factor rho = e^epsilon of each
    other, and let randomized response have p/q = rho. Then

        t_0 = (p zero - q one)/(p - q),   t_1 = (p one - q zero)/(p - q)

    are distributions (not negative, as p zero >= q one and p one >= q zero; their sums are 1), and
    p t_0 + q t_1 = zero, q t_0 + p t_1 = one. So the message can be drawn from t_0 or t_1 by someone
    who sees the report only: whatever an analyst computes from any such protocol's messages can be
    computed from the reports of randomized response, with the same error. Tried on lopsided and on
    three-message randomizers: the steps give back the randomizer, and two people's messages tell
    zeros from ones no better than two reports do.
    """

    def holds(case: tuple[Fraction, Randomizer]) -> bool:
        odds, randomizer = case
        coins = RandomizedResponse(1 / (1 + odds))
        lie, steps = 1 / (1 + odds), randomizer.after_response(coins)
        mixed = [[(1 - lie) * a + lie * b for a, b in zip(*pair, strict=True)] for pair in (steps, steps[::-1])]
        made = (tuple(mixed[0]), tuple(mixed[1])) == (randomizer.zero, randomizer.one)
        proper = all(min(step) >= 0 and sum(step) == 1 for step in steps)
        best = distinguish(coins, n=2, rate=1).distance
        return made and proper and best.upper >= _distance_of_two(randomizer)

    cases = [(odds, one) for odds in map(Fraction, ("11/10", "3/2", "3", "7")) for one in randomizers(odds)]
    return exhausted(
        cases, holds, over="four odds, four randomizers each",
        shown=("the best you can do", "every other is randomized response and a step after it"), proven=True,
    )  # fmt: skip


@ledger.claim(
    "s-lower-nonvanishing",
    where="Lower Bound, last sentence",
    says="Every epsilon-private local protocol for the mean errs by at least the order of 1/sqrt n with a probability "
    "that does not shrink as n grows.",
    assuming="0 < epsilon <= 1; 'at least O(1/sqrt n)' read as 'at least c/sqrt n for some c > 0'",
)
def _nonvanishing() -> Finding:
    """A proof shorter than the notes', with better constants.

    With rate alpha = 1/(epsilon sqrt n) and likelihood ratios within e^{2 epsilon}, a message under A
    has a Kullback-Leibler divergence of at most 4 alpha^2 sinh^2 epsilon from one of a zero (see L2),
    so n of them have K = 4 sinh^2(epsilon)/epsilon^2 <= 4 sinh^2(1) < 5.53. For any test the two
    errors add up to at least the overlap O = sum of min(P_A, P_0), and (Bretagnolle and Huber)

        (sum sqrt(P_A P_0))^2 <= O (2 - O) <= 2 O,   sum sqrt(P_A P_0) = E_A sqrt(P_0/P_A) >= e^{-K/2},

    so O >= e^{-K}/2 >= 0.0019, whatever n is. With tau = n alpha/2, an estimate of the sum that errs
    by tau/2 or more with probability at most b, on all data, makes a test with errors b and
    b + P[fewer than tau ones], so 2 b >= O - e^{-sqrt(n)/(8 epsilon)}: positive from n = 2,500 on and
    growing to O. For the mean that is an error of 1/(4 epsilon sqrt n). With the usual ratio
    e^epsilon, K <= 4 sinh^2(1/2) < 1.09.

    Tried with the exact overlap of the best protocol, which is about 0.24 (epsilon = 1) to 0.32
    (epsilon small).
    """

    def holds(case: tuple[int, Fraction]) -> bool:
        people, epsilon = case
        rate = 1 / (epsilon * sqrt(Fraction(people)).upper)
        found = distinguish(response(odds_below(2 * epsilon)).response, n=people, rate=rate)
        return found.overlap >= _overlap_floor(epsilon) and found.failure > 0

    return exhausted(
        product((2_500, 10**6), _EPSILONS), holds, over="n = 2,500, 10^6, epsilon = 1/10, 1/2, 1",
        shown=("error of order 1/sqrt n", "1/(4 epsilon sqrt n), probability > 0 for n >= 2,500"), proven=True,
    )  # fmt: skip


@ledger.claim(
    "s-main-gap",
    where="Main Proof, 1",
    says="A protocol for SUM with error tau gives one for GAP-TR with gap tau/2.",
    assuming="error tau: less than tau",
    script="""
        from fractions import Fraction as F
        tau, n = 4, 2  # gap tau/2 = 2 at kappa = 0: sums 0 and 2 must get different answers
        estimate = dict.fromkeys(range(n + 1), F(1))  # always 1, as private as can be
        assert all(abs(estimate[T] - T) < tau for T in estimate) and estimate[0] == estimate[tau // 2]
    """,
)
def _outline_gap() -> Finding:
    """An error of tau gives the gap 2 tau, and not tau/2.

    Estimates with an error below a separate the sums up to kappa from those from kappa + g on if
    no value is within a of both, that is if g >= 2 a: an error of tau/2 gives the gap tau, as the
    theorem of step 1 says, and an error of tau gives the gap 2 tau. With error tau and gap tau/2 one
    and the same estimate can be allowed on both sides.
    """

    def separates(case: tuple[int, int], error: Fraction, gap: Fraction) -> bool:
        tau, kappa = case
        values = [Fraction(i, 8) for i in range(-8 * tau, 8 * (kappa + 3 * tau) + 1)]
        return not any(abs(v - kappa) < error and abs(v - kappa - gap) < error for v in values)

    def said(case: tuple[int, int]) -> bool:
        return separates(case, Fraction(case[0]), Fraction(case[0], 2))

    def true(case: tuple[int, int]) -> bool:
        tau = Fraction(case[0])
        return separates(case, tau / 2, tau) and separates(case, tau, 2 * tau)

    return repaired(
        product(range(1, 5), range(3)), said, true, over="tau = 1..4, kappa = 0..2",
        shown=("error tau gives gap tau/2", "error tau/2 gives gap tau"),
        show=lambda case: f"tau = {case[0]}, kappa = {case[1]}: one estimate is allowed on both sides of the gap",
    )  # fmt: skip


@ledger.claim(
    "s-main-sqrt",
    where="Main Proof, 2",
    says="Local protocols cannot compute GAP-TR with a gap below the order of sqrt n, and so neither SUM with an error "
    "below that order.",
    assuming="0 < epsilon <= 1, n >= 2,500; cannot: they fail with a probability bounded away from 0",
)
def _below_sqrt() -> Finding:
    """Take the gap tau = sqrt(n)/(2 epsilon) and kappa = 0. An answer 1 on zeros is an error, and
    under A an answer 0 is one if there are tau ones or more. So the two errors add up to at least
    the overlap O of the two views less P[fewer than tau ones], by the bound of s-lower-nonvanishing
    at least e^{-K}/2 - e^{-sqrt(n)/(8 epsilon)}, K = 4 sinh^2(epsilon)/epsilon^2: positive from n =
    2,500 on, and rising with n.

    A protocol for a smaller gap is one for tau too, as GAP-TR with a smaller gap has the same value
    wherever GAP-TR with the gap tau has one. For SUM, see s-step1-sum.

    Tried with the exact overlap of the best protocol and the exact binomial tail; and the two
    functions, on all sums.
    """

    def value(gap: int, total: int) -> int | None:
        return 0 if total <= 0 else 1 if total >= gap else None

    def holds(case: tuple[int, Fraction]) -> bool:
        people, epsilon = case
        rate, coins = 1 / (epsilon * sqrt(Fraction(people)).upper), response(odds_below(2 * epsilon)).response
        found = distinguish(coins, n=people, rate=rate)
        floor = _overlap_floor(epsilon) - exp(-sqrt(Fraction(people)).lower / (8 * epsilon))
        return floor > 0 and found.overlap - found.short >= floor

    gaps = [(tau, gap, total) for tau in range(1, 9) for gap in range(1, tau + 1) for total in range(12)]
    if not all(value(tau, total) in (None, value(gap, total)) for tau, gap, total in gaps):
        raise ArithmeticError("a smaller gap does not decide a larger one")
    return exhausted(
        product((2_500, 10**4, 10**6), _EPSILONS), holds, over="n = 2,500, 10^4, 10^6, epsilon = 1/10, 1/2, 1",
        shown=("impossible below order sqrt n", "errors add up to e^-K/2 - e^(-sqrt(n)/(8 epsilon)) or more"),
        proven=True,
    )  # fmt: skip


@ledger.claim(
    "s-step2-definition",
    where="Step 2, definition of GAP-TR",
    says="GAP-TR is 0 up to the sum kappa, 1 from kappa + tau on, and undefined between.",
    assuming="tau > 0",
)
def _definition() -> Finding:
    """As tau > 0, kappa < kappa + tau: each sum is either at most kappa, or at least kappa + tau, or
    strictly between, and in one case only, so the function is well defined where it is defined. (For
    tau <= 0 the sums kappa + tau..kappa would be given both values.) Every order of the three numbers
    occurs among those tried.
    """

    def single(case: tuple[int, int, int]) -> bool:
        kappa, tau, total = case
        return [total <= kappa, total >= kappa + tau, kappa < total < kappa + tau].count(True) == 1

    return exhausted(
        product(range(6), range(1, 6), range(13)), single, over="kappa = 0..5, tau = 1..5, sums 0..12",
        shown=("0, 1 or undefined", "one of the three, for tau > 0"), proven=True,
    )  # fmt: skip


@ledger.claim(
    "s-step2-unable",
    where="Step 2, third paragraph",
    says="A private protocol cannot tell an input of at least sqrt n ones from one of all zeros.",
    assuming="cannot: the best test errs with a probability above a positive constant",
    script="""
        from fractions import Fraction as F
        from math import comb
        n, q = 100, F(1, 4)  # randomized response with p/q = 3; all ones against all zeros, threshold 50
        false_alarm = sum(comb(n, s) * q**s * (1 - q) ** (n - s) for s in range(50, n + 1))
        missed = sum(comb(n, s) * (1 - q) ** s * q ** (n - s) for s in range(50))
        assert max(false_alarm, missed) < F(1, 10**6)
    """,
)
def _unable() -> Finding:
    """Up to sqrt n ones there is such a constant (s-lower-nonvanishing); beyond, there is none: for n^e
    of them, e > 1/2, the threshold test on randomized response has errors that vanish. 'At least'
    must be 'at most about'.

    Tried at n = 10^4 and p/q = 3: with n^e ones expected the best error is at least e^{-K}/4, K = 4/3
    for e <= 1/2.
    """
    floor = exp(Fraction(-4, 3)).lower / 4
    errors = {e: sqrt_barrier(q="1/4", ns=[10**4], exponents=[e]).columns[e][0].error for e in _EXPONENTS}

    def said(exponent: Fraction) -> bool:
        return errors[exponent] >= floor

    return restricted(
        _EXPONENTS, said, lambda exponent: exponent <= Fraction(1, 2), sharp=True,
        over="about sqrt n ones and fewer", shown=("at least sqrt n ones", "at most about sqrt n ones"),
        show=lambda exponent: f"n = 10^4, n^({exponent}) ones, q = 1/4: best error {errors[exponent]:4}",
    )  # fmt: skip


@ledger.claim(
    "s-step2-twice",
    where="Step 2, third paragraph",
    says="A private protocol for SUM would make twice that error with high probability.",
    assuming="twice the gap tau = sqrt(n)/(2 epsilon) of GAP-TR; high: more than 1/2",
    script="""
        from fractions import Fraction as F
        from math import comb
        n, q, tau = 49, F(1, 3), 5  # p/q = 2 < e^(7/10): epsilon = 7/10 and sqrt(n)/(2 epsilon) = 5; all bits 0
        wrong = [s for s in range(n + 1) if abs((s - q * n) / (1 - 2 * q)) >= 2 * tau]
        assert sum(comb(n, s) * q**s * (1 - q) ** (n - s) for s in wrong) < F(1, 2)
    """,
)
def _twice() -> Finding:
    """It is half the gap, not twice, and with some probability, not a high one.

    Twice follows from the slip in the outline (s-main-gap). By the theorem of step 1, who fails at
    the gap tau fails to be within tau/2 of the sum: half the gap. And only some probability is shown,
    not a high one: randomized response misses by 2 tau or more with probability 0.32, its standard
    deviation being about 2 tau, and less if p/q = e^{2 epsilon} is allowed. The exact probabilities,
    all bits being 0, are sums of binomial tails; that of a miss by tau/2 is beyond 1/2.
    """

    def missing(case: tuple[int, Fraction, int], by: Fraction) -> Enclosure:
        people, epsilon, factor = case
        mechanism = KRandomization(n=people, q=1 / (1 + odds_below(factor * epsilon)))
        error = by * sqrt(Fraction(people)).value / (2 * epsilon)
        low, high = (mechanism.q * people + side * error * (mechanism.p - mechanism.q) for side in (-1, 1))
        return at_most(mechanism, int(low // 1), ones=0) + at_least(mechanism, int(-(-high // 1)), ones=0)

    cases = [(people, epsilon, factor) for people in (10**4, 10**6) for epsilon in _EPSILONS for factor in (1, 2)]
    return repaired(
        cases, lambda case: missing(case, Fraction(2)) > Fraction(1, 2),
        lambda case: missing(case, Fraction(1, 2)) > Fraction(1, 2) > missing(case, Fraction(2)),
        failing=Ruling.REFUTED, over="n = 10^4, 10^6, epsilon = 1/10, 1/2, 1",
        shown=("error 2 tau, very likely", "error tau/2, with a positive probability"),
        show=lambda case: f"n = {case[0]}, epsilon = {case[1]}, p/q = e^({case[2] * case[1]}): "
        f"P[error >= 2 tau] = {missing(case, Fraction(2)):4}",
    )  # fmt: skip


@ledger.claim(
    "s-step2-no-idea",
    where="Step 2, third paragraph, 'Thus the entire game'",
    says="Up to sqrt n ones a private protocol has no idea how to distinguish the inputs, and outputs garbage.",
    assuming="no idea: no test errs with a probability below 1/2, that of guessing, on average over the two inputs",
    script="""
        from fractions import Fraction as F
        from math import comb
        law = lambda n, w: [comb(n, s) * w**s * (1 - w) ** (n - s) for s in range(n + 1)]
        q, cut = F(1, 4), 28  # n = 100, p/q = 3; sqrt(n) = 10 ones against zeros: answer 1 from 28 reported ones on
        false_alarm = sum(law(100, q)[cut:])
        missed = sum(a * b for i, a in enumerate(law(90, q)) for j, b in enumerate(law(10, 1 - q)) if i + j < cut)
        assert max(false_alarm, missed) < F(1, 3) < F(1, 2)
    """,
)
def _no_idea() -> Finding:
    """The best test errs less often than guessing: with probability 0.28 at p/q = 3, and not with 1/2.

    The errors stay above a positive constant (s-lower-nonvanishing), and that is what the proof shows
    and needs. Computed for sqrt n ones expected, exactly; the lower bound is e^{-K}/4, K = 4/3 at
    p/q = 3.
    """

    def error(people: int) -> Enclosure:
        return distinguish(RandomizedResponse("1/4"), n=people, rate=1 / sqrt(Fraction(people)).value).error

    floor = exp(Fraction(-4, 3)).lower / 4
    return repaired(
        (100, 10**4, 10**6), lambda people: error(people) >= Fraction(1, 2),
        lambda people: error(people) >= floor and error(people) < Fraction(1, 3),
        failing=Ruling.REFUTED, over="n = 100, 10^4, 10^6, p/q = 3, sqrt n ones expected",
        shown=("best error 1/2, as by guessing", "best error between e^(-4/3)/4 and 1/3"),
        show=lambda people: f"n = {people}, q = 1/4, sqrt n ones expected: best error {error(people):4} < 1/2",
    )  # fmt: skip


# --- parts ------------------------------------------------------------------------------------------------------------

_EXPONENTS = (Fraction(1, 4), Fraction(1, 2), Fraction(2, 3), Fraction(3, 4))


def _overlap_floor(epsilon: Fraction) -> Fraction:
    """e^{-K}/2 rounded down, K = 4 sinh^2(epsilon)/epsilon^2."""
    twice = exp(epsilon) - exp(-epsilon)
    return (exp(-(twice * twice / epsilon**2).upper) / 2).lower


def _distance_of_two(randomizer: Randomizer) -> Fraction:
    """The total variation distance of two people's messages, both holding 1, from both holding 0."""
    ones, zeros = ([a * b for a, b in product(side, repeat=2)] for side in (randomizer.one, randomizer.zero))
    return Fraction(sum(max(a - b, Fraction(0)) for a, b in zip(ones, zeros, strict=True)))
