r"""A plan: for each number of repeats k, the noise each bound asks for, what it costs and what it really guarantees.

The bounds, weakest protection last but one:

classical   no outcome above lambda                                        (K16, 4.47)
closed      the notes' 3-sigma bound in closed form                        (K16, 4.45, 5.24)
real        the same with the exact ratio at the real end of the window
lattice     the same at the worst integer outcome inside the window
two-sided   the lattice bound for the reciprocal ratio too
private     (epsilon, delta)-differential privacy over every dataset; asked for by giving delta

Only ``classical`` and ``private`` are differential privacy. Beside each q stand the exact probabilities that an outcome
breaks the limit, and the delta that the choice really has at lambda over every dataset.

Source: K16, sections 4.3 and 5.3.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from dpcalc.accuracy.estimator import variance
from dpcalc.choose.bracket import Bracket
from dpcalc.choose.classical import classical_q
from dpcalc.choose.crossing import target_delta
from dpcalc.choose.least import least_q
from dpcalc.choose.local import local_q, local_sigma
from dpcalc.errors import DomainError, NoSolution, TooLarge, Undecided
from dpcalc.mechanisms.response import KRandomization
from dpcalc.numbers.elementary import sqrt
from dpcalc.numbers.enclosure import Enclosure
from dpcalc.numbers.limit import Limit
from dpcalc.numbers.lists import one_or_many
from dpcalc.numbers.rational import Number, integer
from dpcalc.plots import Curve, Panel, draw
from dpcalc.privacy.datasets import Datasets, Delta
from dpcalc.privacy.gaussian import gaussian_sigma
from dpcalc.privacy.ratio import Exceedance, exceedance
from dpcalc.privacy.worst import Progress, largest

__all__ = ["BOUNDS", "Choice", "Plan", "Row", "plan"]

BOUNDS = ("classical", "closed", "real", "lattice", "two-sided", "private")
_LEAST_EXCESS = Fraction(1, 10**50)  # of lambda over 1: below it no float can steer
_RTOL = Fraction(1, 10**5)  # of the worst delta, shown to 4 digits


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """What one bound asks for at one k.

    Attributes:
        bound: its name, see the module.
        q: the least flip probability, with its proofs.
        sigma: the standard deviation of the estimated count at ``q.value``, in records.
        local_epsilon: what one record's reports leak without the pool's protection.
        outside: how likely an outcome breaks the limit, all other records 1.
        delta: the worst delta at lambda over every dataset.
    """

    bound: str
    q: Bracket
    sigma: Enclosure
    local_epsilon: Enclosure
    outside: Exceedance
    delta: Delta

    def to_dict(self) -> dict[str, Any]:
        """For JSON."""
        return {
            "q": self.q.enclosure.to_dict(),
            "sigma": self.sigma.to_dict(),
            "local_epsilon": self.local_epsilon.to_dict(),
            "ratio_exceeds": self.outside.ratio.to_dict(),
            "ratio_exceeds_under_neighbour": self.outside.ratio_neighbour.to_dict(),
            "reciprocal_exceeds": self.outside.reciprocal.to_dict(),
            "reciprocal_exceeds_under_neighbour": self.outside.reciprocal_neighbour.to_dict(),
            "delta_at_lambda": self.delta.to_dict(),
            "worst_dataset_ones": self.delta.dataset.ones,
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One k: the choices by bound, and the reason where a bound has none."""

    k: int
    reports: int
    choices: dict[str, Choice]
    missing: dict[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """The rows of a plan, one per k.

    Attributes:
        n: records.
        limit: lambda.
        delta: the target, or None.
        rows: in the order asked for.
        gaussian: the least sigma of the Gaussian mechanism for (epsilon, delta): the limit of the private column as k
            grows; None without a target.
        best: the k with the least sigma among the private choices within the budget of reports; None without a target
            or if no k fits.
        budget: the largest number of reports allowed for ``best``; None for no limit.
    """

    n: int
    limit: Limit
    delta: Fraction | None
    rows: tuple[Row, ...]
    gaussian: Enclosure | None
    best: int | None
    budget: int | None

    @property
    def bounds(self) -> tuple[str, ...]:
        """The bounds that the rows hold."""
        return BOUNDS if self.delta is not None else BOUNDS[:-1]

    def to_dict(self) -> dict[str, Any]:
        """For JSON: rationals as strings."""
        return {
            "n": self.n,
            "limit": str(self.limit),
            "delta": None if self.delta is None else str(self.delta),
            "gaussian_sigma": self.gaussian and self.gaussian.to_dict(),
            "best_k": self.best,
            "budget": self.budget,
            "rows": [
                {
                    "k": row.k,
                    "reports": row.reports,
                    "bounds": {name: choice.to_dict() for name, choice in row.choices.items()},
                    "missing": row.missing,
                }
                for row in self.rows
            ],
        }

    def plot(self, path: str) -> None:
        """Draw sigma and q against k for every bound.

        Raises:
            DomainError: the file's ending is unknown or it cannot be written.
            DpcalcError: matplotlib is not installed.
        """
        level = None if self.gaussian is None else (float(self.gaussian), "Gaussian mechanism (limit of private)")
        draw(
            [
                Panel(
                    title="Spread of the estimated count",
                    x_label="reports per record k",
                    y_label="sigma (records)",
                    curves=self._curves(lambda choice: float(choice.sigma)),
                    level=level,
                ),
                Panel(
                    title="Flip probability each bound asks for",
                    x_label="reports per record k",
                    y_label="q (probability)",
                    curves=self._curves(lambda choice: float(choice.q)),
                ),
            ],
            path,
            title=self._title(),
        )

    def _title(self) -> str:
        target = "" if self.delta is None else f", delta = {Enclosure.of(self.delta):17}"
        return f"n = {self.n:,} records, {self.limit}{target}"

    def _curves(self, value: Callable[[Choice], float]) -> list[Curve]:
        found = []
        for name in self.bounds:
            rows = sorted((row for row in self.rows if name in row.choices), key=lambda row: row.k)
            if rows:
                points = [value(row.choices[name]) for row in rows]
                found.append(Curve(label=name, x=[row.k for row in rows], y=points))
        return found

    def table(self) -> str:
        """The plan as text; digits are truncated and all certain."""
        panels: list[tuple[str, Callable[[Choice], Enclosure], int]] = [
            ("least flip probability q by each bound", lambda choice: choice.q.enclosure, 6),
            ("sigma of the estimated count, in records", lambda choice: choice.sigma, 6),
            ("local epsilon of one record's reports", lambda choice: choice.local_epsilon, 6),
            ("P[ratio > lambda], all records 1", lambda choice: choice.outside.ratio, 6),
            ("P[1/ratio > lambda], all records 1", lambda choice: choice.outside.reciprocal, 6),
            ("delta at lambda over every dataset", lambda choice: choice.delta, 4),
        ]
        lines = [self._title()]
        for title, value, count in panels:
            lines += ["", title, _line("k", "reports", self.bounds)]
            for row in self.rows:
                cells = [
                    _digits(value(row.choices[name]), count) if name in row.choices else "-" for name in self.bounds
                ]
                lines.append(_line(f"{row.k}", f"{row.reports}", cells))
        return "\n".join([*lines, "", *self._remarks()])

    def _remarks(self) -> list[str]:
        remarks = [
            "Digits are truncated, all are certain: round q up. Only classical and private are differential privacy."
        ]
        first = self.rows[0].choices.get("closed")
        if first:
            inside = (_digits(Enclosure(1 - end.upper, 1 - end.lower), 4) for end in _outside(first))
            remarks.append(
                "The notes say that 99.98 % of outcomes keep the limit at the closed bound (K16, section 4.3); "
                "exact for k = {}: {} for the ratio, {} for its reciprocal.".format(self.rows[0].k, *inside)
            )
        if self.gaussian is not None:
            remarks.append(f"As k grows the private sigma falls towards the Gaussian mechanism's {self.gaussian:6}")
            remarks += self._gains()
        for row in self.rows:
            reasons: dict[str, list[str]] = {}
            for name, reason in row.missing.items():
                reasons.setdefault(reason, []).append(name)
            remarks += [f"k = {row.k}, {', '.join(names)}: {reason}" for reason, names in reasons.items()]
        return remarks

    def _gains(self) -> list[str]:
        private = {row.k: row.choices["private"].sigma for row in self.rows if "private" in row.choices}
        remarks = []
        if 1 in private and len(private) > 1:
            gains = ", ".join(f"{float(private[1]) / float(s):.3f} at k = {k}" for k, s in private.items() if k > 1)
            remarks.append(f"Gain in private sigma against k = 1 (about): {gains}.")
        within = "" if self.budget is None else f" within {self.budget:,} reports"
        remarks.append(f"Best k{within}: {self.best}." if self.best else f"No k asked for fits{within}.")
        return remarks


def _outside(choice: Choice) -> tuple[Enclosure, Enclosure]:
    return choice.outside.ratio, choice.outside.reciprocal


def _line(k: str, reports: str, cells: Sequence[str]) -> str:
    return f"{k:>6} {reports:>10}" + "".join(f" {cell:>13}" for cell in cells)


def _digits(x: Enclosure, count: int) -> str:
    return format(x, str(count)).replace("...", "")


def plan(
    *,
    n: Number,
    lam: Number | None = None,
    epsilon: Number | None = None,
    delta: Number | None = None,
    ks: Number | Sequence[Number] = (1, 2, 5, 10, 20, 50),
    sigmas: Number = 3,
    budget: Number | None = None,
    progress: Progress | None = None,
) -> Plan:
    """What each bound asks for at each k, what it costs in accuracy and what it guarantees.

    Args:
        n: records.
        lam: the ratio limit lambda = e^epsilon > 1; give it or
        epsilon: > 0.
        delta: adds the (epsilon, delta) choice, its Gaussian limit and the best k.
        ks: reports per record, one row each; a single number gives one row.
        sigmas: half the notes' window, in standard deviations.
        budget: the largest number k n of reports that the best k may take.
        progress: called with the share of the work done.

    Raises:
        DomainError: an argument out of range.

    >>> row = plan(n=1000, lam=2, ks=[1]).rows[0]
    >>> print(row.choices["closed"].sigma), print(row.choices["classical"].q)
    3
    1/3
    (None, None)
    """
    records = integer(n, "n", minimum=1)
    limit = Limit.of(lam=lam, epsilon=epsilon)
    if limit.excess < _LEAST_EXCESS:
        name, value, least = ("epsilon", epsilon, 0) if lam is None else ("lam", lam, 1)
        raise DomainError(name, value, f"a number > {least}, by 1e-50 or more")
    target = None if delta is None else target_delta(delta)
    allowed = None if budget is None else integer(budget, "budget", minimum=1)
    repeats = list(dict.fromkeys(integer(k, "k", minimum=1) for k in one_or_many(ks)))
    if not repeats:
        raise DomainError("ks", ks, "at least one number of reports per record")
    rows = []
    for done, k in enumerate(repeats):
        rows.append(_row(records, k, limit, target, sigmas))
        if progress:
            progress((done + 1) / len(repeats))
    fitting = [row for row in rows if "private" in row.choices and (allowed is None or row.reports <= allowed)]
    best = min(fitting, key=lambda row: row.choices["private"].sigma.upper).k if fitting else None
    return Plan(
        n=records,
        limit=limit,
        delta=target,
        rows=tuple(rows),
        gaussian=None if target is None else gaussian_sigma(**limit.argument, delta=target),
        best=best,
        budget=allowed,
    )


def _row(n: int, k: int, limit: Limit, target: Fraction | None, sigmas: Number) -> Row:
    given: dict[str, Any] = {**limit.argument, "k": k}
    window: dict[str, Any] = {"n": n, "sigmas": sigmas, **given}
    solvers: dict[str, Callable[[], Bracket]] = {
        "classical": lambda: classical_q(**given),
        "closed": lambda: local_q(**window, method="closed"),
        "real": lambda: local_q(**window, method="real"),
        "lattice": lambda: local_q(**window, method="lattice"),
        "two-sided": lambda: local_q(**window, method="lattice", sides=2),
    }
    if target is not None:
        solvers["private"] = lambda: least_q(n=n, delta=target, **given)
    choices, missing = {}, {}
    for name, solve in solvers.items():
        try:
            sigma = local_sigma(**given, sigmas=sigmas) if name == "closed" else None
            choices[name] = _choice(name, n, k, solve(), limit, sigma)
        except (NoSolution, TooLarge, Undecided) as error:
            missing[name] = str(error)
    return Row(k=k, reports=k * n, choices=choices, missing=missing)


def _choice(name: str, n: int, k: int, q: Bracket, limit: Limit, sigma: Enclosure | None) -> Choice:
    mechanism, proven = KRandomization(n=n, q=q.value, k=k), q.at_upper
    return Choice(
        bound=name,
        q=q,
        sigma=sigma or sqrt(variance(mechanism)),
        local_epsilon=mechanism.local_epsilon,
        outside=exceedance(mechanism, **limit.argument),
        delta=proven if isinstance(proven, Delta) else largest(Datasets.of(mechanism), limit, rtol=_RTOL),
    )
