"""A local randomizer, shuffled: n people run the same finite mechanism once each; the reports are pooled.

Released is how often each report came. One person's input changes from b to a, neighbours of the randomizer.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import KW_ONLY
from fractions import Fraction
from functools import partial
from typing import Any

from dpcalc.errors import DomainError, must_fit
from dpcalc.mechanisms.finite import FiniteMechanism
from dpcalc.mechanisms.mechanism import Mechanism, Parameter, Whole, declared, instance, parameter
from dpcalc.mechanisms.response import RECORDS, KRandomization
from dpcalc.mechanisms.stochastic import Matrix, integers, merged
from dpcalc.numbers.promise import Promise
from dpcalc.numbers.rational import LARGEST, integer

_MOST_WORK = 50_000_000  # different triples of inputs times reports: seconds


@declared()
class Shuffle(Mechanism):
    """A randomizer run once by each of n people; released is the histogram of the reports.

    More inputs and reports than can be compared, about 80 of each where no two inputs can be exchanged, are
    ``TooLarge``.

    >>> from dpcalc import delta
    >>> from dpcalc.mechanisms.randomizers import k_ary_response
    >>> found = delta(Shuffle(k_ary_response(3, lam=8), n=2), lam=5)
    >>> print(found.identical, found.blanket, found.dataset)
    6/25 6/25 attained where all others hold 0, the event being likelier for 0 than for 1
    """

    family = "families.shuffled:Reports"

    randomizer: Parameter[FiniteMechanism, FiniteMechanism] = parameter(
        instance(FiniteMechanism, "a FiniteMechanism, such as k_ary_response(3, lam=3)"),
        "its rows are the inputs, its columns the reports, and its neighbours what an input may change to",
    )
    _: KW_ONLY
    n: Whole = parameter(partial(integer, minimum=1, maximum=LARGEST), RECORDS[1])

    def _check(self, _given: Mapping[str, Any]) -> None:
        randomizer = self.randomizer
        if not randomizer.neighbours:
            raise DomainError("randomizer", randomizer, "a FiniteMechanism with two inputs or more that are neighbours")
        thirds = min(len(set(randomizer.classes)) + 2, len(randomizer.matrix))
        work = len(randomizer.different) * thirds * len(randomizer.matrix[0])
        must_fit("comparing all inputs", work, _MOST_WORK, "steps", instead="fewer inputs or reports")

    @property
    def simplest(self) -> KRandomization | Shuffle:
        """Randomized response of a bit, if it is that."""
        if len(self.randomizer.matrix) == 2:
            rows = merged(self.randomizer.matrix)
            if len(rows[0]) == 2 and rows[0] == rows[1][::-1] and all(rows[0]):
                return KRandomization(n=self.n, q=min(rows[0]))
        return self

    @property
    def triples(self) -> Iterator[tuple[int, int, int]]:
        """(c, a, b), the input of everybody else and a change from b to a: each once, up to exchanges of inputs."""
        members: dict[int, list[int]] = {}
        for x, first in enumerate(self.randomizer.classes):
            members.setdefault(first, []).append(x)
        for a, b in self.randomizer.different:
            thirds = (next((c for c in alike if c not in (a, b)), a) for alike in members.values())
            for c in sorted({a, b, *thirds}):
                yield c, a, b

    @property
    def gamma(self) -> Fraction:
        """The weight of the blanket, sum over y of min_x P[y | x].

        >>> from dpcalc.mechanisms.randomizers import k_ary_response
        >>> Shuffle(k_ary_response(3, lam=3), n=10).gamma
        Fraction(3, 5)
        """
        return sum(blanket(self.randomizer.matrix), Fraction(0))

    @property
    def local_epsilon(self) -> Promise:
        """The local epsilon of one report.

        Raises:
            NoSolution: a report that one input gives never comes from a neighbour.
        """
        return self.randomizer.epsilon()


def blanket(matrix: Matrix) -> tuple[Fraction, ...]:
    """The least probability of each report."""
    rows, scale = integers(matrix)
    return tuple(Fraction(min(column), scale) for column in zip(*rows, strict=True))
