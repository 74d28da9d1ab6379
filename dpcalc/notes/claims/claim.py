"""A claim of a document is data: what it says, and a check that computes what is true."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from itertools import takewhile
from textwrap import dedent
from typing import Any


class Ruling(StrEnum):
    """What becomes of a claim."""

    PROVEN = "proven"  # true for every value; how that is known is said beside it
    HOLDS = "holds"  # a number that rounds as printed, an example, a statement about the cases named
    ONLY_FOR = "holds only for"  # true on a stated range, with a witness outside
    CORRECTED = "corrected"  # a misprint: what it says, what is true
    REFUTED = "refuted"  # false, with an exact witness
    VACUOUS = "vacuous"  # says nothing that could fail
    NOT_DECIDED = "not decided"  # history or opinion: could fail, but not by calculation

    @property
    def erratum(self) -> bool:
        """Whether the document has to change."""
        return self in (Ruling.ONLY_FOR, Ruling.CORRECTED, Ruling.REFUTED)


class Known(StrEnum):
    """How a verdict is known."""

    IDENTITY = "identity"  # in symbols, for all values
    EXHAUSTED = "exhausted"  # finitely many cases, and these are all there are
    ARGUED = "argued"  # a proof in prose, tested on the range that is printed
    COMPUTED = "computed"  # numbers, or one witness, certified
    DEFINITION = "definition"  # true by what its words mean
    UNCHECKED = "not checked"  # history, opinion, a goal, an empty line


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """What a check computed; certified numbers, unless ``known`` says more or less."""

    ruling: Ruling = field(kw_only=False)
    known: Known = Known.COMPUTED
    said: str = ""  # the document's value or formula
    exact: str = ""  # the true one
    over: str = ""  # the range on which it holds, where that is less than what is claimed
    tested: str = ""  # the cases gone through, and how many; empty when none were needed
    witness: str = ""  # where it fails, exactly


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """One statement of a document."""

    id: str  # permanent name, such as K16-4.45
    where: str  # the document's own label and section
    statement: str  # what it says, in our words
    assuming: str = ""  # the assumptions under which it is read
    quote: str = ""  # for an erratum, the document's own words
    note: str = ""  # what the document says about the whole section, if that matters
    derivation: str = ""  # the argument
    call: str = ""  # an expression of Python that computes what it is about, for an example; dp is dpcalc
    check: Callable[[], Finding]  # computes the finding
    confirm: Callable[..., None] | None = None  # for an erratum, a few lines with Fractions only that confirm it
    values: Mapping[str, Any] = field(default_factory=dict)  # of its parameters

    @property
    def document(self) -> str:
        """The document's short name."""
        return self.id.partition("-")[0]

    @property
    def reason(self) -> str:
        """The derivation's first sentence: the dots of ... and of digits that go on end none."""
        return re.split(r"(?<=[^.]\.) ", self.derivation.replace("\n", " "), maxsplit=1)[0]

    @property
    def script(self) -> str:
        """The source of ``confirm`` as a script that can be run by itself, or nothing."""
        if self.confirm is None:
            return ""
        lines, first = inspect.findsource(self.confirm)  # from its decorator on
        first = next(i for i in range(first, len(lines)) if lines[i].startswith("def ")) + 1
        body = "".join(takewhile(lambda line: line[0].isspace(), lines[first:])).rstrip()
        names = self.confirm.__code__.co_varnames[: self.confirm.__code__.co_argcount]
        given = [f"{name} = {self.values[name]!r}" for name in names]
        return "\n".join([*_imports(self.confirm), *given, dedent(body)])

    def verdict(self) -> Verdict:
        """The claim with what its check finds."""
        return Verdict(claim=self, finding=self.check())


def _imports(function: Callable[..., None]) -> list[str]:
    """The import statements of the names that a function takes from its module."""
    spaces, codes = function.__globals__, [function.__code__]
    for code in codes:  # and the functions within it
        codes += [constant for constant in code.co_consts if inspect.iscode(constant)]
    names = sorted({name for code in codes for name in code.co_names if name in spaces})
    found = [(spaces[name].__module__, spaces[name].__name__, name) for name in names]
    return [f"from {home} import {own}" + (f" as {name}" if name != own else "") for home, own, name in found]


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

    @property
    def known(self) -> Known:
        """How that is known."""
        return self.finding.known

    def to_dict(self) -> dict[str, Any]:
        """A JSON document of strings."""
        claim, finding = self.claim, self.finding
        return {
            "id": claim.id, "document": claim.document, "where": claim.where, "statement": claim.statement,
            "assuming": claim.assuming, "quote": claim.quote, "note": claim.note, "ruling": finding.ruling.value,
            "known": finding.known.value, "said": finding.said, "exact": finding.exact,
            "over": finding.over or finding.tested, "tested": finding.tested, "witness": finding.witness,
            "derivation": claim.derivation, "call": claim.call, "script": claim.script,
        }  # fmt: skip
