from bisect import bisect_left
from fractions import Fraction

from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from dpcalc.notes.anonymized.distance import DISTANCES
from dpcalc.notes.anonymized.separation import separating_row
from tests.oracles import closeness as oracle
from tests.strategies import counts

F = Fraction
EVERY = sorted(DISTANCES)


@settings(max_examples=50)
@given(counts(3), st.sampled_from(EVERY))
@example(([2, 3, 5, 6, 1], [0, 0, 0, 0, 1], [1, 1, 1, 1, 0]), "kullback-leibler")  # D grows to 1 in shares of e^-15
def test_a_separating_row_keeps_the_close_and_excludes_the_far(triple, name):
    """For the least epsilon, in thousandths, that q is close within."""
    p, q, far = triple
    thousandths = bisect_left(range(1000), True, key=lambda i: oracle.close(p, q, F(i, 1000), name))
    epsilon = F(thousandths, 1000)
    assume(not oracle.close(p, far, epsilon, name))
    row = separating_row(p, [F(x) for x in far], epsilon, distance=name)
    if oracle.close(p, q, epsilon, name):
        assert sum(w * x for w, x in zip(row, q, strict=True)) <= 0
    if not oracle.close(p, far, epsilon + F(1, 100), name):
        assert sum(w * x for w, x in zip(row, far, strict=True)) > 0


def test_a_tangent_touches_the_boundary():
    row = separating_row([1, 1], [F(1000), F(1)], F(1, 10), distance="kullback-leibler")
    assert row[0] * 71 + row[1] * 29 <= 0  # D = 0.0976
    assert row[0] * 73 + row[1] * 27 > 0  # D = 0.1192
