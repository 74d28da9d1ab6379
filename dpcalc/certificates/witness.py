r"""Witnesses for single bits: circles, thresholds and blocks of datasets, chosen here and proven by ``dpcalc.check``.

``attained`` finds a lower bound of one dataset's delta, ``covered`` an upper bound of all of them, both with their
entries in the certificate. Both ask the checker itself what their choice proves, so that the certificate holds what the
checker will find. All else here is floating point and only steers. The choices follow ``laws.circle`` and
``worst.envelope``:

*circle*    for one dataset or what a block's datasets share: through the saddle point, with enough points that the
            aliases are fainter than the width asked for;
*envelope*  for many m at once: for real u, or, where flips are rare or q is close to 1/2, for whole u;
*sum*       for few reports, exactly.

``covered`` halves the block with the largest bound until that is small enough.
"""

from __future__ import annotations

import cmath
import math
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from dpcalc import check
from dpcalc.families.bits import Bits
from dpcalc.laws.circle import Contour, Signed, inside
from dpcalc.laws.threshold import place
from dpcalc.laws.tilt import Tilt
from dpcalc.numbers.ball import enclosure_of, working_precision
from dpcalc.numbers.limit import Limit
from dpcalc.numbers.search import best_first, logarithm
from dpcalc.pairs.pair import Pair
from dpcalc.pairs.threshold import saddle
from dpcalc.worst.envelope import LATTICE_DRIFT

_QUICK = 10**8  # a sum takes less work than a circle up to so many bits of all its numbers
_SHARE = 0.4  # the accuracy aimed at, as a share of the bits that cancellation leaves
_FAR = 1 << 430  # how far the radius for aliases lies from the circle's where there are none
_WINDOW = 4  # a circle looks at so many t around the sign change of d
_NARROW = 8  # a block of at most an eighth of all m is also bounded by the records that its datasets share
_SINGLES = 16  # a block of up to so many m is not worth an envelope
_REACH = 4  # range of u: to each side for whole u, in all for real u
_ORDERS = (6, 12, 24)  # of Taylor's polynomial: the first with ...
_LEFT_OUT = 10**9  # ... a remainder of less than one part in so many
_DIVIDED = 400  # blocks are divided so often
_VARIES = 1.2  # the logarithm of the factor by which delta_m may vary over an envelope
_WIDE_DRIFT = 1.2  # how far the best t may move away from a line
_WIDE_VARIANCE = 30  # of the pooled count, from which on real u serve
_SHORT = 1 << 40  # slopes are rounded to about 40 binary places

#: Entries of the certificate: those of a block or a dataset, or of the whole document.
Part = dict[str, Any]


@dataclass(frozen=True)
class Witnesses:
    """Finds the witnesses of one question, at the checker's precision.

    Attributes:
        law: the question, as the checker reads it.
        goal: the bound of delta that should be reached; delta is about that.
    """

    law: check.Law
    goal: Fraction

    # --- one dataset ----------------------------------------------------------------------------------------------

    def attained(self, m: int) -> tuple[Fraction, Part]:
        """A lower bound of delta_m and its witness: a circle, or a sum of few reports; -1 if none is proven."""
        zeros = self.law.n - 1 - m
        t = self._last(m, zeros)
        if self._few(self.law.k * self.law.n):
            part = Part(m=m, by="sum", t=t)
        else:
            part = Part(m=m, by="circle", **self._circle(m, zeros, t))
        try:
            return check.attained(self.law, check.Entries(self.law.exam, part)), part
        except check.Unproven:
            return Fraction(-1), part

    # --- all datasets ---------------------------------------------------------------------------------------------

    def covered(self) -> tuple[Fraction, list[Part]]:
        """An upper bound of all delta_m that are asked about, at most the goal if possible, and its witness."""
        if check.odds(self.law)[1] <= self.law.least:
            return Fraction(0), [Part({"from": low, "to": high, "by": "ratio"}) for low, high in self.law.ranges]
        if not self.goal:
            return Fraction(2), []
        left = best_first(
            [self._block(low, high) for low, high in self.law.ranges],
            self._halves,
            enough=lambda: self.goal,
            more=lambda block: block["from"] < block["to"] and self.law.exam.spent <= self.law.exam.most,
            most=_DIVIDED,
        )
        return left[0][0], sorted((block for _, block in left), key=lambda block: block["from"])

    def _halves(self, block: Part) -> list[tuple[Fraction, Part]]:
        middle = (block["from"] + block["to"]) // 2
        return [self._block(block["from"], middle), self._block(middle + 1, block["to"])]

    def _block(self, low: int, high: int) -> tuple[Fraction, Part]:
        """The best bound of a block, or the first that reaches the goal; 2 if none is proven."""
        best = Fraction(2), Part({"from": low, "to": high, "by": "ratio"})
        for way in self._ways(low, high):
            block = Part({"from": low, "to": high, **way})
            with suppress(check.Unproven):
                top = check.top(self.law, low, high, check.Entries(self.law.exam, block))
                best = min(best, (top, block), key=lambda one: one[0])
            if best[0] <= self.goal:
                break
        return best

    def _ways(self, low: int, high: int) -> Iterator[Part]:
        if (high - low) * _NARROW <= self.law.n:
            yield self._alone(low, high)
        if high - low > _SINGLES and self._alike(low, high):
            yield from self._envelopes(low, high)

    def _alike(self, low: int, high: int) -> bool:
        """Whether delta_m varies so little that the signs of d can be proven for the whole block at once."""
        others = self.law.n - 1
        ends = [self._integrand(m, others - m)[2].exponent(self._theta, self._at(m, others - m)) for m in (low, high)]
        return abs(ends[1] - ends[0]) < _VARIES

    def _alone(self, low: int, high: int) -> Part:
        """A witness for the records that all datasets of the block share."""
        zeros, reports = self.law.n - 1 - high, self.law.k * (self.law.n - high + low)
        if self._few(reports):
            t = min(max(0, math.floor(self._at(low, zeros))), reports - 1)
            _, here, after = check.summed(self.law, self.law.least, low, zeros, t)
            return Part(by="sum", t=t if here > 0 >= after else self._last(low, zeros))
        t = max(0, min(self._last(low, zeros), reports - _WINDOW + 2) - 1)  # beyond all reports d is 0
        return Part(by="circle", **self._circle(low, zeros, t, _WINDOW), pieces=_WINDOW)

    def _envelopes(self, low: int, high: int) -> Iterator[Part]:
        """Envelopes at whole u, where the best t stays near a line of whole slope; else at real u."""
        middle, half = (low + high) // 2, (high - low + 1) // 2
        places = [self._at(m, self.law.n - 1 - m) for m in (low, middle, high)]
        steep = (places[2] - places[0]) / (high - low)
        steady = [Fraction(x) for x in (self.law.k, 0) if abs(x - steep) * half <= LATTICE_DRIFT]
        for slope in steady:
            yield self._envelope(low, high, math.floor(places[1]) - _REACH, slope, 2 * _REACH)
        drift, reports = places[1] - (places[0] + places[2]) / 2, self.law.k * self.law.n
        smooth = reports * self.law.q * (1 - self.law.q) > _WIDE_VARIANCE and not self._few(reports)
        if smooth and not steady and abs(drift) < _WIDE_DRIFT:
            slope = Fraction(round(steep * _SHORT), _SHORT)
            yield self._envelope(low, high, round(places[1] - drift / 2) - _REACH // 2, slope, _REACH, wide=1)

    def _envelope(self, low: int, high: int, start: int, slope: Fraction, pieces: int, wide: int = 0) -> Part:
        """An envelope, with Taylor polynomials of so high an order that little is left out halfway round the circle."""
        middle, half = (low + high) // 2, (high - low + 1) // 2
        circle = self._circle(middle, self.law.n - 1 - middle, max(start, 0), pieces)
        turn, q = math.pi * circle["kept"] / circle["points"], float(self.law.q)
        log_z = complex(logarithm(check.Entries(self.law.exam, circle).number("r")), turn)
        z = cmath.exp(log_z)
        per_x = self.law.k * cmath.log((q + (1 - q) * z) / (1 - q + q * z)) - float(slope) * log_z
        far = min(half * abs(per_x) + wide * abs(log_z) / 2, 99.0)  # beyond any order
        order = next((i for i in _ORDERS if far ** (i + 1) * _LEFT_OUT < math.factorial(i + 1)), _ORDERS[-1])
        return Part(
            by="envelope", **circle, slope=str(slope), pieces=pieces, order=order, **({"wide": 1} if wide else {})
        )

    # --- where to look --------------------------------------------------------------------------------------------

    def _few(self, reports: int) -> bool:
        """Whether so many reports are summed up: their laws have so few bits together."""
        return (self.law.k + 3) * reports**2 * self.law.q.denominator.bit_length() <= _QUICK

    @property
    def _theta(self) -> float:
        return saddle((self.law.q, 1 - self.law.q), self.law.k, Limit(self.law.least))

    def _pair(self, ones: int, zeros: int) -> Pair:
        return Bits.symmetric(self.law.q, self.law.k, ones + zeros).pair(ones)

    def _at(self, ones: int, zeros: int) -> float:
        pair = self._pair(ones, zeros)
        return place(pair.others.tilt, [pair.zero.tilt, pair.one.tilt], self._theta)

    def _last(self, ones: int, zeros: int) -> int:
        """The last t with d_t > 0, found by the signs of d."""
        pair = self._pair(ones, zeros)
        search = pair.search(Limit(self.law.least))
        with working_precision(self.law.exam.bits + pair.others.guard_bits):
            search.settled()
            return search.t if search.at(search.t).here > 0 else max(0, search.t - 1)  # d_t may be 0

    def _integrand(self, ones: int, zeros: int) -> tuple[Pair, Signed, Tilt]:
        """G and K for these others and the changed record, and their tilt; its exponent is that of the integrand."""
        pair = self._pair(ones, zeros)
        signed = Signed(pair.kernel(Limit(self.law.least)))
        return pair, signed, Tilt.sum([pair.others.tilt, signed.tilt])

    def _circle(self, ones: int, zeros: int, t: int, reach: float = 0.0) -> Part:
        """A circle for the coefficient of z^t, and the ``reach`` next ones, for these others and the changed record."""
        (pair, signed, tilt), middle = self._integrand(ones, zeros), t + reach / 2
        peak = tilt.exponent(tilt.toward(inside(tilt, middle)), middle)
        nats = max(0.0, peak - logarithm(self.goal)) + _SHARE * math.log(2) * self.law.exam.bits
        found = Contour.around(pair.others, signed, middle, nats, span=reach / 2)
        left, r, right = (enclosure_of(x).lower for x in (found.left, found.r, found.right))
        if found.points > t + reach:  # no count is so far on this side, which the checker does not know
            left = r / _FAR
        if found.points > pair.reports - t:
            right = r * _FAR
        radii = {name: check.written(x) for name, x in (("left", left), ("r", r), ("right", right))}
        return Part(t=t, **radii, points=found.points, kept=found.kept)
