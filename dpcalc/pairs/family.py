"""The family of a mechanism: all pairs of laws that its neighbouring datasets can show, in every direction.

delta of the mechanism is the largest divergence of a pair of its family. Questions are asked of the family and know no
mechanism: the family decides how the largest delta is found, and how narrow it may get.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar, Generic, TypeVar

from dpcalc.errors import DomainError, NoSolution, Undecided
from dpcalc.laws.tilt import gaussian
from dpcalc.numbers.enclosure import Enclosure
from dpcalc.numbers.limit import MAX_EPSILON, Limit
from dpcalc.numbers.promise import EVERY, Promise, Words
from dpcalc.numbers.rational import Number, rational
from dpcalc.numbers.search import logarithm

#: A function that is called with the share of the work that is done, from 0 to 1.
Progress = Callable[[float], None]
#: The relative width of the limit of delta, where that may be a target.
FINE = Fraction(1, 10**12)
#: The type in which delta is returned.
Found = TypeVar("Found", bound=Promise, covariant=True)
_Answer = TypeVar("_Answer", bound=Promise)


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Attained(Promise):
    """A delta or an epsilon, and the pair of datasets that attains its lower end.

    Attributes:
        dataset: the datasets and the direction.
    """

    dataset: Any


@dataclass(frozen=True, slots=True)
class Width:
    """A relative width: the default, and the least that a caller may ask for.

    >>> Width("1e-4", "1e-9").of(None), Width("1e-4", "1e-9").of("0.01")
    (Fraction(1, 10000), Fraction(1, 100))
    """

    default: str
    least: str

    def of(self, rtol: Number | None) -> Fraction:
        """The width for a caller's argument.

        Raises:
            DomainError: it is out of range.
        """
        if rtol is None:
            return Fraction(self.default)
        allowed = f"a relative width with {self.least} <= rtol < 1"
        width = rational(rtol, "rtol", allowed)
        if not Fraction(self.least) <= width < 1:
            raise DomainError("rtol", rtol, allowed)
        return width


class Family(ABC, Generic[Found]):
    """All pairs of a mechanism, or of one dataset of it. It is frozen."""

    __slots__ = ()

    delta_width: ClassVar[Width]
    epsilon_width: ClassVar[Width]
    words: ClassVar[Words] = EVERY
    farthest: ClassVar[int] = MAX_EPSILON  #: the largest epsilon searched where none suffices for every delta
    coarser: ClassVar[int] = 0  #: the least ratio of delta's relative width to that of a parameter that is sought
    finer: ClassVar[Fraction] = Fraction(1)  #: an epsilon is searched to this share of the width asked for
    one_is_quick: ClassVar[bool] = False  #: whether ``one`` is far faster than ``delta``

    @abstractmethod
    def delta(self, limit: Limit, *, rtol: Fraction, exact: bool = True, progress: Progress | None = None) -> Found:
        """The largest delta.

        Args:
            limit: lambda or epsilon.
            rtol: the relative width that is aimed at.
            exact: whether a rational may be worth more time than the width takes.
            progress: called with the share of the work that is done; the caller reports the end.

        Raises:
            Undecided: the width is beyond reach.
            TooLarge: delta is below 2^-999,999, about 1e-301,029.
        """

    @property
    @abstractmethod
    def local_epsilon(self) -> Promise:
        """The least epsilon at which delta is 0, or a bound of it.

        Raises:
            NoSolution: delta is above 0 for every epsilon.
        """

    @property
    @abstractmethod
    def spread(self) -> float:
        """The standard deviation of the privacy loss, about; it steers."""

    @property
    def highest(self) -> Fraction:
        """The largest epsilon that is searched."""
        try:
            return min(self.local_epsilon.upper, Fraction(MAX_EPSILON))
        except NoSolution:
            return Fraction(self.farthest)

    def rest(self, rtol: Fraction) -> Enclosure:
        """The limit of delta for large epsilon."""
        return Enclosure.of(0)

    def given(self, ones: Any) -> Family[Any]:
        """The pairs of one dataset, as the caller describes it.

        Raises:
            DomainError: datasets are not described so.
        """
        raise DomainError("ones", ones, "leave it out: one number does not describe a dataset of this mechanism")

    def refusal(self, rtol: Number | None) -> str | None:
        """The message of the error where a width is not reached; None where a wider answer is returned."""
        return None

    def checked(self, found: _Answer, rtol: Number | None) -> _Answer:
        """An answer of this family.

        Raises:
            Undecided: it is wider than was asked, and the family refuses that.
        """
        if (refusal := self.refusal(rtol)) and found.note:
            raise Undecided(refusal, found)
        return found

    def deltas(self, limits: Sequence[Limit], *, rtol: Fraction) -> Sequence[Promise]:
        """delta at every limit."""
        return [self.delta(limit, rtol=rtol) for limit in limits]

    def starts_above(self, target: Fraction) -> bool:
        """Whether one dataset shows quickly that delta is above the target at epsilon = 0."""
        return self.one(Limit(Fraction(1)), rtol=Fraction(1, 100)).lower > target

    def about(self, target: Fraction) -> float:
        """The epsilon at which delta is the target, as of normal laws; it steers."""
        return gaussian(self.spread, logarithm(target))

    def near(self, epsilon: float, rtol: Fraction, target: Fraction) -> Family[Any]:
        """The same family, prepared for limits near one epsilon, at which delta is about the target."""
        return self

    def one(self, limit: Limit, *, rtol: Fraction) -> Enclosure:
        """delta of one dataset that may be the worst, quickly."""
        return self.delta(limit, rtol=rtol, exact=False)

    def threshold(self, lower: Fraction, upper: Fraction, at_lower: Enclosure, at_upper: Promise) -> Promise:
        """An epsilon between two ends, given delta at both."""
        words = self.words | {"proven_for": at_upper.proven_for}
        if isinstance(at_lower, Promise):
            words |= {"attained_by": at_lower.attained_by}
        return Promise(lower, upper, **words)

    def narrowed(self, found: Promise, target: Fraction, rtol: Fraction) -> Promise:
        """The epsilon that was found, narrower if the family has another way."""
        return found

    @property
    def parts(self) -> Sequence[Family[Any]]:
        """Families that are asked separately: this one, or one that bounds it from below and one from above."""
        return (self,)

    def joined(self, answers: Sequence[Promise], rtol: Fraction) -> Promise:
        """The answer, given those of the parts, with the relative width that was aimed at."""
        return answers[0].aimed(rtol)


@dataclass(frozen=True, slots=True)
class OfMechanism(Family[Found]):
    """The family of one mechanism by itself."""

    mechanism: Any

    @classmethod
    def of(cls, mechanism: Any) -> Family[Any]:
        """Of a mechanism."""
        return cls(mechanism)

    @property
    def local_epsilon(self) -> Promise:
        """That of the mechanism."""
        found: Promise = self.mechanism.local_epsilon
        return found
