"""Random questions to the quick ways (integers, the pass of doubles), to balls alone and, where small, to rationals.

python benchmarks/agreement.py answers.jsonl --questions 200000

Every thousand questions are one line of the file; an interrupted run goes on from there. Question i is the same in
every run. A failure, two enclosures of one number that do not meet, is written down with its question and ends with
exit code 1; so does a bracket over all datasets that some dataset contradicts.
"""

from __future__ import annotations

import argparse
import json
import math
import random
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from fractions import Fraction
from pathlib import Path
from unittest.mock import patch

from dpcalc.errors import DpcalcError
from dpcalc.families.bits import Bits
from dpcalc.numbers.enclosure import Enclosure
from dpcalc.numbers.limit import Limit
from dpcalc.pairs.pair import Pair

__all__ = ["ask", "question", "run"]

PIECE = 1000  # questions in one line of the file
_EXACT_REPORTS = 40  # up to which a rational is affordable
_EXACT_EVERY, _ALL_EVERY = 8, 20  # of so many questions one is small enough for it, one is asked of balls over all
_MOST_REPORTS = 10**6
_FINE, _COARSE, _LOOSE = Fraction(1, 10**12), Fraction(1, 10**4), Fraction(1, 100)


def question(seed: int) -> tuple[Bits, Limit, int]:
    """All datasets, lambda, and the ones of a single one: easy ones, and those next to every end."""
    draw = random.Random(seed)
    k = draw.choice([1, 1, 1, 2, 3, 5, 10])
    most = _EXACT_REPORTS if seed % _EXACT_EVERY == 0 else _MOST_REPORTS
    n = max(1, round(10 ** draw.uniform(0, math.log10(most // k))))
    q = draw.choice(
        [
            Fraction(draw.randint(1, 49), 100), Fraction(1, draw.randint(3, 1000)),
            Fraction(1, 2) - Fraction(1, draw.randint(3, 100)), Fraction(draw.randint(1, 10**6), 10**8),
        ]
    )  # fmt: skip
    local = k * math.log((1 - q) / q)
    near = draw.uniform(0, 6) * math.sqrt(k / (n * q * (1 - q))) * float(1 - 2 * q)
    epsilon = min(near, 0.99 * local) if draw.random() < 0.9 else draw.random() * local
    lam = max(Fraction(1), Fraction(math.exp(min(epsilon, 300))).limit_denominator(10**6))
    return Bits.symmetric(q, k, n - 1), Limit.of(lam=lam), draw.choice([0, n - 1, draw.randrange(n)])


@contextmanager
def _balls_alone() -> Iterator[None]:
    with patch.object(Bits, "at_once", lambda *_, **__: None), patch.object(Pair, "counted", lambda *_, **__: None):
        yield


def ask(seed: int) -> tuple[Counter[str], list[str]]:
    """What was compared, and what contradicted something."""
    datasets, limit, ones = question(seed)
    pair = datasets.pair(ones)
    ball = _answer(lambda: pair.inverted(limit, rtol=_FINE))
    one = {"integers": _answer(lambda: pair.counted(limit, rtol=_FINE))}
    every: dict[str, Enclosure | None] = {"one pass": datasets.at_once(limit, rtol=_COARSE)}
    if seed % _ALL_EVERY == 1:
        with _balls_alone():
            every["balls over all"] = _answer(lambda: datasets.largest(limit, rtol=_LOOSE))
    seen, wrong = Counter[str](), list[str]()

    def compare(what: str, holds: bool) -> None:
        seen[what] += 1
        if not holds:
            wrong.append(what)

    for name, value in one.items():
        if value is not None and ball is not None:
            compare(f"{name} and balls, one dataset", _meet(value, ball))
    for name, value in every.items():
        if value is not None and ball is not None:
            compare(f"{name}, and balls of one dataset", ball.lower <= value.upper)
    met = [value for value in every.values() if value is not None]
    if len(met) == 2:
        compare("one pass and balls, all datasets", _meet(*met))
    if seed % _EXACT_EVERY == 0 and limit.lam is not None:
        truths = [datasets.pair(m).exact(limit.lam) for m in range(datasets.others + 1)]
        for name, value in {**one, "balls": ball}.items():
            if value is not None:
                compare(f"{name} and the rational, one dataset", value.lower <= truths[ones] <= value.upper)
        for name, value in every.items():
            if value is not None:
                compare(f"{name} and the rational, all datasets", value.lower <= max(truths) <= value.upper)
    return seen, wrong


def _answer(ask_for) -> Enclosure | None:  # type: ignore[no-untyped-def]
    try:
        return ask_for()  # type: ignore[no-any-return]
    except DpcalcError:  # refused, which is no answer
        return None


def _meet(x: Enclosure, y: Enclosure) -> bool:
    return x.lower <= y.upper and y.lower <= x.upper


def run(path: Path, questions: int, piece: int = PIECE) -> tuple[Counter[str], list[list[object]]]:
    """All comparisons and all failures so far, after so many questions, ``piece`` in a line of the file."""
    pieces = [json.loads(line) for line in path.read_text("utf-8").splitlines()] if path.exists() else []
    with path.open("a", encoding="utf-8") as file:
        for first in range(len(pieces) * piece, questions, piece):
            seen, wrong = Counter[str](), []
            for seed in range(first, first + piece):
                more, failed = ask(seed)
                seen += more
                wrong += [[seed, what] for what in failed]
            pieces.append({"first": first, "compared": seen, "wrong": wrong})
            file.write(json.dumps(pieces[-1]) + "\n")
            file.flush()
    return sum((Counter(piece["compared"]) for piece in pieces), Counter()), [x for p in pieces for x in p["wrong"]]


def main() -> None:
    """Ask, count, and name every failure."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("path", type=Path, help="the file of answers")
    parser.add_argument("--questions", type=int, default=200_000)
    arguments = parser.parse_args()
    seen, wrong = run(arguments.path, arguments.questions)
    for what, count in sorted(seen.items()):
        print(f"{count:8,}  {what}")
    print(f"{len(wrong):8,}  failures", *wrong, sep="\n" if wrong else "")
    sys.exit(bool(wrong))


if __name__ == "__main__":
    main()
