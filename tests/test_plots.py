from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from matplotlib import rc_context

from dpcalc.plots import Curve, Mark, Panel, draw, spread


@given(st.lists(st.integers(0, 20), min_size=1, max_size=7).map(sorted), st.integers(1, 5))
def test_names_keep_their_gaps_and_move_no_more_than_that_takes(heights, gap):
    places = spread(heights, [gap] * (len(heights) - 1))
    assert all(b - a >= gap - 1e-9 for a, b in pairwise(places))

    def moved(tried):
        return sum((a - b) ** 2 for a, b in zip(tried, heights, strict=True))

    first = heights[:1]  # two other ways: from below, and from above
    for height in heights[1:]:
        first.append(max(height, first[-1] + gap))
    last = [heights[-1]]
    for height in heights[-2::-1]:
        last.append(min(height, last[-1] - gap))
    assert moved(places) <= min(moved(first), moved(last[::-1])) + 1e-9
    assert sum(places) == pytest.approx(sum(heights))  # no block would rather stand elsewhere


def test_curves_beyond_the_view_are_named_and_not_drawn(tmp_path):
    flat = [Curve(label=name, x=[1, 10], y=[y, y + 1]) for name, y in (("low", 1), ("shown", 50), ("high", 1234))]
    panel = Panel(
        title="t", x_label="x", y_label="y", curves=flat, view=(20, 90), level=(60, "level"),
        marks=[Mark(x=10, y=51, label="here")],
    )  # fmt: skip
    target = tmp_path / "picture.svg"
    with rc_context({"svg.fonttype": "none"}):  # text stays text
        draw([panel], target, title="all")
    text = target.read_text(encoding="utf-8")
    for said in ("shown", "level", "here", "below: low (1 to 2)", "above: high (1,234 to 1,235)"):
        assert f">{said}</text>" in text
    assert ">high</text>" not in text
