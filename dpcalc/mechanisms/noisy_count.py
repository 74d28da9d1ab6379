"""Counts to which integer noise is added: by how much one person changes them, and by which noise that is hidden."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from functools import partial
from typing import Any, ClassVar

from dpcalc.errors import DomainError, NoSolution, must_fit
from dpcalc.laws.parts import Law
from dpcalc.laws.pmf import Pmf
from dpcalc.mechanisms.mechanism import Mechanism, Parameter, Whole, declared, instance, parameter
from dpcalc.mechanisms.noise import FiniteNoise, Noise
from dpcalc.numbers.enclosure import Enclosure
from dpcalc.numbers.promise import Promise, Words
from dpcalc.numbers.rational import LARGEST, integer
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

    unbounded: ClassVar[str] = "no epsilon gives delta = 0: the least value of the noise gives the change away"

    count: Parameter[NoisyCount, NoisyCount] = parameter(
        instance(NoisyCount, "a NoisyCount"), "the noise of each count, and the sensitivity"
    )

    def _check(self, _given: Mapping[str, Any]) -> None:
        noise = self.count.noise
        if self._table is None:
            allowed = f"noise that is symmetric, or a list of at most {_MOST_BITS:,} bits, where two counts change"
            raise DomainError("noise", noise, allowed)
        if isinstance(noise, FiniteNoise) and not noise.log_concave and self.count.sensitivity > 1:
            raise DomainError("sensitivity", self.count.sensitivity, "1, as the noise is not log-concave")

    @property
    def _table(self) -> Pmf | None:
        return self.count.noise.law.table(_MOST_BITS)

    @property
    def pmf(self) -> Pmf:
        """The masses of the noise, from its least value on."""
        assert self._table is not None  # checked
        return self._table

    @property
    def changed(self) -> int:
        """Two counts."""
        return 2
