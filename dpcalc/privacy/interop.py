"""The privacy loss of a mechanism as an object of dp-accounting, to be composed there with other mechanisms.

Above one round over every dataset, in both directions, stands the pair of ``counts.dominance.chords``: its losses are
the multiples of a step h, here a double, and every P mass is rounded up to a double. In dp-accounting delta is
sum p_j (1 - e^(epsilon - j h)) over j h > epsilon, which grows with every p_j: what it says of one round is an upper
bound, up to the rounding of its own sum. What it composes has errors of its own, near 1e-15 in delta, that it does not
bound; ``Rounds`` composes with proof.

Source: V. Doroshenko, B. Ghazi, P. Kamath, R. Kumar, P. Manurangsi, Connect the dots (2022); dp-accounting 0.6.
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from dpcalc.counts.dominance import chords
from dpcalc.errors import DomainError, DpcalcError
from dpcalc.mechanisms.response import KRandomization, expect
from dpcalc.mechanisms.rounds import Rounds
from dpcalc.mechanisms.unary import UnaryEncoding
from dpcalc.numbers.ball import enclosure_of, working_precision
from dpcalc.numbers.limit import Limit
from dpcalc.numbers.rational import Number, between
from dpcalc.privacy.datasets import Datasets
from dpcalc.privacy.joint import Pooled
from dpcalc.privacy.loss_spread import spread
from dpcalc.privacy.release import changed
from dpcalc.privacy.worst import largest

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


def privacy_loss(
    mechanism: KRandomization | UnaryEncoding | Rounds, *, interval: Number | None = None
) -> PrivacyLossDistribution:
    """A pessimistic privacy-loss distribution, for every dataset and both directions.

    Args:
        mechanism: single-bit records, a histogram, or ``Rounds`` of them; counts and rounds are composed by
            dp-accounting.
        interval: dp-accounting's ``value_discretization_interval``, a double; it composes only what has the same one.
            Default: a fiftieth of the deviation of the least spread loss.

    Returns:
        ``dp_accounting.pld.privacy_loss_distribution.PrivacyLossDistribution``.

    Raises:
        DomainError: no such mechanism; an interval of which the losses that matter are more than 20,000.
        DpcalcError: dp-accounting is not installed (the extra ``interop``).

    >>> loss = privacy_loss(KRandomization(n=1000, q="1/4"))
    >>> 0.142057 < loss.get_epsilon_for_delta(1e-6) < 0.1422  # 0.142057... in truth
    True
    """
    try:
        from dp_accounting.pld.privacy_loss_distribution import PrivacyLossDistribution
    except ImportError as error:
        raise DpcalcError("dp-accounting is not installed: pip install 'dpcalc-exact[interop]'") from error
    counts = _counts(mechanism)
    if interval is None:
        step = min(spread(datasets) for datasets, _ in counts) / _FINENESS
    else:
        step = float(between(interval, "interval", 0, 10, "the step between two losses"))
    total: Any = None
    for datasets, times in counts:
        if min(spread(datasets) * _FARTHEST, datasets.largest_loss) > _MOST * step:
            raise DomainError("interval", interval, f"at least {spread(datasets) * _FARTHEST / _MOST:.3g} here")
        masses, infinite = _above(datasets, step)
        one = PrivacyLossDistribution.create_from_rounded_probability(masses, infinite, step, pessimistic_estimate=True)
        several = one.self_compose(times) if times > 1 else one
        total = several if total is None else total.compose(several)
    return total


def _counts(mechanism: KRandomization | UnaryEncoding | Rounds) -> list[tuple[Datasets, int]]:
    """The counts that one record changes, and how many times each."""
    if not isinstance(mechanism, Rounds | UnaryEncoding):
        expect(mechanism, KRandomization)
    rounds = mechanism if isinstance(mechanism, Rounds) else Rounds([mechanism])  # refuses several bits
    found = []
    for one, times in rounds.kinds:
        if not isinstance(one, Pooled):
            raise DomainError("mechanism", one, "single bits and histograms, each round of the same n, q and k for all")
        counts = changed(one)
        found.append((counts.datasets, counts.counts * times))
    return found


def _above(datasets: Datasets, step: float) -> tuple[dict[int, float], float]:
    """The P masses by loss, in steps, and that of an infinite loss: rounded up, at or above every dataset.

    The family holds with every pair its mirror image, so that one direction stands for both.
    """
    h, bounds = Fraction(step), []
    for j in range(math.ceil(datasets.largest_loss / step) + 2):
        limit = Limit.exp(j * h)
        bound = Fraction(0) if datasets.kept_within(limit) else largest(datasets, limit, rtol=_SHARP).upper
        bounds.append((j, bound))
        if bound < _FAINT:
            break
    with working_precision(_BITS):
        losses = chords(h, bounds)
        masses = {losses.first + i: _up(mass) for i, mass in enumerate(losses.masses) if not mass.is_zero()}
        return masses, _up(losses.beyond)


def _up(mass: arb) -> float:
    """A double at or above it."""
    top = enclosure_of(mass).upper
    near = float(top)
    return near if Fraction(near) >= top else math.nextafter(near, math.inf)
