"""The family of sampled clients that are not asymmetric reports: every dataset and both directions, listed."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from dpcalc.errors import must_fit
from dpcalc.families.noise import SampledShifts
from dpcalc.mechanisms.sampled import Sampled
from dpcalc.numbers.limit import MAX_EPSILON, Limit
from dpcalc.numbers.promise import EVERY, GIVEN
from dpcalc.numbers.rational import Number, integer
from dpcalc.pairs.family import OfMechanism, Progress, Width
from dpcalc.pairs.listed import ListedPair, sampled
from dpcalc.pairs.named import NamedPairs
from dpcalc.worst.datasets import Dataset, Delta

_MOST, _MOST_SORTED = 200_000_000, 1_000_000_000  # bits of the weights of all datasets together: some seconds


@dataclass(frozen=True, slots=True)
class SampledClients(OfMechanism[Delta], NamedPairs[Delta]):
    """Every dataset, or the one with ``ones`` among the others."""

    mechanism: Sampled
    ones: int | None = None

    delta_width = Width("1e-4", "1e-100")
    epsilon_width = Width("1e-6", "1e-9")

    @classmethod
    def of(cls, mechanism: Sampled) -> SampledClients | SampledShifts:
        """Of a mechanism; true bits with noise have a family of two pairs.

        Raises:
            TooLarge: all datasets have more outcomes than are listed.
        """
        if mechanism.noisy:
            return SampledShifts(mechanism)
        n, k = mechanism.group.n, mechanism.group.k
        outcomes = n * (n * k + 1) * (n + 1 if mechanism.numbered else 1)
        each = max(a.denominator for a in mechanism.group.chances)
        size = outcomes * n * (mechanism.share.denominator * each**k).bit_length()
        must_fit(
            "every outcome of every dataset of sampled clients", size,
            _MOST_SORTED if mechanism.numbered and k == 1 else _MOST, "bits",
            instead='released="ones" with k = 1, which is answered for any n',
        )  # fmt: skip
        return cls(mechanism)

    def delta(self, limit: Limit, *, rtol: Fraction, progress: Progress | None = None, **_: Any) -> Delta:
        """The largest delta: exact for a rational lambda."""
        n, found = self.mechanism.group.n, []
        for m in range(n) if self.ones is None else [self.ones]:
            if progress:
                progress(m / n)
            for at in (Dataset(m, 0), Dataset(m, 1)):
                found.append((self.pair(at, rtol=rtol).enclosed(limit, rtol=rtol), at))
        best, at = max(found, key=lambda one: one[0].lower)
        upper = max(one.upper for one, _ in found)
        return Delta(best.lower, upper, at, **(EVERY if self.ones is None else GIVEN), rtol=rtol)

    def pair(self, at: Dataset, *, rtol: Fraction) -> ListedPair:
        """The changed record 0 over 1, or 1 over 0."""
        found = self._pair(at.ones)
        return found.mirror if at.value else found

    def given(self, ones: Number) -> SampledClients:
        """The dataset with so many ones among the other records."""
        most = self.mechanism.group.n - 1
        return SampledClients(self.mechanism, integer(ones, "ones", minimum=0, maximum=most))

    @property
    def spread(self) -> float:
        """About the standard deviation of the privacy loss."""
        group, share = self.mechanism.group, float(self.mechanism.share)
        variance = group.n * share * group.k * min(float(a * (1 - a)) for a in group.chances)
        gap = share * group.k * float(group.own[1] - group.own[0])
        return min(gap / math.sqrt(max(variance, 1e-300)), min(float(self.local_epsilon.upper), MAX_EPSILON))

    def _pair(self, ones: int) -> ListedPair:
        """0 over 1, with so many ones among the others."""
        group, asked = self.mechanism.group, self.mechanism
        return sampled(group.own, group.k, asked.share, asked.numbered, group.n - 1, ones)
