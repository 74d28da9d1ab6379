"""EC, "Defining differential privacy (DP)": algorithms, neighbours, the definition."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

from dpcalc.claims.cases import distributions, event_by_event, mechanisms
from dpcalc.claims.checking import exhausted
from dpcalc.claims.claim import Finding, Ledger
from dpcalc.errors import NoSolution
from dpcalc.mechanisms.definition import event_criterion, outcome_criterion
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
    assuming="M is not constant",
)
def _randomized() -> Finding:
    """If M is deterministic and not constant, some neighbours have different answers: 1 against 0.

    (Any two datasets are joined by changes of one element, so that M changes at one of the steps.)
    Proven for every M that is not constant; a constant one is deterministic and 0-private, and of no
    use. Tried: of the deterministic M the constant ones are private, and no others.
    """
    pairs = record_neighbours(_datasets(2))
    return exhausted(
        product(range(2), repeat=4),
        lambda m: _private_at_all(FiniteMechanism(deterministic(m, 2), pairs)) == (len(set(m)) == 1),
        over="deterministic algorithms of two bits with two answers",
        shown=("M must be randomized", "randomized, or constant"), proven=True,
    )  # fmt: skip


@ledger.claim(
    "s-of-algorithm",
    where="Defining differential privacy, 'DP is feature'",
    says="Differential privacy is a property of the algorithm, not of a dataset.",
    assuming="at least two possible answers",
)
def _of_algorithm() -> Finding:
    """The definition runs over all datasets, and what M does on one of them decides nothing.

    Let M(x) have any distribution P. The algorithm that answers with P whatever the data is 0-private,
    and the one that answers with P on x only is not private if it always gives an answer s elsewhere
    for which P(s) < 1: another answer is then possible on x and impossible on a neighbour.
    """
    datasets = range(len(_datasets(2)))
    pairs = record_neighbours(_datasets(2))

    def undecided(case: tuple[int, tuple[Fraction, ...]]) -> bool:
        x, row = case
        other = [Fraction(int(s == row.index(min(row)))) for s in range(len(row))]
        constant = FiniteMechanism([row for _ in datasets], pairs)
        changed = FiniteMechanism([row if y == x else other for y in datasets], pairs)
        return constant.is_private(lam=1).holds and not _private_at_all(changed)

    return exhausted(
        product(datasets, distributions(3, 3)), undecided,
        over="datasets of two bits, distributions of three answers in thirds",
        shown=("of the algorithm", "no row of M decides, for any dataset"), proven=True,
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
