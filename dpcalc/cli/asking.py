"""The command of a question: the function of its row is asked, and its answer shown as answers of that kind are."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Mapping
from functools import partial
from inspect import signature
from typing import Any

from dpcalc.cli import delta
from dpcalc.cli.command import Command, Printed, certifier, given, unused
from dpcalc.cli.honest import batch
from dpcalc.cli.waiting import shown
from dpcalc.questions import HELD, Question

__all__ = ["command"]


def command(question: Question) -> Command:
    """Named as the function is."""
    name = question.function.replace("_", "-")
    return Command(name, question.summary, question.arguments, partial(_run, question), question.example)


def _run(question: Question, options: Namespace) -> Printed:
    if "categories" in question.own and options.categories is None:
        unused(options, "without --categories", "neighbours", *(["ones"] if HELD in question.arguments else []))
    asked = question.read(given(**{name: vars(options)[name] for name in question.own}))
    proof = certifier(options, question.call, **asked)
    told = {"progress": shown(options).advance} if "progress" in signature(question.call).parameters else {}
    found = question.call(**asked, **told)
    lines, content = _said(question, asked, found)
    if question.function == "least_n" and (users := batch(options, int(found.value))) is not None:
        lines.append(f"a batch of {users} users has so many honest ones")
        content["batch"] = users
    return Printed("\n".join(lines), content, files=proof(found))


def _said(question: Question, asked: Mapping[str, Any], found: Any) -> tuple[list[str], dict[str, Any]]:
    """The lines and the content of an answer."""
    from dpcalc.choose.bracket import Bracket
    from dpcalc.mechanisms.response import KRandomization
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
