r"""A solver's answer: a bracket with a proof at each end.

A condition on a parameter x (a flip probability, a number of users) is to hold from some x on. ``Bracket`` says where
it is proven to fail and where it is proven to hold; ``value`` is the private, safe end.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction

from dpcalc.errors import NoSolution, Undecided
from dpcalc.numbers.decimal import significant, usable
from dpcalc.numbers.enclosure import Enclosure, decimal
from dpcalc.numbers.promise import Promise, double_beyond, wider
from dpcalc.numbers.search import logarithm

__all__ = ["Bracket", "Witness", "first_success", "last_failure", "short"]

#: Whether a condition is proven for all x in [low, high].
OverRange = Callable[[Fraction, Fraction], bool]

_LEAST = Fraction(1, 1 << 200)  # flip probabilities below this are not searched
_MOST_STEPS = 1_000
_NARROWEST = Fraction(1, 1 << 60)  # what is narrower than this share of the answer's width may be missed


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
        return f"{self.ones} {'one' if self.ones == 1 else 'ones'}, s = {self.outcome}: {name} = {self.ratio:8}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Bracket:
    """A parameter between an end where the condition is proven to fail and one where it is proven to hold.

    Attributes:
        lower, upper: the ends; equal when the threshold is known exactly (then it holds there and fails beyond).
        at_lower, at_upper: the condition's left-hand side, checked at the two ends. A delta is a ``Promise``: at the
            end that holds its ``upper`` is proven for all, at the other one its ``lower`` is reached, by one dataset
            mostly, and the worst dataset may have more.
        holds_above: whether ``upper`` is the end that holds (else ``lower``).
        first: for conditions that are not monotone, where it holds first; its ``lower`` is 0 if it already holds for
            all sufficiently small parameters, up to its ``upper``.
        rtol: the relative width aimed at; None if it was always reached.
        witness: for a bound over every dataset, what breaks it at the end that fails; else None.
    """

    lower: Fraction
    upper: Fraction
    at_lower: Enclosure = field(compare=False)
    at_upper: Enclosure = field(compare=False)
    holds_above: bool = True
    first: Bracket | None = None
    rtol: Fraction | None = field(default=None, compare=False, repr=False)
    witness: Witness | None = None

    @property
    def value(self) -> Fraction:
        """The end where the condition is proven to hold."""
        return self.upper if self.holds_above else self.lower

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
        """For whom the condition fails at the one end, and holds at the other."""
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
        """That ``rtol`` was not reached, and what was; None if it was, and for whole numbers next to each other."""
        whole = self.lower.denominator == self.upper.denominator == 1
        return None if whole and self.upper - self.lower <= 1 else wider(self.enclosure, self.rtol)

    def __str__(self) -> str:
        """The digits of the threshold that are certain; of whole parameters, the one that holds."""
        return str(self.value if self.lower.denominator == self.upper.denominator == 1 else self.enclosure)

    def __format__(self, spec: str) -> str:
        """``".3g"``: so many digits of ``value``, rounded to the side that holds; else as an enclosure."""
        if count := significant(spec):
            return usable(self.value, count, 1 if self.holds_above else -1)
        return format(self.enclosure, spec) if spec else str(self)

    def as_integer_ratio(self) -> tuple[int, int]:
        """``value``, so that a bracket is taken where a number is asked for."""
        return self.value.as_integer_ratio()

    def __float__(self) -> float:
        """The double next to ``value`` that still lies on the side that holds, and its shortest decimal too."""
        return double_beyond(self.value, 1 if self.holds_above else -1)


def short(q: Fraction, width: Fraction) -> Fraction:
    """q to an eighth of the width, in few binary digits."""
    unit = Fraction(2) ** math.floor(logarithm(q * width / 8) / math.log(2))
    return round(q / unit) * unit


def last_failure(holds: OverRange, fails: OverRange, *, top: Fraction, rtol: Fraction) -> tuple[Fraction, Fraction]:
    """(x, y) with the condition failing at x and holding on all of [y, top], y - x <= rtol y.

    Steps are dyadic, from the top down: doubled after two proofs, halved after none.

    Raises:
        NoSolution: it holds all the way down to 2^-200, or fails at the top.
        Undecided: no failing point is found next to a range that cannot be proven.
    """
    good, step, swift = top, top / 2, True
    for _ in range(_MOST_STEPS):
        if good <= _LEAST:
            raise NoSolution("the bound holds for every q in the searched range, down to 2^-200: no noise is asked for")
        if holds(good - step, good):
            good -= step
            step, swift = min(2 * step if swift else step, _dyadic_half(good)), True
            continue
        step, swift = step / 2, False
        # the top itself, where it is known to hold, is no answer
        if step * 64 <= rtol * good and (good < top or step < _LEAST):
            for x in (good - step * 2**j for j in range(1, 7)):
                if fails(x, x):
                    return x, good
            if step <= rtol * good * _NARROWEST:
                break
    raise Undecided(f"no proof near {decimal(good, good, 17)}", Enclosure(max(good - 64 * step, Fraction(0)), good))


def _dyadic_half(x: Fraction) -> Fraction:
    """The largest power of two at most x/2."""
    exponent = x.numerator.bit_length() - x.denominator.bit_length() - 2
    return Fraction(2) ** exponent


def first_success(
    holds: OverRange, fails: OverRange, *, start: Fraction, top: Fraction, rtol: Fraction
) -> tuple[Fraction, Fraction]:
    """(x, y) with the condition failing on all of (0, x] and holding at y, y - x <= rtol y; it fails on (0, start].

    Raises:
        Undecided: no holding point is found next to a range that cannot be proven to fail.
    """
    bad, step, swift = start, start, True
    for _ in range(_MOST_STEPS):
        if bad + step <= top and fails(bad, bad + step):
            bad += step
            step, swift = 2 * step if swift else step, True
            continue
        step, swift = step / 2, False
        if step * 64 <= rtol * bad:
            for y in (bad + step * 2**j for j in range(1, 7)):
                if holds(y, y):
                    return bad, y
            if step <= rtol * bad * _NARROWEST:
                break
    raise Undecided(f"no proof near {decimal(bad, bad, 17)}", Enclosure(bad, bad + 64 * step))
