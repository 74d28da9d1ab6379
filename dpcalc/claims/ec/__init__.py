"""EC: notes on epsilon-closeness and on randomized response with parameter alpha, section by section."""

from __future__ import annotations

from dpcalc.claims.ec import accuracy, closeness, distances, privacy, response, subsets

__all__ = ["CLAIMS"]

_PARTS = (closeness, distances, subsets, response, accuracy, privacy)
CLAIMS = [claim for part in _PARTS for claim in part.ledger.claims]
