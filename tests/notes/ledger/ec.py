"""EC: notes on epsilon-closeness and on randomized response with parameter alpha.

Closeness is ruled on for each of the document's four distances; what is true is counted row by row and event by event
on small tables: two classes, two sensitive values. In "Randomised response" p is the probability that a secret bit x_i
is 1; the lie probability is q = (1 - alpha)/2.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction as F
from functools import cache
from itertools import combinations, pairwise, product
from math import comb, inf, prod
from typing import Any, TypeAlias

from sympy import Expr, IndexedBase, Rational, Sum, Symbol, diff, expand, limit, simplify, symbols
from sympy import log as symbolic_log

from dpcalc import Enclosure, FiniteMechanism, NoSolution, estimate, required_n, symbolic, variance
from dpcalc.mechanisms.response import KRandomization, RandomizedResponse
from dpcalc.mechanisms.stochastic import deterministic, in_simplex
from dpcalc.notes.anonymized.class_counts import class_counts
from dpcalc.notes.anonymized.closeness import closeness, n_closeness
from dpcalc.notes.anonymized.distance import DISTANCES, Distance, kullback_leibler, l1, variational, within
from dpcalc.notes.anonymized.subset import close_subset
from dpcalc.notes.finite.definition import event_criterion, outcome_criterion
from dpcalc.notes.finite.mixture import two_coins
from dpcalc.notes.finite.neighbours import distance, histogram, record_neighbours
from dpcalc.numbers.elementary import log
from tests.notes.ledger.cases import distributions, event_by_event, events, mechanisms
from tests.notes.ledger.checking import all_of, equal, identity, same, sure
from tests.notes.ledger.ledger import Answer, Finding, Known, Ledger, Range, Ruling

ledger = Ledger("EC")
claim, family, script = ledger.claim, ledger.family, ledger.script
# fmt: off

Table: TypeAlias = list[dict[str, int]]  # one mapping from column ("group", "ill") to value per row
Law: TypeAlias = tuple[F, ...]
ALPHA, P = symbols("alpha p", positive=True)

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

@cache
def near(distance: str, rows: tuple[int, ...], others: tuple[int, ...], epsilon: F) -> bool:
    """Whether the distributions of the values are within epsilon, by what the distance means."""
    p, q = drawn(rows), drawn(others)
    gaps = [a - b for a, b in zip(p, q, strict=True)]
    if distance == "kullback-leibler":  # the mean log-likelihood ratio of the rows
        if any(a and not b for a, b in zip(p, q, strict=True)):
            return False
        likelihoods = prod((p[value] / q[value] for value in rows), start=F(1))
        return likelihoods == 1 or log(likelihoods) <= epsilon * len(rows)
    if distance == "l2":
        return sum(gap**2 for gap in gaps) <= epsilon**2
    return (largest_gap(p, q) if distance == "variational" else sum(map(abs, gaps))) <= epsilon

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
@claim("s-values", COLUMNS, show=lambda names, column: f"S = {{{column}}}: the sum is 0", text="""
    Epsilon-Closeness, first lines: S = {s} is the set of the one sensitive attribute, and the probabilities P(A = s) of
    its elements sum to 1. Quote: `S = {s}` ... `Sum of P(A = s) for s in S = 1` Shown: S = {attribute} vs S = set of
    its values
    Why: A takes values of the attribute, not the attribute itself: the sum is over the set of its values. From there on
    the document reads S so. (Were S = {s} meant with one value s, all distributions would be equal.)""")
def _(names: tuple[str, ...], column: str) -> Answer:
    chances = dict.fromkeys(names, F(1, len(names)))
    return chances.get(column, 0) == 1, True, sum(chances[s] for s in names) == 1
@script
def _() -> None:
    A = {"linux": F(1, 3), "mac": F(1, 3), "windows": F(1, 3)}  # uniform over operating system
    S = ["operating system"]
    assert sum(A.get(s, 0) for s in S) == 0
    assert sum(A[s] for s in A) == 1

claim("s-P_Q", TABLES,
    lambda table: in_simplex(shares(totals(table))) and shares(totals(table)) == drawn(values(table)), """
    Epsilon-Closeness, P_Q: The number of entries with value s over the number of all entries is a distribution on the
    values. Shown: count / entries vs P of a random entry
    Why: Every entry has exactly one value: the counts are >= 0 and sum to the number of entries. It is the distribution
    of the value of one entry drawn uniformly.""")

@claim("s-one-class", Range.of("case", "tables of 3 rows, two quasi-identifying columns", THREES), """
    Epsilon-Closeness, 'When observer learns': Who knows the quasi-identifying values of an entry is left with one
    equivalence class. Shown: one class
    Why: Agreeing in all of them is an equivalence relation: the classes are disjoint and cover the table.""")
def _(table: tuple[dict[str, int], ...]) -> Answer:
    counts = class_counts(table, quasi=["age", "zip"], sensitive="ill")
    alike = {key: sum((row["age"], row["zip"]) == key for row in table) for key in counts}
    return all(sum(c.values()) == alike[key] for key, c in counts.items()) and sum(alike.values()) == 3

ledger.empty("s-goal", Known.UNCHECKED, """Epsilon-Closeness, 'Goal': What the observer knows in the end should be as
    close as possible to the a priori assumption A. Shown: close to A vs a goal; closeness is to P_Q
    Why: A goal is neither true nor false. What is defined serves it in part. The definitions compare P_L with the
    statistics P_Q of the dataset, which may be far from A: D(P_L, A) <= D(P_L, P_Q) + D(P_Q, A), and closeness bounds
    the first term only, what knowing the class adds to knowing the dataset. If all entries have the first of two
    values, every class is 0-close, and at the distance 1/2 from A = (1/2, 1/2).""")

@claim("s-P_L", TABLES, """Epsilon-Closeness, P_L: The number of entries of class C with value s over the number of
    entries of C is a distribution. Shown: count in C / entries of C vs sum |C|/N P_L = P_Q
    Why: As for P_Q. Weighted with the classes' shares of the table, the P_L average to P_Q.""")
def _(table: Table) -> Answer:
    weighted = [[share * F(sum(c), len(table)) for share in shares(c)] for c in classes(table)]
    proper = all(in_simplex(shares(c)) for c in classes(table))
    return proper and tuple(map(sum, zip(*weighted, strict=True))) == drawn(values(table))

@claim("s-close-class", CLOSE, known=Known.DEFINITION, text="""
    Epsilon-closeness, first definition: A class is epsilon-close to the dataset if D(P_L, P_Q) is at most epsilon.
    Assuming: D one of the four that are listed Shown: D(P_L, P_Q) <= epsilon
    Why: A definition; the check tests dpcalc, for each D by what it means: the largest gain of an event, for the
    variational distance, sums of absolute or squared differences for the norms, and the log-likelihood ratio of the
    class's rows for the Kullback-Leibler divergence.""")
def _(distance: str, table: Table, epsilon: F) -> Answer:
    found = closeness(table, quasi="group", sensitive="ill", epsilon=epsilon, distance=distance).classes
    return all(one.holds == near(distance, _values_in(table, one.key[0]), values(table), epsilon) for one in found)

@claim("s-close-dataset", CLOSE, known=Known.DEFINITION, text="""
    Epsilon-closeness, second definition: A dataset has epsilon-closeness if all of its classes are epsilon-close to it.
    Assuming: D one of the four that are listed Shown: every class vs max D(P_L, P_Q) <= epsilon
    Why: A definition; the check tests dpcalc: all classes have to be close.""")
def _(distance: str, table: Table, epsilon: F) -> Answer:
    said = closeness(table, quasi="group", sensitive="ill", epsilon=epsilon, distance=distance).holds
    groups = {row["group"] for row in table}
    return said, all(near(distance, _values_in(table, group), values(table), epsilon) for group in groups)

def _values_in(table: Table, group: object) -> tuple[int, ...]:
    return values([row for row in table if row["group"] == group])

# --- distances ----------------------------------------------------------------------------------------------------
@claim("s-measure", """Epsilon-closeness, 'D is a distance': Not every D of the list is a distance in the mathematical
    sense. Shown: not necessarily a metric vs Kullback-Leibler is none
    Why: The Kullback-Leibler divergence is not symmetric: of (1, 0) from (1/2, 1/2) it is log 2. Back it is infinite.
    Without zeros: (1/4, 3/4) and (1/2, 1/2), there and back, differ in certified digits. The other distances of the
    list are symmetric.""")
def _() -> Finding:
    found = [n for n, d in DISTANCES.items() if not all(_ends(d(p, q)) == _ends(d(q, p)) for p, q in LAWS)]
    forth, back = kullback_leibler([1, 3], [1, 1]), kullback_leibler([1, 1], [1, 3])
    right = found == ["kullback-leibler"] and _ends(forth)[1] < _ends(back)[0]
    witness = f"(1/4, 3/4), (1/2, 1/2): {forth} and back {back}"
    return Finding(Ruling.PROVEN if right else Ruling.REFUTED, witness=witness)

@claim("s-norms", Range.of("p, q, r", "triples of distributions on 3 values in halves", *[distributions(3, 2)] * 3), """
    Epsilon-closeness, list of D: The L2 norm and the L1 norm (of P_L - P_Q) are examples of a distance between
    distributions. Shown: ||P_L - P_Q|| vs metrics
    Why: A norm of the difference is symmetric, 0 only for equal arguments, and obeys the triangle rule. L2: by Cauchy
    and Schwarz; for squares a, b, c, sqrt(a) <= sqrt(b) + sqrt(c) if and only if a - b - c is negative or its square at
    most 4 b c.""")
def _(p: Law, q: Law, r: Law) -> Answer:
    a, b, c = (sum((x - y) ** 2 for x, y in zip(*pair, strict=True)) for pair in ((p, r), (p, q), (q, r)))
    nothing = within(p, q, F(0), distance="l2") == (p == q) == (l1(p, q) == 0)
    return nothing and l1(p, r) <= l1(p, q).value + l1(q, r).value and (a <= b + c or (a - b - c) ** 2 <= 4 * b * c)

claim("s-variational", LAWS,
    lambda p, q: sum(map(abs, map(F.__sub__, p, q))) / 2 == largest_gap(p, q) == variational(p, q).value, """
    Epsilon-closeness, variational distance: The variational distance is 1/2 sum_s |P_L(s) - P_Q(s)|. Shown: 1/2 sum
    |P_L - P_Q| vs max |P_L(E) - P_Q(E)|
    Why: It is the largest difference of the probabilities of one event, attained at {s : P_L(s) > P_Q(s)}. The positive
    differences sum to what the negative ones do, as both distributions sum to 1: each to half the total.""")

@claim("s-KL", ENTRIES, given=lambda: limit(P * symbolic_log(P), P, 0) == 0, text="""
    Epsilon-closeness, Kullback-Leibler divergence: The Kullback-Leibler divergence is sum_s P_L(s) log(P_L(s) /
    P_Q(s)). Assuming: 0 log 0 = 0, the limit; infinite where P_Q(s) = 0 < P_L(s), which no class has against its own
    table Shown: sum P_L log(P_L / P_Q) vs mean log-likelihood ratio
    Why: It is the mean log-likelihood ratio: m D = log prod_s (P_L(s)/P_Q(s))^(entries of value s). m is the number of
    entries of the class; a value that does not occur in it has the exponent 0.""")
def _(p: tuple[int, ...], q: tuple[int, ...]) -> Answer:
    terms = zip(p, shares(p), shares(q), strict=True)
    mean = log(prod(((here / there) ** entries for entries, here, there in terms), start=F(1))) / sum(p)
    lower, upper = _ends(kullback_leibler(p, q))
    return lower <= mean.upper and mean.lower <= upper < inf and upper - lower <= F(1, 10**15)

def _ends(x: Distance) -> tuple[F | float, F | float]:
    return (x.lower, x.upper) if isinstance(x, Enclosure) else (x, x)

# --- classes close to a subset ------------------------------------------------------------------------------------
@claim("s-n-close-class", SUBSETS, known=Known.DEFINITION, text="""n-epsilon-closeness, first definition: A class is (n,
    epsilon)-close if some subset M of at least n entries has D(P_L, P_{Q|M}) at most epsilon. Assuming: D one of the
    four that are listed Shown: some M with |M| >= n vs some counts m_s, sum >= n
    Why: A definition; the check tests dpcalc: D sees M only through its counts, and its search by counts finds what
    trying every M does. A class of n entries or more is always close: it is its own M, at distance 0. So the definition
    restricts smaller classes only. With n the size of the dataset it is epsilon-closeness.""")
def _(distance: str, table: Table, n: int, epsilon: F) -> Answer:
    first = classes(table)[0]
    found = close_subset([first], totals(table), n=n, epsilon=epsilon, distance=distance) is not None
    return found == _exists(distance, table, n, epsilon, [table[0]["group"]]) and (found or sum(first) < n)

@claim("s-n-close-partition", SUBSETS, known=Known.DEFINITION, text="""
    n-epsilon-closeness, second definition: A partitioning is (n, epsilon)-close if one subset M of at least n entries
    does for each class. Assuming: D one of the four that are listed Shown: one M for each class
    Why: A definition; the check tests dpcalc: the search by counts finds such an M exactly when trying every set of
    rows does.""")
def _(distance: str, table: Table, n: int, epsilon: F) -> Answer:
    said = n_closeness(table, quasi="group", sensitive="ill", epsilon=epsilon, n=n, distance=distance).holds
    return said, _exists(distance, table, n, epsilon, sorted({row["group"] for row in table}))

@claim("s-n-close-each", """n-epsilon-closeness, 'each': Closeness of the partitioning (one M for each class) is more
    than closeness of each class (an M of its own). Assuming: D one of the four that are listed Shown: each class, the
    same M vs more than each class alone
    Why: One M for all is an M for each, whatever D is. The converse fails for all four D: rows no, no in one class,
    yes, yes in another. With n = 2 each class is its own M, at distance 0. One M would be within 1/4 of both, of which
    one is at least half its rows away.""")
def _() -> Finding:
    two = next(table for table in tables(4) if classes(table) == [(2, 0), (0, 2)])
    alone = all(_exists(d, two, 2, F(1, 4), [group]) for d in NAMES for group in (0, 1))
    together = any(_exists(d, two, 2, F(1, 4), [0, 1]) for d in NAMES)
    one_for_all = all(_exists(d, t, n, e, [g]) for d, t, n, e in SUBSETS if _exists(d, t, n, e, [0, 1]) for g in (0, 1))
    right, witness = one_for_all and alone and not together, "classes (2, 0) and (0, 2), n = 2, epsilon = 1/4, every D"
    return Finding(Ruling.PROVEN if right else Ruling.REFUTED, witness=witness)

ledger.empty("s-any-subset", Known.DEFINITION, """n-epsilon-closeness, last sentence: Any subset of sufficient size is
    used as a reference, to hide the distribution disclosed. Shown: any subset vs some subset, as defined before
    Why: The purpose, in words. Read as 'some subset' it repeats the definition, which is checked above.""")

def _exists(distance: str, table: Table, n: int, epsilon: F, groups: list[int]) -> bool:
    """Whether some set of at least n rows is close to all these classes: every set is tried."""
    sets = (rows for size in range(n, len(table) + 1) for rows in combinations(values(table), size))
    return any(all(near(distance, _values_in(table, group), rows, epsilon) for group in groups) for rows in sets)

_LIE = {symbolic.k: 1, symbolic.q: (1 - ALPHA) / 2}
_POINT = {ALPHA: Rational(1, 3), P: Rational(1, 5), symbolic.n: 11}
COINS = Range.of("x, y", "two fair coins, both values, both answers", (0, 1), (0, 1), whole=True)
_ALPHAS = [F(i, 6) for i in range(1, 6)]

def mean_report() -> Expr:  # E[y_i], by enumeration of the secret bit, of the choice and of the random bit
    cases = product(_bit(P), _bit(ALPHA), _bit(Rational(1, 2)))
    return expand(sum(p_x * p_true * p_r * (x if truthful else r) for (x, p_x), (truthful, p_true), (r, p_r) in cases))

def _bit(chance: Expr) -> tuple[tuple[int, Expr], tuple[int, Expr]]:
    """The values of a bit with their probabilities."""
    return (1, chance), (0, 1 - chance)

def _rows(alpha: F) -> list[list[F]]:  # P[y_i = y | x_i = x], by enumeration of the choice and of r_i
    return [[alpha * (x == y) + sum((1 - alpha) / 2 for r in (0, 1) if r == y) for y in (0, 1)] for x in (0, 1)]

# --- the protocol -------------------------------------------------------------------------------------------------
claim("s-deniability", Range.of("alpha", "alpha = 0 to 5/6", [F(0), *_ALPHAS]),
    lambda alpha: min(map(min, _rows(alpha))) == (1 - alpha) / 2 > 0, """Randomised response, 'Idea': Randomization adds
    `deniability`. Assuming: alpha < 1 Exact: P[y_i = y] >= (1 - alpha)/2
    Why: Either answer is possible whatever the truth: the less likely one has chance (1 - alpha)/2 > 0. So an answer
    changes the odds on x_i by (1 + alpha)/(1 - alpha) at most. With alpha = 1 an answer is proof.""")

@claim("s-flip", COINS, holds=True, text="""Randomised response, 'Flip bit': A flipped bit decides between the actual
    answer and a new random bit: an instance of y_i below. Shown: 0: actual, 1: random vs alpha = 1/2
    Why: Both coins are fair: alpha = 1/2, and the answer is actual with probability 1/2 + 1/2 * 1/2 = 3/4.""")
def _(x: int, y: int) -> Answer:
    tosses = [(second if first else x) == y for first, second in product((0, 1), repeat=2)]
    return F(sum(tosses), len(tosses)) == _rows(F(1, 2))[x][y] == two_coins().matrix[x][y]

claim("s-y", Range.of("alpha, x", "alpha = 1/6 to 5/6, both values", _ALPHAS, (0, 1)),
    lambda alpha, x: _rows(alpha)[x][1 - x] == RandomizedResponse.from_alpha(alpha).q, """
    Randomised response, 'Formal': y_i is x_i with probability alpha, and a uniform bit r_i otherwise. Shown: x_i or r_i
    vs q = (1 - alpha)/2
    Why: The report lies if r_i is used and is not x_i: with probability q = (1 - alpha)/2, for any x_i.""")

@claim("s-alpha-0", """Randomised response, 'alpha = 0': alpha = 0 is `full privacy`. Exact: lambda = 1, delta = 0
    Why: Every report is a fair coin, for both values: (0, 0)-private. Nothing can be estimated, then.""")
def _() -> Finding:
    coin = FiniteMechanism(_rows(F(0)))
    return Finding(Ruling.PROVEN if coin.lam() == 1 and coin.delta(lam=1) == 0 else Ruling.REFUTED)

@claim("s-alpha-1", """Randomised response, 'alpha = 1': alpha = 1 is `full utility`. Exact: p-hat = share of ones
    Why: Every report is the value itself, so p-hat is the fraction of ones among the n persons. The variance that the
    reports add is 0 at q = 0. There is no privacy: delta = 1.""")
def _() -> Finding:
    sure(symbolic.variance().subs(_LIE).subs(ALPHA, 1) == 0, "the reports add noise at alpha = 1")
    sure(FiniteMechanism(_rows(F(1))).delta(lam=10**9) == 1, "alpha = 1 is private")
    fraction = (symbolic.estimate().subs(_LIE) / symbolic.n).subs(ALPHA, 1)
    return identity(symbolic.s / symbolic.n, fraction, at={symbolic.s: 5, symbolic.n: 9})

@claim("s-tradeoff", """Randomised response, 'Allows': alpha trades privacy for utility. Shown: tradeoff vs lambda = (1
    + alpha)/(1 - alpha) grows, Var falls
    Why: lambda = (1 + alpha)/(1 - alpha), that is epsilon = ln of it, grows with alpha: less privacy. Its derivative is
    2/(1 - alpha)^2 > 0. The variance of p-hat, 1/(4 alpha^2 n) - (p - 1/2)^2/n, has the derivative -1/(2 alpha^3 n) <
    0: more utility.""")
def _() -> Finding:
    leaks, spreads = [FiniteMechanism(_rows(a)).lam() for a in _ALPHAS], [_variance_of(5, a, F(1, 3)) for a in _ALPHAS]
    odds = [RandomizedResponse.from_alpha(a).odds for a in _ALPHAS]
    sure(leaks == odds == [(1 + a) / (1 - a) for a in _ALPHAS], "the odds are other ones")
    sure(all(a < b for side in (leaks, spreads[::-1]) for a, b in pairwise(side)), "there is no tradeoff")
    ratio = (1 + ALPHA) / (1 - ALPHA)
    spread = symbolic.variance().subs(_LIE) / symbolic.n**2 + P * (1 - P) / symbolic.n
    return all_of(
        identity(diff(ratio, ALPHA), 2 / (1 - ALPHA) ** 2, at=_POINT),
        identity(diff(spread, ALPHA), -1 / (2 * ALPHA**3 * symbolic.n), at=_POINT),
    )

# --- the estimator ------------------------------------------------------------------------------------------------
@claim("s-mean-x", """Randomised response, 'E[x_i] = p': If x_i is 1 with probability p, then E[x_i] = `p`.
    Why: 1 * p + 0 * (1 - p). Computed as the mean share of ones over all values of three secrets.""")
def _() -> Finding:
    vectors = list(product(_bit(P), repeat=3))
    total = sum(prod(chance for _, chance in v) * sum(x for x, _ in v) for v in vectors)
    return identity(P, expand(total / 3), at={P: Rational(1, 3)})

@claim("s-mean-y-step", """Randomised response, the line of E[y_i], middle: E[y_i] = `alpha E[x_i] + (1 - alpha)
    E[y_i]`. Quote: E[y_i] = alpha * E[x_i] + (1 - alpha) * E[y_i] Exact: alpha E[x_i] + (1 - alpha) E[r_i]
    Why: E[r_i] = 1/2 is meant, as on the right of the line. As written, E[y_i] = E[x_i] would follow.""")
def _() -> Finding:
    mean_bit = sum(r * chance for r, chance in _bit(Rational(1, 2)))
    said, right = (ALPHA * P + (1 - ALPHA) * mean for mean in (mean_report(), mean_bit))
    return identity(said, mean_report(), repair=right, at={ALPHA: Rational(1, 2), P: 1})
@script
def _() -> None:
    alpha, p = F(1, 2), F(1)
    Ex, Er, Ey = p, F(1, 2), alpha * p + (1 - alpha) * F(1, 2)
    assert Ey == F(3, 4) == alpha * Ex + (1 - alpha) * Er != alpha * Ex + (1 - alpha) * Ey

claim("s-mean-y", lambda: identity(ALPHA * P + (1 - ALPHA) / 2, mean_report(), at=_POINT), """
    Randomised response, the line of E[y_i], right: E[y_i] = `alpha p + (1 - alpha)/2`.
    Why: The mean over x_i, over the choice, and over r_i: eight cases.""")

claim("s-p", lambda: identity((mean_report() - (1 - ALPHA) / 2) / ALPHA, P, at=_POINT), """
    Randomised response, 'p =': p = `(E[y_i] - (1 - alpha)/2)/alpha`. Assuming: alpha > 0 Exact: p
    Why: The line before, solved for p. With alpha = 0 the reports say nothing about p: no solution.""")

@claim("s-p-hat", """Randomised response, p-hat, first form: p-hat = `(Y/n - (1 - alpha)/2)/alpha` estimates p.
    Assuming: alpha > 0 Exact: T-hat/n, unbiased
    Why: Y/n in the place of E[y_i]: unbiased, as E[Y]/n = E[y_i] and p-hat is linear in Y. It is T-hat/n, T-hat = (s -
    q k n)/(k (p - q)) being K16's estimate with s = Y, k = 1 and the lie probability q = (1 - alpha)/2. It may lie
    outside [0, 1].""")
def _() -> Finding:
    total = Symbol("Y")
    said = (total / symbolic.n - (1 - ALPHA) / 2) / ALPHA
    sure(same(said.subs(total, symbolic.n * mean_report()), P, at=_POINT), "the estimate is biased")
    closed = symbolic.estimate().subs(_LIE).subs(symbolic.s, total) / symbolic.n
    return identity(said, closed, at={total: 7, **_POINT})

@claim("s-p-hat-expanded", """Randomised response, p-hat, second and third form: p-hat = `1/(alpha n) sum y_i - (1 -
    alpha)/(2 alpha)`. Assuming: alpha > 0 Exact: (Y/n - (1 - alpha)/2)/alpha
    Why: The first form multiplied out, Y being the sum; all three are the same, for bits y_i of any value.""")
def _() -> Finding:
    sum_of_y, n = Symbol("Y"), symbolic.n  # the sum of the y_i, whatever they are
    y, i = IndexedBase("y"), Symbol("i", integer=True)
    total = Sum(y[i], (i, 1, n))
    first = symbolic.estimate().subs(_LIE).subs(symbolic.s, total) / n
    second, third = (total / n - (1 - ALPHA) / 2) / ALPHA, total / (ALPHA * n) - (1 - ALPHA) / (2 * ALPHA)
    sides = [side.subs(total, sum_of_y) for side in (first, second, third)]
    return identity(*sides, at={sum_of_y: 3, **_POINT})

claim("s-experiment",
    lambda: equal(F(1, 2), estimate(KRandomization.from_alpha(n=18, alpha="1/2"), 9).fraction, over="the experiment"),
    """Randomised response, 'Experiment': With alpha = 1/2, 9 answers 0 and 9 answers 1 (n = 18), p-hat = `1/2`.
    Why: (9/18 - 1/4)/(1/2) = 1/2.""")

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
SAMPLES = Range.of("n, c", "n = 1 to 100, 2 to 10 times as many samples", (1, 2, 5, 100), (2, 3, 10))
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

@claim("s-var-constant", PERSONS, """Accuracy of this estimator, first line: Var(p-hat) = Var(1/(alpha n) sum y_i - (1 -
    alpha)/2 alpha). Assuming: 0 < alpha < 1 Shown: Var(... - (1 - alpha)/2 alpha) vs Var(p-hat), with any constant
    Why: A constant adds nothing to a variance, so the line is true whether (1 - alpha)/2 alpha is read as (1 -
    alpha)/(2 alpha), the constant of p-hat, or from left to right as alpha (1 - alpha)/2. The brackets are needed for
    p-hat itself, and the display of p-hat has them.""")
def _(alpha: F, chances: tuple[F, ...]) -> Answer:
    values, moved = _estimates(alpha, chances), (1 - alpha) / (2 * alpha) - alpha * (1 - alpha) / 2
    left_to_right = [(value + moved, weight) for value, weight in values]
    squares = sum(weight * value**2 for value, weight in left_to_right)
    return _mean(left_to_right) == _mean(values) + moved and squares - _mean(left_to_right) ** 2 == _variance(values)

claim("s-var-sum", PERSONS,
    lambda a, ws: (_variance(_estimates(a, ws)), sum(w * (1 - w) for w in ws) / (a * len(ws)) ** 2), """
    Accuracy of this estimator, second line: Var(p-hat) = `1/(alpha^2 n^2) sum Var(y_i)`. Assuming: the y_i are
    independent (not said), the x_i fixed or drawn
    Why: A constant adds nothing, a factor is squared, and variances of uncorrelated y_i add up. Otherwise covariances
    come in: were all y_i one and the same bit, it would be n times this.""")

@claim("s-var-1", """
    Accuracy of this estimator, remark in the display: Var(y_i) is at most 1. Shown: Var(y_i) <= 1 vs Var(y_i) <= 1/4
    Why: With w = P[y_i = 1] it is w (1 - w) = 1/4 - (w - 1/2)^2 <= 1/4, a quarter of the bound: what is left to 1 is
    3/4 + (w - 1/2)^2 > 0.""")
def _() -> Finding:
    w = mean_report()
    return identity(1 - w * (1 - w), Rational(3, 4) + (w - Rational(1, 2)) ** 2, at=_POINT)

@claim("s-var-bound", """Accuracy of this estimator, third line: Var(p-hat) is at most `1/(alpha^2 n)`. Assuming: the
    y_i are independent, the x_i drawn with probability p Exact: 1/(4 alpha^2 n) - (p - 1/2)^2/n
    Why: Exactly, Var(p-hat) = 1/(4 alpha^2 n) - (p - 1/2)^2/n. The reports' noise is (1 - alpha^2)/(4 alpha^2 n), and
    drawing the x_i adds p (1 - p)/n. What is left to the bound is 3/(4 alpha^2 n) + (p - 1/2)^2/n > 0.""")
def _() -> Finding:
    for case in SETTINGS:
        sure(_variance(_counted(*case)) == _variance_of(*case), f"Var(p-hat) at {case}")
    noise = symbolic.variance().subs({symbolic.k: 1, symbolic.q: (1 - ALPHA) / 2}) / _N**2
    left = 3 / (4 * ALPHA**2 * _N) + (P - Rational(1, 2)) ** 2 / _N
    return identity(1 / (ALPHA**2 * _N) - (noise + P * (1 - P) / _N), left, at=_POINT)

@claim("s-chebyshev", SETTINGS, """Accuracy of this estimator, Chebyshev: P[|p-hat - p| >= epsilon] is at most
    `Var(p-hat)/epsilon^2`. Assuming: epsilon > 0
    Why: (p-hat - p)^2/epsilon^2 is at least 1 where |p-hat - p| >= epsilon, and at least 0 elsewhere. So its mean is at
    least the probability; it is Var(p-hat)/epsilon^2, as E p-hat = p.""")
def _(n: int, alpha: F, p: F) -> Answer:
    values, limit = _counted(n, alpha, p), _variance_of(n, alpha, p)
    beyond = {e: sum(w for value, w in values if abs(value - p) >= e) for e in (F(1, 5), F(1, 2), F(1))}
    return _mean(values) == p and all(chance <= limit / e**2 for e, chance in beyond.items())

def inverse() -> Finding:  # c n samples leave 1/c of the bound
    bound, times = 1 / (ALPHA**2 * _N), Symbol("c", positive=True)
    return identity(bound.subs(_N, times * _N), bound / times, at={times: 3, **_POINT})

@claim("s-linear", SAMPLES, proof=inverse,
    show=lambda n, c: f"{c} times as many samples as n = {n}: 1/{c} of the bound", text="""Accuracy of this estimator,
    'So linear': The bound is linear in the number of samples. Quote: So linear in the number of samples. Shown: linear
    in n vs proportional to 1/n
    Why: 1/(alpha^2 epsilon^2 n) is inversely proportional to n; what is linear in n is its reciprocal.""")
def _(n: int, c: int) -> Answer:
    before, after = (_variance_of(count, F(1, 2), F(1, 3)) for count in (n, c * n))
    return after == c * before, True, c * after == before
@script
def _() -> None:
    def bound(n: int) -> F:  # alpha = 1/2, epsilon = 1/10
        return F(1) / (F(1, 2) ** 2 * n * F(1, 10) ** 2)

    assert bound(2000) == bound(1000) / 2 != bound(1000) * 2

@claim("s-accuracy", GROWTH, lambda power, c, case: _left(power, c, case) == F(1, c**2), given=_half_takes_four,
    only=lambda power, c, case: power == 2, sharp=True,
    show=lambda u, c, x: f"{c} n samples, n = {x[0]}: the error's square is {_left(u, c, x)} of that with n", text="""
    Accuracy of this estimator, last sentence: With alpha fixed the estimator becomes more accurate in `proportion 1/n`.
    Quote: estimator becomes more accurate in proportion 1/n Assuming: accuracy measured by a power of the standard
    deviation of p-hat: 2 is the variance, 1 the error Exact: variance 1/n, error 1/sqrt(n) Only: the variance and
    Chebyshev's bound
    Why: The variance, and with it Chebyshev's bound, falls as 1/n; the error, its root, as 1/sqrt(n). Half the error
    takes four times the samples. (The probability of a fixed error falls exponentially: Hoeffding.) Of the power u of
    the standard deviation, c n samples leave 1/c if the variance ratio to the power u/2 is 1/c, that is to the power u,
    1/c^2.""")
def _() -> None:
    def var(n: int) -> F:  # Var(p-hat) at alpha = p = 1/2
        return F(1) / (4 * F(1, 2) ** 2 * n)

    assert var(4) == F(1, 4) ** 1 * var(1)  # the variance: four times the samples, a quarter
    assert var(4) / var(1) == F(1, 2) ** 2 != F(1, 4) ** 2  # the error: a half, not a quarter

# --- differential privacy -----------------------------------------------------------------------------------------
claim("s-randomized", MAPS, lambda m: _private_at_all(deterministic(m, 2)) == (len(set(m)) == 1), """
    Defining differential privacy, 'Given': `M must be randomized`. Assuming: M is not constant Exact: randomized, or
    constant
    Why: If M is deterministic and not constant, some neighbours have different answers: 1 against 0. (Any two datasets
    are joined by changes of one element, so that M changes at one of the steps.) Proven for every M that is not
    constant; a constant one is deterministic and 0-private, and of no use.""")

@claim("s-of-algorithm", ROWS, """
    Defining differential privacy, 'DP is feature': Differential privacy is a property `of the algorithm`, not of a
    dataset. Assuming: at least two possible answers Exact: no row of M decides, for any dataset
    Why: The definition runs over all datasets, and what M does on one of them decides nothing. Let M(x) have any
    distribution P. The algorithm that answers with P whatever the data is 0-private, and the one that answers with P on
    x only is not private if it always gives an answer s elsewhere for which P(s) < 1: another answer is then possible
    on x and impossible on a neighbour.""")
def _(x: int, row: tuple[F, ...]) -> Answer:
    other = [F(int(s == row.index(min(row)))) for s in range(len(row))]
    constant = FiniteMechanism([row] * 4, record_neighbours(_datasets(2)))
    return constant.is_private(lam=1).holds and not _private_at_all([row if y == x else other for y in range(4)])

@claim("s-neighbours", Range.of("n, values", "n = 1 to 3 elements, 2 or 3 values", (1, 2, 3), (2, 3)), """
    Def neighbouring datasets: Datasets of n elements are neighbours if they differ in exactly one element. Shown: one
    element differs vs n |X|^n (|X| - 1)/2 pairs
    Why: n places, and an unordered pair of values there: n |X|^(n-1) |X| (|X| - 1)/2 pairs. Their histograms are at
    distance 2, not 1: the relation is not that of DW. ('Exactly' or 'at most' one makes no difference to privacy, as
    equal datasets give equal distributions.)""")
def _(n: int, values: int) -> Answer:
    data = list(product(range(values), repeat=n))
    pairs = record_neighbours(data)
    apart = {distance(*(histogram(data[end], range(values)) for end in pair)) for pair in pairs}
    return 2 * len(pairs) == n * values**n * (values - 1) and apart == {2}

@claim("s-dp", THIRDS, """
    Def differential privacy: epsilon-privacy: P[M(x) in Y'] <= e^epsilon P[M(x') in Y'] for all sets Y' of outcomes and
    all neighbours. Assuming: finitely many outcomes, epsilon >= 0 Shown: every set Y' vs every outcome s
    Why: Single outcomes decide: Y' = {s} is a set, and the inequalities of the outcomes of Y' add up.""")
def _(m: FiniteMechanism, lam: int) -> Answer:
    single = bool(outcome_criterion(m, lam=lam))
    return event_by_event(m, lam) == bool(event_criterion(m, lam=lam)) == single == m.is_private(lam=lam).holds

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
