r"""The local randomizer and its k-fold, pooled use.

Randomized response reports a bit wrongly with the lie (flip) probability q, 0 < q < 1/2. The documents write it in
other ways, each a rational function of q:

    q = f / 2           with probability f the report is a fair coin          (KTEX, RAPPOR)
    q = 1/2 - gamma     the bias towards the truth                            (LOC)
    q = (1 - alpha)/2   with probability alpha the truth, else a fair coin    (EC)
    q = 1/(1 + e^eps)   epsilon-local differential privacy of one report      (DW: q = 1/4 is eps = ln 3)

Source: K16, section 2; KTEX; LOC, section 2; EC; DW.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING, Any, Self

from dpcalc.errors import DomainError
from dpcalc.laws.pool import Pool
from dpcalc.mechanisms.mechanism import Mechanism, Parameter, Real, Whole, declared, instance, parameter, shown
from dpcalc.numbers.elementary import log
from dpcalc.numbers.enclosure import Enclosure
from dpcalc.numbers.limit import Limit
from dpcalc.numbers.lists import as_list
from dpcalc.numbers.promise import REPORT, Promise
from dpcalc.numbers.rational import LARGEST, Number, between, integer, probability, rational

_HALF = Fraction(1, 2)

#: Parameters of several mechanisms: what is allowed, and the words.
RECORDS = partial(integer, minimum=1), "records, >= 1; for privacy those of honest users only (``mechanisms.fleet``)"
FLIP = partial(between, low=0, high=_HALF, what="a flip probability"), "the flip probability of every bit, 0 < q < 1/2"
REPEATS = partial(integer, minimum=1), "reports of each bit, >= 1"
POOLED = "an argument out of range, or more than 10^15 reports n k"


def must_pool(n: int, k: int, given: Mapping[str, Any]) -> None:
    """Refuse more reports than ``LARGEST``, naming the one that is to blame more of what n and k were read from."""
    if n * k > LARGEST:
        name = "k" if k > n else "n"
        raise DomainError(name, given[name], f"at most {LARGEST:,} reports n k")


class Flipped:
    """Bits are reported flipped with probability q, 0 < q < 1/2; here it is in each notation of the documents."""

    __slots__ = ()

    q: Real

    if TYPE_CHECKING:

        def __init__(self, *, q: Number, **more: Any) -> None: ...

    @classmethod
    def from_f(cls, f: Number, **more: Any) -> Self:
        """With a fair coin reported with probability f, 0 < f < 1; ``more`` are the other parameters."""
        return cls(q=between(f, "f", 0, 1, "a probability") / 2, **more)

    @classmethod
    def from_gamma(cls, gamma: Number, **more: Any) -> Self:
        """With bias gamma, 0 < gamma < 1/2."""
        return cls(q=_HALF - between(gamma, "gamma", 0, _HALF, "a bias"), **more)

    @classmethod
    def from_alpha(cls, alpha: Number, **more: Any) -> Self:
        """With the truth told outright with probability alpha, 0 < alpha < 1."""
        return cls(q=(1 - between(alpha, "alpha", 0, 1, "a probability")) / 2, **more)

    @classmethod
    def from_epsilon(cls, epsilon: Number, **more: Any) -> Self:
        """With the least q, rounded up by a relative 1e-40 at most, at which one record is epsilon-locally private.

        >>> RandomizedResponse.from_epsilon("0.5").epsilon <= Fraction(1, 2)
        True
        """
        odds = Limit.above_one(epsilon=epsilon).root(cls(q="1/4", **more).exposed)
        return cls(q=1 / (1 + odds.lower), **more)

    @property
    def exposed(self) -> int:
        """How many reported bits of one record may differ."""
        return 1

    @property
    def p(self) -> Fraction:
        """The probability 1 - q of the truth."""
        return 1 - self.q

    @property
    def odds(self) -> Fraction:
        """The likelihood ratio p/q of a truthful against a lying report."""
        return self.p / self.q

    @property
    def f(self) -> Fraction:
        """The probability 2 q of a fair coin (KTEX, RAPPOR)."""
        return 2 * self.q

    @property
    def gamma(self) -> Fraction:
        """The bias 1/2 - q (LOC)."""
        return _HALF - self.q

    @property
    def alpha(self) -> Fraction:
        """The probability 1 - 2 q of plain truth (EC)."""
        return 1 - 2 * self.q

    @property
    def local_epsilon(self) -> Promise:
        """The local privacy parameter of one record, ln(p/q) for each exposed bit; no outcome leaks more."""
        return Promise.that(log(self.odds) * self.exposed)


@declared()
class RandomizedResponse(Flipped):
    """One bit reported through randomized response.

    >>> coins = RandomizedResponse("1/4")
    >>> coins.odds, coins.f, coins.gamma, coins.alpha
    (Fraction(3, 1), Fraction(1, 2), Fraction(1, 4), Fraction(1, 2))
    >>> RandomizedResponse(0.5)
    Traceback (most recent call last):
    ...
    dpcalc.errors.DomainError: q = 0.5 is not allowed: give a flip probability with 0 < q < 1/2
    """

    q: Real = parameter(*FLIP)

    @property
    def epsilon(self) -> Promise:
        """The local privacy parameter ln(p/q) of one report."""
        return Promise.that(log(self.odds), **REPORT)


_CHANCES = "(a, b) with 0 < b < a < 1, the chance of a report of 1 if the bit is 1 and if it is 0"

_CERTAIN = "with b = 0 or a = 1 delta of bits alone is 1 - (1 - a)^k or 1 - b^k for every epsilon, whatever n is"


def two_chances(chances: object, name: str = "chances") -> tuple[Fraction, Fraction]:
    """(a, b) with 0 < b < a < 1: the chance that a report is 1 if the bit is 1, and if it is 0."""
    given = as_list(chances, name, _CHANCES)
    if len(given) != 2:
        raise DomainError(name, chances, _CHANCES)
    a, b = (probability(one, name) for one in given)
    if not 0 < b < a < 1:
        raise DomainError(name, chances, f"{_CHANCES}; {_CERTAIN}" if b < a else _CHANCES)
    return a, b


CHANCES = two_chances, "(a, b), the chance that a report is 1 if the bit is 1, and if it is 0; 0 < b < a < 1"


@declared(kw_only=True, refused="an argument out of range; none or both of q and chances; more than 10^15 reports n k")
class Group:
    """Users with the same randomizer.

    Both of q and chances are known afterwards; q is None where a + b is not 1.

    >>> Group(n=1000, q="1/10"), Group(n=1000, chances=("1/2", "1/10"))
    (Group(n=1000, q='1/10'), Group(n=1000, chances=('1/2', '1/10')))
    """

    n: Whole = parameter(partial(integer, minimum=1), "users, >= 1")
    q: Parameter[Any, Number | None] = parameter(*FLIP, default=None, kept=False)
    chances: Parameter[tuple[Fraction, Fraction], Sequence[Number] | None] = parameter(*CHANCES, default=None)
    k: Whole = parameter(*REPEATS, default=1)

    def _check(self, given: Mapping[str, Any]) -> dict[str, Any]:
        must_pool(self.n, self.k, given)
        if (given["q"] is None) == (given["chances"] is None):
            raise DomainError("q, chances", (given["q"], given["chances"]), "exactly one of them")
        a, b = self.chances if self.q is None else (1 - self.q, self.q)
        return {"chances": (a, b), "q": b if a + b == 1 else None}

    @property
    def randomizer(self) -> tuple[tuple[Fraction, Fraction], int]:
        """The chances and k."""
        return self.chances, self.k

    @property
    def symmetric(self) -> bool:
        """Whether it has one flip probability: a + b = 1."""
        return self.q is not None

    @property
    def reports(self) -> int:
        """The number k n of reports."""
        return self.k * self.n

    def pool(self, ones: int) -> Pool:
        """The reports where so many of the users hold 1."""
        a, b = self.chances
        return Pool.of((a, self.k * ones), (b, self.k * (self.n - ones)))

    @property
    def own(self) -> tuple[Fraction, Fraction]:
        """The chances of a 1 for the bits 0 and 1."""
        a, b = self.chances
        return b, a

    @property
    def flipped(self) -> Group:
        """The same users, the meaning of both bits exchanged in what they hold and report."""
        a, b = self.chances
        return Group(n=self.n, chances=(1 - b, 1 - a), k=self.k)

    @property
    def losses(self) -> tuple[Enclosure, Enclosure]:
        """The privacy losses of a report of 1 for the bit 1, ln(a/b), and of 0 for the bit 0, ln((1-b)/(1-a))."""
        a, b = self.chances
        return log(a / b), log((1 - b) / (1 - a))

    @property
    def local_epsilon(self) -> Enclosure:
        """k times the larger loss."""
        ones, zeros = self.losses
        return (ones if sum(self.chances) <= 1 else zeros) * self.k

    def of(self, n: int) -> Group:
        """A group of n users with the same randomizer."""
        return Group(n=n, chances=self.chances, k=self.k)

    def __repr__(self) -> str:
        flips = f"chances={shown(self.chances)}" if self.q is None else f"q={shown(self.q)}"
        return f"Group(n={self.n}, {flips}{f', k={self.k}' if self.k > 1 else ''})"


@declared(kw_only=True, refused=POOLED)
class KRandomization(Flipped, Mechanism):
    """n records of ``bits`` bits, each randomized k times with flip probability q; the k n reports are pooled.

    >>> m = KRandomization(n=1000, q=0.009, k=2)
    >>> m.reports, m.odds, print(m.local_epsilon)
    9.4029799139875372...
    (2000, Fraction(991, 9), None)
    """

    family = "families.bits:Bits"

    n: Whole = parameter(*RECORDS)
    q: Real = parameter(*FLIP)
    k: Whole = parameter(*REPEATS, default=1)
    bits: Whole = parameter(partial(integer, minimum=1, maximum=LARGEST), "bits per record, from 1 to 10^15", default=1)

    def _check(self, given: Mapping[str, Any]) -> None:
        must_pool(self.n, self.k, given)

    @property
    def group(self) -> Group:
        """The users that report to the one count of single bits."""
        return Group(n=self.n, q=self.q, k=self.k)

    @property
    def response(self) -> RandomizedResponse:
        """The randomizer of one bit."""
        return RandomizedResponse(self.q)

    @property
    def exposed(self) -> int:
        """The reported bits of one record."""
        return self.k * self.bits

    @property
    def reports(self) -> int:
        """The number k n of pooled reports."""
        return self.k * self.n

    @property
    def local_ratio(self) -> Fraction:
        """The largest likelihood ratio (p/q)^(k bits) that one record's reports can show."""
        return self.odds**self.exposed

    def single_bit(self, purpose: str) -> None:
        """Refuse records of several bits where only the count of single bits is defined."""
        if self.bits > 1:
            raise DomainError("bits", self.bits, f"bits = 1: {purpose} is defined for the count of single bits")


def expect(mechanism: object) -> None:
    """Refuse what is no ``KRandomization``, before one of its attributes is missed."""
    instance(KRandomization, "a KRandomization, such as KRandomization(n=1000, q='0.1')")(mechanism, "mechanism")


def expect_bits(mechanism: KRandomization, purpose: str) -> None:
    """Refuse what is no ``KRandomization`` of single bits."""
    expect(mechanism)
    mechanism.single_bit(purpose)


@declared(kw_only=True, refused=POOLED)
class RoundedNumbers(Mechanism):
    """n numbers in a known range, each rounded at random to one of its ends and reported k times with lies.

    A number x in [0, 1] becomes 1 with probability x, once; the k reports of that bit are flipped and pooled. Under
    both of two neighbouring datasets the law of the count is linear in every number, and delta is convex in the two
    laws: so the worst numbers are 0 and 1, and what is promised for bits is promised for numbers, exactly (proof
    notes, T8). Source: Prio and its sums of numbers; Ding, Kulkarni, Yekhanin, "Collecting Telemetry Data Privately"
    (2017), for rounding to one bit.

    >>> from dpcalc import delta
    >>> ages = RoundedNumbers(n=1000, q="1/10", high=120)
    >>> delta(ages, epsilon=1) == delta(KRandomization(n=1000, q="1/10"), epsilon=1)
    True
    """

    n: Whole = parameter(*RECORDS)
    q: Real = parameter(*FLIP)
    k: Whole = parameter(*REPEATS, default=1)
    low: Real = parameter(rational, "the least number there may be", default=0)
    high: Real = parameter(rational, "the largest, above low", default=1)

    def _check(self, given: Mapping[str, Any]) -> None:
        must_pool(self.n, self.k, given)
        if self.low >= self.high:
            raise DomainError("high", given["high"], "a number > low")

    @property
    def simplest(self) -> KRandomization:
        """Of the bits: whose privacy is that of the numbers."""
        return KRandomization(n=self.n, q=self.q, k=self.k)
