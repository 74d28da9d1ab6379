"""DW, "Differential Privacy": the definition, what it says, and deterministic algorithms."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import chain, product

from dpcalc.claims.cases import event_by_event, events, mechanisms, rows_of
from dpcalc.claims.checking import exhausted, repaired, restricted
from dpcalc.claims.claim import Finding, Ledger, Ruling
from dpcalc.mechanisms.definition import event_criterion
from dpcalc.mechanisms.finite import FiniteMechanism
from dpcalc.mechanisms.mixture import two_coins
from dpcalc.mechanisms.neighbours import histogram_neighbours
from dpcalc.mechanisms.stochastic import deterministic

__all__ = ["ledger"]

ledger = Ledger("DW")

_Histogram = tuple[int, ...]


@ledger.claim(
    "s-dp",
    where="Differential Privacy, the definition",
    says="(epsilon, delta)-privacy: P[M(x) in S] <= e^epsilon P[M(y) in S] + delta for all events S, neighbours x, y.",
    assuming="finitely many outcomes, epsilon >= 0; x and y in both orders, as 'for all' says",
)
def _definition() -> Finding:
    """Of all S, the s with M[x][s] > lambda M[y][s] make P[M(x) in S] - lambda P[M(y) in S] largest.

    So the definition says that the positive terms M[x][s] - lambda M[y][s] sum to at most delta.
    Whether 'subset' includes S = all outcomes does not matter: 1 <= lambda + delta is always so.
    """
    return exhausted(
        product(mechanisms(2, 3, 3), (1, 2), (Fraction(0), Fraction(1, 3))),
        lambda c: event_by_event(*c) == bool(event_criterion(c[0], lam=c[1], delta=c[2]))
        == c[0].is_private(lam=c[1], delta=c[2]).holds == all(s <= c[2] for s in _positive_sums(c[0], c[1])),
        over="mechanisms of 3 outcomes in thirds, lambda 1 and 2, delta 0 and 1/3",
        shown=("every event, both orders", "sum of [M(x)_s - lambda M(y)_s]_+"), proven=True,
    )  # fmt: skip


@ledger.claim(
    "s-deterministic",
    where="Differential Privacy, 'won't a deterministic algorithm do?'",
    says="No nontrivial deterministic algorithm preserves privacy.",
    assuming="nontrivial: not constant; delta < 1",
)
def _deterministic() -> Finding:
    """There are neighbours with M(x) != M(y). The event S = {M(x)} has probability 1 on x and 0 on y.

    So 1 <= e^epsilon * 0 + delta: no epsilon will do with delta < 1. Constant ones leak nothing.
    """
    path = [(0, 1), (1, 2), (2, 3)]
    maps = [FiniteMechanism(deterministic(m, 3), path) for m in product(range(3), repeat=4)]
    return exhausted(
        product(maps, (1, 10**9)), lambda c: c[0].delta(lam=c[1]) == int(len(set(c[0].matrix)) > 1),
        over="maps from 0 to 3 records of one type to 3 outcomes, lambda 1 and 10^9",
        shown=("none", "only with delta = 1"), proven=True,
    )  # fmt: skip


@ledger.claim(
    "s-deterministic-neighbours",
    where="Differential Privacy, proof, first line",
    says="A nontrivial deterministic algorithm has M(x) != M(y) for some x, y at distance at most 1.",
)
def _telling_neighbours() -> Finding:
    """Take x, y with M(x) != M(y) and go from x to y adding or leaving out one record at a time.

    If M never changed on the way it would not differ at the ends: some step, a pair of neighbours,
    changes it.
    """
    histograms = list(product(range(3), range(2)))
    pairs = histogram_neighbours(histograms)
    return exhausted(
        (m for m in product(range(2), repeat=len(histograms)) if len(set(m)) > 1),
        lambda m: any(m[x] != m[y] for x, y in pairs),
        over="maps of the histograms up to (2, 1) that are not constant", shown=("M(x) != M(y)", "M(x) != M(y)"),
        proven=True,
    )  # fmt: skip


@ledger.claim(
    "s-deterministic-differencing",
    where="Differential Privacy, proof, second line",
    says="For a nontrivial deterministic M the differences M(x) - M(y_i), y_i being x without row r_i, give r_i away.",
    script="""
        M = lambda x: min(x[0], 1)  # is there a row of type a? Nontrivial: M((1, 0)) != M((0, 0))
        x, y = (2, 1), {"a": (1, 1), "b": (2, 0)}  # rows a, a, b; x without a row of the type
        c = {kind: M(x) - M(y[kind]) for kind in y}
        assert M((1, 0)) != M((0, 0)) and c["a"] == c["b"] == 0
    """,
)
def _differencing() -> Finding:
    """c_i = M(x) - M(y_i) determines M(y_i), and r_i only if M is one-to-one on the y_i.

    Then M has the inverse asked for. Otherwise rows of different types can have the same c_i. The
    conclusion holds without it: see DW-s-deterministic.
    """
    x, without_a, without_b, empty = (2, 1), (1, 1), (2, 0), (0, 0)
    maps = [dict(zip((x, without_a, without_b, empty), m, strict=True)) for m in product(range(3), repeat=4)]
    return restricted(
        (m for m in maps if len(set(m.values())) > 1), lambda m: m[x] - m[without_a] != m[x] - m[without_b],
        lambda m: len({m[without_a], m[without_b]}) == 2, over="algorithms that are one-to-one on the y_i",
        shown=("c_i determines r_i", "c_i determines M(y_i)"),
        show=lambda m: ", ".join(f"M({y}) = {value}" for y, value in m.items()),
    )  # fmt: skip


@ledger.claim(
    "s-cauchy",
    where="Differential Privacy, after the proof",
    says="Cauchy was the first to define continuity with an epsilon and a delta, and Weierstrass made it popular.",
)
def _cauchy() -> Finding:
    """History, not decided by calculation."""
    return Finding(ruling=Ruling.VACUOUS, said="Cauchy, Weierstrass", exact="not decided by calculation")


# --- what it says -------------------------------------------------------------------------------------------------


@ledger.claim(
    "s-one-entry",
    where="Differential Privacy, after the proof",
    says="||x - y||_1 <= 1 means that one row at most is missing from one of the two databases.",
)
def _one_entry() -> Finding:
    """Whole numbers |x_i - y_i| sum to at most 1 if all are 0, or all but one, which is 1.

    Then y has one row more or one row less. A row that changes its value is left out and added
    again: distance 2.
    """
    grid = list(product(range(4), repeat=2))
    near = set(histogram_neighbours(grid))
    pairs = [(i, j) for i in range(len(grid)) for j in range(i + 1, len(grid))]
    return exhausted(
        pairs, lambda c: (c in near) == (grid[c[0]] in _without_a_row(grid[c[1]])
                                         or grid[c[1]] in _without_a_row(grid[c[0]])),
        over="pairs of histograms over 2 types, up to 3 rows of each",
        shown=("one entry missing", "one row more or less"), proven=True,
    )  # fmt: skip


@ledger.claim(
    "s-every-event",
    where="Differential Privacy, after the proof",
    says="With the outcomes a, b, c, d the inequality is required of every subset, such as {a, b} or {a, c, d}.",
)
def _every_event() -> Finding:
    """So the definition says, and none of the 14 proper subsets T can be left out.

    Let M(x) and M(y) be uniform within T and within the rest, with 1/2 and 1/10 for T. At lambda = 3
    every outcome of T exceeds by 1/(5 |T|), every other by less than 0, so T alone exceeds by 1/5 and
    every other event by at most 2/15; the other way round none exceeds. With delta
    between, T is the one event that is violated. (The empty and the full one never are.)
    """
    proper = events(4)[1:-1]

    def needed(event: tuple[int, ...]) -> bool:
        rows = [_uniform_within(event, Fraction(share)) for share in ("1/2", "1/10")]
        mechanism, delta = FiniteMechanism(rows), Fraction(7, 40)
        violated = [
            (x, s) for x, y in mechanism.ordered() for s in events(4)
            if sum(rows[x][i] for i in s) > 3 * sum(rows[y][i] for i in s) + delta
        ]  # fmt: skip
        found = event_criterion(mechanism, lam=3, delta=delta).witness
        return violated == [(0, event)] and found is not None and tuple(found.outcomes) == event

    return exhausted(
        proper, needed, over="the proper subsets of {a, b, c, d}",
        shown=("every subset of {a, b, c, d}", "none can be left out"), proven=True,
    )  # fmt: skip


@ledger.claim(
    "s-linear-bound",
    where="Differential Privacy, 'This simply implies'",
    says="An outcome's probability is bounded by a linear function of its probability on the altered dataset.",
    assuming="linear: of slope e^epsilon, plus delta",
)
def _linear_bound() -> Finding:
    """A definition; the check tests dpcalc: S = {s}. For delta > 0 it says more than that:
    DW-s-every-event.
    """
    return exhausted(
        product(mechanisms(2, 3, 3), (1, 2)),
        lambda c: c[0].delta(lam=c[1]) >= max(excess for pair in _excesses(*c) for excess in pair),
        over="mechanisms of 3 outcomes in thirds, lambda 1 and 2, the least delta",
        shown=("e^epsilon P[M(y) = s] + delta", "e^epsilon P[M(y) = s] + delta"), proven=True,
    )  # fmt: skip


@ledger.claim(
    "s-not-higher",
    where="Differential Privacy, 'This simply implies'",
    says="The altered dataset should not give a higher probability to any outcome.",
    script="""
        from fractions import Fraction as F
        x, y = (F(3, 4), F(1, 4)), (F(1, 4), F(3, 4))  # randomized response: yes, no
        assert all(a <= 3 * b and b <= 3 * a for a, b in zip(x, y)) and any(b > a for a, b in zip(x, y))
    """,
)
def _not_higher() -> Finding:
    """It may be higher, up to the factor e^epsilon (and delta).

    If no outcome were likelier on y than on x, the rows, which both sum to 1, would be equal: no
    information at all.
    """
    return repaired(
        _private(3), lambda m: all(b <= a for a, b in zip(*m.matrix, strict=True)),
        lambda m: all(b <= 3 * a and a <= 3 * b for a, b in zip(*m.matrix, strict=True)),
        over="(ln 3, 0)-private mechanisms of 2 or 3 outcomes, in quarters", failing=Ruling.REFUTED,
        shown=("P[M(y) = s] <= P[M(x) = s]", "P[M(y) = s] <= e^epsilon P[M(x) = s]"), show=_matrix,
    )  # fmt: skip


@ledger.claim(
    "s-proportional",
    where="Differential Privacy, 'This simply implies'",
    says="The two probabilities are proportional, with the constant e^epsilon.",
    script="""
        from fractions import Fraction as F
        x, y = (F(1, 2), F(1, 4), F(1, 4)), (F(1, 4), F(1, 4), F(1, 2))  # (ln 2, 0)-private
        ratios = [a / b for a, b in zip(x, y)]
        assert max(ratios) == 2 == 1 / min(ratios) and ratios == [2, 1, F(1, 2)]
    """,
)
def _proportional() -> Finding:
    """They are not proportional but bounded: each ratio lies between e^-epsilon and e^epsilon (for
    delta = 0).

    If P[M(x) in S] = e^epsilon P[M(y) in S] for every S, then S = all outcomes gives e^epsilon = 1.
    """
    informative = [m for m in _private(3) if m.lam() > 1]
    return repaired(
        informative, lambda m: all(a == m.lam() * b for a, b in zip(*m.matrix, strict=True)),
        lambda m: all(a <= m.lam() * b and b <= m.lam() * a for a, b in zip(*m.matrix, strict=True)),
        over="(epsilon, 0)-private mechanisms, 0 < epsilon <= ln 3, in quarters", failing=Ruling.REFUTED,
        shown=("P[M(x) in S] = e^epsilon P[M(y) in S]", "at most e^epsilon times"), show=_matrix,
    )  # fmt: skip


def _uniform_within(event: tuple[int, ...], share: Fraction) -> list[Fraction]:
    """The distribution on 4 outcomes that gives the event this probability, uniform within and without."""
    return [share / len(event) if s in event else (1 - share) / (4 - len(event)) for s in range(4)]


def _excesses(mechanism: FiniteMechanism, lam: int) -> Iterator[tuple[Fraction, Fraction]]:
    """What every single outcome exceeds by, in both orders, for two datasets."""
    for a, b in zip(*mechanism.matrix, strict=True):
        yield a - lam * b, b - lam * a


def _positive_sums(mechanism: FiniteMechanism, lam: int) -> tuple[Fraction, Fraction]:
    """The positive excesses, summed, in both orders."""
    forth, back = zip(*_excesses(mechanism, lam), strict=True)
    return sum((max(e, Fraction(0)) for e in forth), Fraction(0)), sum((max(e, Fraction(0)) for e in back), Fraction(0))


def _private(lam: int) -> list[FiniteMechanism]:
    """Randomized response, and all small mechanisms with ratios of at most ``lam``."""
    small = chain(mechanisms(2, 2, 4), mechanisms(2, 3, 4))
    return [two_coins(), *(m for m in small if m.is_private(lam=lam))]


def _matrix(mechanism: FiniteMechanism) -> str:
    return f"M = {rows_of(mechanism.matrix)}"


def _without_a_row(x: _Histogram) -> list[_Histogram]:
    """The histograms of the databases with one row less."""
    return [(*x[:i], count - 1, *x[i + 1 :]) for i, count in enumerate(x) if count]
