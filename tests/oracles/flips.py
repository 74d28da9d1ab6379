"""The pooled count by listing every flip pattern: single-bit records, k reports each. Shares no code."""

from fractions import Fraction
from functools import cache
from itertools import product


@cache
def pmf(bits, q, k):
    """P[S = s] for s = 0, ..., k n; ``bits`` are the n records."""
    truth = [bit for bit in bits for _ in range(k)]
    found = [Fraction(0)] * (len(truth) + 1)
    for flips in product((0, 1), repeat=len(truth)):
        lies = sum(flips)
        found[sum(bit ^ flip for bit, flip in zip(truth, flips, strict=True))] += q**lies * (1 - q) ** (
            len(truth) - lies
        )
    return tuple(found)
