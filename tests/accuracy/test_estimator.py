"""The estimate, its intervals, and how often they contain the truth."""

from fractions import Fraction
from itertools import accumulate
from math import ceil

import mpmath
import pytest

from dpcalc.accuracy.estimator import confidence_interval, count_interval, coverage, estimate, required_n, variance
from dpcalc.accuracy.methods import around
from dpcalc.errors import Undecided
from dpcalc.mechanisms.response import KRandomization
from dpcalc.numbers.enclosure import Enclosure
from tests.oracles.estimation import not_refuted
from tests.oracles.rounds import law

METHODS = ("exact", "chebyshev", "hoeffding", "normal")
SMALL = [(n, q, k) for n in (1, 2, 3) for q in (Fraction(1, 10), Fraction(2, 5)) for k in (1, 2) if n * k <= 6]


def test_the_fraction_is_of_records_not_of_reports():
    assert estimate(KRandomization(n=4, q="1/4", k=3), 6).fraction == Fraction(1, 2)


@pytest.mark.parametrize(("n", "q", "k"), [*SMALL, (6, Fraction(1, 10), 5), (9, Fraction(1, 3), 1)])
@pytest.mark.parametrize("confidence", [Fraction(1, 2), Fraction(9, 10)])
def test_the_exact_interval_holds_every_sum_not_refuted_and_no_more(n, q, k, confidence):
    m = KRandomization(n=n, q=q, k=k)
    pmfs = [law(ones, n - ones, q, k) for ones in range(n + 1)]
    for s in range(k * n + 1):
        kept = not_refuted(pmfs, s, 1 - confidence)
        ends = confidence_interval(m, s, confidence=confidence)
        lower, upper = int(ends.lower.value), int(ends.upper.value)
        if kept:
            assert list(range(lower, upper + 1)) == kept
        else:
            refuted_from_below = [sum(pmf[: s + 1]) <= (1 - confidence) / 2 for pmf in pmfs]
            gap = refuted_from_below.index(True) if True in refuted_from_below else n + 1
            assert (lower, upper) == (max(0, gap - 1), min(n, gap))


@pytest.mark.parametrize(("n", "k"), [(450, 1), (140, 3)])
def test_counts_too_long_for_a_pmf_each_go_the_same_way(n, k):
    q, s, level = Fraction(1, 5), k * n // 2, Fraction(1, 20)
    ends = confidence_interval(KRandomization(n=n, q=q, k=k), s, confidence=1 - level)
    lower, upper = int(ends.lower.value), int(ends.upper.value)
    for ones, kept in ((lower - 1, False), (lower, True), (upper, True), (upper + 1, False)):
        assert bool(not_refuted([law(ones, n - ones, q, k)], s, level)) == kept


def _mpf(x):
    return mpmath.mpf(x.numerator) / x.denominator


HALF_WIDTHS = {
    "chebyshev": lambda m, level: mpmath.sqrt(_mpf(variance(m) / level)),
    "hoeffding": lambda m, level: mpmath.sqrt(m.n * mpmath.log(2 / _mpf(level)) / 2) / _mpf(2 * m.gamma),
    "normal": lambda m, level: mpmath.sqrt(_mpf(variance(m)) * 2) * mpmath.erfinv(_mpf(1 - level)),
}


@pytest.mark.parametrize("method", HALF_WIDTHS)
def test_half_widths(method):
    m = KRandomization(n=1800, q="1/4")
    ends = estimate(m, 900).interval("0.95", method=method)
    with mpmath.workdps(30):
        want = HALF_WIDTHS[method](m, Fraction(1, 20))
        assert abs(ends.upper.mpf() - 900 - want) < mpmath.mpf("1e-12")
        assert abs(ends.lower.mpf() - 900 + want) < mpmath.mpf("1e-12")


def test_an_enclosed_square_gives_enclosed_ends():
    ends = around(Fraction(10), Enclosure(Fraction(4), Fraction(9)))
    assert (ends.lower.lower, ends.lower.upper, ends.upper.lower, ends.upper.upper) == (7, 8, 12, 13)
    assert 9 in ends
    assert 14 not in ends
    with pytest.raises(Undecided):
        assert Fraction(25, 2) in ends


def test_sigmas_keep_working():
    m = KRandomization(n=1000, q="0.009")
    assert str(estimate(m, 991).interval(sigmas=3)) == str(estimate(m, 991).interval(sigmas="3.0"))
    assert estimate(KRandomization(n=18, q="1/4"), 9).interval(sigmas="2/3").lower.exact is False
    assert str(count_interval(m, ones=1000)) == "[982.04059153738373..., 999.95940846261626...]"


@pytest.mark.parametrize(("n", "q", "k"), [*SMALL, (6, Fraction(1, 10), 5), (9, Fraction(1, 3), 1)])
@pytest.mark.parametrize("method", METHODS)
def test_coverage_is_the_chance_of_the_outcomes_whose_interval_holds_the_truth(n, q, k, method):
    m = KRandomization(n=n, q=q, k=k)
    intervals = [confidence_interval(m, s, confidence="0.8", method=method) for s in range(k * n + 1)]
    for ones in range(n + 1):
        pmf = law(ones, n - ones, q, k)
        want = sum(c for c, ends in zip(pmf, intervals, strict=True) if ones in ends)
        assert coverage(m, ones=ones, confidence="0.8", method=method).value == want


def test_coverage_of_a_large_count_is_enclosed():
    m = KRandomization(n=100_000, q="1/4")
    for method in METHODS:
        covered = coverage(m, ones=30_000, confidence="0.95", method=method)
        assert not covered.exact
        assert covered.upper - covered.lower < Fraction(1, 10**12)
        assert covered > Fraction(949, 1000)


def test_enclosed_coverage_holds_the_exact_sum():
    """Of the outcomes s with P_T[S <= s] > level / 2 and P_T[S >= s] > level / 2; 450 reports."""
    pmf = law(31, 59, Fraction(1, 5), 5)
    below, half = accumulate(pmf), Fraction(1, 20)
    exact = sum(c for c, up_to in zip(pmf, below, strict=True) if up_to > half and 1 - up_to + c > half)
    enclosed = coverage(KRandomization(n=90, q="1/5", k=5), ones=31, confidence="0.9")
    assert not enclosed.exact
    assert enclosed.lower <= exact <= enclosed.upper


@pytest.mark.parametrize(("n", "s"), [(2, 2), (450, 130)])
def test_a_tie_is_settled_exactly(n, s):
    """P_0[S >= s] is exactly level / 2: not more, so T = 0 is refuted however narrow the enclosures."""
    tail = sum(law(0, n, Fraction(1, 4), 1)[s:])
    m = KRandomization(n=n, q="1/4")
    assert confidence_interval(m, s, confidence=1 - 2 * tail).lower == 1
    assert confidence_interval(m, s, confidence=1 - Fraction(19, 10) * tail).lower == 0


@pytest.mark.parametrize("method", ["chebyshev", "hoeffding", "normal"])
@pytest.mark.parametrize("k", [1, 4])
def test_required_n_is_the_least_with_the_width(method, k):
    error = Fraction(1, 25)
    n = required_n(error=error, confidence="0.9", q="1/5", k=k, method=method)

    def half_width(people):
        m = KRandomization(n=people, q="1/5", k=k)
        ends = confidence_interval(m, k * people // 2, confidence="0.9", method=method)
        return Enclosure((ends.upper.lower - ends.lower.upper) / 2, (ends.upper.upper - ends.lower.lower) / 2)

    assert half_width(n) <= error * n
    assert half_width(n - 1) > error * (n - 1)


def test_required_n_with_a_whole_quotient():
    """z^2 p q / (p - q)^2 = 20 (3/16) 4 = 15 by Chebyshev at 95 %, so that error = 1/10 needs exactly 1500."""
    assert required_n(error="1/10", confidence="0.95", q="1/4", method="chebyshev") == 1500
    assert required_n(error="1/10", confidence="0.95", q="1/4", k=7, method="chebyshev") == ceil(Fraction(1500, 7))
