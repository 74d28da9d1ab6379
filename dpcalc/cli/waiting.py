"""What a terminal shows while an answer is worked on: a line that says how much is done, or for how long."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Event, Thread
from time import monotonic

__all__ = ["waiting"]

_SILENT = 2.0  # seconds: shorter waits need no line
_STEP = 0.5  # seconds from one line to the next


@contextmanager
def waiting(label: str) -> Iterator[Callable[[float], None] | None]:
    """A line on standard error, written again and again by a thread of its own and wiped at the end.

    Yields a callback that takes the share that is done, for work that knows it; None where there is no terminal.
    """
    if not sys.stderr.isatty():
        yield None
        return
    line = _Line(label)
    line.start()
    try:
        yield line.advance
    finally:
        line.end()


class _Line(Thread):
    """The thread that writes."""

    def __init__(self, label: str) -> None:
        super().__init__(daemon=True)
        self._label, self._share, self._width = label, "", 0
        self._ended, self._from = Event(), monotonic()

    def advance(self, share: float) -> None:
        """So much is done."""
        self._share = f"{share:.0%}, "

    def run(self) -> None:
        """Write until the end."""
        if self._ended.wait(_SILENT):
            return
        while True:
            self._write(f"{self._label}: {self._share}{monotonic() - self._from:.0f} s")
            if self._ended.wait(_STEP):
                return

    def end(self) -> None:
        """Wipe the line."""
        self._ended.set()
        self.join()
        if self._width:
            print(f"\r{'':{self._width}}\r", end="", file=sys.stderr, flush=True)

    def _write(self, text: str) -> None:
        """The line, over what stood there."""
        print(f"\r{text:{self._width}}", end="", file=sys.stderr, flush=True)
        self._width = len(text)
