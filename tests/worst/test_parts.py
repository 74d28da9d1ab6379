"""Bounds above the compositions of each part, at many limits: against exact rationals, and one pass over all."""

from fractions import Fraction

import pytest

from dpcalc.families import bits
from dpcalc.families.bits import Bits
from dpcalc.numbers.limit import Limit
from dpcalc.worst.one_pass import together
from tests.oracles.scan import deltas
from tests.worst.chances import asymmetric_deltas, flipping, worst

ONE = Fraction(1)


def of_each(own, k, others, lams, parts, rtols):
    """The upper ends."""
    return [each and [one.upper for one in each] for each in together(own, k, others, lams, rtols, parts, rough=True)]


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


@pytest.mark.parametrize("own", [(Fraction(1, 1000), Fraction(999, 1000)), (Fraction(1, 2), 1 - Fraction(1, 10**6))])
def test_parts_far_below_the_largest_delta_have_a_bound_too(own):
    others, parts, epsilons = 39, ((0, 3), (4, 10), (11, 20), (21, 30), (31, 39)), ("1/10", "2", "4", "5", "6")
    one, width = Bits(own, 1, others), Fraction(1, 1000)
    kinds = set()
    for way in (one, one.flipped):
        rows = bits.of_each(way, parts, tuple((Fraction(x), width) for x in epsilons))
        for epsilon, row in zip(epsilons, rows, strict=True):
            limit = Limit.exp(Fraction(epsilon))
            kinds.add(bits._likely(way, parts, limit))
            each = asymmetric_deltas(way.own, 1, others, limit.ends.upper)
            for (first, last), bound in zip(parts, row, strict=True):
                truth = max(each[first : last + 1])
                assert truth <= bound <= max(truth * (1 + 2 * width), max(each) / 10**4), epsilon
    assert (0, 4) in kinds
    assert len(kinds) > 1  # some are left out
