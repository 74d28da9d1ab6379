"""A bound that stands in a plan beside the private one; the wing of the documents registers them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from dpcalc.choose.deployment import Deployment
from dpcalc.numbers.bracket import Bracket
from dpcalc.numbers.limit import Limit
from dpcalc.numbers.rational import Number
from dpcalc.privacy.ratio import Outside


@dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    """What a bound asks for.

    Attributes:
        least: the least q for n records of a deployment, the limit and half the notes' window in standard deviations.
        answers: whether it knows the deployment.
        pure: whether no outcome at all breaks the limit at that q: differential privacy with delta = 0.
        remark: what is said under the table of k reports and of how likely an outcome breaks the limit.
    """

    least: Callable[[int, Deployment, Limit, Number], Bracket]
    answers: Callable[[Deployment], bool]
    pure: bool = False
    remark: Callable[[int, Outside], str] | None = None
