"""Asymmetric reports by their definition: every dataset, both directions, report by report, in fractions.

A report is 1 with probability a if the bit is 1 and with probability b if it is 0. No order of outcomes, no worst
dataset and no symmetry is assumed.
"""

from fractions import Fraction
from itertools import product

from tests.oracles.hockey_stick import excess, pmf
from tests.oracles.rounds import adaptive_among


def law(chances):
    """P[S = s] of independent reports that are 1 with these chances."""
    return dict(enumerate(pmf([(Fraction(chance), 1) for chance in chances])))


def count(bits, a, b, k):
    """The law of the pooled count of these bits."""
    return law([a if bit else b for bit in bits for _ in range(k)])


def everything(n, a, b, k, lam):
    """delta for every (ones of the others, bit of the likelier dataset)."""
    found = {}
    for others in product((0, 1), repeat=n - 1):
        if (sum(others), 0) not in found:
            laws = [count((*others, bit), a, b, k) for bit in (0, 1)]
            for bit in (0, 1):
                found[sum(others), bit] = excess(laws[bit], laws[1 - bit], lam)
    return found


def together(laws):
    """The joint law of independent counts."""
    found = {(): Fraction(1)}
    for one in laws:
        found = {(*seen, s): p * r for seen, p in found.items() for s, r in one.items()}
    return found


def several(n, chances, times, lam):
    """The largest delta of so many rounds of one bit over all strategies, every direction in every round."""
    a, b, k = chances
    laws = ([count((*(1,) * m, *(0,) * (n - 1 - m), bit), a, b, k) for bit in (0, 1)] for m in range(n))
    each = [([(one[i][s], one[1 - i][s]) for s in one[0]],) for one in laws for i in (0, 1)]
    return adaptive_among([each] * times, lam)


def sampled(bits, a, b, k, share, numbered):
    """The law of (how many clients report, the ones among their reports), or of the ones alone, client by client."""
    found = {(0, 0): Fraction(1)}
    for bit in bits:
        own = {(0, 0): 1 - share}
        for s, p in count((bit,), a, b, k).items():
            own[1, s] = share * p
        after = {}
        for (t, s), p in found.items():
            for (more, ones), r in own.items():
                after[t + more, s + ones] = after.get((t + more, s + ones), 0) + p * r
        found = after
    if numbered:
        return found
    seen = {}
    for (_, s), p in found.items():
        seen[s] = seen.get(s, 0) + p
    return seen
