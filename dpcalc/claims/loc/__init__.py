"""LOC: notes on local privacy, binary sums by randomized response and what no local protocol can beat, part by part.

Where a part needs what privacy grants, it is taken as the notes take it: the two probabilities of a message, given
either bit, are within a factor e^{2 epsilon} of each other. The usual definition of epsilon-local privacy grants
e^epsilon.
"""

from __future__ import annotations

from dpcalc.claims.loc import (
    case_one,
    case_two,
    estimate,
    estimate_error,
    gap,
    lemma_1,
    lemma_2,
    lemma_3,
    outline,
    reduction,
    views,
)

__all__ = ["CLAIMS"]

_PARTS = (estimate, estimate_error, outline, gap, case_one, views, case_two, reduction, lemma_1, lemma_2, lemma_3)
CLAIMS = [claim for part in _PARTS for claim in part.ledger.claims]
