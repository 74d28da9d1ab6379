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
    noise = count.noise
    if isinstance(noise, Binomial) and noise.trials <= _LONGEST // 2:
        said: dict[str, Any] = {"chance": check.written(noise.probability), "trials": noise.trials}
    elif isinstance(noise, Geometric) and noise.bound <= _LONGEST // 2:
        name = "scale" if noise.rho.logarithmic else "ratio"
        said = {name: check.written(1 / noise.rho.given), "bound": noise.bound}
    elif isinstance(noise, DiscreteLaplace) and noise.rho.logarithmic:
        said = {"scale": check.written(1 / noise.rho.given)}
    elif isinstance(noise, DiscreteGaussian):
        said = {"square": check.written(noise.square)}
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
