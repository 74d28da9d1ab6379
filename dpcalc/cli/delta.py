"""What ``dpcalc delta`` says: the dataset that attains it, with the direction; none where it may be 0."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from dpcalc.numbers.enclosure import Enclosure

__all__ = ["said"]


def said(found: Any) -> tuple[list[str], dict[str, Any]]:
    """The lines and the content of an answer."""
    from dpcalc.report import both_ends, promise, promise_lines
    from dpcalc.rounds.joint import RoundsDelta
    from dpcalc.rounds.release import HistogramDataset

    if isinstance(found, RoundsDelta):
        attained = [f"in {_rounds(times)} {_words(dataset)}" for _, dataset, times in found.datasets if _shown(found)]
        lines = [*promise_lines("delta", found, both_ends), *attained]
        return lines, {**promise("delta", found), "datasets": found.named()}
    lines = [*promise_lines("delta", found), *([_words(found.dataset)] if _shown(found) else [])]
    if isinstance(found.dataset, HistogramDataset):
        return lines, {**promise("delta", found), **asdict(found.dataset)}
    return lines, {**promise("delta", found), "ones": _ones(found.dataset), "value": found.dataset.value}


def _shown(found: Enclosure) -> bool:
    """Whether a dataset is known to attain anything."""
    return found.lower > 0 or found.exact


def _rounds(times: int) -> str:
    return "1 round" if times == 1 else f"{times:,} rounds"


def _ones(at: Any) -> int:
    """Of one count: of a single group of users, too."""
    (ones,) = at.ones if isinstance(at.ones, tuple) else (at.ones,)
    return int(ones)


def _words(at: Any) -> str:
    """The dataset that attains the lower end, and the event."""
    from dpcalc.rounds.release import HistogramDataset

    if not isinstance(at, HistogramDataset):
        return (
            f"attained with {_ones(at)} ones among the other records; "
            f"worst direction: the changed record goes from {at.value} to {1 - at.value}"
        )
    held = [
        f"{' and '.join(f'{one:,}' for one in counts)} in the {'category' if len(counts) == 1 else 'categories'} "
        f"that the changed record {moved}"
        for counts, moved in ((at.left, "leaves"), (at.entered, "enters"))
        if counts
    ]
    return f"attained with, of the other records, {', '.join(held)}"
