"""An audit as one self-contained HTML page, for a review: the verdicts, their proofs, and what they assume."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape

from dpcalc.audits.audit import Audit
from dpcalc.audits.verdict import Verdict, promise_words
from dpcalc.version import __version__
from dpcalc.webpage import listed, webpage

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
