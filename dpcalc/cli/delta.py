"""What ``dpcalc delta`` says: the dataset that attains it, with the direction; none where it may be 0."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any


def said(found: Any) -> tuple[list[str], dict[str, Any]]:
    """The lines and the content of an answer."""
    from dpcalc.families.shifts import NoisyDelta
    from dpcalc.privacy.attained import attained
    from dpcalc.report import both_ends, promise, promise_lines
    from dpcalc.rounds.joint import RoundsDelta
    from dpcalc.worst.compositions import Composition

    if isinstance(found, RoundsDelta):
        lines = [*promise_lines("delta", found, both_ends), *attained(found)]
        return lines, {**promise("delta", found), "datasets": found.named()}
    content = promise("delta", found)
    if isinstance(found, NoisyDelta):
        return [*promise_lines("delta", found), *attained(found)], {**content, "shift": found.shift}
    at = found.dataset
    content |= {"ones": at.ones[0], "value": at.value} if isinstance(at, Composition) else asdict(at)
    return [*promise_lines("delta", found), *attained(found)], content
