r"""The outcomes of one pair as masses under both laws: each by itself where they are few, or neighbours together.

Few outcomes come from pmfs in integers whose floors are counted: what is missing of their sums is at most missing from
any outcome. Many are cut at some s, and a group's masses are differences of distribution functions, all from one
circle; where the cuts are is steered.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import TYPE_CHECKING

from flint import arb

from dpcalc.laws.circle import Factor, at_most
from dpcalc.laws.fixed_point import tail_reach
from dpcalc.numbers.ball import ball, working_precision
from dpcalc.numbers.limit import Limit
from dpcalc.numbers.search import logarithm

if TYPE_CHECKING:
    from dpcalc.pairs.pair import Pair

_REACH = 6.0  # standard deviations of one tilted round, beyond which its outcomes count as one
_GROUPED = 64  # bits of the distribution functions whose differences are the masses of groups
_FINER = 2  # groups are so many times finer than asked, which costs next to nothing
WIDENING = 8  #: the spacing grows as e^{d^2 / 8}, d standard deviations away: its square weighs as the density there,
WIDEST = 0.2  #: up to this share of how far away it is
ACCURATE = 192  #: bits of each outcome's masses
_SPARE = 128  # bits beyond those of the faintest outcome
_LISTED = 12_000  # outcomes up to which each is listed
_DENSE = 80  # outcomes to a standard deviation, from which on groups of them are as good

#: The masses of one outcome, or of several together, under P and under Q.
Outcome = tuple[arb, arb]


@dataclass(frozen=True, slots=True)
class Revealed:
    """The outcomes of one pair.

    Attributes:
        outcomes: those of finite losses, in rising order of their losses; each by itself, or neighbours together.
        infinite: the P mass of an infinite loss.
        missing: the P mass of finite losses that are not listed; None where neighbours stand together.
    """

    outcomes: list[Outcome]
    infinite: arb
    missing: arb | None


def listed(pair: Pair, bits: int) -> tuple[list[Outcome], arb] | None:
    """All outcomes in rising order of their losses, and the P mass of those too faint to list; None if too many."""
    variance = float(pair.others.variance)
    count = min(pair.others.size, 2 * tail_reach(variance, bits * math.log(2)))
    if count > _LISTED or variance > _DENSE**2:
        return None
    likely, unlikely, total = pair.below(bits)
    off, other_off = (total - sum(terms) for terms in (likely, unlikely))
    with working_precision(ACCURATE):  # however faint an outcome is
        half = 1 / arb(2 * total)  # each x is at most so much too low; twice its middle is x + (x + off)
        found = [
            (arb(2 * x + off, off) * half, arb(2 * y + other_off, other_off) * half)
            for x, y in zip(reversed(likely), reversed(unlikely), strict=True)  # the largest loss is at S = 0
        ]
    return found, arb(0) if len(likely) == pair.reports + 1 else ball(Fraction(off, total))


def revealed(pair: Pair, bits: int, *, centre: float, fineness: int) -> Revealed:
    """Its outcomes one by one, known to so many bits, where they are few; else in groups, narrow ones about a loss."""
    if known := listed(pair, min(bits, _faintest(pair))):
        return Revealed(known[0], arb(0), known[1])
    return Revealed(grouped(pair, centre, fineness), arb(0), None)


def _faintest(pair: Pair) -> int:
    """-log2 of the faintest outcome at most, and some more: no outcome needs more bits."""
    return _bits([*pair.others.kinds, *((a, pair.k) for a in pair.own)], lambda a: min(a, 1 - a))


def largest_loss_bits(pair: Pair) -> int:
    """-log2 of the outcome with the largest loss, no report of 1, and some more: those that lose are hardly fainter."""
    return _bits([*pair.others.kinds, (pair.own[1], pair.k)], lambda a: 1 - a)


def _bits(reports: Sequence[Factor], chance: Callable[[Fraction], Fraction]) -> int:
    halvings = sum(-logarithm(chance(a)) / math.log(2) * count for a, count in reports if 0 < a < 1)
    return math.ceil(min(halvings, 1e9)) + _SPARE


def grouped(pair: Pair, loss: float, fineness: int) -> list[Outcome]:
    """Outcomes in groups, in rising order of their losses: narrow ones about a loss."""
    limit = Limit.exp(max(Fraction(loss), Fraction(0)))
    middle, deviation = pair.last_above(limit), math.sqrt(pair.others.tilt.variance(pair.tilt(limit)))
    stride = max(1, round(deviation / fineness / _FINER))
    places = [t for t in sorted(around(middle, stride, deviation)) if 0 <= t < pair.reports]
    with working_precision(_GROUPED + pair.others.guard_bits):  # in the tail each is as accurate
        ends = [[arb(0), arb(0)], *at_most(pair.others, (pair.zero, pair.one), places), [arb(1), arb(1)]]
        return [(c - a, d - b) for (a, b), (c, d) in reversed(list(pairwise(ends)))]


def around(middle: int, stride: int, deviation: float) -> Iterator[int]:
    """Places about the one that matters most, ``stride`` apart there, and farther and farther apart away from it."""
    yield middle
    away = stride
    while away < _REACH * deviation:
        yield from (middle - away, middle + away)
        wider = stride * math.exp(min((away / deviation) ** 2 / WIDENING, 40.0))
        away += max(stride, min(math.floor(wider), int(WIDEST * away)))
