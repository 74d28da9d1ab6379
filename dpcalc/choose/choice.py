"""What one bound asks for at one k, and the row of all bounds.

The bounds are those of ``choose.plan``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from dpcalc.choose.columns import COLUMNS
from dpcalc.choose.deployment import Deployment
from dpcalc.numbers.bracket import Bracket
from dpcalc.numbers.decimal import rounded, shared_digits
from dpcalc.numbers.enclosure import Enclosure
from dpcalc.privacy.ratio import Outside
from dpcalc.report import plain
from dpcalc.worst.datasets import Delta


def as_printed(q: Fraction) -> str:
    """q rounded up to so many digits that q and 1/2 - q both have six: sigma follows from both.

    >>> as_printed(Fraction(1, 3)), as_printed(Fraction(1, 2) - Fraction(1, 3 * 10**6))
    ('0.333334', '0.499999666667')
    """
    exponents = [shared_digits(x, x, 1)[1] for x in (q, Fraction(1, 2) - q)]
    return rounded(q, 6 + max(0, exponents[0] - exponents[1]), 1)


def bounds() -> tuple[str, ...]:
    """The names of all bounds: the private one, and those of the notes."""
    return ("private", *COLUMNS)


def asked_bounds(deployment: Deployment, delta: Fraction | None, wanted: Sequence[str]) -> tuple[str, ...]:
    """The bounds wanted that apply to the deployment; the private one needs a delta."""
    private = () if delta is None else ("private",)
    known = (*private, *(name for name, column in COLUMNS.items() if column.answers(deployment)))
    return tuple(name for name in known if name in wanted)


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """What one bound asks for at one k.

    Attributes:
        bound: its name, one of ``bounds()``.
        q: the least flip probability, with its proofs.
        printed: the q that is printed, ``q.value`` rounded up: every bound holds at all larger q. What follows is at
            this q.
        sigma: the standard deviation of the estimated count, in records.
        local_epsilon: what one record's reports leak without the pool's protection.
        outside: how likely an outcome breaks the limit, all other records 1 (all their bits, for vectors); None for
            histograms and rounds, and where it is too large to be found.
        delta: the worst delta at lambda over every dataset; None where it is too large to be found.
    """

    bound: str
    q: Bracket
    printed: str
    sigma: Enclosure
    local_epsilon: Enclosure
    outside: Outside | None
    delta: Enclosure | None

    def to_dict(self) -> dict[str, Any]:
        """For JSON."""
        found = {
            "q": plain(self.q.enclosure),
            "printed_q": self.printed,
            "sigma": plain(self.sigma),
            "local_epsilon": plain(self.local_epsilon),
        }
        if self.outside is not None:
            found |= plain(self.outside.to_dict())
        found["delta_at_lambda"] = plain(self.delta)
        if isinstance(self.delta, Delta):
            found["worst_dataset_ones"] = self.delta.dataset.ones
        return found


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One k: the choice of each bound, and why a bound, or a figure of its choice, is missing."""

    k: int
    reports: int
    choices: dict[str, Choice]
    missing: dict[str, str]

    def to_dict(self) -> dict[str, Any]:
        """For JSON."""
        bounds = {name: choice.to_dict() for name, choice in self.choices.items()}
        return {"k": self.k, "reports": self.reports, "bounds": bounds, "missing": self.missing}


def fits(row: Row, budget: int | None, max_local_epsilon: Fraction | None) -> bool:
    """Whether the row has a private choice within these limits."""
    private = row.choices.get("private")
    return (
        private is not None
        and (budget is None or row.reports <= budget)
        and (max_local_epsilon is None or private.local_epsilon.upper <= max_local_epsilon)
    )
