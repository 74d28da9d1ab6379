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
    line = _Writer(label, silent, step)
    line.start()
    try:
        yield Shown(line.advance, line.say)
    finally:
        line.end()


class _Writer(Thread):
    """The thread that writes."""

    def __init__(self, label: str, silent: float, step: float) -> None:
        super().__init__(daemon=True)
        self._silent, self._step = silent, step
        self._label, self._share, self._width = label, "", 0
        self._ended, self._from, self._found = Event(), monotonic(), list[str]()

    def advance(self, share: float) -> None:
        """Note the share that is done."""
        self._share = f"{share:.0%}, "

    def say(self, found: str) -> None:
        """Hand the line to the thread, so that two writers do not mix."""
        self._found.append(found)

    def run(self) -> None:
        """Write until the end."""
        if self._ended.wait(self._silent):
            return
        while True:
            while self._found:
                self._write(self._found.pop(0), end="\n")
            self._write(f"{self._label}: {self._share}{monotonic() - self._from:.0f} s")
            if self._ended.wait(self._step):
                return

    def end(self) -> None:
        """Wipe the line."""
        self._ended.set()
        self.join()
        if self._width:
            print(f"\r{'':{self._width}}\r", end="", file=sys.stderr, flush=True)

    def _write(self, text: str, end: str = "") -> None:
        """Write the line over what stood there."""
        print(f"\r{text:{self._width}}", end=end, file=sys.stderr, flush=True)
        self._width = 0 if end else len(text)
