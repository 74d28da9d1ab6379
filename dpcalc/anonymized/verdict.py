"""The verdicts on a table: class by class, the farthest first, as values, as a report and for JSON."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from dpcalc.anonymized.distance import Distance
from dpcalc.numbers.enclosure import Enclosure

__all__ = ["ClassDistance", "Closeness", "SubsetCloseness"]

_SHOWN = 20  # classes in a report


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
        """For JSON: the ends of the distance are strings."""
        lower, upper = self.ends
        return {
            "key": list(map(_plain, self.key)),
            "size": self.size,
            "distance": {"lower": str(lower), "upper": str(upper)},
            "holds": self.holds,
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Closeness:
    """Whether a table is epsilon-close, class by class.

    Attributes:
        distance: which one, a key of ``DISTANCES``.
        epsilon: the largest distance allowed.
        quasi, sensitive: the columns.
        rows: the size of the table.
        classes: the farthest first (by the upper end, where only an enclosure is known).
    """

    distance: str
    epsilon: Fraction
    quasi: tuple[Hashable, ...]
    sensitive: Hashable
    rows: int
    classes: tuple[ClassDistance, ...]

    @property
    def holds(self) -> bool:
        """Whether every class is close."""
        return all(one.holds for one in self.classes)

    @property
    def worst(self) -> ClassDistance:
        """The farthest class."""
        return self.classes[0]

    def table(self, limit: int = _SHOWN) -> str:
        """A report with at most ``limit`` classes, the farthest first."""
        failing = sum(not one.holds for one in self.classes)
        return "\n".join(
            [
                f"{self.sensitive} is {'' if self.holds else 'not '}{self.epsilon}-close ({self.distance} distance): "
                f"{failing:,} of {len(self.classes):,} classes of {self.rows:,} rows fail",
                *_report(self.quasi, self.classes, limit),
            ]
        )

    def to_dict(self) -> dict[str, Any]:
        """For JSON: rationals are strings."""
        return {
            "holds": self.holds,
            "distance": self.distance,
            "epsilon": str(self.epsilon),
            "quasi": list(map(_plain, self.quasi)),
            "sensitive": _plain(self.sensitive),
            "rows": self.rows,
            "classes": [one.to_dict() for one in self.classes],
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class SubsetCloseness:
    """Whether a table is (n, epsilon)-close, with a subset if it is.

    Attributes:
        n: the smallest size of a subset.
        distance, epsilon, quasi, sensitive, rows: as in ``Closeness``.
        subset: how many rows with each sensitive value a subset holds that all classes are close to; None is the
            verdict of an exact and complete search: there is no such subset.
        classes: the distances from that subset, the farthest first; empty without one.
    """

    n: int
    distance: str
    epsilon: Fraction
    quasi: tuple[Hashable, ...]
    sensitive: Hashable
    rows: int
    subset: Mapping[Hashable, int] | None
    classes: tuple[ClassDistance, ...]

    @property
    def holds(self) -> bool:
        """Whether there is such a subset."""
        return self.subset is not None

    def table(self, limit: int = _SHOWN) -> str:
        """A report: the subset, and at most ``limit`` classes, the farthest first."""
        head = f"({self.n}, {self.epsilon})-close ({self.distance} distance)"
        if self.subset is None:
            return f"{self.sensitive} is not {head}: no subset of at least {self.n:,} of {self.rows:,} rows will do"
        counts = ", ".join(f"{_shown(value)}: {count:,}" for value, count in self.subset.items() if count)
        size = sum(self.subset.values())
        return "\n".join(
            [
                f"{self.sensitive} is {head}: a subset of {size:,} of {self.rows:,} rows will do",
                f"subset  {counts}",
                *_report(self.quasi, self.classes, limit),
            ]
        )

    def to_dict(self) -> dict[str, Any]:
        """For JSON: rationals are strings."""
        subset = self.subset and [{"value": _plain(value), "count": count} for value, count in self.subset.items()]
        return {
            "holds": self.holds,
            "n": self.n,
            "distance": self.distance,
            "epsilon": str(self.epsilon),
            "quasi": list(map(_plain, self.quasi)),
            "sensitive": _plain(self.sensitive),
            "rows": self.rows,
            "subset": subset,
            "classes": [one.to_dict() for one in self.classes],
        }


def _plain(value: Hashable) -> str | int | None:
    return value if value is None or isinstance(value, str | int) else str(value)


def _shown(value: Hashable) -> str:
    """As Python prints it; text with spaces around it, and empty text, in quotes: they would not be seen."""
    return repr(value) if isinstance(value, str) and (not value or value != value.strip()) else str(value)


def _report(quasi: Sequence[Hashable], classes: Sequence[ClassDistance], limit: int) -> list[str]:
    """Aligned lines, one for each of the first classes."""
    lines = [[*map(_shown, quasi), "size", "distance", "close"]]
    for one in classes[:limit]:
        lines.append([*map(_shown, one.key), f"{one.size:,}", str(one.distance), "yes" if one.holds else "no"])
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    shown = ["  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip() for line in lines]
    more = len(classes) - limit
    return [*shown, f"... and {more:,} more classes"] if more > 0 else shown
