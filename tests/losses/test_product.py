"""Products of listed pairs in doubles: against fractions, against other algorithms, and every error bound at work."""

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

import dpcalc as dp
from dpcalc.losses import listed_product
from dpcalc.losses import product as module
from dpcalc.losses.product import Masses, binomial, divergence, in_order, outcomes
from tests.oracles.rounds import divergence as truth
from tests.oracles.rounds import law, pairs

CASES = [
    ([(1, "1/4", 1, 0)], "3/2"),
    ([(9, "1/1000", 1, 4)], "7"),
    ([(6, "1/4", 1, 2), (3, "1/10", 1, 0)], "3/2"),
    ([(5, "1/3", 2, 1), (5, "1/3", 2, 4)], "1"),
    ([(4, "1/100", 3, 3), (7, "2/5", 1, 6)], "100"),
    ([(4, "1/5", 1, 3), (3, "1/4", 1, 0), (2, "1/3", 2, 1)], "2"),
]


def own(q):
    """What a report of 0 and one of 1 are 1 with."""
    return Fraction(q), 1 - Fraction(q)


@pytest.fixture(params=[module, listed_product])
def engine(request):
    """In arrays and in lists."""
    return request.param


@pytest.mark.parametrize(("counts", "lam"), CASES)
def test_fractions(engine, counts, lam):
    outcomes, divergence = engine.outcomes, engine.divergence
    exact = truth([pairs(n, Fraction(q), k)[m] for n, q, k, m in counts], Fraction(lam))
    each = [outcomes(own(q), k, m, n - 1 - m, reach=60.0) for n, q, k, m in counts]
    lower, upper = divergence(each, (float(Fraction(lam)),) * 2)
    assert lower <= exact <= upper
    assert upper <= lower * (1 + 1e-10)
    wide = divergence(each, (float(Fraction(lam)) * 0.99, float(Fraction(lam)) * 1.01))
    assert wide[0] < lower < upper < wide[1]
    assert divergence(each[::-1], (float(Fraction(lam)),) * 2)[0] <= exact


@pytest.mark.parametrize(("n", "q", "k", "ones", "lam"), [
    (1000, "1/10", 1, 3, "3/2"), (10**4, "1/10", 1, 4000, "11/10"), (10**5, "1/150", 1, 0, "5/4"),
    (300, "1/4", 7, 100, "2"), (10**7, "1/10", 1, 0, "10001/10000"),
])  # fmt: skip
@pytest.mark.soak
def test_one_count_as_the_mechanism_has_it(engine, n, q, k, ones, lam):
    outcomes, divergence = engine.outcomes, engine.divergence
    found = divergence([outcomes(own(q), k, ones, n - 1 - ones, reach=80.0)], (float(Fraction(lam)),) * 2)
    whole = dp.delta(dp.KRandomization(n=n, q=q, k=k), lam=lam, ones=ones, rtol="1e-12")
    mirror = divergence([outcomes(own(q), k, n - 1 - ones, ones, reach=80.0)], (float(Fraction(lam)),) * 2)
    lower, upper = max(found, mirror)
    slack = Fraction(1, 10**9)  # lambda is not a double
    assert lower <= whole.upper * (1 + slack) / (1 - slack)
    assert upper >= whole.lower * (1 - slack)
    assert upper <= lower * (1 + 1e-4)


def test_the_laws_of_reports():
    for count, a in ((1, "1/2"), (40, "1/7"), (40, "999/1000"), (3, "1/1000000")):
        x = Fraction(a)
        whole = binomial(count, x, np.inf)
        exact, choose = [], 1
        for i in range(count + 1):
            exact.append(choose * x**i * (1 - x) ** (count - i))
            choose = choose * (count - i) // (i + 1)
        assert len(whole.terms) == count + 1
        for term, value in zip(whole.terms.tolist(), exact, strict=True):
            assert abs(Fraction(term) - value) <= value * Fraction(whole.error)
        cut = binomial(count, x, 3.0)
        assert sum(exact) - sum(map(Fraction, cut.terms.tolist())) * (1 - Fraction(cut.error)) <= Fraction(
            cut.missing
        ) + sum(exact) * 2 * Fraction(cut.error)


def test_what_is_left_out_counts():
    """With a short reach the truth is inside, and it is not if what is missing were nothing."""
    exact = truth([list(zip(*(law(m, 60 - m, Fraction(1, 3), 1) for m in (10, 11)), strict=True))], Fraction(3, 2))
    short = outcomes(own("1/3"), 1, 10, 49, reach=1.5)
    assert short.missing > 0.01
    lower, upper = divergence([short], (1.5, 1.5))
    assert lower <= exact <= upper
    bare = replace(short, missing=0.0, error=0.0)
    low, high = divergence([bare], (1.5, 1.5))
    assert not low <= exact <= high


def test_what_is_missing_counts_at_either_end():
    """An outcome left out, and a Q mass of which a part is not listed."""
    p, q = (np.array(x) for x in ([0.5, 0.25, 0.25], [0.25, 0.125, 0.625]))
    exact = truth([list(zip(map(Fraction, p.tolist()), map(Fraction, q.tolist()), strict=True))], Fraction(3, 2))
    without = in_order(p[1:], q[1:], 0.0, 0.5)
    assert divergence([without], (1.5, 1.5))[1] >= exact > divergence([replace(without, missing=0.0)], (1.5, 1.5))[1]
    short = in_order(p, q - np.array([0.125, 0, 0]), 0.0, 0.125)
    assert divergence([short], (1.5, 1.5))[0] <= exact < divergence([replace(short, missing=0.0)], (1.5, 1.5))[0]


def test_a_mass_below_the_range_of_doubles_is_missing():
    one = Masses(np.array([1.0, 1e-200]), 0.0, 0.0)
    both = one.times(one)
    assert both.terms.tolist() == [1.0, 2e-200, 0.0]
    assert Fraction(both.missing) >= Fraction(1e-200) ** 2


def test_errors_of_the_masses_count():
    """Masses wrong by as much as they may be, each in the worst direction."""
    g, lam = 1e-3, 1.25
    p, q = (np.array(x) for x in ([0.4, 0.3, 0.2, 0.1], [0.1, 0.24, 0.26, 0.4]))
    exact = truth([list(zip(map(Fraction, p.tolist()), map(Fraction, q.tolist()), strict=True))] * 2, Fraction(lam))
    for signs in ((1, -1), (-1, 1)):
        wrong = in_order(p * (1 + signs[0] * g), q * (1 + signs[1] * g), 1.01 * g, 0.0)
        lower, upper = divergence([wrong] * 2, (lam, lam))
        assert lower <= exact <= upper
        low, high = divergence([replace(wrong, error=0.0)] * 2, (lam, lam))
        assert not low <= exact <= high


def test_ties_are_not_lost():
    """Where all quotients are powers of one number, lambda among them, nothing depends on how they are rounded."""
    q = Fraction(1, 3)
    each = [list(zip((1 - q, q), (q, 1 - q), strict=True))] * 3
    listed = outcomes((q, 1 - q), 1, 0, 0, reach=40.0)
    for lam in (1, 2, 4, 8):
        lower, upper = divergence([listed] * 3, (float(lam), float(lam)))
        assert lower <= truth(each, Fraction(lam)) <= upper


def test_outcomes_come_in_order():
    found = in_order(np.array([0.1, 0.0, 0.6, 0.3]), np.array([0.5, 0.2, 0.1, 0.2]), 0.0, 0.0)
    assert found.p.tolist() == [0.6, 0.3, 0.1]
    assert (np.diff(found.quotients) >= 0).all()
    assert found.above.tolist() == pytest.approx([0.0, 0.6, 0.9, 1.0])
