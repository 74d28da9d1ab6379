"""An audit: every promise of a table with its verdict."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from dpcalc.audits.reading import rows_of
from dpcalc.audits.verdict import BROKEN, KEPT, LOOSE, UNJUDGED, Verdict, judge
from dpcalc.errors import DomainError
from dpcalc.pairs.family import Progress
from dpcalc.report import Tabled

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
        return f"{len(self.rows)} {'promise' if len(self.rows) == 1 else 'promises'}: {listed}"

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
        return {row.row: _certified(row, place / f"row-{row.row}.json") for row in self.rows}


def audit(table: Any, *, progress: Progress | None = None) -> Audit:
    """A verdict on each promise of a table: kept, loose, broken, or cannot be judged.

    Args:
        table: a CSV, JSON, TOML or YAML file, a data frame, or rows that are mappings (``audits.reading``). The columns
            are mechanism, its parameters, epsilon, delta, neighbours, unit, model, name, source (``audits.kinds``).
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


def _certified(row: Verdict, path: Path) -> Path | str:
    made = row.certificate()
    if isinstance(made, str):
        return made
    made.write(path)
    return path
