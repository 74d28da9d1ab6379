import math
import operator
from decimal import Decimal
from fractions import Fraction

import pytest

import dpcalc as dp
from dpcalc.errors import Undecided
from dpcalc.local.solvers import classical_q, local_q
from dpcalc.numbers.bracket import Bracket
from dpcalc.numbers.enclosure import Enclosure


@pytest.mark.parametrize("lam", ["1.5", "2", "3", "5"])
def test_a_bracket_as_a_float_stays_on_the_side_that_holds(lam):
    for k in range(1, 25):
        found = classical_q(lam=lam, k=k)
        q = Fraction(repr(float(found)))
        assert ((1 - q) / q) ** k <= Fraction(lam)
        assert q - found.value < Fraction(1, 10**15)


def test_a_whole_answer_is_shown_as_the_end_that_holds():
    ends = {"lower": Fraction(67), "upper": Fraction(68), "at_lower": Enclosure.of(0), "at_upper": Enclosure.of(0)}
    ends |= {"whole": True}
    assert (str(Bracket(**ends)), f"{Bracket(**ends, holds_above=False)}") == ("68", "67")


def test_brackets_are_equal_if_their_ends_are():
    found = local_q(n=1000, lam=2)
    assert found == local_q(n=1000, lam=2)
    assert found != local_q(n=1001, lam=2)


@pytest.mark.parametrize(("above", "value"), [(True, 2), (False, 1)])
def test_the_value_is_the_end_that_holds(above, value):
    found = Bracket(
        lower=Fraction(1),
        upper=Fraction(2),
        at_lower=Enclosure.of(0),
        at_upper=Enclosure.of(0),
        holds_above=above,
        whole=True,
    )
    assert found.value == value == float(found)
    assert (found.enclosure.lower, found.enclosure.upper) == (1, 2)
    assert (str(found), format(found, "5")) == (str(value), "[1, 2]")


def test_a_bracket_shows_the_digits_its_ends_share():
    ends = Fraction("0.301017"), Fraction("0.301024")
    found = Bracket(lower=ends[0], upper=ends[1], at_lower=Enclosure.of(0), at_upper=Enclosure.of(0))
    assert (str(found), format(found, "3")) == ("0.3010...", "0.301...")


def test_a_bracket_stands_for_the_end_that_holds():
    found = dp.least_q(n=100, lam=2, delta="1e-3")
    assert dp.KRandomization(n=dp.least_n(q="1/10", lam=2, delta="0.01"), q=found).q == found.value
    assert Fraction(format(found, ".3g")) >= found.value > Fraction(format(found, ".3g")) - Fraction(1, 1000)
    most = dp.most_k(n=100, q="1/4", lam=2, delta="1e-3")
    assert format(most, ".1g") == str(most.value)[0] + "0" * (len(str(most.value)) - 1)


def bracket(lower, upper, **more):
    return Bracket(
        lower=Fraction(lower), upper=Fraction(upper), at_lower=Enclosure.of(0), at_upper=Enclosure.of(0), **more
    )


def test_a_bracket_shows_its_number():
    q = bracket("0.0307405993", "0.030740627")
    assert repr(q) == "Bracket(0.030740..., holds at 0.03074063)"
    assert (
        repr(bracket("0.0307405993", "0.030740627", holds_above=False)) == "Bracket(0.030740..., holds at 0.03074059)"
    )
    assert repr(bracket(67, 68, whole=True)) == "Bracket(holds at 68, fails at 67)"
    assert repr(bracket(67, 68, whole=True, holds_above=False)) == "Bracket(holds at 67, fails at 68)"
    tie = bracket("1/3", "1/3", first=bracket(0, "1/4"))
    assert repr(tie) == "Bracket(1/3, first=Bracket([0, 0.25], holds at 0.3))"
    found = dp.least_q(n=100, lam=2, delta="1e-3")
    assert found._repr_html_() == f"<pre>{found!r}\n{found.meaning}</pre>"


def test_a_bracket_is_rounded_to_the_side_that_holds():
    q, k = bracket("0.3010", "0.3011"), bracket("0.3010", "0.3011", holds_above=False)
    assert (f"{q:.2e}", f"{q:.2f}", round(q, 3), round(q)) == ("3.02e-1", "0.31", Decimal("0.302"), 1)
    assert (f"{k:.2e}", f"{k:.2f}", round(k, 3), round(k)) == ("3.01e-1", "0.30", Decimal("0.301"), 0)


COMPARED = {"<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge}


@pytest.mark.parametrize("above", [True, False])
@pytest.mark.parametrize("whole", [True, False])
def test_a_bracket_is_compared_as_every_threshold_it_may_have(above, whole):
    """Whole numbers: it fails at 3, say, so that 4 to 6 may be the one; other thresholds lie anywhere in between."""
    found = bracket(3, 6, holds_above=above, whole=whole)
    may_be = [Fraction(x, 2) for x in range(6, 13)]
    if whole:
        may_be = [4, 5, 6] if above else [3, 4, 5]
    for other in [Fraction(x, 2) for x in range(4, 16)]:
        for compare in COMPARED.values():
            for one, two, swap in ((found, other, False), (other, found, True)):
                answers = {compare(other, x) if swap else compare(x, other) for x in may_be}
                if len(answers) == 1:
                    assert compare(one, two) is answers.pop()
                else:
                    with pytest.raises(Undecided, match="cannot be decided"):
                        compare(one, two)


def test_a_bracket_equals_its_number_if_that_is_known():
    assert bracket(67, 68, whole=True) == 68 != bracket(67, 68, whole=True, holds_above=False) == 67
    assert hash(bracket(67, 68, whole=True)) == hash(68)
    assert bracket(67, 68) != 69
    assert bracket(67, 68) != "67"
    with pytest.raises(Undecided):
        assert bracket(67, 68) == 68  # a threshold in between


def test_sums_of_brackets_are_enclosures():
    a, b = bracket(1, 2), bracket(3, 5)
    for found, low, high in (
        (a + b, 4, 7), (a + 1, 2, 3), (1 + a, 2, 3), (b - a, 1, 4), (9 - b, 4, 6), (a * b, 3, 10), (2 * a, 2, 4),
        (b / a, Fraction(3, 2), 5), (15 / b, 3, 5), (-a, -2, -1), (abs(a), 1, 2), (Enclosure.of(1) + a, 2, 3),
        (a - Enclosure.of(1), 0, 1),
    ):  # fmt: skip
        assert type(found) is Enclosure
        assert (found.lower, found.upper) == (low, high)
    whole = bracket(67, 68, whole=True)
    assert (math.floor(whole), math.ceil(whole), (whole + 1).value) == (68, 68, 69)
