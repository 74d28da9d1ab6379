r"""One release as one round of many: a family of pairs, and one of them for the lower end.

Of that one there are the outcomes, or the convex minorant of its divergences at some limits.

Source: proof notes, C24.
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

from dpcalc.errors import Undecided
from dpcalc.losses.dominance import Known, minorant
from dpcalc.numbers.ball import ball, working_precision
from dpcalc.numbers.enclosure import Enclosure
from dpcalc.numbers.limit import Limit
from dpcalc.numbers.search import logarithm
from dpcalc.pairs.family import FINE
from dpcalc.pairs.named import NamedPairs
from dpcalc.pairs.two_laws import FARTHEST, Revealed, TwoLaws, around

_COARSE = Fraction(1, 10)
_WIDTH = Fraction(1, 10_000)  # relative width of the divergences of which a minorant is made
_DENSE = 40  # places of a minorant to a standard deviation
_LEVEL = 1 + Fraction(1, 10**4)  # delta is taken to fall no further within this factor of its limit
_FARTHER = 1.1  # the factor between losses of which it is asked how rare they are
_FINER = 0.03  # the same share, for families whose large losses are spread widely
_NOTHING = Fraction(1, 10**12)  # finite outcomes with less than this share of the infinite loss's mass are skipped
_LARGE = 30.0  # nearly all losses above this are infinite
_ALMOST = 0.9  # share of the largest loss, up to which datasets are compared: next to it all deltas are 0
_FARTHEST = 690.0  # e to this is a double
_RARER = 20.0  # if all rounds together are so many nats less likely to exceed the limit than one of them, one decides
_ACCURATE = 256  # bits of each mass
_FAINTEST = Fraction(1, 1 << 4096)  # smaller divergences count as 0
_BITS = 64  # bits of bounds of divergences


@dataclass(frozen=True, slots=True)
class Round:
    """One release.

    Attributes:
        family: its pairs.
        several: whether there are rounds of other kinds too.
        at: the dataset of the lower end; None: one that may be the worst.
    """

    family: NamedPairs[Any]
    several: bool = False
    at: Any = None

    @property
    def largest_loss(self) -> float:
        """The largest finite loss, or the largest epsilon that is searched; it steers."""
        last = self.family.last_loss
        return _highest(self.family) if last is None else float(last)

    @property
    def beyond(self) -> Fraction:
        """A lower bound of delta for every epsilon."""
        return _rest(self.family).lower

    def candidates(self, loss: float) -> Iterator[Any]:
        """The worst datasets at about this loss, at usual losses, and at large ones where these are others."""
        if self.at is not None:
            yield self.at
            return
        usual = self.family.spread
        large = [] if self.family.alike else [4 * usual]
        for x in (max(loss, usual / 4), usual, *large, *([_LARGE] if _rest(self.family).upper else [])):
            yield from self._worst(x)

    def _worst(self, loss: float) -> Iterator[Any]:
        limit = Limit.exp(Fraction(min(loss, _ALMOST * _highest(self.family))))
        return self.family.candidates(limit, rtol=_COARSE, several=self.several)

    def rivals(self, loss: float, most: float) -> Sequence[Round]:
        """Rounds with one candidate each; also the worst of one round at the whole limit, which may decide alone.

        Args:
            loss: about the loss of each round.
            most: the loss of all rounds together, or of one round if the others show next to nothing.
        """
        alone: list[Any] = []
        if self.at is None and not self.family.alike and 0 < most < _FARTHEST:
            usual, alone = -most * loss / self.family.spread**2 / 2, list(self._worst(most))
            if usual < logarithm(self.quick(Fraction(most))) - _RARER:
                return [replace(self, at=at) for at in dict.fromkeys(alone)]
        return [replace(self, at=at) for at in dict.fromkeys((*self.candidates(loss), *alone))]

    def seen(self, at: Any, *, centre: float, fineness: int, bits: int) -> Revealed:
        """The outcomes of one pair where they are known, else its minorant."""
        found = self.family.revealed(at, centre=centre, fineness=fineness, bits=bits)
        return self._minorant(at, centre, fineness) if found is None else found

    def _minorant(self, at: Any, centre: float, fineness: int) -> Revealed:
        grain, stride = float(self.family.unit or self.family.part), max(1, round(_DENSE / fineness))
        most = min(_highest(self.family), _FARTHEST) / grain
        places = {*around(round(centre / grain), stride, _DENSE), *around(0, stride, _DENSE)}
        if not self.family.alike:
            places |= set(_growing(stride, most))
        infinite = _laws(self.family, at).infinite
        outcomes = minorant([_known(self.family, at, t) for t in sorted(places) if abs(t) <= most], _fmpq(infinite))
        least = _fmpq(infinite * _NOTHING)
        with working_precision(_ACCURATE):  # however faint an outcome is
            return Revealed([(arb(a), arb(b)) for a, b in outcomes if a > least], ball(infinite), None)

    def quick(self, epsilon: Fraction) -> Fraction:
        """A rough bound at one epsilon."""
        return _quick(self.family, epsilon)

    def halvings(self, loss: float) -> float:
        """-log2 of delta at a loss a little smaller; infinity once delta falls no further."""
        less = Fraction(_FARTHER ** math.floor(math.log(loss) / math.log(_FARTHER)))
        found = self.quick(min(less, FARTHEST))
        ends = loss >= min(_highest(self.family), float(FARTHEST)) or found <= _rest(self.family).upper * _LEVEL
        return math.inf if ends else -logarithm(found) / math.log(2)

    def rarer(self, loss: float, halvings: float) -> bool:
        """Whether delta at a loss is so small, by a sharper bound: the rough one of rare flips is far too high far out,
        where each sharp bound takes long.
        """
        (top,) = self.family.uppers([(Fraction(loss), _COARSE)])
        return not top or -logarithm(top) >= halvings * math.log(2)


@lru_cache(maxsize=64)
def _laws(family: NamedPairs[Any], at: Any) -> TwoLaws:
    return family.pair(at, rtol=_WIDTH)


@lru_cache(maxsize=1 << 14)
def _known(family: NamedPairs[Any], at: Any, t: int) -> Known:
    """Of the profile of a pair where the loss is t units, or 1/lambda is so far above 1; proof notes, C1."""
    lam, laws = 1 + Fraction(math.expm1(abs(t) * (family.unit or family.part))), _laws(family, at)
    found = (laws if t >= 0 else laws.mirror).enclosed(Limit(lam), rtol=_WIDTH)
    x, low, high = map(_fmpq, (lam, *_short(found)))
    return (x, low, high) if t >= 0 else (1 / x, 1 - (1 - low) / x, 1 - (1 - high) / x)


@lru_cache(maxsize=1 << 12)
def _quick(family: NamedPairs[Any], epsilon: Fraction) -> Fraction:
    return family.quick(Limit.exp(epsilon))


@lru_cache(maxsize=16)
def _highest(family: NamedPairs[Any]) -> float:
    """The largest epsilon that is searched."""
    with suppress(Undecided):  # as where losses are not told apart
        return float(family.highest)
    return math.inf


@lru_cache(maxsize=16)
def _rest(family: NamedPairs[Any]) -> Enclosure:
    """The limit of delta as epsilon grows."""
    return family.rest(FINE)


def _growing(stride: int, most: float) -> Iterator[int]:
    """Up to the largest, each a share farther away than the one before."""
    away = stride
    while away <= most:
        yield from (-away, away)
        away += max(stride, int(_FINER * away))


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
