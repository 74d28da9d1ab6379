import itertools
from fractions import Fraction

import mpmath
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dpcalc.local.solvers import classical_q, local_q, local_sigma
from dpcalc.mechanisms.response import KRandomization
from tests.oracles.own_windows import kept, largest


def inside(bracket, value):
    low, high = (mpmath.mpf(end.numerator) / end.denominator for end in (bracket.lower, bracket.upper))
    return low <= value <= high


# --- classical --------------------------------------------------------------------------------------------


@given(st.integers(2, 50), st.integers(1, 5), st.integers(1, 3))
def test_the_classical_bound_holds_at_its_end_and_fails_below(lam, k, bits):
    found = classical_q(lam=lam, k=k, bits=bits)
    assert (1 / found.upper - 1) ** (k * bits) <= lam <= (1 / found.lower - 1) ** (k * bits)
    assert found.enclosure.relative_width() <= Fraction(1, 10**39)
    assert (found.at_lower.value, found.at_upper.value) == tuple(
        (1 / q - 1) ** (k * bits) for q in (found.lower, found.upper)
    )


def test_the_classical_bound_of_lambda_2_is_a_third():
    assert classical_q(lam=2).value == Fraction(1, 3)
    assert classical_q(lam=4, k=2).value == classical_q(lam=16, k=2, bits=2).value == Fraction(1, 3)
    with mpmath.workdps(50):
        assert inside(classical_q(epsilon=1, k=3), 1 / (1 + mpmath.exp(mpmath.mpf(1) / 3)))


@pytest.mark.parametrize("k", [10**5, 10**6, 10**12])
def test_the_classical_bound_of_very_many_repeats(k):
    """q = 1/(1 + 2^{1/k}) by mpmath, and a proof at both ends: the exact powers would have some 140 k bits."""
    found = classical_q(lam=2, k=k)
    with mpmath.workdps(80):
        assert inside(found, 1 / (1 + mpmath.root(2, k)))
    assert found.at_lower > 2 > found.at_upper
    assert found.enclosure.relative_width() <= Fraction(1, 10**39)


@pytest.mark.parametrize(("n", "k", "bits"), [(1000, 10**6, 1), (1000, 1, 10**5), (30, 10**5, 10**5)])
def test_the_closed_bound_of_very_many_reports_or_bits(n, k, bits):
    found = local_q(n=n, lam=2, k=k, bits=bits)
    with mpmath.workdps(80):
        one = 1 + k * n * (mpmath.root(2, k) - 1) ** 2 / 9
        assert inside(found, (1 - 1 / mpmath.sqrt(1 + 4 / (mpmath.root(one, bits) - 1))) / 2)
    assert found.at_lower > 2 > found.at_upper


# --- closed form --------------------------------------------------------------------------------------------


@given(st.integers(1, 10**9), st.fractions("1.001", 50, max_denominator=1000), st.integers(1, 20), st.integers(1, 2))
def test_the_closed_bound_is_the_formula(n, lam, k, sides):
    k = 1 if sides == 2 else k
    found = local_q(n=n, lam=lam, k=k, sigmas="2.5", sides=sides)
    with mpmath.workdps(80):
        one = mpmath.root(mpmath.mpf(lam.numerator) / lam.denominator, k)
        gap = 1 - 1 / one if sides == 2 else one - 1
        assert inside(found, (1 - 1 / mpmath.sqrt(1 + 25 / (gap**2 * k * n))) / 2)
        if sides == 1:
            spread = local_sigma(lam=lam, k=k, sigmas="2.5")
            low, high = (mpmath.mpf(end.numerator) / end.denominator for end in (spread.lower, spread.upper))
            off = mpmath.mpf(10) ** -75  # of what mpmath rounds
            assert low * (1 - off) <= 5 / (2 * k * gap) <= high * (1 + off)
            assert spread.relative_width() < Fraction(1, 10**30)


def test_sigma_grows_with_repeats_towards_its_limit():
    """K16 (5.23): from 3/(lambda - 1) towards 3/ln(lambda) = 4.328..."""
    values = [local_sigma(lam=2, k=k) for k in (1, 2, 5, 10, 50, 1000)]
    assert all(a < b for a, b in itertools.pairwise(values))
    with mpmath.workdps(30):
        assert values[-1].upper < Fraction(str(3 / mpmath.log(2)))
        assert values[-1].lower > Fraction(str(3 / mpmath.log(2))) - Fraction(1, 100)


# --- on the lattice -----------------------------------------------------------------------------------------


def feasible(n, k, q, lam, sides, z=3):
    return largest(n, k, z, sides, q, only=[n]) <= lam


@pytest.mark.parametrize("sides", [1, 2])
@pytest.mark.parametrize(("n", "k", "lam"), [(20, 1, 2), (12, 2, 2), (6, 3, "5/2"), (20, 1, "1.2")])
def test_the_lattice_answer_fails_below_and_holds_above(n, k, lam, sides):
    limit = Fraction(lam)
    found = local_q(n=n, lam=lam, k=k, method="lattice", sides=sides)
    assert not feasible(n, k, found.lower, limit, sides)
    assert kept(n, k, 3, limit, sides, found.upper, only=[n])  # and every larger q
    assert found.enclosure.relative_width() <= Fraction(1, 10**12)
    assert found.at_lower.lower > limit >= found.at_upper.lower
    first = found.first
    assert first.lower < found.upper
    assert feasible(n, k, first.upper, limit, sides)
    if sides == 2:
        assert not feasible(n, k, first.lower, limit, sides)
        for i in range(1, 20):
            assert not feasible(n, k, first.lower * Fraction(i, 20), limit, sides)
    else:
        assert first.lower == 0
        for i in range(1, 20):
            assert feasible(n, k, first.upper * Fraction(i, 20), limit, sides)


def clipped(total, k, zeros, q):
    """R at a real number of zeros: each of the factors zeros - i counts from 0 on."""
    rho = (1 - q) / q
    terms = (
        mpmath.binomial(k, j)
        * mpmath.fprod(max(zeros - i, 0) for i in range(j))
        / mpmath.ff(total, j)
        * (rho**2 - 1) ** j
        for j in range(k + 1)
    )
    return mpmath.fsum(terms) / rho**k


@settings(max_examples=25)
@given(st.integers(5, 400), st.integers(1, 3), st.fractions("1.2", 4, max_denominator=20), st.integers(1, 2))
def test_the_real_bound_is_where_the_ratio_at_the_window_s_end_is_lambda(n, k, lam, sides):
    found = local_q(n=n, lam=lam, k=k, method="real", sides=sides)
    assert found.at_lower.lower > lam >= found.at_upper.lower - Fraction(1, 10**30)
    assert found.enclosure.relative_width() <= Fraction(1, 10**12)
    with mpmath.workdps(40):
        for q, expected in ((found.lower, found.at_lower), (found.upper, found.at_upper)):
            x, total = mpmath.mpf(q.numerator) / q.denominator, n * k
            reach = 3 * mpmath.sqrt(x * (1 - x) * total)
            ends = [max((1 - x) * total - reach, 0), min((1 - x) * total + reach, total)]
            r_low, r_high = (clipped(total, k, total - s, x) for s in ends)
            value = max(r_low, 1 / r_high) if sides == 2 else r_low
            assert mpmath.almosteq(value, mpmath.mpf(expected.lower.numerator) / expected.lower.denominator, 1e-25)


def test_the_exact_ratio_asks_for_no_more_noise_than_the_closed_bound():
    for k in (1, 2, 5):
        assert local_q(n=1000, lam=2, k=k, method="real").lower <= local_q(n=1000, lam=2, k=k).upper
    one, two = (local_q(n=1000, lam=2, sides=sides) for sides in (1, 2))
    assert str(two).startswith("0.0325")
    assert one.upper < two.lower


@pytest.mark.parametrize(
    ("n", "lam", "z", "sides", "tie"),
    [
        (2, 2, 2, 1, Fraction(1, 3)),  # the outcome without ones enters the window with its ratio just lambda
        (10, 2, Fraction(1, 2), 2, Fraction(1, 41)),  # z^2/(n + z^2): s = n leaves the window
        (3, 2, Fraction(1, 2), 2, Fraction(1, 13)),
        (18, 2, 3, 1, 0),  # s = n/2, whose ratio is 1 + z^2 2/n as it enters: just lambda
        (4, Fraction(3, 2), 1, 1, 0),
        (8, Fraction(5, 4), 1, 2, 0),
        (8, 2, 2, 1, 0),
    ],
)
def test_ties_are_answered(n, lam, z, sides, tie):
    """At the tie an outcome sits on the window's edge: the answer must be right on both sides of it."""
    found = local_q(n=n, lam=lam, sigmas=z, method="lattice", sides=sides)
    assert found.upper - found.lower <= found.upper / 10**12
    assert not feasible(n, 1, found.lower, lam, sides, z)
    above = [found.upper + (Fraction(1, 2) - found.upper) * Fraction(i, 200) for i in range(200)]
    assert all(feasible(n, 1, q, lam, sides, z) for q in (*above, max(tie, found.upper)))


@pytest.mark.parametrize(("lam", "sides"), [("3/2", 2), (5, 1)])
def test_the_ratio_at_a_tie_is_the_limit_itself(lam, sides):
    found = local_q(n=1, lam=lam, method="lattice", sides=sides)
    assert found.lower == found.upper == 1 / (1 + Fraction(lam))
    assert found.at_upper.value == Fraction(lam)


# --- limits near 1 ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("digits", [10, 50, 300])
@pytest.mark.parametrize("k", [1, 3])
def test_a_limit_next_to_1_still_has_a_sigma_and_a_q_below_one_half(digits, k):
    """sigma = z/(k (lambda^{1/k} - 1)) tends to z/ln(lambda), and q to 1/2 - ln(lambda)/(4 k)."""
    tiny = Fraction(1, 10**digits)
    for limit in ({"epsilon": tiny}, {"lam": 1 + tiny}):
        spread = local_sigma(**limit, k=k)
        assert abs(spread.lower * tiny / 3 - 1) < Fraction(1, 10**9) > spread.relative_width()
        found = classical_q(**limit, k=k)
        assert found.lower <= found.upper < Fraction(1, 2)
        for end in (found.lower, found.upper):
            assert abs((Fraction(1, 2) - end) * 4 * k / tiny - 1) < Fraction(1, 10**9)


@pytest.mark.parametrize("method", ["closed", "variance", "real", "lattice"])
@pytest.mark.parametrize("digits", [13, 17, 45])
def test_a_bound_next_to_1_asks_for_a_q_that_can_be_used(method, digits):
    found = local_q(n=10, lam=1 + Fraction(1, 10**digits), method=method)
    assert found.lower < found.value < Fraction(1, 2)
    assert KRandomization(n=10, q=found.value).q == found.value
    assert not found.at_upper > 1 + Fraction(1, 10**digits)


@pytest.mark.parametrize("method", ["variance", "real", "lattice"])
def test_both_ends_are_short_decimals(method):
    found = local_q(n=1000, lam=2, k=2, method=method)
    assert all((end * 10**17).denominator == 1 for end in (found.lower, found.upper))
