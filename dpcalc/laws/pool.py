r"""What independent reports add up to: the pooled count S of reports in kinds, each kind a probability and a count.

    S = sum over kinds (a, c) of Bin(c, a),    generating function G(z) = prod (1 - a + a z)^c.

Every question about S is asked here: its mean and variance, its exact pmf where that is small, its tails at any size
(by the sums of ``laws.circle``), the tilt. Its pmf is log-concave (proof notes, 1.1).

Source: K16, section 4.2.1 (G_m has the two kinds q and 1 - q).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from math import isqrt, lcm, prod

from flint import arb, fmpz

from dpcalc.errors import DomainError
from dpcalc.laws.circle import UNIT_KERNEL, Factor, invert
from dpcalc.laws.parts import Coins, SumOfParts
from dpcalc.laws.pmf import Pmf, Recurrence, pmf_bytes, pooled, recurrence
from dpcalc.numbers.ball import bits_for, refine, working_precision
from dpcalc.numbers.enclosure import Enclosure
from dpcalc.numbers.rational import LARGEST, Number, between, integer, rational, within

_RTOL = Fraction(1, 10**15)
_FEW = 400  # reports up to which the exact pmf is quicker than an inversion


@dataclass(frozen=True, slots=True)
class Pool(SumOfParts):
    """Independent reports, in kinds.

    Attributes:
        kinds: pairs (a, c): c > 0 reports that are 1 with probability a, 0 < a < 1.

    >>> two = Pool.of((Fraction(1, 4), 2), (Fraction(1, 3), 0))
    >>> two.size, two.mean, two.variance, two.pmf().weights
    (2, Fraction(1, 2), Fraction(3, 8), (9, 6, 1))
    """

    kinds: tuple[Factor, ...]

    @classmethod
    def of(cls, *kinds: Factor) -> Pool:
        """The pool of these kinds. Equal kinds are joined, kinds without reports are left out."""
        counts: dict[Fraction, int] = {}
        for a, count in kinds:
            counts[a] = counts.get(a, 0) + count
        return cls(tuple((a, count) for a, count in counts.items() if count))

    def __add__(self, other: Pool) -> Pool:
        """Both pools together."""
        return Pool.of(*self.kinds, *other.kinds)

    @property
    def size(self) -> int:
        """How many reports."""
        return sum(count for _, count in self.kinds)

    @property
    def mean(self) -> Fraction:
        """E S."""
        return sum((count * a for a, count in self.kinds), Fraction(0))

    @property
    def variance(self) -> Fraction:
        """Var S."""
        return sum((count * a * (1 - a) for a, count in self.kinds), Fraction(0))

    @property
    def parts(self) -> list[Coins]:
        """Coins of each kind."""
        return [Coins(count, a) for a, count in self.kinds]

    @property
    def flipped(self) -> Pool:
        """Every report flipped: the count of zeros."""
        return Pool(tuple((1 - a, count) for a, count in self.kinds))

    @property
    def pmf_bytes(self) -> int:
        """About how many bytes the exact pmf takes."""
        return pmf_bytes(self.size, max((a.denominator for a, _ in self.kinds), default=1))

    def pmf(self) -> Pmf:
        """The pmf of S, exactly.

        Raises:
            TooLarge: the weights would take more than about 2 GB.
        """
        return pooled(self.kinds)

    def one_by_one(self) -> Iterator[int | fmpz]:
        """Integers in proportion to t^s P[S = s], s = 0, ..., N, for some t > 0.

        Of one kind or two no more than three are held, t = 1 for two (proof notes, 1.12); of more kinds all are.

        Raises:
            TooLarge: there are more than two kinds, and the weights would take more than about 2 GB.

        >>> [int(x) for x in Pool.of((Fraction(1, 4), 2)).one_by_one()]
        [1, 2, 1]
        """
        size, steps = self.size, recurrence(self.kinds)
        if steps is None:
            return iter(self.pmf().weights)
        if len(self.kinds) == 1:  # C(N, s)
            return Recurrence((1, 1), (size, -1), (0, 0)).one_by_one(0, size + 1, 0, fmpz(1))
        d = lcm(*(a.denominator for a, _ in self.kinds))
        first = prod(fmpz(int(d - a * d)) ** count for a, count in self.kinds)
        return steps.one_by_one(0, size + 1, fmpz(0), first)

    def at_most(self, s: int, *, rtol: Fraction = _RTOL) -> Enclosure:
        """P[S <= s]: exact for up to 400 reports and when it is 0 or 1, else to relative width ``rtol``.

        ``FAINT`` when it is too small to be held.

        >>> print(Pool.of((Fraction(1, 10), 10**12)).at_most(10**11 - 1_800_000, rtol=Fraction(1, 10**12)))
        9.8650326059877368...e-10
        """
        if s < 0 or s >= self.size:
            return Enclosure.of(int(s >= self.size))
        if self.size <= _FEW:
            return Enclosure.of(self.pmf().at_most(s))
        if s > self.mean:
            rest = self.at_least(s + 1, rtol=rtol)
            return Enclosure(1 - rest.upper, 1 - rest.lower)
        start = bits_for(rtol) + self.guard_bits + self.size.bit_length() // 2 + 16
        return refine(lambda: invert(self, UNIT_KERNEL, s).cumulative, rtol=rtol, start=start)

    def at_least(self, s: int, *, rtol: Fraction = _RTOL) -> Enclosure:
        """P[S >= s], as ``at_most``: the lower tail of the number of zeros."""
        return self.flipped.at_most(self.size - s, rtol=rtol)

    def between(self, low: int, high: int, *, rtol: Fraction) -> Enclosure:
        """P[low <= S <= high], from tails of relative width ``rtol`` on the side where they are small.

        >>> Pool.of((Fraction(1, 2), 4)).between(0, 9, rtol=Fraction(1, 100)).value
        Fraction(1, 1)
        """
        if high < low:
            return Enclosure.of(0)
        if high < self.mean or low <= 0:
            found = self.at_most(high, rtol=rtol) - self.at_most(low - 1, rtol=rtol)
        elif low > self.mean or high >= self.size:
            found = self.at_least(low, rtol=rtol) - self.at_least(high + 1, rtol=rtol)
        else:
            found = 1 - self.at_most(low - 1, rtol=rtol) - self.at_least(high + 1, rtol=rtol)
        return Enclosure(max(found.lower, Fraction(0)), found.upper)

    def window(self, sigmas: Fraction) -> range:
        """The outcomes at most ``sigmas`` standard deviations from the mean, exactly.

        >>> Pool.of((Fraction(1, 2), 100)).window(Fraction(1))
        range(45, 56)
        """
        square = sigmas**2 * self.variance
        scale = lcm(self.mean.denominator, square.denominator)
        middle, reach = int(self.mean * scale), isqrt(int(square * scale**2))  # mean +- sqrt(square), times the scale
        return range(max(0, -((reach - middle) // scale)), min(self.size, (middle + reach) // scale) + 1)

    def chance(self, s: int) -> arb:
        """P[S = s] for 0 <= s <= size, at the current precision."""
        if s > self.mean:  # circles are made for lower tails: count the zeros
            return self.flipped.chance(self.size - s)
        return invert(self, UNIT_KERNEL, s).here

    def chances(self, low: int, high: int, bits: int) -> list[arb]:
        """P[S = low], ..., P[S = high - 1], each to about ``bits`` bits.

        Each is an inversion. Of one kind or two, two at each end are, and the recurrence gives those between.
        """

        def at(s: int) -> arb:
            found, held = arb(0, 1), bits + self.guard_bits
            while found.rel_accuracy_bits() < bits:
                with working_precision(held):
                    found = self.chance(s)
                held *= 2
            return found

        if (steps := recurrence(self.kinds)) is None:
            return [at(s) for s in range(low, high)]
        with working_precision(bits):
            return steps.balls(low, high, at)


def binomial_at_most(n: Number, p: Number, s: Number, *, rtol: Number = "1e-12") -> Enclosure:
    """P[Bin(n, p) <= s] to relative width ``rtol``; exact for n up to 400 and when it is 0 or 1.

    Raises:
        DomainError: n outside 0..10^15, p outside [0, 1], s not whole, rtol outside (0, 1).

    >>> print(binomial_at_most(10**12, "1/10", 10**11 - 1_800_000))
    9.8650326059877368...e-10
    """
    size, chance, outcome = _checked(n, p, s)
    width = between(rtol, "rtol", 0, 1, "a relative width")
    if outcome < 0 or (chance == 1 and outcome < size):
        return Enclosure.of(0)
    if outcome >= size or chance == 0:
        return Enclosure.of(1)
    return Pool.of((chance, size)).at_most(outcome, rtol=width)


def binomial_at_least(n: Number, p: Number, s: Number, *, rtol: Number = "1e-12") -> Enclosure:
    """P[Bin(n, p) >= s] to relative width ``rtol``; exact for n up to 400 and when it is 0 or 1.

    Raises:
        DomainError: n outside 0..10^15, p outside [0, 1], s not whole, rtol outside (0, 1).
    """
    size, chance, outcome = _checked(n, p, s)
    return binomial_at_most(size, 1 - chance, size - outcome, rtol=rtol)


def _checked(n: Number, p: Number, s: Number) -> tuple[int, Fraction, int]:
    size, outcome = integer(n, "n", minimum=0, maximum=LARGEST), rational(s, "s", "a whole number")
    chance = within(p, "p", 0, 1, "a probability")
    if outcome.denominator != 1:
        raise DomainError("s", s, "a whole number")
    return size, chance, int(outcome)
