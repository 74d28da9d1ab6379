"""The page's question, answered by the command that the page names; and what a reader needs beside the answer.

A question is a mapping of text: ``goal`` (a command), ``n``, ``q``, ``k``, ``epsilon``, ``delta``, ``rounds``,
``categories``, ``neighbours``, ``dropouts``, those that the form shows. Everything that is returned is text or JSON.
"""

from __future__ import annotations

import atexit
import json
import math
from argparse import ArgumentParser, Namespace
from array import array
from collections.abc import Callable, Mapping, Sequence
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from shutil import rmtree
from tempfile import mkdtemp
from typing import Any

import dpcalc as dp
from dpcalc import check
from dpcalc.cli.asking import command
from dpcalc.cli.command import Printed, add, only_honest
from dpcalc.errors import DpcalcError
from dpcalc.numbers.decimal import rounded, usable
from dpcalc.numbers.rational import integer
from dpcalc.privacy.cautions import NOT_PROTECTED, ONE_ROUND
from dpcalc.questions import QUESTIONS
from dpcalc.report import document, exactly
from dpcalc.worst import one_by_one

__all__ = ["answer", "answered", "certified", "checked", "curved", "quicken"]

_QUESTIONS = {command(question).name: question for question in QUESTIONS}
_OF_MECHANISM = ("n", "q", "k", "categories", "neighbours", "rounds")
_HIDDEN = {"k": "1", "rounds": "1", "neighbours": "replace", "dropouts": "0"}  # defaults, which need not be said
_DIGITS = 12  # after the point, of a percentage
_TYPICAL = 10  # of so many users one holds a 1, or the category, in the example
_FOLDER = mkdtemp()  # as long as the page is open
atexit.register(rmtree, _FOLDER, ignore_errors=True)
_TARGET = Path(_FOLDER) / "certificate.json"
_LAST: dict[tuple[Any, ...], Printed] = {}


def answered(question: str) -> str:
    """JSON of the answer to a question in JSON; of the one line and the field that a bad question is refused with."""
    asked = json.loads(question)
    try:
        return json.dumps(answer(asked))
    except DpcalcError as error:
        names = str(getattr(error, "argument", "")).replace("lam, ", "").split(", ")
        return json.dumps({"error": str(error), "field": names[0]})


def answer(asked: Mapping[str, str]) -> dict[str, Any]:
    """The answer to a question.

    Raises:
        DpcalcError: as the command.
    """
    goal, given = asked["goal"], _given(asked)
    found = _kept(goal, given)
    shown = document(found.content, inputs={"command": goal, **given})
    solved = {**given, **_honest(given), **_solved(goal, shown)}
    return {
        "asked": f"{_QUESTIONS[goal].summary}: {_listed(asked)}",
        "document": shown,
        "recommendation": _recommendation(goal, solved, shown),
        "warnings": [*shown.get("warnings", ()), *([ONE_ROUND] if asked.get("rounds") == "1" else [])],
        "lines": found.text.splitlines(),
        "accuracy": _accuracy(solved),
        "mechanism": {name: solved[name] for name in _OF_MECHANISM if name in solved},
        "protects": _protects(solved),
        "assumed": _assumed(solved),
        "command": " ".join(["dpcalc", goal, *(_word(name, text) for name, text in given.items())]),
        "python": "import dpcalc as dp\n" + _python(goal, {**given, **_honest(given)}),
    }


def _listed(asked: Mapping[str, str]) -> str:
    return ", ".join(f"{name} = {text}" for name, text in asked.items() if name != "goal")


class _Work:
    """What is told while an answer is worked on: the share of all datasets that is settled, where that is known, and
    how many ranges of datasets were bounded.
    """

    def __init__(self) -> None:
        self.told: Callable[[float, int], None] | None = None
        self._share, self._bounded = 0.0, 0

    def begin(self) -> None:
        self._share, self._bounded = 0.0, 0

    def settled(self, share: float) -> None:
        """Called by the library."""
        self._share = share
        self._tell()

    def bounded(self, count: int) -> None:
        """So many more."""
        self._bounded += count
        self._tell()

    def _tell(self) -> None:
        if self.told:
            self.told(self._share, self._bounded)


_WORK = _Work()


def quicken(deltas: Callable[..., Any], told: Callable[[float, int], None]) -> None:
    """Let another implementation evaluate pools, and tell how the work goes on.

    Args:
        deltas: is given the arrays of ``one_by_one.flat`` and one of a, b, t; returns an array of lower and upper ends.
        told: is given the share of datasets that is settled, 0 where it is unknown, and how many ranges were bounded.
    """

    def evaluate(tables: list[array[float]], places: Sequence[tuple[int, int, int]]) -> list[tuple[float, float]]:
        ends = deltas(*tables, array("d", [float(x) for place in places for x in place])).to_py().tolist()
        _WORK.bounded(len(places))
        return list(zip(ends[::2], ends[1::2], strict=True))

    _WORK.told, one_by_one.evaluate = told, evaluate


def curved(question: str) -> str:
    """JSON of one line that the mechanism's trade-off curve lies above: misses >= 1 - delta - e^epsilon false alarms.

    And what the sum of both errors is at least, in percent, if epsilon is 0: 100 (1 - delta). All of it is rounded
    down. Or JSON of the one line that refuses it.

    Args:
        question: JSON of ``mechanism``, as an answer has it, and of ``epsilon``.
    """
    asked = json.loads(question)
    own = dict(asked["mechanism"])
    rounds, kind = own.pop("rounds", "1"), dp.UnaryEncoding if "categories" in own else dp.KRandomization
    _WORK.begin()
    try:
        once = kind(**own)
        attacked = once if rounds == "1" else dp.Rounds([(once, rounds)])
        gained = dp.delta(attacked, epsilon=asked["epsilon"], progress=_WORK.settled).upper
    except DpcalcError as error:
        return json.dumps({"error": str(error), "field": ""})
    return json.dumps({"delta": math.nextafter(float(gained), 1), "least": _percent(1 - gained, gained)})


def _percent(share: Fraction, gained: Fraction) -> str:
    """The share with three digits of what is gained, rounded down."""
    digits = 2
    while digits < _DIGITS and gained * 10**digits < 1:
        digits += 1
    return f"{Decimal(math.floor(share * 10 ** (digits + 2))).scaleb(-digits)}"


def certified(question: str) -> str:
    """JSON of the certificate of the answer, as ``--certificate`` writes it, with what the command notes on it.

    Or of the one line that refuses it.
    """
    asked = json.loads(question)
    try:
        found = _kept(asked["goal"], _given(asked))
        _WORK.begin()
        note = found.files["certificate"](_TARGET) or ""
    except DpcalcError as error:
        return json.dumps({"error": str(error), "field": ""})
    return json.dumps({"certificate": _TARGET.read_text(encoding="utf-8"), "note": note})


def checked(certificate: str) -> str:
    """JSON of what ``check.py`` says of a certificate."""
    holds, text = check.examined(certificate.encode())
    return json.dumps({"holds": holds, "text": text})


def _given(asked: Mapping[str, str]) -> dict[str, str]:
    """What is said besides the goal and the defaults."""
    return {name: text for name, text in asked.items() if name != "goal" and _HIDDEN.get(name) != text}


def _kept(goal: str, given: Mapping[str, str]) -> Printed:
    """The answer, with what writes its certificate; that of the last question is at hand."""
    key = (goal, *given.items())
    if key not in _LAST:
        _LAST.clear()
        _LAST[key] = _run(goal, {**given, "certificate": str(_TARGET)})
    return _LAST[key]


def _run(goal: str, given: Mapping[str, str]) -> Printed:
    parser = ArgumentParser(exit_on_error=False)
    parser.set_defaults(progress=_WORK.settled)
    asking = command(_QUESTIONS[goal])
    for argument in asking.arguments:
        add(parser, argument)
    _WORK.begin()
    return asking.run(only_honest(parser.parse_args([f"--{name}={text}" for name, text in given.items()])))


def _solved(goal: str, shown: Mapping[str, Any]) -> dict[str, str]:
    """What was asked for, rounded to the safe side."""
    name = _QUESTIONS[goal].answer
    if name in ("epsilon", "delta"):
        found = shown[name]
        return {name: found["value"] if "value" in found else found["upper"]}
    value = Fraction(shown["value"])
    return {name: usable(value, 6, 1) if name == "q" else exactly(value)}


def _honest(given: Mapping[str, str]) -> dict[str, str]:
    """The honest users, where n is given."""
    if "n" not in given:
        return {}
    return {"n": str(only_honest(Namespace(n=given["n"], dropouts=given.get("dropouts"), colluding=None)).n)}


def _recommendation(goal: str, solved: Mapping[str, str], shown: Mapping[str, Any]) -> str:
    """What to do, and what is then promised to whom: n, categories and rounds are named."""
    rounds = _counted(solved, "rounds")
    of = [f"{_counted(solved, 'n'):,} honest users"]
    if "categories" in solved:
        of.append(f"{_counted(solved, 'categories'):,} categories")
    of.append("one round" if rounds == 1 else f"all {rounds:,} rounds together")
    kept = f"epsilon = {_short(solved['epsilon'])}, delta = {_short(solved['delta'])} is kept for {', '.join(of)}"
    if goal == "least-q":
        return f"Flip every report with probability q = {solved['q']}: then {kept}."
    if goal == "least-n":
        batch = f" of {shown['batch']:,} users in all" if "batch" in shown else ""
        return f"Wait for {_counted(solved, 'n'):,} honest users{batch}: then {kept}."
    if goal == "most-rounds":
        return f"Let everybody report at most {rounds:,} times: then {kept}."
    return f"With q = {solved['q']} {kept}."


def _counted(asked: Mapping[str, str], name: str) -> int:
    """A whole number, read as the library reads it, 50,000 too; 1 where the form does not show it."""
    return integer(asked.get(name, "1"), name, minimum=1)


def _short(text: str) -> str:
    """Seven digits, rounded up: a promise that is kept; ln(2) stays."""
    return text if len(text) <= 12 or "ln" in text else rounded(Fraction(text), 7, 1)


def _accuracy(solved: Mapping[str, str]) -> dict[str, str]:
    """How good an estimate is, of one count in one round."""
    mechanism = dp.KRandomization(n=solved["n"], q=solved["q"], k=solved.get("k", "1"))
    ones = mechanism.n // _TYPICAL
    mean = mechanism.k * (mechanism.p * ones + mechanism.q * (mechanism.n - ones))
    guess = dp.estimate(mechanism, round(mean))
    within = guess.interval("0.95")
    return {
        "sigma": f"{guess.sigma:.4g}",
        "ones": f"{ones:,}",
        "interval": f"{int(within.lower.value):,} to {int(within.upper.value):,}",
    }


def _protects(asked: Mapping[str, str]) -> list[str]:
    """Who is protected against what, and who is not."""
    histogram, rounds = "categories" in asked, _counted(asked, "rounds")
    changed = "one user's answer is replaced by another"
    if histogram and asked.get("neighbours") == "delete":
        changed = "one user's answer is deleted (a blank one is sent instead)"
    lines = [
        f"Protected: each single user. Two collections are neighbours if {changed}; what the published counts show of "
        "the difference is bounded, even for somebody who knows everybody else's answers.",
        "In numbers: whatever is seen is at most e^epsilon times as likely with one answer as with the other, plus "
        f"delta, here e^{_short(asked['epsilon'])} times plus {_short(asked['delta'])}.",
    ]
    if rounds > 1:
        lines.append(f"This holds for all {rounds:,} rounds together, whatever each user answers in each of them.")
    return [*lines, f"Not protected: {'; '.join(NOT_PROTECTED)}."]


def _assumed(asked: Mapping[str, str]) -> list[str]:
    lines = [
        "Every user counted in n flips each report independently with exactly this q. Users who drop out, never flip, "
        "or tell what they sent hide nobody: leave them out of n.",
        "Only the sums of the reports are seen, and n is public.",
        "Nothing is assumed about the data: the answer is the worst over every dataset, in both directions.",
    ]
    if "categories" in asked:
        lines.append("Each user sends one bit for each category, one of them 1, and every bit is flipped by itself.")
    return lines


def _word(name: str, text: str) -> str:
    plain = text and all(letter.isalnum() or letter in "./-+%_" for letter in text) and not text.startswith("-")
    return f"--{name} {text}" if plain else f"--{name}='{text}'"


def _python(goal: str, given: Mapping[str, str]) -> str:
    question = _QUESTIONS[goal]
    value = ".value" if question.answer in ("n", "rounds") else ""
    if not question.mechanism:
        own = {name: text for name, text in given.items() if name != "dropouts"}
        return f"print(dp.{question.function}({_arguments(own)}){value})"
    rest = {name: text for name, text in given.items() if name not in (*_OF_MECHANISM, "dropouts")}
    kind = "UnaryEncoding" if "categories" in given else "KRandomization"
    own = {name: text for name, text in given.items() if name in _OF_MECHANISM and name != "rounds"}
    mechanism = f"dp.{kind}({_arguments(own)})"
    if "rounds" in given:
        mechanism = f"dp.Rounds([({mechanism}, {given['rounds']!r})])"
    return f"print(dp.{question.function}({mechanism}, {_arguments(rest)}){value})"


def _arguments(named: Mapping[str, str]) -> str:
    return ", ".join(f"{name}={text!r}" for name, text in named.items())
