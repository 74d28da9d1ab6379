"""What Coq's checker computes (check.v, lower.v, lattice.v, below.v), in Python: to know beforehand what it accepts.

Classes and functions have the names that they have there, and return the same numbers. No proof rests on this copy: if
it errs, Coq refuses.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate

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


# --- rounds: one pair above all datasets ------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Grid:
    """Masses of losses that are multiples of log g, where 1/g = coarse / 2^scale; in units of 2^-fine."""

    coarse: int
    scale: int
    fine: int

    @property
    def one(self) -> int:
        """1 in units."""
        return 1 << self.fine

    def power(self, j: int) -> Fraction:
        """g^j."""
        return Fraction(1 << self.scale, self.coarse) ** j

    def up_a_step(self, x: int) -> int:
        """x / g, rounded up."""
        return up(self.scale, self.coarse * x)

    def down_a_step(self, x: int) -> int:
        """x / g, rounded down."""
        return self.coarse * x >> self.scale


@dataclass(frozen=True, slots=True)
class Knot:
    """At most ``bound`` units of delta of one round are needed at ``near``, a number at most g^j, as blocks show."""

    near: Fraction
    bound: int
    blocks: list[Block]
    at: Precision


@dataclass(frozen=True, slots=True)
class Lattice(Grid):
    """A pair whose losses are multiples of log g, and the range of lambda where its rounds are computed.

    Attributes:
        knots: bounds of one round for j = 0, 1, ..., L, which show that the pair dominates all its datasets.
        of_loss: the P masses of the losses -L, ..., L.
        infinite: the P mass where Q is 0.
        reach: lambda lies between g^reach and the next power.
        ahead, behind: rows of numbers begin so many steps above that, and end so many below 1.
    """

    knots: list[Knot]
    of_loss: list[int]
    infinite: int
    reach: int
    ahead: int
    behind: int


def of_rounds(lattice: Lattice, counts: int) -> tuple[int, int]:
    """Upper bounds of delta of so many rounds, in units: at lambda = g^reach, and at the next power."""
    most, ahead, behind = lattice.one, len(lattice.of_loss) // 2, lattice.behind
    powers = accumulate(range(behind), lambda x, _: lattice.down_a_step(x), initial=most)
    row = [0] * (lattice.reach + lattice.ahead + 2) + [most - x for x in powers][1:]
    for _ in range(counts):
        padded = [row[0]] * ahead + row + [most] * ahead
        sums = check.convolved(lattice.of_loss[::-1], padded)[2 * ahead :]
        row = [up(lattice.fine, x + lattice.infinite * most) for x in sums[: len(row)]]
        most = up(lattice.fine, (sum(lattice.of_loss) + lattice.infinite) * most)
    return row[lattice.ahead + 1], row[lattice.ahead]


def between_powers(lattice: Lattice, lam: Fraction, bounds: tuple[int, int]) -> Fraction:
    """The chord through these bounds, at lambda between the two powers of g."""
    a, b = lattice.power(lattice.reach), lattice.power(lattice.reach + 1)
    return ((b - lam) * bounds[0] + (lam - a) * bounds[1]) / ((b - a) * lattice.one)


# --- rounds: one pair below a dataset ---------------------------------------------------------------------------------

#: How an outcome is shared: the first loss that gets a share, counted from the least loss, and the shares.
Share = tuple[int, list[int]]


@dataclass(frozen=True, slots=True)
class Minorant(Grid):
    """A pair whose losses are multiples of log g, made of parts of one dataset's outcomes.

    Attributes:
        named: ones among the other records.
        at: the precision of the count's law.
        cut: shares are in units of 2^-cut.
        shares: of every outcome, in order.
        made: the P masses of the losses -deepest, ....
        deepest: see there.
        highest: the ratio one step above the last point of the grid, rounded up.
        level: lambda is at most g^level.
        before, after: rows of numbers begin so many steps above that, and end so many below 1.
    """

    named: int
    at: Precision
    cut: int
    shares: list[Share]
    made: list[int]
    deepest: int
    highest: int
    level: int
    before: int
    after: int


#: A lower end of 0 needs no witness.
NOTHING = Minorant(0, 0, 0, 0, UNUSED, 0, [], [], 0, 0, 0, 0, 0)


def masses(asked: Setting, x: CountLaw) -> tuple[list[int], list[int]]:
    """Lower bounds of the P masses and upper bounds of the Q masses, in units of about 1 / (U D^k)."""
    zero, one = own(asked)
    error = sum(one) * x.error
    return check.convolved(zero, x.masses), [error + y for y in check.convolved(one, x.masses)]


def ratios(w: Minorant, points: int) -> list[int]:
    """The ratios of the points of the grid, rounded up."""
    return list(accumulate(range(points), lambda x, _: w.up_a_step(x), initial=w.highest))[:0:-1]


def rows_down(w: Minorant, counts: int) -> list[int]:
    """Lower bounds of delta of so many rounds, in units: at lambda = g^(level + before), and at each step below."""
    powers = list(accumulate(range(w.after), lambda x, _: w.up_a_step(x), initial=w.one))[1:]
    row = [0] * (w.level + w.before + 1) + [max(w.one - x, 0) for x in powers]
    if not any(w.made):
        return [0] * len(row)
    for _ in range(counts):
        padded = [0] * w.deepest + row + [row[-1]] * len(w.made)
        sums = check.convolved(w.made[::-1], padded)[len(w.made) - 1 :]
        row = [x >> w.fine for x in sums[: len(row)]]
    return row
