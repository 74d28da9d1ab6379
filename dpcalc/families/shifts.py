r"""The family of a noisy count: every change of the count by at most its sensitivity.

With f the pmf of the noise X, delta = max over c of sum_s [f(s) - lambda f(s - c)]_+. If f is log-concave,
f(s)/f(s - c) falls in s for c > 0, so that delta is max_t F(t) - lambda F(t - c). This grows with c: the largest change
in both directions is enough. For other noise all c are tried. Where f(s) > 0 = f(s - c) the loss is infinite: for noise
with an end delta stays above 0 for every epsilon. For noise without an end delta falls to 0, and the loss is bounded
where the noise falls no faster than a geometric series.

Source: Ghazi, Kumar, Manurangsi, Pagh, "Private Counting from Anonymous Messages" (2020), Lemma 21: a D-summation with
noise is (epsilon, delta)-private if and only if all these divergences are at most delta.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from dpcalc.laws.parts import Finite
from dpcalc.laws.symmetric import LaplaceLaw, Truncated
from dpcalc.mechanisms.noise import DiscreteGaussian
from dpcalc.mechanisms.noisy_count import CHANGES, NoisyCount
from dpcalc.numbers.elementary import log
from dpcalc.numbers.enclosure import Enclosure
from dpcalc.numbers.limit import Limit
from dpcalc.numbers.promise import Promise
from dpcalc.pairs.family import OfMechanism, Progress, Width, settled
from dpcalc.pairs.named import NamedPairs
from dpcalc.pairs.outcomes import Revealed
from dpcalc.pairs.shift import Shifted
from dpcalc.pairs.shift_outcomes import shifted

_LEAST = Fraction(1001, 1000)  # from here on delta falls no further where no finite ratio is larger


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class NoisyDelta(Promise):
    """delta of a noisy count.

    Attributes:
        shift: delta is reached by comparing a count with that count + shift.
    """

    shift: int


@dataclass(frozen=True, slots=True)
class Shift:
    """By how much larger the count of a noisy release is in the dataset under which the event is less likely."""

    shift: int


@dataclass(frozen=True, slots=True)
class OfNoise(OfMechanism[NoisyDelta], NamedPairs[NoisyDelta]):
    """Families of changes of a count that noise hides."""

    epsilon_width = Width("1e-6", "1e-9")
    words = CHANGES

    @property
    def unit(self) -> Fraction | None:
        """None, unless the noise has few losses."""
        return None

    def named(self, found: Promise) -> Shift:
        """The change that reaches delta."""
        assert isinstance(found, NoisyDelta)
        return Shift(found.shift)


@dataclass(frozen=True, slots=True)
class Shifts(OfNoise):
    """Every change of a noisy count."""

    mechanism: NoisyCount

    delta_width = Width("1e-12", "1e-1000")

    def delta(
        self, limit: Limit, *, rtol: Fraction, target: Fraction | None = None, progress: Progress | None = None
    ) -> NoisyDelta:
        """The largest delta over all changes; exact for a rational lambda where the pmf is listed."""
        return settled(lambda width: self._largest(limit, width, progress), rtol, target)

    def _largest(self, limit: Limit, rtol: Fraction, progress: Progress | None) -> NoisyDelta:
        found: list[tuple[Enclosure, int]] = []
        shifts = list(self.mechanism.shifts())
        for law, c in shifts:
            if progress:
                progress(len(found) / len(shifts))
            found.append((Shifted(law, abs(c)).enclosed(limit, rtol=rtol), c))
        best, shift = max(found, key=lambda one: one[0].lower)
        upper = max(one.upper for one, _ in found)
        return NoisyDelta(best.lower, upper, shift, **CHANGES)

    @property
    def spread(self) -> float:
        """As of normal noise with the same standard deviation."""
        return self.mechanism.sensitivity / max(self.mechanism.noise.law.deviation, 1e-3)

    def rest(self, rtol: Fraction) -> Enclosure:
        """The probability of an infinite loss."""
        return self.mechanism.rest(rtol)

    def steepest(self, target: Fraction) -> Fraction:
        """The largest finite ratio of those changes."""
        pairs = (Shifted(law, abs(c)) for law, c in self.mechanism.shifts())
        return max((one.steepest for one in pairs if one.infinite == target), default=Fraction(0))

    @property
    def unit(self) -> Fraction | None:
        """For geometric noise the loss of which all others are multiples, and for discrete Gaussian noise that varies
        little: (2cx - c^2)/(2 sigma^2) for a change of c; for listed noise the largest loss.
        """
        noise, last = self.mechanism.noise, self.last_loss
        if isinstance(noise, DiscreteGaussian) and noise.square <= 1:
            return 1 / (2 * noise.square)
        return last if last is None or isinstance(noise.law, Finite) else last / self.mechanism.sensitivity

    @property
    def last_loss(self) -> Fraction | None:
        """The largest finite loss, rounded down; None if losses are unbounded."""
        law = self.mechanism.noise.law
        if isinstance(law, Finite):
            return log(max(_LEAST, *(Shifted(law, abs(c)).steepest for law, c in self.mechanism.shifts()))).lower
        if isinstance(law, Truncated):  # but for its ends
            law = LaplaceLaw(law.rho)
        largest = law.largest_loss(self.mechanism.sensitivity)
        return None if largest is None else largest.lower

    def candidates(self, limit: Limit, *, rtol: Fraction, several: bool) -> Iterator[Shift]:
        """The worst change, of which nothing need be known where there is one."""
        shifts = [shift for _, shift in self.mechanism.shifts()]
        yield Shift(shifts[0]) if len(shifts) == 1 else self.named(self.delta(limit, rtol=rtol))

    def revealed(self, at: Shift, *, centre: float, fineness: int, bits: int) -> Revealed:
        """The outcomes, one by one or in groups."""
        law = self.mechanism.noise.law
        return shifted(law if at.shift > 0 else law.mirror, abs(at.shift), [centre], fineness, bits)
