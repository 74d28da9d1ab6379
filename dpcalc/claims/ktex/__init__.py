"""KTEX: the LaTeX rework of K16, section by section."""

from __future__ import annotations

from dpcalc.claims.ktex import maximal, privacy, reporting, rows

__all__ = ["CLAIMS"]

_PARTS = (privacy, reporting, maximal, rows)
CLAIMS = [claim for part in _PARTS for claim in part.ledger.claims]
