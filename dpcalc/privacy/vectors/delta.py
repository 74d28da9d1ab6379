r"""delta(eps) of identical records of several bits, certified.

D holds n copies of one vector, and one record is changed to its opposite; R is the ratio of
``identical``, with mean 1 under D. In the two directions

    delta = E_D[(R - lambda)_+]   (P over D' beyond lambda times P over D),   delta = E_D[(1 - lambda R)_+]   (reverse).

It covers every pair of n identical records and one changed one: a change of fewer bits is this one for records of those
bits only, with the others randomized afterwards. It is exact where the histograms by set bits can be listed; for k = 1
R is the mean of n independent likelihood ratios, and delta a mean excess (``counts.excess``) for any n.

An upper bound for every dataset, from ``blanket``, stands beside it.

Source: K16, (6.10).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from math import comb
from typing import Any

from dpcalc.counts.excess import mean_excess
from dpcalc.counts.likelihood import likelihoods, powers
from dpcalc.counts.occupancy import outcome_count
from dpcalc.counts.smoothed import Atom
from dpcalc.errors import TooLarge
from dpcalc.mechanisms.response import KRandomization, expect
from dpcalc.numbers.enclosure import Enclosure
from dpcalc.numbers.limit import Limit
from dpcalc.numbers.rational import Number, between
from dpcalc.privacy.ratio import check_terms
from dpcalc.privacy.vectors.blanket import largest_delta

__all__ = ["VectorDelta", "VectorExceedance", "identical_exceedance", "vector_delta"]

_RTOL = Fraction(1, 10**4)
_EXACT_BITS = 1 << 30  # size of all histograms' weights and ratios up to which delta is summed exactly
_EXACT_COUNT = 200_000  # histograms
_MAX_BITS = 100  # some minutes


@dataclass(frozen=True, slots=True, kw_only=True)
class VectorDelta:
    """delta of identical records of L bits, and what bounds every dataset.

    Attributes:
        forward: P(. | D') beyond lambda P(. | D), D identical records and D' with one changed.
        backward: P(. | D) beyond lambda P(. | D').
        bound: no pair of neighbouring datasets has a larger delta.
    """

    forward: Enclosure
    backward: Enclosure
    bound: Fraction

    @property
    def identical(self) -> Enclosure:
        """The larger direction: delta of identical records."""
        forward, backward = self.forward, self.backward
        return Enclosure(max(forward.lower, backward.lower), max(forward.upper, backward.upper))

    @property
    def every_dataset(self) -> Enclosure:
        """The largest delta of any dataset, between the identical records and the bound."""
        return Enclosure(self.identical.lower, max(self.bound, self.identical.upper))

    def to_dict(self) -> dict[str, Any]:
        """For JSON: the ends are strings."""
        named = {"forward": self.forward, "backward": self.backward, "identical": self.identical}
        ends = {name: value.to_dict() for name, value in named.items()}
        return {**ends, "bound": Enclosure.of(self.bound).to_dict()}

    def table(self) -> str:
        """The two directions and the bound, a line each."""
        return "\n".join(
            [
                f"identical records, one changed:        delta = {self.forward}",
                f"identical records, the other direction: delta = {self.backward}",
                f"every dataset:                          delta <= {Enclosure.of(self.bound):6}",
            ]
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class VectorExceedance:
    """How likely an outcome of identical records breaks the limit lambda; D and D' as in ``VectorDelta``.

    Attributes:
        ratio, ratio_neighbour: P[R > lambda] under D and under D'.
        reciprocal, reciprocal_neighbour: P[1/R > lambda] under D and under D'.
    """

    ratio: Enclosure
    ratio_neighbour: Enclosure
    reciprocal: Enclosure
    reciprocal_neighbour: Enclosure


def vector_delta(
    mechanism: KRandomization,
    *,
    lam: Number | None = None,
    epsilon: Number | None = None,
    rtol: Number = _RTOL,
    exact: bool = True,
) -> VectorDelta:
    """delta of identical records of L bits, one of them changed, in both directions; and a bound for every dataset.

    Args:
        mechanism: n, q, k and the bits L.
        lam: the ratio limit lambda = e^epsilon > 1; give it or
        epsilon: >= 0.
        rtol: relative width where delta is not exact; where that is beyond reach the enclosures are wider, and at the
            worst from 0 to a bound.
        exact: whether the histograms may be listed.

    Raises:
        DomainError: none or both of lam and epsilon; an argument out of range.
        TooLarge: k > 1 and too many histograms to list; L > 100 or k L > 5,000.

    >>> found = vector_delta(KRandomization(n=3, q="1/5", bits=2), lam="3/2")
    >>> print(found.identical, found.bound < 1)
    15479/31250 True
    """
    expect(mechanism, KRandomization)
    _check_values(mechanism)
    limit, width = Limit.of(lam=lam, epsilon=epsilon), between(rtol, "rtol", 0, 1, "a relative width")
    ends = _ends(limit)
    pairs = [_identical(mechanism, end, width, exact) for end in ends]
    # delta falls as lambda grows
    forward, backward = (Enclosure(last.lower, first.upper) for first, last in zip(pairs[0], pairs[-1], strict=True))
    return VectorDelta(forward=forward, backward=backward, bound=largest_delta(mechanism, ends[0]))


def identical_exceedance(
    mechanism: KRandomization, *, lam: Number | None = None, epsilon: Number | None = None
) -> VectorExceedance:
    """The probability that the ratio of an outcome, or its reciprocal, exceeds lambda, for identical records.

    Exact; for epsilon an enclosure in case a ratio lies within 1e-40 of e^epsilon.

    Raises:
        DomainError: none or both of lam and epsilon.
        TooLarge: too many histograms to list; L > 100 or k L > 5,000.

    Source: the events behind K16's "99.98 %", for several bits (6.1.2).

    >>> outside = identical_exceedance(KRandomization(n=2, q="1/4", bits=2), lam=2)
    >>> print(outside.ratio, outside.reciprocal)
    31/256 81/256
    """
    expect(mechanism, KRandomization)
    _check_values(mechanism)
    _check_histograms(mechanism)
    ends = _ends(Limit.of(lam=lam, epsilon=epsilon))
    found = []
    for end in ends:
        sums = [0, 0, 0, 0]
        a, b = end.numerator, end.denominator
        for weight, top, scale in _histograms(mechanism):
            above, below = b * top > a * scale, b * scale > a * top
            sums[0] += above * weight * scale
            sums[1] += above * weight * top
            sums[2] += below * weight * scale
            sums[3] += below * weight * top
        total = mechanism.q.denominator ** (mechanism.bits * mechanism.reports) * scale
        found.append([Fraction(value, total) for value in sums])
    values = (Enclosure(last, first) for first, last in zip(found[0], found[-1], strict=True))
    ratio, ratio_neighbour, reciprocal, reciprocal_neighbour = values
    return VectorExceedance(
        ratio=ratio,
        ratio_neighbour=ratio_neighbour,
        reciprocal=reciprocal,
        reciprocal_neighbour=reciprocal_neighbour,
    )


def _ends(limit: Limit) -> list[Fraction]:
    """Lambda, or rationals just below and above it."""
    ends = limit.ends
    return [ends.lower] if ends.exact else [ends.lower, ends.upper]


# --- identical records --------------------------------------------------------------------------------------------


def _identical(mechanism: KRandomization, lam: Fraction, rtol: Fraction, exact: bool) -> tuple[Enclosure, Enclosure]:
    """Both directions, at a rational lambda."""
    if Limit(lam).allows_power(mechanism.odds, mechanism.k * mechanism.bits):
        return Enclosure.of(0), Enclosure.of(0)
    if mechanism.k > 1:
        _check_histograms(mechanism)
    if exact and _histograms_fit(mechanism):
        return _summed(mechanism, lam)
    reports = _reports(mechanism)
    forward = mean_excess([(w - lam, chance) for w, chance in reports], mechanism.n, rtol=rtol)
    backward = mean_excess([(1 - lam * w, chance) for w, chance in reports], mechanism.n, rtol=rtol)
    return forward / mechanism.n, backward / mechanism.n


def _check_values(mechanism: KRandomization) -> None:
    """Refuse likelihood ratios that take too many values, or too long ones, before any is written out."""
    if mechanism.bits > _MAX_BITS:
        raise TooLarge(
            "the likelihood ratio of a report", size=mechanism.bits, limit=_MAX_BITS, unit="bits", instead="fewer bits"
        )
    check_terms(mechanism)


def _reports(mechanism: KRandomization) -> list[Atom]:
    """The likelihood ratio of one report, and its probability under D."""
    q, p, bits = mechanism.q, mechanism.p, mechanism.bits
    return [(mechanism.odds ** (bits - 2 * i), comb(bits, i) * p**i * q ** (bits - i)) for i in range(bits + 1)]


def _histogram_limit(mechanism: KRandomization) -> int:
    """How many histograms of this size are listed at most."""
    bits = mechanism.reports * mechanism.bits * mechanism.q.denominator.bit_length() * mechanism.k
    return min(_EXACT_COUNT, _EXACT_BITS // bits)


def _histograms_fit(mechanism: KRandomization) -> bool:
    return outcome_count(mechanism.reports, mechanism.bits + 1) <= _histogram_limit(mechanism)


def _check_histograms(mechanism: KRandomization) -> None:
    if not _histograms_fit(mechanism):
        raise TooLarge(
            f"the list of all histograms of {mechanism.reports:,} reports by {mechanism.bits + 1} numbers of set bits",
            size=outcome_count(mechanism.reports, mechanism.bits + 1), limit=_histogram_limit(mechanism),
            unit="histograms", instead="vector_delta with k = 1, or blanket_bound",
        )  # fmt: skip


def _histograms(mechanism: KRandomization) -> Iterator[tuple[int, int, int]]:
    """For every histogram P(. | D) times D^{L N}, and R as numerator and (common) denominator."""
    bits, k, total = mechanism.bits, mechanism.k, mechanism.reports
    u, v = mechanism.q.numerator, mechanism.q.denominator - mechanism.q.numerator
    masses = [comb(bits, i) * v**i * u ** (bits - i) for i in range(bits + 1)]
    weights, denominator = likelihoods(mechanism.q, bits)
    scale = comb(total, k) * denominator**k
    rows = [[powers(weight, count, k) for count in range(total + 1)] for weight in weights]

    def spread(level: int, left: int, weight: int, terms: list[int]) -> Iterator[tuple[int, int, int]]:
        if level == bits:
            last = rows[level][left]
            top = sum(terms[k - i] * x for i, x in enumerate(last) if k - i < len(terms))
            yield weight * masses[level] ** left, top, scale
            return
        for count in range(left + 1):
            more = _product(terms, rows[level][count], k)
            yield from spread(level + 1, left - count, weight * comb(left, count) * masses[level] ** count, more)

    return spread(0, total, 1, [1])


def _product(a: list[int], b: list[int], k: int) -> list[int]:
    """The product of two polynomials up to z^k."""
    found = [0] * min(k + 1, len(a) + len(b) - 1)
    for (i, x), (j, y) in product(enumerate(a), enumerate(b)):
        if i + j <= k:
            found[i + j] += x * y
    return found


def _summed(mechanism: KRandomization, lam: Fraction) -> tuple[Enclosure, Enclosure]:
    a, b = lam.numerator, lam.denominator
    forward = backward = 0
    for weight, top, scale in _histograms(mechanism):
        forward += weight * max(0, b * top - a * scale)
        backward += weight * max(0, b * scale - a * top)
    total = mechanism.q.denominator ** (mechanism.bits * mechanism.reports) * scale * b
    return Enclosure.of(Fraction(forward, total)), Enclosure.of(Fraction(backward, total))
