r"""delta of many rounds from both sides, at any size, on a lattice of losses.

*Above* stands the composition of the envelopes: in each round the pair whose profile is the chords of upper bounds of
delta over all datasets of that round. Its delta is at or above that of every choice of datasets, also where later data
depend on earlier releases. *Below* stands one dataset a round, named, its outcomes merged to the lattice: at or below
delta of these datasets, which are fixed beforehand. Both are proven in ``counts.dominance``.

The lattice is fine where the losses of one round lie that matter, once all rounds are tilted to the limit asked for,
and coarser and coarser away from it. All about its shape is steered by the Gaussian mechanism of the same spread.

Source: the proof notes, "Composition".
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache
from itertools import pairwise
from operator import mul

from flint import arb

from dpcalc.counts.dominance import Outcome, chords, merged, split
from dpcalc.counts.fixed_point import law
from dpcalc.counts.inversion import Term, guard_bits, invert
from dpcalc.counts.lattice import Composition, Losses
from dpcalc.errors import TooLarge, Undecided
from dpcalc.numbers.ball import ball, bits_for, enclosure_of, working_precision
from dpcalc.numbers.elementary import log
from dpcalc.numbers.limit import Limit
from dpcalc.privacy.datasets import Datasets
from dpcalc.privacy.noisy_round import NoisyRound
from dpcalc.privacy.pair import FAINT, Pair
from dpcalc.privacy.steering import log_odds, serves
from dpcalc.privacy.worst import largest

__all__ = ["Composed", "spread"]

_NATS = 22  # truncation errors are about e^-22 of delta
_PRECISION = 128  # bits, besides those that many rounds lose
_GROUPED = 64  # bits of groups of outcomes, besides those that differences lose
_SPARE = 70  # bits of the faintest outcomes that matter
_REACH = 6.0  # standard deviations of one tilted round, beyond which its outcomes count as one
_WIDENING = 8  # the spacing grows as e^{d^2 / 8}, d standard deviations away: its square weighs as the density there,
_BROADEST = 10
_WIDEST = 0.2  # up to this share of how far away it is
_FINER = 2  # the lattice below to the one above
_LISTED = 12_000  # outcomes up to which each is listed
_SMOOTH = 30_000  # the variance of a count, from which on one bound for all compositions is the quicker way
_ENOUGH = 4  # times as wide it may be elsewhere: all others take longer
_GUARD = 30  # bits of it
_SHARPER = 20  # the bounds of single rounds to what the chords lose
_FLAT = 10  # times as coarse next to lambda = 1, where all compositions are nearly alike
_PLAIN = 600  # up to this logarithm a float holds delta
_COARSE = Fraction(1, 1000)
_SHORT = 100  # bits of the lattice's step


def spread(datasets: Datasets) -> float:
    """The standard deviation of the loss of one round, about; it steers."""
    q = min(max(float(datasets.q), 1e-300), 0.5 - 2**-53)
    gaussian = (1 - 2 * q) * math.sqrt(datasets.k / ((datasets.others + 1) * q * (1 - q)))
    return min(gaussian, datasets.k * math.log((1 - q) / q))


@dataclass(frozen=True)
class Composed:
    """Rounds on a lattice that is good for limits near one epsilon, and right for all.

    Attributes:
        rounds: the datasets of each kind of round, and how many times it is run.
        near: the epsilon.
        fineness: points of the lattice to a standard deviation of one round's loss.
        ones: for each kind the ones among the others; None: all datasets above, and the worst of one round below.
        noisy: counts with noise among the rounds, and how many times each is released.
    """

    rounds: tuple[tuple[Datasets, int], ...]
    near: float
    fineness: int
    ones: tuple[int, ...] | None = None
    noisy: tuple[tuple[NoisyRound, int], ...] = ()

    @cached_property
    def variance(self) -> float:
        """Of the loss of all rounds, about."""
        return sum(times * spread(datasets) ** 2 for datasets, times in self.rounds) + sum(
            times * one.spread**2 for one, times in self.noisy
        )

    @property
    def total(self) -> int:
        """How many rounds."""
        return sum(times for _, times in (*self.rounds, *self.noisy))

    @cached_property
    def step(self) -> Fraction:
        """h; the largest loss of the rounds that weigh most is a multiple of it, so that few losses fit well too."""
        about = math.sqrt(self.variance / self.total) / self.fineness
        weights = [(x.largest_loss, times * x.spread**2) for x, times in self.noisy]
        weights += [(x.k * log((1 - x.q) / x.q).lower, times * spread(x) ** 2) for x, times in self.rounds]
        largest_loss, _ = max(weights, key=lambda one: one[1])
        step = largest_loss / max(1, math.ceil(float(largest_loss) / about)) if largest_loss else Fraction(about)
        unit = 1 << max(0, _SHORT - math.floor(math.log2(about)))
        return Fraction(math.floor(step * unit), unit)

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

    def _noisy_centre(self, one: NoisyRound) -> float:
        return self.near * one.spread**2 / self.variance

    def upper(self, limit: Limit) -> Fraction:
        """delta is at most this, for all datasets and adaptive choices, or for the ones given."""
        with working_precision(self.bits):
            found = self._above.delta(limit)
            return min(enclosure_of(found).upper, Fraction(1)) if found.is_finite() else Fraction(1)

    def lower(self, limit: Limit) -> Fraction:
        """delta of the datasets with ``holders`` ones is at least this."""
        with working_precision(self.bits):
            if self._below is None:
                return Fraction(0)
            found = self._below.delta(limit)
            return max(enclosure_of(found).lower, Fraction(0)) if found.is_finite() else Fraction(0)

    @cached_property
    def holders(self) -> tuple[int, ...]:
        """For each kind of round the ones among the others of the dataset below."""
        if self.ones is not None:
            return self.ones
        places = [max(self.centre(datasets), spread(datasets)) for datasets, _ in self.rounds]
        return tuple(_worst(x, Fraction(at), _COARSE)[1] for (x, _), at in zip(self.rounds, places, strict=True))

    @cached_property
    def shifts(self) -> tuple[int, ...]:
        """For each noisy count the change of the pair below."""
        return tuple(one.shift(self._noisy_centre(one)) for one, _ in self.noisy)

    @cached_property
    def _above(self) -> Composition:
        noisy = [one.above(self.step, self._noisy_centre(one), self._faint, self.fineness) for one, _ in self.noisy]
        return self._composition(self.step, [*(self._chords(i) for i in range(len(self.rounds))), *noisy])

    @cached_property
    def _below(self) -> Composition | None:
        step, losses = self.step / _FINER, []
        for (datasets, _), ones in zip(self.rounds, self.holders, strict=True):
            losses.append(merged(step, self._outcomes(datasets, ones)))
        for (one, _), shift in zip(self.noisy, self.shifts, strict=True):
            losses.append(one.below(step, self._noisy_centre(one), self._faint, self.fineness, shift))
        if not all(any(mass > 0 for mass in x.masses) for x in losses):
            return None  # no outcome is known well enough, as where flips are hardly ever seen
        return self._composition(step, losses)

    def _composition(self, step: Fraction, losses: Sequence[Losses]) -> Composition:
        each = [times for _, times in (*self.rounds, *self.noisy)]
        kinds = list(zip(losses, each, strict=True))
        return Composition(step, kinds, near=self.near, nats=_NATS)

    def _chords(self, i: int) -> Losses:
        """Above all datasets of a round, or those with the ones given, in both directions."""
        datasets, width = self.rounds[i][0], Fraction(1, _SHARPER * self.fineness**2)
        places = self._places(datasets)
        if self.ones is not None:
            if (listed := self._listed(datasets, self.ones[i])) is not None:
                return split(self.step, *listed)
            return chords(self.step, [(j, _single(datasets, self.ones[i], j * self.step, width)) for j in places])
        away = [j * float(self.step) / spread(datasets) for j in places]  # chords lose more, as the square of it
        flat = [max(1, round(_FLAT * (1 - y)), round(y**2 / 4)) for y in away]
        gaps = [b - a for a, b in pairwise(places)]
        wide = [max(x, (gap // min(gaps)) ** 2) for x, gap in zip(flat, [*gaps, 1], strict=True)]  # as chords lose
        bounds = [_worst(datasets, j * self.step, width * x)[0] for j, x in zip(places, wide, strict=True)]
        return chords(self.step, list(zip(places, bounds, strict=True)))

    def _places(self, datasets: Datasets) -> list[int]:
        """The j >= 0 at which delta is bounded, from 0 to where it is 0."""
        step, deviation, centre = float(self.step), spread(datasets), self.centre(datasets)
        last = math.ceil(min(datasets.largest_loss, self._faint * deviation + centre) / step) + 1
        stride = max(1, round(deviation / (self.fineness * step)))
        start = min(max(0, round(centre / step)), last)
        found = {0, start, last}
        breadth = _breadth(datasets, centre)
        for sign in (-1, 1):
            away = 0
            while 0 < start + sign * (away := away + _gap(stride, away, away * step / breadth)) < last:
                found.add(start + sign * away)
        return sorted(found)

    def _outcomes(self, datasets: Datasets, ones: int) -> list[Outcome]:
        """The outcomes of one dataset in rising order of their losses, or neighbouring ones together."""
        listed, pair = self._listed(datasets, ones), datasets.pair(ones)
        if listed is not None:
            return listed[0]
        deviation, centre = math.sqrt(float(pair.others.variance)), self.centre(datasets) / spread(datasets)
        mean, stride = float((pair.others + pair.zero).mean), max(1, round(deviation / self.fineness))
        middle, away, places = math.floor(mean - centre * deviation), 0, []
        while away < _REACH * deviation:
            places += [middle - away, middle + away] if away else [middle]
            away += _gap(stride, away, away / deviation)
        with working_precision(_GROUPED + guard_bits(pair.others.kinds)):  # in the tail each is as accurate
            return _grouped(pair, [t for t in sorted(places) if 0 <= t < pair.reports])

    def _listed(self, datasets: Datasets, ones: int) -> tuple[list[Outcome], arb] | None:
        """All outcomes, and the P mass of those that are too faint; None where they are many."""
        pair, bits = datasets.pair(ones), self._outcome_bits(datasets)
        reach, variance = bits * math.log(2), float(pair.others.variance)
        count = min(pair.others.size, 2 * (reach / 3 + math.sqrt(reach**2 / 9 + 2 * reach * variance)))
        return _listed(pair, bits) if count <= _LISTED else None

    def _outcome_bits(self, datasets: Datasets) -> int:
        """Bits of the masses of outcomes, for those that matter to be known well."""
        return _SPARE + math.ceil(0.75 * max(self.centre(datasets) / spread(datasets) + _REACH, self._faint) ** 2)

    @property
    def _faint(self) -> float:
        """So many standard deviations out, one round's outcomes are faint beside delta."""
        return math.sqrt(max(self.deviations, 0.0) ** 2 + 2 * (_NATS + math.log(self.total))) + 1


def _breadth(datasets: Datasets, epsilon: float) -> float:
    """The standard deviation of the losses of one round that is tilted to a mean loss of epsilon; far out it grows."""
    usual = spread(datasets)
    width = max(epsilon, usual) / 100
    laws = datasets.pair(0).laws
    thetas = [laws.tilt(Limit.exp(Fraction(x))) for x in (epsilon + width, epsilon + 2 * width)]
    rise = (thetas[0] - thetas[1]) * math.sqrt(laws.others.tilt.variance(thetas[0]))
    return min(max(width / rise, usual), _BROADEST * usual) if rise > 0 else usual


def _gap(stride: int, away: int, deviations: float) -> int:
    """From one place to the next, so far from the one that matters most."""
    return min(math.floor(stride * math.exp(min(deviations**2 / _WIDENING, 40.0))), max(stride, int(_WIDEST * away)))


def _listed(pair: Pair, bits: int) -> tuple[list[Outcome], arb]:
    """Every outcome, and the mass of those that are too faint; the largest loss is at S = 0."""
    others, own = law(pair.others.kinds, bits), [pool.pmf() for pool in (pair.zero, pair.one)]
    whole, missing = others.total * own[0].denominator, others.total - sum(others.terms)
    padded = [0] * pair.k + others.terms + [0] * pair.k
    found, off, total = [], own[0].denominator * missing, arb(whole)
    for s in reversed(range(len(others.terms) + pair.k)):
        window = padded[s : s + pair.k + 1]  # of X = s - k, ..., s, in reversed order of J
        lows = (sum(map(mul, window, reversed(one.weights))) for one in own)
        a, b = (arb(x).union(arb(x + off)) / total for x in lows)
        found.append((a, b))
    return found, ball(Fraction(missing, others.total))


def _grouped(pair: Pair, places: Sequence[int]) -> list[Outcome]:
    """Outcomes in groups that end at the places, as differences of distribution functions."""
    found, before = [], (arb(0), arb(0))
    for t in places:
        here = _at_most(pair, t)
        found.append((here[0] - before[0], here[1] - before[1]))
        before = here
    return [(1 - before[0], 1 - before[1]), *reversed(found)]


def _at_most(pair: Pair, t: int) -> Outcome:
    """P(S <= t) under both laws; where one report J is added to X, it is P(X <= t) - P(J = 1) P(X = t)."""
    one = Term(lambda: arb(1), ())
    if pair.k > 1 or t > pair.others.size:
        laws = ((pair.others + own).kinds for own in (pair.zero, pair.one))
        a, b = (invert(kinds, [one], t).cumulative for kinds in laws)
        return a, b
    others = invert(pair.others.kinds, [one], t)
    return others.cumulative - ball(pair.q) * others.here, others.cumulative - ball(1 - pair.q) * others.here


@lru_cache(maxsize=1 << 14)
def _worst(datasets: Datasets, epsilon: Fraction, rtol: Fraction) -> tuple[Fraction, int]:
    """A bound of delta over all datasets, about so sharp, and the ones of one that comes near it."""
    limit = Limit.exp(epsilon)
    if datasets.kept_within(limit):
        return Fraction(0), 0
    try:
        variance = datasets.k * datasets.others * datasets.q * (1 - datasets.q)
        if variance > _SMOOTH:
            bits = bits_for(rtol) + 2 * (datasets.k * (datasets.others + 1)).bit_length() + _GUARD
            level = _about(datasets, limit, rtol) * (1 + _ENOUGH * rtol)
            bound = datasets.envelope(0, datasets.others, limit, bits=bits, level=level)
            if bound <= level:
                return bound, 0
        found = largest(datasets, limit, rtol=rtol)
    except TooLarge:
        return FAINT.upper, 0
    except Undecided as error:
        raise Undecided(str(error)) from error  # its enclosure is of one round, not of all
    return found.upper, found.dataset.ones


def _about(datasets: Datasets, limit: Limit, rtol: Fraction) -> Fraction:
    """delta of the dataset of zeros; it steers."""
    odds = log_odds(datasets, limit) if serves(datasets, limit) else math.inf
    return Fraction(1 / (1 + math.exp(-odds))) if abs(odds) < _PLAIN else datasets.single(0, limit, rtol=rtol / 8).lower


@lru_cache(maxsize=1 << 14)
def _single(datasets: Datasets, ones: int, epsilon: Fraction, rtol: Fraction) -> Fraction:
    """A bound of delta of one composition in both directions."""
    try:
        return datasets.one(ones, Limit.exp(epsilon), rtol=rtol).upper
    except TooLarge:
        return FAINT.upper
