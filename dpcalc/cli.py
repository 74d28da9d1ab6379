"""The command line: every command prints what is certain, or JSON with ``--json``."""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections.abc import Callable, Sequence
from contextlib import contextmanager, suppress
from fractions import Fraction
from typing import Any, NoReturn

from dpcalc.errors import DomainError, DpcalcError

__all__ = ["main"]

_OK, _FAILED, _BAD_INPUT, _FAILED_WRITE = 0, 1, 2, 74  # 74: EX_IOERR of sysexits
_LONGEST = 200  # digits of a number printed as it is


class _Parser(argparse.ArgumentParser):
    """Errors in one line; what starts with a minus and a digit is a number, such as -1/3 or -1e-3."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self._negative_number_matcher = re.compile(r"-\.?\d")

    def error(self, message: str) -> NoReturn:
        self.exit(_BAD_INPUT, f"{self.prog}: {message} (see {self.prog} --help)\n")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; the exit status is 0, 1 for a verdict "no", and 2 for bad input."""
    options = _parser().parse_args(arguments)
    try:
        result = options.run(options)
    except DpcalcError as error:
        print(f"dpcalc {options.command}: {error}", file=sys.stderr)
        return _BAD_INPUT
    except KeyboardInterrupt:
        print(f"dpcalc {options.command}: interrupted", file=sys.stderr)
        return 130
    text, document, status = result
    try:
        print(json.dumps(document, indent=2) if options.json else text, flush=True)
    except BrokenPipeError:  # the reader (head, less) has seen enough
        with suppress(OSError):
            sys.stdout.close()
    except OSError as error:
        with suppress(OSError):
            sys.stdout.close()
        print(f"dpcalc {options.command}: the output cannot be written ({error.strerror})", file=sys.stderr)
        return _FAILED_WRITE
    return int(status)


# --- commands: (text, JSON document, exit status) -----------------------------------------------------------------
# Each imports what it runs, so that --help answers at once.

Result = tuple[str, Any, int]


def _plan(options: argparse.Namespace) -> Result:
    from dpcalc.choose.plan import plan

    _check_plot(options)
    with _progress("plan") as progress:
        found = plan(
            n=options.n, **_limit(options), delta=options.delta, ks=options.k, sigmas=options.sigmas,
            budget=options.budget, progress=progress,
        )  # fmt: skip
    if options.plot is not None:
        found.plot(options.plot)
    return found.table(), found.to_dict(), _OK


def _delta(options: argparse.Namespace) -> Result:
    from dpcalc.privacy.worst import delta

    with _progress("datasets") as progress:
        found = delta(
            _mechanism(options), **_limit(options), ones=options.ones, rtol=options.rtol, progress=progress
        )  # fmt: skip
    which = (
        f"attained with {found.dataset.ones} ones among the other records, "
        f"the event being likelier when the changed record is {found.dataset.value}"
    )
    document = {"delta": found.to_dict(), "ones": found.dataset.ones, "value": found.dataset.value}
    return f"delta = {found}\n{which}", document, _OK


def _epsilon(options: argparse.Namespace) -> Result:
    from dpcalc.choose.epsilon import epsilon

    found = epsilon(_mechanism(options), delta=options.delta, ones=options.ones, **_given(rtol=options.rtol))
    return f"epsilon = {found}", {"epsilon": found.to_dict()}, _OK


def _ratio(options: argparse.Namespace) -> Result:
    if options.records is not None:
        return _collections(options)
    _needed(options, "n", "s")
    _unused(options, "without --records", "change")
    from dpcalc.numbers.enclosure import Enclosure
    from dpcalc.privacy.ratio import ratio, ratio_bound

    mechanism = _mechanism(options)
    found = Enclosure.of(ratio(mechanism, options.s, ones=options.ones))
    lines, document = [f"ratio = {found}"], {"ratio": found.to_dict()}
    if options.ones is None:
        bound = Enclosure.of(ratio_bound(mechanism, options.s))
        lines.append(f"bound (K16, 5.13) = {bound}")
        document["bound"] = bound.to_dict()
    if options.lam is not None or options.epsilon is not None:
        from dpcalc.privacy.ratio import exceedance

        outside = exceedance(mechanism, **_limit(options), ones=options.ones)
        for key, name, value in (
            ("ratio_exceeds", "P[ratio > lambda]", outside.ratio),
            ("ratio_exceeds_under_neighbour", "  after the change to 0", outside.ratio_neighbour),
            ("reciprocal_exceeds", "P[1/ratio > lambda]", outside.reciprocal),
            ("reciprocal_exceeds_under_neighbour", "  after the change to 0", outside.reciprocal_neighbour),
        ):
            lines.append(f"{name} = {value}")
            document[key] = value.to_dict()
    return "\n".join(lines), document, _OK


def _collections(options: argparse.Namespace) -> Result:
    from dpcalc.mechanisms.records import replaced
    from dpcalc.privacy.collections.ratios import compare

    _needed(options, "change")
    _unused(options, "with --records", "n", "s", "ones")
    records = options.records.split(",")
    place, _, value = options.change.partition(":")
    found = compare(records, replaced(records, place, value), q=options.q, k=options.k)
    text, document = found.table(), found.to_dict()
    if options.lam is not None or options.epsilon is not None:
        delta = found.delta(**_limit(options))
        text += f"\ndelta = {delta}"
        document["delta"] = delta.to_dict()
    return text, document, _OK


def _maximal(options: argparse.Namespace) -> Result:
    from dpcalc.privacy.collections.maximal import maximal_collections

    with _progress("collections") as progress:
        found = maximal_collections(
            n=options.n, bits=options.bits, q=options.q, k=options.k, lam=options.lam, progress=progress
        )
    return found.table(), found.to_dict(), _OK


def _vector_delta(options: argparse.Namespace) -> Result:
    from dpcalc.mechanisms.response import KRandomization
    from dpcalc.privacy.vectors.identical_records import vector_delta

    mechanism = KRandomization(n=options.n, q=options.q, k=options.k, bits=options.bits)
    found = vector_delta(mechanism, **_limit(options), **_given(rtol=options.rtol))
    return found.table(), found.to_dict(), _OK


def _local_q(options: argparse.Namespace) -> Result:
    from dpcalc.choose.local import local_q
    from dpcalc.numbers.enclosure import decimal

    found = local_q(
        n=options.n, **_limit(options), k=options.k, bits=options.bits, sigmas=options.sigmas, method=options.method,
        sides=options.sides, **_given(rtol=options.rtol),
    )  # fmt: skip
    text = _bracket_text("q", found)
    document = _bracket_document("q", found)
    if found.first is not None:
        document["first"] = _bracket_document("q", found.first)
        first = found.first
        text += (
            f"\nholds first: for every q up to {decimal(first.upper, first.upper, 6)}, where only s = kn is likely"
            if first.lower == 0
            else f"\nholds first at q = {first}"
        )
    return text, document, _OK


def _least_q(options: argparse.Namespace) -> Result:
    from dpcalc.choose.least import least_q

    found = least_q(
        n=options.n, **_limit(options), delta=options.delta, k=options.k, **_given(rtol=options.rtol)
    )  # fmt: skip
    return _bracket_text("q", found), _bracket_document("q", found), _OK


def _least_n(options: argparse.Namespace) -> Result:
    from dpcalc.choose.least import least_n

    found = least_n(
        q=options.q, **_limit(options), delta=options.delta, k=options.k, **_given(rtol=options.rtol)
    )  # fmt: skip
    return _bracket_text("n", found), _bracket_document("n", found), _OK


def _most_k(options: argparse.Namespace) -> Result:
    from dpcalc.choose.least import most_k

    found = most_k(n=options.n, q=options.q, **_limit(options), delta=options.delta)
    return _bracket_text("k", found), _bracket_document("k", found), _OK


def _closeness(options: argparse.Namespace) -> Result:
    from dpcalc.anonymized.partition import closeness, n_closeness

    given = {
        "quasi": options.quasi, "sensitive": options.sensitive, "epsilon": options.epsilon,
        "distance": options.distance, "order": options.order,
    }  # fmt: skip
    if options.n is not None:
        subset = n_closeness(options.table, n=options.n, **given)
        return subset.table(), subset.to_dict(), _OK if subset.holds else _FAILED
    found = closeness(options.table, **given)
    return found.table(), found.to_dict(), _OK if found.holds else _FAILED


def _barrier(options: argparse.Namespace) -> Result:
    from dpcalc.accuracy.barrier import sqrt_barrier

    _check_plot(options)
    found = sqrt_barrier(q=options.q, scale=options.scale, **_given(ns=options.n, exponents=options.exponents))
    if options.plot is not None:
        found.plot(options.plot)
    return found.table(), found.to_dict(), _OK


def _claims(options: argparse.Namespace) -> Result:
    from dpcalc.claims import run
    from dpcalc.claims.report import details, errata, table

    with _progress("claims") as progress:
        found = run(options.id, document=options.document, errata=options.refuted, progress=progress)
    view = errata if options.refuted else details if options.id else table
    return view(found), [verdict.to_dict() for verdict in found], _OK


# --- what commands share ------------------------------------------------------------------------------------------


def _mechanism(options: argparse.Namespace) -> Any:
    from dpcalc.mechanisms.response import KRandomization

    return KRandomization(n=options.n, q=options.q, k=options.k)


def _limit(options: argparse.Namespace) -> dict[str, Any]:
    return {"lam": options.lam, "epsilon": options.epsilon}


def _needed(options: argparse.Namespace, *names: str) -> None:
    """Options that only one form of a command asks for."""
    for name in names:
        if getattr(options, name) is None:
            raise DomainError(name, None, f"--{name}")


def _unused(options: argparse.Namespace, form: str, *names: str) -> None:
    """Options that another form of the command takes: silence would look as if they counted."""
    for name in names:
        if (value := getattr(options, name)) is not None:
            raise DomainError(name, value, f"no --{name} {form}")


def _check_plot(options: argparse.Namespace) -> None:
    if options.plot is not None:
        from dpcalc.plots import check_target

        check_target(options.plot)


def _given(**options: Any) -> dict[str, Any]:
    """The options that were given, so that the functions' own defaults stand for the others."""
    return {name: value for name, value in options.items() if value is not None}


def _bracket_text(name: str, found: Any) -> str:
    holds, fails = ("upper", "lower") if found.holds_above else ("lower", "upper")
    ends = {"lower": (found.lower, found.at_lower), "upper": (found.upper, found.at_upper)}
    lines = [f"{name} = {found}"]
    for word, end in (("holds", holds), ("fails", fails)):
        if found.lower == found.upper and end == fails:
            continue
        x, value = ends[end]
        lines.append(f"proven: {word} at {name} = {_exactly(x)}, where the bounded quantity is {value}")
    return "\n".join(lines)


def _exactly(x: Fraction) -> str:
    """An end as it is, to be typed again: a number that is cut short may lie on the other side."""
    from dpcalc.numbers.enclosure import decimal

    text = decimal(x, x, _LONGEST)
    return str(x) if "..." in text else text


def _bracket_document(name: str, found: Any) -> dict[str, Any]:
    return {
        name: found.enclosure.to_dict(),
        "value": _exactly(found.value),
        "safe": "upper" if found.holds_above else "lower",
        "at_lower": found.at_lower.to_dict(),
        "at_upper": found.at_upper.to_dict(),
    }


@contextmanager
def _progress(label: str) -> Any:
    """A callback that draws a bar on standard error, on a terminal, after a second; none without tqdm."""
    if not sys.stderr.isatty():
        yield None
        return
    try:
        from tqdm import tqdm
    except ImportError:
        yield None
        return
    with tqdm(
        total=100, desc=label, delay=1, leave=False, bar_format="{desc}: {percentage:3.0f}%|{bar}| {elapsed}"
    ) as bar:

        def advance(share: float) -> None:
            bar.update(round(100 * share) - bar.n)

        yield advance


# --- arguments ----------------------------------------------------------------------------------------------------
# Numbers stay text here: the library reads them exactly and says what is wrong with them.


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(
        prog="dpcalc",
        description="Exact, certified privacy of pooled randomized response. Numbers: 0.009, 9/1000, 1e-6.",
    )
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")

    plan = _command(commands, "plan", _plan, "the noise each bound asks for, its cost and what it guarantees")
    _records(plan)
    _limits(plan)
    plan.add_argument("--delta", help="also the least q for (epsilon, delta)-differential privacy")
    plan.add_argument(
        "--k", nargs="+", default=["1", "2", "5", "10", "20", "50"], help="reports per record, one row each"
    )
    plan.add_argument("--sigmas", default="3", help="half the notes' window, in standard deviations (default 3)")
    plan.add_argument("--budget", help="largest number of reports k n for the best k")
    plan.add_argument("--plot", metavar="FILE.png", help="draw sigma and q against k")

    delta = _command(commands, "delta", _delta, "the least delta for an epsilon, over every dataset")
    _pool(delta)
    _limits(delta)
    delta.add_argument("--ones", help="one composition only: how many of the other n - 1 records are 1")
    delta.add_argument("--rtol", help="relative width (default 1e-4 over every dataset, 1e-12 for one)")

    epsilon = _command(commands, "epsilon", _epsilon, "the least epsilon for a delta, over every dataset")
    _pool(epsilon)
    epsilon.add_argument("--delta", required=True, help="0 <= delta < 1")
    epsilon.add_argument("--ones", help="one composition only: how many of the other n - 1 records are 1")
    epsilon.add_argument("--rtol", help="relative width (default 1e-6)")

    ratio = _command(commands, "ratio", _ratio, "the exact privacy ratio of a pooled count, or of two collections")
    ratio.add_argument("--n", help="records, at least 1")
    ratio.add_argument("--q", required=True, help="flip probability, 0 < q < 1/2")
    ratio.add_argument("--k", default="1", help="reports per record (default 1)")
    ratio.add_argument("--s", help="the pooled count, 0 to k n")
    ratio.add_argument("--ones", help="how many of the other n - 1 records are 1 (default: all)")
    ratio.add_argument("--records", metavar="110,111,...", help="instead of --n and --s: a collection of bit vectors")
    ratio.add_argument("--change", metavar="PLACE:VECTOR", help="the record of --records that changes, such as 1:000")
    _limits(ratio)

    maximal = _command(commands, "maximal", _maximal, "the pairs of collections with the largest ratio and delta")
    _pool(maximal)
    maximal.add_argument("--bits", required=True, help="bits per record")
    maximal.add_argument("--lam", help="also the largest delta at this ratio limit")

    vector = _command(
        commands, "vector-delta", _vector_delta, "delta of identical records of several bits, and a bound"
    )
    _pool(vector)
    vector.add_argument("--bits", required=True, help="bits per record")
    _limits(vector)
    vector.add_argument("--rtol", help="relative width (default 1e-4)")

    local = _command(commands, "local-q", _local_q, "the least q under the notes' 3-sigma bound")
    _records(local)
    _limits(local)
    local.add_argument("--k", default="1", help="reports per record (default 1)")
    local.add_argument("--bits", default="1", help="bits per record (default 1)")
    local.add_argument("--sigmas", default="3", help="half the window, in standard deviations (default 3)")
    local.add_argument(
        "--method", default="closed", help="closed, real or lattice, and variance for several bits (default closed)"
    )
    local.add_argument("--sides", default="1", help="1: the ratio; 2: its reciprocal too (default 1)")
    local.add_argument("--rtol", help="relative width (default 1e-12; closed has 40 digits)")

    least = _command(commands, "least-q", _least_q, "the least q for (epsilon, delta)-differential privacy")
    _records(least)
    _target(least)
    least.add_argument("--k", default="1", help="reports per record (default 1)")

    fewest = _command(commands, "least-n", _least_n, "the fewest users for (epsilon, delta)-differential privacy")
    fewest.add_argument("--q", required=True, help="flip probability, 0 < q < 1/2")
    _target(fewest)
    fewest.add_argument("--k", default="1", help="reports per record (default 1)")

    most = _command(commands, "most-k", _most_k, "the most repeats for (epsilon, delta)-differential privacy")
    _records(most)
    most.add_argument("--q", required=True, help="flip probability, 0 < q < 1/2")
    _target(most, width=False)

    close = _command(
        commands, "closeness", _closeness, "epsilon-closeness of an anonymized table; exit status 1 if it fails"
    )
    close.add_argument("table", help="a CSV file with a header line")
    close.add_argument("--quasi", nargs="+", required=True, metavar="COLUMN", help="the quasi-identifying columns")
    close.add_argument("--sensitive", required=True, metavar="COLUMN", help="the sensitive column")
    close.add_argument("--epsilon", required=True, help="the largest distance allowed")
    close.add_argument(
        "--distance", default="variational", help="variational (default), l1, l2, kullback-leibler, earth-mover"
    )
    close.add_argument("--order", nargs="+", metavar="VALUE", help="the sensitive values in order, for earth-mover")
    close.add_argument("--n", help="(n, epsilon)-closeness: look for a subset of at least n rows")

    ledger = _command(commands, "claims", _claims, "what the five source documents claim, and whether it is true")
    ledger.add_argument("id", nargs="*", metavar="ID", help="claims to show in detail, such as K16-4.45 (default: all)")
    ledger.add_argument("--document", help="only the claims of K16, KTEX, DW, LOC or EC")
    ledger.add_argument("--refuted", action="store_true", help="only the errata: refuted, corrected, true in part")

    wall = _command(commands, "barrier", _barrier, "the sqrt(n) barrier: what no local protocol can tell apart")
    wall.add_argument("--q", required=True, help="flip probability, 0 < q < 1/2")
    wall.add_argument("--n", nargs="+", help="numbers of people (default 1e2 to 1e10)")
    wall.add_argument("--exponents", nargs="+", help="exponents e of n^e ones (default 1/3 1/2 2/3)")
    wall.add_argument("--scale", default="1", help="the factor of n^e (default 1)")
    wall.add_argument("--plot", metavar="FILE.png", help="draw the errors against n")
    return parser


def _command(
    commands: Any, name: str, run: Callable[[argparse.Namespace], Result], summary: str
) -> argparse.ArgumentParser:
    parser: argparse.ArgumentParser = commands.add_parser(name, help=summary, description=summary)
    parser.add_argument("--json", action="store_true", help="print JSON, rationals as strings")
    parser.set_defaults(run=run)
    return parser


def _records(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--n", required=True, help="records, at least 1")


def _pool(parser: argparse.ArgumentParser) -> None:
    _records(parser)
    parser.add_argument("--q", required=True, help="flip probability, 0 < q < 1/2")
    parser.add_argument("--k", default="1", help="reports per record (default 1)")


def _limits(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--lam", help="the ratio limit lambda = e^epsilon > 1; give it or --epsilon")
    parser.add_argument("--epsilon", help="the logarithm of the ratio limit")


def _target(parser: argparse.ArgumentParser, *, width: bool = True) -> None:
    _limits(parser)
    parser.add_argument("--delta", required=True, help="the target, 0 < delta < 1")
    if width:
        parser.add_argument("--rtol", help="relative width of the answer (default 1e-6)")
