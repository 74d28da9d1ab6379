r"""Mechanisms made of several on the same datasets: one of them at random, or all of them.

With stochastic matrices M_i and weights w_i the mixture and the composition are

    P[s | x] = sum_i w_i M_i[x][s],     P[(s_1, ..., s_m) | x] = prod_i M_i[x][s_i].

Source: DW, "The Randomized Response" and "Post Processing does not affect the privacy".
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from math import prod
from operator import mul

from dpcalc.errors import DomainError, must_fit
from dpcalc.mechanisms.finite import FiniteMechanism
from dpcalc.mechanisms.stochastic import in_simplex
from dpcalc.numbers.rational import Number, rational

_MAX_ENTRIES = 1_000_000


def two_coins() -> FiniteMechanism:
    """Randomized response with two fair coins: datasets and outcomes are (yes, no); it is exactly (ln 3, 0)-private.

    The first coin decides between the truth and the second coin, so that the answer is true with probability 3/4.

    DW prints "3/4*1/4 = 3"; the quotient (3/4)/(1/4) = 3 is meant, and its ln 3 is right. DW also puts the changed
    answer at distance 1; the histograms (1, 0) and (0, 1) are at distance 2, and the neighbours meant are KTEX's.

    Source: DW, "The Randomized Response".

    >>> coins = two_coins()
    >>> print(coins.matrix[0][0], coins.lam(), coins.epsilon())
    3/4 3 1.0986122886681096...
    """
    truth, coin = FiniteMechanism([[1, 0], [0, 1]]), FiniteMechanism([["1/2", "1/2"], ["1/2", "1/2"]])
    return mixture([truth, coin], ["1/2", "1/2"])


def mixture(mechanisms: Sequence[FiniteMechanism], weights: Iterable[Number]) -> FiniteMechanism:
    """The mechanism that runs ``mechanisms[i]`` with probability ``weights[i]`` and does not tell which.

    Its delta(lambda) is at most the same mixture of theirs. DW leaves out that the weights are non-negative, without
    which this fails: 2 A - B of two private mechanisms may be a mechanism, and less private than both.

    Raises:
        DomainError: weights outside the probability simplex, or mechanisms of different shapes or neighbours.

    Source: DW, "Post Processing does not affect the privacy".
    """
    shares = [rational(weight, "weights") for weight in weights]
    if len(shares) != len(mechanisms) or not in_simplex(shares):
        raise DomainError("weights", shares, f"{len(mechanisms)} numbers >= 0 that sum to exactly 1")
    first = _alike(mechanisms)
    if len({len(mechanism.matrix[0]) for mechanism in mechanisms}) > 1:
        raise DomainError("mechanisms", [len(m.matrix[0]) for m in mechanisms], "equal numbers of outcomes")
    matrix = [
        [sum(map(mul, shares, entries)) for entries in zip(*rows, strict=True)]
        for rows in zip(*(mechanism.matrix for mechanism in mechanisms), strict=True)
    ]
    return FiniteMechanism(matrix, first.neighbours)


def composition(mechanisms: Sequence[FiniteMechanism]) -> FiniteMechanism:
    """All mechanisms run independently on the same dataset; the last one's outcome varies fastest.

    Basic composition: the lambdas multiply and the deltas add up, at most.

    Raises:
        DomainError: no mechanism, or mechanisms with different datasets or neighbours.
        TooLarge: more than a million entries.

    >>> print(composition([two_coins(), two_coins()]).lam())
    9
    """
    first = _alike(mechanisms)
    size = len(first.matrix) * prod(len(mechanism.matrix[0]) for mechanism in mechanisms)
    must_fit(
        "the matrix of the composition", size, _MAX_ENTRIES, "entries", instead="adding up the epsilons and the deltas"
    )  # fmt: skip
    rows = [[Fraction(1)] for _ in first.matrix]
    for mechanism in mechanisms:
        rows = [[a * b for a in row for b in more] for row, more in zip(rows, mechanism.matrix, strict=True)]
    return FiniteMechanism(rows, first.neighbours)


def _alike(mechanisms: Sequence[FiniteMechanism]) -> FiniteMechanism:
    """The first of the mechanisms, once all are seen to have the same datasets and neighbours."""
    if not mechanisms:
        raise DomainError("mechanisms", mechanisms, "one or more mechanisms")
    for mechanism in mechanisms:
        if (len(mechanism.matrix), mechanism.neighbours) != (len(mechanisms[0].matrix), mechanisms[0].neighbours):
            raise DomainError("mechanisms", mechanism, "mechanisms with the same datasets and neighbours")
    return mechanisms[0]
