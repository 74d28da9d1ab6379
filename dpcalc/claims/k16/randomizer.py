"""K16, section 2: the randomizer.

Section 1 is an empty outline and claims nothing. The true side is the definition itself, every flip enumerated
(``enumerated``).
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from itertools import product
from math import prod

from dpcalc.claims.checking import exhausted
from dpcalc.claims.claim import Finding, Ledger, Ruling
from dpcalc.claims.k16.enumerated import HALF, SIX_QS, joint_law, law_of, meets, randomized, small_collections
from dpcalc.mechanisms.records import Record, cells, report_probability
from dpcalc.mechanisms.response import RandomizedResponse
from dpcalc.privacy.membership import presence
from dpcalc.symbolic import p, q, z

__all__ = ["ledger"]

ledger = Ledger("K16")

_PAIRS = tuple((v, s) for bits in (1, 2, 3) for v in cells(bits) for s in cells(bits))
_SMALL = "all v and s of up to 3 bits, q = 1/14, ..., 6/14"


@ledger.claim(
    "s2-bit",
    where="section 2, definition of R, one bit",
    says="R(b) = (1 - b) X + b (1 - X) with X ~ Ber(q) flips the bit b with probability q and else leaves it as it is.",
)
def _flips_where_x_is_one() -> Finding:
    """For b = 0 the formula reads X, for b = 1 it reads 1 - X: the bit is flipped exactly when X = 1,
    with probability q. The four cases are all there are.
    """
    return exhausted(
        product((0, 1), repeat=2), lambda case: randomized(case[:1], case[1:]) == (sum(case) % 2,),
        over="b and X in {0, 1}", shown=("(1 - b) X + b (1 - X)", "b flipped if and only if X = 1"), proven=True,
    )  # fmt: skip


@ledger.claim(
    "s2-vector",
    where="section 2, definition of R, bit vectors",
    says="R of a vector, with X_1, ..., X_L independent, randomizes every bit independently with lie probability q.",
)
def _bits_are_independent() -> Finding:
    """R(v)_l is a function of X_l alone, and functions of independent variables are independent.

    Checked on the joint law: it is the product of its own marginals, and each marginal lies with
    probability q.
    """

    def holds(case: tuple[Record, Fraction]) -> bool:
        v, lie = case
        joint = law_of(v, lie)
        ones = [sum(chance for s, chance in joint.items() if s[place]) for place in range(len(v))]
        split = all(
            chance == prod(one if bit else 1 - one for one, bit in zip(ones, s, strict=True))
            for s, chance in joint.items()
        )
        return split and ones == [1 - lie if bit else lie for bit in v]

    vectors = (v for bits in (1, 2, 3) for v in cells(bits))
    return exhausted(
        product(vectors, SIX_QS), holds, over="all v of up to 3 bits, q = 1/14, ..., 6/14",
        shown=("P[R(v) = s] = prod P[R(v_l) = s_l]", "joint law = product of marginals"), proven=True,
    )  # fmt: skip


@ledger.claim(
    "s2-truth",
    where="section 2, first remark",
    says="The original bit is reported with probability 1 - q, which is more than the probability q of a lie.",
    assuming="0 < q < 1/2",
)
def _truth_is_likelier() -> Finding:
    """1 - q - q = 1 - 2q > 0. With q = 1/(2 + t), where every t > 0 stands for one q in (0, 1/2), it
    is t/(2 + t).
    """
    reported = all(law_of((b,), lie)[b,] == 1 - lie for b in (0, 1) for lie in SIX_QS)
    larger = (p - q).subs(q, 1 / (2 + z)).factor().is_positive
    ruling = Ruling.PROVEN if reported and larger else Ruling.REFUTED
    return Finding(ruling=ruling, said="1 - q > q", exact="1 - 2 q > 0")


@ledger.claim(
    "s2-coin",
    where="section 2, first remark",
    says="R is the same as reporting a fair coin with probability f and the bit itself otherwise, with q = f/2.",
    assuming="0 < f < 1",
)
def _fair_coin() -> Finding:
    """A lie needs the coin, which then shows the other side: probability f/2. Both laws are (1 - f/2,
    f/2).

    Linear in f, so two values of f would do; f -> f/2 maps (0, 1) onto (0, 1/2), so every R is of
    this form.
    """

    def holds(case: tuple[int, Fraction]) -> bool:
        bit, f = case
        law = {0: f / 2, 1: f / 2}
        law[bit] += 1 - f
        found = RandomizedResponse.from_f(f)
        return found.q == f / 2 and law == {s: law_of((bit,), found.q)[s,] for s in (0, 1)}

    return exhausted(
        product((0, 1), (Fraction(j, 7) for j in range(1, 7))), holds,
        over="b in {0, 1}, f = 1/7, ..., 6/7", shown=("q = f/2", "P[lie] = f/2"), proven=True,
    )  # fmt: skip


@ledger.claim(
    "s2-half",
    where="section 2, second remark",
    says="For q = 1/2 the reports of 0 and of 1 have the same law: the report does not depend on the bit.",
)
def _half_tells_nothing() -> Finding:
    """P[R(0) = 1] = q and P[R(1) = 1] = 1 - q, and these are equal exactly when q = 1/2."""
    return exhausted(
        (*SIX_QS, HALF), lambda lie: (law_of((0,), lie) == law_of((1,), lie)) == (lie == HALF),
        over="q = 1/14, ..., 6/14 and 1/2", shown=("R(0) and R(1) alike at q = 1/2", "if and only if q = 1/2"),
        proven=True,
    )  # fmt: skip


@ledger.claim(
    "s2-lie",
    where="section 2, distribution of R(v), one bit",
    says="P[R(b) = s] is q if s differs from b, and 1 - q if it equals b.",
)
def _law_of_a_bit() -> Finding:
    """R(b) differs from b exactly when X = 1 (s2-bit). One of the two exponents is 1, the other 0."""
    return exhausted(
        product((0, 1), (0, 1), SIX_QS),
        lambda case: (
            law_of(case[:1], case[2])[case[1],]
            == case[2] ** (case[0] != case[1]) * (1 - case[2]) ** (case[0] == case[1])
        ),
        over="b and s in {0, 1}, q = 1/14, ..., 6/14", shown=("q^[b != s] (1 - q)^[b = s]", "q or 1 - q"),
        proven=True,
    )  # fmt: skip


@ledger.claim(
    "s2-pmf",
    where="section 2, distribution of R(v), vectors",
    says="P[R(v) = s] = q^(L - m) (1 - q)^m, where m(v, s) bits of v and s agree.",
)
def _law_of_a_vector() -> Finding:
    """The bits are independent (s2-vector), m of them tell the truth and L - m lie."""

    def holds(case: tuple[tuple[Record, Record], Fraction]) -> bool:
        (v, s), lie = case
        agreeing = sum(map(int.__eq__, v, s))
        said = lie ** (len(v) - agreeing) * (1 - lie) ** agreeing
        return said == law_of(v, lie)[s] == report_probability(v, s, q=lie)

    return exhausted(
        product(_PAIRS, SIX_QS), holds, over=_SMALL,
        shown=("q^(L - m) (1 - q)^m", "sum over the flips that lead from v to s"), proven=True,
    )  # fmt: skip


@ledger.claim(
    "s2-likeliest",
    where="section 2, after the law of R(v)",
    says="The likeliest report of a vector is the vector itself, m(v, s) = L.",
    assuming="0 < q < 1/2",
)
def _itself_is_likeliest() -> Finding:
    """P[R(v) = s] = q^L (p/q)^m, and p/q > 1: it grows strictly with m, whose largest value L means
    s = v.

    Likeliest is not likely: P[R(v) = v] = p^L, so that for long vectors a report almost never is the
    vector itself.
    """
    return _attained(max, lambda v: v, "m = L, that is s = v")


@ledger.claim(
    "s2-least-likely",
    where="section 2, after the law of R(v)",
    says="The least likely report of a vector is its complement, m(v, s) = 0.",
    assuming="0 < q < 1/2",
)
def _complement_is_least_likely() -> Finding:
    """q^L (p/q)^m grows strictly with m, whose smallest value 0 means that every bit differs."""
    return _attained(min, lambda v: tuple(1 - bit for bit in v), "m = 0, that is s = 1 - v")


@ledger.claim(
    "s2-presence",
    where="section 2, end",
    says="P[s in R(T)] is 1 minus the product over v in T of 1 - P[R(v) = s].",
    assuming="the records of T are randomized independently; a vector that occurs twice in T counts twice",
)
def _presence() -> Finding:
    """s is missing from R(T) when no record is reported as s; independent events have the product as
    probability.

    The true side adds up the probabilities of all tuples of reports in which s occurs.
    """

    def holds(case: tuple[tuple[Record, ...], Fraction]) -> bool:
        records, lie = case
        joint = joint_law(records, lie)
        return all(
            meets(joint, {s})
            == 1 - prod(1 - report_probability(v, s, q=lie) for v in records)
            == presence(s, records, q=lie)
            for s in cells(len(records[0]))
        )

    return exhausted(
        product(small_collections(1), SIX_QS), holds,
        over="all T of up to 3 records of 1 bit and up to 2 records of 2 bits, all s, q = 1/14, ..., 6/14",
        shown=("1 - prod (1 - P[R(v) = s])", "sum over the reports that contain s"), proven=True,
    )  # fmt: skip


# --- helpers ------------------------------------------------------------------------------------------------------


def _attained(best: Callable[..., Fraction], where: Callable[[Record], Record], said: str) -> Finding:
    """Whether ``where(v)`` alone attains the best P[R(v) = s], for every v."""

    def holds(case: tuple[Record, Fraction]) -> bool:
        v, lie = case
        law = {s: report_probability(v, s, q=lie) for s in cells(len(v))}
        return [s for s, chance in law.items() if chance == best(law.values())] == [where(v)]

    vectors = (v for bits in (1, 2, 3) for v in cells(bits))
    return exhausted(
        product(vectors, SIX_QS), holds, over="all v of up to 3 bits, q = 1/14, ..., 6/14",
        shown=(said, "there, and nowhere else"), proven=True,
    )  # fmt: skip
