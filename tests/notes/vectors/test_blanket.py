from fractions import Fraction
from itertools import pairwise, product

import pytest

from dpcalc.mechanisms.response import KRandomization
from dpcalc.notes.vectors.blanket import _hidden, blanket_bound
from dpcalc.numbers.elementary import exp
from dpcalc.numbers.limit import Limit
from dpcalc.privacy.delta import delta
from tests.oracles import vectors


@pytest.mark.parametrize(("n", "bits", "k"), [(1, 1, 1), (4, 1, 1), (2, 2, 1), (3, 1, 2)])
def test_no_pair_of_datasets_exceeds_the_bound(n, bits, k):
    for q, lam in ((Fraction(1, 4), Fraction(3, 2)), (Fraction(2, 5), Fraction(11, 10)), (Fraction(2, 5), 1)):
        mechanism = KRandomization(n=n, q=q, k=k, bits=bits)
        bound = min(blanket_bound(mechanism, lam=lam), _hidden(mechanism, Limit.of(lam=lam)))
        pmfs = [(x, vectors.pmf(x, q, k)) for x in product(vectors.vectors(bits), repeat=n)]
        for (x, here), (y, there) in product(pmfs, repeat=2):
            if sum(a != b for a, b in zip(x, y, strict=True)) == 1:
                assert sum(max(0, there[s] - lam * here[s]) for s in here) <= bound


def uniform_excess(n, bits, q, lam, distance):
    """1/(gamma n) E[(sum over the uniform reports of W)_+] by listing what every report is."""
    gamma, x = (2 * q) ** bits, (0,) * bits
    other = (1,) * distance + (0,) * (bits - distance)
    kinds = [(Fraction(0), 1 - gamma)] + [
        (2**bits * (vectors.chance(x, y, q) - lam * vectors.chance(other, y, q)), gamma / 2**bits)
        for y in vectors.vectors(bits)
    ]
    total = Fraction(0)
    for drawn in product(kinds, repeat=n):
        weight = Fraction(1)
        for _, chance in drawn:
            weight *= chance
        total += weight * max(0, sum(value for value, _ in drawn))
    return total / (gamma * n)


@pytest.mark.parametrize("lam", [Fraction(1), Fraction(3, 2), Fraction(4)])
@pytest.mark.parametrize("q", [Fraction(2, 5)])
def test_opposite_vectors_have_the_largest_blanket_bound(q, lam):
    for n, bits in ((1, 3), (2, 3), (3, 2)):
        found = [uniform_excess(n, bits, q, lam, distance) for distance in range(bits + 1)]
        assert all(nearer <= farther for nearer, farther in pairwise(found))
        mechanism = KRandomization(n=n, q=q, bits=bits)
        bound = min(blanket_bound(mechanism, lam=lam), _hidden(mechanism, Limit.of(lam=lam)))
        alone = found[-1] if n == 1 else uniform_excess(1, bits, q, lam, bits)
        assert min(found[-1], alone) <= bound <= min(found[-1] * Fraction(101, 100), alone)


def test_the_value_of_a_published_example():
    """7.47775398e-4 at n = 5000, e0 = 0.4, epsilon = 0.005 by Lemma 5.3, from the authors' notebook's parameters."""
    found = blanket_bound(KRandomization(n=5_000, q=1 / (1 + exp(Fraction(2, 5)).upper)), epsilon="0.005")
    assert Fraction("7.4777539e-4") < found < Fraction("7.4777540e-4") * Fraction(101, 100)


@pytest.mark.parametrize(("n", "k"), [(100, 1), (2_000, 1), (200, 3)])
def test_the_bound_covers_the_worst_dataset_of_single_bits(n, k):
    m = KRandomization(n=n, q="1/4", k=k)
    assert delta(m, lam="3/2").upper <= blanket_bound(m, lam="3/2")


def test_more_users_are_post_processing():
    """The bound falls with n, to the least number that is held."""
    bounds = [blanket_bound(KRandomization(n=10**e, q="1/4", bits=2), lam="1.01") for e in (1, 3, 5, 6, 7, 9, 12)]
    assert bounds == sorted(bounds, reverse=True)
    assert 0 < bounds[-1] < Fraction(1, 10**300_000)


@pytest.mark.parametrize(("n", "q", "bits", "lam"), [(10**9, "0.45", 64, "1.001"), (10**12, "1/4", 8, "1.0001")])
def test_many_bits_and_records_are_answered(n, q, bits, lam):
    m = KRandomization(n=n, q=q, bits=bits)
    assert 0 < blanket_bound(m, lam=lam) < Fraction(1, 1000)
    assert blanket_bound(m, lam=lam) < blanket_bound(KRandomization(n=n // 100, q=q, bits=bits), lam=lam)


def test_more_bits_than_are_looked_at_are_bounded_by_the_record_alone():
    m = KRandomization(n=10**15, q="0.49", bits=400)
    alone = blanket_bound(KRandomization(n=1, q="0.49", bits=400), lam="1.5")
    assert blanket_bound(m, lam="1.5") == alone < 1


def test_the_bound_of_very_many_repeats():
    """One record's 20,000 reports tell it at q = 1/4; at q = 0.4 a million others hide them."""
    assert 1 - Fraction(1, 10**9) < blanket_bound(KRandomization(n=10, q="1/4", k=20_000), lam=2) <= 1
    m = KRandomization(n=10**6, q="0.4", k=20_000)
    assert delta(m, lam=2, ones=0).upper <= blanket_bound(m, lam=2) < Fraction(1, 10**20)
