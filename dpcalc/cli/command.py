"""What a command is, and what commands share: options, and how they are read.

Numbers stay text: the library reads them exactly and says what is wrong with them. Every command imports what it runs
when it runs, so that --help answers at once.
"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Mapping, Sequence
from enum import IntEnum
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

from dpcalc.cli.honest import add_losses
from dpcalc.errors import DomainError

if TYPE_CHECKING:
    from dpcalc.mechanisms.response import KRandomization
    from dpcalc.privacy.accounted import Accounted

__all__ = [
    "ONES",
    "Answer",
    "Command",
    "Status",
    "add_certificate",
    "add_collection",
    "add_confidence",
    "add_delta",
    "add_k",
    "add_limit",
    "add_n",
    "add_q",
    "add_rtol",
    "add_users",
    "certifier",
    "check_plot",
    "collected",
    "collection",
    "given",
    "limit",
    "mechanism",
    "needed",
    "plotted",
    "unused",
]


#: Of the commands whose --ones has two meanings.
ONES = (
    "single bits: only the datasets with this many ones among the other n - 1 records; "
    "with --categories: how many categories each record holds (default 1)"
)


class Status(IntEnum):
    """Exit statuses."""

    OK = 0
    NO = 1  # a verdict
    BAD_INPUT = 2  # outside what any answer is given for, such as n k > 10^15
    NO_SOLUTION = 3
    TOO_LARGE = 4  # this answer, of what is allowed
    UNDECIDED = 5
    UNWRITTEN = 74  # EX_IOERR of sysexits
    INTERRUPTED = 130


class Answer(NamedTuple):
    """What a command found.

    Attributes:
        text, content: for a reader, and of a JSON document.
        status: the exit status.
        files: what writes one each, after the answer is printed, and returns the line that says so: what cannot be
            written costs no more than itself.
    """

    text: str
    content: Mapping[str, Any]
    status: Status = Status.OK
    files: Sequence[Callable[[], str]] = ()


class Command(NamedTuple):
    """One command: its arguments and its body."""

    name: str
    summary: str
    arguments: Callable[[ArgumentParser], None]
    run: Callable[[Namespace], Answer]
    example: str = ""


# --- options ------------------------------------------------------------------------------------------------------


def add_n(parser: ArgumentParser, *, required: bool = True) -> None:
    """The number of records."""
    parser.add_argument("--n", required=required, help="users, at least 1; each has a record")


def add_users(parser: ArgumentParser) -> None:
    """The number of records where they hide each other, and how many of them do not."""
    parser.add_argument(
        "--n", required=True, help="users, at least 1: the honest ones, or all with --dropouts or --colluding"
    )
    add_losses(parser)


def add_q(parser: ArgumentParser) -> None:
    """The flip probability."""
    parser.add_argument("--q", required=True, help="the probability that a report is flipped, 0 < q < 1/2")


def add_k(parser: ArgumentParser) -> None:
    """The reports per record."""
    parser.add_argument("--k", default="1", help="reports of the same bit by each user (default 1)")


def add_limit(parser: ArgumentParser) -> None:
    """The ratio limit, in either of its two forms; ``limit`` reads it."""
    parser.add_argument("--lam", help="how many times likelier an event may become, lambda >= 1; give it or --epsilon")
    parser.add_argument("--epsilon", help="its logarithm: lambda = e^epsilon")


def add_delta(parser: ArgumentParser) -> None:
    """The delta that a parameter is solved for."""
    parser.add_argument("--delta", required=True, help="the target, 0 < delta < 1")


def add_confidence(parser: ArgumentParser, methods: str) -> None:
    """How sure an interval is to contain the truth, and by which method."""
    parser.add_argument("--confidence", default="0.95", help="0 < confidence < 1 (default 0.95)")
    parser.add_argument("--method", help=methods)


def add_rtol(parser: ArgumentParser) -> None:
    """The width of what is solved for."""
    parser.add_argument(
        "--rtol", help="relative width of the answer (default 1e-6; for histograms and rounds an aim of 1e-3)"
    )


def add_certificate(parser: ArgumentParser) -> None:
    """Where the answer's certificate goes; ``certifier`` writes it."""
    parser.add_argument(
        "--certificate",
        metavar="FILE",
        help="write the answer with its proof there; check.py checks it with Python alone",
    )


def add_collection(parser: ArgumentParser, *, rounds: bool = True, ones: bool = True) -> None:
    """A histogram instead of single bits, and many rounds; ``collected`` and ``collection`` read them."""
    parser.add_argument("--categories", help="collect a histogram of this many categories, at least 2")
    parser.add_argument(
        "--neighbours", help='of a histogram: one record is replaced ("replace", default) or becomes zeros ("delete")'
    )  # fmt: skip
    if ones:
        parser.add_argument("--ones", help="of a histogram: how many categories each record holds (default 1)")
    if rounds:
        parser.add_argument("--rounds", help="how many times everybody reports, with other data each time (default 1)")


# --- how they are read --------------------------------------------------------------------------------------------


def mechanism(options: Namespace, **more: Any) -> KRandomization:
    """The mechanism that the options describe."""
    from dpcalc.mechanisms.response import KRandomization

    return KRandomization(n=options.n, q=options.q, k=options.k, **more)


def collection(options: Namespace) -> dict[str, Any]:
    """A histogram and rounds, as keyword arguments of the solvers."""
    if options.categories is None:
        unused(options, "without --categories", "neighbours", "ones")
    asked = vars(options)
    return given(**{name: asked.get(name) for name in ("rounds", "categories", "ones", "neighbours")})


def collected(options: Namespace) -> KRandomization | Accounted[Any]:
    """The mechanism that the options describe, with its rounds; without --categories --ones is about the others."""
    from dpcalc.choose.deployment import Deployment

    single = Namespace(**{**vars(options), "ones": None}) if options.categories is None else options
    return Deployment.of(k=options.k, **collection(single)).mechanism(options.n, options.q)


def limit(options: Namespace) -> dict[str, Any]:
    """The ratio limit as keyword arguments."""
    return {"lam": options.lam, "epsilon": options.epsilon}


def given(**options: Any) -> dict[str, Any]:
    """The options that were given, so that the functions' own defaults stand for the others."""
    return {name: value for name, value in options.items() if value is not None}


def needed(options: Namespace, *names: str) -> None:
    """Refuse the absence of options that only one form of a command asks for."""
    for name in names:
        if getattr(options, name) is None:
            raise DomainError(name, ..., f"--{name}")


def unused(options: Namespace, form: str, *names: str) -> None:
    """Refuse options that another form of the command takes: silence would look as if they counted."""
    for name in names:
        if (value := getattr(options, name)) is not None:
            raise DomainError(name, value, f"no --{name} {form}")


def certifier(
    options: Namespace, question: Callable[..., Any], *arguments: Any, **more: Any
) -> Callable[[Any], list[Callable[[], str]]]:
    """For an answer, what writes its certificate, if one is asked for: ``Answer.files``.

    What has none, or could not be written, is refused at once: before any work.

    Args:
        options: of the command.
        question: what is asked.
        arguments: of the question.
        more: its other arguments.
    """
    if options.certificate is None:
        return lambda _: []
    from dpcalc import files
    from dpcalc.certificates.certificate import certificate
    from dpcalc.certificates.questions import asked

    asked(question, arguments, given(**more))
    target = files.check(options.certificate, "certificate")

    def write(answer: Any) -> str:
        made = certificate(question, *arguments, answer=answer, **given(**more))
        made.write(target)
        return f"certificate: {options.certificate}" + (f" (slightly wider: {made.ends})" if made.widened else "")

    return lambda answer: [partial(write, answer)]


def check_plot(options: Namespace) -> None:
    """Refuse a picture that could not be drawn, before any work."""
    if options.plot is not None:
        from dpcalc.plots import check_target

        check_target(options.plot)


def plotted(options: Namespace, plot: Callable[[str], None]) -> list[Callable[[], str]]:
    """What draws the picture, if one is asked for: ``Answer.files``."""

    def draw() -> str:
        plot(options.plot)
        return f"plot: {options.plot}"

    return [] if options.plot is None else [draw]
