r"""The pmf of a count as integer weights over one common denominator.

P[S = i] = weights[i] / denominator for i = 0, ..., len - 1; integers over one denominator beat every rational type in
speed, and turn log-concavity into an integer comparison. Of one kind of reports or two, and of quotients of such pmfs
(K16, (5.9), ``privacy.ratios``), they obey a recurrence of three terms with linear coefficients.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache, reduce
from itertools import accumulate
from math import comb, gcd, lcm, prod
from operator import mul
from typing import TypeAlias

from flint import arb, fmpz, fmpz_poly

from dpcalc.displayed import Displayed
from dpcalc.errors import DomainError, must_fit
from dpcalc.numbers.rational import reduced

#: The most bytes that the weights of a pmf may take.
MAX_BYTES = 2_000_000_000
_SHOWN, _SHOWN_BITS = 20, 100  # weights, and bits of the denominator, up to which all are shown
_LONG = 300  # bits of a denominator from which on FLINT divides faster than Python

#: The function constant + slope s, as (constant, slope).
Linear: TypeAlias = tuple[int | fmpz, int | fmpz]


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Pmf(Displayed):
    """The pmf of a count on 0, ..., len - 1.

    Attributes:
        weights: non-negative integers, ``weights[i]`` proportional to P[S = i].
        denominator: their sum.

    Raises:
        DomainError: a negative weight, or weights that do not sum to the denominator.

    >>> coins = Pmf(weights=(1, 2, 1), denominator=4)
    >>> coins[1], coins.mean, coins.variance
    (Fraction(1, 2), Fraction(1, 1), Fraction(1, 2))
    """

    weights: tuple[int, ...]
    denominator: int

    def __post_init__(self) -> None:
        if min(self.weights, default=-1) < 0:
            raise DomainError("weights", self.weights, "one or more non-negative integers")
        if sum(self.weights) != self.denominator:
            raise DomainError("denominator", self.denominator, f"the sum of the weights, {sum(self.weights)}")

    def __repr__(self) -> str:
        """The weights if they are short; else how many there are."""
        if len(self.weights) <= _SHOWN and self.denominator.bit_length() <= _SHOWN_BITS:
            return f"Pmf(weights={self.weights}, denominator={self.denominator})"
        return (
            f"<Pmf of a count from 0 to {len(self.weights) - 1:,}, a {self.denominator.bit_length():,}-bit denominator>"
        )

    def __len__(self) -> int:
        return len(self.weights)

    def __getitem__(self, i: int) -> Fraction:
        """P[S = i]; 0 outside the support, so that no index wraps around."""
        return self.fraction(self.weights[i]) if 0 <= i < len(self.weights) else Fraction(0)

    def __iter__(self) -> Iterator[Fraction]:
        return map(self.fraction, self.weights)

    def fraction(self, weight: int) -> Fraction:
        """weight / denominator in lowest terms.

        A denominator D^(len - 1) has the prime factors of D only: they are taken out one small factor at a time, which
        is as quick as reading the number.
        """
        base = _root(self.denominator, len(self.weights) - 1)
        return _lowest(weight, self.denominator, base) if base else Fraction(weight, self.denominator)

    def at_most(self, s: int) -> Fraction:
        """P[S <= s]."""
        return Fraction(sum(self.weights[: max(0, s + 1)]), self.denominator)

    def cumulative(self) -> Iterator[Fraction]:
        """P[S <= 0], P[S <= 1], ..., in order."""
        return (Fraction(weight, self.denominator) for weight in accumulate(self.weights))

    @property
    def backwards(self) -> Pmf:
        """The same masses, the last one first."""
        return Pmf(weights=self.weights[::-1], denominator=self.denominator)

    @property
    def mean(self) -> Fraction:
        """E S."""
        return Fraction(sum(i * weight for i, weight in enumerate(self.weights)), self.denominator)

    @property
    def variance(self) -> Fraction:
        """Var S."""
        square = Fraction(sum(i * i * weight for i, weight in enumerate(self.weights)), self.denominator)
        return square - self.mean**2


@lru_cache(maxsize=4)
def _root(denominator: int, power: int) -> int:
    """The whole D with D^power = denominator, where it is long and has one; else 0."""
    if denominator.bit_length() < _LONG or power < 2:
        return 0
    root = int(fmpz(denominator).root(power))
    return root if root**power == denominator else 0


def _lowest(weight: int, denominator: int, base: int) -> Fraction:
    """weight / denominator in lowest terms, where no prime divides the denominator but those of the base."""
    while weight and (common := gcd(weight % base, base)) > 1:
        if not (common := gcd(common, denominator)) > 1:
            break
        weight, denominator = weight // common, denominator // common
    return reduced(weight, denominator) if weight else Fraction(0)


def pooled(kinds: Sequence[tuple[Fraction, int]]) -> Pmf:
    r"""The pmf of a sum of independent reports, for each kind (a, c) c of them 1 with probability a, exactly.

    Of two kinds with one denominator the weights obey a recurrence, in which every division is exact. Else the
    polynomials (1 - a + a x)^c are multiplied.

    Raises:
        TooLarge: the weights would take more than about 2 GB.

    >>> pooled([(Fraction(3, 4), 1), (Fraction(1, 4), 1)]).weights
    (3, 10, 3)
    """
    size, denominators = sum(count for _, count in kinds), {a.denominator for a, _ in kinds}
    must_fit(
        f"the exact pmf of {size:,} reports", pmf_bytes(size, max(denominators, default=1)), MAX_BYTES, "bytes",
        instead="dpcalc.generating_function, which encloses coefficients, or dpcalc.ratios",
    )  # fmt: skip
    steps = recurrence(kinds) if len(denominators) == 1 else None
    if steps is None:
        factors = [fmpz_poly([a.denominator - a.numerator, a.numerator]) ** count for a, count in kinds]
        weights: Sequence[int | fmpz] = reduce(mul, factors, fmpz_poly([1])).coeffs()
    else:
        first = prod((a.denominator - a.numerator) ** count for a, count in kinds)
        weights = steps.integers(0, size + 1, 0, first)
    return Pmf(weights=tuple(map(int, weights)), denominator=prod(a.denominator**count for a, count in kinds))


def coefficient(q: Fraction, likely: int, unlikely: int, s: int) -> int:
    """The weight c_s of a pool alone, ``likely`` reports 1 with probability 1 - q and ``unlikely`` with q = u/(u + v).

    c_s = sum_j C(likely, j) C(unlikely, s - j) v^{unlikely - s + 2j} u^{likely + s - 2j}, each term from the last.

    >>> [coefficient(Fraction(1, 4), 1, 1, s) for s in range(3)]
    [3, 10, 3]
    """
    u, v = q.numerator, q.denominator - q.numerator
    low, high = max(0, s - unlikely), min(likely, s)
    term = total = fmpz(comb(likely, low) * comb(unlikely, s - low) * u ** (2 * (high - low)))
    for j in range(low, high):
        term = term * ((likely - j) * (s - j) * v * v) // ((j + 1) * (unlikely - s + j + 1) * u * u)
        total += term
    common: int = v ** (unlikely - s + 2 * low) * u ** (likely + s - 2 * high)
    return int(total) * common


@dataclass(frozen=True, slots=True)
class Recurrence:
    """a(s) x_{s+1} = b(s) x_s + c(s) x_{s-1} of numbers > 0, a, c >= 0 for 0 < s < T, and b falls.

    In integers it is followed from x_0 on. In balls it is followed from both sides of any range towards the s at which
    b changes its sign: there each step adds positive terms only, so that relative widths add up and no digit cancels.

    Attributes:
        ahead, here, behind: a, b and c.

    >>> binomials = Recurrence((1, 1), (4, -1), (0, 0))  # (s + 1) C(4, s + 1) = (4 - s) C(4, s)
    >>> binomials.integers(0, 5, 0, 1)
    [1, 4, 6, 4, 1]
    """

    ahead: Linear
    here: Linear
    behind: Linear

    def integers(self, low: int, high: int, before: int | fmpz, first: int | fmpz) -> list[int | fmpz]:
        """x_low, ..., x_{high-1}, all of them integers, from x_{low-1} and x_low."""
        return list(self.one_by_one(low, high, before, first))

    def one_by_one(self, low: int, high: int, before: int | fmpz, first: int | fmpz) -> Iterator[int | fmpz]:
        """As ``integers``, three of them held at any time."""
        (a, rise), (b, fall), (c, more) = self.ahead, self.here, self.behind
        a, b, c = a + rise * low, b + fall * low, c + more * low
        now = first
        yield now
        for _ in range(low, high - 1):
            before, now = now, (b * now + c * before) // a
            a, b, c = a + rise, b + fall, c + more
            yield now

    def balls(self, low: int, high: int, at: Callable[[int], arb]) -> list[arb]:
        """x_low, ..., x_{high-1} at the current precision; ``at`` encloses the two at each end."""
        (a, rise), (b, fall), (c, more) = self.ahead, self.here, self.behind
        turn = int(b // -fall) + 2  # b >= 0 up to two before it: the terms below it come from the left
        middle = min(max(low, turn), high)
        left = [at(s) for s in range(low, min(low + 2, middle))]
        for s in range(low + 1, middle - 1):
            left.append(((b + fall * s) * left[-1] + (c + more * s) * left[-2]) / (a + rise * s))
        right = [at(s) for s in range(high - 1, max(high - 3, middle - 1), -1)]
        for s in range(high - 2, middle, -1):
            right.append(((a + rise * s) * right[-2] - (b + fall * s) * right[-1]) / (c + more * s))
        return left + right[::-1]


def recurrence(kinds: Sequence[tuple[Fraction, int]]) -> Recurrence | None:
    """That of the weights over D^(i + j) of one kind of reports (a, i) or of two (a, i), (b, j) (proof notes, 1.11).

    None for more kinds, or none, and for reports that are sure.

    >>> recurrence([(Fraction(3, 4), 1), (Fraction(1, 4), 1)]).integers(0, 3, 0, 3)
    [3, 10, 3]
    """
    if not 0 < len(kinds) <= 2 or any(a in (0, 1) for a, _ in kinds):
        return None
    (a, i), (b, j) = [*kinds, (Fraction(0), 0)][:2]
    d = lcm(a.denominator, b.denominator)
    held = int if d.bit_length() < _LONG else fmpz  # long ones in FLINT's integers, which multiply faster
    x, y = held(int(a * d)), held(int(b * d))
    u, v = d - x, d - y
    return Recurrence((u * v, u * v), (i * x * v + j * y * u, -(x * v + y * u)), (x * y * (i + j + 1), -x * y))


def pmf_bytes(total: int, d: int) -> int:
    """About how many bytes the weights take."""
    return (total + 1) * (total * d.bit_length() // 8 + 32)
