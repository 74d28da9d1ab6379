r"""How close every class of a table is to the whole table, or to one subset of it.

    P_L(s) = (rows of class L with value s) / (rows of L),    P_Q(s) = the same for the whole table,
    epsilon-close:       D(P_L, P_Q) <= epsilon for every class L,
    (n, epsilon)-close:  there is one subset M of at least n rows with D(P_L, P_{Q|M}) <= epsilon for every class L.

M is any set of rows, whole classes or not, and the same for all classes. (The (n, t)-closeness of Li, Li and
Venkatasubramanian, TKDE 2010, is another notion: there each class has its own, larger, natural superset.)

Source: EC, "Epsilon-closeness" and "n-epsilon-closeness".
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import gcd
from typing import Any

from dpcalc.anonymized.distance import DISTANCES, within
from dpcalc.anonymized.subset import close_subset
from dpcalc.anonymized.table import class_counts, hashables
from dpcalc.anonymized.verdict import ClassDistance, Closeness, SubsetCloseness
from dpcalc.errors import DomainError, TooLarge
from dpcalc.numbers.lists import one_of, one_or_many
from dpcalc.numbers.rational import Number, integer, rational

__all__ = ["closeness", "n_closeness"]

_MAX_VALUES = 100_000
_MAX_CELLS = 5_000_000  # classes times values: some seconds


def closeness(
    table: Any,
    *,
    quasi: str | Sequence[Hashable],
    sensitive: Hashable,
    epsilon: Number,
    distance: str = "variational",
    order: Sequence[Hashable] | None = None,
) -> Closeness:
    """Whether every class of ``table`` is within ``epsilon`` of the whole table, exactly.

    Args:
        table: a DataFrame, an iterable of mappings from column to value, or the path of a CSV file. Text counts as it
            is written: an empty cell is a value of its own, not a missing one, and "130" is another than "130 ".
        quasi: the quasi-identifying columns; rows that agree in all of them form a class.
        sensitive: the sensitive column.
        epsilon: the largest distance allowed, >= 0.
        distance: a key of ``DISTANCES``.
        order: all possible sensitive values, each once, from least to greatest: for ``earth-mover``, which otherwise
            takes numbers in their order.

    Raises:
        DomainError: a bad argument or a bad table.
        TooLarge: more than 100,000 sensitive values, or 5,000,000 classes times values.

    Source: EC, "Epsilon-closeness".

    >>> rows = [{"age": age, "ill": ill} for age, ill in [(20, "no"), (20, "no"), (30, "no"), (30, "yes")]]
    >>> result = closeness(rows, quasi=["age"], sensitive="ill", epsilon="1/5")
    >>> print(result.table())
    ill is not 1/5-close (variational distance): 2 of 2 classes of 4 rows fail
    age  size  distance  close
    20   2     1/4       no
    30   2     1/4       no
    """
    asked = _Question.of(table, quasi, sensitive, epsilon, distance, order)
    return Closeness(
        distance=distance,
        epsilon=asked.epsilon,
        quasi=asked.quasi,
        sensitive=sensitive,
        rows=sum(asked.totals),
        classes=asked.distances(asked.totals),
    )


def n_closeness(
    table: Any,
    *,
    quasi: str | Sequence[Hashable],
    sensitive: Hashable,
    epsilon: Number,
    n: Number,
    distance: str = "variational",
    order: Sequence[Hashable] | None = None,
) -> SubsetCloseness:
    """Whether every class of ``table`` is within ``epsilon`` of one subset of at least ``n`` rows, exactly.

    Args:
        table: as for ``closeness``, as are the arguments not named here.
        quasi: the quasi-identifying columns.
        sensitive: the sensitive column.
        epsilon: the largest distance allowed, >= 0.
        n: the smallest size of the subset, from 1 to the number of rows.
        distance: a key of ``DISTANCES``.
        order: the sensitive values in order.

    Raises:
        DomainError: a bad argument or a bad table.
        TooLarge: as ``closeness``, or a search that ended neither with a subset nor with a proof.

    Source: EC, "n-epsilon-closeness".

    The whole table, a third "no", is not within 3/20 of one half, but 2 of 5 rows are within 3/20 of 1/2 and of 1/4:

    >>> ills = [(20, "no"), (20, "yes"), (30, "no"), (30, "yes"), (30, "yes"), (30, "yes")]
    >>> rows = [{"age": age, "ill": ill} for age, ill in ills]
    >>> n_closeness(rows, quasi="age", sensitive="ill", epsilon="3/20", n=4).subset
    {'no': 2, 'yes': 3}
    >>> n_closeness(rows, quasi="age", sensitive="ill", epsilon="3/20", n=6).holds
    False
    """
    asked = _Question.of(table, quasi, sensitive, epsilon, distance, order)
    rows = sum(asked.totals)
    least = integer(n, "n", minimum=1, maximum=rows)
    counts = close_subset(
        asked.distributions(), asked.totals, n=least, epsilon=asked.epsilon, distance=distance
    )  # fmt: skip
    return SubsetCloseness(
        n=least,
        distance=distance,
        epsilon=asked.epsilon,
        quasi=asked.quasi,
        sensitive=sensitive,
        rows=rows,
        subset=None if counts is None else dict(zip(asked.values, counts, strict=True)),
        classes=() if counts is None else asked.distances(counts),
    )


@dataclass(frozen=True, slots=True)
class _Question:
    """The arguments, checked, and the table as counts: one per value, in the order of ``values``."""

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
    ) -> _Question:
        one_of(distance, "distance", DISTANCES)
        limit = rational(epsilon, "epsilon")
        if limit < 0:
            raise DomainError("epsilon", epsilon, "a number >= 0")
        classes = class_counts(table, quasi=quasi, sensitive=sensitive)
        found: dict[Hashable, int] = {}
        for counts in classes.values():
            for value, count in counts.items():
                found[value] = found.get(value, 0) + count
        _check_size(sensitive, len(found), len(classes))
        values = _ordered(tuple(found), sensitive, distance, order)
        columns = tuple(one_or_many(quasi))
        return cls(columns, limit, distance, values, classes, tuple(found.get(value, 0) for value in values))

    def distributions(self) -> tuple[tuple[int, ...], ...]:
        """The different distributions of the classes, as counts without a common factor."""
        different: dict[tuple[int, ...], None] = {}  # a set that keeps the order
        for counts in self.classes.values():
            common = gcd(*counts.values())
            different[tuple(counts.get(value, 0) // common for value in self.values)] = None
        return tuple(different)

    def distances(self, reference: Sequence[int]) -> tuple[ClassDistance, ...]:
        """Every class and its distance from the reference, the farthest first."""
        judged = []
        for key, counts in self.classes.items():
            dense = [counts.get(value, 0) for value in self.values]
            size = DISTANCES[self.distance](dense, reference)
            holds = within(dense, reference, self.epsilon, distance=self.distance)
            judged.append(ClassDistance(key=key, size=sum(dense), distance=size, holds=holds))
        return tuple(sorted(judged, key=lambda one: one.ends[1], reverse=True))


def _check_size(sensitive: Hashable, values: int, classes: int) -> None:
    if values > _MAX_VALUES:
        raise TooLarge(
            f"the sensitive column {sensitive!r}", size=values, limit=_MAX_VALUES, unit="distinct values",
            instead="a column with fewer (grouped) values",
        )  # fmt: skip
    if values * classes > _MAX_CELLS:
        raise TooLarge(
            f"{classes:,} classes with {values:,} values of {sensitive!r}", size=values * classes, limit=_MAX_CELLS,
            unit="counts", instead="a table with coarser quasi-identifiers or grouped values",
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
