"""Noise in irrational proportions: the truth is between the checker's ends, and each term is needed."""

from fractions import Fraction
from functools import cache
from itertools import islice, pairwise, product
from math import lcm

import mpmath
import pytest

from dpcalc import check
from tests.certificates.broken import without
from tests.certificates.test_check import numbers
from tests.oracles.certificates import delta, masses
from tests.oracles.rounds import divergence

NOISES = (
    {"scale": "7/3", "bound": 5},
    {"scale": "1/3"},
    {"square": "3/5"},
    {"ratio": "1/5"},
    {"scale": "2/3", "rounded": 1},
    {"scale": "7/3", "rounded": 1, "bound": 2},
    {"square": "2/5", "rounded": 1},
    {"mean": "5/2"},
    {"shape": "1/2", "ratio": "1/4"},
    {"shape": "7/3", "scale": "3/5", "minus": 1},
    {"sum": [{"mean": "1/2"}, {"mean": "2/3", "minus": 1}, {"chance": "1/3", "trials": 2}]},
)
LIMITS = Fraction(1), Fraction(6, 5), Fraction(8)
NEAR = Fraction(1, 2**12)  # at 40 bits


def missed(checker):
    """Whether anything is not as it is by the definition."""
    return far(checker) or blunt(checker) or wrong(checker) or short(checker)


def far(checker):
    """Whether the truth is not between near ends, for a count and for the sum of two."""
    exam = checker.Exam(40)
    for i, lam in product(range(len(NOISES)), LIMITS):
        kind = checker.Entries(exam, {"noise": NOISES[i], "sensitivity": 2})
        one, two = truths(i, lam)
        low, high = checker.noisy(kind, lam)
        both = checker.together(checker.Entries(exam, {"rounds": [{**kind, "times": 2}]}), lam)
        if not low <= one <= high <= low + NEAR or not two - NEAR <= both <= two:
            return True
    return False


@cache
def summed(i):
    """The pairs of the sum of two counts that both change by 2."""
    law = masses(numbers(NOISES[i]))
    whole = lcm(*(x.denominator for x in law))
    law = [int(x * whole) for x in law]
    both = [sum(law[j] * law[s - j] for j in range(len(law)) if 0 <= s - j < len(law)) for s in range(2 * len(law) - 1)]
    return [(Fraction(x, whole**2), Fraction(y, whole**2)) for x, y in zip(both + [0] * 4, [0] * 4 + both, strict=True)]


@cache
def truths(i, lam):
    """delta of a count that changes by 2, and that of the sum of two such counts."""
    one, pairs = delta({"noise": numbers(NOISES[i]), "sensitivity": 2}, lam), summed(i)
    return one, max(divergence([pairs], lam), divergence([[(y, x) for x, y in pairs]], lam))


def blunt(checker):
    """Whether the ends are not those of the weights that are farthest away: one of them is one more, or one less."""
    exam = checker.Exam()
    for listed, change, lam in ([4, 1, 5], 1, Fraction(2)), ([3, 1, 8], 1, Fraction(3, 2)):
        found = set()
        for place, way in product(range(len(listed)), (-1, 0, 1)):
            w = [x + way * (place == s) for s, x in enumerate(listed)]
            moved = w + [0] * change, [0] * change + w
            ways = (sum(max(0, x - lam * y) for x, y in zip(*pair, strict=True)) for pair in (moved, moved[::-1]))
            found.add(max(ways) / sum(w))
        ends = checker.quotient(exam, listed, 1, lam, range(change, change + 1))
        with pytest.MonkeyPatch.context() as patched:
            patched.setattr(checker, "around", lambda _, listed=listed: (listed, 1))
            count = checker.Entries(exam, {"rounds": [{"noise": {}, "sensitivity": change}]})
            alone = checker.together(count, lam)
        if ends != (min(found), max(found)) or alone != ends[0]:
            return True
    return False


def wrong(checker):
    """Whether a product of lists is not exact, or a change of listed noise is left out."""
    exam = checker.Exam()
    x, y = [255] * 300, list(range(56, 256)) + [255] * 200
    products = [sum(y[j] * 255 for j in range(400) if 0 <= i - j < 300) for i in range(699)]
    listed = {"noise": {"weights": [1, 0, 2, 0, 1]}, "sensitivity": 2}  # the smaller change is worse
    listed = checker.Entries(exam, listed)
    return checker.convolved(exam, x, y) != products or checker.noisy(listed, Fraction(3, 2)) != (1, 1)


def short(checker):
    """Whether what is left out is not all that there may be, or a change that may be the worst is."""
    exam = checker.Exam(128)
    for noise in [noise for noise in NOISES[3:] if "sum" not in noise]:
        weights = list(islice(checker.falling(checker.Entries(exam, noise)), 30))
        most = weights[3][1].ends()[1]
        if any(there.ends()[0] > most * here.ends()[1] for (here, _), (there, _) in pairwise(weights[3:])):
            return True
    with pytest.MonkeyPatch.context() as patched:
        tiny = (checker.Disk(exam, 1, 0, -129), exam.disk(Fraction(9, 10)))  # half a unit, and at most 9 times as much
        patched.setattr(checker, "falling", lambda _: iter([(checker.Disk(exam, 1), checker.Disk(exam, 1)), tiny]))
        if checker.around(checker.Entries(exam, {"ratio": "1/2"})) != ([0, 1 << 128, 0], 2 * 1 + 2 * 5):
            return True
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(checker, "quotient", lambda _exam, _listed, _off, _lam, changes, _share: changes)
        noises = {"weights": [1, 5, 1]}, {"shape": "1/2", "ratio": "1/4"}, {"shape": 2, "ratio": "1/4"}
        counts = [checker.Entries(exam, {"noise": noise, "sensitivity": 2}) for noise in noises]
        tried = [checker.noisy(count, Fraction(2)) for count in counts]
    return tried != [range(1, 3), range(1, 3), range(2, 3)]


def test_an_area_holds_the_truth_however_few_of_its_terms_are_summed_up():
    few, rest = ("square) + exam.bits)", "square) + 1)"), ("+ term.around() * Disk(exam, 2)", "")
    found = []
    for changes in ((few,), (few, rest)):
        checker = without(*changes)
        low, high = checker.area(checker.Exam(), Fraction(5, 2), Fraction(3)).ends()
        with mpmath.workdps(60):
            truth = mpmath.sqrt(mpmath.pi * 6) / 2 * mpmath.erf(mpmath.mpf(5) / 2 / mpmath.sqrt(6))
            found.append(low <= Fraction(int(truth * 10**50), 10**50) <= high)
    assert found == [True, False]


@pytest.mark.soak
def test_ends_are_those_of_the_definition():
    assert not far(check)
    assert not blunt(check)
    assert not wrong(check)
    assert not short(check)


#: The source without a term.
TERMS = {
    "rounding of weights": ("off += (ceil(high) - max(0, floor(low))) * (sides if side else 1)", "pass"),
    "weights that are left out": ("off += sides * ceil(", "off += 0 * ceil("),
    "the error above": ("best + u * whole * off", "best"),
    "the error below": ("max(0, best - u * whole * off)", "best"),
    "the sum of weights from below": ("v * whole * (total - off)", "v * whole * total"),
    "the sum of weights from above": ("off), v * whole * (total + off))", "off), v * whole * total)"),
    "the error of a product": ("return listed, most - least", "return listed, 0"),
    "room for a digit": ("(max(x) * max(y) * len(x)).bit_length()", "(max(x) * max(y)).bit_length()"),
    "smaller changes of lists": ('any("weights" in part or', 'any("trials" in part or'),
    "smaller changes of shapes": ('part.number("shape") < 1)', 'part.number("shape") < 0)'),
    "the change of a sum": (
        'counts(kind) * kind.whole("sensitivity", 1)',
        'counts(kind) + 3 * kind.whole("sensitivity")',
    ),
    "the first step of rounded noise": ("chain([half * (half + one).over(2)], steps)", "steps"),
    "the halves of areas": ("y * y / square / 2", "y * y / square"),
    "odd numbers": ("over(2 * i + 3)", "over(2 * i + 5)"),
    "a quotient that rises": ("ratio if shape < 1 else step", "step"),
    "the other direction": ("side[::-1] if noise.whole", "side if noise.whole"),
}


SLOW = "weights that are left out"


@pytest.mark.parametrize("term", [pytest.param(term, marks=[pytest.mark.soak] * (term == SLOW)) for term in TERMS])
def test_without_a_term_they_are_not(term):
    assert missed(without(TERMS[term]))
