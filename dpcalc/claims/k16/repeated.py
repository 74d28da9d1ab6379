"""K16, section 5: every record randomized k times."""

from __future__ import annotations

from dpcalc.claims.claim import Ledger

__all__ = ["ledger"]

ledger = Ledger("K16")
