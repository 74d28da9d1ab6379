"""K16: K-Randomization, Maxim Zhilyaev and David Zeber, 8 January 2016, section by section."""

from __future__ import annotations

from dpcalc.claims.k16 import (
    coefficients,
    conclusion,
    drafts_lists,
    drafts_one_zero,
    drafts_two_records,
    estimate,
    example,
    intervals,
    lemma,
    lemma_inequalities,
    local_bound,
    privacy,
    randomizer,
    ratio,
    repeated_bound,
    repeated_choice,
    repeated_estimate,
    repeated_ratio,
    repeating,
    theorem,
    vectors_by_counts,
    vectors_by_set_bits,
)

__all__ = ["CLAIMS"]

_PARTS = (
    randomizer,
    privacy,
    estimate,
    theorem,
    coefficients,
    lemma,
    lemma_inequalities,
    conclusion,
    ratio,
    local_bound,
    example,
    intervals,
    repeating,
    repeated_estimate,
    repeated_choice,
    repeated_ratio,
    repeated_bound,
    vectors_by_counts,
    vectors_by_set_bits,
    drafts_two_records,
    drafts_lists,
    drafts_one_zero,
)
CLAIMS = [claim for part in _PARTS for claim in part.ledger.claims]
