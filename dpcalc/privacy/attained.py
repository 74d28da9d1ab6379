"""The datasets that reach the lower end of a delta, in words."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from dpcalc.families.shuffled import Shuffled
from dpcalc.numbers.decimal import plural
from dpcalc.rounds.joint import RoundsDelta
from dpcalc.worst.compositions import Composition
from dpcalc.worst.datasets import Dataset, HistogramDataset

_HOLDS = {0: "holds 0", 1: "holds 1", None: "is absent"}


def attained(found: Any, each: str = "round") -> list[str]:
    """A line, for several rounds one for each kind of round; none where the lower end is 0 and not exact.

    Args:
        found: the answer of ``delta``.
        each: what a round is called.
    """
    if not (found.lower > 0 or found.exact):
        return []
    if isinstance(found, RoundsDelta):
        return [f"in {plural(times, each)} {_dataset(dataset)}" for _, dataset, times in found.datasets]
    return [_dataset(found.dataset)]


def named(found: Any) -> dict[str, Any]:
    """The same for JSON; the groups of a fleet are counted from 1."""
    match found:
        case RoundsDelta():
            return {"datasets": [{"rounds": times, **_fields(at)} for _, at, times in found.datasets]}
        case Shuffled():
            return {"identical": found.identical, "blanket": found.blanket, "dataset": _fields(found.dataset)}
    return _fields(found.dataset)


def _fields(at: Any) -> dict[str, Any]:
    match at:
        case Composition(_, (ones,), int(value), int()):
            return {"ones": ones, "value": value}
        case Composition(group):
            return {**asdict(at), "group": group + 1}
    return asdict(at)


def _dataset(at: Any) -> str:
    """The dataset of one count or histogram, and the direction."""
    match at:
        case Dataset(ones, int(value)) | Composition(_, (ones,), int(value), int()):
            return (
                f"attained with {plural(ones, 'one')} among the other records; "
                f"worst direction: the changed record goes from {value} to {1 - value}"
            )
        case Composition(group, ones, value, other):
            return (
                f"attained by a changed user of group {group + 1}, with {', '.join(f'{m:,}' for m in ones)} ones among "
                f"the other users of the groups; worst direction: first the changed user {_HOLDS[value]}, then it "
                f"{_HOLDS[other]}"
            )
        case HistogramDataset():
            held = [
                f"{' and '.join(f'{one:,}' for one in counts)} in the "
                f"{'category' if len(counts) == 1 else 'categories'} that the changed record {moved}"
                for counts, moved in ((at.left, "leaves"), (at.entered, "enters"))
                if counts
            ]
            return f"attained with, of the other records, {', '.join(held)}"
    return str(at)
