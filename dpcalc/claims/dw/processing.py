"""DW, "Post Processing does not affect the privacy": the theorem, and mappings as combinations of functions."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import prod

from dpcalc.claims.cases import mechanisms, rows_of
from dpcalc.claims.checking import exhausted, repaired
from dpcalc.claims.claim import Finding, Ledger, Ruling
from dpcalc.mechanisms.finite import FiniteMechanism
from dpcalc.mechanisms.stochastic import Matrix, deterministic, deterministic_parts, in_simplex

__all__ = ["ledger"]

ledger = Ledger("DW")


@ledger.claim(
    "s-immune",
    where="Post Processing, second paragraph",
    says="No computation on a private result makes it less private, without additional knowledge of the database.",
    assuming="the computation is deterministic; for random ones see DW-T-post-processing",
)
def _immune() -> Finding:
    """An event S of f(M(x)) is the event {r : f(r) in S} of M(x), for which the inequality holds.

    The knowledge matters: a computation that sees the database can publish it.
    """
    maps = [deterministic(f, 2) for f in product(range(2), repeat=3)]
    return exhausted(
        product(mechanisms(2, 3, 2), maps), lambda c: _no_worse(c[0].after(c[1]), c[0]),
        over="mechanisms of 3 outcomes in halves, all maps of them to 2, lambda 1 and 2",
        shown=("no less private", "delta(lambda) does not grow"), proven=True,
    )  # fmt: skip


@ledger.claim(
    "s-spectral",
    where="Post Processing, third paragraph",
    says="The decomposition into deterministic functions comes from spectral theory and stochastic processes.",
)
def _spectral() -> Finding:
    """History, not decided by calculation. The proof at DW-s-convex-deterministic needs neither."""
    return Finding(ruling=Ruling.VACUOUS, said="spectral theory", exact="not decided by calculation")


@ledger.claim(
    "s-convex-deterministic",
    where="Post Processing, 'Any randomized mapping'",
    says="Any randomized mapping can be decomposed into a convex combination of deterministic functions.",
    assuming="finitely many inputs and outcomes; else it is an average over a uniform number, not a sum",
)
def _convex() -> Finding:
    """Draw f(x) for each input x on its own, from row x: the function f has weight prod_x M[x][f(x)].

    These weights are >= 0 and sum to prod_x 1 = 1. Those of the f with f(x) = s sum to M[x][s], as
    the other inputs' factors sum to 1. (With infinitely many inputs a sum may not do: let n be sent
    to each of 1, ..., n alike. A function of weight w > 0 would give some outcome at least w for
    every n, more than 1/n.)
    """
    return exhausted(
        [*mechanisms(3, 2, 3), *mechanisms(2, 3, 3)], lambda m: _recombined(_drawn(m.matrix), m.matrix),
        over="mappings of 3 inputs to 2 outcomes and of 2 to 3, in thirds",
        shown=("sum of w_f f", "w_f = prod_x M[x][f(x)]"), proven=True,
    )  # fmt: skip


@ledger.claim(
    "s-peeling",
    where="Post Processing, 'Consider a process'",
    says="Taking functions out of a random process, one by one, leaves a finite set that replicates the process.",
    assuming="r inputs, c outcomes; each function has a weight",
)
def _peeling() -> Finding:
    """In every row choose an outcome with some probability left: a function, whose weight is the least.

    That weight is taken out of every row. The rows keep equal sums, so the choice is possible until
    nothing is left. Every time at least one of the r c entries vanishes, and in the last step r of
    them do: at most r (c - 1) + 1 functions.
    """
    return exhausted(
        [*mechanisms(2, 2, 5), *mechanisms(2, 3, 3)],
        lambda m: _recombined([(part.weight, part.outcomes) for part in m.deterministic_parts()], m.matrix)
        and len(m.deterministic_parts()) <= len(m.matrix) * (len(m.matrix[0]) - 1) + 1,
        over="mappings of 2 inputs to 2 outcomes in fifths and to 3 in thirds",
        shown=("f_1, ..., f_n", "at most r (c - 1) + 1 functions"), proven=True,
    )  # fmt: skip


@ledger.claim(
    "s-Birkhoff",
    where="Post Processing, 'This is possible'",
    says="That every random process is a mixture of deterministic functions is what the Birkhoff-von Neumann theorem "
    "proves.",
    script="""
        from fractions import Fraction as F
        M = [[F(1), F(0)], [F(1, 2), F(1, 2)]]
        f, g = [[1, 0], [1, 0]], [[1, 0], [0, 1]]  # two maps; f is not a permutation
        assert M == [[(a + b) * F(1, 2) for a, b in zip(*rows)] for rows in zip(f, g)]
        assert M[0][0] + M[1][0] == F(3, 2)  # a mixture of permutations has columns that sum to 1
    """,
)
def _birkhoff() -> Finding:
    """That theorem decomposes doubly stochastic matrices, whose columns sum to 1 too, into permutations.

    A randomized mapping has rows that sum to 1, and nothing else: what is needed are maps, which need
    not be permutations. The proof is that of DW-s-peeling.
    """
    return repaired(
        (m.matrix for m in mechanisms(2, 2, 4)), lambda m: m == ((m[0][0], m[0][1]), (m[0][1], m[0][0])),
        lambda m: _recombined([(part.weight, part.outcomes) for part in deterministic_parts(m)], m),
        over="mappings of 2 inputs to 2 outcomes, in quarters", shown=("mixture of permutations", "mixture of maps"),
        show=lambda m: f"M = {rows_of(m)}",
    )  # fmt: skip


@ledger.claim(
    "T-post-processing",
    where="Theorem, Post Processing",
    says="If M is (epsilon, delta)-private, so is f after M, for every mapping f, randomized or not.",
    assuming="finitely many outcomes, epsilon >= 0; f does not see the database",
)
def _theorem() -> Finding:
    """With g(r) = P[f(r) in S], between 0 and 1, P[f(M(x)) in S] = sum_r g(r) M[x][r]; so for y.

    P[f(M(x)) in S] - lambda P[f(M(y)) in S] = sum_r g(r) (M[x][r] - lambda M[y][r])
    <= sum_r max(0, M[x][r] - lambda M[y][r]) <= delta,

    the last step being the inequality of M for the event {r : M[x][r] > lambda M[y][r]}.
    """
    posts = [m.matrix for m in mechanisms(2, 2, 3)]
    return exhausted(
        product(mechanisms(2, 2, 4), posts), lambda c: _no_worse(c[0].after(c[1]), c[0]),
        over="mechanisms of 2 outcomes in quarters, mappings of them to 2 in thirds, lambda 1 and 2",
        shown=("(epsilon, delta)-private", "delta(lambda) does not grow"), proven=True,
    )  # fmt: skip


def _no_worse(after: FiniteMechanism, before: FiniteMechanism) -> bool:
    return all(after.delta(lam=lam) <= before.delta(lam=lam) for lam in (1, 2))


def _drawn(matrix: Matrix) -> list[tuple[Fraction, tuple[int, ...]]]:
    """Every map from inputs to outcomes, with the product of its entries as its weight."""
    maps = product(range(len(matrix[0])), repeat=len(matrix))
    return [(prod((row[s] for row, s in zip(matrix, f, strict=True)), start=Fraction(1)), f) for f in maps]


def _recombined(parts: list[tuple[Fraction, tuple[int, ...]]], matrix: Matrix) -> bool:
    """Whether the maps with these weights make up the matrix, the weights being those of a convex
    combination.
    """
    total = [[Fraction(0)] * len(row) for row in matrix]
    for weight, f in parts:
        for x, s in enumerate(f):
            total[x][s] += weight
    return in_simplex(weight for weight, _ in parts) and tuple(map(tuple, total)) == matrix
