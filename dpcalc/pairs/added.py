r"""The two laws of one count between which privacy is measured where n is hidden: with and without one record.

S is the pool of the others; the record adds R, k reports that are 1 with probability a (its own q or 1 - q). Then
P(S + R = i) / P(S = i) grows with i (S is log-concave, and R >= 0), without bound: S + R may exceed all that S can be,
so that delta of the larger pool over the smaller one never falls to 0. So they are ``laws``: P_0 = S and P_1 = S + R,
with k reports that are 1 with probability 0 and a; or counting the zeros, P_0 = those of S + R and P_1 = those of S and
k more, with k zeros of probability 1 - a and 1.

Adding a report to both pools is post-processing: the lemma of ``compositions`` on boxes holds for these pairs as well.
"""

from __future__ import annotations

from fractions import Fraction

from dpcalc.laws.pool import Pool
from dpcalc.pairs.two_laws import Laws


def added(others: Pool, a: Fraction, k: int, present: bool) -> Laws:
    """The two laws in the order of the module.

    Args:
        others: the reports of the others.
        a: a report of the record is 1 with this probability.
        k: how many reports it adds.
        present: whether the event is likelier with the record.
    """
    return Laws(others.flipped, (1 - a, Fraction(1)), k) if present else Laws(others, (Fraction(0), a), k)
