"""Pictures of curves over a common axis; matplotlib is imported only when one is drawn."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

from dpcalc.errors import DomainError, DpcalcError

__all__ = ["Curve", "Panel", "check_target", "draw"]

# Okabe and Ito's palette, told apart by colour-blind readers; markers differ too.
_COLOURS = ("#0072B2", "#E69F00", "#009E73", "#D55E00", "#CC79A7", "#56B4E9", "#000000")
_MARKERS = ("o", "s", "^", "D", "v", "P", "X")
_ENDINGS = (".png", ".pdf", ".svg")


@dataclass(frozen=True, slots=True, kw_only=True)
class Curve:
    """One labelled curve."""

    label: str
    x: Sequence[float]
    y: Sequence[float]


@dataclass(frozen=True, slots=True, kw_only=True)
class Panel:
    """Curves in one frame; ``level`` is a horizontal line and its label; ``logarithmic`` is about y."""

    title: str
    x_label: str
    y_label: str
    curves: Sequence[Curve]
    level: tuple[float, str] | None = None
    logarithmic: bool = True
    x_logarithmic: bool = True


def check_target(path: str | Path) -> Path:
    """Where the picture will go; called before long work, whose result would be lost if it could not be drawn.

    Raises:
        DomainError: the file's ending is not .png, .pdf or .svg, or its folder does not exist.
        DpcalcError: matplotlib is not installed.
    """
    target = Path(path)
    if target.suffix.lower() not in _ENDINGS:
        raise DomainError("plot", str(path), f"a file name ending in {', '.join(_ENDINGS)}")
    if not target.parent.is_dir():
        raise DomainError("plot", str(path), "a file in a folder that exists")
    if find_spec("matplotlib") is None:
        raise DpcalcError("a plot needs matplotlib: pip install 'dpcalc-exact[plot]'")
    return target


def draw(panels: Sequence[Panel], path: str | Path, *, title: str) -> None:
    """Draw the panels under each other, with one legend, at 800 pixels width.

    Raises:
        DomainError: the file's ending is not .png, .pdf or .svg, or it cannot be written.
        DpcalcError: matplotlib is not installed.
    """
    target = check_target(path)
    from matplotlib.figure import Figure
    from matplotlib.ticker import FuncFormatter, LogLocator

    figure = Figure(figsize=(8, 3.4 * len(panels) + 1), dpi=100, layout="constrained")
    figure.suptitle(title)
    frames = figure.subplots(len(panels), 1, sharex=True, squeeze=False)[:, 0]
    for frame, panel in zip(frames, panels, strict=True):
        for i, curve in enumerate(panel.curves):
            frame.plot(
                curve.x, curve.y, label=curve.label, color=_COLOURS[i % 7], marker=_MARKERS[i % 7], linewidth=1.6
            )
        if panel.level:
            frame.axhline(panel.level[0], color="#555555", linestyle="--", linewidth=1.2, label=panel.level[1])
        frame.set(title=panel.title, ylabel=panel.y_label)
        frame.grid(visible=True, which="major", alpha=0.3)
        if panel.x_logarithmic:
            frame.set_xscale("log")
            ticks = sorted({x for curve in panel.curves for x in curve.x})
            frame.set_xticks(ticks, labels=[f"{x:g}" for x in ticks])
        if panel.logarithmic:
            frame.set_yscale("log")
            frame.yaxis.set_major_locator(LogLocator(subs=(1, 2, 5)))
            frame.yaxis.set_major_formatter(FuncFormatter(lambda y, _: f"{y:g}"))
        frame.minorticks_off()
    frames[-1].set_xlabel(panels[-1].x_label)
    labels = {
        label: handle for frame in frames for handle, label in zip(*frame.get_legend_handles_labels(), strict=True)
    }
    figure.legend(labels.values(), labels.keys(), loc="outside lower center", ncols=3, frameon=False)
    try:
        figure.savefig(target)
    except OSError as error:
        raise DomainError("plot", str(path), f"a file that can be written ({error.strerror})") from None
