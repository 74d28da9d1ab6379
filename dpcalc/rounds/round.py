r"""One release as one round of many: a family of pairs, and one of them for the lower end.

Of that one there are the outcomes, or the convex minorant of its divergences at some limits.

Source: proof notes, C24.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import chain
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
from dpcalc.pairs.two_laws import Revealed, TwoLaws, around

_COARSE = Fraction(1, 10)
_ROUGH = Fraction(1, 1000)
_WIDTH = Fraction(1, 10_000)  # relative width of the divergences of which a minorant is made
_DENSE = 40  # places of a minorant to a standard deviation
_LEVEL = 1 + Fraction(1, 10**4)  # delta is taken to fall no further within this factor of its limit
_FINER = 0.03  # the same share, for families whose large losses are spread widely
_NOTHING = Fraction(1, 10**12)  # finite outcomes with less than this share of the infinite loss's mass are skipped
_RARER = 20.0  # if all rounds together are so many nats less likely to exceed the limit than one of them, one decides
_LARGE = 30.0  # nearly all losses above this are infinite
_ALMOST = 0.9  # share of the largest loss, up to which datasets are compared: next to it all deltas are 0
_FARTHEST = 690.0  # e to this is a double
_ACCURATE = 256  # bits of each mass
_FAINTEST = Fraction(1, 1 << 4096)  # smaller divergences count as 0
_BITS = 64  # bits of bounds of divergences


@dataclass(frozen=True, slots=True)
class Round:
    """One release.

    Attributes:
        family: its pairs.
        at: the dataset of the lower end.
    """

    family: NamedPairs[Any]
    at: Any

    @property
    def largest_loss(self) -> float:
        """The largest finite loss, or the largest epsilon that is searched; it steers."""
        last = self.family.last_loss
        return _highest(self.family) if last is None else float(last)

    @property
    def laws(self) -> TwoLaws:
        """The pair of that dataset."""
        return self.family.pair(self.at, rtol=_WIDTH)

    @property
    def beyond(self) -> Fraction:
        """A lower bound of delta for every epsilon."""
        return self.family.rest(FINE).lower

    def seen(self, *, centre: float, fineness: int, bits: int) -> Revealed:
        """The outcomes of one pair where they are known, else its minorant."""
        found = self.family.revealed(self.at, centre=centre, fineness=fineness, bits=bits)
        return self._minorant(centre, fineness) if found is None else found

    def _minorant(self, centre: float, fineness: int) -> Revealed:
        grain, stride = float(self.family.unit or self.family.part), max(1, round(_DENSE / fineness))
        most = min(_highest(self.family), _FARTHEST) / grain
        places = {*around(round(centre / grain), stride, _DENSE), *around(0, stride, _DENSE)}
        if not self.family.alike:
            places |= set(_growing(stride, most))
        infinite = self.laws.infinite
        outcomes = minorant([_known(self, t) for t in sorted(places) if abs(t) <= most], _fmpq(infinite))
        least = _fmpq(infinite * _NOTHING)
        with working_precision(_ACCURATE):  # however faint an outcome is
            return Revealed([(arb(a), arb(b)) for a, b in outcomes if a > least], ball(infinite), None)

    def upper(self, epsilon: Fraction) -> Fraction:
        """A rough bound at one epsilon, which is not rounded."""
        try:
            return self.family.upper(Limit.exp(epsilon), rtol=_ROUGH)
        except Undecided:
            return Fraction(1)

    def rarer(self, loss: float, least: float) -> bool:
        """Whether delta at a loss is at most e^least, or falls no further."""
        (top,) = self.family.uppers([(Fraction(loss), _COARSE)])
        return top <= self.family.rest(FINE).upper * _LEVEL or logarithm(top) <= least


def rivals(family: NamedPairs[Any], loss: float, most: float, *, several: bool) -> list[Round]:
    """The worst datasets where all rounds lose about as much, or as they usually do, and where one loses all or more.

    Args:
        family: the pairs of one round.
        loss: about the loss of each round.
        most: the loss of all rounds together, or of one round if the others show next to nothing.
        several: whether there are rounds of other kinds too.
    """
    losses = [max(loss, family.spread / 4)]
    if not family.alike:
        (top,) = family.uppers([(Fraction(most), _COARSE)])
        decides = -most * loss / family.spread**2 / 2 < logarithm(top) - _RARER
        infinite = [_LARGE] if family.rest(FINE).upper else []
        losses = [most] if decides else [*losses, family.spread, *infinite, most]
    limits = [Limit.exp(Fraction(min(x, _ALMOST * _highest(family), _FARTHEST))) for x in losses]
    found = (family.candidates(limit, rtol=_COARSE, several=several) for limit in limits)
    return [Round(family, at) for at in dict.fromkeys(chain.from_iterable(found))]


@lru_cache(maxsize=1 << 14)
def _known(one: Round, t: int) -> Known:
    """Of the profile of a pair where the loss is t units, or 1/lambda is so far above 1; proof notes, C1."""
    lam, laws = 1 + Fraction(math.expm1(abs(t) * (one.family.unit or one.family.part))), one.laws
    found = (laws if t >= 0 else laws.mirror).enclosed(Limit(lam), rtol=_WIDTH)
    x, low, high = map(_fmpq, (lam, *_short(found)))
    return (x, low, high) if t >= 0 else (1 / x, 1 - (1 - low) / x, 1 - (1 - high) / x)


def _highest(family: NamedPairs[Any]) -> float:
    """The largest epsilon that is searched."""
    with suppress(Undecided):  # as where losses are not told apart
        return float(family.highest)
    return math.inf


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
