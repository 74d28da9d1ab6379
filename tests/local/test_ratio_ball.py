"""R in balls: against its mean over all draws of k reports, in fractions; and in the window, on a grid of q."""

import random
from fractions import Fraction
from math import comb

import mpmath
import pytest
from flint import arb

from dpcalc.local.ratio_ball import end_ratio, ratio, slope
from dpcalc.local.ratio_in_window import Edge, RatioInWindow
from dpcalc.numbers.ball import ball, enclosure_of, working_precision
from dpcalc.numbers.limit import Limit

CASES = [(10, 1, 4), (10, 3, 0), (12, 4, 12), (40, 5, 9), (2000, 7, 100), (2000, 3, 1900)]


def drawn(total, k, zeros, q):
    """R and dR/dt, t = log(p/q): i zeros among the k reports drawn have the likelihood ratio e^{t(2i - k)}."""
    terms = [
        (2 * i - k, Fraction(comb(zeros, i) * comb(total - zeros, k - i), comb(total, k)) * (1 / q - 1) ** (2 * i - k))
        for i in range(k + 1)
    ]
    return sum(x for _, x in terms), sum(power * x for power, x in terms)


@pytest.mark.parametrize(("total", "k", "zeros"), CASES)
@pytest.mark.parametrize("q", ["1/100", "1/3", "0.499"])
def test_the_ratio_and_its_slope_are_those_of_the_draws(total, k, zeros, q):
    q = Fraction(q)
    with working_precision(300):
        found = [enclosure_of(function(total, k, zeros, ball(q))) for function in (ratio, slope)]
    for one, exact in zip(found, drawn(total, k, zeros, q), strict=True):
        assert one.lower <= exact <= one.upper
        assert one.upper - one.lower <= (abs(exact) + 1) / 10**40


@pytest.mark.parametrize("side", [-1, 1])
@pytest.mark.parametrize("inward", [0, 1])
@pytest.mark.parametrize(("total", "k"), [(400, 1), (400, 20), (10**6, 5)])
def test_the_ratio_at_the_end_of_the_window(total, k, side, inward):
    """Of m = q N + side (2 sqrt(p q N) - inward) zeros, a real number, by (1)."""
    low, high = Fraction(1, 5), Fraction(201, 1000)
    with working_precision(200):
        found = end_ratio(total, k, Fraction(2), side, low, high, inward)
        assert found.rel_accuracy_bits() >= 2
    with mpmath.workdps(60):
        for q in (low, (low + high) / 2, high):
            x = mpmath.mpf(q.numerator) / q.denominator
            m = x * total + side * (2 * mpmath.sqrt(x * (1 - x) * total) - inward)
            terms = (
                mpmath.binomial(k, j) * mpmath.ff(m, j) / mpmath.ff(total, j) * ((1 / x - 1) ** 2 - 1) ** j
                for j in range(k + 1)
            )
            exact = mpmath.fsum(terms) * (1 / x - 1) ** -k
            with working_precision(200):
                assert found.contains(arb(mpmath.nstr(exact, 50)) + arb(0, exact * 1e-30))


def test_equality_at_an_irrational_edge_is_recognized():
    """Of 2 m reports m zeros, k = 1, have R = lambda = 1 + z^2/m where they enter: (rho - 1)^2 = 2 z^2 rho / m."""
    m, z = 5, Fraction(1)
    for off in (-1, 0, 1):
        limit = Limit(1 + z**2 / m + Fraction(off, 10**60))
        window = RatioInWindow(total=2 * m, k=1, sigmas=z, limit=limit, bits=100)
        edge = window.edge(m, 1)
        assert isinstance(edge, Edge)
        assert window.kept(m, edge, 1) == (off == 0)  # what 100 bits cannot tell is not proven, but for equality
        assert window.reached(m, edge, 1) == (off == 0)
        assert not window.broken(m, edge, 1)


@pytest.mark.parametrize(
    ("total", "zeros", "z", "rational"), [(16, 8, 3, True), (25, 5, 3, True), (4, 0, 2, True), (6, 2, 1, False)]
)
def test_an_edge_of_the_window_is_where_an_outcome_is_z_deviations_off(total, zeros, z, rational):
    """(m - q N)^2 = z^2 p q N; q is rational where 4 m (N - m)/N + z^2 is a square."""
    window = RatioInWindow(total=total, k=1, sigmas=Fraction(z), limit=Limit(Fraction(2)), bits=100)
    for side in (-1, 1):
        edge = window.edge(zeros, side)
        assert isinstance(edge, Fraction) == rational
        with working_precision(100):
            q = window._ball(edge)
            assert side * (zeros - q * total) >= -1e-20
            assert abs((zeros - q * total) ** 2 - z**2 * q * (1 - q) * total) < 1e-20


@pytest.mark.parametrize("side", [-1, 1])
def test_what_is_proven_of_an_outcome_between_two_q_holds_at_every_q(side):
    """R >= 1/lambda (or R <= lambda) on a range: R is convex in log(p/q), and may dip between its ends."""
    draw, proven = random.Random(side), 0
    for _ in range(40):
        total, k = draw.randint(4, 40), draw.randint(1, 4)
        zeros, low = draw.randint(0, total // 2), Fraction(draw.randint(1, 400), 1000)
        high = low + (Fraction(1, 2) - low) * Fraction(draw.randint(1, 9), 10)
        exact = [drawn(total, k, zeros, low + (high - low) * i / 10)[0] for i in range(11)]
        inside = min(exact) if side < 0 else 1 / max(exact)
        limit = Limit(max(Fraction("1.0001"), 1 / inside * Fraction(draw.choice([998, 1002]), 1000)))
        window = RatioInWindow(total=total, k=k, sigmas=Fraction(3), limit=limit, bits=100)
        if window.kept_between(zeros, low, high, side):
            assert inside >= 1 / limit.given
            proven += 1
    assert proven > 8


@pytest.mark.parametrize("q", ["1/1000", "1/5", "0.499"])
def test_the_drop_of_the_mean_is_that_of_the_likelihood_ratios(q):
    """Of m zeros, the real number one zero in from the end with the fewest, the mean ratio is (m rho + s/rho)/N."""
    q, total = Fraction(q), 10**5
    window = RatioInWindow(total=total, k=1, sigmas=Fraction(3), limit=Limit(Fraction(2)), bits=100)
    with working_precision(100), mpmath.workdps(40):
        found = window._mean_drop(ball(q))
        x = mpmath.mpf(q.numerator) / q.denominator
        m = x * total - 3 * mpmath.sqrt(x * (1 - x) * total) + 1
        drop = 1 - (m * (1 - x) / x + (total - m) * x / (1 - x)) / total
        assert abs(found - arb(mpmath.nstr(drop, 35))) < 1e-20
