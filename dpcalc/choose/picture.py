"""The picture of a plan: what each number k of repeats costs, by every bound.

Three frames over one axis: sigma, q and the local epsilon. The private curve stands out; the best k and the recommended
one are marked on it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial

from dpcalc.choose.choices import Choice, Row
from dpcalc.choose.deployment import Deployment
from dpcalc.numbers.enclosure import Enclosure
from dpcalc.plots import Curve, Mark, Panel, short

_DECIDING = "private"
_FAR = {_DECIDING, "classical"}  # with these bounds alone no other curve is close to the private one


def picture(
    rows: Sequence[Row], collected: Deployment, bounds: Sequence[str], marked: Sequence[int],
    gaussian: Enclosure | None,
) -> Sequence[Panel]:  # fmt: skip
    """The frames from above to below.

    Args:
        rows: one for each k.
        collected: what sigma is of.
        bounds: a curve for each.
        marked: the recommended k, and that of the least sigma if it is another.
        gaussian: the sigma to which the private one tends.
    """
    panel = partial(_panel, rows, bounds, marked)
    spread = panel(
        f"Spread of {collected.one_count}",
        f"sigma ({collected.unit})" if collected.unit else "sigma",
        lambda choice: float(choice.sigma),
    )
    noise = panel("Flip probability", "q", lambda choice: float(choice.printed), above=False)
    leaked = f"What one record's own reports leak{collected.together}"
    leak = panel(leaked, "local epsilon", lambda choice: float(choice.local_epsilon), above=False)
    return [spread if gaussian is None else _close(spread, float(gaussian), bounds), noise, leak]


def _panel(
    rows: Sequence[Row], bounds: Sequence[str], marked: Sequence[int],
    title: str, unit: str, value: Callable[[Choice], float], *, above: bool = True,
) -> Panel:  # fmt: skip
    curves = []
    for name in bounds:
        points = {row.k: value(row.choices[name]) for row in rows if name in row.choices}
        if points:
            ks = sorted(points)
            curves.append(Curve(label=name, x=ks, y=[points[k] for k in ks], prominent=name == _DECIDING))
    marks = []
    for k, note in zip(marked, ("", "or "), strict=False):
        y = next(value(row.choices[_DECIDING]) for row in rows if row.k == k)
        marks.append(Mark(x=k, y=y, label=f"{note}k = {k}: {short(y)}", full=not note, above=above != bool(note)))
    return Panel(title=title, x_label="reports per record k", y_label=unit, curves=curves, marks=marks)


def _close(panel: Panel, limit: float, bounds: Sequence[str]) -> Panel:
    """The panel with the Gaussian limit, its axis cut so that the private curve is seen to fall."""
    deciding = [y for curve in panel.curves if curve.label == _DECIDING for y in curve.y]
    if not deciding:
        return panel
    low, high = min(*deciding, limit), max(*deciding, limit)
    view = low / (1.2 if set(bounds) <= _FAR else 2.5), 1.5 * high
    return replace(panel, level=(limit, "Gaussian mechanism\n(limit of private)"), view=view)
