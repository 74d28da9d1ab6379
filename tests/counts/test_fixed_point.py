import math
import random
import sys
from fractions import Fraction
from pathlib import Path
from types import ModuleType

import pytest
from oracles import hockey_stick

import dpcalc as dp
from dpcalc.counts import fixed_point
from dpcalc.counts.fixed_point import Direction, FixedPoint, law
from dpcalc.errors import DomainError

SMALL = 2000  # random cases against the definition


class Case:
    """A random pair of small pools, its exact pmfs, and few or many bits."""

    def __init__(self, seed):
        self.draw = draw = random.Random(seed)
        self.others = [(self.chance(), draw.choice([0, 1, 2, 5, 9])) for _ in range(draw.choice([0, 1, 1, 2, 2, 3]))]
        k, q = draw.randint(1, 4), min(self.chance(), Fraction(49, 100))
        if draw.random() < 0.3:
            q = Fraction(1, 4)  # ties are likely
        self.zero, self.one = [(q, k)], [(1 - q, k)]
        if draw.random() < 0.6:  # the usual case
            self.others = [(1 - q, k * draw.choice([0, 0, 1, 3])), (q, k * draw.choice([0, 1, 2, 6]))]
        elif draw.random() < 0.5:  # reports raised one by one
            lower = sorted(self.chance() for _ in range(k))
            self.zero = [(a, 1) for a in lower]
            self.one = [(a + (1 - a) * draw.choice([Fraction(0), Fraction(1, 3), self.chance()]), 1) for a in lower]
            draw.shuffle(self.one)
        self.reports = sum(count for _, count in [*self.others, *self.zero])
        self.bits = draw.choice([6, 8, 10, 12, 16, 20, 32, 64, 128])
        if 4 * self.reports + 12 >= 1 << self.bits:
            self.bits = 16
        self.pmfs = [hockey_stick.pmf([*self.others, *record]) for record in (self.zero, self.one)]
        self.sides = [tuple(self.pmfs), (self.pmfs[1][::-1], self.pmfs[0][::-1])]

    def chance(self):
        draw = self.draw
        return draw.choice(
            [
                Fraction(draw.randint(1, 99), 100),
                Fraction(1, draw.randint(2, 10**4)),
                Fraction(draw.randint(1, 10**40), 10**40 + 7),  # too long for few bits: rounded odds
                1 - Fraction(1, draw.randint(3, 500)),
            ]
        )

    def limit(self):
        """A lambda >= 1: plain, a ratio (where d_t = 0), next to one, or beyond every ratio."""
        draw = self.draw
        likely, unlikely = draw.choice(self.sides)
        ratio = max(Fraction(1), *(p / r for p, r in zip(likely, unlikely, strict=True)))
        i = draw.randrange(len(likely))
        tie = max(Fraction(1), likely[i] / unlikely[i])
        near = tie * (1 + Fraction(draw.randint(-1, 1), 10 ** draw.randint(3, 50)))
        plain = 1 + Fraction(draw.randint(0, 400), 100)
        return max(Fraction(1), draw.choice([Fraction(1), plain, tie, tie, near, ratio, ratio + plain]))

    def scaled(self, lam):
        """Bounds of 2^bits lambda, often the nearest ones."""
        slack = self.draw.choice([0, 0, 0, 1, 1 << self.bits // 2])
        return max(1 << self.bits, math.floor(lam * 2**self.bits) - slack), math.ceil(lam * 2**self.bits) + slack

    def budget(self):
        """A delta: plain, that of some lambda, tiny, 0, or beyond 1."""
        draw, (likely, unlikely) = self.draw, self.draw.choice(self.sides)
        at = hockey_stick.divergence(likely, unlikely, self.limit())
        tiny = Fraction(1, 10 ** draw.randint(1, 40))
        return draw.choice([Fraction(draw.randint(1, 99), 200), at, at, tiny, tiny, Fraction(0), Fraction(5, 4)])

    def misses(self, module=fixed_point):
        """What its answers leave out of the exact ones."""
        pair, one, missed = module.FixedPoint(self.others, self.zero, self.one, self.bits), 1 << self.bits, []
        parts = [pair.forward, pair.backward]

        def see(what, bounds, truth):
            if not bounds[0] <= truth * one <= bounds[1]:
                missed.append((what, bounds, float(truth * one)))

        for _ in range(3):
            lam, delta = self.limit(), self.budget()
            exact = [hockey_stick.divergence(*side, lam) for side in self.sides]
            least = [hockey_stick.ratio_limit(*side, delta) for side in self.sides]
            for part, truth, limit in zip(parts, exact, least, strict=True):
                see("divergence", part.divergence(*self.scaled(lam)), truth)
                floor = self.draw.choice([one, one, math.floor(limit * one), 3 * one])
                see("ratio limit", part.ratio_limit(delta, floor), max(limit, Fraction(floor, one)))
            see("larger divergence", pair.divergence(*self.scaled(lam)), max(exact))
            see("larger ratio limit", pair.ratio_limit(delta), max(least))
        return missed


@pytest.mark.parametrize("first", range(0, SMALL, 250))
def test_small_pools_hold_the_exact_rational(first):
    for seed in range(first, first + 250):
        assert not Case(seed).misses(), seed


@pytest.mark.parametrize("seed", range(60))
def test_no_steering_can_make_an_answer_wrong(seed, monkeypatch):
    draw = random.Random(seed)
    monkeypatch.setattr(Direction, "_threshold", lambda self, *_: draw.randint(0, self._last))
    assert not Case(1000 * seed).misses()


#: What each part of the bound is worth: without it some answer is wrong.
TERMS = {
    "a floor at each term": ("floors = per_step * (len(terms) + 1)", "floors = 0"),
    "the floors that leave 0": ("floors = per_step * (len(terms) + 1)", "floors = per_step * (len(terms) - 1)"),
    "rounded odds": ("1 << precision, 2", "1 << precision, 1"),
    "the total rounded up": ("-((sum(terms) << bits) // (floors - (1 << bits)))", "(sum(terms) << bits) // ((1 << bits) - floors)"),
    "what several kinds miss": ("-(-self.total * other.total >> bits)", "sum(terms)"),
    "a product's total rounded up": ("-(-self.total * other.total >> bits)", "self.total * other.total >> bits"),
    "the changed reports' total": ("(term << bits) // self.total", "(term << bits) // sum(self.terms)"),
    "the changed reports' floors": ("sum(record) * running[-1] for", "(running[-1] << bits) for"),
    "the others' missing mass": ("(others.total << bits) - sum(record)", "(running[-1] << bits) - sum(record)"),
    "e_0 in the upper bound": ("high = max(high, (a + e_0 << bits)", "high = max(high, (a << bits)"),
    "e_1 in the lower bound": ("upper * (b + e_1))", "upper * b)"),
    "lambda's upper bound": ("low = max(low, (a << bits) - upper *", "low = max(low, (a << bits) - lower *"),
    "lambda's lower bound": ("(a + e_0 << bits) - lower * b)", "(a + e_0 << bits) - upper * b)"),
    "the largest unit": ("low // self._most", "low // self._least"),
    "the least unit": ("-(-high // self._least)", "-(-high // self._most)"),
    "rounding up": ("-(-high // self._least)", "high // self._least"),
    "proof that h rises": ("if a << bits > upper * (b + e_1):", "if a << bits > lower * b:"),
    "proof that h falls": ("if a + e_0 << bits < lower * b:", "if a << bits < upper * b:"),
    "candidates below": ("range(left, right)", "range(turn, right)"),
    "candidates above": ("range(left, right)", "range(left, turn + 1)"),
    "e_0 in the ratio limit": ("// delta.denominator - e_0", "// delta.denominator"),
    "e_1 in the ratio limit": ("// (b + e_1))", "// max(1, b))"),
    "the most spared": ("-(-delta.numerator * self._most // delta.denominator)", "delta.numerator * self._least // delta.denominator"),
    "the least spared": ("spared = delta.numerator * self._least", "spared = delta.numerator * self._most"),
    "the check of a ratio limit": ("if a - spared << bits > high * b:", "if False:"),
    "a ratio limit's rounding up": ("needed = max(needed, -(-(a - spared << bits) // b))", "needed = max(needed, (a - spared << bits) // b)"),
    "no ratio limit in sight": ("return low, max(at_least,", "return low, min(high,"),
}  # fmt: skip


@pytest.mark.parametrize("name", TERMS)
def test_every_term_of_the_bound_is_needed(name, monkeypatch):
    old, new = TERMS[name]
    source = Path(fixed_point.__file__).read_text(encoding="utf-8")
    assert source.count(old) == 1
    broken = ModuleType("broken")
    monkeypatch.setitem(sys.modules, "broken", broken)  # dataclasses look their module up
    exec(compile(source.replace(old, new), "broken", "exec"), broken.__dict__)
    assert any(Case(seed).misses(broken) for seed in range(4 * SMALL))
