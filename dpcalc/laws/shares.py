r"""The law of shares of discrete Laplace noise: the difference of two negative binomials of one shape.

Each of n parties adds such a difference of shape 1/n. The sum of all n is discrete Laplace noise (infinite
divisibility), the sum of h of them has the shape h/n, and the sum of m discrete Laplace noises of one epsilon has the
shape m. With a = 1/rho

    f(s) = sum_{j >= 0} g(j) g(j + |s|),    g(j) = (1 - a)^shape (shape)_j/j! a^j,

falls in |s|. For shape > 1 it is log-concave. For shape < 1 it is log-convex on each side of 0: for c > 0 the ratio
f(s)/f(s - c) rises from rho^c up to s = 0 and falls from there to 1 at s = c/2; beyond it is at most 1.

*Tails.* f(x + 1)/f(x) falls to a for shape > 1, and rises to a for shape < 1. So with b the larger of a and
f(x)/f(x - 1), the sum of all masses after f(x) is at most f(x) b/(1 - b). Likewise for the terms of the sum above, with
g(j + 1)/g(j) = a (shape + j)/(j + 1).

Source: proof notes, N11; S. Goryczka, L. Xiong, A comprehensive comparison of multiparty secure additions with
differential privacy (2017), for the shares.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

from flint import arb, arb_poly, ctx

from dpcalc.errors import Undecided
from dpcalc.laws.parts import TailedLaw
from dpcalc.laws.symmetric import SymmetricLaw, laplace_deviation
from dpcalc.numbers.ball import ball, decide, refine, working_precision
from dpcalc.numbers.elementary import FINE
from dpcalc.numbers.enclosure import Enclosure
from dpcalc.numbers.limit import Limit

_MOST = 1 << 18  # masses in a list
_SEEN, _FAR = 64, 50_000  # bits of one outcome alone, and the farthest one that it is compared with


@dataclass(frozen=True, slots=True)
class SharesLaw(SymmetricLaw):
    """X - Y, both negative binomial.

    Attributes:
        shape: of both, > 0 and not 1.
        rho: of both, > 1.
    """

    shape: Fraction
    rho: Limit

    @property
    def deviation(self) -> float:
        """Sqrt(shape) times that of discrete Laplace noise."""
        return math.sqrt(self.shape) * laplace_deviation(self.rho)

    @property
    def guard_bits(self) -> int:
        """Guard bits of 1 - 1/rho where rho is next to 1, and of powers with a large shape."""
        return 2 * math.ceil(self.deviation).bit_length() + math.ceil(self.shape).bit_length() + 16

    @property
    def decay(self) -> Limit | None:
        """Rho for shape > 1."""
        return self.rho if self.shape > 1 else None

    def below(self, t: int) -> arb:
        """The sum of the masses up to t."""
        return self._listed(-t)[1][-t]

    def mass(self, s: int) -> arb:
        """f(s)."""
        return self._listed(abs(s))[0][abs(s)]

    def shown_by_zero(self, shift: int, limit: Limit, target: Fraction) -> bool:
        """Whether f(0) - lambda f(c), which delta is at least, is seen to be above a target.

        No masses are listed, so that rho may be next to 1: f(s) is (1 - a)^(2 shape) (shape)_s/s! a^s
        2F1(shape, shape + s; s + 1; a^2). As f falls, a nearer outcome may stand for s = c.
        """
        near = min(shift, _FAR)
        with working_precision(_SEEN):
            a, one = 1 / self.rho.ball(), ball(self.shape)
            first = (a * a).hypgeom_2f1(one, one, 1)
            after = (a * a).hypgeom_2f1(one, one + near, near + 1) * a**near * one.rising(near) / arb.fac_ui(near)
            weight = (-(-self.rho.log_ball()).expm1()) ** (2 * one)
            return bool(weight * (first - limit.ball() * after) > ball(target))

    def _listed(self, x: int) -> tuple[list[arb], list[arb]]:
        """f(0), f(1), ... and P[X >= 0], P[X >= 1], ..., at the current precision and at least up to x."""
        more = 1.1 * ctx.prec * math.log(2) / max(self.rho.steer(), 1e-300)
        size = x + math.ceil(min(more, 1e300)) + 10
        if size > _MOST:
            raise Undecided(
                f"shares of noise with this epsilon need {size:,} masses, more than {_MOST:,}: epsilon is too small"
            )
        return _masses(self.shape, self.rho, 1 << size.bit_length(), ctx.prec)

    def largest_loss(self, shift: int) -> Enclosure | None:
        """Log of f(0)/f(c) for shape < 1."""
        if self.shape > 1:
            return TailedLaw.largest_loss(self, shift)
        return refine(lambda: (self.mass(0) / self.mass(shift)).log(), rtol=FINE)

    def bounded(self, shift: int, limit: Limit) -> bool:
        """Whether f(0) <= lambda f(c) for shape < 1."""
        if self.shape > 1:
            return TailedLaw.bounded(self, shift, limit)
        return not decide(lambda: self.mass(0) - limit.ball() * self.mass(shift))

    def places(self, shift: int, limit: Limit) -> tuple[float, float]:
        """Between the first listed outcome, or 0, and c/2; some ratio must be above lambda."""
        return 0 if self.shape < 1 else shift - len(self._listed(shift)[0]) + 1, (shift - 1) // 2

    def crossing(self, shift: int, limit: Limit) -> float:
        """0: a look into the list takes next to nothing."""
        return 0.0

    def excess(self, shift: int, limit: Limit) -> arb:
        """The sum of f(s) - lambda f(s - c) where that is above 0, and of what is not listed at most all."""
        masses, tails = self._listed(shift + 1)
        first, lam = shift + 1 - len(masses), limit.ball()
        gains = (masses[abs(s)] - lam * masses[shift - s] for s in range(first, (shift + 1) // 2))
        return sum((gain.max(arb(0)) for gain in gains), arb(0).union(tails[1 - first].upper()))


@lru_cache(maxsize=16)
def _masses(shape: Fraction, rho: Limit, size: int, bits: int) -> tuple[list[arb], list[arb]]:
    """f(x) and P[X >= x] for x < size; they are products and sums of positive numbers, so that nothing cancels."""
    a, more, one = 1 / rho.ball(), size // 2, ball(shape)
    series = [(-(-rho.log_ball()).expm1()) ** one]  # g
    for j in range(size + more):
        series.append(series[-1] * a * (one + j) / (j + 1))
    product = arb_poly(series) * arb_poly(series[::-1])
    after = a * ((one + more) / (more + 1)).max(arb(1))  # at least g(j + 1)/g(j) for j >= more
    masses = []
    for x in range(size):
        left = series[size + more - x] * series[size + more] * after**2 / (1 - after**2) if after < 1 else arb.nan()
        masses.append(product[size + more + x] + arb(0).union(left.upper()))
    step = (masses[-1] / masses[-2]).max(a)
    rest = masses[-1] * step / (1 - step) if step < 1 else arb.nan()
    total, beyond = arb(0).union(rest.upper()), []
    for mass in reversed(masses):
        total += mass
        beyond.append(total)
    return masses, beyond[::-1]
