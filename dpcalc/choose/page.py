"""A plan as one self-contained HTML page, for a design review or an auditor.

It has the question, the recommendation, both proofs, the tables and the picture; what is not protected, what is assumed
and what it rests on. Nothing is loaded from elsewhere.

The picture shows what each number k of repeats costs, by every bound, in three frames over one axis: sigma, q and the
local epsilon. The private curve stands out; the best k and the recommended one are marked on it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from html import escape
from importlib.util import find_spec

from dpcalc.choose.choices import PROMISES, Choice, Plan
from dpcalc.numbers.decimal import plural
from dpcalc.numbers.enclosure import Enclosure
from dpcalc.plots import Curve, Mark, Panel, drawn, short
from dpcalc.privacy.cautions import NOT_PROTECTED, ONE_ROUND
from dpcalc.report import bounded, exactly, listed, webpage
from dpcalc.version import __version__

_ASSUMED = (
    "Every user flips honestly and independently with exactly the q given; n is the number of users who do.",
    "The shuffler reveals the pooled counts and nothing else; n is public.",
    "Two datasets are neighbours if one record {differs}. All other records are arbitrary.",
)
_RESTS_ON = (
    "delta is the largest over every dataset, in both directions, enclosed by proven ends (interval arithmetic, or "
    "doubles with a derived bound on every rounding); the proof notes in dpcalc's repository give the theorems.",
    "At the larger q shown the target is proven to be met, at the smaller one to fail; a larger q never hurts, because "
    "flipping once more is post-processing.",
)
_DECIDING = "private"


def page(plan: Plan, *, lost: str = "", command: str = "") -> str:
    """The page, with a picture where matplotlib is installed.

    Args:
        plan: the answer.
        lost: how n, the number of honest users, came about, such as "50,000 users less 5% dropouts".
        command: the command line that makes the page again.
    """
    title = f"Privacy plan: n = {plan.n:,}, {plan.limit}"
    return webpage(title, "\n".join(_body(plan, lost, command)))


def _body(plan: Plan, lost: str, command: str) -> Iterator[str]:
    yield "<h1>How much noise is enough?</h1>"
    yield f"<p>{escape(_question(plan, lost))}</p>"
    if command:
        yield f"<pre>{escape(command)}</pre>"
    if plan.delta is not None:
        yield "".join(f'<p class="answer">{escape(line)}</p>\n' for line in plan.recommendation())
        yield "".join(f'<p class="warning">Warning: {escape(line)}</p>\n' for line in plan.warnings)
    if proven := list(_proofs(plan)):
        yield f"<h2>Proof at both ends</h2>\n{listed(proven)}"
    yield f"<h2>All choices</h2>\n<pre>{escape(plan.panels())}</pre>"
    yield "".join(f"<p>{escape(remark)}</p>\n" for remark in plan.remarks())
    if picture := _picture(plan):
        yield f"<h2>Picture</h2>\n{picture}"
    differs = "is deleted (all zeros)" if "delete" in plan.deployment.relations else "is replaced by another"
    assumed = [line.format(differs=differs) for line in _ASSUMED]
    for heading, lines in (
        ("What is not protected", _not_protected(plan)),
        ("What is assumed", assumed),
        ("What it rests on", _RESTS_ON),
    ):
        yield f"<h2>{heading}</h2>\n{listed(lines)}"
    yield f"<p>Made by dpcalc {__version__}.</p>"


def _proofs(plan: Plan) -> Iterator[str]:
    """The proofs at both ends of the recommended q and of the best one."""
    for k in dict.fromkeys((plan.recommended_k, plan.best)):
        for row in plan.rows:
            if row.k == k:
                q = row.choices["private"].q
                yield f"k = {k}, q = {exactly(q.upper)}: {bounded(q.at_upper, q.target, holds=True)}; it holds."
                yield f"k = {k}, q = {exactly(q.lower)}: {bounded(q.at_lower, q.target, holds=False)}; it fails."


def _not_protected(plan: Plan) -> list[str]:
    later = ONE_ROUND if plan.rounds == 1 else f"what the same people report after these {plan.rounds:,} rounds"
    return [*NOT_PROTECTED, later]


def _question(plan: Plan, lost: str) -> str:
    users = f"{plural(plan.n, 'honest user')} ({lost})" if lost else plural(plan.n, "user")
    collected = ("a " if "categories" in plan.shape else "") + ", ".join(
        plan.collected if plan.shape else ["one bit", *plan.collected]
    )
    text = f"{users} report{'s' if plan.n == 1 else ''} {collected}; no one's record may show by more than {plan.limit}"
    return text + ("." if plan.delta is None else f", but for delta = {Enclosure.of(plan.delta):17}.")


def _picture(plan: Plan) -> str:
    if find_spec("matplotlib") is None:
        return ""
    text = drawn(plan.picture(), ".svg", title=plan.title()).decode()
    return text[text.index("<svg") :]


def picture(plan: Plan) -> Sequence[Panel]:
    """The frames from above to below: a curve for each bound, with the recommended k and that of the least sigma."""
    panel = partial(_panel, plan)
    unit = f"sigma ({plan.unit})" if plan.unit else "sigma"
    spread = panel(f"Spread of {plan.one_count}", unit, lambda choice: float(choice.sigma))
    noise = panel("Flip probability", "q", lambda choice: float(choice.printed), above=False)
    leaked = f"What one record's own reports leak{plan.together}"
    leak = panel(leaked, "local epsilon", lambda choice: float(choice.local_epsilon), above=False)
    return [spread if plan.gaussian is None else _close(spread, float(plan.gaussian), plan.bounds), noise, leak]


def _panel(plan: Plan, title: str, unit: str, value: Callable[[Choice], float], *, above: bool = True) -> Panel:
    curves = []
    for name in plan.bounds:
        points = {row.k: value(row.choices[name]) for row in plan.rows if name in row.choices}
        if points:
            ks = sorted(points)
            curves.append(Curve(label=name, x=ks, y=[points[k] for k in ks], prominent=name == _DECIDING))
    marks = []
    marked = [k for k in dict.fromkeys((plan.recommended_k, plan.best)) if k is not None]
    for k, note in zip(marked, ("", "or "), strict=False):
        y = next(value(row.choices[_DECIDING]) for row in plan.rows if row.k == k)
        marks.append(Mark(x=k, y=y, label=f"{note}k = {k}: {short(y)}", full=not note, above=above != bool(note)))
    return Panel(title=title, x_label="reports per record k", y_label=unit, curves=curves, marks=marks)


def _close(panel: Panel, limit: float, bounds: Sequence[str]) -> Panel:
    """The panel with the Gaussian limit, its axis cut so that the private curve is seen to fall."""
    deciding = [y for curve in panel.curves if curve.label == _DECIDING for y in curve.y]
    if not deciding:
        return panel
    low, high = min(*deciding, limit), max(*deciding, limit)
    view = low / (1.2 if PROMISES.issuperset(bounds) else 2.5), 1.5 * high  # far from the classical curve
    return replace(panel, level=(limit, "Gaussian mechanism\n(limit of private)"), view=view)
