"""LOC, step 2: the likelihood ratio of a view, and Lemmas 1 to 3 as stated."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import product
from math import prod
from typing import NamedTuple

from dpcalc.accuracy import lemmas
from dpcalc.accuracy.lower_bound import Randomizer
from dpcalc.claims.cases import odds_below, randomizers, response
from dpcalc.claims.checking import exhausted, repaired, restricted
from dpcalc.claims.claim import Finding, Ledger, Ruling
from dpcalc.numbers.elementary import exp, log, sqrt
from dpcalc.numbers.enclosure import Enclosure

__all__ = ["ledger"]

ledger = Ledger("LOC")

_RATES = (Fraction(1, 100), Fraction(1, 10), Fraction(1, 2), Fraction(1))
_EPSILONS = tuple(Fraction(e) for e in ("1/10", "1/2", "0.62", "0.65", "4/5", "1"))


# --- the likelihood ratio ---------------------------------------------------------------------------------------------


@ledger.claim(
    "s-ratio-product",
    where="Definitions, first two lines of the display",
    says="r(c) is the product of the r_i(c_i).",
    assuming="the X_i independent, every person randomizes on their own",
)
def _product() -> Finding:
    """P_A[c] = sum over inputs x of prod_i P[X_i = x_i] P[S(x_i) = c_i], and a sum over all x of a
    product with one factor per x_i is the product of the sums, prod_i P_A[S(X_i) = c_i]; the
    denominator is a product as it stands. Tried by summing over all inputs of three people, for every
    view.
    """

    def holds(case: tuple[Randomizer, Fraction]) -> bool:
        randomizer, rate = case
        ratios = randomizer.ratios(rate)
        return all(
            _summed(randomizer, rate, view) / prod(randomizer.zero[c] for c in view) == prod(ratios[c] for c in view)
            for view in product(range(len(ratios)), repeat=3)
        )

    return exhausted(
        product(randomizers(Fraction(3)), _RATES[1:]), holds, over="n = 3, four randomizers, three rates, every view",
        shown=("prod r_i(c_i)", "the same"), proven=True,
    )  # fmt: skip


@ledger.claim(
    "s-ratio-log",
    where="Definitions, last line of the display",
    says="log r(c) is the sum of the V_i.",
    assuming="V_i = log r_i(c_i), which the notes do not say before they use it",
)
def _logarithm() -> Finding:
    """The logarithm of a product of positive numbers is the sum of the logarithms. Tried: the
    enclosures of the two sides, narrower than 1e-35, overlap.
    """

    def holds(case: tuple[Fraction, tuple[int, ...]]) -> bool:
        rate, view = case
        randomizer = randomizers(Fraction(3))[3]
        ratios = randomizer.ratios(rate)
        left = log(_summed(randomizer, rate, view) / prod(randomizer.zero[c] for c in view))
        gap = left - sum((log(ratios[c]) for c in view), Enclosure.of(0))
        return gap.lower <= 0 <= gap.upper and gap.upper - gap.lower < Fraction(1, 10**35)

    return exhausted(
        product(_RATES[1:], product(range(3), repeat=3)), holds, over="n = 3, every view, three rates",
        shown=("sum V_i", "the same"), proven=True,
    )  # fmt: skip


# --- the lemmas -------------------------------------------------------------------------------------------------------


@ledger.claim(
    "L1-r-lower",
    where="Lemma 1, first line, left",
    says="1 - 2 alpha epsilon <= r_i(c_i).",
    assuming="likelihood ratios of at least e^{-2 epsilon}, any epsilon > 0 and 0 < alpha <= 1",
)
def _r_from_below() -> Finding:
    """r_i = 1 + alpha (w - 1) with w >= e^{-2 epsilon}, and 1 - e^{-2 epsilon} < 2 epsilon."""
    return exhausted(
        _sampled(), _line(1), over="six epsilons, four rates, four randomizers",
        shown=("1 - 2 alpha epsilon", "1 - alpha (1 - e^(-2 epsilon)), which is more"), proven=True,
    )  # fmt: skip


@ledger.claim(
    "L1-r-upper",
    where="Lemma 1, first line, right",
    says="r_i(c_i) <= 1 + 4 alpha epsilon for every 0 < epsilon <= 1.",
    assuming="likelihood ratios of up to e^{2 epsilon}, as its proof has it",
    script="""
        from fractions import Fraction as F
        from math import factorial
        epsilon, alpha, w = 1, F(1, 100), 7  # w: P[S(1) = c]/P[S(0) = c], randomized response with q = 1/8
        assert w < sum(F(2 * epsilon) ** j / factorial(j) for j in range(9))  # so w < e^(2 epsilon)
        assert alpha * w + (1 - alpha) > 1 + 4 * alpha * epsilon
    """,
)
def _r_from_above() -> Finding:
    """From epsilon = 0.6282... on r_i can be more than 1 + 4 alpha epsilon: r_i <= 1 + alpha (e^{2
    epsilon} - 1), attained by randomized response with p/q = e^{2 epsilon}, and this is at most 1 +
    4 alpha epsilon if e^{2 epsilon} <= 1 + 4 epsilon. The difference is convex in epsilon, 0 at 0
    and falling there, so it has one positive root.

    With the usual definition of epsilon-local privacy the ratio is at most e^epsilon < 1 + 4
    epsilon for all 0 < epsilon <= 1 (as e < 5 and by convexity), and the lemma holds as it is
    printed: tried as well.
    """
    usual = all(_line(0)(case) for case in _sampled(factor=1))

    def show(case: _Case) -> str:
        largest = Enclosure.of(max(case.randomizer.ratios(case.rate)))
        return f"{case}: r_i = {largest:6} > {float(1 + 4 * case.rate * case.epsilon)}"

    return _only_below_limit(0, "1 + 4 alpha epsilon", "1 + alpha (e^(2 epsilon) - 1)", usual, show)


@ledger.claim(
    "L1-V-lower",
    where="Lemma 1, second line, left",
    says="4 alpha epsilon <= V_i.",
    script="""
        from fractions import Fraction as F
        alpha, epsilon, q = F(1, 10), F(3, 5), F(1, 4)  # p/q = 3 < e^(6/5)
        r = (alpha * q + (1 - alpha) * (1 - q)) / (1 - q)
        assert r == F(14, 15) < 1 < 1 + 4 * alpha * epsilon  # log r < 0
    """,
)
def _v_from_below() -> Finding:
    """A minus sign is missing; with the line as printed every V_i would be exactly 4 alpha epsilon.
    With it the line is true, for every epsilon, alpha and n, and 4 can be 2: r_i >= alpha
    e^{-2 epsilon} + (1 - alpha) 1, and by the concavity of the logarithm log r_i >= -2 alpha epsilon.
    The notes' proof asks for 2 alpha epsilon <= 1/2 (L1-half).
    """

    def true(case: _Case) -> bool:
        _, level, rate, randomizer = case
        return _line(3)(case) and log(min(randomizer.ratios(rate))) >= -2 * rate * level

    return repaired(
        _sampled(), lambda case: log(min(case.randomizer.ratios(case.rate))) >= 4 * case.rate * case.epsilon, true,
        over="six epsilons, four rates, four randomizers",
        shown=("4 alpha epsilon", "-4 alpha epsilon, and even -2 alpha epsilon"),
        show=lambda case: f"{case}: V_i = {log(min(case.randomizer.ratios(case.rate))):2} < "
        f"{float(4 * case.rate * case.epsilon)}",
    )  # fmt: skip


@ledger.claim(
    "L1-V-upper",
    where="Lemma 1, second line, right",
    says="V_i <= 4 alpha epsilon for every 0 < epsilon <= 1.",
    assuming="likelihood ratios of up to e^{2 epsilon}, as its proof has it; any n",
    script="""
        from fractions import Fraction as F
        from math import factorial
        epsilon, alpha, w = 1, F(1, 100), 7  # n = 10^4; w = P[S(1) = c]/P[S(0) = c], randomized response with q = 1/8
        x, r = 4 * alpha * epsilon, alpha * w + (1 - alpha)
        assert w < sum(F(2 * epsilon) ** j / factorial(j) for j in range(9)) and r > 1 / (1 - x)  # > e^x, so log r > x
    """,
)
def _v_from_above() -> Finding:
    """From epsilon = 0.6282... on V_i can be more than 4 alpha epsilon, for n large.

    V_i <= log(1 + alpha (e^{2 epsilon} - 1)), which is attained. Up to epsilon = 0.6282... this is
    at most 4 alpha epsilon, by the first line and log(1 + x) <= x. Beyond, log(1 + alpha a)/alpha
    tends to a = e^{2 epsilon} - 1 > 4 epsilon as alpha falls: the line fails from some n on. With
    the ratio e^epsilon of the usual definition it holds for all 0 < epsilon <= 1.
    """
    usual = all(_line(2)(case) for case in _sampled(factor=1))

    def show(case: _Case) -> str:
        largest = log(max(case.randomizer.ratios(case.rate)))
        return f"{case}: V_i = {largest:4} > {float(4 * case.rate * case.epsilon)}"

    return _only_below_limit(2, "4 alpha epsilon", "log(1 + alpha (e^(2 epsilon) - 1))", usual, show)


@ledger.claim(
    "L2",
    where="Lemma 2",
    says="E[V_i] <= 32 alpha^2 epsilon^2 for every 0 < epsilon <= 1.",
    assuming="likelihood ratios within e^{2 epsilon}; mean under A",
)
def _mean() -> Finding:
    """True as stated, although steps of its proof ask for more (L2-values, L2.1, L2.3).

    As log r <= r - 1,

        E_A log r <= E_A (r - 1) = E_0 r (r - 1) = E_0 (r - 1)^2 = alpha^2 E_0 (w - 1)^2,

    w the likelihood ratio of a one to a zero, E_0 w = 1. A variable with mean 1 in [1/rho, rho] has a
    variance of at most (rho - 1)(1 - 1/rho) (as E (rho - w)(w - 1/rho) >= 0), which is
    (e^epsilon - e^{-epsilon})^2 at rho = e^{2 epsilon}:

        E V_i <= 4 alpha^2 sinh^2 epsilon <= 4 sinh^2(1) alpha^2 epsilon^2 < 5.53 alpha^2 epsilon^2,

    sinh(x)/x rising with x. So 32 can be 5.53, and 1.09 with the ratio e^epsilon of the usual
    definition. No bound on n or alpha is needed. Both bounds are tried on exact distributions.
    """

    def holds(case: _Case) -> bool:
        _, level, rate, randomizer = case
        line = lemmas.lemma_2(randomizer, rate=rate, epsilon=level)
        twice = exp(level) - exp(-level)
        return (
            line.holds and line.left <= (rate * twice) * (rate * twice) and twice * twice < Fraction("5.53") * level**2
        )

    return exhausted(
        _sampled(), holds, over="six epsilons, four rates, four randomizers",
        shown=("32 alpha^2 epsilon^2", "at most 4 alpha^2 sinh^2 epsilon"), proven=True,
    )  # fmt: skip


@ledger.claim(
    "L3",
    where="Lemma 3",
    says="For v > 32, p_A(c)/p_0(c) <= e^v with probability 1 - exp(-(v - 32)^2/32).",
    assuming="0 < epsilon <= 1, alpha = 1/(epsilon sqrt n), likelihood ratios within e^{2 epsilon}; c drawn under A",
)
def _tail() -> Finding:
    """True as stated ('at least' that probability), for all epsilon <= 1, although Lemma 1 is not.

    With rho = e^{2 epsilon}, V_i lies between log(1 - alpha (1 - 1/rho)) and log(1 + alpha (rho -
    1)). Their distance g(alpha) has the derivative (rho - 1)/(1 + alpha (rho - 1)) + (1 - 1/rho)/(1
    - alpha (1 - 1/rho)): a convex function that is rho - 1/rho both at 0 and at 1, so

        g(alpha) <= alpha (rho - 1/rho) = 2 alpha sinh(2 epsilon) <= 2 sinh(2) alpha epsilon < 7.26 alpha epsilon,

    less than the 8 alpha epsilon of the proof. The means add up to at most 5.53 (L2), less than 32.
    Hoeffding's bound exp(-2 (v - 5.53)^2/7.26^2) is then below the one printed. With Lemma 1's own
    ends, -2 alpha epsilon (L1-V-lower) and 4 alpha epsilon, the range is 6 alpha epsilon and 32 in
    the denominator becomes 18.

    Tried on exact tails of randomized response, at v where they are positive; and the range, on a
    grid.
    """

    def narrow(case: _Case) -> bool:
        odds, level, rate, _ = case
        width = log(1 + rate * (odds - 1)) - log(1 - rate * (1 - 1 / odds))
        return width <= rate * (odds - 1 / odds) < Fraction("7.26") * rate * level

    def holds(case: tuple[int, Fraction, Fraction]) -> bool:
        people, level, v = case
        coins = response(odds_below(2 * level)).response
        line = lemmas.lemma_3(coins, n=people, rate=1 / (level * sqrt(Fraction(people)).value), epsilon=level, v=v)
        return line.left <= exp(-((v - 32) ** 2) / 32)

    if not all(narrow(case) for case in _sampled()):
        return Finding(ruling=Ruling.REFUTED, said="range 8 alpha epsilon", witness="a wider range")
    cases = product((400, 10**4, 10**6), (Fraction(1, 10), Fraction(1, 2), Fraction(1)), map(Fraction, (33, 36, 40)))
    return exhausted(
        cases, holds, over="n = 400, 10^4, 10^6, three epsilons, v = 33, 36, 40",
        shown=("1 - exp(-(v - 32)^2/32)", "at least that"), proven=True,
    )  # fmt: skip


# --- parts ------------------------------------------------------------------------------------------------------------


class _Case(NamedTuple):
    """A randomizer with likelihood ratios within ``odds``, and the rate and epsilon at which a lemma
    is tried.
    """

    odds: Fraction
    epsilon: Fraction
    rate: Fraction
    randomizer: Randomizer

    def __str__(self) -> str:
        exponent = next(f for f in (1, 2) if odds_below(f * self.epsilon) == self.odds) * self.epsilon
        return f"epsilon = {self.epsilon}, alpha = {self.rate}, p/q just below e^({exponent})"


def _sampled(*, factor: int = 2, epsilons: tuple[Fraction, ...] = _EPSILONS) -> Iterator[_Case]:
    """Cases with likelihood ratios within e^{factor epsilon}; randomized response, the extreme one,
    comes first.
    """
    for level, rate in product(epsilons, _RATES):
        odds = odds_below(factor * level)
        for randomizer in randomizers(odds):
            yield _Case(odds, level, rate, randomizer)


def _line(number: int) -> Callable[[_Case], bool]:
    """Whether one of the four inequalities of Lemma 1, with its minus sign, holds."""

    def holds(case: _Case) -> bool:
        return lemmas.lemma_1(case.randomizer, rate=case.rate, epsilon=case.epsilon)[number].holds

    return holds


def _only_below_limit(number: int, said: str, exact: str, usual: bool, show: Callable[[_Case], str]) -> Finding:
    """A line of Lemma 1 that holds for every randomizer exactly up to the limit of e^{2x} < 1 + 4x."""
    limit = lemmas.lemma_1_limit()
    holds = _line(number)
    broken = {level: [c for c in _sampled(epsilons=(level,)) if not holds(c)] for level in _EPSILONS}
    over = f"epsilon <= {limit:6}" + ("; epsilon <= 1 for ratios within e^epsilon" if usual else "")
    return restricted(
        _EPSILONS, lambda level: not broken[level], lambda level: level <= limit.upper, sharp=True, over=over,
        shown=(said, exact),
        show=lambda level: show(broken[level][0]) if broken[level] else str(level),
    )  # fmt: skip


def _summed(randomizer: Randomizer, rate: Fraction, view: tuple[int, ...]) -> Fraction:
    """P_A[view], summed over all inputs."""
    return Fraction(
        sum(
            prod(
                (rate * randomizer.one[c] if x else (1 - rate) * randomizer.zero[c])
                for x, c in zip(xs, view, strict=True)
            )
            for xs in product((0, 1), repeat=len(view))
        )
    )
