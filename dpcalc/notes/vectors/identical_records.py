r"""What identical records of several bits leak: delta, and how likely an outcome breaks the limit.

D holds n copies of one vector, and in D' one record is changed to its opposite. The pool shows no more than how many
reports agree with the vector in 0, ..., L bits. Let R be the likelihood ratio of that histogram, D' over D, whose mean
under D is 1; in the two directions

    delta = E_D[(R - lambda)_+]   (D' beyond lambda times D),      delta = E_D[(1 - lambda R)_+]   (D beyond lambda D').

A change of fewer bits leaks less: it is this one for records of those bits only, beside others that hold no secret and
can be randomized afterwards.

Exact where all histograms can be listed. Otherwise, for one bit, it is the pooled count of ``pairs.pair``; for k = 1,
where R is the mean of n independent likelihood ratios, a mean excess (``pairs.crowd``); for k > 1 it lies between the
two bounds of ``repeated_reports``. Where that is too wide the histograms that matter are summed over in doubles
(``histograms_in_doubles``). If nothing is narrow enough the narrowest enclosure is returned, which is proven all
the same. An upper bound for every dataset, from ``blanket``, stands beside it.

Source: K16, (6.10).
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import comb
from typing import TYPE_CHECKING, Any

from dpcalc.errors import TooLarge, must_fit
from dpcalc.mechanisms.response import KRandomization, expect
from dpcalc.notes.vectors.blanket import blanket_bound
from dpcalc.notes.vectors.histograms import Excesses, Neighbours
from dpcalc.notes.vectors.repeated_reports import by_single_changes, by_threshold, count_delta
from dpcalc.numbers.arrays import arrays
from dpcalc.numbers.enclosure import Enclosure
from dpcalc.numbers.limit import Limit
from dpcalc.numbers.lists import flag
from dpcalc.numbers.promise import Promise, Words
from dpcalc.numbers.rational import Number, between
from dpcalc.numbers.search import logarithm
from dpcalc.pairs.crowd import Crowd
from dpcalc.privacy.ratio import Outside, exceedance
from dpcalc.report import Tabled

if TYPE_CHECKING:
    from dpcalc.notes.vectors.histograms_in_doubles import Windowed

_RTOL = Fraction(1, 10**4)
_MAX_BITS = 100
_SPARE = 5  # nats by which the histograms left out stay below the width asked for
_FEW = 1 << 16  # histograms that are gone through at once
_EXCEEDANCE_NATS = 80.0

_ALIKE: Words = {"attained_by": "identical records", "proven_for": "identical records"}
_EXCEEDANCES = ("ratio", "ratio_neighbour", "reciprocal", "reciprocal_neighbour")


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class VectorDelta(Tabled):
    """delta of identical records of L bits, and what bounds every dataset.

    Attributes:
        forward: P(. | D') beyond lambda P(. | D), D identical records and D' with one changed.
        backward: P(. | D) beyond lambda P(. | D').
        bound: no pair of neighbouring datasets has a larger delta.
    """

    forward: Promise
    backward: Promise
    bound: Fraction

    @property
    def identical(self) -> Promise:
        """The larger direction: delta of identical records."""
        forward, backward = self.forward, self.backward
        upper = max(forward.upper, backward.upper)
        return Promise(max(forward.lower, backward.lower), upper, **_ALIKE, rtol=forward.rtol)

    @property
    def every_dataset(self) -> Promise:
        """The largest delta of any dataset, between the identical records and the bound."""
        return Promise(self.identical.lower, max(self.bound, self.identical.upper), attained_by=_ALIKE["attained_by"])

    def to_dict(self) -> dict[str, Any]:
        """For JSON: the ends are strings."""
        named = {"forward": self.forward, "backward": self.backward, "identical": self.identical}
        ends = {name: value.to_dict() for name, value in named.items()}
        note = {} if self.identical.note is None else {"note": self.identical.note}
        return {**ends, "bound": Enclosure.of(self.bound).to_dict(), **note}

    def table(self) -> str:
        """The two directions and the bound, a line each."""
        return "\n".join(
            [
                f"identical records, one changed:        delta = {self.forward}",
                f"identical records, the other direction: delta = {self.backward}",
                f"every dataset:                          delta <= {Enclosure.of(self.bound):.6g}",
                *([] if self.identical.note is None else [self.identical.note]),
            ]
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class VectorExceedance(Outside):
    """How likely an outcome of identical records breaks the limit lambda; D and D' as in ``VectorDelta``."""


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
        lam: the ratio limit lambda = e^epsilon >= 1; give it or
        epsilon: >= 0.
        rtol: relative width where delta is not exact. Where it is beyond reach (more records than 130,000 points of
            integration can tell apart, or k > 1 and more than 60 million histograms that matter) the enclosures are
            wider; at the worst they reach from 0 to ``bound``.
        exact: whether the histograms may be listed.

    Raises:
        DomainError: none or both of lam and epsilon; an argument out of range.
        TooLarge: L > 100.

    >>> found = vector_delta(KRandomization(n=3, q="1/5", bits=2), lam="3/2")
    >>> print(found.identical, found.bound < 1)
    15479/31250 True
    """
    expect(mechanism)
    _check_bits(mechanism)
    limit, width = Limit.of(lam=lam, epsilon=epsilon), between(rtol, "rtol", 0, 1, "a relative width")
    listing = flag(exact, "exact")
    bound = blanket_bound(mechanism, lam=lam, epsilon=epsilon)
    forward, backward = _identical(mechanism, limit, width, listing, bound)
    return VectorDelta(
        forward=Promise.that(forward, **_ALIKE, rtol=width),
        backward=Promise.that(backward, **_ALIKE, rtol=width),
        bound=bound,
    )


def identical_exceedance(
    mechanism: KRandomization, *, lam: Number | None = None, epsilon: Number | None = None
) -> VectorExceedance:
    """The probability that the ratio of an outcome, or its reciprocal, exceeds lambda, for identical records.

    Exact where all histograms can be listed (for epsilon an enclosure in case a ratio lies within 1e-40 of e^epsilon);
    else for one bit that of ``exceedance``, for more bits the sum over the histograms that matter, in doubles: to about
    1e-34 of 1, and a relative 1e-9.

    Raises:
        DomainError: none or both of lam and epsilon.
        TooLarge: more than 60 million histograms that matter; L > 100; for one bit as ``exceedance``.

    Source: the events behind K16's "99.98 %", for several bits (6.1.2).

    >>> outside = identical_exceedance(KRandomization(n=2, q="1/4", bits=2), lam=2)
    >>> print(outside.ratio, outside.reciprocal)
    31/256 81/256
    """
    expect(mechanism)
    _check_bits(mechanism)
    given, laws = Limit.of(lam=lam, epsilon=epsilon), _histograms(mechanism)
    limit = given.ends
    if given.allows_power(mechanism.odds, mechanism.k * mechanism.bits):  # the largest ratio, and its reciprocal
        found = (Enclosure.of(0),) * 4
    elif laws.size <= laws.limit:
        found = laws.exceedances(limit)
    elif mechanism.bits == 1:
        one = exceedance(mechanism, lam=lam, epsilon=epsilon)
        found = one.ratio, one.ratio_neighbour, one.reciprocal, one.reciprocal_neighbour
    elif near := _windowed(laws, given, _EXCEEDANCE_NATS):
        found = near.exceedances(limit)
    else:
        raise TooLarge(
            f"the list of all histograms of {laws.total:,} reports by {len(laws.chances)} numbers of set bits",
            size=laws.size, limit=laws.limit, unit="histograms", instead="vector_delta",
        )  # fmt: skip
    chances = (
        Enclosure(one.lower, min(one.upper, Fraction(1))) for one in found
    )  # left out and rounded up may exceed 1
    return VectorExceedance(**dict(zip(_EXCEEDANCES, chances, strict=True)))


# --- identical records --------------------------------------------------------------------------------------------


def _identical(mechanism: KRandomization, limit: Limit, rtol: Fraction, exact: bool, bound: Fraction) -> Excesses:
    """Both directions: exact, or narrowed until they are as wide as asked."""
    if limit.allows_power(mechanism.odds, mechanism.k * mechanism.bits):
        return Enclosure.of(0), Enclosure.of(0)
    laws = _histograms(mechanism)
    if exact and laws.size <= laws.limit:
        return laws.excesses(limit.ends)
    found = (Enclosure(Fraction(0), bound),) * 2
    ways = [_counted if mechanism.bits == 1 else _averaged if mechanism.k == 1 else _bracketed, _in_doubles]
    for way in reversed(ways) if laws.size < _FEW and mechanism.bits > 1 else ways:
        found = _both(found, way(mechanism, limit, rtol, found))
        if all(one.upper - one.lower <= rtol * one.lower for one in found):
            break
    return found


def _both(one: Excesses, other: Excesses) -> Excesses:
    """What two enclosures of the same say together."""
    forward, backward = (
        Enclosure(max(a.lower, b.lower), min(a.upper, b.upper)) for a, b in zip(one, other, strict=True)
    )
    return forward, backward


def _counted(mechanism: KRandomization, limit: Limit, rtol: Fraction, _: Excesses) -> Excesses:
    """Single bits, all ones but one: the pooled count; the other direction is the mirror image."""
    q, k, n = mechanism.q, mechanism.k, mechanism.n
    return (
        count_delta(q, k, limit, ones=n - 1, zeros=0, rtol=rtol),
        count_delta(q, k, limit, ones=0, zeros=n - 1, rtol=rtol),
    )


def _averaged(mechanism: KRandomization, limit: Limit, rtol: Fraction, _: Excesses) -> Excesses:
    """k = 1: one report in a crowd of the same law."""
    laws = _histograms(mechanism)
    same, changed = laws.chances, laws.others
    return (
        Crowd.of(changed, same, same, mechanism.n).integrated(limit, rtol=rtol),
        Crowd.of(same, changed, same, mechanism.n).integrated(limit, rtol=rtol),
    )


def _bracketed(mechanism: KRandomization, limit: Limit, _: Fraction, __: Excesses) -> Excesses:
    """k > 1: bounds from single changes and from a threshold."""
    ratios, k, reports, lam = _ratios(mechanism), mechanism.k, mechanism.reports, limit.ends
    above = by_single_changes(ratios, k, reports, lam.lower)
    below = by_threshold(ratios, k, reports, lam)
    forward, backward = (Enclosure(low, high) for low, high in zip(below, above, strict=True))
    return forward, backward


def _in_doubles(mechanism: KRandomization, limit: Limit, rtol: Fraction, known: Excesses) -> Excesses:
    """A sum over the histograms that matter; what is known already if they are too many."""
    likely = min(max(one.lower, one.upper / 10**6) for one in known)
    nats = _SPARE - logarithm(likely) - logarithm(rtol)
    near = _windowed(_histograms(mechanism), limit, nats)
    return near.excesses(limit.ends) if near else known


def _windowed(laws: Neighbours, limit: Limit, nats: float) -> Windowed | None:
    """The histograms that matter; None where they are too many, or doubles do not serve."""
    if not arrays():
        return None
    from dpcalc.notes.vectors.histograms_in_doubles import MAX_EPSILON, MAX_NATS, Windowed

    if nats > MAX_NATS or limit.steer() > MAX_EPSILON or not (near := Windowed(laws, nats)).fits:
        return None
    return near


def _histograms(mechanism: KRandomization) -> Neighbours:
    """The number of set bits of a report of 1...1, and of 0...0, by classes."""
    chances = [chance for _, chance in _ratios(mechanism)]
    return Neighbours(mechanism.reports, mechanism.k, chances, chances[::-1])


def _ratios(mechanism: KRandomization) -> list[tuple[Fraction, Fraction]]:
    """The likelihood ratios of one report, and their probabilities under D."""
    q, p, bits = mechanism.q, mechanism.p, mechanism.bits
    return [(mechanism.odds ** (bits - 2 * i), comb(bits, i) * p**i * q ** (bits - i)) for i in range(bits + 1)]


def _check_bits(mechanism: KRandomization) -> None:
    """Refuse likelihood ratios that take too many values, or too long ones, before any is written out."""
    must_fit("the likelihood ratio of a report", mechanism.bits, _MAX_BITS, "bits", instead="fewer bits")
