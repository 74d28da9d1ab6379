r"""The families of released numbers that noise hides: every change by at most the sensitivity.

*A noisy count.* With f the pmf of the noise X, delta = max over c of sum_s [f(s) - lambda f(s - c)]_+. If f is
log-concave, f(s)/f(s - c) falls in s for c > 0, so that delta is max_t F(t) - lambda F(t - c). This grows with c: the
largest change in both directions is enough. For other noise all c are tried. Where f(s) > 0 = f(s - c) the loss is
infinite: for noise with an end delta stays above 0 for every epsilon. For noise without an end delta falls to 0, and
the loss is bounded where the noise falls no faster than a geometric series.

*A sampled record:* two pairs (``pairs.shift``). The other records hide this one further, or not at all where all of
them hold 0.

*A histogram with listed noise:* of two counts one goes up by c, and the other down by c. P is the law of (X, X + c) and
Q that of (X + c, X). With a_i = f(i) and b_i = f(i - c),

    delta = sum_i sum_j [a_i b_j - lambda b_i a_j]_+,

two listed pairs beside each other. The other direction is the same with the two counts exchanged. If f is log-concave,
delta of each count grows with its change, in both directions, and so does that of both. Proof notes, N3.

*The Gaussian mechanism:* N(0, s^2) and N(1, s^2), in both directions (``numbers.normal``).

Source: Ghazi, Kumar, Manurangsi, Pagh, "Private Counting from Anonymous Messages" (2020), Lemma 21: a D-summation with
noise is (epsilon, delta)-private if and only if all these divergences are at most delta.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import sqrt
from typing import ClassVar

from dpcalc.laws.parts import Finite
from dpcalc.laws.symmetric import LaplaceLaw, Truncated
from dpcalc.mechanisms.noise import DiscreteGaussian
from dpcalc.mechanisms.noisy_count import CHANGES, GaussianMechanism, NoisyCount, NoisyHistogram
from dpcalc.mechanisms.sampled import Sampled
from dpcalc.numbers import elementary
from dpcalc.numbers.elementary import log
from dpcalc.numbers.enclosure import Enclosure
from dpcalc.numbers.limit import Limit
from dpcalc.numbers.normal import hockey_stick
from dpcalc.numbers.promise import Words
from dpcalc.pairs.family import Attained, Width
from dpcalc.pairs.listed import Beside, ListedPair
from dpcalc.pairs.named import FewPairs
from dpcalc.pairs.shift import SampledShift, Shifted
from dpcalc.pairs.two_laws import SomePairs, TwoLaws

_MOVED: Words = {"attained_by": "one change of two counts", "proven_for": "every two neighbouring histograms"}
_FINER = Fraction(1, 10**30)  # the relative width of sigma, finer for a large one
_EACH = 10  # bits of an outcome's mass, of few outcomes
_LEAST = Fraction(1001, 1000)  # from here on delta falls no further where no finite ratio is larger


@dataclass(frozen=True, slots=True)
class Shift:
    """By how much larger the count of a noisy release is in the dataset under which the event is less likely."""

    shift: int

    def __str__(self) -> str:
        return f"attained by comparing a count with the same count {self.shift:+d}"


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class NoisyDelta(Attained):
    """delta of a noisy count."""

    dataset: Shift

    @property
    def shift(self) -> int:
        """delta is reached by comparing a count with that count + shift."""
        return self.dataset.shift


@dataclass(frozen=True, slots=True)
class Shifts(FewPairs):
    """Every change of a noisy count."""

    mechanism: NoisyCount

    delta_width = Width("1e-12", "1e-1000")
    words = CHANGES
    answer = NoisyDelta

    @property
    def pairs(self) -> list[tuple[Shift, Shifted]]:
        """Those of which one has the largest delta."""
        return [(Shift(c), Shifted(law, abs(c))) for law, c in self.mechanism.shifts()]

    @property
    def spread(self) -> float:
        """As of normal noise with the same standard deviation."""
        return self.mechanism.sensitivity / max(self.mechanism.noise.law.deviation, 1e-3)

    def rest(self, rtol: Fraction) -> Enclosure:
        """The probability of an infinite loss."""
        return self.mechanism.rest(rtol)

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
            return log(max(_LEAST, *(one.steepest for _, one in self.pairs))).lower
        if isinstance(law, Truncated):  # but for its ends
            law = LaplaceLaw(law.rho)
        largest = law.largest_loss(self.mechanism.sensitivity)
        return None if largest is None else largest.lower

    def every(self, most: int) -> Iterable[tuple[Shift, ListedPair]]:
        """The changes of which one is the worst."""
        every = [(at, pair.listed(_EACH * most)) for at, pair in self.pairs]
        return [(at, pair) for at, pair in every if pair] if all(pair for _, pair in every) else ()


@dataclass(frozen=True, slots=True)
class SampledShifts(FewPairs):
    """Both directions of one record; the shift is 1 where the record holds 0 in the likelier dataset, else -1."""

    mechanism: Sampled

    delta_width = Width("1e-12", "1e-20")
    words = CHANGES
    answer = NoisyDelta
    farthest = 600

    @property
    def pairs(self) -> list[tuple[Shift, SampledShift]]:
        """Both directions."""
        assert isinstance(self.mechanism.clients, NoisyCount)
        law, share = self.mechanism.clients.noise.law, self.mechanism.share
        return [(Shift(-1), SampledShift(law, share, there=True)), (Shift(1), SampledShift(law, share, there=False))]

    @property
    def spread(self) -> float:
        """As of normal noise with the same standard deviation."""
        return float(self.mechanism.share) / max(self._there.law.deviation, 1e-3)

    @property
    def _there(self) -> SampledShift:
        return self.pairs[0][1]

    @property
    def unit(self) -> None:
        """None: few losses are multiples of one."""

    def rest(self, rtol: Fraction) -> Enclosure:
        """The probability of an infinite loss: of the outcomes that the count without the record never shows."""
        return self._there.beyond(rtol=rtol)

    def candidates(self, limit: Limit, *, rtol: Fraction, several: bool) -> Iterator[Shift]:
        """Both directions."""
        yield from (at for at, _ in self.pairs)

    @property
    def ranges(self) -> Sequence[SomePairs]:
        """The two directions."""
        return [pair for _, pair in self.pairs]


@dataclass(frozen=True, slots=True)
class Move:
    """A record that leaves one category and enters another; ``by`` is how much it counts in both."""

    by: int

    def __str__(self) -> str:
        return f"attained by comparing two counts with the same counts {self.by:+d} and {-self.by:+d}"


@dataclass(frozen=True, slots=True)
class OppositeShifts(FewPairs):
    """The largest change of two counts, in opposite directions."""

    mechanism: NoisyHistogram

    delta_width = Width("1e-12", "1e-1000")
    words = _MOVED

    @property
    def pairs(self) -> list[tuple[Move, Beside]]:
        """The one pair."""
        return [(Move(self.mechanism.count.sensitivity), _counts(self.mechanism))]

    @property
    def spread(self) -> float:
        """As of two counts with normal noise of the same standard deviation."""
        count = self.mechanism.count
        return sqrt(2) * count.sensitivity / max(count.noise.law.deviation, 1e-3)

    def rest(self, rtol: Fraction) -> Enclosure:
        """The probability of an infinite loss."""
        return Enclosure.of(_counts(self.mechanism).infinite)


@lru_cache(maxsize=16)
def _counts(mechanism: NoisyHistogram) -> Beside:
    """X over X + c, beside X + c over X."""
    one = ListedPair.between(mechanism.pmf, mechanism.pmf, mechanism.count.sensitivity)
    return Beside(one, one.mirror)


@dataclass(frozen=True, slots=True)
class Moved:
    """Two neighbouring datasets, given by the distance of their numbers in units of the sensitivity."""

    by: int

    def __str__(self) -> str:
        return "attained by a change by the sensitivity"


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
class Gaussians(FewPairs):
    """A change by the sensitivity; a smaller change is the same as more noise."""

    mechanism: GaussianMechanism

    delta_width = Width("1e-12", "1e-15")
    words: ClassVar[Words] = {
        "attained_by": "a change by the sensitivity",
        "proven_for": "every two neighbouring datasets",
    }

    @property
    def pairs(self) -> list[tuple[Moved, Normals]]:
        """The one pair."""
        return [(Moved(1), Normals(self.mechanism.square))]

    @property
    def spread(self) -> float:
        """Of a normal loss."""
        return 1 / sqrt(self.mechanism.square)
