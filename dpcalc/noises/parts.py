r"""Independent parts of a noise by their generating functions G(z) = E z^X, inside the annulus where those converge.

=============  ========================================  =================================================
``Coins``      Bin(N, p)                                 (q + p z)^N
``Events``     Poisson(mu), or minus it                  e^{mu (z - 1)}
``Failures``   negative binomial, or minus it            ((1 - a)/(1 - a z))^shape, |z| < 1/a
``Gaussian``   P[X = x] in proportion to e^{-x^2/2 v}    theta(z)/theta(1), theta(z) = sum_x e^{-x^2/2 v} z^x
``Finite``     finitely many masses                      a polynomial
=============  ========================================  =================================================

*Fading.* On a circle |z| = r, |G(r e^{iu})| <= G(r) e^{-V (1 - cos u)}. A coin has V = p q r/(q + p r)^2; Poisson(mu)
is a limit of coins, V = mu r. By Jacobi's triple product

    theta(z) = prod_{j >= 1} (1 - h^{2j}) (1 + z h^{2j-1}) (1 + h^{2j-1}/z),    h = e^{-1/2v},

the discrete Gaussian is a sum of coins and minus coins; V >= v - 1/4 whatever r is. For the negative binomial, with
b = a r, log |1 - b e^{iu}|^2 is concave in 1 - cos u: V = (shape/2) log((1 + b)/(1 - b)). A list may have V = 0.

Source: proof notes, N9.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction

from flint import acb, acb_poly, arb, ctx

from dpcalc.laws.inversion import Product, Term, guard_bits, invert
from dpcalc.laws.pmf import Pmf
from dpcalc.laws.tilt import Moments, Tilt, moments
from dpcalc.noises import poisson
from dpcalc.noises.noise import Ends
from dpcalc.numbers.ball import MAX_EXPONENT, ball
from dpcalc.numbers.limit import Limit
from dpcalc.numbers.search import logarithm

_MOST = 700.0  # the largest exponent of a float
_WIDE = 4.0  # a variance from which the discrete Gaussian is steered as a continuous one
_TERMS = 14  # of its sum on either side below it, more than six deviations
_GUARD = 16  # bits
_SUMMED = 64  # terms to a bit of precision, up to which an inversion takes longer
_SHORT = 64  # factors up to which a product is multiplied out


class Part(Ends, ABC):
    """One of the independent parts of a noise."""

    __slots__ = ()

    @property
    def mirror(self) -> Part:
        """The law of -X, up to a translation: itself, if it is symmetric."""
        return self

    def plus(self, other: Part) -> Part | None:
        """The sum of two as one of the same kind, if it is one."""
        return None

    @property
    @abstractmethod
    def lost(self) -> int:
        """Bits that G loses to rounding."""

    @property
    def reach(self) -> tuple[float, float]:
        """The least and the largest log |z| where G converges, about."""
        return -math.inf, math.inf

    def converges(self, r: arb) -> bool:
        """Whether G is proven to converge at r."""
        return bool(r > 0)

    @abstractmethod
    def transform(self) -> Callable[[acb], acb]:
        """G at the current precision."""

    @abstractmethod
    def fading(self, r: arb) -> arb:
        """V."""

    @abstractmethod
    def moments(self, theta: float) -> Moments:
        """At the tilt theta, within ``reach``."""


class _Signed(Part):
    """A variable from 0 up for sign 1; minus such a variable for sign -1."""

    __slots__ = ()
    sign: int

    @property
    def low(self) -> int | None:
        """0, or none."""
        return 0 if self.sign > 0 else None

    @property
    def high(self) -> int | None:
        """None, or 0."""
        return None if self.sign > 0 else 0


class Strict(Part):
    """A part f whose likelihood ratios f(s)/f(s - c) fall strictly.

    coins      f(s)/f(s - c) = (p/q)^c prod_{i=1}^c (N - s + i)/(s - c + i),
    Poisson    f(s)/f(s - c) = mu^c / prod_{i=1}^c (s - c + i),
    Gaussian   f(s)/f(s - c) = e^{c (c - 2s)/2v}.
    """

    __slots__ = ()

    @abstractmethod
    def at_most(self, t: int) -> arb | None:
        """P[X <= t] at the current precision, with its digits where it is small; None where that of a sum is faster."""

    @abstractmethod
    def log_ratio(self, s: int, shift: int) -> arb:
        """Log of f(s)/f(s - shift), both > 0."""

    @abstractmethod
    def near(self, shift: int, epsilon: float) -> float:
        """The s where it is epsilon, about."""

    def first(self, count: int, bits: int) -> list[Fraction] | None:
        """The masses of so many least values, where they are rational and take at most about so many bits."""
        return None

    def faint(self, shift: int, limit: Limit) -> bool:
        """Whether P[X <= the last s with a ratio above lambda] is proven to be below e^-1,000,000."""
        return False


@dataclass(frozen=True, slots=True)
class Coins(Strict):
    """Bin(trials, chance), 0 < chance < 1."""

    trials: int
    chance: Fraction
    low = 0

    @property
    def high(self) -> int:
        """All trials."""
        return self.trials

    @property
    def mirror(self) -> Coins:
        """The failures."""
        return Coins(self.trials, 1 - self.chance)

    def plus(self, other: Part) -> Part | None:
        """Coins of one chance."""
        if isinstance(other, Coins) and other.chance == self.chance:
            return replace(self, trials=self.trials + other.trials)
        return None

    @property
    def lost(self) -> int:
        """Those of the power."""
        return guard_bits([(self.chance, self.trials)])

    def transform(self) -> Callable[[acb], acb]:
        """A power."""
        return self._product.at

    def fading(self, r: arb) -> arb:
        """N times that of a coin."""
        return self._product.spread(r)

    @property
    def _product(self) -> Product:
        return Product([(self.chance, self.trials)])

    def moments(self, theta: float) -> Moments:
        """Of tilted coins."""
        tilt = Tilt([(self.chance, self.trials)])
        return Moments(tilt.exponent(theta, 0), tilt.mean(theta), tilt.variance(theta))

    def at_most(self, t: int) -> arb:
        """By inversion, of the smaller tail."""
        if not 0 <= t < self.trials:
            return arb(int(t >= 0))
        if t > self.trials * self.chance:
            return 1 - self.mirror.at_most(self.trials - t - 1)
        return invert([(self.chance, self.trials)], [Term(lambda: arb(1), ())], t).cumulative

    def log_ratio(self, s: int, shift: int) -> arb:
        """See ``Strict``."""
        odds = (ball(self.chance) / ball(1 - self.chance)).log()
        return shift * odds + _log_rising(self.trials - s + 1, shift) - _log_rising(s - shift + 1, shift)

    def near(self, shift: int, epsilon: float) -> float:
        """From the middle one of the factors."""
        odds = logarithm(1 - self.chance) - logarithm(self.chance)
        return (self.trials + 1) / (1 + math.exp(min(epsilon / shift + odds, _MOST))) + (shift - 1) / 2

    def first(self, count: int, bits: int) -> list[Fraction] | None:
        """By their formula."""
        n, p, q = self.trials, self.chance, 1 - self.chance
        if count * n * p.denominator.bit_length() > bits:
            return None
        return [math.comb(n, s) * p**s * q ** (n - s) for s in range(count)]


@dataclass(frozen=True, slots=True)
class Events(_Signed, Strict):
    """Poisson(mean) for sign 1; minus such a variable for sign -1."""

    mean: Fraction
    sign: int = 1

    @property
    def mirror(self) -> Events:
        """The other sign."""
        return replace(self, sign=-self.sign)

    def plus(self, other: Part) -> Part | None:
        """Numbers of one sign."""
        if isinstance(other, Events) and other.sign == self.sign:
            return replace(self, mean=self.mean + other.mean)
        return None

    @property
    def lost(self) -> int:
        """Those of the exponential."""
        return poisson.guard_bits(self.mean)

    def transform(self) -> Callable[[acb], acb]:
        """An exponential."""
        mu = ball(self.mean)
        return lambda z: (mu * (z**self.sign - 1)).exp()

    def fading(self, r: arb) -> arb:
        """The mean of the tilted part."""
        return ball(self.mean) * r**self.sign

    def moments(self, theta: float) -> Moments:
        """Of the mean mu e^theta."""
        tilted = float(self.mean) * math.exp(min(self.sign * theta, _MOST))
        return Moments(tilted - float(self.mean), self.sign * tilted, tilted)

    def at_most(self, t: int) -> arb:
        """By inversion, of the smaller tail."""
        return poisson.at_most(self.mean, t) if self.sign > 0 else poisson.at_least(self.mean, -t)

    def log_ratio(self, s: int, shift: int) -> arb:
        """See ``Strict``; of minus a Poisson number, its mirror image."""
        first = s - shift if self.sign > 0 else -s
        return self.sign * (shift * ball(self.mean).log() - _log_rising(first + 1, shift))

    def near(self, shift: int, epsilon: float) -> float:
        """From the middle one of the factors."""
        ratio = math.exp(min(epsilon / shift, _MOST))
        if self.sign > 0:
            return float(self.mean) / ratio + (shift - 1) / 2
        return min((shift + 1) / 2 - float(self.mean) * ratio, 0.0)

    def faint(self, shift: int, limit: Limit) -> bool:
        """By Chernoff's bound.

        f(s) > lambda f(s + c) takes (s + 1) ... (s + c) > lambda mu^c, hence s > mu lambda^{1/c} - c, and with s > mu
        Chernoff's bound is P[X >= s] <= e^{-s (log(s/mu) - 1) - mu}.
        """
        mean = ball(self.mean)
        least = mean * (limit.log_ball() / shift).exp() - shift
        return self.sign < 0 and least > mean and least * ((least / mean).log() - 1) + mean > MAX_EXPONENT


@dataclass(frozen=True, slots=True)
class Failures(_Signed):
    """Negative binomial, P[X = x] in proportion to Gamma(x + shape)/x! rho^-x, x >= 0; or minus such a variable.

    Attributes:
        shape: > 0; 1 is the geometric distribution.
        rho: > 1.
        sign: 1 or -1.
    """

    shape: Fraction
    rho: Limit
    sign: int = 1

    @property
    def mirror(self) -> Failures:
        """The other sign."""
        return replace(self, sign=-self.sign)

    def plus(self, other: Part) -> Part | None:
        """Numbers of one ratio and sign."""
        if isinstance(other, Failures) and (other.rho, other.sign) == (self.rho, self.sign):
            return replace(self, shape=self.shape + other.shape)
        return None

    @property
    def lost(self) -> int:
        """Those of the power, and of a ratio next to 1."""
        narrow = math.ceil(max(0.0, -math.log2(max(self.rho.steer(), 1e-300))))
        return math.ceil(self.shape).bit_length() + narrow + _GUARD

    @property
    def reach(self) -> tuple[float, float]:
        """Up to log rho on one side."""
        edge = self.rho.steer()
        return (-math.inf, edge) if self.sign > 0 else (-edge, math.inf)

    def converges(self, r: arb) -> bool:
        """Whether r^sign < rho."""
        return bool(r > 0) and bool(self.sign * r.log() < self.rho.log_ball())

    def transform(self) -> Callable[[acb], acb]:
        """A power of a quotient."""
        a, shape, whole = 1 / self.rho.ball(), ball(self.shape), -(-self.rho.log_ball()).expm1()
        if self.shape.denominator == 1:
            power = int(self.shape)
            return lambda z: (whole / (1 - a * z**self.sign)) ** power
        return lambda z: (whole / (1 - a * z**self.sign)) ** acb(shape)

    def fading(self, r: arb) -> arb:
        """From the chord of the logarithm."""
        b = r**self.sign / self.rho.ball()
        return ball(self.shape) / 2 * ((1 + b) / (1 - b)).log() if b < 1 else arb(0)

    def moments(self, theta: float) -> Moments:
        """Of the tilted ratio."""
        edge, shape = self.rho.steer(), float(self.shape)
        gap = -math.expm1(min(self.sign * theta - edge, -1e-300))  # 1 - b
        growth = shape * (math.log(-math.expm1(-edge)) - math.log(gap))
        return Moments(growth, self.sign * shape * (1 - gap) / gap, shape * (1 - gap) / gap**2)


@dataclass(frozen=True, slots=True)
class Gaussian(Strict):
    """P[X = x] in proportion to e^(-x^2 / (2 square)), on all integers."""

    square: Fraction

    @property
    def lost(self) -> int:
        """Those of a tilt, or of so many terms."""
        return math.ceil(self.square).bit_length() + _GUARD

    def transform(self) -> Callable[[acb], acb]:
        """Jacobi's third theta function, as a function of log z / (2 pi i)."""
        turn = 2 * arb.pi() * acb(0, 1)
        whole = self._theta(acb(0))
        return lambda z: self._theta(z.log() / turn) / whole

    def _theta(self, u: acb) -> acb:
        narrow = acb(0, 1) / (2 * arb.pi() * ball(self.square))
        return acb.modular_theta(u, narrow)[2]

    def fading(self, r: arb) -> arb:
        """The square less a quarter, if that is above 0."""
        return (ball(self.square) - arb(1) / 4).nonnegative_part()

    def at_most(self, t: int) -> arb | None:
        """The sum, if it is short: its terms fall faster than a geometric series, which bounds the others."""
        if t >= 0:
            above = self.at_most(-t - 1)
            return None if above is None else 1 - above
        double, nats = 2 * float(self.square), math.log(2) * ctx.prec
        terms = math.ceil(double * nats / (math.hypot(t, math.sqrt(double * nats)) - t)) + 2
        if terms > _SUMMED * ctx.prec:
            return None
        first, ratio, falls = (ball(-x / (2 * self.square)).exp() for x in (t * t, 1 - 2 * t, 2))
        total, mass = arb(0), arb(1)  # over the first
        for _ in range(terms):
            total += mass
            mass *= ratio
            ratio *= falls
        rest = mass / (1 - ratio)
        return first * (total + rest.union(arb(0))) / self._theta(acb(0)).real

    def log_ratio(self, s: int, shift: int) -> arb:
        """See ``Strict``."""
        return ball(shift * (shift - 2 * s) / (2 * self.square))

    def near(self, shift: int, epsilon: float) -> float:
        """Where that is epsilon."""
        return shift / 2 - float(self.square) * epsilon / shift

    def moments(self, theta: float) -> Moments:
        """As of a continuous one, or summed."""
        square = float(self.square)
        if square >= _WIDE:
            return Moments(theta**2 * square / 2, theta * square, square)
        growth, mean, variance = self._summed(theta, square)
        return Moments(growth - self._summed(0.0, square).growth, mean, variance)

    def _summed(self, theta: float, square: float) -> Moments:
        """Of the terms that matter, in units of the one at 0."""
        middle = round(theta * square)
        return moments([(x, -x * x / (2 * square)) for x in range(middle - _TERMS, middle + _TERMS + 1)], theta)


@dataclass(frozen=True, slots=True)
class Finite(Part):
    """Finitely many masses, from 0 on.

    Attributes:
        pmf: the probabilities; or
        rho: P[X = x] in proportion to rho^-|x - bound|, 0 <= x <= 2 bound.
        bound: as in ``GeometricLaw``.
    """

    pmf: Pmf | None
    rho: Limit | None = None
    bound: int = 0
    low = 0

    @property
    def high(self) -> int:
        """The last of the list."""
        return 2 * self.bound if self.pmf is None else len(self.pmf) - 1

    @property
    def mirror(self) -> Finite:
        """The list backwards."""
        if self.pmf is None:
            return self
        return Finite(Pmf(weights=self.pmf.weights[::-1], denominator=self.pmf.denominator))

    @property
    def lost(self) -> int:
        """Those of a sum."""
        return self.high.bit_length() + _GUARD

    def transform(self) -> Callable[[acb], acb]:
        """A polynomial."""
        masses = self._masses()
        whole = sum(masses, arb(0))
        polynomial = acb_poly([acb(mass / whole) for mass in masses])
        return lambda z: polynomial(z)

    def _masses(self) -> list[arb]:
        if self.pmf is not None:
            return [ball(weight) for weight in self.pmf.weights]
        assert self.rho is not None
        decay = self.rho.log_ball()
        return [(-abs(x) * decay).exp() for x in range(-self.bound, self.bound + 1)]

    def fading(self, r: arb) -> arb:
        """Nothing is known."""
        return arb(0)

    def moments(self, theta: float) -> Moments:
        """Summed."""
        if self.pmf is not None:
            logs = [(x, logarithm(Fraction(w))) for x, w in enumerate(self.pmf.weights) if w]
            whole = logarithm(Fraction(self.pmf.denominator))
        else:
            assert self.rho is not None
            decay = self.rho.steer()
            logs = [(x, -abs(x - self.bound) * decay) for x in range(2 * self.bound + 1)]
            whole = moments(logs, 0.0).growth
        growth, mean, variance = moments(logs, theta)
        return Moments(growth - whole, mean, variance)


def _log_rising(x: int, count: int) -> arb:
    """Log of x (x + 1) ... (x + count - 1), x > 0."""
    if count <= _SHORT:
        return arb(math.prod(range(x, x + count))).log()
    return arb(x + count).lgamma() - arb(x).lgamma()
