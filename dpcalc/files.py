"""A file that is written whole or not at all, and looked at before the work whose result it takes.

What stood there stays until the new content is complete: it is written beside and renamed. What is no regular file, a
device or a pipe, is written directly, and so is the program's own output.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from dpcalc.errors import DomainError

_OUTPUTS = (1, 2)  # the shell may have opened the very file for one of them


class Unwritten(DomainError):
    """A file that cannot be written."""


def check(path: str | os.PathLike[str], argument: str, *, endings: tuple[str, ...] = ()) -> Path:
    """The path, if a file can be written there: one is made beside it, and removed.

    Args:
        path: of a file that is there or not.
        argument: its name in what is raised.
        endings: one of which its name must have; none for any name.

    Raises:
        DomainError: it is no path, or has another ending.
        Unwritten: it cannot be written.
    """
    try:
        target = Path(path)
    except TypeError:
        raise DomainError(argument, path, "the path of a file") from None
    if endings and target.suffix.lower() not in endings:
        raise DomainError(argument, str(path), f"a file name ending in {', '.join(endings)}")
    try:
        found = _found(target)
        if found is not None and not os.access(target, os.W_OK):
            raise PermissionError(0, "Permission denied")
        if found is None or (stat.S_ISREG(found.st_mode) and _output(found) is None):
            with _beside(target, b"-"):  # one byte: a full disk is noticed
                pass
        elif not stat.S_ISFIFO(found.st_mode):  # a pipe that is opened and closed has ended for its reader
            with target.open("ab", buffering=0) as file:
                file.write(b"")  # a full device refuses that too
    except (OSError, ValueError) as error:
        raise refusal(error, target, argument) from None
    return target


def write(path: Path, content: bytes, argument: str) -> None:
    """The content becomes that of the file.

    Args:
        path: as ``check`` returned it.
        content: all of it.
        argument: its name in what is raised.

    Raises:
        Unwritten: it cannot be written; a regular file is what it was.
    """
    try:
        found = _found(path)
        output = None if found is None else _output(found)
        if output is not None:
            with open(os.dup(output), "wb") as file:
                file.write(content)
        elif found is not None and not stat.S_ISREG(found.st_mode):
            with path.open("wb") as file:
                file.write(content)
        else:
            with _beside(path, content) as made:
                if found is not None:
                    made.chmod(stat.S_IMODE(found.st_mode))
                made.replace(path.resolve())
    except (OSError, ValueError) as error:
        raise refusal(error, path, argument) from None


def read(path: str | os.PathLike[str], argument: str, *, most: int | None = None) -> bytes:
    """The content of a file.

    Args:
        path: of the file.
        argument: its name in what is raised.
        most: how many bytes it may have; None for any number.

    Raises:
        DomainError: it cannot be read, or is longer.
    """
    try:
        with Path(path).open("rb") as file:
            content = file.read(None if most is None else most + 1)
    except (OSError, ValueError) as error:
        raise DomainError(argument, str(path), f"a file that can be read ({_why(error)})") from None
    if most is not None and len(content) > most:
        raise DomainError(argument, str(path), f"a file of at most {most:,} bytes")
    return content


def refusal(error: Exception, path: Path, argument: str) -> Unwritten:
    """In one line, why a file cannot be written."""
    if isinstance(error, FileNotFoundError):
        return Unwritten(argument, str(path), "a file in a folder that exists")
    return Unwritten(argument, str(path), f"a file that can be written ({_why(error)})")


def _why(error: Exception) -> object:
    """In words; a null character in the path has no strerror."""
    return getattr(error, "strerror", None) or error


def _found(path: Path) -> os.stat_result | None:
    """What is there; None for nothing."""
    try:
        return path.stat()
    except FileNotFoundError:
        return None


def _output(found: os.stat_result) -> int | None:
    for output in _OUTPUTS:
        with suppress(OSError):  # it is closed
            if os.path.samestat(os.fstat(output), found):
                return output
    return None


@contextmanager
def _beside(path: Path, content: bytes) -> Iterator[Path]:
    """A new file in the folder of the one that the path leads to; removed in the end, unless it was renamed."""
    made = path.resolve().with_name(f".dpcalc-{os.urandom(8).hex()}")
    try:
        with made.open("xb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        yield made
    finally:
        made.unlink(missing_ok=True)
