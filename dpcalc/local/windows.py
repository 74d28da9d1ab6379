r"""The window of the notes: the outcomes within z standard deviations of the mean, both ends included.

It is that of a dataset *as it is*, for R and for 1/R. The n records have k reports each, N = k n. With c ones their sum
S has the mean k c p + k (n - c) q and the variance N p q, and a whole outcome s is in the window if

    (s - mean)^2 <= z^2 N p q.

One record's 1 becomes 0:  R = P[S = s; the 1 made 0] / P[S = s; as it is].  One side asks for R <= lambda at every
outcome of the window; two sides ask for 1/R <= lambda too. The least q is the one *from which on* this holds: the ends
of the window pass whole outcomes as q grows, so that a larger q may fail where a smaller one holds.

With all bits exchanged 1/R becomes R, at N - s, of the pair whose first dataset has n + 1 - c ones, and the window
becomes that of the second one of the pair (proof notes, 7.11). So everything is asked of R alone, in the window of the
pair's first dataset or, with ``neighbour``, of its second. R falls as s grows (7.9): the least outcome decides.

The window's lower end is k c + h(q) with h(q) = k (n - 2c) q - z sqrt(N p q), which is convex in q.

*Ties.* A ratio may be the limit exactly where its outcome enters or leaves a window. With t = q/p the chance of s ones,
of N reports i of which are 1 with probability p, is p^N times the sum over j of C(i, j) C(N - i, s - j) t^{i+s-2j}. So
R <= lambda is F(t) >= 0, and s lies in the window where W(t) <= 0, with rational polynomials F and W, W of degree 2. If
both have a factor G, F = G F_1 and W = G W_1, and F_1 W_1 < 0 on a range, then F W = G^2 F_1 W_1 <= 0 there: F >= 0
where W < 0, and where W = 0, G = 0 and F = 0. If W is a square, the window only touches s, at one t, and there F is 0
if G has a root at all (proof notes, L10).
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import comb, isqrt

from flint import arb_poly, fmpq, fmpq_poly

from dpcalc.numbers.ball import bits_for, union, working_precision

_MOST = 4_000  # reports: the polynomials have as many coefficients, of as many bits
BITS = 64  #: of balls, beyond what lambda - 1 and the widths of ranges need


@dataclass(frozen=True, slots=True, kw_only=True)
class Windows:
    """The windows of pairs of datasets: m ones in the first, 1 <= m <= n, and m - 1 in the second.

    Attributes:
        n, k: records, and reports of each.
        sigmas: z.
        neighbour: whether the windows are those of the second datasets.
    """

    n: int
    k: int
    sigmas: Fraction
    neighbour: bool = False

    @property
    def total(self) -> int:
        """N."""
        return self.n * self.k

    def least(self, ones: int, low: Fraction, high: Fraction) -> int:
        """The least outcome in the window for a q in [low, high), or at low = high; it may be above the upper end."""
        return max(0, self.k * ones + self.offset(ones, low, high))

    def offset(self, ones: int, low: Fraction, high: Fraction) -> int:
        """The same less k m, before it is cut off at 0: it does not grow with m."""
        return self._lower_end(self._drift(ones), low, high) - self.k * self.neighbour

    def largest(self, ones: int, low: Fraction, high: Fraction) -> int:
        """The largest outcome in the window for a q in [low, high), or at low = high."""
        return min(self.total, self.k * self._held(ones) - self._lower_end(-self._drift(ones), low, high))

    def _held(self, ones: int) -> int:
        return ones - self.neighbour

    def _drift(self, ones: int) -> int:
        """How fast the window's middle moves with q."""
        return self.k * (self.n - 2 * self._held(ones))

    def _lower_end(self, drift: int, low: Fraction, high: Fraction) -> int:
        """The least whole number that is at least h(q) = drift q - z sqrt(N p q) for a q in [low, high)."""
        if low == high or not self._falls(drift, low):
            return self._end(drift, low, -1)
        if self._falls(drift, high):  # h is larger before high
            return 1 - self._end(-drift, high, 1)
        z, n = self.sigmas.denominator, self.sigmas.numerator  # over all q it is (drift - sqrt(drift^2 + z^2 N))/2
        return first_within(drift * z, (drift * z) ** 2 + n**2 * self.total, 2 * z)

    def _end(self, drift: int, q: Fraction, side: int) -> int:
        """The least whole number that is at least drift q + side z sqrt(N p q)."""
        u, whole, z = q.numerator, q.denominator, self.sigmas
        square = z.numerator**2 * self.total * u * (whole - u)
        return first_within(drift * u * z.denominator, square, whole * z.denominator, side)

    def _falls(self, drift: int, q: Fraction) -> bool:
        """Whether the slope of h is negative at q."""
        return drift <= 0 or 4 * drift**2 * q * (1 - q) < self.sigmas**2 * self.total * (1 - 2 * q) ** 2


def first_within(middle: int, square: int, scale: int, side: int = -1) -> int:
    """The least whole number that is at least (middle + side sqrt(square))/scale."""
    root = isqrt(square)
    return -((-middle - root - (root * root < square)) // scale) if side > 0 else -((root - middle) // scale)


def tied(windows: Windows, ones: int, outcome: int, lam: Fraction, low: Fraction, high: Fraction) -> bool:
    """Whether R <= lambda is proven for all q in [low, high] at which the outcome lies in the window of a dataset."""
    total, k = windows.total, windows.k
    if total > _MOST:
        return False
    spare = _poly(lam) * _law(total, k * ones, outcome) - _law(total, k * (ones - 1), outcome)
    held = k * (ones - windows.neighbour)
    apart = fmpq_poly([outcome - held, outcome - (total - held)])
    window = apart * apart - _poly(windows.sigmas**2 * total) * fmpq_poly([0, 1])
    common = window.gcd(spare % window)
    if common.degree() < 1:
        return False
    if window.gcd(window.derivative()).degree() == 1:  # a square
        return True
    with working_precision(2 * BITS + total + bits_for((high - low) / high)):
        t = union(low / (1 - low), high / (1 - high))
        return bool(arb_poly(spare // common)(t) * arb_poly(window // common)(t) < 0)


def _law(total: int, likely: int, outcome: int) -> fmpq_poly:
    """The chance of so many ones over p^N, as a polynomial in t."""
    found = [0] * (total + 1)
    for j in range(max(0, outcome - total + likely), min(likely, outcome) + 1):
        found[likely + outcome - 2 * j] += comb(likely, j) * comb(total - likely, outcome - j)
    return fmpq_poly(found)


def _poly(x: Fraction) -> fmpq_poly:
    return fmpq_poly([fmpq(x.numerator, x.denominator)])
