"""The best test of all zeros against a few ones."""

from fractions import Fraction
from math import ceil

import mpmath
import pytest

from dpcalc.laws.pool import binomial_at_least, binomial_at_most
from dpcalc.mechanisms.response import KRandomization, RandomizedResponse
from dpcalc.notes.barrier.lower_bound import Randomizer, barrier, crossing, distinguish
from dpcalc.notes.barrier.sqrt_barrier import sqrt_barrier
from tests.oracles.estimation import total_variation, views
from tests.oracles.hockey_stick import pmf

COINS = RandomizedResponse("1/4")
REPORT = Randomizer.of(KRandomization(n=1, q="1/4"))
RATES = [Fraction(1, 10), Fraction(1, 2), Fraction(1)]


def _mpf(x):
    return mpmath.mpf(x.numerator) / x.denominator


def _near(value, want, digits=12):
    with mpmath.workdps(30):
        return abs(value.mpf() - want) <= abs(want) * mpmath.mpf(10) ** -digits


def _binomial(n, w):
    return pmf([(w, n)])


@pytest.mark.parametrize("n", [1, 2, 5, 8])
@pytest.mark.parametrize("rate", RATES)
def test_the_distance_is_that_of_the_views_and_of_the_best_threshold(n, rate):
    found = distinguish(COINS, n=n, rate=rate)
    pairs = list(views(REPORT.zero, REPORT.mixed(rate), n))
    distance = total_variation(*zip(*pairs, strict=True))
    assert found.distance.lower <= distance <= found.distance.upper
    under_a, zeros = _binomial(n, REPORT.mixed(rate)[1]), _binomial(n, COINS.q)
    assert distance == max(sum(under_a[s:]) - sum(zeros[s:]) for s in range(n + 2))
    short = sum(c for ones, c in enumerate(_binomial(n, rate)) if ones < n * rate / 2)
    assert found.short.lower <= short <= found.short.upper
    assert found.error.lower <= (1 - distance) / 2 <= found.error.upper
    assert found.failure.lower <= (1 - distance - short) / 2 <= found.failure.upper


def test_the_barrier_is_at_the_square_root():
    ns = [10**2, 10**4, 10**6, 10**8]
    at, below, above = (
        [float(row.error) for row in barrier(COINS, ns, scale=1, exponent=x)] for x in ("1/2", "1/3", "2/3")
    )
    assert max(at) - min(at) < 0.01
    assert below == sorted(below)
    assert below[-1] > 0.47
    assert above == sorted(above, reverse=True)
    assert above[-1] < 0.01
    assert [row.n * row.rate for row in barrier(COINS, ns, scale=1)] == [10, 100, 1000, 10_000]


@pytest.mark.parametrize(("n", "rate"), [(10**9, "1/2"), (10**12, "1/1000"), (10**15, "1")])
def test_tails_too_faint_to_be_written_are_bounded(n, rate):
    row = distinguish(COINS, n=n, rate=rate)
    for value in (row.overlap, row.short):
        assert value.lower == 0
        assert value.upper < Fraction(1, 10**433)


@pytest.mark.parametrize(("n", "faint"), [(48_000, False), (50_000, True)])
def test_a_tail_is_called_faint_where_it_is(n, faint):
    """Tails that the proof's bound e^(-2 (1/10)^2 n) is near to: e^-984 is not below e^-1000, e^-1025 is."""
    found = distinguish(RandomizedResponse("2/5"), n=n, rate=1)
    exact = binomial_at_least(n, "2/5", n // 2 + 1) + binomial_at_most(n, "3/5", n // 2)
    assert found.overlap.lower <= exact.lower < exact.upper <= found.overlap.upper
    assert (found.overlap.lower == 0) is faint


@pytest.mark.parametrize(("n", "faint"), [(639_999, False), (800_000, True)])
def test_a_short_sum_is_called_faint_where_it_is(n, faint):
    """The same with e^(-n/800): for n = 639,999 the tail is e^-985."""
    found = distinguish(RandomizedResponse("2/5"), n=n, rate="1/100")
    exact = binomial_at_most(n, "1/100", ceil(Fraction(n, 200)) - 1)
    assert found.short.lower <= exact.lower < exact.upper <= found.short.upper
    assert (found.short.lower == 0) is faint


def test_a_small_error_has_digits():
    (row,) = barrier(COINS, [10**8], scale=1, exponent="2/3")
    assert row.error.digits >= 10
    assert row.error < Fraction(1, 10**30)


def test_the_barrier_of_loc_is_at_one_over_epsilon():
    (row,) = barrier(COINS, [10**6])
    with mpmath.workdps(30):
        assert abs(_mpf(row.n * row.rate) - 1000 / mpmath.log(3)) < mpmath.mpf("1e-20")


@pytest.mark.parametrize("digits", [12, 45, 200])
def test_the_crossing_is_narrower_than_a_report_for_any_n(digits):
    found = crossing(COINS, n=10**digits, rate=Fraction(1, 10 ** (digits // 2)), v=Fraction(0))
    assert found.upper - found.lower < Fraction(1, 10**30)


@pytest.mark.parametrize("digits", [16, 18, 20])
def test_the_error_beyond_the_beta_function_tends_to_its_limit(digits):
    """With sqrt(n) ones expected the error tends to that of two normals (p - q)/sqrt(p q) apart, by 1/sqrt(n)."""
    found = distinguish(COINS, n=10**digits, rate=Fraction(1, 10 ** (digits // 2)))
    with mpmath.workdps(30):
        limit = mpmath.erfc(1 / mpmath.sqrt(3) / mpmath.sqrt(2))
        assert abs(mpmath.mpf(found.overlap.lower.numerator) / found.overlap.lower.denominator - limit) < 1e-7


def test_the_columns_of_the_table_stay_apart():
    lines = sqrt_barrier(q="1/10", ns=[1, 10**15]).table().splitlines()
    assert [len(line.replace(", ", ",").split()) for line in lines[1:]] == [4, 4, 4]
    assert len({len(line) for line in lines[1:]}) == 1
