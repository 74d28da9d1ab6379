r"""The estimate of the number T of ones from the pooled count, and its spread.

Each of the k n reports is 1 with probability q + (p - q) b for its record's bit b, so

    T_hat = (S - q k n) / (k (p - q)),   E T_hat = T,   Var T_hat = p q n / (k (p - q)^2),

the variance being the same for every T. For k = 1 this is LOC's (S - (1/2 - gamma) n) / (2 gamma), and T_hat / n is
EC's p_hat.

Where the bits themselves are drawn, each 1 with probability x (EC's p), T_hat / n estimates x, and the drawing adds its
own variance: Var T_hat = p q n / (k (p - q)^2) + n x (1 - x).

The estimate of a fleet is in ``counted``, the intervals are in ``methods``.

*Rounds.* The sum S of R pooled counts is made of R k n reports, each 1 with probability q + (p - q) b for its record's
bit b in its round. So it is the pooled count of one round of R n records that hold T_1 + ... + T_R ones, whether or not
anybody's bit changes between rounds. The estimate of that sum divided by R estimates the mean of the T_r: its variance
is that of one round divided by R, and an interval for the R n records divided by R is one for the mean.

*Histograms.* Each category is the single-bit question whether a record holds it. With the error probability beta / d in
each of d categories, all intervals hold at once except with probability at most beta, however the counts depend on each
other (Bonferroni).

Source: K16, (4.1)-(4.4), (5.1)-(5.4); the intervals for S are (4.48)-(4.55). LOC, "Binary sums"; EC.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from math import ceil
from typing import Any, TypeAlias

from dpcalc.accuracy import doubt
from dpcalc.accuracy.counted import Counted
from dpcalc.accuracy.methods import (
    Interval,
    Method,
    around,
    level_of,
    method_of,
    off,
    total_interval,
    window,
    within,
)
from dpcalc.displayed import Displayed
from dpcalc.errors import DomainError
from dpcalc.mechanisms.fleet import Fleet
from dpcalc.mechanisms.pooled_count import pooled
from dpcalc.mechanisms.response import KRandomization, RoundedNumbers, expect, expect_bits
from dpcalc.mechanisms.unary import AsymmetricBits, UnaryEncoding
from dpcalc.numbers.elementary import sqrt
from dpcalc.numbers.enclosure import Enclosure
from dpcalc.numbers.lists import as_list, flag, one_or_many
from dpcalc.numbers.rational import LARGEST, Number, between, deviations, integer, probability

#: One pooled count, or one for each round.
Counts: TypeAlias = Number | Sequence[Number]


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Estimate(Displayed):
    """An estimate of the number of ones among n records, or of the mean of that number over several rounds.

    It is shown with its standard deviation, rounded up.

    Attributes:
        mechanism: how the reports of one round were made; for a fleet all users whose reports are counted.
        counts: the pooled count, or the sum of those of all rounds; for a fleet also one for every group.
        rounds: the number of rounds.
        note: why the counts can hardly be those of the mechanism, or None (``doubt``).
    """

    mechanism: KRandomization | AsymmetricBits | Fleet | RoundedNumbers
    counts: tuple[int, ...]
    rounds: int = 1
    note: str | None = field(default=None, compare=False)

    @property
    def s(self) -> int:
        """The number of reports of 1 in all rounds and groups."""
        return sum(self.counts)

    @property
    def value(self) -> Fraction:
        """T_hat; it may lie outside 0..n."""
        return self._origin + self._all.estimate(self.counts) * self._unit

    @property
    def variance(self) -> Fraction:
        """Var T_hat, divided by the number of rounds, however the ones are split among groups; for asymmetric bits and
        numbers the largest of any dataset.
        """
        return self._all.variance() * self._unit**2

    @property
    def sigma(self) -> Enclosure:
        """The standard deviation, in records or in units of the mean."""
        return sqrt(self.variance)

    @property
    def fraction(self) -> Fraction:
        """T_hat / n, EC's p_hat; it may lie outside [0, 1]."""
        return self._all.estimate(self.counts) / self._all.n

    @property
    def _all(self) -> Counted:
        """The users of all rounds, as of one (see the module)."""
        return Counted.of(self.mechanism, self.rounds)

    @property
    def _origin(self) -> Fraction:
        """What is estimated where nobody holds 1."""
        return Fraction(0)

    @property
    def _unit(self) -> Fraction:
        """By how much one 1 among all users raises it."""
        return Fraction(1, self.rounds)

    def interval(
        self, confidence: Number | None = None, *, sigmas: Number | None = None, method: Method = "exact"
    ) -> Interval:
        """An interval for T: that of a method at a confidence, or T_hat plus and minus ``sigmas`` standard deviations.

        The methods are those of ``methods``: "exact", "chebyshev" and "hoeffding" contain T at least as often as the
        confidence says; "normal" does so only approximately, and ``sigmas`` promises nothing. The ends lie in 0..n.

        Raises:
            DomainError: none or both of confidence and sigmas, either out of range, or an unknown method.

        >>> cheated = estimate(KRandomization.from_alpha(n=1800, alpha="1/2"), 900)
        >>> print(cheated.interval("0.95"), cheated.interval("0.95", method="chebyshev"))
        [827, 973] [735.68323274845016..., 1064.3167672515498...]
        """
        if (confidence is None) == (sigmas is None):
            raise DomainError("confidence, sigmas", (confidence, sigmas), "exactly one of them")
        asked = self._all
        if confidence is not None:
            found = total_interval(asked, self.counts, level=level_of(confidence), method=method)
        else:
            square = Enclosure.of(asked.variance() * deviations(sigmas) ** 2)
            found = within(around(asked.estimate(self.counts), square), asked.n)
        return Interval(found.lower * self._unit + self._origin, found.upper * self._unit + self._origin)

    def __repr__(self) -> str:
        warning = "" if self.note is None else f"; warning: {self.note}"
        return f"<{type(self).__name__}: {Enclosure.of(self.value):7}, sigma {self.sigma:.3g}{warning}>"


class MeanEstimate(Estimate):
    """An estimate of the sum and of the mean of numbers.

    An interval is for the mean; "exact" only with k = 1.

    >>> found = estimate(RoundedNumbers(n=1000, q="1/10", high=120), 500)
    >>> print(found.mean, found.interval("0.95", method="chebyshev"))
    60 [49.393398282201787..., 70.606601717798212...]
    """

    __slots__ = ()

    mechanism: RoundedNumbers

    @property
    def share(self) -> Fraction:
        """The mean as a share of the range; it may lie outside [0, 1]."""
        return self.fraction

    @property
    def mean(self) -> Fraction:
        """The estimated mean; it may lie outside the range."""
        return self.value

    @property
    def sum(self) -> Fraction:
        """The estimated sum."""
        return self.mechanism.n * self.mean

    @property
    def _origin(self) -> Fraction:
        return self.mechanism.low

    @property
    def _unit(self) -> Fraction:
        return (self.mechanism.high - self.mechanism.low) / self.mechanism.n


def variance(
    mechanism: KRandomization | Fleet | AsymmetricBits | RoundedNumbers, *, fraction: Number | None = None
) -> Fraction:
    """Var T_hat = p q n / (k (p - q)^2), in records squared, exactly.

    With ``fraction`` = x each bit is itself drawn, 1 with probability x, and n x (1 - x) is added. For a fleet it is
    the sum over its groups (``counted``); for asymmetric bits the largest of any dataset, or that at x. Of
    numbers it is the most that their sum may have, or that with the mean x of the range (``counted``).

    Raises:
        DomainError: fraction outside [0, 1]; a fleet with dummies whose pooled count has no unbiased estimate.

    Source: K16, (4.3), (5.3) corrected.

    >>> variance(KRandomization(n=1000, q="1/3"))
    Fraction(2000, 1)
    >>> variance(KRandomization.from_alpha(n=18, alpha="1/2"), fraction="1/2") / 18**2
    Fraction(1, 18)
    """
    x = None if fraction is None else probability(fraction, "fraction")
    if not isinstance(mechanism, Fleet | AsymmetricBits | RoundedNumbers):
        expect(mechanism)
    asked = Counted.of(mechanism)
    found = asked.variance(x) + (0 if x is None else asked.n * x * (1 - x))
    return found * (mechanism.high - mechanism.low) ** 2 if isinstance(mechanism, RoundedNumbers) else found


def estimate(
    mechanism: KRandomization | UnaryEncoding | Fleet | AsymmetricBits | RoundedNumbers, s: Counts | Sequence[Counts]
) -> Any:
    """The unbiased estimate of the number of ones from the pooled count ``s``.

    Counts that no dataset makes likely are estimated too, with a ``note`` that says so: it names one whose probability
    is below 1e-9 under every dataset, or the sum of a round's counts where every record holds one category.

    Of several rounds' counts it is that of the mean number of ones; for a histogram there is one for each category, of
    the number of records that hold it. For a fleet it is that of the ones in all groups, from a count for each; from
    the pooled count only where k (1 - 2 q) is the same in all. Of numbers it is that of their sum and mean.

    Args:
        mechanism: how the reports were made.
        s: the pooled count, or one for each of several rounds; for a histogram a list with one such entry a category;
            for a fleet a list with one count a group.

    Returns:
        An ``Estimate``; for a histogram a tuple of one for each category, for numbers a ``MeanEstimate``.

    Raises:
        DomainError: s outside 0..k n, or not as many as there are categories or groups; records of several bits; a
            pooled count that has no unbiased estimate.

    Source: K16, (4.1), (5.1); LOC, "Binary sums"; EC, p_hat; ``counted``.

    >>> print(estimate(KRandomization(n=1000, q="1/4"), 375).value)
    250
    >>> print(estimate(KRandomization.from_alpha(n=18, alpha="1/2"), 9).fraction)
    1/2
    >>> month = estimate(KRandomization(n=1000, q="1/4"), [375, 385, 365])
    >>> print(month.value, month.variance)
    250 250
    >>> from dpcalc import Group
    >>> total = estimate(Fleet([Group(n=40_000, q="0.01"), Group(n=10_000, q="0.05", k=2)]), [12_000, 6_000])
    >>> print(total.value, total.sigma)
    6445000/441 26.561966665289794...
    """
    if isinstance(mechanism, RoundedNumbers):
        (count,) = Counted.of(mechanism.simplest).counts([s])
        return MeanEstimate(mechanism=mechanism, counts=(count,), note=estimate(mechanism.simplest, count).note)
    found = of_each(mechanism, s)
    return found if histogram(mechanism) else found[0]


def of_each(mechanism: Any, s: Any, *, unbiased: bool = True) -> tuple[Estimate, ...]:
    """One estimate for each category of a histogram, else one alone; arguments and errors as in ``estimate``.

    ``unbiased`` says whether to refuse a fleet's pooled count that has no unbiased estimate.
    """
    if isinstance(mechanism, Fleet):
        asked = Counted.of(mechanism)
        counts = asked.counts(s, unbiased=unbiased)
        return (Estimate(mechanism=mechanism, counts=counts, note=doubt.of_fleet(asked, counts)),)
    if not isinstance(mechanism, AsymmetricBits | UnaryEncoding):
        expect_bits(mechanism, "an estimate")
    single, _ = mechanism.of_count
    asked, table = Counted.of(single), histogram(mechanism)
    allowed = f"a list of {mechanism.categories} counts, one for each category" if table else ""
    found = [_of_rounds(asked, counts) for counts in (as_list(s, "s", allowed) if table else [s])]
    if table and (len(found) != mechanism.categories or len({len(counts) for counts in found}) > 1):
        raise DomainError("s", s, allowed)
    note = doubt.of_table(mechanism, asked, found) if table else doubt.of_rounds(asked, found[0])
    return tuple(Estimate(mechanism=single, counts=(sum(each),), rounds=len(each), note=note) for each in found)


def histogram(mechanism: Any) -> bool:
    """Whether the mechanism is a histogram, with one estimate for each category."""
    return getattr(mechanism, "categories", None) is not None


def _of_rounds(asked: Counted, s: object) -> list[int]:
    """The count of each round."""
    counts = [integer(count, "s", minimum=0, maximum=asked.size) for count in one_or_many(s)]
    if not counts or len(counts) * asked.size > LARGEST:
        raise DomainError("s", s, f"a count, or one for each round, of at most {LARGEST:,} reports in all")
    return counts


def count_interval(mechanism: KRandomization, *, ones: Number, sigmas: Number = 3) -> Interval:
    """The mean of the pooled count S, with ``ones`` of the n records 1, plus and minus ``sigmas`` standard deviations.

    Raises:
        DomainError: ones outside 0..n; sigmas <= 0; records of several bits.

    Source: K16, (4.48)-(4.55); ones = n for S and n - 1 for S_m.

    >>> print(count_interval(KRandomization(n=1000, q="0.009"), ones=1000))
    [982.04059153738373..., 999.95940846261626...]
    """
    expect_bits(mechanism, "count_interval")
    pool = pooled(mechanism, ones)
    return around(pool.mean, Enclosure.of(pool.variance * deviations(sigmas) ** 2))


# --- intervals ----------------------------------------------------------------------------------------------------


def confidence_interval(
    mechanism: KRandomization | UnaryEncoding | Fleet | AsymmetricBits, s: Counts | Sequence[Counts], *,
    confidence: Number, method: Method = "exact", simultaneous: bool = False,
) -> Any:  # fmt: skip
    """The interval for the number of ones that goes with the pooled count ``s``.

    It is for what ``estimate`` estimates, from any fleet's pooled count too. Its ends lie in 0..n; those of "exact" are
    integers. Where every number of ones is rejected at this confidence, the nearest is given (``methods``).

    Args:
        mechanism: as in ``estimate``.
        s: as in ``estimate``.
        confidence: of each interval.
        method: see ``methods``.
        simultaneous: all intervals of a histogram hold together with the confidence.

    Returns:
        An ``Interval``; for a histogram a tuple of one for each category.

    Raises:
        DomainError: as in ``estimate``; confidence outside (0, 1), or an unknown method.

    >>> print(confidence_interval(KRandomization(n=18, q="1/4"), 9, confidence="0.95"))
    [1, 17]
    >>> print(confidence_interval(KRandomization(n=18, q="1/4"), [9, 10, 8], confidence="0.95"))
    [14/3, 40/3]
    >>> from dpcalc import Group
    >>> fleet = Fleet([Group(n=40_000, q="0.01"), Group(n=10_000, q="0.05", k=2)])
    >>> print(confidence_interval(fleet, [12_000, 6_000], confidence="0.95"))
    [14561, 14667]
    >>> print(confidence_interval(fleet, 18_000, confidence="0.95"))  # whoever holds the ones
    [9183, 17012]
    >>> confidence_interval(KRandomization(n=18, q="1/4"), 9, confidence=1)
    Traceback (most recent call last):
    ...
    dpcalc.errors.DomainError: confidence = 1 is not allowed: give a probability with 0 < confidence < 1
    """
    together, estimates = flag(simultaneous, "simultaneous"), of_each(mechanism, s, unbiased=False)
    level = level_of(confidence) / (len(estimates) if together else 1)
    each = tuple(one.interval(1 - level, method=method) for one in estimates)
    return each if histogram(mechanism) else each[0]


def coverage(mechanism: KRandomization, *, ones: Number, confidence: Number, method: Method = "exact") -> Enclosure:
    """The probability that the interval contains the true number of ones; exact for up to 400 reports.

    Raises:
        DomainError: ones outside 0..n, confidence outside (0, 1), an unknown method, or records of several bits.

    >>> coverage(KRandomization(n=2, q="1/4"), ones=0, confidence="3/4", method="normal").value
    Fraction(15, 16)
    """
    expect_bits(mechanism, "coverage")
    holders = integer(ones, "ones", minimum=0, maximum=mechanism.n)
    level = level_of(confidence)
    asked = Counted.of(mechanism)
    low, high = window(asked, holders, level, method_of(method))
    if low > high:
        return Enclosure.of(0)
    pool = asked.pool(holders)
    return 1 - pool.at_most(low - 1) - pool.at_least(high + 1)


def required_n(
    *, error: Number, confidence: Number, q: Number, k: Number = 1, method: Method = "hoeffding",
    numbers: bool = False,
) -> int:  # fmt: skip
    r"""The least n at which the half-width of the interval for the fraction T/n is at most ``error``.

    n = ceil(z^2 p q / (k (p - q)^2 error^2)). With "chebyshev" and "hoeffding" it is a proven promise: for this n and
    every larger one, whatever the data, the estimated fraction errs by at most ``error`` with at least the confidence
    asked. With "normal" it is only the width of the interval. "exact" is refused: its width depends on the outcome, and
    neither its greatest width nor the true chance of an error of at most ``error`` is monotone in n, as S is whole.
    With ``numbers`` it is the error of the mean of numbers, as a share of their range, their rounding included.

    Raises:
        DomainError: error <= 0, confidence outside (0, 1), q outside (0, 1/2), k < 1, the method "exact" or unknown.
        Undecided: n has about 40 digits or more; or with "hoeffding" or "normal" it is too near a whole number.

    Source: EC, "Accuracy of this estimator", with the variance p q of a report in place of 1; LOC, "Upper Bound".

    >>> required_n(error="0.05", confidence="0.95", q="1/4"), required_n(error="0.05", confidence="0.95", q="1/4", k=2)
    (2952, 1476)
    """
    width = method_of(method, without="exact")
    mechanism = (RoundedNumbers if flag(numbers, "numbers") else KRandomization)(n=1, q=q, k=k)
    reach = between(error, "error", 0, 1, "an error of the fraction")
    return ceil(off(Counted.of(mechanism), level_of(confidence), width) / reach**2)
