"""The privacy loss of a mechanism as an object of dp-accounting, to be composed there with other mechanisms.

*Above* one round over every dataset, in both directions, stands the pair of ``losses.dominance.chords``: its losses are
multiples of a step h, here a double, and every P mass is rounded up to a double. *Below* stands one dataset, its
outcomes merged to the lattice, every P mass rounded down. In dp-accounting delta is

    delta = p_infinite + sum over j h > epsilon of p_j (1 - e^(epsilon - j h)),

which grows with every p_j: what it says of one round is an upper or a lower bound, up to the rounding of its own sum.
What it composes has errors of its own, near 1e-15 in delta, that it does not bound, and of many rounds it adds 1e-15
to the infinite losses even below; ``Rounds`` composes with proof.

Source: V. Doroshenko, B. Ghazi, P. Kamath, R. Kumar, P. Manurangsi, Connect the dots (2022); dp-accounting 0.6.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from dpcalc.errors import DomainError, DpcalcError, Undecided
from dpcalc.families.table import family
from dpcalc.losses.dominance import chords, merged
from dpcalc.losses.lattice import LatticePair
from dpcalc.losses.outcomes import Revealed
from dpcalc.mechanisms.mechanism import Mechanism
from dpcalc.mechanisms.rounds import Rounds
from dpcalc.numbers.ball import enclosure_of, working_precision
from dpcalc.numbers.limit import Limit
from dpcalc.numbers.lists import flag
from dpcalc.numbers.promise import Promise
from dpcalc.numbers.rational import Number, between
from dpcalc.pairs.family import Family
from dpcalc.rounds.joint import Joint
from dpcalc.rounds.tilted_rounds import TiltedLoss

if TYPE_CHECKING:
    from dp_accounting.pld.privacy_loss_distribution import PrivacyLossDistribution
    from flint import arb

_FINENESS = 50  # points to a standard deviation of the loss
_FAINT = Fraction(1, 10**18)  # deltas below it are left to an infinite loss
_BITS = 200
_MOST = 1_000_000  # steps up to the largest loss that matters
_FARTHEST = 10.0  # standard deviations out, nothing does
_LEVEL = Fraction(9999, 10000)  # of a delta, above which the next one has not fallen
_NEARLY = 1 + 1e-9  # a stride that is whole but for rounding
_WIDTH = 0.01  # to which delta below is known, where datasets are compared
_USUAL = 3.0  # standard deviations: an epsilon that is asked about


def privacy_loss(
    mechanism: Mechanism, *, interval: Number | None = None, pessimistic: bool = True
) -> PrivacyLossDistribution:
    """A privacy-loss distribution above every dataset, in both directions; or below, of one dataset.

    Args:
        mechanism: any; below, one that ``Rounds`` take. The counts of a histogram, and rounds, are composed by
            dp-accounting.
        interval: dp-accounting's ``value_discretization_interval``, a double; it composes only what has the same one.
            Default: a fiftieth of the deviation of the least spread loss.
        pessimistic: dp-accounting's ``pessimistic_estimate``: False asks for the one below.

    Returns:
        ``dp_accounting.pld.privacy_loss_distribution.PrivacyLossDistribution``.

    Raises:
        DomainError: no such mechanism; an interval of which the largest loss that matters is more than a million.
        DpcalcError: dp-accounting is not installed (the extra ``interop``).

    >>> from dpcalc import KRandomization
    >>> loss = privacy_loss(KRandomization(n=100, q="1/4"))
    >>> 0.550065 < loss.get_epsilon_for_delta(1e-6) < 0.5505  # 0.550065... in truth
    True
    """
    return repeated(mechanism, 1, interval=interval, pessimistic=flag(pessimistic, "pessimistic"))


def repeated(
    mechanism: Mechanism, count: int, *, interval: Number | None, pessimistic: bool
) -> PrivacyLossDistribution:
    """The same of so many runs."""
    try:
        from dp_accounting.pld.privacy_loss_distribution import PrivacyLossDistribution
    except ImportError as error:
        raise DpcalcError("dp-accounting is not installed: pip install 'dpcalc-exact[interop]'") from error
    rounds: list[tuple[_Above | _Below, int]] = _above(mechanism) if pessimistic else list(_below(mechanism))
    if interval is None:
        step = min(one.spread for one, _ in rounds) / _FINENESS
    else:
        step = float(between(interval, "interval", 0, 10, "the step between two losses"))
    total: Any = None
    for one, times in rounds:
        if one.farthest > _MOST * step:
            raise DomainError("interval", interval, f"at least {one.farthest / _MOST:.3g} here")
        masses, infinite = one.masses(step)
        loss = PrivacyLossDistribution.create_from_rounded_probability(
            masses, infinite, step, pessimistic_estimate=pessimistic
        )
        several = loss.self_compose(times * count) if times * count > 1 else loss
        total = several if total is None else total.compose(several)
    return total


def _above(mechanism: Mechanism) -> list[tuple[_Above | _Below, int]]:
    """The families of all rounds, and how many times each; of a histogram every count that changes is a round."""
    family(mechanism)  # refuses what has none
    return [(_Above(family(count)), times) for count, times in mechanism.counts]


def _below(mechanism: Mechanism) -> Iterator[tuple[_Below, int]]:
    """One pair of each round, whose losses are large where those of all rounds together usually are asked about."""
    family(mechanism)
    try:
        joint = Joint.of(Rounds([mechanism]))
    except DomainError as error:
        raise DomainError("mechanism", mechanism, "what Rounds take, where pessimistic=False") from error
    near = min(_USUAL * joint.spread, float(joint.highest) / 2)
    at = joint.profile(near, _WIDTH).sides[0].tilted
    for (one, times), seen in zip(at.rounds, at.seen, strict=True):
        yield _Below(one.spread, seen, at.theta), times


@dataclass(frozen=True)
class _Above:
    """A family, which holds with every pair its mirror image, so that one direction stands for both."""

    asked: Family[Any]

    @property
    def spread(self) -> float:
        """The standard deviation of the loss, about."""
        return self.asked.spread

    @property
    def farthest(self) -> float:
        """The largest loss that matters."""
        return min(self.spread * _FARTHEST, float(self.asked.highest))

    def masses(self, step: float) -> tuple[dict[int, float], float]:
        """The P masses by loss, in steps, and that of an infinite loss: rounded up, at or above every dataset.

        A chord may span many steps: the losses lie as far apart as their spread asks for.
        """
        asked, stride = self.asked, max(1, math.floor(self.spread / _FINENESS / step * _NEARLY))
        h, bounds = stride * Fraction(step), list[tuple[int, Fraction]]()
        width = max(Fraction(1, 10**5), Fraction(asked.delta_width.least) * 2)
        for i in range(math.ceil(float(asked.highest) / float(h)) + 2):
            bound = _bound(asked, Limit.exp(i * h), width, bounds)
            flat = i * float(h) > self.spread * _FARTHEST and bound > bounds[-1][1] * _LEVEL
            bounds.append((i, bound))
            if bound < _FAINT or flat:  # what is left are infinite losses
                break
        with working_precision(_BITS):
            return _doubles(chords(h, bounds), 1, stride)


@dataclass(frozen=True)
class _Below:
    """What one pair of neighbouring datasets shows."""

    spread: float
    seen: Revealed
    theta: float

    @property
    def farthest(self) -> float:
        """The largest loss that is listed."""
        return max((abs(x) for x in TiltedLoss.of(self.seen).losses), default=0.0)

    def masses(self, step: float) -> tuple[dict[int, float], float]:
        """The same, rounded down."""
        with working_precision(_BITS):
            losses = merged(Fraction(step), self.seen.outcomes, self.theta)
            return _doubles(replace(losses, beyond=self.seen.infinite), -1)


def _bound(asked: Family[Any], limit: Limit, width: Fraction, before: Sequence[tuple[int, Fraction]]) -> Fraction:
    """An upper bound of delta: that of the limit before, where this one is not settled."""
    try:
        found: Promise = asked.delta(limit, rtol=width)
    except Undecided:
        if not before:
            raise
        return before[-1][1]
    return found.upper


def _doubles(losses: LatticePair, side: int, stride: int = 1) -> tuple[dict[int, float], float]:
    """The masses that are not 0, by loss, so many steps apart, and the infinite one: rounded up (1) or down (-1)."""
    masses = {(losses.first + i) * stride: _double(mass, side) for i, mass in enumerate(losses.masses)}
    return {j: mass for j, mass in masses.items() if mass > 0}, _double(losses.beyond, side)


def _double(mass: arb, side: int) -> float:
    found = enclosure_of(mass)
    end = max(found.upper if side > 0 else found.lower, Fraction(0))
    near = float(end)
    return near if (Fraction(near) - end) * side >= 0 else math.nextafter(near, side * math.inf)
