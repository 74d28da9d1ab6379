r"""Real solutions of linear inequalities with rational coefficients, found or refuted exactly.

    low_v <= x_v <= high_v,   x_1 + ... + x_m >= least,   a . x <= 0 for every added row a.

Every row is one more variable a . x with a bound. At each moment m variables are free (each at a value within its
bounds) and every other one is a linear combination of them; a variable outside its bounds is exchanged for a free
one that can repair it. If none can, that one row contradicts the bounds: nothing satisfies the inequalities. Always
taking the variable of smallest index (Bland) makes the exchanges end. Rows and bounds may change in between; the
last point is where the next search starts.

Source: Dutertre and de Moura, "A Fast Linear-Arithmetic Solver for DPLL(T)", CAV 2006, sections 3 and 4.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import gcd, lcm
from typing import TypeAlias

from dpcalc.errors import must_fit

_Row: TypeAlias = tuple[list[int], int]  # terms and divisor: the variable is (terms . free variables) / divisor

_MAX_WORK = 100_000_000  # exact multiplications: about a minute


class Inequalities:
    """The inequalities above; rows are added and the box is changed while they are being solved.

    >>> system = Inequalities(2, least=3)
    >>> system.require([1, -2])
    >>> system.point([0, 0], [4, 4])
    [Fraction(2, 1), Fraction(1, 1)]
    >>> system.point([3, 0], [4, 1]) is None
    True
    """

    def __init__(self, size: int, *, least: int, most_work: int = _MAX_WORK) -> None:
        self._size = size
        self._work, self._most_work = 0, most_work
        self._free = list(range(size))  # the free variables; a row's coefficients are in this order
        self._values = [Fraction(0)] * size
        self._low: list[Fraction | int | None] = [None] * size
        self._high: list[Fraction | int | None] = [None] * size
        self._rows: dict[int, _Row] = {}
        self._add([1] * size, low=least, high=None)

    def require(self, row: Sequence[int]) -> None:
        """Add row . x <= 0."""
        self._add(row, low=None, high=0)

    def _add(self, row: Sequence[int], *, low: int | None, high: int | None) -> None:
        """Append the variable row . x, rewritten in the free variables."""
        place = {variable: j for j, variable in enumerate(self._free)}
        scale = lcm(*(self._rows[v][1] for v in range(self._size) if v in self._rows))
        coefficients = [0] * self._size
        for v, weight in enumerate(row):
            if v in place:
                coefficients[place[v]] += weight * scale
            elif weight:
                terms, divisor = self._rows[v]
                factor = weight * (scale // divisor)
                coefficients = [c + factor * t for c, t in zip(coefficients, terms, strict=True)]
        self._rows[len(self._values)] = _reduced(coefficients, scale)
        self._values.append(sum((w * x for w, x in zip(row, self._values, strict=False)), start=Fraction(0)))
        self._low.append(low)
        self._high.append(high)

    def point(self, low: Sequence[int], high: Sequence[int]) -> list[Fraction] | None:
        """A point with low_v <= x_v <= high_v that satisfies every row, or None: there is none.

        Raises:
            TooLarge: more than about a minute of exact arithmetic since the start.
        """
        self._low[: self._size], self._high[: self._size] = low, high
        for j, variable in enumerate(self._free):
            self._move(j, self._nearest(variable))
        while (broken := self._first_broken()) is not None:
            repairing = self._repairing(broken)
            if repairing is None:
                return None
            self._exchange(broken, repairing)
        return self._values[: self._size]

    def _nearest(self, variable: int) -> Fraction | int:
        """The value within the variable's bounds that is nearest its present one."""
        value, low, high = self._values[variable], self._low[variable], self._high[variable]
        if low is not None and value < low:
            return low
        return high if high is not None and value > high else value

    def _first_broken(self) -> int | None:
        return min((v for v in self._rows if self._nearest(v) != self._values[v]), default=None)

    def _repairing(self, broken: int) -> int | None:
        """Where the first free variable stands that can move the broken one towards its bounds."""
        rise = self._nearest(broken) > self._values[broken]
        able = []
        for j, (variable, weight) in enumerate(zip(self._free, self._rows[broken][0], strict=True)):
            end = self._high[variable] if (weight > 0) == rise else self._low[variable]
            if weight and self._values[variable] != end:
                able.append((variable, j))
        return min(able)[1] if able else None

    def _exchange(self, broken: int, j: int) -> None:
        """Move the j-th free variable until the broken one is at its bound, then let the two change places."""
        terms, divisor = self._rows.pop(broken)
        weight, variable = terms[j], self._free[j]
        target = Fraction(self._nearest(broken))
        step = (target - self._values[broken]) * divisor / weight
        self._values[broken] = target
        self._move(j, self._values[variable] + step)
        sign = 1 if weight > 0 else -1
        solved = [-sign * t for t in terms]  # weight x_variable = divisor x_broken - the other terms
        solved[j] = sign * divisor
        weight = abs(weight)
        for v, (row, scale) in self._rows.items():
            if factor := row[j]:
                row[j] = 0
                mixed = [weight * c + factor * s for c, s in zip(row, solved, strict=True)]
                self._rows[v] = _reduced(mixed, scale * weight)
        self._rows[variable] = _reduced(solved, weight)
        self._free[j] = broken
        self._spend(len(self._rows) * self._size)

    def _move(self, j: int, target: Fraction | int) -> None:
        """Give the j-th free variable a value, and every dependent one its new value."""
        variable = self._free[j]
        step = target - self._values[variable]
        if step:
            self._values[variable] += step
            for v, (terms, divisor) in self._rows.items():
                if terms[j]:
                    self._values[v] += step * terms[j] / divisor

    def _spend(self, work: int) -> None:
        self._work += work
        must_fit(
            "the search for a subset", self._work, self._most_work, "exact multiplications",
            instead="fewer distinct values or another epsilon",
        )  # fmt: skip


def _reduced(terms: list[int], divisor: int) -> _Row:
    common = gcd(divisor, *terms)
    return [t // common for t in terms], divisor // common
