"""``dpcalc``: reads the command line, runs one command, prints its answer."""

from __future__ import annotations

import argparse
import json
import os
import re
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any, NoReturn

from dpcalc.cli import (
    barrier,
    blanket,
    claims,
    closeness,
    count_interval,
    coverage,
    delta,
    epsilon,
    estimate,
    fleet,
    gaussian_sigma,
    least_n,
    least_q,
    local_q,
    log_concavity,
    maximal,
    most_k,
    most_rounds,
    noise,
    plan,
    pmf,
    ratio,
    record,
    required_n,
    shuffle,
    tradeoff,
    vector_delta,
)
from dpcalc.cli.command import Answer, Status
from dpcalc.cli.honest import only_honest
from dpcalc.cli.waiting import waiting
from dpcalc.errors import DpcalcError, NoSolution, TooLarge, Undecided
from dpcalc.version import __version__

__all__ = ["main"]

#: In the order in which --help lists them.
_COMMANDS = (
    plan.COMMAND, delta.COMMAND, epsilon.COMMAND, ratio.COMMAND, pmf.COMMAND,
    log_concavity.COMMAND, count_interval.COMMAND, tradeoff.COMMAND, maximal.COMMAND,
    vector_delta.COMMAND, shuffle.COMMAND, record.COMMAND, local_q.COMMAND, least_q.COMMAND, least_n.COMMAND,
    most_k.COMMAND, most_rounds.COMMAND, estimate.COMMAND, coverage.COMMAND, required_n.COMMAND, noise.COMMAND,
    fleet.COMMAND, gaussian_sigma.COMMAND, blanket.COMMAND, closeness.COMMAND, claims.COMMAND, barrier.COMMAND,
)  # fmt: skip
#: Options about how to answer, not about what was asked.
_NO_INPUTS = {"run", "json", "plot", "csv", "report", "certificate", "shown"}


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; the exit status is a ``Status``."""
    parser = _parser()
    if "_ARGCOMPLETE" in os.environ:  # the shell asks what may be typed next
        import argcomplete

        argcomplete.autocomplete(parser)
    options = parser.parse_args(arguments)
    try:
        with waiting(f"dpcalc {options.command}") as options.shown:
            answer: Answer = options.run(only_honest(options))
    except DpcalcError as error:
        return _complain(options, str(error), _status(error))
    except KeyboardInterrupt:
        return _complain(options, "interrupted", Status.INTERRUPTED)
    try:
        print(_document(options, answer) if options.json else answer.text, flush=True)
    except BrokenPipeError:  # the reader (head, less) has seen enough
        with suppress(OSError):
            sys.stdout.close()
    except OSError as error:
        with suppress(OSError):
            sys.stdout.close()
        return _complain(options, f"the output cannot be written ({error.strerror})", Status.UNWRITTEN)
    return answer.status


def _status(error: DpcalcError) -> Status:
    kinds = {NoSolution: Status.NO_SOLUTION, TooLarge: Status.TOO_LARGE, Undecided: Status.UNDECIDED}
    return next((status for kind, status in kinds.items() if isinstance(error, kind)), Status.BAD_INPUT)


def _complain(options: argparse.Namespace, message: str, status: int) -> int:
    print(f"dpcalc {options.command}: {message}", file=sys.stderr)
    return status


def _document(options: argparse.Namespace, answer: Answer) -> str:
    from dpcalc.report import document

    return json.dumps(document(answer.content, inputs=_inputs(vars(options))), indent=2)


def _inputs(options: Mapping[str, Any]) -> dict[str, Any]:
    """What was asked, as it was typed or by default."""
    return {name: value for name, value in options.items() if name not in _NO_INPUTS and value is not None}


class _Once(argparse._StoreAction):
    """An option given twice is refused: one of the two values would count for nothing."""

    given = False

    def __call__(self, parser: argparse.ArgumentParser, *rest: Any) -> None:
        if self.given and self.option_strings:
            raise argparse.ArgumentError(self, "given twice")
        self.given = True
        super().__call__(parser, *rest)


class _Parser(argparse.ArgumentParser):
    """Errors in one line; what starts with a minus and a digit is a number, such as -1/3 or -1e-3."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        for name in (None, "store"):
            self.register("action", name, _Once)
        self._negative_number_matcher = re.compile(r"-\.?\d")

    def error(self, message: str) -> NoReturn:
        self.exit(Status.BAD_INPUT, f"{self.prog}: {message} (see {self.prog} --help)\n")


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(
        prog="dpcalc",
        description="Exact, certified privacy of pooled randomized response. Numbers: 0.009, 9/1000, 1e-6.",
        epilog="Exit status: 0 an answer, 1 a verdict of no, 2 bad input, 3 no solution, 4 too large, 5 undecided.",
    )
    parser.add_argument("--version", action="version", version=f"dpcalc {__version__}")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    for command in _COMMANDS:
        own = commands.add_parser(
            command.name, help=command.summary, description=command.summary, epilog=f"example: dpcalc {command.example}"
        )
        own.add_argument("--json", action="store_true", help="print JSON, rationals as strings")
        own.set_defaults(run=command.run)
        command.arguments(own)
    return parser
