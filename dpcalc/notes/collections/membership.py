r"""K16's other measures of what a randomized collection tells about one record.

For a collection T of bit vectors, each reported once through R, T_v without one copy of its record v, and a vector s,

    P[s in R(T)] = 1 - prod_{v in T} (1 - P[R(v) = s]),     A_p = min_{v in T, s} P[s in R(T_v)] / P[R(v) = s].

A_p, the anonymity, compares how likely s is reported by the others and by v itself. As
P[s in R(T)] = P[s in R(T_v)] + (1 - P[s in R(T_v)]) P[R(v) = s], v's presence makes s likelier by a factor of at most
1 + 1/A_p.

The least quotient is that of s = v, so that the 2^L vectors s need not be gone through, and A_p grows with q. For let
u be the others, d their distances from v, x_u = p^{L-d} q^d = P[R(u) = v], and m the distance of s from v. Then
d(u, s) <= d + m, so that P[R(u) = s] >= t x_u with t = (q/p)^m, while P[R(v) = s] = t p^L: the quotient at s is at
least h(t) = (1 - prod_u (1 - t x_u))/(t p^L). The product is convex in t (its second derivative is a sum of products of
numbers >= 0), so 1 - prod is concave and 0 at t = 0, and h falls with t: h(t) >= h(1), the quotient at s = v. In q the
quotient at v is (1 - prod_u (1 - y r_u))/y with y = p^L, which falls with q, and r_u = (q/p)^d, which do not fall; it
grows with each r_u, and by the same concavity as y falls.

The record-level form of section 3, RAPPOR's, asks for P[R(x) = s] <= e^eps P[R(x') = s]: it needs no other record, and
d differing bits reported k times take eps = k d ln(p/q). RAPPOR sets h of the bits of a Bloom filter, so that two
records differ in at most 2h bits. (K16 prints the condition without the exponential.)

Source: K16, sections 2 and 3.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import prod
from operator import ne
from typing import Any, TypeAlias

from dpcalc.displayed import Displayed
from dpcalc.errors import DomainError, must_fit
from dpcalc.mechanisms.response import RandomizedResponse
from dpcalc.notes.collections.records import Record, cells, collection, masses, record, report_probability
from dpcalc.numbers.elementary import log
from dpcalc.numbers.lists import as_list
from dpcalc.numbers.promise import REPORT, Promise
from dpcalc.numbers.rational import Number, integer

#: How many of the other records are at each distance.
Crowd: TypeAlias = dict[int, int]

_MAX_STEPS = 1_000_000  # vectors times records
_FAINT = 1e-12
_MAX_FACTORS = 10_000_000  # different records times all records times bits


def presence(vector: Any, records: Iterable[Any], *, q: Number) -> Fraction:
    """P[s in R(T)], the probability that some record of the collection is reported as ``vector``, exactly.

    Raises:
        DomainError: vectors of different lengths, or q out of range. An empty collection reports nothing: 0.

    Source: K16, section 2.

    >>> presence("11", ["11", "00"], q="1/4")
    Fraction(151, 256)
    """
    flip, others = RandomizedResponse(q).q, as_list(records, "records", "a list of bit vectors")
    seen, bits = record(vector, "vector"), len(collection(others)[0]) if others else 0
    if others and len(seen) != bits:
        raise DomainError("vector", vector, f"a vector of {bits} bits, as the records")
    misses = (1 - report_probability(other, seen, q=flip) for other in others)
    return 1 - prod(misses, start=Fraction(1))


@dataclass(frozen=True, slots=True, kw_only=True)
class Anonymity(Displayed):
    """A_p, and where it is attained.

    Attributes:
        value: A_p.
        record: v.
        vector: s.
    """

    value: Fraction
    record: Record
    vector: Record


def anonymity(records: Iterable[Any], *, q: Number) -> Anonymity:
    """A_p, exactly, with the record v and the vector s that attain it.

    Raises:
        DomainError: no records, records of different lengths, or q out of range.
        TooLarge: different records times all records times bits exceed ten million.

    Source: K16, section 3.

    >>> anonymity(["11", "00"], q="1/4").value
    Fraction(1, 9)
    """
    return least_hidden(collection(records), RandomizedResponse(q).q)


def crowds(vectors: Sequence[Record]) -> dict[Record, Crowd]:
    """Around every different record, how many others are at each distance.

    Raises:
        TooLarge: different records times all records times bits exceed ten million.

    >>> crowds([(1, 1), (0, 1), (1, 1)])
    {(1, 1): {0: 1, 1: 1}, (0, 1): {1: 2}}
    """
    counts, bits = Counter(vectors), len(vectors[0])
    must_fit(
        "the products over all records", len(counts) * len(vectors) * bits, _MAX_FACTORS, "bits of factors",
        instead="presence",
    )  # fmt: skip
    found = {}
    for v in counts:
        others: Counter[int] = Counter()
        for u, count in counts.items():
            others[sum(map(ne, v, u))] += count - (u == v)
        found[v] = {d: count for d, count in sorted(others.items()) if count}
    return found


def hidden(crowd: Crowd, bits: int, q: float) -> float:
    """log of P[v in R(T_v)] / P[R(v) = v] for a record with this crowd, in floating point."""
    own, odds = bits * math.log1p(-q), math.log(q) - math.log1p(-q)
    chances = [(math.exp(own + d * odds), count) for d, count in crowd.items()]
    missed = sum(count * math.log1p(-chance) if chance < 1 else -math.inf for chance, count in chances)
    if missed < -_FAINT or not crowd:
        return math.log(-math.expm1(missed)) - own if crowd else -math.inf
    likeliest = min(crowd) * odds  # of chances that may be too small for a double, the sum
    return likeliest + math.log(sum(count * math.exp(d * odds - likeliest) for d, count in crowd.items()))


def least_hidden(vectors: Sequence[Record], q: Fraction) -> Anonymity:
    """The least P[v in R(T_v)] / P[R(v) = v], which is A_p."""
    n, bits, flip, keep = len(vectors), len(vectors[0]), q.numerator, q.denominator - q.numerator
    total, own = q.denominator**bits, keep**bits
    missed = {
        v: prod((total - keep ** (bits - d) * flip**d) ** count for d, count in crowd.items())
        for v, crowd in crowds(vectors).items()
    }
    least = max(sorted(missed), key=lambda v: missed[v])
    value = (1 - Fraction(missed[least], total ** (n - 1))) * Fraction(total, own)
    return Anonymity(value=value, record=least, vector=least)


def presence_ratio(records: Iterable[Any], *, q: Number) -> Fraction:
    """The largest P[s in R(T)] / P[s in R(T_v)] over the records v and the vectors s: at most 1 + 1/A_p.

    Its logarithm is section 3's epsilon of R for single vectors s.

    Raises:
        DomainError: fewer than two records, records of different lengths, or q out of range.
        TooLarge: 2^L vectors times n records exceed a million.

    Source: K16, section 3.

    >>> presence_ratio(["11", "00"], q="1/4")
    Fraction(151, 16)
    """
    vectors = collection(records)
    if len(vectors) < 2:
        raise DomainError("records", records, "two or more records: nothing is reported without the only one")
    return max(1 + own * (1 - others) / others for _, _, own, others in _compared(vectors, q))


def _compared(records: Iterable[Any], q: Number) -> Iterator[tuple[Record, Record, Fraction, Fraction]]:
    """(v, s, P[R(v) = s], P[s in R(T_v)]) for every distinct record v and every vector s."""
    vectors, flip = collection(records), RandomizedResponse(q).q
    bits, n = len(vectors[0]), len(vectors)
    must_fit("the list of all vectors and records", n << bits, _MAX_STEPS, "pairs", instead="presence")
    kinds = sorted(set(vectors))
    total = flip.denominator**bits
    columns = {v: masses(v, flip) for v in kinds}
    counts = {v: vectors.count(v) for v in kinds}
    for cell, s in enumerate(cells(bits)):
        missed = prod((total - columns[v][cell]) ** counts[v] for v in kinds)
        for v in kinds:
            own = columns[v][cell]
            yield v, s, Fraction(own, total), 1 - Fraction(missed // (total - own), total ** (n - 1))


def record_epsilon(x: Any, changed: Any, *, q: Number, k: Number = 1) -> Promise:
    """k d ln(p/q): the least epsilon with P[R(x) = s] <= e^epsilon P[R(x') = s] for the k reports s of one record.

    Raises:
        DomainError: vectors of different lengths, or an argument out of range.

    Source: K16, section 3, "the formulation used in the RAPPOR paper".

    >>> print(record_epsilon("110", "000", q="1/4"))
    2.1972245773362193...
    """
    first, second = collection([record(x), record(changed)], "x, x'")
    return _epsilon(q, k, sum(a != b for a, b in zip(first, second, strict=True)))


def rappor_epsilon(*, q: Number, hashes: Number, k: Number = 1) -> Promise:
    """2 h k ln(p/q): the record-level epsilon of a Bloom filter with h hash functions, in the worst case.

    ``classical_q`` with bits = 2 h inverts it.

    Raises:
        DomainError: an argument out of range.

    Source: K16, section 3; Erlingsson, Pihur, Korolova 2014 (1407.6981), Theorem 1, with q = f/2.

    >>> print(rappor_epsilon(q="1/4", hashes=2))
    4.3944491546724387...
    """
    return _epsilon(q, k, 2 * integer(hashes, "hashes", minimum=1))


def _epsilon(q: Number, k: Number, distance: int) -> Promise:
    return Promise.that(log(RandomizedResponse(q).odds) * (integer(k, "k", minimum=1) * distance), **REPORT)
