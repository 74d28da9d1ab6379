"""delta of several rounds together, in three ways: in rationals, by boxes of datasets, and on a lattice of losses.

Each way proves its own ends. The answer takes the largest lower and the smallest upper end; ``meaning`` says for which
datasets each is proven.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from itertools import islice, product
from operator import itemgetter
from typing import Any, TypeAlias

from dpcalc.errors import DomainError, NoSolution
from dpcalc.families.bits import Bits
from dpcalc.families.boxes import FAINTEST, Boxes, Found
from dpcalc.mechanisms.mechanism import Mechanism
from dpcalc.mechanisms.response import KRandomization
from dpcalc.mechanisms.rounds import Rounds
from dpcalc.mechanisms.unary import ABSENT, UnaryEncoding
from dpcalc.numbers.elementary import compound, log
from dpcalc.numbers.enclosure import Enclosure
from dpcalc.numbers.limit import Limit
from dpcalc.numbers.promise import ADAPTIVE, ALL, FIXED, ONE, Promise, Words
from dpcalc.numbers.rational import Number, integer
from dpcalc.pairs.family import Family, Progress, Width
from dpcalc.pairs.named import NamedPairs
from dpcalc.rounds.composed import Composed
from dpcalc.rounds.few_rounds import Kind, adaptive, adaptive_cost, fixed, fixed_cost
from dpcalc.rounds.release import boxes, counts, directed, every, named
from dpcalc.rounds.round import Round, rivals
from dpcalc.rounds.tilted_rounds import TiltedRounds, tilted

_AFFORDABLE = math.log(20_000)  # log of the terms summed in rationals
_LEAST_LISTED, _MOST_LISTED = 200, 2_000  # outcomes of all pairs of a round, up to which they are listed
_NARROWEST, _BROADEST = 1e-4, 0.2  # relative widths that a lattice is made for
_SHORT = 1000  # reports of one person, up to which the largest ratio is computed exactly

_STRATEGY = "a strategy that looks at earlier counts"
_NAMED = "the datasets named"
_UNSETTLED = "the worst datasets fixed in advance are not settled to this width; adaptive=True takes both ends"
_LARGE = Fraction(1, 4)  # variance of a round's loss, above which the mean of a normal loss is not half the variance
_BELOW = Fraction(1, 100)  # the lattice's relative width if only the lower end is wanted
_SHARPER = 4  # a second lattice is so many times sharper than the width asked for
_APART = 100  # if the upper end is so many times the lower one, a sharper lattice does not help
_WAYS = 8  # choices of datasets that are compared for the lower end, at most

#: Triples (mechanism, dataset as its family names it, how many times).
_NamedRounds: TypeAlias = tuple[tuple[Mechanism, Any, int], ...]


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class RoundsDelta(Promise):
    """delta of several rounds; the ends answer different questions unless they meet.

    Attributes:
        datasets: triples (mechanism, dataset, how many times). Fixed in advance, they reach ``lower``; empty if only a
            strategy reaches it. ``upper`` holds even if later data depend on earlier counts.
    """

    datasets: _NamedRounds


@dataclass(frozen=True)
class OneWay:
    """Rounds in one direction, the same in all of them: whether a deleted record is absent in the likelier dataset.

    Attributes:
        kinds: pairs (mechanism, how many times), in order.
        absent: whether it is so; of a given dataset, whether it is looked at in the direction 0 over 1.
        holders: the number of ones in a given dataset; None: every dataset.
    """

    kinds: tuple[tuple[Mechanism, int], ...]
    absent: bool
    holders: int | None

    @cached_property
    def families(self) -> tuple[tuple[NamedPairs[Any], int], ...]:
        """What is bounded by itself, each with how often it is released: counts of bits that change, and all else."""
        found: dict[NamedPairs[Any], int] = {}
        for mechanism, times in self.kinds:
            one, number = counts(mechanism, self.absent, self.holders)
            found[one] = found.get(one, 0) + times * number
        return tuple(found.items())

    @cached_property
    def spread(self) -> float:
        """The standard deviation of the loss of all rounds, about."""
        return math.sqrt(sum(times * one.spread**2 for one, times in self.families))

    @cached_property
    def pairs(self) -> list[Kind]:
        """Every dataset of each round in turn, as far as nothing else makes them unaffordable."""
        total = sum(times for _, times in self.kinds)
        return [(every(one, self.absent, _most(times, total), self.holders), times) for one, times in self.kinds]

    def kept_within(self, limit: Limit) -> bool:
        """Whether no outcome of all rounds has a ratio above lambda, so that delta is 0."""
        each = [(counts(mechanism, self.absent), times) for mechanism, times in self.kinds]
        bits = [(one, number * times) for (one, number), times in each if isinstance(one, Bits)]
        if len(bits) == len(each) and sum(float(x.k * times) for x, times in bits) <= _SHORT:
            return limit.allows(math.prod((x.odds ** (x.k * times) for x, times in bits), start=Fraction(1)))
        epsilon = limit.given if limit.logarithmic else log(limit.given).lower
        with suppress(NoSolution):  # some noise has no largest loss
            return Rounds(self.kinds).local_epsilon.upper <= epsilon
        return False

    def each(self, epsilon: float) -> Iterator[tuple[list[Round], int]]:
        """Each count, how many times, and datasets of it that may be the worst if losses add up to epsilon."""
        for one, times in self.families:
            for count, at in one.counts(epsilon * (one.spread / self.spread) ** 2):
                loss, several = epsilon * (count.spread / self.spread) ** 2, len(self.kinds) > 1
                yield rivals(count, loss, epsilon, several=several) if at is None else [Round(count, at)], times

    def _places(self) -> Iterator[tuple[Mechanism, int, range]]:
        """The mechanisms, in order, how many times each, and the places of its counts in ``each``."""
        places, end = dict[Any, range](), 0
        for one, _ in self.families:
            places[one] = range(end, end := end + len(one.counts(0.0)))
        for mechanism, times in self.kinds:
            yield mechanism, times, places[counts(mechanism, self.absent, self.holders)[0]]

    def order(self) -> Iterator[tuple[int, int]]:
        """Places in ``each``, and how many times, in order; counts that are released at once follow each other.

        Each release of counts that differ comes by itself: the datasets of the next may depend on all of them.
        """
        for mechanism, times, places in self._places():
            number = counts(mechanism)[1]
            if len(places) == 1:
                yield places[0], times * number
            else:
                yield from [(i, number) for i in places] * times

    def alike(self, chosen: Sequence[Any]) -> _NamedRounds:
        """The datasets where all counts of the same n, q, k have the same ones, given those of ``each``."""
        return tuple(
            (mechanism, named(mechanism, [chosen[i] for i in places] * counts(mechanism)[1], self.absent), times)
            for mechanism, times, places in self._places()
        )

    def composed(self, epsilon: float, width: float, *, ordered: bool) -> Composed:
        """These rounds on a lattice."""
        each = list(self.each(epsilon))
        ways = islice(product(*(rivals for rivals, _ in each)), _WAYS)
        some = tuple(tuple(zip(way, (times for _, times in each), strict=True)) for way in ways)
        order = tuple(self.order()) if ordered else ()
        return Composed(_best(some, epsilon), width, alone=self.holders is not None, order=order)


@dataclass(frozen=True)
class Joint(Family[RoundsDelta]):
    """Rounds on the same people, over every dataset or with a given number of ones in all rounds.

    Attributes:
        kinds: pairs (mechanism, how many times), in order.
        beforehand: whether all datasets are fixed before the first release.
        kept: whether a width that is not reached is an error.
        histogram: whether this is a single histogram; then a width that the caller gave and that is missed is an error.
        holders: the number of ones in one dataset; None: every dataset.
        ordered: whether they are run in the order of ``kinds``; if not, answers hold for any order.
        made: an epsilon and a relative width of delta: ends are made for limits near the one and lie about so far
            apart; default: made anew for every limit.
    """

    kinds: tuple[tuple[Mechanism, int], ...]
    beforehand: bool
    kept: bool = False
    histogram: bool = False
    holders: int | None = None
    ordered: bool = True
    made: tuple[float, float] | None = None

    delta_width = Width("1e-2", "1e-9")
    epsilon_width = Width("1e-3", "1e-9")
    coarser = 10
    finer = Fraction(1, 1000)
    one_is_quick = True

    @classmethod
    def of(cls, mechanism: Rounds | UnaryEncoding) -> Joint:
        """Of a mechanism; a histogram is one round."""
        if isinstance(mechanism, UnaryEncoding):
            return cls(((mechanism, 1),), True, histogram=True)
        return cls(mechanism.kinds, mechanism.beforehand, kept=not mechanism.adaptive, ordered=mechanism.ordered)

    def given(self, ones: Number) -> Joint:
        """The same ones in all rounds."""
        if any(isinstance(mechanism, UnaryEncoding) for mechanism, _ in self.kinds):
            raise DomainError("ones", ones, "leave it out: each count of a histogram has its own ones")
        sizes = [mechanism.n for mechanism, _ in self.kinds if isinstance(mechanism, KRandomization)]
        if len(sizes) < len(self.kinds):
            raise DomainError("ones", ones, "leave it out: ones applies to rounds of single bits only")
        return replace(self, holders=integer(ones, "ones", minimum=0, maximum=min(sizes) - 1))

    def delta(
        self, limit: Limit, *, rtol: Fraction, exact: bool = True, progress: Progress | None = None
    ) -> RoundsDelta:
        """Both ends: by boxes of datasets if there are few counts, else on a lattice of losses."""
        if self.made:
            return self._both(limit, progress)
        at = self.profile(limit.steer(), float(rtol))
        found = at._quick(limit, rtol) or at._both(limit, progress)
        if self.holders is None and self.beforehand and found.upper > found.lower * (1 + rtol):
            best = at.settled(limit, rtol)
            if not best and found.upper > found.lower * _APART:
                return found.aimed(rtol)
            if not best:
                best = self.profile(limit.steer(), float(rtol) / _SHARPER)._both(limit)
            if best.upper <= best.lower * (1 + rtol):
                return best.aimed(rtol)
        return found.aimed(rtol)

    @property
    def local_epsilon(self) -> Promise:
        """The sum of the rounds' local epsilons."""
        return Rounds(self.kinds, adaptive=not self.beforehand).local_epsilon

    @property
    def spread(self) -> float:
        """The standard deviation of the loss of all rounds, about."""
        return self.ways[0].spread

    def rest(self, rtol: Fraction) -> Enclosure:
        """The probability of an infinite loss in some round."""
        each = [(one.rest(rtol), times) for one, times in self.ways[0].families]
        lower = math.prod((1 + compound(-found.lower, times).upper for found, times in each), start=Fraction(1))
        upper = math.prod((1 + compound(-found.upper, times).lower for found, times in each), start=Fraction(1))
        return Enclosure(1 - lower, 1 - upper)

    def refusal(self, rtol: Number | None) -> str | None:
        """The error if a width is missed: with datasets fixed on request, or a histogram whose width was given."""
        refused = self.holders is None and (self.kept or (self.histogram and rtol is not None))
        return _UNSETTLED if refused else None

    def one(self, limit: Limit, *, rtol: Fraction) -> Enclosure:
        """A lower bound of delta, from one choice of datasets fixed in advance: near to delta, and far quicker.

        Its upper end is 1, where it is not all of delta.
        """
        at = self if self.made else self.profile(limit.steer(), float(min(rtol, _BELOW)))
        if known := at.known(limit):
            return known
        return Promise(at._attained(limit).lower, Fraction(1), **at._words())

    def starts_above(self, target: Fraction) -> bool:
        """By the delta of one count alone, else on a lattice."""
        if any(one.starts_above(target) for one, _ in self.ways[0].families if one.one_is_quick):
            return True
        return Family.starts_above(self, target)

    def about(self, target: Fraction) -> float:
        """By a normal law; if losses of one round are large, its mean and variance are those of the losses."""
        if self.spread**2 <= _LARGE * self.total:
            return Family.about(self, target)
        return self.ways[0].composed(0.0, _BROADEST, ordered=False).tilted.about(target)

    def near(self, epsilon: float, rtol: Fraction, target: Fraction) -> Joint:
        """A lattice on which epsilon is known to a relative width, about, where delta is the target."""
        at = self.profile(epsilon, float(rtol))
        falls = max(at.sides[0].tilted.theta * epsilon, 1.0)  # -d log delta / d log epsilon
        return self.profile(epsilon, float(rtol) * falls)

    @property
    def total(self) -> int:
        """How many rounds."""
        return sum(times for _, times in self.kinds)

    @cached_property
    def ways(self) -> tuple[OneWay, ...]:
        """All rounds in the direction that is looked at first, and in the other one if that is another question.

        Where a record is removed from a count and deleted from a histogram, it is below there in the likelier dataset
        of both, as ``Thresholds.candidates`` has it.
        """
        both = self.holders is not None or any(directed(mechanism) for mechanism, _ in self.kinds)
        order = ABSENT[::-1] if self._removed else ABSENT
        return tuple(OneWay(self.kinds, absent, self.holders) for absent in (order if both else order[:1]))

    @property
    def _removed(self) -> bool:
        """Whether a record is removed from a count and deleted from a histogram."""
        return {"add-remove", "delete"} <= {mechanism.neighbours for mechanism, _ in self.kinds}

    def known(self, limit: Limit) -> RoundsDelta | None:
        """delta without a lattice: if it is 0, or if rationals are affordable; else None."""
        if all(way.kept_within(limit) for way in self.ways):
            of = ALL if self.total == 1 else ADAPTIVE
            return RoundsDelta(Fraction(0), Fraction(0), (), attained_by=of, proven_for=of)
        if self.beforehand or self._alone:
            return self.fixed(limit)
        if not self.ordered:
            return None
        least, most = list[Fraction](), list[Fraction]()
        for way in self.ways:
            if adaptive_cost(way.pairs) > _AFFORDABLE:
                return None
            lower, upper = adaptive(way.pairs, [limit.ends.upper, limit.ends.lower])
            least, most = [*least, lower], [*most, upper]
        return RoundsDelta(max(least), max(most), (), attained_by=_STRATEGY, proven_for=ADAPTIVE)

    @property
    def _alone(self) -> bool:
        """Whether there is no dataset to choose, but for the direction."""
        return all(len(pairs) == 1 for way in self.ways for pairs, _ in way.pairs)

    def fixed(self, limit: Limit) -> RoundsDelta | None:
        """The best datasets fixed in advance, in rationals; None if that is too dear."""
        found, most = list[tuple[Fraction, _NamedRounds]](), list[Fraction]()
        for way in self.ways:
            if fixed_cost(way.pairs) > _AFFORDABLE:
                return None
            (upper, _), (lower, chosen) = fixed(way.pairs, [limit.ends.lower, limit.ends.upper])
            found, most = [*found, (lower, self.listed(chosen))], [*most, upper]
        lower, datasets = max(found, key=itemgetter(0))
        return self._in_advance(lower, max(most), datasets)

    def _in_advance(self, lower: Fraction, upper: Fraction, datasets: _NamedRounds) -> RoundsDelta:
        """delta over datasets fixed in advance; with one round, or without a choice, these are all datasets."""
        return RoundsDelta(lower, upper, datasets, **self._words(not self.beforehand))

    def _words(self, all_datasets: bool = True) -> Words:
        """Which datasets attain the lower end, and for which the upper end holds: all, or those fixed in advance."""
        if self.holders is not None:
            return {"attained_by": _NAMED, "proven_for": _NAMED}
        if self.total == 1:
            return {"attained_by": ONE, "proven_for": ALL}
        known = self.ordered or not self.beforehand  # else ranges are taken in an order in which they are not run
        return {"attained_by": FIXED, "proven_for": ADAPTIVE if all_datasets and known else FIXED}

    def listed(self, chosen: Iterable[Any]) -> _NamedRounds:
        """The datasets of all rounds, in order; equal ones together."""
        rounds = (mechanism for mechanism, times in self.kinds for _ in range(times))
        return tuple((*key, times) for key, times in Counter(zip(rounds, chosen, strict=True)).items())

    def profile(self, epsilon: float, rtol: float) -> Joint:
        """The same rounds, prepared for limits near an epsilon, with ends about ``rtol`` apart."""
        return replace(self, made=(epsilon, min(max(rtol, _NARROWEST), _BROADEST)))

    @cached_property
    def sides(self) -> tuple[Composed, ...]:
        """Compositions on a lattice, one for each direction that is looked at by itself."""
        assert self.made is not None
        ordered = self.beforehand or self.ordered
        return tuple(way.composed(*self.made, ordered=ordered) for way in self._apart)

    @property
    def _apart(self) -> list[OneWay]:
        """The directions of which each has bounds of its own."""
        return [*reversed({way.families: way for way in reversed(self.ways)}.values())]

    @cached_property
    def boxes(self) -> Boxes | None:
        """All datasets of a few counts; None if there are too many."""
        return None if self.holders is not None else boxes(self.kinds)

    def narrowed(self, found: Promise, target: Fraction, rtol: Fraction) -> Promise:
        """With datasets fixed in advance, boxes may prove an upper end within the width that was asked for."""
        if not self.boxes or not self.beforehand or not found.lower or found.upper <= found.lower * (1 + rtol):
            return found
        digits = 3 - math.floor(math.log10(found.lower * rtol))
        upper = Fraction(math.floor(found.lower * (1 + rtol) * 10**digits), 10**digits)
        if not found.lower < upper < found.upper or not self.within(Limit.exp(upper), target):
            return found
        return Promise(found.lower, upper, **self._in_advance(found.lower, upper, ()).words)

    def _both(self, limit: Limit, progress: Progress | None = None) -> RoundsDelta:
        """Both ends, and the datasets that attain the lower one."""
        if found := self.known(limit):
            return found
        best = self._attained(limit)
        if progress:
            progress(0.5)
        upper = max(side.upper(limit, least=best.lower) for side in self.sides)
        return RoundsDelta(best.lower, max(upper, best.lower), best.datasets, **self._words())

    def _quick(self, limit: Limit, rtol: Fraction) -> RoundsDelta | None:
        """delta over datasets fixed in advance, if boxes are quicker than the lattice."""
        if not self.beforehand or not self.boxes or not self.boxes.quick:
            return None
        found = self.known(limit) or self.settled(limit, rtol)
        return found if found and found.upper <= found.lower * (1 + rtol) else None

    def settled(self, limit: Limit, rtol: Fraction) -> RoundsDelta | None:
        """delta over datasets fixed in advance, by boxes, as narrow as these get."""
        start = self._start(limit)
        if not self.boxes or not start:
            return None
        found = self.boxes.bounded(limit, start, level=None, rtol=float(rtol))
        return self._in_advance(Fraction(found.lower), Fraction(found.upper), self._searched(found))

    def within(self, limit: Limit, target: Fraction) -> bool:
        """Whether boxes prove that delta over datasets fixed in advance is at most the target."""
        start, level = self._start(limit), float(target) * (1 - 2**-50)
        if not self.boxes or not start or start.upper > level:
            return False
        return self.boxes.bounded(limit, start, level=level, rtol=0.0).upper <= level

    def _start(self, limit: Limit) -> Found | None:
        found = self.boxes.attained(limit) if self.boxes else None
        return found if found and found.lower > FAINTEST else None

    def _attained(self, limit: Limit) -> RoundsDelta:
        """A lower end: of the best datasets in rationals, of good ones in doubles, or on the lattice."""
        if best := self.fixed(limit):
            return best
        if start := self._start(limit):
            return RoundsDelta(Fraction(start.lower), Fraction(1), self._searched(start))
        sides = zip(self.sides[:1] if self._removed else self.sides, self._apart, strict=False)
        lower, side, way = max(((side.lower(limit), side, way) for side, way in sides), key=itemgetter(0))
        return RoundsDelta(lower, Fraction(1), way.alike([one.at for one, _ in side.rounds]))

    def _searched(self, found: Found) -> _NamedRounds:
        """The datasets that boxes found."""
        ones = iter(found.ones)
        each = ((one, counts(one)[1]) for one, times in self.kinds for _ in range(times))
        return self.listed(named(one, [*islice(ones, number)], True) for one, number in each)


def _best(ways: tuple[tuple[tuple[Round, int], ...], ...], epsilon: float) -> TiltedRounds:
    """The choice with the largest lower bound of delta, on a coarse lattice."""
    each, limit = [tilted(way, epsilon) for way in ways], Limit.exp(Fraction(epsilon))
    return each[0] if len(each) == 1 else max(each, key=lambda at: Composed(at, _BROADEST).lower(limit))


def _most(times: int, total: int) -> float:
    """Outcomes of all pairs of a round, beside more of which nothing else is affordable."""
    if total == 1:
        return math.exp(_AFFORDABLE)
    return min(max(math.exp((_AFFORDABLE + math.lgamma(times + 1)) / times), _LEAST_LISTED), _MOST_LISTED)
