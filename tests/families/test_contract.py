"""The contract of a mechanism, asked of every mechanism of the registry: brute force over all neighbouring datasets."""

import inspect
import random
from fractions import Fraction
from itertools import pairwise

import mpmath
import pytest

import dpcalc as dp
from dpcalc.families import bits, two_counts
from dpcalc.families.noise import Shift
from dpcalc.families.shuffled import IdenticalRecords
from dpcalc.families.thresholds import Holders
from dpcalc.mechanisms.mechanism import Mechanism
from dpcalc.pairs import hidden, pair, shift
from dpcalc.worst import compositions
from dpcalc.worst.compositions import Composition
from dpcalc.worst.datasets import Dataset, HistogramDataset
from tests.oracles import summed
from tests.registry import DRAWN, MECHANISMS, neighbours
from tests.strategies import seeds

LAMS = [Fraction(1), Fraction(11, 10), Fraction(3, 2), Fraction(5, 2), Fraction(8), Fraction(10**6)]
LARGE_ENOUGH = 6  # others, beside whom no threshold below hides anything
WIDE = Fraction(1, 50)  # relative width of an answer over every dataset that is not said to be wider


def test_every_public_mechanism_has_a_line():
    named = [getattr(dp, name) for name in dp.__all__]
    public = {one for one in named if inspect.isclass(one) and issubclass(one, Mechanism)}
    assert public - {dp.Rounds} == {type(mechanism) for mechanism, _ in MECHANISMS.values()}


def holds(found, truth, width=WIDE):
    """Whether an answer holds the truth, exactly, and is narrow."""
    return found.lower <= truth <= found.upper and found.upper - found.lower <= width * found.upper


def power(epsilon):
    """Rationals next to e^epsilon on either side."""
    with mpmath.workdps(40):
        x = mpmath.exp(mpmath.mpf(epsilon.numerator) / epsilon.denominator)
        whole = Fraction(int(x * 10**30), 10**30)
    return whole - Fraction(1, 10**15), whole + Fraction(1, 10**15)


# --- delta, and the datasets that are named -------------------------------------------------------------------------


def is_named(at, key):
    """Whether this pair of neighbouring datasets is one of those that are meant."""
    match at:
        case Shift(change):
            return change == (key if isinstance(key, int) else 1 - 2 * key.before)
        case Holders(None, present):
            return key[1] is present and key[0] >= (LARGE_ENOUGH,)
        case Holders(others, present):
            return key == (others, present)
        case Composition(group, ones, value, other) if not isinstance(key.before, tuple):
            return (key.group, tuple(map(sum, key.others)), key.before, key.after) == (group, ones, value, other)
        case Dataset(ones, value) | Composition(_, (ones,), value, _):
            columns = zip(*map(bits_of, key.others[0]), strict=True)
            held = list(map(sum, columns)) or [0] * len(bits_of(key.before))
            changed = zip(held, bits_of(key.before), bits_of(key.after), strict=True)
            return [(m, a) for m, a, b in changed if a != b] == [(ones, value)]
        case HistogramDataset(left, entered):
            held = [sum(column) for column in zip(*key.others[0], strict=True)] or [0] * len(key.before)
            moved = [sorted(m for m, a, b in zip(held, *way, strict=True) if a > b) for way in ways(key)]
            return moved == [sorted(left), sorted(entered)]
        case IdenticalRecords(others, likely, unlikely):
            return (set(key.others[0]) | {others}, key.before, key.after) == ({others}, likely, unlikely)
    raise AssertionError(at)


def bits_of(value):
    """Those of a vector; a bit is one."""
    return (value,) if isinstance(value, int) else value


def ways(key):
    """What the changed record holds in one dataset and the other, and the other way round."""
    return (key.before, key.after), (key.after, key.before)


@pytest.fixture(params=["exactly", "as if it were large"])
def size(request, monkeypatch):
    """The ways of sizes at which nothing is summed in fractions are asked too."""
    if request.param != "exactly":
        for home, names in {
            bits: ["_EXACT_REPORTS"], compositions: ["_MOST_EXACT"], two_counts: ["_MOST_EXACT"],
            pair: ["_MOST_EXACT", "_MOST_EXACT_ABSENT"], hidden: ["_FEW", "EXACT_BITS"],
            shift: ["EXACT_BITS", "_SHORT_BITS"],
        }.items():  # fmt: skip
            for name in names:
                monkeypatch.setattr(home, name, 0)
    hidden.seen.cache_clear()
    yield request.param
    hidden.seen.cache_clear()


def judge(mechanism, listed, lam, size):
    """Whether delta holds the largest of all pairs, exactly of short sums, and one of those named has its lower end."""
    found, each = dp.delta(mechanism, lam=lam), {key: summed.delta([one], lam) for key, one in listed.items()}
    exact = size == "exactly" and not isinstance(mechanism, dp.Shuffle | dp.Thresholded)
    blanket = hasattr(found, "blanket")  # no more is proven of every dataset
    assert holds(found, max(each.values()), 0 if exact else 1 if blanket else WIDE)
    if blanket:
        assert holds(found.identical, max(each[key] for key in each if len(set(key.others[0])) <= 1))
    if found.lower > 0:
        at = found.datasets[0][1] if hasattr(found, "datasets") else found.dataset
        named = {each[key] for key in each if is_named(at, key)}
        assert named
        assert max(named) >= found.lower


@pytest.mark.parametrize("name", MECHANISMS)
def test_delta_is_the_largest_over_all_neighbouring_datasets(name, size):
    mechanism, listed = MECHANISMS[name]
    listed = listed()
    for lam in LAMS:
        judge(mechanism, listed, lam, size)
    for epsilon in (Fraction(1, 3), Fraction(2)):
        found = dp.delta(mechanism, epsilon=epsilon)
        high, low = (summed.delta(listed.values(), lam) for lam in power(epsilon))
        assert found.lower <= high
        assert found.upper >= low


@pytest.mark.parametrize("seed", seeds(6, 60))
@pytest.mark.parametrize("kind", DRAWN)
def test_delta_of_any_mechanism(kind, seed, size):
    """Of drawn parameters; and of one dataset, where the others' ones say which."""
    draw = random.Random(f"{kind} {seed}")
    mechanism, listed = DRAWN[kind](draw)
    listed = listed()
    for lam in (draw.choice(LAMS[:5]) + Fraction(draw.randint(0, 9), 10), 1 + Fraction(draw.randint(0, 30), 100)):
        judge(mechanism, listed, lam, size)
    if kind in ("bits", "asymmetric bits", "fleets", "sampled bits"):
        others = draw.choice(list(listed)).others
        among = [one for key, one in listed.items() if same_ones(key.others, others)]
        ones = [sum(held) for held in others] if kind == "fleets" else sum(others[0])
        width = 0 if size == "exactly" else Fraction(1, 10**6)
        assert holds(dp.delta(mechanism, lam=lam, ones=ones), summed.delta(among, lam), width)


def same_ones(held, others):
    return tuple(map(sum, held)) == tuple(map(sum, others))


@pytest.mark.parametrize("name", MECHANISMS)
def test_epsilon_is_the_inverse_of_delta(name):
    mechanism, all_pairs = MECHANISMS[name][0], neighbours(name)
    rest = summed.delta(all_pairs, Fraction(10**30))
    for target in (Fraction(1, 3), Fraction(1, 10), Fraction(1, 1000)):
        if rest > target:
            with pytest.raises(dp.NoSolution):
                dp.epsilon(mechanism, delta=target)
            continue
        found = dp.epsilon(mechanism, delta=target)
        kept, broken = summed.delta(all_pairs, power(found.upper)[1]), summed.delta(all_pairs, power(found.lower)[0])
        assert kept <= target
        assert found.lower == 0 or broken >= target
        assert found.note or found.relative_width() <= Fraction(1, 20)


@pytest.mark.parametrize("name", MECHANISMS)
def test_a_profile_falls_and_is_convex_in_lambda(name):
    """Its lower ends below chords of its upper ends, and each value that of ``delta``."""
    mechanism, all_pairs = MECHANISMS[name][0], neighbours(name)
    epsilons = [Fraction(i, 5) for i in range(8)]
    found = dp.profile(mechanism, epsilons)
    lams = [float(power(epsilon)[0]) for epsilon in epsilons]
    for epsilon, one in zip(epsilons, found, strict=True):
        high, low = (summed.delta(all_pairs, lam) for lam in power(epsilon))
        assert one.lower <= high
        assert one.upper >= low
    assert all(b.lower <= a.upper for a, b in pairwise(found))
    for i in range(1, len(found) - 1):
        share = (lams[i + 1] - lams[i]) / (lams[i + 1] - lams[i - 1])
        chord = share * float(found[i - 1].upper) + (1 - share) * float(found[i + 1].upper)
        assert float(found[i].lower) <= chord + 1e-12


@pytest.mark.parametrize("name", MECHANISMS)
def test_a_trade_off_is_that_of_the_profile(name):
    mechanism, all_pairs = MECHANISMS[name][0], neighbours(name)
    curve = dp.tradeoff(mechanism, rtol="1/100")
    for alpha in (Fraction(1, 50), Fraction(1, 5), Fraction(3, 5)):
        found, truth = curve.false_negative(alpha), summed.false_negative(all_pairs, alpha)
        assert found.lower <= truth <= found.upper <= found.lower + Fraction(1, 20)
    advantage = summed.delta(all_pairs, Fraction(1))
    assert curve.advantage.lower <= advantage <= curve.advantage.upper


@pytest.mark.parametrize("name", [
    pytest.param(name, marks=[pytest.mark.soak] * (name.startswith(("a histogram", "a threshold", "an asym"))))
    for name in MECHANISMS
])  # fmt: skip
def test_two_rounds_hold_the_worst_strategy(name):
    """The datasets of the second round may depend on what the first one showed."""
    mechanism, all_pairs = MECHANISMS[name][0], neighbours(name)
    if mechanism.neighbours == "add-remove" and isinstance(mechanism, dp.Fleet):
        return  # refused
    found = [dp.delta(dp.Rounds([(mechanism, 2)]), lam=lam) for lam in LAMS[1:4]]
    for lam, one in zip(LAMS[1:4], found, strict=True):
        truth = summed.twice(all_pairs, lam)
        assert one.lower - 1e-12 <= truth <= one.upper + 1e-12
        assert one.note or one.upper <= 2 * one.lower + Fraction(1, 10**6)
