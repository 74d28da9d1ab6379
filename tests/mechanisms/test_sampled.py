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


def test_a_client_with_two_reports_is_no_product():
    """Reports sampled one by one would be on the unsafe side."""
    truth = dp.delta(dp.Sampled(dp.KRandomization(n=5, q="1/10", k=2), "3/10"), lam="3/2").value
    product = dp.delta(dp.AsymmetricBits(n=5, chances=("27/100", "3/100"), k=2), lam="3/2").value
    assert (round(float(truth), 5), round(float(product), 5)) == (0.21285, 0.18848)


def test_a_histogram_of_sampled_clients_is_no_product_and_is_refused():
    chances = Fraction(4, 5), Fraction(1, 5)
    truth = oracle.sampled_histogram(4, 2, *chances, Fraction(1, 2), Fraction(3, 2))
    product = max(oracle.histogram(4, 2, Fraction(2, 5), Fraction(1, 10), 1, Fraction(3, 2)).values())
    assert (round(float(truth), 5), round(float(product), 5)) == (0.15348, 0.10604)
    for histogram in (
        dp.AsymmetricBits(n=4, chances=chances, categories=2),
        dp.UnaryEncoding(n=4, q="1/5", categories=2),
    ):
        with pytest.raises(dp.DomainError, match=r"^clients = "):
            dp.Sampled(histogram, "1/2")


def test_who_sees_how_many_report_sees_more():
    clients = dp.KRandomization(n=20, q="1/10")
    alone, told = (dp.delta(dp.Sampled(clients, "3/10", x), lam=3).value for x in (HIDDEN, NUMBERED))
    assert alone < told < dp.delta(clients, lam=3).value


@pytest.mark.parametrize("k", [1, 2])
def test_revealing_who_reports_is_above(k):
    """gamma times the mean of delta over how many others are sampled, each with its own worst dataset."""
    n, share, lam = 6, Fraction(1, 3), Fraction(3, 2)
    chance = [Fraction(1)]
    for _ in range(n - 1):
        chance = [x * (1 - share) + y * share for x, y in zip([*chance, 0], [0, *chance], strict=True)]
    worst = [dp.delta(dp.KRandomization(n=m + 1, q="1/5", k=k), lam=lam).value for m in range(n)]
    revealed = share * sum(p * x for p, x in zip(chance, worst, strict=True))
    told = dp.delta(dp.Sampled(dp.KRandomization(n=n, q="1/5", k=k), share, NUMBERED), lam=lam).value
    assert told <= revealed <= share * worst[0]


def test_with_several_reports_a_client_the_ratio_of_ones_alone_need_not_grow():
    chances, share = (Fraction(99, 100), Fraction(1, 2)), Fraction(1, 100)
    zero, one = (oracle.sampled((0, bit), *chances, 2, share, False) for bit in (0, 1))
    assert one[1] / zero[1] < one[0] / zero[0] < one[2] / zero[2]
    assert one[3] / zero[3] < one[2] / zero[2] < one[4] / zero[4]


def test_large_n_where_only_the_ones_are_released():
    mechanism = dp.Sampled(dp.KRandomization(n=10**6, q="1/10"), "1/100")
    thinned = dp.AsymmetricBits(n=10**6, chances=("9/1000", "1/1000"))
    assert dp.delta(mechanism, epsilon="0.2").lower == dp.delta(thinned, epsilon="0.2").lower


def test_a_fleet_of_sampled_clients():
    fleet = dp.Fleet([dp.Group(n=3, q="1/4"), dp.Group(n=2, q="1/3")])
    thinned = dp.Fleet([dp.Group(n=3, chances=("3/8", "1/8")), dp.Group(n=2, chances=("1/3", "1/6"))])
    assert dp.delta(dp.Sampled(fleet, "1/2"), lam=2).value == dp.delta(thinned, lam=2).value


def test_too_many_outcomes_are_refused_beforehand():
    with pytest.raises(dp.TooLarge, match="sampled clients"):
        dp.delta(dp.Sampled(dp.KRandomization(n=10**4, q="1/10", k=2), "1/2"), epsilon=1)


@pytest.mark.parametrize(("wrong", "name"), [
    ({"share": 0}, "share"), ({"share": 1}, "share"), ({"share": "3/2"}, "share"), ({"released": "all"}, "released"),
    ({"clients": dp.KRandomization(n=3, q="1/4", bits=2)}, "bits"), ({"clients": 3}, "clients"),
    ({"clients": dp.Fleet([dp.Group(n=3, q="1/4", k=2)])}, "clients"),
])  # fmt: skip
def test_bad_input_has_one_line(wrong, name):
    with pytest.raises(dp.DomainError) as caught:
        dp.Sampled(**({"clients": dp.KRandomization(n=3, q="1/4"), "share": "1/2"} | wrong))
    assert str(caught.value).startswith(f"{name} = ")
    assert "\n" not in str(caught.value)


def test_a_width_that_lambda_must_be_known_for_is_reached():
    found = dp.delta(dp.Sampled(dp.KRandomization(n=5, q="1/10"), "3/10", "ones and reports"), epsilon=1, rtol="1e-60")
    assert 0 < found.upper - found.lower <= found.lower / 10**60
    bits = dp.AsymmetricBits(n=1, chances=("7/20", "3/20"))
    next_to_the_largest = "0.847297860387203613710504507465522453591797789575751768712724696"  # ln(7/3), about
    assert dp.delta(dp.Sampled(bits, "3/20", "ones and reports"), epsilon=next_to_the_largest).upper < Fraction(
        1, 10**60
    )
