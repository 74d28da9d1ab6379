"""A claim as it is verified: a check that computes what is true, or a few lines that confirm an erratum."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from dpcalc.notes.claims.claim import Known, Ruling


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
    check: Callable[[], Finding] | None = None  # computes the finding; None if a cell of a notebook shows it
    confirm: Callable[..., str] | None = None  # of an erratum that a cell shows: its witness, by Fractions
    values: Mapping[str, Any] = field(default_factory=dict)  # of its parameters
