"""delta of single bits, the pooled count of ``pairs.pair``, always as an enclosure."""

from __future__ import annotations

from fractions import Fraction

from dpcalc.errors import Undecided
from dpcalc.numbers.enclosure import Enclosure
from dpcalc.numbers.limit import Limit
from dpcalc.worst.datasets import Datasets


def count_delta(q: Fraction, repeats: int, limit: Limit, *, ones: int, zeros: int, rtol: Fraction) -> Enclosure:
    """delta of the changed record being 0 over its being 1, beside so many others; exact where it is rational."""
    try:
        return Datasets.symmetric(q, repeats, ones + zeros).pair(ones).divergence(limit, rtol=rtol)
    except Undecided:
        return Enclosure(Fraction(0), Fraction(1))
