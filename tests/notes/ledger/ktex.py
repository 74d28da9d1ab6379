"""KTEX: the LaTeX rework of K16.

Sections 1 and 4 are differential privacy of a query, through events, single transcripts and single records. Statements
about any query with finitely many transcripts are tried on pairs of distributions, those of A(x) and A(x'), on three
transcripts; lambda stands for exp(epsilon). In section 4, "Old stuff", A(x) = (A_0(x_1, X_1), ..., A_0(x_n, X_n)) with
independent X_i; its statements are tried on every A_0 of a bit and of an X of three values.

Section 2 is the randomizer R(b; xi) = b xi + (1 - b)(1 - xi), which keeps the bit where xi = 1, with probability p, and
the query A = Phi o R; the true side enumerates every xi. Section 3 is the privacy ratio pi(s) = P[A(x') = s] / P[A(x) =
s]: x and x' differ in one record, x_1 against x'_1; the others are y = (x_2, ..., x_n), "x tilde" in the document. d is
the Hamming distance of x_1 and x'_1, rho = p/q.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction as F
from functools import cache, cached_property
from itertools import chain, combinations, combinations_with_replacement, permutations, product
from math import prod
from typing import TypeAlias

from sympy import Matrix

from dpcalc import FiniteMechanism, maximal_collections, pmf, rappor_epsilon, record_epsilon
from dpcalc.mechanisms.response import KRandomization, RandomizedResponse
from dpcalc.notes.collections.ratios import compare, label, privacy_ratios
from dpcalc.notes.collections.records import cells, hamming, outcome_space, query_pmf
from dpcalc.notes.finite.neighbours import record_neighbours
from dpcalc.numbers.elementary import exp, log
from tests.notes.ledger.cases import distributions, events
from tests.notes.ledger.checking import sure
from tests.notes.ledger.enumeration import FLIPS, Counts, Vector, added, chance, counted, law, vectors
from tests.notes.ledger.k16 import setting
from tests.notes.ledger.ledger import Answer, Finding, Known, Ledger, Range, Ruling

ledger = Ledger("KTEX")
claim, again, script = ledger.claim, ledger.again, ledger.script
K16 = {earlier.id: earlier for earlier in setting.ledger.claims}
# fmt: off

Law: TypeAlias = tuple[F, ...]
Event: TypeAlias = tuple[int, ...]

def by_events(a: Law, b: Law, limit: F) -> bool:  # (eq:dpdef)
    return all(sum(a[s] for s in event) <= limit * sum(b[s] for s in event) for event in events(3))

def by_transcripts(a: Law, b: Law, limit: F) -> bool:  # (eq:dpcnt)
    return all(x <= limit * y for x, y in zip(a, b, strict=True))

def dimension(points: set[tuple[int, ...]]) -> int:  # of the smallest flat that contains the points
    origin, *others = sorted(points)
    return int(Matrix([[a - b for a, b in zip(point, origin, strict=True)] for point in others]).rank())

def _possible(a: Law, b: Law, limit: F, event: Event) -> bool:
    return all(b[s] for s in event)

LIMITED = Range.of("a, b, limit", "three transcripts, probabilities in multiples of 1/4, e^eps = 1, 3/2, 2, 3",
    distributions(3, 4), distributions(3, 4), (F(1), F(3, 2), F(2), F(3)))
ALLOWED = LIMITED.where(", (eq:dpcnt) holding", by_transcripts)
SIXTHS = [point for point in distributions(3, 6) if all(point)]
POSITIVE = Range.of("a, b", "three transcripts, probabilities in positive sixths", SIXTHS, SIXTHS)
TERMS = Range.of("a, b", "three terms in multiples of 1/6, every S", distributions(3, 6), SIXTHS)
CONDITIONS = Range("a, b, limit, event", f"{ALLOWED.words}, every S with P[A(x') in S] > 0",
    lambda: ((*case, event) for case in ALLOWED for event in events(3) if sum(case[1][s] for s in event)))
SHAPES = Range.of("n, L", "n L <= 6, L <= 3", [(n, b) for b, n in product((3, 2, 1), range(1, 7)) if n * b <= 6])
SERIES = Range.of("a, b, m", "geometric laws, a < b in {1/10, 1/3, 1/2, 9/10}, m = 1..5",
    ((a, b, m) for a, b in combinations(map(F, ("1/10", "1/3", "1/2", "9/10")), 2) for m in range(1, 6)))

# --- section 1 ----------------------------------------------------------------------------------------------------
@claim("s1-dimension", SHAPES, only=lambda n, bits: 2**bits - 1 < n * bits, sharp=True,
    show=lambda n, bits: f"n = {n}, L = {bits}: {2**bits - 1} dimensions against {n * bits}", text="""
    section 1, second paragraph: As a query aggregates, its output space has generally `fewer dimensions` than the
    database. Quote: the output space $\\Ssp$ is generally of lower dimensionality than the original database Assuming:
    for the query A of section 2; dimension: coordinates that vary freely Exact: 2^L - 1 against n L Only: 2^L - 1 < n L
    Why: Long records among few make more dimensions, not fewer. The 2^L counts sum to n and are free otherwise, so that
    there are 2^L - 1 dimensions against n L bits: fewer exactly for 2^L - 1 < n L, which for L = 20 takes more than
    52,000 records. "Generally" is about queries, and A is the one at hand. There are fewer values in any case: of the
    2^{nL} collections (lists) C(n + 2^L - 1, n) transcripts (multisets) are left, fewer for n >= 2.""")
def _(n: int, bits: int) -> Answer:
    lists = list(product(vectors(bits), repeat=n))
    transcripts = {counted(synthetic, bits) for synthetic in lists}
    sure(transcripts == set(outcome_space(n=n, bits=bits)), f"other transcripts than counted at n = {n}, L = {bits}")
    sure(len(transcripts) < len(lists) or n == 1, f"no fewer transcripts at n = {n}, L = {bits}")
    return dimension(transcripts) < dimension({tuple(chain(*each)) for each in lists})
@script
def _() -> None:
    n, L = 1, 2  # one record of two bits
    counts = [tuple(int(y == v) for v in product((0, 1), repeat=L)) for y in product((0, 1), repeat=L)]
    steps = [tuple(a - b for a, b in zip(c, counts[0], strict=True)) for c in counts[1:]]
    assert len(steps) == 3 > n * L
    assert all(sum(step[i] for step in steps) == 1 for i in (1, 2, 3))  # one 1 each: three free directions

@claim("s1-no-information", """section 1, third paragraph: From a transcript of a differentially private query `nothing`
    can be learned about a single record. Quote: information regarding individual records cannot be gained by analyzing
    query transcripts Only: eps = 0; else up to the factor e^eps in the odds
    Why: A transcript multiplies the odds of a record by up to e^eps: little is learned, but not nothing. By Bayes' rule
    the odds of x_1 = x' against x_1 = x are multiplied by P[A(x') = s]/P[A(x) = s]. The definition keeps that factor
    between e^-eps and e^eps: little is learned, but nothing only if eps = 0. For the query A the factor does reach
    e^eps, however many records there are: see s3-epsilon.""")
def _() -> Finding:
    q, n = F(1, 4), 3
    sides = [((bit,), *((1,),) * (n - 1)) for bit in (0, 1)]
    zero, one = (law(side, q, 1) for side in sides)
    factors = {s: zero[s] / one[s] for s in one}
    most, s = compare(sides[1], sides[0], q=q).maximum, max(factors, key=lambda outcome: factors[outcome])
    sure((min(factors.values()), max(factors.values())) == (1 / most, most), "the factors do not reach what is allowed")
    ruling = Ruling.PROVEN if set(factors.values()) == {F(1)} else Ruling.ONLY_FOR
    return Finding(ruling, exact=f"multiplied by e^-eps to e^eps, e^eps = {most}",
        witness=f"q = {q}, n = {n}, L = 1, the others 1, x_1 = 0 or 1 with probability 1/2: after {s[0]} reports 0 and "
        f"{s[1]} reports 1, x_1 = 0 has probability {zero[s] / (zero[s] + one[s])}")
@script
def _() -> None:
    p, q = F(3, 4), F(1, 4)  # L = 1, records x_1 and 1; x_1 is 0 or 1 with probability 1/2; both reports are 0
    given_0, given_1 = p * q, q * q
    posterior = given_0 / (given_0 + given_1)
    assert posterior == F(3, 4) != F(1, 2)

@claim("dpdef", POSITIVE, known=Known.DEFINITION, text="""(eq:dpdef), section 1: A is eps-private if P[A(x) in S] <=
    `exp(eps)` P[A(x') in S] for all events S and all neighbours.
    Why: A definition, and the usual one; the check tests dpcalc, which has to find what it says. As any two neighbours
    are meant, it is asked for in both orders. The least exp(eps) is then the largest quotient of the two probabilities
    of an event. With eps for exp(eps), as in "Old stuff", the event S of all transcripts would ask for eps >= 1.""")
def _(a: Law, b: Law) -> Answer:
    sums = [[sum(side[s] for s in event) for event in events(3)[1:]] for side in (a, b)]
    both = [*map(F.__truediv__, *sums), *map(F.__truediv__, *sums[::-1])]
    return FiniteMechanism([a, b]).lam() == max(both) >= 1

@claim("s1-close", POSITIVE, """section 1, after the definition: The transcripts of two databases that differ in one row
    are `close` in distribution. Exact: within (e^eps - 1)/(e^eps + 1)
    Why: In total variation they are within (lambda - 1)/(lambda + 1), lambda = exp(eps). Let an event have the
    probabilities a and b. By (eq:dpdef) b >= a/lambda, and 1 - b <= lambda (1 - a) for its complement, so a - b is at
    most (1 - 1/lambda) a, which grows with a, and at most (lambda - 1)(1 - a), which falls: no more than where they
    meet, at a = lambda/(lambda + 1), b = 1/(lambda + 1). Randomized response attains it, with a - b = p - q.""")
def _(a: Law, b: Law) -> Answer:
    pair, attained = FiniteMechanism([a, b]), FiniteMechanism([["3/4", "1/4"], ["1/4", "3/4"]])
    sure(attained.delta(lam=1).value == F(3 - 1, 3 + 1), "randomized response does not attain the bound")
    return pair.delta(lam=1).value <= (pair.lam() - 1) / (pair.lam() + 1)

again("s1-one-more", K16["K16-s3-one-more"], """section 1, after the definition: That x' has one record more than x is
    another notion of differing in one row, which is sometimes used.""")

again("s1-pmf", K16["K16-s3-sum"], """section 1, before and in the proof of the proposition: For finitely many
    transcripts P[A(x) in S] is the sum of P[A(x) = s] over s in S.""")

@claim("P1", LIMITED, """Proposition (prop:dpcnt), section 1: For finitely many transcripts A is eps-private `if and
    only if` (eq:dpcnt) holds for all s and neighbours.
    Why: If the inequality holds for every s in S, add it up over S: it holds for S. Conversely take S = {s}. (The
    document divides where adding is enough: see s1-zero, s1-quotients.)""")
def _(a: Law, b: Law, limit: F) -> Answer:
    private = by_events(a, b, limit)
    library = FiniteMechanism([a, b]).is_private(lam=limit).holds
    return private == by_transcripts(a, b, limit) and (private and by_events(b, a, limit)) == library

@claim("dpcnt", LIMITED, """(eq:dpcnt), section 1, and the end of the proof: P[A(x) = s] <= exp(eps) P[A(x') = s] is
    what (eq:dpdef) says for `S = {s}`.
    Why: A(x) is in {s} if and only if A(x) = s. So (eq:dpdef), which is for all S, contains (eq:dpcnt).""")
def _(a: Law, b: Law, limit: F) -> Answer:
    single = all(sum(a[s] for s in e) <= limit * sum(b[s] for s in e) for e in events(3) if len(e) == 1)
    return single == by_transcripts(a, b, limit) and (single or not by_events(a, b, limit))

@claim("s1-countable", SERIES, """
     section 1, a note in the source, "countable vs. finite": The proposition may be stated for countable instead of
    finite outcomes. Assuming: the note, a TODO, is read as the question whether it may Shown: countable for finite vs
    it holds, with the supremum of the quotients for their maximum
    Why: If (eq:dpcnt) holds for every s in S, add it up: both series have terms >= 0, converge, and keep the
    inequality. Conversely S = {s}. Only the largest quotient need not exist (K16-s3-max-ratio). The range: geometric
    laws (1 - a) a^s and (1 - b) b^s, a < b, whose quotients fall from (1 - a)/(1 - b) on; the events s >= m and s = r,
    r + m, r + 2m, ..., summed in closed form.""")
def _(a: F, b: F, m: int) -> Answer:
    most = max((1 - a) / (1 - b), (1 - a) * a / ((1 - b) * b))
    progressions = [[(1 - x) * x**r / (1 - x**m) for x in (a, b)] for r in range(m)]
    return most == (1 - a) / (1 - b) and all(x <= most * y for x, y in [(a**m, b**m), *progressions])

claim("s1-zero", ALLOWED,
    lambda a, b, limit: all(a[s] == 0 == b[s] for e in events(3) if not sum(b[s] for s in e) for s in e), """
    section 1, proof of the proposition, first case: If P[A(x') in S] = `0`, then so is every P[A(x') = s], by
    (eq:dpcnt) every P[A(x) = s], and P[A(x) in S]. Assuming: (eq:dpcnt) holds
    Why: A sum of numbers >= 0 vanishes only if each does; then 0 <= P[A(x) = s] <= exp(eps) 0, and their sum is 0
    too.""")

@claim("s1-quotients", CONDITIONS, only=_possible,
    show=lambda a, b, limit, event: "A(x) ({}), A(x') ({}), exp(eps) = {}, S = {}: a quotient is 0/0".format(
        *(", ".join(map(str, side)) for side in (a, b)), limit, {s + 1 for s in event}), text=r"""
    section 1, proof of the proposition, second case: If P[A(x') in S] > 0, the quotient for S is at most the largest
    one for s in S, which is at most exp(eps). Quote: \leq \max_{s \in S} \frac{\P[A(\xv) = s]}{\P[A(\xv') = s]}
    Assuming: (eq:dpcnt) holds Shown: every S with P[A(x') in S] > 0 vs S without the s that never occur Only: events S
    of transcripts that are possible for x'
    Why: Where P[A(x') = s] = 0, so is P[A(x) = s], and the quotient is 0/0; for all other s it is the lemma. It is
    enough to leave these s out of S: neither probability changes. (Section 2's own space {0, ..., n}^{2^L} is full of
    them: every s that does not sum to n.)""")
def _(a: Law, b: Law, limit: F, event: Event) -> Answer:
    if not _possible(a, b, limit, event):
        return False
    return sum(a[s] for s in event) / sum(b[s] for s in event) <= max(a[s] / b[s] for s in event) <= limit
@script
def _() -> None:
    here, there = (F(1, 2), F(1, 2), F(0)), (F(1, 4), F(3, 4), F(0))  # (eq:dpcnt) holds with exp(eps) = 2
    S = (0, 2)  # an event with P[A(x') in S] = 1/4
    undefined = [s for s in S if there[s] == 0]
    assert sum(there[s] for s in S) > 0
    assert all(a <= 2 * b for a, b in zip(here, there, strict=True))
    assert undefined == [2]

@claim("L1", TERMS, """section 1, "Lemma (need ref)": A quotient of sums is at most the largest of the quotients of
    their terms. Assuming: terms >= 0, those below the line > 0 Shown: sum a/sum b <= max a/b
    Why: With M the largest quotient a_s <= M b_s for every s; add up and divide by the sum of the b_s, which is > 0.
    (Likewise at least the smallest: the quotient of the sums is their mean with weights b_s.)""")
def _(a: Law, b: Law) -> Answer:
    ratios = {e: sum(a[s] for s in e) / sum(b[s] for s in e) for e in events(3)[1:]}
    return all(min(a[s] / b[s] for s in e) <= whole <= max(a[s] / b[s] for s in e) for e, whole in ratios.items())

def by_flips(x: Vector, lie: F) -> dict[Vector, F]:  # the law of R(x), over every xi
    chances = ((xi, F(prod(1 - lie if kept else lie for kept in xi))) for xi in product((0, 1), repeat=len(x)))
    return added((tuple(b * k + (1 - b) * (1 - k) for b, k in zip(x, xi, strict=True)), own) for xi, own in chances)

def query_law(x: tuple[Vector, ...], lie: F, order: list[Vector]) -> dict[Counts, F]:
    """The law of A(x), over every xi, the vectors being counted in this order."""
    laws = [by_flips(record, lie) for record in x]
    chances = ((y, F(prod(own[b] for own, b in zip(laws, y, strict=True)))) for y in product(order, repeat=len(x)))
    return added((tuple(map(y.count, order)), own) for y, own in chances)

BITS = Range.of("b, q", "b = 0 and 1, q = 1/4 and 2/5", (0, 1), FLIPS)
TWO_RECORDS = Range.of("x, y", "L <= 4, every x and x'",
    (pair for bits in range(1, 5) for pair in product(vectors(bits), repeat=2)))
_SIZES = ((1, 1), (2, 1), (3, 1), (4, 1), (1, 2), (2, 2), (1, 3))
COLLECTIONS = Range.of("x, q", "(n, L) up to (4, 1), (2, 2) and (1, 3), q = 1/4 and 2/5, every collection",
    [x for n, bits in _SIZES for x in combinations_with_replacement(vectors(bits), n)], FLIPS)
SYNTHETIC = Range.of("case", "(n, L) up to (4, 1), (2, 2) and (1, 3), every collection",
    [y for n, bits in _SIZES for y in product(vectors(bits), repeat=n)])

# --- bits and vectors ---------------------------------------------------------------------------------------------
claim("s2.1-concise", BITS, lambda b, lie: by_flips((b,), lie) == {(b,): 1 - lie, (1 - b,): lie}, """
    section 2.1, definition of R: R(b; xi) = `b xi + (1 - b)(1 - xi)` with xi ~ Ber(p) leaves b with probability p and
    flips it with q. Exact: b if xi = 1, 1 - b if xi = 0
    Why: For xi = 1 it is b, for xi = 0 it is 1 - b: two values each of b and of xi, and P[xi = 1] = p. (K16 writes the
    same with 1 - xi ~ Ber(q).)""")

again("s2.1-independent", K16["K16-s2-vector"], """section 2.1, extension of R to bit vectors: R(x; xi) with xi_1, ...,
    xi_L independent randomizes the bits of x independently.""")

again("s2.1-truth", K16["K16-s2-truth"], """
    section 2.1, first remark: The true value is reported with a probability p = 1 - q greater than q.""")

again("s2.1-fair-coin", K16["K16-s2-coin"], """section 2.1, first remark: R is the procedure that reports a fair coin
    with probability f and the value as it is otherwise: q = f/2.""")

again("s2.1-half", K16["K16-s2-half"], """section 2.1, second remark: At q = 1/2 the reports of 0 and of 1 have the same
    distribution: the value does not matter. Assuming: q = 1/2, which the definition leaves out""")

claim("s2.1-hamming", TWO_RECORDS,
    lambda x, y: sum(map(int.__ne__, x, y)) == sum(map(abs, map(int.__sub__, x, y))) == hamming(x, y), """
    section 2.1, Hamming distance: The number of differing bits is the `sum of |x_l - x'_l|`. Exact: number of differing
    bits
    Why: For bits |x_l - x'_l| is 1 if they differ and 0 if not.""")

again("s2.1-bit", K16["K16-s2-lie"], """section 2.1, distribution of a single bit: P[R(b) = y] = p^{I(b = y)} q^{I(b !=
    y)} = (1-q)^{1 - delta(b, y)} q^{delta(b, y)}.""")

again("s2.1-vector", K16["K16-s2-pmf"], """section 2.1, distribution of a bit vector: P[R(x) = y] = (1-q)^{L - delta(x,
    y)} q^{delta(x, y)}. Assuming: delta = L - m, the number of bits that differ""")

again("s2.1-likeliest", K16["K16-s2-likeliest"], """section 2.1, after the distribution of a bit vector: The probability
    is largest when delta(x, y) = 0. Assuming: delta = L - m""")

again("s2.1-opposite", K16["K16-s2-least-likely"], """section 2.1, after the distribution of a bit vector: P[R(x) = y]
    is smallest when delta(x, y) = L, y then being the opposite of x. Assuming: delta = L - m""")

again("s2.1-identical", K16["K16-s2-likeliest"], """
    section 2.1, end: The likeliest report of a vector is the vector itself. Shown: y = x vs y = x, with p^L""")

# --- the query ----------------------------------------------------------------------------------------------------
claim("s2.2-order", COLLECTIONS,
    lambda x, lie: all(law(y, lie, len(y[0])) == law(x, lie, len(x[0])) for y in permutations(x)), """
    section 2.2, second paragraph: Counting loses the order of the records: the results hold nothing but the counts.
    Shown: one law for all orders
    Why: Records are randomized independently and alike, and Phi adds up over them: permuting the records of x permutes
    those of R(x), and leaves Phi(R(x)) as it is. So A(x) has one distribution for every order of the records of x.""")

@claim("s2.2-enumeration", COLLECTIONS, """section 2.2, third paragraph: {0, 1}^L has 2^L elements d_1, d_2, ... in any
    order, such as from 1...1 to 0...0. Shown: 2^L, in any order
    Why: Each of L bits has two values. Another order of the elements permutes the counts of every transcript. Its
    probability is then found under another name. (The library counts from 0...0 to 1...1, the other way round.)""")
def _(x: tuple[Vector, ...], lie: F) -> Answer:
    bits = len(x[0])
    down = cells(bits)[::-1]
    named = {s[::-1]: own for s, own in query_law(x, lie, down).items()}
    return len(down) == 2**bits and down[0] == (1,) * bits and down[-1] == (0,) * bits and named == query_pmf(x, q=lie)

@claim("s2.2-space", COLLECTIONS, """
    section 2.2, definition of A: A takes its values in {0, ..., n}^{2^L}. Shown: {0, ..., n}^(2^L)
    Why: Each of the 2^L counts is at least 0 and at most the number n of records. Not every element is a value: they
    sum to n, so that there are C(n + 2^L - 1, n) values among (n+1)^{2^L} elements. It matters where the document takes
    "any s": see s3-well-defined.""")
def _(x: tuple[Vector, ...], lie: F) -> Answer:
    n, bits, values = len(x), len(x[0]), set(law(x, lie, len(x[0])))
    inside = all(len(s) == 2**bits and set(s) <= set(range(n + 1)) for s in values)
    return inside and values == set(outcome_space(n=n, bits=bits))

claim("s2.2-total", SYNTHETIC, lambda y: sum(counted(y, len(y[0]))) == len(y), """
    section 2.2, definition of Phi: The counts of a collection sum to `n`.
    Why: Each of the n records is equal to exactly one d_j and counted there once.""")

@claim("Adist", COLLECTIONS, """(eq:Adist), section 2.2: P[A(x) = s] is the sum of p^{nL - delta(x, y)} q^{delta(x, y)}
    over the collections y with counts s. Assuming: delta(x, y) of collections is the sum over their rows; the s under
    the sums is the bold one Shown: sum of p^(n L - delta) q^delta
    Why: A(x) = s means that R(x) is one of the y with Phi(y) = s. These exclude each other; rows are independent, so
    that P[R(x) = y] is the product of p^{L - delta(x_i, y_i)} q^{delta(x_i, y_i)}, and the exponents add up. The true
    side goes through the 2^{nL} values of xi, the library's through a generating function.""")
def _(x: tuple[Vector, ...], lie: F) -> Answer:
    n, bits = len(x), len(x[0])
    distances = ((y, sum(map(hamming, x, y))) for y in product(vectors(bits), repeat=n))
    said = added((counted(y, bits), (1 - lie) ** (n * bits - d) * lie**d) for y, d in distances)
    return said == query_law(x, lie, vectors(bits)) == query_pmf(x, q=lie)

# --- pairs of collections -----------------------------------------------------------------------------------------
class Pair:
    """x = (record, others) and x' = (changed, others)."""

    def __init__(self, q: F, record: Vector, changed: Vector, others: tuple[Vector, ...]) -> None:
        self.q, self.record, self.changed, self.others = q, record, changed, others
        self.bits, self.rho = len(record), (1 - q) / q

    def __str__(self) -> str:
        sides = (" ".join(map(label, (own, *self.others))) for own in (self.record, self.changed))
        return "q = {}, x = {}, x' = {}".format(self.q, *sides)

    @cached_property
    def ratios(self) -> dict[Counts, F]:  # pi(s) for every s, by the library
        return compare((self.record, *self.others), (self.changed, *self.others), q=self.q).ratios

    def reports(self, y: Vector) -> list[F]:  # P[R(y) = d_j] for every j
        return [chance(y, v, self.q) for v in vectors(self.bits)]

    def mean(self, s: Counts, weights: Sequence[F]) -> F:
        """The sum of P[A(y) = s - i_j] over j, with weights; 0 where s_j = 0."""
        own = law(self.others, self.q, self.bits)
        less = (tuple(count - (i == j) for i, count in enumerate(s)) for j in range(len(s)))
        return sum((w * own.get(left, F(0)) for w, left in zip(weights, less, strict=True)), F(0))

    def reweighted(self, above: Sequence[F], below: Sequence[F]) -> bool:
        """Whether pi(s) is the quotient of the two means, for every s."""
        return all(self.mean(s, above) / self.mean(s, below) == ratio for s, ratio in self.ratios.items())

@cache
def _needed(n: int, bits: int, q: F) -> F:
    """The least exp(eps) for which A is private, by its definition: over all pairs of collections."""
    lists = list(product(vectors(bits), repeat=n))
    laws = [law(x, q, bits) for x in lists]
    return FiniteMechanism([[found[s] for s in laws[0]] for found in laws], record_neighbours(lists)).lam()

SIZES = ((1, 1), (2, 1), (3, 1), (1, 2), (2, 2))  # (n, L)
PAIRS = Range.of("case", "n <= 3 for L = 1, n <= 2 for L = 2, q = 1/4 and 2/5, every pair",
    (Pair(lie, x, y, others) for (n, bits), lie in product(SIZES, FLIPS) for x, y in product(vectors(bits), repeat=2)
        if x != y for others in combinations_with_replacement(vectors(bits), n - 1)))
PLACES = Range("pair, place", f"{PAIRS.words} and place",
    lambda: ((pair, place) for pair in PAIRS for place in range(len(pair.others) + 1)))
OUTCOMES = Range.of("x, s, q",
    "every collection of n <= 3 records for L = 1 and n = 1 for L = 2, every s, q = 1/4 and 2/5",
    ((x, s, q) for (n, bits), q in product(SIZES[:4], FLIPS) for x in combinations_with_replacement(vectors(bits), n)
        for s in product(range(n + 1), repeat=2**bits)))
ONES = Range("n, ones, q", "n <= 5, every number of ones, q = 1/4 and 2/5",
    lambda: ((n, ones, q) for n in range(1, 6) for ones in range(n + 1) for q in FLIPS))

@claim("s3-well-defined", OUTCOMES, lambda x, s, q: law(x, q, len(x[0])).get(s, F(0)) > 0,
    only=lambda x, s, q: sum(s) == len(x),
    show=lambda x, s, q: f"x = {' '.join(map(label, x))}, s = {s}: P[A(x) = s] = 0 for every x, pi(s) = 0/0", text=r"""
    section 3, after the definition of pi: pi(s) is defined for `every s` in {0, ..., n}^{2^L}, as every outcome is
    possible from every collection. Quote: $\pi$ is well-defined, since any outcome $\sv$ occurs with non-zero
    probability Exact: every s that sums to n Only: s that sum to n
    Why: An s that does not sum to n never occurs, and there pi(s) is 0/0. If s sums to n it is the counts of some
    collection y, and P[A(x) = s] >= P[R(x) = y] >= q^{nL} > 0. If it does not, Phi never takes the value s, and pi(s) =
    0/0. The space of outcomes has to be the s that sum to n: C(n + 2^L - 1, n) of the (n+1)^{2^L}.""")
def _() -> None:
    n = 2  # records of L = 1 bit; s counts the reports 1 and the reports 0
    possible = {(y.count(1), y.count(0)) for y in product((0, 1), repeat=n)}
    impossible = set(product(range(n + 1), repeat=2)) - possible
    assert (0, 0) in impossible
    assert all(sum(s) != n for s in impossible)

@claim("s3-epsilon", PAIRS,
    lambda pair: (max(pair.ratios.values()), _needed(len(pair.others) + 1, pair.bits, pair.q), pair.rho**pair.bits),
    show=lambda pair: f"exp(eps) at {pair}", text=r"""
    section 3, after the definition of pi: A is eps-private with eps the largest log pi(s) over the outcomes s. Quote:
    with $\epsilon = \max_{\sv\in\Ssp} \log\pi(\sv)$ Assuming: pi belongs to two given collections x and x'; s sums to n
    Shown: eps = log max_s pi(s) vs eps = log max_{s, x, x'} pi(s) = L log(p/q)
    Why: A single pair x, x' does not decide: eps is the largest log pi(s) over all pairs. (eq:dpcnt) has to hold for
    all pairs, so that eps is the largest log pi(s) over x and x' as well. One pair has max pi = rho^d: at the outcome
    of n reports x'_1 the others' factors cancel, and pi is P[R(x'_1) = x'_1]/P[R(x_1) = x'_1] = rho^d; by (eq:prcond)
    no outcome has more (s3-reweighting). So eps = L log rho, attained where x'_1 is the opposite of x_1: no less than
    what one record leaks without any others. The other order is covered, as min pi = 1/max pi.""")
def _() -> None:
    p, q = F(3, 4), F(1, 4)  # n = 1, L = 2; the probabilities of the reports 11, 10, 01, 00 of three records
    a, b, c = p * p, p * q, q * q
    laws = {"11": (a, b, b, c), "10": (b, a, c, b), "00": (c, b, b, a)}
    of_pair, needed = (max(x / y for x, y in zip(laws[changed], laws["11"], strict=True)) for changed in ("10", "00"))
    assert of_pair == p / q < needed == (p / q) ** 2

@claim("s3-first", PLACES, """
    section 3, before (eq:prcond): It may be assumed that the records that differ are `the first` ones. Exact: any one
    Why: By (eq:Adist) P[A(x) = s] does not change when the records of x are permuted (s2.2-order), nor does that of x'.
    Permuted alike, with the differing records moved to the front, the two have the same pi(s).""")
def _(pair: Pair, place: int) -> Answer:
    sides = [(*pair.others[:place], own, *pair.others[place:]) for own in (pair.record, pair.changed)]
    return privacy_ratios(*sides, q=pair.q) == pair.ratios

@claim("prcond", PAIRS, """
    (eq:prcond), section 3: pi(s) = sum_j P[R(x'_1) = d_j] P[A(y) = s - i_j] / sum_j P[R(x_1) = d_j] P[A(y) = s - i_j].
    Assuming: P[A(y) = s - i_j] = 0 where s_j = 0; s sums to n Shown: (eq:prcond) vs P[A(x') = s]/P[A(x) = s]
    Why: Given that x_1 is reported as d_j the others have to make up s - i_j, independently of it: the sum below the
    line is P[A(x) = s], and likewise the one above. A of a single record is i_j exactly when R of it is d_j. It is
    K16's (6.1) and (6.2) without their misprints.""")
def _(pair: Pair) -> Answer:
    units = [tuple(int(i == j) for i in range(2**pair.bits)) for j in range(2**pair.bits)]  # the vectors i_j
    alone = [[law((y,), pair.q, pair.bits)[unit] for unit in units] for y in (pair.changed, pair.record)]
    return pair.reweighted(*alone) and pair.reweighted(pair.reports(pair.changed), pair.reports(pair.record))

@claim("s3-reweighting", PAIRS, """section 3, first remark after (eq:prcond): Numerator and denominator are sums of the
    same terms with `other weights`. Exact: the same weights in another order
    Why: The terms are P[A(y) = s - i_j], the weights P[R(x'_1) = d_j] and P[R(x_1) = d_j]; either sum to 1 over j. They
    are even the same numbers in another order: flipping the bits where x_1 and x'_1 differ, in x_1 and in d_j, changes
    no distance. As the weights differ by a factor of at most rho^d, so do the sums: pi(s) <= rho^d, which is the "max
    value of ratio" that the next line asks for.""")
def _(pair: Pair) -> Answer:
    above, below = pair.reports(pair.changed), pair.reports(pair.record)
    most, found = max(map(F.__truediv__, above, below)), pair.ratios.values()
    extreme = max(found) == most == pair.rho ** hamming(pair.record, pair.changed) and min(found) == 1 / most
    return extreme and pair.reweighted(above, below) and sorted(above) == sorted(below) and sum(above) == 1

@claim("s3-which-pair", """section 3, before section 3.1: The question for which pair of collections pi is largest; no
    answer is given. Shown: the question for which pair vs (p/q)^L; by outcome not always homogeneous
    Why: A question. Over all outcomes the largest pi is rho^L, whatever the other records are (s3-epsilon). It is
    attained where x'_1 is the opposite of x_1 and every report is x'_1. Outcome by outcome it is for L = 1 a
    homogeneous x, n copies of one vector, with one record changed to the opposite (K16, Theorem 4.1). For L >= 2 it
    mostly is, but not always: the witness is an outcome whose largest pi no homogeneous x attains, found by going
    through all pairs. Beside identical other records it is attained always for n <= 3, and wherever it was looked at
    for more. Among those homogeneous x lose for q > (3 - sqrt 5)/2 = .381966 only if L = 2, which is proven; for L >= 3
    the least q seen is 1/3 (notebook 12; proof notes, 12).""")
def _() -> Finding:
    single, several = (maximal_collections(n=3, bits=bits, q=F(2, 5)) for bits in (1, 3))
    known = single.homogeneous and single.ratio == F(3, 2) and several.exceptions and several.ratio == F(3, 2) ** 3
    sure(bool(known), "the answer to the question is not what the derivation says")
    one, *_ = several.exceptions
    reports = " ".join(label(v) for s, v in zip(one.outcome, vectors(3), strict=True) for _ in range(s))
    witness = f"n = L = 3, q = 2/5, reports {reports}: pi = {one.ratio} for {one.pairs[0]}"
    return Finding(Ruling.VACUOUS, witness=witness)

@claim("s3.1-ones", ONES, """section 3.1: For L = 1 expressions simplify: the outcome is, in essence, the number of ones
    in the synthetic collection. Shown: s_1 vs (s_1, n - s_1)
    Why: With d_1 = 1 and d_2 = 0 the outcome is (s_1, n - s_1): s_1, the number of ones, and the outcome determine each
    other. Its distribution depends on x through the number of ones in x only.""")
def _(n: int, ones: int, q: F) -> Answer:
    count = pmf(KRandomization(n=n, q=q), ones=ones)
    return law(((1,),) * ones + ((0,),) * (n - ones), q, 1) == {(n - s, s): count[s] for s in range(n + 1)}

# --- section 4 ----------------------------------------------------------------------------------------------------
WEIGHTS = (F(1, 2), F(1, 3), F(1, 6))  # of the values of X
REPORTED = [told for told in product((0, 1), repeat=3) if len(set(told)) > 1]  # of the three values of X
RANDOMIZERS = Range.of("zero, one", "n = 2, A_0 of a bit and X of three values, every set of pairs of reports",
    REPORTED, REPORTED)
ODDS = Range.of("q, eps", "two records through randomized response, q = 2/5, 1/4, 1/10, eps = 1/2, 1, 3/2, 3",
    (F(2, 5), F(1, 4), F(1, 10)), (F(1, 2), F(1), F(3, 2), F(3)))
SHORT = Range.of("size, q", "n <= 3 for L = 1, n <= 2 for L = 2, q = 2/5 and 1/4", SIZES, FLIPS[::-1])

def single(told: Event, report: int) -> F:
    """P[A_0(bit) = report], ``told`` being the reports at the three values of X."""
    return sum((w for w, t in zip(WEIGHTS, told, strict=True) if t == report), F(0))

def _private(q: F, eps: F) -> bool:  # whether the query is, for two records of one bit
    rows = [[chance(x, s, q) for s in vectors(2)] for x in vectors(2)]
    return FiniteMechanism(rows, record_neighbours(vectors(2))).is_private(epsilon=eps).holds

again("s4-product", K16["K16-s3-product"], """section 4, independent randomization: If records are randomized
    independently, P[A(x) = s] is the product of the P[A_0(x_i) = s_i].""")

@claim("s4-sections", RANDOMIZERS, """section 4, the commented-out argument: For events that are no rectangles, P[A(x)
    in S] is an iterated integral over sections, of which only one is different. Assuming: x and x' differ in the first
    row; e^eps is the least for A_0 Shown: integral over the sections, one differs vs the bound of A_0 for every S
    Why: By Fubini P[A(x) in S] is the integral of P[A_0(x_1) in S_t] over the reports t of the other records, S_t being
    the section of S at t: the reports of x_1 that complete t to an element of S. Every section is an event for A_0, so
    that each integrand is at most e^eps times that of x'; the measure of t is the same on both sides, as the other
    records are. So the integral is, too, for every measurable S. Tried on all sets of pairs of reports.""")
def _(zero: Event, one: Event) -> Answer:
    laws = [[single(told, s) for s in (0, 1)] for told in (zero, one)]
    limit, pairs = FiniteMechanism(laws).lam(), list(product((0, 1), repeat=2))
    for other, (here, there), event in product(laws, [laws, laws[::-1]], events(4)):
        inside = [pairs[i] for i in event]
        sections = [[s for s, t in inside if t == report] for report in (0, 1)]
        whole = [sum(law[s] * other[t] for s, t in inside) for law in (here, there)]
        split = [sum(other[t] * sum(law[s] for s in sections[t]) for t in (0, 1)) for law in (here, there)]
        if whole != split or whole[0] > limit * whole[1]:
            return False
    return True

again("s4-quotient", K16["K16-s3-one-row"], """section 4, display of the quotient: P[A(x) = s]/P[A(x') = s] is
    P[A_0(x_1) = s_1]/P[A_0(x'_1) = s_1]. Assuming: x and x' differ in the first row only, P[A(x') = s] > 0""")

@claim("s4-exp", ODDS, lambda q, eps: (1 - q <= eps * q, _private(q, eps), bool(1 - q <= exp(eps) * q)),
    show=lambda q, e: f"q = {q}: p/q = {(1 - q) / q} is above {e}, "
    + ("below" if _private(q, e) else "and above") + f" e^({e})", text=r"""
    section 4, condition on A_0: The condition on single records is `P[A_0(x) = s] <= eps P[A_0(x') = s]`. Quote:
    P[A_0(x) = s] \leq \epsilon \cdot P[A_0(x') = s] Exact: ... <= exp(eps) P[A_0(x') = s]
    Why: The exponential of eps is missing. By s4-quotient (eq:dpdef) holds exactly when P[A_0(x) = s] <= exp(eps)
    P[A_0(x') = s]: the exp is missing. Summed over s the printed condition says 1 <= eps, so that below eps = 1 no
    query satisfies it, not even one that reports nothing; it is a sufficient condition, as eps < exp(eps), and never
    the one that RAPPOR uses.""")
def _() -> None:
    p, q, epsilon = F(3, 5), F(2, 5), F(1, 2)
    at_most_exp = 1 + epsilon + epsilon**2 / 2  # the series of exp(epsilon) has more terms, all positive
    assert p <= at_most_exp * q
    assert not p <= epsilon * q

@claim("s4-rappor", SHORT, """section 4, end: The condition on A_0, RAPPOR's, compares single records and not
    collections: A is private if A_0 is. Assuming: with exp(eps), see s4-exp Shown: eps of A_0 vs eps of A
    Why: By s4-quotient the quotients of A for neighbours are those of A_0 for records, so both need the same eps. For R
    on vectors that is d log(p/q), d being the number of bits that differ; RAPPOR's Bloom filters with h hash functions
    differ in at most 2h bits, whence its eps = 2h log(p/q).""")
def _(size: tuple[int, int], q: F) -> Answer:
    n, bits = size
    least = FiniteMechanism([[chance(x, y, q) for y in vectors(bits)] for x in vectors(bits)]).lam()
    lists = list(product(vectors(bits), repeat=n))
    rows = [[prod((chance(a, b, q) for a, b in zip(x, y, strict=True)), start=F(1)) for y in lists] for x in lists]
    local, exact = record_epsilon((0,) * bits, (1,) * bits, q=q), log(least)
    sure(bits % 2 == 1 or rappor_epsilon(q=q, hashes=bits // 2) == local, "2h log(p/q) is not that of 2h bits")
    sure(local.lower <= exact.upper and exact.lower <= local.upper, "the epsilon of one record is not its logarithm")
    return FiniteMechanism(rows, record_neighbours(lists)).lam() == least == RandomizedResponse(q).odds ** bits

CLAIMS = ledger.claims
