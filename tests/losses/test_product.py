"""Products of listed pairs in doubles: against fractions, against other algorithms, and every error bound at work."""

from dataclasses import replace
from fractions import Fraction

import pytest

import dpcalc as dp
from dpcalc.losses import product
from dpcalc.losses.product import Outcomes, divergence, outcomes
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


@pytest.fixture(params=[True, False], autouse=True)
def _arrays(request, monkeypatch):
    """In arrays and in lists."""
    monkeypatch.setattr(product, "arrays", lambda: request.param)


def listed(p, q, error, missing):
    """Outcomes in rising order of Q/P."""
    above, below = ([sum(terms[:i]) for i in range(len(terms) + 1)] for terms in (p, q))
    return Outcomes(p, q, [y / x for x, y in zip(p, q, strict=True)], above, below, error, missing)


@pytest.mark.parametrize(("counts", "lam"), CASES)
def test_fractions(counts, lam):
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
def test_one_count_as_the_mechanism_has_it(n, q, k, ones, lam):
    found = divergence([outcomes(own(q), k, ones, n - 1 - ones, reach=80.0)], (float(Fraction(lam)),) * 2)
    whole = dp.delta(dp.KRandomization(n=n, q=q, k=k), lam=lam, ones=ones, rtol="1e-12")
    mirror = divergence([outcomes(own(q), k, n - 1 - ones, ones, reach=80.0)], (float(Fraction(lam)),) * 2)
    lower, upper = max(found, mirror)
    slack = Fraction(1, 10**9)  # lambda is not a double
    assert lower <= whole.upper * (1 + slack) / (1 - slack)
    assert upper >= whole.lower * (1 - slack)
    assert upper <= lower * (1 + 1e-4)


def test_what_is_left_out_counts():
    """With a short reach the truth is inside, and it is not if what is missing were nothing."""
    exact = truth([list(zip(*(law(m, 60 - m, Fraction(1, 3), 1) for m in (10, 11)), strict=True))], Fraction(3, 2))
    short, ends = outcomes(own("1/3"), 1, 10, 49, reach=-11.0), []
    assert short.missing > 0.001
    for missing in (short.missing, 0.0):
        low, high = divergence([replace(short, missing=missing)], (1.5, 1.5))
        ends.append(low <= exact <= high)
    assert ends == [True, False]


def test_a_long_count_alone_is_summed_with_all_its_roundings():
    q = Fraction(1, 3)
    exact = truth([list(zip(law(10, 91, q, 1), law(11, 90, q, 1), strict=True))], Fraction(3, 2))
    low, high = divergence([outcomes(own(q), 1, 10, 90, reach=300.0)], (1.5, 1.5))
    assert low <= exact <= high <= low * (1 + 1e-9)


def test_what_is_missing_counts_at_either_end():
    """An outcome left out, and a Q mass of which a part is not listed."""
    p, q = [0.5, 0.25, 0.25], [0.25, 0.125, 0.625]
    exact = truth([list(zip(map(Fraction, p), map(Fraction, q), strict=True))], Fraction(3, 2))
    without = listed(p[1:], q[1:], 0.0, 0.5)
    assert divergence([without], (1.5, 1.5))[1] >= exact > divergence([replace(without, missing=0.0)], (1.5, 1.5))[1]
    short = listed(p, [0.125, 0.125, 0.625], 0.0, 0.125)
    assert divergence([short], (1.5, 1.5))[0] <= exact < divergence([replace(short, missing=0.0)], (1.5, 1.5))[0]


def test_errors_of_the_masses_count():
    """Masses wrong by as much as they may be, each in the worst direction."""
    g, lam = 1e-3, 1.25
    p, q = [0.4, 0.3, 0.2, 0.1], [0.1, 0.24, 0.26, 0.4]
    exact = truth([list(zip(map(Fraction, p), map(Fraction, q), strict=True))] * 2, Fraction(lam))
    for signs in ((1, -1), (-1, 1)):
        wrong = listed([x * (1 + signs[0] * g) for x in p], [x * (1 + signs[1] * g) for x in q], 1.01 * g, 0.0)
        lower, upper = divergence([wrong] * 2, (lam, lam))
        assert lower <= exact <= upper
        low, high = divergence([replace(wrong, error=0.0)] * 2, (lam, lam))
        assert not low <= exact <= high


def test_ties_are_not_lost():
    """Outcomes whose quotients err are compared generously, or terms that count are left out of the upper end."""
    q = Fraction(1, 3)
    each = [list(zip((1 - q, q), (q, 1 - q), strict=True))] * 3
    alone = outcomes((q, 1 - q), 1, 0, 0, reach=40.0)
    for lam in (1, 2, 4, 8):  # all quotients are powers of 2
        lower, upper = divergence([alone] * 3, (float(lam), float(lam)))
        assert lower <= truth(each, Fraction(lam)) <= upper
    likely = 5e-7 * (1 - 1e-4)
    one = listed([1e-6, 1 - 1e-6], [likely, 1 - likely], 2e-3, 0.0)
    lost = replace(one, quotients=[one.quotients[0] * (1 + 1e-3), one.quotients[1]])
    exact = truth([list(zip(map(Fraction, one.p), map(Fraction, one.q), strict=True))], Fraction(2))
    assert 0 < exact <= divergence([lost], (2.0, 2.0))[1]  # the only outcome of a larger ratio
