r"""The mean excess E[S_+] of a sum of independent reports, enclosed for any number of them, by a little Gaussian noise.

S is the sum of independent reports in kinds: n_i have the law of X_i, which takes finitely many rational values;
M(t) = prod_i (E e^{t X_i})^{n_i}. With independent Gaussian noise U of standard deviation s and E_s = E[(S + U)_+],

    2 E_s - E_{2s} <= E[S_+] <= E_s                                                                           (8.1)

whose two sides differ by a multiple of s^2 where S is spread out. Less noise takes more points of integration: the most
points allowed limit the width that can be reached. Where S consists of a few rare, large values, the noise would have
to be tiny beside them. Then E[S_+] is enclosed as E S + E[(-S)_+], where those values hardly matter (8.4).

*Smoothed.* Let H(v) = P[S + U > v], then p = 1, or H(v) = E[(S + U - v)_+], then p = 2. On a vertical line, with
theta_j = sigma + i t_j and t_j = 2 pi j/P, summed over all integers j and l (8.2),

    (1/P) sum_j M(theta_j) e^{s^2 theta_j^2/2} / theta_j^p = sum_l e^{sigma l P} H(l P).

The term l = 0 is H(0). The *aliases* are the others: they are positive, and bounded by A(tau), which is
M(tau) e^{s^2 tau^2/2}, over e tau for p = 2, at a tau on either side of sigma. *Points left out* are those from j = J
on; *points passed over* those at which the first kind alone makes |M(theta_j)| <= c M(sigma). All three bounds are 8.3.

sigma, P, tau, J, c and s are chosen in floating point, which may only steer: the bounds hold for any choice with
0 < left < sigma < right, and any other is refused.

Source: the hockey-stick divergence of a sum, as Balle, Bell, Gascon, Nissim 2019 (1903.02837), Lemma 5.3, leave it;
proof notes, 8.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias

from flint import acb, acb_mat, arb

from dpcalc.errors import TooLarge, Undecided
from dpcalc.laws.tilt import Moments, Tilt
from dpcalc.numbers.ball import FAINT, LEAST_HELD, ball, bits_for, enclosure_of, union, working_precision
from dpcalc.numbers.enclosure import Enclosure
from dpcalc.numbers.search import increasing_root, logarithm

#: A value of X, exact or enclosed, and its probability.
Atom: TypeAlias = tuple[Fraction | Enclosure, Fraction]

#: A law, by its atoms, and how many reports have it.
Kind: TypeAlias = tuple[Sequence[Atom], int]

MAX_POINTS = 1 << 17  #: of integration
_SPARE_NATS = 7  # by which each error is to stay below the width asked for
_SPARE_BITS = 60  # beyond the width asked for
_LOOSE = Fraction(1, 100)
_LEAST = 1e-6  # how many times nearer both sides are tried next, at most
_FINER = 0.8  # of the distance of both sides before: what is not finer is not tried


def mean_excess(atoms: Sequence[Atom], n: int, *, rtol: Fraction, points: int = MAX_POINTS) -> Enclosure:
    """E[(X_1 + ... + X_n)_+] to relative width ``rtol``, or as near to it as ``points`` of integration come.

    It is exact if the sum is never positive or never negative. An enclosure is always found: in the worst case, as for
    values below 2^-1,000,000, it reaches from 0 to ``excess_bound``.

    Args:
        atoms: the values of X, rational or enclosed, and their probabilities, > 0 and with sum 1.
        n: reports.
        rtol: relative width.
        points: the most points; the default takes a second or two.

    >>> coin = [(Fraction(2), Fraction(1, 3)), (Fraction(-1), Fraction(2, 3))]
    >>> print(mean_excess(coin, 1_000, rtol=Fraction(1, 10**3)))
    17.8...
    """
    ends = [_ends(value) for value, _ in atoms]
    if max(value.upper for value in ends) <= 0:
        return Enclosure.of(0)
    mean = sum((value * chance for value, (_, chance) in zip(ends, atoms, strict=True)), Enclosure.of(0)) * n
    if min(value.lower for value in ends) >= 0:
        return mean
    side = _Side(atoms, n)
    found = Enclosure(Fraction(0), side.bound())
    if found.upper <= side.unit * FAINT.upper:
        return found
    ways = [(side, Enclosure.of(0)), (_Side([(-value, chance) for value, chance in atoms], n), mean)]
    if found.upper < -mean.upper * _LOOSE:  # the two terms nearly cancel
        ways.pop()
    for way, more in sorted(ways, key=lambda way: way[0].line(float(_LOOSE)).points):
        with suppress(Undecided, TooLarge):
            for here in way.finer(more, rtol, points):
                found = Enclosure(max(found.lower, here.lower), min(found.upper, here.upper))
        if found.lower > 0 and found.relative_width() <= rtol:
            break
    return found


def excess_bound(atoms: Sequence[Atom], n: int) -> Fraction:
    """A bound of E[(X_1 + ... + X_n)_+] for any n: M(t)^n / (e t), as x_+ <= e^{tx} / (e t); at about the best t > 0.

    >>> coin = [(Fraction(2), Fraction(1, 3)), (Fraction(-1), Fraction(2, 3))]
    >>> round(float(excess_bound(coin, 1_000)), 1)
    31.7
    """
    return _Side(atoms, n).bound() if max(_ends(value).upper for value, _ in atoms) > 0 else Fraction(0)


class _Side:
    """E[S_+] from S as it is, in the unit of the largest X > 0."""

    def __init__(self, atoms: Sequence[Atom], n: int) -> None:
        self.unit = max(_ends(value).upper for value, _ in atoms)
        self._kinds = [([(value / self.unit, chance) for value, chance in atoms], n)]
        self._steering = Steering(self._kinds, 2)

    def bound(self) -> Fraction:
        """``excess_bound``."""
        with working_precision(self._bits(_LOOSE)):
            found = chernoff(self._kinds, 2, self._steering.saddle)
            return self.unit * (FAINT.upper if found < LEAST_HELD else enclosure_of(found).upper)

    def line(self, gap: float) -> Line:
        """The line for the noise that sets the two sides of Jensen's inequality about ``gap`` apart, relatively, where
        S is smooth.
        """
        return self._steering.line(math.sqrt(gap / 2) / self._steering.saddle, min(Fraction(gap), _LOOSE))

    def finer(self, more: Enclosure, rtol: Fraction, most: int) -> Iterator[Enclosure]:
        """E[S_+] and ``more``, finer and finer until that is of relative width ``rtol`` or the points are used up."""
        gap, last = float(rtol), 2.0
        while gap < _FINER * last:
            line = self.line(gap)
            if line.points > most:
                gap *= (2.02 * line.points / most) ** 2
                continue
            with working_precision(self._bits(min(Fraction(gap), _LOOSE))):
                little, much = smoothed(self._kinds, 2, line)
                found = Enclosure(enclosure_of(2 * little - much).lower, enclosure_of(little).upper) * self.unit + more
            yield found
            lower, width = found.lower, found.upper - found.lower
            if lower > 0 and width <= rtol * lower:
                return
            # the width falls like s^2, or like s where S has an atom at 0
            last, gap = gap, gap * (min(0.25, max(float(rtol * lower / width), _LEAST)) if lower > 0 else 1 / 16)

    def _bits(self, rtol: Fraction) -> int:
        return bits_for(rtol) + self._kinds[0][1].bit_length() + _SPARE_BITS


def _ends(value: Fraction | Enclosure) -> Enclosure:
    return value if isinstance(value, Enclosure) else Enclosure.of(value)


@dataclass(frozen=True, slots=True)
class Line:
    """The vertical line and its points, chosen in floating point.

    Attributes:
        noise: s.
        sigma: the line.
        period: P.
        left, right: the tau for the aliases l < 0 and l > 0.
        points: J.
        least: c.
    """

    noise: float
    sigma: float
    period: float
    left: float
    right: float
    points: int
    least: float


def smoothed(kinds: Sequence[Kind], order: int, line: Line) -> tuple[arb, arb]:
    """H(0) for noise s and for noise 2s, at the current precision.

    Args:
        kinds: the laws of the reports, and how many have each; most of them the first.
        order: p, 1 for the tail and 2 for the mean excess.
        line: where to integrate.

    Raises:
        Undecided: no such line; nothing is proven.
    """
    ordered = 0 < line.left < line.sigma < line.right < math.inf  # exact, and false for a NaN
    if not (ordered and 0 < line.period < math.inf and 0 < line.noise < math.inf and line.points > 0):
        raise Undecided("no line to integrate along was found")
    sigma, period, half_square = arb(line.sigma), arb(line.period), arb(line.noise) ** 2 / 2
    step = 2 * arb.pi() / period
    laws = [_Law(atoms, count, sigma) for atoms, count in kinds]
    least = arb(line.least)
    floor = least.root(laws[0].count) if 0 < line.least < 1 else arb(0)

    totals, passed = [1 / sigma**order] * 2, 0
    width = math.isqrt(line.points) + 1
    rows = [law.moments(step, width, line.points) for law in laws]
    for j in range(1, line.points):
        first = rows[0][j]
        if first.abs_upper() < floor:
            passed += 1
            continue
        t = j * step
        theta = acb(sigma, t)
        value = first ** laws[0].count
        for law, row in zip(laws[1:], rows[1:], strict=True):
            value *= row[j] ** law.count
        value /= theta**order
        noise = (half_square * acb(-t * t, 2 * sigma * t)).exp()  # of theta^2 - sigma^2
        totals[0] += 2 * (value * noise).real
        noise *= noise
        totals[1] += 2 * (value * noise * noise).real

    first_out = line.points * step
    moment = math.prod((law.moment**law.count for law in laws), start=arb(1))
    found = []
    for total, half in zip(totals, (half_square, 4 * half_square), strict=True):
        peak = moment * (half * sigma * sigma).exp() / period
        rest = (-half * first_out**2).exp() / (1 - (-2 * half * first_out * step).exp()) / first_out**order
        missing = 2 * peak * (rest + passed * least / sigma**order)
        aliases = arb(0)
        for tau in (arb(line.left), arb(line.right)):
            decay = (-abs(tau - sigma) * period).exp()
            aliases += _bound(kinds, order, tau, half) * decay / (1 - decay)
        found.append(peak * total - arb(0).union(aliases) + arb(0, missing.upper()))
    return found[0], found[1]


def chernoff(kinds: Sequence[Kind], order: int, tau: float) -> arb:
    """A bound of E[S_+^{p-1}] for any tau > 0, at the current precision: A(tau) without noise."""
    return _bound(kinds, order, arb(tau), arb(0)) if 0 < tau < math.inf else arb.pos_inf()


def _bound(kinds: Sequence[Kind], order: int, tau: arb, half_square: arb) -> arb:
    """A(tau)."""
    moment = math.prod((_moment(atoms, tau) ** count for atoms, count in kinds), start=arb(1))
    noisy = moment * (half_square * tau * tau).exp()
    return noisy if order == 1 else noisy / (arb(1).exp() * tau)


def _moment(atoms: Sequence[Atom], t: arb) -> arb:
    """E e^{tX}."""
    return sum((ball(chance) * (t * _ball(value)).exp() for value, chance in atoms), arb(0))


def _ball(value: Fraction | Enclosure) -> arb:
    return union(value.lower, value.upper) if isinstance(value, Enclosure) else ball(value)


class _Law:
    """One kind of reports on the line: E e^{theta X} over E e^{sigma X}."""

    def __init__(self, atoms: Sequence[Atom], count: int, sigma: arb) -> None:
        self.count = count
        self._values = [_ball(value) for value, _ in atoms]
        weights = [ball(chance) * (sigma * value).exp() for value, (_, chance) in zip(self._values, atoms, strict=True)]
        self.moment = sum(weights, arb(0))
        self._weights = [weight / self.moment for weight in weights]

    def moments(self, step: arb, width: int, points: int) -> list[acb]:
        """E e^{theta X} / E e^{sigma X} at theta_0, theta_1, ..., for ``points`` or a few more."""
        turns = [step * value for value in self._values]
        near = [[acb(0, b * turn).exp() for b in range(width)] for turn in turns]
        far = [
            [weight * acb(0, a * turn).exp() for weight, turn in zip(self._weights, turns, strict=True)]
            for a in range(0, points, width)
        ]
        found: list[acb] = (acb_mat(far) * acb_mat(near)).entries()
        return found


class Steering:
    """Where to integrate; in floating point.

    Attributes:
        saddle: the t at which the bound A(t) of H(0) is about least; the sum has the tilted mean p/t there.
    """

    def __init__(self, kinds: Sequence[Kind], order: int) -> None:
        laws = (([(_steer(value), logarithm(chance)) for value, chance in law], count) for law, count in kinds)
        self._tilt, self._order = Tilt.sum([Tilt.listed(law, count) for law, count in laws]), order
        self.saddle = increasing_root(lambda t: t * self._tilt.mean(t) - order, 0.0)

    def line(self, noise: float, rtol: Fraction) -> Line:
        """A line with errors of about rtol e^-7 of H(0), or the best found."""
        sigma, nats, much, less = self.saddle, _SPARE_NATS - logarithm(rtol), 4 * noise**2, self._order - 1
        noisy = Tilt.sum([self._tilt, Tilt(lambda t: Moments(much * t**2 / 2, much * t, much))])
        growth, _, variance = noisy.at(sigma)
        spread = math.sqrt(variance + self._order / sigma**2)
        value = growth - self._order * math.log(sigma) - math.log(spread)

        def reaching(place: float) -> float:
            """The tau of the least bound e^{-tau v} A(tau) of H at v = ``place``."""
            return increasing_root(lambda t: t * (noisy.mean(t) - place) - less, math.log(sigma))

        period = spread * math.sqrt(2 * nats)
        for _ in range(60):
            left, right = min(reaching(-period), sigma * (1 - 1e-9)), max(reaching(period), sigma * (1 + 1e-9))
            gaps = (noisy.at(tau).growth - abs(tau - sigma) * period - less * math.log(tau) for tau in (left, right))
            if max(gaps) < value - nats:
                break
            period *= 1.25
        points = math.ceil(math.sqrt(2 * nats) / noise * period / (2 * math.pi))
        least = math.exp(-nats - math.log(points * spread / period))
        return Line(noise, sigma, period, left, right, points, least)


def _steer(value: Fraction | Enclosure) -> float:
    """The value as a double; one below -1e100 is raised to that, as no tilt towards larger values notices."""
    middle = value if isinstance(value, Fraction) else (value.lower + value.upper) / 2
    return float(max(middle, Fraction(-(10**100))))
