"""K16, section 3: differential privacy of the query and of a collection, anonymity.

The true side is the definition itself, every flip enumerated (``enumerated``).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import chain, combinations, combinations_with_replacement, pairwise, product
from math import prod
from typing import TypeVar

from sympy import Rational, exp

from dpcalc import symbolic
from dpcalc.claims.checking import exhausted
from dpcalc.claims.claim import Finding, Ledger, Ruling
from dpcalc.claims.k16.enumerated import HALF, SIX_QS, joint_law, law_of, meets, small_collections
from dpcalc.claims.k16.forms import QS
from dpcalc.mechanisms.finite import Event, FiniteMechanism
from dpcalc.mechanisms.neighbours import histogram, histogram_neighbours, record_neighbours
from dpcalc.mechanisms.records import Record, cells, query_pmf, report_probability
from dpcalc.numbers.enclosure import Enclosure
from dpcalc.privacy.membership import anonymity, presence_ratio, record_epsilon
from dpcalc.symbolic import L, k, q

__all__ = ["ledger", "one_more_is_a_notion"]

ledger = Ledger("K16")

T = TypeVar("T")


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
    """The exponential is missing: as printed no query is private for epsilon < 1.

    The factor has to be e^epsilon, as later in the section (log of the ratio <= epsilon) and in
    (4.42).

    Take S to be every outcome: both probabilities are 1, so that with the factor epsilon no query at
    all satisfies the inequality for epsilon < 1, not even one that ignores the database. That one is
    private with epsilon = 0.
    """
    ignoring = FiniteMechanism([[HALF, HALF], [HALF, HALF]])
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
    "s3-one-more",
    where="section 3, after the definition",
    says="That x' has one record more than x is another notion of differing in one row, which is sometimes used.",
)
def _one_record_more() -> Finding:
    """It is another notion, and one in use: a record is added or left out, as in DW.

    A caveat: it does not suit the query A that counts the reports of each vector. The counts sum to
    the number of records, so no outcome is possible for both x and x', and no epsilon would do. With
    this notion n has to be hidden, as it is where one report is drawn at random from all: each report
    has a probability within a factor p/q per bit of any other's, and so have their means.
    """
    return exhausted(
        (1, 2), one_more_is_a_notion, over="databases of 1 to 3 records of 1 or 2 bits, q = 1/4",
        shown=("another notion", "another notion; not for A, whose outcomes tell n"),
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
        pmf, joint, vectors = query_pmf(records, q=lie), joint_law(records, lie), cells(len(records[0]))
        counted = {y: tuple(map(y.count, vectors)) for y in joint}
        return all(
            sum(pmf[s] for s in event) == sum(chance for y, chance in joint.items() if counted[y] in event)
            for event in map(set, _subsets(list(pmf)))
        )

    return exhausted(
        product([((0,),), ((0,), (1,)), ((1,), (1,), (0,)), ((0, 1),)], SIX_QS), holds,
        over="every event of the counts of up to 3 reports, q = 1/14, ..., 6/14",
        shown=("P[A(x) in S] = sum of P[A(x) = s]", "sum over the flips that lead into S"), proven=True,
    )  # fmt: skip


@ledger.claim(
    "s3-max-ratio",
    where="section 3, the lemma without a reference",
    says="A quotient of sums over an event is at most the maximum of the quotients of its outcomes.",
    assuming="countably many outcomes, P[A(x') in S] > 0",
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
    """An infinite event may have no maximum, and where P[A(x') = s] = 0 there is no quotient.

    With a_s >= 0, b_s > 0 and r_s = a_s/b_s the quotient sum a_s / sum b_s is the mean of the r_s
    with the weights b_s / sum b_s. A mean is at most the supremum of its terms, which is a maximum
    when S is finite.

    When S is infinite there may be no maximum: P[A(x') = i] = 2^-i and P[A(x) = i] = (3/2)(1 - 2^-i)
    2^-i, i >= 1, both sum to 1, and their quotients (3/2)(1 - 2^-i) rise towards 3/2 without reaching
    it. The definition needs no more than the supremum. Where P[A(x') = s] = 0 the quotient is 0/0, and
    s may be left out of S, or P[A(x) = s] > 0 and A is not private at all (see KTEX-s1-quotients).
    """
    finite = exhausted(
        product(product(range(1, 4), repeat=3), repeat=2),
        lambda case: all(
            Fraction(sum(a for a, _ in event), sum(b for _, b in event)) <= max(Fraction(a, b) for a, b in event)
            for event in _subsets(list(zip(*case, strict=True)))
        ),
        over="S finite, P[A(x') = s] > 0 for s in S (checked: three outcomes)", shown=("<= max over s in S", ""),
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
        product(small_collections(1), SIX_QS),
        lambda case: all(
            chance == prod(map(lambda x, y: report_probability(x, y, q=case[1]), case[0], s))
            for s, chance in joint_law(*case).items()
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
        laws = {x: joint_law((x, *others), lie) for x in cells(len(first))}
        return all(
            laws[first][s] / law[s] == report_probability(first, s[0], q=lie) / report_probability(x, s[0], q=lie)
            for x, law in laws.items()
            for s in law
        )

    return exhausted(
        product(small_collections(1), QS), holds,
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
        laws = [joint_law(x, lie) for x in databases]
        query = FiniteMechanism([[law[s] for s in databases] for law in laws], record_neighbours(databases))
        single = FiniteMechanism([[report_probability(x, s, q=lie) for s in records] for x in records])
        closed = exp(symbolic.local_epsilon().subs({k: 1, L: bits, q: Rational(lie)}))
        return bool(query.lam() == single.lam() and Rational(single.lam()) == closed)

    sizes = ((1, 1), (2, 1), (3, 1), (1, 2), (2, 2))
    return exhausted(
        ((n, bits, lie) for n, bits in sizes for lie in QS), holds,
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
    lie, eps = Fraction(2, 5), HALF
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
    """R(T) has one report more than R(T_v), so "in S" has to be read as "meets S".

    R(T) is a collection and not one vector. If S is a set of collections, no epsilon will do: R(T)
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
        whole, vectors = joint_law(records, lie), cells(len(records[0]))
        rests = [joint_law(rest, lie) for rest in _left_out(records)]
        ratios = (meets(whole, set(s)) / meets(rest, set(s)) for rest in rests for s in _subsets(vectors))
        return max(ratios) == presence_ratio(records, q=lie)

    read = exhausted(
        product(small_collections(2), QS), meeting,
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
            meets(joint_law(rest, lie), {s}) / law_of(v, lie)[s]
            for v, rest in zip(records, _left_out(records), strict=True)
            for s in vectors
        )
        bounded = len(records) < 2 or presence_ratio(records, q=lie) <= 1 + 1 / least
        return least == anonymity(records, q=lie).value and bounded

    return exhausted(
        product(small_collections(1), QS), holds,
        over="all T of up to 3 records of 1 bit and up to 2 of 2 bits, q = 1/10, 1/4, 2/5",
        shown=("min of P[s in R(T_v)] / P[R(v) = s]", "epsilon <= log(1 + 1/A_p)"), proven=True,
    )  # fmt: skip


# --- helpers ------------------------------------------------------------------------------------------------------


def one_more_is_a_notion(bits: int) -> bool:
    """Whether the pairs x, x' with one record more are DW's neighbours, a query is private for them, and A is not."""
    lie, records = Fraction(1, 4), cells(bits)
    databases = [x for n in (1, 2, 3) for x in combinations_with_replacement(records, n)]
    place = {x: i for i, x in enumerate(databases)}
    pairs = {(place[x], place[tuple(sorted((*x, y)))]) for x in databases if len(x) < 3 for y in records}
    drawn = [[sum(law_of(v, lie)[s] for v in x) / len(x) for s in records] for x in databases]
    least = FiniteMechanism(drawn, sorted(pairs)).lam()
    laws = [query_pmf(x, q=lie) for x in databases]
    return (
        pairs == set(histogram_neighbours([histogram(x, records) for x in databases]))
        and all(len(databases[i]) < len(databases[j]) for i, j in pairs)
        and 1 < least <= ((1 - lie) / lie) ** bits
        and all(laws[i].keys().isdisjoint(laws[j]) for i, j in pairs)
    )


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
    halves, quarters = (factor / (1 - factor) for factor in (HALF, HALF**2))  # geometric series
    quotients = [Fraction(3, 2) * (1 - HALF**i) for i in range(1, 60)]
    laws = halves == Fraction(3, 2) * (halves - quarters) == 1
    return laws and all(one < following < Fraction(3, 2) for one, following in pairwise(quotients))
