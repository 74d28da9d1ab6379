"""Verdicts as text: a table of many, a list of errata, one in detail."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from textwrap import indent, wrap

from dpcalc.notes.claims.claim import Ruling, Verdict
from dpcalc.report import aligned

_WIDTH = 110
_CELL = 30
_HEADINGS = {
    Ruling.REFUTED: "Refuted: false, with a witness",
    Ruling.ONLY_FOR: "True in part: on a range that is less than what is claimed",
    Ruling.CORRECTED: "Corrected: misprints and slips",
}


def table(verdicts: Sequence[Verdict]) -> str:
    """One line per verdict: ID, verdict, how it is known, the document's value, the exact value; long cells are cut."""
    head = ("ID", "verdict", "known", "the document", "exact")
    cells = [(v.finding.said, v.finding.exact) for v in verdicts]
    rows = [(v.id, v.ruling.value, v.known.value, *map(_cut, both)) for v, both in zip(verdicts, cells, strict=True)]
    return "\n".join([*aligned([head, *rows]), "", summary(verdicts)])


def summary(verdicts: Iterable[Verdict]) -> str:
    """How many of each verdict, and of each way to know it, on a line each."""
    listed = list(verdicts)
    counts = (Counter(verdict.ruling.value for verdict in listed), Counter(verdict.known.value for verdict in listed))
    rulings, known = (", ".join(f"{count} {word}" for word, count in kinds.most_common()) for kinds in counts)
    plural = "s" if len(listed) != 1 else ""
    return f"{len(listed)} claim{plural}: {rulings}\nhow known: {known}" if listed else "no claims"


def errata(verdicts: Sequence[Verdict]) -> str:
    """What the documents' authors would change: what is refuted, what is true in part, and what is corrected apart."""
    parts = []
    for ruling, heading in _HEADINGS.items():
        found = [_entry(verdict, why=verdict.claim.reason) for verdict in verdicts if verdict.ruling is ruling]
        parts += [f"{heading} ({len(found)})", *found] if found else []
    return "\n\n".join(parts) or "no errata"


def details(verdicts: Sequence[Verdict]) -> str:
    """All there is to say about each: the finding, the derivation, and how to confirm it by hand."""
    return "\n\n".join(map(_detail, verdicts))


def _detail(verdict: Verdict) -> str:
    parts = [_entry(verdict)]
    if verdict.claim.derivation:
        parts.append("derivation\n" + indent(verdict.claim.derivation, "  "))
    if verdict.claim.call:
        parts.append("to compute it, in Python, dp being dpcalc\n" + indent(verdict.claim.call, "  "))
    if verdict.claim.script:
        parts.append("to confirm it, in Python\n" + indent(verdict.claim.script, "  "))
    return "\n\n".join(parts)


def _entry(verdict: Verdict, why: str = "") -> str:
    claim, finding = verdict.claim, verdict.finding
    fields = (
        ("claim", claim.statement), ("quoted", claim.quote), ("note", claim.note if finding.ruling.erratum else ""),
        ("assuming", claim.assuming), ("document", finding.said), ("exact", finding.exact),
        ("only for" if finding.ruling is Ruling.ONLY_FOR else "checked", finding.over), ("tested", finding.tested),
        ("witness", finding.witness), ("why", why),
    )  # fmt: skip
    lines = [f"{claim.id}  {claim.where}: {finding.ruling.value} ({finding.known.value})"]
    for name, text in fields:
        if text:
            first, *rest = wrap(text, _WIDTH - 12)
            lines += [f"  {name:<9} {first}", *(f"  {'':<9} {line}" for line in rest)]
    return "\n".join(lines)


def _cut(text: str) -> str:
    return text if len(text) <= _CELL else text[: _CELL - 1] + "…"
