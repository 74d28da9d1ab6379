"""Files that are written completely or not at all, and checked before the work whose result they take.

New content is written beside the old file, which is replaced once it is complete. A device, a pipe and the program's
own output are written directly.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from dpcalc.errors import DomainError

_OUTPUTS = (1, 2)  # standard output and error: the shell may have redirected them to the same file


class Unwritten(DomainError):
    """A file that cannot be written."""


def check(path: str | os.PathLike[str], argument: str, *, endings: tuple[str, ...] = ()) -> Path:
    """The path, if a file can be written there, and has one of the endings: a trial file is written and removed.

    ``argument`` is what errors call the path, here and below.
    """
    try:
        target = Path(path)
    except TypeError:
        raise DomainError(argument, path, "the path of a file") from None
    if endings and target.suffix.lower() not in endings:
        raise DomainError(argument, str(path), f"a file name ending in {', '.join(endings)}")
    if not os.fspath(path):
        raise DomainError(argument, path, "the path of a file")
    try:
        found = _found(target)
        if found is not None and not os.access(target, os.W_OK):
            raise PermissionError(0, "Permission denied")
        if found is None or (stat.S_ISREG(found.st_mode) and _output(found) is None):
            with _beside(target, b"-"):  # one byte, to notice a full disk
                pass
        elif not stat.S_ISFIFO(found.st_mode):  # if a pipe were opened and closed, its reader would see the end
            with target.open("ab", buffering=0) as file:
                file.write(b"")  # a full device refuses even that
    except (OSError, ValueError) as error:
        raise refusal(error, target, argument) from None
    return target


def write(path: Path, content: bytes, argument: str) -> None:
    """Replace the content of the file; a regular one that cannot be written is unchanged."""
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
    """The content of a file of at most so many bytes."""
    try:
        with Path(path).open("rb") as file:
            content = file.read(None if most is None else most + 1)
    except (OSError, ValueError) as error:
        raise DomainError(argument, str(path), f"a file that can be read ({_why(error)})") from None
    if most is not None and len(content) > most:
        raise DomainError(argument, str(path), f"a file of at most {most:,} bytes")
    return content


def refusal(error: Exception, path: Path, argument: str) -> Unwritten:
    """The error that says in one line why a file cannot be written."""
    if isinstance(error, FileNotFoundError):
        return Unwritten(argument, str(path), "a file in a folder that exists")
    return Unwritten(argument, str(path), f"a file that can be written ({_why(error)})")


def _why(error: Exception) -> object:
    """The reason in words; the ValueError of a null character in the path has no strerror."""
    return getattr(error, "strerror", None) or error


def _found(path: Path) -> os.stat_result | None:
    """The status of the file; None if there is none."""
    try:
        return path.stat()
    except FileNotFoundError:
        return None


def _output(found: os.stat_result) -> int | None:
    """The number of the program's output that goes to this file, if one does."""
    for output in _OUTPUTS:
        with suppress(OSError):  # it is closed
            if os.path.samestat(os.fstat(output), found):
                return output
    return None


@contextmanager
def _beside(path: Path, content: bytes) -> Iterator[Path]:
    """A new file in the same folder, links resolved; removed in the end, unless it was renamed."""
    made = path.resolve().with_name(f".dpcalc-{os.urandom(8).hex()}")
    try:
        with made.open("xb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        yield made
    finally:
        made.unlink(missing_ok=True)
