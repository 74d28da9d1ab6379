r"""How often each of c cells occurs among independent reports: the joint pmf of the counts, by a generating function.

A report falls into cell j with probability proportional to an integer mass a_j. The counts s = (s_1, ..., s_c) of
several reports have the weights [z^s] prod over reports of (a_1 z_1 + ... + a_c z_c), over one common denominator. The
factors are multiplied in one at a time; there are C(N + c - 1, c - 1) outcomes s of N reports.

While weights are multiplied, an outcome is held as the integer sum_j s_j base^j, base > N a power of 256: then z_j
is the addition of base^j.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations, pairwise
from typing import TypeAlias

from dpcalc.errors import must_fit
from dpcalc.pairs.crowd import outcome_count

#: The counts of the cells.
Outcome: TypeAlias = tuple[int, ...]

_MAX_STEPS = 3_000_000  # outcomes times reports: some five seconds
_MAX_BITS = 24  # 2^25 outcomes of a single report are more than the steps above
_COUNTED = 200  # reports and cells up to which outcomes are counted: the number itself may be too long


def outcomes(reports: int, cells: int) -> Iterator[Outcome]:
    """Every outcome, in lexicographic order, one at a time: the gaps between c - 1 bars among N stars.

    >>> list(outcomes(2, 2))
    [(0, 2), (1, 1), (2, 0)]
    """
    places = reports + cells - 1
    for bars in combinations(range(places), cells - 1):
        yield tuple(after - before - 1 for before, after in pairwise((-1, *bars, places)))


def vector_count(bits: int, *, instead: str) -> int:
    """2^L, the cells of vectors of L bits.

    Raises:
        TooLarge: L > 24, too many cells to go through; nothing of their number is written out.

    >>> vector_count(3, instead="single bits")
    8
    """
    must_fit("the list of all bit vectors", bits, _MAX_BITS, "bits", instead=instead)
    return 1 << bits


def check_outcomes(reports: int, cells: int, *, instead: str) -> None:
    """Refuse an outcome space too large to go through.

    Raises:
        TooLarge: outcomes times reports exceeds 3 million; the message names the number of outcomes, or that of a
            smaller space where counting would itself take long.
    """
    what, limit = f"the outcome space of {reports:,} reports over {cells:,} cells", max(1, _MAX_STEPS // reports)
    if min(reports, cells - 1) > _COUNTED:  # more than 2^200 outcomes
        what += f", even for {_COUNTED} reports over {_COUNTED + 1} cells,"
        reports, cells = _COUNTED, _COUNTED + 1
    count = outcome_count(reports, cells)
    must_fit(what, count, limit, "outcomes", instead=instead)


def added(weights: Mapping[int, int], masses: Sequence[int], *, most: int) -> dict[int, int]:
    """The weights with one more report, on encoded outcomes; no count is ever above ``most``.

    >>> added({0: 1}, [3, 1], most=10), added({1: 3, 256: 1}, [3, 1], most=10)
    ({1: 3, 256: 1}, {2: 9, 257: 6, 512: 1})
    """
    steps = [(1 << 8 * _bytes(most) * j, mass) for j, mass in enumerate(masses)]
    product: dict[int, int] = {}
    for outcome, weight in weights.items():
        for step, mass in steps:
            product[outcome + step] = product.get(outcome + step, 0) + weight * mass
    return product


def decoded(outcome: int, cells: int, *, most: int) -> Outcome:
    """The counts of an encoded outcome: each takes the bytes that ``most`` needs, as they are quick to read.

    >>> decoded(1 + 2 * 256, 3, most=10), decoded(1 + 2 * 65536, 3, most=1000)
    ((1, 2, 0), (1, 2, 0))
    """
    size = _bytes(most)
    content = outcome.to_bytes(cells * size, "little")
    return (
        tuple(int.from_bytes(content[i : i + size], "little") for i in range(0, len(content), size))
        if size > 1
        else tuple(content)
    )


def _bytes(most: int) -> int:
    return (most.bit_length() + 7) // 8
