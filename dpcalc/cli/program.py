"""``dpcalc``: reads the command line, runs one command, prints its answer."""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any, NoReturn

from dpcalc.cli import (
    barrier,
    claims,
    closeness,
    delta,
    epsilon,
    least_n,
    least_q,
    local_q,
    maximal,
    most_k,
    most_rounds,
    noise,
    plan,
    ratio,
    record,
    tradeoff,
    vector_delta,
)
from dpcalc.cli.command import Answer, Status
from dpcalc.errors import DpcalcError

__all__ = ["main"]

#: In the order in which --help lists them.
_COMMANDS = (
    plan.COMMAND, delta.COMMAND, epsilon.COMMAND, ratio.COMMAND, tradeoff.COMMAND, maximal.COMMAND,
    vector_delta.COMMAND, record.COMMAND, local_q.COMMAND, least_q.COMMAND, least_n.COMMAND, most_k.COMMAND,
    most_rounds.COMMAND, noise.COMMAND, closeness.COMMAND, claims.COMMAND, barrier.COMMAND,
)  # fmt: skip
_NO_INPUTS = {"run", "json", "plot", "certificate"}  # options about how to answer, not about what was asked


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; the exit status is a ``Status``."""
    options = _parser().parse_args(arguments)
    try:
        answer: Answer = options.run(options)
    except DpcalcError as error:
        return _complain(options, str(error), Status.BAD_INPUT)
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


def _complain(options: argparse.Namespace, message: str, status: int) -> int:
    print(f"dpcalc {options.command}: {message}", file=sys.stderr)
    return status


def _document(options: argparse.Namespace, answer: Answer) -> str:
    from dpcalc.report import document

    return json.dumps(document(answer.content, inputs=_inputs(vars(options))), indent=2)


def _inputs(options: Mapping[str, Any]) -> dict[str, Any]:
    """What was asked, as it was typed or by default."""
    return {name: value for name, value in options.items() if name not in _NO_INPUTS and value is not None}


class _Parser(argparse.ArgumentParser):
    """Errors in one line; what starts with a minus and a digit is a number, such as -1/3 or -1e-3."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self._negative_number_matcher = re.compile(r"-\.?\d")

    def error(self, message: str) -> NoReturn:
        self.exit(Status.BAD_INPUT, f"{self.prog}: {message} (see {self.prog} --help)\n")


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(
        prog="dpcalc",
        description="Exact, certified privacy of pooled randomized response. Numbers: 0.009, 9/1000, 1e-6.",
    )
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    for command in _COMMANDS:
        own = commands.add_parser(command.name, help=command.summary, description=command.summary)
        own.add_argument("--json", action="store_true", help="print JSON, rationals as strings")
        own.set_defaults(run=command.run)
        command.arguments(own)
    return parser
