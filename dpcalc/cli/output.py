"""Output and error messages. Characters that the terminal lacks or that would steer it are escaped; where the output
cannot be written, the exit status says so.
"""

from __future__ import annotations

import sys
from contextlib import suppress

from dpcalc.cli.command import Status
from dpcalc.errors import escaped


def put(text: str, name: str) -> Status:
    """Print on standard output; if that fails, one line on standard error says so."""
    if sys.stdout is None:
        return complain("the output cannot be written (it is closed)", name, Status.UNWRITTEN)
    if sys.stdout.closed:  # a failure that was reported, or a reader who has gone
        return Status.OK
    lines = text
    if not text.replace("\n", "").isprintable():  # of a long document a look at each line would take long
        lines = "\n".join(map(escaped, text.split("\n")))
    encoding = sys.stdout.encoding or "utf-8"
    try:
        print(lines.encode(encoding, "backslashreplace").decode(encoding), flush=True)
    except OSError as error:
        with suppress(OSError):
            sys.stdout.close()
        if not isinstance(error, BrokenPipeError):  # a reader such as head or less has seen enough
            return complain(f"the output cannot be written ({error.strerror})", name, Status.UNWRITTEN)
    return Status.OK


def complain(message: str, name: str, status: Status) -> Status:
    """Print the message on standard error, if there is one; returns the status."""
    if sys.stderr is not None:
        with suppress(OSError):
            print(f"{name}: {escaped(message)}", file=sys.stderr, flush=True)
    return status
