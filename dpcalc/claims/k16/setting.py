"""K16, sections 1 to 3: the randomizer, differential privacy, anonymity."""

from __future__ import annotations

from dpcalc.claims.claim import Ledger

__all__ = ["ledger"]

ledger = Ledger("K16")
