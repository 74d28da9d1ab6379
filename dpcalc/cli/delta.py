"""What ``dpcalc delta`` says: the dataset that attains it, with the direction."""

from __future__ import annotations

from typing import Any

__all__ = ["said"]


def said(found: Any) -> tuple[list[str], dict[str, Any]]:
    """The lines and the content of an answer."""
    from dpcalc.privacy.rounds import RoundsDelta
    from dpcalc.report import both_ends, promise, promise_lines

    if isinstance(found, RoundsDelta):
        lines = [*promise_lines("delta", found, both_ends), *found.lines()]
        return lines, {**promise("delta", found), "datasets": found.named()}
    which = (
        f"attained with {found.dataset.ones} ones among the other records; "
        f"worst direction: the changed record goes from {found.dataset.value} to {1 - found.dataset.value}"
    )
    content = {**promise("delta", found), "ones": found.dataset.ones, "value": found.dataset.value}
    return [*promise_lines("delta", found), which], content
