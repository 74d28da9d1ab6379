"""DW: notes on chapter 2 of Dwork's and Roth's text, section by section."""

from __future__ import annotations

from dpcalc.claims.dw import databases, definition, leakage, processing, proof, response

__all__ = ["CLAIMS"]

_PARTS = (databases, definition, leakage, response, processing, proof)
CLAIMS = [claim for part in _PARTS for claim in part.ledger.claims]
