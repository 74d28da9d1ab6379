r"""Several mechanisms run on the same people: what all their pooled counts together give away.

The changed person differs in every round, in either direction; all others are arbitrary in every round. Two questions:

*fixed*      the datasets of all rounds are chosen beforehand: delta is the largest over all choices;
*adaptive*   the datasets of later rounds may depend on the counts released before: at least as large, and what is meant
             by composition as a rule. In between, and at or above both, lies the composition of the rounds' envelopes.

Where there are few rounds of few records both are rationals (``few_rounds``); at any size both ends are proven on a
lattice of losses (``composed``): an attained lower end for fixed datasets, an upper end for adaptive ones. They do not
meet: different skews of the datasets may be combined, by 19 % of delta at n = 5, ever less as n grows.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict, dataclass
from fractions import Fraction
from itertools import islice
from typing import Any, TypeAlias

from dpcalc.errors import DomainError, NoSolution, Undecided
from dpcalc.mechanisms.response import KRandomization
from dpcalc.mechanisms.unary import CategoryCounts
from dpcalc.numbers.elementary import log
from dpcalc.numbers.enclosure import Enclosure
from dpcalc.numbers.limit import MAX_EPSILON, Limit
from dpcalc.numbers.lists import flag
from dpcalc.numbers.rational import Number, between, integer
from dpcalc.numbers.search import logarithm, steer
from dpcalc.privacy.accounted import Accounted
from dpcalc.privacy.composed import Composed, spread
from dpcalc.privacy.datasets import Dataset, Datasets
from dpcalc.privacy.few_rounds import Ones, adaptive, adaptive_cost, fixed, fixed_cost
from dpcalc.privacy.release import HistogramDataset, Release, changed, named, releases

__all__ = ["MOST_ROUNDS", "Rounds", "RoundsDelta"]

MOST_ROUNDS = 10**6  #: in all
_MOST_KINDS = 100
_AFFORDABLE = math.log(20_000)  # of terms summed in rationals
_FINENESS = 10, 100  # of the lattice, least and most
_CROSSING = 1e-7  # the width to which floating point finds an epsilon
_LEAST = 1e-18  # epsilons below are not searched
_MOVES = 4  # times the lattice may follow the epsilon that is found
_ALIKE = 0.2  # how near it then is, as a logarithm
_TRIES = 10
_SHORT = 1000  # reports of one person, up to which their largest ratio is taken exactly
_RTOL_DELTA = Fraction(1, 100)
_RTOL_EPSILON = Fraction(1, 1000)
_UNSETTLED = "the worst datasets fixed beforehand are not settled to this width; adaptive=True takes both ends"
_ALLOWED = "mechanisms of single-bit records or histograms, or pairs of one and how many times it is run"


_FIXED = "both ends: datasets fixed beforehand"
_STRATEGY = "both ends: the best strategy that looks at earlier counts"
_APART = "lower: attained by the datasets named, fixed beforehand; upper: proven for adaptive choices too"
_NAMED = "both ends: the datasets named"

#: What is run in one round.
Mechanism: TypeAlias = KRandomization | CategoryCounts


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class RoundsDelta(Enclosure):
    """delta of several rounds; the ends answer different questions unless they meet.

    Attributes:
        datasets: triples (mechanism, dataset, how many times) that attain ``lower``; none where only a strategy does.
        meaning: what each end is proven for.
    """

    datasets: tuple[tuple[Mechanism, Dataset | HistogramDataset, int], ...]
    meaning: str

    def named(self) -> list[dict[str, Any]]:
        """The datasets for JSON: of how many rounds, and what the other records hold."""
        return [{"rounds": times, **asdict(dataset)} for _, dataset, times in self.datasets]

    def lines(self) -> list[str]:
        """The datasets as text."""
        return [f"{times} x {dataset}" for _, dataset, times in self.datasets]


@dataclass(frozen=True, slots=True, init=False)
class Rounds(Accounted[RoundsDelta]):
    """Mechanisms run one after the other on the same people.

    Args:
        rounds: mechanisms, or pairs (mechanism, how many times).
        adaptive: whether later datasets may depend on earlier counts; if not, ``delta`` must reach its relative width
            for datasets fixed beforehand, which it can where n is small.

    Attributes:
        kinds: pairs (mechanism, how many times), in the order given.
        adaptive: as above.

    Raises:
        DomainError: no rounds, more than 100 kinds of them or a million in all; records of several bits.

    >>> month = Rounds([(KRandomization(n=10**4, q="1/10"), 30)])
    >>> month.total
    30
    """

    kinds: tuple[tuple[Mechanism, int], ...]
    adaptive: bool

    def __init__(self, rounds: Iterable[Mechanism | tuple[Mechanism, Number]], *, adaptive: bool = True):
        try:  # an array of no dimensions has __iter__, and refuses
            listed = list(islice(iter(rounds), _MOST_KINDS + 1))
        except TypeError:
            listed = []
        if not listed or len(listed) > _MOST_KINDS:
            shown = rounds if not listed else f"more than {_MOST_KINDS} entries"
            raise DomainError("rounds", shown, f"from 1 to {_MOST_KINDS} {_ALLOWED}")
        object.__setattr__(self, "kinds", tuple(map(_kind, listed)))
        object.__setattr__(self, "adaptive", flag(adaptive, "adaptive"))
        if self.counts > MOST_ROUNDS:
            raise DomainError("rounds", f"{self.counts:,} in all", f"at most {MOST_ROUNDS:,} rounds, or counts")

    @property
    def total(self) -> int:
        """How many rounds."""
        return sum(times for _, times in self.kinds)

    @property
    def counts(self) -> int:
        """How many counts one record changes, in all rounds together."""
        return sum(times * changed(mechanism).counts for mechanism, times in self.kinds)

    @property
    def local_epsilon(self) -> Enclosure:
        """The sum of the rounds' local epsilons: no outcome leaks more."""
        return sum((mechanism.local_epsilon * times for mechanism, times in self.kinds), Enclosure.of(0))

    @property
    def simplest(self) -> KRandomization | Rounds:
        """The count of single bits, if it is released once and alone."""
        mechanism = self.kinds[0][0]
        return mechanism if self.total == 1 and isinstance(mechanism, KRandomization) else self

    def delta(self, limit: Limit, *, ones: Number | None, rtol: Number | None) -> RoundsDelta:
        """See ``dpcalc.delta``."""
        width = _width(rtol, _RTOL_DELTA)
        far = max(1.0, limit.steer() / self.deviation - self.deviation / 2)  # delta falls so much faster than epsilon
        found = self._near(limit.steer(), far / math.sqrt(6 * float(width)), self._holders(ones)).delta(limit)
        if found.meaning == _APART and not self.adaptive and found.upper > found.lower * (1 + width):
            raise Undecided(_UNSETTLED, Enclosure(found.lower, found.upper))
        return found

    def epsilon(self, target: Fraction, *, ones: Number | None, rtol: Number | None) -> Enclosure:
        """See ``dpcalc.epsilon``; for 0 < target < 1.

        Raises:
            NoSolution: delta is above the target at an epsilon of a million.
            Undecided: no bracket was found; for datasets fixed beforehand, none so narrow.
        """
        width, holders = _width(rtol, _RTOL_EPSILON), self._holders(ones)
        fineness = 1 / math.sqrt(4 * float(width))
        most, goal = min(self.local_epsilon.upper, Fraction(MAX_EPSILON)), logarithm(target)
        near = min(self.deviation * (math.sqrt(max(0.5, -2 * goal)) + self.deviation / 2), float(most))
        if self._near(0.0, fineness, holders).upper(Limit(Fraction(1))) <= target:
            return Enclosure.of(0)
        for _ in range(_MOVES):
            at = self._near(near, fineness, holders)
            high = _crossing(at.upper, goal, near, most)
            if abs(math.log(high / near)) < _ALIKE:
                break
            near = high
        low = _crossing(at.lower, goal, high, most)
        upper = next((x for x in _beside(high, 1, most) if at.upper(_limit(x)) <= target), None)
        lower = next((x for x in _beside(low, -1, most) if at.lower(_limit(x)) > target), Fraction(0))
        if upper is None:
            if most == MAX_EPSILON:
                raise NoSolution(
                    f"delta is not proven to be at most {float(target):.6g} up to epsilon = {MAX_EPSILON:,}"
                )
            raise Undecided(f"no bracket was found near {high:.6g}")
        if not self.adaptive and holders is None and upper > lower * (1 + width):
            raise Undecided(_UNSETTLED, Enclosure(lower, upper))
        return Enclosure(lower, upper)

    @property
    def _beforehand(self) -> bool:
        """Whether all datasets are fixed beforehand: nothing is seen before the first release."""
        return not self.adaptive or self.total == 1

    @property
    def _merged(self) -> tuple[tuple[Datasets, int], ...]:
        """The counts that change, equal ones together, in an order of their own."""
        counts: dict[Datasets, int] = {}
        for mechanism, times in self.kinds:
            one = changed(mechanism)
            counts[one.datasets] = counts.get(one.datasets, 0) + times * one.counts
        return tuple(sorted(counts.items(), key=lambda kind: (kind[0].q, kind[0].k, kind[0].others)))

    @property
    def _released(self) -> tuple[tuple[Release, int], ...]:
        """The same as rounds with datasets fixed beforehand, histograms whose counts are tied as a whole."""
        found: dict[Release, int] = {}
        for release, times in (releases(*kind) for kind in self.kinds):
            found[release] = found.get(release, 0) + times
        return tuple(sorted(found.items(), key=lambda kind: (kind[0].counts, kind[0].datasets.others)))

    @property
    def deviation(self) -> float:
        """The standard deviation of the loss of all rounds, about; it steers."""
        return math.sqrt(sum(times * spread(datasets) ** 2 for datasets, times in self._merged))

    def _holders(self, ones: Number | None) -> int | None:
        if ones is not None and any(isinstance(mechanism, CategoryCounts) for mechanism, _ in self.kinds):
            raise DomainError("ones", ones, "no ones for a histogram: each of its counts has its own")
        most = min(mechanism.n for mechanism, _ in self.kinds) - 1
        return None if ones is None else integer(ones, "ones", minimum=0, maximum=most)

    def _near(self, near: float, fineness: float, holders: int | None) -> _Profile:
        """delta as a function of the limit, sharp near one epsilon."""
        merged, points = self._merged, min(max(math.ceil(fineness), _FINENESS[0]), _FINENESS[1])
        if holders is None:
            return _Profile(self, (Composed(merged, near, points),), False)
        each = [tuple(holders for _ in merged), tuple(datasets.others - holders for datasets, _ in merged)]
        return _Profile(self, tuple(Composed(merged, near, points, ones) for ones in each), True)

    def _rational(self, limit: Limit) -> RoundsDelta | None:
        """delta over all datasets in rationals, where they are affordable."""
        alone = all(not datasets.others for datasets, _ in self._merged)  # no dataset to choose, but for the direction
        if alone or self._beforehand:
            return self._fixed(limit)
        rounds = [(changed(mechanism), times) for mechanism, times in self.kinds]
        if adaptive_cost(rounds) > _AFFORDABLE:
            return None
        upper, lower = adaptive(rounds, [limit.ends.lower, limit.ends.upper])
        return RoundsDelta(lower, upper, (), _STRATEGY)

    def _fixed(self, limit: Limit) -> RoundsDelta | None:
        """The best datasets fixed beforehand in rationals, where they are affordable."""
        kinds = self._released
        if fixed_cost(kinds) > _AFFORDABLE:
            return None
        above, below = fixed(kinds, [limit.ends.lower, limit.ends.upper])
        runs = [release for release, times in kinds for _ in range(times)]
        found: dict[Release, list[Ones]] = {}
        for release, ones in zip(runs, below[1], strict=True):
            found.setdefault(release, []).append(ones)
        return RoundsDelta(below[0], above[0], self._named(found), _FIXED)

    def _named(self, found: dict[Release, list[Ones]]) -> tuple[tuple[Mechanism, Dataset | HistogramDataset, int], ...]:
        """The datasets of every round, given the ones of each release; equal ones together."""
        rest = {release: iter(ones) for release, ones in found.items()}
        counts: dict[tuple[Mechanism, Dataset | HistogramDataset], int] = {}
        for mechanism, times in self.kinds:
            release, each = releases(mechanism, 1)
            for _ in range(times):
                ones = tuple(m for _ in range(each) for m in next(rest[release]))
                key = mechanism, named(mechanism, ones)
                counts[key] = counts.get(key, 0) + 1
        return tuple((*key, times) for key, times in counts.items())

    def _kept_within(self, limit: Limit) -> bool:
        """Whether no outcome of all rounds shows a ratio above lambda."""
        if len(self._merged) == 1:
            ((datasets, times),) = self._merged
            return limit.allows_power((1 - datasets.q) / datasets.q, datasets.k * times)
        if sum(float(datasets.k * times) for datasets, times in self._merged) <= _SHORT:
            ratios = (((1 - x.q) / x.q) ** (x.k * times) for x, times in self._merged)
            return limit.allows(math.prod(ratios, start=Fraction(1)))
        epsilon = limit.given if limit.logarithmic else log(limit.given).lower
        return self.local_epsilon.upper <= epsilon


@dataclass(frozen=True, slots=True)
class _Profile:
    """delta of rounds as a function of the limit.

    Attributes:
        rounds: the rounds.
        sides: on a lattice; over all datasets, or of those named in both directions.
        named: which of the two.
    """

    rounds: Rounds
    sides: tuple[Composed, ...]
    named: bool

    def upper(self, limit: Limit) -> Fraction:
        """At or above delta."""
        found = self._known(limit)
        return found.upper if found else max(side.upper(limit) for side in self.sides)

    def lower(self, limit: Limit) -> Fraction:
        """At or below delta."""
        found = self._known(limit) or (None if self.named else self.rounds._fixed(limit))
        return found.lower if found else max(side.lower(limit) for side in self.sides)

    def delta(self, limit: Limit) -> RoundsDelta:
        """Both, and the datasets that attain the lower one."""
        found = self._known(limit)
        if found:
            return found
        upper, best = self.upper(limit), None if self.named else self.rounds._fixed(limit)
        if best:
            return RoundsDelta(best.lower, max(upper, best.lower), best.datasets, _APART)
        side = max(self.sides, key=lambda side: side.lower(limit))
        lower, ones = side.lower(limit), dict(zip((x for x, _ in side.rounds), side.holders, strict=True))
        listed = tuple(
            (mechanism, named(mechanism, (ones[one.datasets],) * one.counts), times)
            for (mechanism, times), one in ((kind, changed(kind[0])) for kind in self.rounds.kinds)
        )
        return RoundsDelta(lower, max(upper, lower), listed, _NAMED if self.named else _APART)

    def _known(self, limit: Limit) -> RoundsDelta | None:
        """delta where it is 0, or in rationals."""
        if self.rounds._kept_within(limit):
            return RoundsDelta(Fraction(0), Fraction(0), (), "no outcome shows a ratio above lambda")
        return None if self.named else self.rounds._rational(limit)


def _kind(entry: Mechanism | tuple[Mechanism, Number]) -> tuple[Mechanism, int]:
    """A mechanism and how many times it is run."""
    mechanism, times = entry if isinstance(entry, tuple) and len(entry) == 2 else (entry, 1)
    if not isinstance(mechanism, KRandomization | CategoryCounts):
        raise DomainError("rounds", entry, _ALLOWED)
    if isinstance(mechanism, KRandomization):
        mechanism.single_bit("Rounds")
    return mechanism, integer(times, "times", minimum=1, maximum=MOST_ROUNDS)


def _width(rtol: Number | None, default: Fraction) -> Fraction:
    return default if rtol is None else between(rtol, "rtol", "1e-9", 1, "a relative width")


def _limit(epsilon: Fraction) -> Limit:
    return Limit(epsilon, logarithmic=True)


def _crossing(value: Callable[[Limit], Fraction], goal: float, near: float, most: Fraction) -> float:
    """Where a delta is e^goal, about."""
    place = steer(
        lambda u: logarithm(value(_limit(Fraction(math.exp(u))))) - goal,
        math.log(_LEAST), logarithm(most), start=math.log(near), tolerance=_CROSSING,
    )  # fmt: skip
    return math.exp(place)


def _beside(x: float, sign: int, most: Fraction) -> Iterator[Fraction]:
    """Short decimals next to x on one side, farther and farther from it."""
    for i in range(_TRIES):
        digits = 9 - math.floor(math.log10(x))
        yield min(Fraction(f"{x * (1 + sign * _CROSSING * 2 ** (2 * i + 1)):.{digits}f}"), most)
