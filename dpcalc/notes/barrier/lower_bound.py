r"""What no local protocol can beat: telling all zeros from a few ones, through local randomizers.

Every person holds a bit and sends one message, drawn from the distribution ``one`` or ``zero`` according to the bit and
without seeing the others'. Whoever estimates the sum must tell n zeros from A, where each bit is 1 with probability
``rate`` on its own. With view c = (c_1, ..., c_n),

    r(c) = P_A[c] / P_0[c] = prod_i r_i(c_i),   r_i(c) = 1 + rate (one(c)/zero(c) - 1),   V_i = log r_i(c_i).

If the two distributions of every person are within a ratio rho of each other, everyone's randomizer is randomized
response with odds p/q = rho followed by a step that sees only its report: with the distributions
(p zero - q one) / (p - q) and (p one - q zero) / (p - q). So what can be told from the messages can be told from the
reports. There r rises with the count of ones: a threshold of the count
is the best test, and its error (``distinguish``) is a bound for every such protocol, attained by randomized response.
LOC proves the same order of error with tiny constants.

Source: LOC, "Lower Bound for means and sum"; Beimel, Nissim, Omri 2011 (arXiv 1103.2626); the randomizer of two inputs
as post-processing: Kairouz, Oh, Viswanath 2015 (arXiv 1311.0776).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, floor

from dpcalc.displayed import Displayed
from dpcalc.errors import DomainError, must_fit
from dpcalc.laws.pool import Pool
from dpcalc.mechanisms.mechanism import instance
from dpcalc.mechanisms.response import KRandomization, RandomizedResponse
from dpcalc.numbers.elementary import FINE, exp, log, root
from dpcalc.numbers.enclosure import Enclosure
from dpcalc.numbers.lists import one_or_many
from dpcalc.numbers.rational import Number, between, integer, positive, rational

_RESPONSE = instance(RandomizedResponse, "a RandomizedResponse, such as RandomizedResponse('0.1')")
_MAX_ROOT = 100  # denominator of an exponent of n
_MOST = 10**20
_RTOL = Fraction(1, 10**12)
_FAINT = 1000  # nats: a tail proven to be below e^-1000 is only said to lie between 0 and that


@dataclass(frozen=True, slots=True, init=False)
class Randomizer:
    """A local randomizer of one bit, with finitely many messages.

    Attributes:
        zero, one: the probability of every message, given the bit.

    Raises:
        DomainError: probabilities that are not positive, do not sum to 1, or differ in number.

    >>> Randomizer(zero=("1/2", "1/2"), one=("3/4", "1/4")).local_ratio
    Fraction(2, 1)
    """

    zero: tuple[Fraction, ...]
    one: tuple[Fraction, ...]

    def __init__(self, *, zero: Sequence[Number], one: Sequence[Number]) -> None:
        object.__setattr__(self, "zero", _distribution(zero, "zero"))
        object.__setattr__(self, "one", _distribution(one, "one"))
        if len(self.zero) != len(self.one):
            raise DomainError("one", one, f"as many probabilities as zero has, {len(self.zero)}")

    @classmethod
    def of(cls, mechanism: KRandomization) -> Randomizer:
        """One record's k reports, of which the number of ones is all that matters."""
        mechanism.single_bit("Randomizer.of")
        zero, one = (Pool.of((a, mechanism.k)).pmf() for a in (mechanism.q, mechanism.p))
        return cls(zero=tuple(zero), one=tuple(one))

    @property
    def local_ratio(self) -> Fraction:
        """The largest ratio of the two probabilities of a message, either way round."""
        ratios = [b / a for a, b in zip(self.zero, self.one, strict=True)]
        return max(max(ratios), 1 / min(ratios))

    def mixed(self, rate: Fraction) -> tuple[Fraction, ...]:
        """The probability of every message when the bit is 1 with probability ``rate``."""
        return tuple((1 - rate) * a + rate * b for a, b in zip(self.zero, self.one, strict=True))

    def ratios(self, rate: Fraction) -> tuple[Fraction, ...]:
        """The r_i(c) of every message c."""
        return tuple(mixed / a for mixed, a in zip(self.mixed(rate), self.zero, strict=True))


def _distribution(probabilities: Sequence[Number], name: str) -> tuple[Fraction, ...]:
    chances = tuple(rational(chance, name) for chance in probabilities)
    if min(chances, default=Fraction(0)) <= 0 or sum(chances) != 1:
        raise DomainError(name, probabilities, "positive probabilities that sum to 1")
    return chances


@dataclass(frozen=True, slots=True, kw_only=True)
class Distinction(Displayed):
    """How badly n zeros are told from n bits that are 1 with probability ``rate``, at best.

    A probability below e^-1000 may be given as [0, e^-1000].

    Attributes:
        n, rate: the bits.
        overlap: the least sum of a test's two errors, 1 less the total variation distance of the two views.
        short: the probability that the bits have fewer than tau = n rate / 2 ones.
    """

    n: int
    rate: Fraction
    overlap: Enclosure
    short: Enclosure

    @property
    def distance(self) -> Enclosure:
        """The total variation distance of the two views."""
        return 1 - self.overlap

    @property
    def error(self) -> Enclosure:
        """The least average of a test's two errors: one of them is at least this."""
        return self.overlap / 2

    @property
    def failure(self) -> Enclosure:
        """(overlap - short)/2: what no estimate of the sum can beat.

        If ``|estimate - sum| >= tau/2`` has at most the probability b for all data, the threshold tau/2 errs with at
        most b on zeros and b + short under A, so 2 b + short >= overlap.
        """
        return (self.overlap - self.short) / 2


def distinguish(response: RandomizedResponse, *, n: Number, rate: Number) -> Distinction:
    """The best test of n zeros against rate-dense ones, for every local protocol of the privacy of ``response``.

    Under zeros the count S of ones among the reports is Bin(n, q), under A Bin(n, q + rate (p - q)); the best test
    answers A from the least s with r(s) > 1 on, and errs with P_0[S >= s] and P_A[S < s].

    Raises:
        DomainError: n < 1, or rate outside (0, 1].
        TooLarge: n > 10^20, and a tail that is not below e^-1000.

    Source: Neyman and Pearson's lemma; see the module.

    >>> print(distinguish(RandomizedResponse("1/4"), n=10, rate="1/2").overlap)
    103809/262144
    """
    _RESPONSE(response, "response")
    people, share = integer(n, "n", minimum=1), positive(rate, "rate", "a probability", maximum=1)
    tie = crossing(response, n=people, rate=share, v=Fraction(0))
    # A whole number within the width of the tie leaves two candidates, one of which is the best (at a tie both are).
    candidates = range(floor(tie.lower), floor(tie.upper) + 1)
    found = [_overlap(response, people, share, last + 1) for last in candidates]
    return Distinction(
        n=people,
        rate=share,
        overlap=Enclosure(min(x.lower for x in found), min(x.upper for x in found)),
        short=_short(people, share),
    )


def barrier(
    response: RandomizedResponse,
    ns: Number | Sequence[Number],
    *,
    scale: Number | None = None,
    exponent: Number = "1/2",
) -> tuple[Distinction, ...]:
    """One ``distinguish`` per n, with scale n^exponent ones expected; scale is 1/epsilon unless given (LOC).

    At exponent 1/2 the error tends to a constant between 0 and 1/2; above it vanishes, below it tends to 1/2, as
    guessing. The rates are rounded down by a relative 1e-39 at most.

    Raises:
        DomainError: n < 1, scale <= 0, exponent outside (0, 1) or with a denominator above 100, or more than n ones
            expected.
        TooLarge: n > 10^20.

    >>> [f"{float(row.error):.3f}" for row in barrier(RandomizedResponse("1/4"), [100, 10_000, 1_000_000], scale=1)]
    ['0.287', '0.282', '0.282']
    """
    _RESPONSE(response, "response")
    power = between(exponent, "exponent", 0, 1)
    if power.denominator > _MAX_ROOT:
        raise DomainError("exponent", exponent, f"a rational with a denominator of at most {_MAX_ROOT}")
    factor = (1 / response.epsilon).lower if scale is None else positive(scale, "scale")
    rows = []
    for n in one_or_many(ns):
        people = integer(n, "n", minimum=1)
        rate = factor * root(Fraction(people**power.numerator), power.denominator).lower / people
        if rate > 1:
            raise DomainError("n", n, "an n that is at least scale n^exponent")
        rows.append(distinguish(response, n=people, rate=rate))
    return tuple(rows)


def crossing(response: RandomizedResponse, *, n: int, rate: Fraction, v: Fraction) -> Enclosure:
    """The real s with log r(s) = s log r_1 + (n - s) log r_0 = v, s standing for the count of ones among n reports.

    Its width is far below 1 for every n, as that of the logarithms shrinks with n.
    """
    of_zero, of_one = (
        log(ratio, rtol=FINE / n) for ratio in Randomizer.of(KRandomization(n=1, q=response.q)).ratios(rate)
    )
    return (v - n * of_zero) / (of_one - of_zero)


def _overlap(response: RandomizedResponse, n: int, rate: Fraction, first: int) -> Enclosure:
    """P_0[S >= first] + P_A[S < first]."""
    zeros_under_a = response.p - rate * (response.p - response.q)
    return _tail(n, response.q, first) + _tail(n, zeros_under_a, n - first + 1)


def _tail(n: int, p: Fraction, s: int) -> Enclosure:
    """P[Bin(n, p) >= s] for s > n p, as both thresholds are: r = 1 lies between the two means."""
    faint = 2 * (s - n * p) ** 2 >= _FAINT * n  # Hoeffding: e^(-2 (s - n p)^2 / n)
    if faint:
        return _below_faint()
    _check_people(n)
    return Pool.of((p, n)).at_least(s, rtol=_RTOL)


def _short(n: int, rate: Fraction) -> Enclosure:
    """P[sum X_i < n rate / 2]."""
    if rate == 1:
        return Enclosure.of(0)
    faint = n * rate >= 8 * _FAINT  # Chernoff: e^(-n rate / 8)
    if faint:
        return _below_faint()
    _check_people(n)
    few = ceil(n * rate / 2) - 1
    return Pool.of((rate, n)).at_most(few, rtol=_RTOL)


def _check_people(n: int) -> None:
    """Refuse tails that doubles no longer steer to."""
    must_fit("a tail of the count of reports", n, _MOST, "reports", instead="fewer people")


def _below_faint() -> Enclosure:
    return Enclosure(Fraction(0), exp(Fraction(-_FAINT)).upper)
