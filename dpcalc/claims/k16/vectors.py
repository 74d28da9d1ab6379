"""K16, sections 6 to 8: records of several bits."""

from __future__ import annotations

from dpcalc.claims.claim import Ledger

__all__ = ["ledger"]

ledger = Ledger("K16")
