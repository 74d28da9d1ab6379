"""The contract of a law of noise, asked of every noise of the registry, alone and in pairs.

Laws may answer from a list of all masses where that is short. Here lists are switched off, so that what is asked is
what a large noise would use.
"""

import inspect
import random
from contextlib import suppress
from fractions import Fraction
from itertools import pairwise

import mpmath
import pytest
from flint import arb

import dpcalc as dp
from dpcalc.laws.parts import Finite, TailedLaw
from dpcalc.laws.shares import SharesLaw
from dpcalc.laws.sums import SumLaw
from dpcalc.mechanisms.noise import Noise, Sum
from dpcalc.numbers.ball import ball, working_precision
from dpcalc.numbers.limit import Limit
from dpcalc.pairs import shift as pair_of_shift
from tests.oracles import noise as finite
from tests.oracles import thresholds
from tests.oracles import wide_noise as wide
from tests.oracles.hockey_stick import excess
from tests.registry import ANY_NOISE, DIGITS, LARGE, NOISES, PAIRS, floats, masses, mpf
from tests.strategies import seeds

LIMITS = (Limit(Fraction(1)), Limit(Fraction(3, 2)), Limit.of(epsilon="1/3"), Limit.of(epsilon=2), Limit(Fraction(40)))
BITS = 160


@pytest.fixture(autouse=True)
def no_lists(monkeypatch):
    """No law has a short list of its masses."""
    for law in below(TailedLaw):
        if "table" in vars(law):
            monkeypatch.setattr(law, "table", lambda self, bits: None)
    pair_of_shift._floor.cache_clear()
    yield
    pair_of_shift._floor.cache_clear()


def below(kind):
    return [kind, *(more for one in kind.__subclasses__() for more in below(one))]


def test_every_public_noise_has_a_line():
    named = [getattr(dp, name) for name in dp.__all__]
    public = {one for one in named if inspect.isclass(one) and issubclass(one, Noise)}
    assert public == {type(noise) for noise, _ in NOISES.values()} == {type(noise) for noise in LARGE} - {Sum}


def at_most(law, t):
    """P[X <= t]."""
    if isinstance(law, Finite):
        return ball(law.pmf.at_most(t - law.low))
    return law.at_most(t)


def number(x):
    """An mpmath number as a ball that holds all numbers that agree with it to some 40 digits."""
    return arb(mpmath.nstr(x, DIGITS)) * (1 + arb(0, 1e-38)) + arb(0, 1e-45)


def known(name):
    """The law, its masses, and places in and around them: the ends, the middle, and both tails."""
    noise, f = NOISES[name][0], masses(name)
    low, high = min(f), max(f)
    middle = int(mpmath.fsum(x * m for x, m in f.items()))
    chosen = {
        low - 2,
        low - 1,
        low,
        low + 1,
        high - 1,
        high,
        high + 1,
        *(middle + d for d in (-17, -5, -2, -1, 0, 1, 2, 6, 19)),
    }
    return noise.law, f, sorted(x for x in chosen if low - 2 <= x <= high + 2)


def holds(found, truth, *, digits):
    """Whether an enclosure holds a number that is known to so many digits."""
    lower, upper = (mpmath.mpf(x.numerator) / x.denominator for x in (found.lower, found.upper))
    slack = mpmath.mpf(10) ** -digits
    return lower <= truth * (1 + slack) + slack and upper >= truth * (1 - slack) - slack


def end(f, side):
    """The least or the largest value; None where a window ends it."""
    x = side(f)
    return x if f[x] > mpmath.mpf(10) ** -25 else None


def summed(f, t):
    return mpmath.fsum(mass for x, mass in f.items() if x <= t)


def above(f, t):
    return mpmath.fsum(mass for x, mass in f.items() if x >= t)


@pytest.mark.parametrize("name", NOISES)
def test_tails_are_those_of_the_definition_at_their_places(name):
    law, f, places = known(name)
    with mpmath.workdps(DIGITS), working_precision(BITS):
        assert (law.low, law.high) == (end(f, min), end(f, max))
        found = [at_most(law, t) for t in places]
        for t, tail in zip(places, found, strict=True):
            assert tail.overlaps(number(summed(f, t)))
            assert tail.rad() < arb(2) ** -70 * tail.mid() or tail.is_zero()
        if isinstance(law, TailedLaw):
            together = law.all_at_most(places)
            assert all(a.overlaps(b) and a.rad() < arb(2) ** -60 for a, b in zip(together, found, strict=True))
            assert law.all_at_most([]) == []


@pytest.mark.parametrize("name", NOISES)
def test_a_mirror_is_the_law_of_minus_the_noise(name):
    law, f, places = known(name)
    mirror = law.mirror
    with mpmath.workdps(DIGITS), working_precision(BITS):
        assert (mirror.low, mirror.high) == tuple(None if x is None else -x for x in (law.high, law.low))
        whole = min(f) + max(f)
        assert law.symmetric is all(abs(mass - f.get(whole - x, 0)) < mpmath.mpf(10) ** -24 for x, mass in f.items())
        for t in places:
            tail = at_most(mirror, -t)
            assert tail.overlaps(number(above(f, t)))
            assert tail.rad() < arb(2) ** -70 * tail.mid() or tail.is_zero()
            assert at_most(mirror.mirror, t).overlaps(number(summed(f, t)))


@pytest.mark.parametrize("name", NOISES)
def test_lists_of_masses_are_those_of_the_definition(name, monkeypatch):
    monkeypatch.undo()  # with lists
    law, f, _ = known(name)
    exact = NOISES[name][1]()
    table = law.table(1 << 21)
    if table is not None:
        assert [table[i] for i in range(len(table))] == [exact.get(x, 0) for x in range(law.low, law.high + 1)]
    if isinstance(law, TailedLaw):
        for count in (1, 2) if law.low != law.high else (1,):
            first = law.first_masses(count, 1 << 17)
            with mpmath.workdps(DIGITS):
                assert first is None or all(
                    abs(mpmath.mpf(x.numerator) / x.denominator - f[law.low + i]) < mpmath.mpf(10) ** -40
                    for i, x in enumerate(first)
                )
            assert law.first_masses(count, 0) is None
        assert law.table(0) is None


def ratios(f, c):
    """Log of f(s)/f(s - c) where both are above 0, and no window is near."""
    return [mpmath.log(m / f[s - c]) for s, m in f.items() if f.get(s - c, 0) > mpmath.mpf(10) ** -20]


@pytest.mark.parametrize("shift", [1, 2, 5])
@pytest.mark.parametrize("name", NOISES)
def test_what_is_above_a_limit(name, shift):
    """Excess, its rational, its last place, bounds of the loss: of X over X + shift."""
    law, f, _ = known(name)
    if isinstance(law, Finite):
        pytest.skip("a list is summed")
    if None not in (law.low, law.high) and shift > law.high - law.low:
        pytest.skip("no outcome in common")
    with mpmath.workdps(DIGITS), working_precision(BITS):
        largest, losses = law.largest_loss(shift), ratios(f, shift)
        assert law.low is None or largest is None
        if largest is not None:
            assert number(max(losses)) < ball(largest.upper) + arb(2) ** -100
            assert number(max(losses)) > ball(largest.lower) - 0.06 * shift
        for limit in LIMITS:
            lam = mpmath.mpf(limit.given.numerator) / limit.given.denominator
            lam = mpmath.exp(lam) if limit.logarithmic else lam
            over = {s: f.get(s, 0) - lam * f.get(s - shift, 0) for s in range(min(f), max(f) + shift + 1)}
            delta = mpmath.fsum(x for x in over.values() if x > 0)
            if delta < mpmath.mpf(10) ** -30:  # and only the window may have cut it
                assert largest is None or law.bounded(shift, limit)
                continue
            assert not law.bounded(shift, limit)
            excess = law.excess(shift, limit)
            assert excess.overlaps(number(delta))
            assert excess.rad() < arb(2) ** -50 * excess.mid()
            exact = law.exactly(shift, limit, 1 << 21)
            assert exact is None or ball(exact).overlaps(number(delta))
            assert law.exactly(shift, limit, 0) is None
            last, missed = law.last_above(shift, limit)
            least = mpmath.mpf(10) ** -40
            assert over[last] >= -least
            assert over[last + 1] <= least + float(missed.upper())
            assert all(x <= least for s, x in over.items() if s > last + 1)


@pytest.mark.parametrize("name", NOISES)
def test_delta_is_that_of_the_definition(name):
    """Of all changes of the count, whatever the law does."""
    noise, f = NOISES[name][0], masses(name)
    with mpmath.workdps(DIGITS):
        for change, asked, lam in [
            (1, {"lam": 1}, mpmath.mpf(1)), (1, {"epsilon": "1/3"}, mpmath.exp(mpmath.mpf(1) / 3)),
            (2, {"lam": "3/2"}, mpmath.mpf(3) / 2), (3, {"epsilon": 2}, mpmath.exp(2)),
            (3, {"lam": 40}, mpmath.mpf(40)), (1, {"lam": "1e4"}, mpmath.mpf(10) ** 4),
        ]:  # fmt: skip
            found = dp.delta(dp.NoisyCount(noise, change), **asked)
            truth = wide.delta(f, change, lam)
            assert found.lower <= 0 or found.relative_width() < Fraction(1, 10**11)
            assert holds(found, truth, digits=35)


@pytest.mark.parametrize("seed", seeds(3, 30))
@pytest.mark.parametrize("kind", ANY_NOISE)
def test_delta_of_any_noise(kind, seed):
    """Of drawn parameters, change and epsilon."""
    draw = random.Random(f"{kind} {seed}")
    with mpmath.workdps(DIGITS):
        noise, f = ANY_NOISE[kind](*(Fraction(draw.randint(20, 400), 100) for _ in range(2)))
        change, epsilon = draw.randint(1, 4), Fraction(draw.choice([0, *draw.sample(range(1, 600), 3)]), 100)
        found = dp.delta(dp.NoisyCount(noise, change), epsilon=epsilon)
        truth = wide.delta(f, change, mpmath.exp(mpf(epsilon)))
        assert found.upper == 0 or found.relative_width() <= Fraction(1, 10**12)
        assert found.upper < Fraction(1, 10**24) if truth < 1e-25 else holds(found, truth, digits=35)


# --- alone and in pairs: sums, thresholds, rounds, samples ----------------------------------------------------------

#: What has no sums: noise with no generating function, and noise that is not log-concave.
APART = {"shares", "a list with a gap"}
SOAK = pytest.mark.soak
EACH = [(name, None) for name in NOISES]
#: An eighth of the pairs, every noise among them, and the others in the soak.
SOME = [pytest.param(*pair, marks=[SOAK] * (i % 8 != 0)) for i, pair in enumerate(PAIRS)]


def made(name, other):
    """The noise, or the sum of two; None where that is refused."""
    noise = NOISES[name][0]
    if other is None:
        return noise
    if not APART & {name, other}:
        return noise + NOISES[other][0]
    with suppress(dp.DomainError):  # a list with a gap beside what is no noise is one list
        return dp.NoisyCount(noise + NOISES[other][0]).noise
    return None


@pytest.mark.parametrize(("name", "other"), SOME)
def test_a_sum_is_the_law_of_the_sum(name, other):
    noise = made(name, other)
    if noise is None:
        return
    law, f = noise.law, floats(name, other)
    with working_precision(BITS):
        for side, own, mirrored in ((min, law.low, law.mirror.high), (max, law.high, law.mirror.low)):
            ends = [end(masses(x), side) for x in (name, other)]
            assert (own, mirrored) == ((None, None) if None in ends else (sum(ends), -sum(ends)))
        middle = round(sum(x * m for x, m in f.items()))
        for t in {middle - 4, middle, middle + 3}:
            assert near(at_most(law, t), sum(m for x, m in f.items() if x <= t))
            assert near(at_most(law.mirror, -t), sum(m for x, m in f.items() if x >= t))
    for change, lam in ((1, 1.5), (2, 4.0)):
        assert close(dp.delta(dp.NoisyCount(noise, change), lam=lam), finite.delta(f, change, lam))


def near(tail, x):
    """Whether a ball is narrow, and that number up to the roundings of doubles."""
    return tail.rad() < arb(2) ** -70 and abs(float(tail.mid()) - x) <= 1e-10 * x + 1e-15


def close(found, x, width=1e-6):
    """Whether an enclosure is narrow, and holds that number up to the roundings of doubles."""
    slack = 1e-9 * x + 1e-13
    return found.lower - slack <= x <= found.upper + slack and found.upper - found.lower <= width * x + slack


@pytest.mark.parametrize("lam", [1.5, pytest.param(8.0, marks=SOAK)])
@pytest.mark.parametrize(("name", "other"), [*EACH, *SOME])
def test_a_threshold_hides_what_its_place_says(name, other, lam):
    """For every threshold in the soak: two in the quick tests, other ones for each noise."""
    noise = made(name, other)
    if noise is None:
        return
    truth = thresholds.hidden_by({x: m for x, m in floats(name, other).items() if m > 1e-25}, 30, lam)
    step = 1 if lam == 8 else 14
    for least in range(1 + len(name + (other or "")) % 14, 31, step):
        found = dp.delta(dp.Thresholded(least, noise=noise), lam=lam)
        assert close(found, truth[least])
        assert found.upper > 0 or truth[least] == 0


LONG = {"less failures", "failures", "many shares", "Skellam", "Laplace, e"}


@pytest.mark.parametrize("name", [pytest.param(name, marks=[SOAK] * (name in LONG)) for name in NOISES])
def test_two_rounds_hold_the_worst_strategy(name):
    """The second round may depend on what the first one showed."""
    f = {x: m for x, m in floats(name).items() if m > 1e-18}
    seen = [[(m, f.get(x - c, 0.0)) for x, m in f.items()] for c in (1, -1)]
    for lam in (1.5, 6.0):
        second = lambda limit: max(sum(max(0.0, p - limit * q) for p, q in pair) for pair in seen)  # noqa: E731
        truth = max(sum(p * second(lam * q / p) for p, q in pair) for pair in seen)
        found = dp.delta(dp.Rounds([(dp.NoisyCount(NOISES[name][0]), 2)]), lam=lam)
        assert close(found, truth, width=1.0)


@pytest.mark.parametrize("name", NOISES)
def test_a_sampled_contribution(name):
    f, share = floats(name), 1 / 3
    with_it = {x: (1 - share) * f.get(x, 0.0) + share * f.get(x - 1, 0.0) for x in range(min(f), max(f) + 2)}
    for lam in (1.1, 1.6):
        truth = max(excess(a, b, lam) for a, b in ((f, with_it), (with_it, f)))
        assert close(dp.delta(dp.Sampled(dp.NoisyCount(NOISES[name][0]), "1/3"), lam=lam), truth)


# --- large parameters: a law against itself -------------------------------------------------------------------------


@pytest.mark.parametrize(
    "noise", [pytest.param(one, marks=[SOAK] * (type(one.law) is SumLaw)) for one in LARGE], ids=repr
)
def test_a_large_law_agrees_with_itself(noise):
    """Tails of both sides, masses, and the last place above a limit, where no list could be made."""
    law = noise.law
    step = max(1, round(law.deviation))
    with working_precision(BITS + (0 if isinstance(law, Finite) else law.guard_bits)):
        start = next(x for x in (law.low, law.high, 0) if x is not None)
        middle = median(law, start, step)
        places = sorted({middle + round(d * step) for d in (-6, -1, 0, 1, 6)} | {middle + 1})
        tails = [at_most(law, t) for t in places]
        for t, tail in zip(places, tails, strict=True):
            other = at_most(law.mirror, -t - 1)
            assert (tail + other).overlaps(arb(1))
            assert (tail + other).rad() < 1e-20
            assert (tail.upper() > 0) is (law.low is None or t >= law.low)
            assert (other.upper() > 0) is (law.high is None or t < law.high)
        assert all(not a > b for a, b in pairwise(tails))
        if isinstance(law, Finite):
            return
        assert all(a.overlaps(b) for a, b in zip(law.all_at_most(places), tails, strict=True))
        shift, limit = max(1, step // 10), Limit.of(epsilon="1/5")
        if law.bounded(shift, limit):
            assert all(not mass(law, t) > limit.ball() * mass(law, t - shift) for t in places[1:-1])
        else:
            excess = law.excess(shift, limit)
            last, missed = law.last_above(shift, limit)
            h = [at_most(law, t) - limit.ball() * at_most(law, t - shift) for t in (last, *places)]
            assert all(not x > excess for x in h)
            assert (h[0] + missed).overlaps(excess) or isinstance(law, SharesLaw)  # for shares a left end may count
            assert not mass(law, last) < limit.ball() * mass(law, last - shift)
            assert not mass(law, last + 1) > limit.ball() * mass(law, last + 1 - shift) + missed.upper()
            exact = law.exactly(shift, limit, 1 << 21)
            assert exact is None or ball(exact).overlaps(excess)


def median(law, start, step):
    """A place with half of the mass on either side, or next to it."""
    low, high = start, start
    while low != law.low and at_most(law, low) > 0.5:
        low, step = low - step if law.low is None else max(law.low, low - step), 2 * step
    while at_most(law, high) < 0.5:
        high, step = high + step, 2 * step
    while high - low > 1:
        between = (low + high) // 2
        low, high = (low, between) if at_most(law, between) > 0.5 else (between, high)
    return high


def mass(law, t):
    return at_most(law, t) - at_most(law, t - 1)


@pytest.mark.parametrize("noise", [one for one in LARGE if type(one.law) not in (Finite, SumLaw)], ids=repr)
def test_no_tail_is_proven_to_be_nothing(noise):
    """However far out, up to where the noise ends; a sum may refuse what is too far."""
    for law in (noise.law, noise.law.mirror):
        for deviations in (10**2,) if isinstance(law, SharesLaw) else (10**2, 10**4, 10**6, 10**12):
            place = -deviations * (1 + round(law.deviation))
            place = place if law.low is None else max(law.low, place)
            with working_precision(BITS):
                assert law.at_most(place).upper() > 0
