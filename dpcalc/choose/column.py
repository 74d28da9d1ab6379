"""A bound that stands in a plan beside the private one; the wing of the documents registers them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from dpcalc.choose.deployment import Deployment
from dpcalc.numbers.bracket import Bracket
from dpcalc.numbers.enclosure import Enclosure
from dpcalc.numbers.limit import Limit
from dpcalc.numbers.rational import Number


class Outside(Protocol):
    """How likely an outcome breaks the limit, by its ratio or the reciprocal, on a dataset and on its neighbour."""

    @property
    def ratio(self) -> Enclosure: ...  # noqa: D102

    @property
    def ratio_neighbour(self) -> Enclosure: ...  # noqa: D102

    @property
    def reciprocal(self) -> Enclosure: ...  # noqa: D102

    @property
    def reciprocal_neighbour(self) -> Enclosure: ...  # noqa: D102


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
