r"""The family of a sampled record in a noisy count: Z against (1 - gamma) Z + gamma (Z + 1), in both directions.

With f the pmf of Z and D(lambda) = sum_s [f(s) - lambda f(s - 1)]_+, D' the same of -Z, delta is the larger one of

    gamma D'((lambda - 1 + gamma) / gamma)              the record holds 1 in the likelier dataset,
    mu D(lambda gamma / mu), mu = 1 - lambda (1 - gamma)    it holds 0 there; 0 where mu <= 0.

The other records hide this one further, or not at all where all of them hold 0. Proof notes, N13.

Source: Balle, Barthe, Gaboardi, Privacy amplification by subsampling (2018), Theorem 2, for the first formula.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from dpcalc.families.shifts import NoisyDelta, OfNoise, Shift
from dpcalc.mechanisms.noisy_count import CHANGES, NoisyCount
from dpcalc.mechanisms.sampled import Sampled
from dpcalc.numbers.enclosure import Enclosure
from dpcalc.numbers.limit import Limit
from dpcalc.pairs.family import Width, settled
from dpcalc.pairs.named import OneByOne, SomePairs
from dpcalc.pairs.outcomes import Revealed
from dpcalc.pairs.shift import Shifted
from dpcalc.pairs.shift_outcomes import sampled


@dataclass(frozen=True, slots=True)
class SampledShifts(OfNoise):
    """Both directions of one record; the shift is 1 where the record holds 0 in the likelier dataset, else -1."""

    mechanism: Sampled

    delta_width = Width("1e-12", "1e-20")
    farthest = 600

    def delta(self, limit: Limit, *, rtol: Fraction, target: Fraction | None = None, **_: Any) -> NoisyDelta:
        """The larger one of both directions; exact for a rational lambda where the pmf is listed."""
        return settled(lambda width: self._larger(limit, width), rtol, target, digits=(12, 20))

    def _larger(self, limit: Limit, rtol: Fraction) -> NoisyDelta:
        low, high = (dict(self._each(lam, rtol)) for lam in (limit.ends.lower, limit.ends.upper))
        shift = max(high, key=lambda c: high[c].lower)
        return NoisyDelta(high[shift].lower, max(one.upper for one in low.values()), shift, **CHANGES)

    def _each(self, lam: Fraction, rtol: Fraction) -> Iterator[tuple[int, Enclosure]]:
        """delta in each direction."""
        share, pair = self.mechanism.share, self._pair
        yield -1, pair.mirror.enclosed(Limit((lam - 1 + share) / share), rtol=rtol) * share
        rest = 1 - lam * (1 - share)
        yield 1, pair.enclosed(Limit(lam * share / rest), rtol=rtol) * rest if rest > 0 else Enclosure.of(0)

    def toward(self, shift: int, limit: Limit, *, rtol: Fraction) -> Fraction:
        """An upper bound of delta in one direction."""
        return dict(self._each(limit.ends.lower, rtol))[shift].upper

    @property
    def _pair(self) -> Shifted:
        assert isinstance(self.mechanism.clients, NoisyCount)
        return Shifted(self.mechanism.clients.noise.law, 1)

    @property
    def spread(self) -> float:
        """As of normal noise with the same standard deviation."""
        return float(self.mechanism.share) / max(self._pair.law.deviation, 1e-3)

    def rest(self, rtol: Fraction) -> Enclosure:
        """The probability of an infinite loss: of the outcomes that the count without the record never shows."""
        return self._pair.mirror.beyond(rtol=rtol) * self.mechanism.share

    def steepest(self, target: Fraction) -> Fraction:
        """The largest finite ratio of a record that holds 1 in the likelier dataset."""
        share = self.mechanism.share
        return 1 - share + share * self._pair.mirror.steepest

    def candidates(self, limit: Limit, *, rtol: Fraction, several: bool) -> Iterator[Shift]:
        """Both directions."""
        yield from (Shift(-1), Shift(1))

    @property
    def ranges(self) -> Sequence[SomePairs]:
        """The two directions."""
        return [_Toward(self, -1), _Toward(self, 1)]

    def revealed(self, at: Shift, *, centre: float, fineness: int, bits: int) -> Revealed:
        """The outcomes, one by one or in groups."""
        return sampled(self._pair.law, self.mechanism.share, centre, fineness, bits, there=at.shift < 0)


@dataclass(frozen=True, slots=True)
class _Toward(OneByOne):
    """One direction."""

    both: SampledShifts
    shift: int

    def upper(self, limit: Limit, *, rtol: Fraction) -> Fraction:
        """The upper end of its delta."""
        return self.both.toward(self.shift, limit, rtol=rtol)

    @property
    def mirror(self) -> _Toward:
        """The other direction."""
        return _Toward(self.both, -self.shift)
