r"""The two laws of one count between which privacy is measured where n is hidden: with and without one record.

S is the pool of the others; the record adds R, k reports that are 1 with probability a (its own q or 1 - q). Then
P(S + R = i) / P(S = i) grows with i (S is log-concave, and R >= 0), without bound: S + R may exceed all that S can be,
so that delta of the larger pool over the smaller one never falls to 0. So they are ``laws``: P_0 = S and P_1 = S + R,
with k reports that are 1 with probability 0 and a; or counting the zeros, P_0 = those of S + R and P_1 = those of S and
k more, with k zeros of probability 1 - a and 1.

Adding a report to both pools is post-processing: the lemma of ``compositions`` on boxes holds for these pairs as well.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from dpcalc.laws.pool import Pool
from dpcalc.numbers.enclosure import Enclosure
from dpcalc.numbers.limit import Limit
from dpcalc.pairs.two_laws import Laws

_EXACT_BITS = 1 << 24  # size of the pmf of the larger pool up to which a rational lambda gives a rational delta


@dataclass(frozen=True)
class Added:
    """A pool and what one more record adds to it.

    Attributes:
        others: the reports of the others.
        a, k: the record adds k reports that are 1 with probability a.
        present: whether the event is likelier with the record.
    """

    others: Pool
    a: Fraction
    k: int
    present: bool

    @property
    def _with(self) -> Pool:
        return self.others + Pool.of((self.a, self.k))

    def divergence(self, limit: Limit, *, rtol: Fraction) -> Enclosure:
        """delta: exact for a rational lambda if the pmf is small, else to relative width ``rtol``.

        Raises:
            Undecided: rtol is beyond reach.
            TooLarge: delta is below 2^-1,000,000, about 1e-301,030.
        """
        if limit.lam is not None and self._with.pmf_bits <= _EXACT_BITS:
            return Enclosure.of(self.exact(limit.lam))
        return self.inverted(limit, rtol=rtol)

    def exact(self, lam: Fraction) -> Fraction:
        """delta for a rational lambda, summed over every outcome."""
        absent, present = self.others.pmf(), self._with.pmf()
        first, second = (present, absent) if self.present else (absent, present)
        a, b = lam.numerator * first.denominator, lam.denominator * second.denominator
        weights = [*second.weights, *(0,) * len(first.weights)]
        positive = sum(max(0, b * x - a * y) for x, y in zip(first.weights, weights, strict=False))
        return Fraction(positive, b * first.denominator)

    def inverted(self, limit: Limit, *, rtol: Fraction) -> Enclosure:
        """delta to relative width ``rtol``; raises as ``divergence``."""
        return self.laws.inverted(limit, rtol=rtol)

    @property
    def laws(self) -> Laws:
        """The two laws in the order of the module."""
        if self.present:
            return Laws(self.others.flipped, (1 - self.a, Fraction(1)), self.k)
        return Laws(self.others, (Fraction(0), self.a), self.k)
