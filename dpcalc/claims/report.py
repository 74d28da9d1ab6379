"""Verdicts as text: a table of many, a list of errata, one in detail."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from textwrap import indent, wrap

from dpcalc.claims.claim import Ruling, Verdict
from dpcalc.report import aligned

__all__ = ["details", "errata", "summary", "table"]

_WIDTH = 110
_CELL = 34


def table(verdicts: Sequence[Verdict]) -> str:
    """One line per verdict: ID, verdict, the document's value, the exact value; long cells are cut."""
    head = ("ID", "verdict", "the document", "exact")
    rows = [(v.id, v.ruling.value, _cut(v.finding.said), _cut(v.finding.exact)) for v in verdicts]
    return "\n".join([*aligned([head, *rows]), "", summary(verdicts)])


def summary(verdicts: Iterable[Verdict]) -> str:
    """How many of each verdict, such as "2 claims: 1 proven, 1 refuted"."""
    counts = Counter(verdict.ruling.value for verdict in verdicts)
    total = sum(counts.values())
    listed = ", ".join(f"{count} {ruling}" for ruling, count in counts.most_common())
    return f"{total} claim{'s' if total != 1 else ''}: {listed}" if total else "no claims"


def errata(verdicts: Sequence[Verdict]) -> str:
    """What the documents' authors would change, one entry each."""
    return "\n\n".join(_entry(verdict, why=verdict.claim.reason) for verdict in verdicts) or "no errata"


def details(verdicts: Sequence[Verdict]) -> str:
    """All there is to say about each: the finding, the derivation, and how to confirm it by hand."""
    return "\n\n".join(map(_detail, verdicts))


def _detail(verdict: Verdict) -> str:
    parts = [_entry(verdict)]
    if verdict.claim.derivation:
        parts.append("derivation\n" + indent(verdict.claim.derivation, "  "))
    if verdict.claim.script:
        parts.append("to confirm it, in Python\n" + indent(verdict.claim.script, "  "))
    return "\n\n".join(parts)


def _entry(verdict: Verdict, why: str = "") -> str:
    claim, finding = verdict.claim, verdict.finding
    part = finding.ruling is Ruling.ONLY_FOR
    fields = (
        ("claim", claim.statement), ("assuming", claim.assuming), ("document", finding.said), ("exact", finding.exact),
        ("only for" if part else "checked", finding.over), ("witness", finding.witness),
        ("why", why),
    )  # fmt: skip
    lines = [f"{claim.id}  {claim.where}: {finding.ruling.value}"]
    for name, text in fields:
        if text:
            first, *rest = wrap(text, _WIDTH - 12)
            lines += [f"  {name:<9} {first}", *(f"  {'':<9} {line}" for line in rest)]
    return "\n".join(lines)


def _cut(text: str) -> str:
    return text if len(text) <= _CELL else text[: _CELL - 1] + "…"
