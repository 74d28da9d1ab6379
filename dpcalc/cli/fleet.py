"""``dpcalc fleet``: groups of users with their own n, q and k: delta, epsilon, or the ones that are estimated.

The keys of the file's tables are the arguments of ``Group`` and ``Dummies``. Numbers with a point are read as text, so
that 0.1 means 1/10. An error names the table of what is wrong.
"""

from __future__ import annotations

import re
import tomllib
from argparse import Namespace
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import dpcalc
from dpcalc import files
from dpcalc.cli.asking import promised, said
from dpcalc.cli.command import Command, Printed, given, limited, repeated, typed_as, unused, warned
from dpcalc.errors import DomainError
from dpcalc.numbers.enclosure import Enclosure
from dpcalc.numbers.rational import integer
from dpcalc.questions import Argument
from dpcalc.report import aligned, least, most, promise

EXAMPLE = """\
# A fleet whose reports are pooled into one count; every group has its own n, q and k.
neighbours = "replace"    # one record is replaced; "add-remove" where n is hidden

[[group]]
n = 40_000                # users
honest = 38_000           # of them, how many are sure to report, and to flip; by default all
q = 0.01                  # flip probability, 0 < q < 1/2; "1/3" in quotes
k = 1                     # reports per user; by default 1

[[group]]                 # old clients
n = 10_000
q = 0.05
k = 2

# [[dummies]]             # reports of nobody
# count = 1_000           # as many as there are at least
# probability = "1/2"     # that one is 1; by default 1/2
"""

_MOST_BYTES = 10**6  # a fleet has at most 20 groups
_NEEDED = {"group": ("n", "q"), "dummies": ("count",)}
_KEYS = {"group": ("n", "q", "k", "honest"), "dummies": ("count", "probability")}
_FILE = "a TOML file, such as dpcalc fleet --example prints"
_TABLES = "[[group]] and [[dummies]] tables, such as dpcalc fleet --example prints"
_MOST_EPSILONS = 100

_ARGUMENTS = (
    Argument("file", "a TOML file of groups, numbered from 1 in its order", nargs="?", place=True),
    Argument("example", "print such a file", flag=True),
    Argument("lam", "lambda = e^epsilon, at least 1: delta is asked for"),
    Argument("epsilon", "the logarithm of lambda: delta is asked for, at each of several", nargs="+"),
    Argument(
        "delta",
        "the target: prints the least epsilon; with --lam or --epsilon the fewest users, in the same shares",
    ),
    Argument("rounds", "how many times the same users report (default 1)"),
    Argument("ones", "only the datasets with this many ones among the others of each group", nargs="+"),
    Argument("counts", "the pooled count, or one of each group: how many users hold 1", nargs="+"),
    Argument("confidence", "of the interval with --counts (default 0.95)"),
    Argument("rtol", "relative width (default 1e-12 with --ones; else an aim of 1e-2)"),
)


def _run(options: Namespace) -> Printed:
    if options.example:
        return Printed(EXAMPLE.rstrip(), {"example": EXAMPLE})
    if options.file is None:
        raise DomainError("file", ..., _FILE)
    everybody, honest = fleets(options.file)
    if options.counts is not None:
        unused(options, "with --counts", "lam", "epsilon", "delta", "rounds", "ones", "rtol")
        fleet, ask = everybody, _total
    else:
        unused(options, "without --counts", "confidence")
        fleet = honest
        if not limited(options) and options.delta is None:
            raise DomainError("delta", ..., "--lam or --epsilon, --delta, or --counts")
        if limited(options) and options.delta is not None:
            ask = _users
        else:
            ask = _profile if options.lam is None and len(options.epsilon or ()) > 1 else _promise
    found = ask(options, fleet)
    return Printed(found.text, {**found.content, "fleet": _content(fleet)})


def _content(fleet: dpcalc.Fleet) -> dict[str, Any]:
    """The fleet, for JSON."""
    groups = [{"n": group.n, "q": group.q, "k": group.k} for group in fleet.groups]
    dummies = [{"count": one.count, "probability": one.probability} for one in fleet.dummies]
    return {"groups": groups, "dummies": dummies, "neighbours": fleet.neighbours}


def _promise(options: Namespace, fleet: dpcalc.Fleet) -> Printed:
    """delta at one limit, or the least epsilon for a delta."""
    once = Namespace(**{**vars(options), "epsilon": options.epsilon and options.epsilon[0]})
    n = sum(group.n for group in fleet.groups)
    return promised(once, fleet, n=n, ones=options.ones)


def _profile(options: Namespace, fleet: dpcalc.Fleet) -> Printed:
    """delta at several epsilons."""
    from dpcalc.privacy.attained import named

    if len(options.epsilon) > _MOST_EPSILONS:
        raise DomainError("epsilon", f"{len(options.epsilon):,} values", f"at most {_MOST_EPSILONS}: each is a search")
    asked = repeated(options, fleet)
    deltas = [dpcalc.delta(asked, epsilon=one, ones=options.ones, rtol=options.rtol) for one in options.epsilon]
    both = list(zip(options.epsilon, deltas, strict=True))
    rows = [["epsilon", "delta", "at least", "at most"], *([text, str(x), least(x), most(x)] for text, x in both)]
    points = [{"epsilon": text, **promise("delta", one), **named(one)} for text, one in both]
    notes = [f"epsilon = {text}: {one.note}" for text, one in both if one.note is not None]
    meanings = dict.fromkeys(one.meaning for one in deltas)
    return Printed("\n".join([*aligned(rows), *meanings, *notes]), {"profile": points})


def _users(options: Namespace, fleet: dpcalc.Fleet) -> Printed:
    unused(options, "with a limit and --delta", "rounds", "ones")
    if len(options.epsilon or ()) > 1:
        raise DomainError("epsilon", options.epsilon, "one epsilon with --delta")
    limit = {"lam": options.lam, "epsilon": options.epsilon[0] if options.epsilon else None}
    found = dpcalc.least_users(fleet, **limit, delta=options.delta, **given(rtol=options.rtol))
    groups = [group.n for group in found.mechanism.groups]
    lines, content = said("n", found)
    shares = "honest users of each group, its share of n rounded up: " + ", ".join(f"{n:,}" for n in groups)
    lines.append(f"{shares}; the proof is of these {sum(groups):,}")  # a little more than n, it may be
    return Printed("\n".join(lines), {**content, "groups": groups, "users": sum(groups)})


def _total(options: Namespace, fleet: dpcalc.Fleet) -> Printed:
    from dpcalc.accuracy.counted import Counted
    from dpcalc.accuracy.estimator import of_each

    confidence = "0.95" if options.confidence is None else options.confidence
    with typed_as({"s": "counts"}):
        interval = dpcalc.confidence_interval(fleet, options.counts, confidence=confidence)
    lines = [f"from {interval.lower} to {interval.upper} users hold 1, with confidence {confidence} or more"]
    content: dict[str, Any] = {"interval": [interval.lower, interval.upper], "confidence": confidence}
    (guess,) = of_each(fleet, options.counts, unbiased=False)
    if Counted.of(fleet).estimable or len(options.counts) > 1:
        lines.insert(0, f"estimate = {Enclosure.of(guess.value):12}, standard deviation {guess.sigma:12}")
        content |= {"estimate": guess.value, "sigma": guess.sigma}
    else:
        lines.append("no unbiased estimate: the pooled count does not tell which group's reports it is made of")
    return warned(Printed("\n".join(lines), content), guess.note)


# --- the file -----------------------------------------------------------------------------------------------------


def fleets(path: str) -> tuple[dpcalc.Fleet, dpcalc.Fleet]:
    """The fleet of all users, for estimates, and that of the honest ones, for privacy; refuses any other file."""
    name, content = Path(path).name, _read(path)
    with _within(name):
        _known(content, (*_KEYS, "neighbours"))
    groups = list(_made(name, content, "group", _group))
    dummies = list(_made(name, content, "dummies", lambda given: dpcalc.Dummies(**given)))
    if not groups:
        raise DomainError(f"{name}: group", ..., _TABLES)
    with _within(name):
        more = {"dummies": dummies, **{key: content[key] for key in content if key not in _KEYS}}
        everybody, honest = (dpcalc.Fleet(users, **more) for users in zip(*groups, strict=True))
        return everybody, honest


def _made(name: str, content: Mapping[str, Any], table: str, make: Callable[[Mapping[str, Any]], Any]) -> Iterator[Any]:
    """What the tables of one kind describe."""
    found = content.get(table, [])
    if not isinstance(found, list) or not all(isinstance(one, dict) for one in found):
        raise DomainError(f"{name}: {table}", found, _TABLES)
    for place, keys in enumerate(found, 1):
        with _within(f"{name}, {table} {place}"):
            _known(keys, _KEYS[table])
            for key in _NEEDED[table]:
                if key not in keys:
                    raise DomainError(key, ..., f"{key} = ..., which every [[{table}]] has")
            yield make(keys)


def _group(given: Mapping[str, Any]) -> tuple[dpcalc.Group, dpcalc.Group]:
    """All users of a group, and its honest ones."""
    found = dpcalc.Group(**{key: value for key, value in given.items() if key != "honest"})
    return found, found.of(integer(given.get("honest", found.n), "honest", minimum=1, maximum=found.n))


def _known(given: Mapping[str, Any], keys: Iterable[str]) -> None:
    for key in given:
        if key not in keys:
            raise DomainError(key, given[key], f"only {', '.join(keys)} here")


@contextmanager
def _within(place: str) -> Iterator[None]:
    """An error names the place."""
    try:
        yield
    except DomainError as error:
        raise DomainError(f"{place}: {error.argument}", error.value, error.allowed) from None


def _read(path: str) -> dict[str, Any]:
    content = files.read(path, "file", most=_MOST_BYTES)
    try:
        return tomllib.loads(content.decode("utf-8"), parse_float=str)
    except (ValueError, RecursionError) as error:
        place = re.search(r"at (?:line \d+, column \d+|end of document)", str(error))
        raise DomainError("file", path, f"{_FILE}; this is none{f', {place[0]}' if place else ''}") from None


COMMAND = Command(
    "fleet",
    "groups of users with their own n, q and k, from a file",
    _ARGUMENTS,
    _run,
    "fleet fleet.toml --epsilon 0.2",
)
