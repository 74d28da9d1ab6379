"""Small cases in full: what a statement about every mechanism, event or local randomizer is tried on.

Mechanisms are those whose probabilities are multiples of 1/parts; local randomizers have the likelihood ratios that
their privacy allows, up to p/q = odds.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import combinations, product

from dpcalc.mechanisms.finite import FiniteMechanism
from dpcalc.mechanisms.response import KRandomization
from dpcalc.notes.barrier.lower_bound import Randomizer
from dpcalc.numbers.elementary import exp
from tests.oracles.events import events

FLIPS = (Fraction(1, 4), Fraction(2, 5))  # the flip probabilities at which formulas are tried


def deterministic(outcomes: Sequence[int], count: int) -> tuple[tuple[Fraction, ...], ...]:
    """The stochastic matrix of the map that sends input x to ``outcomes[x]``."""
    return tuple(tuple(Fraction(s == outcome) for s in range(count)) for outcome in outcomes)


def distributions(size: int, parts: int) -> list[tuple[Fraction, ...]]:
    """Every distribution on ``size`` outcomes with probabilities in multiples of 1/parts.

    The bars between ``parts`` stars are placed in every way.

    >>> [tuple(map(str, point)) for point in distributions(2, 2)]
    [('0', '1'), ('1/2', '1/2'), ('1', '0')]
    """
    places = parts + size - 1
    points = []
    for bars in combinations(range(places), size - 1):
        ends = (-1, *bars, places)
        points.append(tuple(Fraction(ends[i + 1] - ends[i] - 1, parts) for i in range(size)))
    return points


def mechanisms(datasets: int, outcomes: int, parts: int) -> Iterator[FiniteMechanism]:
    """Every mechanism with these numbers of datasets and outcomes, in multiples of 1/parts; all are neighbours."""
    return map(FiniteMechanism, product(distributions(outcomes, parts), repeat=datasets))


def event_by_event(mechanism: FiniteMechanism, lam: int, delta: Fraction = Fraction(0)) -> bool:
    """Whether P[M(x) in S] <= lambda P[M(y) in S] + delta for all neighbours x, y and every set S: the definition."""
    return all(
        sum(mechanism.matrix[x][s] for s in event) <= lam * sum(mechanism.matrix[y][s] for s in event) + delta
        for x, y in mechanism.ordered()
        for event in events(len(mechanism.matrix[0]))
    )


def odds_below(exponent: Fraction) -> Fraction:
    """The greatest multiple of 1e-6 that is at most e^exponent: a likelihood ratio that so much privacy allows."""
    return Fraction(int(exp(exponent).lower * 10**6), 10**6)


def response(odds: Fraction) -> KRandomization:
    """One bit through randomized response with p/q = odds."""
    return KRandomization(n=1, q=1 / (1 + odds))


def randomizers(odds: Fraction) -> tuple[Randomizer, ...]:
    """Local randomizers with likelihood ratios from 1/odds to odds: symmetric, lopsided both ways, with an erasure.

    Where the rarer message of a lopsided one has probability 1/10 given one bit and 1/(10 odds) given the other, its
    common message has a ratio of at most (1 - 1/(10 odds))/(9/10), which is below odds.
    """
    tenth, rest = Fraction(1, 10), Fraction(9, 10)
    rare, common = (tenth, rest), (tenth / odds, 1 - tenth / odds)
    lie, kept = 1 / (1 + odds), Fraction(4, 5)
    return (
        Randomizer.of(response(odds)),
        Randomizer(zero=rare, one=common),
        Randomizer(zero=common, one=rare),
        Randomizer(zero=(kept * (1 - lie), kept * lie, 1 - kept), one=(kept * lie, kept * (1 - lie), 1 - kept)),
    )
