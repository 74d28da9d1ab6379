"""Products in lists: without each term of the bound the truth is missed."""

from dataclasses import replace
from fractions import Fraction

import pytest

from dpcalc.losses.listed_product import divergence, outcomes
from tests.oracles.rounds import divergence as truth
from tests.oracles.rounds import law, pairs

Q, LAM = Fraction(1, 3), 1.5
OWN = Q, 1 - Q


def test_what_is_left_out_counts():
    exact = truth([list(zip(law(10, 50, Q, 1), law(11, 49, Q, 1), strict=True))], Fraction(LAM))
    short, ends = outcomes(OWN, 1, 10, 49, reach=-11.0), []
    assert short.missing > 0.001
    for missing in (short.missing, 0.0):
        low, high = divergence([replace(short, missing=missing)], (LAM, LAM))
        ends.append(low <= exact <= high)
    assert ends == [True, False]


def test_a_long_count_alone_is_summed_with_all_its_roundings():
    exact = truth([list(zip(law(10, 91, Q, 1), law(11, 90, Q, 1), strict=True))], Fraction(LAM))
    low, high = divergence([outcomes(OWN, 1, 10, 90, reach=300.0)], (LAM, LAM))
    assert low <= exact <= high <= low * (1 + 1e-9)


@pytest.mark.parametrize("sign", [-1, 1])
def test_the_error_of_masses_counts(sign):
    """P and Q off by it on opposite sides."""
    one, off = outcomes(OWN, 1, 3, 9, reach=60.0), 1e-9
    exact = truth([pairs(13, Q, 1)[3]], Fraction(LAM))
    p, q = ([x * (1 + side * sign * off) for x in terms] for side, terms in ((1, one.p), (-1, one.q)))
    above, below = ([sum(terms[:i]) for i in range(len(terms) + 1)] for terms in (p, q))
    wrong = replace(one, p=p, q=q, above=above, below=below, quotients=[y / x for x, y in zip(p, q, strict=True)])
    low, high = divergence([replace(wrong, error=1.01 * off)], (LAM, LAM))
    assert low <= exact <= high
    low, high = divergence([wrong], (LAM, LAM))
    assert not low <= exact <= high


def test_ties_are_not_lost():
    """Outcomes whose quotients err are compared generously, or terms that count are left out of the upper end."""
    one = outcomes(OWN, 1, 3, 9, reach=60.0)
    exact, lam = truth([pairs(13, Q, 1)[3]] * 2, Fraction(LAM)), (LAM, LAM)
    lost = replace(one, quotients=[x * (1 + 1e-3) for x in one.quotients], error=1e-3)
    assert divergence([one, lost], lam)[1] >= exact
    assert len(one.p) == len(one.q) == len(one.above) - 1
    assert one.quotients == sorted(one.quotients)
    low, high = divergence([one, one], lam)
    assert low <= exact <= high <= low * (1 + 1e-11)
