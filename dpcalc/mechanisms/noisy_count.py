"""A count to which integer noise is added: by how much one person changes it, and by which noise that is hidden."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from dpcalc.errors import DomainError, NoSolution, TooLarge
from dpcalc.laws.noise import Law
from dpcalc.mechanisms.mechanism import Mechanism
from dpcalc.mechanisms.noise import LARGEST, Binomial, FiniteNoise, Geometric, Noise, Poisson
from dpcalc.numbers.enclosure import Enclosure
from dpcalc.numbers.promise import Promise
from dpcalc.numbers.rational import Number, integer
from dpcalc.pairs.shift import beyond

__all__ = ["NoisyCount"]

_MOST_TERMS = 20_000_000  # outcomes times shifts
_FINE = Fraction(1, 10**12)
_ALLOWED = "Binomial, Poisson, Geometric or FiniteNoise"


@dataclass(frozen=True, slots=True, init=False)
class NoisyCount(Mechanism):
    """A count to which integer noise is added.

    The person changes the count by at most the sensitivity, up or down.

    Args:
        noise: ``Binomial``, ``Poisson``, ``Geometric`` or ``FiniteNoise``.
        sensitivity: by how much one person changes the count at most, from 1 to 10^15.

    Raises:
        DomainError: an argument out of range.
        TooLarge: noise that is not log-concave with too many outcomes for all shifts to be tried.

    >>> from dpcalc import delta
    >>> count = NoisyCount(Binomial(80, "1/2"))
    >>> print(delta(count, epsilon=1))
    9.8336130003234044...e-7
    """

    noise: Noise
    sensitivity: int

    def __init__(self, noise: Noise, sensitivity: Number = 1) -> None:
        if not isinstance(noise, Binomial | Poisson | Geometric | FiniteNoise):
            raise DomainError("noise", noise, _ALLOWED)
        object.__setattr__(self, "noise", noise)
        object.__setattr__(self, "sensitivity", integer(sensitivity, "sensitivity", minimum=1, maximum=LARGEST))
        if isinstance(noise, FiniteNoise) and not noise.log_concave:
            terms = 2 * len(noise.pmf) * min(self.sensitivity, len(noise.pmf))
            if terms > _MOST_TERMS:
                raise TooLarge(
                    "every shift of noise that is not log-concave", size=terms, limit=_MOST_TERMS, unit="terms",
                    instead="log-concave noise",
                )  # fmt: skip

    @property
    def local_epsilon(self) -> Promise:
        """Never answered: the loss has no bound.

        Raises:
            NoSolution: always.
        """
        raise NoSolution(
            f"delta is above 0 for every epsilon: it falls to {self.beyond}, "
            "the chance that the noise gives the change away"
        )

    @property
    def beyond(self) -> Enclosure:
        """The limit of delta for large epsilon: the probability of outcomes with an infinite loss."""
        return self.rest(_FINE)

    def rest(self, rtol: Fraction) -> Enclosure:
        """The same to a relative width."""
        found = [_end(law, abs(c), rtol) for law, c in self.shifts()]
        return Enclosure(max(one.lower for one in found), max(one.upper for one in found))

    def shifts(self) -> Iterator[tuple[Law, int]]:
        """The laws and shifts that are compared: X for c > 0, -X for c < 0.

        If the noise is log-concave, the largest change in both directions has the largest delta (proof notes, N1).
        """
        law, changes = self.noise.law, range(self.sensitivity, self.sensitivity + 1)
        if isinstance(self.noise, FiniteNoise) and not self.noise.log_concave:
            changes = range(1, min(self.sensitivity, len(self.noise.pmf)) + 1)
        for c in changes:
            yield law, c
            yield law.mirror, -c


def _end(law: Law, change: int, rtol: Fraction) -> Enclosure:
    """The probability of outcomes that show a change, in one direction."""
    return beyond(law, change, rtol=rtol)
