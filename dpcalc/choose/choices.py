"""A plan: a choice for each bound and each k, and how the whole is shown."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dpcalc.choose.collected import is_bit
from dpcalc.mechanisms.mechanism import Mechanism
from dpcalc.mechanisms.response import KRandomization
from dpcalc.mechanisms.unary import UnaryEncoding
from dpcalc.numbers.bracket import Bracket
from dpcalc.numbers.decimal import plural, rounded, shared_digits
from dpcalc.numbers.enclosure import Enclosure
from dpcalc.numbers.limit import Limit
from dpcalc.numbers.promise import double_beyond
from dpcalc.privacy.cautions import cautions
from dpcalc.privacy.ratio import Outside
from dpcalc.report import Tabled, aligned, digits, exactly, plain
from dpcalc.worst.datasets import Delta

if TYPE_CHECKING:
    from dpcalc.plots import Panel

PROMISES = {"private", "classical"}  #: bounds that are differential privacy; others look at outcomes in a window only
_NEAR = Fraction(105, 100)  # times the least sigma: hardly worse than it


def as_printed(q: Fraction) -> str:
    """q rounded up to so many digits that q and 1/2 - q both have six: sigma follows from both.

    >>> as_printed(Fraction(1, 3)), as_printed(Fraction(1, 2) - Fraction(1, 3 * 10**6))
    ('0.333334', '0.499999666667')
    """
    exponents = [shared_digits(x, x, 1)[1] for x in (q, Fraction(1, 2) - q)]
    return rounded(q, 6 + max(0, exponents[0] - exponents[1]), 1)


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """What one bound asks for at one k.

    Attributes:
        bound: its name, one of ``choose.plan.COLUMNS``.
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


#: The panels of the table: title (``Plan.panels`` fills in the braces), the figure of a choice, its digits.
_PANELS: tuple[tuple[str, Callable[[Choice], Enclosure | None], int], ...] = (
    ("sigma of {count}{unit}", lambda choice: choice.sigma, 6),
    ("local epsilon of one record's reports{all}", lambda choice: choice.local_epsilon, 6),
    ("P[ratio > lambda], all records 1", lambda choice: choice.outside.ratio if choice.outside else None, 6),
    ("P[1/ratio > lambda], all records 1", lambda choice: choice.outside.reciprocal if choice.outside else None, 6),
    ("delta at lambda over every dataset{all}", lambda choice: choice.delta, 4),
)


def _cell(value: Callable[[Choice], Enclosure | None], count: int, choice: Choice) -> str:
    found = value(choice)
    return "-" if found is None else format(found, f".{count}g")


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Plan(Tabled):
    """The rows of a plan, one per k.

    Attributes:
        n: records of honest users.
        limit: lambda.
        delta: the target, or None.
        deployment: what is collected, and how often; its q and k do not matter.
        numbers: whether the bit is a number from 0 to 1, rounded at random.
        rows: in the order asked for.
        gaussian: the least sigma of the Gaussian mechanism for (epsilon, delta), to which the least private sigma tends
            as k grows (``privacy.gaussian``); None without a target.
        budget: the largest number of reports of a choice that fits; None for no limit.
        max_local_epsilon: its largest local epsilon; None for no limit.
        bounds: the names of the bounds in the rows.
    """

    n: int
    limit: Limit
    delta: Fraction | None
    deployment: Mechanism
    numbers: bool
    rows: tuple[Row, ...]
    gaussian: Enclosure | None
    budget: int | None
    max_local_epsilon: Fraction | None
    bounds: tuple[str, ...]

    def fitting(self) -> tuple[Row, ...]:
        """The rows whose private choice is within the budget and ``max_local_epsilon``."""
        most = math.inf if self.max_local_epsilon is None else self.max_local_epsilon
        return tuple(
            row
            for row in self.rows
            if "private" in row.choices
            and row.reports <= (self.budget or row.reports)
            and row.choices["private"].local_epsilon.upper <= most
        )

    @property
    def best(self) -> int | None:
        """The k with the least sigma among the private choices that fit; None without a target or if no k fits."""
        private = {row.k: row.choices["private"].sigma.upper for row in self.fitting()}
        return min(private, key=lambda k: private[k], default=None)

    @property
    def recommended_k(self) -> int | None:
        """The least k that fits with a sigma at most 5 % above that of ``best``; None if no k fits."""
        private = {row.k: row.choices["private"].sigma for row in self.fitting()}
        best = self.best
        return best and min([k for k in private if private[k].upper <= _NEAR * private[best].lower], default=best)

    @property
    def recommended(self) -> Choice | None:
        """The private choice at the recommended k."""
        return self._private(self.recommended_k)

    @property
    def warnings(self) -> tuple[str, ...]:
        """The reasons why the promise means little, a line each; none without a target."""
        if self.delta is None:
            return ()
        leaked = None if self.recommended is None else self.recommended.local_epsilon
        return cautions(n=self.n, limit=self.limit, delta=self.delta, local_epsilon=leaked)

    def _private(self, k: int | None) -> Choice | None:
        return next((row.choices["private"] for row in self.rows if row.k == k), None)

    def to_dict(self) -> dict[str, Any]:
        """For JSON."""
        return {
            "n": self.n,
            "limit": str(self.limit),
            "delta": plain(self.delta),
            **({} if is_bit(self.deployment) else {"rounds": self.rounds, **self.shape}),
            **({"numbers": True} if self.numbers else {}),
            "gaussian_sigma": plain(self.gaussian),
            "recommended_k": self.recommended_k,
            "recommended_q": self.recommended and self.recommended.printed,
            "best_k": self.best,
            "budget": self.budget,
            "max_local_epsilon": plain(self.max_local_epsilon),
            **({"warnings": list(self.warnings)} if self.warnings else {}),
            "rows": [row.to_dict() for row in self.rows],
        }

    def table(self) -> str:
        """The plan as text; every figure is rounded up."""
        warned = [f"warning: {line}" for line in self.warnings]
        advice = [] if self.delta is None else [*self.recommendation(), *warned, ""]
        return "\n".join([*advice, self.panels(), "", *self.remarks()])

    def panels(self) -> str:
        """The tables alone."""
        units = {"count": self.one_count, "all": self.together, "unit": self.unit and f", in {self.unit}"}
        flipped = " of every category's bit" if "categories" in self.shape else " of every bit" if self.shape else ""
        always = " in every round," if self.rounds > 1 else ""
        q = f"least flip probability q{flipped}{always} by each bound, rounded up"
        lines = [self.title(), "", q, *aligned(list(self._panel(lambda choice: choice.printed)), right=True)]
        for title, value, count in _PANELS:
            if any(value(choice) is not None for row in self.rows for choice in row.choices.values()):
                shown = aligned(list(self._panel(partial(_cell, value, count))), right=True)
                lines += ["", title.format(**units), *shown]
        return "\n".join(lines)

    def to_frame(self) -> Any:
        """A pandas data frame, one line for each k and bound: q as printed, the rest to a double, delta rounded up.

        Raises:
            ModuleNotFoundError: pandas is not installed.
        """
        import pandas as pd

        lines = [
            {
                "k": row.k,
                "reports": row.reports,
                "bound": name,
                "q": float(choice.printed),
                "sigma": float(choice.sigma),
                "local_epsilon": float(choice.local_epsilon),
                "delta": math.nan if choice.delta is None else double_beyond(choice.delta.upper, 1),
            }
            for row in self.rows
            for name, choice in row.choices.items()
        ]
        return pd.DataFrame(lines)

    def plot(self, path: str | Path) -> None:
        """Draw sigma, q and the local epsilon against k for every bound, the recommended and the best k marked.

        Raises:
            DomainError: the file's ending is unknown or it cannot be written.
            DpcalcError: matplotlib is not installed.
        """
        from dpcalc.plots import draw

        draw(self.picture(), path, title=self.title())

    def picture(self) -> Sequence[Panel]:
        """The frames of that drawing."""
        from dpcalc.choose.page import picture

        return picture(self)

    def title(self) -> str:
        """What was asked."""
        target = "" if self.delta is None else f", delta = {Enclosure.of(self.delta):17}"
        return f"n = {plural(self.n, 'record')}{', '.join(['', *self.collected])}, {self.limit}{target}"

    # --- what is collected, in words ------------------------------------------------------------------------

    @property
    def rounds(self) -> int:
        """How many times everybody reports."""
        return self.deployment.kinds[0][1]

    @property
    def shape(self) -> dict[str, Any]:
        """What a record is, if it is more than a bit."""
        match self.deployment.kinds[0][0]:
            case UnaryEncoding(categories=categories, ones=ones, neighbours=neighbours):
                return {"categories": categories, "ones": ones, "neighbours": neighbours}
            case KRandomization(bits=bits) if bits > 1:
                return {"bits": bits}
        return {}

    @property
    def collected(self) -> list[str]:
        """What a record is, and how often it is reported; nothing of a bit that is reported once."""
        words, shape = [], self.shape
        if "categories" in shape:
            held = "one" if shape["ones"] == 1 else shape["ones"]
            words.append(f"{held}-hot histogram of {shape['categories']} categories ({shape['neighbours']})")
        if "bits" in shape:
            words.append(f"{shape['bits']} bits each")
        if self.numbers:
            words.append("a number from 0 to 1 rounded at random")
        if self.rounds > 1:
            words.append(f"{self.rounds:,} rounds")
        return words

    @property
    def one_count(self) -> str:
        """The count whose standard deviation sigma is."""
        owner = "a category's" if "categories" in self.shape else "one bit's" if self.shape else "the"
        counted = "the estimated sum of numbers from 0 to 1" if self.numbers else f"{owner} estimated count"
        return f"{counted} in one round" if self.rounds > 1 else counted

    @property
    def unit(self) -> str:
        """The unit of sigma; sums of numbers have none."""
        return "" if self.numbers else "records"

    @property
    def together(self) -> str:
        """What a promise covers, if there is more than one round."""
        return f", all {self.rounds:,} rounds together" if self.rounds > 1 else ""

    def _panel(self, cell: Callable[[Choice], str]) -> Iterator[list[str]]:
        """The heading and the rows of a panel; wide headings let the columns of all panels stand under each other."""
        yield [f"{'k':>6}", f"{'reports':>9}", *(f"{name:>12}" for name in self.bounds)]
        for row in self.rows:
            found = (cell(row.choices[name]) if name in row.choices else "-" for name in self.bounds)
            yield [f"{row.k}", f"{row.reports}", *found]

    # --- what stands under the table ----------------------------------------------------------------------

    def remarks(self) -> Iterator[str]:
        """The lines under the tables: how to read them, and why a bound has no answer."""
        yield "q holds as printed. All else is computed at that q, and rounded up."
        if not PROMISES.issuperset(self.bounds):
            yield (
                "Only classical and private are differential privacy; the others say nothing of outcomes outside "
                "their window, and of them only every looks at more than one dataset, all records 1."
            )
        first = self.rows[0]
        closed = first.choices.get("closed")
        if "bits" in self.shape:
            yield "The private q is proven for every dataset; identical records may need less (least-q --dataset)."
        elif closed and (outside := closed.outside):
            inside = (digits(1 - chance, 4) for chance in (outside.ratio, outside.reciprocal))
            yield (
                "The notes say that 99.98 % of outcomes keep the limit at the closed bound (K16, section 4.3); "
                "exact for k = {}: {} for the ratio, {} for its reciprocal.".format(first.k, *inside)
            )
        if self.gaussian is not None:
            yield (
                f"As k grows the least private sigma tends to the Gaussian mechanism's {self.gaussian:6}; "
                "some k may lie above the one before, or below that limit."
            )
            yield from self._gains()
        for row in self.rows:
            reasons: dict[str, list[str]] = {}
            for name, reason in row.missing.items():
                reasons.setdefault(reason, []).append(name)
            for reason, names in reasons.items():
                yield f"k = {row.k}, {', '.join(names)}: {reason}"

    def _gains(self) -> Iterator[str]:
        private = {row.k: row.choices["private"].sigma for row in self.rows if "private" in row.choices}
        if 1 in private and len(private) > 1:
            gains = ", ".join(f"{float(private[1]) / float(s):.3f} at k = {k}" for k, s in private.items() if k > 1)
            yield f"Gain in private sigma against k = 1 (about): {gains}."

    def recommendation(self) -> list[str]:
        """What to use, what it promises, costs and leaks; then the least sigma; or that no k fits."""
        limits = [] if self.budget is None else [f"within {self.budget:,} reports"]
        if self.max_local_epsilon is not None:
            limits.append(f"with a local epsilon of at most {exactly(self.max_local_epsilon)}")
        within = "".join(f" {words}" for words in limits)
        chosen, least = self.recommended, self._private(self.best)
        if chosen is None or least is None:
            if any("private" in row.choices for row in self.rows):
                return [f"No k asked for fits{within}: allow more, or ask for other k."]
            return ["No private q was found for any k asked for; the reasons stand below the tables."]
        kept = f"{self.limit}, delta = {Enclosure.of(self.delta or 0):17}"
        same, unit = chosen is least, self.unit and f" {self.unit}"
        return [
            f"Recommended{within}: k = {self.recommended_k}, q = {chosen.printed}. It keeps {kept} for every dataset"
            f"{self.together}, with sigma = {chosen.sigma:.4g}{unit} of {self.one_count}.",
            f"Least sigma: the same k = {self.best}."
            if same
            else f"Least sigma: k = {self.best}, q = {least.printed}, sigma = {least.sigma:.4g}. "
            "Of the k within 5 % of it the recommended one has the fewest reports.",
            f"Local epsilon: {chosen.local_epsilon:.4g}"
            + ("" if same else f" at k = {self.recommended_k}, {least.local_epsilon:.4g} at k = {self.best}")
            + ". So much may one record's reports show to whoever sees them before they are pooled.",
        ]
