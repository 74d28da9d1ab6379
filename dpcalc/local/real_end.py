r"""The notes' bound at the real end of the window, for all records 1: R itself, no outcome.

Of the N = k n pooled reports let m = N - s be 0. With rho = p/q, 0 < q < 1/2 and x^(j) = x (x - 1) ... (x - j + 1),

    R_m(q) = rho^{-k} sum_j C(k, j) m^(j) / N^(j) (rho^2 - 1)^j,                                              (1)

which is (5.9), the mean of rho^{2i - k} over the number i of zeros among k of the reports, as E C(i, j) = C(k, j)
m^(j) / N^(j). At a real m each factor m - i of m^(j) is taken as max(0, m - i): every term then grows with m, and is
unchanged at whole m (proof notes, L8). So R at q N + z sqrt(p q N) is at least R at every whole outcome of the window,
and R at q N - z sqrt(p q N) at most: the bound covers all of them. Clipped to [0, N], R or 1/R is (p/q)^k.

If m = q N + zeta sqrt(p q N) >= k - 1 and gamma = (p - q)/sqrt(p q N), then R is the product of u_0, ..., u_{k-1} with

    (N - j)(u_j - 1) = N gamma (zeta - j gamma) - j (1 - 1/u_{j-1})                                           (2)

(7.8), the steps of ``pooled_ratio`` downwards, u_j being that of i = N - j. At the end of the window zeta is z, so that
R is a function of gamma alone, about exp(z k gamma - (k gamma)^2 / 2): what makes R large and what makes it small as q
varies have cancelled, and a few ranges of q reach from 1/2 to the answer.

Source: K16, (4.33)-(4.45), (5.9), (5.14)-(5.17).
"""

from __future__ import annotations

from fractions import Fraction
from functools import reduce

from flint import arb

from dpcalc.local.bounds import Bound, gamma
from dpcalc.local.pooled_ratio import downwards
from dpcalc.numbers.ball import ball, union, working_precision
from dpcalc.privacy.ratio import ratio_at


class RealEnd(Bound):
    """R at the real end of the window with the most zeros and, for two sides, 1/R at the other."""

    __slots__ = ()

    def over(self, low: Fraction, high: Fraction) -> arb:
        """The larger one."""
        found = self._over(low, high, 1)
        return found if self.sides == 1 else found.max(self._over(low, high, -1))

    def fails_inside(self, low: Fraction, high: Fraction) -> bool:
        """Whether 1/R > lambda at the outcome of the window with the fewest zeros, for all q in [low, high].

        If the window is at least 1 wide, that outcome has at most one zero more than the real end, which may not be
        clipped: 1/R is at least what it is there.
        """
        z2, total = self.sigmas**2, self.total
        if 4 * z2 * low * (1 - low) * total < 1 or low * total < z2 * (1 - low):
            return False
        with working_precision(self.bits):
            return bool(self.limit.ball() * self._ratio(low, high, -1, inward=1) < 1)

    def _over(self, low: Fraction, high: Fraction, side: int) -> arb:
        """R at the end with the most zeros (``side`` = 1), or 1/R at that with the fewest (-1).

        Clipped ends and others have balls of their own.
        """
        z2, found = self.sigmas**2, list[arb]()
        turn = (self.total if side > 0 else z2) / (self.total + z2)  # from here on, or up to here, it is
        clipped = (max(low, turn), high) if side > 0 else (low, min(high, turn))
        within = (low, min(high, turn)) if side > 0 else (max(low, turn), high)
        if clipped[0] <= clipped[1]:
            found.append((1 / union(*clipped) - 1) ** self.k)
        if within[0] <= within[1]:
            ratio = self._ratio(*within, side)
            found.append(ratio if side > 0 else 1 / ratio)
        return reduce(arb.union, found)

    def _ratio(self, low: Fraction, high: Fraction, side: int, inward: int = 0) -> arb:
        """R at the end, or 1 further in; m is at ``low`` the least and at ``high`` the most (7.6)."""
        total, k, z = self.total, self.k, ball(self.sigmas)
        zeros = [ball(q) * total + side * (z * ball(q * (1 - q) * total).sqrt() - inward) for q in (low, high)]
        if zeros[0] >= k - 1:
            across = gamma(total, low).union(gamma(total, high))
            further = (across * across + arb(4) / total).sqrt() if inward else 0  # 1/(p q N) = gamma^2 + 4/N
            zeta, wanted = side * (z - further), range(total - k + 1, total + 1)
            x = lambda i: total * across * (zeta - (total - i) * across)  # noqa: E731
            found = downwards(total, x, 1 + across * zeta, total, wanted)
            if found.is_finite():
                return found
        return ratio_at(total, k, total - zeros[0].union(zeros[1]), union(low, high))
