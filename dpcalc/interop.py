"""The privacy loss of a mechanism as an object of dp-accounting, to be composed there with other mechanisms.

Above one round over every dataset, in both directions, stands the pair of ``rounds.dominance.chords``: its losses are
the multiples of a step h, here a double, and every P mass is rounded up to a double. In dp-accounting delta is
sum p_j (1 - e^(epsilon - j h)) over j h > epsilon, which grows with every p_j: what it says of one round is an upper
bound, up to the rounding of its own sum. What it composes has errors of its own, near 1e-15 in delta, that it does not
bound; ``Rounds`` composes with proof.

Source: V. Doroshenko, B. Ghazi, P. Kamath, R. Kumar, P. Manurangsi, Connect the dots (2022); dp-accounting 0.6.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from dpcalc.errors import DomainError, DpcalcError, Undecided
from dpcalc.families.bits import Bits
from dpcalc.families.table import family
from dpcalc.mechanisms.mechanism import Mechanism
from dpcalc.mechanisms.rounds import Rounds
from dpcalc.numbers.ball import enclosure_of, working_precision
from dpcalc.numbers.limit import Limit
from dpcalc.numbers.promise import Promise
from dpcalc.numbers.rational import Number, between
from dpcalc.pairs.family import Family
from dpcalc.rounds.dominance import chords
from dpcalc.rounds.joint import Pooled
from dpcalc.rounds.release import changed

if TYPE_CHECKING:
    from dp_accounting.pld.privacy_loss_distribution import PrivacyLossDistribution
    from flint import arb

__all__ = ["privacy_loss"]

_FINENESS = 50  # points to a standard deviation of the loss
_FAINT = Fraction(1, 10**18)  # deltas below it are left to an infinite loss
_SHARP = Fraction(1, 10**5)
_BITS = 200
_MOST = 20_000  # losses that matter
_FARTHEST = 10.0  # standard deviations out, nothing does
_LEVEL = Fraction(9999, 10000)  # of a delta, above which the next one has not fallen


def privacy_loss(mechanism: Mechanism, *, interval: Number | None = None) -> PrivacyLossDistribution:
    """A pessimistic privacy-loss distribution, for every dataset and both directions.

    Args:
        mechanism: any; the counts of a histogram, and rounds, are composed by dp-accounting.
        interval: dp-accounting's ``value_discretization_interval``, a double; it composes only what has the same one.
            Default: a fiftieth of the deviation of the least spread loss.

    Returns:
        ``dp_accounting.pld.privacy_loss_distribution.PrivacyLossDistribution``.

    Raises:
        DomainError: no such mechanism; an interval of which the losses that matter are more than 20,000.
        DpcalcError: dp-accounting is not installed (the extra ``interop``).

    >>> from dpcalc import KRandomization
    >>> loss = privacy_loss(KRandomization(n=1000, q="1/4"))
    >>> 0.142057 < loss.get_epsilon_for_delta(1e-6) < 0.1422  # 0.142057... in truth
    True
    """
    try:
        from dp_accounting.pld.privacy_loss_distribution import PrivacyLossDistribution
    except ImportError as error:
        raise DpcalcError("dp-accounting is not installed: pip install 'dpcalc-exact[interop]'") from error
    rounds = list(_rounds(mechanism))
    if interval is None:
        step = min(asked.spread for asked, _ in rounds) / _FINENESS
    else:
        step = float(between(interval, "interval", 0, 10, "the step between two losses"))
    total: Any = None
    for asked, times in rounds:
        if min(asked.spread * _FARTHEST, float(asked.highest)) > _MOST * step:
            raise DomainError("interval", interval, f"at least {asked.spread * _FARTHEST / _MOST:.3g} here")
        masses, infinite = _above(asked, step)
        one = PrivacyLossDistribution.create_from_rounded_probability(masses, infinite, step, pessimistic_estimate=True)
        several = one.self_compose(times) if times > 1 else one
        total = several if total is None else total.compose(several)
    return total


def _rounds(mechanism: Mechanism) -> Iterator[tuple[Family[Any], int]]:
    """The families of all rounds, and how many times each; of a histogram every count that changes is a round."""
    family(mechanism)  # refuses what has none
    kinds = mechanism.kinds if isinstance(mechanism, Rounds) else ((mechanism, 1),)
    for one, times in kinds:
        if isinstance(one, Pooled):
            counts = changed(one)
            yield Bits(counts.datasets), counts.counts * times
        else:
            yield family(one), times


def _above(asked: Family[Any], step: float) -> tuple[dict[int, float], float]:
    """The P masses by loss, in steps, and that of an infinite loss: rounded up, at or above every dataset.

    The family holds with every pair its mirror image, so that one direction stands for both.
    """
    h, bounds, width = Fraction(step), list[tuple[int, Fraction]](), max(_SHARP, Fraction(asked.delta_width.least) * 2)
    last = min(math.ceil(float(asked.highest) / step) + 2, _MOST)
    for i in range(last):
        bound = _bound(asked, Limit.exp(i * h), width, bounds)
        flat = i * step > asked.spread * _FARTHEST and bound > bounds[-1][1] * _LEVEL
        bounds.append((i, bound))
        if bound < _FAINT or flat:  # what is left are infinite losses
            break
    with working_precision(_BITS):
        losses = chords(h, bounds)
        masses = {losses.first + i: _up(mass) for i, mass in enumerate(losses.masses) if not mass.is_zero()}
        return masses, _up(losses.beyond)


def _bound(asked: Family[Any], limit: Limit, width: Fraction, before: Sequence[tuple[int, Fraction]]) -> Fraction:
    """An upper bound of delta: that of the limit before, where this one is not settled."""
    try:
        found: Promise = asked.delta(limit, rtol=width)
    except Undecided:
        if not before:
            raise
        return before[-1][1]
    return found.upper


def _up(mass: arb) -> float:
    """A double at or above it."""
    top = enclosure_of(mass).upper
    near = float(top)
    return near if Fraction(near) >= top else math.nextafter(near, math.inf)
