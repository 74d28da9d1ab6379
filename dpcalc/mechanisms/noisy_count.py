"""Counts that a curator releases: with noise, which hides by how much one person changes them, or above a threshold.

*Integer noise* is added to a count, or to each count of a histogram.

*Real noise*, the Gaussian mechanism, is here to judge promises of others. dpcalc draws none, and whole-number noise is
not this.

*A threshold.* Nobody has listed the values that are counted. Each person holds a value and reports it, or only with
some probability. Of a value that nobody reports nothing is known, not even its name. To the count of any other one
noise may be added; it is released, with the value, if it is then at or above the threshold. If a record is added or
removed, one count changes, and the others hide nothing. If a record is replaced, one value loses it and another one
gains it, and what is seen of both is released.

Source: Brave's Nebula samples clients; Prochlo, and servers that ask for k-anonymity, add noise before the threshold.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import KW_ONLY
from fractions import Fraction
from functools import partial
from typing import Any, ClassVar

from dpcalc.errors import DomainError, NoSolution, must_fit
from dpcalc.laws.parts import Law
from dpcalc.mechanisms.mechanism import Mechanism, Name, Parameter, Real, Whole, declared, instance, parameter
from dpcalc.mechanisms.noise import FiniteNoise, Noise
from dpcalc.numbers.enclosure import Enclosure
from dpcalc.numbers.lists import one_of
from dpcalc.numbers.promise import Promise, Words
from dpcalc.numbers.rational import LARGEST, Number, integer, positive, within
from dpcalc.pairs.shift import Shifted

CHANGES: Words = {"attained_by": "one change of the count", "proven_for": "every two neighbouring counts"}

_MOST_TERMS = 20_000_000  # outcomes times shifts


@declared()
class NoisyCount(Mechanism):
    """A count to which integer noise is added.

    The person changes the count by at most the sensitivity, up or down. Noise that is not log-concave, with too many
    outcomes for all shifts to be tried, is ``TooLarge``.

    >>> from dpcalc import Binomial, delta
    >>> count = NoisyCount(Binomial(80, "1/2"))
    >>> print(delta(count, epsilon=1))
    9.8336130003234044...e-7
    """

    family = "families.noise:Shifts"
    neighbours = ""

    noise: Parameter[Noise, Noise] = parameter(
        instance(Noise, "a noise such as Binomial or DiscreteLaplace, or a sum of them"), "what is added"
    )
    sensitivity: Whole = parameter(
        partial(integer, minimum=1, maximum=LARGEST), "by how much one person changes the count at most", default=1
    )

    def _check(self, _given: Mapping[str, Any]) -> None:
        noise = self.noise
        _ = noise.law  # refuses a sum whose law is not known
        if isinstance(noise, FiniteNoise) and not noise.log_concave:
            terms = 2 * len(noise.pmf) * min(self.sensitivity, len(noise.pmf))
            what = "every shift of noise that is not log-concave"
            must_fit(what, terms, _MOST_TERMS, "terms", instead="log-concave noise")

    @property
    def local_epsilon(self) -> Promise:
        """The largest privacy loss, where it is bounded, as for discrete Laplace noise.

        Raises:
            NoSolution: the loss has no bound.
        """
        losses = [law.largest_loss(abs(c)) for law, c in self.shifts()]
        bounded = [loss for loss in losses if loss is not None]
        if len(bounded) == len(losses):
            largest = max(bounded, key=lambda loss: loss.upper)
            return Promise(largest.lower, largest.upper, **CHANGES)
        if self.beyond.upper:
            raise NoSolution(
                f"no epsilon gives delta = 0: as epsilon grows, delta tends to {self.beyond}, "
                "the chance that the noise gives the change away"
            )
        raise NoSolution(self.unbounded)

    @property
    def beyond(self) -> Enclosure:
        """The limit of delta for large epsilon: the probability of outcomes with an infinite loss."""
        return self.rest(Fraction(1, 10**12))

    def rest(self, rtol: Fraction) -> Enclosure:
        """``beyond`` to a relative width."""
        found = [Shifted(law, abs(c)).beyond(rtol=rtol) for law, c in self.shifts()]
        return Enclosure(max(one.lower for one in found), max(one.upper for one in found))

    def shifts(self) -> Iterator[tuple[Law, int]]:
        """Pairs (law, c) of which one has the largest delta: the law of X for c > 0, of -X for c < 0.

        If the noise is log-concave, or symmetric and falling from 0 on, the largest change is the worst one in each
        direction (proof notes, N3 and N11). If X is symmetric, about any place, both directions are the same (N1).
        """
        law, changes = self.noise.law, range(self.sensitivity, self.sensitivity + 1)
        if isinstance(self.noise, FiniteNoise) and not self.noise.log_concave:
            changes = range(1, min(self.sensitivity, len(self.noise.pmf)) + 1)
        for c in changes:
            yield law, c
            if not law.symmetric:
                yield law.mirror, -c


_MOST_BITS = 1 << 24  # of the list of masses: some tenths of a second for each delta


@declared(
    refused="the masses of the noise are no short list of rationals, or the largest change need not be the worst one"
)
class NoisyHistogram(Mechanism):
    """A histogram, to each count of which independent noise of one law is added; each record is in one category.

    A replaced record leaves one category and enters another: one count goes down and another up, each by at most the
    sensitivity, however many categories there are. For symmetric noise signs do not matter: then these are two rounds.
    """

    family = "families.noise:OppositeShifts"
    unbounded: ClassVar[str] = "no epsilon gives delta = 0: the least value of the noise gives the change away"

    count: Parameter[NoisyCount, NoisyCount] = parameter(
        instance(NoisyCount, "a NoisyCount"), "the noise of each count, and the sensitivity"
    )

    def _check(self, _given: Mapping[str, Any]) -> None:
        noise = self.count.noise
        if self.pmf is None:
            allowed = f"noise that is symmetric, or a list of at most {_MOST_BITS:,} bits, where two counts change"
            raise DomainError("noise", noise, allowed)
        if isinstance(noise, FiniteNoise) and not noise.log_concave and self.count.sensitivity > 1:
            raise DomainError("sensitivity", self.count.sensitivity, "1, as the noise is not log-concave")

    @property
    def pmf(self) -> Any:
        """The masses of the noise, from its least value on."""
        return self.count.noise.law.table(_MOST_BITS)

    @property
    def changed(self) -> int:
        """Two counts."""
        return 2


@declared()
class GaussianMechanism(Mechanism):
    """Normal noise is added to numbers that one person changes by at most the sensitivity, in Euclidean norm."""

    family = "families.noise:Gaussians"

    square: Real = parameter(
        positive,
        "of the noise multiplier, sigma/sensitivity: 1/mu^2 for Gaussian privacy mu, 1/(2 rho) for the rho of "
        "zero-concentrated privacy that the mechanism has (Bun, Steinke, 2016)",
    )

    @classmethod
    def of(cls, **given: Number) -> GaussianMechanism:
        """From mu, from rho, or from sigma and the sensitivity, each from 1e-6 to 1e6."""
        if "sigma" in given and "sensitivity" not in given:
            raise DomainError("sensitivity", ..., "its value: by how much one person changes what is released")
        if "sigma" not in given and "sensitivity" in given:
            raise DomainError("sensitivity", given["sensitivity"], "leave it out: mu and rho are in units of it")
        sizes = {name: within(value, name, "1e-6", "1e6") for name, value in given.items()}
        if "sigma" in sizes:
            return cls((sizes["sigma"] / sizes["sensitivity"]) ** 2)
        return cls(1 / sizes["mu"] ** 2 if "mu" in sizes else 1 / (2 * sizes["rho"]))


@declared()
class Thresholded(Mechanism):
    """Every count at or above a threshold is released with its value, and nothing of the others.

    >>> from dpcalc import delta
    >>> print(delta(Thresholded(20, sampled="0.105"), epsilon=1))
    6.4799443209122789...e-15
    """

    family = "families.thresholds:Thresholds"
    unbounded: ClassVar[str] = "delta is above 0 for every epsilon: a value may be released that it could not be before"

    threshold: Whole = parameter(partial(integer, minimum=1, maximum=LARGEST), "the least count released, up to 10^15")
    _: KW_ONLY
    sampled: Real = parameter(
        partial(positive, what="a probability", maximum=1), "that a client reports, 0 < sampled <= 1", default=1
    )
    noise: Parameter[Noise | None, Noise | None] = parameter(
        instance(Noise, "noise, such as Binomial(100, '1/2'), or None"),
        "what is added to the count of a value that somebody reports, before it is compared",
        default=None,
    )
    neighbours: Name = parameter(
        partial(one_of, names=("add-remove", "replace")), '"add-remove" of a record, or "replace" of its value',
        default="add-remove",
    )  # fmt: skip
