r"""Asymmetric reports for a target (epsilon, delta): one of the chances a and b is sought, which determines the other.

Flipping every report of the count once more, a 1 into a 1 with probability r and a 0 into a 1 with probability s, is
post-processing, and gives every (a', b') = r (a, b) + s (1 - a, 1 - b). For b' <= a' these are the chances with

    a'/b' <= a/b    and    (1 - b')/(1 - a') <= (1 - b)/(1 - a),                                                (1)

so that the worst delta rises in both local ratios (proof notes, A4), in one round and in several (A5). Hence it is
monotone

*with a fixed*      in b: as b rises to a both ratios fall, ``least_b``.
*with a/b fixed*    in a: as a falls the other ratio falls, ``most_a``, arm "ones". Of the (a, b) of one local epsilon
                    these are the ones with a/b = e^epsilon, from a = 0 up to the symmetric pair.
*with (1-b)/(1-a)*  fixed, in 1 - b: arm "zeros", the same with both bits exchanged: the other (a, b) of one local
                    epsilon. Both arms end at the symmetric pair, which has the largest delta of them all.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from dpcalc.choose.crossing import Sought, solved, tolerance
from dpcalc.choose.deployment import Deployment
from dpcalc.families.table import family
from dpcalc.numbers.bracket import Bracket
from dpcalc.numbers.limit import Limit, target_delta
from dpcalc.numbers.lists import one_of
from dpcalc.numbers.rational import Number, between

_LEAST = Fraction(1, 10**300)  # next to where doubles end
_BESIDE = 1 - Fraction(1, 10**12)  # the search stops at this share of the largest parameter

#: (a, b) at a value of the parameter.
_Chances = Callable[[Fraction], tuple[Fraction, Fraction]]


def least_b(
    n: Number, *, a: Number, delta: Number, lam: Number | None = None, epsilon: Number | None = None, k: Number = 1,
    rounds: Number = 1, categories: Number | None = None, neighbours: str = "replace", rtol: Number = "1e-3",
) -> Bracket:  # fmt: skip
    """The least b at which asymmetric bits with this a are (epsilon, delta)-differentially private.

    Args:
        n: records of honest users.
        a: the chance that a report is 1 if the bit is 1, 1e-100 < a < 1; 1/2 is optimized unary encoding.
        delta: the target, 0 < delta < 1.
        lam: lambda = e^epsilon >= 1; give it or
        epsilon: >= 0.
        k: reports per bit.
        rounds: how many times all records report; their data may differ every time. With more than 10,000 users several
            rounds take minutes.
        categories: of a one-hot histogram; default: each record is a single bit.
        neighbours: of a histogram: "replace" or "delete".
        rtol: relative width of the bracket, at least 1e-9.

    Returns:
        A bracket: at ``lower`` one dataset's delta is above the target, or that of a strategy that looks at earlier
        counts (its ``meaning`` says which); from ``upper`` up to a no dataset's is.

    Raises:
        DomainError: an argument out of range.
        NoSolution: the target already holds at b = 1e-300, or fails even next to a.
        Undecided: no bracket of this width was found.

    >>> print(least_b(n=1000, a="1/2", epsilon=1, delta="1e-6"))
    0.00282...
    """
    likely = between(a, "a", "1e-100", 1, "a probability")
    return _solved(
        lambda b: (likely, b), _LEAST, _BESIDE * likely, n=n, delta=delta, lam=lam, epsilon=epsilon, rtol=rtol,
        k=k, rounds=rounds, categories=categories, neighbours=neighbours,
    )  # fmt: skip


def most_a(
    n: Number, *, ratio: Number, delta: Number, lam: Number | None = None, epsilon: Number | None = None,
    arm: str = "ones", k: Number = 1, rounds: Number = 1, categories: Number | None = None,
    neighbours: str = "replace", rtol: Number = "1e-3",
) -> Bracket:  # fmt: skip
    """The largest a, or 1 - b, that keeps the target, for asymmetric bits with a given a/b, or (1 - b)/(1 - a).

    Args:
        n: records of honest users.
        ratio: a/b or (1 - b)/(1 - a), as ``arm`` says, above 1; the larger of the two is e^(local epsilon).
        delta: the target, 0 < delta < 1.
        lam: lambda = e^epsilon >= 1; give it or
        epsilon: >= 0.
        arm: "ones": a/b is the ratio, and a is sought; "zeros": (1 - b)/(1 - a) is, and 1 - b is sought.
        k: reports per bit.
        rounds: how many times all records report; their data may differ every time. With more than 10,000 users several
            rounds take minutes.
        categories: of a one-hot histogram; default: each record is a single bit.
        neighbours: of a histogram: "replace" or "delete".
        rtol: relative width of the bracket, at least 1e-9.

    Returns:
        A bracket: up to ``lower`` no dataset's delta is above the target; at ``upper`` one is.

    Raises:
        DomainError: an argument out of range.
        NoSolution: the target holds even next to 1, or fails even at 1e-300.
        Undecided: no bracket of this width was found.

    >>> print(most_a(n=1000, ratio=3, epsilon="1/2", delta="1e-6"))
    0.964...
    """
    largest = between(ratio, "ratio", 1, 10**18, "a ratio")
    ones = one_of(arm, "arm", ("ones", "zeros")) == "ones"

    def chances(x: Fraction) -> tuple[Fraction, Fraction]:
        return (x, x / largest) if ones else (1 - x / largest, 1 - x)

    return _solved(
        chances, _BESIDE, _LEAST, n=n, delta=delta, lam=lam, epsilon=epsilon, rtol=rtol,
        k=k, rounds=rounds, categories=categories, neighbours=neighbours,
    )  # fmt: skip


def _solved(
    chances: _Chances, failing: Fraction, holding: Fraction, *, n: Number, delta: Number, lam: Number | None,
    epsilon: Number | None, rtol: Number, **collected: Any,
) -> Bracket:  # fmt: skip
    limit, target, width = Limit.of(lam=lam, epsilon=epsilon), target_delta(delta), tolerance(rtol)
    asked = Deployment.of(**collected)
    return solved(
        lambda x: (family(asked.asymmetric(n, chances(x))), limit), target, Sought(failing, holding, width)
    )  # fmt: skip
