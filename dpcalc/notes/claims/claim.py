"""A claim of a document and its verdict, as they are recorded."""

from __future__ import annotations

import re
from dataclasses import asdict, dataclass
from enum import StrEnum
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
class Claim:
    """One statement of a document, what became of it, and what shows that.

    Attributes:
        id: permanent name, such as K16-4.45.
        where: the document's own label and section.
        statement: what it says, in our words.
        words: the document's own words or label, by which its reader finds it.
        ruling, known: the verdict, and how it is known.
        assuming: the assumptions under which it is read.
        quote: for an erratum, the document's own words.
        note: what the document says about the whole section, if that matters.
        said, exact: the document's value or formula, and the true one.
        over: the range on which it holds, where that is less than what is claimed.
        tested: the cases gone through, and how many; empty when none were needed.
        witness: where it fails, exactly.
        why: the argument.
        call: an expression of Python that computes what it is about, for an example; dp is dpcalc.
        weight: 6 to 4 for what changes the q that the notes advise, most first; 3 if other numbers that people choose
            by it change, 2 if the mathematics does, 1 for a slip of the pen; 0 for no erratum.
        same_as: the ID of the claim of which this is a repetition; its verdict is this one's.
        verified: the notebook's cell or the test that shows the verdict; empty if nothing could fail.
    """

    id: str
    where: str
    statement: str
    words: str
    ruling: Ruling
    known: Known
    assuming: str = ""
    quote: str = ""
    note: str = ""
    said: str = ""
    exact: str = ""
    over: str = ""
    tested: str = ""
    witness: str = ""
    why: str = ""
    call: str = ""
    weight: int = 0
    same_as: str = ""
    verified: str = ""

    @property
    def document(self) -> str:
        """The document's short name."""
        return self.id.partition("-")[0]

    @property
    def shown(self) -> tuple[str, ...]:
        """What shows the verdict and, of an erratum that a cell shows, the test that confirms it in fractions."""
        test = f"tests/notes/ledger/test_verdicts.py::test_erratum[{self.same_as or self.id}]"
        celled = self.ruling.erratum and self.verified.startswith("notebooks/")
        return tuple(filter(None, (self.verified, test if celled else "")))

    @property
    def reason(self) -> str:
        """The argument's first sentence: the dots of ... and of digits that go on end none."""
        return re.split(r"(?<=[^.]\.) ", self.why.replace("\n", " "), maxsplit=1)[0]

    def to_dict(self) -> dict[str, Any]:
        """A JSON document."""
        return asdict(self) | {"document": self.document, "ruling": self.ruling.value, "known": self.known.value}
