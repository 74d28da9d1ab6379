import math
import random
from dataclasses import replace
from fractions import Fraction

import pytest

from dpcalc.errors import DomainError
from dpcalc.families.bits import Bits
from dpcalc.laws import fixed_point
from dpcalc.laws.fixed_point import both, fits, law
from dpcalc.numbers.enclosure import Enclosure
from dpcalc.numbers.limit import Limit
from dpcalc.pairs.listed import Lowered
from tests.oracles import hockey_stick


def chance(draw):
    return draw.choice(
        [
            Fraction(draw.randint(1, 99), 100),
            Fraction(1, draw.randint(2, 10**4)),
            Fraction(draw.randint(1, 10**40), 10**40 + 7),  # too long for few bits: rounded odds
            1 - Fraction(1, draw.randint(3, 500)),
        ]
    )


class Case:
    """A random pair of small pools, its exact pmfs, and few or many bits."""

    def __init__(self, seed):
        self.draw = draw = random.Random(seed)
        self.others = [(chance(draw), draw.choice([0, 1, 2, 5, 9])) for _ in range(draw.choice([0, 1, 1, 2, 2, 3]))]
        k, q = draw.randint(1, 4), min(chance(draw), Fraction(49, 100))
        if draw.random() < 0.3:
            q = Fraction(1, 4)  # ties are likely
        self.own, self.k = (q, 1 - q), k
        if draw.random() < 0.6:  # the usual case
            self.others = [(1 - q, k * draw.choice([0, 0, 1, 3])), (q, k * draw.choice([0, 1, 2, 6]))]
        elif draw.random() < 0.5:  # any two chances
            low = chance(draw)
            self.own = low, low + (1 - low) * draw.choice([Fraction(0), Fraction(1, 3), chance(draw)])
        self.reports = k + sum(count for _, count in self.others)
        self.bits = draw.choice([6, 8, 10, 12, 16, 20, 32, 64, 128])
        if 4 * self.reports + 12 >= 1 << self.bits:
            self.bits = 16
        self.pmfs = [hockey_stick.pmf([*self.others, (a, k)]) for a in self.own]
        self.sides = [tuple(self.pmfs), (self.pmfs[1][::-1], self.pmfs[0][::-1])]

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

    def misses(self):
        """What its answers leave out of the exact ones."""
        made, missed = Lowered.of(*both(self.others, self.own, self.k, self.bits)), []
        for _ in range(3):
            lam = self.limit()
            slack = Fraction(self.draw.choice([0, 0, 0, 1, 1 << self.bits // 2]), 1 << self.bits)
            ends = Enclosure(max(Fraction(1), lam - slack), lam + slack)
            for part, side in zip((made, made.mirror), self.sides, strict=True):
                found, truth = part.divergence(ends), hockey_stick.divergence(*side, lam)
                if not found.lower <= truth <= found.upper:
                    missed.append((found, float(truth)))
        return missed


@pytest.mark.parametrize("first", range(0, 1000, 100))
@pytest.mark.soak
def test_small_pools_hold_the_exact_rational(first):
    for seed in range(first, first + 100):
        assert not Case(seed).misses(), seed


def law_misses(seed):
    """Steps 1 and 2, each claim by itself: what does not hold."""
    draw, missed = random.Random(seed), []
    bits = draw.choice([4, 6, 8, 12, 20, 40])

    def see(what, holds):
        if not holds:
            missed.append(what)

    found = []
    for _ in range(draw.randint(1, 3)):
        a, count = chance(draw), draw.randint(1, min(12, 2 ** (bits - 1) // 3))
        pmf, mode = hockey_stick.pmf([(a, count)]), (count + 1) * a.numerator // a.denominator
        true = (1 << bits) / pmf[mode]  # T
        terms, per_step = fixed_point._falling(count, mode, a.numerator, a.denominator - a.numerator, bits)
        for i, (x, y) in enumerate(zip([1 << bits, *terms], [*terms, 0], strict=True), mode):
            lost = x * (pmf[i + 1] / pmf[i] if i < count else 0) - y
            see("a step", 0 <= lost < per_step)
        one = law([(a, count)], bits)
        see("mode", max(one.terms) == one.terms[mode - one.first] == 1 << bits)
        floors = per_step * (len(one.terms) + 1)
        see("floors", true <= Fraction(sum(one.terms) << bits, (1 << bits) - floors) <= one.total)
        found.append((one, true, (a, count)))
    several, true = found[0][0], found[0][1]
    for other, factor, _ in found[1:]:
        several, true = several.times(other, bits), true * factor / 2**bits
    pmf = hockey_stick.pmf([kind for _, _, kind in found])
    see("total", sum(several.terms) <= true <= several.total)
    see("terms", all(x <= true * pmf[several.first + i] for i, x in enumerate(several.terms)))
    totals = [draw.randint(1 << bits, 4 << bits) for _ in range(2)]
    one, other = (fixed_point.LowerMasses(0, [total], total) for total in totals)
    see("total rounded", Fraction(math.prod(totals), 1 << bits) <= one.times(other, bits).total)
    return missed


@pytest.mark.soak
def test_every_step_holds():
    for seed in range(2400):
        assert not law_misses(seed), seed


def usual(n, q, k, ones, bits=128):
    return Lowered.of(*both([(1 - q, k * ones), (q, k * (n - 1 - ones))], (q, 1 - q), k, bits))


def larger(pair, lam):
    """Bounds of the larger one of both directions."""
    found = [side.divergence(lam) for side in (pair, pair.mirror)]
    return max(one.lower for one in found), max(one.upper for one in found)


@pytest.mark.parametrize("seed", range(40))
def test_larger_pools_agree_with_the_inversion(seed):
    draw = random.Random(seed)
    n, k = draw.randint(20, 3000), draw.choice([1, 1, 2, 5, 10])
    q = draw.choice([Fraction(1, 10), Fraction(1, 100), Fraction(2, 5), Fraction(draw.randint(1, 10**30), 3 * 10**30)])
    ones = draw.choice([0, 0, n - 1, draw.randrange(n)])
    pair, limit = Bits.symmetric(q, k, n - 1).pair(ones), Limit.exp(Fraction(draw.randint(1, 300), 1000))
    low, high = larger(usual(n, q, k, ones, 256), limit.ends_to(256))
    found = [side.inverted(limit, rtol=Fraction(1, 10**12)) for side in (pair, pair.mirror)]
    assert max(x.lower for x in found) <= high
    assert low <= max(x.upper for x in found)
    assert high - low <= max(low / 2**40, Fraction(1, 1 << 232))


@pytest.mark.parametrize("k", [1, 4])
def test_more_bits_reach_any_relative_width(k):
    least, most = larger(usual(1500, Fraction(1, 10), k, 500, 1200), Limit.exp(Fraction(3, 2)).ends_to(1200))
    assert 0 < least <= most <= Fraction(1, 10**25)
    assert most - least <= least / 10**12


@pytest.mark.parametrize(("n", "k"), [(100, 1), (1000, 1), (1000, 5)])
def test_the_bound_is_not_idle(n, k):
    """The width against the error of the same sums without any bound."""
    error = width = Fraction(0)
    for ones in (0, n // 3):
        pair, fine = (usual(n, Fraction(1, 10), k, ones, bits) for bits in (64, 256))
        for hundredths in range(5, 60, 5):
            lam = Enclosure.of(1 + Fraction(hundredths, 100))
            low, high = larger(pair, lam)
            exact, _ = larger(fine, lam)
            width += high - low
            error += abs(larger(replace(pair, missing=(Fraction(0), Fraction(0))), lam)[0] - exact)
    assert width <= 1000 * error


def test_long_odds_cost_no_more_bits():
    q = Fraction(10**400 + 1, 7 * 10**400)
    assert max(law([(q, 2000)], 128).terms).bit_length() == 129
    found = usual(2000, q, 1, 500).divergence(Limit.exp(Fraction(1, 10)).ends_to(128))
    assert found.upper - found.lower < found.lower / 2**90


def test_what_fits():
    q = Fraction(1, 10)
    assert fits([(q, 3 * 10**3)])
    assert fits([(q, 10**3), (1 - q, 10**3)])
    assert not fits([(q, 10**9)])
    assert not fits([(q, 10**4)], bits=4000)
    assert fits([(q, 10**9)], questions=1000)
    assert not fits([(q, 10**9)], questions=10)
    assert not fits([(q, 10**12)], questions=10**9)
    for a, count in [(q, 10**4), (Fraction(1, 1000), 10**4), (Fraction(1, 2), 300)]:
        variance = float(count * a * (1 - a))
        held = len(law([(a, count)], 128).terms)
        assert held <= min(count + 1, 2 * (30 + math.sqrt(900 + 178 * variance)) + 20)


def test_too_few_bits_are_refused():
    with pytest.raises(DomainError):
        both([(Fraction(1, 2), 30)], (Fraction(1, 4), Fraction(3, 4)), 1, bits=3)
