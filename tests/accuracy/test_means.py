"""Numbers rounded to bits: their privacy is that of bits, and estimates of sums and means, by every rounding."""

import random
from fractions import Fraction

import mpmath
import pytest

import dpcalc as dp
from dpcalc.cli import main
from tests.oracles import rounded as oracle

GRID = [Fraction(x, 3) for x in range(4)]
METHODS = ["exact", "chebyshev", "hoeffding"]


@pytest.mark.parametrize(("n", "q", "k", "lam"), [(3, "1/4", 1, "3/2"), (2, "1/5", 2, "2"), (1, "1/3", 2, "1")])
def test_the_worst_numbers_are_ends_of_the_range(n, q, k, lam):
    worst = oracle.delta(GRID, n, Fraction(q), k, Fraction(lam))
    assert dp.delta(dp.RoundedNumbers(n=n, q=q, k=k, low=-1, high=5), lam=lam).value == worst
    assert oracle.delta([Fraction(0), Fraction(1)], n, Fraction(q), k, Fraction(lam)) == worst
    assert oracle.delta([Fraction(1, 3), Fraction(1, 2)], n, Fraction(q), k, Fraction(lam)) < worst


def moments(numbers, q, k):
    mechanism = dp.RoundedNumbers(n=len(numbers), q=q, k=k)
    law = oracle.law(numbers, Fraction(q), k)
    found = [(dp.estimate(mechanism, s), chance) for s, chance in law.items()]
    mean = sum(one.mean * chance for one, chance in found)
    return mean, sum((one.mean - mean) ** 2 * chance for one, chance in found)


@pytest.mark.parametrize(("q", "k"), [("1/4", 1), ("1/5", 2)])
def test_it_is_unbiased_and_its_variance_is_at_most_what_it_says(q, k):
    chosen = random.Random(1)
    largest = Fraction(0)
    for numbers in [*([Fraction(chosen.randint(0, 8), 8) for _ in range(3)] for _ in range(8)), [Fraction(1, 2)] * 3]:
        mean, spread = moments(numbers, q, k)
        mechanism = dp.RoundedNumbers(n=3, q=q, k=k)
        assert mean == sum(numbers) / 3
        assert spread <= dp.estimate(mechanism, 0).variance
        assert spread <= dp.variance(mechanism, fraction=mean) / 9
        largest = max(largest, spread)
    assert largest == dp.estimate(dp.RoundedNumbers(n=3, q=q, k=k), 0).variance == dp.variance(mechanism) / 9


def covered(numbers, q, k, confidence, method):
    mechanism = dp.RoundedNumbers(n=len(numbers), q=q, k=k, low=10, high=14)
    mean = 10 + 4 * sum(numbers) / len(numbers)
    total = Fraction(0)
    for s, chance in oracle.law(numbers, Fraction(q), k).items():
        found = dp.estimate(mechanism, s).interval(confidence, method=method)
        total += chance if found.lower.lower <= mean <= found.upper.upper else 0
    return total


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("confidence", ["0.5", "0.8", "0.95"])
@pytest.mark.soak
def test_intervals_contain_the_mean_as_often_as_they_say(method, confidence):
    chosen = random.Random(2)
    for k in (1,) if method == "exact" else (1, 2):
        for q in ("1/4", "1/50"):
            for _ in range(4):
                numbers = [Fraction(chosen.choice((0, 0, 1, 4, 8, 8)), 8) for _ in range(4 if k == 1 else 3)]
                assert covered(numbers, q, k, confidence, method) >= Fraction(confidence)


def test_an_exact_interval_may_miss_where_it_may_not_be_narrower():
    """Not every interval contains every mean: it is no empty promise."""
    found = dp.estimate(dp.RoundedNumbers(n=1000, q="1/10"), 500).interval("0.95")
    assert Fraction(45, 100) < found.lower.lower < found.upper.upper < Fraction(55, 100)
    other = dp.estimate(dp.RoundedNumbers(n=1000, q="1/10"), 500).interval("0.95", method="hoeffding")
    assert other.lower.lower < found.lower.lower


def test_it_stays_in_the_range():
    for s in (0, 40):
        for method in METHODS:
            found = dp.estimate(dp.RoundedNumbers(n=40, q="1/4", low=-2, high=3), s).interval("0.9", method=method)
            assert -2 <= found.lower.lower <= found.upper.upper <= 3


@pytest.mark.parametrize("k", [1, 3])
@pytest.mark.parametrize("method", ["chebyshev", "hoeffding", "normal"])
def test_required_users_are_the_fewest_with_such_an_interval(k, method):
    fewest = dp.required_n(error="1/10", confidence="0.9", q="1/4", k=k, method=method, numbers=True)
    for n, enough in ((fewest, True), (fewest - 1, False)):
        found = dp.estimate(dp.RoundedNumbers(n=n, q="1/4", k=k), n * k // 2).interval("0.9", method=method)
        assert ((found.upper.upper - found.lower.lower) / 2 <= Fraction(1, 10)) is enough


def test_a_plan_for_numbers_has_the_rounding_in_its_sigma(capsys):
    bits, numbers = (dp.plan(n=200, epsilon=1, delta="1e-3", ks=(1, 5), numbers=kind) for kind in (False, True))
    for one, other in zip(bits.rows, numbers.rows, strict=True):
        first, second = one.choices["private"], other.choices["private"]
        assert first.q.value == second.q.value
        assert abs(float(second.sigma) ** 2 - float(first.sigma) ** 2 - 50) < 1e-6
    assert numbers.gaussian is None
    assert " of the estimated sum of numbers from 0 to 1." in numbers.recommendation()[0]
    assert main(["plan", "--n", "200", "--epsilon", "1", "--delta", "1e-3", "--k", "1", "5", "--numbers"]) == 0
    assert (
        capsys.readouterr().out
        == dp.plan(n=200, epsilon=1, delta="1e-3", ks=(1, 5), numbers=True, bounds=("private", "classical")).table()
        + "\n"
    )
    with pytest.raises(dp.DomainError, match="numbers"):
        dp.plan(n=200, epsilon=1, delta="1e-3", numbers=True, bits=2)


def test_hoeffding_with_many_reports():
    """The reports' noise is a hundredth of that of one; a quarter stays for the rounding."""
    v = (1 / (100 * mpmath.mpf(1) / 4) + 1) / 4
    least = mpmath.ceil(2 * v * mpmath.log(2 / mpmath.mpf("0.1")) / mpmath.mpf("0.01") ** 2)
    assert dp.required_n(error="0.01", confidence="0.9", q="1/4", k=100, numbers=True) == int(least)


def test_an_exact_interval_reaches_to_where_the_bound_of_tails_holds():
    """Hoeffding's comparison needs s at least 1 below the mean: no nearer mean is refuted, at whatever confidence."""
    found = dp.estimate(dp.RoundedNumbers(n=40, q="1/4"), 20).interval("0.01")
    assert found.lower.upper <= Fraction(9, 20) + Fraction(1, 10**9)
    assert found.upper.lower >= Fraction(11, 20) - Fraction(1, 10**9)
