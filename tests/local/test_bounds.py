from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpcalc.errors import NoSolution, Undecided
from dpcalc.local.bounds import edge

RTOL = Fraction(1, 10**6)
thresholds = st.lists(st.fractions("0.001", "0.499", max_denominator=10**4), min_size=1, max_size=7, unique=True)


def feasible(edges):
    """A condition that fails up to the first edge, then holds and fails in turn; it holds where it starts to."""
    edges = sorted(edges)[: len(edges) // 2 * 2 + 1] if len(edges) % 2 else sorted(edges)[:-1]
    intervals = [(Fraction(-1), edges[0])] + [(edges[i], edges[i + 1]) for i in range(1, len(edges) - 1, 2)]
    fails_at = lambda x: any(a <= x < b for a, b in intervals)  # noqa: E731
    holds = lambda low, high: not any(a <= high and low < b for a, b in intervals)  # noqa: E731
    fails = lambda low, high: any(a <= low and high < b for a, b in intervals)  # noqa: E731
    return edges, fails_at, holds, fails


@given(thresholds)
def test_the_last_failure_is_found_through_any_sawtooth(edges):
    if len(edges) % 2 == 0:
        edges = edges[1:]
    edges, fails_at, holds, _ = feasible(edges)
    high, low = edge(holds, fails_at, start=Fraction(1, 2), end=Fraction(0), rtol=RTOL)
    assert fails_at(low)
    assert low < edges[-1] <= high
    assert high - low <= RTOL * high


@given(thresholds)
def test_the_first_success_is_found(edges):
    if len(edges) % 2 == 0:
        edges = edges[1:]
    edges, fails_at, holds, fails = feasible(edges)
    if len(edges) > 1 and edges[1] - edges[0] < RTOL:
        return
    low, high = edge(fails, lambda q: holds(q, q), start=edges[0] / 3, end=Fraction(1, 2), rtol=RTOL)
    assert low < edges[0] <= high
    assert not fails_at(high)
    assert high - low <= RTOL * high


def test_a_condition_that_always_holds_has_no_last_failure():
    with pytest.raises(NoSolution, match=r"down to 2\^-200"):
        edge(lambda *_: True, lambda *_: False, start=Fraction(1, 2), end=Fraction(0), rtol=RTOL)


@pytest.mark.parametrize(("start", "end"), [(Fraction(1, 2), Fraction(0)), (Fraction(1, 100), Fraction(1, 2))])
def test_without_proofs_it_is_undecided(start, end):
    with pytest.raises(Undecided, match="no proof near"):
        edge(lambda *_: False, lambda *_: False, start=start, end=end, rtol=RTOL)
