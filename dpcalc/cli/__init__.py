"""The command line: every command prints what is certain, or a JSON document with ``--json``.

``asking`` builds the commands of the registry; the others have files of their own.
"""

from __future__ import annotations

from collections.abc import Sequence

__all__ = ["main"]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; the exit status is a ``Status``. Ctrl-C ends it with one line, also while modules are loaded."""
    try:
        from dpcalc.cli.program import run

        return run(arguments)
    except KeyboardInterrupt:
        from dpcalc.cli.command import Status, complain

        return complain("interrupted", "dpcalc", Status.INTERRUPTED)
