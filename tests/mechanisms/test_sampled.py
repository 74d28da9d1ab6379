"""Sampled clients: every dataset in fractions, client by client; and the two releases told apart."""

import random
from fractions import Fraction

import pytest

import dpcalc as dp
from tests.oracles import asymmetric as oracle

GRID = [Fraction(i, 10) for i in range(1, 10)]
HIDDEN, NUMBERED = "ones", "ones and reports"


def questions(seed, count):
    draw = random.Random(seed)
    for _ in range(count):
        n, k = draw.randint(1, 5), draw.randint(1, 3)
        b, a = sorted(draw.sample(GRID, 2))
        yield n, k, (a, b), draw.choice(GRID), Fraction(draw.randint(10, 40), 10)


@pytest.mark.parametrize("released", [HIDDEN, NUMBERED])
@pytest.mark.parametrize("seed", range(2))
@pytest.mark.soak
def test_every_dataset_in_both_directions(seed, released):
    """400 questions."""
    for n, k, chances, share, lam in questions(seed, 100):
        truth = oracle.every_sampled(n, *chances, k, share, released == NUMBERED, lam)
        clients = dp.AsymmetricBits(n=n, chances=chances, k=k)
        assert dp.delta(dp.Sampled(clients, share, released), lam=lam).value == max(truth.values())


@pytest.mark.parametrize("released", [HIDDEN, NUMBERED])
def test_one_dataset(released):
    mechanism = dp.Sampled(dp.KRandomization(n=4, q="1/5", k=2), "1/3", released)
    truth = oracle.every_sampled(4, Fraction(4, 5), Fraction(1, 5), 2, Fraction(1, 3), released == NUMBERED, 2)
    for m in range(4):
        found = dp.delta(mechanism, lam=2, ones=m)
        assert found.value == max(truth[m, 0], truth[m, 1]) == truth[m, found.dataset.value]


def test_large_n_where_only_the_ones_are_released():
    mechanism = dp.Sampled(dp.KRandomization(n=10**6, q="1/10"), "1/100")
    thinned = dp.AsymmetricBits(n=10**6, chances=("9/1000", "1/1000"))
    assert dp.delta(mechanism, epsilon="0.2").lower == dp.delta(thinned, epsilon="0.2").lower


def test_a_fleet_of_sampled_clients():
    fleet = dp.Fleet([dp.Group(n=3, q="1/4"), dp.Group(n=2, q="1/3")])
    thinned = dp.Fleet([dp.Group(n=3, chances=("3/8", "1/8")), dp.Group(n=2, chances=("1/3", "1/6"))])
    assert dp.delta(dp.Sampled(fleet, "1/2"), lam=2).value == dp.delta(thinned, lam=2).value


def test_a_width_that_lambda_must_be_known_for_is_reached():
    found = dp.delta(dp.Sampled(dp.KRandomization(n=5, q="1/10"), "3/10", "ones and reports"), epsilon=1, rtol="1e-60")
    assert 0 < found.upper - found.lower <= found.lower / 10**60
    bits = dp.AsymmetricBits(n=1, chances=("7/20", "3/20"))
    next_to_the_largest = "0.847297860387203613710504507465522453591797789575751768712724696"  # ln(7/3), about
    assert dp.delta(dp.Sampled(bits, "3/20", "ones and reports"), epsilon=next_to_the_largest).upper < Fraction(
        1, 10**60
    )
