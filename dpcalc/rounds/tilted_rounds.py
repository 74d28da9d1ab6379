r"""Losses of many rounds by the saddle point method, in floating point: this steers, and proves nothing.

Every round shows one pair, with losses x and P masses p. The tilted masses are p e^{theta x}; theta is such that the
mean of all rounds is epsilon. Losses that are likely under the tilt decide delta. With
K(theta) = sum T log sum p e^{theta x},

    log delta = K(theta) - theta epsilon - log(theta (1 + theta) sqrt(2 pi K''(theta))), about.

If every loss is split in two, so that its P and its Q mass stay the same, and the variance of all losses grows by v,
then K(theta) grows by theta (1 + theta) v / 2.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property

from dpcalc.laws.tilt import Moments, Tilt, gaussian, moments
from dpcalc.losses.dominance import NEXT, lifted, lowered, sharp
from dpcalc.numbers.ball import MAX_EXPONENT, working_precision
from dpcalc.numbers.search import logarithm
from dpcalc.pairs.two_laws import Revealed
from dpcalc.rounds.round import Round

PRECISION = 128  #: bits, at least
NATS = 22  #: truncation errors are about e^-22 of delta
_FINE = 40  # groups of outcomes to a standard deviation
_BITS = 64  # precisions are multiples of this, so that questions near each other find the same outcomes in the caches
_SPARE = 70  # accurate bits of the faintest outcomes that matter
_STEERING = 64  # bits of losses and logarithms before they are rounded to floats
_MOVES = 4  # times outcomes are listed again, until the list is dense where the tilted losses lie
_HEAVY = 4  # standard deviations: a small tilt that moves the mean farther is dominated by rare large losses
_STEEPEST = 1e5  # largest theta x
_RARE = 8  # nats below what matters, from which on a loss is left out, and by which an estimate of delta may be off
_LEAST = 1e-18  # the least epsilon that steers
_FAINT = 1e-20  # lighter outcomes cost nothing
_ALIKE = 0.5  # standard deviations that the tilted mean may move before outcomes are grouped again


@dataclass(frozen=True)
class TiltedLoss:
    """The loss of one round.

    Attributes:
        losses: in rising order.
        logs: of their P masses.
        theta: the tilt.
    """

    losses: list[float]
    logs: list[float]
    theta: float = 0.0

    @classmethod
    def of(cls, seen: Revealed) -> TiltedLoss:
        """The losses of a pair, of the outcomes that are known accurately."""
        losses, logs = [], []
        with working_precision(_STEERING):
            for a, b in filter(sharp, seen.outcomes):
                losses.append(float((a.mid() / b.mid()).log()))
                logs.append(float(a.mid().log()))
        return cls(losses, logs) if losses else cls([0.0], [0.0])  # no outcome is known well enough

    def under(self, theta: float) -> TiltedLoss:
        """With another tilt."""
        return TiltedLoss(self.losses, self.logs, theta)

    @cached_property
    def moments(self) -> Moments:
        """Of the tilted loss; their growth is log sum p e^{theta x}."""
        return moments(list(zip(self.losses, self.logs, strict=True)), self.theta)

    @property
    def deviation(self) -> float:
        """Standard deviation of the tilted loss."""
        return math.sqrt(self.moments.variance)

    @cached_property
    def weights(self) -> list[float]:
        """The tilted masses; their sum is 1."""
        growth = self.moments.growth
        return [math.exp(log + self.theta * x - growth) for x, log in zip(self.losses, self.logs, strict=True)]

    def likely(self, least: float) -> TiltedLoss:
        """Without the largest losses, as far as their P masses together have no larger logarithm than ``least``."""
        least -= math.log(len(self.logs))
        count = next((i for i in range(len(self.logs), 0, -1) if self.logs[i - 1] > least), 1)
        return self if count == len(self.logs) else TiltedLoss(self.losses[:count], self.logs[:count], self.theta)

    def within(self, least: float) -> tuple[int, int]:
        """Places of the first and the last outcome with at least this weight."""
        heavy = [i for i, weight in enumerate(self.weights) if weight >= least]
        return heavy[0], heavy[-1]

    def lost_above(self, step: float) -> float:
        """By how much K grows if each loss is split between its neighbours on a lattice."""
        parts = [_part(x, step) for x in self.losses]
        total = sum([weight * part * (1 - part) for part, weight in zip(parts, self.weights, strict=True)])
        return total * step**2 * self.theta * (1 + self.theta) / 2

    def lost_below(self, step: float) -> float:
        """By how much K falls if losses are merged with the next ones, or lowered, until they lie on a lattice."""
        dense = self.theta * (1 + self.theta) * step**2 / 12
        total = 0.0
        for x, y, weight in zip(self.losses, [*self.losses[1:], math.inf], self.weights, strict=True):
            if weight > _FAINT and (part := _part(x, step)):
                gap, up, down = y - x, (1 - part) * step, part * step
                lift = math.inf
                if abs(gap - up) >= NEXT * step and up + gap > up:  # else the next one is there, and cannot lift
                    lift = (
                        lifted(0.0, gap, up, self.theta) if gap > up else lifted(0.0, up + gap, up, self.theta) + dense
                    )
                total += weight * min(lift, lowered(down, 0.0, self.theta))
        return total


def _part(x: float, step: float) -> float:
    """The distance from the lattice point below, in steps; 0 next to a lattice point."""
    part = x / step % 1.0
    return 0.0 if min(part, 1 - part) < NEXT else part


@dataclass(frozen=True)
class TiltedRounds:
    """Rounds with one dataset each, tilted to a limit.

    Attributes:
        rounds: what is run, and how many times.
        near: the epsilon of the limit.
        seen: the outcomes of each kind.
        losses: its tilted loss.
    """

    rounds: tuple[tuple[Round, int], ...]
    near: float
    seen: tuple[Revealed, ...]
    losses: tuple[TiltedLoss, ...]

    @property
    def theta(self) -> float:
        """The common tilt."""
        return self.losses[0].theta

    @property
    def total(self) -> int:
        """How many rounds."""
        return sum(times for _, times in self.rounds)

    def sum(self, values: Sequence[float]) -> float:
        """The sum over all rounds of a value for each kind."""
        return sum(times * value for (_, times), value in zip(self.rounds, values, strict=True))

    @cached_property
    def variance(self) -> float:
        """Of the tilted loss of all rounds."""
        return max(self.sum([loss.deviation**2 for loss in self.losses]), 1e-300)

    def about(self, target: Fraction) -> float:
        """The epsilon at which delta is the target, as of a normal law of these losses, which are not tilted."""
        usual = [loss.under(0.0) for loss in self.losses]
        mean = self.sum([one.moments.mean for one in usual])
        deviation = math.sqrt(self.sum([one.deviation**2 for one in usual]))
        beyond = gaussian(deviation, logarithm(target)) - deviation**2 / 2 if deviation else 0.0
        return max(mean + beyond, deviation, _LEAST)

    @property
    def bits(self) -> int:
        """The precision that the faintest outcomes that matter need."""
        farthest = max(loss.losses[-1] for loss in self.losses)
        return _matters(self.total, self.theta * max(farthest, 0.0))

    def likely(self) -> TiltedRounds:
        """Without losses too rare to matter: however large, they add no more than their mass to delta, but the tilt
        would look at nothing else.
        """
        at = self
        while True:
            least = at.log_delta - NATS - _RARE - math.log(self.total)
            losses = tuple(loss.likely(least) for loss in self.losses)
            if losses == at.losses:
                return at
            each = [(loss, times) for loss, (_, times) in zip(losses, self.rounds, strict=True)]
            theta = _theta(each, self.near, start=self.theta)
            found = replace(self, losses=tuple(loss.under(theta) for loss in losses))
            if found.log_delta > at.log_delta - _RARE:
                return found
            at = found  # delta was taken for larger than it is

    @cached_property
    def log_delta(self) -> float:
        """About."""
        finite = -math.inf
        if self.near < self.sum([loss.losses[-1] for loss in self.losses]):
            exponent = self.sum([loss.moments.growth for loss in self.losses]) - self.theta * self.near
            tilt = self.theta * (1 + self.theta) * math.sqrt(2 * math.pi * self.variance)
            finite = exponent - math.log1p(tilt)
        shown = self.sum([float(seen.infinite.mid()) for seen in self.seen])
        return min(max(finite, math.log(shown) if shown else -math.inf), 0.0)


def tilted(rounds: tuple[tuple[Round, int], ...], near: float) -> TiltedRounds:
    """The losses of rounds tilted to an epsilon.

    Args:
        rounds: what is run, and how many times.
        near: the epsilon.
    """
    usual = math.sqrt(sum(times * one.family.spread**2 for one, times in rounds))
    far, centres = max(near / usual - usual / 2, 0.0), [near * (one.family.spread / usual) ** 2 for one, _ in rounds]
    total = sum(times for _, times in rounds)
    bits = max(_matters(total), _precision(0.75 * max(far + 6, math.sqrt(far**2 + 2 * NATS)) ** 2))
    seen: tuple[Revealed | None, ...] = (None,) * len(rounds)
    for _ in range(_MOVES):
        with working_precision(bits):
            listed = tuple(
                known
                if known and known.missing is not None  # one by one, so that the centre does not matter
                else one.seen(centre=centre, fineness=_FINE, bits=bits)
                for known, (one, _), centre in zip(seen, rounds, centres, strict=True)
            )
        losses = [TiltedLoss.of(one) for one in listed]
        theta = _theta([(loss, times) for loss, (_, times) in zip(losses, rounds, strict=True)], near)
        found = TiltedRounds(rounds, near, listed, tuple(loss.under(theta) for loss in losses)).likely()
        near_by = (
            known.missing is not None or abs(loss.moments.mean - centre) <= _ALIKE * loss.deviation
            for known, loss, centre in zip(listed, found.losses, centres, strict=True)
        )
        if found.bits <= bits and all(near_by):
            break
        centres, seen = [loss.moments.mean for loss in found.losses], listed
        if found.bits > bits:
            bits, seen = min(found.bits, 4 * bits), (None,) * len(rounds)
    return found


def _matters(total: int, tilted: float = 0.0) -> int:
    """The precision for the faintest outcomes that matter in ``total`` rounds, if a tilt raises their log so far."""
    return _precision((2 * NATS + math.log(total) + tilted) / math.log(2))


def _precision(faintest: float) -> int:
    """The precision for outcomes so many bits below 1, as far as they are held."""
    return math.ceil((_SPARE + min(faintest, 2.0 * MAX_EXPONENT)) / _BITS) * _BITS


def _theta(losses: Sequence[tuple[TiltedLoss, int]], near: float, *, start: float = 0.0) -> float:
    """The tilt that brings the mean of all rounds to an epsilon; at least about one over their standard deviation."""
    laws = (Tilt.listed(list(zip(loss.losses, loss.logs, strict=True)), times) for loss, times in losses)
    law = Tilt.sum(list(laws))
    unit, (first, last) = math.sqrt(law.variance(0.0) + 1e-300), law.support
    least = 1 / unit
    if near >= last:
        return min(least, 1.0)  # no finite loss exceeds epsilon
    while least > 1 and law.mean(least) > _HEAVY * unit:
        least /= 2  # rare losses, far larger than the others, must not dominate
    widest = max(loss.losses[-1] - loss.losses[0] for loss, _ in losses)
    most = max(_STEEPEST / max(widest, 1e-300), least)

    def in_units(theta: float) -> Moments:
        growth, mean, variance = law.at(theta / unit)
        return Moments(growth, mean / unit, variance / unit**2)

    tilt = Tilt(in_units, ends=(least * unit, most * unit), support=(first / unit, last / unit))
    return tilt.toward(near / unit, start * unit) / unit
