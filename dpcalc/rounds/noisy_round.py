r"""A noisy count as one round of many.

For the upper end, delta is bounded over all changes in both directions; this family holds the mirror image of each
pair. For the lower end there are the outcomes of one direction of the largest change. Outcomes with an infinite loss
are kept apart in both.

Of a sampled record the outcomes (a, b) of Z + 1 over Z are (gamma a + (1 - gamma) b, b), those of Z over Z + 1 are
(a, gamma b + (1 - gamma) a): in the same order, and b = 0 has a finite loss there.

Source: proof notes, N2 to N4, N13, C6 and C8.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache

from flint import arb, ctx

from dpcalc.errors import Undecided
from dpcalc.families.shifts import SampledShifts, Shifts
from dpcalc.laws.noise import Law, TailedLaw
from dpcalc.laws.parts import Finite
from dpcalc.laws.pmf import Pmf
from dpcalc.laws.symmetric import LaplaceLaw, RoundedLaplaceLaw, Truncated
from dpcalc.losses.outcomes import Outcome, Revealed
from dpcalc.mechanisms.noise import DiscreteGaussian
from dpcalc.mechanisms.noisy_count import NoisyCount
from dpcalc.mechanisms.sampled import Sampled
from dpcalc.numbers.ball import ball, working_precision
from dpcalc.numbers.elementary import log
from dpcalc.numbers.limit import Limit
from dpcalc.numbers.search import logarithm
from dpcalc.pairs.shift import Shifted
from dpcalc.rounds.bounded_round import BoundedRound

_REACH = 6.0  # standard deviations of the noise around the loss that matters, within which groups of outcomes are cut
_FINE, _COARSE = Fraction(1, 10**12), Fraction(1, 1000)
_SPARE, _GROUPED = 64, 192  # guard bits; most bits of groups of outcomes, however faint
_TABLE = 1 << 20  # a pmf of at most so many bits is listed
_LEVEL = 1 + Fraction(1, 10**4)  # delta is taken to fall no further within this factor of its limit
_SOONER = Fraction(15, 16)  # if delta is not known at a loss, it is bounded at this share of it
_TRIES = 40  # so many times sooner
_CUTS = 12  # of the outcomes between 0 and a change, for each group to a standard deviation
_FARTHEST = 1e5  # larger losses count as infinite


@dataclass(frozen=True, slots=True)
class Shift:
    """By how much larger the count of a noisy release is in the dataset under which the event is less likely."""

    shift: int


@dataclass(frozen=True, slots=True)
class _HiddenByNoise(BoundedRound[Shift]):
    """The common part of noisy counts, whose records all contribute or are sampled.

    Attributes:
        released: what is released.
    """

    released: NoisyCount | Sampled

    @property
    def spread(self) -> float:
        """The standard deviation of the loss, about; it steers."""
        return _family(self.released).spread

    @property
    def beyond(self) -> Fraction:
        """A lower bound of delta for every epsilon: the probability of an infinite loss."""
        return _family(self.released).rest(_FINE).lower

    def bounds(self, asked: Sequence[tuple[Fraction, Fraction]], *, centre: float, sharpness: float) -> list[Fraction]:
        """Upper bounds of delta over all changes, in both directions."""
        return [_bound(self.released, epsilon, Fraction(sharpness))[0] for epsilon, _ in asked]

    def halvings(self, loss: float) -> float:
        """-log2 of delta; infinity once delta falls no further."""
        found = _bound(self.released, Fraction(min(loss, _FARTHEST)), _COARSE)[0]
        ends = loss >= _FARTHEST or found <= _family(self.released).rest(_FINE).upper * _LEVEL
        return math.inf if ends else -logarithm(found) / math.log(2)


@dataclass(frozen=True, slots=True)
class NoisyRound(_HiddenByNoise):
    """One release of a noisy count."""

    released: NoisyCount

    @property
    def unit(self) -> Fraction | None:
        """For geometric noise the loss of which all others are multiples, and for discrete Gaussian noise that varies
        little: (2cx - c^2)/(2 sigma^2) for a change of c; for listed noise the largest loss.
        """
        noise, law = self.released.noise, self.released.noise.law
        if isinstance(noise, DiscreteGaussian) and noise.square <= 1:
            return 1 / (2 * noise.square)
        if isinstance(law, Finite):
            most = max(Fraction(1), *(Shifted(law, abs(c)).steepest for law, c in self.released.shifts()))
            return log(most).lower if most > 1 else None
        return None if self.last_loss is None else self.last_loss / self.released.sensitivity

    @property
    def largest_loss(self) -> float:
        """The largest finite loss; infinity if losses are unbounded."""
        if isinstance(self.released.noise.law, Finite):
            return float(self.unit or 0)
        return math.inf if self.last_loss is None else float(self.last_loss)

    @property
    def last_loss(self) -> Fraction | None:
        """The largest finite loss of noise that is not listed, rounded down; None if losses are unbounded."""
        law = self.released.noise.law
        if isinstance(law, Truncated):  # but for its ends
            law = LaplaceLaw(law.rho)
        largest = law.largest_loss(self.released.sensitivity)
        return None if largest is None else largest.lower

    def candidates(self, loss: float) -> Iterator[Shift]:
        """The change with the largest delta at about this loss."""
        yield Shift(_bound(self.released, Fraction(max(loss, self.spread)), _COARSE)[1])

    def seen(self, at: Shift, *, centre: float, fineness: int, bits: int) -> Revealed:
        """The outcomes of one change."""
        law = self.released.noise.law
        return _shown(law if at.shift > 0 else law.mirror, abs(at.shift), [centre], fineness, bits)


@dataclass(frozen=True, slots=True)
class SampledNoiseRound(_HiddenByNoise):
    """One release of a noisy count to which each record adds its bit with probability gamma.

    Attributes:
        shift: the one direction that is bounded; None: both.
        at: the direction of the lower end; None: the one whose losses vary more.
    """

    released: Sampled
    shift: int | None = None
    at: Shift | None = None

    @property
    def _whole(self) -> NoisyRound:
        assert isinstance(self.released.clients, NoisyCount)
        return NoisyRound(self.released.clients)

    @property
    def unit(self) -> Fraction | None:
        """None: losses are logarithms of sums."""
        return None

    @property
    def largest_loss(self) -> float:
        """The largest finite loss; infinity if losses are unbounded."""
        share, largest = float(self.released.share), self._whole.largest_loss
        return max(largest + math.log(share + (1 - share) * math.exp(-largest)), -math.log1p(-share))

    def candidates(self, loss: float) -> Iterator[Shift]:
        """Both directions, or the given one."""
        yield from (Shift(-1), Shift(1)) if self.at is None else (self.at,)

    def rivals(self, loss: float, most: float) -> Sequence[SampledNoiseRound]:
        """A round for each direction, if only one has infinite losses: these may decide alone."""
        return [replace(self, at=at) for at in self.candidates(loss)] if self.beyond else [self]

    def seen(self, at: Shift, *, centre: float, fineness: int, bits: int) -> Revealed:
        """The outcomes of one direction; groups are fine in the middle too, where most outcomes are."""
        share, law = self.released.share, self._whole.released.noise.law
        gamma, rest = ball(share), ball(1 - share)
        there = at.shift < 0
        away = math.expm1(centre if there else -centre) / float(share)  # of the ratio of all of Z + 1 and Z
        centres = [0.0, abs(math.log1p(away))] if away > -1 else [0.0]
        found = _shown(law.mirror if there else law, 1, centres, fineness, bits)
        if there:
            without = 1 - sum((b for _, b in found.outcomes), arb(0))  # what only Z shows
            mixed = [(gamma * a + rest * b, b) for a, b in found.outcomes]
            if without > 0:
                mixed.insert(0, (rest * without, without))
            return Revealed(mixed, gamma * found.infinite, None)
        mixed = [(a, gamma * b + rest * a) for a, b in found.outcomes]
        if found.infinite > 0:
            mixed.append((found.infinite, rest * found.infinite))
        return Revealed(mixed, arb(0), None)

    def bounds(self, asked: Sequence[tuple[Fraction, Fraction]], *, centre: float, sharpness: float) -> list[Fraction]:
        """Upper bounds of delta in both directions, or in one."""
        if self.shift is not None:
            return self._toward(self.shift, asked)
        return _HiddenByNoise.bounds(self, asked, centre=centre, sharpness=sharpness)

    def mirrored(self, asked: Sequence[tuple[Fraction, Fraction]]) -> list[Fraction] | None:
        """The same in the other direction, if one is bounded."""
        return None if self.shift is None else self._toward(-self.shift, asked)

    @property
    def ranges(self) -> Sequence[SampledNoiseRound]:
        """The two directions."""
        return [replace(self, shift=shift) for shift in (-1, 1)]

    def _toward(self, shift: int, asked: Sequence[tuple[Fraction, Fraction]]) -> list[Fraction]:
        return [SampledShifts(self.released).toward(shift, Limit.exp(x), rtol=_COARSE**3) for x, _ in asked]


def _shown(law: Law, c: int, centres: Sequence[float], fineness: int, bits: int) -> Revealed:
    """The outcomes of X over X + c: all of them, or groups that are fine around the losses that matter."""
    table = law.pmf if isinstance(law, Finite) else law.table(_TABLE)
    if table is not None:
        infinite, outcomes = _listed(table, c)
        return Revealed(outcomes, infinite, arb(0))
    assert not isinstance(law, Finite)
    with working_precision(law.guard_bits + min(bits, _GROUPED) + _SPARE):  # in the tail each is as accurate
        cuts = sorted({t for centre in centres for t in _cuts(law, c, centre, fineness)})
        infinite, outcomes = _grouped(law, c, cuts)
    return Revealed(outcomes, infinite, None)


def _cuts(law: TailedLaw, c: int, centre: float, fineness: int) -> list[int]:
    """The ends of groups of outcomes with finite losses, around the losses that matter."""
    deviation = law.deviation
    stride, reach = max(1, round(deviation / fineness)), math.ceil(_REACH * deviation) + 1
    between = range(0, c, max(1, min(stride, c // (_CUTS * fineness))))
    if isinstance(law, LaplaceLaw):  # the loss changes from 0 to c only
        places = sorted({*between, c - 1})
    elif isinstance(law, RoundedLaplaceLaw):  # from -1 to c only
        places = sorted({-1, *between, c - 1, c})
    else:
        middle = _last(law, c, max(centre, 1e-9))
        places = list(range(middle - reach, middle + reach, stride))
    first = -math.inf if law.low is None else law.low + c
    last = math.inf if law.high is None else law.high
    return [t for t in places if first <= t < last]


def _listed(table: Pmf, c: int) -> tuple[arb, list[Outcome]]:
    """The mass of an infinite loss, and the other outcomes in rising order of losses; equal losses are merged."""
    infinite, found = 0, dict[Fraction, tuple[int, int]]()
    for i, a in enumerate(table.weights):
        b = table.weights[i - c] if i >= c else 0
        if a and b:
            p, q = found.get(loss := Fraction(a, b), (0, 0))
            found[loss] = p + a, q + b
        elif a:
            infinite += a
    whole = table.denominator
    outcomes = [(ball(Fraction(p, whole)), ball(Fraction(q, whole))) for _, (p, q) in sorted(found.items())]
    return ball(Fraction(infinite, whole)), outcomes


def _last(law: TailedLaw, c: int, epsilon: float) -> int:
    """The outcome at which the loss is epsilon, about."""
    for tried in range(_TRIES):
        with working_precision(64), suppress(Undecided):  # as next to the largest loss of a sum
            return law.last_above(c, Limit.exp(Fraction(epsilon * float(_SOONER) ** tried)))[0]
    raise Undecided(f"losses of a change by {c:,} are not told apart")


def _grouped(law: TailedLaw, c: int, cuts: list[int]) -> tuple[arb, list[Outcome]]:
    """The same with all outcomes between two cuts merged, from distribution functions; losses need not be monotone."""
    start = None if law.low is None else law.low + c - 1
    at_most = _at_most(law, tuple(sorted({t - d for t in cuts for d in (0, c)})), start, ctx.prec)
    infinite = arb(0) if start is None else at_most[start]
    before, found = (infinite, arb(0)), []
    for t in cuts:
        here = at_most[t], at_most[t - c]
        found.append((here[0] - before[0], here[1] - before[1]))
        before = here
    rest = 1 - before[0], 1 - before[1]
    found.append(rest)
    finite = [pair for pair in found if pair[1] > 0 and not pair[0].is_zero()]  # X shows nothing else if c is too large
    return infinite, sorted(finite, key=lambda pair: float((pair[0] / pair[1]).log()))


@lru_cache(maxsize=1 << 6)
def _at_most(law: TailedLaw, places: tuple[int, ...], start: int | None, bits: int) -> dict[int, arb]:
    """P[X <= t] at the precision in force; cached, as all rounds ask for the same places."""
    found = dict(zip(places, law.all_at_most(places), strict=True))
    return found if start is None or start in found else {**found, start: law.at_most(start)}


@lru_cache(maxsize=1 << 14)
def _bound(released: NoisyCount | Sampled, epsilon: Fraction, rtol: Fraction) -> tuple[Fraction, int]:
    """An upper bound of delta over all changes, and the worst change."""
    for tried in range(_TRIES if epsilon else 1):
        with suppress(Undecided):  # as next to the largest loss of a sum: delta falls with epsilon
            found = _family(released).delta(Limit.exp(epsilon * _SOONER**tried), rtol=rtol)
            return found.upper, found.shift
    return Fraction(1), 1


def _family(released: NoisyCount | Sampled) -> Shifts | SampledShifts:
    return Shifts(released) if isinstance(released, NoisyCount) else SampledShifts(released)
