"""LOC: notes on local privacy, binary sums by randomized response and what no local protocol can beat, part by part.

Where a part needs what privacy grants, it is taken as the notes take it: the two probabilities of a message, given
either bit, are within a factor e^{2 epsilon} of each other. The usual definition of epsilon-local privacy grants
e^epsilon.
"""

from __future__ import annotations

from tests.notes.ledger.loc import bounds, cases, lemmas

__all__ = ["CLAIMS"]

CLAIMS = [claim for part in (bounds, cases, lemmas) for claim in part.ledger.claims]
