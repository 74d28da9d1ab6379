from fractions import Fraction

import mpmath
import pytest

from dpcalc.privacy.gaussian import gaussian_sigma


def profile(sigma, epsilon):
    """delta of the Gaussian mechanism, by mpmath."""

    def phi(x):
        return mpmath.erfc(-x / mpmath.sqrt(2)) / 2

    return phi(1 / (2 * sigma) - epsilon * sigma) - mpmath.exp(epsilon) * phi(-1 / (2 * sigma) - epsilon * sigma)


@pytest.mark.parametrize("epsilon", ["0", "1e-40", "0.01", "0.5", "3", "40"])
@pytest.mark.parametrize("delta", ["1e-60", "1e-9", "0.3", "0.9999999"])
def test_delta_lies_between_those_of_the_two_ends(epsilon, delta):
    found = gaussian_sigma(epsilon=epsilon, delta=delta, rtol="1e-20")
    assert found.relative_width() <= Fraction(1, 10**20)
    with mpmath.workdps(200):
        above, below = (
            profile(mpmath.mpf(end.numerator) / end.denominator, mpmath.mpf(epsilon))
            for end in (found.lower, found.upper)
        )
        assert below <= mpmath.mpf(delta) < above


@pytest.mark.parametrize("given", [{"epsilon": "1e-4000"}, {"epsilon": 0}, {"lam": 1 + Fraction(1, 10**4000)}])
def test_next_to_0_the_answer_is_fast_and_has_its_digits(given):
    """Scaled, it does not depend on the exponent: delta / h and eps / h^2 do not, as h = 1/(2 sigma) falls."""
    found = gaussian_sigma(**given, delta="1e-4000", rtol="1e-9")
    if given.get("epsilon") == 0:  # 2 h phi(0) = 1 / (sigma sqrt(2 pi))
        with mpmath.workdps(30):
            sigma = found / 10**4000
            assert abs(1 / (float(sigma) * mpmath.sqrt(2 * mpmath.pi)) - 1) < 1e-9
    else:
        nearer = gaussian_sigma(epsilon="1e-2000", delta="1e-2000", rtol="1e-9")
        assert abs(float(found / 10**4000) / float(nearer / 10**2000) - 1) < 1e-8


def test_next_to_1_the_answer_is_small():
    found = gaussian_sigma(epsilon=0, delta=1 - Fraction(1, 10**4000), rtol="1e-9")
    assert 0 < found < Fraction(1, 100)


def test_a_lambda_is_the_exponential_of_its_epsilon():
    assert gaussian_sigma(lam=1, delta="1e-6") == gaussian_sigma(epsilon=0, delta="1e-6")
    found = gaussian_sigma(epsilon="0.5", delta="1e-6")
    assert gaussian_sigma(lam="1.6487", delta="1e-6") > found > gaussian_sigma(lam="1.6488", delta="1e-6")
