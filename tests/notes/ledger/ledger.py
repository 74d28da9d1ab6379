"""The ledger of a document: a check of a few lines for each claim that the package's row sends here.

What is claimed, and why it is so, stands in ``dpcalc/notes/claims/*.toml``. A check that is no single expression is the
function that follows, ``claim`` being its decorator. A family is one check for several claims, whose values are its
first arguments. Modules lay out their claims by hand (``fmt: off``).
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, TypeAlias

# Under its own name once more is what else a part of a ledger is written in.
from tests.notes.ledger.claim import Claim
from tests.notes.ledger.claim import Finding as Finding
from tests.notes.ledger.claim import Known as Known
from tests.notes.ledger.claim import Ruling as Ruling
from tests.notes.ledger.ranges import Answer as Answer
from tests.notes.ledger.ranges import Range as Range
from tests.notes.ledger.ranges import alone

_Enter: TypeAlias = Callable[[Callable[..., Any]], None]  # enters a check, or what confirms an erratum
_Row: TypeAlias = tuple[str, dict[str, Any]]  # of a family: label, values


def row(label: str, **values: Any) -> _Row:
    """One claim of a family."""
    return label, values


@dataclass(frozen=True, slots=True)
class Ledger:
    """The claims of one part of a document, in its order."""

    document: str  # the document's short name
    claims: list[Claim] = field(default_factory=list)  # as they were entered

    def claim(self, label: str, *about: Range | Callable[..., Any], **options: Any) -> _Enter:
        """Enter the claim ``document-label``; what is given next is its check, if it has none.

        Args:
            label: its name within the document.
            about: the range on which the check is asked, if any (else it makes the finding by itself); the check, if
                it is not given next.
            options: those of ``family``.
        """
        over = next((part for part in about if isinstance(part, Range)), None)
        check = next((part for part in about if callable(part)), None)
        return self.family(row(label), over=over, check=check, **options)

    def family(
        self, *rows: _Row, over: Range | None = None, check: Callable[..., Any] | None = None,
        known: Known | None = None, **options: Any,
    ) -> _Enter:  # fmt: skip
        """Enter one check once for each row, whose values are its first arguments.

        Args:
            rows: the claims.
            over: the range on which the check is asked.
            check: the check; without one, it is what is given next.
            known: how the verdict is known, if not as the check says.
            options: those of ``Range.judge``, or of ``alone``.
        """

        def enter(check: Callable[..., Any]) -> None:
            for label, values in rows:
                own = [values[name] for name in inspect.signature(check).parameters if name in values]
                asked, given = partial(check, *own), dict(options)

                def find(asked: Callable[..., Any] = asked, given: dict[str, Any] = given) -> Finding:
                    found = (over.judge if over else alone)(asked, **given)
                    return replace(found, known=known or found.known)

                self.claims.append(Claim(id=f"{self.document}-{label}", check=find, values=values))

        if check is not None:
            enter(check)
        return enter

    def erratum(self, *about: _Row | str) -> _Enter:
        """Enter, of claims that a cell of a notebook verifies, what confirms them and returns the witness on record."""
        rows = [row(each) if isinstance(each, str) else each for each in about]

        def enter(confirm: Callable[..., str]) -> None:
            for label, values in rows:
                self.claims.append(Claim(id=f"{self.document}-{label}", confirm=confirm, values=values))

        return enter
