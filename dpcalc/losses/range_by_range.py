r"""delta of many rounds above all datasets and strategies, range by range of the datasets.

V_t(lambda), the largest delta of the last t rounds, is max_m sum_i P_m(i) V_{t-1}(lambda Q_m(i) / P_m(i)), m one of the
datasets of the first of them. The datasets of one round are put in a few ranges. Of the pair above all of a range r, on
the lattice lambda_j = e^{jh}, p_i is the P mass of the loss i h, and w that of an infinite one. Then

    V_t(lambda_j) <= U_t(j),    U_0(j) = [1 - lambda_j]_+,    U_t(j) = max_r w + sum_i p_i U_{t-1}(j - i).

One pair above all datasets is wider: what is worst where losses are large is not so where they are small. V_t falls
from V_t(0) = 1 and is convex: left of the points kept it is at most 1, right of them at most the last U_t, and between
two of them at most their chord.

*Rounding.* Masses are rounded up. A sum of n products of doubles >= 0 errs by less than (n + 4) u, what underflows by
less than ``_LEAST``; both are added.

Source: proof notes, C23.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

import numpy as np
from flint import arb
from numpy.lib.stride_tricks import sliding_window_view

from dpcalc.losses.lattice import floor
from dpcalc.losses.lattice_pair import LatticePair
from dpcalc.numbers.ball import ball
from dpcalc.numbers.doubles import AT_ONCE, Reals
from dpcalc.numbers.limit import Limit
from dpcalc.numbers.rounding import UNIT

_LEAST = 1e-300


@dataclass(frozen=True)
class RangeByRange:
    """Rounds whose datasets are in ranges.

    Attributes:
        step: h.
        kinds: the pair above all datasets of each range, and how many rounds; in the order in which they are run.
        first, last: the j of the points kept.

    Everything is done at the current precision.
    """

    step: Fraction
    kinds: Sequence[tuple[Sequence[LatticePair], int]]
    first: int
    last: int

    def delta(self, limit: Limit) -> arb:
        """A number at or above delta of every choice of datasets, also where it depends on earlier counts."""
        j = floor(limit, self.step)
        values = self._values
        if j < self.first:
            return arb(1)
        if j >= self.last:
            return ball(Fraction(values[-1]))
        low, high = (ball(Fraction(values[i - self.first])) for i in (j, j + 1))
        part = (limit.log_ball() - ball(j * self.step)).expm1() / ball(self.step).expm1()
        return low + part.max(arb(0)).min(arb(1)) * (high - low)

    @cached_property
    def _values(self) -> list[float]:
        """U_T: the last round comes first."""
        h, places = ball(self.step), range(self.first, self.last + 1)
        values = np.array([_up(-(h * j).expm1()) if j < 0 else 0.0 for j in places])  # U_0
        for ranges, times in reversed(self.kinds):
            values = _before(values, ranges, times)
        return [float(x) for x in values]


def _before(values: Reals, ranges: Sequence[LatticePair], times: int) -> Reals:
    """U_{t + times} of U_t, all of these rounds of one kind."""
    losses = sorted({one.first + i for one in ranges for i, x in enumerate(one.masses) if not x.upper() <= 0})
    masses = np.array([[_mass(one, i) for i in losses] for one in ranges])
    infinite = np.array([_up(one.beyond) for one in ranges])[:, None]
    left, right = max(0, *losses), max(0, *(-i for i in losses))
    places, some = left - np.array(losses), max(1, min(AT_ONCE // masses.size, len(values)))
    rounding = 1 + 1.01 * (len(losses) + 6) * UNIT
    for _ in range(times):
        padded = np.concatenate((np.ones(left), values, np.full(right + some, values[-1])))
        windows = sliding_window_view(padded, some)
        sums = [(masses @ windows[places + j] + infinite).max(axis=0) for j in range(0, len(values), some)]
        values = np.minimum(np.concatenate(sums)[: len(values)] * rounding + _LEAST, 1.0)
    return values


def _mass(one: LatticePair, loss: int) -> float:
    """An upper bound of the mass of a loss."""
    i = loss - one.first
    return _up(one.masses[i]) if 0 <= i < len(one.masses) else 0.0


def _up(x: arb) -> float:
    """A double at or above a probability; 1 where the ball says nothing."""
    top = x.upper()
    if not top.is_finite():
        return 1.0
    return math.nextafter(float(top), math.inf) if top > 0 else 0.0
