"""K16, sections 4.1 and 4.2: the estimate, and the collection that maximizes the ratio of an outcome."""

from __future__ import annotations

from dpcalc.claims.claim import Ledger

__all__ = ["ledger"]

ledger = Ledger("K16")
