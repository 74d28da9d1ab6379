"""Generating functions, their coefficients and the recurrence they obey, against sums over subsets of factors."""

import random
from fractions import Fraction
from itertools import combinations, product
from math import comb, prod

import pytest
import sympy

import dpcalc as dp
from dpcalc.errors import TooLarge
from dpcalc.laws.log_concavity import log_concavity
from dpcalc.laws.pmf import Pmf, coefficient
from dpcalc.mechanisms.response import KRandomization
from dpcalc.numbers.ball import enclosure_of

MIXED = dp.GeneratingFunction([("1/3", 2), ("3/5", 1), ("1/3", 1), ("9/10", 2)])


def by_patterns(factors):
    """P[S = i] by going through all reports' outcomes."""
    chances = [Fraction(a) for a, c in factors for _ in range(c)]
    found = [Fraction(0)] * (len(chances) + 1)
    for bits in product((0, 1), repeat=len(chances)):
        found[sum(bits)] += prod(a if bit else 1 - a for a, bit in zip(chances, bits, strict=True))
    return found


def binomial_sum(q, likely, unlikely, s):
    """[x^s] (q + p x)^likely (p + q x)^unlikely."""
    return sum(
        comb(likely, i) * comb(unlikely, s - i) * (1 - q) ** (unlikely - s + 2 * i) * q ** (likely + s - 2 * i)
        for i in range(max(0, s - unlikely), min(likely, s) + 1)
    )


def test_coefficients_of_random_factors_are_those_of_every_pattern():
    draw = random.Random(7)
    for _ in range(200):
        factors = [(Fraction(draw.randint(1, 9), 10), draw.randint(0, 3)) for _ in range(draw.randint(1, 3))]
        if not sum(c for _, c in factors):
            continue
        G, patterns = dp.GeneratingFunction(factors), by_patterns(factors)
        assert list(G.coefficients) == list(G.pmf) == patterns
        x = Fraction(draw.randint(-9, 9), 4)
        assert G(x) == sum(c * x**i for i, c in enumerate(patterns))
        mean = sum(i * c for i, c in enumerate(patterns))
        central = [sum((i - mean) ** j * c for i, c in enumerate(patterns)) for j in range(6)]
        cumulants = (mean, central[2], central[3], central[4] - 3 * central[2] ** 2,
                     central[5] - 10 * central[3] * central[2])  # fmt: skip
        assert G.cumulants(5) == cumulants
        assert (G.mean, G.variance) == cumulants[:2]


def test_roots_and_elementary_symmetric_sums():
    """K16, Lemma 1: G is its leading coefficient times prod (r + x), so that its coefficients are sums over subsets."""
    assert all(MIXED(root) == 0 for root, _ in MIXED.roots)
    r = [-root for root, times in MIXED.roots for _ in range(times)]
    assert len(r) == MIXED.degree == 6
    leading = MIXED.coefficients[-1]
    for i, c in enumerate(MIXED.coefficients):
        assert c == leading * sum(prod(some) for some in combinations(r, 6 - i))


def test_products_belong_to_sums():
    first, second = dp.GeneratingFunction([("1/4", 2)]), dp.GeneratingFunction([("3/4", 1), ("1/4", 1)])
    assert (first * second).factors == ((Fraction(1, 4), 3), (Fraction(3, 4), 1))
    assert (first * second)(Fraction(7, 3)) == first(Fraction(7, 3)) * second(Fraction(7, 3))
    with pytest.raises(TypeError):
        first * 3


def test_the_expression_expands_to_the_coefficients():
    x = dp.symbolic.x
    poly = sympy.Poly(MIXED.expression(), x)
    assert [Fraction(int(c.p), int(c.q)) for c in reversed(poly.all_coeffs())] == list(MIXED.coefficients)


@pytest.mark.parametrize(("low", "high"), [(0, 401), (0, 1), (200, 233), (399, 401)])
@pytest.mark.parametrize("likely", [0, 130, 400])
@pytest.mark.soak
def test_balls_of_any_range_contain_the_exact_coefficients(low, high, likely):
    """Wherever the range lies about the place at which the recurrence turns."""
    q = Fraction(3, 10)
    G = dp.GeneratingFunction([(1 - q, likely), (q, 400 - likely)])
    found = G._pool.chances(low, high, 160)
    assert len(found) == high - low
    for s, ball in zip(range(low, high), found, strict=True):
        ends = enclosure_of(ball)
        assert ends.lower <= binomial_sum(q, likely, 400 - likely, s) <= ends.upper
        assert ball.rel_accuracy_bits() > 140


def test_balls_of_mixed_factors_contain_the_exact_coefficients():
    for ball, exact in zip(MIXED._pool.chances(0, 7, 100), by_patterns(MIXED.factors), strict=True):
        ends = enclosure_of(ball)
        assert ends.lower <= exact <= ends.upper


@pytest.mark.soak
def test_beyond_memory_coefficients_are_enclosed():
    m = KRandomization(n=1000, q="269/1000", k=50)
    G = dp.generating_function(m, ones=500)
    assert not G.coefficients.exact
    assert "enclosed" in repr(G)
    assert abs(sum(G.coefficients.floats()) - 1) < 1e-12
    for s in (0, 18_000):
        exact = Fraction(coefficient(m.q, 25_000, 25_000, s), 1000**50_000)
        assert G.coefficients[s].lower <= exact <= G.coefficients[s].upper
    with pytest.raises(TooLarge, match=r"needs 3,12.* bytes, .* try dpcalc.generating_function, which encloses"):
        dp.pmf(m, ones=500)


@pytest.mark.parametrize(("n", "exact"), [(7_000, True), (10**6, False)])
def test_what_is_too_faint_to_be_written_is_said_to_be_so(n, exact):
    terms = dp.GeneratingFunction([("1/10", n)]).coefficients
    assert terms.exact is exact
    (_, faint), (_, last) = *terms[-1:].rows(), *terms[n // 10 : n // 10 + 1].rows()
    assert (faint.lower, faint.upper) == (0, Fraction(1, 10**3000))
    assert terms[-1] < faint.upper
    assert last.lower > Fraction(1, 10**4)
    held = dp.GeneratingFunction([("1/10", 2_999)]).coefficients
    assert [x.value for _, x in held[-1:].rows()] == [Fraction(1, 10**2_999)]


def test_one_coefficient_is_that_of_the_whole_list():
    q = Fraction(2, 7)
    for likely, unlikely in ((0, 9), (5, 4), (9, 0), (30, 1)):
        whole = dp.GeneratingFunction([(1 - q, likely), (q, unlikely)]).pmf
        assert [coefficient(q, likely, unlikely, s) for s in range(len(whole))] == list(whole.weights)


def test_fractions_over_powers_are_in_lowest_terms():
    """Weights of 300 bits and more, of which small factors are to be taken out, and none twice."""
    for q, n in ((Fraction(3, 10), 120), (Fraction(5, 12), 90), (Fraction(1, 6), 130)):
        pmf = dp.pmf(KRandomization(n=n, q=q), ones=n // 2)
        assert pmf.denominator.bit_length() > 300
        for weight, found in zip(pmf.weights, pmf, strict=True):
            plain = Fraction(weight, pmf.denominator)
            assert found.as_integer_ratio() == plain.as_integer_ratio()
    lump = Pmf(weights=(0, 6**300, 0), denominator=6**300)
    assert list(lump) == [0, 1, 0]
    uneven = Pmf(weights=(6**300 - 2**301 * 3, 2**301 * 3), denominator=6**300)
    assert [x.as_integer_ratio() for x in uneven] == [Fraction(w, 6**300).as_integer_ratio() for w in uneven.weights]


def test_log_concavity_takes_the_sequence_of_coefficients_too():
    assert log_concavity(MIXED.coefficients, ultra=True) == MIXED.log_concavity(ultra=True)


def test_a_table_of_few_and_of_many():
    assert dp.GeneratingFunction([("1/2", 2)]).table() == (
        "degree 2, mean 1, coefficients exact\ns  P[S = s]\n0  1/4\n1  1/2\n2  1/4"
    )
    assert len(dp.GeneratingFunction([("1/2", 100)]).table(6).splitlines()) == 9
