from fractions import Fraction
from itertools import combinations

import mpmath
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpcalc.errors import NoSolution
from dpcalc.mechanisms.finite import FiniteMechanism
from tests.notes.definition import histogram_neighbours, two_coins
from tests.oracles import events

HALF = Fraction(1, 2)
ratio_limits = st.fractions(min_value=1, max_value=6, max_denominator=12)
probabilities = st.fractions(min_value=0, max_value=1, max_denominator=12)


@st.composite
def matrices(draw, rows=None, columns=None):
    """Stochastic matrices with small denominators, zeros and ties, so that boundaries are met."""
    rows, columns = rows or draw(st.integers(1, 4)), columns or draw(st.integers(1, 4))
    weights = st.lists(st.integers(0, 4), min_size=columns, max_size=columns).filter(any)
    return [[Fraction(w, sum(row)) for w in row] for row in draw(st.lists(weights, min_size=rows, max_size=rows))]


@st.composite
def mechanisms(draw, rows=None, columns=None, neighbours=None):
    matrix = draw(matrices(rows, columns))
    pairs = list(combinations(range(len(matrix)), 2))
    chosen = draw(st.lists(st.sampled_from(pairs), unique=True)) if pairs and neighbours is None else neighbours
    return FiniteMechanism(matrix, chosen)


def violates(event, mechanism, lam, delta):
    """Whether the event, summed here from the matrix, breaks the definition between neighbours."""
    pair = tuple(sorted((event.dataset, event.neighbour)))
    here = sum(mechanism.matrix[event.dataset][s] for s in event.outcomes)
    there = sum(mechanism.matrix[event.neighbour][s] for s in event.outcomes)
    assert (here, there) == (event.probability, event.neighbour_probability)
    return pair in mechanism.neighbours and here > lam * there + delta


# --- delta, lambda and the verdict against every event ----------------------------------------------------


@given(mechanisms(), ratio_limits)
def test_delta_is_the_largest_excess_of_any_event(mechanism, lam):
    assert mechanism.delta(lam=lam).value == events.delta(mechanism.matrix, mechanism.neighbours, lam)


@given(mechanisms(), probabilities)
def test_lam_is_the_least_that_every_event_allows(mechanism, delta):
    least = events.least_lam(mechanism.matrix, mechanism.neighbours, delta)
    if least is None:
        with pytest.raises(NoSolution, match="never occur on its neighbour"):
            mechanism.lam(delta)
        return
    assert mechanism.lam(delta) == least
    assert mechanism.delta(lam=least).value <= delta
    if least > 1:
        assert mechanism.delta(lam=(1 + 9 * least) / 10).value > delta


@given(mechanisms(), ratio_limits, probabilities)
def test_the_verdict_is_delta_and_its_witness_is_a_violation(mechanism, lam, delta):
    verdict = mechanism.is_private(lam=lam, delta=delta)
    assert bool(verdict) == (mechanism.delta(lam=lam) <= delta)
    assert (verdict.witness is None) == verdict.holds
    assert verdict.holds or violates(verdict.witness, mechanism, lam, delta)


# --- epsilon, where lambda is irrational ------------------------------------------------------------------


@given(mechanisms(), st.fractions(min_value=0, max_value=2, max_denominator=50))
def test_delta_at_epsilon_lies_between_the_deltas_of_rationals_around_it(mechanism, epsilon):
    found = mechanism.delta(epsilon=epsilon)
    with mpmath.workdps(60):
        centre = mpmath.exp(mpmath.mpf(epsilon.numerator) / epsilon.denominator) * mpmath.mpf(2) ** 150
        below, above = Fraction(int(centre) - 1, 2**150), Fraction(int(centre) + 2, 2**150)
    assert mechanism.delta(lam=above) <= found.upper
    assert found.lower <= mechanism.delta(lam=max(Fraction(1), below))
    assert found.exact or found.relative_width() <= Fraction(1, 10**20)


def test_delta_at_epsilon_1_of_two_coins_is_a_quarter_of_3_minus_e():
    found = two_coins().delta(epsilon=1, rtol=Fraction(1, 10**40))
    with mpmath.workdps(60):
        value = (3 - mpmath.e) / 4
        assert mpmath.mpf(found.lower.numerator) / found.lower.denominator <= value
        assert mpmath.mpf(found.upper.numerator) / found.upper.denominator >= value
    assert not found.exact
    assert found.relative_width() <= Fraction(1, 10**40)


@pytest.mark.parametrize("digits", [19, 60, 500])
def test_the_verdict_is_settled_however_close_epsilon_comes(digits):
    with mpmath.workdps(digits + 20):
        below = Fraction(int(mpmath.log(3) * 10**digits), 10**digits)
    assert not two_coins().is_private(epsilon=below)
    assert two_coins().is_private(epsilon=below + Fraction(1, 10**digits))


def test_epsilon_0_is_lam_1():
    assert two_coins().delta(epsilon=0) == two_coins().delta(lam=1) == HALF
    assert FiniteMechanism([[1], [1]]).epsilon().value == 0


def test_a_tiny_epsilon_is_decided():
    tiny = Fraction(1, 10**3000)
    assert FiniteMechanism([[HALF, HALF], [HALF, HALF]]).delta(epsilon=tiny).value == 0
    assert FiniteMechanism([[HALF, HALF], [HALF, HALF]]).is_private(epsilon=tiny)
    assert two_coins().is_private(epsilon=tiny, delta=HALF)


@given(mechanisms(), probabilities)
def test_epsilon_is_the_logarithm_of_lam(mechanism, delta):
    try:
        lam = mechanism.lam(delta)
    except NoSolution:
        with pytest.raises(NoSolution):
            mechanism.epsilon(delta)
        return
    found = mechanism.epsilon(delta, rtol=Fraction(1, 10**12))
    assert abs(found.mpf() - mpmath.log(mpmath.mpf(lam.numerator) / lam.denominator)) < 1e-11
    assert found.exact == (lam == 1)
    if not found.exact:
        assert mechanism.is_private(epsilon=found.upper, delta=delta)
        assert not mechanism.is_private(epsilon=found.lower, delta=delta)


def test_only_neighbours_count():
    counts = histogram_neighbours([(0,), (1,), (2,)])
    mechanism = FiniteMechanism([["8/14", "4/14", "2/14"], ["1/3", "1/3", "1/3"], ["2/14", "4/14", "8/14"]], counts)
    assert mechanism.lam() == Fraction(7, 3)
    assert mechanism.group(2).lam() == 4
    assert FiniteMechanism(mechanism.matrix).lam() == 4


# --- post-processing ----------------------------------------------------------------------------------------


@given(st.data(), mechanisms(), ratio_limits)
def test_post_processing_never_raises_delta(data, mechanism, lam):
    post = data.draw(matrices(rows=len(mechanism.matrix[0])))
    after = mechanism.after(post)
    assert after.neighbours == mechanism.neighbours
    assert after.delta(lam=lam) <= mechanism.delta(lam=lam)
    for x, row in enumerate(mechanism.matrix):  # every run: first s, then t
        for t in range(len(post[0])):
            assert after.matrix[x][t] == sum(row[s] * post[s][t] for s in range(len(row)))


# --- groups -------------------------------------------------------------------------------------------------


@given(mechanisms(), st.integers(1, 4), ratio_limits)
def test_group_privacy(mechanism, size, lam):
    group = mechanism.group(size)
    assert list(group.neighbours) == events.within(mechanism.neighbours, len(mechanism.matrix), size)
    bound = mechanism.delta(lam=lam).value * sum(lam**step for step in range(size))
    assert group.delta(lam=lam**size).value <= bound


# --- input ------------------------------------------------------------------------------------------------


def test_any_way_to_write_numbers_gives_the_same_mechanism():
    written = [
        [[0.75, 0.25], [0.25, 0.75]],
        [["3/4", "0.25"], ["1/4", "75e-2"]],
        np.array([[0.75, 0.25], [0.25, 0.75]]),
        ((row for row in [Fraction(3, 4), Fraction(1, 4)]), iter([Fraction(1, 4), Fraction(3, 4)])),
    ]
    assert {FiniteMechanism(matrix) for matrix in written} == {two_coins()}


def test_pairs_of_neighbours_are_unordered():
    rows = [[1], [1], [1]]
    assert FiniteMechanism(rows, [(2, 0), [0, 2]]).neighbours == ((0, 2),)
    assert FiniteMechanism(rows).neighbours == ((0, 1), (0, 2), (1, 2))


def test_without_neighbours_nothing_leaks():
    alone = FiniteMechanism([["1/3", "2/3"]])
    assert alone.delta(lam=1).value == 0
    assert alone.lam() == 1
    assert alone.is_private(epsilon=0)


def test_an_epsilon_of_any_size_is_answered():
    assert two_coins().delta(epsilon=10**6).value == 0
