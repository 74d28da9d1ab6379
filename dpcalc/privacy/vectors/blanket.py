r"""An upper bound of delta for every dataset of records of several bits: the uniform blanket.

A report is, with probability gamma = (2q)^L, uniform whatever the record is: q^L is the least chance of any vector.
With one report each, revealing who was uniform leaves the changed record's report among uniform ones, so

    delta <= 1/(gamma n) E[(sum_{i <= m} W_i)_+],    m ~ Bin(n, gamma),
    W = 2^L (P[R(x) = Y] - lambda P[R(x') = Y]),     Y uniform,

the largest over the distance of x and x'. The k reports of a record are changed one after the other, as k n records
with one report each: delta(lambda) <= (1 + mu + ... + mu^{k-1}) delta_1(mu), mu = lambda^{1/k}. And no dataset leaks
more than the k reports of the changed record on their own.

Source: Balle, Bell, Gascon, Nissim 2019 (1903.02837), Lemma 5.3; group privacy for k > 1.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import comb

from dpcalc.counts.excess import mean_excess
from dpcalc.counts.smoothed import Atom
from dpcalc.errors import TooLarge, Undecided
from dpcalc.mechanisms.response import KRandomization, expect
from dpcalc.numbers.ball import MAX_EXPONENT
from dpcalc.numbers.elementary import root
from dpcalc.numbers.limit import Limit
from dpcalc.numbers.rational import Number
from dpcalc.privacy.pair import Composition, divergence

__all__ = ["blanket_bound", "largest_delta"]

_CROWD = 10  # uniform reports expected, below which they hide too little to be looked at
_LOOSE = Fraction(1, 100)  # relative width of what is only a bound
_FINE = Fraction(1, 10**12)


def blanket_bound(mechanism: KRandomization, *, lam: Number | None = None, epsilon: Number | None = None) -> Fraction:
    """A delta that no pair of neighbouring datasets exceeds, for any L and k.

    A rational that may be too long for Python to print: ``print(Enclosure.of(bound))`` shows its digits.

    Raises:
        DomainError: none or both of lam and epsilon; an argument out of range.

    Source: Balle, Bell, Gascon, Nissim 2019, Lemma 5.3, with the uniform blanket; group privacy for k > 1.

    >>> 0 < blanket_bound(KRandomization(n=1_000, q="1/4", bits=2), lam=2) < Fraction(1, 10**9)
    True
    """
    expect(mechanism, KRandomization)
    return largest_delta(mechanism, Limit.of(lam=lam, epsilon=epsilon).ends.lower)


def largest_delta(mechanism: KRandomization, lam: Fraction) -> Fraction:
    """The smaller of the blanket's bound and of what the changed record's reports leak alone."""
    alone = _alone(mechanism, lam)
    if alone == 0 or mechanism.reports * (2 * mechanism.q) ** mechanism.bits < _CROWD:
        return alone
    step = max(root(lam, mechanism.k).lower, Fraction(1))
    growth = _growth(lam, step, mechanism.k)
    return min(alone, growth * max(_blanket(mechanism, step, distance) for distance in range(1, mechanism.bits + 1)))


def _alone(mechanism: KRandomization, lam: Fraction) -> Fraction:
    """delta of the k reports of the changed record, without any other; just above it where it is not exact."""
    own = Composition(mechanism.q, mechanism.k * mechanism.bits, ones=0, zeros=0)
    try:
        return divergence(own, Limit(lam), rtol=_FINE).upper
    except TooLarge:  # too small to be held
        return Fraction(1, 1 << MAX_EXPONENT - 1)
    except Undecided:
        return Fraction(1)


def _growth(lam: Fraction, step: Fraction, k: int) -> Fraction:
    """A bound of 1 + mu + ... + mu^{k-1} for 1 <= mu = ``step`` <= lambda^{1/k}: the terms are at most lambda."""
    return Fraction(k) if step == 1 else min(k * lam, (lam - 1) / (step - 1))


def _blanket(mechanism: KRandomization, lam: Fraction, distance: int) -> Fraction:
    """The bound for k n records with one report each, x and x' at this distance."""
    p, q, bits, n = mechanism.p, mechanism.q, mechanism.bits, mechanism.reports
    chance, same = q**bits, bits - distance
    atoms: list[Atom] = [(Fraction(0), 1 - (2 * q) ** bits)]
    for wrong, ones in product(range(same + 1), range(distance + 1)):
        shared = p ** (same - wrong) * q**wrong / chance
        gain = shared * (p ** (distance - ones) * q**ones - lam * p**ones * q ** (distance - ones))
        atoms.append((gain, comb(same, wrong) * comb(distance, ones) * chance))
    # W / gamma = (P[R(x) = y] - lambda P[R(x') = y]) / q^L
    return mean_excess(atoms, n, rtol=_LOOSE).upper / n
