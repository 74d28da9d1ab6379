r"""KTEX, section 4, "Old stuff": queries that report every record by itself.

A(x) = (A_0(x_1, X_1), ..., A_0(x_n, X_n)) with independent X_1, ..., X_n. General statements are tried on every
function A_0 of a bit and of a random element X of three values, with two reports.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from math import prod
from typing import TypeAlias

from dpcalc.claims.checking import exhausted, repaired
from dpcalc.claims.claim import Finding, Ledger
from dpcalc.claims.enumeration import chance, vectors
from dpcalc.mechanisms.finite import FiniteMechanism
from dpcalc.mechanisms.neighbours import record_neighbours
from dpcalc.mechanisms.response import RandomizedResponse
from dpcalc.numbers.elementary import exp, log
from dpcalc.numbers.enclosure import Enclosure
from dpcalc.privacy.membership import rappor_epsilon, record_epsilon

__all__ = ["ledger"]

ledger = Ledger("KTEX")

_HALF = Fraction(1, 2)
_WEIGHTS = (Fraction(1, 2), Fraction(1, 3), Fraction(1, 6))  # of the values of X
_RANGE = "n = 2, every A_0 of a bit and X of three values, with two reports"

#: A_0: for each of the two bits the reports at the three values of X.
_Randomizer: TypeAlias = tuple[tuple[int, ...], tuple[int, ...]]


@ledger.claim(
    "s4-product",
    where="section 4, independent randomization",
    says="If records are randomized independently, P[A(x) = s] is the product of the P[A_0(x_i) = s_i].",
)
def _product_of_records() -> Finding:
    """The report of x_i is a function of X_i, and functions of independent elements are independent."""

    def holds(randomizer: _Randomizer) -> bool:
        return all(
            _joint(randomizer, x, s) == _single(randomizer, x[0], s[0]) * _single(randomizer, x[1], s[1])
            for x, s in product(vectors(2), vectors(2))
        )

    return exhausted(_randomizers(), holds, over=_RANGE, shown=("product", "product"), proven=True)


@ledger.claim(
    "s4-quotient",
    where="section 4, display of the quotient",
    says="P[A(x) = s]/P[A(x') = s] is P[A_0(x_1) = s_1]/P[A_0(x'_1) = s_1].",
    assuming="x and x' differ in the first row only, P[A(x') = s] > 0",
)
def _first_factors() -> Finding:
    """The factors of the other records are the same on both sides of the line, and positive: they cancel."""

    def holds(randomizer: _Randomizer) -> bool:
        cases = ((x, (1 - x[0], *x[1:]), s) for x, s in product(vectors(2), vectors(2)))
        return all(
            _joint(randomizer, x, s) / _joint(randomizer, y, s)
            == _single(randomizer, x[0], s[0]) / _single(randomizer, y[0], s[0])
            for x, y, s in cases if _joint(randomizer, y, s)
        )  # fmt: skip

    return exhausted(
        _randomizers(), holds, over=_RANGE, shown=("quotient of the first factors", "quotient of the first factors"),
        proven=True,
    )  # fmt: skip


@ledger.claim(
    "s4-exp",
    where="section 4, condition on A_0",
    says="The condition on single records is P[A_0(x) = s] <= eps P[A_0(x') = s].",
    script="""
        from fractions import Fraction as F
        p, q, epsilon = F(3, 5), F(2, 5), F(1, 2)
        at_most_exp = 1 + epsilon + epsilon**2 / 2  # the series of exp(epsilon) has more terms, all positive
        assert p <= at_most_exp * q and not p <= epsilon * q
    """,
)
def _exponential() -> Finding:
    """The exponential of eps is missing.

    By s4-quotient (eq:dpdef) holds exactly when P[A_0(x) = s] <= exp(eps) P[A_0(x') = s]: the exp is
    missing.

    Summed over s the printed condition says 1 <= eps, so that below eps = 1 no query satisfies it, not
    even one that reports nothing; it is a sufficient condition, as eps < exp(eps), and never the one
    that RAPPOR uses.
    """

    def private(case: tuple[Fraction, Fraction]) -> bool:
        q, epsilon = case
        collections = vectors(2)  # two records of one bit
        rows = [[chance(x, s, q) for s in collections] for x in collections]
        return FiniteMechanism(rows, record_neighbours(collections)).is_private(epsilon=epsilon).holds

    return repaired(
        product((Fraction(2, 5), Fraction(1, 4), Fraction(1, 10)), (_HALF, Fraction(1), Fraction(3, 2), Fraction(3))),
        said=lambda case: (1 - case[0] <= case[1] * case[0]) == private(case),
        repair=lambda case: (1 - case[0] <= exp(case[1]) * case[0]) == private(case),
        over="two records through randomized response, q = 2/5, 1/4, 1/10, eps = 1/2, 1, 3/2, 3",
        shown=("P[A_0(x) = s] <= eps P[A_0(x') = s]", "... <= exp(eps) P[A_0(x') = s]"),
        show=lambda case: f"q = {case[0]}: p/q = {(1 - case[0]) / case[0]} is above {case[1]}, "
        f"{'below' if private(case) else 'and above'} e^({case[1]})",
    )  # fmt: skip


@ledger.claim(
    "s4-rappor",
    where="section 4, end",
    says="The condition on A_0, RAPPOR's, compares single records and not collections: A is private if A_0 is.",
    assuming="with exp(eps), see s4-exp",
)
def _single_records() -> Finding:
    """By s4-quotient the quotients of A for neighbours are those of A_0 for records, so both need the same eps.

    For R on vectors that is d log(p/q), d being the number of bits that differ; RAPPOR's Bloom filters
    with h hash functions differ in at most 2h bits, whence its eps = 2h log(p/q).
    """

    def holds(case: tuple[int, int, Fraction]) -> bool:
        n, bits, q = case
        single = FiniteMechanism([[chance(x, y, q) for y in vectors(bits)] for x in vectors(bits)]).lam()
        collections = list(product(vectors(bits), repeat=n))
        rows = [
            [prod((chance(a, b, q) for a, b in zip(x, y, strict=True)), start=Fraction(1)) for y in collections]
            for x in collections
        ]
        whole = FiniteMechanism(rows, record_neighbours(collections)).lam()
        local = record_epsilon((0,) * bits, (1,) * bits, q=q)
        right = (
            whole == single == RandomizedResponse(q).odds ** bits
            and local.lower <= log(single).upper
            and log(single).lower <= local.upper
        )
        return right and (bits % 2 == 1 or _ends(rappor_epsilon(q=q, hashes=bits // 2)) == _ends(local))

    sizes = ((1, 1), (2, 1), (3, 1), (1, 2), (2, 2))
    return exhausted(
        ((n, bits, q) for n, bits in sizes for q in (Fraction(2, 5), Fraction(1, 4))), holds,
        over="n <= 3 for L = 1, n <= 2 for L = 2, q = 2/5 and 1/4", shown=("eps of A_0", "eps of A"), proven=True,
    )  # fmt: skip


# --- randomizers of one bit ---------------------------------------------------------------------------------------


def _randomizers() -> Iterator[_Randomizer]:
    reports = list(product((0, 1), repeat=3))
    return ((zero, one) for zero, one in product(reports, repeat=2))


def _ends(found: Enclosure) -> tuple[Fraction, Fraction]:
    return found.lower, found.upper


def _single(randomizer: _Randomizer, bit: int, report: int) -> Fraction:
    """P[A_0(bit) = report]."""
    return sum((w for w, told in zip(_WEIGHTS, randomizer[bit], strict=True) if told == report), Fraction(0))


def _joint(randomizer: _Randomizer, x: tuple[int, ...], s: tuple[int, ...]) -> Fraction:
    """P[A(x) = s], over every value of (X_1, X_2)."""
    values = product(range(3), repeat=len(x))
    return sum(
        (
            prod((_WEIGHTS[i] for i in value), start=Fraction(1))
            for value in values
            if tuple(randomizer[bit][i] for bit, i in zip(x, value, strict=True)) == s
        ),
        Fraction(0),
    )
