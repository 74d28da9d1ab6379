"""DW: notes on chapter 2 of Dwork's and Roth's text, "Probability Simplex" to "Post Processing"."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction as F
from functools import cache
from itertools import chain, pairwise, product
from math import comb, prod

from dpcalc import DomainError, FiniteMechanism, RandomizedResponse, symbolic
from dpcalc.mechanisms.stochastic import Matrix, chained, deterministic_parts, in_simplex
from tests.notes.definition import (
    composition,
    distance,
    histogram,
    histogram_neighbours,
    mixture,
    norm,
    record_neighbours,
    two_coins,
)
from tests.notes.ledger.cases import deterministic, distributions, event_by_event, events, mechanisms
from tests.notes.ledger.checking import equal, sure
from tests.notes.ledger.ledger import Answer, Finding, Known, Ledger, Range, Ruling

ledger = Ledger("DW")
claim = ledger.claim
# fmt: off

Event = tuple[int, ...]  # and a histogram

HALVES = [F(i, 2) for i in range(-1, 4)]
VECTORS = Range.of("case", "vectors of 1 to 3 entries in halves from -1/2 to 3/2, every event",
    [v for size in (1, 2, 3) for v in product(HALVES, repeat=size)])
POINTS = Range.of("size, x", "points of the simplex in fifths, |B| up to 4",
    ((size, point) for size in (1, 2, 3, 4) for point in distributions(size, 5)))
MATRICES = Range.of("a, b", "matrices of 2 inputs and 2 outcomes, entries in halves from -1/2 to 3/2",
    *[tuple(product(HALVES, repeat=2))] * 2)
TWO_ROWS = Range.of("a, b", "two rows of two outcomes in quarters", *[distributions(2, 4)] * 2)
FLIPS = Range.of("row, m", "distributions on 3 outcomes in sixths, 1 to 5 flips", distributions(3, 6), range(1, 6))
COUNTS = Range.of("case", "histograms over 3 types, up to 3 records of each", product(range(4), repeat=3))
HISTOGRAM_PAIRS = Range.of("x, y", "pairs of histograms over 2 types, up to 2 records of each",
    product(range(3), repeat=2), product(range(3), repeat=2))
PLANE = list(product(range(4), repeat=2))

def rows_of(matrix: Matrix) -> str:  # the matrix on one line
    return ", ".join("(" + ", ".join(map(str, row)) + ")" for row in matrix)

def matrix_of(m: FiniteMechanism) -> str:
    return f"M = {rows_of(m.matrix)}"

def is_distribution(vector: Sequence[F]) -> bool:
    """Whether every event has a probability, and the certain event has probability 1."""
    chances = [sum(vector[i] for i in event) for event in events(len(vector))]
    return all(0 <= chance <= 1 for chance in chances) and chances[-1] == 1

def accepted(*rows: Sequence[F]) -> bool:  # whether dpcalc takes the rows for a mechanism
    try:
        FiniteMechanism(rows)
    except DomainError:
        return False
    return True

def missing(x: Event, y: Event) -> int:
    """How many records of x are missing from y: the multisets' difference."""
    return (Counter(dict(enumerate(x))) - Counter(dict(enumerate(y)))).total()

@cache
def steps_from(start: Event) -> dict[Event, int]:
    """The least number of added or left-out records, from ``start`` to every histogram, by breadth-first search."""
    reached, front = {start: 0}, [start]
    for x in front:
        near = [y for y in PLANE if y not in reached and sorted(map(abs, map(int.__sub__, x, y))) == [0, 1]]
        reached |= dict.fromkeys(near, reached[x] + 1)
        front += near
    return reached

# --- the simplex and randomized algorithms ------------------------------------------------------------------------
claim("s-simplex", VECTORS, lambda v: (min(v) >= 0 and sum(v) == 1) == is_distribution(v) == in_simplex(v))

claim("s-simplex-range", POINTS,
    lambda size, x: len(x) == size and in_simplex(x) and all(0 <= entry <= 1 for entry in x))

@claim("s-simplex-thirds")
def _() -> Finding:
    sixths = distributions(3, 6)
    sure((F(1, 3),) * 3 in sixths and all(is_distribution(v) and in_simplex(v) for v in sixths), "no distribution")
    over = f"the example and the other points in sixths ({len(sixths)} cases)"
    return Finding(Ruling.HOLDS, exact=f"and {len(sixths) - 1} in sixths", over=over)

claim("s-randomized-algorithm", MATRICES, lambda a, b: (accepted(a, b), is_distribution(a) and is_distribution(b)))

claim("s-noise-added", TWO_ROWS,
    lambda a, b: any(a in rows and b in rows for rows in [
        [tuple(r[(bit - shift) % 2] for bit in (0, 1)) for shift in (0, 1)] for r in distributions(2, 4)]),
    only=lambda a, b: b in (a, a[::-1]), show=lambda *m: f"M = {rows_of(m)}")

@claim("s-coin-flips", FLIPS)
def _(row: tuple[F, ...], flips: int) -> Answer:
    pieces, cuts = 2**flips, [sum(row[:b], F(0)) for b in range(len(row) + 1)]
    settled = [sum(low * pieces <= i < i + 1 <= high * pieces for i in range(pieces)) for low, high in pairwise(cuts)]
    return all(p - F(2, pieces) <= F(share, pieces) <= p for p, share in zip(row, settled, strict=True))

# --- histograms ---------------------------------------------------------------------------------------------------
claim("s-histogram", lambda: equal((5, 3, 2), histogram("aabcbacbaa", "abc"), over="the example"))

claim("s-l1-norm", COUNTS, lambda x: sum(x) == sum(map(abs, x)) == missing(x, (0, 0, 0)) == norm(x))

@claim("s-norm-to-distance", HISTOGRAM_PAIRS)
def _(x: Event, y: Event) -> Answer:
    lacking = [tuple(max(0, a - b) for a, b in zip(*sides, strict=True)) for sides in ((x, y), (y, x))]
    return sum(map(norm, lacking)), distance(x, y)

claim("s-l1-distance", Range.of("x, y", "pairs of histograms over 2 types, up to 3 records of each", PLANE, PLANE),
    lambda x, y: sum(abs(a - b) for a, b in zip(x, y, strict=True)) == steps_from(x)[y] == distance(x, y))

claim("s-distance-missing-rows", HISTOGRAM_PAIRS,
    lambda x, y: (distance(x, y) in (missing(x, y), missing(y, x)), True,
        distance(x, y) == missing(x, y) + missing(y, x)),
    show=lambda x, y: f"x = {x}, y = {y}: {missing(x, y)} missing, distance {distance(x, y)}")

claim("s-distance-4", lambda: equal(4, distance((10, 8), (11, 11)), over="the example"))

THIRDS = list(mechanisms(2, 3, 3))
LIMITED = Range.of("M, lambda", "mechanisms of 3 outcomes in thirds, lambda 1 and 2", THIRDS, (1, 2))
WITH_DELTA = Range.of("M, lambda, delta", f"{LIMITED.words}, delta 0 and 1/3", THIRDS, (1, 2), (F(0), F(1, 3)))
ANSWERS = Range.of("m, lambda", "maps from 0 to 3 records of one type to 3 outcomes, lambda 1 and 10^9",
    product(range(3), repeat=4), (1, 10**9))
HISTOGRAMS = list(product(range(3), range(2)))
TELLING = Range.of("case", "maps of the histograms up to (2, 1) that are not constant",
    [m for m in product(range(2), repeat=len(HISTOGRAMS)) if len(set(m)) > 1])
ROWS = [(2, 1), (1, 1), (2, 0), (0, 0)]  # rows a, a, b; without an a, without the b, without any
MAPS = Range.of("case", "algorithms with three values on rows a, a, b and parts of them",
    [m for m in product(range(3), repeat=4) if len(set(m)) > 1])
NEAR = set(histogram_neighbours(PLANE))
PAIRS = Range.of("i, j", "pairs of histograms over 2 types, up to 3 rows of each",
    ((i, j) for i in range(len(PLANE)) for j in range(i + 1, len(PLANE))))
PROPER = Range.of("case", "the proper subsets of {a, b, c, d}", events(4)[1:-1], whole=True)
WITHIN_3 = Range.of("case", "(ln 3, 0)-private mechanisms of 2 or 3 outcomes, in quarters",
    chain([two_coins()], (m for m in chain(mechanisms(2, 2, 4), mechanisms(2, 3, 4)) if m.is_private(lam=3))))
TELLING_3 = WITHIN_3.where(", 0 < epsilon", lambda m: m.lam() > 1)
LEAKING = Range.of("case", "(ln 3, 1/4)-private mechanisms of 2 outcomes, in quarters",
    [FiniteMechanism([["1/2", "1/2"]] * 2), *(m for m in mechanisms(2, 2, 4) if m.is_private(lam=3, delta=F(1, 4)))])
PUBLISHED = Range.of("n, power", "each row published with probability n^-1 to n^-4, n up to 100",
    (2, 5, 10, 50, 100), (1, 2, 3, 4))
SMALL_DELTA = Range.of("n, delta", "n = 2 to 120, delta just below 1/n",
    ((9, F(11, 100)), *((n, F(1, n) - F(1, 1000)) for n in (2, 5, 9, 10, 50, 120))))
ALTERED = Range.of("case", "datasets of 1 to 3 answers, one of them changed",
    (("yes", *others) for size in (0, 1, 2) for others in product(("yes", "no"), repeat=size)))
POSITIVE = Range.of("M, lambda", "mechanisms of 3 possible outcomes in fifths, lambda 1, 2 and 3",
    [m for m in mechanisms(2, 3, 5) if all(min(row) > 0 for row in m.matrix)], (1, 2, 3))
ANSWERING = Range.of("n", "n = 1 to 3 answers, every outcome, both orders", (1, 2, 3))

def without_a_row(x: Event) -> list[Event]:  # the histograms of the databases with one row less
    return [(*x[:i], count - 1, *x[i + 1 :]) for i, count in enumerate(x) if count]

def within(m: FiniteMechanism, limit: F | int) -> bool:
    """Whether every outcome's ratio is between 1/limit and the limit."""
    return all(a <= limit * b and b <= limit * a for a, b in zip(*m.matrix, strict=True))

def event_ratios(m: FiniteMechanism) -> list[F]:
    """P[M(x) in S] / P[M(y) in S] of every event but the empty one, both orders."""
    chances = [[sum((row[s] for s in event), F(0)) for event in events(len(row))[1:]] for row in m.matrix]
    return [a / b for x, y in m.ordered() for a, b in zip(chances[x], chances[y], strict=True)]

def tossed(honest: str, reported: str) -> F:
    """The probability of a report, by tossing: the first coin for the truth or chance, the second for the chance."""
    tosses = list(product((True, False), ("yes", "no")))
    return F(sum((honest if truthful else chance) == reported for truthful, chance in tosses), len(tosses))

def change(answers: tuple[str, ...]) -> int:
    """The distance of the dataset from itself with the first answer changed to no."""
    return distance(*(histogram(data, ("yes", "no")) for data in (answers, ("no", *answers[1:]))))

# --- the definition -----------------------------------------------------------------------------------------------
@claim("s-dp", WITH_DELTA)
def _(m: FiniteMechanism, lam: int, delta: F) -> Answer:
    sums = [sum(max(a - lam * b, F(0)) for a, b in zip(*rows, strict=True)) for rows in (m.matrix, m.matrix[::-1])]
    return event_by_event(m, lam, delta) == m.is_private(lam=lam, delta=delta).holds == bool(max(sums) <= delta)

claim("s-deterministic", ANSWERS,
    lambda m, lam: FiniteMechanism(deterministic(m, 3), pairwise(range(4))).delta(lam=lam) == int(len(set(m)) > 1))

claim("s-deterministic-neighbours", TELLING, lambda m: any(m[x] != m[y] for x, y in histogram_neighbours(HISTOGRAMS)))

claim("s-deterministic-differencing", MAPS, lambda m: m[0] - m[1] != m[0] - m[2], only=lambda m: m[1] != m[2],
    show=lambda m: ", ".join(f"M({y}) = {value}" for y, value in zip(ROWS, m, strict=True)))

# --- what it says -------------------------------------------------------------------------------------------------
claim("s-one-entry", PAIRS,
    lambda i, j: ((i, j) in NEAR) == (PLANE[i] in without_a_row(PLANE[j]) or PLANE[j] in without_a_row(PLANE[i])))

@claim("s-every-event", PROPER)
def _(event: Event) -> Answer:
    shares = [[F(share) / len(event), (1 - F(share)) / (4 - len(event))] for share in ("1/2", "1/10")]
    rows = [[inside if s in event else outside for s in range(4)] for inside, outside in shares]
    mechanism, delta = FiniteMechanism(rows), F(7, 40)
    excesses = [(x, s, sum(rows[x][i] - 3 * rows[y][i] for i in s)) for x, y in mechanism.ordered() for s in events(4)]
    found = mechanism.is_private(lam=3, delta=delta).witness
    violated = [(x, s) for x, s, excess in excesses if excess > delta]
    return violated == [(0, event)] and found is not None and tuple(found.outcomes) == event

claim("s-linear-bound", LIMITED,
    lambda m, lam: m.delta(lam=lam) >= max(max(a - lam * b, b - lam * a) for a, b in zip(*m.matrix, strict=True)),
    known=Known.DEFINITION)

claim("s-not-higher", WITHIN_3, lambda m: (all(b <= a for a, b in zip(*m.matrix, strict=True)), True, within(m, 3)),
    failing=Ruling.REFUTED, show=matrix_of)

claim("s-proportional", TELLING_3,
    lambda m: (all(a == m.lam() * b for a, b in zip(*m.matrix, strict=True)), True, within(m, m.lam())),
    failing=Ruling.REFUTED, show=matrix_of)

# --- delta --------------------------------------------------------------------------------------------------------
claim("s-leakage-0.1", lambda: replace(equal(1, F("0.1") / 100 * 100), said="", exact=""))

claim("s-delta-range", LIMITED,
    lambda m, lam: m.delta(lam=lam) >= 0 and m.delta(lam=lam) <= 1 and m.is_private(lam=lam, delta=1).holds)

claim("s-delta-minimum", LEAKING, lambda m: (m.delta(lam=3) >= F(1, 4), True, m.delta(lam=3) <= F(1, 4)),
    failing=Ruling.REFUTED, show=matrix_of)

@claim("s-delta-polynomial", PUBLISHED)
def _(n: int, power: int) -> Answer:
    one = FiniteMechanism([[F(1, n**power), 1 - F(1, n**power)], [0, 1]]).delta(lam=10**6).value  # a row, there or not
    chance = 1 - (1 - one) ** n
    return one == F(1, n**power) and 0 < chance <= n * one and (power > 1 or chance > F(63, 100))

claim("s-delta-percentage", SMALL_DELTA,
    lambda n, d: (100 * d < n, True, sum(i * comb(n, i) * d**i * (1 - d) ** (n - i) for i in range(n + 1)) < 1),
    show=lambda n, delta: f"n = {n}, delta = {delta}: 100 delta = {100 * delta} > n")

# --- the randomized response --------------------------------------------------------------------------------------
claim("s-rr-distance", ALTERED, lambda answers: (1, change(answers), 2),
    show=lambda answers: f"({', '.join(answers)}), the first changed")

claim("s-rr-yes-yes", lambda: equal(F(3, 4), tossed("yes", "yes"), over="two fair coins"))

claim("s-rr-yes-no", lambda: equal(F(1, 4), tossed("no", "yes"), over="two fair coins"))

claim("s-rr-ratio", POSITIVE, lambda m, lam: (max(event_ratios(m)) <= lam) == event_by_event(m, lam))

@claim("s-rr-product")
def _() -> Finding:
    yes, no = (row[0] for row in two_coins().matrix)
    sure(max(event_ratios(two_coins())) == yes / no == 3, "the largest ratio is not 3")
    return replace(equal(3, yes * no, over="two fair coins"), said="", exact="", witness=f"{yes} * {no} = {yes * no}")

@claim("s-rr-ln-3")
def _() -> Finding:
    noise = symbolic.classical_q().subs({symbolic.lam: 3, symbolic.k: 1, symbolic.L: 1})
    sure(RandomizedResponse("1/4").odds == 1 / noise - 1 == 3, "other odds than 3")
    return replace(equal(F(3), two_coins().lam()), said="", exact="")

@claim("s-rr-private", ANSWERING)
def _(n: int) -> Answer:
    datasets = list(product(("yes", "no"), repeat=n))
    rows = [[prod(map(tossed, honest, reported)) for reported in datasets] for honest in datasets]
    m = FiniteMechanism(rows, record_neighbours(datasets))
    return m.lam() == 3 == max(a / b for x, y in m.ordered() for a, b in zip(rows[x], rows[y], strict=True))

Row = tuple[F, ...]

class Pair:
    """Two mechanisms and their weights, which sum to 1; the combination, entry by entry, whatever the weights are."""

    def __init__(self, first: FiniteMechanism, second: FiniteMechanism, weight: F) -> None:
        self.first, self.second, self.weights = first, second, (weight, 1 - weight)
        rows = zip(first.matrix, second.matrix, strict=True)
        self.matrix = tuple(tuple(weight * v + (1 - weight) * w for v, w in zip(*pair, strict=True)) for pair in rows)

    def __str__(self) -> str:
        (a, b), first, second = self.weights, rows_of(self.first.matrix), rows_of(self.second.matrix)
        return f"weights {a}, {b} of {first} and {second}"

    def lam(self) -> F:  # a lambda with which both are private, delta = 0
        return max(self.first.lam(), self.second.lam())

def affine() -> Iterator[Pair]:  # pairs and weights that sum to 1, the combination being a mechanism
    yield Pair(FiniteMechanism([["5/8", "3/8"], ["3/8", "5/8"]]), FiniteMechanism([["1/2", "1/2"]] * 2), F(2))
    pairs = (Pair(first, second, a) for first, second, a in product(TOLD, TOLD, (F(2), F(1, 2), F(1, 3))))
    yield from (pair for pair in pairs if all(map(in_simplex, pair.matrix)))

def no_worse(after: FiniteMechanism, before: FiniteMechanism) -> bool:
    return all(after.delta(lam=lam) <= before.delta(lam=lam) for lam in (1, 2))

def recombined(parts: list[tuple[F, Event]], matrix: Matrix) -> bool:
    """Whether the maps with these weights make up the matrix, the weights being those of a convex combination."""
    total = [[sum((w for w, f in parts if f[x] == s), F(0)) for s in range(len(row))] for x, row in enumerate(matrix)]
    return in_simplex(weight for weight, _ in parts) and tuple(map(tuple, total)) == matrix

def peeled(matrix: Matrix) -> list[tuple[F, Event]]:
    return [(part.weight, part.outcomes) for part in deterministic_parts(matrix)]

def averaged(pair: Pair) -> FiniteMechanism:
    """Both are run, with results r and r' in {0, 1}; only (r + r')/2 is told: 0, 1/2 or 1."""
    return composition([pair.first, pair.second]).after(deterministic((0, 1, 1, 2), 3))

def afterwards(row: Row, f: Event, event: Event) -> F:
    """The probability of the event once the outcome has been mapped by f."""
    [image] = chained((row,), deterministic(f, 2))
    return sum((image[s] for s in event), F(0))

TOLD = [m for m in mechanisms(2, 2, 4) if all(map(all, m.matrix))]
MAPPED = Range.of("M, f", "mechanisms of 3 outcomes in halves, all maps of them to 2, lambda 1 and 2",
    mechanisms(2, 3, 2), product(range(2), repeat=3))
BOTH_SIZES = Range.of("case", "mappings of 3 inputs to 2 outcomes and of 2 to 3, in thirds",
    [*mechanisms(3, 2, 3), *mechanisms(2, 3, 3)])
TWO_INPUTS = Range.of("case", "mappings of 2 inputs to 2 outcomes in fifths and to 3 in thirds",
    [*mechanisms(2, 2, 5), *mechanisms(2, 3, 3)])
SQUARE = Range.of("case", "mappings of 2 inputs to 2 outcomes, in quarters", mechanisms(2, 2, 4))
PROCESSED = Range.of("M, f", "mechanisms of 2 outcomes in quarters, mappings of them to 2 in thirds, lambda 1 and 2",
    mechanisms(2, 2, 4), mechanisms(2, 2, 3))
MIXED = Range.of("M, M', w, lambda", "pairs of mechanisms of 2 outcomes in halves, weights 1/2 and 1/3, lambda 1 and 2",
    mechanisms(2, 2, 2), mechanisms(2, 2, 2), (F(1, 2), F(1, 3)), (1, 2))
RUN_BOTH = Range.of("case", "pairs of mechanisms of 2 outcomes in quarters, weights 1/2",
    [Pair(a, b, F(1, 2)) for a, b in [(two_coins(), two_coins()), *product(TOLD, repeat=2)]])
RANDOM_MAPS = Range.of("M, f", "distributions on 3 outcomes in quarters, mappings of them to 2 in halves",
    mechanisms(1, 3, 4), mechanisms(3, 2, 2))
NEIGHBOURS = Range.of("x, y", "pairs of histograms up to (2, 2)",
    [((2, 1), (2, 0)), *product(product(range(3), repeat=2), repeat=2)])
PREIMAGES = Range.of("row, f, S", "distributions on 3 outcomes in quarters, all maps to 2 outcomes, all events",
    distributions(3, 4), product(range(2), repeat=3), events(2))
BOUNDS = Range.of("M, T, lambda", "mechanisms of 3 outcomes in thirds, all events, lambda 1 and 2",
    mechanisms(2, 3, 3), events(3), (1, 2))

# --- the theorem, and mappings as mixtures ------------------------------------------------------------------------
claim("s-immune", MAPPED, lambda m, f: no_worse(m.after(deterministic(f, 2)), m))

@claim("s-convex-deterministic", BOTH_SIZES)
def _(m: FiniteMechanism) -> Answer:
    maps = product(range(len(m.matrix[0])), repeat=len(m.matrix))
    weighed = [(prod((row[s] for row, s in zip(m.matrix, f, strict=True)), start=F(1)), f) for f in maps]
    return recombined(weighed, m.matrix)

claim("s-peeling", TWO_INPUTS,
    lambda m: recombined(peeled(m.matrix), m.matrix)
        and len(peeled(m.matrix)) <= len(m.matrix) * (len(m.matrix[0]) - 1) + 1)

claim("s-Birkhoff", SQUARE, lambda m: (m.matrix[1] == m.matrix[0][::-1], True, recombined(peeled(m.matrix), m.matrix)),
    show=matrix_of)

claim("T-post-processing", PROCESSED, lambda m, f: no_worse(m.after(f.matrix), m))

# --- its proof ----------------------------------------------------------------------------------------------------
@claim("s-proof-mixture", MIXED)
def _(first: FiniteMechanism, second: FiniteMechanism, w: F, lam: int) -> Answer:
    pair, deltas = Pair(first, second, w), [m.delta(lam=lam).value for m in (first, second)]
    mixed, bound = mixture([first, second], pair.weights), w * deltas[0] + (1 - w) * deltas[1]
    return mixed.matrix == pair.matrix and mixed.delta(lam=lam) <= bound and bound <= max(deltas)

@claim("s-proof-weights", Range("case", "pairs of mechanisms, weights that give a mechanism", affine))
def _(pair: Pair) -> Answer:
    private = FiniteMechanism(pair.matrix).is_private(lam=pair.lam()).holds
    return private, True, private or not in_simplex(pair.weights)

claim("s-proof-results", RUN_BOTH,
    lambda pair: (averaged(pair).is_private(lam=pair.lam()).holds, True,
        mixture([pair.first, pair.second], pair.weights).is_private(lam=pair.lam()).holds),
    show=lambda pair: f"{pair}: lambda = {averaged(pair).lam()}, alone {pair.lam()}")

@claim("s-proof-reduction", RANDOM_MAPS)
def _(m: FiniteMechanism, f: FiniteMechanism) -> Answer:
    parts = peeled(f.matrix)
    mixed = mixture([m.after(deterministic(g, 2)) for _, g in parts], [weight for weight, _ in parts])
    return m.after(f.matrix).matrix == mixed.matrix

claim("s-proof-neighbours", NEIGHBOURS, lambda x, y: (sum((*x, *y)) <= 1, steps_from(x)[y] <= 1, distance(x, y) <= 1))

claim("s-proof-preimage", PREIMAGES,
    lambda row, f, event: (afterwards(row, f, event), sum(row[r] for r in range(3) if f[r] in event)))

@claim("s-proof-bound", BOUNDS, known=Known.DEFINITION)
def _(m: FiniteMechanism, event: Event, lam: int) -> Answer:
    own, other = (sum(row[r] for r in event) for row in m.matrix)
    return own <= lam * other + m.delta(lam=lam).value

@claim("s-proof-back", PREIMAGES)
def _(row: Row, f: Event, event: Event) -> Answer:
    others = tuple({0, 1} - set(event))
    return sum(row[r] for r in range(3) if f[r] in event), 1 - afterwards(row, f, others)

CLAIMS = ledger.claims
