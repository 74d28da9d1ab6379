r"""The pmf of a count as integer weights over one common denominator.

P[S = i] = weights[i] / denominator for i = 0, ..., len - 1; integers over one denominator beat every rational type in
speed, and turn log-concavity into an integer comparison.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import accumulate
from math import comb, gcd, lcm

from flint import fmpz

from dpcalc.displayed import Displayed
from dpcalc.errors import DomainError, must_fit
from dpcalc.laws.recurrence import Recurrence
from dpcalc.numbers.rational import reduced

#: The most bytes that the weights of a pmf may take.
MAX_BYTES = 2_000_000_000
_SHOWN, _SHOWN_BITS = 20, 100  # weights, and bits of the denominator, up to which all are shown
_LONG = 300  # bits of a denominator from which on FLINT divides faster than Python


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


def coefficients(q: Fraction, likely: int, unlikely: int) -> Pmf:
    r"""The pmf of a sum of ``likely`` Bernoulli(1 - q) and ``unlikely`` Bernoulli(q) reports, exactly.

    With q = u/D and v = D - u the weights over D^(likely + unlikely) obey, T = likely + unlikely,

        u v (i+1) c_{i+1} = (likely v^2 + unlikely u^2 - (u^2 + v^2) i) c_i + u v (T - i + 1) c_{i-1},

    which is (q + px)(p + qx) G'(x) = [likely p (p + qx) + unlikely q (q + px)] G(x) read off at x^i. Every division is
    exact because the weights are integers.

    Raises:
        TooLarge: the weights would take more than about 2 GB.

    >>> coefficients(Fraction(1, 4), 1, 1).weights
    (3, 10, 3)
    """
    total, d = likely + unlikely, q.denominator
    check_size(total, d)
    first = q.numerator**likely * (d - q.numerator) ** unlikely
    weights = recurrence(1 - q, likely, q, unlikely).integers(0, total + 1, 0, first)
    return Pmf(weights=tuple(map(int, weights)), denominator=d**total)


def coefficient(q: Fraction, likely: int, unlikely: int, s: int) -> int:
    """The weight c_s of ``coefficients`` alone, 0 <= s <= likely + unlikely.

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


def recurrence(a: Fraction, i: int, b: Fraction = Fraction(0), j: int = 0) -> Recurrence:
    """That of the weights over D^(i + j) of i reports that are 1 with probability a, and j with b (proof notes, 1.11).

    >>> recurrence(Fraction(3, 4), 1, Fraction(1, 4), 1).integers(0, 3, 0, 3)
    [3, 10, 3]
    """
    d = lcm(a.denominator, b.denominator)
    held = int if d.bit_length() < _LONG else fmpz  # long ones in FLINT's integers, which multiply faster
    x, y = held(int(a * d)), held(int(b * d))
    u, v = d - x, d - y
    return Recurrence((u * v, u * v), (i * x * v + j * y * u, -(x * v + y * u)), (x * y * (i + j + 1), -x * y))


def check_size(total: int, d: int) -> None:
    """Refuse an exact pmf of ``total`` reports whose weights, over powers of ``d``, would not fit.

    Raises:
        TooLarge: the weights would take more than about 2 GB.
    """
    must_fit(
        f"the exact pmf of {total:,} reports", pmf_bytes(total, d), MAX_BYTES, "bytes",
        instead="dpcalc.generating_function, which encloses coefficients, or dpcalc.ratios",
    )  # fmt: skip


def pmf_bytes(total: int, d: int) -> int:
    """About how many bytes the weights take."""
    return (total + 1) * (total * d.bit_length() // 8 + 32)
