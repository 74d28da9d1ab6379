"""The family of sampled clients that are not asymmetric reports: every dataset and both directions, listed."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import Any

from dpcalc.errors import must_fit
from dpcalc.families.sampled_noise import SampledShifts
from dpcalc.mechanisms.sampled import Sampled
from dpcalc.numbers.enclosure import Enclosure
from dpcalc.numbers.limit import MAX_EPSILON, Limit
from dpcalc.numbers.promise import Promise
from dpcalc.numbers.rational import Number, integer
from dpcalc.pairs.directions import Directions, NamedPairs
from dpcalc.pairs.family import Progress, Width
from dpcalc.pairs.sampled import SampledPair
from dpcalc.worst.datasets import Dataset, Delta

_BITS = 160  # of an upper bound
_PRECISIONS = (136, 544, 2176)  # of lambda, in bits
_APART = 8  # delta is computed at every so-manyth limit first
_MOST, _MOST_SORTED = 200_000_000, 1_000_000_000  # bits of the weights of all datasets together: some seconds


@dataclass(frozen=True, slots=True)
class SampledClients(NamedPairs[Delta]):
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
        for bits in _PRECISIONS:
            found = self._largest(limit.ends_to(bits), rtol, progress)
            if found.upper - found.lower <= rtol * found.lower:
                break
        return found

    def _largest(self, lam: Enclosure, rtol: Fraction, progress: Progress | None) -> Delta:
        others, found = self.mechanism.group.n - 1, []
        chosen = range(others + 1) if self.ones is None else [self.ones]
        for m in chosen:
            if progress:
                progress(m / (others + 1))
            for value, one in enumerate(self._pair(m).excesses(lam)):
                found.append((one, Dataset(m, value)))
        best, at = max(found, key=lambda one: one[0].lower)
        upper = max(one.upper for one, _ in found)
        if self.ones is None:
            return Delta(best.lower, upper, at, rtol=rtol)
        return Delta.single(Enclosure(best.lower, upper), at, rtol)

    def named(self, found: Promise) -> Dataset:
        """The dataset that attains delta."""
        assert isinstance(found, Delta)
        return found.dataset

    def directions(self, at: Dataset, *, rtol: Fraction) -> Directions:
        """The changed record 0 over 1, or 1 over 0."""
        pair = self._pair(at.ones)
        return Directions(
            lambda lam: pair.excesses(Enclosure.of(lam))[at.value],
            lambda lam: pair.excesses(Enclosure.of(lam))[1 - at.value],
        )

    def uppers(self, limits: Sequence[Limit], *, rtol: Fraction) -> list[Fraction]:
        """Each dataset is computed at some limits, at the others only where its chord is above the bound so far.

        delta is convex in lambda, so that between two limits it is at most its chord.
        """
        found, lams = [Fraction(0)] * len(limits), [limit.ends.lower for limit in limits]
        others = self.mechanism.group.n - 1
        for m in sorted(range(others + 1), key=lambda m: min(m, others - m)):
            pair = self._pair(m)
            known = {i: _above(pair, lams[i]) for i in {*range(0, len(lams), _APART), len(lams) - 1}}
            for i, j in pairwise(sorted(known)):
                slope = (known[j] - known[i]) / (lams[j] - lams[i])
                for between in range(i + 1, j):
                    if known[i] + slope * (lams[between] - lams[i]) > found[between]:
                        known[between] = _above(pair, lams[between])
            found = [max(most, known.get(i, most)) for i, most in enumerate(found)]
        return found

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

    def _pair(self, m: int) -> SampledPair:
        group = self.mechanism.group
        return SampledPair(
            group.own, group.k, self.mechanism.share, m, group.n - 1 - m, self.mechanism.numbered
        )  # fmt: skip


def _above(pair: SampledPair, lam: Fraction) -> Fraction:
    """A number of few bits, not below delta in either direction."""
    value = max(one.upper for one in pair.excesses(Enclosure.of(lam)))
    whole = Fraction(2) ** (_BITS - value.numerator.bit_length() + value.denominator.bit_length())
    return Fraction(math.ceil(value * whole)) / whole
