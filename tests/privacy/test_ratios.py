"""Ratios of every outcome at once, against every flip pattern and against the ratios of one outcome each."""

import math
import random
from fractions import Fraction

import pytest

import dpcalc as dp
from dpcalc.errors import DomainError, TooLarge
from dpcalc.laws import pmf
from dpcalc.laws.terms import Terms
from dpcalc.mechanisms.response import KRandomization
from dpcalc.privacy.ratios import AllOnes, AllZeros, Quotient, ratios
from tests.oracles.rounds import law

NOTES = KRandomization(n=1000, q="0.0087640676")
LARGE = KRandomization(n=1000, q="269/1000", k=50)


def cases(count, most=7):
    """Random (n, k, q, ones) with at most so many reports."""
    draw = random.Random(2016)
    for _ in range(count):
        n = draw.randint(1, most)
        k = draw.randint(1, most // n)
        d = draw.choice([draw.randint(3, 12), draw.randint(3, 10**9)])
        q = Fraction(draw.randint(1, (d - 1) // 2), d)
        yield n, k, q, draw.randint(0, n - 1)


def test_hundreds_of_random_spaces_are_those_of_every_flip_pattern():
    for n, k, q, ones in cases(200):
        one, zero = (law(m, n - m, q, k) for m in (ones + 1, ones))
        mechanism = KRandomization(n=n, q=q, k=k)
        found = ratios(mechanism, ones=ones)
        assert found.exact
        assert list(found) == [above / below for above, below in zip(zero, one, strict=True)]
        assert [dp.ratio(mechanism, s, ones=ones) for s in range(n * k + 1)] == list(found)
        assert ones < n - 1 or [dp.ratio(mechanism, s) for s in range(n * k + 1)] == list(found)
        assert list(found.probabilities) == one
        assert list(dp.generating_function(mechanism, ones=ones).coefficients) == zero


def test_enclosures_contain_the_ratio_of_every_flip_pattern(monkeypatch):
    """Of spaces so small both are to be had: as balls alone, and cut into ranges at random."""
    for terms in (AllOnes, AllZeros, Quotient):
        monkeypatch.setattr(terms, "exact", False)
    draw = random.Random(5)
    for n, k, q, ones in cases(100):
        one, zero = (law(m, n - m, q, k) for m in (ones + 1, ones))
        found = ratios(KRandomization(n=n, q=q, k=k), ones=ones)
        low = draw.randint(0, n * k)
        for s, value in zip(found.outcomes[low:], found[low:], strict=True):
            assert value.lower <= zero[s] / one[s] <= value.upper
            assert value.relative_width() < Fraction(1, 10**40)


def test_fifty_thousand_ratios_are_those_of_one_outcome_each():
    """K16's sizes: n = 1000, k = 50, every outcome, exactly."""
    found = ratios(LARGE)
    assert found.exact
    assert len(found) == 50_001
    for s in (0, 1, 4_095, 4_096, 4_097, 25_000, 49_999, 50_000):
        assert found[s] == dp.ratio(LARGE, s)
    values = found.floats()
    assert (values[1:] < values[:-1]).all()
    assert values[12_345] == float(dp.ratio(LARGE, 12_345))


def test_beside_zeros_they_are_as_short_as_beside_ones():
    found = ratios(LARGE, ones=0)
    assert found.exact
    assert [found[s] for s in (0, 4_095, 4_096, 49_999)] == [
        dp.ratio(LARGE, s, ones=0) for s in (0, 4_095, 4_096, 49_999)
    ]


def test_ten_million_reports_and_more():
    vast = KRandomization(n=10**9, q="1/10", k=3)
    assert len(ratios(vast)) == 3 * 10**9 + 1
    near = ratios(vast, ones=10**8).window("1/1000")
    assert list(near) == sorted(near, key=lambda x: -x.lower)
    assert ratios(vast)[10**9] == dp.ratio(vast, 10**9)
    with pytest.raises(TooLarge, match="an array of doubles needs 3,000,000,001 outcomes"):
        ratios(vast).floats()
    with pytest.raises(TooLarge, match=r"a list of all outcomes needs 3,000,000,001 outcomes, .* try a range of them"):
        ratios(vast).to_dict()


@pytest.mark.parametrize("ones", [None, 0, 3, 6])
def test_a_slice_is_the_value_of_fewer_outcomes(ones):
    found = ratios(KRandomization(n=7, q="1/5", k=2), ones=ones)
    whole = list(found)
    for cut in (slice(3, 9), slice(None, None, 4), slice(None, None, -1), slice(-3, None), slice(5, 5)):
        part = found[cut]
        assert type(part) is type(found)
        assert list(part) == whole[cut]
        assert list(part.floats()) == [float(x) for x in whole[cut]]
        assert part.probability.value == sum((found.probabilities[s] for s in part.outcomes), Fraction(0))
        if len(part):
            assert part.maximum == max(whole[cut])
            assert part.minimum == min(whole[cut])
            assert found[part.attained_at] == part.maximum
    assert found[-1] == whole[-1]
    assert found[::3][2] == whole[6]
    assert list(found[::-1].window(1).outcomes) == list(found.window(1).outcomes)[::-1]


@pytest.mark.parametrize("ones", [None, 0, 4, 29])
@pytest.mark.parametrize("limit", [{"lam": 2}, {"lam": "11/10"}, {"epsilon": "0.3"}, {"lam": 100}])
def test_what_lies_above_the_limit_is_what_exceedance_says(ones, limit):
    mechanism = KRandomization(n=30, q="1/6", k=2)
    found, told = ratios(mechanism, ones=ones), dp.exceedance(mechanism, **limit, ones=ones)
    lam = Fraction(limit["lam"]) if "lam" in limit else Fraction(math.exp(float(limit["epsilon"])))
    assert [s for s, x in enumerate(found) if x > lam] == list(found.above(**limit).outcomes)
    assert [s for s, x in enumerate(found) if 1 / x > lam] == list(found.below(**limit).outcomes)
    assert found.above(**limit).probability == told.ratio
    assert found.above(**limit).probability_neighbour == told.ratio_neighbour
    assert found.below(**limit).probability == told.reciprocal
    assert found.below(**limit).probability_neighbour == told.reciprocal_neighbour


@pytest.mark.parametrize("ones", [0, 3, 500, 999])
@pytest.mark.parametrize("sigmas", [3, "1/2", "50"])
def test_the_window_is_that_of_count_interval(ones, sigmas):
    for mechanism in (NOTES, KRandomization(n=1000, q="1/3", k=7)):
        ends = dp.count_interval(mechanism, ones=ones + 1, sigmas=sigmas)
        outcomes = ratios(mechanism, ones=ones).window(sigmas).outcomes
        assert all(s in ends for s in (outcomes[0], outcomes[-1]))
        assert outcomes[0] == 0 or outcomes[0] - 1 not in ends
        assert outcomes[-1] == mechanism.reports or outcomes[-1] + 1 not in ends


def test_an_outcome_on_the_edge_of_the_window_lies_in_it():
    """n = 16, q = 1/4: the mean of 16 ones is 12, the variance 3, so that sqrt(3) sigma is 3 outcomes."""
    mechanism = KRandomization(n=100, q="1/10")  # mean 90, sigma 3
    assert ratios(mechanism).window(2).outcomes == range(84, 97)
    assert ratios(mechanism).window("1.999999").outcomes == range(85, 96)


@pytest.mark.parametrize(
    ("low", "high"), [(0, 49_000), (24_000, 26_000), (24_000, 25_000), (26_001, 26_050), (26_000, 50_000)]
)
def test_the_probability_of_a_range_is_the_sum_of_its_outcomes(low, high):
    part = ratios(LARGE, ones=499)[low : high + 1]
    sum_of_each = math.fsum(part.probabilities.floats())
    assert part.probability.lower <= Fraction(sum_of_each) * (1 + Fraction(1, 10**12))
    assert part.probability.upper >= Fraction(sum_of_each) * (1 - Fraction(1, 10**12))
    assert part.probability.relative_width() < Fraction(1, 10**9)


def test_tables_and_documents():
    found = ratios(KRandomization(n=2, q="1/4"))
    assert found.table().splitlines() == [
        "3 outcomes, s = 0 to 2; 1 of the other records 1",
        "ratio exact; P[S = s] exact",
        "s              ratio  P[S = s]",
        "0                  3    0.0625",
        "1   1.66666666666...     0.375",
        "2  0.333333333333...    0.5625",
    ]
    assert found.to_dict()["ratios"][1] == {"s": 1, "ratio": {"value": "5/3"}, "probability": {"value": "3/8"}}
    assert "<pre>3 outcomes" in found._repr_html_()
    long = ratios(NOTES).table(6).splitlines()
    assert len(long) == 10
    assert long[6].split() == ["...", "...", "..."]
    assert long[-1].split()[0] == "1,000"


def test_the_table_says_which_column_is_exact_and_what_is_faint():
    found = ratios(KRandomization(n=100_000, q="0.3", k=3)).table().splitlines()
    assert found[1] == "ratio exact; P[S = s] enclosed, as exact ones need 45,009,750,032 bytes"
    assert found[3].split() == ["0", "12.7037037037...", "below", "1e-3000"]
    beside = ratios(KRandomization(n=100_000, q="0.3", k=3), ones=5).table().splitlines()
    assert beside[1].startswith("ratio enclosed, as exact ones need ")


def test_far_outcomes_at_any_size_are_found_though_their_probability_is_too_faint():
    found = ratios(KRandomization(n=10**12, q="0.1"))
    assert found.above(lam="1.5").outcomes == range(27 * 10**12 // 32)
    assert found.below(lam="1.5").outcomes[0] == 15 * 10**12 // 16 + 1
    few = found[480:491]
    assert (few.probability.lower, few.probability.upper) == (0, Fraction(1, 2**999_999))


def test_pictures(tmp_path):
    found = ratios(NOTES)
    found.window(5).plot(tmp_path / "a.svg", lam=2, sigmas=3)
    assert (tmp_path / "a.svg").stat().st_size > 5_000
    with pytest.raises(DomainError, match="at least one outcome"):
        found[:10].plot(tmp_path / "c.png")


def test_a_place_beyond_the_end_is_an_index_error_too():
    with pytest.raises(IndexError, match="give a whole number from 0 to 10"):
        ratios(KRandomization(n=5, q="1/4", k=2))[11]


def test_doubles_round_correctly_and_to_infinity():
    steep = ratios(KRandomization(n=2, q="1e-40", k=10))
    assert steep.floats()[0] == math.inf
    assert steep.floats()[-1] == 0
    middle = [float(x) for x in steep if abs(x.numerator.bit_length() - x.denominator.bit_length()) < 900]
    assert middle
    assert set(middle) <= set(steep.floats().tolist())


def test_equal_questions_are_equal_values():
    assert ratios(NOTES) == ratios(NOTES, ones=999)
    assert ratios(NOTES) != ratios(NOTES, ones=998)
    assert ratios(NOTES)[:5] == ratios(NOTES, ones="999")[:5]
    assert isinstance(ratios(NOTES), Terms)


def test_one_outcome_beside_many_is_exact_without_a_pmf(never):
    never(pmf, "pooled")
    mechanism = KRandomization(n=1000, q="269/1000", k=5)
    assert dp.ratio(mechanism, 0, ones=500) == mechanism.local_ratio
    assert abs(float(dp.ratio(mechanism, 2_400, ones=500)) - ratios(mechanism, ones=998).floats()[0]) > 0
    with pytest.raises(TooLarge, match=r"try dpcalc.ratios\(mechanism, ones=7\)\[3\], an enclosure"):
        dp.ratio(KRandomization(n=10**6, q="1/10"), 3, ones=7)
