"""The bound at the real end of the window, all records 1: in mpmath, and against every whole outcome in fractions."""

from fractions import Fraction

import mpmath
import pytest
from flint import arb

from dpcalc.local.bounds import RealEnd
from dpcalc.local.solvers import local_q
from dpcalc.numbers.ball import working_precision
from dpcalc.numbers.limit import Limit
from tests.local.test_solvers import clipped
from tests.oracles.own_windows import largest

RTOL = Fraction(1, 10**6)
#: Where the polynomial with negative factors is no bound: n, k, z, lambda; a q that it grants, and the least q.
MISSED = [
    (2, 20, 3, "2.298e8", "0.2223", "0.24452"),
    (3, 12, 2, "2038000", None, None),
    (4, 5, "3/2", "475.87", None, None),
]  # fmt: skip


@pytest.mark.parametrize(("n", "k", "z", "lam", "granted", "lattice"), MISSED)
def test_two_sides_at_the_real_end_cover_every_outcome(n, k, z, lam, granted, lattice):
    z, lam = Fraction(z), Fraction(lam)
    real = local_q(n=n, k=k, sigmas=z, lam=lam, sides=2, method="real")
    least = local_q(n=n, k=k, sigmas=z, lam=lam, sides=2, method="lattice")
    assert real.upper >= least.lower
    for i in range(12):
        q = (real.upper + (Fraction(1, 2) - real.upper) * Fraction(i, 12)).limit_denominator(10**9) + Fraction(1, 10**9)
        assert largest(n, k, z, 2, q, only=[n]) <= lam
    if granted:
        assert largest(n, k, z, 2, Fraction(granted), only=[n]) > 7 * lam
        assert str(least).startswith(lattice)


@pytest.mark.soak
def test_the_real_end_covers_every_outcome_wherever_it_is():
    """Settings of few records and many reports, where fewer than k - 1 zeros lie at the window's end."""
    for n in range(1, 8):
        for k in range(1, 9):
            for z in (1, Fraction(3, 2), 3):
                for q in (Fraction(1, 50), Fraction(1, 5), Fraction(2, 5)):
                    for sides in (1, 2):
                        end = RealEnd(
                            total=n * k,
                            k=k,
                            sigmas=Fraction(z),
                            sides=sides,
                            limit=Limit.of(lam=2),
                            rtol=RTOL,
                        )
                        assert end.value(q).upper >= largest(n, k, z, sides, q, only=[n])


@pytest.mark.parametrize("side", [-1, 1])
@pytest.mark.parametrize(("total", "k"), [(400, 1), (400, 20), (60, 30), (10**6, 5)])
def test_the_ratio_at_the_end_of_the_window(total, k, side):
    """Of m = q N + 2 side sqrt(p q N) zeros, a real number, also where m < k - 1."""
    low, high = Fraction(1, 5), Fraction(20001, 100000)
    end = RealEnd(total=total, k=k, sigmas=Fraction(2), sides=2, limit=Limit.of(lam=2), rtol=RTOL)
    with working_precision(200):
        found = end._ratio(low, high, side)
        assert found.rel_accuracy_bits() >= 1
    with mpmath.workdps(60):
        for q in (low, (low + high) / 2, high):
            x = mpmath.mpf(q.numerator) / q.denominator
            m = x * total + side * 2 * mpmath.sqrt(x * (1 - x) * total)
            exact = clipped(total, k, m, x)
            with working_precision(200):
                assert found.overlaps(arb(mpmath.nstr(exact, 50)) + arb(0, exact * 1e-30))


def test_where_the_end_is_clipped_the_ratio_is_that_of_no_or_all_zeros():
    end = RealEnd(total=12, k=2, sigmas=Fraction(3), sides=2, limit=Limit.of(lam=2), rtol=RTOL)
    q = Fraction(1, 5)  # below z^2/(N + z^2)
    assert end.value(q).lower <= 16 <= end.value(q).upper
    assert end.fails(Fraction(1, 6))
    assert not end.holds(Fraction(1, 6), q)
    assert end.holds(Fraction("0.4143"), Fraction("0.42"))  # the classical bound for k = 2 is sqrt 2 - 1


def test_one_zero_further_in_fails_for_whole_ranges():
    """q N - z sqrt(p q N) = 80.3 to 89.2 zeros: 1/R one zero further in is above 1.1, and so before it."""
    end = RealEnd(total=1000, k=1, sigmas=Fraction(3), sides=2, limit=Limit.of(lam="1.1"), rtol=Fraction(1, 100))
    low, high = Fraction(11, 100), Fraction(12, 100)
    assert end.fails_inside(low, high)
    assert not end.fails_inside(Fraction(1, 1000), Fraction(2, 1000))  # the end lies below 0
