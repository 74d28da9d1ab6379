"""KTEX, claim by claim."""

from __future__ import annotations

from dpcalc.claims.claim import Ledger

__all__ = ["CLAIMS"]

_ledger = Ledger("KTEX")

CLAIMS = _ledger.claims
