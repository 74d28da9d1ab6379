r"""The divergence between an integer noise X and X + c: what adding X to a count hides of a change by c > 0.

    delta = sum_s [f(s) - lambda f(s - c)]_+ = max_t h_t,    h_t = F(t) - lambda F(t - c),

f the pmf of X and F its distribution function. The maximum is at the last t with f(t) > lambda f(t - c) where the ratio
of the two falls with s, which it does for log-concave f: f(s)/f(s - 1) falls, and f(s)/f(s - c) is a product of such.
For other f every outcome is looked at. The other direction, X + c over X, is this one for -X (proof notes, N1).

An outcome s with f(s - c) = 0 has an infinite loss and counts whole, whatever lambda is. From the largest finite
ratio on nothing else counts, and delta falls no further.

*A sampled record:* Z against (1 - gamma) Z + gamma (Z + 1), in both directions. With D(lambda) the divergence of Z over
Z + 1, and D' that of Z + 1 over Z, delta is

    gamma D'((lambda - 1 + gamma) / gamma)                  the record holds 1 in the likelier dataset,
    mu D(lambda gamma / mu), mu = 1 - lambda (1 - gamma)    it holds 0 there; 0 where mu <= 0.

*Outcomes* as masses under both laws: each by itself, or neighbours together. Of a sampled record those (a, b) of Z + 1
over Z are (gamma a + (1 - gamma) b, b), those of Z over Z + 1 are (a, gamma b + (1 - gamma) a): in the same order, and
b = 0 has a finite loss there.

Source: proof notes, N1 to N4, N13 and C8; Balle, Barthe, Gaboardi, Privacy amplification by subsampling (2018),
Theorem 2, for the first formula of a sampled record.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from itertools import pairwise

from flint import arb, ctx

from dpcalc.errors import Undecided
from dpcalc.laws.parts import Finite, Law, TailedLaw
from dpcalc.laws.pmf import Pmf
from dpcalc.laws.symmetric import LaplaceLaw, RoundedLaplaceLaw
from dpcalc.numbers.ball import ball, bits_for, refine, working_precision
from dpcalc.numbers.elementary import FINE
from dpcalc.numbers.enclosure import Enclosure
from dpcalc.numbers.limit import Limit
from dpcalc.pairs.listed import ListedPair
from dpcalc.pairs.two_laws import Outcome, Revealed, TwoLaws

EXACT_BITS = 1 << 21  #: of a pmf up to which a rational lambda gives a rational delta: milliseconds
_SHORT_BITS = 1 << 12  # up to which it is summed for any lambda: microseconds
_FLOOR_BITS = 1 << 17  # size of the masses with an infinite loss up to which they are summed: milliseconds
_REACH = 6.0  # standard deviations of the noise around the loss that matters, within which groups of outcomes are cut
_SPARE, _GROUPED = 64, 192  # guard bits; most bits of groups of outcomes, however faint
_TABLE = 1 << 20  # a pmf of at most so many bits is listed
_SOONER, _TRIES = 15 / 16, 40  # where a loss is not told apart, this share of it is tried, so many times
_CUTS = 12  # of the outcomes between 0 and a change, for each group to a standard deviation
_APART, _ENDS = 100, 4  # a change of more than 100 reaches is cut at so many places, and finely in four at both ends


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
        if pair := self.listed(EXACT_BITS if limit.lam is not None else _SHORT_BITS):
            return pair.enclosed(limit, rtol=rtol)
        assert not isinstance(law, Finite)
        if law.bounded(shift, limit):
            return Enclosure.of(0)
        least = _floor(law, shift)
        if least is not None and limit.allows(least[1]):
            return Enclosure.of(least[0])
        exact = law.exactly(shift, limit, EXACT_BITS)
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
        if least := _floor(self.law, self.shift):
            return Enclosure.of(least[0])
        low = self.law.low
        return Enclosure.of(0) if low is None else at_most(self.law, low + self.shift - 1, rtol=rtol)

    def revealed(self, *, centre: float, fineness: int, bits: int) -> Revealed:
        """The outcomes, one by one or in groups."""
        return _outcomes(self.law, self.shift, [0.0, centre], fineness, bits)

    @property
    def steepest(self) -> Fraction:
        """The largest finite ratio, the lambda from which on delta is ``beyond``; 0 where it is no short rational."""
        least = _floor(self.law, self.shift)
        return Fraction(0) if least is None else least[1]


@dataclass(frozen=True, slots=True)
class SampledShift(TwoLaws):
    """A count with noise of one record that is there with the chance ``share``, over one without it; or the reverse.

    Attributes:
        law: of the noise.
        share: gamma.
        there: whether the record is in the likelier dataset.
    """

    law: Law
    share: Fraction
    there: bool

    @property
    def mirror(self) -> SampledShift:
        """The other direction."""
        return replace(self, there=not self.there)

    @property
    def one(self) -> Shifted:
        """The pair of a record that is there for sure."""
        return Shifted(self.law.mirror if self.there else self.law, 1)

    @property
    def infinite(self) -> Fraction:
        """A lower bound of the chance of what only the count with the record shows."""
        return self.beyond(rtol=FINE).lower

    def beyond(self, *, rtol: Fraction) -> Enclosure:
        """The probability of an infinite loss."""
        return self.one.beyond(rtol=rtol) * self.share if self.there else Enclosure.of(0)

    def enclosed(self, limit: Limit, *, rtol: Fraction) -> Enclosure:
        """delta, between those at two rational ends of lambda."""
        ends = limit.ends
        highest = self._at(ends.lower, rtol)
        return highest if ends.exact else Enclosure(self._at(ends.upper, rtol).lower, highest.upper)

    def _at(self, lam: Fraction, rtol: Fraction) -> Enclosure:
        if self.there:
            return self.one.enclosed(Limit((lam - 1 + self.share) / self.share), rtol=rtol) * self.share
        rest = 1 - lam * (1 - self.share)
        return self.one.enclosed(Limit(lam * self.share / rest), rtol=rtol) * rest if rest > 0 else Enclosure.of(0)

    def revealed(self, *, centre: float, fineness: int, bits: int) -> Revealed:
        """The outcomes, one by one or in groups; fine in the middle too, where most outcomes are."""
        gamma, rest = ball(self.share), ball(1 - self.share)
        away = math.expm1(centre if self.there else -centre) / float(self.share)  # of the ratio of all of Z + 1 and Z
        centres = [0.0, abs(math.log1p(away))] if away > -1 else [0.0]
        found = _outcomes(self.one.law, 1, centres, fineness, bits)
        if self.there:
            without = 1 - sum((b for _, b in found.outcomes), arb(0))  # what only Z shows
            mixed = [(gamma * a + rest * b, b) for a, b in found.outcomes]
            if without > 0:
                mixed.insert(0, (rest * without, without))
            return Revealed(mixed, gamma * found.infinite, None)
        mixed = [(a, gamma * b + rest * a) for a, b in found.outcomes]
        if found.infinite > 0:
            mixed.append((found.infinite, rest * found.infinite))
        return Revealed(mixed, arb(0), None)


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
def _floor(law: Law, shift: int) -> tuple[Fraction, Fraction] | None:
    """``beyond`` and ``steepest``; None where they are not short rationals.

    1 and 0 where X and X + shift have no outcome in common. Of log-concave laws the ratios fall.
    """
    if law.low is not None and law.high is not None and shift > law.high - law.low:
        return Fraction(1), Fraction(0)
    if isinstance(law, Finite):
        pair = _listed(law.pmf, shift)
        return pair.infinite, pair.steepest
    masses = law.first_masses(shift + 1, _FLOOR_BITS)
    return None if masses is None else (sum(masses[:-1], Fraction(0)), masses[-1] / masses[0])


@lru_cache(maxsize=16)
def _listed(pmf: Pmf, shift: int) -> ListedPair:
    """X over X + shift, whatever the pmf."""
    return ListedPair.between(pmf, pmf, shift)


def _outcomes(law: Law, c: int, centres: Sequence[float], fineness: int, bits: int) -> Revealed:
    """The outcomes of X over X + c: all of them, or groups that are fine around the losses that matter."""
    table = law.pmf if isinstance(law, Finite) else law.table(_TABLE)
    if table is not None:
        return _listed(table, c).revealed(centre=0.0, fineness=fineness, bits=bits)
    assert not isinstance(law, Finite)
    with working_precision(law.guard_bits + min(bits, _GROUPED) + _SPARE):  # in the tail each is as accurate
        cuts = sorted({t for centre in centres for t in _cuts(law, c, centre, fineness)})
        infinite, outcomes = _grouped(law, c, cuts)
    return Revealed(outcomes, infinite, None)


def _cuts(law: TailedLaw, c: int, centre: float, fineness: int) -> list[int]:
    """The ends of groups of outcomes with finite losses, around the losses that matter."""
    deviation = law.deviation
    stride, reach = max(1, round(deviation / fineness)), math.ceil(_REACH * deviation) + 1
    if c < reach * _APART:
        between = {*range(0, c, max(1, min(stride, c // (_CUTS * fineness))))}
    else:  # there is next to nothing between what X shows and what X + c does
        between = {*range(0, c, c // _APART), *range(0, _ENDS * reach, stride), *range(c - _ENDS * reach, c, stride)}
    if isinstance(law, RoundedLaplaceLaw):  # the loss changes from -1 to c only
        places = sorted({-1, *between, c - 1, c})
    elif isinstance(law, LaplaceLaw):  # from 0 to c only
        places = sorted({*between, c - 1})
    else:
        middle = _last(law, c, max(centre, 1e-9))
        places = list(range(middle - reach, middle + reach, stride))
    first = -math.inf if law.low is None else law.low + c
    last = math.inf if law.high is None else law.high
    return [t for t in places if first <= t < last]


def _last(law: TailedLaw, c: int, epsilon: float) -> int:
    """The outcome at which the loss is epsilon, about."""
    for tried in range(_TRIES):
        with working_precision(_SPARE + law.guard_bits), suppress(Undecided):  # as next to the largest loss of a sum
            return law.last_above(c, Limit.exp(Fraction(epsilon * _SOONER**tried)))[0]
    raise Undecided(f"losses of a change by {c:,} are not told apart")


def _grouped(law: TailedLaw, c: int, cuts: list[int]) -> tuple[arb, list[Outcome]]:
    """The mass of an infinite loss, and that of all outcomes between two cuts, in rising order of losses: from
    distribution functions; losses need not be monotone.
    """
    start = None if law.low is None else law.low + c - 1
    at_most = _at_most(law, tuple(sorted({t - d for t in cuts for d in (0, c)})), start, ctx.prec)
    infinite = arb(0) if start is None else at_most[start]
    ends = [(infinite, arb(0)), *((at_most[t], at_most[t - c]) for t in cuts), (arb(1), arb(1))]
    found = [(above[0] - below[0], above[1] - below[1]) for below, above in pairwise(ends)]
    finite = [pair for pair in found if pair[1] > 0 and not pair[0].is_zero()]  # X shows nothing else if c is too large
    return infinite, sorted(finite, key=lambda pair: float((pair[0] / pair[1]).log()))


@lru_cache(maxsize=1 << 6)
def _at_most(law: TailedLaw, places: tuple[int, ...], start: int | None, bits: int) -> dict[int, arb]:
    """P[X <= t] at the precision in force; cached, as all rounds ask for the same places."""
    found = dict(zip(places, law.all_at_most(places), strict=True))
    return found if start is None or start in found else {**found, start: law.at_most(start)}
