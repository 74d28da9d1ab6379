"""Bounds above the compositions of each part, at many limits: against exact rationals, and one pass over all."""

from fractions import Fraction

import numpy as np
import pytest

from dpcalc.worst import part_by_part
from dpcalc.worst.one_pass import worst
from dpcalc.worst.part_by_part import of_each
from dpcalc.worst.ranges import cut
from tests.oracles.scan import deltas
from tests.worst.chances import flipping

ONE = Fraction(1)


@pytest.mark.parametrize(("n", "k"), [(1, 1), (30, 1), (17, 2)])
def test_the_exact_maximum_of_each_part_is_held_at_many_limits_together(n, k):
    q, lams = Fraction(1, 5), [Fraction(x, 20) for x in (20, 21, 23, 26, 30, 40)]
    parts = [(0, 0), (1, n // 2), (n // 2 + 1, n - 1)] if n > 1 else [(0, 0)]
    found = of_each(flipping(q), k, n - 1, [(x, x) for x in lams], parts, [1e-3] * len(lams))
    for lam, bounds in zip(lams, found, strict=True):
        each = deltas(n, q, k, lam)
        for (first, last), bound in zip(parts, bounds, strict=True):
            assert (
                max(each[first : last + 1])
                <= bound
                <= max(max(each[first : last + 1]) * ONE * 101 / 100, max(each) / 1000)
            )


def test_the_ripple_s_top_in_each_part_spares_cuts(calls_of, monkeypatch):
    q, n = Fraction(9, 10_000), 10**5
    lams = [(x, x) for x in (Fraction(110 + i, 100) for i in range(6))]
    parts = [(0, 24_999), (25_000, 49_999), (50_000, n - 1)]

    def seen():
        calls = calls_of(part_by_part.in_arrays, "deltas")
        found = of_each(flipping(q), 1, n - 1, lams, parts, [5e-4] * 6)
        return sum(len(ones) for _, ones, *_ in calls), found

    with_tops, found = seen()
    monkeypatch.setattr(part_by_part, "_MANY", 10**9)
    without, other = seen()
    assert with_tops < without * 0.85
    for one, two in zip(found, other, strict=True):
        assert all(abs(x / y - 1) < 1e-3 for x, y in zip(one, two, strict=True))


def test_a_part_that_is_cut_as_often_as_it_may_be_is_bounded():
    lam, n = Fraction(11, 10), 10**4
    ((bound,),) = of_each(flipping(Fraction(1, 10)), 1, n - 1, [(lam, lam)], [(0, n - 1)], [1e-9])
    found = worst(flipping(Fraction(1, 10)), 1, n - 1, (lam, lam), rtol=1e-6)
    assert found.lower <= bound <= found.upper * (1 + Fraction(1, 100))


def test_a_part_whose_bound_is_not_settled_is_bounded_by_one():
    """Of what is lifted no end is 1: infinity stands for it until the lift is taken off."""
    lams = [Fraction(x) for x in (1.0086596643955712, 1.0096683240599669, 1.0106769837243623)]
    for told in of_each(flipping(Fraction(49, 100)), 10, 299_999, [(x, x) for x in lams], [(0, 299_999)], [1e-3] * 3):
        assert told is None or 0 < told[0] <= 1


def test_ranges_are_cut_as_those_of_all_compositions_are():
    parts, low, high = np.array([0, 1, 1]), np.array([0, 5, 9]), np.array([1, 8, 40])
    found = part_by_part._cut(parts, low, high)
    assert sorted(zip(*(x.tolist() for x in found[1:]), strict=True)) == sorted(zip(*cut(low, high), strict=True))
    assert all(low[i] <= m <= n <= high[i] or (i and m > 8) for i, m, n in zip(*found, strict=True))
