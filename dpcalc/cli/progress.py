"""What is done so far, on standard error and on a terminal only: standard output stays one clean answer.

A share of the work is a bar where tqdm is, else a line that is written again and again; both are wiped at the end.
What has been found stays, a line each. Nothing is shown within the first second.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import monotonic
from typing import NamedTuple

__all__ = ["Progress", "progress"]

_QUIET = 1.0  # seconds


def _nothing(line: str) -> None:
    """Off a terminal."""


class Progress(NamedTuple):
    """Two callbacks: for the share done, None off a terminal, and for a line about what was found."""

    advance: Callable[[float], None] | None = None
    say: Callable[[str], None] = _nothing


@contextmanager
def progress(label: str) -> Iterator[Progress]:
    """Callbacks for the work within."""
    if not sys.stderr.isatty():
        yield Progress()
        return
    try:
        from tqdm import tqdm
    except ImportError:
        with _plain(label) as shown:
            yield shown
        return
    with tqdm(
        total=100, desc=label, delay=_QUIET, leave=False, bar_format="{desc}: {percentage:3.0f}%|{bar}| {elapsed}"
    ) as bar:

        def advance(share: float) -> None:
            bar.update(round(100 * share) - bar.n)

        yield Progress(advance, _later(lambda line: tqdm.write(line, file=sys.stderr)))


@contextmanager
def _plain(label: str) -> Iterator[Progress]:
    start, shown = monotonic(), ""

    def advance(share: float) -> None:
        nonlocal shown
        if monotonic() - start > _QUIET and (text := f"{label}: {share:.0%}") != shown:
            shown = text
            print(f"\r{text}", end="", file=sys.stderr, flush=True)

    def wipe() -> None:
        if shown:
            print(f"\r{' ' * len(shown)}\r", end="", file=sys.stderr, flush=True)

    def write(line: str) -> None:
        nonlocal shown
        wipe()
        shown = ""
        print(line, file=sys.stderr, flush=True)

    try:
        yield Progress(advance, _later(write))
    finally:
        wipe()


def _later(write: Callable[[str], None]) -> Callable[[str], None]:
    """Write lines, but those of the first second together with the first one after it."""
    start, held = monotonic(), list[str]()

    def say(line: str) -> None:
        held.append(line)
        if monotonic() - start > _QUIET:
            for known in held:
                write(known)
            held.clear()

    return say
