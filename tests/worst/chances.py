"""The chances of a report of 1 that the passes of doubles ask for."""

import math
from fractions import Fraction
from itertools import accumulate

from dpcalc.worst import in_arrays
from dpcalc.worst.circle import CommonTilt, TooMany
from dpcalc.worst.compositions import Box
from dpcalc.worst.one_pass import lowered, together
from tests.oracles.scan import times


def flipping(q):
    """Of a bit that is flipped with probability q: if it is 0, and if it is 1."""
    return Fraction(q), 1 - Fraction(q)


def any_chances(draw):
    """Chances b < a of a report of 1, often far from those of flips, and sometimes next to 0 or 1."""
    b = Fraction(draw.randint(1, 60), 100)
    a = b + (1 - b) * Fraction(draw.randint(5, 95), 100)
    rare = Fraction(1, 10 ** draw.choice([0, 0, 0, 2, 8]))
    return draw.choice([(b * rare, a), (b, 1 - (1 - a) * rare)])


def asymmetric_deltas(own, k, others, lam):
    """delta_m for every m, by its definition, in whole numbers."""
    unit = math.lcm(*(chance.denominator for chance in own), lam.denominator)
    zero, one = ([int(unit * (1 - chance)), int(unit * chance)] for chance in own)
    zeros, ones = (powers(report, k * max(others, 1)) for report in (zero, one))
    up, down, whole = lam.numerator, lam.denominator, unit ** (k * (others + 1))
    found = []
    for m in range(others + 1):
        seen = times(ones[k * m], zeros[k * (others - m)])
        pairs = zip(times(seen, zeros[k]), times(seen, ones[k]), strict=True)
        found.append(Fraction(sum(max(0, down * p - up * q) for p, q in pairs), down * whole))
    return found


def powers(report, most):
    """The powers 0, 1, ..., most of a polynomial."""
    return list(accumulate(range(most), lambda power, _: times(power, report), initial=[1]))


def worst(own, k, others, lam, *, rtol, **more):
    """The largest delta at one limit; None where it is not served."""
    (found,) = together(own, k, others, [lam], [rtol], [(0, others)], **more)
    return None if found is None else found[0]


def singles(own, k, others, lam, ms, *, rtol=1e-9, pools=in_arrays):
    """Enclosures of delta_m for some m, each by its own pool; None where none is served."""
    saddle = CommonTilt.of(own, k, k * (others + 1), lam)
    if saddle is None:
        return None
    saddle = saddle.lifted([(m, others - m) for m in ms])
    try:
        (lower,), (upper,) = pools.deltas([saddle], ms, [others - m for m in ms], rtol)
    except TooMany:
        return None
    return [(lowered(low, saddle), lowered(high, saddle)) for low, high in zip(lower, upper, strict=True)]


def box(low, high):
    """So many ones at least and at most among single bits, the changed record 0 over 1."""
    return Box(0, (0, 1), (low,), (high,))


def enveloped(datasets, low, high, limit, level=Fraction(0)):
    """The envelope of single bits alone; 1 where it proves nothing."""
    over = datasets.compositions.over(box(low, high), limit, rtol=Fraction(1, 10**20))
    return over.envelope((Fraction(0), Fraction(1)), level=level) or Fraction(1)
