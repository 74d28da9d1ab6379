"""``dpcalc``: reads the command line, runs one command, prints its answer."""

from __future__ import annotations

import argparse
import json
import os
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from itertools import takewhile
from pathlib import Path
from threading import Event, Thread
from time import monotonic
from typing import Any, NoReturn

from dpcalc.cli import audit, estimate, fleet, kinds, local_q, outcomes, plan, tradeoff
from dpcalc.cli.asking import command
from dpcalc.cli.command import Printed, Status, add, complain, given, only_honest, put
from dpcalc.errors import DpcalcError, NoSolution, TooLarge, Undecided
from dpcalc.files import Unwritten, check
from dpcalc.plots import check_target
from dpcalc.questions import QUESTIONS
from dpcalc.registered import registered
from dpcalc.version import __version__

#: In the order of --help.
_COMMANDS = (
    plan.COMMAND, *map(command, QUESTIONS), outcomes.RATIO, outcomes.PMF, tradeoff.COMMAND,
    local_q.COMMAND, estimate.COMMAND, kinds.SHUFFLE, kinds.NOISE, fleet.COMMAND, audit.COMMAND,
    outcomes.LOG_CONCAVITY,
)  # fmt: skip
#: What others call an option or a command.
_OTHER_WORDS = {
    "days": "rounds", "users": "n", "N": "n", "lambda": "lam", "eps": "epsilon", "p": "q", "repeats": "k",
    "bins": "categories", "buckets": "categories", "level": "confidence", "alpha": "false-positive",
    "optimal-q": "least-q", "min-q": "least-q",
}  # fmt: skip
_NEAR = 0.72  # the similarity from which a name is suggested: --version is no misspelt epsilon
#: Options about the form of the answer, besides files: JSON does not repeat them as inputs.
_NO_INPUTS = {"asked", "json", "axioms", "progress"}
_SILENT = 2.0  # seconds without a line
_STEP = 0.5  # seconds from one line to the next


def run(arguments: Sequence[str] | None = None) -> int:
    """``main``, without Ctrl-C."""
    typed = list(sys.argv[1:] if arguments is None else arguments)
    parser = _parser(next(iter(typed), None))
    if "_ARGCOMPLETE" in os.environ:  # the shell asks what may be typed next
        import argcomplete

        argcomplete.autocomplete(parser)
    if typed[:1] in ([], ["help"]):
        typed = [*typed[1:2], "--help"]
    if typed[0].startswith("-") and typed[0] not in parser._option_string_actions:
        parser.error(f"there is no command before {typed[0]}{_meant(typed[0], parser._option_string_actions)}")
    options = parser.parse_args(typed)
    name = f"dpcalc {options.command}"
    try:
        with waiting(name) as options.progress:
            targets = dict(_targets(options))
            answer: Printed = options.asked.run(only_honest(options))
        status = put(_document(options, answer) if options.json else answer.text, name) or answer.status
        for option, path in targets.items():
            status = _written(partial(answer.files[option], path), f"{option}: {path}", options, name) or status
    except DpcalcError as error:
        return complain(str(error), name, _status(error))
    return status


def _targets(options: argparse.Namespace) -> Iterator[tuple[str, Path]]:
    """The files that the options name; one that cannot be written is refused at once, before any work."""
    for one in options.asked.arguments:
        if one.file and (path := vars(options)[one.name]) is not None:
            if one.name == "plot":
                yield one.name, check_target(path)
            else:
                yield one.name, check(path, one.name, endings=one.endings) if one.metavar != "DIR" else Path(path)


def _written(write: Callable[[], str | None], line: str, options: argparse.Namespace, name: str) -> Status:
    """Write a file, and print the lines that say so, or why it could not be written; beside JSON on standard error."""
    try:
        with waiting(name) as options.progress:
            lines = "\n".join(filter(None, [line, write()]))
    except DpcalcError as error:
        return complain(str(error), name, _status(error))
    if options.json:
        for line in lines.splitlines():
            complain(line, name, Status.OK)
        return Status.OK
    return Status.OK if sys.stdout is None else put(lines, name)


def _status(error: DpcalcError) -> Status:
    kinds = {
        NoSolution: Status.NO_SOLUTION, TooLarge: Status.TOO_LARGE, Undecided: Status.UNDECIDED,
        Unwritten: Status.UNWRITTEN,
    }  # fmt: skip
    return next((status for kind, status in kinds.items() if isinstance(error, kind)), Status.BAD_INPUT)


def _document(options: argparse.Namespace, answer: Printed) -> str:
    from dpcalc.report import document

    left_out = _NO_INPUTS.union(one.name for one in options.asked.arguments if one.file)
    asked = given(**{name: value for name, value in vars(options).items() if name not in left_out})
    return json.dumps(document(answer.content, inputs=asked), indent=2)


class _Once(argparse._StoreAction):
    """Refuses an option given twice: one of the two values would be ignored."""

    given = False

    def __call__(self, parser: argparse.ArgumentParser, *rest: Any) -> None:
        if self.given and self.option_strings:
            raise argparse.ArgumentError(self, "given twice")
        self.given = True
        super().__call__(parser, *rest)


class _Parser(argparse.ArgumentParser):
    """Errors take one line; a minus and a digit begin a number, such as -1/3 or -1e-3, and so do -inf and -nan."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**options, allow_abbrev=False)
        for name in (None, "store"):
            self.register("action", name, _Once)
        self._negative_number_matcher = re.compile(r"-(\.?\d|inf|nan)")

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        if action.choices is not None and value not in action.choices:
            self.error(f"there is no command {value}{_meant(value, [*action.choices, *self._option_string_actions])}")

    def error(self, message: str) -> NoReturn:
        self.exit(complain(f"{message} (see {self.prog} --help)", self.prog, Status.BAD_INPUT))

    def print_help(self, file: Any = None) -> None:
        self._print_message(self.format_help(), sys.stdout)

    def _print_message(self, message: str, file: Any = None) -> None:
        """What --help and --version print."""
        if status := put(message.removesuffix("\n"), self.prog):
            self.exit(status)


class _Own(_Parser):
    """The parser of one command: it says itself which options it does not have."""

    def parse_known_args(self, *given: Any) -> tuple[Any, list[str]]:  # type: ignore[override]
        for text in takewhile("--".__ne__, given[0]):  # before missing options are reported: --users may be a wrong --n
            name = text.partition("=")[0]
            if text.startswith("--") and text.endswith("=--"):  # some Pythons would take it for no value
                self.error(f"{name} has no value")
            if self._is_option(text) and name not in self._option_string_actions:
                self.error(f"there is no option {name}{_meant(name, self._option_string_actions)}")
        named = all(action.option_strings for action in self._actions)
        if named and given[0] and not (first := given[0][0]).startswith("-"):
            needed = [action.option_strings[0] for action in self._actions if action.required]
            self.error(f"{first} stands alone: write {needed[0] if needed else 'the name of an option'} {first}")
        options, rest = super().parse_known_args(*given)
        if rest:
            self.error(f"too many values: {' '.join(rest)}")
        return options, rest

    def _is_option(self, text: str) -> bool:
        return text[:1] == "-" != text and " " not in text and not self._negative_number_matcher.match(text)


def _meant(typed: str, names: Iterable[str]) -> str:
    """The name most similar to what was typed, as a question."""
    from difflib import get_close_matches

    words = {name.lstrip("-"): name for name in names}  # without --, which all have in common
    word = typed.lstrip("-")
    near = get_close_matches(_OTHER_WORDS.get(word, word), words, n=1, cutoff=_NEAR)
    return f"; did you mean {words[near[0]]}?" if near else ""


def _parser(asked: str | None = None) -> argparse.ArgumentParser:
    """The parser of the command asked for, or of all: to make all takes longer than some answers."""
    parser = _Parser(
        prog="dpcalc",
        description="Exact, certified privacy of pooled randomized response. Numbers: 0.009, 9/1000, 1e-6, 5%, 50,000.",
        epilog="Exit status: 0 an answer, 1 a verdict of no, 2 bad input, 3 no solution, 4 too large, 5 undecided, "
        "74 a file or the output cannot be written.",
    )
    parser.add_argument("--version", action="version", version=f"dpcalc {__version__}")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND", parser_class=_Own)
    for each in [one for one in _COMMANDS if one.name == asked] or (*_COMMANDS, *registered("COMMANDS")):
        own = commands.add_parser(
            each.name, help=each.summary, description=each.summary, epilog=f"example: dpcalc {each.example}"
        )
        own.add_argument("--json", action="store_true", help="print JSON, rationals as strings")
        own.set_defaults(asked=each)
        for argument in each.arguments:
            add(own, argument)
    return parser


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
