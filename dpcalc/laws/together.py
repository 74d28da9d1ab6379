"""The law of a sum of independent parts, in its simplest form: parts of one kind are merged.

Coins of one probability, Poisson numbers of one sign, and negative binomials of one ratio and sign sum to one part of
their kind. The difference of two negative binomials of shape 1 is discrete Laplace. A sum of log-concave parts is
log-concave (proof notes, N9). A negative binomial is log-concave from shape 1 on; of those with smaller shapes only the
difference of two alike has a law here.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from dpcalc.errors import DomainError
from dpcalc.laws.log_concavity import log_concavity
from dpcalc.laws.noise import Law
from dpcalc.laws.parts import Finite, NegativeBinomialPart, Part
from dpcalc.laws.shares import SharesLaw
from dpcalc.laws.sums import SumLaw
from dpcalc.laws.symmetric import LaplaceLaw, Truncated

_LOG_CONCAVE = "noise that is log-concave: negative binomial of shapes from 1 on, or the difference of two alike alone"


def together(parts: Iterable[Part]) -> Law:
    """The law of their sum.

    Raises:
        DomainError: it is not known to be log-concave, and has no law of its own.
    """
    merged = _merged(parts)
    match merged:
        case [Truncated() | Finite() as one]:
            return one
        case [NegativeBinomialPart() as one, NegativeBinomialPart() as other] if one.sign == 1 and other == one.mirror:
            return LaplaceLaw(one.rho) if one.shape == 1 else SharesLaw(one.shape, one.rho)
    return _sum(tuple(merged))


@lru_cache(maxsize=16)
def _sum(parts: tuple[Part, ...]) -> SumLaw:
    for part in parts:
        if isinstance(part, NegativeBinomialPart) and part.shape < 1:
            raise DomainError("noise", f"a part of shape {part.shape}", _LOG_CONCAVE)
        if isinstance(part, Finite) and not log_concavity(part.pmf):
            raise DomainError("noise", f"a list of {len(part.pmf)} masses in a sum", "a log-concave list")
    return SumLaw(parts)


def _merged(parts: Iterable[Part]) -> list[Part]:
    merged: list[Part] = []
    for part in parts:
        for i, before in enumerate(merged):
            if (both := before.plus(part)) is not None:
                merged[i] = both
                break
        else:
            merged.append(part)
    return merged
