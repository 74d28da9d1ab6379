"""Noise as a certificate says it: whole numbers in proportion to its masses, or the parameters that give them."""

from __future__ import annotations

from fractions import Fraction
from math import isqrt
from typing import Any

from dpcalc import check
from dpcalc.errors import DomainError
from dpcalc.mechanisms.noise import (
    Binomial,
    DiscreteGaussian,
    DiscreteLaplace,
    FiniteNoise,
    Geometric,
    NegativeBinomial,
    Noise,
    Poisson,
    RoundedGaussian,
    RoundedLaplace,
    Skellam,
    Sum,
)
from dpcalc.mechanisms.noisy_count import NoisyCount
from dpcalc.numbers.limit import Limit

_LONGEST = 20_000  # outcomes
_ALLOWED = "noise of some 20,000 outcomes at most"


def described(count: NoisyCount) -> dict[str, Any]:
    """A noisy count in the certificate's words.

    Raises:
        DomainError: noise of too many outcomes.
    """
    parts = _parts(count.noise)
    return {"noise": parts[0] if len(parts) == 1 else {"sum": parts}, "sensitivity": count.sensitivity}


def _parts(noise: Noise) -> list[dict[str, Any]]:
    """The noises that it is the sum of."""
    match noise:
        case Sum(terms=terms):
            return [part for term in terms for part in _parts(term)]
        case Binomial(trials=trials, probability=chance) if trials <= _LONGEST // 2:
            return [{"chance": check.written(chance), "trials": trials}]
        case Geometric(rho=rho, bound=bound) if bound <= _LONGEST // 2:
            return [{**_fading(rho), "bound": bound}]
        case DiscreteLaplace(rho=rho):
            return [_fading(rho)]
        case DiscreteGaussian(square=square):
            return [{"square": check.written(square)}]
        case FiniteNoise(pmf=pmf) if len(pmf) <= _LONGEST:
            return [{"weights": [check.written(Fraction(weight)) for weight in pmf.weights]}]
        case Poisson(mean=mean):
            return [{"mean": check.written(mean)}]
        case Skellam(mu_1=first, mu_2=second):
            means = ({"mean": check.written(mean)} for mean in (first, second) if mean)
        case NegativeBinomial(shape_1=first, shape_2=second, rho=rho):
            means = ({"shape": check.written(shape), **_fading(rho)} for shape in (first, second) if shape)
        case RoundedLaplace(scale=scale):
            return [{"scale": check.written(scale), "rounded": 1}]
        case RoundedGaussian(sigma=sigma):
            return [{"square": check.written(sigma**2), "rounded": 1}]
        case _:
            raise DomainError("noise", noise, _ALLOWED)
    both = list(means)
    return [both[0], {**both[1], "minus": 1}] if len(both) == 2 else [{**both[0], **({} if first else {"minus": 1})}]


def _fading(rho: Limit) -> dict[str, str]:
    """A quotient of neighbouring weights."""
    return {"scale" if rho.logarithmic else "ratio": check.written(1 / rho.given)}


def noisy_count(asked: check.Entries) -> NoisyCount:
    """What these words describe."""
    noise, sensitivity = asked.part("noise"), asked.whole("sensitivity", 1)
    if "sum" not in noise:
        return NoisyCount(_noise(noise), sensitivity)
    first, *others = (_noise(part) for part in noise.parts("sum"))
    return NoisyCount(sum(others, first), sensitivity)


def _noise(said: check.Entries) -> Noise:
    """One noise."""
    limit: dict[str, Any] = {"epsilon": 1 / said.number("scale")} if "scale" in said else {}
    limit |= {"lam": 1 / said.number("ratio")} if "ratio" in said else {}
    if "bound" in said:
        bound = said.whole("bound")
        return (
            Geometric.from_epsilon(limit["epsilon"], bound) if "scale" in said else Geometric(1 / limit["lam"], bound)
        )
    if "chance" in said:
        return Binomial(said.whole("trials"), said.number("chance"))
    if "square" in said:
        square, rounded = said.number("square"), "rounded" in said
        sigma = Fraction(isqrt(square.numerator), isqrt(square.denominator))
        return RoundedGaussian(sigma) if rounded else DiscreteGaussian.from_square(square)
    if "mean" in said:
        return Skellam(*_sides(said, "mean"))
    if "shape" in said:
        return NegativeBinomial(*_sides(said, "shape"), **limit)
    if "weights" in said:
        weights = check.weights(said)
        return FiniteNoise(Fraction(weight, sum(weights)) for weight in weights)
    return RoundedLaplace(said.number("scale")) if "rounded" in said else DiscreteLaplace(**limit)


def _sides(said: check.Entries, name: str) -> tuple[Fraction, Fraction]:
    """A size, up or down."""
    size = said.number(name)
    return (Fraction(0), size) if "minus" in said else (size, Fraction(0))
