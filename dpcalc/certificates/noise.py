"""Noise as a certificate says it: whole numbers in proportion to its masses, or the parameters that give them."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from dpcalc import check
from dpcalc.errors import DomainError
from dpcalc.mechanisms.noise import Binomial, FiniteNoise, Geometric
from dpcalc.mechanisms.noisy_count import NoisyCount

__all__ = ["described", "noisy_count"]

_LONGEST = 20_000  # outcomes
_ALLOWED = "Binomial, Geometric with a rational ratio, or FiniteNoise, of some 20,000 outcomes at most"


def described(count: NoisyCount) -> dict[str, Any]:
    """A noisy count in the certificate's words.

    Raises:
        DomainError: noise without ends, a sum, or noise of too many outcomes.
    """
    noise = count.noise
    if isinstance(noise, Binomial) and noise.trials <= _LONGEST // 2:
        said: dict[str, Any] = {"chance": check.written(noise.probability), "trials": noise.trials}
    elif isinstance(noise, Geometric) and "lam" in noise.rho.argument and noise.bound <= _LONGEST // 2:
        said = {"ratio": check.written(1 / noise.rho.argument["lam"]), "bound": noise.bound}
    elif isinstance(noise, FiniteNoise) and len(noise.pmf) <= _LONGEST:
        said = {"weights": [check.written(Fraction(weight)) for weight in noise.pmf.weights]}
    else:
        raise DomainError("noise", noise, _ALLOWED)
    return {"noise": said, "sensitivity": count.sensitivity}


def noisy_count(asked: check.Entries) -> NoisyCount:
    """What these words describe."""
    noise, sensitivity = asked.part("noise"), asked.whole("sensitivity", 1)
    if "ratio" in noise:
        return NoisyCount(Geometric(noise.number("ratio"), noise.whole("bound")), sensitivity)
    if "chance" in noise:
        return NoisyCount(Binomial(noise.whole("trials"), noise.number("chance")), sensitivity)
    weights = check.weights(noise)
    return NoisyCount(FiniteNoise(Fraction(weight, sum(weights)) for weight in weights), sensitivity)
