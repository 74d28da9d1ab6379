r"""The last place at which one law outweighs another: where h_t, a sum of d up to t, is largest.

With K = K_0 - lambda K_1 the circle tells h_t = P_0(S <= t) - lambda P_1(S <= t) and the differences d_t of h. Let d be
positive up to some place and not positive beyond, as where P_0/P_1 falls (proof notes, 1.2, 11.3 and N2). Then delta
is h_t at the last t with d_t > 0. The signs of d next to t show which t that is. If one of them stays open, the next
ones bound by how much delta may be more; and whatever the signs, no h exceeds h_t by more than the two tails beyond t.

Source: proof notes, 6 and N10.
"""

from __future__ import annotations

import math
import operator
from abc import ABC, abstractmethod
from collections.abc import Sequence
from functools import reduce

from flint import arb, ctx

from dpcalc.laws.circle import FAINT_NATS, Coefficients, Contour, Signed, Term, chernoff, read, truncation
from dpcalc.laws.parts import Part
from dpcalc.laws.tilt import Tilt
from dpcalc.numbers.ball import LEAST_HELD
from dpcalc.numbers.limit import Limit
from dpcalc.numbers.search import steer

_FARTHEST = 1e6  # the largest tilt
_NEAREST = 0.9  # the search starts at most so far towards a pole of G
_FAR_APART = 8  # standard deviations between the two laws beyond which each has a circle of its own
_STEEP = 50.0  # from this epsilon on each has one too
_NARROW = 0.25  # the least deviation that counts for this
_LEAST = 1e-100  # variances below it count as 0
_SKEW = 1e-4  # the step of a difference quotient, of the way to a pole or of 1
_ALIKE = 1e-2  # nats: the place where both laws are as likely is sought to this


class Threshold(ABC):
    """The search for the last t with d_t > 0; it remembers t while the precision rises.

    Attributes:
        t: where it begins, and then where it has come to.
    """

    def __init__(self, t: float, ends: tuple[float, float]) -> None:
        """From about the place; it is the last one between two ends, which may be infinite."""
        self._ends = ends
        self.t = math.floor(min(max(t, ends[0]), ends[1]))

    @abstractmethod
    def at(self, t: int) -> Coefficients:
        """h_t, d_t and d_{t+1} at the current precision."""

    @abstractmethod
    def likely(self) -> arb:
        """P_0(S <= t), or a bound of it."""

    def beyond(self) -> arb:
        """A bound of 1 - h_t and of delta - h_t, whatever the signs."""
        return arb.pos_inf()

    def divergence(self) -> arb:
        """An enclosure of delta at the current precision; not finite if it is not settled there.

        Where it is too small to be held, it is a bound P_0(S <= t).
        """
        height, missed = self.settled()
        return height.max(arb(0)) + (missed if missed.is_finite() else arb(0).union(self.beyond().upper()))

    def settled(self) -> tuple[arb, arb]:
        """h_t and an enclosure of delta - h_t; the latter is not finite where the signs of d do not settle it."""
        (low, high), stride = self._ends, 1
        while True:
            here = self.at(self.t)
            if here.here < 0 and self.t > low:
                if (most := self.likely()) < LEAST_HELD / 4:  # and delta is no larger
                    return most, arb(0)
                high, guess = self.t - 1, self.t - stride
            elif here.after > 0 and self.t < high:
                low, guess = self.t + 1, self.t + stride
            else:
                return here.cumulative, self._missed(here, low, high)
            self.t, stride = guess if low <= guess <= high else int((low + high) // 2), 2 * stride

    def _missed(self, here: Coefficients, low: float, high: float) -> arb:
        """An enclosure of delta - h_t; not finite where the d farther away are not known to have the right signs.

        The place is not beyond ``low`` and ``high``.
        """
        missed = arb(0)
        if not (here.here > 0 or self.t <= low):
            settled = here.here >= 0 or self.at(self.t - 1).here > 0
            missed = missed.union((-here.here).upper().max(arb(0))) if settled else arb.nan()
        if not (here.after < 0 or self.t >= high):
            settled = here.after <= 0 or self.at(self.t + 1).after < 0
            missed = missed.union(here.after.upper().max(arb(0))) if settled else arb.nan()
        return missed


class OnCircles(Threshold):
    """Of two laws P_0 and P_1, in which one count has an independent number more each, by sums on circles."""

    def __init__(
        self, law: Part, kernel: Sequence[Term], limit: Limit, theta: float, ends: tuple[float, float]
    ) -> None:
        """The search.

        The tilt steers, and with it the place: where two normal laws with the tilted means are equal.

        Args:
            law: G.
            kernel: K_0 and -lambda K_1.
            limit: lambda.
            theta: the tilt under which K_0 is about lambda K_1.
            ends: see ``Threshold``.
        """
        tilt, own = law.tilt, [term.law.tilt for term in kernel]
        theta = max(theta, _NEAREST * tilt.ends[0], -_FARTHEST)  # nearer the mean is far out
        (first, last), spread = (one.mean(theta) for one in own), tilt.variance(theta)
        middle, far = place(tilt, own, theta), apart(tilt, own, theta) > _FAR_APART
        if _fainter(tilt, theta) > 0:  # a place less far out will do
            theta = steer(lambda x: _fainter(tilt, x), theta, 0.0, tolerance=_ALIKE / 10)
            middle, spread = tilt.mean(theta) + first, min(spread, tilt.variance(theta))
        elif far:
            middle = _between([Tilt.sum([tilt, one]) for one in own], limit, middle, last - first)
        super().__init__(middle, ends)
        self._law, self._terms, self._span = law, kernel, max(1.0, math.sqrt(spread))
        # One circle for two laws that lie far apart loses many digits: the integrands are far larger than
        # their integrals. A circle for each law loses few, as P_0 and lambda P_1 then have unlike tails.
        self._kernels = [[term] for term in kernel] if far or limit.steer() > _STEEP else [kernel]
        self._held: tuple[int, int, list[tuple[Signed, Contour]]] = (0, self.t, [])

    def likely(self) -> arb:
        """By Chernoff's bound."""
        return chernoff([self._law, self._terms[0].law], self.t, upper=False)

    def at(self, t: int) -> Coefficients:
        """h_t, d_t and d_{t+1}, from circles shared by places near each other."""
        bits, middle, circles = self._held
        if bits != ctx.prec or abs(t - middle) > self._span:
            circles = [self._circle(Signed(kernel), t) for kernel in self._kernels]
            self._held = ctx.prec, t, circles
        return reduce(operator.add, (read(self._law, signed, circle, t) for signed, circle in circles))

    def _circle(self, signed: Signed, t: int) -> tuple[Signed, Contour]:
        apart = len(self._kernels) > 1 and t > self._law.tilt.mean(0.0) + signed.tilt.mean(0.0)
        nats = truncation(self._law)
        return signed, Contour.around(self._law, signed, t, nats, side=1 if apart else -1, span=self._span)

    def beyond(self) -> arb:
        """A bound of P_0(S > t) + lambda P_1(S <= t), so of 1 - h_t and of delta - h_t.

        Another t' gains at most P_0(t < S <= t') upwards and lambda P_1(t' < S <= t) downwards: where the two laws lie
        far apart, the place of t between them does not matter.
        """
        zero, one = self._terms
        above = chernoff([self._law, zero.law], self.t + 1, upper=True)
        return above - one.weight() * chernoff([self._law, one.law], self.t, upper=False)


def apart(law: Tilt, own: Sequence[Tilt], theta: float) -> float:
    """How many standard deviations lie between the two laws under a tilt; for steering only."""
    (_, first, narrow), (_, last, wide) = (one.at(theta) for one in own)
    return (last - first) / max(math.sqrt(law.variance(theta) + (narrow + wide) / 2), _NARROW)


def place(law: Tilt, own: Sequence[Tilt], theta: float) -> float:
    """The real t at which d_t is 0, half above the one at which h_t is largest, near the tilt of the two laws' change.

    Tilted, G has about a normal pmf of the variance V around its mode, which is half a skewness below the mean plus
    1/2. To the first order in 1/V P_0/P_1 is lambda where E (J - c)^2, J of K_0 or K_1, is the same under both: t is
    the mode less 1/2 and plus c. As P_0 and P_1 lie apart, the skewness moves it once more, by the square of their
    distance. It steers.
    """
    _, mean, variance = law.at(theta)
    (_, first, narrow), (_, last, wide) = (one.at(theta) for one in own)
    distance = last - first
    if distance > 0:
        mean += (first + last) / 2 + (wide - narrow) / (2 * distance)
    if variance < _LEAST:
        return mean
    step = _SKEW * min(1.0, *(abs(end - theta) for end in law.ends))
    before, after = (law.variance(theta + side * step) for side in (-1, 1))
    skew, far = (after - before) / (2 * step * variance), min(distance / variance, 1.0)
    return mean - skew / 2 + skew * variance * far**2 / 24  # beyond one there is nothing to expand in


def _fainter(law: Tilt, theta: float) -> float:
    """Log of about -log P(S <= t), t being the mean under this tilt, in units of what can be held."""
    growth, mean, _ = law.at(theta)
    return math.log(max(theta * mean - growth, 1e-300) / FAINT_NATS)


def _between(laws: Sequence[Tilt], limit: Limit, middle: float, distance: float) -> float:
    """Where P_0 and lambda P_1 are about as likely, each by its own saddle point, near ``middle``; it steers."""

    def gap(x: float) -> float:
        zero, one = (_log_density(law, middle + x * distance) for law in laws)
        return zero - one - limit.steer()

    return middle + distance * steer(gap, -1.0, 1.0, start=0.0, tolerance=_ALIKE)


def _log_density(law: Tilt, t: float) -> float:
    """Log of P(S = t), about."""
    theta = law.toward(t)
    return law.exponent(theta, t) - math.log(law.variance(theta) + 1) / 2
