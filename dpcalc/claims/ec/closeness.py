"""EC, "Epsilon-Closeness": the statistics of a table and of its classes, and closeness."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

from dpcalc.anonymized.class_counts import class_counts
from dpcalc.anonymized.closeness import closeness
from dpcalc.claims.checking import exhausted, repaired
from dpcalc.claims.claim import Finding, Ledger, Ruling
from dpcalc.claims.ec.small_tables import Table, classes, drawn_uniformly, largest_gap, shares, tables, totals
from dpcalc.mechanisms.stochastic import in_simplex

__all__ = ["ledger"]

ledger = Ledger("EC")

_EPSILONS = (Fraction(0), Fraction(1, 6), Fraction(1, 4), Fraction(1, 2))


@ledger.claim(
    "s-values",
    where="Epsilon-Closeness, first lines",
    says="S = {s} is the set of the one sensitive attribute, and the probabilities P(A = s) of its elements sum to 1.",
    script="""
        from fractions import Fraction as F
        A = {"linux": F(1, 3), "mac": F(1, 3), "windows": F(1, 3)}  # uniform over operating system
        S = ["operating system"]
        assert sum(A.get(s, 0) for s in S) == 0 and sum(A[s] for s in A) == 1
    """,
)
def _values() -> Finding:
    """A takes values of the attribute, not the attribute itself: the sum is over the set of its values.

    From there on the document reads S so. (Were S = {s} meant with one value s, all distributions
    would be equal.)
    """
    columns = [("operating system", tuple(f"system {i}" for i in range(size))) for size in range(1, 6)]
    return repaired(
        columns, lambda c: _uniform(c[1]).get(c[0], Fraction(0)) == 1,
        lambda c: sum(_uniform(c[1])[s] for s in c[1]) == 1,
        over="the uniform distribution over 1 to 5 operating systems",
        shown=("S = {attribute}", "S = set of its values"),
        show=lambda c: f"S = {{{c[0]}}}: the sum is {_uniform(c[1]).get(c[0], 0)}",
    )  # fmt: skip


@ledger.claim(
    "s-P_Q",
    where="Epsilon-Closeness, P_Q",
    says="The number of entries with value s over the number of all entries is a distribution on the values.",
)
def _whole() -> Finding:
    """Every entry has exactly one value: the counts are >= 0 and sum to the number of entries.

    It is the distribution of the value of one entry drawn uniformly.
    """
    return exhausted(
        tables(), lambda t: in_simplex(shares(totals(t))) and shares(totals(t)) == drawn_uniformly(t),
        over="tables of two classes, up to 2 rows of either value in each",
        shown=("count / entries", "P of a random entry"), proven=True,
    )  # fmt: skip


@ledger.claim(
    "s-one-class",
    where="Epsilon-Closeness, 'When observer learns'",
    says="Who knows the quasi-identifying values of an entry is left with one equivalence class.",
)
def _one_class() -> Finding:
    """Agreeing in all of them is an equivalence relation: the classes are disjoint and cover the table."""
    row = [{"age": age, "zip": code, "ill": ill} for age, code, ill in product(range(2), repeat=3)]
    return exhausted(
        product(row, repeat=3), lambda table: all(
            sum(c.values()) == sum((r["age"], r["zip"]) == key for r in table) for key, c in _by_two(table).items()
        ) and sum(sum(c.values()) for c in _by_two(table).values()) == 3,
        over="tables of 3 rows, two quasi-identifying columns", shown=("one class", "one class"), proven=True,
    )  # fmt: skip


@ledger.claim(
    "s-goal",
    where="Epsilon-Closeness, 'Goal'",
    says="What the observer knows in the end should be as close as possible to the a priori assumption A.",
)
def _goal() -> Finding:
    """A goal is neither true nor false. What is defined serves it in part.

    The definitions compare P_L with the statistics P_Q of the dataset, which may be far from A:
    D(P_L, A) <= D(P_L, P_Q) + D(P_Q, A), and closeness bounds the first term only, what knowing the
    class adds to knowing the dataset. If all entries have the first of two values, every class is
    0-close, and at the distance 1/2 from A = (1/2, 1/2).
    """
    return Finding(ruling=Ruling.VACUOUS, said="close to A", exact="a goal; closeness is to P_Q")


@ledger.claim(
    "s-P_L",
    where="Epsilon-Closeness, P_L",
    says="The number of entries of class C with value s over the number of entries of C is a distribution.",
)
def _class() -> Finding:
    """As for P_Q. Weighted with the classes' shares of the table, the P_L average to P_Q."""
    return exhausted(
        tables(), lambda t: all(in_simplex(shares(c)) for c in classes(t)) and _averaged(t) == shares(totals(t)),
        over="tables of two classes, up to 2 rows of either value in each",
        shown=("count in C / entries of C", "sum |C|/N P_L = P_Q"), proven=True,
    )  # fmt: skip


@ledger.claim(
    "s-close-class",
    where="Epsilon-closeness, first definition",
    says="A class is epsilon-close to the dataset if D(P_L, P_Q) is at most epsilon.",
    assuming="D the variational distance in this check",
)
def _close_class() -> Finding:
    """Consistent: a class is called close if no event is likelier by more than epsilon under P_L.

    That is what the variational distance says (EC-s-variational), checked here for every event.
    """
    return exhausted(
        product(tables(), _EPSILONS),
        lambda c: all(one.holds == (largest_gap(*_against_whole(c[0], one.key[0])) <= c[1])
                      for one in closeness(c[0], quasi="group", sensitive="ill", epsilon=c[1]).classes),
        over="tables of two classes, up to 2 rows of either value in each; epsilon 0 to 1/2",
        shown=("D(P_L, P_Q) <= epsilon", "no event gains more than epsilon"), proven=True,
    )  # fmt: skip


@ledger.claim(
    "s-close-dataset",
    where="Epsilon-closeness, second definition",
    says="A dataset has epsilon-closeness if all of its classes are epsilon-close to it.",
    assuming="D the variational distance in this check",
)
def _close_dataset() -> Finding:
    """A definition; the check tests dpcalc: its least epsilon is the greatest of the classes' distances."""
    return exhausted(
        product(tables(), _EPSILONS),
        lambda c: closeness(c[0], quasi="group", sensitive="ill", epsilon=c[1]).holds
        == (max(largest_gap(*_against_whole(c[0], group)) for group in _groups(c[0])) <= c[1]),
        over="tables of two classes, up to 2 rows of either value in each; epsilon 0 to 1/2",
        shown=("every class", "max D(P_L, P_Q) <= epsilon"), proven=True,
    )  # fmt: skip


def _groups(table: Table) -> list[int]:
    return sorted({row["group"] for row in table})


def _by_two(table: tuple[dict[str, int], ...]) -> dict[tuple[object, ...], dict[object, int]]:
    return {key: dict(counts) for key, counts in class_counts(table, quasi=["age", "zip"], sensitive="ill").items()}


def _averaged(table: Table) -> tuple[Fraction, ...]:
    """The classes' distributions, weighted with the classes' sizes."""
    weighted = [[share * sum(counts) / len(table) for share in shares(counts)] for counts in classes(table)]
    return tuple(sum(shares, Fraction(0)) for shares in zip(*weighted, strict=True))


def _uniform(values: tuple[str, ...]) -> dict[str, Fraction]:
    return {value: Fraction(1, len(values)) for value in values}


def _against_whole(table: Table, group: object) -> tuple[tuple[Fraction, ...], tuple[Fraction, ...]]:
    """A class and the whole, as distributions, row by row."""
    return drawn_uniformly([row for row in table if row["group"] == group]), drawn_uniformly(table)
