r"""A local randomizer, shuffled: what the histogram of everybody's reports gives away of one of them.

n people run the same randomizer, a finite mechanism, once each; released is how often each report came. One person's
input changes from b to a, neighbours of the randomizer. Two ends of delta, each proven:

*identical*  from below: all other people hold the same input c. Then the others' reports have one law, and delta is
             that of one report in a crowd (``counts.crowd``), maximised over a, b and c. Which c is worst depends on n
             and lambda: for k-ary randomized response with few people c = a, with many a third input.
*blanket*    from above, whatever the others hold: gamma = sum over y of min_x P[y | x] is how likely a report may be
             taken as drawn from one law, that of the minima, whoever sends it; to show the reports that are not, with
             their senders, can only help the attacker. What is left is a crowd of the law min_x P[y | x].

They need not meet. For two inputs and two reports that are mirror images, which is randomized response of a bit, the
answer is that of ``KRandomization``: the largest over every dataset. Proof notes, S1 to S3.

Source: Balle, Bell, Gascon, Nissim 2019 (1903.02837), Lemma 5.3, with the reports that the blanket never gives; Wang et
al. 2023 (2304.05007) state a smaller bound, which k-ary randomized response exceeds for k >= 3.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

from dpcalc.counts.crowd import Crowd
from dpcalc.errors import DomainError, NoSolution, TooLarge
from dpcalc.mechanisms.finite import FiniteMechanism
from dpcalc.mechanisms.response import MOST_REPORTS, KRandomization
from dpcalc.mechanisms.stochastic import Matrix, merged
from dpcalc.numbers.enclosure import Enclosure, decimal
from dpcalc.numbers.limit import MAX_EPSILON, Limit
from dpcalc.numbers.promise import Promise, wider
from dpcalc.numbers.rational import Number, between, integer
from dpcalc.privacy.accounted import Accounted, Progress
from dpcalc.privacy.crowds import Crowds
from dpcalc.report import most

__all__ = ["IdenticalRecords", "Shuffle", "Shuffled"]

_RTOL_DELTA = Fraction(1, 10**4)
_RTOL_EPSILON = Fraction(1, 10**3)
_MOST_WORK = 50_000_000  # triples of inputs times reports: seconds
_MOST_CROWDS = 5_000  # of which a bound is taken: seconds
_ALIKE = "one dataset, all others alike"
_STEEPEST = 1000  # the largest epsilon searched where none suffices for every delta


@dataclass(frozen=True, slots=True)
class IdenticalRecords:
    """A pair of neighbouring datasets that differ in one input, all others being equal; rows of the randomizer.

    Attributes:
        others: what everybody else holds.
        likely: the changed input in the dataset under which the event is likelier.
        unlikely: in the other one.
    """

    others: int
    likely: int
    unlikely: int


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Shuffled(Promise):
    """delta or epsilon of a shuffled randomizer; its ends answer different questions, and need not meet.

    Attributes:
        identical: that of the worst dataset whose other records are equal; ``lower`` is its lower end.
        blanket: the privacy blanket, no dataset has more; ``upper`` is its upper end.
        dataset: attains ``lower``.
    """

    identical: Enclosure
    blanket: Enclosure
    dataset: IdenticalRecords

    @classmethod
    def between(
        cls, identical: Enclosure, blanket: Enclosure, dataset: IdenticalRecords, rtol: Fraction
    ) -> Shuffled:  # fmt: skip
        """From below and from above; identical others are among all others."""
        most = blanket.upper
        alike = Enclosure(identical.lower, min(identical.upper, most))
        return cls(identical.lower, most, alike, blanket, dataset, attained_by=_ALIKE, rtol=rtol)

    @property
    def note(self) -> str | None:
        """That one of the two was not found to the relative width aimed at; None if both were."""
        return wider(self.identical, self.rtol) or wider(self.blanket, self.rtol)

    def lines(self) -> list[str]:
        """What each end is proven for."""
        at = self.dataset
        return [
            f"all others alike:  {self.identical}, attained where they hold {at.others}, "
            f"the event being likelier for {at.likely} than for {at.unlikely}",
            f"every dataset:  at most {most(self.blanket)}, by the privacy blanket",
        ]


@dataclass(frozen=True, slots=True, init=False)
class Shuffle(Accounted[Shuffled]):
    """A randomizer run once by each of n people; released is the histogram of the reports.

    Args:
        randomizer: a ``FiniteMechanism``: its rows are the inputs, its columns the reports, and its neighbours what an
            input may change to.
        n: honest people, at least 1: who drops out or tells what was sent hides nobody (``mechanisms.fleet``).

    Raises:
        DomainError: an argument out of range.
        TooLarge: more inputs and reports than can be compared, about 80 of each.

    >>> from dpcalc import delta
    >>> from dpcalc.mechanisms.randomizers import k_ary_response
    >>> found = delta(Shuffle(k_ary_response(3, lam=8), n=2), lam=5)
    >>> print(found.identical, found.blanket, found.dataset)
    6/25 6/25 IdenticalRecords(others=0, likely=0, unlikely=1)
    """

    randomizer: FiniteMechanism
    n: int

    def __init__(self, randomizer: FiniteMechanism, *, n: Number) -> None:
        if not isinstance(randomizer, FiniteMechanism):
            raise DomainError("randomizer", randomizer, "a FiniteMechanism, such as k_ary_response(3, lam=3)")
        if not randomizer.neighbours:
            raise DomainError("randomizer", randomizer, "a FiniteMechanism with two inputs or more that are neighbours")
        object.__setattr__(self, "randomizer", randomizer)
        object.__setattr__(self, "n", integer(n, "n", minimum=1, maximum=MOST_REPORTS))
        work = 2 * len(randomizer.neighbours) * len(randomizer.matrix) * len(randomizer.matrix[0])
        if work > _MOST_WORK:
            raise TooLarge(
                "comparing all inputs", size=work, limit=_MOST_WORK, unit="steps", instead="fewer inputs or reports"
            )

    @property
    def simplest(self) -> KRandomization | Shuffle:
        """Randomized response of a bit, if it is that."""
        rows = merged(self.randomizer.matrix)
        if len(rows) == len(rows[0]) == 2 and rows[0] == rows[1][::-1] and all(rows[0]):
            return KRandomization(n=self.n, q=min(rows[0]))
        return self

    @property
    def gamma(self) -> Fraction:
        """The weight of the blanket, sum over y of min_x P[y | x].

        >>> from dpcalc.mechanisms.randomizers import k_ary_response
        >>> Shuffle(k_ary_response(3, lam=3), n=10).gamma
        Fraction(3, 5)
        """
        return sum(_blanket(self.randomizer.matrix), Fraction(0))

    @property
    def local_epsilon(self) -> Promise:
        """That of one report.

        Raises:
            NoSolution: a report that one input gives never comes from a neighbour.
        """
        return self.randomizer.epsilon()

    def delta(
        self, limit: Limit, *, ones: Number | None = None, rtol: Number | None = None, progress: Progress | None = None
    ) -> Shuffled:
        """See ``dpcalc.delta``; rtol (default 1e-4) is what each end aims at. Exact where few histograms are possible.

        Raises:
            DomainError: ``ones`` is given; rtol is not above 1e-12.
            TooLarge: too many different pairs of inputs.
        """
        width = _width(ones, rtol, _RTOL_DELTA, "1e-12")
        alike, covered = _identical(self.randomizer, self.n), _covered(self.randomizer, self.n)
        identical, dataset = alike.largest(limit, width, progress and (lambda share: progress(share / 2)))
        blanket, _ = covered.largest(limit, width, progress and (lambda share: progress((1 + share) / 2)))
        return Shuffled.between(identical, blanket, dataset, width)

    def epsilon(self, target: Fraction, *, ones: Number | None = None, rtol: Number | None = None) -> Shuffled:
        """See ``dpcalc.epsilon``; rtol (default 1e-3) is what each end aims at.

        Raises:
            DomainError: ``ones`` is given; rtol is not above 1e-6.
            NoSolution: delta is not proven to fall to the target.
            TooLarge: too many different pairs of inputs.
        """
        width = _width(ones, rtol, _RTOL_EPSILON, "1e-6")
        alike, covered = _identical(self.randomizer, self.n), _covered(self.randomizer, self.n)
        try:
            highest = min(self.local_epsilon.upper, Fraction(MAX_EPSILON))
        except NoSolution:
            highest = Fraction(_STEEPEST)
            if not covered.within(Limit(highest, logarithmic=True), target, width):
                shown = decimal(target, target, 12)
                raise NoSolution(f"delta is not proven to be at most {shown} for epsilon = {_STEEPEST:,}") from None
        identical, dataset = alike.least_epsilon(target, width, highest)
        blanket, _ = covered.least_epsilon(target, width, highest)
        return Shuffled.between(identical, blanket, dataset, width)


@lru_cache(maxsize=8)
def _identical(randomizer: FiniteMechanism, n: int) -> Crowds[IdenticalRecords]:
    """One changed report among those of identical others."""
    inputs = range(len(randomizer.matrix))
    cases = (IdenticalRecords(c, a, b) for a, b in randomizer.ordered() for c in inputs)
    return _different([*merged(randomizer.matrix)], cases, n)


@lru_cache(maxsize=8)
def _covered(randomizer: FiniteMechanism, n: int) -> Crowds[IdenticalRecords]:
    """One changed report among those that may be taken as drawn from the blanket: a row more."""
    rows = merged(randomizer.matrix)
    cases = (IdenticalRecords(len(rows), a, b) for a, b in randomizer.ordered())
    return _different([*rows, _blanket(rows)], cases, n)


def _blanket(matrix: Matrix) -> tuple[Fraction, ...]:
    """The least probability of each report."""
    return tuple(min(column) for column in zip(*matrix, strict=True))


def _different(
    rows: Sequence[tuple[Fraction, ...]], cases: Iterator[IdenticalRecords], n: int
) -> Crowds[IdenticalRecords]:
    """The crowds of all cases, each once: with the same columns of probabilities, as often, they are the same."""
    numbers: dict[Fraction, int] = {}
    named = [[numbers.setdefault(entry, len(numbers)) for entry in row] for row in rows]
    shapes: dict[frozenset[tuple[tuple[int, int, int], int]], IdenticalRecords] = {}
    for case in cases:
        columns = zip(named[case.likely], named[case.unlikely], named[case.others], strict=True)
        shapes.setdefault(frozenset(Counter(columns).items()), case)
        if len(shapes) > _MOST_CROWDS:
            raise TooLarge(
                "comparing all pairs of inputs", size=len(shapes), limit=_MOST_CROWDS, unit="different cases",
                instead="fewer inputs, or only some neighbours",
            )  # fmt: skip
    found: dict[Crowd, IdenticalRecords] = {}
    for case in shapes.values():
        found.setdefault(Crowd.of(rows[case.likely], rows[case.unlikely], rows[case.others], n), case)
    return Crowds(found)


def _width(ones: Number | None, rtol: Number | None, default: Fraction, least: str) -> Fraction:
    if ones is not None:
        raise DomainError("ones", ones, "leave it out: the other records of a shuffled randomizer are no bits")
    return default if rtol is None else between(rtol, "rtol", least, 1, "a relative width")
