"""The picture of a plan: what each number k of repeats costs, by every bound.

Three frames over one axis: sigma, q and the local epsilon. The private curve decides and stands out, with the best k on
it and the one that is hardly worse and shows less.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from dpcalc.plots import Curve, Mark, Panel

if TYPE_CHECKING:
    from dpcalc.choose.choices import Choice, Plan

__all__ = ["picture"]

_DECIDING = "private"
_FAR = {_DECIDING, "classical"}  # what is far from the private curve, or it itself: only other bounds are close


def picture(plan: Plan) -> Sequence[Panel]:
    """The frames from above to below."""
    spread = _panel(plan, "Spread of the estimated count", "sigma (records)", lambda choice: float(choice.sigma))
    noise = _panel(plan, "Flip probability", "q", lambda choice: float(choice.printed))
    title, unit = "What one record's own reports leak", "local epsilon"
    leak = _panel(plan, title, unit, lambda choice: float(choice.local_epsilon), above=False)
    return [_close(plan, spread), noise, leak]


def _panel(plan: Plan, title: str, unit: str, value: Callable[[Choice], float], *, above: bool = True) -> Panel:
    curves = []
    for name in plan.bounds:
        points = {row.k: value(row.choices[name]) for row in plan.rows if name in row.choices}
        if points:
            ks = sorted(points)
            curves.append(Curve(label=name, x=ks, y=[points[k] for k in ks], prominent=name == _DECIDING))
    marks = []
    for k, note in ((plan.best, ""), (plan.modest, "or ")):
        if k is not None:
            y = next(value(row.choices[_DECIDING]) for row in plan.rows if row.k == k)
            marks.append(Mark(x=k, y=y, label=f"{note}k = {k}: {y:.3g}", full=not note, above=above))
    return Panel(title=title, x_label="reports per record k", y_label=unit, curves=curves, marks=marks)


def _close(plan: Plan, panel: Panel) -> Panel:
    """The panel with the Gaussian limit, and no more of the axis than lets the line that decides be seen to fall."""
    deciding = [y for curve in panel.curves if curve.label == _DECIDING for y in curve.y]
    if plan.gaussian is None or not deciding:
        return panel
    limit = float(plan.gaussian)
    low, high = min(*deciding, limit), max(*deciding, limit)
    view = low / (1.2 if set(plan.bounds) <= _FAR else 2.5), 1.5 * high
    return replace(panel, level=(limit, "Gaussian mechanism\n(limit of private)"), view=view)
