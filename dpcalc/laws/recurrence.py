r"""Recurrences of three terms with linear coefficients.

Positive numbers x_0, ..., x_T obey

    a(s) x_{s+1} = b(s) x_s + c(s) x_{s-1},    a, c >= 0 for 0 < s < T,    b(s) = b_0 - b_1 s with b_1 > 0.

In integers it is followed from x_0 on. In balls it is followed from both sides of any range towards the s at which
b changes its sign: there each step adds positive terms only, so that relative widths add up and no digit cancels.

Source: the coefficients of a product of powers of two linear factors (``laws.pmf``), and their quotients (5.9) of
K16 (``privacy.ratios``).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TypeAlias

from flint import arb, fmpz

#: The function constant + slope s, as (constant, slope).
Linear: TypeAlias = tuple[int | fmpz, int | fmpz]


@dataclass(frozen=True, slots=True)
class Recurrence:
    """a(s) x_{s+1} = b(s) x_s + c(s) x_{s-1}.

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
