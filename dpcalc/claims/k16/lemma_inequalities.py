"""K16, section 4.2: the inequalities that the induction of Lemma 1 puts together.

b_i are the coefficients before the last factor r + x.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from sympy import Poly, expand, symbols

from dpcalc.claims.checking import all_of, exhausted, identity, repaired, restricted, unpacked
from dpcalc.claims.claim import Finding, Ledger, Ruling
from dpcalc.claims.k16.products import ROOTS, elementary, every_roots, nth
from dpcalc.symbolic import x

__all__ = ["ledger"]

ledger = Ledger("K16")

_PLACES = f"{ROOTS}, 0 <= i <= n + 1"


@ledger.claim("4.23", where="(4.23), section 4.2.1", says="b_i^2 - b_{i+1} b_{i-1} >= 0, by the induction hypothesis.")
def _hypothesis() -> Finding:
    """The lemma for degree n, at index i; at i = n + 1, where a_i still has to be looked at, both
    terms are 0.
    """
    return _inequality(lambda b, i: nth(b, i) ** 2 - nth(b, i + 1) * nth(b, i - 1), "b_i^2 - b_{i+1} b_{i-1} >= 0")


@ledger.claim("4.24", where="(4.24), section 4.2.1", says="b_{i-1}^2 - b_i b_{i-2} >= 0, by the induction hypothesis.")
def _hypothesis_below() -> Finding:
    """The lemma for degree n, at index i - 1; at i = 0 both terms are 0."""
    return _inequality(lambda b, i: nth(b, i - 1) ** 2 - nth(b, i) * nth(b, i - 2), "b_{i-1}^2 - b_i b_{i-2} >= 0")


@ledger.claim("4.25", where="(4.25), section 4.2.1", says="Nothing: the number stands beside an empty line.")
def _empty() -> Finding:
    """An empty line."""
    return Finding(ruling=Ruling.VACUOUS)


@ledger.claim(
    "4.26",
    where="(4.26), section 4.2.1",
    says="b_i b_{i-1} - b_{i+1} b_{i-1} >= 0.",
    script="""
        from math import comb
        b, i = [comb(4, j) for j in range(5)], 1  # (1 + x)^4: 1, 4, 6, 4, 1
        assert b[i] * b[i - 1] - b[i + 1] * b[i - 1] < 0
    """,
)
def _middle_bracket() -> Finding:
    """As printed it asks for b_i >= b_{i+1}, which fails wherever the coefficients rise.

    Needed and true is b_i b_{i-1} - b_{i+1} b_{i-2} >= 0, the middle bracket of (4.22) with its index
    repaired; the proof is at L1.
    """
    return repaired(
        _places(),
        unpacked(lambda b, i: nth(b, i) * nth(b, i - 1) - nth(b, i + 1) * nth(b, i - 1) >= 0),
        unpacked(lambda b, i: nth(b, i) * nth(b, i - 1) - nth(b, i + 1) * nth(b, i - 2) >= 0),
        over=_PLACES,
        shown=("b_i b_{i-1} - b_{i+1} b_{i-1} >= 0", "b_i b_{i-1} - b_{i+1} b_{i-2} >= 0"),
    )


@ledger.claim(
    "s4.2-all-positive",
    where="(4.26), section 4.2.1, its reason",
    says="All coefficients b_i of prod (r_j + x) are positive.",
    assuming="Lemma 1's r_j >= 0, 0 <= i <= n",
    script="""
        r1, r2 = 0, 1  # Lemma 1 allows it: the polynomial x (1 + x)
        b = [r1 * r2, r1 + r2, 1]
        assert not all(c > 0 for c in b) and all(c >= 0 for c in b)
    """,
)
def _positive_coefficients() -> Finding:
    """Where an r_j is 0, as Lemma 1 allows, coefficients at the low end are 0.

    b_i is the sum of the products of n - i of the r_j. If z of these are 0, it is positive for
    z <= i <= n and 0 for i < z: all are positive exactly when all r_j > 0, as in G_m and Q, whose r_j
    are q/p and p/q.

    Zeros at the low end do no harm to the lemma, since they leave no gap between positive
    coefficients: see L1.
    """
    return restricted(
        every_roots(), lambda roots: min(elementary(roots)) > 0, lambda roots: 0 not in roots, sharp=True,
        over="all r_j > 0", shown=("b_i > 0 for 0 <= i <= n", "b_i > 0 for z <= i <= n, z of the r_j being 0"),
        show=lambda roots: f"r_j: {roots}, coefficients {elementary(roots)}",
    )  # fmt: skip


@ledger.claim(
    "4.27",
    where="(4.27), section 4.2.1",
    says="b_i^2 >= b_{i+1} b_{i-1} and b_{i-1}^2 > b_i b_{i-2}.",
    assuming="Lemma 1's r_j >= 0, 0 <= i <= n + 1",
    script="""
        r1, r2, i = 0, 0, 2  # Lemma 1 allows it: the polynomial x^2
        b = [r1 * r2, r1 + r2, 1]
        assert b[i - 1] ** 2 == b[i] * b[i - 2]
    """,
)
def _both_hypotheses() -> Finding:
    """The second inequality is an equality where b_{i-1} = 0, such as at i = 0.

    The indices are right; the second sign is that of (4.24), >=. By L1 it is > exactly where
    b_{i-1} > 0.

    It is = at i = 0, and with z zeros among the r_j for all i <= z.
    """

    def positive(place: _Place) -> bool:
        b, i = place
        gap: int = nth(b, i - 1) ** 2 - nth(b, i) * nth(b, i - 2)
        if gap < 0:
            raise ArithmeticError(f"not even >= holds at {place}")
        return gap > 0

    return all_of(
        _inequality(lambda b, i: nth(b, i) ** 2 - nth(b, i + 1) * nth(b, i - 1), "b_i^2 >= b_{i+1} b_{i-1}"),
        restricted(
            sorted(_places(), key=lambda place: place.i <= 1), positive, lambda place: nth(place.b, place.i - 1) > 0,
            sharp=True, over="> where b_{i-1} > 0, so for 1 <= i <= n + 1 if all r_j > 0",
            shown=("b_{i-1}^2 > b_i b_{i-2}", "b_{i-1}^2 >= b_i b_{i-2}"),
            show=lambda place: f"{place}: both sides are 0",
        ),
    )  # fmt: skip


@ledger.claim("4.28", where="(4.28), section 4.2.1", says="b_i^2 b_{i-1}^2 >= b_{i+1} b_{i-1} b_i b_{i-2}.")
def _multiplied() -> Finding:
    """The product of (4.23) and (4.24): all four terms are >= 0, so the inequalities may be
    multiplied. Nothing is wrong with its indices; cancelling b_i b_{i-1} gives the repaired (4.29).
    """
    return _inequality(
        lambda b, i: (nth(b, i) * nth(b, i - 1)) ** 2 - nth(b, i + 1) * nth(b, i - 1) * nth(b, i) * nth(b, i - 2),
        "b_i^2 b_{i-1}^2 >= b_{i+1} b_{i-1} b_i b_{i-2}",
    )


@ledger.claim(
    "4.29",
    where="(4.29), section 4.2.1",
    says="b_i b_{i-1} >= b_{i+1} b_{i-1}.",
    script="""
        from math import comb
        b, i = [comb(4, j) for j in range(5)], 1  # (1 + x)^4: 1, 4, 6, 4, 1
        assert not b[i] * b[i - 1] >= b[i + 1] * b[i - 1]
    """,
)
def _divided() -> Finding:
    """(4.28) divided by b_i b_{i-1} is b_i b_{i-1} >= b_{i+1} b_{i-2}: the last index is one lower
    than printed.

    Where b_i b_{i-1} = 0 it cannot be divided; there b_{i+1} b_{i-2} = 0, as the positive
    coefficients have no gap: see L1.
    """
    return repaired(
        _places(),
        unpacked(lambda b, i: nth(b, i) * nth(b, i - 1) >= nth(b, i + 1) * nth(b, i - 1)),
        unpacked(lambda b, i: nth(b, i) * nth(b, i - 1) >= nth(b, i + 1) * nth(b, i - 2)),
        over=_PLACES,
        shown=("b_i b_{i-1} >= b_{i+1} b_{i-1}", "b_i b_{i-1} >= b_{i+1} b_{i-2}"),
    )


@ledger.claim(
    "s4.2-scaling",
    where="section 4.2.1, after (4.29)",
    says="A constant factor in front of the polynomial does not change the inequality.",
)
def _scaled() -> Finding:
    """With c a_i for a_i the difference is multiplied by c^2 >= 0, whatever the sign of c."""
    c, above, here, below = symbols("c a_{i+1} a_i a_{i-1}", real=True)
    said = expand(c**2 * (here**2 - above * below))
    scaled = Poly(c * (below + here * x + above * x**2), x).all_coeffs()
    return identity(
        said, expand(scaled[1] ** 2 - scaled[0] * scaled[2]), at={c: -2, above: 3, here: 5, below: 7},
        shown=("c^2 (a_i^2 - a_{i+1} a_{i-1})", "(c a_i)^2 - (c a_{i+1})(c a_{i-1})"),
    )  # fmt: skip


# --- helpers ------------------------------------------------------------------------------------------------------


class _Place(NamedTuple):
    """The coefficients b of a polynomial of degree n, and an index i."""

    b: tuple[int, ...]
    i: int

    def __str__(self) -> str:
        return f"b = {self.b}, i = {self.i}"


def _places() -> Iterator[_Place]:
    """Every 0 <= i <= n + 1, for every multiset of r_j: where the induction's step needs its inequalities."""
    return (_Place(tuple(b), i) for b in map(elementary, every_roots()) for i in range(len(b) + 1))


def _inequality(excess: Callable[[Sequence[int], int], int], said: str) -> Finding:
    """An inequality between the coefficients b, at every index of the induction's step."""
    return exhausted(
        _places(), lambda place: excess(*place) >= 0,
        over=_PLACES, shown=(said, ">= 0 by Lemma 1 for degree n"), proven=True,
    )  # fmt: skip
