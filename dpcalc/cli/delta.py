"""What ``dpcalc delta`` says: the dataset that attains it, with the direction; none where it may be 0."""

from __future__ import annotations

from typing import Any

__all__ = ["said"]


def said(found: Any) -> tuple[list[str], dict[str, Any]]:
    """The lines and the content of an answer."""
    from dpcalc.privacy.attained import attained
    from dpcalc.report import both_ends, promise, promise_lines
    from dpcalc.rounds.joint import RoundsDelta

    if isinstance(found, RoundsDelta):
        lines = [*promise_lines("delta", found, both_ends), *attained(found)]
        return lines, {**promise("delta", found), "datasets": found.named()}
    content = {**promise("delta", found), "ones": found.dataset.ones, "value": found.dataset.value}
    return [*promise_lines("delta", found), *attained(found)], content
