"""EC: notes on epsilon-closeness and on randomized response with parameter alpha.

Closeness is ruled on for each of the document's four distances; what is true is counted row by row and event by event
on small tables: two classes, two sensitive values. In "Randomised response" p is the probability that a secret bit x_i
is 1; the lie probability is q = (1 - alpha)/2.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction as F
from functools import cache
from itertools import combinations, product
from math import comb, inf, prod
from typing import Any, TypeAlias

from sympy import Rational, Symbol, limit, simplify
from sympy import log as symbolic_log

from dpcalc import Enclosure, FiniteMechanism, NoSolution, estimate, required_n, symbolic, variance
from dpcalc.mechanisms.response import KRandomization, RandomizedResponse
from dpcalc.mechanisms.stochastic import in_simplex
from dpcalc.notes.anonymized.class_counts import class_counts
from dpcalc.notes.anonymized.closeness import closeness, n_closeness
from dpcalc.notes.anonymized.distance import DISTANCES, Distance, kullback_leibler, l1, variational, within
from dpcalc.notes.anonymized.subset import close_subset
from dpcalc.numbers.elementary import log
from tests.notes.definition import distance, histogram, record_neighbours, two_coins
from tests.notes.ledger.cases import deterministic, distributions, event_by_event, events, mechanisms
from tests.notes.ledger.checking import equal
from tests.notes.ledger.ledger import Answer, Finding, Known, Ledger, Range, Ruling
from tests.oracles.closeness import close

ledger = Ledger("EC")
claim, erratum = ledger.claim, ledger.erratum
# fmt: off

Table: TypeAlias = list[dict[str, int]]  # one mapping from column ("group", "ill") to value per row
Law: TypeAlias = tuple[F, ...]
P = Symbol("p", positive=True)

def tables(most: int = 8) -> Iterator[Table]:
    """Tables of two classes with up to 2 rows of either value, and with at most ``most`` rows."""
    for pair in product([c for c in product(range(3), repeat=2) if any(c)], repeat=2):
        if sum(map(sum, pair)) <= most:
            values = [(g, value, count) for g, counts in enumerate(pair) for value, count in enumerate(counts)]
            yield [{"group": g, "ill": value} for g, value, count in values for _ in range(count)]

def classes(table: Table) -> list[tuple[int, ...]]:  # the counts of both values in every class
    return [(c[0], c[1]) for c in class_counts(table, quasi="group", sensitive="ill").values()]

def totals(table: Table) -> tuple[int, ...]:  # the counts of both values in the whole table
    return tuple(map(sum, zip(*classes(table), strict=True)))

def shares(counts: tuple[int, ...]) -> Law:  # the distribution of the values: the counts over their sum
    return tuple(F(count, sum(counts)) for count in counts)

def values(rows: Table) -> tuple[int, ...]:  # the sensitive value of every row
    return tuple(row["ill"] for row in rows)

@cache
def drawn(values: tuple[int, ...]) -> Law:
    """The distribution of the value of a row drawn uniformly, added up row by row."""
    return tuple(sum((F(1, len(values)) for value in values if value == each), F(0)) for each in (0, 1))

def largest_gap(p: Law, q: Law) -> F:  # the largest difference of the probabilities of one event
    return max(abs(sum((p[i] - q[i] for i in event), F(0))) for event in events(len(p)))

def near(distance: str, rows: tuple[int, ...], others: tuple[int, ...], epsilon: F) -> bool:
    """Whether the distributions of the values are within epsilon."""
    return close(*([values.count(value) for value in (0, 1)] for values in (rows, others)), epsilon, distance)

NAMES = ("variational", "l1", "l2", "kullback-leibler")  # the document's list
TABLES = Range("case", "tables of two classes, up to 2 rows of either value in each", tables)
CLOSE = Range.of("D, table, epsilon", f"the four distances, {TABLES.words}, epsilon 0 to 1/2",
    NAMES, tables(), (F(0), F(1, 6), F(1, 4), F(1, 2)))
SUBSETS = Range("D, table, n, epsilon",
    "the four distances, tables of up to 3 rows, every subset, every n, epsilon 1/6 and 1/4",
    lambda: ((d, t, n, e) for d in NAMES for t in tables(3) for n in range(1, len(t) + 1) for e in (F(1, 6), F(1, 4))))
LAWS = Range.of("p, q", "pairs of distributions on 3 values, in thirds; every event", *[distributions(3, 3)] * 2)
COLUMNS = Range.of("names, column", "the uniform distribution over 1 to 5 operating systems",
    [tuple(f"system {i}" for i in range(size)) for size in range(1, 6)], ["operating system"])
THREES = product([{"age": a, "zip": code, "ill": ill} for a, code, ill in product(range(2), repeat=3)], repeat=3)
ENTRIES = Range.of("p, q", "classes of up to 3 entries of either value, against tables that have both",
    [p for p in product(range(4), repeat=2) if any(p)], product(range(1, 4), repeat=2))

# --- a table and its classes --------------------------------------------------------------------------------------
@claim("s-values", COLUMNS, show=lambda names, column: f"S = {{{column}}}: the sum is 0")
def _(names: tuple[str, ...], column: str) -> Answer:
    chances = dict.fromkeys(names, F(1, len(names)))
    return chances.get(column, 0) == 1, True, sum(chances[s] for s in names) == 1

claim("s-P_Q", TABLES,
    lambda table: in_simplex(shares(totals(table))) and shares(totals(table)) == drawn(values(table)))

@claim("s-one-class", Range.of("case", "tables of 3 rows, two quasi-identifying columns", THREES))
def _(table: tuple[dict[str, int], ...]) -> Answer:
    counts = class_counts(table, quasi=["age", "zip"], sensitive="ill")
    alike = {key: sum((row["age"], row["zip"]) == key for row in table) for key in counts}
    return all(sum(c.values()) == alike[key] for key, c in counts.items()) and sum(alike.values()) == 3

@claim("s-P_L", TABLES)
def _(table: Table) -> Answer:
    weighted = [[share * F(sum(c), len(table)) for share in shares(c)] for c in classes(table)]
    proper = all(in_simplex(shares(c)) for c in classes(table))
    return proper and tuple(map(sum, zip(*weighted, strict=True))) == drawn(values(table))

@claim("s-close-class", CLOSE, known=Known.DEFINITION)
def _(distance: str, table: Table, epsilon: F) -> Answer:
    found = closeness(table, quasi="group", sensitive="ill", epsilon=epsilon, distance=distance).classes
    return all(one.holds == near(distance, _values_in(table, one.key[0]), values(table), epsilon) for one in found)

@claim("s-close-dataset", CLOSE, known=Known.DEFINITION)
def _(distance: str, table: Table, epsilon: F) -> Answer:
    said = closeness(table, quasi="group", sensitive="ill", epsilon=epsilon, distance=distance).holds
    groups = {row["group"] for row in table}
    return said, all(near(distance, _values_in(table, group), values(table), epsilon) for group in groups)

def _values_in(table: Table, group: object) -> tuple[int, ...]:
    return values([row for row in table if row["group"] == group])

# --- distances ----------------------------------------------------------------------------------------------------
@claim("s-measure")
def _() -> Finding:
    found = [n for n, d in DISTANCES.items() if not all(_ends(d(p, q)) == _ends(d(q, p)) for p, q in LAWS)]
    forth, back = kullback_leibler([1, 3], [1, 1]), kullback_leibler([1, 1], [1, 3])
    right = found == ["kullback-leibler"] and _ends(forth)[1] < _ends(back)[0]
    witness = f"(1/4, 3/4), (1/2, 1/2): {forth} and back {back}"
    return Finding(Ruling.PROVEN if right else Ruling.REFUTED, witness=witness)

@claim("s-norms", Range.of("p, q, r", "triples of distributions on 3 values in halves", *[distributions(3, 2)] * 3))
def _(p: Law, q: Law, r: Law) -> Answer:
    a, b, c = (sum((x - y) ** 2 for x, y in zip(*pair, strict=True)) for pair in ((p, r), (p, q), (q, r)))
    nothing = within(p, q, F(0), distance="l2") == (p == q) == (l1(p, q) == 0)
    return nothing and l1(p, r) <= l1(p, q).value + l1(q, r).value and (a <= b + c or (a - b - c) ** 2 <= 4 * b * c)

claim("s-variational", LAWS,
    lambda p, q: sum(map(abs, map(F.__sub__, p, q))) / 2 == largest_gap(p, q) == variational(p, q).value)

@claim("s-KL", ENTRIES, given=lambda: limit(P * symbolic_log(P), P, 0) == 0)
def _(p: tuple[int, ...], q: tuple[int, ...]) -> Answer:
    terms = zip(p, shares(p), shares(q), strict=True)
    mean = log(prod(((here / there) ** entries for entries, here, there in terms), start=F(1))) / sum(p)
    lower, upper = _ends(kullback_leibler(p, q))
    return lower <= mean.upper and mean.lower <= upper < inf and upper - lower <= F(1, 10**15)

def _ends(x: Distance) -> tuple[F | float, F | float]:
    return (x.lower, x.upper) if isinstance(x, Enclosure) else (x, x)

# --- classes close to a subset ------------------------------------------------------------------------------------
@claim("s-n-close-class", SUBSETS, known=Known.DEFINITION)
def _(distance: str, table: Table, n: int, epsilon: F) -> Answer:
    first = classes(table)[0]
    found = close_subset([first], totals(table), n=n, epsilon=epsilon, distance=distance) is not None
    return found == _exists(distance, table, n, epsilon, [table[0]["group"]]) and (found or sum(first) < n)

@claim("s-n-close-partition", SUBSETS, known=Known.DEFINITION)
def _(distance: str, table: Table, n: int, epsilon: F) -> Answer:
    said = n_closeness(table, quasi="group", sensitive="ill", epsilon=epsilon, n=n, distance=distance).holds
    return said, _exists(distance, table, n, epsilon, sorted({row["group"] for row in table}))

@claim("s-n-close-each")
def _() -> Finding:
    two = next(table for table in tables(4) if classes(table) == [(2, 0), (0, 2)])
    alone = all(_exists(d, two, 2, F(1, 4), [group]) for d in NAMES for group in (0, 1))
    together = any(_exists(d, two, 2, F(1, 4), [0, 1]) for d in NAMES)
    one_for_all = all(_exists(d, t, n, e, [g]) for d, t, n, e in SUBSETS if _exists(d, t, n, e, [0, 1]) for g in (0, 1))
    right, witness = one_for_all and alone and not together, "classes (2, 0) and (0, 2), n = 2, epsilon = 1/4, every D"
    return Finding(Ruling.PROVEN if right else Ruling.REFUTED, witness=witness)

def _exists(distance: str, table: Table, n: int, epsilon: F, groups: list[int]) -> bool:
    """Whether some set of at least n rows is close to all these classes: every set is tried."""
    sets = (rows for size in range(n, len(table) + 1) for rows in combinations(values(table), size))
    return any(all(near(distance, _values_in(table, group), rows, epsilon) for group in groups) for rows in sets)

COINS = Range.of("x, y", "two fair coins, both values, both answers", (0, 1), (0, 1), whole=True)
_ALPHAS = [F(i, 6) for i in range(1, 6)]

def _rows(alpha: F) -> list[list[F]]:  # P[y_i = y | x_i = x], by enumeration of the choice and of r_i
    return [[alpha * (x == y) + sum((1 - alpha) / 2 for r in (0, 1) if r == y) for y in (0, 1)] for x in (0, 1)]

# --- the protocol -------------------------------------------------------------------------------------------------
claim("s-deniability", Range.of("alpha", "alpha = 0 to 5/6", [F(0), *_ALPHAS]),
    lambda alpha: min(map(min, _rows(alpha))) == (1 - alpha) / 2 > 0)

@claim("s-flip", COINS, holds=True)
def _(x: int, y: int) -> Answer:
    tosses = [(second if first else x) == y for first, second in product((0, 1), repeat=2)]
    return F(sum(tosses), len(tosses)) == _rows(F(1, 2))[x][y] == two_coins().matrix[x][y]

claim("s-y", Range.of("alpha, x", "alpha = 1/6 to 5/6, both values", _ALPHAS, (0, 1)),
    lambda alpha, x: _rows(alpha)[x][1 - x] == RandomizedResponse.from_alpha(alpha).q)

@claim("s-alpha-0")
def _() -> Finding:
    coin = FiniteMechanism(_rows(F(0)))
    return Finding(Ruling.PROVEN if coin.lam() == 1 and coin.delta(lam=1) == 0 else Ruling.REFUTED)

# --- the estimator ------------------------------------------------------------------------------------------------
@erratum("s-mean-y-step")
def _() -> str:
    alpha, p = F(1, 2), F(1)
    Ex, Er, Ey = p, F(1, 2), alpha * p + (1 - alpha) * F(1, 2)
    assert Ey == F(3, 4) == alpha * Ex + (1 - alpha) * Er != alpha * Ex + (1 - alpha) * Ey
    return f"alpha = 1/2, p = 1: {alpha * Ex + (1 - alpha) * Ey} against {Ey}"

claim("s-experiment",
    lambda: equal(F(1, 2), estimate(KRandomization.from_alpha(n=18, alpha="1/2"), 9).fraction, over="the experiment"))

_N = symbolic.n
_Weighted = list[tuple[F, F]]

# --- the accuracy -------------------------------------------------------------------------------------------------
def _chances(alpha: F, n: int) -> list[tuple[F, ...]]:
    """P[y_i = 1] of n persons: every fixed vector of bits, and bits drawn with probability 1/3."""
    q = (1 - alpha) / 2
    return [tuple(q + alpha * x for x in bits) for bits in product((0, 1), repeat=n)] + [(q + alpha / 3,) * n]

def _estimates(alpha: F, chances: tuple[F, ...]) -> _Weighted:
    """Every value of p-hat with its probability, report by report."""
    weighed = product(*[((0, 1 - w), (1, w)) for w in chances])
    reports = [(F(sum(y for y, _ in each), len(each)), prod((w for _, w in each), start=F(1))) for each in weighed]
    return [((mean - (1 - alpha) / 2) / alpha, weight) for mean, weight in reports]

def _counted(n: int, alpha: F, p: F) -> _Weighted:
    """Every value of p-hat with its probability, Y being binomial."""
    w, shift = alpha * p + (1 - alpha) / 2, (1 - alpha) / 2
    return [((F(y, n) - shift) / alpha, comb(n, y) * w**y * (1 - w) ** (n - y)) for y in range(n + 1)]

def _mean(values: _Weighted) -> F:
    return sum((value * weight for value, weight in values), F(0))

def _variance(values: _Weighted) -> F:
    return sum((weight * (value - _mean(values)) ** 2 for value, weight in values), F(0))

def _variance_of(n: int, alpha: F, p: F) -> F:  # Var(p-hat), as dpcalc has it
    return variance(KRandomization.from_alpha(n=n, alpha=alpha), fraction=p) / n**2

SETTINGS = Range.of("n, alpha, p", "n = 1, 2, 5, alpha = 1/3, 1/2, p = 0, 1/3, 1/2",
    (1, 2, 5), (F(1, 3), F(1, 2)), (F(0), F(1, 3), F(1, 2)))
PERSONS = Range("alpha, chances", "n = 1 to 3 persons, x_i fixed or drawn, every report",
    lambda: ((alpha, chances) for alpha in (F(1, 3), F(1, 2)) for n in (1, 2, 3) for chances in _chances(alpha, n)))
GROWTH = Range.of("power, c, case", "the error and its square, 2 to 4 times as many samples",
    (2, 1), (4, 2, 3), list(SETTINGS))
THIRDS = Range.of("M, lambda", "mechanisms of 3 outcomes in thirds, lambda 1 and 2", mechanisms(2, 3, 3), (1, 2))
MAPS = Range.of("case", "deterministic algorithms of two bits with two answers",
    product(range(2), repeat=4), whole=True)
ROWS = Range.of("x, row", "datasets of two bits, distributions of three answers in thirds",
    range(4), distributions(3, 3))

def _half_takes_four() -> bool:  # whether half the error takes four times the samples
    root = simplify(symbolic.sigma().subs(_N, 4 * _N) / (4 * _N) / (symbolic.sigma() / _N))
    whole, half = (required_n(error=e, confidence="0.95", q="1/4", method="chebyshev") for e in ("0.1", "0.05"))
    return bool(half == 4 * whole and root == Rational(1, 2))

def _left(power: int, c: int, case: tuple[int, F, F]) -> F:
    """The share of the standard deviation's power that c times the samples leave, squared."""
    return (_variance(_counted(c * case[0], *case[1:])) / _variance(_counted(*case))) ** power

@claim("s-var-constant", PERSONS)
def _(alpha: F, chances: tuple[F, ...]) -> Answer:
    values, moved = _estimates(alpha, chances), (1 - alpha) / (2 * alpha) - alpha * (1 - alpha) / 2
    left_to_right = [(value + moved, weight) for value, weight in values]
    squares = sum(weight * value**2 for value, weight in left_to_right)
    return _mean(left_to_right) == _mean(values) + moved and squares - _mean(left_to_right) ** 2 == _variance(values)

claim("s-var-sum", PERSONS,
    lambda a, ws: (_variance(_estimates(a, ws)), sum(w * (1 - w) for w in ws) / (a * len(ws)) ** 2))

@claim("s-chebyshev", SETTINGS)
def _(n: int, alpha: F, p: F) -> Answer:
    values, limit = _counted(n, alpha, p), _variance_of(n, alpha, p)
    beyond = {e: sum(w for value, w in values if abs(value - p) >= e) for e in (F(1, 5), F(1, 2), F(1))}
    return _mean(values) == p and all(chance <= limit / e**2 for e, chance in beyond.items())

@erratum("s-linear")
def _() -> str:
    def bound(n: int) -> F:  # alpha = 1/2, epsilon = 1/10
        return F(1) / (F(1, 2) ** 2 * n * F(1, 10) ** 2)

    assert bound(2000) == bound(1000) / 2 != bound(1000) * 2
    return f"2,000 samples for 1,000: {bound(2000) / bound(1000)} of the bound"

claim("s-accuracy", GROWTH, lambda power, c, case: _left(power, c, case) == F(1, c**2), given=_half_takes_four,
    only=lambda power, c, case: power == 2, sharp=True,
    show=lambda u, c, x: f"{c} n samples, n = {x[0]}: the error's square is {_left(u, c, x)} of that with n")

# --- differential privacy -----------------------------------------------------------------------------------------
claim("s-randomized", MAPS, lambda m: _private_at_all(deterministic(m, 2)) == (len(set(m)) == 1))

@claim("s-of-algorithm", ROWS)
def _(x: int, row: tuple[F, ...]) -> Answer:
    other = [F(int(s == row.index(min(row)))) for s in range(len(row))]
    constant = FiniteMechanism([row] * 4, record_neighbours(_datasets(2)))
    return constant.is_private(lam=1).holds and not _private_at_all([row if y == x else other for y in range(4)])

@claim("s-neighbours", Range.of("n, values", "n = 1 to 3 elements, 2 or 3 values", (1, 2, 3), (2, 3)))
def _(n: int, values: int) -> Answer:
    data = list(product(range(values), repeat=n))
    pairs = record_neighbours(data)
    apart = {distance(*(histogram(data[end], range(values)) for end in pair)) for pair in pairs}
    return 2 * len(pairs) == n * values**n * (values - 1) and apart == {2}

@claim("s-dp", THIRDS)
def _(m: FiniteMechanism, lam: int) -> Answer:
    single = all(a <= lam * b for x, y in m.ordered() for a, b in zip(m.matrix[x], m.matrix[y], strict=True))
    return event_by_event(m, lam) == single == m.is_private(lam=lam).holds

def _datasets(n: int) -> list[tuple[int, ...]]:
    return list(product(range(2), repeat=n))

def _private_at_all(rows: Any) -> bool:
    """Whether some epsilon will do, with delta = 0, for a mechanism on datasets of two bits."""
    try:
        FiniteMechanism(rows, record_neighbours(_datasets(2))).lam()
    except NoSolution:
        return False
    return True

CLAIMS = ledger.claims
