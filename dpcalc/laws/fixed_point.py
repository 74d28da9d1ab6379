r"""Pooled counts in fixed point: lower bounds of their masses in units of 2^-bits, every floor counted.

X is the sum of the *other* reports, independent in kinds (a, c): c reports that are 1 with probability a. The changed
record adds J, k reports that are 1 with probability x_0 under P_0 and x_1 >= x_0 under P_1: S = X + J.

Everything held is a list of integers X_i <= T x_i, x a pmf and T a known integer, ``total``. Then for every event I

    0 <= T x(I) - X(I) <= T - sum_i X_i.                                                                     (10.1)

So no error is followed from term to term: what is missing in all bounds what is missing from any event. F is ``bits``.

1. *One kind*, Binomial(N, a) with mode M: X_M = 2^F and X_{i+1} = floor(X_i r_i), r_i = x_{i+1} / x_i <= 1, upwards
   from M until it is 0; likewise downwards. After f floors the total is 2^F sum X / (2^F - f), rounded up (10.2). Odds
   a / (1 - a) too long to compute with are rounded down to 2^-G, 2^G >= N 2^F: a second floor at each step.
2. *Several kinds*: floor(2^-F sum_j X_j Y_{i-j}) <= 2^-F T_x T_y (x * y)_i, and T is 2^-F T_x T_y rounded up (10.3).
3. *The pair*: the changed reports are one more kind, brought to the total 2^F by floors, so that both lists have one.
   Their divergence is that of P_0 and P_1, up to what is missing (10.4, 10.5, ``pairs.listed``).

The width of a divergence is about (1 + lambda) terms 2^-F: more bits reach any relative width. Time and memory grow
with the terms, about 4 sqrt(F) standard deviations of X: see ``fits``.

Source: K16's generating function G_m; proof notes, 10.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import reduce

from flint import fmpz_poly

from dpcalc.errors import DomainError
from dpcalc.laws.circle import Factor

_BITS_HELD = 1 << 17  # bits of terms that are built about as fast as one inversion
_MOST_BITS = 1 << 26  # however many questions


@dataclass(frozen=True, slots=True)
class LowerMasses:
    """Lower bounds of ``total`` times a pmf, from the value ``first`` on; 0 elsewhere."""

    first: int
    terms: list[int]
    total: int

    def times(self, other: LowerMasses, bits: int) -> LowerMasses:
        """The law of the independent sum, in units of 2^-bits (step 2)."""
        terms = [int(term) >> bits for term in (fmpz_poly(self.terms) * fmpz_poly(other.terms)).coeffs()]
        return LowerMasses(self.first + other.first, terms, -(-self.total * other.total >> bits))


def fits(others: Sequence[Factor], bits: int = 128, questions: int = 1) -> bool:
    """Whether a pair of these sizes is built about as fast as so many questions are answered by Fourier inversion.

    The terms of a kind reach as far as Bernstein's bound of its tails exceeds 2^-bits.
    """
    terms = 0.0
    for a, count in others:
        chance = a.numerator / a.denominator
        terms += min(count, 2 * tail_reach(count * chance * (1 - chance), bits * math.log(2)))
    return terms * bits <= min(_BITS_HELD * questions, _MOST_BITS)


def tail_reach(variance: float, nats: float) -> float:
    """How far from its mean a count may lie with a chance above e^-nats, by Bernstein's bound of its tails."""
    return nats / 3 + math.sqrt(nats**2 / 9 + 2 * nats * variance)


def law(kinds: Sequence[Factor], bits: int) -> LowerMasses:
    """The sum of the reports in units of 2^-bits.

    Raises:
        DomainError: so few bits that the floors might lose everything.
    """
    each = [_binomial(count, a, bits) for a, count in kinds if count]
    return reduce(lambda x, y: x.times(y, bits), each) if each else LowerMasses(0, [1 << bits], 1 << bits)


def _binomial(count: int, a: Fraction, bits: int) -> LowerMasses:
    """Step 1."""
    if a in (0, 1):
        return LowerMasses(count * int(a), [1 << bits], 1 << bits)
    mode = (count + 1) * a.numerator // a.denominator
    u, v = a.numerator, a.denominator - a.numerator
    above, per_step = _falling(count, mode, u, v, bits)
    below, _ = _falling(count, count - mode, v, u, bits)
    terms = [*reversed(below), 1 << bits, *above]
    floors = per_step * (len(terms) + 1)  # the last one on each side left 0
    if floors >= 1 << bits:
        raise DomainError("bits", bits, f"at least {floors.bit_length()} for {count:,} reports")
    return LowerMasses(mode - len(below), terms, -((sum(terms) << bits) // (floors - (1 << bits))))


def _falling(count: int, mode: int, u: int, v: int, bits: int) -> tuple[list[int], int]:
    """The terms above the mode for odds u/v, that of the mode being 2^bits; and how many floors each took."""
    precision, per_step = bits + count.bit_length(), 1
    if max(u, v).bit_length() > precision:
        u, v, per_step = (u << precision) // v, 1 << precision, 2
    terms, term = [], 1 << bits
    rise, fall = (count - mode) * u, (mode + 1) * v
    while term := term * rise // fall:
        terms.append(term)
        rise -= u
        fall += v
    return terms, per_step


def both(
    kinds: Sequence[Factor], own: tuple[Fraction, Fraction], k: int, bits: int
) -> tuple[list[int], list[int], int]:
    """Lower bounds of T P_0(S = s) and of T P_1(S = s), from the first s on that one is held for, and T (step 3)."""
    others, each = law(kinds, bits), [law([(x, k)], bits) for x in own]
    first, last = min(one.first for one in each), max(one.first + len(one.terms) for one in each)
    found, polynomial = [], fmpz_poly(others.terms)
    for one in each:
        terms = (polynomial * fmpz_poly([(term << bits) // one.total for term in one.terms])).coeffs()
        after = len(others.terms) - 1 + last - one.first - len(terms)
        found.append([0] * (one.first - first) + list(map(int, terms)) + [0] * after)
    likely, unlikely = found
    return likely, unlikely, others.total << bits
