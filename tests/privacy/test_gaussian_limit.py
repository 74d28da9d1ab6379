from fractions import Fraction

import mpmath
import pytest

import dpcalc as dp


@pytest.mark.parametrize(
    ("lam", "delta"), [(2, "1e-6"), ("1.01", "1e-12"), (50, "0.3"), (2, "0.9"), (2, "1e-300"), ("1e9", "0.999999")]
)
def test_gaussian_sigma_solves_the_profile(lam, delta):
    sigma = dp.gaussian_sigma(lam=lam, delta=delta)
    assert sigma.relative_width() <= Fraction(1, 10**12)
    with mpmath.workdps(60):
        eps = mpmath.log(mpmath.mpf(lam))

        def gap(end):
            s = mpmath.mpf(end.numerator) / end.denominator
            phi = [mpmath.erfc(-x / mpmath.sqrt(2)) / 2 for x in (1 / (2 * s) - eps * s, -1 / (2 * s) - eps * s)]
            return phi[0] - mpmath.mpf(lam) * phi[1] - mpmath.mpf(delta)

        assert gap(sigma.lower) > 0 >= gap(sigma.upper)


@pytest.mark.parametrize(("n", "lam", "delta"), [(1, 2, "0.1"), (3, "1.5", "0.01"), (20, 1, "0.2")])
@pytest.mark.parametrize("k", [10, 1000, 10**6])
def test_repeating_tends_to_it_with_n_fixed(n, lam, delta, k):
    """At its sigma, delta over every dataset is its target but for Berry and Esseen's bound, which falls as k grows.

    Each of the two distribution functions errs by at most 0.56 (p^2 + q^2)/sqrt(pq) / sqrt(kn) (Shevtsova 2010).
    """
    sigma2 = dp.gaussian_sigma(lam=lam, delta=delta).upper ** 2
    gap = Fraction(mpmath.nstr(mpmath.sqrt(mpmath.mpf(n) / (n + 4 * k * float(sigma2))), 12))  # p - q
    q = (1 - gap) / 2
    mechanism = dp.KRandomization(n=n, q=q, k=k)
    assert abs(float(dp.variance(mechanism) / sigma2) - 1) < 1e-9
    bound = 0.56 * (1 + float(lam)) * float(q**2 + (1 - q) ** 2) / float(q * (1 - q) * k * n) ** 0.5
    assert abs(float(dp.delta(mechanism, lam=lam)) - float(delta)) < bound
