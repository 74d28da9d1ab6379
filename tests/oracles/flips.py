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


def neighbours(n, ones):
    """The datasets whose changed record is 0 and 1, with ``ones`` ones among the others."""
    others = (1,) * ones + (0,) * (n - 1 - ones)
    return (0, *others), (1, *others)


def ratio(n, q, k, s, ones):
    """P[S = s] with the changed record 0, over the same with the changed record 1."""
    zero, one = neighbours(n, ones)
    return pmf(zero, q, k)[s] / pmf(one, q, k)[s]
