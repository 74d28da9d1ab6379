"""What the generic tests of contracts look at: one line registers a noise, a mechanism or a question.

A noise or a mechanism stands beside its definition, which shares no code with dpcalc. The tests are in
``tests/noises/test_contract.py``, ``tests/families/test_contract.py`` and ``tests/test_contract_of_questions.py``; they
fail where a public noise, mechanism or question has no line here.
"""

from fractions import Fraction
from functools import cache
from itertools import combinations_with_replacement

import mpmath

import dpcalc as dp
from tests.oracles import noise
from tests.oracles import wide_noise as wide
from tests.oracles.wide_noise import minus, plus

HALF, THIRD, QUARTER = Fraction(1, 2), Fraction(1, 3), Fraction(1, 4)
DIGITS = 50

# --- noise ----------------------------------------------------------------------------------------------------------

#: Noise, and its masses by its definition: all of them, or those on a window that leaves out less than 1e-40.
NOISES = {
    "a coin": (dp.Binomial(1, "1/3"), lambda: noise.binomial(1, THIRD)),
    "fair coins": (dp.Binomial(10, "1/2"), lambda: noise.binomial(10, HALF)),
    "coins": (dp.Binomial(12, "1/5"), lambda: noise.binomial(12, Fraction(1, 5))),
    "Poisson": (dp.Poisson("5/2"), lambda: wide.poisson(mpmath.mpf(5) / 2, 70)),
    "geometric": (dp.Geometric("1/2", 3), lambda: noise.geometric(HALF, 3)),
    "geometric, steep": (dp.Geometric("1/1000", 6), lambda: noise.geometric(Fraction(1, 1000), 6)),
    "geometric, e": (dp.Geometric.from_epsilon(1, 5), lambda: wide.laplace(mpmath.mpf(1), 5)),
    "no noise": (dp.Geometric("1/2", 0), lambda: {0: Fraction(1)}),
    "a symmetric list": (dp.FiniteNoise(["1/4", "1/2", "1/4"]), lambda: noise.listed(["1/4", "1/2", "1/4"])),
    "a list": (dp.FiniteNoise(["1/2", "1/3", "1/6"]), lambda: noise.listed(["1/2", "1/3", "1/6"])),
    "a list with a gap": (dp.FiniteNoise(["1/4", 0, "3/4"]), lambda: noise.listed(["1/4", 0, "3/4"])),
    "Gaussian": (dp.DiscreteGaussian("3/2"), lambda: wide.gaussian(mpmath.mpf(9) / 4, 40)),
    "Gaussian, narrow": (dp.DiscreteGaussian("1/3"), lambda: wide.gaussian(mpmath.mpf(1) / 9, 12)),
    "Laplace": (dp.DiscreteLaplace(lam=3), lambda: wide.laplace(mpmath.log(3), 100)),
    "Laplace, e": (dp.DiscreteLaplace(1), lambda: wide.laplace(mpmath.mpf(1), 110)),
    "Skellam": (
        dp.Skellam(3, 1), lambda: plus(wide.poisson(mpmath.mpf(3), 70), minus(wide.poisson(mpmath.mpf(1), 50)))
    ),
    "minus Poisson": (dp.Skellam(0, 2), lambda: minus(wide.poisson(mpmath.mpf(2), 60))),
    "failures": (dp.NegativeBinomial(3, 0, epsilon=1), lambda: wide.failures(mpmath.mpf(3), 1, 120)),
    "less failures": (
        dp.NegativeBinomial("3/2", 2, lam=3),
        lambda: plus(
            wide.failures(mpmath.mpf(3) / 2, mpmath.log(3), 110),
            minus(wide.failures(mpmath.mpf(2), mpmath.log(3), 110)),
        ),
    ),
    "shares": (
        dp.NegativeBinomial("7/10", "7/10", epsilon=1),
        lambda: plus(*(f(wide.failures(mpmath.mpf(7) / 10, 1, 110)) for f in (dict, minus))),
    ),
    "many shares": (
        dp.NegativeBinomial("5/2", "5/2", epsilon=1),
        lambda: plus(*(f(wide.failures(mpmath.mpf(5) / 2, 1, 120)) for f in (dict, minus))),
    ),
    "rounded Laplace": (dp.RoundedLaplace("3/2"), lambda: wide.rounded_laplace(mpmath.mpf(3) / 2, 170)),
    "rounded Gaussian": (dp.RoundedGaussian("3/2"), lambda: wide.rounded_gaussian(mpmath.mpf(3) / 2, 30)),
}  # fmt: skip

#: Noise with large parameters: its law is held against itself.
LARGE = (
    dp.Binomial(10**9, "1/2"), dp.Binomial(10**7, "1/10"), dp.Poisson(10**7), dp.Poisson("1e-30"),
    dp.Geometric("1/2", 10**9), dp.Geometric("999/1000", 10**4), dp.Geometric.from_epsilon("1e-6", 10**7),
    dp.FiniteNoise([Fraction(1, 1000)] * 1000), dp.DiscreteGaussian(10**6), dp.DiscreteLaplace("1e-6"),
    dp.DiscreteLaplace(lam="1001/1000"), dp.Skellam(10**8, 10**8), dp.Skellam(0, 10**6), dp.Skellam(10**4, 1),
    dp.NegativeBinomial(20, 5, epsilon="1/10"), dp.NegativeBinomial("1/2", "1/2", epsilon="1/10"),
    dp.RoundedLaplace(10**6), dp.RoundedGaussian(10**5), dp.Geometric("9/10", 100) + dp.Poisson(50),
    dp.Binomial(10**4, "1/3") + dp.DiscreteLaplace("1/10"), dp.DiscreteGaussian(100) + dp.DiscreteGaussian(30),
)  # fmt: skip

#: Every sum of two of the small noises.
PAIRS = tuple(combinations_with_replacement(NOISES, 2))


@cache
def masses(name):
    """In 50 digits."""
    with mpmath.workdps(DIGITS):
        return {x: mpmath.mpf(m.numerator) / m.denominator if isinstance(m, Fraction) else +m
                for x, m in NOISES[name][1]().items() if m}  # fmt: skip


@cache
def floats(name, other=None):
    """In doubles: of a noise, or of the sum of two; those below 1e-300 are left out."""
    found = {x: float(mass) for x, mass in masses(name).items() if mass > 1e-300}
    return found if other is None else {x: m for x, m in added(found, floats(other)).items() if m > 1e-300}


def added(one, other):
    """The masses of a sum of two noises, in doubles."""
    total = {}
    for x, mass in one.items():
        for y, more in other.items():
            total[x + y] = total.get(x + y, 0.0) + mass * more
    return total
