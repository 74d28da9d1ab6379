"""Random questions of every kind, each answered by two routes.

python benchmarks/soak.py answers.jsonl --cases 1000000

Single bits in one round: the answer's certificate against ``check.py``, which shares no code with it (delta by the
quick ways and by balls: agreement.py). Rounds and histograms: two widths, whose enclosures must meet, and of few
reports the certificate of the upper end, which must not be below the other end.

One case in 200 has up to 10^5 reports and takes about a second; the others have at most 30, which
``check.py`` sums exactly, and take milliseconds: ties, ends and small sums are where code goes wrong most easily.

Case i is the same in every run. Every hundred cases are one line of the file; an interrupted run goes on from there.
A failure is written down with its case, and ends with exit code 1.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import random
import sys
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import Any

import dpcalc as dp
from dpcalc import check

__all__ = ["ask", "run"]

PIECE = 100  # cases in one line of the file
FEW, MOST = 30, 10**5  # reports: of most cases, and of one in so many
RARE = 200
_NOISE, _FLIPS = (
    Fraction(1, 100),
    Fraction(1, 4),
)  # widths of many rounds: delta of noise, epsilon where few flips are seen
_SMALL = Fraction(1, 1000)
_CERTIFIED = (dp.delta, dp.epsilon, dp.least_q, dp.least_n, dp.most_k, dp.local_q)


def ask(seed: int) -> tuple[str, str]:
    """The kind of a case, and what is wrong with its answers: nothing, or no answer at all, or a contradiction."""
    draw = random.Random(seed)
    few = seed % RARE != 0
    rarest = 20 if few else 1000  # a least n of tiny q takes seconds
    q = draw.choice(
        [
            Fraction(draw.randint(5, 49), 100), Fraction(1, draw.randint(3, rarest)),
            Fraction(1, 2) - Fraction(1, draw.randint(3, 100)),
            Fraction(10**6, draw.randint(2 * 10**6 + 1, rarest * 10**6)),
        ]
    )  # fmt: skip
    k = draw.choice([1, 1, 1, 2, 3, 10])
    n = max(1, round(10 ** draw.uniform(0, math.log10((FEW if few else MOST) / k))))
    epsilon = Fraction(draw.randint(1, 10**4), draw.choice([10**3, 10**4, 10**6]))
    limit: dict[str, Any] = draw.choice([{"epsilon": epsilon}, {"lam": 1 + epsilon}])
    target = Fraction(draw.randint(1, 9), 10 ** draw.randint(1, 12))
    if draw.random() < 1 / (32 if few else 4):
        return _widths(draw, n, q, k, limit)
    question = draw.choice(_CERTIFIED)
    day, ones = dp.KRandomization(n=n, q=q, k=k), draw.choice([None, draw.randrange(n)])
    if few:  # a target that so few reports reach, or just miss
        reached = dp.delta(day, **limit).upper
        target = next(x for x in (draw.choice([reached, _rounded(reached, draw)]), _SMALL) if 0 < x < 1)
    asked: dict[Any, tuple[tuple[Any, ...], dict[str, Any]]] = {
        dp.delta: ((day,), {**limit, "ones": ones}),
        dp.epsilon: ((day,), {"delta": target, "ones": ones}),
        dp.least_q: ((), {"n": n, "k": k, "delta": target, **limit}),
        dp.least_n: ((), {"q": q, "k": k, "delta": target, **limit}),
        dp.most_k: ((), {"n": n, "q": q, "delta": target, **limit}),
        dp.local_q: ((), {"n": n, "k": k, "bits": draw.randint(1, 4), "sigmas": draw.randint(1, 6), **limit}),
    }
    arguments, options = asked[question]
    try:
        answer = question(*arguments, **options)
    except dp.DpcalcError as refusal:
        return question.__name__, f"no answer ({type(refusal).__name__})"
    try:
        made = dp.certificate(question, *arguments, answer=answer, **options)
    except dp.Undecided:
        return question.__name__, "no certificate"
    accepted, words = check.examined(made.text.encode())
    return question.__name__, "" if accepted else f"wrong: {words}"


def _rounded(x: Fraction, draw: random.Random) -> Fraction:
    return Fraction(f"{float(x):.{draw.randint(3, 6)}g}")


def _widths(draw: random.Random, n: int, q: Fraction, k: int, limit: dict[str, Any]) -> tuple[str, str]:
    """Rounds, or a histogram, to two widths; or many rounds."""
    kind = draw.choice(["rounds", "histogram", "many"])
    if kind == "many":
        return kind, _many(draw)
    asked = (
        dp.Rounds([(dp.KRandomization(n=n, q=q, k=k), draw.randint(2, 30))])
        if kind == "rounds"
        else dp.Rounds([dp.UnaryEncoding(n=n, categories=draw.randint(2, 20), q=q, k=k)])
    )
    try:
        found = [dp.delta(asked, **limit, rtol=rtol) for rtol in ("1e-1", "2e-2")]
    except dp.DpcalcError as refusal:
        return kind, f"no answer ({type(refusal).__name__})"
    if max(x.lower for x in found) > min(x.upper for x in found):
        return kind, f"wrong: {[str(x) for x in found]}"
    if n * k > FEW:
        return kind, ""
    try:
        made = dp.certificate(dp.delta, asked, answer=found[1], **limit)
    except dp.Undecided:
        return kind, "no certificate"
    accepted, words = check.examined(made.text.encode())
    if not accepted or made.upper is None or made.upper < max(x.lower for x in found):
        return kind, f"wrong: {words}, {found[1]}"
    return kind, ""


def _many(draw: random.Random) -> str:
    """Noise at a multiple of its epsilon, or many rounds in which few flips are seen: both ends prove something."""
    if draw.random() < 1 / 3:
        one, change, times = Fraction(draw.randint(1, 8), 4), draw.randint(1, 3), draw.randint(2, 30)
        count = dp.NoisyCount(dp.Geometric.from_epsilon(one, draw.randint(5, 40)), change)
        found: Any = dp.delta(dp.Rounds([(count, times)]), epsilon=one * draw.randint(1, times))
        return "" if found.upper <= found.lower * (1 + _NOISE) else f"wrong: {count}, {times} times, {found}"
    q = Fraction(f"{1 / (1 + math.exp(draw.uniform(1, 16))):.4g}")
    n, times = math.ceil(10 ** draw.uniform(-2, math.log10(50)) / q), round(10 ** draw.uniform(0.3, 4))
    kinds, target = [(dp.KRandomization(n=n, q=q), times)], Fraction(1, 10 ** draw.randint(3, 12))
    found = dp.epsilon(dp.Rounds(kinds), delta=target)
    return "" if found.upper <= found.lower * (1 + _FLIPS) else f"wrong: {kinds}, {target}, {found}"


def run(path: Path, cases: int, workers: int = 1, size: int = PIECE) -> tuple[Counter[str], list[list[Any]], float]:
    """What has been answered so far and how, all contradictions, and the seconds of work; up to so many cases."""
    pieces = [json.loads(line) for line in path.read_text("utf-8").splitlines()] if path.exists() else []
    left = sorted(set(range(0, cases, size)) - {piece["first"] for piece in pieces})
    with path.open("a", encoding="utf-8") as file:
        for piece in map(partial(_piece, size), left) if workers == 1 else _side_by_side(left, workers, size):
            pieces.append(piece)
            file.write(json.dumps(piece) + "\n")
            file.flush()
    return (
        sum((Counter(piece["seen"]) for piece in pieces), Counter()),
        [failure for piece in pieces for failure in piece["wrong"]],
        sum(piece["seconds"] for piece in pieces),
    )


def _side_by_side(firsts: list[int], workers: int, size: int) -> Iterator[dict[str, Any]]:
    """Pieces as they are finished."""
    with ProcessPoolExecutor(workers) as pool:
        for done in as_completed([pool.submit(_piece, size, first) for first in firsts]):
            yield done.result()


def _piece(size: int, first: int) -> dict[str, Any]:
    start, seen, wrong = time.perf_counter(), Counter[str](), []
    for seed in range(first, first + size):
        kind, said = ask(seed)
        seen[f"{kind}: {said.partition(':')[0] or 'proven or alike'}"] += 1
        if said.startswith("wrong"):
            wrong.append([seed, kind, said])
    return {"first": first, "seen": seen, "wrong": wrong, "seconds": time.perf_counter() - start}


def main() -> None:
    """Ask, count, and name every contradiction."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("path", type=Path, help="the file of answers")
    parser.add_argument("--cases", type=int, default=1_000_000)
    parser.add_argument("--workers", type=int, default=os.cpu_count(), help="processes")
    arguments = parser.parse_args()
    seen, wrong, seconds = run(arguments.path, arguments.cases, arguments.workers)
    for what, count in sorted(seen.items()):
        print(f"{count:8,}  {what}")
    print(f"{sum(seen.values()):8,}  cases in {seconds:,.0f} seconds, {len(wrong)} contradictions", *wrong, sep="\n")
    sys.exit(bool(wrong))


if __name__ == "__main__":
    main()
