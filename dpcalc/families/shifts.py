r"""The families of released numbers that noise hides: every change by at most the sensitivity.

*A noisy count.* With f the pmf of the noise X, delta = max over c of sum_s [f(s) - lambda f(s - c)]_+. If f is
log-concave, f(s)/f(s - c) falls in s for c > 0, so that delta is max_t F(t) - lambda F(t - c). This grows with c: the
largest change in both directions is enough. For other noise all c are tried. Where f(s) > 0 = f(s - c) the loss is
infinite: for noise with an end delta stays above 0 for every epsilon. For noise without an end delta falls to 0, and
the loss is bounded where the noise falls no faster than a geometric series.

*A sampled record:* Z against (1 - gamma) Z + gamma (Z + 1), in both directions. With D(lambda) = sum_s
[f(s) - lambda f(s - 1)]_+, D' the same of -Z, delta is the larger one of

    gamma D'((lambda - 1 + gamma) / gamma)              the record holds 1 in the likelier dataset,
    mu D(lambda gamma / mu), mu = 1 - lambda (1 - gamma)    it holds 0 there; 0 where mu <= 0.

The other records hide this one further, or not at all where all of them hold 0. Proof notes, N13.

*A histogram with listed noise:* of two counts one goes up by c, and the other down by c. P is the law of (X, X + c) and
Q that of (X + c, X). With a_i = f(i) and b_i = f(i - c),

    delta = sum_i sum_j [a_i b_j - lambda b_i a_j]_+,

two listed pairs beside each other. The other direction is the same with the two counts exchanged. If f is log-concave,
delta of each count grows with its change, in both directions, and so does that of both. Proof notes, N3.

*The Gaussian mechanism:* N(0, s^2) and N(1, s^2), in both directions (``numbers.normal``).

Source: Ghazi, Kumar, Manurangsi, Pagh, "Private Counting from Anonymous Messages" (2020), Lemma 21: a D-summation with
noise is (epsilon, delta)-private if and only if all these divergences are at most delta; Balle, Barthe, Gaboardi,
Privacy amplification by subsampling (2018), Theorem 2, for the first formula of a sampled record.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import sqrt
from typing import Any, ClassVar

from dpcalc.laws.parts import Finite
from dpcalc.laws.symmetric import LaplaceLaw, Truncated
from dpcalc.mechanisms.gaussian import GaussianMechanism
from dpcalc.mechanisms.noise import DiscreteGaussian
from dpcalc.mechanisms.noisy_count import CHANGES, NoisyCount, NoisyHistogram
from dpcalc.mechanisms.sampled import Sampled
from dpcalc.numbers import elementary
from dpcalc.numbers.elementary import log
from dpcalc.numbers.enclosure import Enclosure
from dpcalc.numbers.limit import Limit
from dpcalc.numbers.normal import hockey_stick
from dpcalc.numbers.promise import Promise, Words
from dpcalc.pairs.family import OfMechanism, Progress, Width, settled
from dpcalc.pairs.listed import Beside, ListedPair
from dpcalc.pairs.named import NamedPairs, OneByOne, SomePairs
from dpcalc.pairs.outcomes import Revealed
from dpcalc.pairs.shift import Shifted
from dpcalc.pairs.shift_outcomes import sampled, shifted
from dpcalc.pairs.two_laws import TwoLaws

_MOVED: Words = {"attained_by": "one change of two counts", "proven_for": "every two neighbouring histograms"}
_FINER = Fraction(1, 10**30)  # the relative width of sigma, finer for a large one
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

    def every(self, most: int) -> Iterable[tuple[Shift, ListedPair]]:
        """The changes of which one is the worst."""
        every = [(c, Shifted(law, abs(c)).listed(most)) for law, c in self.mechanism.shifts()]
        return [(Shift(c), pair) for c, pair in every if pair] if all(pair for _, pair in every) else ()

    def candidates(self, limit: Limit, *, rtol: Fraction, several: bool) -> Iterator[Shift]:
        """The worst change, of which nothing need be known where there is one."""
        shifts = [shift for _, shift in self.mechanism.shifts()]
        yield Shift(shifts[0]) if len(shifts) == 1 else self.named(self.delta(limit, rtol=rtol))

    def revealed(self, at: Shift, *, centre: float, fineness: int, bits: int) -> Revealed:
        """The outcomes, one by one or in groups."""
        law = self.mechanism.noise.law
        return shifted(law if at.shift > 0 else law.mirror, abs(at.shift), [centre], fineness, bits)


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


@dataclass(frozen=True, slots=True)
class Move:
    """A record that leaves one category and enters another; ``by`` is how much it counts in both."""

    by: int


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class MoveDelta(Promise):
    """delta of a noisy histogram, and the move that reaches it."""

    dataset: Move


@dataclass(frozen=True, slots=True)
class OppositeShifts(OfMechanism[MoveDelta], NamedPairs[MoveDelta]):
    """The largest change of two counts, in opposite directions."""

    mechanism: NoisyHistogram

    delta_width = Width("1e-12", "1e-1000")
    epsilon_width = Width("1e-6", "1e-9")
    words = _MOVED

    def delta(self, limit: Limit, *, rtol: Fraction, **_: Any) -> MoveDelta:
        """delta of the one pair; exact for a rational lambda.

        Raises:
            Undecided: the width is beyond reach.
        """
        found = _counts(self.mechanism).enclosed(limit, rtol=rtol)
        return MoveDelta(found.lower, found.upper, Move(self.mechanism.count.sensitivity), **_MOVED)

    @property
    def spread(self) -> float:
        """As of two counts with normal noise of the same standard deviation."""
        count = self.mechanism.count
        return sqrt(2) * count.sensitivity / max(count.noise.law.deviation, 1e-3)

    def rest(self, rtol: Fraction) -> Enclosure:
        """The probability of an infinite loss."""
        return Enclosure.of(_counts(self.mechanism).infinite)

    def pair(self, at: Move, *, rtol: Fraction) -> Beside:
        """The one pair."""
        return _counts(self.mechanism)


@lru_cache(maxsize=16)
def _counts(mechanism: NoisyHistogram) -> Beside:
    """X over X + c, beside X + c over X."""
    one = ListedPair.between(mechanism.pmf, mechanism.pmf, mechanism.count.sensitivity)
    return Beside(one, one.mirror)


@dataclass(frozen=True, slots=True)
class Moved:
    """Two neighbouring datasets, given by the distance of their numbers in units of the sensitivity."""

    by: int


@dataclass(frozen=True, slots=True)
class Normals(TwoLaws):
    """N(0, s^2) over N(1, s^2), given s^2."""

    square: Fraction

    @property
    def mirror(self) -> Normals:
        """The same."""
        return self

    def enclosed(self, limit: Limit, *, rtol: Fraction) -> Enclosure:
        """By the formula, at both ends of sigma: delta falls as sigma grows."""
        sigma = elementary.sqrt(self.square, _FINER * min(Fraction(1), 1 / (1 + self.square)))
        return Enclosure(hockey_stick(sigma.upper, limit).lower, hockey_stick(sigma.lower, limit).upper)


@dataclass(frozen=True, slots=True)
class Gaussians(OfMechanism[Promise], NamedPairs[Promise]):
    """A change by the sensitivity; a smaller change is the same as more noise."""

    mechanism: GaussianMechanism

    delta_width = Width("1e-12", "1e-15")
    epsilon_width = Width("1e-6", "1e-9")
    words: ClassVar[Words] = {
        "attained_by": "a change by the sensitivity",
        "proven_for": "every two neighbouring datasets",
    }

    def delta(self, limit: Limit, *, rtol: Fraction, **_: Any) -> Promise:
        """Of the one pair."""
        return Promise.that(Normals(self.mechanism.square).enclosed(limit, rtol=rtol), **self.words)

    @property
    def spread(self) -> float:
        """Of a normal loss."""
        return 1 / sqrt(self.mechanism.square)

    def named(self, found: Promise) -> Moved:
        """The largest distance."""
        return Moved(1)

    def pair(self, at: Moved, *, rtol: Fraction) -> Normals:
        """The one pair."""
        return Normals(self.mechanism.square)
