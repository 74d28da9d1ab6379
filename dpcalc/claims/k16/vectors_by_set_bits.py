"""K16, sections 6.1.1 and 6.1.2: the ratio through the numbers of set bits, and the start of a local bound.

An outcome's histogram (s_0, ..., s_L) says how many reports have l bits set; all of these have the same w(v) =
p(v|0)/p(v|1), and the ratio is its mean over the reports (``outcomes`` has the notation).
"""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import prod
from typing import Any

from sympy import Expr, Rational, cancel

from dpcalc import symbolic
from dpcalc.claims.checking import all_of, exhausted, identity
from dpcalc.claims.claim import Finding, Ledger, Ruling
from dpcalc.claims.enumeration import FLIPS, chance, vectors
from dpcalc.claims.k16.outcomes import EVERY_OUTCOME, EVERY_VECTOR, SIZES, Outcome, of_ones
from dpcalc.counts.likelihood import second_moment, variance
from dpcalc.mechanisms.records import bit_counts
from dpcalc.mechanisms.response import KRandomization
from dpcalc.privacy.collections.ratios import compare
from dpcalc.privacy.ratio import ratio
from dpcalc.privacy.vectors.identical_records import vector_delta

__all__ = ["ledger"]

ledger = Ledger("K16")

_LIMIT = Fraction(3, 2)  # lambda at which delta is compared


# --- 6.1.1: the ratio through the numbers of set bits -------------------------------------------------------------


@ledger.claim(
    "6.8",
    where="(6.8), section 6.1.1, and the sentence before it",
    says="Vectors with the same number of set bits have the same w.",
)
def _same_bits_same_likelihood() -> Finding:
    """p(v|0) and p(v|1) depend on how many bits of v differ from 0 and from 1 only: l and L - l, l bits being set."""

    def holds(case: tuple[int, Fraction]) -> bool:
        bits, q = case
        found = {(sum(v), chance((0,) * bits, v, q) / chance((1,) * bits, v, q)) for v in vectors(bits)}
        return len(found) == bits + 1

    return exhausted(
        product(range(1, 7), FLIPS), holds, over=EVERY_VECTOR, shown=("one w for every l", "one w for every l"),
        proven=True,
    )  # fmt: skip


@ledger.claim(
    "6.9",
    where="(6.9), section 6.1.1",
    says="w = p^{L-l} q^l/(p^l q^{L-l}) = (p/q)^{L-2l} for a vector with l bits set.",
)
def _likelihood_of_set_bits() -> Finding:
    """Bit by bit: a bit that is not set contributes p/q to w, a set one q/p; together (p/q)^{(L - l) - l}."""

    def holds(case: tuple[int, Fraction]) -> bool:
        bits, q = case
        p = 1 - q
        return all(
            chance((0,) * bits, v, q) / chance((1,) * bits, v, q)
            == p ** (bits - sum(v)) * q ** sum(v) / (p ** sum(v) * q ** (bits - sum(v)))
            == (p / q) ** (bits - 2 * sum(v))
            for v in vectors(bits)
        )

    return exhausted(
        product(range(1, 7), FLIPS), holds, over=EVERY_VECTOR, shown=("(p/q)^(L - 2l)", "(p/q)^(L - 2l)"), proven=True,
    )  # fmt: skip


@ledger.claim(
    "6.10",
    where="(6.10), section 6.1.1",
    says="The ratio is (1/n) sum_l s_l (p/q)^{L-2l}, s_l counting the reports with l bits set.",
)
def _ratio_of_histogram() -> Finding:
    """Collect the vectors with the same w in (6.7): for each l the counts of the vectors with l bits set add up to s_l.

    The closed form's coefficient of s_l must be w(v)/n for every vector v with l bits set.
    """

    def collected(bits: int) -> bool:
        closed, odds = symbolic.vector_ratio(bits).expand(), symbolic.p / symbolic.q
        weights = ((v, prod(1 / odds if bit else odds for bit in v)) for v in vectors(bits))
        return all(cancel(symbolic.n * closed.coeff(symbolic.counts[sum(v)]) - w) == 0 for v, w in weights)

    def holds(case: Outcome) -> bool:
        mechanism, histogram = KRandomization(n=case.n, q=case.q, bits=case.bits), bit_counts(case.counts)
        library = ratio(mechanism, histogram[1] if case.bits == 1 else histogram)
        return _histogram_mean(case) == case.ratio == library

    formula = "(1/n) sum_l s_l (p/q)^(L - 2l)"
    form = exhausted(range(1, 4), collected, over="L <= 3", shown=(str(symbolic.vector_ratio(1)), formula))
    if form.ruling is not Ruling.HOLDS:
        return form
    return exhausted(of_ones(), holds, over=EVERY_OUTCOME, shown=(formula, formula), proven=True)


@ledger.claim(
    "s6.1.1-sufficient",
    where="section 6.1.1, end",
    says="The single vectors tell an observer nothing beyond how many of them have how many bits set.",
    assuming="D holds copies of 1, one of which may have been changed to 0",
)
def _sufficient() -> Finding:
    """By (6.10) the likelihood ratio of D_m and D is a function of the histogram (s_0, ..., s_L), which is what makes
    the histogram sufficient for telling the two apart: every event, and every delta, can be had from it.

    It is a statement about these two collections. Where a record 11 may have been changed to 10, the
    reports 01 and 10 have one set bit each but w = q/p and p/q: then the bits that differ are to be
    counted, here the second one.
    """

    def holds(case: tuple[tuple[int, int], Fraction]) -> bool:
        (n, bits), q = case
        outcomes = list(of_ones([(n, bits)], [q]))
        ratios = {(bit_counts(one.counts), one.ratio) for one in outcomes}
        whole = compare(outcomes[0].records, outcomes[0].changed, q=q).delta(lam=_LIMIT)
        reduced = vector_delta(KRandomization(n=n, q=q, bits=bits), lam=_LIMIT).identical
        return len(ratios) == len({histogram for histogram, _ in ratios}) and whole.value == reduced.value

    return exhausted(
        product(SIZES, FLIPS), holds, over=f"{EVERY_OUTCOME}; delta at lambda = {_LIMIT}",
        shown=("counts by bits suffice", "counts by bits suffice"), proven=True,
    )  # fmt: skip


# --- 6.1.2: local differential privacy ----------------------------------------------------------------------------


@ledger.claim(
    "6.11",
    where="(6.11), section 6.1.2",
    says="(6.10) again, as the start of a local bound for vectors, before which the section stops.",
)
def _towards_a_bound() -> Finding:
    """The ratio is the mean of n independent w.

    Under D each bit of a report contributes q/p to w with probability p, or p/q with q, so

        E w = (q + p)^L = 1,    E w^2 = (q^2/p + p^2/q)^L = ((p^3 + q^3)/(pq))^L = (1/(pq) - 3)^L,

    as p^3 + q^3 = 1 - 3pq. Hence E R = 1 and Var R = (E w^2 - 1)/n, and the section's bound would have
    been

        1 + 3 sqrt((E w^2 - 1)/n) <= lambda,  that is  E w^2 <= M = 1 + n (lambda - 1)^2/9,

    which, as 1/(pq) falls with q, is q >= (1 - sqrt(1 - 4/(3 + M^{1/L})))/2; for L = 1 it is (4.45).
    """
    lam, n, z = symbolic.lam, symbolic.n, symbolic.z
    solved = symbolic.vector_q()
    bound = identity(
        symbolic.second_moment().subs(symbolic.q, solved),
        1 + n * (lam - 1) ** 2 / z**2,
        at={symbolic.L: 2, lam: 2, n: 10, z: 3},
    )
    one_bit = identity(solved.subs(symbolic.L, 1), symbolic.closed_q().subs(symbolic.k, 1), at={lam: 2, n: 10, z: 3})
    formula = "(1/n) sum_l s_l (p/q)^(L - 2l)"
    found = exhausted(
        product(SIZES, FLIPS), _moments_hold, over=EVERY_OUTCOME, shown=(formula, f"{formula}, of mean 1"), proven=True
    )
    return all_of(bound, one_bit, found)


# --- helpers ------------------------------------------------------------------------------------------------------


def _histogram_mean(case: Outcome) -> Fraction:
    """(6.10)."""
    weighed = (s * case.power(ones) for ones, s in enumerate(bit_counts(case.counts)))
    return sum(weighed, Fraction(0)) / case.n


def _moments_hold(case: tuple[tuple[int, int], Fraction]) -> bool:
    """Mean and variance of (6.11) over all outcomes of one size, against the closed forms and the library."""
    (n, bits), q = case
    outcomes = list(of_ones([(n, bits)], [q]))
    ratios = [(one.before, _histogram_mean(one)) for one in outcomes]
    mean, second = (sum((own * r**power for own, r in ratios), Fraction(0)) for power in (1, 2))
    squares = (chance((1,) * bits, v, q) * outcomes[0].likelihood(v) ** 2 for v in vectors(bits))
    one_report = sum(squares, Fraction(0))
    point = {symbolic.q: Rational(q), symbolic.L: bits, symbolic.n: n}
    moments = {one_report, second_moment(q, bits), _rational(symbolic.second_moment(), point)}
    spreads = {second - mean**2, variance(n, 1, one_report), _rational(symbolic.ratio_variance(1), point)}
    right = all(r == one.ratio for one, (_, r) in zip(outcomes, ratios, strict=True))
    return right and mean == 1 and len(moments) == 1 and spreads == {(one_report - 1) / n}


def _rational(form: Expr, point: dict[Any, Any]) -> Fraction:
    """A closed form at a rational point."""
    found = form.subs(point).doit()
    return Fraction(int(found.p), int(found.q))
