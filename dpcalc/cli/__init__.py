"""The command line: every command prints what is certain, or a JSON document with ``--json``. One file per command."""

from dpcalc.cli.program import main

__all__ = ["main"]
