"""Noise as a certificate says it: whole numbers in proportion to its masses, or the parameters that give them."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from dpcalc import check
from dpcalc.errors import DomainError
from dpcalc.mechanisms import noise
from dpcalc.mechanisms.noisy_count import NoisyCount
from dpcalc.numbers.limit import Limit

_LONGEST = 20_000  # outcomes
_SIDES: tuple[dict[str, int], dict[str, int]] = {}, {"minus": 1}  # of what is added, and of what is taken away
_ALLOWED = "noise of some 20,000 outcomes at most"


def described(count: NoisyCount) -> dict[str, Any]:
    """A noisy count in the certificate's words.

    Raises:
        DomainError: noise of too many outcomes.
    """
    parts = _parts(count.noise)
    return {"noise": parts[0] if len(parts) == 1 else {"sum": parts}, "sensitivity": count.sensitivity}


def _parts(added: noise.Noise) -> list[dict[str, Any]]:
    """The noises that it is the sum of."""
    match added:
        case noise.Sum(terms=terms):
            return [part for term in terms for part in _parts(term)]
        case noise.Binomial(trials=trials, probability=chance) if trials <= _LONGEST // 2:
            return [{"chance": check.written(chance), "trials": trials}]
        case noise.Geometric(rho=rho, bound=bound) if bound <= _LONGEST // 2:
            return [{**_fading(rho), "bound": bound}]
        case noise.DiscreteLaplace(rho=rho):
            return [_fading(rho)]
        case noise.DiscreteGaussian(square=square):
            return [{"square": check.written(square)}]
        case noise.FiniteNoise(pmf=pmf) if len(pmf) <= _LONGEST:
            return [{"weights": [check.written(Fraction(weight)) for weight in pmf.weights]}]
        case noise.Poisson(mean=mean):
            return [{"mean": check.written(mean)}]
        case noise.Skellam(mu_1=first, mu_2=second):
            means = zip((first, second), _SIDES, strict=True)
            return [{"mean": check.written(mean), **side} for mean, side in means if mean]
        case noise.NegativeBinomial(shape_1=first, shape_2=second, rho=rho):
            shapes = zip((first, second), _SIDES, strict=True)
            return [{"shape": check.written(shape), **_fading(rho), **side} for shape, side in shapes if shape]
        case noise.RoundedLaplace(scale=scale):
            return [{"scale": check.written(scale), "rounded": 1}]
        case noise.RoundedGaussian(sigma=sigma):
            return [{"square": check.written(sigma**2), "rounded": 1}]
    raise DomainError("noise", added, _ALLOWED)


def _fading(rho: Limit) -> dict[str, str]:
    """A quotient of neighbouring weights."""
    return {"scale" if rho.logarithmic else "ratio": check.written(1 / rho.given)}
