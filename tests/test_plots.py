from itertools import combinations
from types import SimpleNamespace

import numpy as np
import pytest
from matplotlib import pyplot, rc_context
from matplotlib.figure import Figure

from dpcalc.choose.page import picture
from dpcalc.plots import Curve, Mark, Panel, draw, drawn
from notebooks import house_pictures


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


def _misplaced(figure):
    """What is written outside of the picture, and what lies over something else that is written."""
    figure.draw_without_rendering()
    found = []
    for frame in figure.axes:
        ticks = []
        for axis, (low, high) in ((frame.xaxis, frame.get_xlim()), (frame.yaxis, frame.get_ylim())):
            ticks += [tick.label1 for tick in axis.get_major_ticks() if low <= tick.get_loc() <= high]
        others = [
            frame.title,
            *frame.texts,
            *frame.get_legend().texts,
            frame.xaxis.label,
            frame.yaxis.label,
            figure._suptitle,
        ]
        shown = [text for text in [*others, *ticks] if text.get_visible() and text.get_text()]
        boxes = {text: text.get_window_extent() for text in shown}
        found += [text.get_text() for text, box in boxes.items() if not figure.bbox.padded(1).containsx(box.x0)]
        found += [text.get_text() for text, box in boxes.items() if not figure.bbox.padded(1).containsx(box.x1)]
        found += [
            f"{one.get_text()} over {two.get_text()}"
            for one, two in combinations(shown, 2)
            if boxes[one].overlaps(boxes[two])
        ]
    return found


@pytest.mark.parametrize("ks", [[1], [1, 2], [1, 5], list(range(1, 41)), [1, 2, 5, 10, 20, 50]])
@pytest.mark.soak
def test_titles_and_labels_fit_at_any_input(ks, monkeypatch):
    figures = []
    monkeypatch.setattr(Figure, "savefig", lambda figure, *rest, **more: figures.append(figure))

    def choice(sigma, q, leak):
        return SimpleNamespace(sigma=sigma, printed=str(q), local_epsilon=leak)

    rows = [
        SimpleNamespace(
            k=k,
            choices={
                "private": choice(39.5 + 0.4 / k, 0.03 * k**0.8, 207 * k**0.7),
                "classical": choice(13_000 * k**0.5, 0.5 - 0.004 / k, 1),
            },
        )
        for k in ks
    ]  # fmt: skip
    month = SimpleNamespace(
        rows=rows, bounds=["private", "classical"], recommended_k=rows[0].k, best=rows[-1].k, gaussian=39.5,
        one_count="a category's estimated count in one round", unit="records", together=", all 30 rounds together",
    )  # fmt: skip
    title = "n = 1,000,000,000,000 records, one-hot histogram of 1000 categories (replace), 30 rounds, epsilon = 1"
    drawn(picture(month), ".svg", title=f"{title}, delta = 1e-8")
    assert _misplaced(figures[0]) == []


@pytest.mark.parametrize(("name", "above"), [("chords", [1]), ("phi", [2, 3])])
@pytest.mark.soak
def test_the_lines_of_the_house_lie_above_the_curve(name, above, monkeypatch, tmp_path):
    """Where they are drawn between two points that were computed."""
    monkeypatch.setattr(house_pictures, "HERE", tmp_path)
    {"chords": house_pictures.chords, "phi": house_pictures.two_lines}[name]()
    assert (tmp_path / f"{name}.png").stat().st_size > 10_000
    curve, *others = pyplot.gcf().axes[0].get_lines()
    x, y = curve.get_data()
    for line in (others[i - 1] for i in above):
        ends = sorted(zip(*line.get_data(), strict=True))
        inside = (max(ends[0][0], 0.98) <= x) & (x <= (ends[-1][0] if name == "chords" else 1.4))
        assert inside.sum() > 20
        assert (np.interp(x[inside], *zip(*ends, strict=True)) >= y[inside] - 1e-4).all()
    pyplot.close("all")
