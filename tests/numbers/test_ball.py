import math
from fractions import Fraction

import pytest
from flint import arb, ctx
from hypothesis import given
from hypothesis import strategies as st

from dpcalc.errors import TooLarge, Undecided
from dpcalc.numbers.ball import FAINT, ball, bits_for, decide, enclosure_of, refine, union
from dpcalc.numbers.enclosure import Enclosure
from dpcalc.numbers.search import logarithm, steer

rationals = st.fractions(min_value=-(10**9), max_value=10**9)


@given(rationals, st.integers(min_value=2, max_value=300))
def test_a_ball_holds_its_rational_at_every_precision(x, bits):
    with ctx.workprec(bits):
        found = enclosure_of(ball(x))
    assert found.lower <= x <= found.upper
    assert found.upper - found.lower <= abs(x) * Fraction(8, 2**bits)


@given(rationals, rationals)
def test_the_union_holds_both_ends_and_little_more(x, y):
    low, high = min(x, y), max(x, y)
    found = enclosure_of(union(low, high))
    assert found.lower <= low <= high <= found.upper
    assert found.upper - found.lower <= (high - low) * (1 + Fraction(1, 2**20)) + max(abs(low), abs(high)) / 2**40


@given(st.integers(min_value=-(2**70), max_value=2**70))
def test_integers_that_fit_are_exact(x):
    with ctx.workprec(80):
        assert enclosure_of(ball(x)).value == x


def test_an_infinite_ball_is_no_enclosure():
    with pytest.raises(Undecided, match="no finite enclosure"):
        enclosure_of(arb.pos_inf())


def test_a_number_too_large_to_be_held_is_refused():
    with pytest.raises(TooLarge, match=r"^a number so large or so close to 0 needs 1,001,001 bits of exponent"):
        enclosure_of(arb(2) ** (10**6 + 1000))


@pytest.mark.parametrize("number", [arb((1, -1_001_000)), arb((1, -1_001_000)).union(arb((3, -1_001_000)))])
def test_a_number_too_small_to_be_held_lies_between_0_and_the_least_one(number):
    assert enclosure_of(number) == FAINT
    assert refine(lambda: number, rtol=Fraction(1, 10**9)) == FAINT
    assert enclosure_of(-number) == Enclosure(-FAINT.upper, 0)


def test_what_may_be_larger_is_not_taken_for_faint():
    """A ball around 0: its radius is held."""
    assert enclosure_of(arb(0, arb((1, -999_000)))).upper > FAINT.upper


@given(st.integers(min_value=1, max_value=10**9), st.integers(min_value=0, max_value=60))
def test_refined_to_the_width_asked(x, digits):
    rtol = Fraction(1, 10**digits)
    found = refine(lambda: arb(x).sqrt(), rtol=rtol)
    assert found.relative_width() <= rtol
    assert found.lower**2 <= x <= found.upper**2


@pytest.mark.parametrize("rtol", [Fraction(1, 3), Fraction(7, 1000), Fraction(1, 10**30)])
def test_the_bits_for_a_width(rtol):
    assert Fraction(1, 2 ** bits_for(rtol)) <= rtol / 4


def test_refine_doubles_the_precision_from_the_start_to_the_cap():
    seen = []

    def evaluate():
        seen.append(ctx.prec)
        return arb(0, 1)

    with pytest.raises(Undecided, match=r"relative width 0\.01 not reached at 1024 bits") as refusal:
        refine(evaluate, rtol=Fraction(1, 100), start=100, cap=1024)
    assert seen == [100, 200, 400, 800]
    assert -1.001 < refusal.value.enclosure.lower <= -1


def test_refine_goes_on_past_a_ball_that_is_not_finite():
    answers = iter([arb.nan(), arb.pos_inf(), arb(3)])
    assert refine(lambda: next(answers), rtol=Fraction(1, 10)).value == 3


def test_exact_zero_has_a_width_but_a_ball_around_zero_has_none():
    assert refine(lambda: arb(0), rtol=Fraction(1, 10)).value == 0
    with pytest.raises(Undecided) as refusal:
        refine(lambda: arb(8) - arb(2).log().exp() ** 3, rtol=Fraction(1, 10), cap=512)
    assert refusal.value.enclosure.lower <= 0 <= refusal.value.enclosure.upper


def test_signs_are_decided_when_they_can_be():
    tiny = Fraction(1, 10**200)
    assert decide(lambda: ball(1 + tiny) - 1)
    assert not decide(lambda: 1 - ball(1 + tiny))
    with pytest.raises(Undecided, match="the sign is not settled at 256 bits"):
        decide(lambda: arb(3).sqrt() ** 2 - 3, cap=256)


@pytest.mark.parametrize("prec", [17, 53, 300])
def test_the_ambient_precision_is_left_alone(prec):
    with ctx.workprec(prec):
        refine(lambda: arb(2).log(), rtol=Fraction(1, 10**50))
        decide(lambda: arb(2).log() - 1)
        with pytest.raises(Undecided):
            decide(lambda: arb(0), cap=128)
        assert ctx.prec == prec


@given(
    st.floats(min_value=-40, max_value=40), st.floats(min_value=0.01, max_value=50),
    st.floats(min_value=-40, max_value=40),
)  # fmt: skip
def test_steering_arrives_at_the_crossing(root, slope, start):
    found = steer(lambda x: -slope * (x - root) - (x - root) ** 3, -50.0, 50.0, start=start)
    assert abs(found - root) < 1e-6


@pytest.mark.parametrize(("root", "end"), [(-9.0, 0.0), (9.0, 1.0)])
def test_steering_ends_at_an_end_where_there_is_no_crossing(root, end):
    assert steer(lambda x: root - x, 0.0, 1.0) == end


def test_steering_bears_minus_infinity():
    assert abs(steer(lambda x: 2 - x if x < 3 else -math.inf, 0.0, 100.0, start=50.0) - 2) < 1e-6


def test_logarithms_of_numbers_that_are_no_floats():
    assert math.isclose(logarithm(Fraction(1, 10**5000)), -5000 * math.log(10), rel_tol=1e-12)
    assert logarithm(Fraction(0)) == -math.inf


def test_ends_far_finer_than_the_number_are_rounded_outward():
    one = enclosure_of(arb(1) + arb(0, arb(2) ** -(10**6 + 10**5)))
    assert one.lower < 1 < one.upper
    assert one.upper - one.lower < Fraction(1, 1 << 10_000)
    faint = enclosure_of(arb(0, arb(2) ** -(10**7)))
    assert faint.lower == -faint.upper == -FAINT.upper


@pytest.mark.parametrize("exponent", [-10, -999_997])
def test_what_is_not_known_to_be_faint_is_not_taken_for_faint(exponent):
    """Its middle is, but not all of it."""
    wide = arb((1, -1_000_002)) + arb(0, arb((1, exponent)))
    found = enclosure_of(wide)
    assert 1 <= found.upper / Fraction(2) ** exponent <= 3
    assert -found.upper <= found.lower < -found.upper / 2
    with pytest.raises(Undecided):
        refine(lambda: wide, rtol=Fraction(1))
    assert enclosure_of(arb((1, -1_000_002)) + arb(0, arb((1, -1_000_002)))).upper <= FAINT.upper
