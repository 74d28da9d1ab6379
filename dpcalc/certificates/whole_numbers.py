"""What Coq's checker computes (check.v, lower.v, grid.v), in Python: to know beforehand what it accepts.

Functions have the names that they have there, and return the same numbers. No proof rests on this copy: if it errs, Coq
refuses.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

from dpcalc import check

#: A range of datasets: the least and the most ones among the other records.
Block = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Precision:
    """Masses are rounded down to ``bits`` bits; then those of at most ``faint`` units at both ends are left out."""

    bits: int
    faint: int


EXACTLY = Precision(10**9, 0)
UNUSED = Precision(0, 0)  # where nothing is cut


@dataclass(frozen=True, slots=True)
class Setting:
    """n records, k reports of each, the flip probability and lambda."""

    n: int
    k: int
    q: Fraction
    lam: Fraction


@dataclass(frozen=True, slots=True)
class CountLaw:
    """The law of the count of some reports, in a unit 1/U with least <= U <= most.

    The probability of first + i ones lies between masses[i] and masses[i] + error, that of any other count between 0
    and error.
    """

    count: int
    first: int
    masses: list[int]
    error: int
    least: int
    most: int


EMPTY = CountLaw(0, 0, [1], 0, 1, 1)


def up(c: int, x: int) -> int:
    """x / 2^c, rounded up."""
    return -(-x >> c)


@dataclass(frozen=True, slots=True)
class Grid:
    """Masses of losses that are multiples of log g.

    Attributes:
        coarse, scale: 1/g = coarse / 2^scale.
        fine: masses are in units of 2^-fine.
    """

    coarse: int
    scale: int
    fine: int

    @property
    def one(self) -> int:
        """1 in units."""
        return 1 << self.fine

    def up_a_step(self, x: int) -> int:
        """x / g, rounded up."""
        return up(self.scale, self.coarse * x)


def steps(a: int, b: int, masses: Sequence[int]) -> list[int]:
    """The masses with one report more, which is 1 with probability a / (a + b)."""
    return [b * x + a * last for x, last in zip([*masses, 0], [0, *masses], strict=True)]


def advance(at: Precision, a: int, b: int, x: CountLaw) -> CountLaw:
    """The law with one report more."""
    whole = a + b
    c = max((whole * x.most).bit_length() - at.bits, 0)
    faint = at.faint if c else 0
    masses = [mass >> c for mass in steps(a, b, x.masses)]
    while masses and masses[-1] <= faint:
        masses.pop()
    start = next((i for i, mass in enumerate(masses) if mass > faint), len(masses))
    error = up(c, whole * x.error + (1 << c) - 1) + faint
    return CountLaw(x.count + 1, x.first + start, masses[start:], error, whole * x.least >> c, up(c, whole * x.most))


def sweep(at: Precision, a: int, b: int, counts: Sequence[int]) -> Iterator[CountLaw]:
    """The laws of so many reports, for a rising list of numbers of reports."""
    x = EMPTY
    for count in counts:
        while x.count < count:
            x = advance(at, a, b, x)
        yield x


def convolve(one: list[int], other: list[int]) -> list[int]:
    """The product of two polynomials."""
    if not (any(one) and any(other)):
        return [0] * (len(one) + len(other) - 1)
    return check.convolved(one, other)


def together(x: CountLaw, y: CountLaw) -> CountLaw:
    """The law of the reports of both."""
    error = x.error * y.most + y.error * x.most
    masses = convolve(x.masses, y.masses)
    return CountLaw(x.count + y.count, x.first + y.first, masses, error, x.least * y.least, x.most * y.most)


def law_of(asked: Setting, at: Precision, ones: int, zeros: int) -> CountLaw:
    """The law of the reports of so many ones and zeros."""
    a, b = asked.q.numerator, asked.q.denominator - asked.q.numerator
    (x,), (y,) = sweep(at, b, a, [asked.k * ones]), sweep(at, a, b, [asked.k * zeros])
    return together(x, y)


def own(asked: Setting) -> tuple[list[int], list[int]]:
    """The laws of the changed record's reports, of a 0 and of a 1, in units of D^-k."""
    a, b = asked.q.numerator, asked.q.denominator - asked.q.numerator
    zero, one = [1], [1]
    for _ in range(asked.k):
        zero, one = steps(a, b, zero), steps(b, a, one)
    return zero, one


def _kernels(asked: Setting) -> tuple[list[int], list[int]]:
    """The positive parts of v P - u Q, and of u Q - v P, for the changed record's reports."""
    zero, one = own(asked)
    u, v = asked.lam.numerator, asked.lam.denominator
    apart = [v * x - u * y for x, y in zip(zero, one, strict=True)]
    return [max(x, 0) for x in apart], [max(-x, 0) for x in apart]


def _positive_parts(asked: Setting, x: CountLaw, error: int) -> int:
    more, less = (convolve(kernel, x.masses) for kernel in _kernels(asked))
    return sum(max(p - (q + error), 0) for p, q in zip(more, less, strict=True))


def bounded(asked: Setting, x: CountLaw) -> Fraction:
    """An upper bound of delta, if the others' reports have the law x."""
    unit = asked.lam.denominator * asked.q.denominator**asked.k * x.least
    missed = (asked.k + x.count + 1) * sum(_kernels(asked)[0]) * x.error
    return Fraction(_positive_parts(asked, x, 0) + missed, unit)


def excesses(asked: Setting, x: CountLaw) -> Fraction:
    """A lower bound of delta, if the others' reports have the law x."""
    unit = asked.lam.denominator * asked.q.denominator**asked.k * x.most
    return Fraction(_positive_parts(asked, x, sum(_kernels(asked)[1]) * x.error), unit)


def horner(x: Fraction, terms: int, rest: int) -> Fraction:
    """The first ``terms`` terms of the exponential series, and ``rest`` times the next one."""
    found = Fraction(rest)
    for i in range(terms, 0, -1):
        found = 1 + x / i * found
    return found
