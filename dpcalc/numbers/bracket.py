r"""A solver's answer: a bracket with a proof at each end.

A condition on a parameter x (a flip probability, a number of users) is to hold from some x on. ``Bracket`` says where
it is proven to fail and where it is proven to hold; ``value`` is the private, safe end.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from dpcalc.numbers.decimal import at_places, formatted, plural, telling_digits, usable
from dpcalc.numbers.enclosure import SHOWN, Between, Enclosure
from dpcalc.numbers.promise import Promise, double_beyond, wider
from dpcalc.numbers.search import logarithm

_SAME = ("lower", "upper", "holds_above", "whole", "first", "witness")  # equal brackets agree in these


@dataclass(frozen=True, slots=True, kw_only=True)
class Witness:
    """A dataset of single bits and an outcome of its window that breaks a bound.

    Attributes:
        ones: how many of its records hold 1, the one that changes to 0 among them.
        outcome: the number of reported ones.
        reciprocal: whether it is 1/R that is too large, else R.
        ratio: R or 1/R there.
    """

    ones: int
    outcome: int
    reciprocal: bool
    ratio: Enclosure

    def __str__(self) -> str:
        """One line."""
        name = "1/R" if self.reciprocal else "R"
        return f"{plural(self.ones, 'one')}, s = {self.outcome:,}: {name} = {self.ratio:8}"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Bracket(Between):
    """A parameter between an end where the condition is proven to fail and one where it is proven to hold.

    As an argument, as a float and rounded it is ``value``, the end that holds. Comparisons and arithmetic use
    ``answer``: a comparison that the ends do not decide raises ``Undecided``, a sum is an ``Enclosure``.

    Attributes:
        lower, upper: the ends; equal when the threshold is known exactly (then it holds there and fails beyond).
        at_lower, at_upper: the condition's left-hand side at the two ends. A delta is a ``Promise``. At the end that
            holds, its ``upper`` is proven for everyone it names. At the end that fails, its ``lower`` is reached,
            mostly by one dataset, and the worst dataset may be above it.
        holds_above: whether ``upper`` is the end that holds (else ``lower``).
        whole: whether the parameter is a whole number.
        first: for conditions that are not monotone, where it holds first; its ``lower`` is 0 if it already holds for
            all sufficiently small parameters, up to its ``upper``.
        rtol: the relative width aimed at; None if it is always reached.
        target: the bound on the left-hand side; None where ``at_lower`` and ``at_upper`` are no delta.
        mechanism: the one that was asked about, with ``value``; None where the question was about a bound alone.
        witness: for a bound over every dataset, a dataset and outcome that break it at the end that fails; else None.
    """

    lower: Fraction
    upper: Fraction
    at_lower: Enclosure
    at_upper: Enclosure
    holds_above: bool = True
    whole: bool = False
    first: Bracket | None = None
    rtol: Fraction | None = None
    target: Fraction | None = None
    witness: Witness | None = None
    mechanism: Any = None

    @property
    def value(self) -> Fraction:
        """The end where the condition is proven to hold."""
        return self.upper if self.holds_above else self.lower

    @property
    def failing(self) -> Fraction:
        """The end where it is proven to fail; ``value`` where both are the same."""
        return self.lower if self.holds_above else self.upper

    @property
    def enclosure(self) -> Enclosure:
        """The threshold itself, between the ends."""
        return Enclosure(self.lower, self.upper)

    @property
    def at_failing(self) -> Enclosure:
        """The left-hand side at the end where the condition is proven to fail."""
        return self.at_lower if self.holds_above else self.at_upper

    @property
    def at_holding(self) -> Enclosure:
        """The left-hand side at the end where the condition is proven to hold."""
        return self.at_upper if self.holds_above else self.at_lower

    @property
    def meaning(self) -> str:
        """For which datasets the condition fails at one end and holds at the other."""
        fails, holds = self.at_failing, self.at_holding
        if self.witness is not None:
            return f"fails for {self.witness}; holds for every dataset, in its own window"
        if not isinstance(fails, Promise) or not isinstance(holds, Promise):
            return "both ends: the condition itself"
        if self.lower == self.upper:
            return f"holds for {holds.proven_for}"
        return f"fails for {fails.attained_by}; holds for {holds.proven_for}"

    @property
    def note(self) -> str | None:
        """Which width was reached instead of ``rtol``; None if that was, or if the ends are whole neighbours."""
        return None if self.whole and self.upper - self.lower <= 1 else wider(self.enclosure, self.rtol)

    def __str__(self) -> str:
        """The digits of the threshold that are certain; of whole parameters, the one that holds."""
        return str(Enclosure.of(self.value) if self.whole else self.enclosure)

    def __format__(self, spec: str) -> str:
        """``".3g"``, ``".2e"``, ``".4f"``: ``value``, rounded to the side that holds; else as an enclosure."""
        if (text := formatted(self.value, spec, self._side)) is not None:
            return usable(self.value, int(spec[1:-1]), self._side) if spec.endswith("g") else text
        return format(self.enclosure, spec) if spec else str(self)

    def __repr__(self) -> str:
        """The digits of the threshold that are certain, and ``value``, rounded to the side that holds."""
        if self.lower == self.upper:
            shown = str(self.enclosure)
        elif self.whole:
            shown = f"holds at {Enclosure.of(self.value)}, fails at {Enclosure.of(self.failing)}"
        else:
            count = min(telling_digits(self.lower, self.upper, 1), SHOWN)
            shown = f"{self.enclosure}, holds at {usable(self.value, count, self._side)}"
        return f"Bracket({shown}{'' if self.first is None else f', first={self.first!r}'})"

    def _text(self) -> str:
        return "\n".join([repr(self), self.meaning, *([self.note] if self.note else [])])

    def as_integer_ratio(self) -> tuple[int, int]:
        """``value`` as a quotient, so that a bracket can be given where a number is asked for."""
        return self.value.as_integer_ratio()

    def __float__(self) -> float:
        """The nearest double to ``value`` on the side that holds; its shortest decimal lies on that side too."""
        return double_beyond(self.value, self._side)

    def __round__(self, places: int | None = None) -> Any:
        """``value`` rounded to the side that holds: to a whole number, or to decimal places."""
        found = at_places(self.value, places or 0, self._side)
        return int(found) if places is None else found

    # --- as the number that was asked for -----------------------------------------------------------------

    @property
    def answer(self) -> Enclosure:
        """An enclosure of the number asked for: the ends, without the one that fails if the parameter is whole."""
        if self.lower == self.upper or not self.whole:
            return self.enclosure
        return Enclosure(self.lower + self.holds_above, self.upper - (not self.holds_above))

    @property
    def _side(self) -> int:
        return 1 if self.holds_above else -1

    def __eq__(self, other: object) -> bool:
        """Whether it is the same bracket or, for a number, that number."""
        if isinstance(other, Bracket):
            return all(getattr(self, name) == getattr(other, name) for name in _SAME)
        return self.answer.__eq__(other)

    def __hash__(self) -> int:
        return hash(self.answer)


def short(q: Fraction, width: Fraction) -> Fraction:
    """q rounded to few digits, by less than an eighth of the relative width."""
    unit = Fraction(10) ** math.floor(logarithm(q * width / 8) / math.log(10))
    return round(q / unit) * unit
