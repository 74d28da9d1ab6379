r"""delta(eps) of records of several bits: identical records, certified, and an upper bound for every dataset.

*Identical records.* D holds n copies of one vector, and one record is changed to its opposite; R is the ratio of
``identical``, with mean 1 under D. In the two directions

    delta = E_D[(R - lambda)_+]   (P over D' beyond lambda times P over D),   delta = E_D[(1 - lambda R)_+]   (reverse).

It covers every pair of n identical records and one changed one: a change of fewer bits is this one for records of those
bits only, with the others randomized afterwards. It is exact where the histograms by set bits can be listed; for k = 1
R is the mean of n independent likelihood ratios, and delta a mean excess (``counts.excess``) for any n.

*Every dataset.* A report is, with probability gamma = (2q)^L, uniform whatever the record is: q^L is the least chance
of any vector. With one report each, revealing who was uniform leaves the changed record's report among m uniform
ones, so

    delta <= 1/(gamma n) E[(sum_{i <= m} W_i)_+],    m ~ Bin(n, gamma),
    W = 2^L (P[R(x) = Y] - lambda P[R(x') = Y]),     Y uniform,

the largest over the distance of x and x'. The k reports of a record are changed one after the other, as k n records
with one report each: delta(lambda) <= (1 + mu + ... + mu^{k-1}) delta_1(mu), mu = lambda^{1/k}. And no dataset leaks
more than the k reports of the changed record on their own.

Source: K16, (6.10); Balle, Bell, Gascon, Nissim 2019 (1903.02837), Lemma 5.3; MATH, facts 3 and 11.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from math import comb
from typing import Any

from dpcalc.counts.excess import Atom, mean_excess
from dpcalc.counts.occupancy import outcome_count
from dpcalc.errors import TooLarge, Undecided
from dpcalc.mechanisms.response import KRandomization
from dpcalc.numbers.elementary import exp, root
from dpcalc.numbers.enclosure import Enclosure
from dpcalc.numbers.rational import Number, between
from dpcalc.privacy.identical import likelihoods, powers
from dpcalc.privacy.limit import RatioLimit

__all__ = ["VectorDelta", "VectorExceedance", "blanket_bound", "identical_exceedance", "vector_delta"]

_RTOL = Fraction(1, 10**4)
_CROWD = 10  # uniform reports expected, below which they hide too little to be looked at
_LOOSE = Fraction(1, 100)  # relative width of what is only a bound
_EXACT_BITS = 1 << 30  # size of all histograms' weights and ratios up to which delta is summed exactly
_EXACT_COUNT = 200_000  # histograms


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
        ends = {name: {"lower": str(value.lower), "upper": str(value.upper)} for name, value in named.items()}
        return {**ends, "bound": str(self.bound)}

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
        rtol: relative width where delta is not exact.
        exact: whether the histograms may be listed.

    Raises:
        DomainError: none or both of lam and epsilon; an argument out of range.
        TooLarge: k > 1 and too many histograms to list.
        Undecided: rtol is beyond reach.

    >>> found = vector_delta(KRandomization(n=3, q="1/5", bits=2), lam="3/2")
    >>> print(found.identical, found.bound < 1)
    15479/31250 True
    """
    limit, width = RatioLimit.of(lam=lam, epsilon=epsilon), between(rtol, "rtol", 0, 1, "a relative width")
    ends = _limit_ends(limit)
    pairs = [_identical(mechanism, end, width, exact) for end in ends]
    # delta falls as lambda grows
    forward, backward = (Enclosure(last.lower, first.upper) for first, last in zip(pairs[0], pairs[-1], strict=True))
    return VectorDelta(forward=forward, backward=backward, bound=_bound(mechanism, ends[0]))


def identical_exceedance(
    mechanism: KRandomization, *, lam: Number | None = None, epsilon: Number | None = None
) -> VectorExceedance:
    """The probability that the ratio of an outcome, or its reciprocal, exceeds lambda, for identical records.

    Exact; for epsilon an enclosure in case a ratio lies within 1e-40 of e^epsilon.

    Raises:
        DomainError: none or both of lam and epsilon.
        TooLarge: too many histograms to list.

    Source: the events behind K16's "99.98 %", for several bits (6.1.2).

    >>> outside = identical_exceedance(KRandomization(n=2, q="1/4", bits=2), lam=2)
    >>> print(outside.ratio, outside.reciprocal)
    31/256 81/256
    """
    _check_histograms(mechanism)
    ends = _limit_ends(RatioLimit.of(lam=lam, epsilon=epsilon))
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


def blanket_bound(mechanism: KRandomization, *, lam: Number | None = None, epsilon: Number | None = None) -> Fraction:
    """A delta that no pair of neighbouring datasets exceeds, for any L and k.

    Raises:
        DomainError: none or both of lam and epsilon; an argument out of range.

    Source: Balle, Bell, Gascon, Nissim 2019, Lemma 5.3, with the uniform blanket; group privacy for k > 1.

    >>> 0 < blanket_bound(KRandomization(n=1_000, q="1/4", bits=2), lam=2) < Fraction(1, 10**9)
    True
    """
    return _bound(mechanism, _limit_ends(RatioLimit.of(lam=lam, epsilon=epsilon))[0])


def _limit_ends(limit: RatioLimit) -> list[Fraction]:
    """Lambda, or rationals just below and above it."""
    if limit.lam is not None:
        return [limit.lam]
    found = exp(limit.epsilon or Fraction(0))
    return [max(found.lower, Fraction(1)), found.upper]


# --- identical records --------------------------------------------------------------------------------------------


def _identical(mechanism: KRandomization, lam: Fraction, rtol: Fraction, exact: bool) -> tuple[Enclosure, Enclosure]:
    """Both directions, at a rational lambda."""
    if lam >= mechanism.local_ratio:
        return Enclosure.of(0), Enclosure.of(0)
    if mechanism.k > 1:
        _check_histograms(mechanism)
    if exact and _histograms_fit(mechanism):
        return _summed(mechanism, lam)
    reports = _reports(mechanism)
    forward = mean_excess([(w - lam, chance) for w, chance in reports], mechanism.n, rtol=rtol)
    backward = mean_excess([(1 - lam * w, chance) for w, chance in reports], mechanism.n, rtol=rtol)
    return forward / mechanism.n, backward / mechanism.n


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
            unit="histograms", instead="vector_delta with k = 1, or blanket_bound,",
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


# --- every dataset ------------------------------------------------------------------------------------------------


def _bound(mechanism: KRandomization, lam: Fraction) -> Fraction:
    alone = _alone(mechanism, lam)
    if alone == 0 or mechanism.reports * (2 * mechanism.q) ** mechanism.bits < _CROWD:
        return alone
    step = root(lam, mechanism.k).lower
    growth = sum((step**i for i in range(mechanism.k)), Fraction(0))
    try:
        largest = max(_blanket(mechanism, step, distance) for distance in range(1, mechanism.bits + 1))
    except Undecided:  # any bound is valid, and this one at hand
        return alone
    return min(alone, growth * largest)


def _alone(mechanism: KRandomization, lam: Fraction) -> Fraction:
    """delta of the k reports of the changed record, without any other."""
    flips, p, q = mechanism.k * mechanism.bits, mechanism.p, mechanism.q
    gains = ((comb(flips, i), p ** (flips - i) * q**i - lam * p**i * q ** (flips - i)) for i in range(flips + 1))
    return sum((ways * gain for ways, gain in gains if gain > 0), Fraction(0))


def _blanket(mechanism: KRandomization, lam: Fraction, distance: int) -> Fraction:
    """The bound for k n records with one report each, x and x' at this distance."""
    p, q, bits, n = mechanism.p, mechanism.q, mechanism.bits, mechanism.reports
    chance, same = q**bits, bits - distance
    atoms: list[Atom] = [(Fraction(0), 1 - (2 * q) ** bits)]
    for wrong, ones in product(range(same + 1), range(distance + 1)):
        shared = p ** (same - wrong) * q**wrong / chance
        gain = shared * (p ** (distance - ones) * q**ones - lam * p**ones * q ** (distance - ones))
        atoms.append((gain, comb(same, wrong) * comb(distance, ones) * chance))
    # W / gamma = (P[R(x) = y] - lambda P[R(x') = y]) / q^L
    return mean_excess(atoms, n, rtol=_LOOSE).upper / n
