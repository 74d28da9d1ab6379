r"""The privacy ratio of an outcome: how much likelier it is after one record changes from 1 to 0.

    R_s = P(S = s | changed record 0) / P(S = s | changed record 1).

With all other n - 1 records 1 (the dataset that maximizes R_s at every s, see ``log_concavity_in_ones``), N = k n and
rho = p/q it is the mean of rho^{k - 2i} over the number i of ones among k reports drawn from the N without replacement,

    R_s = sum_i C(s, i) C(N - s, k - i) / C(N, k) rho^{k - 2i},

which falls as s grows. R_s and its reciprocal are what one outcome reveals; neither is an (epsilon, delta) guarantee.
All outcomes at once: ``ratios``. For records of several bits, all of them equal and one changed to its opposite, see
``pairs.likelihood``.

Source: K16, (4.32), (5.9), (6.10).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from dpcalc.displayed import Displayed
from dpcalc.errors import DomainError, must_fit
from dpcalc.laws.pmf import coefficient
from dpcalc.laws.terms import lowest
from dpcalc.mechanisms.pooled_count import pooled
from dpcalc.mechanisms.response import KRandomization, expect, expect_bits
from dpcalc.numbers.enclosure import Enclosure
from dpcalc.numbers.limit import Limit
from dpcalc.numbers.rational import Number, integer
from dpcalc.numbers.search import last_where
from dpcalc.pairs.likelihood import likelihood_mean, maclaurin, ratio_within
from dpcalc.worst.datasets import Datasets

_RTOL = Fraction(1, 10**15)
_MOST_WORK = 10**11  # bits: terms times the bits of each
_MAX_TERMS = 5_000  # k L: each term is a rational of about 2 k L log2(1/q) bits


def ratio(mechanism: KRandomization, s: Number | Sequence[Number], *, ones: Number | None = None) -> Fraction:
    """R_s, exactly: a rational that may be too long for Python to print; ``print(Enclosure.of(value))`` shows it.

    Args:
        mechanism: n, q, k and the bits L.
        s: for L = 1 the pooled count, 0 <= s <= k n; for L > 1 the histogram (s_0, ..., s_L) of the reports by number
            of set bits. Then all records are 1...1, and one is changed to 0...0.
        ones: how many of the other n - 1 single-bit records hold 1; default all of them, K16's dataset.

    Raises:
        DomainError: s or ones out of range; ones for records of several bits.
        TooLarge: k L > 5,000; with ``ones``, if it would take more than some ten seconds.

    Source: K16, (4.32) for k = 1, (5.9), (6.10) for L > 1 and k = 1.

    >>> ratio(KRandomization(n=100, q="3/10"), 0)
    Fraction(7, 3)
    >>> ratio(KRandomization(n=2, q="1/4", bits=2), (1, 0, 1)) == (9 + Fraction(1, 9)) / 2
    True
    """
    expect(mechanism)
    check_terms(mechanism)
    if ones is not None:
        mechanism.single_bit("ratio with ones")
    histogram, others = _histogram(mechanism, s), others_of(mechanism, ones)
    if others == mechanism.n - 1:
        return likelihood_mean(mechanism.q, mechanism.k, histogram)
    _, outcome = histogram
    reports = [(mechanism.k * m, mechanism.k * (mechanism.n - m), outcome) for m in (others, others + 1)]
    must_fit(
        f"the exact ratio of {mechanism.reports:,} reports",
        mechanism.reports**2 * mechanism.q.denominator.bit_length(), _MOST_WORK, "bits of work",
        instead=f"dpcalc.ratios(mechanism, ones={others})[{outcome}], an enclosure",
    )  # fmt: skip
    return lowest(*(coefficient(mechanism.q, *each) for each in reports))


def others_of(mechanism: KRandomization, ones: Number | None) -> int:
    """How many of the other n - 1 records hold 1: all for None.

    Raises:
        DomainError: not 0..n - 1.
    """
    return mechanism.n - 1 if ones is None else integer(ones, "ones", minimum=0, maximum=mechanism.n - 1)


def bit_histogram(mechanism: KRandomization, s: object) -> tuple[int, ...]:
    """The histogram (s_0, ..., s_L) of the reports by number of set bits.

    Raises:
        DomainError: not L + 1 whole numbers >= 0 that sum to k n.

    >>> bit_histogram(KRandomization(n=3, q="0.2", bits=2), (1, 0, 2))
    (1, 0, 2)
    """
    allowed = f"{mechanism.bits + 1} counts (s_0, ..., s_{mechanism.bits}) that sum to {mechanism.reports:,}"
    if not isinstance(s, Sequence) or isinstance(s, str) or len(s) != mechanism.bits + 1:
        raise DomainError("s", s, allowed)
    counts = tuple(integer(count, "s", minimum=0) for count in s)
    if sum(counts) != mechanism.reports:
        raise DomainError("s", s, allowed)
    return counts


def check_terms(mechanism: KRandomization) -> None:
    """Refuse a ratio of too many terms.

    Raises:
        TooLarge: k L > 5,000.
    """
    terms = mechanism.k * mechanism.bits
    must_fit("the exact ratio of an outcome", terms, _MAX_TERMS, "terms (k bits)", instead="dpcalc.delta")


def _histogram(mechanism: KRandomization, s: Number | Sequence[Number]) -> tuple[int, ...]:
    if mechanism.bits > 1:
        return bit_histogram(mechanism, s)
    outcome = integer(s, "s", minimum=0, maximum=mechanism.reports)
    return mechanism.reports - outcome, outcome


def ratio_bound(mechanism: KRandomization, s: Number | Sequence[Number]) -> Fraction:
    """The mean of the reports' likelihood ratios to the k, for L = 1 ((1 - x) rho + x / rho)^k with x = s/(kn).

    It is at least R_s by Maclaurin's inequality; K16 derives it from a termwise bound (5.12) that is false.

    Raises:
        DomainError: s out of range.
        TooLarge: k L > 5,000.

    Source: K16, (5.13).

    >>> m = KRandomization(n=5, q="1/4", k=2)
    >>> all(ratio(m, s) <= ratio_bound(m, s) for s in range(11))
    True
    """
    expect(mechanism)
    check_terms(mechanism)
    return maclaurin(mechanism.q, mechanism.k, _histogram(mechanism, s))


class Outside(Displayed):
    """The probability that an outcome's ratio, or its reciprocal, exceeds the limit, on a dataset and its neighbour."""

    __slots__ = ()
    ratio: Enclosure
    ratio_neighbour: Enclosure
    reciprocal: Enclosure
    reciprocal_neighbour: Enclosure

    def to_dict(self) -> dict[str, Enclosure]:
        """For JSON."""
        return {
            "ratio_exceeds": self.ratio, "ratio_exceeds_under_neighbour": self.ratio_neighbour,
            "reciprocal_exceeds": self.reciprocal, "reciprocal_exceeds_under_neighbour": self.reciprocal_neighbour,
        }  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class Exceedance(Outside):
    """The probability that an outcome's ratio, or its reciprocal, exceeds lambda, for given other records.

    D holds 1 in the changed record, D' holds 0. R_s > lambda exactly for s <= ``low`` (none if low < 0), and
    1/R_s > lambda exactly for s >= ``high`` (none if high > k n).

    Attributes:
        low, high: the last outcome that breaks the limit by its ratio, and the first by the reciprocal.
        ratio, ratio_neighbour: P[R_S > lambda] under D and under D'.
        reciprocal, reciprocal_neighbour: P[1/R_S > lambda] under D and under D'.
    """

    low: int
    high: int
    ratio: Enclosure
    ratio_neighbour: Enclosure
    reciprocal: Enclosure
    reciprocal_neighbour: Enclosure


def exceedance(
    mechanism: KRandomization, *, lam: Number | None = None, epsilon: Number | None = None, ones: Number | None = None
) -> Exceedance:
    """The probability that the outcome's ratio, or its reciprocal, exceeds lambda; exact where the pmf is small.

    For larger pmfs the probabilities are enclosures of relative width 1e-15, for any n; one too small to be held is
    enclosed by 0 and 2^-999,999.

    Args:
        mechanism: n, q and k.
        lam: lambda = e^epsilon > 1; give it or
        epsilon: >= 0.
        ones: how many of the other n - 1 records hold 1; default all of them, K16's dataset.

    Raises:
        DomainError: none or both of lam and epsilon; ones out of range; records of several bits.
        TooLarge: k > 5,000; or a ratio so near lambda that only exact arithmetic decides, and its pmf is too large.

    Source: the events behind K16's "99.98 %" in section 4.3.

    >>> outside = exceedance(KRandomization(n=2, q="1/4"), lam=2)
    >>> outside.low, outside.high, outside.ratio.value, outside.reciprocal.value
    (0, 2, Fraction(1, 16), Fraction(9, 16))
    """
    expect_bits(mechanism, "exceedance")
    limit = Limit.of(lam=lam, epsilon=epsilon)
    others = others_of(mechanism, ones)
    return outside(mechanism, limit, others, exact=Datasets.of(mechanism).pair(others).exact_fits)


def outside(mechanism: KRandomization, limit: Limit, others: int, *, exact: bool) -> Exceedance:
    """The exceedance with ``others`` ones among the other records, from exact pmfs or enclosed.

    Raises:
        TooLarge: as ``exceedance``.
    """
    check_terms(mechanism)
    # R_s > 0 falls with s, so both events are tails
    pools = [pooled(mechanism, m) for m in (others + 1, others)]
    low, high, pair = -1, mechanism.reports + 1, Datasets.of(mechanism).pair(others)
    if not pair.kept_within(limit):
        low = last_where(
            lambda s: not _allowed(mechanism, s, others, limit), 0, mechanism.reports, near=pair.last_above(limit)
        )
        near = mechanism.reports - pair.mirror.last_above(limit)
        high = 1 + last_where(
            lambda s: _allowed(mechanism, s, others, limit, reciprocal=True), 0, mechanism.reports, near=near
        )
    if exact:
        pmfs = [pool.pmf() for pool in pools]
        below = [Enclosure.of(law.at_most(low)) for law in pmfs]
        above = [Enclosure.of(1 - law.at_most(high - 1)) for law in pmfs]
    else:
        below = [pool.at_most(low, rtol=_RTOL) for pool in pools]
        above = [pool.at_least(high, rtol=_RTOL) for pool in pools]
    return Exceedance(
        low=low,
        high=high,
        ratio=below[0],
        ratio_neighbour=below[1],
        reciprocal=above[0],
        reciprocal_neighbour=above[1],
    )


def _allowed(mechanism: KRandomization, s: int, ones: int, limit: Limit, *, reciprocal: bool = False) -> bool:
    """Whether R_s, or 1/R_s, is at most lambda; in exact arithmetic only where balls do not decide."""
    if ones == mechanism.n - 1:
        found = ratio_within(mechanism.reports, mechanism.k, s, mechanism.q, limit, reciprocal=reciprocal)
        if found is not None:
            return found
    else:
        pair = Datasets.of(mechanism).pair(ones)
        above = pair.mirror.exceeds(mechanism.reports - s, limit) if reciprocal else pair.exceeds(s, limit)
        if above is not None:
            return not above
    exact = ratio(mechanism, s, ones=ones)
    return limit.allows(1 / exact if reciprocal else exact)
