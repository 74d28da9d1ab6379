r"""Records of L bits, and the query A = Phi o R: how often each of the 2^L vectors is reported.

R flips every bit of a record x with probability q, independently, so that with the Hamming distance d(x, y)

    P[R(x) = y] = p^{L - d(x, y)} q^{d(x, y)},

and Phi counts, over the k reports of each of the n records, how often each vector occurs. The cells are ordered like
binary numbers: cell j counts the vector that writes j in L bits, from 0...0 to 1...1. The outcome of A is the tuple of
the 2^L counts, which sum to k n; with q = u/D it has probability

    P[A(x) = s] = [z^s] prod_i (sum_y (D - u)^{L - d(x_i, y)} u^{d(x_i, y)} z_y)^k / D^{L k n}.

Source: KTEX, section 2 (eq:Adist), computed by generating functions and not by summing over flips; K16, section 2.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from itertools import product
from typing import Any, TypeAlias

from dpcalc.errors import DomainError
from dpcalc.laws.pool import Pool
from dpcalc.mechanisms.response import RandomizedResponse
from dpcalc.notes.collections.occupancy import Outcome, added, check_outcomes, decoded, vector_count
from dpcalc.numbers.lists import as_list
from dpcalc.numbers.rational import Number, integer

#: One bit vector.
Record: TypeAlias = tuple[int, ...]

_INSTEAD = "dpcalc.ratio for one outcome, or dpcalc.vector_delta, both of identical records"
_RECORDS = "a list of bit vectors such as ['110', '011']"


def record(value: Any, name: str = "record") -> Record:
    """A bit vector, written as ``"110"`` or as a sequence of 0 and 1.

    Raises:
        DomainError: no bits, or something else than bits.

    >>> record("110")
    (1, 1, 0)
    >>> record("120")
    Traceback (most recent call last):
    ...
    dpcalc.errors.DomainError: record = '120' is not allowed: give a bit vector such as '110' or (1, 1, 0)
    """
    try:
        bits = tuple(integer(bit, name, minimum=0, maximum=1) for bit in value)
    except (DomainError, TypeError):
        bits = ()
    if not bits:
        raise DomainError(name, value, "a bit vector such as '110' or (1, 1, 0)")
    return bits


def collection(records: Iterable[Any], name: str = "records") -> tuple[Record, ...]:
    """One or more bit vectors of equal length.

    Raises:
        DomainError: no records, or records of different lengths.

    >>> collection(["11", (0, 1)])
    ((1, 1), (0, 1))
    """
    given = as_list(records, name, _RECORDS)
    vectors = tuple(record(value, name) for value in given)
    if not vectors:
        raise DomainError(name, records, "one or more records")
    for value, vector in zip(given, vectors, strict=True):
        if len(vector) != len(vectors[0]):
            raise DomainError(name, value, f"records of {len(vectors[0])} bits, as the first one")
    return vectors


def replaced(records: Iterable[Any], place: Number, value: Any) -> tuple[Record, ...]:
    """The collection with the record at ``place`` (counted from 1, as x_1, ..., x_n) replaced by ``value``.

    Raises:
        DomainError: a place outside 1..n, or a record of another length.

    >>> replaced(["110", "111"], 1, "000")
    ((0, 0, 0), (1, 1, 1))
    """
    vectors = list(collection(records))
    vector, bits = record(value), len(vectors[0])
    if len(vector) != bits:
        raise DomainError("value", value, f"a record of {bits} bits, as the others")
    vectors[integer(place, "place", minimum=1, maximum=len(vectors)) - 1] = vector
    return tuple(vectors)


def hamming(x: Any, y: Any) -> int:
    """The number of bits in which two vectors differ, KTEX's delta(x, x').

    Raises:
        DomainError: vectors of different lengths.

    >>> hamming("110", "011")
    2
    """
    return _distance(*collection([x, y], "x, y"))


def _distance(x: Record, y: Record) -> int:
    return sum(a != b for a, b in zip(x, y, strict=True))


def report_probability(x: Any, y: Any, *, q: Number) -> Fraction:
    """P[R(x) = y], exactly.

    >>> report_probability("11", "10", q="1/4")
    Fraction(3, 16)
    """
    response, length, distance = RandomizedResponse(q), len(record(x)), hamming(x, y)
    chance: Fraction = response.p ** (length - distance) * response.q**distance
    return chance


def cells(bits: int) -> list[Record]:
    """The 2^bits vectors, in the order in which an outcome counts them.

    >>> cells(2)
    [(0, 0), (0, 1), (1, 0), (1, 1)]
    """
    return list(product((0, 1), repeat=bits))


def masses(x: Record, q: Fraction) -> list[int]:
    """P[R(x) = y] for every cell y, times D^L with q = u/D.

    >>> masses((1, 0), Fraction(1, 4))
    [3, 1, 9, 3]
    """
    u, v = q.numerator, q.denominator - q.numerator
    return [v ** (len(x) - d) * u**d for d in (_distance(x, y) for y in cells(len(x)))]


def query_weights(records: Sequence[Record], q: Fraction, k: int) -> tuple[dict[Outcome, int], int]:
    """The pmf of A as integer weights over one denominator.

    Raises:
        TooLarge: the outcome space would not fit.
    """
    bits, reports = len(records[0]), len(records) * k
    if bits == 1:
        ones = k * sum(map(sum, records))
        pool = Pool.of((1 - q, ones), (q, reports - ones)).pmf()
        return {(reports - s, s): pool.weights[s] for s in range(reports, -1, -1)}, pool.denominator
    vectors = vector_count(bits, instead=_INSTEAD)
    check_outcomes(reports, vectors, instead=_INSTEAD)
    weights = {0: 1}
    for x in records:
        own = masses(x, q)
        for _ in range(k):
            weights = added(weights, own, most=reports)
    pmf = {decoded(outcome, vectors, most=reports): weight for outcome, weight in weights.items()}
    return dict(sorted(pmf.items())), q.denominator ** (bits * reports)


def query_pmf(records: Iterable[Any], *, q: Number, k: Number = 1) -> dict[Outcome, Fraction]:
    """P[A(x) = s] for every outcome s, exactly, in lexicographic order.

    Args:
        records: the collection x, n bit vectors of equal length.
        q: the flip probability, 0 < q < 1/2.
        k: reports per record.

    Raises:
        DomainError: an argument out of range.
        TooLarge: the outcome space would not fit; the message names the number of outcomes.

    Source: KTEX, (eq:Adist).

    >>> query_pmf(["1", "0"], q="1/4")
    {(0, 2): Fraction(3, 16), (1, 1): Fraction(5, 8), (2, 0): Fraction(3, 16)}
    """
    vectors = collection(records)
    weights, denominator = query_weights(vectors, RandomizedResponse(q).q, integer(k, "k", minimum=1))
    return {outcome: Fraction(weight, denominator) for outcome, weight in weights.items()}


def bit_counts(outcome: Sequence[int]) -> Outcome:
    """The histogram (s_0, ..., s_L) of an outcome: how many reports have l bits set.

    Raises:
        DomainError: not 2^L counts.

    Source: K16, (6.10).

    >>> bit_counts((1, 2, 0, 4))
    (1, 2, 4)
    """
    bits = len(outcome).bit_length() - 1
    if len(outcome) < 2 or len(outcome) != 1 << bits:
        raise DomainError("outcome", outcome, "2^L counts")
    histogram = [0] * (bits + 1)
    for cell, count in enumerate(outcome):
        histogram[cell.bit_count()] += integer(count, "outcome", minimum=0)
    return tuple(histogram)
