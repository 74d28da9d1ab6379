"""LOC, claim by claim."""

from __future__ import annotations

from dpcalc.claims.claim import Ledger

__all__ = ["CLAIMS"]

_ledger = Ledger("LOC")

CLAIMS = _ledger.claims
