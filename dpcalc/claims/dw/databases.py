"""DW, from "Probability Simplex" to "l1 distance": outcomes at random, databases as histograms."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import product

from dpcalc.claims.cases import distributions, events, rows_of
from dpcalc.claims.checking import equal, exhausted, repaired, restricted
from dpcalc.claims.claim import Finding, Ledger
from dpcalc.errors import DomainError
from dpcalc.mechanisms.finite import FiniteMechanism
from dpcalc.mechanisms.neighbours import distance, histogram, norm
from dpcalc.mechanisms.stochastic import in_simplex

__all__ = ["ledger"]

ledger = Ledger("DW")

_Histogram = tuple[int, ...]
_Pair = tuple[_Histogram, _Histogram]


# --- the simplex and randomized algorithms ------------------------------------------------------------------------


@ledger.claim(
    "s-simplex",
    where="Probability Simplex, the display",
    says="The probability distributions on B are the vectors with entries >= 0 whose sum is 1.",
    assuming="B finite",
)
def _simplex() -> Finding:
    """A distribution gives every event the sum of its outcomes' entries: from 0 to 1, and 1 for B.

    Necessary: single outcomes have entries >= 0, and B has the sum 1. Sufficient: entries >= 0 add up
    to something between 0 and the sum of all, which is 1.
    """
    return exhausted(
        _vectors(), lambda v: (min(v) >= 0 and sum(v) == 1) == _is_distribution(v) == in_simplex(v),
        over="vectors of 1 to 3 entries in halves from -1/2 to 3/2, every event",
        shown=("x_i >= 0, sum 1", "every event between 0 and 1, B at 1"), proven=True,
    )  # fmt: skip


@ledger.claim(
    "s-simplex-range",
    where="Probability Simplex, intuitive idea",
    says="A point of the simplex has one entry for every event of B, each between 0 and 1.",
)
def _entries() -> Finding:
    """x_i = 1 - (sum of the other entries, all >= 0) <= 1."""
    points = [(size, point) for size in (1, 2, 3, 4) for point in distributions(size, 5)]
    return exhausted(
        points, lambda case: len(case[1]) == case[0] and in_simplex(case[1]) and all(0 <= x <= 1 for x in case[1]),
        over="points of the simplex in fifths, |B| up to 4", shown=("0 <= x_i <= 1", "0 <= x_i <= 1"), proven=True,
    )  # fmt: skip


@ledger.claim(
    "s-simplex-thirds",
    where="Probability Simplex, intuitive idea",
    says="(1/3, 1/3, 1/3) is one of many ways to assign probabilities to three events.",
)
def _thirds() -> Finding:
    """Its entries are >= 0 and sum to 1; so do those of the other points in sixths."""
    point = (Fraction(1, 3),) * 3
    others = [other for other in distributions(3, 6) if other != point]
    return exhausted(
        [point, *others], lambda v: _is_distribution(v) and in_simplex(v),
        over="the example and the other points in sixths", shown=("(1/3, 1/3, 1/3)", f"and {len(others)} in sixths"),
    )  # fmt: skip


@ledger.claim(
    "s-randomized-algorithm",
    where="Randomized Algorithm",
    says="A map M from A to the simplex over B is a randomized algorithm: on input a it outputs b with chance M(a)_b.",
    assuming="A and B finite",
)
def _algorithm() -> Finding:
    """If M(a) is in the simplex, a random outcome has these probabilities; else none can have them.

    dpcalc accepts a matrix as a mechanism exactly when every row gives every event a probability.
    """
    vectors = [v for v in _vectors() if len(v) == 2]
    return exhausted(
        product(vectors, repeat=2), lambda rows: _accepted(rows) == all(map(_is_distribution, rows)),
        over="matrices of 2 inputs and 2 outcomes, entries in halves from -1/2 to 3/2",
        shown=("M: A -> Delta(B)", "rows in the simplex"), proven=True,
    )  # fmt: skip


@ledger.claim(
    "s-noise-added",
    where="Randomized Algorithm, intuitive idea",
    says="A randomized algorithm is a deterministic one and a part that adds a random bit string to its output.",
    script="""
        from fractions import Fraction as F
        from itertools import product
        M = [[F(1), F(0)], [F(1, 2), F(1, 2)]]  # input 0 is answered 0, input 1 by a fair coin
        noises = [[F(1), F(0)], [F(0), F(1)]]  # P[r = 0], P[r = 1]: only these can make input 0 certain
        added = [[[r[b ^ f[a]] for b in (0, 1)] for a in (0, 1)] for f in product((0, 1), repeat=2) for r in noises]
        assert M not in added
    """,
)
def _noise_added() -> Finding:
    """Noise that is added is the same for every input, which that of an algorithm need not be.

    f(a) + r, with r drawn independently of a, has the distribution of r, moved by f(a). So the rows
    of M are moved copies of one row, as in randomized response. A mechanism that is certain of one
    input and not of another has no such form: the coins have to be an input of the algorithm, as
    the next sentence says.
    """
    rows = distributions(2, 4)
    made = {tuple(_moved(r, shift) for shift in f) for r in rows for f in product(range(2), repeat=2)}
    return restricted(
        product(rows, repeat=2), made.__contains__, lambda m: m[1] in (m[0], m[0][::-1]),
        over="rows that are moved copies of each other",
        shown=("output + random bit string", "a function of input and random bits"), show=lambda m: f"M = {rows_of(m)}",
    )  # fmt: skip


@ledger.claim(
    "s-coin-flips",
    where="Randomized Algorithm, intuitive idea",
    says="Any randomized algorithm is a deterministic function of its input and a random string of coin flips.",
    assuming="as many flips as it takes: a fixed number yields only multiples of a power of 1/2",
)
def _coin_flips() -> Finding:
    """The flips are the binary digits of u in [0, 1), which is cut into intervals of the lengths M(a)_b.

    The output is the b whose interval holds u: it depends on a and the flips only, and has
    probability M(a)_b. After m flips u is known to 2^-m, and the output is settled unless a cut lies
    inside that piece. So the settled strings of outcome b make up a share of at most M(a)_b, and of
    at least M(a)_b - c/2^m with c = |B| - 1 cuts.
    """
    cases = [(row, m) for row in distributions(3, 6) for m in range(1, 6)]
    return exhausted(
        cases, lambda case: all(
            p - Fraction(2, 2 ** case[1]) <= share <= p for p, share in zip(case[0], _settled(*case), strict=True)
        ),
        over="distributions on 3 outcomes in sixths, 1 to 5 flips",
        shown=("f(random bits, input)", "f(random bits, input), settled in the limit"), proven=True,
    )  # fmt: skip


def _vectors() -> Iterator[tuple[Fraction, ...]]:
    """Vectors of 1 to 3 entries in halves, inside and outside the simplex."""
    halves = [Fraction(i, 2) for i in range(-1, 4)]
    for size in (1, 2, 3):
        yield from product(halves, repeat=size)


def _is_distribution(vector: tuple[Fraction, ...]) -> bool:
    """Whether every event has a probability, and the certain event has probability 1."""
    chances = [sum(vector[i] for i in event) for event in events(len(vector))]
    return all(0 <= chance <= 1 for chance in chances) and chances[-1] == 1


def _accepted(rows: tuple[tuple[Fraction, ...], ...]) -> bool:
    try:
        FiniteMechanism(rows)
    except DomainError:
        return False
    return True


def _moved(row: tuple[Fraction, ...], shift: int) -> tuple[Fraction, ...]:
    """The distribution of a bit with distribution ``row``, plus ``shift``, modulo 2."""
    return tuple(row[(b - shift) % 2] for b in range(2))


def _settled(row: tuple[Fraction, ...], flips: int) -> list[Fraction]:
    """For every outcome, the share of the strings of ``flips`` coins after which it is certain."""
    pieces = 2**flips
    cuts = [sum(row[:b], Fraction(0)) for b in range(len(row) + 1)]
    return [
        Fraction(sum(cuts[b] * pieces <= i and i + 1 <= cuts[b + 1] * pieces for i in range(pieces)), pieces)
        for b in range(len(row))
    ]


# --- histograms ---------------------------------------------------------------------------------------------------


@ledger.claim(
    "s-histogram",
    where="Distance between databases",
    says="The histogram of {a,a,b,c,b,a,c,b,a,a} is (5, 3, 2).",
)
def _histogram() -> Finding:
    """The records of every type, counted."""
    return equal((5, 3, 2), histogram("aabcbacbaa", "abc"), over="the example")


@ledger.claim(
    "s-l1-norm",
    where="l1 distance, first display",
    says="The l1 norm of a database is the sum of its histogram's entries.",
    assuming="x is a histogram; a norm of vectors with negative entries needs |x_i|",
)
def _norm() -> Finding:
    """Entries of a histogram are counts, x_i >= 0, so |x_i| = x_i; the sum is the number of records."""
    return exhausted(
        _histograms(4, 3), lambda x: sum(x) == sum(map(abs, x)) == len(_records(x)) == norm(x),
        over="histograms over 3 types, up to 3 records of each", shown=("sum x_i", "sum |x_i|"), proven=True,
    )  # fmt: skip


@ledger.claim(
    "s-norm-to-distance",
    where="l1 distance, between the displays",
    says="The l1 distance of two databases comes from the norm displayed before it.",
)
def _norm_of_difference() -> Finding:
    """It is the norm of the rows of x that y lacks, plus that of the rows of y that x lacks.

    |x_i - y_i| is the sum of max(0, x_i - y_i) and max(0, y_i - x_i), two histograms to which the
    displayed sum applies. x - y itself may have negative entries, for which the norm is sum |x_i|; the
    printed distance has the bars.
    """
    return exhausted(
        product(_histograms(3, 2), repeat=2), lambda c: norm(_lacking(*c)) + norm(_lacking(*c[::-1])) == distance(*c),
        over="pairs of histograms over 2 types, up to 2 records of each",
        shown=("||x||_1 gives ||x - y||_1", "||(x - y)_+||_1 + ||(y - x)_+||_1"), proven=True,
    )  # fmt: skip


@ledger.claim(
    "s-l1-distance",
    where="l1 distance, second display",
    says="The distance of two databases is the sum of |x_i - y_i|.",
)
def _distance() -> Finding:
    """It is the least number of steps from x to y, each of which adds or leaves out one record.

    A step changes one entry by 1, so the sum by at most 1: no way is shorter. Mending entry by entry
    takes just |x_i - y_i| steps for each.
    """
    grid = list(_histograms(4, 2))
    steps = {x: _steps_from(x, grid) for x in grid}
    return exhausted(
        product(grid, repeat=2),
        lambda c: sum(abs(a - b) for a, b in zip(*c, strict=True)) == steps[c[0]][c[1]] == distance(*c),
        over="pairs of histograms over 2 types, up to 3 records of each",
        shown=("sum |x_i - y_i|", "steps of one record"), proven=True,
    )  # fmt: skip


@ledger.claim(
    "s-distance-missing-rows",
    where="l1 distance, after the second display",
    says="The distance between two databases is the number of missing rows per category.",
    script="""
        x, y = (1, 0), (0, 1)
        missing = sum(max(0, a - b) for a, b in zip(x, y))  # one row of x is missing from y
        surplus = sum(max(0, b - a) for a, b in zip(x, y))  # and one row of y from x
        assert missing == surplus == 1 and sum(abs(a - b) for a, b in zip(x, y)) == 2
    """,
)
def _missing_rows() -> Finding:
    """Rows missing from either database count, and the categories are added up.

    In the document's own example the categories lack 1 and 3 rows, and the distance is their sum, 4.
    """
    return repaired(
        product(_histograms(3, 2), repeat=2), lambda c: distance(*c) in (_missing(*c), _missing(*c[::-1])),
        lambda c: distance(*c) == _missing(*c) + _missing(*c[::-1]),
        over="pairs of histograms over 2 types, up to 2 records of each",
        shown=("missing rows per category", "rows missing from either, all told"),
        show=lambda c: f"x = {c[0]}, y = {c[1]}: {_missing(*c)} missing, distance {distance(*c)}",
    )  # fmt: skip


@ledger.claim(
    "s-distance-4",
    where="l1 distance, example",
    says="The histograms (10, 8) and (11, 11) are at distance 4.",
)
def _four() -> Finding:
    """One row of the first type and three of the second are missing from the first database."""
    return equal(4, distance((10, 8), (11, 11)), over="the example")


def _histograms(count: int, types: int) -> Iterator[_Histogram]:
    """Histograms with entries below ``count``."""
    return product(range(count), repeat=types)


def _records(x: _Histogram) -> list[int]:
    """A database with this histogram."""
    return [kind for kind, count in enumerate(x) for _ in range(count)]


def _lacking(x: _Histogram, y: _Histogram) -> _Histogram:
    """The histogram of the rows of x that y lacks."""
    return tuple(max(0, a - b) for a, b in zip(x, y, strict=True))


def _missing(x: _Histogram, y: _Histogram) -> int:
    """How many records of x are missing from y, which are taken out of x one by one."""
    left = _records(x)
    for record in _records(y):
        if record in left:
            left.remove(record)
    return len(left)


def _steps_from(start: _Histogram, grid: list[_Histogram]) -> dict[_Histogram, int]:
    """The least number of added or left-out records, from ``start`` to every histogram, by breadth-first search."""
    reached, front = {start: 0}, [start]
    for x in front:
        for y in grid:
            one_record = sorted(abs(a - b) for a, b in zip(x, y, strict=True)) == [0, 1]
            if one_record and y not in reached:
                reached[y] = reached[x] + 1
                front.append(y)
    return reached
