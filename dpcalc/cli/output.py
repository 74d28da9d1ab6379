"""What the program prints, and what it complains of: in characters that the reader's terminal has, none of which steers
it; where there is no room or no reader, the exit status says so.
"""

from __future__ import annotations

import sys
from contextlib import suppress

from dpcalc.cli.command import Status
from dpcalc.errors import escaped


def put(text: str, name: str) -> Status:
    """Print on standard output; where that fails the program of this name says so in a line."""
    if sys.stdout is None:
        return complain("the output cannot be written (it is closed)", name, Status.UNWRITTEN)
    if sys.stdout.closed:  # this was said, or nobody reads
        return Status.OK
    lines = "\n".join(escaped(line) for line in text.split("\n"))
    encoding = sys.stdout.encoding or "utf-8"
    try:
        print(lines.encode(encoding, "backslashreplace").decode(encoding), flush=True)
    except OSError as error:
        with suppress(OSError):
            sys.stdout.close()
        if not isinstance(error, BrokenPipeError):  # then the reader (head, less) has seen enough
            return complain(f"the output cannot be written ({error.strerror})", name, Status.UNWRITTEN)
    return Status.OK


def complain(message: str, name: str, status: Status) -> Status:
    """Say so on standard error, where there is any; returns the status."""
    if sys.stderr is not None:
        with suppress(OSError):
            print(f"{name}: {escaped(message)}", file=sys.stderr, flush=True)
    return status
