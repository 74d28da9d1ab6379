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
            means = ({"mean": check.written(mean)} for mean in (first, second) if mean)
        case noise.NegativeBinomial(shape_1=first, shape_2=second, rho=rho):
            means = ({"shape": check.written(shape), **_fading(rho)} for shape in (first, second) if shape)
        case noise.RoundedLaplace(scale=scale):
            return [{"scale": check.written(scale), "rounded": 1}]
        case noise.RoundedGaussian(sigma=sigma):
            return [{"square": check.written(sigma**2), "rounded": 1}]
        case _:
            raise DomainError("noise", added, _ALLOWED)
    both = list(means)
    return [both[0], {**both[1], "minus": 1}] if len(both) == 2 else [{**both[0], **({} if first else {"minus": 1})}]


def _fading(rho: Limit) -> dict[str, str]:
    """A quotient of neighbouring weights."""
    return {"scale" if rho.logarithmic else "ratio": check.written(1 / rho.given)}
