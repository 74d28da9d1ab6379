r"""delta of many rounds from both sides, at any size, on a lattice of losses.

*The upper end.* In each round stands a dominating pair: its profile is the chords through upper bounds of delta over
all datasets of that round. The composition dominates every choice of datasets, adaptive ones too. If this is wider than
asked for, ranges of datasets get dominating pairs of their own (``range_by_range``). Where a loss may be infinite, or
the lower end is 0, every round at its share of epsilon bounds it too: beyond all finite losses nothing else does.

*The lower end.* In each round stands one dataset, which is named. Its outcomes are merged until their losses are
lattice points, which is post-processing. So the lower end holds for datasets that are fixed in advance.

Both are proven in ``losses.dominance``. If one dataset is asked for and all its outcomes are known, they are split
between lattice points for the upper end.

Floating point chooses the lattice, and proves nothing. Its step is as small as the width needs near the losses that
decide delta (``tilted_rounds``); farther away, single rounds are bounded at fewer and fewer losses. The step divides
one loss. If all losses are multiples of that one, as for one record or for geometric noise, nothing is lost.

Source: proof notes, C1 to C10, C12, C23, C25 and C26.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING

from flint import arb

from dpcalc.families.boxes import FAINTEST
from dpcalc.losses.dominance import LatticePair, chords, merged, sharp, split
from dpcalc.losses.lattice import Convolution, OnLattice, tilt_of, toward
from dpcalc.losses.rare_losses import RareLosses, usual_together
from dpcalc.numbers.arrays import arrays
from dpcalc.numbers.ball import LEAST_HELD, ball, enclosure_of, working_precision
from dpcalc.numbers.limit import Limit
from dpcalc.numbers.search import logarithm
from dpcalc.pairs.two_laws import WIDENING, WIDEST, Asked, SomePairs
from dpcalc.rounds.round import Round
from dpcalc.rounds.tilted_rounds import NATS, PRECISION, TiltedRounds

if TYPE_CHECKING:
    from dpcalc.losses.range_by_range import RangeByRange

#: Lattice points of all rounds together, up to which their polynomials are multiplied: in any case, and if no circle
#: serves, which takes some 4 s.
_QUICK, _CONVOLVED = 1 << 12, 1 << 18
_KNOWN = 16  # bits of delta that a circle must give to be of use
#: Shares of the width for the lower lattice, for the upper one, which loses much less, and for bounds of single rounds.
_BELOW, _ABOVE, _SINGLE = 0.45, 0.18, 0.2
#: Lattice points of one round in the lower lattice, and in the upper one, where each may need a bound of that round.
#: If losses are large but vary little, there are more: so many to a standard deviation, and so many in all.
_MERGED, _CHORDS, _FINE, _POINTS = 20_000, 4000, 200, 1 << 18
_WIDEST = 0.1  # width of a bound of a single round
_TRIED = 4000  # losses that are placed on trial lattices, to find one that holds all of them
_LOSSES = 300  # with more outcomes than this the losses are not tried as multiples of one loss
_MANY = 1000  # with more multiples of a loss in a round than this, some of them may do
_STRIDE, _LEAP = 17 / 16, 8  # a step is made finer by a factor from one to the other
_FLAT = 10  # times as wide bounds are next to lambda = 1, where all compositions have nearly the same delta
_RARER = 8 / 3  # bounds may be e^{d^2 / this} times as wide d standard deviations away: losses weigh e^{-d^2/2}
_STEEP = 4  # nats by which the weight of losses must fall faster than the chords' error grows
_FARTHER = 1.1  # the factor of the search for a loss that is too rare to matter
_RARE = 50  # losses above the last one that matters have less than 1/50 of the width, as a share of delta
_SPARE = 8  # nats below delta, from which on outcomes of one round are left out
_MORE, _COARSEST = 3, 10  # the factor between the widths of coarser lattices, and the largest width
_SHORT = 80  # bits of the lattice's step
_LEAST = 1e-18  # the least step

_NOTHING = LatticePair(0, (arb(1),), arb(0))  #: a round that shows nothing, which every round dominates
_WINDOW = 12  # standard deviations that a window of the ranges holds
_MOST = 3e9  # points of transforms range by range, each with its logarithm, at most: about a second


@dataclass(frozen=True)
class Composed:
    """Rounds on a lattice that is sharp for limits near one epsilon, and proven for all.

    Attributes:
        tilted: what is run, under the tilt that brings the mean of the losses to that epsilon.
        width: the relative width of delta that is aimed at there.
        alone: whether one dataset a round is asked for, not the worst of all.
        order: the order in which they are run, as pairs of a place in ``rounds`` and how many times; default: any.
    """

    tilted: TiltedRounds
    width: float
    alone: bool = False
    order: tuple[tuple[int, int], ...] = ()

    @property
    def rounds(self) -> tuple[tuple[Round, int], ...]:
        """What is run, and how many times."""
        return self.tilted.rounds

    @property
    def bits(self) -> int:
        """The working precision."""
        return PRECISION + 2 * self.tilted.total.bit_length()

    @property
    def _near(self) -> Limit:
        return Limit.exp(Fraction(self.tilted.near))

    def upper(self, limit: Limit, *, least: Fraction = Fraction(0)) -> Fraction:
        """An upper bound of delta: over all datasets and adaptive choices, or of the dataset given.

        Args:
            limit: e^epsilon.
            least: a lower bound of delta; the answer is made no sharper than the width above it.
        """
        enough = least * (1 + Fraction(self.width))
        with working_precision(self.bits):
            if self._too_fine(self._above):
                return self._coarser.upper(limit, least=least)
            found = _upper(self._above, limit)
        if enough < found and (not least or any(one.beyond for one, _ in self.rounds)):
            found = min(found, self._one_by_one(limit.epsilon.lower))
        if found > FAINTEST and enough < found:
            with working_precision(self.bits):
                if sharper := self._told_apart(logarithm(found) - logarithm(least)):
                    found = min(found, _upper(sharper, limit))
        return found

    def _told_apart(self, apart: float) -> RangeByRange | None:
        """Ranges with pairs of their own: on a coarser lattice if this one takes too long and the ends are far apart.

        Args:
            apart: the difference of the ends' logarithms.
        """
        if self._by_range or apart < _MORE * self.width or self.width > _COARSEST:
            return self._by_range
        return self._coarser._told_apart(apart)

    def _too_fine(self, lattice: OnLattice | Convolution | RareLosses) -> bool:
        """Whether so many points matter that nothing is known, and a coarser lattice may tell more."""
        return isinstance(lattice, OnLattice) and not lattice.settled and self.width < _WIDEST

    @cached_property
    def _coarser(self) -> Composed:
        return replace(self, width=self.width * _MORE)

    def _one_by_one(self, epsilon: Fraction) -> Fraction:
        """Basic composition: every round at its share of epsilon, as its largest loss is one of all."""
        losses = [one.family.last_loss or Fraction(one.largest_loss) for one, _ in self.rounds]
        whole = sum(loss * times for loss, (_, times) in zip(losses, self.rounds, strict=True))
        each = [
            (one.upper(epsilon * loss / whole), times) for loss, (one, times) in zip(losses, self.rounds, strict=True)
        ]
        if any(top >= 1 for top, _ in each):
            return Fraction(1)
        with working_precision(PRECISION):
            hidden = sum((times * ball(-top).log1p() for top, times in each), arb(0))
            return enclosure_of(-hidden.expm1()).upper

    def lower(self, limit: Limit) -> Fraction:
        """A lower bound of delta of the datasets that were chosen."""
        with working_precision(self.bits):
            if self._below is None:
                return Fraction(0)
            if self._too_fine(self._below):
                return self._coarser.lower(limit)
            found = self._below.delta(limit)
            return max(enclosure_of(found).lower, Fraction(0)) if found > LEAST_HELD else Fraction(0)

    @cached_property
    def _above(self) -> OnLattice | Convolution:
        return self._composition(self.step, self._pairs_above)

    @cached_property
    def _pairs_above(self) -> list[LatticePair]:
        """The dominating pair of each kind of round."""
        return [self._pair_above(i) for i in range(len(self.rounds))]

    @cached_property
    def _below(self) -> OnLattice | Convolution | RareLosses | None:
        """The composition of one dataset a round, without outcomes too rare to matter; None if no outcome is known."""
        shown = [(usual_together(seen), times) for seen, (_, times) in zip(self.tilted.seen, self.rounds, strict=True)]
        if rare := RareLosses.near(shown, self._near):
            return rare
        each, losses, least = self.tilted.losses, [], math.exp(-NATS - _SPARE) / self.tilted.total
        beyond = any(seen.infinite > 0 for seen in self.tilted.seen)  # then each outcome of all rounds counts
        kept = [(0, len(loss.losses) - 1) if beyond else loss.within(least) for loss in each]
        widest = max(loss.losses[last] - loss.losses[first] for loss, (first, last) in zip(each, kept, strict=True))
        step = self._step(_BELOW, widest, _MERGED, [loss.lost_below for loss in each])
        for seen, (first, last) in zip(self.tilted.seen, kept, strict=True):
            found = merged(step, list(filter(sharp, seen.outcomes))[first : last + 1], self.tilted.theta)
            if len(found.masses) == 1 and found.first < 0 and seen.infinite == 0:
                found = _NOTHING  # all outcomes are one, and balls do not tell that its loss is not below 0
            losses.append(LatticePair(found.first, found.masses, seen.infinite))
        if not all(x.beyond > 0 or any(mass > 0 for mass in x.masses) for x in losses):
            return None  # no outcome is known well enough, as where flips are hardly ever seen
        return self._composition(step, losses)

    @cached_property
    def _by_range(self) -> RangeByRange | None:
        """The composition range by range, a sharper upper bound; None without ranges, or if it takes too long."""
        ranges = [one.family.ranges for one, _ in self.rounds]
        if not any(ranges) or not arrays() or (len(ranges) > 1 and not self.order):
            return None
        from dpcalc.losses.range_by_range import RangeByRange  # and numpy with it

        order = self.order or [(0, self.rounds[0][1])]
        points = (_WINDOW * math.sqrt(self.tilted.variance) + 4 * max(self._last)) / float(self.step)
        most = _MOST / sum((len(ranges[i]) + 2) * times for i, times in order)
        if points * math.log2(points) > most:
            return None
        pairs = [[self._chords(part, i) for part in parts] or [self._pairs_above[i]] for i, parts in enumerate(ranges)]
        kinds = [(pairs[i], times) for i, times in order]
        near = round(Fraction(self.tilted.near) / self.step)
        tilt = tilt_of([(pair, times) for pair, (_, times) in zip(self._pairs_above, self.rounds, strict=True)])
        found = RangeByRange(self.step, kinds, near, toward(tilt, near) / float(self.step))
        return found if found.points * math.log2(found.points) <= most else None  # powers of two

    def _composition(self, step: Fraction, losses: Sequence[LatticePair]) -> OnLattice | Convolution:
        kinds = [(one, times) for one, (_, times) in zip(losses, self.rounds, strict=True)]
        points = sum(len(one.masses) * times for one, times in kinds)
        if points > _QUICK:
            circle = OnLattice(step, kinds, near=self.tilted.near, nats=NATS)
            if points > _CONVOLVED or (circle.settled and circle.delta(self._near).rel_accuracy_bits() >= _KNOWN):
                return circle
        return Convolution(step, kinds)

    @cached_property
    def step(self) -> Fraction:
        """The step h of the upper lattice."""
        widest = 2 * max(self._last)
        return self._step(_ABOVE, widest, _CHORDS, [loss.lost_above for loss in self.tilted.losses])

    def _step(self, share: float, widest: float, most: int, lost: Sequence[Callable[[float], float]]) -> Fraction:
        """About the largest h, one part of a loss, that costs no more than its share of the width.

        Few parts are tried one by one: all losses may be multiples of one of them.

        Args:
            share: the share of the width.
            widest: the distance between the smallest and the largest loss of a round.
            most: lattice points between these, at most.
            lost: for each kind, the cost of one round on log delta, given a step.
        """
        at, kinds = self.tilted, range(len(self.rounds))
        deviation = math.sqrt(at.variance / at.total)
        heaviest = max(kinds, key=lambda i: at.rounds[i][1] * at.losses[i].deviation ** 2)
        one = at.rounds[heaviest][0]
        least = max(min(widest / most, deviation / _FINE), widest / _POINTS, _LEAST)
        unit = one.family.unit or Fraction(deviation if at.losses[heaviest].deviation else one.family.spread)
        unit = max(unit, Fraction(widest / _POINTS))  # beside much larger losses those of a kind may be next to nothing

        def too_much(h: float) -> float:
            """How many times what may be lost."""
            return at.sum([one(h) for one in lost]) / (self.width * share)

        while widest > _MANY * unit and too_much(2 * float(unit)) <= 1:
            unit *= 2
        count, finest = sum(len(loss.losses) for loss in at.losses), math.ceil(float(unit) / least)
        few = range(1, min(_TRIED // count if count <= _LOSSES else 1, finest) + 1)
        parts = next((i for i in few if too_much(float(unit) / i) <= 1), few[-1])
        while parts < finest and not (times := too_much(float(unit) / parts)) <= 1:
            growth = min(max(_STRIDE, math.sqrt(times)), _LEAP)  # what is lost falls with the square of h, about
            parts = min(math.ceil(parts * growth), finest)
        whole = 1 << max(0, _SHORT - math.floor(math.log2(float(unit) / parts)))
        # above a loss its mass counts as there; below, so that balls tell that the loss is not below
        return Fraction(math.ceil(unit / parts * whole) - (share == _BELOW), whole)

    def _pair_above(self, i: int) -> LatticePair:
        """A pair that dominates all datasets of a round, or the one given."""
        at, one = self.tilted, self.rounds[i][0]
        seen = at.seen[i]
        if self.alone and seen.missing is not None:
            return split(self.step, seen.outcomes, seen.missing + seen.infinite)
        return self._chords(one.family, i)

    @cached_property
    def _whole(self) -> list[list[Fraction]]:
        """Upper bounds of delta over all datasets of each kind, at its knots."""
        return [one.family.uppers(self._asked(i)) for i, (one, _) in enumerate(self.rounds)]

    def _asked(self, i: int) -> list[Asked]:
        return [(j * self.step, width) for j, width in self.knots[i]]

    def _chords(self, pairs: SomePairs, i: int) -> LatticePair:
        """A pair that dominates the pairs of a round of kind i, or some; a bound of all pairs is one of these too."""
        whole, asked, places = self.rounds[i][0].family, self._asked(i), [j for j, _ in self.knots[i]]
        values, mirror = self._whole[i], pairs.mirror
        back = None if mirror is None else mirror.uppers(asked)
        if pairs is not whole:
            values = list(map(min, values, pairs.uppers(asked)))
            if back is not None and whole.mirror is None:
                back = list(map(min, self._whole[i], back))
        mirrored = None if back is None else list(zip(places, back, strict=True))
        with working_precision(self.bits):
            return chords(self.step, list(zip(places, values, strict=True)), mirrored)

    @property
    def sharpness(self) -> float:
        """The relative width of the bounds of single rounds.

        Bounds that are w too high, relatively, raise e^K - 1 of a round by the same share, and delta of T rounds by
        (1 + w)^T at most (proof notes, C3).
        """
        raised = self.tilted.sum([-math.expm1(-max(loss.moments.growth, 0.0)) for loss in self.tilted.losses])
        return min(self.width * _SINGLE / max(raised, 1.0), _WIDEST)

    @cached_property
    def knots(self) -> list[list[tuple[int, Fraction]]]:
        """For each kind, the j >= 0 at whose losses j h all datasets are bounded, each with a relative width."""
        return [self._knots_of(i) for i in range(len(self.rounds))]

    def _knots_of(self, i: int) -> list[tuple[int, Fraction]]:
        loss, spread, step = self.tilted.losses[i], self.rounds[i][0].family.spread, float(self.step)
        deviation, start = max(loss.deviation, step), max(0, round(loss.moments.mean / step))
        last = max(math.ceil(self._last[i] / step) + 1, 1)
        near = math.floor(self.tilted.near / step)  # a single round may lose all of it
        start, found = min(start, last), {0, last, min(near, last), min(near + 1, last)}
        for sign in (-1, 1):
            j = start
            while 0 <= j <= last:
                found.add(j)
                y = abs(j - start) * step / deviation
                steep = (self.tilted.theta + y / deviation) * step  # delta falls as e^{-steep} a step, chords rise so
                rarer = max(1.0, y**2 / 2 - _STEEP) / steep
                gap = min(math.exp(min(y**2 / WIDENING, 40.0)), WIDEST * abs(j - start), rarer)
                j += sign * max(1, math.floor(gap))
        knots = []
        for j in sorted(found):
            away = abs(j * step - loss.moments.mean) / deviation
            rarer = max(1.0, _FLAT * (1 - j * step / spread), math.exp(min(away**2 / _RARER, 40.0)))
            knots.append((j, Fraction(min(self.sharpness * rarer, _WIDEST))))
        return knots

    @cached_property
    def _last(self) -> list[float]:
        """For each kind, a loss above which losses are too rare to matter beside delta, or the largest loss."""
        at, found = self.tilted, []
        rare = isinstance(self._below, RareLosses)  # then the tilt looks at losses that are rarer still
        least = (logarithm(self.lower(self._near)) if rare else at.log_delta) - math.log(at.total * _RARE / self.width)
        for (one, _), loss in zip(self.rounds, at.losses, strict=True):
            shown = loss.likely(least + math.log(len(loss.losses)))
            last = max(loss.moments.mean + loss.deviation, one.family.spread, shown.losses[-1])
            while last < one.largest_loss and not one.rarer(last, least):
                last *= _FARTHER
            found.append(min(last, one.largest_loss))
        return found


def _upper(above: OnLattice | Convolution | RangeByRange, limit: Limit) -> Fraction:
    """An upper bound of delta."""
    top = above.delta(limit).max(LEAST_HELD).upper()
    return enclosure_of(top).upper if top < 1 else Fraction(1)
