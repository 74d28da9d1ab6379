"""The pairs of collections with the largest ratio or delta: outcome by outcome, as values, as a report and for JSON."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from dpcalc.mechanisms.response import KRandomization
from dpcalc.notes.collections.occupancy import Outcome
from dpcalc.notes.collections.ratios import label
from dpcalc.notes.collections.records import Record, cells
from dpcalc.numbers.enclosure import Enclosure
from dpcalc.report import Tabled

_SHOWN = 20  # outcomes in a table


@dataclass(frozen=True, slots=True, order=True)
class Pair:
    """Two neighbouring collections: ``others`` with ``record`` are x, with ``changed`` x'."""

    record: Record
    changed: Record
    others: tuple[Record, ...]

    @property
    def homogeneous(self) -> bool:
        """Whether x holds copies of one vector only."""
        return all(other == self.record for other in self.others)

    def __str__(self) -> str:
        others = " ".join(map(label, self.others))
        return f"{label(self.record)} -> {label(self.changed)} beside {others or 'none'}"

    def to_dict(self) -> dict[str, Any]:
        """For JSON: vectors as strings of bits."""
        return {
            "record": label(self.record),
            "changed": label(self.changed),
            "others": [label(other) for other in self.others],
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class MaximalOutcome:
    """An outcome, one of its class under the symmetries, and the pairs with the largest pi there.

    Attributes:
        outcome: s.
        ratio: the largest pi(s).
        pairs: the pairs that attain it, up to the symmetries that leave s as it is.
    """

    outcome: Outcome
    ratio: Fraction
    pairs: tuple[Pair, ...]

    @property
    def homogeneous(self) -> bool:
        """Whether a homogeneous pair attains the maximum."""
        return any(pair.homogeneous for pair in self.pairs)


@dataclass(frozen=True, slots=True, kw_only=True)
class WorstPair:
    """The largest delta(lambda) of any pair, and the pairs that attain it, up to the symmetries."""

    lam: Fraction
    delta: Fraction
    pairs: tuple[Pair, ...]

    @property
    def homogeneous(self) -> bool:
        """Whether a homogeneous pair, or one with x and x' exchanged, attains the maximum."""
        return any(pair.homogeneous or Pair(pair.changed, pair.record, pair.others).homogeneous for pair in self.pairs)


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class MaximalCollections(Tabled):
    """The maximal collections of a mechanism.

    Attributes:
        mechanism: n, q, k and L.
        outcomes: one from every class of outcomes, in lexicographic order.
        worst: the largest delta(lambda), if a lambda was given.
    """

    mechanism: KRandomization
    outcomes: tuple[MaximalOutcome, ...]
    worst: WorstPair | None

    @property
    def ratio(self) -> Fraction:
        """The largest pi of any pair at any outcome: (p/q)^{k L}, where all reports are equal."""
        return max(one.ratio for one in self.outcomes)

    @property
    def exceptions(self) -> tuple[MaximalOutcome, ...]:
        """The outcomes at which no homogeneous pair attains the maximum."""
        return tuple(one for one in self.outcomes if not one.homogeneous)

    @property
    def homogeneous(self) -> bool:
        """Whether at every outcome a homogeneous pair attains the maximum."""
        return not self.exceptions

    def to_dict(self) -> dict[str, Any]:
        """For JSON: vectors as strings of bits, rationals as strings."""
        m, worst = self.mechanism, self.worst
        return {
            "n": m.n, "bits": m.bits, "q": str(m.q), "k": m.k,
            "homogeneous": self.homogeneous,
            "ratio": str(self.ratio),
            "outcomes": [
                {
                    "outcome": list(one.outcome),
                    "ratio": str(one.ratio),
                    "homogeneous": one.homogeneous,
                    "pairs": [pair.to_dict() for pair in one.pairs],
                }
                for one in self.outcomes
            ],
            "worst": worst and {
                "lam": str(worst.lam),
                "delta": str(worst.delta),
                "homogeneous": worst.homogeneous,
                "pairs": [pair.to_dict() for pair in worst.pairs],
            },
        }  # fmt: skip

    def table(self, limit: int = _SHOWN) -> str:
        """Outcome by outcome (the first ``limit``), then the largest delta."""
        lines = ["counts of " + " ".join(map(label, cells(self.mechanism.bits))) + "  largest ratio  attained by"]
        lines += [
            f"{' '.join(map(str, one.outcome))}  {Enclosure.of(one.ratio)}  {_described(one.pairs)}"
            for one in self.outcomes[:limit]
        ]
        if len(self.outcomes) > limit:
            lines.append(f"... {len(self.outcomes) - limit:,} outcomes more ...")
        lines.append(f"homogeneous at {len(self.outcomes) - len(self.exceptions)} of {len(self.outcomes)} outcomes")
        if self.worst is not None:
            worst = self.worst
            lines.append(f"delta at lambda = {worst.lam}: {Enclosure.of(worst.delta)}  {_described(worst.pairs)}")
        return "\n".join(lines)


def _described(pairs: tuple[Pair, ...]) -> str:
    first = min(pairs, key=lambda pair: (not pair.homogeneous, pair))
    return f"{first} and {len(pairs) - 1} more" if len(pairs) > 1 else str(first)
