"""DW, "Post Processing does not affect the privacy": every step of the proof."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import product

from dpcalc.claims.cases import distributions, events, mechanisms, rows_of
from dpcalc.claims.checking import exhausted, repaired
from dpcalc.claims.claim import Finding, Ledger
from dpcalc.mechanisms.finite import FiniteMechanism
from dpcalc.mechanisms.mixture import composition, mixture, two_coins
from dpcalc.mechanisms.neighbours import distance
from dpcalc.mechanisms.stochastic import Matrix, chained, deterministic, deterministic_parts, in_simplex

__all__ = ["ledger"]

ledger = Ledger("DW")

_HALF, _THIRD = Fraction(1, 2), Fraction(1, 3)


@dataclass(frozen=True, slots=True)
class _Pair:
    """Two mechanisms, and the weights they are combined with."""

    first: FiniteMechanism
    second: FiniteMechanism
    weights: tuple[Fraction, Fraction]

    @property
    def matrix(self) -> Matrix:
        """The combination, entry by entry, whatever the weights are."""
        a, b = self.weights
        rows = zip(self.first.matrix, self.second.matrix, strict=True)
        return tuple(tuple(a * v + b * w for v, w in zip(*pair, strict=True)) for pair in rows)

    @property
    def lam(self) -> Fraction:
        """A lambda with which both are private, delta = 0."""
        return max(self.first.lam(), self.second.lam())

    def __str__(self) -> str:
        (a, b), first, second = self.weights, rows_of(self.first.matrix), rows_of(self.second.matrix)
        return f"weights {a}, {b} of {first} and {second}"


@ledger.claim(
    "s-proof-mixture",
    where="Theorem, proof, first sentence",
    says="A convex combination of (epsilon, delta)-private mechanisms is (epsilon, delta)-private.",
    assuming="weights >= 0 that sum to 1; one mechanism is run, chosen by the weights",
)
def _mixture() -> Finding:
    """The inequalities P_i[x in S] <= lambda P_i[y in S] + delta are multiplied by w_i and added.

    On the right sum_i w_i delta = delta, and no inequality is turned round, as w_i >= 0.
    """
    small = list(mechanisms(2, 2, 2))
    cases = [(_Pair(a, b, (w, 1 - w)), lam) for a, b, w, lam in product(small, small, (_HALF, _THIRD), (1, 2))]
    return exhausted(
        cases, lambda c: _mixed_as_bounded(*c),
        over="pairs of mechanisms of 2 outcomes in halves, weights 1/2 and 1/3, lambda 1 and 2",
        shown=("(epsilon, delta)-private", "(epsilon, delta)-private"), proven=True,
    )  # fmt: skip


@ledger.claim(
    "s-proof-weights",
    where="Theorem, proof, the display of x",
    says="A convex combination is sum_i alpha_i y_i with weights that sum to 1.",
    script="""
        from fractions import Fraction as F
        A, B = [[F(5, 8), F(3, 8)], [F(3, 8), F(5, 8)]], [[F(1, 2), F(1, 2)], [F(1, 2), F(1, 2)]]
        C = [[2 * a - b for a, b in zip(*rows)] for rows in zip(A, B)]  # weights 2 and -1, which sum to 1
        assert C == [[F(3, 4), F(1, 4)], [F(1, 4), F(3, 4)]]  # a mechanism
        assert C[0][0] / C[1][0] == 3 > A[0][0] / A[1][0] == F(5, 3)  # less private than A and than B
    """,
)
def _weights() -> Finding:
    """The weights must be >= 0 as well; else the combination is affine, and the first sentence fails.

    2 A - B can be a mechanism that is less private than A and B.
    """
    return repaired(
        _pairs(), lambda c: FiniteMechanism(c.matrix).is_private(lam=c.lam).holds,
        lambda c: not in_simplex(c.weights) or FiniteMechanism(c.matrix).is_private(lam=c.lam).holds,
        over="pairs of mechanisms, weights that give a mechanism",
        shown=("sum alpha_i = 1", "sum alpha_i = 1 and alpha_i >= 0"),
    )  # fmt: skip


@ledger.claim(
    "s-proof-results",
    where="Theorem, proof, 'If m is one mechanism'",
    says="The convex combination of the results r and r' of two (epsilon, delta)-private mechanisms is so, too.",
    script="""
        from fractions import Fraction as F
        yes, no = F(3, 4), F(1, 4)  # P[report 1] if the truth is 1, and if it is 0: (ln 3, 0)-private
        both_yes, both_no = yes * yes, no * no  # (r + r')/2 = 1: both mechanisms reported 1
        assert both_yes / both_no == 9 > yes / no == 3
        assert (yes + yes) / 2 == 3 * (no + no) / 2  # one of the two results, chosen at random: still 3
    """,
)
def _results() -> Finding:
    """To combine r and r' both mechanisms are run: that is a composition, and its epsilons may add up.

    What keeps epsilon is a combination of the distributions: one of the results, chosen by the
    weights.
    """
    informative = [m for m in mechanisms(2, 2, 4) if all(map(all, m.matrix))]
    cases = [_Pair(two_coins(), two_coins(), (_HALF, _HALF))]
    cases += [_Pair(a, b, (_HALF, _HALF)) for a in informative for b in informative]
    return repaired(
        cases, lambda c: _averaged(c).is_private(lam=c.lam).holds,
        lambda c: mixture([c.first, c.second], c.weights).is_private(lam=c.lam).holds,
        over="pairs of mechanisms of 2 outcomes in quarters, weights 1/2",
        shown=("alpha r + (1 - alpha) r'", "r with probability alpha, else r'"),
        show=lambda c: f"{c}: lambda = {_averaged(c).lam()}, alone {c.lam}",
    )  # fmt: skip


@ledger.claim(
    "s-proof-reduction",
    where="Theorem, proof, 'We will prove'",
    says="If the theorem holds for deterministic mappings, it holds for randomized ones.",
    assuming="finitely many outcomes",
)
def _reduction() -> Finding:
    """With f = sum_i w_i f_i, f after M is sum_i w_i (f_i after M), a matrix product being linear.

    So it is a convex combination of private mechanisms: DW-s-proof-mixture.
    """
    posts = [m.matrix for m in mechanisms(3, 2, 2)]
    return exhausted(
        product(mechanisms(1, 3, 4), posts), lambda c: c[0].after(c[1]).matrix == _mixed_after(*c).matrix,
        over="distributions on 3 outcomes in quarters, mappings of them to 2 in halves",
        shown=("f M = sum w_i f_i M", "f M = sum w_i f_i M"), proven=True,
    )  # fmt: skip


@ledger.claim(
    "s-proof-neighbours",
    where="Theorem, proof, 'fix any neighbouring dataset'",
    says="Neighbouring datasets are those with ||x, y||_1 <= 1.",
    script="""
        x, y = (5, 3), (5, 2)  # one row less
        assert sum(abs(a - b) for a, b in zip(x, y)) == 1 and sum(map(abs, x + y)) == 15
    """,
)
def _neighbours() -> Finding:
    """||x - y||_1 <= 1 is meant. The norm of the pair (x, y) is the number of all rows of both."""
    grid = list(product(range(3), repeat=2))
    cases = [((2, 1), (2, 0)), *product(grid, repeat=2)]
    return repaired(
        cases, lambda c: (sum(map(abs, (*c[0], *c[1]))) <= 1) == _one_row_apart(*c),
        lambda c: (distance(*c) <= 1) == _one_row_apart(*c), over="pairs of histograms up to (2, 2)",
        shown=("||x, y||_1 <= 1", "||x - y||_1 <= 1"), show=lambda c: f"x = {c[0]}, y = {c[1]}",
    )  # fmt: skip


@ledger.claim(
    "s-proof-preimage",
    where="Theorem, proof, first display",
    says="P[f(M(x)) in S] = P[M(x) in T] with T = {r : f(r) in S}.",
    assuming="f deterministic",
)
def _preimage() -> Finding:
    """f(r) is in S exactly when r is in T: the two events are the same. For a random f, T is no event."""
    return exhausted(
        _processed(), lambda c: c.after == sum(c.row[r] for r in c.preimage),
        over="distributions on 3 outcomes in quarters, all maps to 2 outcomes, all events",
        shown=("P[M(x) in T]", "P[M(x) in T]"), proven=True,
    )  # fmt: skip


@ledger.claim(
    "s-proof-bound",
    where="Theorem, proof, second display",
    says="P[M(x) in T] <= e^epsilon P[M(y) in T] + delta.",
    assuming="M is (epsilon, delta)-private",
)
def _bound() -> Finding:
    """A definition; the check tests dpcalc: T is an event of M, x and y are neighbours, delta is
    the least.
    """
    return exhausted(
        product(mechanisms(2, 3, 3), events(3), (1, 2)),
        lambda c: sum(c[0].matrix[0][r] for r in c[1])
        <= c[2] * sum(c[0].matrix[1][r] for r in c[1]) + c[0].delta(lam=c[2]).value,
        over="mechanisms of 3 outcomes in thirds, all events, lambda 1 and 2",
        shown=("e^epsilon P[M(y) in T] + delta", "e^epsilon P[M(y) in T] + delta"), proven=True,
    )  # fmt: skip


@ledger.claim(
    "s-proof-back",
    where="Theorem, proof, third display",
    says="e^epsilon P[M(y) in T] + delta = e^epsilon P[f(M(y)) in S] + delta.",
    assuming="f deterministic",
)
def _back() -> Finding:
    """The first display with y for x, times e^epsilon, plus delta. Tried by way of the complement of S."""
    return exhausted(
        _processed(), lambda c: sum(c.row[r] for r in c.preimage) == 1 - c.complement,
        over="distributions on 3 outcomes in quarters, all maps to 2 outcomes, all events",
        shown=("P[f(M(y)) in S]", "P[f(M(y)) in S]"), proven=True,
    )  # fmt: skip


@dataclass(frozen=True, slots=True)
class _Processed:
    """A distribution on 3 outcomes, a map of them to 2 outcomes, and an event of the latter."""

    row: tuple[Fraction, ...]
    f: tuple[int, ...]
    event: tuple[int, ...]

    @property
    def preimage(self) -> list[int]:
        """T, the outcomes that f sends into the event."""
        return [r for r in range(3) if self.f[r] in self.event]

    @property
    def after(self) -> Fraction:
        """The probability of the event once the outcome has been mapped."""
        [image] = chained((self.row,), deterministic(self.f, 2))
        return sum((image[s] for s in self.event), Fraction(0))

    @property
    def complement(self) -> Fraction:
        """The probability of the other outcomes once the outcome has been mapped."""
        return _Processed(self.row, self.f, tuple({0, 1} - set(self.event))).after


def _processed() -> Iterator[_Processed]:
    return map(_Processed, *zip(*product(distributions(3, 4), product(range(2), repeat=3), events(2)), strict=True))


def _mixed_as_bounded(pair: _Pair, lam: int) -> bool:
    """Whether the mixture is the combination of the rows, and its delta at most the mixture of the
    deltas.
    """
    mixed = mixture([pair.first, pair.second], pair.weights)
    deltas = [mechanism.delta(lam=lam).value for mechanism in (pair.first, pair.second)]
    bound = sum((w * delta for w, delta in zip(pair.weights, deltas, strict=True)), Fraction(0))
    return mixed.matrix == pair.matrix and mixed.delta(lam=lam) <= bound and bound <= max(deltas)


def _pairs() -> Iterator[_Pair]:
    """Pairs of mechanisms and weights that sum to 1, the combination being a mechanism."""
    better, constant = FiniteMechanism([["5/8", "3/8"], ["3/8", "5/8"]]), FiniteMechanism([["1/2", "1/2"]] * 2)
    yield _Pair(better, constant, (Fraction(2), Fraction(-1)))
    small = [m for m in mechanisms(2, 2, 4) if all(map(all, m.matrix))]
    for first, second, a in product(small, small, (Fraction(2), _HALF, _THIRD)):
        pair = _Pair(first, second, (a, 1 - a))
        if all(map(in_simplex, pair.matrix)):
            yield pair


def _averaged(pair: _Pair) -> FiniteMechanism:
    """Both are run, with results r and r' in {0, 1}; only (r + r')/2 is told: 0, 1/2 or 1."""
    return composition([pair.first, pair.second]).after(deterministic((0, 1, 1, 2), 3))


def _mixed_after(mechanism: FiniteMechanism, post: Matrix) -> FiniteMechanism:
    """Each deterministic part of ``post`` after the mechanism, mixed."""
    parts = deterministic_parts(post)
    after = [mechanism.after(deterministic(part.outcomes, len(post[0]))) for part in parts]
    return mixture(after, [part.weight for part in parts])


def _one_row_apart(x: tuple[int, ...], y: tuple[int, ...]) -> bool:
    """Whether the databases are equal, or one has one row more."""
    grown = [(x[0] + i, x[1] + j) for i, j in ((0, 0), (1, 0), (-1, 0), (0, 1), (0, -1))]
    return y in grown
