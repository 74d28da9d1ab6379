"""K16: K-Randomization, Maxim Zhilyaev and David Zeber, 8 January 2016, section by section."""

from __future__ import annotations

from tests.notes.ledger.k16 import choice, drafts, local, repeating, setting, vectors

__all__ = ["CLAIMS"]

CLAIMS = [claim for part in (setting, choice, local, repeating, vectors, drafts) for claim in part.ledger.claims]
