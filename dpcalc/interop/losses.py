"""The privacy loss of a mechanism as an object of dp-accounting, to be composed there with other mechanisms, and its
privacy curve as a profile of OpenDP.

*Above:* a pair that dominates every dataset of one round, in both directions (``losses.dominance.chords``). Its losses
are multiples of a step h, which is a double; every P mass is rounded up to a double. *Below:* the outcomes of one
dataset, merged to the same lattice; every P mass is rounded down. dp-accounting computes

    delta = p_infinite + sum over j h > epsilon of p_j (1 - e^(epsilon - j h)),

which grows with every p_j: for one round this is an upper or a lower bound, up to the rounding of that sum. When
dp-accounting composes, it makes errors near 1e-15 in delta that it does not bound. It also adds 1e-15 to the infinite
losses of many rounds, even below. ``Rounds`` composes with proof.

Source: V. Doroshenko, B. Ghazi, P. Kamath, R. Kumar, P. Manurangsi, Connect the dots (2022); dp-accounting 0.6; OpenDP
0.16, ``new_privacy_profile``.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import replace
from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING, Any, TypeAlias

from dpcalc.errors import DomainError, DpcalcError, Undecided
from dpcalc.families.table import family, pairs_by_name
from dpcalc.losses.dominance import LatticePair, chords, merged
from dpcalc.mechanisms.mechanism import Mechanism
from dpcalc.mechanisms.rounds import Rounds
from dpcalc.numbers.ball import enclosure_of, working_precision
from dpcalc.numbers.limit import MAX_EPSILON
from dpcalc.numbers.lists import flag
from dpcalc.numbers.rational import Number, between
from dpcalc.pairs.named import NamedPairs
from dpcalc.pairs.two_laws import Revealed
from dpcalc.privacy.delta import delta
from dpcalc.rounds.joint import Joint
from dpcalc.rounds.tilted_rounds import TiltedLoss

if TYPE_CHECKING:
    from dp_accounting.pld.privacy_loss_distribution import PrivacyLossDistribution
    from flint import arb
    from opendp.mod import PrivacyProfile

_FINENESS = 50  # points to a standard deviation of the loss
_FAINT = Fraction(1, 10**18)  # where delta is below it, all larger losses are taken for infinite
_BITS = 200
_MOST = 1_000_000  # steps up to the largest loss that matters
_FARTHEST = 10.0  # standard deviations beyond which losses no longer matter
_LEVEL = Fraction(9999, 10000)  # delta has stopped falling where it is above this share of the last one
_WIDTH = 0.01  # relative width of delta where datasets are compared
_USUAL = 3.0  # standard deviations of the loss: about the epsilon that is asked about


#: Of a round: how many times it is run; of its loss the standard deviation, about, and the largest that matters; and
#: its masses, given a step: of each loss, in steps, and of an infinite one.
_Round: TypeAlias = tuple[int, float, float, Callable[[float], tuple[dict[int, float], float]]]


def privacy_loss(
    mechanism: Mechanism, *, interval: Number | None = None, pessimistic: bool = True
) -> PrivacyLossDistribution:
    """A privacy-loss distribution that dominates every dataset, in both directions; or a lower one, of one dataset.

    Args:
        mechanism: any; with ``pessimistic=False`` any that ``Rounds`` take. Rounds, and the counts of a histogram, are
            composed by dp-accounting, which proves nothing.
        interval: dp-accounting's ``value_discretization_interval``, a double. Only distributions with the same interval
            can be composed. Default: the smallest standard deviation of a round's loss, divided by 50.
        pessimistic: dp-accounting's ``pessimistic_estimate``; False: the lower distribution.

    Returns:
        ``dp_accounting.pld.privacy_loss_distribution.PrivacyLossDistribution``.

    Raises:
        DomainError: no such mechanism, or the largest loss that matters is more than a million intervals.
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
    """The same of ``count`` runs of the mechanism."""
    try:
        from dp_accounting.pld.privacy_loss_distribution import PrivacyLossDistribution
    except ImportError as error:
        raise DpcalcError("dp-accounting is not installed: pip install 'dpcalc-exact[interop]'") from error
    family(mechanism)  # refuses what is no mechanism
    rounds = list(_above(mechanism) if pessimistic else _below(mechanism))
    if interval is None:
        step = min(spread for _, spread, _, _ in rounds) / _FINENESS
    else:
        step = float(between(interval, "interval", 0, 10, "the step between two losses"))
    total: Any = None
    for times, _, farthest, masses in rounds:
        if farthest > _MOST * step:
            raise DomainError("interval", interval, f"at least {farthest / _MOST:.3g} here")
        loss = PrivacyLossDistribution.create_from_rounded_probability(
            *masses(step), step, pessimistic_estimate=pessimistic
        )
        several = loss.self_compose(times * count) if times * count > 1 else loss
        total = several if total is None else total.compose(several)
    return total


def _above(mechanism: Mechanism) -> Iterator[_Round]:
    """The family of each round; every count of a histogram that changes is a round.

    A family holds the mirror image of each pair, so that one direction stands for both.
    """
    for count, times in mechanism.counts:
        asked = pairs_by_name(count)
        farthest = min(asked.spread * _FARTHEST, float(asked.highest))
        yield times, asked.spread, farthest, partial(_dominating, asked)


def _below(mechanism: Mechanism) -> Iterator[_Round]:
    """One pair of each round; it is a bad one at about the epsilon that is asked about."""
    try:
        joint = Joint.of(Rounds([mechanism]))
    except DomainError as error:
        raise DomainError("mechanism", mechanism, "what Rounds take, where pessimistic=False") from error
    near = min(_USUAL * joint.spread, float(joint.highest) / 2)
    at = joint.profile(near, _WIDTH).sides[0].tilted
    for (one, times), seen in zip(at.rounds, at.seen, strict=True):
        farthest = max((abs(x) for x in TiltedLoss.of(seen).losses), default=0.0)
        yield times, one.family.spread, farthest, partial(_merged, seen, at.theta)


def _dominating(asked: NamedPairs[Any], step: float) -> tuple[dict[int, float], float]:
    """The masses of a pair that dominates every dataset, rounded up.

    A chord may span many steps: a fiftieth of the standard deviation is fine enough.
    """
    stride = max(1, math.floor(asked.spread / _FINENESS / step))
    h, bounds = stride * Fraction(step), list[tuple[int, Fraction]]()
    width = max(Fraction(1, 10**5), Fraction(asked.delta_width.least) * 2)
    for i in range(math.ceil(float(asked.highest) / float(h)) + 2):
        bound = min([*asked.uppers([(i * h, width)]), *(before for _, before in bounds[-1:])])
        flat = i * float(h) > asked.spread * _FARTHEST and bound > bounds[-1][1] * _LEVEL
        bounds.append((i, bound))
        if bound < _FAINT or flat:  # all larger losses are taken for infinite
            break
    with working_precision(_BITS):
        return _doubles(chords(h, bounds), 1, stride)


def _merged(seen: Revealed, theta: float, step: float) -> tuple[dict[int, float], float]:
    """The masses of these outcomes, rounded down; a loss x matters as e^(theta x), which steers."""
    with working_precision(_BITS):
        losses = merged(Fraction(step), seen.outcomes, theta)
        return _doubles(replace(losses, beyond=seen.infinite), -1)


def _doubles(losses: LatticePair, side: int, stride: int = 1) -> tuple[dict[int, float], float]:
    """The masses above 0 by their losses, in steps, and that of an infinite loss, rounded up (side 1) or down (-1)."""
    masses = {(losses.first + i) * stride: _double(mass, side) for i, mass in enumerate(losses.masses)}
    return {j: mass for j, mass in masses.items() if mass > 0}, _double(losses.beyond, side)


def _double(mass: arb, side: int) -> float:
    found = enclosure_of(mass)
    end = max(found.upper if side > 0 else found.lower, Fraction(0))
    near = float(end)
    return near if (Fraction(near) - end) * side >= 0 else math.nextafter(near, side * math.inf)


def privacy_profile(mechanism: Mechanism) -> PrivacyProfile:
    """delta as a function of epsilon, over every dataset and for one change of a record, as OpenDP holds it.

    OpenDP asks for delta at an epsilon, in doubles. It gets a proven upper bound of delta, rounded up to a double. The
    epsilon that OpenDP finds for a delta is one where this bound is at most delta: its search needs no proof.

    Args:
        mechanism: any.

    Returns:
        ``opendp.mod.PrivacyProfile``: its ``delta(epsilon)`` and ``epsilon(delta)`` hold for every dataset.

    Raises:
        DomainError: no such mechanism.
        DpcalcError: OpenDP is not installed (the extra ``interop``).

    OpenDP refuses it until its features "contrib" and "honest-but-curious" are enabled.

    >>> from dpcalc import KRandomization
    >>> from opendp.mod import enable_features
    >>> enable_features("contrib", "honest-but-curious")
    >>> profile = privacy_profile(KRandomization(n=1000, q="1/4"))
    >>> 0.142057 < profile.epsilon(1e-6) < 0.142058
    True
    """
    try:
        from opendp.measures import new_privacy_profile
    except ImportError as error:
        raise DpcalcError("OpenDP is not installed: pip install 'dpcalc-exact[interop]'") from error
    family(mechanism)  # refuses what is no mechanism
    found: PrivacyProfile = new_privacy_profile(lambda epsilon: _delta(mechanism, epsilon))
    return found


def _delta(mechanism: Any, epsilon: float) -> float:
    """An upper bound of delta: at this epsilon, or at a smaller one, where this one is too large or not settled."""
    try:
        return float(delta(mechanism, epsilon=Fraction(min(epsilon, MAX_EPSILON))))
    except Undecided:  # near the largest loss of a sum of noises, say
        if not epsilon:
            raise
        return _delta(mechanism, epsilon * (15 / 16))
