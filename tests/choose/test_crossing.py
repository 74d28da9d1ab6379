import math
from fractions import Fraction
from functools import cache

import pytest

import dpcalc as dp
from dpcalc.choose.crossing import NEIGHBOURS, Sought, crossing, led
from dpcalc.errors import NoSolution, Undecided
from dpcalc.numbers.enclosure import Enclosure
from dpcalc.numbers.promise import Promise
from dpcalc.numbers.search import logarithm

TARGET = Fraction(1, 1000)


def falling(x):
    return 1 / (1 + x) ** 3  # a thousandth at x = 9


def around(truth, width):
    """Ends a known share below and above the truth."""
    return lambda x, _=None: Promise(truth(x) * (1 - width), min(truth(x) * (1 + width), Fraction(1)))


def found(delta, start=0.0, **changes):
    options = {"failing": Fraction(1, 10**9), "holding": Fraction(10**6), "rtol": Fraction(1, 10**4)}
    every = cache(delta)
    return crossing(every, every, TARGET, Sought(**(options | changes)), start=start)


@pytest.mark.parametrize("width", [Fraction(0), Fraction(1, 10**5), Fraction(1, 100), Fraction(1, 3)])
@pytest.mark.parametrize("start", [-20.0, 0.0, 2.0, 2.197, 13.0])
def test_each_end_is_proven_and_next_to_where_it_crosses(width, start):
    delta = around(falling, width)
    answer = found(delta, start=start)
    assert delta(answer.failing).lower > TARGET >= delta(answer.value).upper
    assert answer.at_failing.lower > TARGET >= answer.at_holding.upper
    near = 1 - Fraction(1, 5000)
    assert delta(answer.failing / near).lower <= TARGET < delta(answer.value * near).upper


@pytest.mark.parametrize("width", [Fraction(1, 10**4), Fraction(1, 50), Fraction(1, 30)])
def test_where_the_ends_lie_apart_the_upper_one_is_asked_for_a_few_times(width):
    """A lower end alone leads there; the first value tells how far the other one is."""
    asked = []

    def worst(x, _):
        asked.append(x)
        return around(falling, width)(x)

    def some(x, _):
        return Promise(falling(x) * (1 - width), Fraction(1))

    sought = Sought(Fraction(1, 10**9), Fraction(10**6), Fraction(1, 1000))
    answer = crossing(worst, some, TARGET, sought, start=math.log(9))
    assert len(asked) <= 4
    assert falling(answer.failing) * (1 - width) > TARGET >= falling(answer.value) * (1 + width)
    assert answer.value < answer.failing * (1 + width + Fraction(3, 1000))


def test_a_delta_that_rises():
    delta = around(lambda x: x**2 / 10**12, Fraction(1, 10))
    answer = found(delta, failing=Fraction(10**6), holding=Fraction(1), whole=True)
    assert (answer.value.denominator, answer.failing.denominator) == (1, 1)
    assert delta(answer.failing).lower > TARGET >= delta(answer.value).upper
    assert answer.value < answer.failing < answer.value * Fraction(112, 100)


@pytest.mark.parametrize("last", [1, 2, 3, 7, 100, 12345])
def test_whole_numbers_are_neighbours_where_the_ends_meet(last):
    delta = around(lambda x: TARGET / 2 if x > last else 2 * TARGET, Fraction(0))
    answer = found(delta, failing=Fraction(1), holding=Fraction(20_000), whole=True)
    assert (answer.failing, answer.value) == (last, last + 1)


def test_steps_and_deltas_of_0_and_1_are_found_too():
    delta = around(lambda x: Fraction(x < 5), Fraction(0))
    answer = found(delta)
    assert answer.failing < 5 <= answer.value <= answer.failing * Fraction(10001, 10000)


def test_few_values_are_asked_for():
    asked = []

    def delta(x, _):
        asked.append(x)
        return around(falling, Fraction(1, 100))(x)

    found(delta, start=logarithm(Fraction(89, 10)))
    assert len(asked) == len(set(asked)) <= 14


@pytest.mark.parametrize(
    ("delta", "error", "message"),
    [
        (around(lambda x: TARGET / 2, Fraction(0)), NoSolution, "at most 0.001 even at 1e-9"),
        (around(lambda x: TARGET * 2, Fraction(0)), NoSolution, "above 0.001 even at 1,000,000"),
        (lambda x, _: Promise(Fraction(0), Fraction(1)), Undecided, "not proven to be at most 0.001"),
        (lambda x, _: Promise(Fraction(0), 1 / (1 + x) ** 3), Undecided, "not proven to be above 0.001"),
    ],
)
def test_what_has_no_crossing_is_said(delta, error, message):
    with pytest.raises(error, match=message):
        found(delta)


def test_an_undecided_answer_is_passed_on():
    def delta(x, _):
        raise Undecided("nothing is known", Enclosure.of(TARGET / 2))  # of what, nobody knows

    with pytest.raises(Undecided, match="nothing is known"):
        found(delta)


def test_the_end_of_the_range_is_not_looked_at_on_the_way():
    """delta next to the local epsilon may take minutes."""
    asked = []

    def delta(x, _):
        asked.append(x)
        return around(falling, Fraction(0))(x)

    found(delta, start=math.log(7), holding=Fraction(9001, 1000) * Fraction(11, 10))
    assert max(asked) < Fraction(96, 10)


@pytest.mark.parametrize(("epsilon", "sensitivity"), [("0.4", 10**6), ("0.55", 10**6)])
def test_neighbours_whose_logarithms_agree_in_doubles(epsilon, sensitivity):
    found = dp.least_noise("binomial", epsilon=epsilon, delta="1e-6", sensitivity=sensitivity)
    assert found.upper == found.lower + 1 > 10**14
    assert found.at_upper.upper <= Fraction(1, 10**6) < found.at_lower.lower


def test_a_target_next_to_1_needs_a_tiny_q():
    found = dp.least_q(n=1, epsilon=1, delta=1 - Fraction(1, 10**297), rtol="1e-9")
    q = Fraction(1, 10**297) / (1 + Fraction("2.718281828459045235360287"))  # 1 - q - e q = 1 - 1e-297
    assert found.lower < q * (1 + Fraction(1, 10**20))
    assert q * (1 - Fraction(1, 10**20)) < found.upper
    with pytest.raises(dp.NoSolution):
        dp.least_q(n=1, epsilon=1, delta=1 - Fraction(1, 10**310), rtol="1e-9")


@pytest.mark.parametrize(("n", "delta", "epsilon"), [(2500, "0.99999", "0.001"), (10**12, "0.999", "0.0148487")])
def test_a_target_next_to_1_is_settled_over_every_dataset(n, delta, epsilon):
    """Next to such a target delta moves by far less than its own width where q does by a millionth."""
    found = dp.least_q(n=n, epsilon=epsilon, delta=delta)
    assert found.upper <= found.lower * (1 + Fraction(1, 10**5))
    for q, holds in ((found.upper, True), (found.lower, False)):
        at = dp.delta(dp.KRandomization(n=n, q=q), epsilon=epsilon, rtol="1e-12")
        assert at.upper <= Fraction(delta) if holds else at.lower > Fraction(delta)
    zeros = dp.delta(dp.KRandomization(n=n, q=found.upper), epsilon=epsilon, ones=0, rtol="1e-20")
    assert zeros.upper <= Fraction(delta)


@pytest.mark.parametrize("rtol", ["1e-4", "1e-6", "1e-9"])
def test_the_dataset_that_leads_may_jump(rtol):
    """Its delta jumps at epsilon = 1.3328, where another end becomes the worse one; the truth is by brute force."""
    found = dp.epsilon(dp.AsymmetricBits(n=4, chances=("0.999999", "0.65")), delta="0.08", rtol=rtol)
    assert found.lower <= Fraction("11.1198915990498") <= found.upper <= found.lower * (1 + 2 * Fraction(rtol))


@pytest.mark.parametrize("rtol", ["1e-9", "1e-3", "0.3", "0.9"])
@pytest.mark.parametrize("x", ["1e-290", "0.0475573", "1", "9.5", "99999.5", "1e14"])
def test_neighbouring_multiples_of_the_unit_are_near_enough_and_not_much_nearer(x, rtol):
    sought = Sought(Fraction(1, 10**300), Fraction(10**15), Fraction(rtol))
    x, unit = Fraction(x), sought.unit(Fraction(x))
    assert not sought.wide(x, x + unit)
    assert not sought.wide(x - unit, x)
    assert unit > x * Fraction(rtol) / (1 + Fraction(rtol)) / 2
    assert len(str(unit.numerator * 10**400 // unit.denominator).strip("0")) == 1
    far, next_one = 9 * x, x * (1 + 2 * Fraction(rtol))
    for low, high in ((sought.failing, sought.holding), (x, far), (x, next_one)):
        for wanted in (x, low, high, low / 2, 2 * high):
            between = sought.between(wanted, low, high)
            assert low < between < high
            assert (between / sought.unit(min(max(wanted, low), high))).denominator == 1


@pytest.mark.parametrize("x", [1, 2, 7, 638, 10**6])
def test_whole_numbers_have_whole_neighbours(x):
    for rtol in (NEIGHBOURS, Fraction(1, 10**3), Fraction(1, 2)):
        sought = Sought(Fraction(1), Fraction(10**15), rtol, True)
        assert sought.unit(Fraction(x)).denominator == 1
        assert sought.near(math.log(x) + 1e-9).denominator == 1
        assert not sought.wide(Fraction(x), Fraction(x + 1))


def test_where_the_first_value_holds_it_is_the_answer():
    options = {"failing": Fraction(1), "whole": True, "enough": True}
    answer = found(around(lambda x: TARGET / 2, Fraction(0)), **options)
    assert (answer.lower, answer.upper, answer.at_upper.upper) == (1, 1, TARGET / 2)
    assert found(around(falling, Fraction(0)), **options).upper == 9


def test_where_one_end_is_undecided_the_other_stays_proven():
    """One dataset fails up to 5, another one to 7; from there to 8 nothing is known of the worst."""
    sought = Sought(Fraction(1), Fraction(100), Fraction(1, 1000))
    some = cache(around(lambda x: 2 * TARGET if x < 5 else TARGET / 2, 0))

    @cache
    def every(x, _):
        known = around(lambda x: 2 * TARGET if x < 7 else TARGET / 2, 0)
        return Promise(Fraction(0), Fraction(1)) if 7 <= x < 8 else known(x)

    answer = crossing(every, some, TARGET, sought, start=0.0)
    assert answer.failing < 7 < 8 <= answer.value < Fraction("8.01")
    assert answer.at_failing.lower > TARGET >= answer.at_holding.upper


@pytest.mark.parametrize("beside", [None, Fraction(1)])
@pytest.mark.parametrize("near", ["1e-8", "0.5", "3", "1e5"])
@pytest.mark.parametrize(
    "step",
    [lambda x: Fraction(x < 2), lambda x: TARGET + (2 - x) / 10**9, lambda x: TARGET / x * 2],
)
def test_neighbours_are_found_however_far_away_the_search_begins(near, step, beside):
    """Deltas of 0 and 1, one that is flat, and one that falls, each within some dozen values."""
    sought, asked = Sought(Fraction(1, 10**9), Fraction(10**6), Fraction(1, 100)), []

    def delta(x, _):
        asked.append(x)
        return min(max(step(x), Fraction(0)), Fraction(1))

    fails, holds, _ = led(delta, TARGET, sought, math.log(float(near)), beside=beside)
    assert fails < 2 <= holds < 2 * (Fraction(101, 100) if beside is None else Fraction(9, 8))
    assert beside or holds < fails * Fraction(1011, 1000)
    assert len(asked) == len(set(asked)) < 40


@pytest.mark.parametrize(
    ("n", "delta"),
    [
        (33, "3335100632826691903462740956103/40000000000000000000000000000000"),
        (30, "18967582732806437247898748829/200000000000000000000000000000"),
    ],
)
def test_a_target_that_is_attained_has_both_ends_near_it(n, delta):
    """delta at q = 1/10 itself, where a secant leads to one side only."""
    found = dp.least_q(n=n, lam="3/2", delta=delta)
    assert found.lower <= Fraction(1, 10) <= found.upper <= found.lower * (1 + Fraction(1, 10**6))


def test_a_whole_number_between_the_ends_is_asked_for():
    fleet = dp.Fleet([dp.Group(n=100, q="1e-12"), dp.Group(n=3, q="0.499999999")])
    found = dp.most_rounds(fleet, epsilon="1.85", delta="0.3")
    assert (found.value, found.failing) == (2, 3)
