r"""An enclosure of a delta or an epsilon that can be relied on, with the words that say for whom it is proven.

The upper end is safe: it holds for everyone it names. The lower end is reached, and shows how sharp the upper end is.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Self, TypedDict

from dpcalc.numbers.decimal import rounded
from dpcalc.numbers.enclosure import Enclosure
from dpcalc.numbers.rational import rational

ONE, ALL = "one dataset", "every dataset"  #: who reaches a lower end, and for whom an upper one holds
#: The same of many rounds.
FIXED, ADAPTIVE = "datasets fixed in advance", "every dataset, even if later data depend on earlier counts"
#: Who reaches a lower end on the convex hull of all trade-off curves.
DRAWN = "a pair of datasets drawn at random and told to the attacker"
_WIDTH_DIGITS = 3  # of a relative width


class Words(TypedDict):
    """Of a ``Promise``: who reaches its lower end, and for whom its upper one holds."""

    attained_by: str
    proven_for: str


EVERY: Words = {"attained_by": ONE, "proven_for": ALL}
GIVEN: Words = {"attained_by": "the composition given", "proven_for": "the composition given"}
REPORT: Words = {"attained_by": "one report", "proven_for": "one report"}  #: of a local epsilon


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Promise(Enclosure):
    """A delta or an epsilon: its upper end is safe, its lower end shows how sharp that is.

    Arithmetic with it returns a plain ``Enclosure``.

    Attributes:
        attained_by: who reaches ``lower``.
        proven_for: for whom ``upper`` holds.
        rtol: the relative width aimed at; None if it is always reached.

    >>> found = Promise(Fraction(1, 3), Fraction(2, 3))
    >>> found.meaning, float(found), float(Enclosure(found.lower, found.upper))
    ('lower: reached by one dataset; upper: holds for every dataset', 0.6666666666666667, 0.5)
    """

    attained_by: str = field(default=ONE, kw_only=True)
    proven_for: str = field(default=ALL, kw_only=True)
    rtol: Fraction | None = field(default=None, kw_only=True, repr=False)

    @classmethod
    def that(
        cls, found: Enclosure, *, attained_by: str = ONE, proven_for: str = ALL, rtol: Fraction | None = None
    ) -> Promise:
        """An enclosure as a promise."""
        return Promise(found.lower, found.upper, attained_by=attained_by, proven_for=proven_for, rtol=rtol)

    @property
    def words(self) -> Words:
        """``attained_by`` and ``proven_for`` as keyword arguments, for another answer that claims the same."""
        return {"attained_by": self.attained_by, "proven_for": self.proven_for}

    @property
    def meaning(self) -> str:
        """What each end is proven for."""
        if self.attained_by == self.proven_for:
            return f"both ends: {self.attained_by}"
        return f"lower: reached by {self.attained_by}; upper: holds for {self.proven_for}"

    @property
    def note(self) -> str | None:
        """Which width was reached instead of ``rtol``; None if that was."""
        return wider(self, self.rtol)

    def _text(self) -> str:
        return "\n".join([repr(self), self.meaning, *([self.note] if self.note else [])])

    def aimed(self, rtol: Fraction) -> Self:
        """The same, with the relative width that was aimed at."""
        return self if self.rtol == rtol else replace(self, rtol=rtol)

    def __float__(self) -> float:
        """The least double that is not below ``upper``, neither itself nor as its shortest decimal: the safe end."""
        return double_beyond(self.upper, 1)


def double_beyond(x: Fraction, side: int) -> float:
    """The double next to x, at or above it (``side`` = 1) or at or below it (-1), as its shortest decimal too.

    >>> double_beyond(Fraction(3, 10), 1), double_beyond(Fraction(3, 10), -1)
    (0.30000000000000004, 0.3)
    """
    near = float(x)
    while any((value - x) * side < 0 for value in (Fraction(near), rational(near, "value"))):
        near = math.nextafter(near, side * math.inf)
    return near


def wider(x: Enclosure, rtol: Fraction | None) -> str | None:
    """Says that the ends are farther apart than the relative width aimed at; None if they are not.

    >>> wider(Enclosure(Fraction(1), Fraction(3, 2)), Fraction(1, 100))
    'wider than aimed at: the relative width is 0.5, not 0.01'
    """
    if rtol is None or x.upper - x.lower <= rtol * x.lower:
        return None
    if not x.lower:
        return "wider than aimed at: no lower end above 0 is proven"
    reached = rounded((x.upper - x.lower) / x.lower, _WIDTH_DIGITS, 1)
    return f"wider than aimed at: the relative width is {reached}, not {rounded(rtol, _WIDTH_DIGITS, 1)}"
