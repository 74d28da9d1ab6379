"""EC, "Epsilon-closeness": distances between two distributions."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from math import inf

from sympy import Symbol, limit
from sympy import log as symbolic_log

from dpcalc.anonymized.distance import DISTANCES, Distance, kullback_leibler, l1, variational, within
from dpcalc.claims.cases import distributions
from dpcalc.claims.checking import exhausted
from dpcalc.claims.claim import Finding, Ledger, Ruling
from dpcalc.claims.ec.small_tables import Counts, classes, largest_gap, shares, tables, totals
from dpcalc.numbers.elementary import log
from dpcalc.numbers.enclosure import Enclosure

__all__ = ["ledger"]

ledger = Ledger("EC")


@ledger.claim(
    "s-measure",
    where="Epsilon-closeness, 'D is a distance'",
    says="Not every D of the list is a distance in the mathematical sense.",
)
def _measure() -> Finding:
    """The Kullback-Leibler divergence is not symmetric: of (1, 0) from (1/2, 1/2) it is log 2.

    Back it is infinite. Without zeros: (1/4, 3/4) and (1/2, 1/2), there and back, differ in
    certified digits. The other distances of the list are symmetric.
    """
    found = [n for n, d in DISTANCES.items() if not all(_equal(d(p, q), d(q, p)) for p, q in _distribution_pairs())]
    forth, back = kullback_leibler([1, 3], [1, 1]), kullback_leibler([1, 1], [1, 3])
    apart = ends(forth)[1] < ends(back)[0]
    return Finding(
        ruling=Ruling.PROVEN if found == ["kullback-leibler"] and apart else Ruling.REFUTED,
        said="not necessarily a metric", exact="Kullback-Leibler is none",
        witness=f"(1/4, 3/4), (1/2, 1/2): {forth} and back {back}",
    )  # fmt: skip


@ledger.claim(
    "s-norms",
    where="Epsilon-closeness, list of D",
    says="The L2 norm and the L1 norm (of P_L - P_Q) are examples of a distance between distributions.",
)
def _norms() -> Finding:
    """A norm of the difference is symmetric, 0 only for equal arguments, and obeys the triangle rule.

    L2: by Cauchy and Schwarz. Tried in whole numbers: for squares a, b, c, sqrt(a) <= sqrt(b) +
    sqrt(c) if and only if a - b - c is negative or its square at most 4 b c.
    """
    points = distributions(3, 2)
    return exhausted(
        product(points, repeat=3), lambda c: _triangle(*map(_square, (c[0], c[0], c[1]), (c[2], c[1], c[2])))
        and l1(c[0], c[2]) <= l1(c[0], c[1]).value + l1(c[1], c[2]).value
        and within(c[0], c[1], Fraction(0), distance="l2") == (c[0] == c[1]) == (l1(c[0], c[1]) == 0),
        over="triples of distributions on 3 values, in halves", shown=("||P_L - P_Q||", "metrics"), proven=True,
    )  # fmt: skip


@ledger.claim(
    "s-variational",
    where="Epsilon-closeness, variational distance",
    says="The variational distance is 1/2 sum_s |P_L(s) - P_Q(s)|.",
)
def _variational() -> Finding:
    """It is the largest difference of the probabilities of one event, attained at {s : P_L(s) > P_Q(s)}.

    The positive differences sum to what the negative ones do, as both distributions sum to 1: each to
    half the total.
    """
    return exhausted(
        _distribution_pairs(),
        lambda c: sum(abs(a - b) for a, b in zip(*c, strict=True)) / 2 == largest_gap(*c) == variational(*c).value,
        over="pairs of distributions on 3 values, in thirds; every event",
        shown=("1/2 sum |P_L - P_Q|", "max |P_L(E) - P_Q(E)|"), proven=True,
    )  # fmt: skip


@ledger.claim(
    "s-KL",
    where="Epsilon-closeness, Kullback-Leibler divergence",
    says="The Kullback-Leibler divergence is sum_s P_L(s) log(P_L(s) / P_Q(s)).",
    assuming="0 log 0 = 0, the limit; infinite where P_Q(s) = 0 < P_L(s), which no class has against its own table",
)
def _divergence() -> Finding:
    """It is the mean log-likelihood ratio: m D = log prod_s (P_L(s)/P_Q(s))^(entries of value s).

    m is the number of entries of the class; a value that does not occur in it has the exponent 0.
    """
    x = Symbol("x", positive=True)
    continuous = limit(x * symbolic_log(x), x, 0) == 0
    finite = all(ends(kullback_leibler(c, totals(t)))[1] < inf for t in tables() for c in classes(t))
    pairs = [(p, q) for p in product(range(4), repeat=2) for q in product(range(1, 4), repeat=2) if any(p)]
    return exhausted(
        pairs, lambda c: continuous and finite and _is_mean_log_ratio(*c),
        over="classes of up to 3 entries of either value, against tables that have both",
        shown=("sum P_L log(P_L / P_Q)", "mean log-likelihood ratio"), proven=True,
    )  # fmt: skip


def _distribution_pairs() -> Iterator[tuple[tuple[Fraction, ...], tuple[Fraction, ...]]]:
    points = distributions(3, 3)
    return product(points, points)


def _square(p: tuple[Fraction, ...], q: tuple[Fraction, ...]) -> Fraction:
    return sum(((a - b) ** 2 for a, b in zip(p, q, strict=True)), Fraction(0))


def _triangle(a: Fraction, b: Fraction, c: Fraction) -> bool:
    """Whether sqrt(a) <= sqrt(b) + sqrt(c)."""
    return a <= b + c or (a - b - c) ** 2 <= 4 * b * c


def _equal(x: Distance, y: Distance) -> bool:
    return ends(x) == ends(y)


def ends(x: Distance) -> tuple[Fraction | float, Fraction | float]:
    return (x.lower, x.upper) if isinstance(x, Enclosure) else (x, x)


def _is_mean_log_ratio(p: Counts, q: Counts) -> bool:
    """Whether dpcalc's divergence, times the entries of p, overlaps the log of an exact likelihood ratio."""
    ratio = Fraction(1)
    for entries, here, there in zip(p, shares(p), shares(q), strict=True):
        ratio *= (here / there) ** entries
    mean = log(ratio) / sum(p)
    lower, upper = ends(kullback_leibler(p, q))
    return lower <= mean.upper and mean.lower <= upper and upper - lower <= Fraction(1, 10**15)
