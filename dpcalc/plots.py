"""Pictures of curves over a common axis; matplotlib is imported only when one is drawn."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from io import BytesIO
from pathlib import Path
from textwrap import fill
from typing import TYPE_CHECKING

from dpcalc.errors import DpcalcError
from dpcalc.files import check, write

if TYPE_CHECKING:
    from matplotlib.axes import Axes

# Okabe and Ito's palette for colour-blind readers; the light colours are darkened.
_COLOURS = ("#0072B2", "#B86E00", "#00795A", "#C24E00", "#A8578A", "#3A86B4", "#000000")
_RED = "#D62728"
_MARKERS = ("o", "s", "^", "D", "v", "P", "X")
_ENDINGS = (".png", ".pdf", ".svg")
_TITLE = 80  # letters that fit into a line of the title


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
        logarithmic, x_logarithmic: the axes' scales.
    """

    title: str
    x_label: str
    y_label: str
    curves: Sequence[Curve]
    level: tuple[float, str] | None = None
    marks: Sequence[Mark] = ()
    logarithmic: bool = True
    x_logarithmic: bool = True


def check_target(path: str | Path) -> Path:
    """The path of the picture, checked before long work.

    Raises:
        DomainError: the file's ending is not .png, .pdf or .svg, or it cannot be written.
        DpcalcError: matplotlib is not installed.
    """
    target = check(path, "plot", endings=_ENDINGS)
    if find_spec("matplotlib") is None:
        raise DpcalcError("a plot needs matplotlib: pip install 'dpcalc-exact[plot]'")
    return target


def draw(panels: Sequence[Panel], path: str | Path, *, title: str) -> None:
    """Draw the panels under each other, at 800 pixels width.

    Raises:
        DomainError: the file's ending is not .png, .pdf or .svg, or it cannot be written.
        DpcalcError: matplotlib is not installed.
    """
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
    frame.set(title=panel.title, ylabel=panel.y_label)
    frame.grid(visible=True, alpha=0.3)
    if panel.x_logarithmic:
        frame.set_xscale("log")
    if panel.logarithmic:
        frame.set_yscale("log")
    for i, curve in enumerate(panel.curves):
        width, size, order = (3, 7, 3) if curve.prominent else (1.2, 5, 2)
        frame.plot(
            curve.x, curve.y, color=_COLOURS[i % 7], marker=_MARKERS[i % 7], linewidth=width, markersize=size,
            zorder=order, label=curve.label,
        )  # fmt: skip
    if panel.level:
        frame.axhline(panel.level[0], color="#555555", linestyle="--", linewidth=1.2, label=panel.level[1])
    frame.margins(x=0.15, y=0.25 if panel.marks else 0.12)  # room for the labels of marks
    for mark in panel.marks:
        frame.plot(
            mark.x, mark.y, "*", markersize=15, color=_RED, markerfacecolor=_RED if mark.full else "white", zorder=4
        )
        frame.annotate(
            mark.label, (mark.x, mark.y), xytext=(0, 10 if mark.above else -16), textcoords="offset points", color=_RED,
            ha="center", va="bottom" if mark.above else "top", zorder=5,
        )  # fmt: skip
    frame.legend(loc="center left", bbox_to_anchor=(1.01, 0.5), frameon=False)


def short(x: float) -> str:
    """Three digits; from a thousand on a whole number, and from a million on with a power of ten."""
    return f"{x:,.0f}" if 1000 <= x < 10**6 else f"{x:.3g}".replace("e+0", "e").replace("e+", "e")
