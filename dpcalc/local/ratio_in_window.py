r"""Whether the ratio R keeps a limit in the window of z standard deviations, every record 1: proven for ranges of q.

Of the N = k n pooled reports m are 0. What is known of R, given by (1) in ``local.ratio_ball``, for 0 < q < 1/2:

growth     It grows with m: from integer to integer, and in real m from k - 1 on, where no factor of m^(j) is negative.
convexity  For an integer m it is a sum of exponentials of t = log(p/q) without negative weights: convex in t, 1 at
           t = 0. So R > lambda at one q holds at every smaller q, and R < 1/lambda at two q holds between them.
mean       R <= 1 for integers m <= q N: by Maclaurin's inequality it is at most (m p/q + s q/p)^k / N^k, s = N - m,
           and that is 1 for m = q N.

An outcome lies in the window if (m - q N)^2 <= z^2 p q N: m between q N -+ z sqrt(p q N), or q between the ends of
Wilson's interval, (2 m + z^2 -+ z sqrt(4 m s / N + z^2)) / (2 (N + z^2)). For q < 1/2 the fewest and the most zeros of
the window, clipped to [0, N], both grow with q: q N + z sqrt(p q N) has a positive derivative, and q N - z sqrt(p q N)
is convex and 0 at q = 0, so that it rises from where it is 0 again.

Source: K16, sections 4.3 and 5.3; E. B. Wilson, Journal of the American Statistical Association 22 (1927).
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import isqrt, prod

from flint import arb, fmpq, fmpq_poly

from dpcalc.local.ratio_ball import end_ratio, ratio, slope
from dpcalc.numbers.ball import ball, enclosure_of, working_precision
from dpcalc.numbers.elementary import sqrt
from dpcalc.numbers.enclosure import Enclosure
from dpcalc.numbers.limit import Limit
from dpcalc.pairs.likelihood import likelihood_mean


@dataclass(frozen=True, slots=True)
class Edge:
    """The irrational q at which the outcome of so many zeros enters (side 1) or leaves (side -1) the window."""

    zeros: int
    side: int


@dataclass(frozen=True, slots=True, kw_only=True)
class RatioInWindow:
    """R, the window and a limit. What is True is proven; False means that it is not.

    ``side`` is 1 for the end with the most zeros, where R is to be at most lambda, and -1 for the end with the fewest,
    where it is to be at least 1/lambda.

    Attributes:
        total: N.
        k: reports per record.
        sigmas: z.
        limit: lambda > 1.
        bits: precision of the balls.
    """

    total: int
    k: int
    sigmas: Fraction
    limit: Limit
    bits: int

    # --- the window -----------------------------------------------------------------------------------------

    def outermost(self, q: Fraction, side: int) -> int:
        """The most, or the fewest, zeros of an outcome in the window; where the fewest are more, it holds none."""
        mean, square, scale = self._window(q)
        if side > 0:
            return min(self.total, (mean + isqrt(square)) // scale)
        return max(0, -((isqrt(square) - mean) // scale))

    def spans_an_outcome(self, q: Fraction) -> bool:
        """Whether the window is at least 1 wide at q, and so at every larger q."""
        _, square, scale = self._window(q)
        return 4 * square >= scale**2

    def _window(self, q: Fraction) -> tuple[int, int, int]:
        """(A, B, D): q N is A/D and z^2 p q N is B/D^2."""
        u, v, z = q.numerator, q.denominator - q.numerator, self.sigmas
        scale = q.denominator * z.denominator
        return u * self.total * z.denominator, z.numerator**2 * u * v * self.total, scale

    def edge(self, zeros: int, side: int) -> Fraction | Edge:
        """The q from which on (side 1), or up to which (side -1), an outcome lies in the window."""
        z, total = self.sigmas, self.total
        root = sqrt(Fraction(4 * zeros * (total - zeros), total) + z**2)
        if not root.exact:
            return Edge(zeros, side)
        return (2 * zeros + z**2 - side * z * root.value) / (2 * (total + z**2))

    # --- at an outcome --------------------------------------------------------------------------------------

    def kept(self, zeros: int, q: Fraction | Edge, side: int) -> bool:
        """Whether R <= lambda, or R >= 1/lambda; equality is recognized."""
        with working_precision(self.bits):
            spare = self._spare(self._ratio(zeros, q), side)
            return bool(spare >= 0) or (not spare < 0 and self._identical(zeros, q, side))

    def broken(self, zeros: int, q: Fraction | Edge, side: int) -> bool:
        """Whether R > lambda, or R < 1/lambda."""
        with working_precision(self.bits):
            return bool(self._spare(self._ratio(zeros, q), side) < 0)

    def reached(self, zeros: int, q: Fraction | Edge, side: int) -> bool:
        """Whether R >= lambda, or R <= 1/lambda; equality is recognized."""
        with working_precision(self.bits):
            spare = self._spare(self._ratio(zeros, q), side)
            return bool(spare <= 0) or (not spare > 0 and self._identical(zeros, q, side))

    def kept_between(self, zeros: int, low: Fraction | Edge, high: Fraction | Edge, side: int) -> bool:
        """Whether an outcome keeps the limit at every q in [low, high], by convexity."""
        if side > 0:
            return self.kept(zeros, low, side)
        if not self.kept(zeros, high, side):
            return False
        with working_precision(self.bits):
            # R lies above its tangents: that at high, whose t is the least, and that at low
            first, last = self._ball(low), self._ball(high)
            reach = ((1 / first - 1) / (1 / last - 1)).log()
            rise = self._slope(zeros, high)
            if rise >= 0 or self._spare(self._ratio(zeros, high) + rise * reach, side) >= 0:
                return True
            rise = self._slope(zeros, low)
            if not rise <= 0:
                return bool(self._spare(self._ratio(zeros, low) - rise * reach, side) >= 0)
        return self.kept(zeros, low, side)

    def broken_between(self, zeros: int, low: Fraction, high: Fraction | Edge, side: int) -> bool:
        """Whether an outcome breaks the limit at every q in [low, high], by convexity."""
        return self.broken(zeros, high, side) and (side > 0 or self.broken(zeros, low, side))

    def value(self, zeros: int, q: Fraction) -> Enclosure:
        """R."""
        with working_precision(self.bits):
            return enclosure_of(self._ratio(zeros, q))

    def equal(self, zeros: int, q: Fraction, side: int) -> bool:
        """Whether R = lambda, or R = 1/lambda."""
        with working_precision(self.bits):
            return self._spare(self._ratio(zeros, q), side).contains(0) and self._identical(zeros, q, side)

    def _identical(self, zeros: int, q: Fraction | Edge, side: int) -> bool:
        """The same in exact rationals; for an irrational edge modulo its quadratic equation.

        (p q)^k N^(k) R is the sum of C(k, j) m^(j) (N - j)^(k-j) (1 - 2q)^j q^{2(k-j)}.
        """
        lam, total, k = self.limit.lam, self.total, self.k
        if lam is None:  # e^epsilon is transcendental
            return False
        if isinstance(q, Fraction):
            return likelihood_mean(q, k, (zeros, total - zeros)) == lam**side
        z2 = self.sigmas**2
        equation = _polynomial(Fraction(zeros**2), -total * (2 * zeros + z2), total * (total + z2))
        x = fmpq_poly([0, 1])
        square = x * x % equation
        weights = [prod(range(total - k + 1, total + 1))]
        for j in range(k):
            weights.append(weights[-1] * (k - j) * (zeros - j) // ((j + 1) * (total - j)))
        found, power, product = fmpq_poly([0]), fmpq_poly([1]), fmpq_poly([1])
        for weight in reversed(weights):
            found, power = (found * (1 - 2 * x) + weight * power) % equation, power * square % equation
        for _ in range(k):
            product = product * (x - square) % equation
        bound = lam**side
        return bool(found * bound.denominator == product * (weights[0] * bound.numerator))

    # --- at the window's end --------------------------------------------------------------------------------

    def end_kept(self, low: Fraction, high: Fraction, side: int) -> bool:
        """Whether R at the real end of the window keeps the limit at every q in [low, high]."""
        with working_precision(self.bits):
            return bool(self._spare(self._end(low, high, side), side) >= 0)

    def end_broken(self, low: Fraction, high: Fraction, side: int, inward: int = 0) -> bool:
        """Whether R at the real end, or ``inward`` zeros further in, breaks the limit at every q in [low, high]."""
        with working_precision(self.bits):
            return bool(self._spare(self._end(low, high, side, inward), side) < 0)

    def mean_broken(self, low: Fraction, high: Fraction) -> bool:
        """Whether 1/R > lambda in [low, high] by Maclaurin's inequality, one zero in from the end with the fewest.

        There R <= (1 - x)^k, x = gamma (z - sqrt(gamma^2 + 4/N)) with gamma = (p - q)/sqrt(p q N): x is concave in
        gamma, so that the ends of the range decide.
        """
        with working_precision(self.bits):
            enough = 1 - (1 / self.limit.ball()).root(self.k)
            return all(bool(self._mean_drop(ball(q)) > enough) for q in (low, high))

    def _mean_drop(self, q: arb) -> arb:
        gamma = (1 - 2 * q) / (q * (1 - q) * self.total).sqrt()
        return gamma * (ball(self.sigmas) - (gamma**2 + arb(4) / self.total).sqrt())

    def end_value(self, q: Fraction, side: int) -> Enclosure:
        """R at the real end of the window."""
        with working_precision(self.bits):
            return enclosure_of(self._end(q, q, side))

    # --- balls ----------------------------------------------------------------------------------------------

    def _ratio(self, zeros: int, q: Fraction | Edge) -> arb:
        return ratio(self.total, self.k, zeros, self._ball(q))

    def _slope(self, zeros: int, q: Fraction | Edge) -> arb:
        return slope(self.total, self.k, zeros, self._ball(q))

    def _end(self, low: Fraction, high: Fraction, side: int, inward: int = 0) -> arb:
        return end_ratio(self.total, self.k, self.sigmas, side, low, high, inward)

    def _spare(self, found: arb, side: int) -> arb:
        """How far R is within the limit: 0 or positive if it keeps it."""
        return self.limit.ball() - found if side > 0 else self.limit.ball() * found - 1

    def _ball(self, q: Fraction | Edge) -> arb:
        if isinstance(q, Fraction):
            return ball(q)
        m, z2, total = q.zeros, self.sigmas**2, self.total
        root = ball(self.sigmas) * ball(Fraction(4 * m * (total - m), total) + z2).sqrt()
        upper = (ball(2 * m + z2) + root) / ball(2 * (total + z2))
        # the product of the two ends is m^2 / (N (N + z^2)): no digit of a small one is lost
        return upper if q.side < 0 else ball(m**2 / (total * (total + z2))) / upper


def _polynomial(*coefficients: Fraction) -> fmpq_poly:
    return fmpq_poly([fmpq(c.numerator, c.denominator) for c in coefficients])
