"""Small tables in full, for the claims on closeness: two classes, two sensitive values, and their distributions."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from typing import TypeAlias

from dpcalc.anonymized.class_counts import class_counts
from dpcalc.claims.cases import events

__all__ = ["Counts", "Table", "classes", "drawn_uniformly", "largest_gap", "shares", "tables", "totals"]

#: One mapping from column ("group", "ill") to value per row.
Table: TypeAlias = list[dict[str, int]]

#: How many rows have the value 0, 1, ...
Counts: TypeAlias = tuple[int, ...]


def tables(most: int = 8) -> Iterator[Table]:
    """Tables of two classes with up to 2 rows of either value, and with at most ``most`` rows."""
    counts = [c for c in product(range(3), repeat=2) if any(c)]
    for pair in product(counts, repeat=2):
        if sum(map(sum, pair)) <= most:
            yield [
                {"group": group, "ill": value}
                for group, per_value in enumerate(pair)
                for value, count in enumerate(per_value)
                for _ in range(count)
            ]


def classes(table: Table) -> list[Counts]:
    """The counts of both values in every class."""
    return [(c[0], c[1]) for c in class_counts(table, quasi="group", sensitive="ill").values()]


def totals(table: Table) -> Counts:
    """The counts of both values in the whole table."""
    return tuple(sum(counts) for counts in zip(*classes(table), strict=True))


def shares(counts: Counts) -> tuple[Fraction, ...]:
    """The distribution of the values: the counts over their sum."""
    return tuple(Fraction(count, sum(counts)) for count in counts)


def drawn_uniformly(table: Table) -> tuple[Fraction, ...]:
    """The distribution of the value of a row drawn uniformly, added up row by row."""
    chances = [Fraction(0), Fraction(0)]
    for row in table:
        chances[row["ill"]] += Fraction(1, len(table))
    return tuple(chances)


def largest_gap(p: tuple[Fraction, ...], q: tuple[Fraction, ...]) -> Fraction:
    """The largest difference of the probabilities of one event."""
    return max(abs(sum((p[i] - q[i] for i in event), Fraction(0))) for event in events(len(p)))
