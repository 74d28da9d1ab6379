r"""A noisy count as one round of many: its pair on the lattice of losses, from above and from below.

*Above* stand the chords of upper bounds of its delta over all changes, in both directions: a family that holds with
every pair its mirror image. *Below* stands one direction of the largest change, its outcomes merged. Outcomes with an
infinite loss are kept whole in both. Places of the lattice are chosen by the Gaussian mechanism of the same deviation;
they only steer.

Source: proof notes, N2 to N4, C6 and C8.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache

from flint import arb

from dpcalc.errors import Undecided
from dpcalc.families.shifts import Shifts
from dpcalc.laws.noise import FiniteLaw, GeometricLaw, LaplaceLaw, TailedLaw
from dpcalc.laws.pmf import Pmf
from dpcalc.mechanisms.noisy_count import NoisyCount
from dpcalc.numbers.ball import ball, working_precision
from dpcalc.numbers.enclosure import Enclosure
from dpcalc.numbers.limit import Limit
from dpcalc.rounds.bounded_round import BoundedRound
from dpcalc.rounds.dominance import Outcome, chords, merged
from dpcalc.rounds.lattice import Losses

__all__ = ["NoisyRound", "Shift"]

_REACH = 6.0  # standard deviations of one tilted round, within which its lattice is fine
_GROWTH = 1.25  # of the lattice's spacing beyond
_SHARPER = 20  # the bounds of single rounds to what the chords lose
_SPARE = 100  # bits of the faintest outcomes that matter
_FINE, _COARSE = Fraction(1, 10**12), Fraction(1, 1000)
_TABLE = 1 << 20  # bits of a pmf that is listed
_LEVEL = 1 + 1e-4  # times its limit, where delta is taken to fall no further
_FAINTER = 1e6  # times less likely than what is faint, the ends of noise do not matter
_SOONER = Fraction(15, 16)  # of a loss at which delta is not known: it is bounded there
_FARTHEST = 1e5  # the largest loss that is told from an infinite one


@dataclass(frozen=True, slots=True)
class Shift:
    """By how much larger the count of a noisy release is in the dataset under which the event is less likely."""

    shift: int


@dataclass(frozen=True, slots=True)
class NoisyRound(BoundedRound[Shift]):
    """One release of a noisy count.

    Attributes:
        count: what is released.
    """

    count: NoisyCount

    @property
    def spread(self) -> float:
        """The standard deviation of the loss, about; it steers."""
        return self.count.sensitivity / max(self.count.noise.law.deviation, 1e-3)

    @property
    def largest_loss(self) -> Fraction | None:
        """The largest finite loss, from below, where many outcomes have it."""
        law = self.count.noise.law
        if isinstance(law, GeometricLaw):  # but for its ends
            law = LaplaceLaw(law.rho)
        largest = law.largest_loss(self.count.sensitivity)
        return None if largest is None else largest.lower

    @property
    def beyond(self) -> Fraction:
        """At or below delta for every epsilon: the probability that the noise shows its end."""
        return self.count.beyond.lower

    def alone(self, limit: Limit) -> tuple[Enclosure, Shift]:
        """delta of one release."""
        found = Shifts(self.count).delta(limit, rtol=_FINE)
        return found, Shift(found.shift)

    def worst(self, centre: float) -> Shift:
        """The change whose delta is the largest where losses are about ``centre``."""
        return Shift(_bound(self.count, Fraction(max(centre, self.spread)), _COARSE)[1])

    def above(self, step: Fraction, centre: float, faint: float, fineness: int) -> Losses:
        """A pair above all changes, in both directions."""
        width, bounds = Fraction(1, _SHARPER * fineness**2), {}
        for j in self._places(float(step), centre, faint, fineness):
            bounds[j] = _bound(self.count, j * step, width)[0]
        return chords(step, sorted(bounds.items()))

    def below(self, step: Fraction, centre: float, faint: float, fineness: int, at: Shift) -> Losses:
        """A pair below that of one change."""
        law, c = self.count.noise.law, abs(at.shift)
        law = law if at.shift > 0 else law.mirror
        table = law.pmf if isinstance(law, FiniteLaw) else law.table(_TABLE)
        if table is not None:
            infinite, outcomes = _listed(table, c)
            return replace(merged(step, outcomes), beyond=infinite)
        assert not isinstance(law, FiniteLaw)
        farthest = min(centre, float(self.largest_loss or math.inf)) / self.spread + _REACH
        bits = _SPARE + law.lost + math.ceil(0.75 * max(farthest, faint) ** 2)
        with working_precision(bits):
            infinite, outcomes = _grouped(law, c, self._cuts(law, c, centre, fineness))
        return replace(merged(step, outcomes), beyond=infinite)

    def _places(self, step: float, centre: float, faint: float, fineness: int) -> Iterator[int]:
        """The j >= 0 at which delta is bounded: 0, about the centre, and on until it falls no further."""
        deviation, ends = self.spread, float(self.count.beyond.upper) > math.exp(-(faint**2) / 2) / _FAINTER
        start, stride = max(0, round(centre / step)), max(1, round(deviation / (fineness * step)))
        kink = math.ceil((self.largest_loss or Fraction(0)) / Fraction(step))
        yield from {0, start, kink, max(0, kink - 1)}  # on both sides of it
        for sign in (-1, 1):
            j, gap = start, stride
            while True:
                j += sign * gap
                if j <= 0 and sign < 0:
                    break
                yield j
                loss = j * step
                if sign > 0 and (loss > min(centre + faint * deviation, _FARTHEST) or (ends and self._level(loss))):
                    break
                if abs(loss - centre) > _REACH * deviation:
                    gap = math.ceil(gap * _GROWTH)

    def _level(self, loss: float) -> bool:
        """Whether delta falls no further, but for infinite losses."""
        return float(_bound(self.count, Fraction(loss), _COARSE)[0]) <= float(self.count.beyond.upper) * _LEVEL

    def _cuts(self, law: TailedLaw, c: int, centre: float, fineness: int) -> list[int]:
        """Ends of groups of outcomes of finite losses, about where they matter."""
        deviation = law.deviation
        stride, reach = max(1, round(deviation / fineness)), math.ceil(_REACH * deviation) + 1
        if isinstance(law, GeometricLaw | LaplaceLaw):  # the loss changes from 0 to c only
            places = sorted({*range(0, c, stride), c - 1})
        else:
            with working_precision(64):
                middle = law.last(c, Limit.exp(Fraction(max(centre, 1e-9))))[0]
            places = list(range(middle - reach, middle + reach, stride))
        first = -math.inf if law.low is None else law.low + c
        last = math.inf if law.high is None else law.high
        return [t for t in places if first <= t < last]


def _listed(table: Pmf, c: int) -> tuple[arb, list[Outcome]]:
    """The mass of infinite losses, and the other outcomes in rising order of their losses."""
    before = (0,) * c + table.weights
    pairs = [(a, b) for a, b in zip(table.weights, before, strict=False) if a]
    infinite = sum(a for a, b in pairs if not b)
    finite = sorted(((a, b) for a, b in pairs if b), key=lambda pair: Fraction(*pair))
    whole = table.denominator
    return ball(Fraction(infinite, whole)), [(ball(Fraction(a, whole)), ball(Fraction(b, whole))) for a, b in finite]


def _grouped(law: TailedLaw, c: int, cuts: list[int]) -> tuple[arb, list[Outcome]]:
    """The same from distribution functions, outcomes between two cuts together; their losses need not fall."""
    infinite = arb(0) if law.low is None else law.at_most(law.low + c - 1)
    before, found = (infinite, arb(0)), []
    for t in cuts:
        here = law.at_most(t), law.at_most(t - c)
        found.append((here[0] - before[0], here[1] - before[1]))
        before = here
    rest = 1 - before[0], 1 - before[1]
    found.append(rest)
    return infinite, sorted((pair for pair in found if pair[1] > 0), key=lambda pair: float((pair[0] / pair[1]).log()))


@lru_cache(maxsize=1 << 14)
def _bound(count: NoisyCount, epsilon: Fraction, rtol: Fraction) -> tuple[Fraction, int]:
    """An upper bound of delta over all changes, and the one that attains about it."""
    try:
        found = Shifts(count).delta(Limit.exp(epsilon), rtol=rtol)
    except Undecided:  # as next to the largest loss of a sum: delta falls with epsilon
        if not epsilon:
            raise
        return _bound(count, epsilon * _SOONER, rtol)
    return found.upper, found.shift
