"""Listed pairs: against every outcome, in fractions; of two pairs against every pair of outcomes."""

import random
from fractions import Fraction

import pytest

from dpcalc.errors import Undecided
from dpcalc.laws.pmf import Pmf
from dpcalc.numbers.limit import Limit
from dpcalc.pairs import listed
from dpcalc.pairs.listed import Beside, ListedPair
from tests.oracles.hockey_stick import excess
from tests.oracles.thresholds import both

LAMS = [Fraction(1), Fraction(7, 5), Fraction(2), Fraction(3), Fraction(10**30), Fraction(10**30 + 1, 10**30)]


def law(draw, outcomes):
    weights = [draw.choice((0, 0, 1, 2, 3, 6, 10**20)) for _ in range(outcomes)]
    whole = sum(weights) or 1
    return {s: Fraction(x, whole) for s, x in enumerate(weights) if x} or {0: Fraction(1)}


def cases(count, seed):
    draw = random.Random(seed)
    for _ in range(count):
        size = draw.randint(1, 6)
        yield [law(draw, size) for _ in range(4)]


def test_one_pair_and_its_mirror():
    for first, second, *_ in cases(200, 1):
        pair = ListedPair.of(first, second)
        assert pair.infinite == sum(p for s, p in first.items() if s not in second)
        ratios = [p / second[s] for s, p in first.items() if s in second]
        assert pair.steepest == max(ratios, default=0)
        for lam in (*LAMS, *(ratio for ratio in ratios if ratio >= 1)):
            assert pair.divergence(lam) == excess(first, second, lam)
            assert pair.mirror.divergence(lam) == excess(second, first, lam)
        assert sum(pair.likely) == sum(pair.unlikely) == pair.whole
        falling = [Fraction(p, q) for p, q in zip(pair.likely, pair.unlikely, strict=True) if q]
        assert falling == sorted(falling, reverse=True)


def test_two_pairs_beside_each_other():
    for first, second, third, fourth in cases(200, 2):
        found = Beside(ListedPair.of(first, second), ListedPair.of(third, fourth))
        laws = both(first, third), both(second, fourth)
        assert found.infinite == sum(p for s, p in laws[0].items() if s not in laws[1])
        for lam in (*LAMS, max(found.steepest, 1)):
            assert found.divergence(lam) == excess(*laws, lam)
        assert found.divergence(max(found.steepest, Fraction(1))) == found.infinite


def test_counts_of_other_denominators_of_which_one_is_moved():
    coin, die = Pmf(weights=(1, 1), denominator=2), Pmf(weights=(1, 1, 4), denominator=6)
    pair = ListedPair.between(coin, die, 1)
    assert (pair.likely, pair.unlikely, pair.whole) == ((3, 3, 0), (0, 1, 5), 6)
    seen = pair.revealed(centre=0.0, fineness=1, bits=1)
    assert [tuple(map(float, masses)) for masses in seen.outcomes] == [(1 / 2, 1 / 6)]
    assert (float(seen.infinite), float(seen.missing)) == (1 / 2, 0)


def test_irrational_limits(monkeypatch):
    """Between two rationals; exact from the largest ratio on; and refused where no width is reached."""
    first, second = {0: Fraction(3, 4), 1: Fraction(1, 4)}, {0: Fraction(1, 4), 1: Fraction(3, 4)}
    pair, limit = ListedPair.of(first, second), Limit.of(epsilon="1/2")
    found = pair.enclosed(limit, rtol=Fraction(1, 10**60))
    ends = limit.ends_to(1000)
    assert found.lower <= excess(first, second, ends.upper) <= excess(first, second, ends.lower) <= found.upper
    assert 0 < found.relative_width() <= Fraction(1, 10**60)
    assert pair.enclosed(Limit.of(epsilon=2), rtol=Fraction(1, 10)).value == 0
    monkeypatch.setattr(listed, "_CAP", 136)
    with pytest.raises(Undecided):
        pair.enclosed(limit, rtol=Fraction(1, 10**60))
