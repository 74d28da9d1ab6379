from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpcalc.choose.epsilon import epsilon
from dpcalc.errors import NoSolution
from dpcalc.families.shuffled import Crowds, Reports
from dpcalc.mechanisms.finite import FiniteMechanism
from dpcalc.mechanisms.randomizers import (
    hadamard_response,
    k_ary_response,
    linked_unary_encoding,
    rappor,
    subset_selection,
)
from dpcalc.mechanisms.response import KRandomization
from dpcalc.mechanisms.rounds import Rounds
from dpcalc.mechanisms.shuffle import Shuffle, blanket
from dpcalc.numbers.enclosure import Enclosure
from dpcalc.numbers.limit import Limit
from dpcalc.privacy.delta import delta
from tests.mechanisms.test_finite import mechanisms
from tests.oracles import shuffle as oracle

LAMBDAS = (Fraction(1), Fraction(3, 2), Fraction(5))

#: No input and no report is like another, some reports never come from some inputs, one never comes from any.
CROOKED = FiniteMechanism([["1/2", "1/3", "1/6", 0, 0], ["1/5", "2/5", 0, "2/5", 0], ["1/4", "1/4", "1/4", "1/4", 0]])

SMALL = [
    (k_ary_response(2, lam=3), 4),
    (k_ary_response(3, lam=8), 2),
    (k_ary_response(3, lam=2), 4),
    (subset_selection(3, 2, lam=4), 3),
    (subset_selection(4, 2, lam=3), 3),
    (linked_unary_encoding(3, q="1/4"), 2),
    (linked_unary_encoding(2, q="1/5", p="1/2"), 3),
    (hadamard_response(3, lam=3), 3),
    (rappor(2, f="1/2", p="1/2", q="3/4"), 3),
    (CROOKED, 1),
    (CROOKED, 3),
]


def both_ends(shuffle, rtol=None, **limit):
    """delta, also of what is a bit's randomized response."""
    asked = Reports(shuffle)
    return asked.checked(asked.delta(Limit.of(**limit), rtol=asked.delta_width.of(rtol)), rtol)


@pytest.mark.parametrize(("randomizer", "n"), SMALL, ids=lambda x: str(x) if isinstance(x, int) else "")
@pytest.mark.parametrize("lam", LAMBDAS)
def test_both_ends_are_the_enumerated_ones_and_hold_every_dataset(randomizer, n, lam):
    matrix, inputs = randomizer.matrix, range(len(randomizer.matrix))
    every = oracle.deltas(matrix, n, lam)
    found = both_ends(Shuffle(randomizer, n=n), lam=lam)
    alike = {key: value for key, value in every.items() if len(set(key[0])) <= 1}
    assert found.identical.value == found.lower == max(alike.values())
    at = found.dataset
    assert every[(at.others,) * (n - 1), at.likely, at.unlikely] == found.lower
    assert found.blanket.value == max(oracle.revealed(matrix, n, lam, a, b) for a in inputs for b in inputs if a != b)
    assert found.lower <= max(every.values()) <= found.upper == found.blanket.value


def test_only_neighbours_change():
    """Inputs in a line: 0 and 2 are not told apart, but either may be what the others hold."""
    line = FiniteMechanism(CROOKED.matrix, neighbours=[(0, 1), (1, 2)])
    every = oracle.deltas(line.matrix, 3, Fraction(2), pairs=list(line.ordered()))
    found = both_ends(Shuffle(line, n=3), lam=Fraction(2))
    assert found.lower == max(value for (others, *_), value in every.items() if len(set(others)) == 1)
    assert max(every.values()) <= found.upper


def test_reports_that_the_blanket_never_gives_count():
    """Without them Lemma 5.3 would be 0 here: each input has a report of its own, and delta is 1/2 for any n."""
    own = FiniteMechanism([["1/2", "1/2", 0], [0, "1/2", "1/2"]])
    for n in (1, 3, 1000):
        found = both_ends(Shuffle(own, n=n), lam=2)
        assert found.lower == found.upper == Fraction(1, 2)
    with pytest.raises(NoSolution, match="outcomes"):
        assert Shuffle(own, n=3).local_epsilon
    with pytest.raises(NoSolution, match=r"above 0\.25 even at epsilon = 1,000, the last value searched"):
        epsilon(Shuffle(own, n=3), delta="1/4")


def test_nothing_in_common_hides_nothing():
    truth = FiniteMechanism([[1, 0, 0], [0, 1, 0], [0, 0, 1]])
    assert not any(blanket(truth.matrix))
    assert both_ends(Shuffle(truth, n=10), lam=Fraction(9)).value == 1


def test_cases_that_differ_only_in_how_often_a_report_occurs_are_told_apart():
    """Inputs 0 and 1 differ in two reports, 2 and 3 in four: the same columns, another number of each."""
    rows = [(1, 1, 1, 2, 2, 2), (1, 1, 2, 2, 2, 1), (2, 1, 2, 2, 1, 1), (1, 2, 2, 1, 2, 1)]
    randomizer = FiniteMechanism([[Fraction(x, 9) for x in row] for row in rows], neighbours=[(0, 1), (2, 3)])
    every = oracle.deltas(randomizer.matrix, 3, Fraction(1), pairs=list(randomizer.ordered()))
    found = both_ends(Shuffle(randomizer, n=3), lam=Fraction(1))
    assert found.lower == max(value for (others, *_), value in every.items() if len(set(others)) == 1)
    assert max(every.values()) <= found.upper


@given(st.one_of(mechanisms(rows=4), st.sampled_from([randomizer for randomizer, _ in SMALL])))
def test_one_triple_of_every_kind_is_enough(randomizer):
    """Inputs that can be exchanged are: whatever a dataset of identical others shows, one of the triples shows."""
    inputs = range(len(randomizer.matrix))
    for x, y in product(inputs, repeat=2):
        rows = list(randomizer.matrix)
        rows[x], rows[y] = rows[y], rows[x]
        alike = sorted(zip(*rows, strict=True)) == sorted(zip(*randomizer.matrix, strict=True))
        assert (randomizer.classes[x] == randomizer.classes[y]) == alike
    if not randomizer.neighbours:
        return
    every = oracle.deltas(randomizer.matrix, 2, Fraction(3, 2), pairs=list(randomizer.ordered()))
    triples = list(Shuffle(randomizer, n=2).triples)
    assert {((c,), a, b) for c, a, b in triples} <= set(every)
    assert {every[(c,), a, b] for c, a, b in triples} == set(every.values())


def test_a_symmetric_randomizer_has_few_triples():
    """They are listed without a look at the half million others."""
    assert list(Shuffle(k_ary_response(100, lam=3), n=3).triples) == [(0, 0, 1), (1, 0, 1), (2, 0, 1)]
    assert len(list(Shuffle(linked_unary_encoding(9, q="1/4"), n=3).triples)) == 3


# --- numbers of others --------------------------------------------------------------------------------------------


@pytest.mark.soak
def test_the_published_value_of_lemma_5_3():
    """n = 5000, epsilon_0 = 0.4, epsilon = 0.005: 7.47775398e-4, parameters of the authors' notebook."""
    found = both_ends(Shuffle(k_ary_response(2, epsilon="0.4"), n=5000), epsilon="0.005", rtol="1e-6")
    assert found.blanket.lower <= Fraction("7.47775398e-4") <= found.blanket.upper
    assert found.blanket.relative_width() < Fraction(1, 10**6)


def test_the_truth_of_four_categories_and_a_hundred_people():
    """epsilon = 0.3, odds 3: 1.83514e-4, attained where the others hold a third category; published above."""
    found = both_ends(Shuffle(k_ary_response(4, lam=3), n=100), epsilon="0.3")
    assert found.identical.lower <= Fraction("1.835145e-4")
    assert found.identical.upper >= Fraction("1.835135e-4")
    assert found.identical.relative_width() <= Fraction(1, 10**4)
    assert found.dataset.others not in (found.dataset.likely, found.dataset.unlikely)


# --- a bit --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "matrix",
    [
        [["3/4", "1/4"], ["1/4", "3/4"]],
        [["1/4", "3/4"], ["3/4", "1/4"]],
        [["1/2", "1/4", "1/4"], ["1/6", "3/4", "1/12"]],  # the first and the last report tell alike
    ],
)
def test_randomized_response_of_a_bit_is_answered_for_every_dataset(matrix):
    m, found = KRandomization(n=7, q="1/4"), Shuffle(FiniteMechanism(matrix), n=7)
    assert delta(found, lam="3/2") == delta(m, lam="3/2")
    assert epsilon(found, delta="0.01") == epsilon(m, delta="0.01")
    ends = both_ends(found, lam=Fraction(3, 2))
    assert ends.lower <= delta(m, lam="3/2").value <= ends.upper


def test_what_is_no_mirror_image_is_no_bit():
    for matrix in ([["3/4", "1/4"], ["1/3", "2/3"]], [[1, 0], [0, 1]], [["1/2", "1/2"], ["1/2", "1/2"]]):
        one = Shuffle(FiniteMechanism(matrix), n=3)
        assert one.simplest is one
    assert both_ends(Shuffle(FiniteMechanism([["1/2", "1/2"], ["1/2", "1/2"]]), n=3), lam=1).upper == 0


# --- many people --------------------------------------------------------------------------------------------------

UNLIKE = FiniteMechanism([["1/2", "1/3", "1/6"], ["1/5", "2/5", "2/5"], ["1/4", "1/4", "1/2"]])
LARGE = [k_ary_response(5, lam=4), subset_selection(6, 2, lam=4), linked_unary_encoding(3, q="1/10"), UNLIKE]


@pytest.mark.parametrize("randomizer", LARGE, ids=["k-ary", "subset", "unary", "unlike"])
@pytest.mark.soak
def test_the_listed_and_the_certified_way_overlap(randomizer):
    limit = Limit(Fraction(3, 2))
    for part in Reports(Shuffle(randomizer, n=8)).parts:
        for crowd in part.datasets:
            wide = crowd.integrated(limit, rtol=Fraction(1, 10), points=1 << 13)
            assert wide.lower <= crowd.listed(limit).value <= wide.upper
        assert part.delta(limit, rtol=Fraction(1, 100)).exact


class Known:
    """A crowd of known delta, of which no bound is known."""

    def __init__(self, delta):
        self.value = Enclosure.of(Fraction(delta))

    def bound(self, limit):
        return Fraction(1)

    def quick(self, limit, rtol):
        return self.value


@pytest.mark.parametrize(("more", "upper"), [(199, Fraction(1, 2)), (200, Fraction(1))])
def test_what_is_not_looked_at_is_bounded(more, upper):
    """Two hundred crowds are looked at closely; one more might have any delta."""
    listed = {Known("1/2"): "first"} | {Known("1/3"): "another" for _ in range(more)}
    found = Crowds(listed, UNLIKE).delta(Limit(Fraction(2)), rtol=Fraction(1, 10))
    assert (found.lower, found.upper, found.dataset) == (Fraction(1, 2), upper, "first")


def test_a_width_that_integration_does_not_reach_is_reached_by_the_list():
    """Of so many histograms that they are not listed at once."""
    one = Shuffle(k_ary_response(4, lam=3), n=24)
    assert not both_ends(one, lam=Fraction(27, 20), rtol="1e-2").identical.exact
    assert both_ends(one, lam=Fraction(27, 20), rtol="1e-11").identical.exact


def test_a_million_people_and_a_tiny_target():
    one = Shuffle(k_ary_response(16, epsilon=4), n=10**6)
    found = epsilon(one, delta="1e-12")
    assert found.identical.relative_width() < Fraction(1, 500) > found.blanket.relative_width()
    assert both_ends(one, epsilon=found.lower).identical.upper > Fraction("1e-12")
    assert both_ends(one, epsilon=found.upper).upper <= Fraction("1e-12")


def test_epsilon_follows_the_worst_dataset():
    """Three people: at epsilon = 0 others with a third input are the worst, here those with the changed one."""
    one = Shuffle(k_ary_response(3, lam=8), n=3)
    assert both_ends(one, lam=1).dataset.others == 2
    found = epsilon(one, delta="0.1")
    assert found.dataset.others == found.dataset.likely
    assert found.identical.relative_width() <= Fraction(1, 1000)


def test_beyond_the_local_epsilon_nothing_leaks():
    r = subset_selection(5, 2, lam=4)
    assert both_ends(Shuffle(r, n=100), lam=4).value == both_ends(Shuffle(r, n=100), epsilon=10**6).value == 0
    assert both_ends(Shuffle(r, n=100), lam="3.999").lower > 0
    assert epsilon(Shuffle(r, n=100), delta=0) == r.epsilon()
    assert epsilon(Shuffle(r, n=100), delta="0.9") == 0


def test_one_person_may_have_more_answers_than_calls_nest():
    rising = [Fraction(i, 605_550) for i in range(1, 1101)]
    found = delta(Shuffle(FiniteMechanism([rising, rising[::-1]]), n=1), lam=3)
    assert found.lower <= sum(max(0, a - 3 * b) for a, b in zip(rising, reversed(rising), strict=True)) <= found.upper
    assert found.upper <= found.lower * (1 + Fraction(1, 1000))


def test_rounds_beside_a_shuffle_that_shows_nothing():
    nothing, told = FiniteMechanism([[1, 0], [1, 0]]), FiniteMechanism([["3/7", "4/7"], ["1/7", "6/7"]])
    found, alone = (
        delta(Rounds([Shuffle(one, n=2) for one in each]), lam=2) for each in ([nothing, told], [told])
    )  # fmt: skip
    assert found.lower <= alone.upper
    assert alone.lower <= found.upper <= alone.upper * Fraction(11, 10)
