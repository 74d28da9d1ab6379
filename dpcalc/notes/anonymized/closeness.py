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
from typing import Any

from dpcalc.notes.anonymized.distance import DISTANCES, Distance, within
from dpcalc.notes.anonymized.question import Question
from dpcalc.notes.anonymized.subset import close_subset
from dpcalc.numbers.enclosure import Enclosure
from dpcalc.numbers.rational import Number, integer
from dpcalc.report import MOST_ROWS, Tabled, aligned, plain, shown


@dataclass(frozen=True, slots=True, kw_only=True)
class ClassDistance:
    """One equivalence class and its distance from the reference.

    Attributes:
        key: its values in the quasi-identifying columns.
        size: its rows.
        distance: D(P_L, reference).
        holds: whether the distance is at most epsilon, decided exactly.
    """

    key: tuple[Hashable, ...]
    size: int
    distance: Distance
    holds: bool

    @property
    def ends(self) -> tuple[Fraction | float, Fraction | float]:
        """The least and the largest the distance can be: equal, if it is rational (or infinite)."""
        known = self.distance
        return (known.lower, known.upper) if isinstance(known, Enclosure) else (known, known)

    def to_dict(self) -> dict[str, Any]:
        """For JSON; the ends of the distance are exact."""
        lower, upper = self.ends
        ends = {"lower": plain(lower), "upper": plain(upper)}
        return {"key": plain(self.key), "size": self.size, "distance": ends, "holds": self.holds}


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class _Judged(Tabled):
    """The classes of a table and what was asked about them; the attributes are those of ``Closeness``."""

    distance: str
    epsilon: Fraction
    quasi: tuple[Hashable, ...]
    sensitive: Hashable
    rows: int
    classes: tuple[ClassDistance, ...]

    def _asked(self) -> dict[str, Any]:
        """What was asked, for JSON."""
        return {name: plain(getattr(self, name)) for name in ("distance", "epsilon", "quasi", "sensitive", "rows")}


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Closeness(_Judged):
    """Whether a table is epsilon-close, class by class.

    Attributes:
        distance: which one, a key of ``DISTANCES``.
        epsilon: the largest distance allowed.
        quasi, sensitive: the columns.
        rows: the size of the table.
        classes: the farthest first (by the upper end, where only an enclosure is known).
    """

    @property
    def holds(self) -> bool:
        """Whether every class is close."""
        return all(one.holds for one in self.classes)

    @property
    def worst(self) -> ClassDistance:
        """The farthest class."""
        return self.classes[0]

    def table(self, limit: int = MOST_ROWS) -> str:
        """A report with at most ``limit`` classes, the farthest first."""
        failing = sum(not one.holds for one in self.classes)
        found = "is" if self.holds else "is not"
        head = (
            f"{shown(self.sensitive)} {found} {self.epsilon}-close ({self.distance} distance): "
            f"{failing:,} of {len(self.classes):,} classes of {self.rows:,} rows fail"
        )
        return "\n".join([head, *_class_lines(self.quasi, self.classes, limit)])

    def to_dict(self) -> dict[str, Any]:
        """For JSON."""
        return {"holds": self.holds, **self._asked(), "classes": [one.to_dict() for one in self.classes]}


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class SubsetCloseness(_Judged):
    """Whether a table is (n, epsilon)-close, with a subset if it is.

    Attributes:
        n: the smallest size of a subset.
        distance, epsilon, quasi, sensitive, rows: as in ``Closeness``.
        subset: how many rows with each sensitive value a subset holds that all classes are close to; None is the
            verdict of an exact and complete search: there is no such subset.
        classes: the distances from that subset, the farthest first; empty without one.
    """

    n: int
    subset: Mapping[Hashable, int] | None

    @property
    def holds(self) -> bool:
        """Whether there is such a subset."""
        return self.subset is not None

    def table(self, limit: int = MOST_ROWS) -> str:
        """A report: the subset, and at most ``limit`` classes, the farthest first."""
        close, name = f"({self.n}, {self.epsilon})-close ({self.distance} distance)", shown(self.sensitive)
        if self.subset is None:
            return f"{name} is not {close}: no subset of at least {self.n:,} of {self.rows:,} rows will do"
        counts = ", ".join(f"{shown(value)}: {count:,}" for value, count in self.subset.items() if count)
        size = sum(self.subset.values())
        head = f"{name} is {close}: a subset of {size:,} of {self.rows:,} rows will do"
        return "\n".join([head, f"subset  {counts}", *_class_lines(self.quasi, self.classes, limit)])

    def to_dict(self) -> dict[str, Any]:
        """For JSON."""
        subset = self.subset and [{"value": plain(value), "count": count} for value, count in self.subset.items()]
        classes = [one.to_dict() for one in self.classes]
        return {"holds": self.holds, "n": self.n, **self._asked(), "subset": subset, "classes": classes}


def _class_lines(quasi: Sequence[Hashable], classes: Sequence[ClassDistance], limit: int) -> list[str]:
    """A heading, a line for each of the first classes, and how many more there are."""
    rows = [[*map(shown, quasi), "size", "distance", "close"]]
    for one in classes[:limit]:
        rows.append([*map(shown, one.key), f"{one.size:,}", str(one.distance), "yes" if one.holds else "no"])
    more = len(classes) - limit
    return [*aligned(rows), *([f"... and {more:,} more classes"] if more > 0 else [])]


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
    asked = Question.of(table, quasi, sensitive, epsilon, distance, order)
    return Closeness(classes=_distances(asked, asked.totals), **_shared(asked, sensitive))


def n_closeness(
    table: Any,
    *,
    quasi: str | Sequence[Hashable],
    sensitive: Hashable,
    epsilon: Number,
    n: Number | str,
    distance: str = "variational",
    order: Sequence[Hashable] | None = None,
) -> SubsetCloseness:
    """Whether every class of ``table`` is within ``epsilon`` of one subset of at least ``n`` rows, exactly.

    Args:
        table: as for ``closeness``, as are the arguments not named here.
        quasi: the quasi-identifying columns.
        sensitive: the sensitive column.
        epsilon: the largest distance allowed, >= 0.
        n: the smallest size of the subset, from 1 to the number of rows; or "largest", for the largest n with which
            the answer is yes (then that of a subset returned), and 1 if there is none.
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
    >>> n_closeness(rows, quasi="age", sensitive="ill", epsilon="3/20", n="largest").n
    5
    """
    asked = Question.of(table, quasi, sensitive, epsilon, distance, order)
    if isinstance(n, str) and n == "largest":
        least, counts = _largest(asked)
    else:
        least = integer(n, "n", minimum=1, maximum=sum(asked.totals))
        counts = _subset(asked, least)
    subset = None if counts is None else dict(zip(asked.values, counts, strict=True))
    classes = () if counts is None else _distances(asked, counts)
    return SubsetCloseness(n=least, subset=subset, classes=classes, **_shared(asked, sensitive))


def _shared(asked: Question, sensitive: Hashable) -> dict[str, Any]:
    """What both verdicts say of the question."""
    return {
        "distance": asked.distance, "epsilon": asked.epsilon, "quasi": asked.quasi, "sensitive": sensitive,
        "rows": sum(asked.totals),
    }  # fmt: skip


def _subset(asked: Question, n: int) -> tuple[int, ...] | None:
    """A subset of n rows or more that all classes are close to, or None: proven, there is none."""
    return close_subset(asked.distributions(), asked.totals, n=n, epsilon=asked.epsilon, distance=asked.distance)


def _largest(asked: Question) -> tuple[int, tuple[int, ...] | None]:
    """The largest n with a subset of n rows or more: a bisection, as what holds for n holds for fewer."""
    found = _subset(asked, 1)
    low, high = 1 if found is None else sum(found), sum(asked.totals)
    while found is not None and low < high:
        middle = (low + high + 1) // 2
        larger = _subset(asked, middle)
        if larger is None:
            high = middle - 1
        else:
            found, low = larger, sum(larger)
    return low, found


def _distances(asked: Question, reference: Sequence[int]) -> tuple[ClassDistance, ...]:
    """Every class and its distance from the reference, the farthest first."""
    judged = []
    for key, counts in asked.classes.items():
        own = [counts.get(value, 0) for value in asked.values]
        distance = DISTANCES[asked.distance](own, reference)
        holds = within(own, reference, asked.epsilon, distance=asked.distance)
        judged.append(ClassDistance(key=key, size=sum(own), distance=distance, holds=holds))
    return tuple(sorted(judged, key=lambda one: one.ends[1], reverse=True))
