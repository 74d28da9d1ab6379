r"""K16, section 6: records of several bits, the ratio through the counts of the vectors and of their set bits.

D holds n copies of 1 = 1...1, its "unit vector"; in D_m one of them is changed to 0 = 0...0. The reports y_1, ..., y_n
are pooled: with the vectors v_1 = 0...0, ..., v_{2^L} = 1...1 an outcome S is the counts s_1, s_2, ... of the vectors
among them. The section finds the ratio R = P(S|D_m)/P(S|D) to be the mean over the reports of

    w(v) = p(v|0)/p(v|1) = (p/q)^{L - 2l},  l bits of v being set.

P(S|D) and P(S|D_m) come from ``tests.oracles.vectors``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction as F
from itertools import combinations_with_replacement, product
from math import factorial, prod

from sympy import Rational

from dpcalc import KRandomization, symbolic, vector_delta
from dpcalc.local.bounds import variance
from dpcalc.notes.collections.ratios import compare, label
from dpcalc.notes.collections.records import bit_counts, query_pmf
from tests.notes.ledger.cases import FLIPS
from tests.notes.ledger.checking import same
from tests.notes.ledger.ledger import Answer, Ledger, Range
from tests.oracles.vectors import Counts, Vector, chance, counted, law, vectors

ledger = Ledger("K16")
claim, erratum = ledger.claim, ledger.erratum
# fmt: off

SIZES = ((1, 1), (2, 1), (4, 1), (1, 2), (2, 2), (3, 2), (2, 3))  # (n, L), whose outcomes are all tried
VECTORS = Range.of("L, q", "L <= 6, every vector, q = 1/4 and 2/5", range(1, 7), FLIPS)

class Outcome:
    """The reports S of a collection D, as a list; of the records the first is the one that changes."""

    def __init__(self, q: F, records: tuple[Vector, ...], reports: tuple[Vector, ...]) -> None:
        self.q, self.odds, self.records, self.reports = q, (1 - q) / q, records, reports
        self.n, self.bits = len(records), len(records[0])
        self.zero, self.one = (0,) * self.bits, (1,) * self.bits  # 0...0, and the document's unit vector 1...1
        self.changed = (self.zero, *records[1:])  # D_m
        self.counts = counted(reports, self.bits)  # s_i of the vectors v_i
        self.set_bits = tuple(map(sum, reports))  # of each report
        self.before, self.after = (law(side, q, self.bits)[self.counts] for side in (records, self.changed))
        self.ratio = self.after / self.before  # R = P(S|D_m)/P(S|D)

    def __str__(self) -> str:
        records, reports = (" ".join(map(label, side)) for side in (self.records, self.reports))
        return f"q = {self.q}, records {records}, reports {reports}"

    def less(self, i: int) -> Counts:
        """The counts with one v_i less."""
        return tuple(s - (j == i) for j, s in enumerate(self.counts))

    def given(self, v: Vector, y: Vector) -> F:
        """p(v|y)."""
        return chance(y, v, self.q)

    def likelihood(self, v: Vector) -> F:
        """w(v), by its definition."""
        return self.given(v, self.zero) / self.given(v, self.one)

    def power(self, ones: int) -> F:
        """(p/q)^{L - 2 ones}."""
        return F(self.odds ** (self.bits - 2 * ones))

    def without(self, i: int) -> F:
        """P(..., s_i - 1, ...|D'), D' being the records that do not change; 0 for a count of -1."""
        return law(self.records[1:], self.q, self.bits).get(self.less(i), F(0))

    def powers(self, counts: Counts) -> F:
        """prod_i p(v_i|1)^{s_i} for the given counts."""
        return F(prod(self.given(v, self.one) ** s for s, v in zip(counts, vectors(self.bits), strict=True)))

def orders(counts: Counts, trials: int | None = None) -> F:
    """N!/(s_1! s_2! ...), N being the sum of the counts unless ``trials`` is given."""
    return F(factorial(sum(counts) if trials is None else trials), prod(map(factorial, counts)))

def of_ones(sizes: Sequence[tuple[int, int]] = SIZES, flips: Sequence[F] = FLIPS) -> Iterator[Outcome]:
    """Every outcome of n records 1, for every size (n, L)."""
    for q, (n, bits) in product(flips, sizes):
        for reports in combinations_with_replacement(vectors(bits), n):
            yield Outcome(q, ((1,) * bits,) * n, reports)

def one_zero(*, zeros: bool) -> Iterator[Outcome]:
    """One report 0 and n - 1 reports s of n records 1, for every s; s = 0 only with ``zeros``."""
    for q, n, bits in product(FLIPS, (2, 3, 4), (1, 2, 3)):
        for s in vectors(bits)[0 if zeros else 1 :] if n * bits <= 9 else ():
            yield Outcome(q, ((1,) * bits,) * n, ((0,) * bits, *(s,) * (n - 1)))

UP_TO = "seven sizes up to (n, L) = (4, 1), (3, 2) and (2, 3)"
OUTCOMES = Range("case", f"{UP_TO}, q = 1/4 and 2/5, every outcome", of_ones)
PLACES = Range("case, i", f"{OUTCOMES.words} with s_1 >= 1, s_i >= 1",
    lambda: ((c, i) for c in OUTCOMES if c.counts[0] for i, s in enumerate(c.counts) if i and s))
COLLECTIONS = Range.of("size, q", OUTCOMES.words, SIZES, FLIPS)

def _with_place(case: Outcome, i: int) -> str:
    texts = ("{} against {}".format(*sides[:2]) for sides in both_sides(case, i))
    return "P(..., s_i - 1, ...|D') at {}, i = {}: {}; quotient {}".format(case, i + 1, *texts)

def solved() -> bool:
    """Whether the closed form of the least q solves the bound of (6.11), and is (4.45) for one bit."""
    lam, n, z, found = symbolic.lam, symbolic.n, symbolic.z, symbolic.vector_q()
    met = symbolic.second_moment().subs(symbolic.q, found)
    one_bit = same(found.subs(symbolic.L, 1), symbolic.closed_q().subs(symbolic.k, 1))
    return one_bit and same(met, 1 + n * (lam - 1) ** 2 / z**2)

def quotient_of(side: Callable[[Outcome, Vector], F], case: Outcome) -> F | None:
    """The value at y = 0 over that at y = 1, if that is not 0."""
    below = side(case, case.one)
    return side(case, case.zero) / below if below else None

def divided(case: Outcome, y: Vector) -> F:  # a side of (6.3)
    first, *rest = vectors(case.bits)
    terms = (case.without(i) / case.without(0) * case.given(v, y) for i, v in enumerate(rest, start=1))
    return sum(terms, case.given(first, y))

def multinomial(case: Outcome, i: int, trials: int | None = None) -> F:
    """The multinomial probability of S less one v_i; the factorial above the line is that of ``trials``."""
    return orders(case.less(i), trials) * case.powers(case.less(i))

def both_sides(case: Outcome, i: int) -> list[tuple[F, F, F]]:
    """What (6.4) has, what is true, and what it should have: for P(..., s_i - 1, ...|D'), and for the quotient."""
    trials, own = 2**case.bits, multinomial(case, i)
    said = orders(case.less(i), trials) / orders(case.less(0), trials) * case.powers(case.less(i))
    quotient = (said, case.without(i) / case.without(0), own / multinomial(case, 0))
    return [(multinomial(case, i, trials), case.without(i), multinomial(case, i, case.n - 1)), quotient]

def histogram_mean(case: Outcome) -> F:  # (6.10)
    return sum((s * case.power(ones) for ones, s in enumerate(bit_counts(case.counts))), F(0)) / case.n

@claim("s6.1.1-distinct", VECTORS)
def _(bits: int, q: F) -> Answer:
    found = {y: chance((1,) * bits, y, q) for y in vectors(bits)}
    return len(found) == 2**bits and min(found.values()) > 0 and sum(found.values()) == 1

claim("s6.1.1-subscript", Range.of("L", "L <= 6", range(1, 7)), lambda bits: (2 * bits, len(vectors(bits)), 2**bits))

@erratum("6.1")
def _() -> str:
    p, q = F(3, 4), F(1, 4)  # D' = {11}, y = 00, one report 01 and one 11: s_2 = s_4 = 1
    P = {"11": {"01": p * q, "11": p * p}, "00": {"01": p * q, "11": q * q}}  # P[x][v] is P(v|x)
    true = P["11"]["11"] * P["00"]["01"] + P["11"]["01"] * P["00"]["11"]
    printed = P["11"]["11"] * P["00"]["01"] + P["11"]["11"] * P["00"]["11"]  # s_2 - 1 beside v_4
    assert printed != true
    return f"q = 1/4, D' = 11, y = 00, reports 01 and 11: {printed} against {true}"

@erratum("6.2")
def _() -> str:
    p, q = F(3, 4), F(1, 4)  # D' = {11}, one report 01 and one 11: s_2 = s_4 = 1
    P = {"11": {"01": p * q, "11": p * p}, "00": {"01": p * q, "11": q * q}}  # P[x][v] is P(v|x)
    true = [P["11"]["11"] * P[y]["01"] + P["11"]["01"] * P[y]["11"] for y in P]
    printed = [P["11"]["11"] * P[y]["01"] + P["11"]["11"] * P[y]["11"] for y in P]  # s_2 - 1 beside v_4
    assert printed[1] / printed[0] != true[1] / true[0]
    return f"q = 1/4, D' = 11, reports 01 and 11: {printed[1] / printed[0]} against {true[1] / true[0]}"

claim("6.3", OUTCOMES, lambda case: (quotient_of(divided, case) if case.without(0) else None, case.ratio),
    only=lambda case: case.counts[0] > 0)

claim("s6.1.1-multinomial", OUTCOMES,
    lambda c: orders(c.counts) * c.powers(c.counts) == c.before == query_pmf(c.records, q=c.q)[c.counts])

claim("s6.1.1-trials", Range.of("n, L", "n <= 4, L <= 3", SIZES),
    lambda n, bits: (n, *{sum(s) for s in law(((1,) * bits,) * (n - 1), FLIPS[0], bits)}, n - 1),
    show=lambda n, bits: f"(n, L) = ({n}, {bits})")

claim("6.4", PLACES,
    lambda case, i: (all(said == true for said, true, _ in both_sides(case, i)), True,
        all(right == true for _, true, right in both_sides(case, i))), show=_with_place)

@claim("s6.1.1-sufficient", COLLECTIONS)
def _(size: tuple[int, int], q: F) -> Answer:
    outcomes, limit = list(of_ones([size], [q])), F(3, 2)
    ratios = {(bit_counts(one.counts), one.ratio) for one in outcomes}
    whole = compare(outcomes[0].records, outcomes[0].changed, q=q).delta(lam=limit)
    reduced = vector_delta(KRandomization(n=size[0], q=q, bits=size[1]), lam=limit).identical
    return len(ratios) == len({histogram for histogram, _ in ratios}) and whole.value == reduced.value

@claim("6.11", COLLECTIONS, given=solved)
def _(size: tuple[int, int], q: F) -> Answer:
    (n, bits), outcomes = size, list(of_ones([size], [q]))
    ratios = [(one.before, histogram_mean(one)) for one in outcomes]
    mean, second = (sum((own * r**power for own, r in ratios), F(0)) for power in (1, 2))
    one_report = sum((chance((1,) * bits, v, q) * outcomes[0].likelihood(v) ** 2 for v in vectors(bits)), F(0))
    point = {symbolic.q: Rational(q), symbolic.L: bits, symbolic.n: n}
    closed = [F(str(form.subs(point).doit())) for form in (symbolic.second_moment(), symbolic.ratio_variance(1))]
    right = mean == 1 and all(r == one.ratio for one, (_, r) in zip(outcomes, ratios, strict=True))
    moments = one_report == closed[0]
    return right and moments and second - 1 == (one_report - 1) / n == variance(n, 1, one_report - 1) == closed[1]
