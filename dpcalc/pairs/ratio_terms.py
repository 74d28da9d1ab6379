r"""The ratios R_s of all outcomes s: one record changed from 1 to 0 beside others of any composition.

Let N = k n reports be pooled, A = q + p x and B = p + q x. With m ones among the other n - 1 records,

    R_s = [x^s] B^k Q / [x^s] A^k Q,    Q = A^{km} B^{k(n-1-m)}.

**All records 1** (m = n - 1). The denominator is C(N, s) p^s q^{N-s}; the numerator c_s = [x^s] B^k A^{N-k} obeys the
recurrence of ``laws.pmf``. Divided by C(N, s) p^s q^{N-s} this is

    p^2 (N - s) R_{s+1} = (p^2 (N - s) - q^2 s - k (p^2 - q^2)) R_s + q^2 s R_{s-1},                            (1)

or, for the fall d_s = R_s - R_{s+1} from an outcome to the next, p^2 (N - s) d_s + q^2 s d_{s-1} = k (p^2 - q^2) R_s.
With q = u/D and v = D - u, E_s = C(N, k) (u v)^k R_s = sum_j C(N - s, k - j) C(s, j) v^{2(k-j)} u^{2j} is an integer of
about 2 k log2(v) bits whatever n is; E_0 = C(N, k) v^{2k}. So (1) costs a few short products for each outcome, and no
pmf. Only a block of outcomes is held: there is no n too large.

All other records 0: the mirror, R_s = 1/R_{N-s}, as counting zeros exchanges 0 and 1.

**Other datasets.** Numerator and denominator are two pmfs of N reports, each by its recurrence: two pmfs cost less than
one pmf Q and k + 1 products for each outcome. Where they do not fit, both are enclosed.

Source: K16, (4.32), (5.9); the recurrence (1) is that of the Krawtchouk polynomials, in s.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import comb

from flint import arb

from dpcalc.laws.pool import Pool
from dpcalc.laws.recurrence import Recurrence
from dpcalc.laws.terms import BITS, Numbers
from dpcalc.numbers.ball import ball
from dpcalc.pairs.likelihood import likelihood_mean, ratio_at

_SHORT = 40_000  # bits: a step takes some microseconds
_MOST_BYTES = 10**9  # of both pmfs together: some ten seconds


@dataclass(frozen=True)
class AllOnes(Numbers):
    """R_s for all records 1.

    Attributes:
        total: N.
        k, q: reports per record, and the flip probability.

    >>> AllOnes(2, 1, Fraction(1, 4)).integers(0, 3)
    ([18, 10, 2], 6)
    """

    total: int
    k: int
    q: Fraction

    @property
    def size(self) -> int:
        """N."""
        return self.total

    @property
    def needs(self) -> tuple[int, int, str]:
        """2 k log2(D) bits for each, about, however many there are."""
        return 2 * self.k * self.q.denominator.bit_length(), _SHORT, "bits each"

    @property
    def recurrence(self) -> Recurrence:
        """(1)."""
        u, v = self.q.numerator**2, (self.q.denominator - self.q.numerator) ** 2
        return Recurrence((v * self.total, -v), (v * self.total - self.k * (v - u), -u - v), (0, u))

    def integers(self, low: int, high: int) -> tuple[list[int], int]:
        """E_s, and C(N, k) (u v)^k."""
        u = self.q.numerator
        below: int = comb(self.total, self.k) * (u * (self.q.denominator - u)) ** self.k
        before, first = (self._at(s, below) if s >= 0 else 0 for s in (low - 1, low))
        return list(map(int, self.recurrence.integers(low, high, before, first))), below

    def _at(self, s: int, below: int) -> int:
        found = likelihood_mean(self.q, self.k, (self.total - s, s))
        return found.numerator * (below // found.denominator)

    def balls(self, low: int, high: int) -> list[arb]:
        """From two neighbours by (5.9)."""
        return self.recurrence.balls(low, high, lambda s: ratio_at(self.total, self.k, arb(s), ball(self.q)))


@dataclass(frozen=True)
class AllZeros(Numbers):
    """R_s beside records that are all 0: with every bit's meaning exchanged, 1/R_{N-s} beside records that are all 1.

    Attributes:
        mirror: those ratios.
    """

    mirror: AllOnes

    @property
    def size(self) -> int:
        """N."""
        return self.mirror.size

    @property
    def needs(self) -> tuple[int, int, str]:
        """As the mirror."""
        return self.mirror.needs

    def integers(self, low: int, high: int) -> tuple[list[int], list[int]]:
        """Those of the mirror, numerators and denominators exchanged."""
        above, below = self.mirror.integers(self.size + 1 - high, self.size + 1 - low)
        return [below] * len(above), above[::-1]

    def balls(self, low: int, high: int) -> list[arb]:
        """1/R."""
        return [1 / x for x in reversed(self.mirror.balls(self.size + 1 - high, self.size + 1 - low))]


@dataclass(frozen=True)
class Quotient(Numbers):
    """P[S = s] of one pool over that of another, of as many reports.

    Attributes:
        zero, one: the pools of D', where the changed record is 0, and of D, where it is 1.
    """

    zero: Pool
    one: Pool

    @property
    def size(self) -> int:
        """N."""
        return self.one.size

    @property
    def needs(self) -> tuple[int, int, str]:
        """Both pmfs."""
        return self.zero.pmf_bytes + self.one.pmf_bytes, _MOST_BYTES, "bytes"

    @cached_property
    def _weights(self) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """Both have the denominator D^N."""
        return self.zero.pmf().weights, self.one.pmf().weights

    def integers(self, low: int, high: int) -> tuple[Sequence[int], Sequence[int]]:
        """The weights of both pmfs."""
        above, below = self._weights
        return above[low:high], below[low:high]

    def balls(self, low: int, high: int) -> list[arb]:
        """Quotients of both pmfs."""
        pmfs = (pool.chances(low, high, BITS) for pool in (self.zero, self.one))
        return [x / y for x, y in zip(*pmfs, strict=True)]
