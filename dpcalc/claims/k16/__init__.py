"""K16: K-Randomization, Maxim Zhilyaev and David Zeber, 8 January 2016, section by section."""

from __future__ import annotations

from dpcalc.claims.k16 import choice, drafts, local_bound, repeated, setting, vectors

__all__ = ["CLAIMS"]

_PARTS = (setting, choice, local_bound, repeated, vectors, drafts)
CLAIMS = [claim for part in _PARTS for claim in part.ledger.claims]
