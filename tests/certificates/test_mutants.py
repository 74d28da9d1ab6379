"""Certificates of every kind with one to three entries changed: none is accepted unless its claim is implied."""

import copy
import json
import random
from fractions import Fraction
from functools import cache

import pytest

from dpcalc import check
from tests.certificates.test_check import QUESTIONS, at, document, leaves, number, truth, verdict
from tests.oracles.scan import deltas
from tests.strategies import seeds

MUTANTS, FEW = 6_000, 250
QUICK = [name for name in QUESTIONS if name not in ("envelope", "lattice")]  # those take a tenth of a second each
TINY = Fraction(1, 10**9)
OTHERS = {
    "by": ["sum", "circle", "envelope", "ratio"],
    "what": ["delta", "epsilon", "least_q", "least_n", "most_k", "most_rounds", "local_q"],
    "neighbours": ["replace", "delete"],
}


def mutated(draw, value, name):
    """What may stand there instead."""
    if name in OTHERS:
        return draw.choice(OTHERS[name])
    if isinstance(value, list):
        return draw.choice([[], value[1:], value[:-1], value * 2, value[::-1], draw.sample(value, len(value))])
    if not isinstance(value, int | str) or isinstance(value, bool):
        return draw.choice([{}, [], None, 1])
    try:
        x = number(value)
    except ValueError:
        return draw.choice(["", "x", 1])
    far = Fraction(2) ** draw.randint(-400, 400)
    found = draw.choice(
        [x + 1, x - 1, x + 2, 2 * x, x / 2, 1 / x if x else x, 1 - x, -x, x * (1 + TINY), x * (1 - TINY), x * far]
        + [Fraction(n) for n in (0, 1, 2, 10**6, 10**15)]
        + [Fraction(draw.randint(1, 99), 100), Fraction(1, 2), Fraction(1, 2) - TINY, 1 - TINY, 1 + TINY]
    )
    return check.written(found) if draw.random() < 0.9 or found.denominator > 1 else int(found)


def mutant(seed, names):
    """A certificate with some of its entries changed, left out, or taken from another one."""
    draw = random.Random(seed)
    found = copy.deepcopy(document(draw.choice(names)))
    for _ in range(draw.choice([1, 1, 1, 2, 2, 3])):
        path = draw.choice(list(leaves(found)))
        inner, name = at(found, path[:-1]), path[-1]
        way = draw.random()
        if way < 0.05:
            del inner[name]
        elif way < 0.12 and isinstance(inner, dict):
            inner[draw.choice(sorted(check_entries()))] = draw.choice([0, 1, 2, "1/2", "1/1000", "3/2"])
        else:
            inner[name] = mutated(draw, inner[name], name)
    return found


@cache
def check_entries():
    """All names of entries."""
    return {str(path[-1]) for name in QUESTIONS for path in leaves(document(name)) if isinstance(path[-1], str)}


def weaker(found):
    """Whether its claim is that of a certificate, or follows as its ends are farther out, as 0 <= delta <= 1 does."""
    ends = numbers(found["answer"])
    if found["question"]["what"] == "delta" and ends.get("lower", 0) <= 0 and ends.get("upper", 0) >= 1:
        return True
    for name in QUESTIONS:
        known = document(name)
        if numbers(known["question"]) != numbers(found["question"]):
            continue
        ends, wider = (numbers(part["answer"]) for part in (known, found))
        if known["question"]["what"] == "most_rounds":
            return wider["lower"] <= ends["lower"]
        low = "lower" not in wider or wider["lower"] <= ends.get("lower", 0)
        return low and wider.get("upper", 0) >= ends["upper"]
    return False


def numbers(found):
    if isinstance(found, dict):
        return {key: numbers(value) for key, value in found.items()}
    if isinstance(found, list):
        return [numbers(value) for value in found]
    try:
        return number(found)
    except (ValueError, TypeError):
        return found


def tried(seeds, names, work):
    """How many were accepted, and those whose claims are not implied."""
    accepted, wrong = 0, []
    for seed in seeds:
        found = mutant(seed, names)
        if not verdict(found, work=work)[0]:
            continue
        accepted += 1
        claim = json.dumps({"question": found["question"], "answer": found["answer"]}, sort_keys=True)
        so = weaker(found) or truth(claim)
        if not so:
            wrong.append((seed, so, claim))
    return accepted, wrong


def test_no_mutant_proves_what_is_not_implied():
    accepted, wrong = tried(range(FEW), QUICK, work=3 * 10**11)
    assert wrong == []
    assert accepted > FEW / 50  # a wider answer, another circle


@pytest.mark.soak
def test_no_mutant_of_thousands_proves_what_is_not_implied():
    accepted, wrong = tried(range(FEW, FEW + MUTANTS), list(QUESTIONS), work=10**12)
    print(accepted, "of", MUTANTS, "accepted")
    assert wrong == []


RADII = [
    Fraction(1, 10**60),
    Fraction(1, 50),
    *(Fraction(i, 10) for i in range(1, 10)),
    1 - TINY,
    Fraction(1),
    1 + TINY,
    9,
]


def forgery(seed):
    """A claim that is false by one part in a thousand, and a witness drawn at random, near the best one."""
    draw = random.Random(seed)
    n, k, q = draw.randint(1, 9), draw.choice([1, 1, 2]), Fraction(draw.choice([1, 10, 25, 40, 49]), 100)
    lam = draw.choice([Fraction(1), Fraction(3, 2), Fraction(4)])
    ones = draw.choice([None, None, draw.randint(0, n - 1)])
    values = deltas(n, q, k, lam)
    asked = range(n) if ones is None else sorted({ones, n - 1 - ones})
    exact = max(values[m] for m in asked)
    asked = [m for m in asked if ones is not None or lam > 1 or m <= (n - 1) // 2]

    def witness(**part):
        radii = sorted([draw.choice(RADII[:3]), draw.choice(RADII), draw.choice(RADII[-5:])])
        part |= {name: str(r) for name, r in zip(("left", "r", "right"), radii, strict=True)}
        points = draw.choice([3, 5, 11, 25, 41])
        kept = (points + 1) // 2 - draw.choice([0, 0, 0, 1, 2, 9])
        part |= {"t": draw.choice([0, 0, 1, 2, n * k // 2]), "points": points, "kept": max(kept, 1)}
        return part | {"by": draw.choice(["circle", "envelope"])}

    blocks, low = [], 0
    while low < len(asked):
        high = low if ones is not None else draw.randint(low, len(asked) - 1)
        part = witness(
            **{"from": asked[low], "to": asked[high]}, pieces=draw.randint(1, 6), order=draw.choice([0, 3, 20])
        )
        if draw.random() < 0.5:
            part |= {"wide": 1, "step": draw.choice(["1/3", "1/2", "1", "3/2"])}
            part |= {"slope": draw.choice(["0", "1/2", "1", "3/5", "-1"])}
        if draw.random() < 0.3:
            part = {name: part[name] for name in ("from", "to", "t")} | {"by": draw.choice(["sum", "ratio"])}
            if part["by"] == "ratio":
                del part["t"]
        blocks.append(part)
        low = high + 1
    question = {"what": "delta", "n": n, "q": str(q), "k": k, "lam": str(lam)}
    file = {"schema": check.SCHEMA, "question": question | ({} if ones is None else {"ones": ones}), "bits": 64}
    if draw.random() < 0.5:
        return file | {"answer": {"lower": 0, "upper": str(exact * Fraction(999, 1000))}, "blocks": blocks}
    shown = witness(m=draw.choice(asked))
    shown = shown | {"by": "circle"} if draw.random() < 0.8 else {"m": shown["m"], "t": shown["t"], "by": "sum"}
    lower = exact * Fraction(1001, 1000) + TINY
    return file | {"answer": {"lower": str(lower), "upper": 2}, "dataset": shown}


def believed(seeds):
    """The seeds of those that are accepted though delta is above 0."""
    found = []
    for seed in seeds:
        file = forgery(seed)
        if verdict(file)[0] and file["answer"]["upper"] != "0":
            found.append(seed)
    return found


@pytest.mark.parametrize("first", seeds(FEW, 25 * FEW, FEW))
def test_no_forgery_is_believed(first):
    assert believed(range(first, first + FEW)) == []
