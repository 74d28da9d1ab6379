"""K16, sections 2 and 3: the randomizer, differential privacy of the query and of a collection, anonymity.

Section 1 is an empty outline and claims nothing. The true side is the definition itself: every flip X of every bit with
its probability, q for X = 1 and p for X = 0. What is a polynomial in q of degree at most five is compared at the six
points 1/14, ..., 6/14, which makes it an identity in q.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction as F
from functools import cache
from itertools import chain, combinations, combinations_with_replacement, pairwise, product
from math import prod
from typing import Any

from sympy import Rational, exp

from dpcalc import Enclosure, FiniteMechanism, RandomizedResponse, symbolic
from dpcalc.notes.collections.membership import anonymity, presence, presence_ratio, record_epsilon
from dpcalc.notes.collections.records import Record, cells, query_pmf, report_probability
from dpcalc.notes.finite.neighbours import histogram, histogram_neighbours, record_neighbours
from dpcalc.notes.symbolic import L, k, p, q
from tests.notes.ledger.checking import positive, sure
from tests.notes.ledger.enumeration import added
from tests.notes.ledger.ledger import Answer, Finding, Known, Ledger, Range, Ruling

ledger = Ledger("K16")
claim, script = ledger.claim, ledger.script
# fmt: off

def randomized(v: Sequence[int], flips: Sequence[int]) -> Record:  # R(v; X), by the definition's formula
    return tuple((1 - b) * x + b * (1 - x) for b, x in zip(v, flips, strict=True))

@cache
def report_law(v: Record, lie: F) -> dict[Record, F]:  # P[R(v) = s] for every s, added up over all flips
    flips = product((0, 1), repeat=len(v))
    return added((randomized(v, each), F(prod(lie if x else 1 - lie for x in each))) for each in flips)

@cache
def joint_law(records: tuple[Record, ...], lie: F) -> dict[tuple[Record, ...], F]:
    """P[(R(x_1), ..., R(x_n)) = (s_1, ..., s_n)]: all the bits flip independently."""
    if not records:
        return {(): F(1)}
    bits, law = len(records[0]), report_law(tuple(chain(*records)), lie)
    return {tuple(s[i : i + bits] for i in range(0, len(s), bits)): chance for s, chance in law.items()}

def meets(joint: dict[tuple[Record, ...], F], event: set[Record]) -> F:
    """The probability that some report lies in the event."""
    return sum((chance for reports, chance in joint.items() if not event.isdisjoint(reports)), F(0))

def collections(least: int) -> Iterator[tuple[Record, ...]]:
    """All collections of ``least`` to 3 records of 1 bit and of ``least`` to 2 records of 2 bits."""
    sizes = [(bits, size) for bits, most in ((1, 3), (2, 2)) for size in range(least, most + 1)]
    return chain.from_iterable(combinations_with_replacement(cells(bits), size) for bits, size in sizes)

def subsets(items: Sequence[Any]) -> Iterator[tuple[Any, ...]]:  # every subset but the empty one
    return chain.from_iterable(combinations(items, size) for size in range(1, len(items) + 1))

def left_out(records: tuple[Record, ...]) -> list[tuple[Record, ...]]:  # T_v for every v in T
    return [records[:i] + records[i + 1 :] for i in range(len(records))]

def largest_event_ratio(mechanism: FiniteMechanism) -> F:
    """The least factor c with P[M(x) in S] <= c P[M(y) in S] for all events S and neighbours x, y."""
    chances = [[sum((row[s] for s in event), F(0)) for event in subsets(range(len(row)))] for row in mechanism.matrix]
    return max(a / b for x, y in mechanism.ordered() for a, b in zip(chances[x], chances[y], strict=True))

SIX, THREE = tuple(F(j, 14) for j in range(1, 7)), (F(1, 10), F(1, 4), F(2, 5))
VECTORS = [v for bits in (1, 2, 3) for v in cells(bits)]
SMALL = Range.of("v, q", "all v of up to 3 bits, all s, q = 1/14, ..., 6/14", VECTORS, SIX)
UP_TO = "up to 3 records of 1 bit and up to 2 records of 2 bits"
BY_SIX = Range.of("T, q", f"all collections of {UP_TO}, all s, q = 1/14, ..., 6/14", collections(1), SIX)
BY_THREE = Range.of("T, q", f"all collections of {UP_TO}, all s, q = 1/10, 1/4, 2/5", collections(1), THREE)
TWO_UP = "all T of 2 or 3 records of 1 bit and of 2 records of 2 bits, all S, q = 1/10, 1/4, 2/5"
PAIRS_UP = Range.of("T, q", TWO_UP, collections(2), THREE)
BITS = Range.of("b, X", "b and X in {0, 1}", (0, 1), (0, 1), whole=True)
COINS = Range.of("b, f", "b in {0, 1}, f = 1/7, ..., 6/7", (0, 1), [F(j, 7) for j in range(1, 7)])
HALVES = Range.of("q", "q = 1/14, ..., 6/14 and 1/2", (*SIX, F(1, 2)))
LIES = Range.of("b, s, q", "b and s in {0, 1}, q = 1/14, ..., 6/14", (0, 1), (0, 1), SIX)
EVENTS = Range.of("T, q", "every event of the counts of up to 3 reports, q = 1/14, ..., 6/14",
    [((0,),), ((0,), (1,)), ((1,), (1,), (0,)), ((0, 1),)], SIX)
SIZES = Range.of("size, q", f"all databases of {UP_TO}, q = 1/10, 1/4, 2/5",
    ((1, 1), (2, 1), (3, 1), (1, 2), (2, 2)), THREE)
THIRDS = Range.of("a, b", "S finite, P[A(x') = s] > 0 for s in S: three outcomes",
    *[tuple(product(range(1, 4), repeat=3))] * 2)

# --- section 2 ----------------------------------------------------------------------------------------------------
claim("s2-bit", BITS, lambda b, x: randomized((b,), (x,)) == ((b + x) % 2,), """
    section 2, definition of R, one bit: R(b) = `(1 - b) X + b (1 - X)` with X ~ Ber(q) flips the bit b with probability
    q and else leaves it as it is. Exact: b flipped if and only if X = 1
    Why: For b = 0 the formula reads X, for b = 1 it reads 1 - X: the bit is flipped exactly when X = 1, with
    probability q. The four cases are all there are.""")

@claim("s2-vector", SMALL, """
    section 2, definition of R, bit vectors: R of a vector, with X_1, ..., X_L independent, randomizes every bit
    independently with lie probability q. Shown: P[R(v) = s] = prod P[R(v_l) = s_l] vs joint law = product of marginals
    Why: R(v)_l is a function of X_l alone, and functions of independent variables are independent.""")
def _(v: Record, lie: F) -> Answer:
    joint = report_law(v, lie)
    ones = [sum(chance for s, chance in joint.items() if s[place]) for place in range(len(v))]
    split = {s: prod(one if bit else 1 - one for one, bit in zip(ones, s, strict=True)) for s in joint}
    return split == joint and ones == [1 - lie if bit else lie for bit in v]

claim("s2-truth", lambda: positive(p - q),
    given=lambda: all(report_law((b,), lie)[b,] == 1 - lie for b in (0, 1) for lie in SIX), text="""
    section 2, first remark: The original bit is reported with probability 1 - q, which is more than the probability q
    of a lie. Assuming: 0 < q < 1/2 Shown: 1 - q > q vs 1 - 2 q > 0
    Why: 1 - q - q = 1 - 2q > 0. With q = 1/(2 + t), where every t > 0 stands for one q in (0, 1/2), it is t/(2 +
    t).""")

def reported(v: Record, lie: F, best: Callable[..., F]) -> list[Record]:
    """The reports of v that have the best probability."""
    law = {s: report_probability(v, s, q=lie) for s in cells(len(v))}
    return [s for s, chance in law.items() if chance == best(law.values())]

@claim("s2-coin", COINS, """section 2, first remark: R is the same as reporting a fair coin with probability f and the
    bit itself otherwise, with `q = f/2`. Assuming: 0 < f < 1 Exact: P[lie] = f/2
    Why: A lie needs the coin, which then shows the other side: probability f/2. Both laws are (1 - f/2, f/2). Linear in
    f, so two values of f would do; f -> f/2 maps (0, 1) onto (0, 1/2), so every R is of this form.""")
def _(bit: int, f: F) -> Answer:
    law = {s: f / 2 + (1 - f) * (s == bit) for s in (0, 1)}  # the fair coin with probability f, else the bit
    return RandomizedResponse.from_f(f).q == f / 2 and law == {s: report_law((bit,), f / 2)[s,] for s in (0, 1)}

claim("s2-half", HALVES, lambda lie: (report_law((0,), lie) == report_law((1,), lie)) == (lie == F(1, 2)), """
    section 2, second remark: For q = 1/2 the reports of 0 and of 1 have the same law: the report does not depend on the
    bit. Shown: R(0) and R(1) alike at q = 1/2 vs if and only if q = 1/2
    Why: P[R(0) = 1] = q and P[R(1) = 1] = 1 - q, and these are equal exactly when q = 1/2.""")

claim("s2-lie", LIES, lambda b, s, lie: report_law((b,), lie)[s,] == lie ** (b != s) * (1 - lie) ** (b == s), """
    section 2, distribution of R(v), one bit: P[R(b) = s] is q if s differs from b, and 1 - q if it equals b. Shown:
    q^[b != s] (1 - q)^[b = s] vs q or 1 - q
    Why: R(b) differs from b exactly when X = 1 (s2-bit). One of the two exponents is 1, the other 0.""")

@claim("s2-pmf", SMALL, """section 2, distribution of R(v), vectors: P[R(v) = s] = `q^(L - m) (1 - q)^m`, where m(v, s)
    bits of v and s agree. Exact: sum over the flips that lead from v to s
    Why: The bits are independent (s2-vector), m of them tell the truth and L - m lie.""")
def _(v: Record, lie: F) -> Answer:
    agreeing = {s: sum(map(int.__eq__, v, s)) for s in cells(len(v))}
    said = {s: lie ** (len(v) - m) * (1 - lie) ** m for s, m in agreeing.items()}
    return said == report_law(v, lie) == {s: report_probability(v, s, q=lie) for s in said}

claim("s2-likeliest", SMALL, lambda v, lie: reported(v, lie, max) == [v], """
    section 2, after the law of R(v): The likeliest report of a vector is the vector itself, m(v, s) = L. Assuming: 0 <
    q < 1/2 Shown: m = L, that is s = v vs there, and nowhere else
    Why: P[R(v) = s] = q^L (p/q)^m, and p/q > 1: it grows strictly with m, whose largest value L means s = v. Likeliest
    is not likely: P[R(v) = v] = p^L, so that for long vectors a report almost never is the vector itself.""")

claim("s2-least-likely", SMALL, lambda v, lie: reported(v, lie, min) == [tuple(1 - bit for bit in v)], """
    section 2, after the law of R(v): The least likely report of a vector is its complement, m(v, s) = 0. Assuming: 0 <
    q < 1/2 Shown: m = 0, that is s = 1 - v vs there, and nowhere else
    Why: q^L (p/q)^m grows strictly with m, whose smallest value 0 means that every bit differs.""")

@claim("s2-presence", BY_SIX, """section 2, end: P[s in R(T)] is 1 minus the product over v in T of 1 - P[R(v) = s].
    Assuming: the records of T are randomized independently; a vector that occurs twice in T counts twice Shown: 1 -
    prod (1 - P[R(v) = s]) vs sum over the reports that contain s
    Why: s is missing from R(T) when no record is reported as s; independent events have the product as probability. The
    true side adds up the probabilities of all tuples of reports in which s occurs.""")
def _(records: tuple[Record, ...], lie: F) -> Answer:
    joint, vectors = joint_law(records, lie), cells(len(records[0]))
    said = [1 - prod(1 - report_probability(v, s, q=lie) for v in records) for s in vectors]
    return said == [meets(joint, {s}) for s in vectors] == [presence(s, records, q=lie) for s in vectors]

# --- section 3 ----------------------------------------------------------------------------------------------------
@claim("s3-definition", r"""section 3, definition: A is epsilon-differentially private if P[A(x) in S] <= epsilon
    P[A(x') in S] for neighbours x, x', all S. Quote: P[A(\mathbf{x}) \in S] \leq \epsilon \cdot P[A(\mathbf{x}') \in S]
    Shown: P <= epsilon P' vs P <= e^epsilon P'
    Why: The exponential is missing: as printed no query is private for epsilon < 1. The factor has to be e^epsilon, as
    later in the section (log of the ratio <= epsilon) and in (4.42). Take S to be every outcome: both probabilities are
    1, so that with the factor epsilon no query at all satisfies the inequality for epsilon < 1, not even one that
    ignores the database. That one is private with epsilon = 0.""")
def _() -> Finding:
    ignoring = FiniteMechanism([[F(1, 2)] * 2] * 2)
    needed, defined = largest_event_ratio(ignoring), ignoring.epsilon()
    sure(defined == Enclosure.of(0), "a query that ignores the database is not 0-private")
    return Finding(Ruling.CORRECTED if defined != Enclosure.of(needed) else Ruling.PROVEN,
        witness=f"a query that ignores the database needs epsilon >= {needed} as written, by definition {defined}")
@script
def _() -> None:
    eps = F(1, 2)
    always = {0: F(1, 2), 1: F(1, 2)}  # a query that ignores the database: nothing is more private
    everything = sum(always.values())
    assert not everything <= eps * everything

@claim("s3-one-more", Range.of("bits", "databases of 1 to 3 records of 1 or 2 bits, q = 1/4", (1, 2)), holds=True,
    text="""section 3, after the definition: That x' has one record more than x is `another notion` of differing in one
    row, which is sometimes used. Exact: another notion; not for A, whose outcomes tell n
    Why: It is another notion, and one in use: a record is added or left out, as in DW. A caveat: it does not suit the
    query A that counts the reports of each vector. The counts sum to the number of records, so no outcome is possible
    for both x and x', and no epsilon would do. With this notion n has to be hidden, as it is where one report is drawn
    at random from all: each report has a probability within a factor p/q per bit of any other's, and so have their
    means.""")
def _(bits: int) -> Answer:
    lie, records = F(1, 4), cells(bits)
    databases = [x for n in (1, 2, 3) for x in combinations_with_replacement(records, n)]
    place = {x: i for i, x in enumerate(databases)}
    pairs = {(place[x], place[tuple(sorted((*x, y)))]) for x in databases if len(x) < 3 for y in records}
    drawn = [[sum(report_law(v, lie)[s] for v in x) / len(x) for s in records] for x in databases]
    laws = [query_pmf(x, q=lie) for x in databases]
    apart = all(len(databases[i]) < len(databases[j]) and laws[i].keys().isdisjoint(laws[j]) for i, j in pairs)
    private = 1 < FiniteMechanism(drawn, sorted(pairs)).lam() <= ((1 - lie) / lie) ** bits
    return apart and private and pairs == set(histogram_neighbours([histogram(x, records) for x in databases]))

@claim("s3-sum", EVENTS, """
    section 3, countable outcomes: The probability of an event is the sum of the probabilities of its outcomes, if these
    are countable. Shown: P[A(x) in S] = sum of P[A(x) = s] vs sum over the flips that lead into S
    Why: Countable additivity: the event is the disjoint union of its outcomes.""")
def _(records: tuple[Record, ...], lie: F) -> Answer:
    pmf, joint, vectors = query_pmf(records, q=lie), joint_law(records, lie), cells(len(records[0]))
    counted = {y: tuple(map(y.count, vectors)) for y in joint}
    events = map(set, subsets(list(pmf)))
    return all(sum(pmf[s] for s in e) == sum(joint[y] for y in joint if counted[y] in e) for e in events)

@claim("s3-max-ratio", r"""section 3, the lemma without a reference: A quotient of sums over an event is at most the
    maximum of the quotients of its outcomes. Quote: \leq \max_{s \in S} \frac{P[A(\mathbf{x}) = s]}{P[A(\mathbf{x}') =
    s]} Assuming: countably many outcomes, P[A(x') in S] > 0 Shown: <= max over s in S vs <= sup over s in S
    Why: An infinite event may have no maximum, and where P[A(x') = s] = 0 there is no quotient. With a_s >= 0, b_s > 0
    and r_s = a_s/b_s the quotient sum a_s / sum b_s is the mean of the r_s with the weights b_s / sum b_s. A mean is at
    most the supremum of its terms, which is a maximum when S is finite. When S is infinite there may be no maximum:
    P[A(x') = i] = 2^-i and P[A(x) = i] = (3/2)(1 - 2^-i) 2^-i, i >= 1, both sum to 1, and their quotients (3/2)(1 -
    2^-i) rise towards 3/2 without reaching it. The definition needs no more than the supremum. Where P[A(x') = s] = 0
    the quotient is 0/0, and s may be left out of S, or P[A(x) = s] > 0 and A is not private at all (see
    KTEX-s1-quotients).""")
def _() -> Finding:
    quotients = [F(3, 2) * (1 - F(1, 2**i)) for i in range(1, 60)]  # of (3/2)(1 - 2^-i) 2^-i and 2^-i
    sure(F(3, 2) * (1 - F(1, 3)) == 1, "the two series do not sum to 1")
    sure(all(one < following < F(3, 2) for one, following in pairwise(quotients)), "the quotients do not rise to 3/2")
    finite = THIRDS.judge(at_most_the_largest)
    sure(finite.ruling is Ruling.PROVEN, "a quotient of finite sums is above the largest quotient")
    witness = "P[A(x') = i] = 2^-i, P[A(x) = i] = (3/2)(1 - 2^-i) 2^-i: quotients rise to 3/2, no maximum"
    return replace(finite, ruling=Ruling.ONLY_FOR, over="S finite, P[A(x') = s] > 0 for s in S", witness=witness)
@script
def _() -> None:
    below = [F(1, 2**i) for i in range(1, 60)]  # P[A(x') = i]; P[A(x) = i] = (3/2) (1 - 2^-i) 2^-i
    ratios, y = [F(3, 2) * (1 - x) for x in below], below[-1]
    rest = F(3, 2) * (y - y * y / 3)  # P[A(x) >= 60], from the geometric series of 2^-i and 4^-i
    assert sum(a * b for a, b in zip(ratios, below, strict=True)) + rest == 1
    assert all(a < b < F(3, 2) for a, b in pairwise(ratios))  # they rise for ever: no maximum

def at_most_the_largest(a: tuple[int, ...], b: tuple[int, ...]) -> Answer:
    events = subsets(list(zip(a, b, strict=True)))
    return all(F(sum(x for x, _ in e), sum(y for _, y in e)) <= max(F(x, y) for x, y in e) for e in events)

@claim("s3-product", BY_SIX, """
    section 3, records randomized independently: If A randomizes every record independently, P[A(x) = s] is the product
    of P[A_0(x_i) = s_i]. Shown: prod P[A_0(x_i) = s_i] vs sum over the flips that lead from x to s
    Why: s_i is a function of x_i and X_i alone, and the X_i are independent.""")
def _(records: tuple[Record, ...], lie: F) -> Answer:
    joint = joint_law(records, lie)
    return joint == {s: prod(report_probability(x, y, q=lie) for x, y in zip(records, s, strict=True)) for s in joint}

@claim("s3-one-row", BY_THREE, """section 3, records randomized independently: If x and x' differ in the first record
    only, the ratio is that of this record's own reports. Assuming: P[A(x') = s] > 0, as for A_0 = R Shown: P[A_0(x_1) =
    s_1] / P[A_0(x_1') = s_1] vs P[A(x) = s] / P[A(x') = s]
    Why: In the quotient of the two products all factors but the first are equal and positive: they cancel.""")
def _(records: tuple[Record, ...], lie: F) -> Answer:
    laws = {x: joint_law((x, *records[1:]), lie) for x in cells(len(records[0]))}
    single = {(x, s): report_probability(x, s, q=lie) for x in laws for s in laws}
    first = records[0]
    return all(laws[first][s] / law[s] == single[first, s[0]] / single[x, s[0]] for x, law in laws.items() for s in law)

@claim("s3-record-suffices", SIZES, """
    section 3, records randomized independently: A condition on the reports of single records is enough for the privacy
    of the query on databases. Assuming: e^epsilon for epsilon in both, see s3-definition; records randomized
    independently Shown: record level implies databases vs least e^epsilon of both = (p/q)^L
    Why: By s3-one-row the ratio of any outcome is one of R's own, and by s3-max-ratio an event's is no larger. The
    condition is also necessary: R's own ratios all occur. So the least e^epsilon of the query on databases of n
    records, over all events, is that of one record: (p/q)^L for R on L bits, as ``symbolic.local_epsilon`` says.""")
def _(size: tuple[int, int], lie: F) -> Answer:
    n, bits = size
    records, databases = cells(bits), list(product(cells(bits), repeat=n))
    laws = [joint_law(x, lie) for x in databases]
    query = FiniteMechanism([[law[s] for s in databases] for law in laws], record_neighbours(databases))
    single = FiniteMechanism([[report_probability(x, s, q=lie) for s in records] for x in records])
    closed = exp(symbolic.local_epsilon().subs({k: 1, L: bits, q: Rational(lie)}))
    return bool(query.lam() == single.lam() and Rational(single.lam()) == closed)

@claim("s3-record-form", r"""
    section 3, RAPPOR's form: The record-level condition, as in the RAPPOR paper: P[A_0(x) = s] <= epsilon P[A_0(x') =
    s]. Quote: P[A_0(x) = s] \leq \epsilon \cdot P[A_0(x') = s] Shown: P <= epsilon P' vs P <= e^epsilon P'
    Why: RAPPOR's factor is e^epsilon; the exponential is missing as in the definition (s3-definition). For x = x' the
    printed condition reads P <= epsilon P and fails for every epsilon < 1. One bit with q = 2/5 has the ratio p/q = 3/2
    <= 1 + 1/2 <= e^(1/2): it satisfies RAPPOR's condition for epsilon = 1/2, and not the printed one.""")
def _() -> Finding:
    lie, eps = F(2, 5), F(1, 2)
    single = FiniteMechanism([[report_probability(x, s, q=lie) for s in cells(1)] for x in cells(1)])
    defined = bool(single.is_private(epsilon=eps)) and record_epsilon("0", "1", q=lie) <= eps
    sure(defined, "one bit with q = 2/5 is not private with epsilon = 1/2")
    return Finding(Ruling.CORRECTED if largest_event_ratio(single) > eps else Ruling.PROVEN,
        witness=f"one bit, q = 2/5, epsilon = 1/2: ratio {single.lam()} is above 1/2, but not above e^(1/2)")
@script
def _() -> None:
    q, eps = F(2, 5), F(1, 2)
    law = {(b, s): 1 - q if b == s else q for b in (0, 1) for s in (0, 1)}  # randomized response
    largest = max(law[b, s] / law[c, s] for b in (0, 1) for c in (0, 1) for s in (0, 1))
    assert eps < largest <= 1 + eps  # and 1 + eps <= e^eps: RAPPOR's condition holds, the printed one fails

@claim("s3-collection", r"""section 3, privacy of a collection: R is epsilon-private if log(`P[R(T) in S]` / P[R(T_v) in
    S]) <= epsilon for every set S of bit vectors. Quote: \frac{P[R(T) \in S]}{P[R(T_v) \in S]} ... for any set of bit
    vectors S Assuming: T_v is T without its record v, for every v in T Exact: P[R(T) meets S]
    Why: R(T) has one report more than R(T_v), so "in S" has to be read as "meets S". R(T) is a collection and not one
    vector. If S is a set of collections, no epsilon will do: R(T) has one report more than R(T_v), so no outcome of the
    one is an outcome of the other. Where equal reports are counted once, the outcomes of |T| different vectors still
    tell the two apart. The display is right if "in S" is read as "meets S", some report lies in S, as in P[s in R(T)].
    With b = P[R(v) in S] and a = P[R(T_v) meets S] the ratio is 1 + b/c, c = a/(1 - a). Single vectors decide. For b is
    additive over S; and c = prod 1/(1 - P[R(u) in S]) - 1, u in T_v, is a power series in these additive P[R(u) in S],
    with non-negative coefficients and no constant term, hence superadditive. So b/c is at most sum b_s / sum c_s, and
    that at most the largest b_s/c_s (s3-max-ratio). The reverse ratio needs no condition: it is at most 1. For T = {v}
    there is no epsilon, as a = 0.""")
def _() -> Finding:
    whole, rest = (query_pmf(records, q="1/4") for records in (["0", "1"], ["1"]))
    sure(not any(outcome in rest for outcome in whole), "two collections of different size have an outcome in common")
    read = PAIRS_UP.judge(as_meeting)
    sure(read.ruling is Ruling.PROVEN, "read as 'meets', single vectors do not decide")
    witness = f"T = {{0, 1}}, S = every outcome of two reports: {sum(whole.values())} against 0"
    return replace(read, ruling=Ruling.CORRECTED, witness=witness)
@script
def _() -> None:
    q, p = F(1, 4), F(3, 4)
    whole = {(0, 0): p * q, (0, 1): p * p + q * q, (1, 1): q * p}  # R(T) for T = {0, 1}
    rest = {(0,): q, (1,): p}  # R(T_v) for v = 0
    assert sum(whole.values()) == 1  # S = every outcome of two reports
    assert not any(len(s) == 2 for s in rest)

def as_meeting(records: tuple[Record, ...], lie: F) -> Answer:
    whole, vectors = joint_law(records, lie), cells(len(records[0]))
    rests = [joint_law(rest, lie) for rest in left_out(records)]
    ratios = (meets(whole, set(s)) / meets(rest, set(s)) for rest in rests for s in subsets(vectors))
    return max(ratios) == presence_ratio(records, q=lie)

@claim("s3-anonymity", BY_THREE, known=Known.DEFINITION, text="""
     section 3, anonymity: A_p is the least ratio, over v in T and s, of how likely the others report s to how likely v
    does. Assuming: 0 < q < 1/2 Shown: min of P[s in R(T_v)] / P[R(v) = s] vs epsilon <= log(1 + 1/A_p)
    Why: A definition; the check tests dpcalc. P[R(v) = s] >= q^L > 0 and there are finitely many v and s, so the
    minimum exists; it is 0 for T = {v} alone. What it is good for: P[s in R(T)] = a + (1 - a) b with a = P[s in
    R(T_v)], b = P[R(v) = s], so that with v the vector s is likelier by the factor 1 + (1 - a) b/a <= 1 + 1/A_p. By
    s3-collection this holds for sets S as well: that display's epsilon is at most log(1 + 1/A_p).""")
def _(records: tuple[Record, ...], lie: F) -> Answer:
    without = zip(records, [joint_law(rest, lie) for rest in left_out(records)], strict=True)
    least = min(meets(rest, {s}) / chance for v, rest in without for s, chance in report_law(v, lie).items())
    bounded = len(records) < 2 or presence_ratio(records, q=lie) <= 1 + 1 / least
    return least == anonymity(records, q=lie).value and bounded
