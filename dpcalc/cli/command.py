"""What a command is, and what all commands share: options, and how they are read.

Numbers stay text: the library reads them exactly and says what is wrong with them. A command imports what it needs only
when it runs, so that --help answers at once.
"""

from __future__ import annotations

import re
from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Mapping, Sequence
from enum import IntEnum
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from dpcalc import files
from dpcalc.cli.waiting import shown
from dpcalc.errors import DomainError
from dpcalc.questions import Argument

if TYPE_CHECKING:
    from dpcalc.accuracy.estimated import Estimated
    from dpcalc.mechanisms.mechanism import Mechanism
    from dpcalc.mechanisms.response import KRandomization
    from dpcalc.mechanisms.rounds import Rounds

_Run = TypeVar("_Run", bound="Mechanism")


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
        files: functions that each write one file and return the line that says so. They run after the answer is
            printed, so that a file that cannot be written does not cost the answer.
    """

    text: str
    content: Mapping[str, Any]
    status: Status = Status.OK
    files: Sequence[Callable[[], str]] = ()


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
    if not (argument.metavar or "").startswith("FILE"):
        # for argcomplete, which would offer files where there are no values
        added.completer = lambda **_: argument.values  # type: ignore[attr-defined]


# --- how they are read --------------------------------------------------------------------------------------------


def mechanism(options: Namespace, **more: Any) -> KRandomization:
    """The mechanism of single bits that the options describe."""
    from dpcalc.mechanisms.response import KRandomization

    return KRandomization(n=options.n, q=options.q, k=options.k, **more)


def repeated(options: Namespace, mechanism: _Run) -> _Run | Rounds:
    """The mechanism, repeated as often as --rounds says."""
    if options.rounds is None:
        return mechanism
    from dpcalc.mechanisms.mechanism import MOST_ROUNDS
    from dpcalc.mechanisms.rounds import Rounds
    from dpcalc.numbers.rational import integer

    return Rounds([(mechanism, integer(options.rounds, "rounds", minimum=1, maximum=MOST_ROUNDS))])


def limit(options: Namespace) -> dict[str, Any]:
    """The ratio limit as keyword arguments."""
    return {"lam": options.lam, "epsilon": options.epsilon}


def limited(options: Namespace) -> bool:
    """Whether a ratio limit is given."""
    return options.lam is not None or options.epsilon is not None


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


def certifier(
    options: Namespace, question: Callable[..., Any], *arguments: Any, **more: Any
) -> Callable[[Any], list[Callable[[], str]]]:
    """A function that takes the answer and returns what writes its certificate, as JSON and for Coq: ``Printed.files``.

    A question without certificate, or a file that cannot be written, is refused at once, before any work.

    Args:
        options: of the command.
        question: the public function that is asked.
        arguments: its positional arguments.
        more: its keyword arguments.
    """
    paths = {name: path for name in ("certificate", "formal") if (path := vars(options).get(name)) is not None}
    if not paths:
        return lambda _: []
    from dpcalc.certificates.certificate import certificate, weaker
    from dpcalc.certificates.formal import formal, formalized
    from dpcalc.certificates.questions import asked

    about = asked(question, arguments, given(**more))
    if "formal" in paths:
        formalized(about.document)
    endings = {"certificate": (), "formal": (".v", ".txt")}
    targets = {name: files.check(path, name, endings=endings[name]) for name, path in paths.items()}

    def write(answer: Any) -> str:
        made = certificate(question, *arguments, answer=answer, progress=shown(options).advance, **given(**more))
        lines, notes = list[str](), dict[str, str | None]()
        if "certificate" in targets:
            notes["certificate"] = made.note
            made.write(targets["certificate"])
            lines.append(f"certificate: {options.certificate}")
        if "formal" in targets:
            found = formal(made.document)
            files.write(targets["formal"], found.coq.encode(), "formal")
            lines.append(f"formal: {options.formal}")
            notes["theorem"] = weaker(about.what, answer, found.lower or None, found.upper)
        told = (f"the {name} proves: {note}" for name, note in notes.items() if note)
        return "\n".join([*lines, *told])

    return lambda answer: [partial(write, answer)]


def promised(
    options: Namespace, mechanism: Mechanism, **more: Any
) -> tuple[str, Any, dict[str, Any], Sequence[Callable[[], str]]]:
    """delta at the limit or, where --delta is given alone, the least epsilon for it.

    Returns:
        The name of the answer, the answer, the limit or the delta that was given, and what writes its certificate
        (``Printed.files``).
    """
    from dpcalc.choose.epsilon import epsilon
    from dpcalc.privacy.delta import delta

    question: Callable[..., Any] = epsilon
    name, asked, told = "epsilon", {"delta": options.delta}, dict[str, Any]()
    if limited(options) or options.delta is None:
        question, name, asked, told = delta, "delta", limit(options), {"progress": shown(options).advance}
    proof = certifier(options, question, mechanism, **asked, **more, rtol=options.rtol)
    found = question(mechanism, **asked, **more, rtol=options.rtol, **told)
    return name, found, asked, proof(found)


def warned(answer: Printed, lines: Sequence[str]) -> Printed:
    """The answer with these lines of ``privacy.cautions`` added."""
    if not lines:
        return answer
    text = "\n".join([answer.text, *(f"warning: {line}" for line in lines)])
    return answer._replace(
        text=text, content={**answer.content, "warnings": [*answer.content.get("warnings", ()), *lines]}
    )


def doubted(answer: Printed, found: Estimated) -> Printed:
    """The answer, with the doubt about the counts that it is from, if there is one."""
    return answer if found.note is None else warned(answer, [found.note])


def weighed(answer: Printed, known: Mapping[str, Any], **more: Any) -> Printed:
    """The answer, with the reasons why its promise means little, if there are any.

    Args:
        answer: what was found.
        known: n, delta, and lam or epsilon, as they were given or, enclosed, found.
        more: the other arguments of ``cautions``.
    """
    from dpcalc.numbers.enclosure import Enclosure
    from dpcalc.numbers.limit import Limit
    from dpcalc.numbers.rational import integer, rational
    from dpcalc.privacy.cautions import cautions

    ends = {name: x.upper if isinstance(x, Enclosure) else x for name, x in known.items()}
    epsilon = ends.get("epsilon")  # one that is found may be larger than any that may be asked for
    found = isinstance(known.get("epsilon"), Enclosure)
    limit = Limit.exp(ends["epsilon"]) if found else Limit.of(lam=ends.get("lam"), epsilon=epsilon)
    n, target = integer(ends["n"], "n", minimum=1), rational(ends["delta"], "delta")
    return warned(answer, cautions(n=n, limit=limit, delta=target, **more))


def writer(
    options: Namespace, name: str, *endings: str, said: str = ""
) -> Callable[[Callable[[], str]], list[Callable[[], str]]]:
    """A function that takes what makes a text, and returns what writes it to the option's file: ``Printed.files``.

    A file that cannot be written is refused at once, before any work.
    """
    path = vars(options)[name]
    if path is None:
        return lambda _: []
    target = files.check(path, name, endings=endings)

    def write(text: Callable[[], str]) -> str:
        files.write(target, text().encode(), name)
        return f"{said or name}: {path}"

    return lambda text: [partial(write, text)]


def plotter(options: Namespace) -> Callable[[Callable[[str], None]], list[Callable[[], str]]]:
    """As ``writer``, for what draws a picture."""
    if options.plot is None:
        return lambda _: []
    from dpcalc.plots import check_target

    check_target(options.plot)

    def draw(plot: Callable[[str], None]) -> str:
        plot(options.plot)
        return f"plot: {options.plot}"

    return lambda plot: [partial(draw, plot)]
