"""The most rounds for a target (epsilon, delta).

The worst delta, for fixed and for adaptive datasets, rises with the number of rounds: to leave one out is
post-processing (proof notes, C14). So there is one threshold.
"""

from __future__ import annotations

from fractions import Fraction

from dpcalc.choose.crossing import Sought, solved, tolerance
from dpcalc.errors import NoSolution
from dpcalc.families.table import family
from dpcalc.mechanisms.mechanism import MOST_ROUNDS, Mechanism
from dpcalc.mechanisms.rounds import Rounds
from dpcalc.numbers.bracket import Bracket
from dpcalc.numbers.limit import Limit, target_delta
from dpcalc.numbers.rational import Number


def most_rounds(
    mechanism: Mechanism,
    *,
    delta: Number,
    lam: Number | None = None,
    epsilon: Number | None = None,
    rtol: Number | None = None,
) -> Bracket:
    """How many times a mechanism may be run on the same people within a budget (epsilon, delta).

    Args:
        mechanism: what is run in every round.
        delta: the budget, 0 < delta < 1.
        lam: lambda = e^epsilon >= 1; give it or
        epsilon: >= 0.
        rtol: relative width to which each end is found, at least 1e-9 (default 1e-3); at least one round.

    Returns:
        A bracket of whole numbers. With ``lower`` rounds (its ``value``) the budget holds, even if later datasets
        depend on earlier counts. With ``upper`` rounds it is broken: by datasets fixed in advance or, for few rounds of
        few records, by a strategy that looks at earlier counts; its ``meaning`` says which.

    Raises:
        DomainError: an argument out of range.
        NoSolution: one round breaks the budget, or the most rounds that ``Rounds`` takes (a million counts) keep it.
        Undecided: the ends of delta leave this open.

    >>> from dpcalc import KRandomization
    >>> most = most_rounds(KRandomization(n=1000, q="1/4"), epsilon=1, delta="1e-6")
    >>> print(f"{most}; {most.upper} are too many")
    41; 42 are too many
    """
    single = family(mechanism)
    limit, target, once = Limit.of(lam=lam, epsilon=epsilon), target_delta(delta), Rounds([mechanism])
    width = tolerance(rtol)
    alone = single.delta(limit, rtol=single.delta_width.of(None))
    if alone.lower > target:
        raise NoSolution(f"one round breaks the budget: delta = {alone}")
    return solved(
        lambda times: (family(Rounds([(mechanism, int(times))])), limit), target,
        Sought(Fraction(MOST_ROUNDS // once.changed), Fraction(1), width, True, "rounds"),
    )  # fmt: skip
