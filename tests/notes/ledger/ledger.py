"""The ledger of a document: every claim is a row, and a check of a few lines.

A row is a label, a range, a check and a text, which begins with the place; fields follow::

    (7.13), section 7: Shown: what the document has vs what is true; one text for both if they agree. Only: where it
    holds, if that is less than what is claimed.

The statement, and the argument, stand in the package's row. What stands between backticks is shown as it is, with
Exact: for what is true instead.

A check that is no single expression is the function that follows, ``claim`` being its decorator; so is the script of a
row that has its check. In a family, one check for several rows, ``<name>`` stands for the row's value of that name,
``<label>`` for its label. Modules lay out their rows by hand (``fmt: off``): a row is read like a table's.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from types import MappingProxyType
from typing import Any, NamedTuple, TypeAlias

# Under its own name once more is what else a part of a ledger is written in.
from tests.notes.ledger.claim import Claim
from tests.notes.ledger.claim import Finding as Finding
from tests.notes.ledger.claim import Known as Known
from tests.notes.ledger.claim import Ruling as Ruling
from tests.notes.ledger.ranges import Answer as Answer
from tests.notes.ledger.ranges import Range as Range
from tests.notes.ledger.ranges import alone

_FIELD = re.compile(r"(?:^|(?<=\s))(Shown|Exact|Only):\s+")
_Enter: TypeAlias = Callable[[Callable[..., Any]], None]  # enters a check, or a script
_Row: TypeAlias = tuple[str, str, dict[str, Any]]  # of a family: label, place and statement, values


def row(label: str, head: str = "", **values: Any) -> _Row:
    """One claim of a family; its values may be used in the text, too."""
    return label, head, values


@dataclass(frozen=True, slots=True)
class Ledger:
    """The claims of one part of a document, in its order."""

    document: str  # the document's short name
    claims: list[Claim] = field(default_factory=list)  # as they were entered
    latest: list[int] = field(default_factory=list)  # the places of those that were entered together last

    def claim(self, label: str, *about: Range | Callable[..., Any] | str, text: str = "", **options: Any) -> _Enter:
        """Enter the claim ``document-label``; what is given next is its check, or, if it has one, its script.

        Args:
            label: its name within the document.
            about: the range on which the check is asked, if any (else it makes the finding by itself); the check, if
                it is not given next; the text.
            text: the text, if it comes last.
            options: those of ``family``.
        """
        over = next((part for part in about if isinstance(part, Range)), None)
        check = next((part for part in about if callable(part)), None)
        return self.family(row(label), over=over, check=check, text=text or str(about[-1]), **options)

    def family(
        self, *rows: _Row, text: str, over: Range | None = None, check: Callable[..., Any] | None = None,
        known: Known | None = None, script: Callable[..., None] | None = None,
        proof: Callable[..., Finding] | None = None, **options: Any,
    ) -> _Enter:  # fmt: skip
        """Enter one check once for each row, whose values are its first arguments.

        Args:
            rows: the claims.
            text: what they share.
            over: the range on which the check is asked.
            check: the check; without one, it is what is given next.
            known: how the verdict is known, if not as the check says.
            script: what confirms the errata, if it is not given next.
            proof: what ``Range.judge`` takes; a row's values are its arguments, too.
            options: those of ``Range.judge``, or of ``alone``.
        """

        def enter(check: Callable[..., Any]) -> None:
            self.latest[:] = range(len(self.claims), len(self.claims) + len(rows))
            for label, head, values in rows:
                own = [values[name] for name in inspect.signature(check).parameters if name in values]
                asked, given = partial(check, *own), dict(options)
                if proof is not None:
                    names = inspect.signature(proof).parameters
                    given["proof"] = partial(proof, *(values[name] for name in names if name in values))

                def find(asked: Callable[..., Any] = asked, given: dict[str, Any] = given) -> Finding:
                    found = (over.judge if over else alone)(asked, **given)
                    return replace(found, known=known or found.known)

                self._enter(label, _Text.of(text, head, {"label": label} | values), find, script=script, values=values)

        if check is None:
            return enter
        enter(check)
        return self.script

    def again(self, label: str, earlier: Claim, text: str) -> None:
        """Enter what another document claims too: its check."""
        self._enter(label, _Text.of(text), earlier.check)

    def empty(self, label: str, known: Known, text: str) -> None:
        """Enter a claim that says nothing that could fail."""
        self._enter(label, _Text.of(text), lambda: Finding(Ruling.VACUOUS, known=known))

    def undecided(self, label: str, text: str) -> None:
        """Enter a claim that calculation does not decide: history, opinion."""
        self._enter(label, _Text.of(text), lambda: Finding(Ruling.NOT_DECIDED, known=Known.UNCHECKED))

    def script(self, confirm: Callable[..., None]) -> None:
        """Enter what confirms the claim, or the family, just entered."""
        for i in self.latest:
            self.claims[i] = replace(self.claims[i], confirm=confirm)

    def _enter(self, label: str, text: _Text, find: Callable[[], Finding], **more: Any) -> None:
        entered = Claim(
            id=f"{self.document}-{label}", check=lambda: text.beside(find()),
            confirm=more.get("script"), values=more.get("values", {}),
        )  # fmt: skip
        self.claims.append(entered)


class _Text(NamedTuple):
    """What a row shows."""

    shown: str = ""
    only: str = ""

    @classmethod
    def of(cls, text: str, head: str = "", values: Mapping[str, Any] = MappingProxyType({})) -> _Text:
        """The text after the head, read field by field, with the values filled in."""
        whole = f"{head}\n{inspect.cleandoc(text)}"
        for name, value in values.items():
            whole = whole.replace(f"<{name}>", str(value))
        first, *parts = _FIELD.split(whole)
        given = {"head": first} | {name.lower(): part for name, part in zip(parts[::2], parts[1::2], strict=True)}
        fields = {name: " ".join(part.split()) for name, part in given.items()}
        if marked := re.search("`(.+?)`", fields.pop("head")):
            fields["shown"] = f"{marked[1]} vs {fields.pop('exact')}" if "exact" in fields else marked[1]
        return cls(**fields)

    def beside(self, found: Finding) -> Finding:
        """The finding, with what the row shows."""
        said, both, exact = self.shown.partition(" vs ")
        sides = (said, exact) if both else (found.said or said, found.exact or said)
        over = self.only if found.ruling is Ruling.ONLY_FOR and self.only else found.over
        return replace(found, said=sides[0], exact=sides[1], over=over)
