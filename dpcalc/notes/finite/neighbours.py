r"""Datasets as histograms or as collections of records, and which of them are neighbours.

The histogram of a dataset over a universe X is x in N^|X|, x_j the number of records of type j, and

    ||x||_1 = sum_j |x_j|  (the number of records),     ||x - y||_1 = sum_j |x_j - y_j|.

Two relations are in use. DW: ||x - y||_1 <= 1, a record is added or left out. KTEX: n is fixed and the collections
differ in one record; their histograms are then at distance 2, or 0 where only the order tells them apart.

Source: DW, "Distance between databases"; KTEX, section 1.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Sequence
from itertools import combinations

from dpcalc.errors import DomainError
from dpcalc.mechanisms.finite import Pairs
from dpcalc.numbers.rational import Number, integer


def histogram(records: Sequence[Hashable], universe: Sequence[Hashable]) -> tuple[int, ...]:
    """How many records are of each type, in the order of ``universe``.

    Raises:
        DomainError: a record outside the universe, or a type listed twice.

    >>> histogram("aabcbacbaa", "abc")
    (5, 3, 2)
    """
    if len(set(universe)) != len(universe):
        raise DomainError("universe", universe, "every type once")
    counts = Counter(records)
    for record in counts:
        if record not in universe:
            raise DomainError("records", record, f"records from the universe {universe!r}")
    return tuple(counts[kind] for kind in universe)


def norm(x: Sequence[Number]) -> int:
    """||x||_1, the number of records in a dataset with histogram ``x``.

    Raises:
        DomainError: an entry that is not a whole number >= 0.

    >>> norm((5, 3, 2))
    10
    """
    return sum(_counts(x))


def distance(x: Sequence[Number], y: Sequence[Number]) -> int:
    """||x - y||_1, the number of records to add and leave out to get from one histogram to the other.

    Raises:
        DomainError: different lengths, or an entry that is not a whole number >= 0.

    >>> distance((10, 8), (11, 11))
    4
    """
    if len(x) != len(y):
        raise DomainError("y", y, f"a histogram over the same {len(x)} types")
    return sum(abs(a - b) for a, b in zip(_counts(x), _counts(y), strict=True))


def histogram_neighbours(histograms: Sequence[Sequence[Number]]) -> Pairs:
    """The pairs of histograms with ||x - y||_1 <= 1, as positions in the list.

    >>> histogram_neighbours([(0, 0), (0, 1), (1, 1), (1, 0)])
    ((0, 1), (0, 3), (1, 2), (2, 3))
    """
    return tuple(
        (i, j) for (i, x), (j, y) in combinations(enumerate(histograms), 2) if distance(x, y) <= 1
    )  # fmt: skip


def record_neighbours(collections: Sequence[Sequence[Hashable]]) -> Pairs:
    """The pairs of collections that differ in exactly one record, as positions in the list.

    Raises:
        DomainError: collections of different lengths.

    >>> record_neighbours(["00", "01", "11", "10"])
    ((0, 1), (0, 3), (1, 2), (2, 3))
    """
    for collection in collections:
        if len(collection) != len(collections[0]):
            raise DomainError("collections", collection, f"{len(collections[0])} records in every collection")
    return tuple(
        (i, j)
        for (i, x), (j, y) in combinations(enumerate(collections), 2)
        if sum(a != b for a, b in zip(x, y, strict=True)) == 1
    )


def _counts(x: Sequence[Number]) -> list[int]:
    return [integer(entry, "histogram entry", minimum=0) for entry in x]
