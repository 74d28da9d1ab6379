r"""An upper bound of delta for every dataset of records of several bits: the uniform blanket.

A report is, with probability gamma = (2q)^L, uniform whatever the record is: q^L is the least chance of any vector.
With one report each, revealing who was uniform leaves the changed record's report among uniform ones, so

    delta <= 1/(gamma n) E[(sum_{i <= m} W_i)_+],    m ~ Bin(n, gamma),
    W = 2^L (P[R(x) = Y] - lambda P[R(x') = Y]),     Y uniform.

It grows with the distance of x and x', so that it is largest for opposite vectors. For let x and x' agree in a bit, and
let A and B be 2^{L-1} times the chances of the other bits of Y from x and from x'. Given those, W is 2p or 2q times
A - lambda B, equally likely; with that bit of x' changed it is 2p A - 2q lambda B or 2q A - 2p lambda B. Both have the
mean A - lambda B, and they lie (p - q) |A - lambda B| and (p - q) (A + lambda B) away from it. So W becomes larger in
convex order, and with it the sum of independent W, and the mean of its positive part.

The k reports of a record are changed one after the other, as k n records with one report each: ``single_change``. And
no dataset leaks more than the k reports of the changed record on their own.

Source: Balle, Bell, Gascon, Nissim 2019 (1903.02837), Lemma 5.3; group privacy for k > 1.
"""

from __future__ import annotations

from fractions import Fraction
from math import comb

from dpcalc.mechanisms.response import KRandomization, expect
from dpcalc.notes.vectors.repeated_reports import count_delta, single_change
from dpcalc.numbers.limit import Limit
from dpcalc.numbers.rational import Number
from dpcalc.pairs.crowd import Crowd

_CROWD = 10  # uniform reports expected, below which they hide too little to be looked at
_MAX_BITS = 300  # beyond them only the record's own reports are looked at
_LOOSE = Fraction(1, 100)  # relative width of what is only a bound
_POINTS = 1 << 14
_FINE = Fraction(1, 10**12)


def blanket_bound(mechanism: KRandomization, *, lam: Number | None = None, epsilon: Number | None = None) -> Fraction:
    """A delta that no pair of neighbouring datasets exceeds, for any L and k.

    A rational that may be too long for Python to print: ``print(Enclosure.of(bound))`` shows its digits.

    Raises:
        DomainError: none or both of lam and epsilon; an argument out of range.
        TooLarge: lambda is beyond 2^1,000,000 and below the largest ratio.

    Source: Balle, Bell, Gascon, Nissim 2019, Lemma 5.3, with the uniform blanket; group privacy for k > 1.

    >>> 0 < blanket_bound(KRandomization(n=1_000, q="1/4", bits=2), lam=2) < Fraction(1, 10**9)
    True
    """
    expect(mechanism)
    limit = Limit.of(lam=lam, epsilon=epsilon)
    if limit.allows_power(mechanism.odds, mechanism.k * mechanism.bits):
        return Fraction(0)
    alone = count_delta(mechanism.q, mechanism.k * mechanism.bits, limit, ones=0, zeros=0, rtol=_FINE).upper
    bits = mechanism.bits
    if bits > _MAX_BITS or mechanism.reports * (2 * mechanism.q) ** bits < _CROWD:
        return alone
    return min(alone, _hidden(mechanism, limit))


def _hidden(mechanism: KRandomization, limit: Limit) -> Fraction:
    """The bound by the uniform reports of all records, however few."""
    step, growth = single_change(limit.ends.lower, mechanism.k)
    return growth * _crowd(mechanism).integrated(Limit(step), rtol=_LOOSE, points=_POINTS).upper


def _crowd(mechanism: KRandomization) -> Crowd:
    """The report of x or of the opposite x' among uniform ones; by the number of bits unlike x."""
    p, q, bits = mechanism.p, mechanism.q, mechanism.bits
    near = [comb(bits, i) * p ** (bits - i) * q**i for i in range(bits + 1)]
    return Crowd.of(near, near[::-1], [comb(bits, i) * q**bits for i in range(bits + 1)], mechanism.reports)
