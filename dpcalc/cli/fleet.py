"""``dpcalc fleet``: groups of users with their own n, q and k: delta, epsilon, or the ones that are estimated."""

from __future__ import annotations

from argparse import Namespace
from typing import Any

import dpcalc
from dpcalc.cli.asking import promised, said
from dpcalc.cli.command import Command, Printed, doubted, given, limited, repeated, unused
from dpcalc.cli.fleet_file import EXAMPLE, fleets
from dpcalc.errors import DomainError
from dpcalc.numbers.enclosure import Enclosure
from dpcalc.questions import Argument
from dpcalc.report import aligned, least, most, promise

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
        raise DomainError("file", ..., "a TOML file, such as --example prints")
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
    interval = dpcalc.confidence_interval(fleet, options.counts, confidence=confidence)
    lines = [f"from {interval.lower} to {interval.upper} users hold 1, with confidence {confidence} or more"]
    content: dict[str, Any] = {"interval": [interval.lower, interval.upper], "confidence": confidence}
    (guess,) = of_each(fleet, options.counts, unbiased=False)
    if Counted.of(fleet).estimable or len(options.counts) > 1:
        lines.insert(0, f"estimate = {Enclosure.of(guess.value):12}, standard deviation {guess.sigma:12}")
        content |= {"estimate": guess.value, "sigma": guess.sigma}
    else:
        lines.append("no unbiased estimate: the pooled count does not tell which group's reports it is made of")
    return doubted(Printed("\n".join(lines), content), guess)


COMMAND = Command(
    "fleet",
    "groups of users with their own n, q and k, from a file",
    _ARGUMENTS,
    _run,
    "fleet fleet.toml --epsilon 0.2",
)
