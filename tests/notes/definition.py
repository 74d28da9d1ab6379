r"""The documents' datasets and neighbours, word by word; mixtures and compositions of mechanisms.

The histogram of a dataset counts its records of each type. DW: neighbours have ||x - y||_1 <= 1, a record is added or
left out. KTEX: the collections differ in one record, and their histograms are at distance 2 or 0.

Source: DW, "Distance between databases", "The Randomized Response" and "Post Processing"; KTEX, section 1, (eq:dpdef)
and Proposition (prop:dpcnt).
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from fractions import Fraction
from itertools import combinations
from operator import mul

from dpcalc.mechanisms.finite import FiniteMechanism, Pairs
from dpcalc.numbers.rational import Number, rational


def histogram(records: Sequence[Hashable], universe: Sequence[Hashable]) -> tuple[int, ...]:
    """How many records are of each type, in the order of ``universe``."""
    return tuple(sum(record == kind for record in records) for kind in universe)


def norm(x: Sequence[int]) -> int:
    """||x||_1, the number of records in a dataset with histogram ``x``."""
    return sum(map(abs, x))


def distance(x: Sequence[int], y: Sequence[int]) -> int:
    """||x - y||_1, the number of records to add and leave out to get from one histogram to the other."""
    return norm([a - b for a, b in zip(x, y, strict=True)])


def histogram_neighbours(histograms: Sequence[Sequence[int]]) -> Pairs:
    """The pairs of histograms with ||x - y||_1 <= 1, as positions in the list."""
    return tuple((i, j) for (i, x), (j, y) in combinations(enumerate(histograms), 2) if distance(x, y) <= 1)


def record_neighbours(collections: Sequence[Sequence[Hashable]]) -> Pairs:
    """The pairs of collections that differ in exactly one record, as positions in the list."""
    return tuple(
        (i, j)
        for (i, x), (j, y) in combinations(enumerate(collections), 2)
        if sum(a != b for a, b in zip(x, y, strict=True)) == 1
    )


def mixture(mechanisms: Sequence[FiniteMechanism], weights: Iterable[Number]) -> FiniteMechanism:
    """The mechanism that runs ``mechanisms[i]`` with probability ``weights[i]`` and does not tell which.

    DW leaves out that the weights are not negative: 2 A - B may be a mechanism, less private than both A and B.
    """
    shares = [rational(weight, "weights") for weight in weights]
    matrix = [
        [sum(map(mul, shares, entries), Fraction(0)) for entries in zip(*rows, strict=True)]
        for rows in zip(*(mechanism.matrix for mechanism in mechanisms), strict=True)
    ]
    return FiniteMechanism(matrix, mechanisms[0].neighbours)


def composition(mechanisms: Sequence[FiniteMechanism]) -> FiniteMechanism:
    """All mechanisms run independently on the same dataset; the last one's outcome varies fastest."""
    rows = [[Fraction(1)] for _ in mechanisms[0].matrix]
    for mechanism in mechanisms:
        rows = [[a * b for a in row for b in more] for row, more in zip(rows, mechanism.matrix, strict=True)]
    return FiniteMechanism(rows, mechanisms[0].neighbours)


def two_coins() -> FiniteMechanism:
    """Randomized response with two fair coins; the first one decides between the truth and the second."""
    truth, coin = FiniteMechanism([[1, 0], [0, 1]]), FiniteMechanism([["1/2", "1/2"], ["1/2", "1/2"]])
    return mixture([truth, coin], ["1/2", "1/2"])
