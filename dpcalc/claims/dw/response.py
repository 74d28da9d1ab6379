"""DW, "The Randomized Response": two coins, and the epsilon they have."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import prod

from sympy import Rational, log

from dpcalc import symbolic
from dpcalc.claims.cases import events, mechanisms
from dpcalc.claims.checking import equal, exhausted, identity, repaired
from dpcalc.claims.claim import Finding, Ledger, Ruling
from dpcalc.mechanisms.definition import event_criterion
from dpcalc.mechanisms.finite import Event, FiniteMechanism
from dpcalc.mechanisms.mixture import two_coins
from dpcalc.mechanisms.neighbours import distance, histogram, record_neighbours
from dpcalc.mechanisms.response import RandomizedResponse

__all__ = ["ledger"]

ledger = Ledger("DW")

_ANSWERS = ("yes", "no")


@ledger.claim(
    "s-rr-distance",
    where="The Randomized Response, 'Here if we take'",
    says="A dataset in which one answer is changed from yes to no is at distance one.",
    script="""
        x, y = (1, 0), (0, 1)  # histograms (yes, no): one yes becomes a no
        assert sum(abs(a - b) for a, b in zip(x, y)) == 2
    """,
)
def _changed_answer() -> Finding:
    """The yes is left out and a no is added: the histograms differ by 1 in two places.

    So the neighbours of this section, where one answer changes and n is fixed, are not those of the
    definition, ||x - y||_1 <= 1. Under the latter one row less is one report less, which anyone can
    count: not private at all.
    """
    datasets = [("yes", *others) for size in (0, 1, 2) for others in product(_ANSWERS, repeat=size)]
    return repaired(
        datasets, lambda answers: _change(answers) == 1, lambda answers: _change(answers) == 2,
        over="datasets of 1 to 3 answers, one of them changed", shown=("distance 1", "distance 2"),
        show=lambda answers: f"({', '.join(answers)}), the first changed: distance {_change(answers)}",
    )  # fmt: skip


@ledger.claim(
    "s-rr-yes-yes",
    where="The Randomized Response, 'now the probability'",
    says="Who would honestly say yes says yes with probability 3/4.",
)
def _yes_to_yes() -> Finding:
    """Of the four tosses of two fair coins, two demand the truth, and of the other two one says yes."""
    return equal(Fraction(3, 4), _tossed("yes", "yes"), over="two fair coins")


@ledger.claim(
    "s-rr-yes-no",
    where="The Randomized Response, 'similarly'",
    says="Who would honestly say no says yes with probability 1/4.",
)
def _no_to_yes() -> Finding:
    """Of the four tosses of two fair coins one says yes: the first for chance, the second for yes."""
    return equal(Fraction(1, 4), _tossed("no", "yes"), over="two fair coins")


@ledger.claim(
    "s-rr-ratio",
    where="The Randomized Response, the display",
    says="Privacy means that P[M(x) in S] / P[M(y) in S] is at most e^epsilon.",
    assuming="delta = 0 and P[M(y) in S] > 0, as for every event but the empty one here",
)
def _ratio() -> Finding:
    """The definition with delta = 0, divided by P[M(y) in S]. The empty event, 0/0, needs no condition."""
    positive = [m for m in mechanisms(2, 3, 5) if all(min(row) > 0 for row in m.matrix)]
    return exhausted(
        product(positive, (1, 2, 3)),
        lambda c: all(ratio <= c[1] for ratio in _ratios(c[0])) == bool(event_criterion(c[0], lam=c[1])),
        over="mechanisms of 3 possible outcomes in fifths, lambda 1, 2 and 3",
        shown=("ratio <= e^epsilon", "ratio <= e^epsilon"), proven=True,
    )  # fmt: skip


@ledger.claim(
    "s-rr-product",
    where="The Randomized Response, 'therefore'",
    says="3/4 * 1/4 = 3.",
    script="""
        from fractions import Fraction as F
        assert F(3, 4) * F(1, 4) == F(3, 16) and F(3, 4) / F(1, 4) == 3
    """,
)
def _product() -> Finding:
    """The formula above it asks for the quotient, and the value 3 is that of the quotient."""
    coins = two_coins()
    yes, no = coins.matrix[0][0], coins.matrix[1][0]
    largest = max(_ratios(coins))
    if largest != yes / no:
        raise ArithmeticError(f"the largest ratio is {largest}")
    right = yes * no == largest
    return Finding(
        ruling=Ruling.HOLDS if right else Ruling.CORRECTED, said="3/4 * 1/4 = 3", exact=f"3/4 / (1/4) = {yes / no}",
        over="two fair coins", witness="" if right else f"{yes} * {no} = {yes * no}",
    )  # fmt: skip


@ledger.claim(
    "s-rr-ln-3",
    where="The Randomized Response, 'thus we have'",
    says="e^epsilon = 3, that is epsilon = ln 3.",
)
def _epsilon() -> Finding:
    """The least lambda of the two coins is 3. The closed form is k L log(p/q), k = L = 1, q = 1/4."""
    quarter = Rational(1, 4)
    noise = symbolic.classical_q().subs({symbolic.lam: 3, symbolic.k: 1, symbolic.L: 1})
    found = (two_coins().lam(), RandomizedResponse(quarter).odds, 1 / noise - 1)
    if any(odds != 3 for odds in found):
        return equal(3, found)
    return identity(log(3), symbolic.local_epsilon().subs({symbolic.k: 1, symbolic.L: 1, symbolic.q: quarter}), at={})


@ledger.claim(
    "s-rr-private",
    where="The Randomized Response, 'Hence'",
    says="Randomized response is (ln 3, 0)-differentially private.",
    assuming="n fixed, neighbours differ in one answer (DW-s-rr-distance)",
)
def _private() -> Finding:
    """Reports are independent: in the ratio of an outcome the factors of unchanged answers cancel.

    What is left is (3/4)/(1/4) = 3 or (1/4)/(3/4) = 1/3, for the report no just as for yes: at most 3
    for every outcome, hence for every sum of outcomes. Not less, as 3 occurs.
    """
    return exhausted(
        (1, 2, 3), lambda n: _reports(n).lam() == 3 and all(r <= 3 for r in _outcome_ratios(_reports(n))),
        over="n = 1 to 3 answers, every outcome, both orders", shown=("(ln 3, 0)", "(ln 3, 0), and not less"),
        proven=True,
    )  # fmt: skip


def _change(answers: tuple[str, ...]) -> int:
    """The distance of the dataset from itself with the first answer changed to no."""
    return distance(histogram(answers, _ANSWERS), histogram(("no", *answers[1:]), _ANSWERS))


def _tossed(honest: str, reported: str) -> Fraction:
    """The probability of a report, by tossing: the first coin for the truth or chance, the second for the chance."""
    tosses = list(product((True, False), _ANSWERS))
    return Fraction(sum((honest if truthful else chance) == reported for truthful, chance in tosses), len(tosses))


def _reports(n: int) -> FiniteMechanism:
    """Everyone's report, from everyone's answer; neighbours differ in one answer."""
    datasets = list(product(_ANSWERS, repeat=n))
    return FiniteMechanism(
        [[prod(map(_tossed, honest, reported)) for reported in datasets] for honest in datasets],
        record_neighbours(datasets),
    )


def _ratios(mechanism: FiniteMechanism) -> list[Fraction]:
    """P[M(x) in S] / P[M(y) in S] of every event but the empty one, both orders."""
    chances = [
        Event.of(mechanism.matrix, x, y, event)
        for x, y in mechanism.ordered()
        for event in events(len(mechanism.matrix[0]))[1:]
    ]
    return [event.probability / event.neighbour_probability for event in chances]


def _outcome_ratios(mechanism: FiniteMechanism) -> list[Fraction]:
    rows = mechanism.matrix
    return [a / b for x, y in mechanism.ordered() for a, b in zip(rows[x], rows[y], strict=True)]
