r"""Several mechanisms run on the same people: what all their pooled counts together give away.

The changed person differs in every round, in either direction; all others are arbitrary in every round. Two questions:

*fixed*      the datasets of all rounds are chosen beforehand: delta is the largest over all choices;
*adaptive*   the datasets of later rounds may depend on the counts released before: at least as large, and what is meant
             by composition as a rule. In between, and at or above both, lies the composition of the rounds' envelopes.

Where there are few rounds of few records both are rationals (``few_rounds``). Two or three counts with datasets fixed
beforehand are searched to a width (``boxes``). At any size both ends are proven on a lattice of losses (``composed``):
an attained lower end for fixed datasets, an upper end for adaptive ones. They do not meet: different skews of the
datasets may be combined, by 19 % of delta at n = 5, ever less as n grows.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from itertools import islice

from dpcalc.errors import DomainError, NoSolution, Undecided
from dpcalc.mechanisms.response import KRandomization
from dpcalc.mechanisms.unary import CategoryCounts
from dpcalc.numbers.enclosure import Enclosure, decimal
from dpcalc.numbers.limit import MAX_EPSILON, Limit
from dpcalc.numbers.lists import flag
from dpcalc.numbers.normal import hockey_stick
from dpcalc.numbers.promise import Promise
from dpcalc.numbers.rational import Number, between, integer
from dpcalc.numbers.search import logarithm, steer
from dpcalc.privacy.accounted import Accounted, Progress
from dpcalc.privacy.fleet import Fleet
from dpcalc.privacy.joint import Joint, Mechanism, Pooled, Profile, RoundsDelta
from dpcalc.privacy.release import changed

__all__ = ["MOST_ROUNDS", "Rounds", "RoundsDelta"]

MOST_ROUNDS = 10**6  #: in all
_MOST_KINDS = 100
_CROSSING = 1e-7  # the width to which floating point finds an epsilon
_LEAST = 1e-18  # epsilons below are not searched
_MOVES = 4  # times the lattice may follow the epsilon that is found
_NEAREST = 0.1  # so many standard deviations off, an epsilon is as hard to find as one nearer to 0
_ROUGH = Fraction(1, 100)  # the width to which delta of normal losses tells where it belongs
_ALIKE = 0.2  # how near that must be, as a logarithm
_TRIES = 10
_RTOL_DELTA = Fraction(1, 100)
_RTOL_EPSILON = Fraction(1, 1000)
_BELOW = 0.05  # the relative width of the lattice where one end alone is wanted
_SHARPER = 4  # the lattice that is tried where one was not as sharp as was seen elsewhere
_SHARE = Fraction(3, 4)  # of a relative width, to be met at first
_UNSETTLED = "the worst datasets fixed beforehand are not settled to this width; adaptive=True takes both ends"
_ALLOWED = "single-bit mechanisms, histograms, fleets or noisy counts, or pairs of one and how many times it is run"


@dataclass(frozen=True, slots=True, init=False)
class Rounds(Accounted[RoundsDelta]):
    """Mechanisms run one after the other, or side by side, on the same people.

    A questionnaire of L independent yes/no answers, each pooled by itself and all released together, is
    ``Rounds([(KRandomization(n=n, q=q), L)], adaptive=False)``: the changed person may change every answer, and nothing
    is seen before all are given. Answers that exclude one another (one of d) are a ``UnaryEncoding``.

    Args:
        rounds: mechanisms, or pairs (mechanism, how many times). Of a ``Fleet`` n must be public; the changed user may
            be of another group in every round. 100 to 10^4 users of several groups take up to a minute.
        adaptive: whether later datasets may depend on earlier counts; if not, ``delta`` must reach its relative width
            for datasets fixed beforehand: which it can for two counts, for some more where n is small or large. All
            counts of one histogram are given at once, so that nothing depends on some of them.

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
        return sum(
            times * (changed(mechanism).counts if isinstance(mechanism, Pooled) else 1)
            for mechanism, times in self.kinds
        )

    @property
    def deviation(self) -> float:
        """The standard deviation of the loss of all rounds, about; it steers."""
        return self._joint.deviation

    @property
    def local_epsilon(self) -> Promise:
        """The sum of the rounds' local epsilons: no outcome leaks more.

        Raises:
            NoSolution: noise is among them.
        """
        total = sum((mechanism.local_epsilon * times for mechanism, times in self.kinds), Enclosure.of(0))
        return Promise.that(total, **self._joint.apart(named=False))

    @property
    def simplest(self) -> KRandomization | Rounds:
        """The count of single bits, if nothing else changes."""
        mechanism = self.kinds[0][0]
        if self.counts > 1 or not isinstance(mechanism, Pooled):
            return self
        return KRandomization(n=mechanism.n, q=mechanism.q, k=mechanism.k)

    def delta(
        self, limit: Limit, *, ones: Number | None, rtol: Number | None, progress: Progress | None = None
    ) -> RoundsDelta:
        """See ``dpcalc.delta``."""
        joint, holders, width = self._joint, self._holders(ones), _width(rtol, _RTOL_DELTA)
        at = joint.near(limit.steer(), float(width), holders)
        found = at.quick(limit, width) or at.delta(limit, progress)
        if holders is None and joint.beforehand and found.upper > found.lower * (1 + width):
            best = at.settled(limit, width)
            if not best:
                best = joint.near(limit.steer(), float(width) / _SHARPER).delta(limit)
            if best.upper <= best.lower * (1 + width):
                return best.aimed(width)
            if not self.adaptive:
                raise Undecided(_UNSETTLED, Enclosure(found.lower, min(found.upper, best.upper)))
        return found.aimed(width)

    def below(self, limit: Limit) -> Fraction:
        """At or below delta: of one choice of datasets, fixed beforehand. It comes near, and takes far less."""
        return self._joint.near(limit.steer(), _BELOW).lower(limit)

    def epsilon(self, target: Fraction, *, ones: Number | None, rtol: Number | None) -> Promise:
        """See ``dpcalc.epsilon``; for 0 < target < 1.

        Raises:
            NoSolution: delta is above the target at an epsilon of a million.
            Undecided: no bracket was found; for datasets fixed beforehand, none so narrow.
        """
        joint, holders, width = self._joint, self._holders(ones), _width(rtol, _RTOL_EPSILON)
        if joint.beyond > target:
            raise NoSolution(
                f"no epsilon gives delta <= {decimal(target, target, 12)}: "
                "the chance that the noise gives the change away is larger"
            )
        most, goal = Fraction(MAX_EPSILON), logarithm(target)
        with suppress(NoSolution):  # noise has no local epsilon
            most = min(most, self.local_epsilon.upper)
        sigma = 1 / Fraction(joint.deviation)
        near = _crossing(lambda limit: hockey_stick(sigma, limit, _ROUGH).lower, goal, joint.deviation, most)
        vanishes = not joint.exceeds(target, holders or 0)
        if vanishes and (at := joint.near(0.0, float(width), holders)).upper(Limit(Fraction(1))) <= target:
            return Promise(Fraction(0), Fraction(0), **at.words(Limit(Fraction(1))))
        for _ in range(_MOVES):
            far = max(joint.deviations(near), _NEAREST)
            falls = 1.25 * far + 0.8 * far**2  # delta, so many times as much as epsilon rises
            at = joint.near(near, float(width) * falls, holders)
            high = _crossing(at.upper, goal, near, most)
            if abs(math.log(high / near)) < _ALIKE:
                break
            near = high
        low = _crossing(at.lower, goal, high, most)
        upper = next((x for x in _beside(high, 1, most) if at.upper(Limit.exp(x)) <= target), None)
        lower = next((x for x in _beside(low, -1, most) if at.lower(Limit.exp(x)) > target), Fraction(0))
        words = at.words(Limit.exp(lower))
        if joint.beforehand and holders is None and (upper is None or upper > lower * (1 + width)):
            if narrower := _narrower(at, target, lower, width):
                upper, words = narrower, joint.settled(lower, narrower, ()).words
            if not self.adaptive and upper is not None and upper > lower * (1 + width):
                raise Undecided(_UNSETTLED, Enclosure(lower, upper))
        if upper is None:
            if most == MAX_EPSILON:
                raise NoSolution(
                    f"delta is not proven to be at most {float(target):.6g} up to epsilon = {MAX_EPSILON:,}"
                )
            raise Undecided(f"no bracket was found near {high:.6g}")
        return Promise(lower, upper, **words, rtol=width)

    @property
    def _joint(self) -> Joint:
        """Nothing is seen before the first release."""
        return Joint(self.kinds, not self.adaptive or self.total == 1)

    def _holders(self, ones: Number | None) -> int | None:
        if ones is not None and any(isinstance(mechanism, CategoryCounts) for mechanism, _ in self.kinds):
            raise DomainError("ones", ones, "leave it out: each count of a histogram has its own ones")
        if ones is None:
            return None
        sizes = [mechanism.n for mechanism, _ in self.kinds if isinstance(mechanism, KRandomization)]
        if len(sizes) < len(self.kinds):
            raise DomainError("ones", ones, "leave it out: ones does not apply to rounds with a NoisyCount or a Fleet")
        return integer(ones, "ones", minimum=0, maximum=min(sizes) - 1)


def _kind(entry: Mechanism | tuple[Mechanism, Number]) -> tuple[Mechanism, int]:
    """A mechanism and how many times it is run."""
    mechanism, times = entry if isinstance(entry, tuple) and len(entry) == 2 else (entry, 1)
    if isinstance(mechanism, Fleet):
        mechanism = mechanism.simplest
    if not isinstance(mechanism, Mechanism):
        raise DomainError("rounds", entry, _ALLOWED)
    if isinstance(mechanism, Fleet) and mechanism.neighbours != "replace":
        raise DomainError("rounds", entry, 'only fleets of which n is public, neighbours="replace"')
    if isinstance(mechanism, KRandomization):
        mechanism.single_bit("Rounds")
    return mechanism, integer(times, "times", minimum=1, maximum=MOST_ROUNDS)


def _width(rtol: Number | None, default: Fraction) -> Fraction:
    return default if rtol is None else between(rtol, "rtol", "1e-9", 1, "a relative width")


def _narrower(at: Profile, target: Fraction, lower: Fraction, width: Fraction) -> Fraction | None:
    """An epsilon, within ``width`` of the lower end, at which boxes prove that delta is at most the target."""
    for share in (_SHARE, Fraction(1)):
        x = lower * (1 + width * share)
        digits = 3 - math.floor(math.log10(lower * width)) if lower else 0
        near = Fraction(math.floor(x * 10**digits), 10**digits)
        if near > lower and at.within(Limit.exp(near), target):
            return near
    return None


def _crossing(value: Callable[[Limit], Fraction], goal: float, near: float, most: Fraction) -> float:
    """Where a delta is e^goal, about."""
    place = steer(
        lambda u: logarithm(value(Limit.exp(Fraction(math.exp(u))))) - goal,
        math.log(_LEAST), logarithm(most), start=math.log(near), tolerance=_CROSSING,
    )  # fmt: skip
    return math.exp(place)


def _beside(x: float, sign: int, most: Fraction) -> Iterator[Fraction]:
    """Short decimals next to x on one side, farther and farther from it."""
    for i in range(_TRIES):
        digits = 9 - math.floor(math.log10(x))
        yield min(Fraction(f"{x * (1 + sign * _CROSSING * 2 ** (2 * i + 1)):.{digits}f}"), most)
