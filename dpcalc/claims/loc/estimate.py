"""LOC, "Binary sums with Randomised Response", "Privacy" and "Upper Bound": the estimate, and that it is unbiased."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

from sympy import Rational, Symbol, cancel, exp, expand, solve

from dpcalc import symbolic
from dpcalc.accuracy.estimator import estimate
from dpcalc.claims.checking import all_of, exhausted, identity, repaired
from dpcalc.claims.claim import Finding, Ledger, Ruling
from dpcalc.claims.loc.gamma import HALF, POINT, gamma, in_gamma, mean_count
from dpcalc.mechanisms.response import KRandomization, RandomizedResponse
from dpcalc.symbolic import n, s, t

__all__ = ["ledger"]

ledger = Ledger("LOC")

_GAMMAS = tuple(Fraction(i, 20) for i in range(1, 10))


# --- randomizer and estimate --------------------------------------------------------------------------------------


@ledger.claim(
    "s-sums-estimate",
    where="Binary sums, Analyser",
    says="The sum of the bits is estimated by (k - (1/2 - gamma) n)/(2 gamma), k being the count of reported ones.",
    assuming="0 < gamma < 1/2",
)
def _estimate() -> Finding:
    """An unbiased estimate a + b k is unique.

    Being right on average for every number t of ones is

        a + b ((1/2 + gamma) t + (1/2 - gamma) (n - t)) = t   for all t,

    a polynomial in t of degree 1, with the one solution b = 1/(2 gamma), a = -(1/2 - gamma)
    n/(2 gamma). It is also the package's closed form with q = 1/2 - gamma and one report per record.
    """
    a, b = Symbol("a"), Symbol("b")
    surplus = expand(a + b * ((HALF + gamma) * t + (HALF - gamma) * (n - t)) - t)
    solution = solve([surplus.coeff(t, 0), surplus.coeff(t, 1)], [a, b])
    said, at = (s - (HALF - gamma) * n) / (2 * gamma), {s: 3, n: 5, gamma: "1/4"}
    shown = ("(k - (1/2 - gamma) n)/(2 gamma)", "the same: the only unbiased a + b k")
    closed = identity(said, in_gamma(symbolic.estimate()), at=at, shown=shown)
    return all_of(closed, identity(said, solution[a] + solution[b] * s, at=at, shown=shown))


@ledger.claim(
    "s-privacy-trivial",
    where="Privacy",
    says="Reporting the bit with probability 1/2 + gamma is epsilon-locally private for some epsilon.",
    assuming="0 < gamma < 1/2, one report per person",
)
def _private() -> Finding:
    """A report z has the probability 1/2 + gamma given the bit z and 1/2 - gamma given the other, so
    every likelihood ratio is (1/2 + gamma)/(1/2 - gamma) or its reciprocal: finite, and the report is
    epsilon-locally private exactly from epsilon = log((1 + 2 gamma)/(1 - 2 gamma)) on. The other way
    round, a wanted epsilon allows gamma up to (e^epsilon - 1)/(2 (e^epsilon + 1)): the notes leave
    this link out.

    Tried at nine gammas by listing the four probabilities, and against the package's closed form,
    whose exponential is a ratio of two polynomials of degree 1 in gamma, so that four points would
    do.
    """
    closed = cancel(exp(in_gamma(symbolic.local_epsilon()).subs(symbolic.L, 1)))

    def holds(bias: Fraction) -> bool:
        chance = {(z, bit): Fraction(1, 2) + bias * (1 if z == bit else -1) for z, bit in product((0, 1), repeat=2)}
        largest = max(chance[z, bit] / chance[z, 1 - bit] for z, bit in chance)
        odds = RandomizedResponse.from_gamma(bias).odds
        return largest == odds == Fraction(str(closed.subs(gamma, Rational(str(bias)))))

    return exhausted(
        _GAMMAS, holds, over="gamma = 1/20, ..., 9/20", shown=("private", "epsilon = log((1 + 2 gamma)/(1 - 2 gamma))"),
        proven=True,
    )  # fmt: skip


@ledger.claim(
    "s-upper-report",
    where="Upper Bound, first sentence",
    says="A report has the mean 1/2 + gamma if the bit is 1, and 1/2 - gamma if it is 0.",
)
def _mean_of_report() -> Finding:
    """Heads, with probability 1/2 + gamma, reports the bit x, and tails reports 1 - x: the mean is
    (1/2 + gamma) x + (1/2 - gamma) (1 - x). Compared with G'(1), G the generating function of one
    person's report.
    """
    means = [mean_count().subs({n: 1, t: bit}) for bit in (0, 1)]
    shown = ("1/2 + gamma, 1/2 - gamma", "G'(1) = 1/2 + gamma, 1/2 - gamma")
    zero = identity(HALF - gamma, means[0], at={gamma: "1/4"}, shown=shown)
    return all_of(zero, identity(HALF + gamma, means[1], at={gamma: "1/4"}, shown=shown))


# --- the chain that shows the estimate unbiased -------------------------------------------------------------------


@ledger.claim(
    "s-upper-sign",
    where="Upper Bound, second line of the chain",
    says="The mean of the estimate is (E[k] - N/2 - N gamma)/(2 gamma).",
    script="""
        from fractions import Fraction as F
        N, gamma, k = 1, F(1, 4), F(3, 4)
        first_line, second_line = (k - (F(1, 2) - gamma) * N) / (2 * gamma), (k - F(N, 2) - N * gamma) / (2 * gamma)
        assert first_line == 1 and second_line == 0 and first_line == (k - F(N, 2) + N * gamma) / (2 * gamma)
    """,
)
def _sign() -> Finding:
    """The first line is (E[k] - (1/2 - gamma) N)/(2 gamma), and -(1/2 - gamma) N = -N/2 + N gamma."""
    count = Symbol("E_k")
    said = (count - n / 2 - n * gamma) / (2 * gamma)
    true = expand((count - (HALF - gamma) * n) / (2 * gamma))
    shown = ("(E[k] - N/2 - N gamma)/(2 gamma)", "(E[k] - N/2 + N gamma)/(2 gamma)")
    return identity(said, true, at={count: "3/4", n: 1, gamma: "1/4"}, shown=shown)


@ledger.claim(
    "s-upper-two-k",
    where="Upper Bound, third line of the chain",
    says="E[k] = E[(1/2 + gamma) k + (1/2 - gamma)(N - k)], with k the count of reported ones as the analyser has it.",
    script="""
        from fractions import Fraction as F
        N, gamma, T = 1, F(1, 4), 1
        mean_k = F(3, 4)  # one person whose bit is 1
        said, true = [(F(1, 2) + gamma) * c + (F(1, 2) - gamma) * (N - c) for c in (mean_k, T)]
        assert said == F(5, 8) != mean_k and true == mean_k
    """,
)
def _two_meanings() -> Finding:
    """The letter k has two meanings: where the right side has it, the sum of the inputs belongs.

    The mean of the pooled count is G'(1) for its generating function G. It is (1/2 + gamma)
    T + (1/2 - gamma)(N - T) with T the sum of the inputs, for which the notes write k again. With the
    count of reports in its place the right side is E[k] only if E[k] = N/2.
    """
    mean = mean_count()
    said = (HALF + gamma) * mean + (HALF - gamma) * (n - mean)
    shown = ("(1/2 + gamma) k + (1/2 - gamma)(N - k)", "the same with the sum of inputs for k")
    return identity(said, mean, at={n: 1, t: 1, gamma: "1/4"}, shown=shown)


@ledger.claim(
    "s-upper-chain-end",
    where="Upper Bound, third and fourth line of the chain",
    says="((1/2 + gamma) k + (1/2 - gamma)(N - k) - N/2 - N gamma)/(2 gamma) = k, reading k as the sum of the inputs.",
    script="""
        from fractions import Fraction as F
        N, T, gamma = 1, 1, F(1, 4)
        third_line = ((F(1, 2) + gamma) * T + (F(1, 2) - gamma) * (N - T) - F(N, 2) - N * gamma) / (2 * gamma)
        assert third_line == T - N == 0
    """,
)
def _chain_end() -> Finding:
    """With the wrong sign of line 2, the third line is T - N and not T.

    The mean of the count is 2 gamma T + N/2 - N gamma, so the third line as printed, with -N
    gamma, is T - N; with the sign of the first line, +N gamma, it is T. The chain's end is right, one
    of its lines is not.
    """
    said = (mean_count() - n / 2 - n * gamma) / (2 * gamma)
    shown = ("third line = T", "third line = T - N; = T with + N gamma")
    return identity(said, t, at=POINT, shown=shown)


@ledger.claim(
    "s-upper-unbiased",
    where="Upper Bound, after the chain",
    says="The estimate is unbiased for the sum of the inputs.",
)
def _unbiased() -> Finding:
    """The estimate is linear in the count S, whose mean is G'(1) for the generating function G(x)
    = (q + p x)^t (p + q x)^(n - t): put it in for S, with q = 1/2 - gamma, and t comes out.
    """
    return identity(in_gamma(symbolic.estimate()).subs(s, mean_count()), t, at=POINT, shown=("E = sum of inputs", "T"))


@ledger.claim(
    "s-upper-bernoulli",
    where="Upper Bound, after the chain",
    says="The estimate is a sum of Bernoulli variables.",
    script="""
        from fractions import Fraction as F
        gamma = F(1, 4)
        values = [(k - (F(1, 2) - gamma) * 1) / (2 * gamma) for k in (0, 1)]  # one person
        assert values == [F(-1, 2), F(3, 2)]
    """,
)
def _bernoulli() -> Finding:
    """The estimate has values below 0 and above n, and a sum of n Bernoulli variables has not. The
    count k is such a sum (with success probability 1/2 + gamma for some terms and 1/2 - gamma for
    the others), the estimate is not: each of its n terms takes the values -(1/2 - gamma)/(2 gamma)
    < 0 and (1/2 + gamma)/(2 gamma) > 1, which are 1/(2 gamma) > 1 apart.
    """

    def values(case: tuple[int, Fraction]) -> set[Fraction]:
        people, bias = case
        mechanism = KRandomization.from_gamma(n=people, gamma=bias)
        return {estimate(mechanism, count).value for count in range(people + 1)}

    def affine(case: tuple[int, Fraction]) -> bool:
        people, bias = case
        low = -(Fraction(1, 2) - bias) / (2 * bias)
        return values(case) == {people * low + count / (2 * bias) for count in range(people + 1)}

    return repaired(
        product(range(1, 6), _GAMMAS), lambda case: values(case) <= set(range(case[0] + 1)), affine,
        failing=Ruling.REFUTED, over="n = 1..5, gamma = 1/20..9/20",
        shown=("a sum of Bernoulli variables", "a shifted one, stretched by 1/(2 gamma)"),
        show=lambda case: f"n = {case[0]}, gamma = {case[1]}: values {', '.join(map(str, sorted(values(case))))}",
    )  # fmt: skip
