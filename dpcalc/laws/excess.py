r"""The mean excess E[(X_1 + ... + X_n)_+] of independent, identically distributed reports, enclosed for any n.

With independent Gaussian noise U of standard deviation s, ``smoothed`` encloses E_s = E[(S + U)_+]. By Jensen's
inequality E_s >= E[S_+]. And g_s(x) = E[(x + U)_+] - x_+ equals E[(U - |x|)_+], so that
g_{2s}(x) = 2 g_s(x/2) >= 2 g_s(x): hence

    2 E_s - E_{2s} <= E[S_+] <= E_s,

whose two sides differ by a multiple of s^2 where S is spread out. Less noise takes more points of integration: the most
points allowed limit the width that can be reached.

Where S consists of a few rare, large values, the noise would have to be tiny beside them. Then E[S_+] is enclosed as
E S + E[(-S)_+], where those values hardly matter.

Source: the hockey-stick divergence of a sum, as Balle, Bell, Gascon, Nissim 2019 (1903.02837), Lemma 5.3, leave it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from contextlib import suppress
from fractions import Fraction

from dpcalc.errors import TooLarge, Undecided
from dpcalc.laws.smoothed import Atom, Line, Steering, chernoff, smoothed
from dpcalc.numbers.ball import FAINT, LEAST_HELD, bits_for, enclosure_of, working_precision
from dpcalc.numbers.enclosure import Enclosure

MAX_POINTS = 1 << 17  #: of integration
_SPARE = 60  # bits beyond the width asked for
_LOOSE = Fraction(1, 100)
_FINER = 10**6  # E[(-S)_+], which is added to E S, is enclosed so many times more finely


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
    17.844...
    """
    ends = [_ends(value) for value, _ in atoms]
    if max(value.upper for value in ends) <= 0:
        return Enclosure.of(0)
    mean = sum((value * chance for value, (_, chance) in zip(ends, atoms, strict=True)), Enclosure.of(0)) * n
    if min(value.lower for value in ends) >= 0:
        return mean
    side = _Side(atoms, n, points)
    bound = side.bound()
    if bound > side.unit * FAINT.upper:
        for way in _ways(side, _Side([(-value, chance) for value, chance in atoms], n, points), mean, bound):
            with suppress(Undecided, TooLarge):
                found = way(rtol)
                return Enclosure(max(found.lower, Fraction(0)), min(found.upper, bound))
    return Enclosure(Fraction(0), bound)


def excess_bound(atoms: Sequence[Atom], n: int) -> Fraction:
    """A bound of E[(X_1 + ... + X_n)_+] for any n: M(t)^n / (e t), as x_+ <= e^{tx} / (e t); at about the best t > 0.

    >>> coin = [(Fraction(2), Fraction(1, 3)), (Fraction(-1), Fraction(2, 3))]
    >>> round(float(excess_bound(coin, 1_000)), 1)
    31.7
    """
    return _Side(atoms, n).bound() if max(_ends(value).upper for value, _ in atoms) > 0 else Fraction(0)


class _Side:
    """E[S_+] from S as it is, in the unit of the largest X > 0."""

    def __init__(self, atoms: Sequence[Atom], n: int, points: int = MAX_POINTS) -> None:
        self.unit = max(_ends(value).upper for value, _ in atoms)
        self._kinds = [([(value / self.unit, chance) for value, chance in atoms], n)]
        self._steering = Steering(self._kinds, 2)
        self._most = points

    def bound(self) -> Fraction:
        """``excess_bound``."""
        with working_precision(self._bits(_LOOSE)):
            found = chernoff(self._kinds, 2, self._steering.saddle)
            return self.unit * (FAINT.upper if found < LEAST_HELD else enclosure_of(found).upper)

    def points(self) -> int:
        """How many points a loose answer takes."""
        return self._steering.line(self._noise(_LOOSE), _LOOSE).points

    def narrow(self, rtol: Fraction) -> Enclosure:
        """E[S_+] to relative width ``rtol``."""
        noise = self._noise(rtol)
        while True:
            line = self._steering.line(noise, rtol)
            if line.points > self._most:
                raise Undecided(f"relative width {float(rtol):.3g} needs {line.points:,} points")
            found = self._between(line, rtol)
            lower, width = found.lower, found.upper - found.lower
            if lower > 0 and width <= rtol * lower:
                return found
            # the width falls like s^2, or like s where S has an atom at 0
            noise *= min(0.5, math.sqrt(rtol * lower / width)) if lower > 0 else 0.25

    def wide(self, rtol: Fraction, least: Fraction = _LOOSE) -> Enclosure:
        """E[S_+] as narrow as the points allow, the other errors to ``least``."""
        noise = self._noise(rtol)
        while noise * self._steering.saddle < 1:
            line = self._steering.line(noise, least)
            if 2 * line.points <= self._most:
                return self._between(line, least)
            noise *= 2.02 * line.points / self._most
        raise Undecided("so much noise would hide the sum")

    def _noise(self, rtol: Fraction) -> float:
        """The s that makes the two sides of Jensen's inequality about ``rtol`` apart where S is smooth."""
        return math.sqrt(rtol / 2) / self._steering.saddle

    def _between(self, line: Line, rtol: Fraction) -> Enclosure:
        with working_precision(self._bits(rtol)):
            little, much = smoothed(self._kinds, 2, line)
            return Enclosure(enclosure_of(2 * little - much).lower, enclosure_of(little).upper) * self.unit

    def _bits(self, rtol: Fraction) -> int:
        return bits_for(rtol) + self._kinds[0][1].bit_length() + _SPARE


def _ways(side: _Side, other: _Side, mean: Enclosure, bound: Fraction) -> list[Callable[[Fraction], Enclosure]]:
    """What to try, in order: the side that takes fewer points, the other side, and a wider enclosure."""

    def turned(rtol: Fraction) -> Enclosure:
        """E S + E[(-S)_+], the second term narrow enough for the sum."""
        width, last = rtol / 4, None
        for _ in range(3):
            rest = other.narrow(width)
            last = rest + mean
            if last.lower > 0 and last.relative_width() <= rtol:
                return last
            width *= min(Fraction(1, 4), rtol * max(last.lower, Fraction(0)) / rest.upper) or Fraction(1, 1000)
        raise Undecided(f"relative width {float(rtol):.3g} not reached", last)

    def wider(rtol: Fraction) -> Enclosure:
        """The narrower of the two."""
        found = []
        with suppress(Undecided):
            found.append(side.wide(rtol))
        with suppress(Undecided):
            found.append(other.wide(rtol / _FINER, rtol / _FINER) + mean)
        if not found:
            raise Undecided("so much noise would hide the sum")
        return min(found, key=lambda one: one.upper - one.lower)

    if bound < -mean.upper * _LOOSE:  # the two terms nearly cancel
        return [side.narrow, side.wide]
    if side.points() < other.points():
        return [side.narrow, turned, wider]
    return [turned, side.narrow, wider]


def _ends(value: Fraction | Enclosure) -> Enclosure:
    return value if isinstance(value, Enclosure) else Enclosure.of(value)
