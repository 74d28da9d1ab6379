"""The command of a question: it calls the function of the row, and shows the answer by its kind."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Mapping
from functools import partial
from inspect import signature
from typing import Any

import dpcalc
from dpcalc.cli import axioms
from dpcalc.cli.command import Command, Printed, batch, given, limit, limited, progress, proofs, repeated, weighed
from dpcalc.numbers.bracket import Bracket
from dpcalc.numbers.decimal import plural
from dpcalc.numbers.enclosure import Enclosure
from dpcalc.numbers.promise import Promise
from dpcalc.numbers.rational import integer
from dpcalc.questions import QUESTIONS, Question, of_mechanism
from dpcalc.report import bracket, bracket_lines, promise, promise_lines


def command(question: Question) -> Command:
    """The command of a row, named as its function."""
    name = question.function.replace("_", "-")
    return Command(name, question.summary, question.arguments, partial(_run, question), question.example)


def _run(question: Question, options: Namespace) -> Printed:
    asked = question.read(given(**{name: vars(options)[name] for name in question.own}))
    found, answer = answered(question, asked, options)
    if question.function == "least_n" and (users := batch(options, int(found.value))) is not None:
        answer = answer._replace(
            text=f"{answer.text}\na batch of {plural(users, 'user')} has so many honest ones",
            content={**answer.content, "batch": users},
        )
    return _weighed(answer, question, options, found)


def answered(question: Question, asked: Mapping[str, Any], options: Namespace) -> tuple[Any, Printed]:
    """The answer of a row's function to these arguments, and how it is shown."""
    proof = proofs(options, question.call, **asked)
    told = {"progress": progress(options)} if "progress" in signature(question.call).parameters else {}
    ask = partial(question.call, **asked, **told)
    found, rests = axioms.watched(ask) if vars(options).get("axioms") else (ask(), None)
    lines, content = said(question.answer, found)
    if rests is not None:
        lines, content = [*lines, *axioms.lines(rests)], {**content, "axioms": rests}
    return found, Printed("\n".join(lines), content, files=proof(found))


def promised(options: Namespace, mechanism: Any, *, n: int | None = None, **more: Any) -> Printed:
    """delta of rounds of a mechanism at the limit or, where --delta is given alone, the least epsilon for it.

    Of n honest users a promise that means little is warned of; ``more`` are further arguments of the question.
    """
    name, target = "epsilon", {"delta": options.delta}
    if limited(options) or options.delta is None:
        name, target = "delta", limit(options)
    (row,) = (one for one in QUESTIONS if one.function == name)
    asked = {"mechanism": repeated(options, mechanism), **given(**target, **more, rtol=options.rtol)}
    found, answer = answered(row, asked, options)
    return answer if n is None else weighed(answer, {"n": n, **target, name: found})


def _weighed(answer: Printed, question: Question, options: Namespace, found: Any) -> Printed:
    """The answer, with the reasons why the promise of the question, or of its answer, means little."""
    if not {"n", "q", "epsilon", "delta"} <= {*question.own, question.answer}:  # no promise
        return answer
    solved = found.value if isinstance(found, Bracket) else getattr(found, "every_dataset", found)
    known: dict[str, Any] = {**vars(options), question.answer: solved}
    own = of_mechanism(given(**known))["mechanism"]
    rounds = None if question.answer == "rounds" else known.get("rounds")
    times = None if rounds is None else integer(rounds, "rounds", minimum=1)
    return weighed(answer, known, local_epsilon=own.local_epsilon if "epsilon" in question.own else None, rounds=times)


def said(name: str, found: Any) -> tuple[list[str], dict[str, Any]]:
    """The lines and the content of an answer."""
    from dpcalc.families.shuffled import Shuffled
    from dpcalc.privacy.attained import attained, named

    match found:
        case dpcalc.Interval():
            return [f"from {found.lower} to {found.upper}"], {"lower": found.lower, "upper": found.upper}
        case Bracket():
            return bracket_lines(name, found), bracket(name, found)
        case Promise() if name == "delta" or isinstance(found, Shuffled):
            return [*promise_lines(name, found), *attained(found)], {**promise(name, found), **named(found)}
        case Promise():
            return promise_lines(name, found), promise(name, found)
        case Enclosure() | int():
            return [f"{name} = {found}"], {name: found}
    return [found.table()], found.to_dict()
