"""What ``dpcalc delta`` prints: delta, and the dataset and direction that attain it; none if it may be 0."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any


def said(found: Any) -> tuple[list[str], dict[str, Any]]:
    """The lines and the content of an answer."""
    from dpcalc.families.shifts import NoisyDelta
    from dpcalc.privacy.attained import attained
    from dpcalc.report import at_most, both_ends, promise, promise_lines
    from dpcalc.rounds.joint import RoundsDelta
    from dpcalc.worst.compositions import FleetDelta

    ends = both_ends if isinstance(found, RoundsDelta) else at_most
    lines, content = [*promise_lines("delta", found, ends), *attained(found)], promise("delta", found)
    match found:
        case RoundsDelta():
            content["datasets"] = found.named()
        case NoisyDelta(shift=shift):
            content["shift"] = shift
        case FleetDelta(dataset=at):
            content |= {"ones": at.ones[0], "value": at.value}
        case _:
            content |= asdict(found.dataset)
    return lines, content
