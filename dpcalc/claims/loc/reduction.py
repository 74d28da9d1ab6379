"""LOC, step 1: an estimate of the sum decides the gap threshold."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

from dpcalc.accuracy.estimator import estimate
from dpcalc.accuracy.lemmas import gap_threshold
from dpcalc.accuracy.lower_bound import distinguish
from dpcalc.claims.checking import exhausted, repaired, restricted
from dpcalc.claims.claim import Finding, Ledger
from dpcalc.mechanisms.pooled_count import pmf
from dpcalc.mechanisms.response import KRandomization

__all__ = ["ledger"]

ledger = Ledger("LOC")

_Case = tuple[int, int, int, Fraction]
_Law = tuple[int, tuple[Fraction, ...], Fraction]


@ledger.claim(
    "T1",
    where="Step 1, Theorem",
    says="A private local protocol that estimates the sum up to error tau/2 with probability 1 - gamma gives one, with "
    "no more messages, that computes GAP-TR with probability 1 - gamma, for every kappa.",
    assuming="as its proof reads it: P[|error| >= tau/2] < gamma",
)
def _theorem() -> Finding:
    """The answer is a function of the estimate, so no message and no privacy is added. It is wrong only
    if the sum is at most kappa with the estimate above kappa + tau/2, or the sum is at least
    kappa + tau with the estimate at most kappa + tau/2: an error above tau/2, or of at least tau/2.
    Either has a probability below gamma.

    The reading matters for errors of exactly tau/2 only (T1-given): always answering kappa + tau/2 is
    within tau/2 of the sums kappa and kappa + tau, and decides nothing.

    Tried on a grid of estimates; and with the exact probabilities of randomized response, for which
    each of the two mistakes is at most as likely as an error of tau/2 or more.
    """

    def right(case: _Case) -> bool:
        kappa, tau, _, value = case
        return _defined(case) is None or int(value > kappa + Fraction(tau, 2)) == _defined(case)

    mechanisms = [KRandomization(n=7, q=q, k=k) for q in ("1/4", "2/5") for k in (1, 2)]
    gaps = product(mechanisms, ((0, 2), (1, 3), (2, 5)))
    lines = [line for m, (kappa, tau) in gaps for line in gap_threshold(m, kappa=kappa, tau=tau)]
    if not all(line.holds for line in lines):
        raise ArithmeticError("a threshold errs more often than the estimate")
    return exhausted(
        (case for case in _cases() if 2 * abs(case[3] - case[2]) < case[1]), right,
        over="kappa = 0, 1, tau = 1..4, sums 0..7, estimates in quarters with an error below tau/2",
        shown=("1 - gamma", "1 - gamma, if P[|error| >= tau/2] < gamma"), proven=True,
    )  # fmt: skip


@ledger.claim(
    "T1-given",
    where="Step 1, proof, second paragraph",
    says="By the theorem's assumption an error of tau/2 or more has a probability below gamma.",
    script="""
        from fractions import Fraction as F
        tau, total, gamma = 2, 2, F(1, 2)
        estimates = {1: F(1)}  # always 1: the error is tau/2, up to tau/2 with probability 1 >= 1 - gamma
        up_to = sum(P for value, P in estimates.items() if 2 * abs(value - total) <= tau)
        assert up_to >= 1 - gamma and sum(P for v, P in estimates.items() if 2 * abs(v - total) >= tau) == 1 > gamma
    """,
)
def _given() -> Finding:
    """'Up to tau/2 with probability 1 - gamma' is: an error above tau/2 has a probability of at most
    gamma. The two differ where the error is exactly tau/2, and there the theorem as it is worded
    fails: always answering kappa + tau/2 is 'up to tau/2' right at the sums kappa and kappa + tau. Its
    hypothesis should be the one used here. Tried with estimates of two values, each with a
    probability in quarters, and gamma = 1/2.
    """

    def chance(case: _Law, *, tie: bool) -> Fraction:
        tau, errors, first = case
        weighted = zip(errors, (first, 1 - first), strict=True)
        return Fraction(sum(weight for error, weight in weighted if 2 * error > tau or (tie and 2 * error == tau)))

    quarters = [Fraction(i, 4) for i in range(5)]
    within = [
        (tau, errors, first)
        for tau, errors, first in product((1, 2, 3), product(quarters, repeat=2), quarters)
        if sum(w for e, w in zip(errors, (first, 1 - first), strict=True) if 2 * e <= tau) >= Fraction(1, 2)
    ]
    return repaired(
        within, lambda case: chance(case, tie=True) < Fraction(1, 2),
        lambda case: chance(case, tie=False) <= Fraction(1, 2), over="gamma = 1/2, tau = 1, 2, 3, errors in quarters",
        shown=("P[error >= tau/2] < gamma", "P[error > tau/2] <= gamma"),
        show=lambda case: f"tau = {case[0]}, errors {case[1][0]} and {case[1][1]} with probabilities {case[2]} and "
        f"{1 - case[2]}: P[error >= tau/2] = {chance(case, tie=True)}",
    )  # fmt: skip


@ledger.claim(
    "T1-gap",
    where="Step 1, proof, third paragraph",
    says="The threshold's answer approximates GAP-TR with tau/2 error.",
    assuming="tau/2 read as the gap",
    script="""
        from fractions import Fraction as F
        kappa, tau = 0, 4
        total = estimate = kappa + tau // 2  # no error at all
        answer, gap_tr = int(estimate > kappa + F(tau, 2)), int(total >= kappa + F(tau, 2))
        assert answer == 0 != gap_tr == 1
    """,
)
def _gap() -> Finding:
    """The gap is tau, as in the theorem. At the sum kappa + tau/2 the gap tau/2 would ask for the
    answer 1, and the rule gives 0 even without any error. For the gap tau the answer is right
    whenever the error is below tau/2.
    """

    def answered(case: tuple[int, int, int], gap: Fraction, error: Fraction) -> bool:
        kappa, tau, total = case
        if kappa < total < kappa + gap:
            return True
        values = (total - error, Fraction(total), total + error)
        return all(int(value > kappa + Fraction(tau, 2)) == int(total > kappa) for value in values)

    return repaired(
        product(range(3), (2, 4, 6), range(13)),
        lambda case: answered(case, Fraction(case[1], 2), Fraction(0)),
        lambda case: answered(case, Fraction(case[1]), Fraction(case[1], 2) - Fraction(1, 100)),
        over="kappa = 0..2, tau = 2, 4, 6, sums 0..12", shown=("gap tau/2", "gap tau"),
        show=lambda case: f"kappa = {case[0]}, tau = {case[1]}, sum {case[2]}, known exactly: answer 0 for 1",
    )  # fmt: skip


@ledger.claim(
    "T1-direction",
    where="Step 1, proof, fourth paragraph",
    says="A protocol that errs with probability above gamma gives the answer 0 where 1 is right with that probability.",
    script="""
        kappa, tau = 0, 2
        total, estimate = kappa, kappa + tau  # an error of tau: the answer is 1 where 0 is right
        answer, right = int(estimate > kappa + tau // 2), int(total >= kappa + tau)
        assert answer == 1 and right == 0 and not (answer == 0 and right == 1)
    """,
)
def _direction() -> Finding:
    """The other mistake, 1 for 0, is left out: on an input with a sum of at most kappa it is the only
    one. It needs an estimate above kappa + tau/2 at a sum of at most kappa, an error above tau/2
    again, so that the theorem stands. Tried: every wrong answer, of either kind, comes with an error
    of at least tau/2.
    """

    def wrong(case: _Case) -> bool:
        kappa, tau, _, value = case
        return _defined(case) is not None and int(value > kappa + Fraction(tau, 2)) != _defined(case)

    cases = [case for case in _cases(reach=4) if wrong(case)]
    if any(2 * abs(value - total) < tau for _, tau, total, value in cases):
        raise ArithmeticError("a wrong answer with an error below tau/2")
    return restricted(
        cases, lambda case: _defined(case) == 1, lambda case: case[2] >= case[0] + case[1],
        over="inputs with a sum of at least kappa + tau",
        shown=("answer 0 where 1 is right", "that, or 1 where 0 is right"),
        show=lambda case: f"kappa = {case[0]}, tau = {case[1]}, sum {case[2]}, estimate {case[3]}: answer 1 for 0",
    )  # fmt: skip


@ledger.claim(
    "T1-distance",
    where="Step 1, proof, display",
    says="If the sum is at least kappa + tau and the estimate at most kappa + tau/2, they are at least tau/2 apart.",
    assuming="tau > 0",
)
def _distance() -> Finding:
    """sum - estimate >= (kappa + tau) - (kappa + tau/2) = tau/2, and it is positive, so it is the
    distance.
    """
    cases = [c for c in _cases(reach=4) if c[2] >= c[0] + c[1] and 2 * c[3] <= 2 * c[0] + c[1]]
    return exhausted(
        cases, lambda case: 2 * abs(case[2] - case[3]) >= case[1], over="kappa = 0, 1, tau = 1..4, quarters",
        shown=("tau/2", "tau/2 or more"), proven=True,
    )  # fmt: skip


@ledger.claim(
    "s-step1-sum",
    where="Step 1, last paragraph",
    says="As no local protocol computes GAP-TR at a gap of the order of sqrt n without erring with a constant "
    "probability, none estimates the sum that well either.",
    assuming="n large enough for the bound to be positive",
)
def _sum() -> Finding:
    """The contrapositive of T1: an estimate whose error is tau/2 or more with probability at most b
    on all data gives a test with both errors at most b, up to P[fewer than tau ones], so b is at
    least (overlap - P[fewer])/2, the failure probability of s-lower-nonvanishing. Tried on randomized
    response itself, exactly: its worst probability of an error of tau/2 or more, over all sums, is
    above that.
    """

    def holds(case: tuple[int, Fraction, Fraction]) -> bool:
        people, rate, q = case
        mechanism = KRandomization(n=people, q=q)
        missed = [estimate(mechanism, s).value for s in range(people + 1)]
        half = people * rate / 4
        worst = max(
            sum(c for value, c in zip(missed, pmf(mechanism, ones=ones), strict=True) if abs(value - ones) >= half)
            for ones in range(0, people + 1, 6)
        )
        return 0 < distinguish(mechanism.response, n=people, rate=rate).failure < worst

    cases = product((60, 90), (Fraction(1, 5), Fraction(1, 4)), (Fraction(1, 4), Fraction(2, 5)))
    return exhausted(
        cases, holds, over="n = 60, 90, alpha = 1/5, 1/4, q = 1/4, 2/5",
        shown=("SUM fails too", "with at least (overlap - P[few ones])/2"), proven=True,
    )  # fmt: skip


# --- parts ------------------------------------------------------------------------------------------------------------


def _defined(case: _Case) -> int | None:
    """GAP-TR's value, None where it has none."""
    kappa, tau, total, _ = case
    return 0 if total <= kappa else 1 if total >= kappa + tau else None


def _cases(*, reach: int = 0) -> list[_Case]:
    """(kappa, tau, sum, estimate): estimates in quarters, up to tau/2 + reach/2 off."""
    return [
        (kappa, tau, total, total + Fraction(step, 4))
        for kappa, tau, total in product((0, 1), range(1, 5), range(8))
        for step in range(-2 * (tau + reach), 2 * (tau + reach) + 1)
    ]
