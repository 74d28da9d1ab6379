"""An audit as entries for the registry of deployments, in YAML, with the proven claims in the words of NIST; and as one
self-contained HTML page, for a review.

The keys are those of opendp/deployments-registry-data, 3e9c812. Only what the promise states is filled in. NIST SP
800-226 asks for the unit of privacy, the neighbouring datasets, the trust model, and the parameters.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from html import escape

from dpcalc.audits.audit import Audit
from dpcalc.audits.kinds import KINDS
from dpcalc.audits.promised import Promised
from dpcalc.audits.verdict import BROKEN, Verdict, promise_words
from dpcalc.report import bounded, exactly, listed, most, webpage
from dpcalc.version import __version__

_UNITS = {"user": "User-level", "user-round": "User-day-level", "report": "Report-level"}
_PROTECTED = {
    "user": "one user, with all that the user reports in all rounds",
    "user-round": "one user in one round, with all that the user reports in it",
    "report": "one report, the only one of its user",
}  # fmt: skip
_RELATIONS = {
    "replace": "bounded differential privacy", "add-remove": "unbounded differential privacy",
    "delete": "deletion: the number of records is the same",
}  # fmt: skip


def entries(found: Audit) -> str:
    """A YAML document for each promise: its entry if it is kept; else one that holds; else why there is none."""
    return "\n---\n".join("\n".join(_lines(row)) for row in found.rows)


def _lines(row: Verdict) -> Iterator[str]:
    promised = row.promised
    if promised is None or row.delta is None:
        yield f"# {row.name}: {row.why}"
        return
    if row.word == BROKEN:
        yield f"# {row.name} promises {promise_words(promised)}, which is broken"
        if row.epsilon is None:
            return
    yield "deployment:"
    yield "  basic:"
    yield f"    name: {_text(row.name)}"
    yield "  dp_variant:"
    yield f"    variant_name: {'Approximate' if promised.delta else 'Pure'} DP"
    yield "  privacy_loss:"
    yield f"    privacy_unit: {_UNITS[promised.unit]}"
    yield f"    privacy_unit_details: {_text(_neighbours(promised))}"
    yield "    privacy_parameters:"
    yield f"      epsilon: {_epsilon(row, promised)}"
    if promised.delta:
        yield f"      delta: {exactly(promised.delta)}"
    yield f"    privacy_parameters_details: {_text(_paragraph(row, promised))}"
    yield "  deployment_model:"
    yield f"    model_name: {_model(promised)}"
    yield "  implementation:"
    yield f"    mechanisms: {_text(promised.words)}"


def _neighbours(promised: Promised) -> str:
    return f"Neighbouring datasets ({_RELATIONS[promised.relation]}): {promised.neighbours}."


def _model(promised: Promised) -> str:
    if promised.local:
        return "Local"
    return "Shuffle" if KINDS[promised.kind].reports else "Central"


def _epsilon(row: Verdict, promised: Promised) -> str:
    """The promised epsilon if it is kept, else one that holds, rounded up."""
    if row.word != BROKEN or row.epsilon is None:
        stated = promised.limit.epsilon
        return exactly(stated.upper) if stated.exact else most(stated)
    return most(row.epsilon)


def _paragraph(row: Verdict, promised: Promised) -> str:
    """The promise and its proof, in the words of NIST SP 800-226."""
    seen = {
        "Local": "Local model: whoever sees what one user sends, with the name on it.",
        "Shuffle": "Shuffle model: only the sums of all reports are seen, without names.",
        "Central": "Central model: a trusted curator adds the noise, and only the noisy count is seen.",
    }[_model(promised)]
    aggregated = f" Composition of {promised.rounds:,} releases." if promised.rounds > 1 else ""
    return (
        f"Privacy unit: {_PROTECTED[promised.unit]}. {_neighbours(promised)} {seen} Mechanism: {promised.words}."
        f"{aggregated} Privacy parameters: epsilon = {_epsilon(row, promised)}, delta = {exactly(promised.delta)}: "
        "for all neighbours and every event A that can be seen, P[A] <= e^epsilon Q[A] + delta. "
        f"{_proven(row, promised)} Computed by dpcalc {__version__}; that it runs as described is not seen."
    )


def _proven(row: Verdict, promised: Promised) -> str:
    if row.word == BROKEN:
        return f"A smaller epsilon was promised, {promise_words(promised)}, and is proven not to hold."
    return f"Proven: {bounded(row.delta, promised.delta, holds=True)}." if row.delta is not None else ""


def _text(words: str) -> str:
    """A text as YAML: every JSON string is a YAML scalar."""
    return json.dumps(words, ensure_ascii=False)


_RESTS_ON = (
    "Kept: delta at the promised epsilon is proven to be at most the promised one, for every dataset.",
    "Loose: kept, and the smaller epsilon that is named is proven to be enough for the same delta.",
    "Broken: the neighbouring datasets named are proven to show more than was promised.",
    "Cannot be judged: nothing is proven, neither that the promise is kept nor that it is broken.",
    "A mechanism is judged as the table describes it. Whether it runs so, with so many honest users, is not seen.",
)


def page(found: Audit) -> str:
    """The page, as HTML."""
    return webpage("Audit of privacy promises", "\n".join(_body(found)))


def _body(found: Audit) -> Iterator[str]:
    yield "<h1>Are these promises kept?</h1>"
    yield f'<p class="answer">{escape(found.summary)}</p>'
    yield "<table>\n<tr><th>row</th><th>system</th><th>promised</th><th>verdict</th></tr>"
    yield from map(_line, found.rows)
    yield "</table>\n<h2>Each promise</h2>"
    for row in found.rows:
        yield f'<h3 id="row-{row.row}">{row.row}. {escape(row.name)}: {escape(row.title)}</h3>'
        yield from (f"<p>{escape(row.about[word])}</p>" for word in ("source", "note") if word in row.about)
        yield listed(row.lines())
    yield f"<h2>What the words mean</h2>\n{listed(_RESTS_ON)}\n<p>Made by dpcalc {__version__}.</p>"


def _line(row: Verdict) -> str:
    stated = "" if row.promised is None else promise_words(row.promised)
    cells = (f'<a href="#row-{row.row}">{row.row}</a>', escape(row.name), escape(stated), escape(row.title))
    return f"<tr>{''.join(f'<td>{cell}</td>' for cell in cells)}</tr>"
