"""Certificates of every kind with one to three entries changed: none is accepted unless its claim is implied."""

import copy
import json
import random
from fractions import Fraction
from functools import cache

import pytest

from dpcalc import check
from tests.certificates.test_check import QUESTIONS, at, document, leaves, number, truth, verdict

MUTANTS, FEW = 6_000, 400
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


def tried(seeds, names):
    """How many were accepted, and those whose claims are not implied."""
    accepted, wrong = 0, []
    for seed in seeds:
        found = mutant(seed, names)
        if not verdict(found)[0]:
            continue
        accepted += 1
        claim = json.dumps({"question": found["question"], "answer": found["answer"]}, sort_keys=True)
        so = weaker(found) or truth(claim)
        if not so:
            wrong.append((seed, so, claim))
    return accepted, wrong


def test_no_mutant_proves_what_is_not_implied(monkeypatch):
    monkeypatch.setattr(check, "WORK", 3 * 10**11)
    accepted, wrong = tried(range(FEW), QUICK)
    assert wrong == []
    assert accepted > FEW / 50  # a wider answer, another circle


@pytest.mark.soak
def test_no_mutant_of_thousands_proves_what_is_not_implied(monkeypatch):
    monkeypatch.setattr(check, "WORK", 10**12)
    accepted, wrong = tried(range(FEW, FEW + MUTANTS), list(QUESTIONS))
    print(accepted, "of", MUTANTS, "accepted")
    assert wrong == []
