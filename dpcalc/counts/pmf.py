r"""The pmf of a count as integer weights over one common denominator.

P[S = i] = weights[i] / denominator for i = 0, ..., len - 1; integers over one denominator beat every rational type in
speed, and turn log-concavity into an integer comparison.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate

from flint import fmpz

from dpcalc.errors import DomainError, TooLarge

__all__ = ["Pmf", "check_size", "coefficients"]

_MAX_BYTES = 2_000_000_000
_SHOWN, _SHOWN_BITS = 20, 100  # weights, and bits of the denominator, up to which all are shown
_LONG = 300  # bits of a denominator from which on FLINT divides faster than Python


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Pmf:
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
        """All of it if it is short."""
        if len(self.weights) <= _SHOWN and self.denominator.bit_length() <= _SHOWN_BITS:
            return f"Pmf(weights={self.weights}, denominator={self.denominator})"
        return (
            f"<Pmf of a count from 0 to {len(self.weights) - 1:,}, a {self.denominator.bit_length():,}-bit denominator>"
        )

    def __len__(self) -> int:
        return len(self.weights)

    def __getitem__(self, i: int) -> Fraction:
        """P[S = i]; 0 outside the support, so that no index wraps around."""
        return Fraction(self.weights[i], self.denominator) if 0 <= i < len(self.weights) else Fraction(0)

    def __iter__(self) -> Iterator[Fraction]:
        return (Fraction(weight, self.denominator) for weight in self.weights)

    def at_most(self, s: int) -> Fraction:
        """P[S <= s]."""
        return Fraction(sum(self.weights[: max(0, s + 1)]), self.denominator)

    def cumulative(self) -> Iterator[Fraction]:
        """P[S <= 0], P[S <= 1], ..., in order."""
        return (Fraction(weight, self.denominator) for weight in accumulate(self.weights))

    @property
    def mean(self) -> Fraction:
        """E S."""
        return Fraction(sum(i * weight for i, weight in enumerate(self.weights)), self.denominator)

    @property
    def variance(self) -> Fraction:
        """Var S."""
        square = Fraction(sum(i * i * weight for i, weight in enumerate(self.weights)), self.denominator)
        return square - self.mean**2


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
    held = int if d.bit_length() < _LONG else fmpz
    u, v = held(q.numerator), held(d - q.numerator)
    cross, start, slope = u * v, likely * v * v + unlikely * u * u, u * u + v * v
    before: int | fmpz = 0
    now: int | fmpz = u**likely * v**unlikely
    weights = [now]
    for i in range(total):
        after = ((start - slope * i) * now + cross * (total - i + 1) * before) // (cross * (i + 1))
        before, now = now, after
        weights.append(now)
    return Pmf(weights=tuple(map(int, weights)), denominator=d**total)


def check_size(total: int, d: int, pmfs: int = 1) -> None:
    """Refuse exact pmfs of ``total`` reports whose weights, over powers of ``d``, would not fit.

    Raises:
        TooLarge: the weights would take more than about 2 GB, or those of several pmfs 1 GB: some five seconds.
    """
    size = pmfs * (total + 1) * (total * d.bit_length() // 8 + 32)
    limit = _MAX_BYTES if pmfs == 1 else _MAX_BYTES // 2
    if size > limit:
        what = "the exact pmf" if pmfs == 1 else f"{pmfs:,} times the exact pmf"
        raise TooLarge(
            f"{what} of {total:,} reports", size=size, limit=limit, unit="bytes",
            instead="dpcalc.delta (certified, any size)" if pmfs == 1 else "fewer records",
        )  # fmt: skip
