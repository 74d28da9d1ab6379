r"""The least epsilon for a target delta: the inverse of the privacy profile.

delta over all datasets falls in epsilon: more is subtracted from every outcome. So epsilon(delta) = inf {epsilon :
delta(epsilon) <= delta} lies between an epsilon at which delta is proven above the target and one at which it is not.
"""

from __future__ import annotations

import math
from contextlib import suppress
from dataclasses import replace
from fractions import Fraction
from operator import attrgetter
from typing import Any

from dpcalc.choose.crossing import Known, Problem, Sought, deltas, led, shown, solved
from dpcalc.errors import NoSolution, Undecided
from dpcalc.families.table import family
from dpcalc.mechanisms.mechanism import Mechanism
from dpcalc.numbers.bracket import Bracket
from dpcalc.numbers.limit import Limit, allowed_delta
from dpcalc.numbers.promise import Promise
from dpcalc.numbers.rational import Number
from dpcalc.numbers.search import logarithm
from dpcalc.pairs.family import Family

_LEAST = Fraction(1, 10**18)  # epsilons below this are not searched
_FINE = Fraction(1, 10**12)  # relative width of the total variation, and of the limit of delta,
_SHARP = Fraction(1, 10**60)  # and of the limit where the target lies between its ends
_MOVES = 4  # times a family is prepared anew at the epsilon that was found
_ALIKE, _NATS = 0.2, 10  # it is not, where epsilon moved less: in log epsilon, and by so much in log delta,
_USUAL = 5  # which falls by so much in a standard deviation of the loss, or more far out
_NEAR = Fraction(1, 100)  # relative width to which that epsilon is found
_BELOW = 0.9  # of the largest epsilon searched: a family is prepared at most there
_WIDE = 10  # widths: where the ends lie farther apart, the search goes on from each of them

_LOWER, _UPPER = attrgetter("lower"), attrgetter("upper")


def epsilon(mechanism: Mechanism, *, delta: Number, ones: Any = None, rtol: Number | None = None) -> Promise:
    """The least epsilon for which what is released is (epsilon, delta)-differentially private.

    Args:
        mechanism: any; records of several bits only as a ``UnaryEncoding``.
        delta: 0 <= delta < 1; at 0 the answer is the local epsilon.
        ones: look only at the datasets with this many ones among the other n - 1 records; default: at all datasets.
        rtol: relative width; default 1e-6, from 1e-9 on. Of histograms and shuffles by default 1e-3, of fleets with
            several randomizers 1e-2, of each from 1e-6 on. For rounds it is only aimed at, by default 1e-3.

    Returns:
        An enclosure: at ``lower`` one dataset's delta is proven above the target, at ``upper`` all are proven at or
        below it. Exactly 0 if the total variation distance is at most delta.

    Raises:
        DomainError: an argument out of range; records of several bits.
        NoSolution: the target is missed at epsilon = 0 and met at 1e-18 already, or missed for every epsilon searched.
        Undecided: no bracket of this width was found, as for a target next to the total variation distance.

    >>> from dpcalc import KRandomization
    >>> print(epsilon(KRandomization(n=1000, q="1/4"), delta="1e-6"))
    0.142057...
    """
    target, asked = allowed_delta(delta), family(mechanism, ones)
    width = asked.epsilon_width.of(rtol)
    if target == 0:
        return asked.local_epsilon
    return asked.checked(asked.joined([_least(part, target, width) for part in asked.parts], width), rtol)


def _least(asked: Family[Any], target: Fraction, width: Fraction) -> Promise:
    """The least epsilon of one part of a family; 0 < target < 1."""
    if not asked.starts_above(target):
        zero = asked.delta(Limit(Fraction(1)), rtol=asked.fineness(width, target), target=target)
        if zero.lower <= target < zero.upper:
            zero = asked.delta(Limit(Fraction(1)), rtol=_FINE, target=target)
        if zero.upper <= target:
            return asked.threshold(Fraction(0), Fraction(0), zero, zero)
    rest = asked.rest(_FINE)
    if rest.lower <= target <= rest.upper:
        rest = asked.rest(_SHARP)
    if rest.lower > target:
        raise NoSolution(
            f"no epsilon gives delta <= {shown(target)}: as epsilon grows, delta falls to {shown(rest.lower)} or more, "
            "the chance of an outcome that gives the change away"
        )
    prepared, start = _prepared(asked, target, width)
    sought = Sought(_LEAST, asked.highest, width * prepared.finer, name="epsilon")
    found = solved(_profile(prepared), target, sought, start=start)
    if prepared is not asked:
        found = _sharpened(asked, found, target, width, sought)
    assert isinstance(found.at_holding, Promise)
    least = asked.threshold(found.failing, found.value, found.at_failing, found.at_holding)
    return prepared.narrowed(least, target, width)


def _sharpened(asked: Family[Any], found: Bracket, target: Fraction, width: Fraction, sought: Sought) -> Bracket:
    """The bracket; narrower where its ends lie far apart and the family prepared at one of them has a worse pair, or
    proves a bound between them: what is negligible where it was prepared may not be so at the crossing.
    """
    for holding in (True, False):
        if found.upper <= found.lower * (1 + _WIDE * width):
            break
        end = found.upper if holding else found.lower
        again, beyond = asked.near(float(end), width, target), Limit.exp(found.lower * (1 + width))
        between = Limit.exp(sought.near((logarithm(found.lower) + logarithm(found.upper)) / 2))
        with suppress(Undecided):
            worse = again.one(beyond, rtol=width, near=target).lower > target
            if worse or again.delta(between, rtol=width, target=target).upper <= target:
                other = solved(_profile(again), target, sought, start=logarithm(end))
                low, high = max(found, other, key=_LOWER), min(found, other, key=_UPPER)
                found = replace(high, lower=low.lower, at_lower=low.at_lower)
    return found


class _NothingShown(Exception):
    """A family that was prepared elsewhere proves nothing below an epsilon at which it does."""


def _prepared(asked: Family[Any], target: Fraction, width: Fraction) -> tuple[Family[Any], float]:
    """The family, prepared for limits near the crossing, and an estimate of log epsilon there."""
    start = math.log(min(asked.about(target), float(asked.highest) * _BELOW))  # delta is above 0 there
    falls = max(_USUAL, math.sqrt(-2 * logarithm(target)))
    for _ in range(_MOVES):
        prepared, before = asked.near(math.exp(start), width, target), start
        if prepared is asked:
            break
        sought = Sought(_LEAST, asked.highest, _NEAR)
        _, some = deltas(_profile(prepared), target, sought)
        try:
            bad, good, _ = led(_seen(some), target, sought, before, loose=True)
            below = good if bad == _LEAST else bad  # beyond the crossing there may be nothing to prepare for
            start = (logarithm(below) + logarithm(good)) / 2
        except _NothingShown as lost:
            start = logarithm(lost.args[0])
        if abs(start - before) < _ALIKE and abs(math.exp(start) - math.exp(before)) * falls < _NATS * asked.spread:
            break
    return prepared, start


def _seen(delta: Known) -> Known:
    """The same, which raises where nothing is proven below an epsilon at which something is."""
    seen: list[Fraction] = []

    def known(x: Fraction) -> Promise:
        found = delta(x)
        if found.lower:
            seen.append(x)
        elif seen and x < max(seen):
            raise _NothingShown(x)
        return found

    return known


def _profile(asked: Family[Any]) -> Problem:
    """delta as a function of epsilon."""
    return lambda epsilon: (asked, Limit.exp(epsilon))
