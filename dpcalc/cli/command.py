"""What a command is, and what all commands share: options, and how they are read.

Numbers stay text: the library reads them exactly and says what is wrong with them. A command imports what it needs only
when it runs, so that --help answers at once.
"""

from __future__ import annotations

import math
import re
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from enum import IntEnum
from fractions import Fraction
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

import dpcalc
from dpcalc import files
from dpcalc.errors import DomainError, escaped
from dpcalc.mechanisms.mechanism import MOST_ROUNDS
from dpcalc.numbers.enclosure import Enclosure
from dpcalc.numbers.rational import integer, rational
from dpcalc.questions import Argument


class Status(IntEnum):
    """Exit statuses."""

    OK = 0
    NO = 1  # a verdict
    BAD_INPUT = 2  # not allowed, such as n k > 10^15
    NO_SOLUTION = 3
    TOO_LARGE = 4  # allowed, but this answer would not fit
    UNDECIDED = 5
    UNWRITTEN = 74  # EX_IOERR of sysexits
    INTERRUPTED = 130


class Printed(NamedTuple):
    """What a command found.

    Attributes:
        text, content: the answer for a reader, and for a JSON document.
        status: the exit status.
        files: by the option that names a file, what writes it, and may return a further line about it. They run after
            the answer is printed, so that a file that cannot be written does not cost the answer.
    """

    text: str
    content: Mapping[str, Any]
    status: Status = Status.OK
    files: Mapping[str, Callable[[Path], str | None]] = MappingProxyType({})


class Command(NamedTuple):
    """One command: its arguments and its body."""

    name: str
    summary: str
    arguments: Sequence[Argument]
    run: Callable[[Namespace], Printed]
    example: str = ""


# --- options ------------------------------------------------------------------------------------------------------


def add(parser: ArgumentParser, argument: Argument) -> None:
    """An option, or a value in its place."""
    how = given(help=argument.help, metavar=argument.metavar, nargs=argument.nargs, default=argument.default)
    if argument.place:
        parser.add_argument(argument.name, **how)
        return
    if argument.flag:
        how |= {"action": "store_true", "default": argument.default}
    option = f"--{argument.name.replace('_', '-')}"
    added = parser.add_argument(option, dest=argument.name, required=argument.needed and not argument.instead, **how)
    if not argument.file:
        # for argcomplete, which would offer files where there are no values
        added.completer = lambda **_: argument.values  # type: ignore[attr-defined]


# --- how they are read --------------------------------------------------------------------------------------------


def mechanism(options: Namespace, **more: Any) -> dpcalc.KRandomization:
    """The mechanism of single bits that the options describe."""
    return dpcalc.KRandomization(n=options.n, q=options.q, k=options.k, **more)


def repeated(options: Namespace, mechanism: Any) -> Any:
    """The mechanism, repeated as often as --rounds says."""
    if options.rounds is None:
        return mechanism
    return dpcalc.Rounds([(mechanism, integer(options.rounds, "rounds", minimum=1, maximum=MOST_ROUNDS))])


def limit(options: Namespace) -> dict[str, Any]:
    """The ratio limit as keyword arguments."""
    return {"lam": options.lam, "epsilon": options.epsilon}


def limited(options: Namespace) -> bool:
    """Whether a ratio limit is given."""
    return options.lam is not None or options.epsilon is not None


def progress(options: Namespace) -> Callable[[float], None] | None:
    """What takes the share that is done, for this command; None where there is no terminal."""
    return vars(options).get("progress")


def given(**options: Any) -> dict[str, Any]:
    """The options that were given: for the others the functions have defaults."""
    return {name: value for name, value in options.items() if value is not None}


def needed(options: Namespace, *names: str) -> None:
    """Refuse a missing option that only this form of a command needs."""
    for name in names:
        if getattr(options, name) is None:
            raise DomainError(name, ..., f"--{name}")


def several(typed: Sequence[str], name: str) -> Sequence[str]:
    """The numbers after one option; 1,2,5 is refused, as 1,000 is one number."""
    for text in typed:
        if re.fullmatch(r"\d+(,\d+)+", text) and not re.fullmatch(r"[1-9]\d{0,2}(,\d{3})+", text):
            raise DomainError(name, text, f"spaces between several numbers: --{name} {text.replace(',', ' ')}")
    return typed


def unused(options: Namespace, form: str, *names: str) -> None:
    """Refuse options of another form of the command: if they were ignored, users would think that they counted."""
    for name in names:
        if (value := getattr(options, name)) is not None:
            raise DomainError(name, value, f"no --{name} {form}")


@contextmanager
def typed_as(names: Mapping[str, str]) -> Iterator[None]:
    """A refused argument is called by the name of its option, where that is another one."""
    try:
        yield
    except DomainError as error:
        name = ", ".join(names.get(one, one) for one in error.argument.split(", "))
        raise DomainError(name, error.value, error.allowed) from None


def proofs(
    options: Namespace, question: Callable[..., Any], **asked: Any
) -> Callable[[Any], Mapping[str, Callable[[Path], str | None]]]:
    """A function that takes the answer and returns what writes its certificate, as JSON and for Coq: ``Printed.files``.

    A question without certificate is refused at once, before any work.
    """
    wanted = {name for name in ("certificate", "formal") if vars(options).get(name) is not None}
    if not wanted:
        return lambda _: {}
    from dpcalc.certificates import certificate, formal, questions

    about = questions.asked(question, (), asked)
    if "formal" in wanted:
        formal.formalized(about.document)

    def written(answer: Any) -> Mapping[str, Callable[[Path], str | None]]:
        made = cache(lambda: certificate.certificate(question, answer=answer, progress=progress(options), **asked))

        def proof(path: Path) -> str | None:
            made().write(path)
            return _proven("certificate", made().note)

        def theorem(path: Path) -> str | None:
            found = formal.formal(made().document)
            files.write(path, found.coq.encode(), "formal")
            return _proven("theorem", certificate.weaker(about.what, answer, found.lower or None, found.upper))

        return {"certificate": proof, "formal": theorem}

    return written


def _proven(name: str, note: str | None) -> str | None:
    return note and f"the {name} proves: {note}"


def warned(answer: Printed, *lines: str | None) -> Printed:
    """The answer with those of these warnings that are not None."""
    told = [line for line in lines if line is not None]
    if not told:
        return answer
    text = "\n".join([answer.text, *(f"warning: {line}" for line in told)])
    warnings = [*answer.content.get("warnings", ()), *told]
    return answer._replace(text=text, content={**answer.content, "warnings": warnings})


def weighed(answer: Printed, known: Mapping[str, Any], **more: Any) -> Printed:
    """The answer, with the reasons why its promise means little, if there are any.

    Known are n, delta, and lam or epsilon, as they were given or, enclosed, found; ``more`` goes to ``cautions``.
    """
    from dpcalc.numbers.limit import Limit
    from dpcalc.privacy.cautions import cautions

    ends = {name: x.upper if isinstance(x, Enclosure) else x for name, x in known.items()}
    epsilon = ends.get("epsilon")  # one that is found may be larger than any that may be asked for
    found = isinstance(known.get("epsilon"), Enclosure)
    limit = Limit.exp(ends["epsilon"]) if found else Limit.of(lam=ends.get("lam"), epsilon=epsilon)
    n, target = integer(ends["n"], "n", minimum=1), rational(ends["delta"], "delta")
    return warned(answer, *cautions(n=n, limit=limit, delta=target, **more))


# --- users who hide nobody -----------------------------------------------------------------------------------------

#: --dropouts and --colluding, numbers of users or shares such as 5% of all. Only the n honest users protect each other;
#: to leave out all others is the worst case (``mechanisms.fleet``). So commands that are given n subtract these users
#: from it; where n is the answer, a batch needs that many users more.
_WAYS = ("dropouts", "colluding")
_ALLOWED = "a whole number of users >= 0, or a share such as 5%, together less than all"


def only_honest(options: Namespace) -> Namespace:
    """The options, with n the number of honest users, one at least."""
    if vars(options).get("n") is None or not _lost_by(options):
        return options
    users, (share, count) = integer(options.n, "n", minimum=1), _lost(options)
    left = math.floor((1 - share) * users) - count
    if left < 1:
        raise DomainError("n", options.n, f"more users than drop out or collude: {users - left:,} of {users:,}")
    return Namespace(**{**vars(options), "n": str(left), "users": users})


def less(options: Namespace) -> str:
    """How n came about, in words: all users less those who are lost; empty if nobody is."""
    lost = [f"{text} {name}" for name, text in _lost_by(options).items()]
    return f"{options.users:,} users less {' and '.join(lost)}" if lost else ""


def batch(options: Namespace, honest: int) -> int | None:
    """The fewest users among whom ``honest`` are honest; None if nobody is lost."""
    share, count = _lost(options)
    return math.ceil((honest + count) / (1 - share)) if _lost_by(options) else None


def _lost_by(options: Namespace) -> dict[str, str]:
    return {name: text for name in _WAYS if (text := vars(options).get(name)) is not None}


def _lost(options: Namespace) -> tuple[Fraction, int]:
    """The users who are lost: a share of all, and a number."""
    share, count = Fraction(0), 0
    for name, text in _lost_by(options).items():
        if not text.endswith("%"):
            try:
                count += integer(text, name, minimum=0)
            except DomainError:
                raise DomainError(name, text, _ALLOWED) from None
        elif (lost := rational(text[:-1], name, _ALLOWED) / 100) < 0 or share + lost >= 1:
            raise DomainError(name, text, _ALLOWED)
        else:
            share += lost
    return share, count


# --- what is printed ----------------------------------------------------------------------------------------------


def put(text: str, name: str) -> Status:
    """Print on standard output, with what the terminal lacks or what would steer it escaped; if that fails, one line on
    standard error says so.
    """
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
