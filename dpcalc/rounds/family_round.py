r"""One round of any mechanism whose family of pairs is known by its divergences.

For the upper end there are upper bounds of delta over the family, which holds the mirror image of each of its pairs.
For the lower end there are all outcomes of one pair, if they are few, or the convex minorant of its divergences at
some limits. Limits are multiples of one part of the spread, so that one question after another finds them cached.

Source: proof notes, C4, C6 and C24.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from typing import Any

from flint import arb, fmpq

from dpcalc.errors import NoSolution
from dpcalc.losses.minorant import Known, minorant
from dpcalc.losses.outcomes import Revealed, around
from dpcalc.numbers.ball import ball, working_precision
from dpcalc.numbers.enclosure import Enclosure
from dpcalc.numbers.limit import Limit
from dpcalc.numbers.promise import Promise
from dpcalc.numbers.search import logarithm
from dpcalc.pairs.named import NamedPairs, SomePairs
from dpcalc.pairs.two_laws import TwoLaws
from dpcalc.rounds.bounded_round import BoundedRound

_PARTS = 40  # limits are multiples of the spread's 40th part
_LOOSER = 10  # bounds are so many times as wide as delta by default: there are hundreds of them
_SHARPEST, _COARSE = Fraction(1, 10_000), Fraction(1, 10)
_LEVEL = 1 + Fraction(1, 10**4)  # delta is taken to fall no further within this factor of its limit
_FARTHER = 1.1  # the factor between losses of which it is asked how rare they are
_LESS = 1 - Fraction(1, 1 << 40)  # a unit rounded to doubles, times this, is not above the true one
_LEAST = 1e-9  # the least spread: doubles separate its parts from one another
_FINER = 0.03  # the same share, for families whose large losses are spread widely
_NOTHING = Fraction(1, 10**12)  # finite outcomes with less than this share of the infinite loss's mass are skipped
_LARGE = 30.0  # nearly all losses above this are infinite
_FARTHEST = 690.0  # e to this is a double
_RARER = 20.0  # if all rounds together are so many nats less likely to exceed the limit than one of them, one decides
_ACCURATE = 256  # bits of each mass
_FAINTEST = Fraction(1, 1 << 4096)  # smaller divergences count as 0
_BITS = 64  # bits of limits and of bounds of divergences


@dataclass(frozen=True, slots=True)
class FamilyRound(BoundedRound[Any]):
    """One release.

    Attributes:
        family: its pairs.
        several: whether there are rounds of other kinds too.
        at: the dataset of the lower end; None: one that may be the worst.
        part: the pairs that are bounded; None: all of them.
    """

    family: NamedPairs[Any]
    several: bool = False
    at: Any = None
    part: SomePairs | None = None

    @property
    def spread(self) -> float:
        """The standard deviation of the loss, about; it steers."""
        return max(self.family.spread, _LEAST)

    @property
    def unit(self) -> Fraction | None:
        """What limits are multiples of, if losses of all sizes are spread alike."""
        return self.grain if self.family.unit or self.family.alike else None

    @property
    def grain(self) -> Fraction:
        """A part of the spread; a part of the family's own unit too, if it has one."""
        part, own = Fraction(self.spread / _PARTS), self.family.unit
        return own * _LESS / math.ceil(own / part) if own else part

    @property
    def largest_loss(self) -> float:
        """The largest finite loss; infinity if there is none."""
        if self.last_loss is not None:
            return float(self.last_loss)
        return self._highest

    @property
    def _highest(self) -> float:
        """The largest epsilon that the family searches."""
        with suppress(NoSolution):
            return float(self.family.highest)
        return math.inf

    @property
    def last_loss(self) -> Fraction | None:
        """The loss per step of geometric noise: a change by 1 loses no more."""
        return self.family.unit

    @property
    def beyond(self) -> Fraction:
        """A lower bound of delta for every epsilon."""
        return _rest(self.family).lower

    @property
    def width(self) -> Fraction:
        """The relative width of each bound."""
        return max(Fraction(self.family.delta_width.default) * _LOOSER, _SHARPEST)

    def candidates(self, loss: float) -> Iterator[Any]:
        """The worst datasets at about this loss, at usual losses, and at the largest ones."""
        if self.at is not None:
            yield self.at
            return
        most = [_LARGE] if _rest(self.family).upper else []
        for x in (max(loss, self.spread / 4), self.spread, 4 * self.spread, *most):
            yield from self.family.candidates(Limit.exp(Fraction(x)), rtol=_COARSE, several=self.several)

    def rivals(self, loss: float, most: float) -> Sequence[FamilyRound]:
        """Rounds with one candidate each; also the worst of one round at the whole limit, which may decide alone."""
        alone: list[Any] = []
        if not self.family.alike and 0 < most < _FARTHEST:
            limit, usual = Limit.exp(Fraction(most)), -most * loss / self.spread**2 / 2
            alone = list(self.family.candidates(limit, rtol=_COARSE, several=self.several))
            if usual < logarithm(self._uppers(self.family, [Fraction(most)])[0]) - _RARER:
                return [replace(self, at=at) for at in dict.fromkeys(alone)]
        return [replace(self, at=at) for at in dict.fromkeys((*self.candidates(loss), *alone))]

    def seen(self, at: Any, *, centre: float, fineness: int, bits: int) -> Revealed:
        """All outcomes of one pair where they are few, else its minorant."""
        pair, stride = _pair(self.family, at), max(1, round(_PARTS / fineness))
        if listed := pair.laws.masses:
            with working_precision(_ACCURATE):
                infinite = sum((likely for likely, unlikely in listed if not unlikely), Fraction(0))
                finite = [
                    (ball(likely), ball(unlikely)) for likely, unlikely in reversed(listed) if likely and unlikely
                ]
                return Revealed(finite, ball(infinite), arb(0))
        most = min(self._highest, _FARTHEST) / float(self.grain)
        places = {*around(round(centre / float(self.grain)), stride, _PARTS), *around(0, stride, _PARTS)}
        if not self.family.alike:
            places |= set(_growing(stride, most))
        infinite = pair.laws.infinite
        outcomes = minorant([pair.known(t) for t in sorted(places) if abs(t) <= most], _fmpq(infinite))
        least = _fmpq(infinite * _NOTHING)
        with working_precision(_ACCURATE):  # however faint an outcome is
            return Revealed([(arb(a), arb(b)) for a, b in outcomes if a > least], ball(infinite), None)

    def bounds(self, asked: Sequence[tuple[Fraction, Fraction]], *, centre: float, sharpness: float) -> list[Fraction]:
        """Upper bounds of delta over the family, or over some of its pairs."""
        return self._uppers(self.part or self.family, [epsilon for epsilon, _ in asked])

    def quick(self, epsilon: Fraction) -> Fraction:
        """At exactly this epsilon where it may be the last loss: a little sooner delta may be far larger."""
        if self.last_loss is None:
            return BoundedRound.quick(self, epsilon)
        found: Promise = self.family.delta(Limit.exp(epsilon), rtol=self.width)
        return found.upper

    def mirrored(self, asked: Sequence[tuple[Fraction, Fraction]]) -> list[Fraction] | None:
        """The same for the mirror images, if there are only some pairs."""
        return None if self.part is None else self._uppers(self.part.mirror, [epsilon for epsilon, _ in asked])

    @property
    def ranges(self) -> Sequence[FamilyRound]:
        """The parts of the family."""
        return [replace(self, part=part) for part in self.family.ranges]

    def halvings(self, loss: float) -> float:
        """-log2 of delta at a loss a little smaller; infinity once delta falls no further."""
        less = _FARTHER ** math.floor(math.log(loss) / math.log(_FARTHER))
        found = self._uppers(self.family, [Fraction(min(less, _FARTHEST))])[0]
        ends = loss >= _FARTHEST or found <= _rest(self.family).upper * _LEVEL
        return math.inf if ends else -logarithm(found) / math.log(2)

    def _uppers(self, pairs: NamedPairs[Any] | SomePairs, asked: Sequence[Fraction]) -> list[Fraction]:
        """Upper bounds at these epsilons; each is computed once."""
        known, limits = _above(pairs), [_sooner(epsilon) for epsilon in asked]
        if missing := [limit for limit in limits if limit not in known]:
            known.update(zip(missing, pairs.uppers(missing, rtol=self.width), strict=True))
        return [known[limit] for limit in limits]


@dataclass(frozen=True)
class _Pair:
    """The divergences of one pair that were computed."""

    laws: TwoLaws
    rtol: Fraction
    unit: Fraction
    values: dict[int, Known]

    def known(self, t: int) -> Known:
        """Of its profile where the loss is t units, or 1/lambda is so far above 1; proof notes, C1."""
        if t not in self.values:
            lam = 1 + Fraction(math.expm1(abs(t) * self.unit))
            found = (self.laws if t >= 0 else self.laws.mirror).enclosed(Limit(lam), rtol=self.rtol)
            x, low, high = map(_fmpq, (lam, *_short(found)))
            self.values[t] = (x, low, high) if t >= 0 else (1 / x, 1 - (1 - low) / x, 1 - (1 - high) / x)
        return self.values[t]


@lru_cache(maxsize=64)
def _pair(family: NamedPairs[Any], at: Any) -> _Pair:
    one = FamilyRound(family)
    return _Pair(family.pair(at, rtol=one.width), one.width, one.grain, {})


@lru_cache(maxsize=64)
def _above(pairs: NamedPairs[Any] | SomePairs) -> dict[Limit, Fraction]:
    """A cache of bounds, by limit."""
    return {}


@lru_cache(maxsize=16)
def _rest(family: NamedPairs[Any]) -> Enclosure:
    """The limit of delta as epsilon grows."""
    return family.rest(_COARSE)


def _growing(stride: int, most: float) -> Iterator[int]:
    """Up to the largest, each a share farther away than the one before."""
    away = stride
    while away <= most:
        yield from (-away, away)
        away += max(stride, int(_FINER * away))


def _sooner(epsilon: Fraction) -> Limit:
    """A short rational lambda at or a little below e^epsilon, where delta is no less."""
    whole = 1 << _BITS + max(0, -math.floor(math.log2(epsilon or 1)))
    return Limit(Fraction(math.floor(Limit.exp(epsilon).ends.lower * whole), whole))


def _fmpq(x: Fraction) -> fmpq:
    return fmpq(x.numerator, x.denominator)


def _short(found: Enclosure) -> tuple[Fraction, Fraction]:
    """Its ends, rounded outward; what is fainter than the faintest is 0, or that."""
    if found.upper < _FAINTEST:
        return Fraction(0), _FAINTEST
    size = found.upper.numerator.bit_length() - found.upper.denominator.bit_length()
    whole = Fraction(2) ** (_BITS - size)
    lower = found.lower if found.lower >= _FAINTEST else Fraction(0)
    return Fraction(math.floor(lower * whole)) / whole, Fraction(math.ceil(found.upper * whole)) / whole
