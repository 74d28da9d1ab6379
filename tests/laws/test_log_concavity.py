from fractions import Fraction
from math import comb

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpcalc.errors import DomainError, TooLarge
from dpcalc.laws.generating_function import GeneratingFunction
from dpcalc.laws.log_concavity import Leading, Search, log_concavity
from dpcalc.laws.pmf import Pmf
from dpcalc.laws.pool import Pool
from dpcalc.mechanisms.pooled_count import generating_function, log_concavity_in_ones, pooled
from dpcalc.mechanisms.response import KRandomization
from tests.oracles.rounds import law
from tests.strategies import flips

sizes = st.integers(min_value=0, max_value=60)


def coefficients(q, likely, unlikely):
    return Pool.of((1 - q, likely), (q, unlikely)).pmf()


def test_a_list_beyond_2_gb_is_refused_before_any_work():
    with pytest.raises(TooLarge, match="the exact pmf of 200,000 reports") as refusal:
        coefficients(Fraction(1, 10), 100_000, 100_000)
    assert refusal.value.size > refusal.value.limit == 2_000_000_000
    assert len(coefficients(Fraction(1, 3), 500, 500)) == 1001


# --- log-concavity ----------------------------------------------------------------------------------------


def directly(terms, ultra=False, strict=False):
    """The first inner index at which the definition fails, in rationals."""
    last = len(terms) - 1
    for i in range(1, last):
        newton = (1 + Fraction(1, i)) * (1 + Fraction(1, last - i)) if ultra else 1
        left, right = Fraction(terms[i]) ** 2, terms[i - 1] * Fraction(terms[i + 1]) * newton
        gap = terms[i] == 0 and any(terms[:i]) and any(terms[i + 1 :])
        if left < right or (strict and left == right) or gap:
            return i
    return None


@given(
    st.lists(st.one_of(st.integers(0, 5), st.integers(0, 2**400), st.fractions(0, 3)), max_size=8),
    st.booleans(),
    st.booleans(),
)
def test_log_concavity_is_the_definition_with_the_first_witness(terms, ultra, strict):
    found = log_concavity(terms, ultra=ultra, strict=strict)
    assert found.witness == directly(terms, ultra, strict)
    assert found.holds is bool(found) is (found.witness is None)


def test_one_report_more_or_less_breaks_it_where_it_is_tight():
    """A binomial attains Newton's inequality everywhere: one less at index 5 breaks it there, one more next to it."""
    weights = list(coefficients(Fraction(1, 3), 0, 400).weights)
    assert log_concavity(weights, ultra=True)
    assert not log_concavity(weights, ultra=True, strict=True)
    weights[5] -= 1
    assert log_concavity(weights, ultra=True).witness == 5
    weights[5] += 2
    assert log_concavity(weights, ultra=True).witness == 4


def test_zeros_inside_the_support_are_gaps():
    assert log_concavity([1, 0, 0, 1]).witness == 1
    assert log_concavity([0, 0, 1, 2, 1, 0, 0])
    assert log_concavity([0, 1, 0, 0, 1]).witness == 2
    assert log_concavity([]), log_concavity([0])


def test_a_float_term_is_the_decimal_that_prints_it():
    """0.3^2 = 0.1 * 0.9, which the binary values of the three miss."""
    assert log_concavity([0.1, 0.3, 0.9])
    assert log_concavity(["0.1", "0.3", "0.9"])
    assert not log_concavity([0.1, 0.3, 0.9], strict=True)


big = st.one_of(st.integers(0, 20), st.integers(0, 2**300), st.integers(0, 9).map(lambda j: 2**500 - 4 + j))


def margin(x, y, z, middle=1, sides=1):
    """The margin, and its enclosure where it is finite; None where the inequality fails."""
    search = Search(strict=False)
    found = search.margin(1, *map(Leading.of, (x, y, z)), middle, sides)
    return None if found is None else search.holds([]).margin


@given(big, big, big, st.integers(1, 9), st.integers(1, 9))
def test_leading_bits_never_mislead(x, y, z, middle, sides):
    found, gap = margin(x, y, z, middle, sides), middle * x * x - sides * y * z
    assert (Search(strict=True).margin(1, *map(Leading.of, (x, y, z)), middle, sides) is None) == (gap <= 0)
    if gap < 0:
        assert found is None
    elif y * z:
        exact = Fraction(gap, sides * y * z)
        assert found.lower <= exact <= found.upper
        assert found.upper - found.lower <= (1 + exact) / 2**120
        assert found.exact or max(x, y, z) >= 2**128


@given(st.integers(2**200, 2**400), st.integers(-2, 2))
def test_leading_bits_never_mislead_next_to_equality(x, step):
    assert (margin(x, x, x + step) is None) == (step > 0)
    if not step:
        assert margin(x, x, x) == 0


@pytest.mark.parametrize("low", [1, 50, 300])
def test_leading_bits_leave_what_they_cannot_settle(low):
    """The leading bits say >, the whole numbers say <; and the other way round."""
    top = 2**127 + 12_345
    assert margin(top << low, (top << low) - 1, ((top + 2) << low) - 1) is None
    assert margin(((top + 1) << low) - 1, top << low, (top + 1) << low) is not None


# --- where it is tightest -------------------------------------------------------------------------------------


def least(terms, ultra=False):
    """The least margin by the definition, and where it is first."""
    last = len(terms) - 1
    found = []
    for i in range(1, last):
        newton = (1 + Fraction(1, i)) * (1 + Fraction(1, last - i)) if ultra else 1
        found.append((Fraction(terms[i]) ** 2 / (terms[i - 1] * terms[i + 1] * newton) - 1, i))
    return min(found)


@given(flips, sizes.filter(lambda c: c > 1), sizes, st.booleans())
def test_it_is_tightest_where_the_margin_is_least(q, likely, unlikely, ultra):
    pool = coefficients(q, likely, unlikely)
    found = log_concavity(pool, ultra=ultra)
    margin, where = least(pool.weights, ultra)
    assert found.margin.lower <= margin <= found.margin.upper
    assert found.margin.upper - found.margin.lower <= margin / 10**30 + Fraction(1, 10**35)
    assert least(pool.weights[found.tightest - 1 :][:3])[0] == margin if not ultra else found.tightest <= where
    assert len(found.margins) == likely + unlikely - 1
    assert min(found.margins) == pytest.approx(float(margin), rel=1e-12, abs=1e-30)


@pytest.mark.parametrize("base", range(3, 40, 2))
def test_of_equal_margins_the_first_is_named(base):
    """C(399, s) base^s is as tight at 199 as at 200, whatever its leading bits are."""
    terms = [comb(399, s) * base**s for s in range(400)]
    assert log_concavity(terms).tightest == 199


def test_zeros_next_to_a_term_leave_its_margin_out():
    found = log_concavity([0, 1, 3, 2, 0])
    assert (found.tightest, found.margin, list(found.margins)) == (2, Fraction(7, 2), [float("inf"), 3.5, float("inf")])
    assert log_concavity([0, 1, 0]).tightest is log_concavity([1, 2]).margin is None


def test_the_margin_is_drawn(tmp_path):
    found = log_concavity(coefficients(Fraction(1, 3), 30, 40))
    found.plot(tmp_path / "margin.svg", index="s")
    assert "margin" in (tmp_path / "margin.svg").read_text()
    for none in (log_concavity([1, 1, 1]), log_concavity([1, 1, 2]), log_concavity_in_ones(KRandomization(n=3, q=0.1))):
        with pytest.raises(DomainError, match="an answer with margins above 0"):
            none.plot(tmp_path / "none.svg")


# --- along the outcomes, three integers at a time -----------------------------------------------------------------


@given(st.lists(st.tuples(st.fractions(0, 1).filter(lambda a: 0 < a < 1), st.integers(1, 12)), min_size=1, max_size=3))
def test_terms_one_by_one_are_the_pmf(kinds):
    """In proportion to t^s P[S = s], by multiplying out; t = 1 but for one kind, where they are binomials."""
    pool = Pool.of(*kinds)
    found = list(map(int, pool.one_by_one()))
    product = [Fraction(1)]
    for a, count in pool.kinds:
        for _ in range(count):
            product = [(1 - a) * x + a * y for x, y in zip([*product, 0], [0, *product], strict=True)]
    if len(pool.kinds) == 1:
        assert found == [comb(pool.size, s) for s in range(pool.size + 1)]
    else:
        assert [Fraction(x, sum(found)) for x in found] == product


@given(flips, st.integers(1, 40), st.integers(1, 40), st.booleans())
def test_along_the_outcomes_it_is_as_of_the_whole_pmf(q, likely, unlikely, ultra):
    G = GeneratingFunction([(1 - q, likely), (q, unlikely)])
    assert G.log_concavity(ultra=ultra) == log_concavity(coefficients(q, likely, unlikely), ultra=ultra)


def test_progress_is_told():
    shares = []
    G = generating_function(KRandomization(n=500, q="0.2", k=20), ones=499)
    assert G.log_concavity(strict=True, progress=shares.append)
    assert shares == sorted(shares)
    assert len(shares) > 100
    log_concavity_in_ones(KRandomization(n=5, q="0.2"), compute=True, progress=shares.append)
    assert shares[-4:] == [1 / 5, 2 / 5, 3 / 5, 4 / 5]


@pytest.mark.soak
def test_at_the_notes_sizes():
    """All 49,999 inequalities beside 999 ones; the pmf would take 6 GB."""
    mechanism = KRandomization(n=1000, q="0.269241", k=50)
    found = generating_function(mechanism, ones=999).log_concavity(ultra=True, strict=True)
    assert (found.holds, found.tightest, len(found.margins)) == (True, 1, 49_999)
    equal = generating_function(mechanism).log_concavity()
    assert equal.tightest == 25_000
    assert equal.margin.lower < Fraction(25_001, 25_000) ** 2 - 1 < equal.margin.upper


# --- in the number of ones: K16 (4.5) -----------------------------------------------------------------------


@given(st.integers(1, 6), st.integers(1, 3), st.booleans(), flips)
def test_the_verdict_in_ones_is_that_of_every_flip_pattern(n, k, strict, q):
    """And K16's identity, for one report instead of one record, gives every difference."""
    n = min(n, 9 // k)
    laws = [law(m, n - m, q, k) for m in range(n + 1)]
    pairs = [
        (i, m)
        for m in range(1, n)
        for i in range(n * k + 1)
        if (gap := laws[m][i] ** 2 - laws[m - 1][i] * laws[m + 1][i]) < 0 or (strict and gap == 0)
    ]
    found = log_concavity_in_ones(KRandomization(n=n, q=q, k=k), strict=strict)
    assert found.witness == (pairs[0] if pairs else None)
    assert not strict or {i for i, _ in pairs} <= {0, n * k}


def test_in_ones_nothing_is_too_large():
    """Asked to compute what it cannot, it says that nothing was computed."""
    for mechanism in (KRandomization(n=1000, q="269/1000", k=50), KRandomization(n=10**9, q="1/4")):
        for compute in (False, True):
            found = log_concavity_in_ones(mechanism, compute=compute)
            assert (found.holds, found.proof) == (True, "by theorem 1.10, nothing computed")


@given(st.integers(1, 6), st.integers(1, 3), st.booleans(), flips)
def test_computed_in_ones_it_is_every_flip_pattern_and_the_theorem(n, k, strict, q):
    n = min(n, 9 // k)
    mechanism = KRandomization(n=n, q=q, k=k)
    found = log_concavity_in_ones(mechanism, strict=strict, compute=True)
    said = log_concavity_in_ones(mechanism, strict=strict)
    assert (found.holds, found.witness) == (said.holds, said.witness)
    assert found.proof == "compared exactly, at every index"
    if found.holds and n > 1:
        laws = [law(m, n - m, q, k) for m in range(n + 1)]
        for m, margin in enumerate(found.margins, 1):
            inner = [laws[m][i] ** 2 / (laws[m - 1][i] * laws[m + 1][i]) - 1 for i in range(1, n * k)]
            assert margin == pytest.approx(float(min(inner)), rel=1e-12)
        assert (found.tightest, found.margin) == ((0, 1), 0)


def test_computed_in_ones_it_can_fail(monkeypatch):
    """It compares the probabilities of the pools, and not what it knows of them."""
    right = Pool.pmf

    def wrong(self):
        found = right(self)
        weights = list(found.weights)
        weights[2], weights[3] = weights[2] - 50, weights[3] + 50
        return Pmf(weights=tuple(weights), denominator=found.denominator)

    mechanism = KRandomization(n=5, q="1/4")
    monkeypatch.setattr(Pool, "pmf", lambda self: wrong(self) if self == pooled(mechanism, 2) else right(self))
    assert log_concavity_in_ones(mechanism, compute=True).witness in {(2, 2), (3, 1)}
    assert log_concavity_in_ones(mechanism).holds
