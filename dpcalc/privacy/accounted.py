"""What ``dpcalc.delta``, ``epsilon`` and ``profile`` ask of a mechanism that accounts for its own privacy.

Single-bit records are served by these functions themselves; everything made of them, and other noise, is ``Accounted``.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from fractions import Fraction
from typing import Generic, TypeVar

from dpcalc.errors import DomainError
from dpcalc.mechanisms.response import KRandomization
from dpcalc.numbers.limit import Limit
from dpcalc.numbers.promise import Promise
from dpcalc.numbers.rational import Number

__all__ = ["Accounted", "Progress", "pooled"]

_ALLOWED = (
    "a KRandomization, UnaryEncoding, Rounds, Fleet, NoisyCount or Shuffle; "
    "a FiniteMechanism has a delta and an epsilon of its own"
)

#: Called with the share of the work that is done, from 0 to 1.
Progress = Callable[[float], None]
#: What delta is returned as.
Found = TypeVar("Found", bound=Promise, covariant=True)


class Accounted(ABC, Generic[Found]):
    """A mechanism with its own delta and epsilon."""

    __slots__ = ()

    @property
    def simplest(self) -> KRandomization | Accounted[Found]:
        """A simpler mechanism that is the same, or itself."""
        return self

    @property
    @abstractmethod
    def local_epsilon(self) -> Promise:
        """The least epsilon at which delta is 0, or a bound of it."""

    @abstractmethod
    def delta(
        self, limit: Limit, *, ones: Number | None, rtol: Number | None, progress: Progress | None = None
    ) -> Found:
        """See ``dpcalc.delta``; every argument but the limit as the caller gave it. The end is told there."""

    @abstractmethod
    def epsilon(self, target: Fraction, *, ones: Number | None, rtol: Number | None) -> Promise:
        """See ``dpcalc.epsilon``; for 0 < target < 1, the other arguments as the caller gave them."""


def pooled(mechanism: object) -> KRandomization:
    """What is not ``Accounted``, as the only mechanism that it may be.

    Raises:
        DomainError: it is none that accounts for its privacy.
    """
    if not isinstance(mechanism, KRandomization):
        raise DomainError("mechanism", mechanism, _ALLOWED)
    return mechanism
