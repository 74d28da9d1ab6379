"""LOC, step 2, Case II: protocols that often answer 1 on inputs from A, and so on zeros."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import prod

from sympy import Symbol, solve

from dpcalc.accuracy import lemmas
from dpcalc.accuracy.lower_bound import distinguish
from dpcalc.claims.cases import odds_below, randomizers, response
from dpcalc.claims.checking import exhausted, identity, repaired, restricted
from dpcalc.claims.claim import Finding, Ledger, Ruling
from dpcalc.numbers.elementary import exp, log, sqrt
from dpcalc.numbers.enclosure import Enclosure

__all__ = ["ledger"]

ledger = Ledger("LOC")


@ledger.claim(
    "s-note-d",
    where="Lemma 3, note",
    says="With a factor d in alpha = 1/(d epsilon sqrt n), the constant probability of Case II can be made larger or "
    "smaller.",
    assuming="d enters alpha so; p = 1/2",
)
def _scale() -> Finding:
    """n alpha^2 epsilon^2 = 1/d^2 then, Lemma 3 reads P_A[r > e^v] <= exp(-(v - 32/d^2)^2 d^2/32) for
    v > 32/d^2, and Case II grants e^{-v} (p - exp(-(v - 32/d^2)^2 d^2/32)). This is positive only for
    v beyond v_0 = 32/d^2 + sqrt(32 log(1/p))/d, so at most p e^{-v_0}; shown for p = 1/2: what some v
    grants at d = 1 is more than the most at d = 1/2, and what some v grants at d = 2 more than the
    most at d = 1. The gap sqrt(n)/(2 d epsilon) shrinks in return.
    """
    grants = {d: max((_granted(v, d) for v in _levels(d)), key=lambda x: x.lower) for d in _SCALES}
    most = {d: exp(-_threshold(d).lower) / 2 for d in _SCALES}
    rising = all(grants[d] > 0 and grants[d] > most[d / 2] for d in _SCALES[1:])
    return Finding(
        ruling=Ruling.PROVEN if rising else Ruling.REFUTED, said="d moves the constant",
        exact="; ".join(f"d = {d}: {grants[d]:3}" for d in _SCALES), over="d = 1/2, 1, 2, 4, p = 1/2",
    )  # fmt: skip


@ledger.claim(
    "s-caseII-constant",
    where="before Case II",
    says="All protocols of Case II err with a constant probability that does not shrink as n grows.",
    assuming="0 < epsilon <= 1, P_A[D] >= p",
)
def _constant() -> Finding:
    """They answer 1 on zeros with probability P_0[D] >= e^{-v} (p - exp(-(v - 32)^2/32)) for every v
    > 32: no n in it, and positive from v > 32 + sqrt(32 log(1/p)) on, 36.71 for p = 1/2. So there is
    such a constant, a tiny one: with p = 1/2 and v = 40 it is 1.5e-18, and with no v more than
    e^{-36.7}/2 < 6e-17. The truth: at n = 10^6 and epsilon = 1/2 the two errors of the best test
    average 0.148 with p/q = e^{2 epsilon}, and 0.306 with e^epsilon. Case II loses much because 32
    stands where 4 to 5.53 would do (L2).

    Computed: what the whole proof grants, Case I with it, at three n; it is Case II's number each
    time.
    """
    floors = [lemmas.proof_floor(n=people, epsilon="1/2") for people in (10**4, 10**6, 10**8)]
    best = distinguish(response(odds_below(Fraction(1))).response, n=10**6, rate=Fraction(1, 500)).error
    granted = exp(Fraction(-40)) * (Fraction(1, 2) - exp(Fraction(-2)))
    same = all(value > 0 and value.lower <= granted.upper and granted.lower <= value.upper for value in floors)
    return Finding(
        ruling=Ruling.PROVEN if same and best > Fraction(1, 10) else Ruling.REFUTED, said="a constant",
        exact=f"{granted:4} at p = 1/2, v = 40; best error {best:4}", over="epsilon = 1/2, n = 10^4, 10^6, 10^8",
    )  # fmt: skip


@ledger.claim(
    "s-caseII-by-definition",
    where="Case II, first sentences",
    says="To answer 1 on zeros is an error, by the definition of GAP-TR.",
    assuming="kappa = 0, tau > 0",
)
def _by_definition() -> Finding:
    """n zeros have the sum 0 <= kappa = 0, where GAP-TR is 0 and not 1."""

    def zero(case: tuple[int, int]) -> bool:
        people, tau = case
        total = sum((0,) * people)
        return total <= 0 and not total >= tau

    return exhausted(
        product(range(1, 9), range(1, 9)), zero, over="n = 1..8, tau = 1..8",
        shown=("an error", "GAP-TR = 0 at the sum 0"), proven=True,
    )  # fmt: skip


@ledger.claim(
    "s-caseII-cites",
    where="Case II, third paragraph",
    says="Lemma 2 is the bound with high probability that is rewritten.",
    script="""
        from fractions import Fraction as F
        log2_low, log2_high = F(2, 3), F(7, 10)  # 2^3 > e^2 and 2^10 < e^7
        v = 50  # two views: P_A = 1/2, 1/2; P_0 = 2^-80, 1 - 2^-80; V = 79 log 2 on the first, V < 0 on the second
        assert F(1, 2) * 79 * log2_high < 32  # all that Lemma 2 says, the mean being at most 32
        assert 79 * log2_low > v and F(1, 2) > F(1, 2) ** 10  # P_A[V > v] = 1/2 > exp(-(v - 32)^2/32)
    """,
)
def _wrong_lemma() -> Finding:
    """It is Lemma 3. A mean of at most 32, which is what n times Lemma 2 says, leaves the tail open:
    with P_A = (1/2, 1/2) and P_0 = (2^-j, 1 - 2^-j) the mean of V is below (j - 1) log(2)/2, while V
    > v with probability 1/2 for every v < (j - 1) log 2.
    """

    def true(j: int) -> bool:
        coins, people, level = response(odds_below(Fraction(1))).response, 10**4, Fraction(1, 2)
        return lemmas.lemma_3(coins, n=people, rate=Fraction(1, 50), epsilon=level, v=32 + Fraction(j, 5)).holds

    def said(j: int) -> bool:
        low = Fraction(1, 2**j)
        values = log(1 / (2 * low)), log(1 / (2 * (1 - low)))
        mean, v = (values[0] + values[1]) / 2, Fraction(50)
        return mean > 32 or values[0] <= v or exp(-((v - 32) ** 2) / 32) >= Fraction(1, 2)

    return repaired(
        range(40, 91, 5), said, true, over="j = 40, 45, ..., 90", shown=("Lemma 2", "Lemma 3"),
        show=lambda j: f"P_A = (1/2, 1/2), P_0 = (2^-{j}, 1 - 2^-{j}): mean <= 32, P_A[V > 50] = 1/2",
    )  # fmt: skip


@ledger.claim(
    "s-caseII-equivalence",
    where="Case II, third paragraph",
    says="A bound 'p_A <= e^v p_0 with probability 1 - delta' and the inequality P_A[D] <= e^v P_0[D] + delta for "
    "every D are equivalent.",
    script="""
        from fractions import Fraction as F
        P_A, P_0, ratio, delta = (F(1, 2), F(1, 2)), (F(1, 4), F(3, 4)), F(3, 2), F(1, 8)
        sets = [(), (0,), (1,), (0, 1)]
        inequality = all(sum(P_A[c] for c in D) <= ratio * sum(P_0[c] for c in D) + delta for D in sets)
        assert inequality and sum(P_A[c] for c in (0, 1) if P_A[c] > ratio * P_0[c]) == F(1, 2) > delta
    """,
)
def _one_way() -> Finding:
    """The first gives the second, the second does not give the first.

    P_A[D] <= P_A[D and r <= e^v] + P_A[r > e^v]. In the second the best delta is sum (p_A - e^v
    p_0)_+, less than P_A[r > e^v] unless that is 0. The proof needs the first direction. Tried on
    two views with all probabilities in eighths: delta = P_A[r > e^v] always works, the converse
    fails.
    """

    def least(case: _Pair) -> Fraction:
        p_a, p_0, level = case
        return max(Fraction(sum(p_a[c] - level * p_0[c] for c in subset)) for subset in _SUBSETS)

    def chance(case: _Pair) -> Fraction:
        p_a, p_0, level = case
        return Fraction(sum(a for a, b in zip(p_a, p_0, strict=True) if a > level * b))

    eighths = [(Fraction(i, 8), Fraction(8 - i, 8)) for i in range(9)]
    return restricted(
        product(product(eighths, eighths, (Fraction(3, 2), Fraction(3))), (True, False)),
        lambda step: least(step[0]) <= chance(step[0]) if step[1] else chance(step[0]) <= least(step[0]),
        lambda step: step[1], over="from the first to the second",
        shown=("equivalent", "the first implies the second"),
        show=lambda step: f"P_A = ({_listed(step[0][0])}), P_0 = ({_listed(step[0][1])}), e^v = {step[0][2]}: "
        f"delta = {least(step[0])}, P_A[r > e^v] = {chance(step[0])}",
    )  # fmt: skip


@ledger.claim(
    "s-caseII-G-in-D",
    where="Case II, display",
    says="The event is G(c) in D.",
    script="""
        from itertools import product
        views = set(product((0, 1), repeat=2))
        G = {c: int(sum(c) >= 1) for c in views}
        D = {c for c in views if G[c] == 1}
        assert not any(G[c] in D for c in views) and len([c for c in views if c in D]) == 3
    """,
)
def _event() -> Finding:
    """D holds views, G(c) is an answer, 0 or 1: an answer is never in D. Meant is c in D, that is
    G(c) = 1. Tried for all 16 curators of two reports.
    """
    views = list(product((0, 1), repeat=2))

    def counts(answers: tuple[int, ...]) -> tuple[int, int, int]:
        curator = dict(zip(views, answers, strict=True))
        chosen: set[object] = {c for c in views if curator[c] == 1}
        return sum(curator[c] in chosen for c in views), sum(c in chosen for c in views), sum(answers)

    return repaired(
        product((0, 1), repeat=4), lambda answers: counts(answers)[0] == counts(answers)[2],
        lambda answers: counts(answers)[1] == counts(answers)[2],
        over="every curator of two reports", shown=("G(c) in D", "c in D, that is G(c) = 1"),
        show=lambda answers: f"answers {answers} to {views}: no G(c) in D, {sum(answers)} views in D",
    )  # fmt: skip


@ledger.claim(
    "s-caseII-bound",
    where="Case II, first line of the display",
    says="e^v p_0(D) + exp(-(v - 32)^2/32) >= p_A(D).",
    assuming="c in D for G(c) in D; Lemma 3",
)
def _bounded() -> Finding:
    """P_A[D] = P_A[D and r <= e^v] + P_A[D and r > e^v] <= e^v P_0[D] + P_A[r > e^v], and Lemma 3
    bounds the last term. Tried with every set D of views of three reports, and every level that a
    ratio can pass.
    """
    randomizer, rate = randomizers(Fraction(3))[0], Fraction(1, 3)
    ratios = randomizer.ratios(rate)
    views = [
        (Fraction(prod(randomizer.zero[c] for c in view)), Fraction(prod(ratios[c] for c in view)))
        for view in product((0, 1), repeat=3)
    ]

    def holds(case: tuple[Fraction, tuple[int, ...]]) -> bool:
        level, inside = case
        zeros = sum(p for (p, _), chosen in zip(views, inside, strict=True) if chosen)
        under_a = sum(p * r for (p, r), chosen in zip(views, inside, strict=True) if chosen)
        return level * zeros + sum(p * r for p, r in views if r > level) >= under_a

    levels = sorted({r for _, r in views} | {Fraction(1), Fraction(3, 2)})
    return exhausted(
        product(levels, product((0, 1), repeat=8)), holds, over="n = 3, p/q = 3, alpha = 1/3, every D",
        shown=("e^v p_0(D) + delta >= p_A(D)", "the same"), proven=True,
    )  # fmt: skip


@ledger.claim(
    "s-caseII-equals",
    where="Case II, second line of the display",
    says="e^v p_0(D) + exp(-(v - 32)^2/32) equals p_A(D)/e^v - exp(-(v - 32)^2/32).",
    assuming="read as the lower bound for p_0(D) that the first line gives",
    script="""
        from fractions import Fraction as F
        e_v, delta, p_A = 4, F(1, 8), F(1, 2)
        p_0 = (p_A - delta) / e_v
        assert e_v * p_0 + delta == p_A and p_0 != p_A / e_v - delta != p_A
    """,
)
def _rearranged() -> Finding:
    """e^v p_0 + delta >= p_A gives p_0 >= (p_A - delta)/e^v: delta is divided as well. The sign
    between the lines is not '=' either, as p_A/e^v - delta is never p_A. What is printed is less than
    the true bound, so it is a lower bound too, but a poor one: even for p_A = 1 it is positive only
    if (v - 32)^2 > 32 v, that is v > 48 + sqrt(1280) = 83.7...
    """
    growth, delta, under_a, zeros = (Symbol(name, positive=True) for name in ("E", "delta", "p_A", "p_0"))
    [true] = solve(growth * zeros + delta - under_a, zeros)
    return identity(
        under_a / growth - delta, true, at={growth: 4, delta: "1/8", under_a: "1/2"},
        shown=("p_A/e^v - delta", "p_0 >= (p_A - delta)/e^v"),
    )  # fmt: skip


@ledger.claim(
    "s-caseII-positive",
    where="after Case II",
    says="The probability is bounded away from 0.",
    assuming="the bound e^-v (p - exp(-(v - 32)^2/32)) of the corrected display, 0 < p < 1, v ours to choose",
)
def _positive() -> Finding:
    """The bound is positive exactly if (v - 32)^2 > 32 log(1/p), and Lemma 3 holds for every v > 32, so
    one such v suffices: choose v > 36.71 for p = 1/2. (For v closer to 32 the bound says nothing.) n
    is not in it.
    """

    def chosen(case: tuple[Fraction, Fraction]) -> bool:
        chance, beyond = case
        least = 32 + sqrt((32 * log(1 / chance)).upper).upper
        v = least + beyond
        return exp(-v) * (chance - exp(-((v - 32) ** 2) / 32)) > 0

    printed = sqrt((32 * log(Fraction(2))).upper) + 32 < Fraction("36.71")
    chances = map(Fraction, ("1/100", "1/10", "1/2", "9/10", "99/100"))
    return exhausted(
        product(chances, map(Fraction, ("1/100", "1", "10"))), lambda case: printed and chosen(case),
        over="p = 1/100 to 99/100, v beyond the threshold by 1/100, 1, 10",
        shown=("bounded away from 0", "positive for v > 32 + sqrt(32 log(1/p))"), proven=True,
    )  # fmt: skip


# --- parts ------------------------------------------------------------------------------------------------------------

_SCALES = (Fraction(1, 2), Fraction(1), Fraction(2), Fraction(4))
_SUBSETS = ((), (0,), (1,), (0, 1))
_Pair = tuple[tuple[Fraction, Fraction], tuple[Fraction, Fraction], Fraction]


def _threshold(d: Fraction) -> Enclosure:
    """The v beyond which Case II grants something, for p = 1/2."""
    return 32 / d**2 + sqrt((32 * log(Fraction(2))).lower) / d


def _levels(d: Fraction) -> list[Fraction]:
    """Values of v beyond the threshold, some of which are nearly the best."""
    start = Fraction(int(_threshold(d).upper * 100) + 1, 100)
    return [start + Fraction(step, 20) for step in range(1, 60)]


def _granted(v: Fraction, d: Fraction) -> Enclosure:
    """What Case II grants for p = 1/2 and alpha = 1/(d epsilon sqrt n)."""
    return exp(-v) * (Fraction(1, 2) - exp(-((v - 32 / d**2) ** 2) * d**2 / 32))


def _listed(chances: tuple[Fraction, ...]) -> str:
    return ", ".join(map(str, chances))
