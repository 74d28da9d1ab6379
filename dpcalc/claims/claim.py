"""A claim of a document is data: what it says, and a check that computes what is true."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

__all__ = ["Claim", "Finding", "Ledger", "Ruling", "Verdict"]


class Ruling(StrEnum):
    """What becomes of a claim."""

    PROVEN = "proven"  # an identity or inequality shown for every value, the argument in the check's docstring
    HOLDS = "holds"  # checked exhaustively on a stated finite range, or a number that rounds as printed
    ONLY_FOR = "holds only for"  # true on a stated range, with a witness outside
    CORRECTED = "corrected"  # a misprint: what it says, what is true
    REFUTED = "refuted"  # false, with an exact witness
    VACUOUS = "vacuous"  # says nothing that could fail

    @property
    def erratum(self) -> bool:
        """Whether the document has to change."""
        return self in (Ruling.ONLY_FOR, Ruling.CORRECTED, Ruling.REFUTED)


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """What a check computed.

    Attributes:
        ruling: what becomes of the claim.
        said: the document's value or formula.
        exact: the true one.
        over: the range on which it was checked, or on which it holds.
        witness: where it fails, exactly.
    """

    ruling: Ruling
    said: str = ""
    exact: str = ""
    over: str = ""
    witness: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """One statement of a document.

    Attributes:
        id: permanent name, such as ``K16-4.45``.
        where: the document's own label and section.
        statement: what it says, in our words.
        assuming: the assumptions under which it is read.
        check: computes the finding; its docstring is the derivation.
        script: for an erratum, a few lines of Python with Fractions only that confirm it.
    """

    id: str
    where: str
    statement: str
    assuming: str
    check: Callable[[], Finding]
    script: str

    @property
    def document(self) -> str:
        """The document's short name."""
        return self.id.partition("-")[0]

    @property
    def derivation(self) -> str:
        """The argument, as the check's docstring gives it."""
        return inspect.getdoc(self.check) or ""

    @property
    def reason(self) -> str:
        """The derivation's first sentence."""
        first = self.derivation.partition("\n\n")[0].replace("\n", " ")
        head, stop, _ = first.partition(". ")
        return head + stop.strip()

    def verdict(self) -> Verdict:
        """The claim with what its check finds."""
        return Verdict(claim=self, finding=self.check())


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """A claim and what became of it."""

    claim: Claim
    finding: Finding

    @property
    def id(self) -> str:
        """The claim's permanent name."""
        return self.claim.id

    @property
    def ruling(self) -> Ruling:
        """What becomes of the claim."""
        return self.finding.ruling

    def to_dict(self) -> dict[str, Any]:
        """A JSON document of strings."""
        claim, finding = self.claim, self.finding
        return {
            "id": claim.id, "document": claim.document, "where": claim.where, "statement": claim.statement,
            "assuming": claim.assuming, "ruling": finding.ruling.value, "said": finding.said, "exact": finding.exact,
            "over": finding.over, "witness": finding.witness, "derivation": claim.derivation, "script": claim.script,
        }  # fmt: skip


@dataclass(frozen=True, slots=True)
class Ledger:
    """The claims of one part of a document, in its order.

    Attributes:
        document: the document's short name.
        claims: as they were entered, by ``claim``.
    """

    document: str
    claims: list[Claim] = field(default_factory=list)

    def claim(
        self, label: str, *, where: str, says: str, assuming: str = "", script: str = ""
    ) -> Callable[[Callable[[], Finding]], Callable[[], Finding]]:
        """Enter the check that follows as the claim ``document-label``."""

        def enter(check: Callable[[], Finding]) -> Callable[[], Finding]:
            name = f"{self.document}-{label}"
            lines = inspect.cleandoc(script)
            self.claims.append(
                Claim(id=name, where=where, statement=says, assuming=assuming, check=check, script=lines)
            )
            return check

        return enter
