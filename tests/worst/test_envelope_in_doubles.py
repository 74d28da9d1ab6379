"""Bounds of whole ranges at many limits: against exact rationals, against balls, and each error that they count."""

import math
import random
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from dpcalc.families.bits import Bits
from dpcalc.numbers.limit import Limit
from dpcalc.worst import envelope_in_doubles as module
from dpcalc.worst import one_pass
from dpcalc.worst.circle import TooMany
from dpcalc.worst.envelope_in_doubles import envelopes
from dpcalc.worst.one_pass import circles, lowered
from tests.oracles.scan import deltas
from tests.worst.chances import asymmetric_deltas, enveloped, worst


def told(datasets, epsilons, parts, rtol=1e-6):
    """Of each limit the ends of each part, without what lifts them; of limits that are not served nothing."""
    limits = [Limit.exp(epsilon).ends for epsilon in epsilons]
    lams = [(x.lower, x.upper) for x in limits]
    return told_of(datasets.own, datasets.k, datasets.others, lams, parts, rtol)


def told_of(own, k, others, lams, parts, rtol):
    """The same of any reports."""
    found = []
    for _, saddles, _ in circles(own, k, others, lams):
        if saddles is None:
            continue
        ends = envelopes(saddles, others, parts, rtol=rtol)
        for i, saddle in enumerate(saddles):
            found.append([tuple(lowered(x[i], saddle) for x in part) for part in ends])
    return found


def question(draw, most):
    """A small pool and limits within some deviations."""
    while True:
        k, n = draw.choice([1, 1, 2, 3]), draw.randint(6, most)
        q = draw.choice([Fraction(draw.randint(5, 49), 100), Fraction(1, 2) - Fraction(1, draw.randint(3, 100))])
        datasets = Bits.symmetric(q, k, n - 1)
        if datasets.spread < (largest := float(datasets.local_epsilon.lower)):
            losses = sorted(draw.uniform(0, 2.5) * datasets.spread for _ in range(draw.choice([1, 4])))
            within = [math.expm1(x) for x in losses if x < largest * 0.95] or [0.0]
            return datasets, [1 + Fraction(round(x * 10**6), 10**6) for x in within]


def holds(seed, most, rtol=1e-6):
    """How many bounds of a random small pool say something; all of them are checked against the definition."""
    draw = random.Random(seed)
    datasets, lams = question(draw, most)
    last = datasets.others
    low = draw.choice([0, draw.randint(0, last)])
    parts = [(low, draw.randint(low, last)), (0, last), (low, low)]
    try:
        found = told_of(datasets.own, datasets.k, last, [(lam, lam) for lam in lams], parts, rtol)
    except TooMany:
        return 0
    said = 0
    for lam, ends in zip(lams, found, strict=False):
        truth = deltas(last + 1, datasets.own[0], datasets.k, lam)
        for (first, end), (lower, upper) in zip(parts, ends, strict=True):
            assert lower <= truth[(first + end) // 2] <= max(truth[first : end + 1]) <= upper
            said += upper < 1
    return said


@pytest.mark.parametrize("first", [0, *(pytest.param(i, marks=pytest.mark.soak) for i in range(4, 24, 4))])
def test_every_composition_of_asymmetric_reports_is_below(first):
    said = 0
    for seed in range(first, first + 4):
        draw = random.Random(seed)
        b = Fraction(draw.randint(20, 60), 100)
        own, k = (b, b + Fraction(draw.randint(1, 8), 100)), draw.choice([1, 2])
        others = 120 // k
        lam = 1 + Fraction(draw.randint(0, 10), 1000)
        parts = [(0, others), (draw.randint(0, 50), draw.randint(51, others))]
        truth = asymmetric_deltas(own, k, others, lam)
        for ends in told_of(own, k, others, [(lam, lam)], parts, 1e-6):
            for (first_m, last_m), (lower, upper) in zip(parts, ends, strict=True):
                assert max(truth[first_m : last_m + 1]) <= upper
                assert lower <= truth[(first_m + last_m) // 2]
                said += upper < 1 and lower > 0
    assert said > 2


@pytest.mark.parametrize(
    "seeds", [range(6), *(pytest.param(range(i, i + 15), marks=pytest.mark.soak) for i in range(6, 600, 15))]
)
def test_every_composition_of_a_small_pool_is_below(seeds):
    assert sum(holds(seed, 150) for seed in seeds) > 5


#: Polynomials that leave much out.
COARSE = {"a short one": {"_ORDER": 3, "_FURTHER": 0}, "a wide one": {"_ORDER": 5, "_REACH": 6.0}}


@pytest.mark.parametrize("name", COARSE)
def test_what_a_short_polynomial_leaves_out_is_counted(name, monkeypatch):
    for constant, value in COARSE[name].items():
        monkeypatch.setattr(module, constant, value)
    assert sum(holds(seed, 150) for seed in (0, 11, 12)) > 2


@pytest.mark.parametrize("rtol", [0.3, 30.0])
def test_few_points_are_counted(rtol):
    """Aliases and points left out are then a part of what is found."""
    assert sum(holds(seed, 150, rtol) for seed in (0, 4)) > 2


@pytest.mark.parametrize(
    ("n", "q", "k"),
    [
        (10**5, "1/10", 1),
        pytest.param(10**7, "2/5", 1, marks=pytest.mark.soak),
        (10**9, "1/1000", 2),
        (10**12, "1/5", 1),
    ],
)
def test_it_is_as_sharp_as_the_envelope_of_balls(n, q, k):
    datasets = Bits.symmetric(Fraction(q), k, n - 1)
    epsilons = [Fraction(datasets.spread * i / 2) for i in (1, 4, 9)]
    parts = [(0, n // 16), (n // 16 + 1, n - 1), (0, 0)]
    ripple = Fraction(300 / (k * n * float(datasets.own[0] * (1 - datasets.own[0])))) + Fraction(1, 10**5)
    for epsilon, ends in zip(epsilons, told(datasets, epsilons, parts), strict=True):
        limit = Limit.exp(epsilon)
        sharp = [enveloped(datasets, *part, limit) for part in parts[:2]]
        for bound, (_, upper) in zip(sharp, ends, strict=False):
            assert bound * (1 - ripple) <= upper <= bound * (1 + ripple)
        lower, upper = ends[2]
        alone = datasets.pair(0).enclosed(limit, rtol=Fraction(1, 10**6))
        assert lower <= alone.upper
        assert alone.lower <= upper
        assert upper <= lower * (1 + ripple)


def test_wide_limits_are_held():
    """Both ends hold for every lambda between two."""
    datasets, wide = Bits.symmetric(Fraction(1, 4), 1, 60_000), (Fraction(1001, 1000), Fraction(1002, 1000))
    ((_, saddles, _),) = circles(datasets.own, 1, datasets.others, [wide])
    (((lower,), (upper,)),) = envelopes(saddles, datasets.others, [(0, datasets.others)], rtol=1e-6)
    for lam in wide:
        alone = datasets.pair(0).enclosed(Limit.of(lam=lam), rtol=Fraction(1, 10**6))
        assert alone.lower <= Fraction(upper)
        assert (
            Fraction(lower)
            <= datasets.pair(datasets.others // 2).enclosed(Limit.of(lam=lam), rtol=Fraction(1, 10**6)).upper
        )


def bounds_of_a_million():
    """The bound of all datasets, and delta of the worst one, which is a little below it."""
    datasets = Bits.symmetric(Fraction(1, 10), 1, 10**6)
    epsilon = Fraction(datasets.spread)
    (((_, upper),),) = told(datasets, [epsilon], [(0, datasets.others)])
    return upper, datasets.pair(0).enclosed(Limit.exp(epsilon), rtol=Fraction(1, 10**9)).lower


@pytest.mark.parametrize("counted", [True, False])
def test_exponents_may_be_off_by_what_is_counted(counted, monkeypatch):
    exponents, made = module._Area.exponents, module._Exponents.of

    def off(self):
        whole, centred = exponents(self)
        less = [made(at.moves + at.off, at.logs, at.off if counted else 0 * at.off) for at in (whole, centred)]
        return tuple(less)  # the more ones, the larger exponents are: delta of none is told too low

    monkeypatch.setattr(module, "_EXPONENT", 1e-7)
    monkeypatch.setattr(module._Area, "exponents", off)
    upper, truth = bounds_of_a_million()
    assert (upper >= truth) == counted


@pytest.mark.parametrize("counted", [True, False])
def test_terms_may_be_off_by_what_is_counted(counted, monkeypatch):
    polynomial, share = module._Exponents.polynomial, 1e-3
    monkeypatch.setattr(module._Exponents, "polynomial", lambda self, terms: polynomial(self, terms * (1 - share)))
    if counted:
        monkeypatch.setattr(module, "_TERM", share)
    upper, truth = bounds_of_a_million()
    assert (upper >= truth) == counted


def test_what_is_not_settled_is_one():
    """Rare flips have no smooth bound; d is not of one sign at both ends."""
    datasets = Bits.symmetric(Fraction(1, 10**5), 1, 10**5)
    for ((_, upper),) in told(datasets, [Fraction(datasets.spread)], [(0, datasets.others)]):
        assert upper == 1


def test_too_many_points_are_refused(monkeypatch):
    monkeypatch.setattr(module, "_KEPT", 5)
    with pytest.raises(TooMany):
        told(Bits.symmetric(Fraction(1, 10), 1, 10**6), [Fraction(1, 1000)], [(0, 0)])


@pytest.mark.parametrize("n", [10**7, 10**10, 10**12])
def test_large_counts_are_served_by_envelopes_alone(n, never):
    datasets = Bits.symmetric(Fraction(1, 10), 1, n - 1)
    never(one_pass, "_first")
    for share in (0, 1, 4):
        limit = Limit.exp(Fraction(datasets.spread * share))
        given = datasets.own, 1, n - 1, (limit.ends.lower, limit.ends.upper)
        found = worst(*given, rtol=1e-4)
        assert found.lower <= found.upper <= found.lower * (1 + Fraction(1, 10**4))
        assert found.lower <= datasets.pair(found.ones).enclosed(limit, rtol=Fraction(1, 10**6)).upper


# --- its parts --------------------------------------------------------------------------------------------------


def test_the_largest_value_is_above_a_random_polynomial():
    draw, grid = np.random.default_rng(1), np.linspace(-1, 1, 41)
    for scale in (0.01, 0.3, 1.0):
        values = draw.normal(size=(5, 5, 200)) * scale
        values[0, :3] = draw.normal(size=(3, 200))
        powers = grid[:, None] ** np.arange(5)
        every = np.einsum("xi,ul,ilq->qxu", powers, powers, values)
        assert (module._largest(values) >= every.max(axis=(1, 2)) - 1e-12).all()
    parabola = np.zeros((5, 5, 1))
    parabola[0, :3, 0] = 7.0, 2.0, -4.0
    assert module._largest(parabola) == [7.25]


@pytest.mark.parametrize(("rest", "error", "falls"), [(1.9, 0.05, True), (1.9, 0.2, False), (2.1, 0.0, False)])
def test_signs_are_those_of_the_slope(rest, error, falls):
    """Two thirds of a slope of -3 against all else."""
    steps = np.zeros((3, 3, 1))
    steps[0, 1], steps[0, 0], steps[1, 1] = -3.0, rest / 2, -rest / 2
    assert module._falls(steps, np.array([error])).tolist() == [falls]


def area(low, high, kept=None):
    """Of 10^5 people."""
    datasets = Bits.symmetric(Fraction(1, 10), 1, 10**5 - 1)
    ends = Limit.exp(Fraction(3 * datasets.spread)).ends
    ((_, saddles, _),) = circles(datasets.own, 1, datasets.others, [(ends.lower, ends.upper)])
    points = module._Points.of(saddles, datasets.others, [(0, datasets.others)], 0.01)
    if kept:
        points = replace(points, circle=replace(points.circle, kept=kept))
    return module._Area.of(points, datasets.others, low, high)


def test_what_all_compositions_miss_is_at_least_what_those_at_the_ends_do():
    last = 10**5 - 1
    whole, ends = module._Front.of(area(0, last)), [module._Front.of(area(m, m)) for m in (0, last)]
    assert all(whole.missing >= end.missing for end in ends)
    assert module._left_out(area(0, last, 6)) >= max(module._left_out(area(m, m, 6)) for m in (0, last))


def test_points_left_out_are_bounded():
    at = area(50_000, 50_000, 6)
    saddle, circle = at.points.saddle, at.points.circle
    g = np.exp(2j * np.pi * np.arange(6, circle.points // 2 + 1) / circle.points) - 1
    one, zero = (1 + x * g for x in (saddle.mu, saddle.nu))
    kernel = zero - one + float(saddle.rise[0, 0]) * one
    every = 2 / circle.points * abs(one**at.a * zero**at.b * kernel / (1 - saddle.r * (1 + g)))
    assert 0 < every.sum() <= module._left_out(at)[0] <= 1000 * every.sum()
