r"""K16's other measures of what a randomized collection tells about one record.

For a collection T of bit vectors, each reported once through R, T_v without one copy of its record v, and a vector s,

    P[s in R(T)] = 1 - prod_{v in T} (1 - P[R(v) = s]),     A_p = min_{v in T, s} P[s in R(T_v)] / P[R(v) = s].

A_p, the anonymity, compares how likely s is reported by the others and by v itself. As
P[s in R(T)] = P[s in R(T_v)] + (1 - P[s in R(T_v)]) P[R(v) = s], v's presence makes s likelier by a factor of at most
1 + 1/A_p.

The record-level form of section 3, RAPPOR's, asks for P[R(x) = s] <= e^eps P[R(x') = s]: it needs no other record, and
d differing bits reported k times take eps = k d ln(p/q). RAPPOR sets h of the bits of a Bloom filter, so that two
records differ in at most 2h bits. (K16 prints the condition without the exponential.)

Source: K16, sections 2 and 3.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from math import prod
from typing import Any

from dpcalc.errors import DomainError, TooLarge
from dpcalc.mechanisms.records import Record, cells, collection, masses, record, report_probability
from dpcalc.mechanisms.response import RandomizedResponse
from dpcalc.numbers.elementary import log
from dpcalc.numbers.enclosure import Enclosure
from dpcalc.numbers.lists import as_list
from dpcalc.numbers.rational import Number, integer

__all__ = ["Anonymity", "anonymity", "presence", "presence_ratio", "rappor_epsilon", "record_epsilon"]

_MAX_STEPS = 1_000_000  # vectors times records


def presence(vector: Any, records: Iterable[Any], *, q: Number) -> Fraction:
    """P[s in R(T)], the probability that some record of the collection is reported as ``vector``, exactly.

    Raises:
        DomainError: vectors of different lengths, or q out of range. An empty collection reports nothing: 0.

    Source: K16, section 2.

    >>> presence("11", ["11", "00"], q="1/4")
    Fraction(151, 256)
    """
    flip, others = RandomizedResponse(q).q, as_list(records, "records", "a list of bit vectors")
    misses = (1 - report_probability(other, vector, q=flip) for other in others)
    return 1 - prod(misses, start=Fraction(1))


@dataclass(frozen=True, slots=True, kw_only=True)
class Anonymity:
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
        TooLarge: 2^L vectors times n records exceed a million.

    Source: K16, section 3.

    >>> anonymity(["11", "00"], q="1/4").value
    Fraction(1, 9)
    """
    ratios = ((others / own, v, s) for v, s, own, others in _compared(records, q))
    value, v, s = min(ratios)
    return Anonymity(value=value, record=v, vector=s)


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
    if n << bits > _MAX_STEPS:
        raise TooLarge(
            "the list of all vectors and records", size=n << bits, limit=_MAX_STEPS, unit="pairs", instead="presence"
        )
    kinds = sorted(set(vectors))
    total = flip.denominator**bits
    columns = {v: masses(v, flip) for v in kinds}
    counts = {v: vectors.count(v) for v in kinds}
    for cell, s in enumerate(cells(bits)):
        missed = prod((total - columns[v][cell]) ** counts[v] for v in kinds)
        for v in kinds:
            own = columns[v][cell]
            yield v, s, Fraction(own, total), 1 - Fraction(missed // (total - own), total ** (n - 1))


def record_epsilon(x: Any, changed: Any, *, q: Number, k: Number = 1) -> Enclosure:
    """k d ln(p/q): the least epsilon with P[R(x) = s] <= e^epsilon P[R(x') = s] for the k reports s of one record.

    Raises:
        DomainError: vectors of different lengths, or an argument out of range.

    Source: K16, section 3, "the formulation used in the RAPPOR paper".

    >>> print(record_epsilon("110", "000", q="1/4"))
    2.1972245773362193...
    """
    first, second = collection([record(x), record(changed)], "x, x'")
    return _epsilon(q, k, sum(a != b for a, b in zip(first, second, strict=True)))


def rappor_epsilon(*, q: Number, hashes: Number, k: Number = 1) -> Enclosure:
    """2 h k ln(p/q): the record-level epsilon of a Bloom filter with h hash functions, in the worst case.

    ``classical_q`` with bits = 2 h inverts it.

    Raises:
        DomainError: an argument out of range.

    Source: K16, section 3; Erlingsson, Pihur, Korolova 2014 (1407.6981), Theorem 1, with q = f/2.

    >>> print(rappor_epsilon(q="1/4", hashes=2))
    4.3944491546724387...
    """
    return _epsilon(q, k, 2 * integer(hashes, "hashes", minimum=1))


def _epsilon(q: Number, k: Number, distance: int) -> Enclosure:
    return log(RandomizedResponse(q).odds) * (integer(k, "k", minimum=1) * distance)
