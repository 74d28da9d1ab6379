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
from dpcalc.notes.collections.occupancy import outcomes
from dpcalc.notes.collections.ratios import compare, label, privacy_ratios
from dpcalc.notes.collections.records import cells, hamming, query_pmf
from dpcalc.numbers.elementary import exp, log
from tests.notes.definition import record_neighbours
from tests.notes.ledger.cases import FLIPS, distributions, events
from tests.notes.ledger.checking import sure
from tests.notes.ledger.ledger import Answer, Finding, Known, Ledger, Range, Ruling
from tests.oracles.vectors import Counts, Vector, added, chance, counted, law, vectors

ledger = Ledger("KTEX")
claim = ledger.claim
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
    show=lambda n, bits: f"n = {n}, L = {bits}: {2**bits - 1} dimensions against {n * bits}")
def _(n: int, bits: int) -> Answer:
    lists = list(product(vectors(bits), repeat=n))
    transcripts = {counted(synthetic, bits) for synthetic in lists}
    sure(transcripts == set(outcomes(n, 2**bits)), f"other transcripts than counted at n = {n}, L = {bits}")
    sure(len(transcripts) < len(lists) or n == 1, f"no fewer transcripts at n = {n}, L = {bits}")
    return dimension(transcripts) < dimension({tuple(chain(*each)) for each in lists})

@claim("s1-no-information")
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

@claim("dpdef", POSITIVE, known=Known.DEFINITION)
def _(a: Law, b: Law) -> Answer:
    sums = [[sum(side[s] for s in event) for event in events(3)[1:]] for side in (a, b)]
    both = [*map(F.__truediv__, *sums), *map(F.__truediv__, *sums[::-1])]
    return FiniteMechanism([a, b]).lam() == max(both) >= 1

@claim("s1-close", POSITIVE)
def _(a: Law, b: Law) -> Answer:
    pair, attained = FiniteMechanism([a, b]), FiniteMechanism([["3/4", "1/4"], ["1/4", "3/4"]])
    sure(attained.delta(lam=1).value == F(3 - 1, 3 + 1), "randomized response does not attain the bound")
    return pair.delta(lam=1).value <= (pair.lam() - 1) / (pair.lam() + 1)

@claim("P1", LIMITED)
def _(a: Law, b: Law, limit: F) -> Answer:
    private = by_events(a, b, limit)
    library = FiniteMechanism([a, b]).is_private(lam=limit).holds
    return private == by_transcripts(a, b, limit) and (private and by_events(b, a, limit)) == library

@claim("dpcnt", LIMITED)
def _(a: Law, b: Law, limit: F) -> Answer:
    single = all(sum(a[s] for s in e) <= limit * sum(b[s] for s in e) for e in events(3) if len(e) == 1)
    return single == by_transcripts(a, b, limit) and (single or not by_events(a, b, limit))

@claim("s1-countable", SERIES)
def _(a: F, b: F, m: int) -> Answer:
    most = max((1 - a) / (1 - b), (1 - a) * a / ((1 - b) * b))
    progressions = [[(1 - x) * x**r / (1 - x**m) for x in (a, b)] for r in range(m)]
    return most == (1 - a) / (1 - b) and all(x <= most * y for x, y in [(a**m, b**m), *progressions])

claim("s1-zero", ALLOWED,
    lambda a, b, limit: all(a[s] == 0 == b[s] for e in events(3) if not sum(b[s] for s in e) for s in e))

@claim("s1-quotients", CONDITIONS, only=_possible,
    show=lambda a, b, limit, event: "A(x) ({}), A(x') ({}), exp(eps) = {}, S = {}: a quotient is 0/0".format(
        *(", ".join(map(str, side)) for side in (a, b)), limit, {s + 1 for s in event}))
def _(a: Law, b: Law, limit: F, event: Event) -> Answer:
    if not _possible(a, b, limit, event):
        return False
    return sum(a[s] for s in event) / sum(b[s] for s in event) <= max(a[s] / b[s] for s in event) <= limit

@claim("L1", TERMS)
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
claim("s2.1-concise", BITS, lambda b, lie: by_flips((b,), lie) == {(b,): 1 - lie, (1 - b,): lie})

claim("s2.1-hamming", TWO_RECORDS,
    lambda x, y: sum(map(int.__ne__, x, y)) == sum(map(abs, map(int.__sub__, x, y))) == hamming(x, y))

# --- the query ----------------------------------------------------------------------------------------------------
claim("s2.2-order", COLLECTIONS,
    lambda x, lie: all(law(y, lie, len(y[0])) == law(x, lie, len(x[0])) for y in permutations(x)))

@claim("s2.2-enumeration", COLLECTIONS)
def _(x: tuple[Vector, ...], lie: F) -> Answer:
    bits = len(x[0])
    down = cells(bits)[::-1]
    named = {s[::-1]: own for s, own in query_law(x, lie, down).items()}
    return len(down) == 2**bits and down[0] == (1,) * bits and down[-1] == (0,) * bits and named == query_pmf(x, q=lie)

@claim("s2.2-space", COLLECTIONS)
def _(x: tuple[Vector, ...], lie: F) -> Answer:
    n, bits, values = len(x), len(x[0]), set(law(x, lie, len(x[0])))
    inside = all(len(s) == 2**bits and set(s) <= set(range(n + 1)) for s in values)
    return inside and values == set(outcomes(n, 2**bits))

claim("s2.2-total", SYNTHETIC, lambda y: sum(counted(y, len(y[0]))) == len(y))

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

claim("s3-well-defined", OUTCOMES, lambda x, s, q: law(x, q, len(x[0])).get(s, F(0)) > 0,
    only=lambda x, s, q: sum(s) == len(x),
    show=lambda x, s, q: f"x = {' '.join(map(label, x))}, s = {s}: P[A(x) = s] = 0 for every x, pi(s) = 0/0")

claim("s3-epsilon", PAIRS,
    lambda pair: (max(pair.ratios.values()), _needed(len(pair.others) + 1, pair.bits, pair.q), pair.rho**pair.bits),
    show=lambda pair: f"exp(eps) at {pair}")

@claim("s3-first", PLACES)
def _(pair: Pair, place: int) -> Answer:
    sides = [(*pair.others[:place], own, *pair.others[place:]) for own in (pair.record, pair.changed)]
    return privacy_ratios(*sides, q=pair.q) == pair.ratios

@claim("s3-reweighting", PAIRS)
def _(pair: Pair) -> Answer:
    above, below = pair.reports(pair.changed), pair.reports(pair.record)
    most, found = max(map(F.__truediv__, above, below)), pair.ratios.values()
    extreme = max(found) == most == pair.rho ** hamming(pair.record, pair.changed) and min(found) == 1 / most
    return extreme and pair.reweighted(above, below) and sorted(above) == sorted(below) and sum(above) == 1

@claim("s3-which-pair")
def _() -> Finding:
    single, several = (maximal_collections(n=3, bits=bits, q=F(2, 5)) for bits in (1, 3))
    known = single.homogeneous and single.ratio == F(3, 2) and several.exceptions and several.ratio == F(3, 2) ** 3
    sure(bool(known), "the answer to the question is not what the derivation says")
    one, *_ = several.exceptions
    reports = " ".join(label(v) for s, v in zip(one.outcome, vectors(3), strict=True) for _ in range(s))
    witness = f"n = L = 3, q = 2/5, reports {reports}: pi = {one.ratio} for {one.pairs[0]}"
    return Finding(Ruling.VACUOUS, witness=witness)

@claim("s3.1-ones", ONES)
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

@claim("s4-sections", RANDOMIZERS)
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

claim("s4-exp", ODDS, lambda q, eps: (1 - q <= eps * q, _private(q, eps), bool(1 - q <= exp(eps) * q)),
    show=lambda q, e: f"q = {q}: p/q = {(1 - q) / q} is above {e}, "
    + ("below" if _private(q, e) else "and above") + f" e^({e})")

@claim("s4-rappor", SHORT)
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
