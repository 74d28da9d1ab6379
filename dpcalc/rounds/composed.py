r"""delta of many rounds from both sides, at any size, on a lattice of losses.

*Above* stands the composition of the envelopes: in each round the pair whose profile is the chords of upper bounds of
delta over all datasets of that round. Its delta is at or above that of every choice of datasets, also where later data
depend on earlier releases. *Below* stands one dataset a round, named, its outcomes merged to the lattice: at or below
delta of these datasets, which are fixed beforehand. Both are proven in ``rounds.dominance``.

The lattice is fine where the losses of one round lie that matter, once all rounds are tilted to the limit asked for,
and coarser and coarser away from it. All about its shape is steered by the Gaussian mechanism of the same spread; where
the losses that matter spread far more than its losses, as where hardly a flip is seen, the lattice is even, and the
losses of all rounds are convolved instead of inverted. Bounds of single rounds that would take too long give way to
Chernoff's.

Source: proof notes, C1 to C12.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import Any

from flint import arb

from dpcalc.numbers.ball import LEAST_HELD, enclosure_of, working_precision
from dpcalc.numbers.elementary import log
from dpcalc.numbers.limit import Limit
from dpcalc.numbers.search import logarithm
from dpcalc.rounds.bounded_round import BoundedRound
from dpcalc.rounds.convolution import Convolution
from dpcalc.rounds.dominance import Outcome, chords, merged, split
from dpcalc.rounds.lattice import Composition, Losses
from dpcalc.rounds.outcomes import gap, grouped, listed, outcome_bits
from dpcalc.rounds.profile_bounds import bound, over_datasets, single
from dpcalc.worst.datasets import Datasets
from dpcalc.worst.loss_spread import BROADEST, breadth, spread

__all__ = ["Composed"]

_NATS = 22  # truncation errors are about e^-22 of delta
_PRECISION = 128  # bits, besides those that many rounds lose
_FINER = 2  # the lattice below to the one above
_MOST = 2500  # knots of a round, where such losses matter
_POINTS = 1 << 13  # of the lattice up to the largest loss of all rounds, where such losses matter
_INFINITE = 0.5  # where more of delta than this comes from losses taken as infinite, the lattice is extended
_FARTHER = 1.25  # so much farther out outcomes are looked for that are faint enough
_SHARPER = 20  # the bounds of single rounds to what the chords lose
_FLAT = 10  # times as coarse next to lambda = 1, where all compositions are nearly alike
_RARER = 8 / 3  # bounds widen as e^{d^2 / this}, d standard deviations away, where losses weigh e^{-d^2 / 2}
_WIDEST = 0.1  # at most so wide
_STEEP = 4  # nats that rarer losses must weigh less than what chords rise
_PLAIN = 600  # up to this logarithm a float holds delta
_COARSE = Fraction(1, 1000)
_SHORT = 100  # bits of the lattice's step


@dataclass(frozen=True)
class Composed:
    """Rounds on a lattice that is good for limits near one epsilon, and right for all.

    Attributes:
        rounds: the datasets of each kind of round, and how many times it is run.
        near: the epsilon.
        fineness: points of the lattice to a standard deviation of one round's loss.
        ones: for each kind the ones among the others; None: all datasets above, and the worst of one round below.
        bounded: rounds that bound themselves, and how many times each is run.
        nats: losses that may be likelier than e^-nats are not taken for infinite ones.
    """

    rounds: tuple[tuple[Datasets, int], ...]
    near: float
    fineness: int
    ones: tuple[int, ...] | None = None
    bounded: tuple[tuple[BoundedRound[Any], int], ...] = ()
    nats: float = 0.0

    @cached_property
    def variance(self) -> float:
        """Of the loss of all rounds, about."""
        return sum(times * spread(datasets) ** 2 for datasets, times in self.rounds) + sum(
            times * one.spread**2 for one, times in self.bounded
        )

    @property
    def total(self) -> int:
        """How many rounds."""
        return sum(times for _, times in (*self.rounds, *self.bounded))

    @cached_property
    def step(self) -> Fraction:
        """h; the largest loss of the rounds that weigh most is a multiple of it, so that few losses fit well too."""
        about = math.sqrt(self.variance / self.total) / self.fineness
        if self._scattered:
            about = max(about, sum(times * x.largest_loss for x, times in self.rounds) / _POINTS)
        weights = [(x.largest_loss, times * x.spread**2) for x, times in self.bounded]
        weights += [(x.k * log((1 - x.q) / x.q).lower, times * spread(x) ** 2) for x, times in self.rounds]
        largest_loss, _ = max(weights, key=lambda one: one[1])
        step = largest_loss / max(1, math.ceil(float(largest_loss) / about)) if largest_loss else Fraction(about)
        unit = 1 << max(0, _SHORT - math.floor(math.log2(about)))
        return Fraction(math.floor(step * unit), unit)

    @cached_property
    def _scattered(self) -> bool:
        """Whether losses spread far more than those of a Gaussian mechanism, which then tells little about them."""
        return any(breadth(x, self.centre(x)) >= BROADEST * spread(x) for x, _ in self.rounds)

    @property
    def bits(self) -> int:
        """The working precision."""
        return _PRECISION + 2 * self.total.bit_length()

    @property
    def deviations(self) -> float:
        """How many standard deviations the limit lies above the mean loss of all rounds, about."""
        return self.near / math.sqrt(self.variance) - math.sqrt(self.variance) / 2

    def centre(self, datasets: Datasets) -> float:
        """Where the losses of one round lie when all rounds are tilted to ``near``."""
        return self.near * spread(datasets) ** 2 / self.variance

    def _bounded_centre(self, one: BoundedRound[Any]) -> float:
        return self.near * one.spread**2 / self.variance

    def upper(self, limit: Limit) -> Fraction:
        """delta is at most this, for all datasets and adaptive choices, or for the ones given."""
        with working_precision(self.bits):
            found = self._above.delta(limit).max(LEAST_HELD)
            upper = min(enclosure_of(found).upper, Fraction(1)) if found.is_finite() else Fraction(1)
        return min(upper, self._farther.upper(limit)) if self._farther else upper

    @cached_property
    def _farther(self) -> Composed | None:
        """Where most of delta lies in losses that count as infinite: the same with those that are farther out."""
        near = Limit.exp(Fraction(self.near))
        with working_precision(self.bits):
            if self.nats or not self._above.beyond > _INFINITE * self._above.delta(near):
                return None
        least = self.lower(near)
        return replace(self, nats=_NATS + math.log(self.total) - logarithm(least)) if least else None

    def lower(self, limit: Limit) -> Fraction:
        """delta of the datasets with ``holders`` ones is at least this."""
        with working_precision(self.bits):
            if self._below is None:
                return Fraction(0)
            found = self._below.delta(limit)
            return max(enclosure_of(found).lower, Fraction(0)) if found > LEAST_HELD else Fraction(0)

    @cached_property
    def holders(self) -> tuple[int, ...]:
        """For each kind of round the ones among the others of the dataset below."""
        if self.ones is not None:
            return self.ones
        places = [max(self.centre(datasets), spread(datasets)) for datasets, _ in self.rounds]
        return tuple(bound(x, Fraction(at), _COARSE)[1] for (x, _), at in zip(self.rounds, places, strict=True))

    @cached_property
    def worst(self) -> tuple[Any, ...]:
        """For each round that bounds itself the dataset of the pair below."""
        return tuple(one.worst(self._bounded_centre(one)) for one, _ in self.bounded)

    @cached_property
    def _above(self) -> Composition | Convolution:
        losses = [self._chords(i) for i in range(len(self.rounds))]
        for one, _ in self.bounded:
            losses.append(one.above(self.step, self._bounded_centre(one), self._faint, self.fineness))
        return self._composition(self.step, losses)

    @cached_property
    def _below(self) -> Composition | Convolution | None:
        found = self._attained(whole=True)
        return self._attained(whole=False) if isinstance(found, Composition) and not found.settled else found

    def _attained(self, *, whole: bool) -> Composition | Convolution | None:
        """Of one dataset a round; if not of the whole, without losses as large as are faint beside delta."""
        step, losses = self.step / _FINER, []
        for (datasets, _), ones in zip(self.rounds, self.holders, strict=True):
            most = math.exp(min(self._largest(datasets), _PLAIN))
            outcomes = self._outcomes(datasets, ones)
            losses.append(merged(step, [(a, b) for a, b in outcomes if whole or a < b * most]))
        for (one, _), at in zip(self.bounded, self.worst, strict=True):
            losses.append(one.below(step, self._bounded_centre(one), self._faint, self.fineness, at))
        if not all(any(mass > 0 for mass in x.masses) for x in losses):
            return None  # no outcome is known well enough, as where flips are hardly ever seen
        return self._composition(step, losses)

    def _composition(self, step: Fraction, losses: Sequence[Losses]) -> Composition | Convolution:
        each = [times for _, times in (*self.rounds, *self.bounded)]
        kinds = list(zip(losses, each, strict=True))
        if self._scattered:
            return Convolution(step, kinds)
        return Composition(step, kinds, near=self.near, nats=_NATS)

    @property
    def sharpness(self) -> float:
        """The relative width of the bounds of single rounds, small beside what the chords lose.

        Chords lose about (0.8 + 0.3 d^2) / fineness^2 of delta, d deviations out. Bounds a share w too high raise delta
        by d^2 w about, as a spread of the losses that is w too wide; and by (1 + w)^T at most, as every factor is at
        most 1 + w times as high (proof notes, C3).
        """
        out = max(self.deviations, 0.0) ** 2
        lost = (0.8 + 0.3 * out) / self.fineness**2
        return lost / (_SHARPER * (0.8 + 0.3 * min(out, self.total)))

    def _chords(self, i: int) -> Losses:
        """Above all datasets of a round, or those with the ones given, in both directions."""
        datasets, width = self.rounds[i][0], Fraction(self.sharpness)
        if self.ones is not None:
            if (known := self._listed(datasets, self.ones[i])) is not None:
                return split(self.step, *known)
            return chords(
                self.step,
                [(j, single(datasets, self.ones[i], j * self.step, width)) for j in self._places(datasets)],
            )
        knots, centre = self.knots(datasets), self.centre(datasets)
        asked = [(j * self.step, x) for j, x in knots]
        values = over_datasets(datasets, asked, centre=centre, sharpness=self.sharpness)
        return chords(self.step, [(j, value) for (j, _), value in zip(knots, values, strict=True)])

    def knots(self, datasets: Datasets) -> list[tuple[int, Fraction]]:
        """The j >= 0 at which delta over all datasets of a round is bounded, and how sharply."""
        places, width = self._places(datasets), self.sharpness
        if self._scattered:
            return [(j, Fraction(min(width, _WIDEST))) for j in places]
        step, usual, centre = float(self.step), spread(datasets), self.centre(datasets)
        wide, found = breadth(datasets, centre), []
        for j in places:
            out, away = j * step / usual, abs(j * step - centre) / wide
            rare = math.exp(min(away**2 / _RARER, 40.0))
            share = max(width * max(1.0, _FLAT * (1 - out), rare), (out / self.fineness) ** 2 / (4 * _SHARPER))
            found.append((j, Fraction(min(share, _WIDEST))))  # beside what chords lose so far out, as its square
        return found

    def _places(self, datasets: Datasets) -> list[int]:
        """The j >= 0 at which delta is bounded, from 0 to where it is 0."""
        step, deviation, centre = float(self.step), spread(datasets), self.centre(datasets)
        last = math.ceil(self._largest(datasets) / step) + 1
        if self._scattered:
            return [*range(0, last, math.ceil(last / _MOST)), last]
        stride = max(1, round(deviation / (self.fineness * step)))
        start = min(max(0, round(centre / step)), last)
        found = {0, start, last}
        wide = breadth(datasets, centre)
        steep = centre / deviation  # delta falls as e^{-steep y}: chords rise so much, and losses weigh e^{-y^2 / 2}

        def farther(away: int) -> int:
            y = away * step / wide
            most = max(1.0, y**2 / 2 - _STEEP) / max(steep, 1.0) * deviation / step
            return away + max(min(gap(stride, away, y), math.floor(most)), stride)

        for sign in (-1, 1):
            away = 0
            while 0 < start + sign * (away := farther(away)) < last:
                found.add(start + sign * away)
        return sorted(found)

    def _largest(self, datasets: Datasets) -> float:
        """The losses of one round beyond which those left are faint beside delta, or the largest."""
        if self._scattered:
            return datasets.largest_loss
        loss = self._faint * spread(datasets) + self.centre(datasets)
        while loss < datasets.largest_loss and logarithm(datasets.quick(Limit.exp(Fraction(loss)))) > -self.nats:
            loss *= _FARTHER
        return min(loss, datasets.largest_loss)

    def _outcomes(self, datasets: Datasets, ones: int) -> list[Outcome]:
        """The outcomes of one dataset in rising order of their losses, or neighbouring ones together."""
        known = self._listed(datasets, ones)
        return known[0] if known else grouped(datasets.pair(ones), self._out(datasets), self.fineness)

    def _listed(self, datasets: Datasets, ones: int) -> tuple[list[Outcome], arb] | None:
        """All outcomes, and the P mass of those that are too faint; None where they are many."""
        bits = min(outcome_bits(self._out(datasets), self._faint), _faintest(datasets, ones))
        return listed(datasets.pair(ones), bits)

    def _out(self, datasets: Datasets) -> float:
        """So many standard deviations out lie the losses of one round that matter."""
        return self.centre(datasets) / spread(datasets)

    @property
    def _faint(self) -> float:
        """So many standard deviations out, one round's outcomes are faint beside delta."""
        return math.sqrt(max(self.deviations, 0.0) ** 2 + 2 * (_NATS + math.log(self.total))) + 1


def _faintest(datasets: Datasets, ones: int) -> int:
    """Bits that the outcome of the largest loss takes, all zeros, and some more."""
    one, zero = (-datasets.k * logarithm(a) / math.log(2) for a in (datasets.q, 1 - datasets.q))
    return math.ceil(min(one * ones + zero * (datasets.others - ones), 1e9)) + _PRECISION
