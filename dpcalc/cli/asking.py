"""The command of a question: it calls the function of the row, and shows the answer by its kind."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Mapping
from functools import partial
from inspect import signature
from typing import Any

from dpcalc.cli import delta
from dpcalc.cli.axioms import watched
from dpcalc.cli.command import Command, Printed, certifier, given, unused, weighed
from dpcalc.cli.honest import batch
from dpcalc.cli.waiting import shown
from dpcalc.questions import AT_MOST, HELD, Question, collected


def command(question: Question) -> Command:
    """The command of a row, named as its function."""
    name = question.function.replace("_", "-")
    return Command(name, question.summary, question.arguments, partial(_run, question), question.example)


def _run(question: Question, options: Namespace) -> Printed:
    if "categories" in question.own and options.categories is None:
        of_histograms = [one.name for one in (HELD, AT_MOST) if one in question.arguments]
        unused(options, "without --categories", "neighbours", *of_histograms)
    asked = question.read(given(**{name: vars(options)[name] for name in question.own}))
    proof = certifier(options, question.call, **asked)
    told = {"progress": shown(options).advance} if "progress" in signature(question.call).parameters else {}
    ask = partial(question.call, **asked, **told)
    found, rests = watched(ask) if vars(options).get("axioms") else (ask(), None)
    lines, content = _said(question, asked, found)
    if rests is not None:
        lines, content = [*lines, *rests.lines], {**content, "axioms": rests._asdict()}
    if question.function == "least_n" and (users := batch(options, int(found.value))) is not None:
        lines.append(f"a batch of {users} users has so many honest ones")
        content["batch"] = users
    return _weighed(Printed("\n".join(lines), content, files=proof(found)), question, options, found)


def _weighed(answer: Printed, question: Question, options: Namespace, found: Any) -> Printed:
    """The answer, with the reasons why the promise of the question, or of its answer, means little."""
    from dpcalc.numbers.bracket import Bracket
    from dpcalc.numbers.rational import integer

    if not {"n", "q", "epsilon", "delta"} <= {*question.own, question.answer}:  # no promise
        return answer
    solved = found.value if isinstance(found, Bracket) else getattr(found, "every_dataset", found)
    known: dict[str, Any] = {**vars(options), question.answer: solved}
    parts = ["q", "a", "b", "k", "rounds", "categories", "neighbours", "bits"]
    if known.get("categories") is not None:
        parts += ["ones", "at_most"]
    own = collected(n=1, **given(**{name: known.get(name) for name in parts}))
    rounds = None if question.answer == "rounds" else known.get("rounds")
    times = None if rounds is None else integer(rounds, "rounds", minimum=1)
    return weighed(answer, known, local_epsilon=own.local_epsilon if "epsilon" in question.own else None, rounds=times)


def _said(question: Question, asked: Mapping[str, Any], found: Any) -> tuple[list[str], dict[str, Any]]:
    """The lines and the content of an answer."""
    from dpcalc.mechanisms.response import KRandomization
    from dpcalc.numbers.bracket import Bracket
    from dpcalc.numbers.enclosure import Enclosure
    from dpcalc.numbers.promise import Promise
    from dpcalc.report import at_most, both_ends, bracket, bracket_lines, promise, promise_lines

    name = question.answer
    if question.function == "delta":
        return delta.said(found)
    if question.function == "count_interval":
        return [f"from {found.lower} to {found.upper}"], {"lower": found.lower, "upper": found.upper}
    if isinstance(found, Bracket):
        return bracket_lines(name, found), bracket(name, found)
    if isinstance(found, Promise):
        sharp = isinstance(asked.get("mechanism"), KRandomization | None)
        return promise_lines(name, found, at_most if sharp else both_ends), promise(name, found)
    if isinstance(found, Enclosure | int):
        return [f"{name} = {found}"], {name: found}
    return [found.table()], found.to_dict()
