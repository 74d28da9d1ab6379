"""What a terminal shows while a command works: a line with the share that is done, and the time."""

from __future__ import annotations

import sys
from argparse import Namespace
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Event, Thread
from time import monotonic
from typing import NamedTuple

_SILENT = 2.0  # seconds without a line
_STEP = 0.5  # seconds from one line to the next


def _unread(found: str) -> None:
    """Where there is no terminal."""


class Shown(NamedTuple):
    """Callbacks for work that reports its progress.

    Attributes:
        advance: takes the share that is done; None where there is no terminal.
        say: takes a line about a partial result; it is printed, and stays, if the work goes on long enough.
    """

    advance: Callable[[float], None] | None = None
    say: Callable[[str], None] = _unread


def shown(options: Namespace) -> Shown:
    """The callbacks of ``waiting`` for this command; they show nothing where it runs outside the program."""
    found: Shown = getattr(options, "shown", Shown())
    return found


@contextmanager
def waiting(label: str, *, silent: float = _SILENT, step: float = _STEP) -> Iterator[Shown]:
    """A line on standard error, written again and again by a thread of its own and wiped at the end.

    Args:
        label: what the line starts with.
        silent: seconds without a line.
        step: seconds from one line to the next.
    """
    if sys.stderr is None or not sys.stderr.isatty():
        yield Shown()
        return
    share, found, ended, start = "", list[str](), Event(), monotonic()

    def advance(done: float) -> None:
        nonlocal share
        share = f"{done:.0%}, "

    def write() -> None:
        width, pause = 0, silent
        while not ended.wait(pause):
            for line in [found.pop(0) for _ in range(len(found))]:
                print(f"\r{line:{width}}", file=sys.stderr, flush=True)
                width = 0
            text = f"{label}: {share}{monotonic() - start:.0f} s"
            print(f"\r{text:{width}}", end="", file=sys.stderr, flush=True)
            width, pause = len(text), step
        if width:
            print(f"\r{'':{width}}\r", end="", file=sys.stderr, flush=True)

    writer = Thread(target=write, daemon=True)
    writer.start()
    try:
        yield Shown(advance, found.append)
    finally:
        ended.set()
        writer.join()
