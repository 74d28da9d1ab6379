"""An audit: every promise of a table with its verdict; as text, as entries for the registry of deployments, in YAML,
with the proven claims in the words of NIST, and as one self-contained HTML page, for a review.

The keys of an entry are those of opendp/deployments-registry-data, 3e9c812. Only what the promise states is filled in.
NIST SP 800-226 asks for the unit of privacy, the neighbouring datasets, the trust model, and the parameters.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import Any

from dpcalc.audits.promised import KINDS, Promised
from dpcalc.audits.reading import rows_of
from dpcalc.audits.verdict import BROKEN, KEPT, LOOSE, UNJUDGED, Verdict, judge, promise_words
from dpcalc.errors import DomainError
from dpcalc.numbers.decimal import plural
from dpcalc.pairs.family import Progress
from dpcalc.report import Tabled, bounded, exactly, listed, most, webpage
from dpcalc.version import __version__

#: A table that has a row of each verdict.
EXAMPLE = """\
name,mechanism,n,q,trials,probability,bound,scale,sensitivity,counts,rounds,epsilon,delta,neighbours,unit,source
coins of a helper,binomial,,,80,1/2,,,1,,,1,1e-6,add-remove,user,draft-case-ppm-binomial-dp
more coins than needed,binomial,,,2000,1/2,,,1,,,0.6375,1e-6,add-remove,user,a test of IPA
a count with a cap of 8,geometric,,,,,14,1/2,8,,,2,1e-6,replace,user,a test of IPA
a histogram: one count up and one down,binomial,,,300,1/5,,,1,2,,1,1e-6,replace,user,
one count on each of 7 days,binomial,,,1000,1/2,,,1,,7,1,1e-6,add-remove,user,
flipped bits,bits,50000,0.00098,,,,,,,,1,1e-8,replace,user,the README of dpcalc
no batch size,bits,,0.01,,,,,,,,1,1e-6,replace,user,
"""


@dataclass(frozen=True, slots=True, repr=False)
class Audit(Tabled):
    """The verdicts on a table, in the order of its rows.

    Attributes:
        rows: a verdict for each promise.
    """

    rows: tuple[Verdict, ...]

    @property
    def counts(self) -> dict[str, int]:
        """How many promises have each verdict."""
        found = Counter(row.word for row in self.rows)
        return {word: found[word] for word in (KEPT, LOOSE, BROKEN, UNJUDGED)}

    @property
    def summary(self) -> str:
        """The counts on one line."""
        listed = ", ".join(f"{count} {word}" for word, count in self.counts.items() if count)
        return f"{plural(len(self.rows), 'promise')}: {listed}"

    def table(self) -> str:
        """Every verdict with its proof."""
        lines = [self.summary]
        for row in self.rows:
            source = f" ({row.about['source']})" if "source" in row.about else ""
            said = [f"said: {row.about['note']}"] if "note" in row.about else []
            lines += ["", f"{row.row}. {row.name}{source}: {row.title}", *(f"   {x}" for x in [*said, *row.lines()])]
        return "\n".join(lines)

    def to_dict(self) -> dict[str, Any]:
        """For JSON."""
        return {"counts": self.counts, "promises": [row.to_dict() for row in self.rows]}

    def certify(self, directory: str | Path) -> dict[int, Path | str]:
        """Write a certificate for each verdict that has one, to ``row-1.json`` and so on; a missing directory is made.

        Returns:
            For every row the path of its file, or why there is none.

        Raises:
            DomainError: the directory or a file cannot be written.
        """
        try:
            place = Path(directory)
            place.mkdir(parents=True, exist_ok=True)
        except (OSError, TypeError, ValueError) as error:
            why = getattr(error, "strerror", None) or error
            raise DomainError("certificates", str(directory), f"a directory that can be written ({why})") from None
        found = dict[int, Path | str]()
        for row in self.rows:
            made, path = row.certificate(), place / f"row-{row.row}.json"
            found[row.row] = made if isinstance(made, str) else path
            if not isinstance(made, str):
                made.write(path)
        return found


def audit(table: Any, *, progress: Progress | None = None) -> Audit:
    """A verdict on each promise of a table: kept, loose, broken, or cannot be judged.

    Args:
        table: a CSV, JSON, TOML or YAML file, a data frame, or rows that are mappings (``audits.reading``). The columns
            are mechanism, its parameters, epsilon, delta, neighbours, unit, model, name, source (``audits.promised``).
        progress: called with the share of the rows that are judged.

    Returns:
        A verdict for each row (``audits.verdict``). A row that is wrong or says too little cannot be judged, and the
        verdict says why; it is never kept.

    Raises:
        DomainError: the table cannot be read.

    >>> print(audit([{"mechanism": "binomial", "trials": 80, "probability": "1/2", "sensitivity": 1,
    ...               "epsilon": 1, "delta": "1e-6", "neighbours": "replace", "unit": "user"}]).summary)
    1 promise: 1 kept
    """
    rows, found = rows_of(table), list[Verdict]()
    for place, cells in enumerate(rows, 1):
        found.append(judge(place, cells))
        if progress:
            progress(place / len(rows))
    return Audit(tuple(found))


# --- entries for the registry --------------------------------------------------------------------------------------

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
    if row.word == BROKEN:
        proven = f"A smaller epsilon was promised, {promise_words(promised)}, and is proven not to hold."
    else:
        proven = f"Proven: {bounded(row.delta, promised.delta, holds=True)}." if row.delta is not None else ""
    aggregated = f" Composition of {promised.rounds:,} releases." if promised.rounds > 1 else ""
    return (
        f"Privacy unit: {_PROTECTED[promised.unit]}. {_neighbours(promised)} {seen} Mechanism: {promised.words}."
        f"{aggregated} Privacy parameters: epsilon = {_epsilon(row, promised)}, delta = {exactly(promised.delta)}: "
        "for all neighbours and every event A that can be seen, P[A] <= e^epsilon Q[A] + delta. "
        f"{proven} Computed by dpcalc {__version__}; that it runs as described is not seen."
    )


def _text(words: str) -> str:
    """A text as YAML: every JSON string is a YAML scalar."""
    return json.dumps(words, ensure_ascii=False)


# --- the page -------------------------------------------------------------------------------------------------------

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
