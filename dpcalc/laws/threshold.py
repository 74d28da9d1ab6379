r"""The last place at which one law outweighs another: where h_t, a sum of d up to t, is largest.

With K = K_0 - lambda K_1 the circle tells h_t = P_0(S <= t) - lambda P_1(S <= t) and the differences d_t of h. Let d be
positive up to some place and not positive beyond, as where P_0/P_1 falls (proof notes, 1.2, 11.3 and N2). Then delta
is h_t at the last t with d_t > 0. The signs of d next to t show which t that is. If one of them stays open, the next
ones bound by how much delta may be more; and whatever the signs, no h exceeds h_t by more than the two tails beyond t.

Source: proof notes, 6 and N10.
"""

from __future__ import annotations

import operator
from collections.abc import Sequence
from functools import reduce

from flint import arb, ctx

from dpcalc.laws.circle import Coefficients, Contour, Signed, Term, chernoff, read, truncation
from dpcalc.laws.parts import Part


class Threshold:
    """The search for the last t with d_t > 0; it remembers t while the precision rises.

    Attributes:
        t: where it begins, and then where it has come to.
    """

    def __init__(
        self,
        law: Part,
        kernels: Sequence[Sequence[Term]],
        t: int,
        *,
        low: float,
        high: float,
        deviation: float,
    ) -> None:
        """The search.

        Args:
            law: G.
            kernels: K_0 and -lambda K_1, together or, where the two laws lie far apart, each by itself.
            t: about the place.
            low: the place is not below it.
            high: it is not above it; both may be infinite.
            deviation: about that of the sum; it steers.
        """
        self._law, self._kernels, self._ends = law, kernels, (low, high)
        self._span = max(1.0, deviation)
        self._held: tuple[int, int, list[tuple[Signed, Contour]]] = (0, t, [])
        self.t = int(min(max(t, low), high))

    def divergence(self) -> arb:
        """An enclosure of delta at the current precision; not finite if it is not settled there."""
        height, missed = self.settled()
        return height.max(arb(0)) + (missed if missed.is_finite() else arb(0).union(self.beyond().upper()))

    def settled(self) -> tuple[arb, arb]:
        """h_t and an enclosure of delta - h_t; the latter is not finite where the signs of d do not settle it."""
        (low, high), stride = self._ends, 1
        while True:
            here = self.at(self.t)
            if here.here < 0:
                high, guess = self.t - 1, self.t - stride
            elif here.after > 0:
                low, guess = self.t + 1, self.t + stride
            else:
                return here.cumulative, self._missed(here, low, high)
            self.t, stride = guess if low <= guess <= high else int((low + high) // 2), 2 * stride

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

    def beyond(self) -> arb:
        """A bound of P_0(S > t) + lambda P_1(S <= t), so of 1 - h_t and of delta - h_t.

        Another t' gains at most P_0(t < S <= t') upwards and lambda P_1(t' < S <= t) downwards: where the two laws lie
        far apart, the place of t between them does not matter.
        """
        zero, one = (term for kernel in self._kernels for term in kernel)
        above = chernoff([self._law, zero.law], self.t + 1, upper=True)
        return above - one.weight() * chernoff([self._law, one.law], self.t, upper=False)
