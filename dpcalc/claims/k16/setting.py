"""K16, sections 1 to 3: the randomizer, differential privacy, anonymity.

Section 1 is an empty outline and claims nothing. The true side is the definition itself: every flip X of every bit is
enumerated with its probability, q for X = 1 and p for X = 0. What is a polynomial in q of degree at most five is
compared at the six points 1/14, ..., 6/14, which makes it an identity in q.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from functools import cache
from itertools import chain, combinations, combinations_with_replacement, pairwise, product
from math import prod
from typing import TypeVar

from sympy import Rational, exp

from dpcalc import symbolic
from dpcalc.claims.checking import exhausted
from dpcalc.claims.claim import Finding, Ledger, Ruling
from dpcalc.mechanisms.finite import Event, FiniteMechanism
from dpcalc.mechanisms.neighbours import record_neighbours
from dpcalc.mechanisms.records import Record, cells, query_pmf, report_probability
from dpcalc.mechanisms.response import RandomizedResponse
from dpcalc.numbers.enclosure import Enclosure
from dpcalc.privacy.membership import anonymity, presence, presence_ratio, record_epsilon
from dpcalc.symbolic import L, k, p, q, z

__all__ = ["ledger"]

ledger = Ledger("K16")

T = TypeVar("T")

_HALF = Fraction(1, 2)
_QS = tuple(Fraction(j, 14) for j in range(1, 7))
_FEW_QS = (Fraction(1, 10), Fraction(1, 4), Fraction(2, 5))
_PAIRS = tuple((v, s) for bits in (1, 2, 3) for v in cells(bits) for s in cells(bits))
_SMALL = "all v and s of up to 3 bits, q = 1/14, ..., 6/14"


# --- section 2: the randomizer ------------------------------------------------------------------------------------


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
        product((0, 1), repeat=2), lambda case: _randomized(case[:1], case[1:]) == (sum(case) % 2,),
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
        joint = _law(v, lie)
        ones = [sum(chance for s, chance in joint.items() if s[place]) for place in range(len(v))]
        split = all(
            chance == prod(one if bit else 1 - one for one, bit in zip(ones, s, strict=True))
            for s, chance in joint.items()
        )
        return split and ones == [1 - lie if bit else lie for bit in v]

    vectors = (v for bits in (1, 2, 3) for v in cells(bits))
    return exhausted(
        product(vectors, _QS), holds, over="all v of up to 3 bits, q = 1/14, ..., 6/14",
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
    reported = all(_law((b,), lie)[b,] == 1 - lie for b in (0, 1) for lie in _QS)
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
        return found.q == f / 2 and law == {s: _law((bit,), found.q)[s,] for s in (0, 1)}

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
        (*_QS, _HALF), lambda lie: (_law((0,), lie) == _law((1,), lie)) == (lie == _HALF),
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
        product((0, 1), (0, 1), _QS),
        lambda case: (
            _law(case[:1], case[2])[case[1],] == case[2] ** (case[0] != case[1]) * (1 - case[2]) ** (case[0] == case[1])
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
        return said == _law(v, lie)[s] == report_probability(v, s, q=lie)

    return exhausted(
        product(_PAIRS, _QS), holds, over=_SMALL,
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
        joint = _reports(records, lie)
        return all(
            _meets(joint, {s})
            == 1 - prod(1 - report_probability(v, s, q=lie) for v in records)
            == presence(s, records, q=lie)
            for s in cells(len(records[0]))
        )

    return exhausted(
        product(_collections(1), _QS), holds,
        over="all T of up to 3 records of 1 bit and up to 2 records of 2 bits, all s, q = 1/14, ..., 6/14",
        shown=("1 - prod (1 - P[R(v) = s])", "sum over the reports that contain s"), proven=True,
    )  # fmt: skip


# --- section 3: differential privacy ------------------------------------------------------------------------------


@ledger.claim(
    "s3-definition",
    where="section 3, definition",
    says="A is epsilon-differentially private if P[A(x) in S] <= epsilon P[A(x') in S] for neighbours x, x', all S.",
    script="""
        from fractions import Fraction as F
        eps = F(1, 2)
        always = {0: F(1, 2), 1: F(1, 2)}  # a query that ignores the database: nothing is more private
        everything = sum(always.values())
        assert not everything <= eps * everything
    """,
)
def _exponential_is_missing() -> Finding:
    """The factor has to be e^epsilon, as later in the section (log of the ratio <= epsilon) and in
    (4.42).

    Take S to be every outcome: both probabilities are 1, so that with the factor epsilon no query at
    all satisfies the inequality for epsilon < 1, not even one that ignores the database. That one is
    private with epsilon = 0.
    """
    ignoring = FiniteMechanism([[_HALF, _HALF], [_HALF, _HALF]])
    as_written = _largest_event_ratio(ignoring)
    defined = ignoring.epsilon()
    if defined == Enclosure.of(as_written):
        return Finding(ruling=Ruling.PROVEN, said="factor epsilon", exact="factor epsilon")
    return Finding(
        ruling=Ruling.CORRECTED if defined == Enclosure.of(0) else Ruling.REFUTED,
        said="P <= epsilon P'", exact="P <= e^epsilon P'",
        witness=f"a query that ignores the database needs epsilon >= {as_written} as written, by definition {defined}",
    )  # fmt: skip


@ledger.claim(
    "s3-sum",
    where="section 3, countable outcomes",
    says="The probability of an event is the sum of the probabilities of its outcomes, if these are countable.",
)
def _events_are_sums() -> Finding:
    """Countable additivity: the event is the disjoint union of its outcomes.

    Checked on the query A that counts the reports of each vector, every event of it, against an
    enumeration of flips.
    """

    def holds(case: tuple[tuple[Record, ...], Fraction]) -> bool:
        records, lie = case
        pmf, joint, vectors = query_pmf(records, q=lie), _reports(records, lie), cells(len(records[0]))
        counted = {y: tuple(map(y.count, vectors)) for y in joint}
        return all(
            sum(pmf[s] for s in event) == sum(chance for y, chance in joint.items() if counted[y] in event)
            for event in map(set, _subsets(list(pmf)))
        )

    return exhausted(
        product([((0,),), ((0,), (1,)), ((1,), (1,), (0,)), ((0, 1),)], _QS), holds,
        over="every event of the counts of up to 3 reports, q = 1/14, ..., 6/14",
        shown=("P[A(x) in S] = sum of P[A(x) = s]", "sum over the flips that lead into S"), proven=True,
    )  # fmt: skip


@ledger.claim(
    "s3-max-ratio",
    where="section 3, the lemma without a reference",
    says="A quotient of sums over an event is at most the maximum of the quotients of its outcomes.",
    assuming="countably many outcomes, P[A(x') = s] > 0",
    script="""
        from fractions import Fraction as F
        from itertools import pairwise
        below = [F(1, 2**i) for i in range(1, 60)]  # P[A(x') = i]; P[A(x) = i] = (3/2) (1 - 2^-i) 2^-i
        ratios, y = [F(3, 2) * (1 - x) for x in below], below[-1]
        rest = F(3, 2) * (y - y * y / 3)  # P[A(x) >= 60], from the geometric series of 2^-i and 4^-i
        assert sum(a * b for a, b in zip(ratios, below)) + rest == 1
        assert all(a < b < F(3, 2) for a, b in pairwise(ratios))  # they rise for ever: no maximum
    """,
)
def _ratio_of_sums() -> Finding:
    """With a_s, b_s > 0 and r_s = a_s/b_s the quotient sum a_s / sum b_s is the mean of the r_s with
    the weights b_s / sum b_s. A mean is at most the supremum of its terms, which is a maximum when S
    is finite.

    When S is infinite there may be no maximum: P[A(x') = i] = 2^-i and P[A(x) = i] = (3/2)(1 - 2^-i)
    2^-i, i >= 1, both sum to 1, and their quotients (3/2)(1 - 2^-i) rise towards 3/2 without reaching
    it. The definition needs no more than the supremum. (Outcomes with P[A(x') = s] = 0 make it
    infinite, unless P[A(x) = s] = 0 too: those may be left out.)
    """
    finite = exhausted(
        product(product(range(1, 4), repeat=3), repeat=2),
        lambda case: all(
            Fraction(sum(a for a, _ in event), sum(b for _, b in event)) <= max(Fraction(a, b) for a, b in event)
            for event in _subsets(list(zip(*case, strict=True)))
        ),
        over="S finite (proven; checked for three outcomes, weights 1 to 3)", shown=("<= max over s in S", ""),
        proven=True,
    )  # fmt: skip
    if finite.ruling is Ruling.REFUTED or not _rising_without_maximum():
        return finite
    return Finding(
        ruling=Ruling.ONLY_FOR, said=finite.said, exact="<= sup over s in S", over=finite.over,
        witness="P[A(x') = i] = 2^-i, P[A(x) = i] = (3/2)(1 - 2^-i) 2^-i: quotients rise to 3/2, no maximum",
    )  # fmt: skip


@ledger.claim(
    "s3-product",
    where="section 3, records randomized independently",
    says="If A randomizes every record independently, P[A(x) = s] is the product of P[A_0(x_i) = s_i].",
)
def _independent_records() -> Finding:
    """s_i is a function of x_i and X_i alone, and the X_i are independent. Checked for A_0 = R."""
    return exhausted(
        product(_collections(1), _QS),
        lambda case: all(
            chance == prod(map(lambda x, y: report_probability(x, y, q=case[1]), case[0], s))
            for s, chance in _reports(*case).items()
        ),
        over="all x of up to 3 records of 1 bit and up to 2 records of 2 bits, all s, q = 1/14, ..., 6/14",
        shown=("prod P[A_0(x_i) = s_i]", "sum over the flips that lead from x to s"), proven=True,
    )  # fmt: skip


@ledger.claim(
    "s3-one-row",
    where="section 3, records randomized independently",
    says="If x and x' differ in the first record only, the ratio is that of this record's own reports.",
    assuming="P[A(x') = s] > 0, as for A_0 = R",
)
def _one_row() -> Finding:
    """In the quotient of the two products all factors but the first are equal and positive: they
    cancel.
    """

    def holds(case: tuple[tuple[Record, ...], Fraction]) -> bool:
        (first, *others), lie = case
        laws = {x: _reports((x, *others), lie) for x in cells(len(first))}
        return all(
            laws[first][s] / law[s] == report_probability(first, s[0], q=lie) / report_probability(x, s[0], q=lie)
            for x, law in laws.items()
            for s in law
        )

    return exhausted(
        product(_collections(1), _FEW_QS), holds,
        over="all x of up to 3 records of 1 bit and up to 2 of 2 bits, all x_1' and s, q = 1/10, 1/4, 2/5",
        shown=("P[A_0(x_1) = s_1] / P[A_0(x_1') = s_1]", "P[A(x) = s] / P[A(x') = s]"), proven=True,
    )  # fmt: skip


@ledger.claim(
    "s3-record-suffices",
    where="section 3, records randomized independently",
    says="A condition on the reports of single records is enough for the privacy of the query on databases.",
    assuming="e^epsilon for epsilon in both, see s3-definition; records randomized independently",
)
def _record_level_suffices() -> Finding:
    """By s3-one-row the ratio of any outcome is one of R's own, and by s3-max-ratio an event's is no
    larger.

    The condition is also necessary: R's own ratios all occur. So the least e^epsilon of the query on
    databases of n records, over all events, is that of one record: (p/q)^L for R on L bits, as
    ``symbolic.local_epsilon`` says.
    """

    def holds(case: tuple[int, int, Fraction]) -> bool:
        n, bits, lie = case
        records = cells(bits)
        databases = list(product(records, repeat=n))
        laws = [_reports(x, lie) for x in databases]
        query = FiniteMechanism([[law[s] for s in databases] for law in laws], record_neighbours(databases))
        single = FiniteMechanism([[report_probability(x, s, q=lie) for s in records] for x in records])
        closed = exp(symbolic.local_epsilon().subs({k: 1, L: bits, q: Rational(lie)}))
        return bool(query.lam() == single.lam() and Rational(single.lam()) == closed)

    sizes = ((1, 1), (2, 1), (3, 1), (1, 2), (2, 2))
    return exhausted(
        ((n, bits, lie) for n, bits in sizes for lie in _FEW_QS), holds,
        over="all databases of up to 3 records of 1 bit and up to 2 of 2 bits, q = 1/10, 1/4, 2/5",
        shown=("record level implies databases", "least e^epsilon of both = (p/q)^L"), proven=True,
    )  # fmt: skip


@ledger.claim(
    "s3-record-form",
    where="section 3, RAPPOR's form",
    says="The record-level condition, as in the RAPPOR paper: P[A_0(x) = s] <= epsilon P[A_0(x') = s].",
    script="""
        from fractions import Fraction as F
        q, eps = F(2, 5), F(1, 2)
        law = {(b, s): 1 - q if b == s else q for b in (0, 1) for s in (0, 1)}  # randomized response
        largest = max(law[b, s] / law[c, s] for b in (0, 1) for c in (0, 1) for s in (0, 1))
        assert eps < largest <= 1 + eps  # and 1 + eps <= e^eps: RAPPOR's condition holds, the printed one fails
    """,
)
def _record_form() -> Finding:
    """RAPPOR's factor is e^epsilon; the exponential is missing as in the definition (s3-definition).

    For x = x' the printed condition reads P <= epsilon P and fails for every epsilon < 1. One bit
    with q = 2/5 has the ratio p/q = 3/2 <= 1 + 1/2 <= e^(1/2): it satisfies RAPPOR's condition for
    epsilon = 1/2, and not the printed one.
    """
    lie, eps = Fraction(2, 5), _HALF
    single = FiniteMechanism([[report_probability(x, s, q=lie) for s in cells(1)] for x in cells(1)])
    as_written = _largest_event_ratio(single) <= eps
    defined = bool(single.is_private(epsilon=eps)) and record_epsilon("0", "1", q=lie) <= eps
    if as_written and defined:
        return Finding(ruling=Ruling.PROVEN, said="factor epsilon", exact="factor epsilon")
    return Finding(
        ruling=Ruling.CORRECTED if defined else Ruling.REFUTED, said="P <= epsilon P'", exact="P <= e^epsilon P'",
        witness=f"one bit, q = 2/5, epsilon = 1/2: ratio {single.lam()} is above 1/2, but not above e^(1/2)",
    )  # fmt: skip


@ledger.claim(
    "s3-collection",
    where="section 3, privacy of a collection",
    says="R is epsilon-private if log(P[R(T) in S] / P[R(T_v) in S]) <= epsilon for every set S of bit vectors.",
    assuming="T_v is T without its record v, for every v in T",
    script="""
        from fractions import Fraction as F
        q, p = F(1, 4), F(3, 4)
        whole = {(0, 0): p * q, (0, 1): p * p + q * q, (1, 1): q * p}  # R(T) for T = {0, 1}
        rest = {(0,): q, (1,): p}  # R(T_v) for v = 0
        S = set(whole)
        assert sum(whole[s] for s in S) == 1 and sum(rest.get(s, 0) for s in S) == 0
    """,
)
def _collections_of_different_size() -> Finding:
    """R(T) is a collection and not one vector. If S is a set of collections, no epsilon will do: R(T)
    has one report more than R(T_v), so no outcome of the one is an outcome of the other. Where equal
    reports are counted once, the outcomes of |T| different vectors still tell the two apart.

    The display is right if "in S" is read as "meets S", some report lies in S, as in P[s in R(T)].
    With b = P[R(v) in S] and a = P[R(T_v) meets S] the ratio is 1 + b/c, c = a/(1 - a). Single
    vectors decide. For b is additive over S; and c = prod 1/(1 - P[R(u) in S]) - 1, u in T_v, is a
    power series in these additive P[R(u) in S], with non-negative coefficients and no constant term,
    hence superadditive. So b/c is at most sum b_s / sum c_s, and that at most the largest b_s/c_s
    (s3-max-ratio). The reverse ratio needs no condition: it is at most 1. For T = {v} there is no
    epsilon, as a = 0.
    """

    def meeting(case: tuple[tuple[Record, ...], Fraction]) -> bool:
        records, lie = case
        whole, vectors = _reports(records, lie), cells(len(records[0]))
        rests = [_reports(rest, lie) for rest in _left_out(records)]
        ratios = (_meets(whole, set(s)) / _meets(rest, set(s)) for rest in rests for s in _subsets(vectors))
        return max(ratios) == presence_ratio(records, q=lie)

    read = exhausted(
        product(_collections(2), _FEW_QS), meeting,
        over="all T of 2 or 3 records of 1 bit and of 2 records of 2 bits, all S, q = 1/10, 1/4, 2/5",
        shown=("P[R(T) in S]", "P[R(T) meets S]"), proven=True,
    )  # fmt: skip
    whole, rest = (query_pmf(records, q="1/4") for records in (["0", "1"], ["1"]))
    if read.ruling is Ruling.REFUTED or any(outcome in rest for outcome in whole):
        return read
    return Finding(
        ruling=Ruling.CORRECTED, said=read.said, exact=read.exact,
        witness=f"T = {{0, 1}}, S = every outcome of two reports: {sum(whole.values())} against 0",
    )  # fmt: skip


@ledger.claim(
    "s3-anonymity",
    where="section 3, anonymity",
    says="A_p is the least ratio, over v in T and s, of how likely the others report s to how likely v does.",
    assuming="0 < q < 1/2",
)
def _anonymity() -> Finding:
    """P[R(v) = s] >= q^L > 0 and there are finitely many v and s, so the minimum exists; it is 0 for
    T = {v} alone.

    What it is good for: P[s in R(T)] = a + (1 - a) b with a = P[s in R(T_v)], b = P[R(v) = s], so
    that with v the vector s is likelier by the factor 1 + (1 - a) b/a <= 1 + 1/A_p. By s3-collection
    this holds for sets S as well: that display's epsilon is at most log(1 + 1/A_p).
    """

    def holds(case: tuple[tuple[Record, ...], Fraction]) -> bool:
        records, lie = case
        vectors = cells(len(records[0]))
        least = min(
            _meets(_reports(rest, lie), {s}) / _law(v, lie)[s]
            for v, rest in zip(records, _left_out(records), strict=True)
            for s in vectors
        )
        bounded = len(records) < 2 or presence_ratio(records, q=lie) <= 1 + 1 / least
        return least == anonymity(records, q=lie).value and bounded

    return exhausted(
        product(_collections(1), _FEW_QS), holds,
        over="all T of up to 3 records of 1 bit and up to 2 of 2 bits, q = 1/10, 1/4, 2/5",
        shown=("min of P[s in R(T_v)] / P[R(v) = s]", "epsilon <= log(1 + 1/A_p)"), proven=True,
    )  # fmt: skip


# --- the definitions, enumerated ----------------------------------------------------------------------------------


def _randomized(v: Sequence[int], flips: Sequence[int]) -> Record:
    """R(v; X), by the definition's formula."""
    return tuple((1 - b) * x + b * (1 - x) for b, x in zip(v, flips, strict=True))


@cache
def _law(v: Record, lie: Fraction) -> dict[Record, Fraction]:
    """P[R(v) = s] for every s, added up over all flips."""
    law = dict.fromkeys(cells(len(v)), Fraction(0))
    for flips in product((0, 1), repeat=len(v)):
        law[_randomized(v, flips)] += prod(lie if x else 1 - lie for x in flips)
    return law


@cache
def _reports(records: tuple[Record, ...], lie: Fraction) -> dict[tuple[Record, ...], Fraction]:
    """P[(R(x_1), ..., R(x_n)) = (s_1, ..., s_n)]: all the bits flip independently."""
    if not records:
        return {(): Fraction(1)}
    bits = len(records[0])
    law = _law(tuple(chain(*records)), lie)
    return {tuple(s[i : i + bits] for i in range(0, len(s), bits)): chance for s, chance in law.items()}


def _meets(joint: dict[tuple[Record, ...], Fraction], event: set[Record]) -> Fraction:
    """The probability that some report lies in the event."""
    return sum((chance for reports, chance in joint.items() if not event.isdisjoint(reports)), Fraction(0))


def _collections(least: int) -> Iterator[tuple[Record, ...]]:
    """All collections of ``least`` to 3 records of 1 bit and of ``least`` to 2 records of 2 bits."""
    for bits, most in ((1, 3), (2, 2)):
        for size in range(least, most + 1):
            yield from combinations_with_replacement(cells(bits), size)


def _left_out(records: tuple[Record, ...]) -> list[tuple[Record, ...]]:
    """T_v for every v in T."""
    return [records[:i] + records[i + 1 :] for i in range(len(records))]


def _subsets(items: Sequence[T]) -> Iterator[tuple[T, ...]]:
    """Every subset but the empty one."""
    return chain.from_iterable(combinations(items, size) for size in range(1, len(items) + 1))


def _largest_event_ratio(mechanism: FiniteMechanism) -> Fraction:
    """The least factor c with P[M(x) in S] <= c P[M(y) in S] for all events S and neighbours x, y."""
    events = (
        Event.of(mechanism.matrix, x, y, event)
        for x, y in mechanism.ordered()
        for event in _subsets(range(len(mechanism.matrix[0])))
    )
    return max(event.probability / event.neighbour_probability for event in events)


def _rising_without_maximum() -> bool:
    """Whether 2^-i and (3/2)(1 - 2^-i) 2^-i, i >= 1, are laws and their quotients rise and stay below 3/2."""
    halves, quarters = (factor / (1 - factor) for factor in (_HALF, _HALF**2))  # geometric series
    quotients = [Fraction(3, 2) * (1 - _HALF**i) for i in range(1, 60)]
    laws = halves == Fraction(3, 2) * (halves - quarters) == 1
    return laws and all(one < following < Fraction(3, 2) for one, following in pairwise(quotients))


def _attained(best: Callable[..., Fraction], where: Callable[[Record], Record], said: str) -> Finding:
    """Whether ``where(v)`` alone attains the best P[R(v) = s], for every v."""

    def holds(case: tuple[Record, Fraction]) -> bool:
        v, lie = case
        law = {s: report_probability(v, s, q=lie) for s in cells(len(v))}
        return [s for s, chance in law.items() if chance == best(law.values())] == [where(v)]

    vectors = (v for bits in (1, 2, 3) for v in cells(bits))
    return exhausted(
        product(vectors, _QS), holds, over="all v of up to 3 bits, q = 1/14, ..., 6/14",
        shown=(said, "there, and nowhere else"), proven=True,
    )  # fmt: skip
