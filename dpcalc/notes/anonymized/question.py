"""What is asked about closeness: the arguments, checked, and the table as counts."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import gcd
from typing import Any

from dpcalc.errors import DomainError, must_fit
from dpcalc.notes.anonymized.class_counts import class_counts, hashables
from dpcalc.notes.anonymized.distance import DISTANCES
from dpcalc.numbers.lists import one_or_many
from dpcalc.numbers.rational import Number, rational

_MAX_VALUES = 100_000
_MAX_CELLS = 5_000_000  # classes times values: some seconds


@dataclass(frozen=True, slots=True)
class Question:
    """The arguments, checked, and the table as counts.

    Attributes:
        quasi: the quasi-identifying columns.
        epsilon: the largest distance allowed.
        distance: which one, a key of ``DISTANCES``.
        values: the sensitive values, in order.
        classes: for every class the counts of its values.
        totals: the count of every value in the whole table.
    """

    quasi: tuple[Hashable, ...]
    epsilon: Fraction
    distance: str
    values: tuple[Hashable, ...]
    classes: Mapping[tuple[Hashable, ...], Mapping[Hashable, int]]
    totals: tuple[int, ...]

    @classmethod
    def of(
        cls,
        table: Any,
        quasi: str | Sequence[Hashable],
        sensitive: Hashable,
        epsilon: Number,
        distance: str,
        order: Sequence[Hashable] | None,
    ) -> Question:
        """What a caller asks.

        Raises:
            DomainError: a bad argument or a bad table.
            TooLarge: more than 100,000 sensitive values, or 5,000,000 classes times values.
        """
        if not isinstance(distance, str) or distance not in DISTANCES:
            raise DomainError("distance", distance, f"one of {', '.join(DISTANCES)}")
        limit = rational(epsilon, "epsilon")
        if limit < 0:
            raise DomainError("epsilon", epsilon, "a number >= 0")
        columns = quasi if isinstance(quasi, str) else one_or_many(quasi)
        classes = class_counts(table, quasi=columns, sensitive=sensitive)
        found: dict[Hashable, int] = {}
        for counts in classes.values():
            for value, count in counts.items():
                found[value] = found.get(value, 0) + count
        _check_size(sensitive, len(found), len(classes))
        values = _ordered(tuple(found), sensitive, distance, order)
        totals = tuple(found.get(value, 0) for value in values)
        return cls(tuple(one_or_many(columns)), limit, distance, values, classes, totals)

    def distributions(self) -> tuple[tuple[int, ...], ...]:
        """The different distributions of the classes, as counts without a common factor."""
        different: dict[tuple[int, ...], None] = {}  # a set that keeps the order
        for counts in self.classes.values():
            common = gcd(*counts.values())
            different[tuple(counts.get(value, 0) // common for value in self.values)] = None
        return tuple(different)


def _check_size(sensitive: Hashable, values: int, classes: int) -> None:
    must_fit(
        f"the sensitive column {sensitive!r}", values, _MAX_VALUES, "distinct values",
        instead="a column with fewer (grouped) values",
    )  # fmt: skip
    must_fit(
        f"{classes:,} classes with {values:,} values of {sensitive!r}", values * classes, _MAX_CELLS, "counts",
        instead="a table with coarser quasi-identifiers or grouped values",
    )  # fmt: skip


def _ordered(
    found: tuple[Hashable, ...], sensitive: Hashable, distance: str, order: Sequence[Hashable] | None
) -> tuple[Hashable, ...]:
    """The sensitive values in the order asked for, else by number where the order matters, else as found."""
    if order is not None:
        every = f"every value of {sensitive!r} exactly once"
        ranked = hashables(order, "order", every)
        if len(set(ranked)) < len(ranked) or not set(found) <= set(ranked):
            raise DomainError("order", order, every)
        return ranked
    if distance != "earth-mover":
        return found
    allowed = f"a column of numbers for the {distance} distance, or order= with all its values"
    numbers = {value: rational(value, f"sensitive {sensitive!r}", allowed) for value in found}
    if len(set(numbers.values())) < len(found):
        raise DomainError("sensitive", sensitive, "a column where no number is written in two ways, or order=")
    return tuple(sorted(found, key=numbers.__getitem__))
