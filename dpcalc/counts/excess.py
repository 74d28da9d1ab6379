r"""The mean excess E[(X_1 + ... + X_n)_+] of independent, identically distributed reports, with every error bounded.

X takes finitely many rational values; M(t) = E e^{tX}. For S = X_1 + ... + X_n, independent Gaussian noise U of
standard deviation s, and H(v) = E[(S + U - v)_+], the Laplace transform of H at theta with Re theta > 0 is
M(theta)^n e^{s^2 theta^2/2} / theta^2. Poisson's summation formula for e^{sigma v} H(v) gives, for any sigma, P > 0
and theta_j = sigma + 2 pi i j/P,

    (1/P) sum_j M(theta_j)^n e^{s^2 theta_j^2/2} / theta_j^2 = sum_l e^{sigma l P} H(l P),

summed over all integers j and l. The term l = 0 is H(0) = E[(S + U)_+]; three errors are bounded in ball arithmetic.

*Aliases.* All are positive. (x - v)_+ <= e^{tau (x - v)} / (e tau) for every tau > 0, so that those with l > 0 sum to
at most A(tau) g(tau - sigma) for any tau > sigma, and those with l < 0 to at most A(tau) g(sigma - tau) for any
0 < tau < sigma, with A(tau) = M(tau)^n e^{s^2 tau^2/2} / (e tau) and g(x) = e^{-xP} / (1 - e^{-xP}).

*Points left out.* |M(theta_j)| <= M(sigma), and |theta_j| >= t_j = 2 pi |j|/P; from j = J on the points on either side
add at most (1/P) M(sigma)^n e^{s^2 (sigma^2 - t_J^2)/2} / t_J^2 / (1 - e^{-s^2 t_J t_1}).

*The noise.* Call E_s = E[(S + U)_+]. By Jensen's inequality E_s >= E[S_+]. And g_s(x) = E[(x + U)_+] - x_+ equals
E[(U - |x|)_+], so that g_{2s}(x) = 2 g_s(x/2) >= 2 g_s(x): hence

    2 E_s - E_{2s} <= E[S_+] <= E_s,

whose two sides differ by a multiple of s^2 where S is spread out.

Where S is made of a few rare, large values, the noise would have to be tiny beside them. Then E[S_+] = E S + E[(-S)_+]
leads to the other side, where those values hardly matter.

sigma, P, tau, J and s are chosen in floating point, which may only steer: the bounds hold for any choice.

Source: the hockey-stick divergence of a sum, as Balle, Bell, Gascon, Nissim 2019 (1903.02837), Lemma 5.3, leave it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias

from flint import acb, arb

from dpcalc.errors import Undecided
from dpcalc.numbers.ball import MAX_EXPONENT, ball, bits_for, enclosure_of, working_precision
from dpcalc.numbers.enclosure import Enclosure
from dpcalc.numbers.search import logarithm

__all__ = ["Atom", "excess_bound", "mean_excess"]

#: A value of X and its probability.
Atom: TypeAlias = tuple[Fraction, Fraction]

_MAX_POINTS = 1 << 17
_ROUNDS = 3
_FAINT = Fraction(1, 1 << MAX_EXPONENT - 1)  # a bound of what is too small to be held
_SPARE = 30  # bits and nats beyond the width asked for


def mean_excess(atoms: Sequence[Atom], n: int, *, rtol: Fraction) -> Enclosure:
    """E[(X_1 + ... + X_n)_+] to relative width ``rtol``; exact when the sum is never positive or never negative.

    Args:
        atoms: the values of X and their probabilities, > 0 and with sum 1.
        n: reports.
        rtol: relative width.

    Raises:
        Undecided: rtol is beyond reach (about 130,000 points).

    >>> coin = [(Fraction(2), Fraction(1, 3)), (Fraction(-1), Fraction(2, 3))]
    >>> print(mean_excess(coin, 1_000, rtol=Fraction(1, 10**3)))
    17.84...
    """
    largest, smallest = max(value for value, _ in atoms), min(value for value, _ in atoms)
    if largest <= 0:
        return Enclosure.of(0)
    if smallest >= 0:
        return Enclosure.of(n * sum((value * chance for value, chance in atoms), Fraction(0)))
    try:
        return _one_sided(atoms, n, rtol)
    except Undecided:
        return _other_sided(atoms, n, rtol)


def excess_bound(atoms: Sequence[Atom], n: int) -> Fraction:
    """A bound of E[(X_1 + ... + X_n)_+] for any n: M(t)^n / (e t), as x_+ <= e^{tx} / (e t); at about the best t > 0.

    >>> coin = [(Fraction(2), Fraction(1, 3)), (Fraction(-1), Fraction(2, 3))]
    >>> round(float(excess_bound(coin, 1_000)), 1)
    31.7
    """
    unit = max(abs(value) for value, _ in atoms)
    scaled = [(value / unit, chance) for value, chance in atoms]
    saddle = _Steering(scaled, n).saddle
    with working_precision(2 * _SPARE + n.bit_length()):
        t = arb(saddle)
        moment = sum((ball(chance) * (t * ball(value)).exp() for value, chance in scaled), arb(0))
        bound = moment**n / (arb(1).exp() * t)
        return unit * (_FAINT if bound < ball(_FAINT) else enclosure_of(bound).upper)


def _other_sided(atoms: Sequence[Atom], n: int, rtol: Fraction) -> Enclosure:
    """E S + E[(-S)_+], the second term as narrow as the sum needs."""
    mean = n * sum((value * chance for value, chance in atoms), Fraction(0))
    width, last = rtol / 4, None
    for _ in range(_ROUNDS):
        rest = _one_sided([(-value, chance) for value, chance in atoms], n, width)
        last = rest + mean
        if last.lower > 0 and last.relative_width() <= rtol:
            return last
        width *= min(Fraction(1, 4), rtol * max(last.lower, Fraction(0)) / rest.upper) or Fraction(1, 1000)
    raise Undecided(f"relative width {float(rtol):.3g} not reached", last)


def _one_sided(atoms: Sequence[Atom], n: int, rtol: Fraction) -> Enclosure:
    unit = max(abs(value) for value, _ in atoms)
    scaled = [(value / unit, chance) for value, chance in atoms]
    steering = _Steering(scaled, n)
    noise = math.sqrt(rtol / 4) / steering.saddle
    with working_precision(bits_for(rtol) + n.bit_length() + 2 * _SPARE):
        while True:
            little, much = (_noisy(scaled, n, steering.line(s, rtol)) for s in (noise, 2 * noise))
            lower, upper = enclosure_of(2 * little - much).lower, enclosure_of(little).upper
            if lower > 0 and upper - lower <= rtol * lower:
                return Enclosure(unit * lower, unit * upper)
            # the width falls like s^2, or like s where S has an atom at 0
            noise *= min(0.5, math.sqrt(rtol * lower / (upper - lower))) if lower > 0 else 0.25


@dataclass(frozen=True, slots=True)
class _Line:
    """The vertical line and its points, chosen in floating point.

    Attributes:
        noise: s.
        sigma: the line.
        period: P.
        left, right: the tau for the aliases l < 0 and l > 0.
        points: J.
    """

    noise: float
    sigma: float
    period: float
    left: float
    right: float
    points: int


def _noisy(atoms: Sequence[Atom], n: int, line: _Line) -> arb:
    """E[(S + U)_+] at the current precision."""
    values, chances = [ball(value) for value, _ in atoms], [ball(chance) for _, chance in atoms]
    sigma, period, half_square = arb(line.sigma), arb(line.period), arb(line.noise) ** 2 / 2
    step = 2 * arb.pi() / period

    def peak(t: arb) -> arb:
        """M(t)^n e^{s^2 t^2/2}."""
        moment = sum((chance * (t * value).exp() for value, chance in zip(values, chances, strict=True)), arb(0))
        return moment**n * (half_square * t * t).exp()

    total = peak(sigma) / sigma**2
    weights = [chance * (sigma * value).exp() for value, chance in zip(values, chances, strict=True)]
    for j in range(1, line.points):
        t = j * step
        theta = acb(sigma, t)
        moment = sum((weight * acb(0, t * value).exp() for value, weight in zip(values, weights, strict=True)), acb(0))
        total += 2 * (moment**n * (half_square * theta * theta).exp() / (theta * theta)).real
    total /= period

    aliases = arb(0)
    for tau in (arb(line.left), arb(line.right)):
        decay = (-abs(tau - sigma) * period).exp()
        aliases += peak(tau) / (arb(1).exp() * tau) * decay / (1 - decay)
    first = line.points * step
    rest = (-half_square * first * first).exp() / (1 - (-2 * half_square * first * step).exp())
    missing = 2 * peak(sigma) * rest / (first * first) / period
    return total - arb(0).union(aliases) + arb(0, missing.upper())


class _Steering:
    """Where to integrate; in floating point."""

    def __init__(self, atoms: Sequence[Atom], n: int) -> None:
        self._atoms = [(float(value), logarithm(chance)) for value, chance in atoms]
        self._n = n
        self.saddle = _increasing_root(lambda t: self._mean(t) - 2 / t)

    def line(self, noise: float, rtol: Fraction) -> _Line:
        """Aliases and points left out of about rtol e^-30 of the value, or the best found."""
        sigma, nats = self.saddle, _SPARE / 2 - logarithm(rtol)
        peak = self._exponent(sigma, noise)
        spread = math.sqrt(self._variance(sigma) + 2 / sigma**2)
        period = spread * math.sqrt(2 * nats)
        for _ in range(60):
            left = min(self._reaching(-period, noise), sigma * (1 - 1e-9))
            right = max(self._reaching(period, noise), sigma * (1 + 1e-9))
            gaps = (self._exponent(tau, noise) - abs(tau - sigma) * period - math.log(tau) for tau in (left, right))
            if max(gaps) < peak - 2 * math.log(sigma) - math.log(spread) - nats:
                break
            period *= 1.25
        points = math.ceil(math.sqrt(2 * nats) / noise * period / (2 * math.pi))
        if points > _MAX_POINTS:
            raise Undecided(f"relative width {float(rtol):.3g} needs {points:,} points, more than {_MAX_POINTS:,}")
        return _Line(noise, sigma, period, left, right, points)

    def _reaching(self, place: float, noise: float) -> float:
        """The tau of the least bound e^{-tau v} A(tau) of H at v = ``place``."""
        return _increasing_root(lambda t: self._mean(t) + noise**2 * t - place - 1 / t)

    def _exponent(self, t: float, noise: float) -> float:
        terms = [log_chance + t * value for value, log_chance in self._atoms]
        top = max(terms)
        return self._n * (top + math.log(sum(math.exp(x - top) for x in terms))) + (noise * t) ** 2 / 2

    def _tilted(self, t: float) -> list[tuple[float, float]]:
        terms = [(value, log_chance + t * value) for value, log_chance in self._atoms]
        top = max(x for _, x in terms)
        weights = [(value, math.exp(x - top)) for value, x in terms]
        total = sum(weight for _, weight in weights)
        return [(value, weight / total) for value, weight in weights]

    def _mean(self, t: float) -> float:
        return self._n * sum(value * weight for value, weight in self._tilted(t))

    def _variance(self, t: float) -> float:
        mean = self._mean(t) / self._n
        return self._n * sum((value - mean) ** 2 * weight for value, weight in self._tilted(t))


def _increasing_root(function: Callable[[float], float]) -> float:
    """About where an increasing function of t > 0 crosses 0, by bisection of log t."""
    low, high = -100.0, 100.0
    for _ in range(60):
        middle = (low + high) / 2
        if function(math.exp(middle)) < 0:
            low = middle
        else:
            high = middle
    return math.exp(high)
