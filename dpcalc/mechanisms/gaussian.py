"""The Gaussian mechanism: real noise, known by its standard deviation in units of the sensitivity.

It is here to judge promises of others. dpcalc draws no real noise, and whole-number noise is not this.
"""

from __future__ import annotations

from dpcalc.errors import DomainError
from dpcalc.mechanisms.mechanism import Mechanism, Real, declared, parameter
from dpcalc.numbers.rational import Number, positive, within


@declared()
class GaussianMechanism(Mechanism):
    """Normal noise is added to numbers that one person changes by at most the sensitivity, in Euclidean norm."""

    square: Real = parameter(
        positive,
        "of the noise multiplier, sigma/sensitivity: 1/mu^2 for Gaussian privacy mu, 1/(2 rho) for the rho of "
        "zero-concentrated privacy that the mechanism has (Bun, Steinke, 2016)",
    )

    @classmethod
    def of(cls, **given: Number) -> GaussianMechanism:
        """From mu, from rho, or from sigma and the sensitivity, each from 1e-6 to 1e6.

        Raises:
            DomainError: one is missing, too much, or out of range.
        """
        if "sigma" in given and "sensitivity" not in given:
            raise DomainError("sensitivity", ..., "its value: by how much one person changes what is released")
        if "sigma" not in given and "sensitivity" in given:
            raise DomainError("sensitivity", given["sensitivity"], "leave it out: mu and rho are in units of it")
        sizes = {name: within(value, name, "1e-6", "1e6") for name, value in given.items()}
        if "sigma" in sizes:
            return cls((sizes["sigma"] / sizes["sensitivity"]) ** 2)
        return cls(1 / sizes["mu"] ** 2 if "mu" in sizes else 1 / (2 * sizes["rho"]))
