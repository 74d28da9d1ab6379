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

from dpcalc.choose.crossing import Problem, Sought, shown, solved
from dpcalc.errors import NoSolution, Undecided
from dpcalc.families.table import family
from dpcalc.mechanisms.mechanism import Mechanism
from dpcalc.numbers.limit import Limit, allowed_delta
from dpcalc.numbers.promise import Promise
from dpcalc.numbers.rational import Number
from dpcalc.numbers.search import logarithm
from dpcalc.pairs.family import Family

_LEAST = Fraction(1, 10**18)  # epsilons below this are not searched
_COARSE, _ROUGH = Fraction(1, 4), Fraction(1, 100)  # relative widths of the total variation where they are enough,
_FINE = Fraction(1, 10**12)  # where they are not, and of the limit of delta,
_SHARP = Fraction(1, 10**60)  # and of that limit where the target lies between its ends
_ALIKE = Fraction(1, 8)  # what is prepared at an epsilon serves up to so much more of it, or the loss's deviation more
_WIDE = 10  # widths: where the ends lie farther apart, the search is made again from each of them
_BELOW = 0.9  # of the largest epsilon searched: beyond there may be nothing to prepare for

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
    for rtol in () if asked.one_is_quick and asked.starts_above(target) else (_COARSE, _ROUGH, _FINE):
        zero: Promise = asked.delta(Limit(Fraction(1)), rtol=rtol, exact=rtol == _FINE)
        if zero.upper <= target:
            return asked.threshold(Fraction(0), Fraction(0), zero, zero)
        if zero.lower > target:
            break
    rest = asked.rest(_FINE)
    if rest.lower <= target <= rest.upper:
        rest = asked.rest(_SHARP)
    if rest.lower > target:
        raise NoSolution(
            f"no epsilon gives delta <= {shown(target)}: as epsilon grows, delta falls to {shown(rest.lower)} or more, "
            "the chance of an outcome that gives the change away"
        )
    problem = _profile(asked, target, width)
    sought = Sought(_LEAST, asked.highest, width * asked.finer, name="epsilon")
    start = math.log(min(asked.about(target), float(asked.highest) * _BELOW))  # delta is above 0 there
    found = solved(problem, target, sought, start=start)
    enough = width if asked.refusal(None) else _WIDE * width
    for end in (found.value, found.failing):  # prepared there, another dataset may be known to be worse
        again = asked.near(float(end), width, target) if found.upper > found.lower * (1 + enough) else asked
        if again is asked:
            break
        with suppress(Undecided):
            other = solved(lambda x: (again, Limit.exp(x)), target, sought, start=logarithm(end))  # noqa: B023
            low, high = max(found, other, key=_LOWER), min(found, other, key=_UPPER)
            found = replace(high, lower=low.lower, at_lower=low.at_lower)
    assert isinstance(found.at_holding, Promise)
    least = asked.threshold(found.failing, found.value, found.at_failing, found.at_holding)
    return problem(found.value)[0].narrowed(least, target, width)


def _profile(asked: Family[Any], target: Fraction, width: Fraction) -> Problem:
    """delta as a function of epsilon; the family is prepared anew where epsilon is far from where it was."""
    prepared = dict[Fraction, Family[Any]]()
    highest = float(asked.highest) * _BELOW

    def problem(epsilon: Fraction) -> tuple[Family[Any], Limit]:
        apart = min(_ALIKE * epsilon, Fraction(asked.spread))
        below = [at for at in prepared if 0 <= epsilon - at <= apart]  # losses below it may be left out
        if not below:
            below = [epsilon - apart / 4]
            prepared[below[0]] = asked.near(min(float(below[0]), highest), width, target)
        return prepared[max(below)], Limit.exp(epsilon)

    return problem
