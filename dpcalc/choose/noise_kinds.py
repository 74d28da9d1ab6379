"""The kinds of noise that commands and audited tables know by name: one row each."""

from __future__ import annotations

from collections.abc import Callable
from inspect import signature
from typing import NamedTuple

from dpcalc.choose import least_noise
from dpcalc.mechanisms import noise
from dpcalc.mechanisms.noise import Noise
from dpcalc.numbers.bracket import Bracket
from dpcalc.numbers.rational import Number, positive


class NoiseKind(NamedTuple):
    """One kind of noise.

    Attributes:
        make: the noise; it is given ``size`` and ``others`` by name.
        size: the parameter that is solved for, or that must be given.
        others: the other parameters.
        least: the solver of ``size``, if there is one.
    """

    make: Callable[..., Noise]
    size: str
    others: tuple[str, ...] = ()
    least: Callable[..., Bracket] | None = None

    @property
    def solved_with(self) -> tuple[str, ...]:
        """The parameters that the solver takes, besides the promise and the sensitivity: the width too, if it does."""
        taken = signature(self.least).parameters if self.least is not None else ()
        return tuple(name for name in (*self.others, "rtol") if name in taken)


def _binomial(trials: Number, probability: Number = "1/2") -> Noise:
    return noise.Binomial(trials, probability)


def _geometric(bound: Number, ratio: Number | None = None, scale: Number | None = None) -> Noise:
    """With the ratio e^(-1/scale), where that is given."""
    if scale is not None:
        return noise.Geometric.from_epsilon(1 / positive(scale, "scale"), bound)
    assert ratio is not None  # one of them is needed
    return noise.Geometric(ratio, bound)


def _laplace(scale: Number, shape: Number = 1) -> Noise:
    size, rate = positive(shape, "shape"), 1 / positive(scale, "scale")
    return noise.DiscreteLaplace(rate) if size == 1 else noise.NegativeBinomial(size, size, epsilon=rate)


def _skellam(mu: Number) -> Noise:
    return noise.Skellam(mu, mu)


#: By the names of the command; a table writes some of them in full.
NOISES = {
    "binomial": NoiseKind(_binomial, "trials", ("probability",), least_noise.least_trials),
    "poisson": NoiseKind(noise.Poisson, "mean", (), least_noise.least_mean),
    "geometric": NoiseKind(_geometric, "bound", ("ratio",), least_noise.least_bound),
    "finite": NoiseKind(noise.FiniteNoise, "masses"),
    "gaussian": NoiseKind(noise.DiscreteGaussian, "sigma", (), least_noise.least_sigma),
    "laplace": NoiseKind(_laplace, "scale", ("shape",), least_noise.least_scale),
    "skellam": NoiseKind(_skellam, "mu", (), least_noise.least_mu),
    "rounded-laplace": NoiseKind(noise.RoundedLaplace, "scale"),
    "rounded-gaussian": NoiseKind(noise.RoundedGaussian, "sigma"),
}
