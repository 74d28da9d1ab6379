"""Reports that are 1 with one chance for a bit 1 and another for a bit 0: against every dataset in fractions."""

import random
from fractions import Fraction
from functools import cache

import pytest

import dpcalc as dp
from dpcalc.families import fleets
from dpcalc.families.bits import NARROWEST, Bits
from dpcalc.families.boxes import Boxes
from dpcalc.families.table import family
from dpcalc.numbers.limit import Limit
from tests.oracles import asymmetric as oracle
from tests.worst.chances import box

GRID = [Fraction(i, 20) for i in range(1, 20)]
SEEDS = [0, *(pytest.param(seed, marks=pytest.mark.soak) for seed in (1, 2, 3))]


def questions(seed, count, *, most):
    """n, k, (a, b) and lambda of so many questions with at most ``most`` reports."""
    draw = random.Random(seed)
    while count:
        n, k = draw.randint(1, 5), draw.randint(1, 3)
        b, a = sorted(draw.sample(GRID, 2))
        if n * k <= most:
            count -= 1
            yield n, k, (a, b), Fraction(draw.randint(10, 50), 10)


@cache
def bits(n, a, b, k, lam):
    return oracle.everything(n, a, b, k, lam)


@pytest.mark.parametrize("seed", SEEDS)
def test_each_direction_of_a_bit_at_every_m(seed):
    """One pass, the search by balls, single pairs, and bounds of ranges."""
    served = 0
    for n, k, (a, b), lam in questions(100 + seed, 60, most=9):
        truth, limit = bits(n, a, b, k, lam), Limit(lam)
        for value, way in enumerate((Bits((b, a), k, n - 1), Bits((1 - a, 1 - b), k, n - 1))):
            each = [truth[n - 1 - m if value else m, value] for m in range(n)]
            for found in (way.at_once(limit, rtol=NARROWEST), way.largest(limit, rtol=NARROWEST)):
                served += found is not None
                if found is not None:
                    assert each[found.dataset.ones] >= found.lower <= max(each) <= found.upper
                    assert found.upper <= found.lower * (1 + 2 * NARROWEST)
            for m, delta in enumerate(each):
                found = way.pair(m).enclosed(limit, rtol=NARROWEST)
                assert found.lower <= delta <= found.upper
                if m < n - 1:
                    bound, _ = way.compositions.envelope(
                        box(m, n - 1), limit, rtol=NARROWEST, level=Fraction(0), slices=True
                    )
                    assert bound >= max(each[m:])
            assert way.largest_exact(limit, rtol=NARROWEST).value == max(each)
    assert served > 100


def test_one_direction_is_the_other_one_s_mirror_image_for_symmetric_bits_only():
    assert [Bits(own, 1, 9).mirror is None for own in ((GRID[1], GRID[-2]), (GRID[1], GRID[-3]))] == [True, False]


def test_at_lambda_one_any_m_may_be_the_worst_of_asymmetric_bits():
    """Half of them are enough for symmetric bits."""
    asked = Bits((Fraction(1, 100), Fraction(4, 5)), 1, 6).mirror
    found = asked.largest_exact(Limit(Fraction(1)), rtol=NARROWEST)
    each = bits(7, Fraction(4, 5), Fraction(1, 100), 1, Fraction(1))
    assert found.value == max(each.values()) > max(asked.pair(m).exact(Fraction(1)) for m in range(4))


def test_each_direction_has_its_own_local_epsilon():
    """That of 0 over 1 is below 1e-18, where no epsilon is searched; the other one is log 2, and counts."""
    asked = dp.AsymmetricBits(n=3, chances=("2e-30", "1e-30"))
    found = dp.epsilon(asked, delta="1e-31", rtol="1e-4")
    assert (
        dp.delta(asked, epsilon=found.upper).upper <= Fraction(1, 10**31) < dp.delta(asked, epsilon=found.lower).lower
    )
    assert found.upper < 0.3


@pytest.mark.parametrize(("n", "chances", "k"), [
    (10**5, ("0.9", "0.11"), 1), (10**3, ("1/2", "1/50"), 1), (10**5, ("49/50", "1/2"), 3), (10**6, ("1/2", "1e-6"), 1),
])  # fmt: skip
def test_delta_and_epsilon_take_no_search_over_boxes(n, chances, k, never):
    never(fleets, "OverCompositions")
    mechanism = dp.AsymmetricBits(n=n, chances=chances, k=k)
    found = dp.epsilon(mechanism, delta="1e-9", rtol="1e-4")
    below, above = (dp.delta(mechanism, epsilon=x) for x in (found.lower, found.upper))
    assert above.upper <= Fraction(1, 10**9) < below.lower
    named = dp.delta(mechanism, epsilon=found.lower, ones=below.dataset.ones)
    assert named.lower <= below.upper
    assert below.lower <= named.upper


def test_the_number_of_categories_does_not_matter_from_three_on():
    ask = {"epsilon": "0.3"}
    few, many = (dp.delta(dp.AsymmetricBits(n=1000, chances=("1/2", "1/10"), categories=d), **ask) for d in (3, 1000))
    assert (few.lower, few.upper) == (many.lower, many.upper)
    two = dp.delta(dp.AsymmetricBits(n=1000, chances=("1/2", "1/10"), categories=2), **ask)
    assert two.upper < few.lower  # whoever does not hold the one holds the other


@pytest.mark.parametrize("chances", [("9/10", "1/10"), ("2/3", "1/3")])
@pytest.mark.parametrize("shape", [{}, {"categories": 4}, {"categories": 4, "neighbours": "delete"}])
def test_one_lie_probability_is_randomized_response(chances, shape):
    q, n = Fraction(chances[1]), 30
    usual = dp.UnaryEncoding(n=n, q=q, **shape) if shape else dp.KRandomization(n=n, q=q)
    found, known = (dp.delta(x, lam=2) for x in (dp.AsymmetricBits(n=n, chances=chances, **shape), usual))
    assert (found.lower, found.upper) == (known.lower, known.upper)


def test_local_epsilon_is_where_delta_ends():
    for chances, shape in ((("1/2", "1/10"), {}), (("3/4", "1/2"), {}), (("1/2", "1/10"), {"categories": 3})):
        mechanism = dp.AsymmetricBits(n=4, chances=chances, **shape)
        end = mechanism.local_epsilon
        assert dp.delta(mechanism, epsilon=end.upper).upper == 0
        assert dp.delta(mechanism, epsilon=end.lower - Fraction(1, 100)).lower > 0


def test_optimized_unary_encoding_is_locally_private():
    encoding = dp.AsymmetricBits.optimized(n=10, epsilon=1, categories=7)
    assert encoding.chances[0] == Fraction(1, 2)
    assert 1 - Fraction(1, 10**12) < encoding.local_epsilon.upper <= 1


@pytest.mark.parametrize("chances", [("1/2", 0), (1, "1/2"), (1, 0)])
def test_chances_of_certain_reports_are_refused_with_what_they_give(chances):
    with pytest.raises(dp.DomainError, match=r"^chances = .*0 < b < a < 1.*1 - \(1 - a\)\^k or 1 - b\^k for every"):
        dp.Group(n=10, chances=chances)
    with pytest.raises(dp.DomainError) as caught:
        dp.Group(n=10, chances=("3/2", 0))
    assert "for every" not in str(caught.value)


@pytest.mark.parametrize("few", [Fraction(1, 10**15), Fraction(1, 3 * 10**15)])
def test_the_exact_maximum_among_values_nearly_alike_is_the_largest(few):
    """Of unlike denominators their numerators tell nothing."""
    for own in ((Fraction(1, 2) - few, Fraction(1, 2) + Fraction(1, 10**14)), (Fraction(1, 4), Fraction(1, 4) + few)):
        datasets = Bits(own, 1, 6)
        for lam in (Fraction(1), 1 + few / 10):
            each = [datasets.pair(m).exact(lam) for m in range(7)]
            assert datasets.largest_exact(Limit(lam), rtol=NARROWEST).value == max(each)


def test_one_dataset_of_a_histogram_is_no_search(monkeypatch):
    """It tells on which side of a target delta starts: where the answer is 0 a search took a hundred times as long."""
    pairs = family(dp.AsymmetricBits(n=60, chances=("1/2", "12/25"), categories=3))
    limit, rtol = Limit(Fraction(1)), Fraction(1, 1000)
    most = pairs.delta(limit, rtol=rtol).upper
    monkeypatch.setattr(Boxes, "bounded", lambda *_, **__: pytest.fail("a search"))
    found = pairs.one(limit, rtol=rtol)
    assert most / 2 < found.lower <= found.upper <= most


def test_chances_too_rare_for_doubles_are_summed_in_fractions():
    pairs = family(dp.AsymmetricBits(n=3, chances=("1/2", Fraction(1, 1 << 1000)), categories=3))
    found = pairs.one(Limit(Fraction(1)), rtol=Fraction(1, 1000))
    assert found.exact
    assert found.lower > Fraction(1, 4)
