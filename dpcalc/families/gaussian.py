"""The one pair of the Gaussian mechanism: N(0, s^2) and N(1, s^2), in both directions (``numbers.normal``)."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from math import sqrt
from typing import Any, ClassVar

from dpcalc.mechanisms.gaussian import GaussianMechanism
from dpcalc.numbers import elementary
from dpcalc.numbers.limit import Limit
from dpcalc.numbers.normal import hockey_stick
from dpcalc.numbers.promise import Promise, Words
from dpcalc.pairs.directions import Directions, NamedPairs
from dpcalc.pairs.family import OfMechanism, Width

_FINER = Fraction(1, 10**30)  # the relative width of sigma, finer for a large one


@dataclass(frozen=True, slots=True)
class Moved:
    """Two neighbouring datasets, given by the distance of their numbers in units of the sensitivity."""

    by: int


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
        """By the formula, at both ends of sigma: delta falls as sigma grows."""
        sigma = elementary.sqrt(self.mechanism.square, _FINER * min(Fraction(1), 1 / (1 + self.mechanism.square)))
        low, high = hockey_stick(sigma.upper, limit), hockey_stick(sigma.lower, limit)
        return Promise(low.lower, high.upper, **self.words)

    @property
    def spread(self) -> float:
        """Of a normal loss."""
        return 1 / sqrt(self.mechanism.square)

    def named(self, found: Promise) -> Moved:
        """The largest distance."""
        return Moved(1)

    def directions(self, at: Moved, *, rtol: Fraction) -> Directions:
        """Both directions have the same delta."""
        found = partial(self.delta, rtol=rtol)
        return Directions(lambda lam: found(Limit(lam)), lambda lam: found(Limit(lam)))
