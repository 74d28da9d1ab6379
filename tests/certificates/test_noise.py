"""Noise in irrational proportions: the truth is between the checker's ends, and each term is needed."""

import types
from fractions import Fraction
from functools import cache
from itertools import product
from pathlib import Path

import pytest

from dpcalc import check
from tests.oracles.certificates import delta, irrational
from tests.oracles.rounds import divergence

SOURCE = Path(check.__file__).read_text(encoding="utf-8")
NOISES = {"scale": "7/3", "bound": 5}, {"scale": "1/3"}, {"square": "3/5"}
LIMITS = Fraction(1), Fraction(6, 5), Fraction(8)
NEAR = Fraction(1, 2**14)  # at 40 bits


@pytest.fixture(autouse=True)
def _precision():
    before = check.Disk.bits
    yield
    check.Disk.bits = before


def missed(checker):
    """Whether anything is not as it is by the definition."""
    return far(checker) or blunt(checker) or wrong(checker)


def far(checker):
    """Whether the truth is not between near ends, for a count and for the sum of two."""
    checker.Disk.bits = 40
    for i, lam in product(range(len(NOISES)), LIMITS):
        kind = checker.Entries({"noise": NOISES[i], "sensitivity": 2})
        one, two = truths(i, lam)
        low, high = checker.noisy(kind, lam)
        both = checker.together([checker.Entries({**kind, "times": 2})], lam)
        if not low <= one <= high <= low + NEAR or not two - NEAR <= both <= two:
            return True
    return False


@cache
def truths(i, lam):
    """delta of a count that changes by 2, and that of the sum of two such counts."""
    law = irrational(NOISES[i])
    law = [x / sum(law) for x in law]
    both = [Fraction(0)] * (2 * len(law) + 3)
    for a, x in enumerate(law):
        for b, y in enumerate(law):
            both[a + b] += x * y
    pairs = list(zip(both, [*[Fraction(0)] * 4, *both[:-4]], strict=True))
    return delta({"noise": NOISES[i], "sensitivity": 2}, lam), divergence([pairs], lam)


def blunt(checker):
    """Whether the ends are not those of the weights that are farthest away: one of them is one more, or one less."""
    for listed, change, lam in ([4, 1, 5], 1, Fraction(2)), ([3, 1, 8], 1, Fraction(3, 2)):
        found = set()
        for place, way in product(range(len(listed)), (-1, 0, 1)):
            w = [x + way * (place == s) for s, x in enumerate(listed)]
            moved = w + [0] * change, [0] * change + w
            ways = (sum(max(0, x - lam * y) for x, y in zip(*pair, strict=True)) for pair in (moved, moved[::-1]))
            found.add(max(ways) / sum(w))
        ends = checker.quotient(listed, 1, sum(listed) + 1, lam, range(change, change + 1))
        with pytest.MonkeyPatch.context() as patched:
            patched.setattr(checker, "around", lambda _, listed=listed: (listed, 1))
            alone = checker.together([checker.Entries({"noise": {}, "sensitivity": change})], lam)
        if ends != (min(found), max(found)) or alone != ends[0]:
            return True
    return False


def wrong(checker):
    """Whether a product of lists is not exact, or a change of listed noise is left out."""
    x, y = [255] * 300, list(range(56, 256)) + [255] * 200
    products = [sum(y[j] * 255 for j in range(400) if 0 <= i - j < 300) for i in range(699)]
    listed = checker.Entries({"noise": {"weights": [1, 0, 2, 0, 1]}, "sensitivity": 2})  # the smaller change is worse
    return checker.convolved(x, y) != products or checker.noisy(listed, Fraction(3, 2)) != (1, 1)


def test_ends_are_those_of_the_definition():
    assert not far(check)
    assert not blunt(check)
    assert not wrong(check)


#: The source without a term.
TERMS = {
    "rounding of weights": ("off += 2 * (high + 1 - low)", "pass"),
    "the error above": ("best + u * off", "best"),
    "the error below": ("max(0, best - u * off)", "best"),
    "the sum of weights from below": ("v * (total - off)", "v * total"),
    "the sum of weights from above": ("u * off), v * most)", "u * off), v * total)"),
    "the error of a product": ("quotient(listed, most - least, most,", "quotient(listed, 0, most,"),
    "room for a digit": ("(max(x) * max(y) * len(x)).bit_length()", "(max(x) * max(y)).bit_length()"),
    "smaller changes of lists": ('1 if "weights" in asked', '1 if "ratio" in asked'),
    "the change of a sum": ('change + kind.whole("sensitivity", 1)', "change + 3"),
}


@pytest.mark.parametrize("term", TERMS)
def test_without_a_term_they_are_not(term):
    old, new = TERMS[term]
    assert SOURCE.count(old) == 1
    module = types.ModuleType("check")
    exec(compile("\n".join(["import sys", SOURCE.replace(old, new)]), "check.py", "exec"), module.__dict__)
    assert missed(module)
