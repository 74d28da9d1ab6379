"""The contract of an estimate, by every outcome of every dataset: unbiased, with its variance, its intervals held."""

from fractions import Fraction
from itertools import product
from math import comb

import pytest

import dpcalc as dp
from tests.oracles.asymmetric import count

PROVEN = ("exact", "chebyshev", "hoeffding")
QUARTER, FIFTH = Fraction(1, 4), Fraction(1, 5)


def of_bits(mechanism, a, b):
    """For every number of ones: that, and how likely each count is."""
    n, k = mechanism.n, mechanism.k
    return [(ones, count((1,) * ones + (0,) * (n - ones), a, b, k)) for ones in range(n + 1)]


def together(each):
    """Of independent counts: the sum of what is true, and the law of all counts."""
    found = []
    for chosen in product(*each):
        law = {(): Fraction(1)}
        for _, own in chosen:
            law = {(*seen, s): p * r for seen, p in law.items() for s, r in own.items()}
        found.append((sum(truth for truth, _ in chosen), law))
    return found


def bits(n, q, k=1):
    q = Fraction(q)
    mechanism = dp.KRandomization(n=n, q=q, k=k)
    return mechanism, of_bits(mechanism, 1 - q, q)


def asymmetric(n, a, b, k=1):
    mechanism = dp.AsymmetricBits(n=n, chances=(a, b), k=k)
    return mechanism, of_bits(mechanism, Fraction(a), Fraction(b))


def rounds(n, q, k, times):
    """The mean of rounds, whatever the records hold in each."""
    mechanism, each = bits(n, q, k)
    return mechanism, [(Fraction(truth, times), law) for truth, law in together([each] * times)]


def fleet(*groups):
    """A count for each group."""
    each = [bits(*group) for group in groups]
    found = dp.Fleet([dp.Group(n=one.n, q=one.q, k=one.k) for one, _ in each])
    return found, together([laws for _, laws in each])


CASES = {
    "a bit": bits(1, "1/10"),
    "bits": bits(3, "2/5"),
    "bits, k reports": bits(3, "1/10", 2),
    "many reports": bits(6, "1/10", 5),
    "asymmetric bits": asymmetric(6, "1/2", "1/10"),
    "asymmetric bits, k reports": asymmetric(4, "3/4", "1/3", 2),
    "asymmetric bits that are symmetric": asymmetric(5, "9/10", "1/10"),
    "three rounds of one": rounds(1, FIFTH, 1, 3),
    "two rounds of two": rounds(2, FIFTH, 1, 2),
    "two rounds, k reports": rounds(1, FIFTH, 2, 2),
    "a fleet": fleet((2, "1/5"), (2, "1/3")),
    "a fleet, k reports": fleet((2, "1/10"), (1, "1/3", 2)),
    "a fleet in no order": fleet((2, "1/100"), (2, "1/4", 2)),  # the second weighs more, but each says less
    "three groups": fleet((1, "1/4"), (1, "1/5", 2), (1, "1/3")),
    "groups alike": fleet((2, "1/4"), (1, "1/4")),
}


def given(seen):
    """As it is typed: one count, or a list."""
    return list(seen) if isinstance(seen, tuple) else seen


@pytest.mark.parametrize("name", CASES)
def test_it_is_unbiased_and_its_variance_is_that_of_the_worst_dataset(name):
    mechanism, datasets = CASES[name]
    guesses = {seen: dp.estimate(mechanism, given(seen)) for seen in datasets[0][1]}
    spreads = []
    for truth, law in datasets:
        assert sum(p * guesses[seen].value for seen, p in law.items()) == truth
        spreads.append(sum(p * (guesses[seen].value - truth) ** 2 for seen, p in law.items()))
    assert {guess.variance for guess in guesses.values()} == {max(spreads)}
    if "round" in name:
        return
    assert dp.variance(mechanism) == max(spreads)
    if not isinstance(mechanism, dp.Fleet):  # bits that are drawn
        n, x = mechanism.n, Fraction(1, 3)
        drawn = [comb(n, ones) * x**ones * (1 - x) ** (n - ones) for ones in range(n + 1)]
        inside = sum(p * spread for p, spread in zip(drawn, spreads, strict=True))
        assert dp.variance(mechanism, fraction=x) == inside + n * x * (1 - x)


@pytest.mark.parametrize("confidence", ["1/2", "7/10", "9/10"])
@pytest.mark.parametrize("method", PROVEN)
@pytest.mark.parametrize("name", CASES)
def test_an_interval_holds_as_often_as_it_says(name, method, confidence):
    mechanism, datasets = CASES[name]
    ask = dp.confidence_interval
    held = {seen: ask(mechanism, given(seen), confidence=confidence, method=method) for seen in datasets[0][1]}
    for truth, law in datasets:
        assert sum(p for seen, p in law.items() if truth in held[seen]) >= Fraction(confidence)
    if confidence == "1/2" and method == "exact" and name != "a bit":
        assert len(set(map(str, held.values()))) > 1  # no empty promise
