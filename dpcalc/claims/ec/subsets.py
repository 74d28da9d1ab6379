"""EC, "n-epsilon-closeness": classes close to a subset of the table."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations
from typing import TypeAlias

from dpcalc.anonymized.closeness import n_closeness
from dpcalc.anonymized.subset import close_subset
from dpcalc.claims.checking import exhausted
from dpcalc.claims.claim import Finding, Ledger, Ruling
from dpcalc.claims.ec.small_tables import Counts, Table, classes, drawn_uniformly, largest_gap, shares, tables, totals

__all__ = ["ledger"]

ledger = Ledger("EC")

_Question: TypeAlias = tuple[Table, int, Fraction]


@ledger.claim(
    "s-n-close-class",
    where="n-epsilon-closeness, first definition",
    says="A class is (n, epsilon)-close if some subset M of at least n entries has D(P_L, P_{Q|M}) at most epsilon.",
    assuming="D the variational distance in this check",
)
def _n_close_class() -> Finding:
    """Consistent: D sees M only through its counts; a search by counts finds what trying every M does.

    A class of n entries or more is always close: it is its own M, at distance 0. So the definition
    restricts smaller classes only. With n the size of the dataset it is epsilon-closeness.
    """
    return exhausted(
        _questions(3),
        lambda c: (_search(classes(c[0])[0], *c) is not None) == _exists(c[0], c[1], c[2], classes(c[0])[:1])
        and (sum(classes(c[0])[0]) < c[1] or _search(classes(c[0])[0], *c) is not None),
        over="tables of up to 3 rows, every subset, every n, epsilon 1/6 and 1/4",
        shown=("some M with |M| >= n", "some counts m_s, sum >= n"), proven=True,
    )  # fmt: skip


@ledger.claim(
    "s-n-close-partition",
    where="n-epsilon-closeness, second definition",
    says="A partitioning is (n, epsilon)-close if one subset M of at least n entries does for each class.",
    assuming="D the variational distance in this check",
)
def _n_close_partition() -> Finding:
    """Consistent: the search by counts finds such an M exactly when trying every set of rows does."""
    return exhausted(
        _questions(3),
        lambda c: _together(*c) == _exists(*c, classes(c[0])),
        over="tables of up to 3 rows, every subset, every n, epsilon 1/6 and 1/4",
        shown=("one M for each class", "one M for each class"), proven=True,
    )  # fmt: skip


@ledger.claim(
    "s-n-close-each",
    where="n-epsilon-closeness, 'each'",
    says="Closeness of the partitioning (one M for each class) is more than closeness of each class (an M of its own).",
)
def _each() -> Finding:
    """One M for all is an M for each. The converse fails: rows no, no in one class, yes, yes in another.

    With n = 2 each class is its own M, at distance 0. One M would be within 1/4 of both, which are 1
    apart.
    """
    two_and_two = next(table for table in tables(4) if classes(table) == [(2, 0), (0, 2)])
    asked = [*_questions(3), (two_and_two, 2, Fraction(1, 4))]
    implied = all(_each_alone(*case) for case in asked if _together(*case))
    apart = [case for case in asked if _each_alone(*case) and not _together(*case)]
    return Finding(
        ruling=Ruling.PROVEN if implied and apart else Ruling.REFUTED, said="each class, the same M",
        exact="more than each class alone", witness="; ".join(map(_asked, apart[-1:])),
    )  # fmt: skip


@ledger.claim(
    "s-any-subset",
    where="n-epsilon-closeness, last sentence",
    says="Any subset of sufficient size is used as a reference, to hide the distribution disclosed.",
)
def _any_subset() -> Finding:
    """The purpose, in words. Read as 'some subset' it repeats the definition, which is checked above."""
    return Finding(ruling=Ruling.VACUOUS, said="any subset", exact="some subset, as defined before")


def _questions(most: int) -> Iterator[_Question]:
    """Tables of at most this many rows, every n, two epsilons."""
    for table in tables(most):
        for n in range(1, len(table) + 1):
            for epsilon in (Fraction(1, 6), Fraction(1, 4)):
                yield table, n, epsilon


def _asked(question: _Question) -> str:
    table, n, epsilon = question
    return f"classes {' and '.join(map(str, classes(table)))}, n = {n}, epsilon = {epsilon}"


def _together(table: Table, n: int, epsilon: Fraction) -> bool:
    """dpcalc's verdict on the partitioning."""
    return n_closeness(table, quasi="group", sensitive="ill", epsilon=epsilon, n=n).holds


def _each_alone(table: Table, n: int, epsilon: Fraction) -> bool:
    """Whether each class has a subset of its own."""
    return all(_search(counts, table, n, epsilon) is not None for counts in classes(table))


def _search(counts: Counts, table: Table, n: int, epsilon: Fraction) -> Counts | None:
    """dpcalc's subset for one class."""
    return close_subset([counts], totals(table), n=n, epsilon=epsilon, distance="variational")


def _exists(table: Table, n: int, epsilon: Fraction, classes: list[Counts]) -> bool:
    """Whether some set of at least n rows is close to all these classes: every set is tried."""
    return any(
        all(largest_gap(shares(counts), drawn_uniformly(list(rows))) <= epsilon for counts in classes)
        for size in range(n, len(table) + 1)
        for rows in combinations(table, size)
    )
