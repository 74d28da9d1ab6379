"""What few people send, as a certificate says it: the law of a report for each input, and what a report adds."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from math import comb
from typing import Any

from dpcalc import check
from dpcalc.errors import DomainError
from dpcalc.mechanisms.fleet import Group
from dpcalc.mechanisms.sampled import Sampled
from dpcalc.mechanisms.shuffle import Shuffle
from dpcalc.mechanisms.stochastic import merged
from dpcalc.numbers.search import last_where

_MOST = 30_000_000  # steps of the checker


def shuffled(shuffle: Shuffle) -> dict[str, Any]:
    """A shuffled randomizer: each report counts by itself.

    Raises:
        DomainError: more people than can be listed; inputs that are no neighbours.
    """
    rows = merged(shuffle.randomizer.matrix)
    if len(shuffle.randomizer.neighbours) < comb(len(rows), 2):
        raise DomainError("mechanism", shuffle, "a shuffle of which any input may change to any other")
    return _described(shuffle.n, rows, lambda n: comb(n + len(rows[0]) - 1, n))


def sampled(clients: Sampled) -> dict[str, Any]:
    """Sampled clients: who reports adds the ones among k reports, and 1 if the number of clients is released.

    Raises:
        DomainError: more people than can be listed.
    """
    group, share = clients.group, clients.share
    rows = [[1 - share, *(share * mass for mass in _binomial(a, group))] for a in group.own]
    reports = [[0, 0], *([ones, 1] for ones in range(group.k + 1))]
    if not clients.numbered:
        reports = [[ones] for ones, _ in reports]
    found = _described(group.n, rows, lambda n: (n * group.k + 1) * (n + 1 if clients.numbered else 1))
    return {**found, "reports": reports}


def _binomial(a: Fraction, group: Group) -> list[Fraction]:
    return [comb(group.k, ones) * a**ones * (1 - a) ** (group.k - ones) for ones in range(group.k + 1)]


def _described(n: int, rows: Sequence[Sequence[Fraction]], outcomes: Callable[[int], int]) -> dict[str, Any]:
    """The laws and the people, if not too many; so many outcomes do so many people show."""
    inputs = len(rows)

    def listed(n: int) -> bool:
        return comb(n + inputs - 2, inputs - 1) * outcomes(n) * inputs * (inputs + len(rows[0])) <= _MOST

    if not listed(n):
        most = last_where(listed, 1, n)
        raise DomainError("n", n, f"at most {most:,} of such people: a certificate sums up every dataset")
    return {"inputs": [[check.written(chance) for chance in row] for row in rows], "people": n}
