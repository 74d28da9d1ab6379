"""Noise as a certificate says it: whole numbers in proportion to its masses, or the parameters that give them."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from dpcalc import check
from dpcalc.errors import DomainError
from dpcalc.mechanisms.noise import Binomial, DiscreteGaussian, DiscreteLaplace, FiniteNoise, Geometric
from dpcalc.mechanisms.noisy_count import NoisyCount

__all__ = ["described", "noisy_count"]

_LONGEST = 20_000  # outcomes
_ALLOWED = (
    "Binomial, Geometric or FiniteNoise of some 20,000 outcomes at most, DiscreteGaussian, or DiscreteLaplace(epsilon)"
)


def described(count: NoisyCount) -> dict[str, Any]:
    """A noisy count in the certificate's words.

    Raises:
        DomainError: another noise, a sum, or noise of too many outcomes.
    """
    said: dict[str, Any]
    match count.noise:
        case Binomial(trials=trials, probability=chance) if trials <= _LONGEST // 2:
            said = {"chance": check.written(chance), "trials": trials}
        case Geometric(rho=rho, bound=bound) if bound <= _LONGEST // 2:
            said = {"scale" if rho.logarithmic else "ratio": check.written(1 / rho.given), "bound": bound}
        case DiscreteLaplace(rho=rho) if rho.logarithmic:
            said = {"scale": check.written(1 / rho.given)}
        case DiscreteGaussian(square=square):
            said = {"square": check.written(square)}
        case FiniteNoise(pmf=pmf) if len(pmf) <= _LONGEST:
            said = {"weights": [check.written(Fraction(weight)) for weight in pmf.weights]}
        case noise:
            raise DomainError("noise", noise, _ALLOWED)
    return {"noise": said, "sensitivity": count.sensitivity}


def noisy_count(asked: check.Entries) -> NoisyCount:
    """What these words describe."""
    noise, sensitivity = asked.part("noise"), asked.whole("sensitivity", 1)
    if "ratio" in noise:
        return NoisyCount(Geometric(noise.number("ratio"), noise.whole("bound")), sensitivity)
    if "scale" in noise:
        epsilon = 1 / noise.number("scale")
        ends = "bound" in noise
        return NoisyCount(
            Geometric.from_epsilon(epsilon, noise.whole("bound")) if ends else DiscreteLaplace(epsilon), sensitivity
        )
    if "square" in noise:
        return NoisyCount(DiscreteGaussian.from_square(noise.number("square")), sensitivity)
    if "chance" in noise:
        return NoisyCount(Binomial(noise.whole("trials"), noise.number("chance")), sensitivity)
    weights = check.weights(noise)
    return NoisyCount(FiniteNoise(Fraction(weight, sum(weights)) for weight in weights), sensitivity)
