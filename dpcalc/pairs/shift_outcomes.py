r"""The outcomes of an integer noise X over X + c as masses under both laws: each by itself, or neighbours together.

Of a sampled record the outcomes (a, b) of Z + 1 over Z are (gamma a + (1 - gamma) b, b), those of Z over Z + 1 are
(a, gamma b + (1 - gamma) a): in the same order, and b = 0 has a finite loss there.

Source: proof notes, N2 to N4, N13 and C8.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from contextlib import suppress
from fractions import Fraction
from functools import lru_cache

from flint import arb, ctx

from dpcalc.errors import Undecided
from dpcalc.laws.parts import Finite, Law, TailedLaw
from dpcalc.laws.symmetric import LaplaceLaw, RoundedLaplaceLaw
from dpcalc.numbers.ball import ball, working_precision
from dpcalc.numbers.limit import Limit
from dpcalc.pairs.listed import ListedPair
from dpcalc.pairs.outcomes import Outcome, Revealed

_REACH = 6.0  # standard deviations of the noise around the loss that matters, within which groups of outcomes are cut
_SPARE, _GROUPED = 64, 192  # guard bits; most bits of groups of outcomes, however faint
_TABLE = 1 << 20  # a pmf of at most so many bits is listed
_SOONER, _TRIES = 15 / 16, 40  # where a loss is not told apart, this share of it is tried, so many times
_CUTS = 12  # of the outcomes between 0 and a change, for each group to a standard deviation
_APART, _ENDS = 100, 4  # a change of more than 100 reaches is cut at so many places, and finely in four at both ends


def shifted(law: Law, c: int, centres: Sequence[float], fineness: int, bits: int) -> Revealed:
    """The outcomes of X over X + c: all of them, or groups that are fine around the losses that matter."""
    table = law.pmf if isinstance(law, Finite) else law.table(_TABLE)
    if table is not None:
        return Revealed.listed(ListedPair.between(table, table, c).masses)
    assert not isinstance(law, Finite)
    with working_precision(law.guard_bits + min(bits, _GROUPED) + _SPARE):  # in the tail each is as accurate
        cuts = sorted({t for centre in centres for t in _cuts(law, c, centre, fineness)})
        infinite, outcomes = _grouped(law, c, cuts)
    return Revealed(outcomes, infinite, None)


def sampled(law: Law, share: Fraction, centre: float, fineness: int, bits: int, *, there: bool) -> Revealed:
    """The same of a record that is there with this chance, in one of the datasets.

    Args:
        law: of the noise.
        share: gamma.
        centre: the loss that matters; groups are fine in the middle too, where most outcomes are.
        fineness: groups to a standard deviation.
        bits: outcomes with masses below 2^-bits are not needed.
        there: whether it is in the likelier one.
    """
    gamma, rest = ball(share), ball(1 - share)
    away = math.expm1(centre if there else -centre) / float(share)  # of the ratio of all of Z + 1 and Z
    centres = [0.0, abs(math.log1p(away))] if away > -1 else [0.0]
    found = shifted(law.mirror if there else law, 1, centres, fineness, bits)
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
        with working_precision(64), suppress(Undecided):  # as next to the largest loss of a sum
            return law.last_above(c, Limit.exp(Fraction(epsilon * _SOONER**tried)))[0]
    raise Undecided(f"losses of a change by {c:,} are not told apart")


def _grouped(law: TailedLaw, c: int, cuts: list[int]) -> tuple[arb, list[Outcome]]:
    """The mass of an infinite loss, and that of all outcomes between two cuts, in rising order of losses: from
    distribution functions; losses need not be monotone.
    """
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
