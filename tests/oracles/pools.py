"""h_t and d_t of one pool in Fractions."""

from fractions import Fraction
from functools import cache

from tests.oracles.scan import powers, times


@cache
def pool(q, k, a, b, lam):
    """d_0, d_1, ... of a pool: a reports that are 1 with probability p, b with q, and the changed record's k."""
    grown = times(powers([q, 1 - q], a), powers([1 - q, q], b))
    zero, one = (times(grown, powers(list(pair), k)) for pair in ((1 - q, q), (q, 1 - q)))
    return [x - lam * y for x, y in zip(zero, one, strict=True)]


def truth(q, k, a, b, lam, t):
    """h_t, d_{t-1}, d_t, d_{t+1}, d_{t+2}."""
    d = [Fraction(0), *pool(q, k, a, b, lam), Fraction(0), Fraction(0), Fraction(0)]
    return [sum(d[: t + 2]), d[max(t, 0)], d[t + 1], d[t + 2], d[t + 3]]
