"""Small cases in full, and rulings on a statement beside its repair.

A statement about every finite mechanism or every dataset is tried on all small ones: those whose probabilities are
multiples of 1/parts, those of a few rows. Where a statement fails, what replaces it must hold in every case.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction
from itertools import chain, combinations, product
from typing import TypeVar

from dpcalc.claims.claim import Finding, Ruling
from dpcalc.mechanisms.finite import FiniteMechanism
from dpcalc.mechanisms.stochastic import Matrix

__all__ = ["distributions", "equal", "events", "mechanisms", "repaired", "restricted", "rows_of"]

T = TypeVar("T")


def distributions(size: int, parts: int) -> list[tuple[Fraction, ...]]:
    """Every distribution on ``size`` outcomes with probabilities in multiples of 1/parts.

    The bars between ``parts`` stars are placed in every way.

    >>> [tuple(map(str, point)) for point in distributions(2, 2)]
    [('0', '1'), ('1/2', '1/2'), ('1', '0')]
    """
    places = parts + size - 1
    points = []
    for bars in combinations(range(places), size - 1):
        ends = (-1, *bars, places)
        points.append(tuple(Fraction(ends[i + 1] - ends[i] - 1, parts) for i in range(size)))
    return points


def mechanisms(datasets: int, outcomes: int, parts: int) -> Iterator[FiniteMechanism]:
    """Every mechanism with these numbers of datasets and outcomes, in multiples of 1/parts; all are neighbours."""
    return map(FiniteMechanism, product(distributions(outcomes, parts), repeat=datasets))


def events(outcomes: int) -> list[tuple[int, ...]]:
    """Every set of outcomes, from the empty one to all.

    >>> events(2)
    [(), (0,), (1,), (0, 1)]
    """
    return list(chain.from_iterable(combinations(range(outcomes), size) for size in range(outcomes + 1)))


def rows_of(matrix: Matrix) -> str:
    """The matrix on one line.

    >>> rows_of(((Fraction(1), Fraction(0)), (Fraction(1, 2), Fraction(1, 2))))
    '(1, 0), (1/2, 1/2)'
    """
    return ", ".join("(" + ", ".join(map(str, row)) + ")" for row in matrix)


# --- rulings ------------------------------------------------------------------------------------------------------


def equal(
    said: object, exact: object, *, over: str = "", shown: tuple[str, str] | None = None, proven: bool = False
) -> Finding:
    """Whether the document's value is the exact one: holds (or is proven), else corrected."""
    texts = shown or (str(said), str(exact))
    if said != exact:
        return Finding(ruling=Ruling.CORRECTED, said=texts[0], exact=texts[1], witness=f"{said} against {exact}")
    ruling = Ruling.PROVEN if proven else Ruling.HOLDS
    return Finding(ruling=ruling, said=texts[0], exact=texts[1], over=over)


def repaired(
    cases: Iterable[T],
    said: Callable[[T], bool],
    true: Callable[[T], bool],
    *,
    over: str,
    shown: tuple[str, str],
    failing: Ruling = Ruling.CORRECTED,
    show: Callable[[T], str] = str,
) -> Finding:
    """``failing`` where what is said fails and what is true never does; the first failure is the witness.

    Args:
        cases: every case of the range.
        said: the document's version, for one case.
        true: what it should say, for one case.
        over: the range in words.
        shown: the two versions in words.
        failing: the ruling when the document's version fails.
        show: a case in words.

    Raises:
        ArithmeticError: the repair fails too.
    """
    witness, count = "", 0
    for case in cases:
        count += 1
        if not true(case):
            raise ArithmeticError(f"the repair fails at {show(case)}")
        if not witness and not said(case):
            witness = show(case)
    return Finding(
        ruling=failing if witness else Ruling.HOLDS, said=shown[0], exact=shown[1], witness=witness,
        over=f"{over} ({count:,} cases)",
    )  # fmt: skip


def restricted(
    cases: Iterable[T],
    holds: Callable[[T], bool],
    where: Callable[[T], bool],
    *,
    over: str,
    said: str,
    exact: str,
    show: Callable[[T], str] = str,
) -> Finding:
    """Holds only for the cases ``where`` (``over`` in words), if it holds in all of them and fails outside.

    Raises:
        ArithmeticError: it fails within the range, or the range is empty.
    """
    witness, inside = "", 0
    for case in cases:
        right, within = holds(case), where(case)
        if within and not right:
            raise ArithmeticError(f"it fails within the range, at {show(case)}")
        inside += within
        if not right and not witness:
            witness = show(case)
    if not inside:
        raise ArithmeticError(f"no case at all: {over}")
    ruling = Ruling.ONLY_FOR if witness else Ruling.HOLDS
    return Finding(ruling=ruling, said=said, exact=exact, over=over, witness=witness)
