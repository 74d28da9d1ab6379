"""A histogram whose counts get noise that is not symmetric: a replaced record lowers one count and raises another."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from dpcalc.errors import DomainError
from dpcalc.laws.pmf import Pmf
from dpcalc.mechanisms.mechanism import Mechanism
from dpcalc.mechanisms.noise import FiniteNoise
from dpcalc.mechanisms.noisy_count import NoisyCount

_MOST_BITS = 1 << 24  # of the list of masses: some tenths of a second for each delta


@dataclass(frozen=True, slots=True)
class NoisyHistogram(Mechanism):
    """A histogram, to each count of which independent noise of one law is added; each record is in one category.

    A replaced record leaves one category and enters another: one count goes down and another up, each by at most the
    sensitivity, however many categories there are. For symmetric noise signs do not matter: then these are two rounds.

    Args:
        count: the noise of each count, and the sensitivity.

    Raises:
        DomainError: the masses of the noise are no short list of rationals, or the largest change need not be the
            worst one.
    """

    unbounded: ClassVar[str] = "no epsilon gives delta = 0: the least value of the noise gives the change away"

    count: NoisyCount

    def __post_init__(self) -> None:
        noise = self.count.noise
        if self._table is None:
            allowed = f"noise that is symmetric, or a list of at most {_MOST_BITS:,} bits, where two counts change"
            raise DomainError("noise", noise, allowed)
        if isinstance(noise, FiniteNoise) and not noise.log_concave and self.count.sensitivity > 1:
            raise DomainError("sensitivity", self.count.sensitivity, "1, as the noise is not log-concave")

    @property
    def _table(self) -> Pmf | None:
        return self.count.noise.law.table(_MOST_BITS)

    @property
    def pmf(self) -> Pmf:
        """The masses of the noise, from its least value on."""
        assert self._table is not None  # checked
        return self._table

    @property
    def changed(self) -> int:
        """Two counts."""
        return 2
