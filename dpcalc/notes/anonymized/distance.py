r"""Distances between two distributions on the same finite set of values.

    P = (p_1, ..., p_m),  Q = (q_1, ..., q_m):  non-negative, not all zero, in the same order of values.

Counts will do: both arguments are divided by their sums, exactly. Every distance that is rational is returned
exactly, and ``within`` decides D(P, Q) <= epsilon exactly for all of them.

Source: EC, "Epsilon-closeness"; Li, Li and Venkatasubramanian, ICDE 2007, section 4 (earth mover's distance).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from itertools import accumulate
from math import inf, isqrt, lcm
from types import MappingProxyType
from typing import Any, TypeAlias

from dpcalc.errors import DomainError
from dpcalc.numbers.ball import ball, decide, refine
from dpcalc.numbers.enclosure import Enclosure
from dpcalc.numbers.lists import one_of
from dpcalc.numbers.rational import Number, rational

#: A distance: an enclosure of a real number, or ``math.inf``, which only ``kullback_leibler`` returns.
Distance: TypeAlias = Enclosure | float

_RTOL = Fraction(1, 10**20)


def l1(p: Sequence[Number], q: Sequence[Number]) -> Enclosure:
    r"""sum_i \|p_i - q_i\|, exactly.

    Raises:
        DomainError: no distribution (empty, negative, all zero), or two of different lengths.

    >>> print(l1([1, 1], [1, 3]))
    1/2
    """
    differences, scale = _differences(p, q)
    return Enclosure.of(Fraction(sum(map(abs, differences)), scale))


def variational(p: Sequence[Number], q: Sequence[Number]) -> Enclosure:
    r"""1/2 sum_i \|p_i - q_i\|, the largest difference of the probabilities of one event, exactly.

    Raises:
        DomainError: as ``l1``.

    >>> print(variational([1, 1], [1, 3]))
    1/4
    """
    return Enclosure.of(l1(p, q).value / 2)


def earth_mover(p: Sequence[Number], q: Sequence[Number]) -> Enclosure:
    r"""1/(m-1) sum_{i<m} \|(p_1 + ... + p_i) - (q_1 + ... + q_i)\|, exactly; 0 if m = 1.

    The work of turning P into Q by moving mass between m equally spaced values, the two ends being 1 apart.

    Raises:
        DomainError: as ``l1``.

    Source: Li, Li and Venkatasubramanian, ICDE 2007, section 4.2 (ordered distance).

    >>> print(earth_mover([1, 0, 0], [0, 0, 1]), earth_mover([1, 0, 0], [0, 1, 0]))
    1 1/2
    """
    differences, scale = _differences(p, q)
    work = sum(map(abs, accumulate(differences)))
    return Enclosure.of(Fraction(work, scale * max(1, len(differences) - 1)))


def l2(p: Sequence[Number], q: Sequence[Number]) -> Enclosure:
    r"""sqrt(sum_i (p_i - q_i)^2): exact if rational, else an enclosure of relative width <= 1e-20.

    Raises:
        DomainError: as ``l1``.

    >>> print(l2([1, 0], [0, 1]), l2([1, 1, 1, 1], [1, 0, 0, 3]))
    1.4142135623730950... 0.61237243569579452...
    """
    square = _square(p, q)
    root = Fraction(isqrt(square.numerator), isqrt(square.denominator))
    return Enclosure.of(root) if root**2 == square else refine(lambda: ball(square).sqrt(), rtol=_RTOL)


def kullback_leibler(p: Sequence[Number], q: Sequence[Number]) -> Distance:
    r"""sum_i p_i log(p_i / q_i) in nats, 0 log 0 = 0: an enclosure of relative width <= 1e-20.

    It is exactly 0 if P = Q, and ``math.inf`` if some q_i = 0 < p_i.

    Raises:
        DomainError: as ``l1``.

    >>> print(kullback_leibler([1, 0], [1, 1]))
    0.69314718055994530...
    >>> kullback_leibler([1, 1], [1, 0]), kullback_leibler([1, 2], [2, 4]).value
    (inf, Fraction(0, 1))
    """
    terms = _log_terms(p, q)
    if terms is None:
        return inf
    return refine(lambda: _log_sum(terms), rtol=_RTOL) if terms else Enclosure.of(0)


#: Every distance by the name it is asked for. ``earth-mover`` alone depends on the order of the values.
DISTANCES: Mapping[str, Callable[[Sequence[Number], Sequence[Number]], Distance]] = MappingProxyType(
    {
        "variational": variational,
        "l1": l1,
        "l2": l2,
        "kullback-leibler": kullback_leibler,
        "earth-mover": earth_mover,
    }
)


def within(p: Sequence[Number], q: Sequence[Number], epsilon: Fraction, *, distance: str) -> bool:
    r"""Whether D(P, Q) <= epsilon, exactly; ``distance`` is a key of ``DISTANCES``.

    Raises:
        DomainError: as ``l1``, or no such distance.
        Undecided: a Kullback-Leibler divergence within 2^-16000 or so of epsilon.

    >>> within([1, 0], [0, 1], Fraction("1.4142135"), distance="l2")
    False
    """
    one_of(distance, "distance", DISTANCES)
    if epsilon < 0:
        return False
    if distance == "l2":
        return _square(p, q) <= epsilon**2
    if distance == "kullback-leibler":
        terms = _log_terms(p, q)
        # e^D is algebraic, and e^epsilon is not unless epsilon = 0 (Lindemann), where D = 0 only if P = Q (Gibbs):
        # so D = epsilon happens only without terms, and balls decide everything else.
        return terms is not None and (not terms or decide(lambda: ball(epsilon) - _log_sum(terms)))
    return DISTANCES[distance](p, q) <= epsilon


def common_weights(p: Sequence[Number], name: str) -> tuple[list[int], int]:
    """Integers proportional to ``p``, and their sum.

    Raises:
        DomainError: empty, a negative weight, or only zeros.

    >>> common_weights([Fraction(1, 2), Fraction(1, 3)], "p")
    ([3, 2], 5)
    """
    weights = [x for x in p if type(x) is int]
    if len(weights) != len(p):
        exact = [rational(x, name) for x in p]
        scale = lcm(*(x.denominator for x in exact))
        weights = [x.numerator * (scale // x.denominator) for x in exact]
    total = sum(weights)
    if min(weights, default=-1) < 0 or not total:
        raise DomainError(name, p, "one or more non-negative weights, not all zero")
    return weights, total


def _pair(p: Sequence[Number], q: Sequence[Number]) -> tuple[list[int], int, list[int], int]:
    if len(p) != len(q):
        raise DomainError("q", q, f"as many weights as p has, {len(p)}")
    return *common_weights(p, "p"), *common_weights(q, "q")


def _differences(p: Sequence[Number], q: Sequence[Number]) -> tuple[list[int], int]:
    """(p_i - q_i) times one common denominator, and that denominator."""
    p_weights, p_total, q_weights, q_total = _pair(p, q)
    return [a * q_total - b * p_total for a, b in zip(p_weights, q_weights, strict=True)], p_total * q_total


def _square(p: Sequence[Number], q: Sequence[Number]) -> Fraction:
    differences, scale = _differences(p, q)
    return Fraction(sum(d * d for d in differences), scale**2)


def _log_terms(p: Sequence[Number], q: Sequence[Number]) -> list[tuple[Fraction, Fraction]] | None:
    """The pairs (p_i, p_i / q_i) with p_i > 0; none at all if P = Q, and None if some q_i = 0 < p_i."""
    p_weights, p_total, q_weights, q_total = _pair(p, q)
    pairs = [(a, b) for a, b in zip(p_weights, q_weights, strict=True) if a]
    if not all(b for _, b in pairs):
        return None
    terms = [(Fraction(a, p_total), Fraction(a * q_total, b * p_total)) for a, b in pairs]
    return terms if any(ratio != 1 for _, ratio in terms) else []


def _log_sum(terms: list[tuple[Fraction, Fraction]]) -> Any:
    """The divergence as a ball."""
    return sum((ball(weight) * ball(ratio).log() for weight, ratio in terms), start=ball(0))
