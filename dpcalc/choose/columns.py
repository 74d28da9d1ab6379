"""The notes' bounds, as columns of a plan.

classical   no outcome above lambda                                        (K16, 4.47)
closed      the notes' 3-sigma bound, all records 1, in closed form        (K16, 4.45, 5.24)
real        the same with the exact ratio at the real end of the window
lattice     the same at the worst integer outcome inside the window
two-sided   the lattice bound for the reciprocal ratio too
every       that for every dataset, each in its own window; where the search takes long the product bound, which is
            proven for every dataset, too
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from dpcalc.choose.deployment import Deployment
from dpcalc.errors import Undecided
from dpcalc.local.bound import classical_q, local_q, over_every_dataset
from dpcalc.numbers.bracket import Bracket
from dpcalc.numbers.limit import Limit
from dpcalc.privacy.ratio import Outside
from dpcalc.report import digits

_STEPS = 500_000  # of the search over every dataset: a second


@dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    """What a bound asks for.

    Attributes:
        least: the least q for n records of a deployment, the limit and half the notes' window in standard deviations.
        answers: whether it knows the deployment.
        pure: whether no outcome at all breaks the limit at that q: differential privacy with delta = 0.
        remark: what is said under the table of k reports and of how likely an outcome breaks the limit.
    """

    least: Callable[[int, Deployment, Limit, Fraction], Bracket]
    answers: Callable[[Deployment], bool]
    pure: bool = False
    remark: Callable[[int, Outside], str] | None = None


def _classical(n: int, asked: Deployment, limit: Limit, window: Fraction) -> Bracket:
    return classical_q(**limit.argument, k=asked.exposed)


def _local(**more: Any) -> Callable[[int, Deployment, Limit, Fraction], Bracket]:
    """``local_q``, by a method."""

    def least(n: int, asked: Deployment, limit: Limit, window: Fraction) -> Bracket:
        given: dict[str, Any] = {**limit.argument, **more}
        return local_q(n=n, k=asked.k, bits=asked.bits, sigmas=window, **given)

    return least


def _every(n: int, asked: Deployment, limit: Limit, window: Fraction) -> Bracket:
    with suppress(Undecided):
        return over_every_dataset(n, asked.k, limit, window, sides=2, most=_STEPS)
    return _local(dataset="every", sides=2, method="product")(n, asked, limit, window)


def _single_bit(asked: Deployment) -> bool:
    return asked.single_bit


def _closed_claim(k: int, outside: Outside) -> str:
    """How many outcomes keep the limit at the closed bound, as the notes have it and as it is."""
    inside = (digits(1 - chance, 4) for chance in (outside.ratio, outside.reciprocal))
    return (
        "The notes say that 99.98 % of outcomes keep the limit at the closed bound (K16, section 4.3); "
        "exact for k = {}: {} for the ratio, {} for its reciprocal.".format(k, *inside)
    )


#: In the order in which a plan shows them. The notes look at one count; K16 stops before the other bounds for vectors
#: in 6.1.2.
COLUMNS = {
    "classical": Column(least=_classical, answers=lambda asked: True, pure=True),
    "closed": Column(
        least=_local(method="closed"),
        answers=lambda asked: asked.single_bit or asked.bits > 1,
        remark=_closed_claim,
    ),
    "real": Column(least=_local(method="real"), answers=_single_bit),
    "lattice": Column(least=_local(method="lattice"), answers=_single_bit),
    "two-sided": Column(least=_local(method="lattice", sides=2), answers=_single_bit),
    "every": Column(least=_every, answers=_single_bit),
}
