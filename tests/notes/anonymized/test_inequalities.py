from itertools import cycle, product

from hypothesis import given
from hypothesis import strategies as st

from dpcalc.notes.anonymized.inequalities import Inequalities


@given(
    st.lists(st.lists(st.integers(-3, 3), min_size=3, max_size=3), max_size=6),
    st.integers(1, 9),
    st.lists(st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)), min_size=3, max_size=3), min_size=1, max_size=4),
)
def test_real_points_satisfy_every_inequality_and_refutations_hold(rows, least, boxes):
    system = Inequalities(3, least=least)
    added = []
    for row, box in zip(rows, cycle(boxes), strict=False):
        low, high = zip(*map(sorted, box), strict=True)
        added.append(row)
        system.require(row)
        point = system.point(low, high)
        if point is not None:
            assert sum(point) >= least
            assert all(start <= x <= end for start, x, end in zip(low, point, high, strict=True))
            assert all(sum(a * x for a, x in zip(row, point, strict=True)) <= 0 for row in added)
        else:
            for whole in product(*(range(start, end + 1) for start, end in zip(low, high, strict=True))):
                far = any(sum(a * x for a, x in zip(row, whole, strict=True)) > 0 for row in added)
                assert far or sum(whole) < least
