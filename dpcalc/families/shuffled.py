r"""The family of a shuffled randomizer: a lower and an upper bound of delta.

*identical*  from below: all other people hold the same input c. Then the others' reports have one law, and delta is
             that of one report in a crowd (``pairs.crowd``), maximised over a, b and c. Which c is worst depends on n
             and lambda: for k-ary randomized response with few people c = a, with many a third input.
*blanket*    from above, whatever the others hold: with probability gamma = sum over y of min_x P[y | x] a report can be
             taken as drawn from one law, in proportion to the minima, whatever its sender holds. All other reports are
             shown to the attacker with their senders, which can only help him. What is left is a crowd of that law.

Quick bounds rank the crowds of each first. Those that may have the largest delta are enclosed loosely, and then to the
width asked, best first. The upper end that is returned is also a bound for the crowds that were not enclosed.

The two bounds need not meet. For two inputs and two reports that are mirror images, which is randomized response of a
bit, the answer is that of ``KRandomization``: the largest delta over every dataset. Proof notes, S1 to S3.

Source: Balle, Bell, Gascon, Nissim 2019 (1903.02837), Lemma 5.3, here with the reports that the blanket never gives;
Wang et al. 2023 (2304.05007) state a smaller bound, which k-ary randomized response exceeds for k >= 3.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

from dpcalc.errors import must_fit
from dpcalc.mechanisms.finite import FiniteMechanism
from dpcalc.mechanisms.shuffle import Shuffle, blanket
from dpcalc.mechanisms.stochastic import merged
from dpcalc.numbers.enclosure import Enclosure
from dpcalc.numbers.limit import Limit
from dpcalc.numbers.promise import Promise, wider
from dpcalc.numbers.search import best_first
from dpcalc.pairs.crowd import Crowd, wide
from dpcalc.pairs.family import Attained, Family, OfMechanism, Progress, Width
from dpcalc.pairs.named import NamedPairs

_MOST_CROWDS = 5_000  # their bounds take seconds
_MOST = 200  # crowds that are enclosed, loosely or narrowly
_LOOSE = Fraction(1, 10)  # the relative width of the loose enclosures
_NONE = 1e-36  # variance of a loss that is always 0: more than 0, as it is divided by


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

    def __str__(self) -> str:
        change = f"the event being likelier for {self.likely} than for {self.unlikely}"
        return f"attained where all others hold {self.others}, {change}"


@dataclass(frozen=True, slots=True, eq=False)
class Crowds(Family[Attained]):
    """Different crowds, and for each a dataset in which it is found.

    Attributes:
        datasets: the crowds, and a dataset for each.
        randomizer: whose reports the crowds are of.
    """

    datasets: dict[Crowd, IdenticalRecords]
    randomizer: FiniteMechanism

    delta_width = Width("1e-4", "1e-12")
    epsilon_width = Width("1e-3", "1e-6")
    farthest = 1000

    def delta(self, limit: Limit, *, rtol: Fraction, exact: bool = True, progress: Progress | None = None) -> Attained:
        """The largest delta of all."""
        best, upper, worst, done = Fraction(0), Fraction(0), next(iter(self.datasets)), 0

        def nearer(place: tuple[Crowd, bool]) -> Iterator[tuple[Fraction, tuple[Crowd, bool]]]:
            """A crowd of which a bound is known is enclosed loosely, and one that is enclosed loosely narrowly."""
            nonlocal best, upper, worst, done
            crowd, seen = place
            done += 1
            if progress:
                progress(done / _MOST)
            found = crowd.enclosed(limit, rtol=rtol) if seen else crowd.quick(limit, rtol=_LOOSE)
            if found.lower > best:
                best, worst = found.lower, crowd
            if not seen and wide(found, rtol):
                yield found.upper, (crowd, True)
            else:
                upper = max(upper, found.upper)

        left = best_first(
            [(crowd.bound(limit), (crowd, False)) for crowd in self.datasets],
            nearer,
            enough=lambda: best,
            most=_MOST,
        )
        upper = max([upper, best, *(most for most, _ in left[:1])])
        return Attained(best, upper, self.datasets[worst])

    @property
    def local_epsilon(self) -> Promise:
        """That of one report."""
        return self.randomizer.epsilon()

    @property
    def spread(self) -> float:
        """About the standard deviation of the privacy loss: as of normal laws, at most the local epsilon."""
        crowd = next(iter(self.datasets))
        return min(max(math.sqrt(crowd.variance), 1e-18), float(self.highest))

    def threshold(self, lower: Fraction, upper: Fraction, at_lower: Enclosure, at_upper: Promise) -> Promise:
        """An epsilon, with the dataset that is above the target at its lower end."""
        found = at_lower if isinstance(at_lower, Attained) else at_upper
        assert isinstance(found, Attained)
        return Attained(lower, upper, found.dataset)


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Shuffled(Promise):
    """delta or epsilon of a shuffled randomizer; its ends come from different bounds, and need not meet.

    Attributes:
        identical: the value of the worst dataset whose other records are all equal; ``lower`` is its lower end.
        blanket: the privacy blanket, a bound for every dataset; ``upper`` is its upper end.
        dataset: attains ``lower``.
    """

    identical: Enclosure
    blanket: Enclosure
    dataset: IdenticalRecords

    @property
    def note(self) -> str | None:
        """Says that one of the two did not reach the relative width aimed at; None if both did."""
        return wider(self.identical, self.rtol) or wider(self.blanket, self.rtol)


@dataclass(frozen=True, slots=True)
class Reports(OfMechanism[Shuffled], NamedPairs[Shuffled]):
    """Every dataset of a shuffled randomizer: from below those with equal others, from above the blanket."""

    mechanism: Shuffle

    delta_width = Crowds.delta_width
    epsilon_width = Crowds.epsilon_width
    farthest = Crowds.farthest

    def delta(self, limit: Limit, *, rtol: Fraction, exact: bool = True, progress: Progress | None = None) -> Shuffled:
        """Both bounds; exact where few histograms are possible.

        Raises:
            TooLarge: too many different pairs of inputs.
        """
        below, above = self.parts
        identical = below.delta(limit, rtol=rtol, progress=progress and (lambda share: progress(share / 2)))
        covered = above.delta(limit, rtol=rtol, progress=progress and (lambda share: progress((1 + share) / 2)))
        return self.joined([identical, covered], rtol)

    @property
    def spread(self) -> float:
        """The largest spread of all crowds, at most the local epsilon."""
        return max(min(_spread(self.mechanism), float(self.highest)), 1e-18)

    @property
    def parts(self) -> tuple[Crowds, Crowds]:
        """The crowds of the lower bound and those of the upper one."""
        return _parts(self.mechanism)

    def rest(self, rtol: Fraction) -> Enclosure:
        """Between the chance of a report that excludes the other input beside equal others, and that by the blanket.

        A crowd of the blanket has no outcome that b lacks, c(y) being at most b(y): there ``infinite`` is exact.
        """
        lower, upper = (max(crowd.infinite for crowd in part.datasets) for part in self.parts)
        return Enclosure(lower, upper)

    def candidates(self, limit: Limit, *, rtol: Fraction, several: bool) -> Iterator[IdenticalRecords]:
        """The worst dataset of those with equal others."""
        yield self.named(self.parts[0].delta(limit, rtol=rtol))

    def upper(self, limit: Limit, *, rtol: Fraction) -> Fraction:
        """The bound by the blanket."""
        return self.parts[1].delta(limit, rtol=rtol).upper

    def pair(self, at: IdenticalRecords, *, rtol: Fraction) -> Crowd:
        """One report in a crowd."""
        rows = merged(self.mechanism.randomizer.matrix)
        return Crowd.of(rows[at.likely], rows[at.unlikely], rows[at.others], self.mechanism.n)

    def joined(self, answers: Sequence[Promise], rtol: Fraction) -> Shuffled:
        """One answer with two ends; the blanket bounds the datasets with equal others too."""
        identical, covered = answers
        assert isinstance(identical, Attained)
        alike = Enclosure(identical.lower, min(identical.upper, covered.upper))
        words = "one dataset, all others alike"
        return Shuffled(identical.lower, covered.upper, alike, covered, identical.dataset, attained_by=words, rtol=rtol)


@lru_cache(maxsize=8)
def _spread(shuffle: Shuffle) -> float:
    """About the standard deviation of the loss: as of normal laws, and of the reports that the crowd never gives."""
    found = _NONE
    for crowd in (crowd for part in _parts(shuffle) for crowd in part.datasets):
        found = max(found, crowd.variance + sum(float((a - b) ** 2 / max(a, b)) for a, b in crowd.apart if b))
    return math.sqrt(found)


@lru_cache(maxsize=8)
def _parts(shuffle: Shuffle) -> tuple[Crowds, Crowds]:
    """The crowds of one changed report: among those of equal others, and among those drawn from the blanket."""
    rows = merged(shuffle.randomizer.matrix)
    least = len(rows)  # the row of the blanket
    alike = (IdenticalRecords(c, a, b) for c, a, b in shuffle.triples)
    hidden = (IdenticalRecords(least, a, b) for a, b in shuffle.randomizer.different)
    return _crowds(rows, alike, shuffle), _crowds([*rows, blanket(rows)], hidden, shuffle)


def _crowds(rows: Sequence[tuple[Fraction, ...]], cases: Iterable[IdenticalRecords], shuffle: Shuffle) -> Crowds:
    """The different crowds of all cases: two are the same if they have the same columns, each as often."""
    numbers: dict[Fraction, int] = {}
    named: dict[int, list[int]] = {}
    shapes: dict[frozenset[tuple[tuple[int, int, int], int]], IdenticalRecords] = {}
    for case in cases:
        three = case.likely, case.unlikely, case.others
        for x in three:
            if x not in named:
                named[x] = [numbers.setdefault(entry, len(numbers)) for entry in rows[x]]
        columns = zip(*(named[x] for x in three), strict=True)
        shapes.setdefault(frozenset(Counter(columns).items()), case)
        must_fit(
            "comparing all pairs of inputs", len(shapes), _MOST_CROWDS, "different cases",
            instead="fewer inputs, or only some neighbours",
        )  # fmt: skip
    found: dict[Crowd, IdenticalRecords] = {}
    for case in shapes.values():
        found.setdefault(Crowd.of(rows[case.likely], rows[case.unlikely], rows[case.others], shuffle.n), case)
    return Crowds(found, shuffle.randomizer)
