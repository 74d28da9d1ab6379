"""EC, "Defining differential privacy (DP)": algorithms, neighbours, the definition."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

from dpcalc.claims.cases import event_by_event, mechanisms
from dpcalc.claims.checking import exhausted, restricted
from dpcalc.claims.claim import Finding, Ledger, Ruling
from dpcalc.errors import NoSolution
from dpcalc.mechanisms.criteria import event_criterion, outcome_criterion
from dpcalc.mechanisms.finite import FiniteMechanism
from dpcalc.mechanisms.neighbours import distance, histogram, record_neighbours
from dpcalc.mechanisms.stochastic import deterministic

__all__ = ["ledger"]

ledger = Ledger("EC")

_Data = tuple[int, ...]


@ledger.claim(
    "s-randomized",
    where="Defining differential privacy, 'Given'",
    says="M must be randomized.",
    script="""
        M = lambda x: 0  # the same answer for all data: deterministic
        data = [(0, 0), (0, 1), (1, 0), (1, 1)]
        P = {x: {s: int(M(x) == s) for s in (0, 1)} for x in data}
        assert all(P[x][s] <= P[y][s] for x in data for y in data for s in (0, 1))  # epsilon = 0
    """,
)
def _randomized() -> Finding:
    """If M is deterministic and not constant, some neighbours have different answers: 1 against 0.

    (Any two datasets are joined by changes of one element, so that M changes at one of the steps.) A
    constant M is deterministic and 0-private.
    """
    pairs = record_neighbours(_datasets(2))
    maps = list(product(range(2), repeat=4))
    return restricted(
        maps, lambda m: not _private_at_all(FiniteMechanism(deterministic(m, 2), pairs)), lambda m: len(set(m)) > 1,
        over="algorithms that are not constant", shown=("M must be randomized", "M is randomized or constant"),
        show=lambda m: f"M(x) = {m[0]} for all x: epsilon = 0",
    )  # fmt: skip


@ledger.claim(
    "s-of-algorithm",
    where="Defining differential privacy, 'DP is feature'",
    says="Differential privacy is a property of the algorithm, not of a dataset.",
)
def _of_algorithm() -> Finding:
    """The definition runs over all datasets: what holds around one of them does not decide.

    0 -> (1/2, 1/2), 1 -> (1/2, 1/2), 2 -> (1, 0) on a path of three: around 0 all is equal, around 1
    nothing bounds it.
    """
    half = [Fraction(1, 2)] * 2
    around_0, around_1 = [(0, 1)], [(0, 1), (1, 2)]
    rows = [half, half, [Fraction(1), Fraction(0)]]
    differ = FiniteMechanism(rows, around_0).is_private(lam=1).holds and not _private_at_all(
        FiniteMechanism(rows, around_1)
    )
    return Finding(
        ruling=Ruling.PROVEN if differ else Ruling.REFUTED, said="of the algorithm", exact="all datasets decide",
    )  # fmt: skip


@ledger.claim(
    "s-neighbours",
    where="Def neighbouring datasets",
    says="Datasets of n elements are neighbours if they differ in exactly one element.",
)
def _neighbours() -> Finding:
    """n places, and an unordered pair of values there: n |X|^(n-1) |X| (|X| - 1)/2 pairs.

    Their histograms are at distance 2, not 1: the relation is not that of DW. ('Exactly' or 'at most'
    one makes no difference to privacy, as equal datasets give equal distributions.)
    """
    return exhausted(
        product((1, 2, 3), (2, 3)), lambda c: _as_counted(*c), over="n = 1 to 3 elements, 2 or 3 values",
        shown=("one element differs", "n |X|^n (|X| - 1)/2 pairs"), proven=True,
    )  # fmt: skip


@ledger.claim(
    "s-dp",
    where="Def differential privacy",
    says="epsilon-privacy: P[M(x) in Y'] <= e^epsilon P[M(x') in Y'] for all sets Y' of outcomes and all neighbours.",
    assuming="finitely many outcomes, epsilon >= 0",
)
def _definition() -> Finding:
    """Single outcomes decide: Y' = {s} is a set, and the inequalities of the outcomes of Y' add up."""
    return exhausted(
        product(mechanisms(2, 3, 3), (1, 2)),
        lambda c: event_by_event(*c) == bool(event_criterion(c[0], lam=c[1]))
        == bool(outcome_criterion(c[0], lam=c[1])) == c[0].is_private(lam=c[1]).holds,
        over="mechanisms of 3 outcomes in thirds, lambda 1 and 2", shown=("every set Y'", "every outcome s"),
        proven=True,
    )  # fmt: skip


def _datasets(n: int, values: int = 2) -> list[_Data]:
    return list(product(range(values), repeat=n))


def _private_at_all(mechanism: FiniteMechanism) -> bool:
    """Whether some epsilon will do, with delta = 0."""
    try:
        mechanism.lam()
    except NoSolution:
        return False
    return True


def _as_counted(n: int, values: int) -> bool:
    """Whether the pairs are as many as said, and at distance 2 as histograms."""
    data, kinds = _datasets(n, values), range(values)
    pairs = record_neighbours(data)
    apart = {distance(histogram(data[i], kinds), histogram(data[j], kinds)) for i, j in pairs}
    return 2 * len(pairs) == n * values**n * (values - 1) and apart == {2}
