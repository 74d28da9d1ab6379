r"""KTEX, section 2: the randomizer R of bits and bit vectors, and the query A = Phi o R.

R(b; xi) = b xi + (1 - b)(1 - xi) keeps the bit where xi = 1, with probability p. The true side enumerates every xi.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import combinations_with_replacement, permutations, product
from math import prod

from dpcalc.claims.checking import exhausted
from dpcalc.claims.claim import Finding, Ledger
from dpcalc.claims.enumeration import FLIPS, Counts, Vector, counted, law, vectors
from dpcalc.mechanisms.records import cells, hamming, outcome_space, query_pmf, report_probability
from dpcalc.mechanisms.response import RandomizedResponse

__all__ = ["ledger"]

ledger = Ledger("KTEX")

_SIZES = ((1, 1), (2, 1), (3, 1), (4, 1), (1, 2), (2, 2), (1, 3))  # (n, L)
_VECTORS = "L <= 3, every x and y, q = 1/4 and 2/5"
_COLLECTIONS = "(n, L) up to (4, 1), (2, 2) and (1, 3), q = 1/4 and 2/5, every collection"


# --- bits and vectors ---------------------------------------------------------------------------------------------


@ledger.claim(
    "s2.1-concise",
    where="section 2.1, definition of R",
    says="R(b; xi) = b xi + (1 - b)(1 - xi) with xi ~ Ber(p) leaves b with probability p and flips it with q.",
)
def _formula_of_a_bit() -> Finding:
    """For xi = 1 it is b, for xi = 0 it is 1 - b: two values each of b and of xi, and P[xi = 1] = p.

    (K16 writes the same with 1 - xi ~ Ber(q).)
    """

    def holds(case: tuple[int, Fraction]) -> bool:
        b, q = case
        return _by_flips((b,), q) == {(b,): 1 - q, (1 - b,): q}

    return exhausted(
        product((0, 1), FLIPS), holds, over="b = 0 and 1, q = 1/4 and 2/5",
        shown=("b xi + (1 - b)(1 - xi)", "b if xi = 1, 1 - b if xi = 0"), proven=True,
    )  # fmt: skip


@ledger.claim(
    "s2.1-independent",
    where="section 2.1, extension of R to bit vectors",
    says="R(x; xi) with xi_1, ..., xi_L independent randomizes the bits of x independently.",
)
def _bits_are_independent() -> Finding:
    """The l-th bit of the report is a function of xi_l alone, and functions of independent elements are independent.

    The law of R(x) must be the product of the laws of its bits, and these be those of R of a bit.
    """

    def holds(case: tuple[Vector, Vector, Fraction]) -> bool:
        x, y, q = case
        found = _by_flips(x, q)
        bits = [sum(own for other, own in found.items() if other[i] == bit) for i, bit in enumerate(y)]
        return found[y] == prod(bits) and bits == [_by_flips((b,), q)[(bit,)] for b, bit in zip(x, y, strict=True)]

    return exhausted(_vector_pairs(), holds, over=_VECTORS, shown=("independent", "independent"), proven=True)


@ledger.claim(
    "s2.1-truth",
    where="section 2.1, first remark",
    says="The true value is reported with a probability p = 1 - q greater than q.",
)
def _truth_is_likelier() -> Finding:
    """As 0 < q < 1/2, p - q = 1 - 2q > 0."""
    return exhausted(
        (Fraction(i, 100) for i in range(1, 50)),
        lambda q: _by_flips((1,), q)[(1,)] == 1 - q > _by_flips((1,), q)[(0,)] == q,
        over="q = 1/100, ..., 49/100", shown=("p > q", "p > q"), proven=True,
    )  # fmt: skip


@ledger.claim(
    "s2.1-fair-coin",
    where="section 2.1, first remark",
    says="R is the procedure that reports a fair coin with probability f and the value as it is otherwise: q = f/2.",
)
def _fair_coin() -> Finding:
    """A lie needs the coin, with probability f, and its wrong side, with probability 1/2; the truth is the rest."""

    def holds(f: Fraction) -> bool:
        response = RandomizedResponse.from_f(f)
        told = {(1,): 1 - f + f * Fraction(1, 2), (0,): f * Fraction(1, 2)}
        return response.q == f / 2 and told == _by_flips((1,), f / 2)

    return exhausted(
        (Fraction(i, 20) for i in range(1, 20)), holds, over="f = 1/20, ..., 19/20", shown=("q = f/2", "q = f/2"),
        proven=True,
    )  # fmt: skip


@ledger.claim(
    "s2.1-half",
    where="section 2.1, second remark",
    says="At q = 1/2 the reports of 0 and of 1 have the same distribution: the value does not matter.",
    assuming="q = 1/2, which the definition leaves out",
)
def _nothing_told_at_one_half() -> Finding:
    """p = q = 1/2, so that b and 1 - b are reported with the same probability, whichever b is; likewise bit by bit."""
    return exhausted(
        (x for bits in (1, 2, 3) for x in vectors(bits)),
        lambda x: set(_by_flips(x, Fraction(1, 2)).values()) == {Fraction(1, 2 ** len(x))},
        over="L <= 3", shown=("R(0) = R(1) in law", "R(0) = R(1) in law"), proven=True,
    )  # fmt: skip


@ledger.claim(
    "s2.1-hamming",
    where="section 2.1, Hamming distance",
    says="The number of differing bits is the sum of |x_l - x'_l|.",
)
def _hamming_distance() -> Finding:
    """For bits |x_l - x'_l| is 1 if they differ and 0 if not."""
    return exhausted(
        (pair for bits in range(1, 5) for pair in product(vectors(bits), repeat=2)),
        lambda pair: sum(a != b for a, b in zip(*pair, strict=True))
        == sum(abs(a - b) for a, b in zip(*pair, strict=True))
        == hamming(*pair),
        over="L <= 4, every x and x'", shown=("sum of |x_l - x'_l|", "number of differing bits"), proven=True,
    )  # fmt: skip


@ledger.claim(
    "s2.1-bit",
    where="section 2.1, distribution of a single bit",
    says="P[R(b) = y] = p^{I(b = y)} q^{I(b != y)} = (1-q)^{1 - delta(b, y)} q^{delta(b, y)}.",
)
def _law_of_a_bit() -> Finding:
    """One exponent is 1 and the other 0: p for y = b, q for y = 1 - b; and delta(b, y) is 1 where they differ."""

    def holds(case: tuple[int, int, Fraction]) -> bool:
        b, y, q = case
        differ = int(b != y)
        return _by_flips((b,), q)[(y,)] == (1 - q) ** (b == y) * q ** (b != y) == (1 - q) ** (1 - differ) * q**differ

    return exhausted(
        product((0, 1), (0, 1), FLIPS), holds, over="b, y = 0 and 1, q = 1/4 and 2/5",
        shown=("(1-q)^(1 - delta) q^delta", "(1-q)^(1 - delta) q^delta"), proven=True,
    )  # fmt: skip


@ledger.claim(
    "s2.1-vector",
    where="section 2.1, distribution of a bit vector",
    says="P[R(x) = y] = (1-q)^{L - delta(x, y)} q^{delta(x, y)}.",
)
def _law_of_a_vector() -> Finding:
    """The bits are randomized independently, so probabilities multiply: delta(x, y) factors q, L - delta factors p."""

    def holds(case: tuple[Vector, Vector, Fraction]) -> bool:
        x, y, q = case
        distance = sum(a != b for a, b in zip(x, y, strict=True))
        said = (1 - q) ** (len(x) - distance) * q**distance
        return _by_flips(x, q)[y] == said == report_probability(x, y, q=q)

    return exhausted(
        _vector_pairs(), holds, over=_VECTORS, shown=("(1-q)^(L - delta) q^delta", "(1-q)^(L - delta) q^delta"),
        proven=True,
    )  # fmt: skip


@ledger.claim(
    "s2.1-likeliest",
    where="section 2.1, after the distribution of a bit vector",
    says="The probability is largest when delta(x, y) = 0.",
)
def _likeliest_distance() -> Finding:
    """One more differing bit multiplies it by q/p < 1: it falls strictly with delta."""

    def holds(case: tuple[Vector, Vector, Fraction]) -> bool:
        x, y, q = case
        found = _by_flips(x, q)
        return (found[y] == max(found.values())) == (y == x)

    return exhausted(_vector_pairs(), holds, over=_VECTORS, shown=("delta = 0", "delta = 0 only"), proven=True)


@ledger.claim(
    "s2.1-opposite",
    where="section 2.1, after the distribution of a bit vector",
    says="P[R(x) = y] is smallest when delta(x, y) = L, y then being the opposite of x.",
)
def _unlikeliest_distance() -> Finding:
    """As it falls strictly with delta, it is least at delta = L: all bits differ, as they do in y = 1 - x only."""

    def holds(case: tuple[Vector, Vector, Fraction]) -> bool:
        x, y, q = case
        found = _by_flips(x, q)
        return (found[y] == min(found.values())) == (y == tuple(1 - bit for bit in x))

    return exhausted(_vector_pairs(), holds, over=_VECTORS, shown=("delta = L", "delta = L only"), proven=True)


@ledger.claim(
    "s2.1-identical",
    where="section 2.1, end",
    says="The likeliest report of a vector is the vector itself.",
)
def _likeliest_report() -> Finding:
    """P[R(x) = x] = p^L is larger than the probability of any other vector, by s2.1-likeliest.

    It is not a likely outcome for that: at q = 1/4 and L = 3 p^L = 27/64, so that some other vector is
    likelier to be reported than not.
    """

    def holds(case: tuple[Vector, Fraction]) -> bool:
        x, q = case
        found = _by_flips(x, q)
        return [y for y in found if found[y] == max(found.values())] == [x] and found[x] == (1 - q) ** len(x)

    return exhausted(
        ((x, q) for bits in (1, 2, 3) for x in vectors(bits) for q in FLIPS), holds,
        over="L <= 3, every x, q = 1/4 and 2/5", shown=("y = x", "y = x, with p^L"), proven=True,
    )  # fmt: skip


# --- the query ----------------------------------------------------------------------------------------------------


@ledger.claim(
    "s2.2-order",
    where="section 2.2, second paragraph",
    says="Counting loses the order of the records: the results hold nothing but the counts.",
)
def _order_is_lost() -> Finding:
    """Records are randomized independently and alike, and Phi adds up over them: permuting the records of x permutes
    those of R(x), and leaves Phi(R(x)) as it is. So A(x) has one distribution for every order of the records of x.
    """

    def holds(case: tuple[tuple[Vector, ...], Fraction]) -> bool:
        x, q = case
        return all(law(y, q, len(y[0])) == law(x, q, len(x[0])) for y in permutations(x))

    return exhausted(
        _collections(), holds, over=f"{_COLLECTIONS} and order",
        shown=("one law for all orders", "one law for all orders"), proven=True,
    )  # fmt: skip


@ledger.claim(
    "s2.2-enumeration",
    where="section 2.2, third paragraph",
    says="{0, 1}^L has 2^L elements d_1, d_2, ... in any order, such as from 1...1 to 0...0.",
)
def _order_of_the_vectors() -> Finding:
    """Each of L bits has two values. Another order of the elements permutes the counts of every transcript.

    Its probability is then found under another name. (The library counts from 0...0 to 1...1, the other
    way round.)
    """

    def holds(case: tuple[tuple[Vector, ...], Fraction]) -> bool:
        x, q = case
        bits = len(x[0])
        downwards = sorted(product((0, 1), repeat=bits), reverse=True)
        found: dict[Counts, Fraction] = {}
        for y in product(downwards, repeat=len(x)):
            s = tuple(y.count(d) for d in downwards)
            own = prod((_by_flips(a, q)[b] for a, b in zip(x, y, strict=True)), start=Fraction(1))
            found[s] = found.get(s, Fraction(0)) + own
        library = query_pmf(x, q=q)
        ends = downwards[0] == (1,) * bits and downwards[-1] == (0,) * bits and downwards == cells(bits)[::-1]
        return len(downwards) == 2**bits and ends and {s[::-1]: own for s, own in found.items()} == library

    return exhausted(
        _collections(), holds, over=_COLLECTIONS, shown=("2^L, in any order", "2^L, in any order"), proven=True,
    )  # fmt: skip


@ledger.claim(
    "s2.2-space",
    where="section 2.2, definition of A",
    says="A takes its values in {0, ..., n}^{2^L}.",
)
def _values_of_the_query() -> Finding:
    """Each of the 2^L counts is at least 0 and at most the number n of records.

    Not every element is a value: they sum to n, so that there are C(n + 2^L - 1, n) values among
    (n+1)^{2^L} elements. It matters where the document takes "any s": see s3-well-defined.
    """

    def holds(case: tuple[tuple[Vector, ...], Fraction]) -> bool:
        x, q = case
        n, bits = len(x), len(x[0])
        values = set(law(x, q, bits))
        inside = all(len(s) == 2**bits and set(s) <= set(range(n + 1)) for s in values)
        return inside and values == set(outcome_space(n=n, bits=bits))

    space = "{0, ..., n}^(2^L)"
    return exhausted(_collections(), holds, over=_COLLECTIONS, shown=(space, space), proven=True)


@ledger.claim(
    "s2.2-total",
    where="section 2.2, definition of Phi",
    says="The counts of a collection sum to n.",
)
def _total() -> Finding:
    """Each of the n records is equal to exactly one d_j and counted there once."""
    return exhausted(
        (y for n, bits in _SIZES for y in product(vectors(bits), repeat=n)),
        lambda y: sum(counted(y, len(y[0]))) == len(y),
        over="(n, L) up to (4, 1), (2, 2) and (1, 3), every collection", shown=("n", "n"), proven=True,
    )  # fmt: skip


@ledger.claim(
    "Adist",
    where="(eq:Adist), section 2.2",
    says="P[A(x) = s] is the sum of p^{nL - delta(x, y)} q^{delta(x, y)} over the collections y with counts s.",
    assuming="delta(x, y) of collections is the sum over their rows; the s under the sums is the bold one",
)
def _law_of_the_query() -> Finding:
    """A(x) = s means that R(x) is one of the y with Phi(y) = s.

    These exclude each other; rows are independent, so that P[R(x) = y] is the product of p^{L -
    delta(x_i, y_i)} q^{delta(x_i, y_i)}, and the exponents add up.

    The true side goes through the 2^{nL} values of xi, the library's through a generating function.
    """

    def holds(case: tuple[tuple[Vector, ...], Fraction]) -> bool:
        x, q = case
        n, bits = len(x), len(x[0])
        said: dict[Counts, Fraction] = {}
        for y in product(vectors(bits), repeat=n):
            distance = sum(a != b for one, other in zip(x, y, strict=True) for a, b in zip(one, other, strict=True))
            s = counted(y, bits)
            said[s] = said.get(s, Fraction(0)) + (1 - q) ** (n * bits - distance) * q**distance
        return said == _query_by_flips(x, q) == query_pmf(x, q=q)

    formula = "sum of p^(n L - delta) q^delta"
    return exhausted(_collections(), holds, over=_COLLECTIONS, shown=(formula, formula), proven=True)


# --- every flip ---------------------------------------------------------------------------------------------------


def _randomized(x: Sequence[int], xi: Sequence[int]) -> Vector:
    """R(x; xi)."""
    return tuple(b * kept + (1 - b) * (1 - kept) for b, kept in zip(x, xi, strict=True))


def _likelihood(xi: Sequence[int], q: Fraction) -> Fraction:
    return prod((1 - q if kept else q for kept in xi), start=Fraction(1))


def _by_flips(x: Vector, q: Fraction) -> dict[Vector, Fraction]:
    """The law of R(x)."""
    found: dict[Vector, Fraction] = {}
    for xi in product((0, 1), repeat=len(x)):
        y = _randomized(x, xi)
        found[y] = found.get(y, Fraction(0)) + _likelihood(xi, q)
    return found


def _query_by_flips(x: tuple[Vector, ...], q: Fraction) -> dict[Counts, Fraction]:
    """The law of A(x)."""
    found: dict[Counts, Fraction] = {}
    for flips in product(vectors(len(x[0])), repeat=len(x)):
        synthetic = [_randomized(record, xi) for record, xi in zip(x, flips, strict=True)]
        s = counted(synthetic, len(x[0]))
        found[s] = found.get(s, Fraction(0)) + prod((_likelihood(xi, q) for xi in flips), start=Fraction(1))
    return found


# --- ranges -------------------------------------------------------------------------------------------------------


def _vector_pairs() -> Iterator[tuple[Vector, Vector, Fraction]]:
    return ((x, y, q) for bits in (1, 2, 3) for x, y in product(vectors(bits), repeat=2) for q in FLIPS)


def _collections() -> Iterator[tuple[tuple[Vector, ...], Fraction]]:
    """Every collection, in one order, with every q."""
    for n, bits in _SIZES:
        yield from product(combinations_with_replacement(vectors(bits), n), FLIPS)
