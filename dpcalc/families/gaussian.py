"""The one pair of the Gaussian mechanism: N(0, s^2) and N(1, s^2), in both directions (``numbers.normal``)."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import sqrt
from typing import Any, ClassVar

from dpcalc.mechanisms.gaussian import GaussianMechanism
from dpcalc.numbers import elementary
from dpcalc.numbers.enclosure import Enclosure
from dpcalc.numbers.limit import Limit
from dpcalc.numbers.normal import hockey_stick
from dpcalc.numbers.promise import Promise, Words
from dpcalc.pairs.family import OfMechanism, Width
from dpcalc.pairs.named import NamedPairs
from dpcalc.pairs.two_laws import TwoLaws

_FINER = Fraction(1, 10**30)  # the relative width of sigma, finer for a large one


@dataclass(frozen=True, slots=True)
class Moved:
    """Two neighbouring datasets, given by the distance of their numbers in units of the sensitivity."""

    by: int


@dataclass(frozen=True, slots=True)
class Normals(TwoLaws):
    """N(0, s^2) over N(1, s^2), given s^2."""

    square: Fraction

    @property
    def mirror(self) -> Normals:
        """The same."""
        return self

    def enclosed(self, limit: Limit, *, rtol: Fraction) -> Enclosure:
        """By the formula, at both ends of sigma: delta falls as sigma grows."""
        sigma = elementary.sqrt(self.square, _FINER * min(Fraction(1), 1 / (1 + self.square)))
        return Enclosure(hockey_stick(sigma.upper, limit).lower, hockey_stick(sigma.lower, limit).upper)


@dataclass(frozen=True, slots=True)
class Gaussians(OfMechanism[Promise], NamedPairs[Promise]):
    """A change by the sensitivity; a smaller change is the same as more noise."""

    mechanism: GaussianMechanism

    delta_width = Width("1e-12", "1e-15")
    epsilon_width = Width("1e-6", "1e-9")
    words: ClassVar[Words] = {
        "attained_by": "a change by the sensitivity",
        "proven_for": "every two neighbouring datasets",
    }

    def delta(self, limit: Limit, *, rtol: Fraction, **_: Any) -> Promise:
        """Of the one pair."""
        return Promise.that(Normals(self.mechanism.square).enclosed(limit, rtol=rtol), **self.words)

    @property
    def spread(self) -> float:
        """Of a normal loss."""
        return 1 / sqrt(self.mechanism.square)

    def named(self, found: Promise) -> Moved:
        """The largest distance."""
        return Moved(1)

    def pair(self, at: Moved, *, rtol: Fraction) -> Normals:
        """The one pair."""
        return Normals(self.mechanism.square)
