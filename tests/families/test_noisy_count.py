"""Counts with integer noise: against every shift in fractions, mpmath, published figures, and laws that must hold."""

import math
import sys
from fractions import Fraction
from types import SimpleNamespace

import mpmath
import pytest
from flint import arb

import dpcalc as dp
from dpcalc.families.noise import Shift, Shifts
from dpcalc.laws.circle import Coefficients
from dpcalc.laws.parts import Coins
from dpcalc.laws.sums import SumLaw
from dpcalc.numbers.ball import working_precision
from dpcalc.numbers.enclosure import Enclosure
from dpcalc.numbers.limit import Limit
from dpcalc.pairs import shift as module
from tests.oracles import noise as oracle

FINE = Fraction(1, 10**12)


def binomial(trials, chance):
    return SumLaw((Coins(trials, chance),))


def by_tails(law, c, limit):
    """The divergence from tails, also where the pmf is short."""
    return module.Shifted(_Untabled(law), c).enclosed(limit, rtol=FINE)


class _Untabled:
    """A law that has no table."""

    def __init__(self, law):
        self._law = law

    def __getattr__(self, name):
        return getattr(self._law, name)

    def table(self, bits):
        return None


KINDS = [
    (dp.Binomial(11, "1/2"), oracle.binomial(11, Fraction(1, 2))),
    (dp.Binomial(7, "1/10"), oracle.binomial(7, Fraction(1, 10))),
    (dp.Binomial(1, "2/3"), oracle.binomial(1, Fraction(2, 3))),
    (dp.Geometric("1/2", 5), oracle.geometric(Fraction(1, 2), 5)),
    (dp.Geometric("9/10", 4), oracle.geometric(Fraction(9, 10), 4)),
    (dp.Geometric("1/5", 0), oracle.geometric(Fraction(1, 5), 0)),
    (dp.FiniteNoise(["1/10", "2/10", "4/10", "2/10", "1/10"]), oracle.listed(["0.1", "0.2", "0.4", "0.2", "0.1"])),
    (dp.FiniteNoise([0, "1/4", 0, "1/2", 0, "1/4"]), oracle.listed([0, "1/4", 0, "1/2", 0, "1/4"])),
    (dp.FiniteNoise(["1/2", "1/8", "3/8"]), oracle.listed(["1/2", "1/8", "3/8"])),
    (dp.FiniteNoise([1]), oracle.listed([1])),
]


def test_equal_ratios_are_settled():
    """At N = 9, p = 1/2 and s = 5 the ratio is 1: d = 0 there, and one step of the search is open."""
    exact = oracle.divergence(oracle.binomial(9, Fraction(1, 2)), 1, Fraction(1))
    assert by_tails(binomial(9, Fraction(1, 2)), 1, Limit(Fraction(1))).lower <= exact
    for far in (10**3 + 1, 10**9 + 1):
        found = by_tails(binomial(far, Fraction(1, 2)), far // 100, Limit(Fraction(1)))
        assert found.upper - found.lower <= found.lower * FINE


def test_an_open_sign_is_allowed_for():
    """A ratio that is above lambda by 1e-30 is not told from it at 64 bits; at 250 it is."""
    law, pmf = binomial(1000, Fraction(1, 2)), oracle.binomial(1000, Fraction(1, 2))
    limit = Limit(pmf[480] / pmf[479] * (1 - Fraction(1, 10**30)))
    with working_precision(64):
        t, missed = law.last_above(1, limit)
    assert t in (479, 480)
    assert 0 < missed.upper() < 1e-15
    with working_precision(250):
        assert law.last_above(1, limit) == (480, 0)


def known(t):
    """d_t is 1/8 up to t = 3, and somewhere in [-1/8, 1/8] at t = 4."""
    steps = [arb("0.125") if s < 4 else arb("-0.125") if s > 4 else arb(0, "0.125") for s in (t, t + 1)]
    return Coefficients(arb("0.5"), *steps)


@pytest.mark.parametrize(("near", "place"), [(3, 3), (4, 4), (0, 3), (30, 4)])
def test_what_may_be_missed_is_added(near, place):
    search = binomial(40, Fraction(1, 20)).search(1, Limit(Fraction(3, 2)))
    search.at, search.t = known, near
    _, missed = search.settled()
    assert search.t in (3, 4)
    assert search.t == place or near not in (3, 4)
    assert missed.contains(0)
    assert missed.contains(arb("0.12"))
    assert not missed < 0.12


def test_published_numbers():
    """IPA's binomial noise (ipa-core, dp/mod.rs, asks for 1,483 trials) and truncated geometric padding."""
    at = {n: dp.delta(dp.NoisyCount(dp.Binomial(n, "1/2")), epsilon=1) for n in (79, 80)}
    assert format(at[79], "6") == "1.18347...e-6"
    assert format(at[80], "5") == "9.8336...e-7"
    for epsilon, bound in (("1/2", 25), ("1", 14)):
        noises = (dp.Geometric.from_epsilon(epsilon, b) for b in (bound - 1, bound))
        short, enough = (dp.delta(dp.NoisyCount(noise), epsilon=epsilon) for noise in noises)
        assert short.lower > Fraction(1, 10**6) >= enough.upper


def test_epsilon_at_its_ends():
    count = dp.NoisyCount(dp.Binomial(20, "1/2"))
    assert dp.epsilon(count, delta="0.9").value == 0
    with pytest.raises(dp.NoSolution, match=r"delta falls to 9.53674316406.* or more, the chance of"):
        dp.epsilon(count, delta="1e-9")
    with pytest.raises(dp.NoSolution, match="no epsilon gives delta = 0: as epsilon grows, delta tends to 1/1048576"):
        dp.epsilon(count, delta=0)


def test_size_costs_no_steps():
    def steps(trials):
        """Calls of functions, Python's and C's."""
        count, epsilon, seen = dp.NoisyCount(dp.Binomial(trials, "1/2")), Fraction(round(8e6 / trials**0.5), 10**6), []
        sys.setprofile(lambda frame, event, argument: seen.append(event))
        try:
            dp.delta(count, epsilon=epsilon)
        finally:
            sys.setprofile(None)
        return len(seen)

    steps(10)
    assert steps(10**12) < 3 * steps(10**3)


def test_faint_and_certain():
    assert dp.delta(dp.NoisyCount(dp.Binomial(10**9, "1/2"), 10**9 + 1), epsilon=1).value == 1
    assert dp.NoisyCount(dp.Poisson(10**9)).beyond.upper < Fraction(1, 10**300_000)


@pytest.mark.parametrize(("mean", "sensitivity", "epsilon"), [(1, 1, 10**6), (1, 2, 10**5), ("1e-11", 2, 10**5)])
def test_of_poisson_noise_only_its_end_shows_a_huge_epsilon(mean, sensitivity, epsilon):
    count = dp.NoisyCount(dp.Poisson(mean), sensitivity)
    found = dp.delta(count, epsilon=epsilon)
    assert found.lower <= count.beyond.upper
    assert count.beyond.lower <= found.upper <= found.lower * (1 + Fraction(1, 10**9))


# --- as far as delta falls ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("trials", [5, 40, 47, 100, 1000, 10**4])
def test_the_least_delta_is_reached_at_the_largest_ratio(trials):
    """f(1)/f(0) = N: from there on only s = 0 counts, of probability 2^-N."""
    found = dp.epsilon(dp.NoisyCount(dp.Binomial(trials, "1/2")), delta=Fraction(1, 2**trials))
    with mpmath.workdps(50):
        exact = mpmath.log(trials)
        assert mpmath.mpf(found.lower.numerator) / found.lower.denominator <= exact
        assert mpmath.mpf(found.upper.numerator) / found.upper.denominator >= exact
    assert found.relative_width() <= Fraction(1, 10**6)


@pytest.mark.parametrize("share", [Fraction(0), Fraction(1, 10**6), Fraction(1, 10**30)])
@pytest.mark.parametrize("sensitivity", [1, 3])
@pytest.mark.parametrize(
    ("noise", "pmf"),
    [
        *KINDS,
        (dp.Binomial(100, "1/2"), oracle.binomial(100, Fraction(1, 2))),
        (dp.Binomial(60, "1/3"), oracle.binomial(60, Fraction(1, 3))),
        (dp.FiniteNoise(["1/4", "1/2", "1/4"]), oracle.listed(["1/4", "1/2", "1/4"])),
    ],
)
def test_targets_next_to_the_least_delta(noise, pmf, sensitivity, share):
    count, least = dp.NoisyCount(noise, sensitivity), oracle.beyond(pmf, sensitivity)
    target = least * (1 + share)
    if target >= 1:
        return
    found = dp.epsilon(count, delta=target)
    assert found.relative_width() < Fraction(2, 10**6)
    assert oracle.delta(pmf, sensitivity, Limit.exp(found.upper).ends.upper) <= target
    if found.upper:
        below = found.lower * (1 - Fraction(1, 10**9))
        assert oracle.delta(pmf, sensitivity, Limit.exp(below).ends.upper) > target
    if least * share:
        with pytest.raises(
            dp.NoSolution, match=r"^no epsilon gives delta <= .*: as epsilon grows, delta falls to .*, the"
        ):
            dp.epsilon(count, delta=least * (1 - share))


def test_a_tail_from_the_largest_ratio_on_is_what_is_never_shown():
    law, pmf = binomial(1100, Fraction(1, 3)), oracle.binomial(1100, Fraction(1, 3))
    for c in (1, 2):
        ratio = pmf[c] / pmf[0]
        assert module.Shifted(law, c).steepest == ratio
        for lam in (ratio, 2 * ratio):
            found = module.Shifted(law, c).enclosed(Limit(lam), rtol=FINE)
            assert found.value == oracle.divergence(pmf, c, lam) == sum(pmf[s] for s in range(c))
        below = module.Shifted(law, c).enclosed(Limit(ratio * (1 - Fraction(1, 10**6))), rtol=FINE)
        assert below.lower > found.value


@pytest.mark.parametrize(
    ("noise", "least"), [(dp.Poisson(100), math.log(100)), (dp.Geometric.from_epsilon("1/2", bound=10), 0.5)]
)
def test_a_target_next_to_an_irrational_least_delta_is_answered(noise, least):
    count = dp.NoisyCount(noise)
    found = dp.epsilon(count, delta=count.beyond.upper)
    assert float(found.lower) - 1e-6 < least < float(found.upper) + 1e-6
    assert found.upper - found.lower < found.upper / 10**5
    with pytest.raises(dp.NoSolution):
        dp.epsilon(count, delta=count.beyond.lower * (1 - Fraction(1, 10**30)))


def test_the_upper_end_is_that_of_every_change(monkeypatch):
    """Where the change with the largest lower end has not the largest upper one."""
    ends = {1: Enclosure(Fraction(3, 10), Fraction(4, 10)), -1: Enclosure(Fraction(2, 10), Fraction(5, 10))}
    pairs = [(Shift(c), SimpleNamespace(enclosed=lambda *_, rtol, one=one: one)) for c, one in ends.items()]
    monkeypatch.setattr(Shifts, "pairs", pairs)
    found = dp.delta(dp.NoisyCount(dp.DiscreteLaplace(1)), lam=2)
    assert (found.lower, found.upper, found.shift) == (ends[1].lower, ends[-1].upper, 1)


@pytest.mark.parametrize(("rho", "c", "power"), [(10, 2, 0), (2, 3, 1), (3, 5, 1), (3, 5, 3), (Fraction(3, 2), 4, 2)])
@pytest.mark.parametrize("gap", [0, Fraction(3, 10**11), Fraction(-1, 10**15), Fraction(1, 10**60)])
def test_laplace_noise_is_exact_next_to_a_limit_that_an_outcome_attains(rho, c, power, gap):
    """There two neighbouring places have next to the same delta, and it is not seen at once which is the larger one."""
    lam, a = rho**power * (1 + (gap if power else abs(gap))), 1 / Fraction(rho)

    def mass(x):
        return (1 - a) / (1 + a) * a ** abs(x)

    below = 1 / (1 + a) - lam * a**c / (1 + a)  # of all outcomes up to 0, whose ratio is rho^c
    between = sum(max(Fraction(0), mass(s) - lam * mass(s - c)) for s in range(1, c + 1))
    found = dp.delta(dp.NoisyCount(dp.DiscreteLaplace(lam=rho), c), lam=lam)
    assert found.value == below + between
