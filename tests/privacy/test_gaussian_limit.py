from fractions import Fraction

import mpmath
import pytest

import dpcalc as dp


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
