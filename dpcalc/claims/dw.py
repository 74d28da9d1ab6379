"""DW, claim by claim."""

from __future__ import annotations

from dpcalc.claims.claim import Ledger

__all__ = ["CLAIMS"]

_ledger = Ledger("DW")

CLAIMS = _ledger.claims
