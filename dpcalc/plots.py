"""Pictures of curves over a common axis; matplotlib is imported only when one is drawn."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from io import BytesIO
from math import log
from pathlib import Path
from textwrap import fill
from typing import TYPE_CHECKING

from dpcalc.errors import DpcalcError
from dpcalc.files import check, write

if TYPE_CHECKING:
    from matplotlib.axes import Axes

# Okabe and Ito's palette for colour-blind readers; the light colours are darkened.
_COLOURS = ("#0072B2", "#B86E00", "#00795A", "#C24E00", "#A8578A", "#3A86B4", "#000000")
_MARKERS = ("o", "s", "^", "D", "v", "P", "X")
_ENDINGS = (".png", ".pdf", ".svg")
_TITLE = 80  # letters that fit into a line of the title
_POINTS = 60  # of a curve
_TICKS = 14  # the most labelled ticks on an axis
_DENSE = 2_000  # from this ratio of its ends on a logarithmic axis has labels at powers of ten only


@dataclass(frozen=True, slots=True, kw_only=True)
class Curve:
    """One labelled curve; a prominent one is drawn thicker, and on top."""

    label: str
    x: Sequence[float]
    y: Sequence[float]
    prominent: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Mark:
    """A marked point: a full or an empty star, with a label above or below it."""

    x: float
    y: float
    label: str
    full: bool = True
    above: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Panel:
    """Curves in one frame.

    Attributes:
        title, x_label, y_label: texts.
        curves: what is drawn.
        level: a horizontal line and its label.
        marks: points to be found.
        view: the part of the y axis that is shown; curves outside are named at its end, with their range of values.
        logarithmic, x_logarithmic: the axes' scales.
    """

    title: str
    x_label: str
    y_label: str
    curves: Sequence[Curve]
    level: tuple[float, str] | None = None
    marks: Sequence[Mark] = ()
    view: tuple[float, float] | None = None
    logarithmic: bool = True
    x_logarithmic: bool = True


def check_target(path: str | Path) -> Path:
    """The path of the picture, and that there is matplotlib, checked before long work."""
    target = check(path, "plot", endings=_ENDINGS)
    if find_spec("matplotlib") is None:
        raise DpcalcError("a plot needs matplotlib: pip install 'dpcalc-exact[plot]'")
    return target


def draw(panels: Sequence[Panel], path: str | Path, *, title: str) -> None:
    """Draw the panels under each other, at 800 pixels width; errors as ``check_target``."""
    target = check_target(path)
    write(target, drawn(panels, target.suffix.lower(), title=title), "plot")


def drawn(panels: Sequence[Panel], ending: str, *, title: str) -> bytes:
    """The content of a picture file with this ending, .png, .pdf or .svg; with matplotlib."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(8, 2.8 * len(panels) + 0.6), dpi=100, layout="constrained")
    figure.suptitle(fill(title, _TITLE))
    frames = figure.subplots(len(panels), 1, sharex=True, squeeze=False)[:, 0]
    for frame, panel in zip(frames, panels, strict=True):
        _fill(frame, panel)
    frames[-1].set_xlabel(panels[-1].x_label)
    content = BytesIO()
    figure.savefig(content, format=ending[1:])
    return content.getvalue()


def _fill(frame: Axes, panel: Panel) -> None:
    beyond: dict[bool, list[str]] = {True: [], False: []}  # by whether it is above
    for i, curve in enumerate(panel.curves):
        low, high = min(curve.y), max(curve.y)
        if panel.view and (high < panel.view[0] or low > panel.view[1]):
            beyond[low > panel.view[1]].append(f"{curve.label} ({short(low)} to {short(high)})")
            continue
        frame.plot(
            curve.x, curve.y, color=_COLOURS[i % 7], marker=_MARKERS[i % 7],
            linewidth=3 if curve.prominent else 1.2, markersize=7 if curve.prominent else 5,
            zorder=3 if curve.prominent else 2, label=curve.label,
        )  # fmt: skip
    _axes(frame, panel)
    if panel.level:
        frame.axhline(panel.level[0], color="#555555", linestyle="--", linewidth=1.2, label=panel.level[1])
    for above, curves in beyond.items():
        if curves:
            text, at = f"{'above' if above else 'below'}: {', '.join(curves)}", 0.96 if above else 0.04
            frame.text(0.01, at, text, transform=frame.transAxes, va="top" if above else "bottom", fontsize=9)
    for mark in panel.marks:
        _mark(frame, mark, [x for curve in panel.curves for x in curve.x])
    frame.legend(loc="center left", bbox_to_anchor=(1.01, 0.5), frameon=False)


def _mark(frame: Axes, mark: Mark, xs: Sequence[float]) -> None:
    red, ends = "#D62728", {min(xs): "left", max(xs): "right"}
    side = ends.get(mark.x, "center") if len(ends) > 1 else "center"  # so that a label does not lie over the axis
    frame.plot(
        mark.x, mark.y, "*", markersize=15, color=red, markerfacecolor=red if mark.full else "white", zorder=4
    )  # fmt: skip
    frame.annotate(
        mark.label, (mark.x, mark.y), xytext=(0, 10 if mark.above else -16), textcoords="offset points", color=red,
        ha=side, va="bottom" if mark.above else "top", zorder=5,
        bbox={"facecolor": "white", "alpha": 0.8, "linewidth": 0, "pad": 1},
    )  # fmt: skip


def _axes(frame: Axes, panel: Panel) -> None:
    from matplotlib.ticker import FuncFormatter, LogLocator

    frame.set(title=panel.title, ylabel=panel.y_label)
    frame.grid(visible=True, which="major", alpha=0.3)
    if panel.x_logarithmic:
        frame.set_xscale("log")
        ticks = _apart([x for curve in panel.curves for x in curve.x])
        frame.set_xticks(ticks, labels=[short(x) for x in ticks])
    if panel.logarithmic:
        frame.set_yscale("log")
    if panel.view:
        frame.set_ylim(panel.view)
    else:
        frame.margins(y=0.25 if panel.marks else 0.12)  # room for the labels of marks
        frame.autoscale_view()  # now: matplotlib would wait until it draws
    if panel.logarithmic:
        low, high = frame.get_ylim()
        few = (1, 2, 5) if high < _DENSE * low else (1,)
        frame.yaxis.set_major_locator(LogLocator(subs=(1, 2, 3, 4, 5, 7) if panel.view else few))
        frame.yaxis.set_major_formatter(FuncFormatter(lambda y, _: f"{y:g}"))
    frame.minorticks_off()


def _apart(xs: Sequence[float]) -> list[float]:
    """The places on a logarithmic axis whose labels do not touch, with both ends."""
    places = sorted(set(xs))
    gap = log(places[-1] / places[0]) / _TICKS
    kept = places[:1]
    for x in places[1:-1]:
        if log(x / kept[-1]) >= gap <= log(places[-1] / x):
            kept.append(x)
    return kept if places[-1] == kept[-1] else [*kept, places[-1]]


def stride(count: int) -> int:
    """From one point of a curve to the next, where there are so many."""
    return max(1, count // _POINTS)


def short(x: float) -> str:
    """Three digits; from a thousand on a whole number, and from a million on with a power of ten."""
    return f"{x:,.0f}" if 1000 <= x < 10**6 else f"{x:.3g}".replace("e+0", "e").replace("e+", "e")
