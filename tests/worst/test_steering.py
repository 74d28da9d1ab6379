from fractions import Fraction

import pytest

import dpcalc as dp
from dpcalc.choose.least import least_n
from dpcalc.laws.pool import Pool
from dpcalc.numbers.limit import Limit
from dpcalc.worst import one_pass
from dpcalc.worst import steering as module
from dpcalc.worst.datasets import Datasets
from tests.oracles.scan import deltas


@pytest.mark.parametrize(("n", "q", "near"), [(10**7, "1/4", 3e-12), (10**7, "1/100", 3e-10), (10**9, "9/20", 1e-12)])
@pytest.mark.parametrize("z", [0, 0.05, 0.2, 0.4])
def test_tails_next_to_the_mean(n, q, near, z):
    chance, p = float(Fraction(q)), float(1 - Fraction(q))
    t = int(n * chance - z * (n * chance * p) ** 0.5)
    truth = float(Pool.of((Fraction(q), n)).at_most(t, rtol=Fraction(1, 10**16)))
    assert module._edgeworth(n, chance, p, t) == pytest.approx(truth, rel=near)


def test_the_continued_fraction_is_left_where_it_would_be_long(calls_of):
    """Next to the mean of 6 10^11 reports it takes a million terms, 34 times: 15 s."""
    tails = calls_of(module, "_edgeworth")
    found = least_n(q="9/20", delta="1e-6", epsilon=0, k=10)
    assert tails
    assert found.lower <= 64_305_059_665 <= found.upper + 64_306


@pytest.mark.parametrize(("n", "q", "epsilon"), [(60, "0.03", "1"), (200, "0.1", "0.6"), (250, "0.1", "0.4")])
def test_the_dataset_that_shows_most_is_known(n, q, epsilon):
    """Where it is that of zeros and where it is not."""
    limit = Limit.of(epsilon=epsilon)
    every = deltas(n, Fraction(q), 1, limit.ends.lower)
    assert every[module.worst_ones(Datasets(Fraction(q), 1, n - 1), limit)] == max(every)


def test_where_it_is_not_known_zeros_are_taken():
    for q, k, epsilon in (("0.1", 2, "0.1"), ("0.1", 1, "0"), ("0.1", 1, "3"), ("0.4999999999", 1, "1e-11")):
        assert module.worst_ones(Datasets(Fraction(q), k, 1000), Limit.of(epsilon=epsilon)) == 0


@pytest.mark.parametrize(("n", "q"), [(10**4, "0.1"), (10**4, "0.009"), (10**5, "0.1")])
def test_an_epsilon_takes_one_pass_where_zeros_are_not_the_worst(n, q, monkeypatch):
    passes, search = [], one_pass.worst
    monkeypatch.setattr(one_pass, "worst", lambda *a, **b: passes.append(a) or search(*a, **b))
    found = dp.epsilon(dp.KRandomization(n=n, q=q), delta="1e-6")
    assert len(passes) == 1
    assert dp.delta(dp.KRandomization(n=n, q=q), epsilon=found.upper).dataset.ones > 0
