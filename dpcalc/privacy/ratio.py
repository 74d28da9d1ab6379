r"""The privacy ratio of an outcome: how much likelier it is after one record changes from 1 to 0.

    R_s = P(S = s | changed record 0) / P(S = s | changed record 1).

With all other n - 1 records 1 (the dataset that maximizes R_s at every s, see ``log_concavity_in_ones``), N = k n and
rho = p/q it is the mean of rho^{k - 2i} over the number i of ones among k reports drawn from the N without replacement,

    R_s = sum_i C(s, i) C(N - s, k - i) / C(N, k) rho^{k - 2i},

which falls as s grows. R_s and its reciprocal are what one outcome reveals; neither is an (epsilon, delta) guarantee.
All outcomes at once: ``ratios``.

*Records of L bits.* D holds n copies of x = 1...1; in D' one of them is changed to the opposite vector x' = 0...0. (For
other x, and x' at Hamming distance L, flip the bits where x is 0; for x' at distance d < L the bits that agree tell
nothing: take the other d as records of d bits.) A report with l bits set has the likelihood ratio

    w = P[R(x') = y] / P[R(x) = y] = rho^{L - 2l},

so the histogram (s_0, ..., s_L) of the N pooled reports by number of set bits carries all the information, and

    R = P[A(D') = s] / P[A(D) = s] = e_k(w_1, ..., w_N) / C(N, k),    e_k = [z^k] prod_l (1 + rho^{L-2l} z)^{s_l},

the mean of the products of k of the likelihood ratios. By Maclaurin's inequality R <= (mean of w)^k.

Source: K16, (4.32), (5.9), (6.7)-(6.10), (8.8) for one outcome.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import reduce
from math import comb
from operator import mul

from flint import arb, fmpz_poly

from dpcalc.displayed import Displayed
from dpcalc.errors import DomainError, must_fit
from dpcalc.families.bits import Bits
from dpcalc.laws.pmf import coefficient
from dpcalc.laws.pool import Pool
from dpcalc.laws.terms import lowest
from dpcalc.mechanisms.pooled_count import pooled
from dpcalc.mechanisms.response import KRandomization, expect, expect_bits
from dpcalc.numbers.enclosure import Enclosure
from dpcalc.numbers.limit import Limit
from dpcalc.numbers.rational import Number, integer
from dpcalc.numbers.search import last_where
from dpcalc.pairs.pair import Pair

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


def likelihoods(q: Fraction, bits: int) -> tuple[list[int], int]:
    """The likelihood ratios rho^{L-2l} for l = 0, ..., L as integers over one denominator.

    With q = u/D and v = D - u they are v^{2(L-l)} u^{2l} / (u v)^L.

    >>> likelihoods(Fraction(1, 4), 1)
    ([9, 1], 3)
    """
    u, v = q.numerator, q.denominator - q.numerator
    return [v ** (2 * (bits - ones)) * u ** (2 * ones) for ones in range(bits + 1)], (u * v) ** bits


def likelihood_mean(q: Fraction, k: int, histogram: Sequence[int]) -> Fraction:
    """R = e_k / C(N, k), exactly, in O(L k^2) or less.

    >>> likelihood_mean(Fraction(1, 4), 1, (1, 0, 1)) == Fraction(9 + Fraction(1, 9)) / 2
    True
    """
    weights, denominator = likelihoods(q, len(histogram) - 1)
    *factors, last = (powers(weight, count, k) for weight, count in zip(weights, histogram, strict=True))
    first = factors[0]
    if len(factors) > 1:
        first = list(map(int, reduce(lambda a, b: a.mul_low(b, k + 1), map(fmpz_poly, factors)).coeffs()))
    top = sum(first[k - i] * last[i] for i in range(max(0, k + 1 - len(first)), min(k + 1, len(last))))
    return Fraction(top, comb(sum(histogram), k) * denominator**k)


def powers(weight: int, count: int, k: int) -> list[int]:
    """The coefficients of (1 + weight z)^count up to z^k.

    >>> powers(3, 2, 5), powers(3, 2, 1)
    ([1, 6, 9], [1, 6])
    """
    row, ways, power = [1], 1, 1
    for i in range(min(count, k)):
        ways, power = ways * (count - i) // (i + 1), power * weight
        row.append(ways * power)
    return row


def check_terms(mechanism: KRandomization) -> None:
    """Refuse a ratio of too many terms.

    Raises:
        TooLarge: k L > 5,000.
    """
    terms = mechanism.k * mechanism.bits
    must_fit("the exact ratio of an outcome", terms, _MAX_TERMS, "terms (k bits)", instead="dpcalc.delta")


def _histogram(mechanism: KRandomization, s: Number | Sequence[Number]) -> tuple[int, ...]:
    """The histogram (s_0, ..., s_L) of the reports by number of set bits.

    Raises:
        DomainError: for L = 1 no whole number from 0 to k n, for L > 1 not L + 1 whole numbers >= 0 that sum to k n.
    """
    total, bits = mechanism.reports, mechanism.bits
    if bits == 1:
        outcome = integer(s, "s", minimum=0, maximum=total)
        return total - outcome, outcome
    allowed = f"{bits + 1} counts (s_0, ..., s_{bits}) that sum to {total:,}"
    if not isinstance(s, Sequence) or isinstance(s, str) or len(s) != bits + 1:
        raise DomainError("s", s, allowed)
    counts = tuple(integer(count, "s", minimum=0) for count in s)
    if sum(counts) != total:
        raise DomainError("s", s, allowed)
    return counts


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
    histogram = _histogram(mechanism, s)
    weights, denominator = likelihoods(mechanism.q, mechanism.bits)
    bound: Fraction = Fraction(sum(map(mul, weights, histogram)), denominator * mechanism.reports) ** mechanism.k
    return bound


@dataclass(frozen=True, slots=True, kw_only=True)
class Outside(Displayed):
    """The probability that an outcome's ratio, or its reciprocal, exceeds the limit, on a dataset and its neighbour.

    Attributes:
        ratio, ratio_neighbour: P[R > lambda] under the dataset D and under its neighbour D'.
        reciprocal, reciprocal_neighbour: P[1/R > lambda] under D and under D'.
    """

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
    """

    low: int
    high: int


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
    return outside(mechanism, limit, others, exact=Bits.of(mechanism).pair(others).exact_fits)


def outside(mechanism: KRandomization, limit: Limit, others: int, *, exact: bool) -> Exceedance:
    """The exceedance with ``others`` ones among the other records, from exact pmfs or enclosed.

    Raises:
        TooLarge: as ``exceedance``.
    """
    check_terms(mechanism)
    one, zero = (pooled(mechanism, m) for m in (others + 1, others))
    pair, most = Bits.of(mechanism).pair(others), mechanism.reports
    # R_s > 0 falls with s, so both events are tails
    low = _last(pair, limit, lambda s: ratio(mechanism, s, ones=others))
    high = most - _last(pair.mirror, limit, lambda zeros: 1 / ratio(mechanism, most - zeros, ones=others))
    return Exceedance(
        low=low,
        high=high,
        ratio=chance_of(one, 0, low, exact=exact),
        ratio_neighbour=chance_of(zero, 0, low, exact=exact),
        reciprocal=chance_of(one, high, most, exact=exact),
        reciprocal_neighbour=chance_of(zero, high, most, exact=exact),
    )


def chance_of(pool: Pool, low: int, high: int, *, exact: bool) -> Enclosure:
    """P[low <= S <= high], from the exact pmf or enclosed; 0 where low > high."""
    if not exact:
        return pool.between(low, high, rtol=_RTOL)
    pmf = pool.pmf()
    return Enclosure.of(Fraction(sum(pmf.weights[low : high + 1]), pmf.denominator))


def _last(pair: Pair, limit: Limit, exact: Callable[[int], Fraction]) -> int:
    """The last outcome whose ratio is above lambda, -1 for none; in exact arithmetic only where balls do not decide."""
    if pair.kept_within(limit):
        return -1

    def above(s: int) -> bool:
        found = pair.exceeds(s, limit)
        return not limit.allows(exact(s)) if found is None else found

    return last_where(above, 0, pair.reports, near=pair.last_above(limit))


def ratio_at(total: int, k: int, s: arb, q: arb) -> arb:
    """R_s for balls s and q: rho^k sum_j C(k, j) (m^(j) / N^(j)) (1 - r)^j r^{k-j}, m = N - s, r = 1/rho^2.

    Of k reports drawn, i zeros have the likelihood ratio rho and the others 1/rho: R = E rho^{2i - k}, which is
    rho^k E r^{k-i}, and r^{k-i} = sum_j C(i, j) (1 - r)^j r^{k-j} with E C(i, j) = C(k, j) m^(j) / N^(j). All terms are
    positive. At a real s a negative factor m - i of m^(j) is taken as 0 (proof notes, L8).
    """
    odds, chances = 1 / q - 1, [arb(1)]
    rest = odds**-2
    for j in range(k):
        chances.append(chances[-1] * ((k - j) * (total - s - j).max(arb(0))) / ((j + 1) * (total - j)))
    found, power = arb(0), arb(1)
    for chance in reversed(chances):
        found, power = found * (1 - rest) + chance * power, power * rest
    return found * odds**k
