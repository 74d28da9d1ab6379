"""Claims as text: a table of many, a list of errata, one in detail."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from textwrap import indent, wrap

from dpcalc.notes.claims.claim import Claim, Ruling
from dpcalc.numbers.decimal import plural
from dpcalc.report import aligned

_WIDTH = 110
_CELL = 30
_HEADINGS = {
    Ruling.REFUTED: "Refuted: false, with a witness",
    Ruling.ONLY_FOR: "True in part: on a range that is less than what is claimed",
    Ruling.CORRECTED: "Corrected: misprints and slips",
}


def table(claims: Sequence[Claim]) -> str:
    """A line per claim: ID, verdict, how it is known, the document's value, the exact value; long cells are cut."""
    head = ("ID", "verdict", "known", "the document", "exact")
    rows = [(claim.id, claim.ruling.value, claim.known.value, _cut(claim.said), _cut(claim.exact)) for claim in claims]
    return "\n".join([*aligned([head, *rows]), "", summary(claims)])


def summary(claims: Sequence[Claim]) -> str:
    """How many of each verdict, and of each way to know it, on a line each."""
    counts = (Counter(claim.ruling.value for claim in claims), Counter(claim.known.value for claim in claims))
    rulings, known = (", ".join(f"{count} {word}" for word, count in kinds.most_common()) for kinds in counts)
    return f"{plural(len(claims), 'claim')}: {rulings}\nhow known: {known}" if claims else "no claims"


def errata(claims: Sequence[Claim]) -> str:
    """What the documents' authors would change: what is refuted, true in part, and corrected apart; by weight."""
    parts = []
    for ruling, heading in _HEADINGS.items():
        chosen = sorted((claim for claim in claims if claim.ruling is ruling), key=lambda claim: -claim.weight)
        parts += (
            [f"{heading} ({len(chosen)})", *(_entry(claim, why=claim.reason) for claim in chosen)] if chosen else []
        )
    return "\n\n".join(parts) or "no errata"


def details(claims: Sequence[Claim]) -> str:
    """All there is to say about each: the verdict, the argument, how to compute it, and what shows it."""
    return "\n\n".join(map(_detail, claims))


def _detail(claim: Claim) -> str:
    parts = [_entry(claim)]
    for heading, text in (
        ("in the document", claim.words),
        ("derivation", claim.why),
        ("to compute it, in Python, dp being dpcalc", claim.call),
        ("what shows it", "\n".join(claim.shown)),
    ):
        parts += [f"{heading}\n{indent(text, '  ')}"] if text else []
    return "\n\n".join(parts)


def _entry(claim: Claim, why: str = "") -> str:
    fields = (
        ("claim", claim.statement), ("quoted", claim.quote), ("note", claim.note if claim.ruling.erratum else ""),
        ("assuming", claim.assuming), ("document", claim.said), ("exact", claim.exact),
        ("only for" if claim.ruling is Ruling.ONLY_FOR else "checked", claim.over), ("tested", claim.tested),
        ("witness", claim.witness), ("why", why),
    )  # fmt: skip
    lines = [f"{claim.id}  {claim.where}: {claim.ruling.value} ({claim.known.value})"]
    for name, text in fields:
        if text:
            first, *rest = wrap(text, _WIDTH - 12)
            lines += [f"  {name:<9} {first}", *(f"  {'':<9} {line}" for line in rest)]
    return "\n".join(lines)


def _cut(text: str) -> str:
    return text if len(text) <= _CELL else text[: _CELL - 1] + "…"
