r"""delta of rounds whose losses lie on one lattice of not many points: every loss of all rounds together.

With C(z) = prod_g G_g(z)^{T_g} as in ``lattice``, C_j the P mass of the loss j h of all rounds and W the mass of an
infinite one,

    delta = W + sum_{j > J} C_j (1 - e^{epsilon - j h}),    J = floor(epsilon / h).

With r >= 1 the tilted masses C_j r^j are held as integers X_j in units of S 2^-F, S an upper bound of C(r): each
product of polynomials is rounded down to whole units. No X_j is too large, so that all tilted masses together are at
most 2^F - sum X units more. A unit of the loss j h > epsilon is r^-j (1 - e^{epsilon - jh}) <= r^-(J+1) of delta:

    sum_{j > J} X_j r^-j (1 - e^{epsilon - jh}) <= (delta - W) 2^F / S <= the same + (2^F - sum X) r^-(J+1).

No error is followed from product to product, and losses that hardly occur under the tilt are less than a unit. r and F
are steered. Where the losses of one round lie far apart, delta may be hundreds of orders of magnitude below
C(r) r^-(J+1) for every r: more bits are taken.

Source: proof notes, C9 and C26.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

from flint import arb, arb_poly, fmpz_poly

from dpcalc.losses.lattice import LatticePair, floor, infinite
from dpcalc.numbers.ball import ball, working_precision
from dpcalc.numbers.limit import Limit

_BITS = 64  # F, and two for each doubling of the rounds
_FREE = 1 << 17  # points times bits that take no time
_MOST = 1 << 23  # the same, up to which more bits are taken: some 2 s
_KNOWN = 16  # bits of delta that are asked for
_SPARE = 64  # bits of what is rounded to units


@dataclass(frozen=True, slots=True)
class _Units:
    """Tilted masses, each rounded down.

    Attributes:
        first: the loss of the first one.
        terms: how many units each has.
        size: what 2^F units are.
    """

    first: int
    terms: fmpz_poly
    size: arb

    @classmethod
    def of(cls, x: LatticePair, r: arb, bits: int) -> _Units:
        """Those of one round."""
        tilted, power = [], r**x.first
        for mass in x.masses:
            tilted.append(mass * power)
            power *= r
        size = sum(tilted, arb(0)).upper()
        unit = arb(2) ** bits / size if size > 0 else arb(0)
        return cls(x.first, fmpz_poly([int((part * unit).lower().floor().fmpz()) for part in tilted]), size)

    def times(self, other: _Units, bits: int) -> _Units:
        """The law of the sum, without what is less than a unit at either end."""
        terms, gone = (self.terms * other.terms) // (1 << bits), 0
        while terms and not terms[gone]:
            gone += 1
        return _Units(self.first + other.first + gone, terms.right_shift(gone), self.size * other.size)

    def power(self, times: int, bits: int) -> _Units:
        """Of so many rounds, one or more."""
        if times == 1:
            return self
        half = self.power(times // 2, bits)
        twice = half.times(half, bits)
        return twice.times(self, bits) if times % 2 else twice


class Convolution:
    """Rounds whose losses lie on one lattice.

    Args:
        step: h > 0.
        rounds: the losses of each kind of round, and how many times it is run.
        theta: log r / h.
        near: a limit at which delta is wanted; more bits are taken for it, and delta is right everywhere.

    Everything is done at the precision in force, or a higher one.

    >>> from dpcalc.numbers.ball import working_precision
    >>> with working_precision(100):  # randomized response at q = 1/4, of the losses log 3 and -log 3
    ...     once, limit = LatticePair(-1, (arb(1) / 4, arb(0), arb(3) / 4), arb(0)), Limit.of(lam=2)
    ...     print(Convolution(Fraction(11, 10), [(once, 1)], theta=1.0, near=limit).delta(limit).str(8))
    [0.25069337 +/- 4.46e-9]
    """

    def __init__(self, step: Fraction, rounds: Sequence[tuple[LatticePair, int]], *, theta: float, near: Limit) -> None:
        self._step, self._rounds = step, [(x, times) for x, times in rounds if times]
        self._r, self._growth = arb(theta * float(step)).exp().mid(), ball(step).exp()
        self._last = sum((x.first + len(x.masses) - 1) * times for x, times in self._rounds)
        points = sum(len(x.masses) * times for x, times in self._rounds) + 1
        bits = max(_BITS + 2 * sum(times for _, times in self._rounds).bit_length(), _FREE // points)
        self._compose(bits)
        while not (settled := self.delta(near).rel_accuracy_bits() >= _KNOWN) and len(self._all.terms) * bits < _MOST:
            bits *= 2
            self._compose(bits)
        #: whether delta is told near the limit
        self.settled = settled

    def _compose(self, bits: int) -> None:
        """X, and what is missing of 2^F."""
        with working_precision(bits + _SPARE):
            each = [_Units.of(x, self._r, bits).power(times, bits) for x, times in self._rounds]
            self._bits, self._all = bits, _together(each, bits)
            self._missing = (1 << bits) - int(self._all.terms(1))

    def delta(self, limit: Limit) -> arb:
        """A ball that holds delta, for any limit."""
        return (self._finite(limit) + self.beyond).nonnegative_part()

    @cached_property
    def beyond(self) -> arb:
        """W."""
        return infinite(self._rounds)

    def _finite(self, limit: Limit) -> arb:
        """delta - W."""
        above = floor(limit, self._step) + 1
        if above > self._last or not self._all.size > 0:
            return arb(0)
        first = max(above, self._all.first)
        terms = arb_poly(self._all.terms.right_shift(first - self._all.first))
        likely, unlikely = terms(1 / self._r), terms(1 / (self._r * self._growth))
        known = (likely - limit.ball() * unlikely / self._growth**first).nonnegative_part() / self._r**first
        rest = arb(0).union(self._missing / self._r**above)
        return (known + rest) * self._all.size / arb(2) ** self._bits


def _together(each: Sequence[_Units], bits: int) -> _Units:
    """Of equally long halves: one by one a long product would meet every short factor."""
    if len(each) == 1:
        return each[0]
    middle = len(each) // 2
    return _together(each[:middle], bits).times(_together(each[middle:], bits), bits)
