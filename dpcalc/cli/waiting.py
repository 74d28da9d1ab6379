"""What a terminal shows while a command works: a line with the share that is done, and the time."""

from __future__ import annotations

import sys
from argparse import Namespace
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Event, Thread
from time import monotonic

_SILENT = 2.0  # seconds without a line
_STEP = 0.5  # seconds from one line to the next


def progress(options: Namespace) -> Callable[[float], None] | None:
    """What takes the share that is done, for this command; None where there is no terminal."""
    return vars(options).get("progress")


@contextmanager
def waiting(label: str, *, silent: float = _SILENT, step: float = _STEP) -> Iterator[Callable[[float], None] | None]:
    """A line on standard error, written again and again by a thread of its own and wiped at the end.

    Args:
        label: what the line starts with.
        silent: seconds without a line.
        step: seconds from one line to the next.
    """
    if sys.stderr is None or not sys.stderr.isatty():
        yield None
        return
    share, ended, start = "", Event(), monotonic()

    def advance(done: float) -> None:
        nonlocal share
        share = f"{done:.0%}, "

    def write() -> None:
        width, pause = 0, silent
        while not ended.wait(pause):
            text = f"{label}: {share}{monotonic() - start:.0f} s"
            print(f"\r{text:{width}}", end="", file=sys.stderr, flush=True)
            width, pause = len(text), step
        if width:
            print(f"\r{'':{width}}\r", end="", file=sys.stderr, flush=True)

    writer = Thread(target=write, daemon=True)
    writer.start()
    try:
        yield advance
    finally:
        ended.set()
        writer.join()
