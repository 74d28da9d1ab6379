r"""The divergence between an integer noise X and X + c: what adding X to a count hides of a change by c > 0.

    delta = sum_s [f(s) - lambda f(s - c)]_+ = max_t h_t,    h_t = F(t) - lambda F(t - c),

f the pmf of X and F its distribution function. The maximum is at the last t with f(t) > lambda f(t - c) where the ratio
of the two falls with s, which it does for log-concave f: f(s)/f(s - 1) falls, and f(s)/f(s - c) is a product of such.
For other f every outcome is looked at. The other direction, X + c over X, is this one for -X (proof notes, N1).

An outcome s with f(s - c) = 0 has an infinite loss and counts whole, whatever lambda is. From the largest finite
ratio on nothing else counts, and delta falls no further.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

from dpcalc.laws.parts import Finite, Law, TailedLaw
from dpcalc.laws.pmf import Pmf
from dpcalc.numbers.ball import bits_for, refine
from dpcalc.numbers.elementary import FINE
from dpcalc.numbers.enclosure import Enclosure
from dpcalc.numbers.limit import Limit
from dpcalc.pairs.listed import ListedPair
from dpcalc.pairs.two_laws import TwoLaws

_EXACT_BITS = 1 << 21  # of a pmf up to which a rational lambda gives a rational delta: milliseconds
_SHORT_BITS = 1 << 12  # up to which it is summed for any lambda: microseconds
_FLOOR_BITS = 1 << 17  # size of the masses with an infinite loss up to which they are summed: milliseconds


@dataclass(frozen=True, slots=True)
class Shifted(TwoLaws):
    """X over X + shift."""

    law: Law
    shift: int

    @property
    def mirror(self) -> Shifted:
        """X + shift over X."""
        return Shifted(self.law.mirror, self.shift)

    @property
    def infinite(self) -> Fraction:
        """A lower bound of the chance of what X + shift never shows."""
        return self.beyond(rtol=FINE).lower

    def enclosed(self, limit: Limit, *, rtol: Fraction) -> Enclosure:
        """delta, exact if lambda is rational and the pmf is a small table; ``FAINT`` where it is below 2^-1,000,000,
        about 1e-301,030.
        """
        law, shift = self.law, self.shift
        if self._apart:
            return Enclosure.of(1)
        if pair := self.listed(_EXACT_BITS if limit.lam is not None else _SHORT_BITS):
            return pair.enclosed(limit, rtol=rtol)
        assert not isinstance(law, Finite)
        if law.bounded(shift, limit):
            return Enclosure.of(0)
        least = _floor(law, shift)
        if least is not None and limit.allows(least[1]):
            return Enclosure.of(least[0])
        exact = law.exactly(shift, limit, _EXACT_BITS)
        if exact is not None:
            return Enclosure.of(exact)
        start = bits_for(rtol) + law.guard_bits + round(law.deviation).bit_length() + 20
        found = refine(lambda: law.excess(shift, limit), rtol=rtol, start=start)
        return Enclosure(max(found.lower, Fraction(0)), min(found.upper, Fraction(1)))

    def listed(self, bits: int) -> ListedPair | None:
        """All outcomes; None where they are not listed in so many bits."""
        table = self.law.table(bits)
        return None if table is None else _listed(table, self.shift)

    def beyond(self, *, rtol: Fraction) -> Enclosure:
        """The probability of the outcomes of X that X + shift never shows: the limit of delta for large lambda."""
        law, shift = self.law, self.shift
        if self._apart:
            return Enclosure.of(1)
        if isinstance(law, Finite):
            return Enclosure.of(_listed(law.pmf, shift).infinite)
        least = _floor(law, shift)
        if least is not None:
            return Enclosure.of(least[0])
        return Enclosure.of(0) if law.low is None else at_most(law, law.low + shift - 1, rtol=rtol)

    @property
    def steepest(self) -> Fraction:
        """The largest finite ratio, the lambda from which on delta is ``beyond``; 0 where it is no short rational."""
        if isinstance(self.law, Finite):
            return _listed(self.law.pmf, self.shift).steepest
        least = None if self._apart else _floor(self.law, self.shift)
        return Fraction(0) if least is None else least[1]

    @property
    def _apart(self) -> bool:
        """Whether X and X + shift have no outcome in common."""
        return self.law.low is not None and self.law.high is not None and self.shift > self.law.high - self.law.low


def at_most(law: Law, t: int, *, rtol: Fraction) -> Enclosure:
    """P(X <= t), to relative width ``rtol``."""
    if law.low is not None and t < law.low:
        return Enclosure.of(0)
    if law.high is not None and t >= law.high:
        return Enclosure.of(1)
    if isinstance(law, Finite):
        return Enclosure.of(law.pmf.at_most(t - law.low))
    found = refine(lambda: law.at_most(t), rtol=rtol, start=bits_for(rtol) + law.guard_bits)
    return Enclosure(max(found.lower, Fraction(0)), min(found.upper, Fraction(1)))


@lru_cache(maxsize=16)
def _floor(law: TailedLaw, shift: int) -> tuple[Fraction, Fraction] | None:
    """``beyond`` and ``steepest`` of a log-concave law, whose ratios fall; None where they are not short rationals."""
    masses = law.first_masses(shift + 1, _FLOOR_BITS)
    return None if masses is None else (sum(masses[:-1], Fraction(0)), masses[-1] / masses[0])


@lru_cache(maxsize=16)
def _listed(pmf: Pmf, shift: int) -> ListedPair:
    """X over X + shift, whatever the pmf."""
    return ListedPair.between(pmf, pmf, shift)
