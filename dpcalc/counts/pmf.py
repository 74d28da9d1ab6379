r"""The pmf of a count as integer weights over one common denominator.

P[S = i] = weights[i] / denominator for i = 0, ..., len - 1; integers over one denominator beat every rational type in
speed, and turn log-concavity into an integer comparison.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate

from dpcalc.errors import DomainError

__all__ = ["Pmf"]


@dataclass(frozen=True, slots=True, kw_only=True)
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
