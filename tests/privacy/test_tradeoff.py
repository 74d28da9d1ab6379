"""What an attacker gains: against every test on every dataset, published values, laws, and the Gaussian curve."""

import random
from fractions import Fraction
from typing import ClassVar

import mpmath
import pytest
from flint import arb

import dpcalc as dp
from dpcalc.privacy import gaussian
from dpcalc.privacy import tradeoff as module
from tests.oracles.attacks import directions, least_misses
from tests.oracles.hockey_stick import pmf

ALPHAS = [Fraction(1, 50), Fraction(1, 8), Fraction(1, 4), Fraction(1, 2), Fraction(9, 10)]


def datasets(n, q, k=1):
    """The two laws of the count, for every number of ones among the others."""
    q = Fraction(q)
    for m in range(n):
        others = [(1 - q, k * m), (q, k * (n - 1 - m))]
        yield pmf([*others, (q, k)]), pmf([*others, (1 - q, k)])


@pytest.mark.parametrize("ones", [0, 2])
def test_one_dataset(ones):
    curve = dp.tradeoff(dp.KRandomization(n=4, q="1/5"), ones=ones)
    for alpha in ALPHAS:
        truth, found = least_misses(directions([list(datasets(4, "1/5"))[ones]]), alpha), curve.false_negative(alpha)
        assert found.lower <= truth <= found.upper <= found.lower + truth / 5000


@pytest.mark.parametrize("ones", [None, 2])
def test_what_only_a_draw_of_datasets_reaches_is_said_to_be_so(ones):
    curve = dp.tradeoff(dp.KRandomization(n=4, q="9/50"), ones=ones)
    every = directions(datasets(4, "9/50") if ones is None else [list(datasets(4, "9/50"))[ones]])
    half, belief = Fraction(1, 2), Fraction(1, 5)
    found = curve.posterior(belief, half)
    alarms = max(1 - least_misses([one], half) for one in every)
    single = belief * alarms / (belief * alarms + (1 - belief) * half)
    assert single < found.lower
    for one in (found, curve.gaussian_mu(half)):
        assert one.attained_by == "a pair of datasets drawn at random and told to the attacker"
        assert one.proven_for == ("every dataset" if ones is None else "the composition given")
    assert curve.gaussian_mu().attained_by == curve.advantage.attained_by != found.attained_by


@pytest.mark.parametrize("n", [10**4, *(pytest.param(10**power, marks=pytest.mark.soak) for power in (8, 12))])
def test_the_whole_curve_of_many_users(n):
    """The outcome of the largest loss decides, whose chance is far too faint for a rational from 10^8 on."""
    mechanism = dp.KRandomization(n=n, q="1/10")
    found = dp.tradeoff(mechanism).gaussian_mu()
    assert found.upper <= found.lower * Fraction(1002, 1000)
    with mpmath.workdps(60):
        rate = n * -mpmath.log(mpmath.mpf(9) / 10)  # a tail of e^-x is about sqrt(2 x) deviations away
        mu = mpmath.log(9) / mpmath.sqrt(2 * rate)
        assert abs(mu / mpmath.mpf(found.lower.numerator) * found.lower.denominator - 1) < mpmath.mpf("0.002")


@pytest.mark.parametrize(("n", "q", "k"), [(1, "1/4", 1), (3, "1/10", 1), (4, "2/5", 2), (6, "1/3", 1)])
def test_the_ends_of_the_whole_curve_by_every_test(n, q, k):
    """mu of every corner of the exact curves of all datasets, by sums over all outcomes."""
    found = dp.tradeoff(dp.KRandomization(n=n, q=q, k=k)).gaussian_mu()
    largest = mpmath.mpf(0)
    with mpmath.workdps(40):
        for first, second in datasets(n, q, k):
            likely = unlikely = Fraction(0)
            for a, b in zip(first[:-1], second[:-1], strict=True):
                likely, unlikely = likely + a, unlikely + b
                one, other = (mpmath.mpf(x.numerator) / x.denominator for x in (likely, unlikely))
                mu = mpmath.sqrt(2) * (mpmath.erfinv(1 - 2 * other) - mpmath.erfinv(1 - 2 * one))
                largest = max(largest, mu)
        low, high = (mpmath.mpf(end.numerator) / end.denominator for end in (found.lower, found.upper))
        assert low <= largest * (1 + mpmath.mpf(10) ** -12)
        assert largest <= high * (1 + mpmath.mpf(10) ** -12)
        assert high <= low * mpmath.mpf("1.001")


@pytest.mark.parametrize(("q", "k"), [("1/100", 1), ("1/1000", 2)])
@pytest.mark.soak
def test_a_smaller_width_is_no_wider(q, k):
    """Bounds of faint deltas next to the largest loss are loose: what was proven before them stays."""
    mechanism = dp.KRandomization(n=10**9, q=q, k=k)
    loose, sharp = (dp.tradeoff(mechanism, rtol=rtol).gaussian_mu() for rtol in ("1e-3", "1e-5"))
    assert loose.upper <= loose.lower * Fraction(1001, 1000)
    assert sharp.upper <= loose.upper
    assert sharp.upper <= sharp.lower * Fraction(100_002, 100_000)


def test_corners_that_tie_do_not_stall():
    """delta is linear over some lambdas, at whose corners the curves are the same."""
    found = dp.tradeoff(dp.KRandomization(n=8, q="11/50", k=2)).gaussian_mu(beside="1e-8")
    assert found.upper <= found.lower * Fraction(10_001, 10_000)


def test_beside_a_loss_that_is_farther_than_delta_is_asked_for():
    """All that is lost lies at 10^400, next to certainty: eta of it is given away."""
    found = dp.tradeoff(dp.KRandomization(n=1, q="1e-400")).gaussian_mu(beside="1e-3")
    assert 85 < found.lower <= found.upper < 86
    with pytest.raises(dp.NoSolution, match="delta is not seen to fall to 1e-6"):
        dp.tradeoff(dp.NoisyCount(dp.Binomial(10, "1/2"))).gaussian_mu(beside="1e-6")


def test_a_corner_of_which_nothing_is_proven_stands_for_the_worst():
    one, half = Fraction(1), Fraction(1, 2)
    corner = gaussian._Corner.of
    assert corner(one, 2 * one, half, Fraction(0)).mu == gaussian._INFINITE  # beta = 0 exactly
    assert corner(one, 2 * one, Fraction(1, 2**10**6), arb(2) ** -(10**6)).mu == gaussian._INFINITE
    assert corner(one, 2 * one, half, half).mu == 0
    assert gaussian.least_gaussian_mu(lambda _: dp.Enclosure.of(0), one, Fraction(1, 100)) == 0


def test_no_mu_where_the_loss_is_infinite():
    curve = dp.tradeoff(dp.NoisyCount(dp.Binomial(20, "1/2")))
    with pytest.raises(dp.NoSolution, match="no epsilon gives delta = 0"):
        curve.gaussian_mu()
    assert curve.gaussian_mu("1/4").lower > 0
    apart = dp.tradeoff(dp.NoisyCount(dp.Binomial(2, "1/2"), 3))
    assert apart.false_negative("1/4").value == 0
    with pytest.raises(dp.NoSolution, match="no mu"):
        apart.gaussian_mu("1/4")


def test_the_bound_covers_what_wide_ends_allow():
    """A concave function through 0, 1, 1.5 and 0 at 1, 2, 3 and 4 may be 1.8 at 2.8, if 1 and 1.5 are upper ends."""
    search = module._OverCurve(None, Fraction(1, 100), Fraction(1, 100))
    heights = {1: (0, 0), 2: (0, 1), 3: (0, "3/2"), 4: (0, 0)}
    search._values = {Fraction(x): dp.Enclosure(low, high) for x, (low, high) in heights.items()}
    assert search._bound()[0] >= Fraction(9, 5)


def test_between_two_points_the_lines_start_from_what_may_be():
    """1.8 at 2.8 again, in a gap that no gap at the ends outdoes: lines of slopes 1 and -3/2 through upper ends."""
    search = module._OverCurve(None, Fraction(1, 100), Fraction(1, 100))
    heights = {
        "1": (0, 0),
        "3/2": ("1/2", "1/2"),
        "2": ("3/5", 1),
        "3": ("11/10", "3/2"),
        "7/2": ("3/4", "3/4"),
        "4": (0, 0),
    }
    search._values = {Fraction(x): dp.Enclosure(low, high) for x, (low, high) in heights.items()}
    assert search._bound() == (Fraction(9, 5), Fraction(14, 5))


@pytest.mark.parametrize("seed", range(20))
def test_the_ends_allow_for_the_width_of_delta(seed):
    """Whatever part of a wide enclosure delta is in, both ends stay on their sides."""
    mechanism, alpha, draw = dp.KRandomization(n=4, q="1/5"), Fraction(1, 4), random.Random(seed)
    truth = least_misses(directions(datasets(4, "1/5")), alpha)

    def wide(lam, rtol):
        exact, share = dp.delta(mechanism, lam=lam).value, Fraction(draw.choice([0, 1, 3, 4]), 4)
        return dp.Enclosure(max(exact - share / 30, Fraction(0)), exact + (1 - share) / 30)

    found = module._OverCurve(wide, alpha, Fraction(1, 10**4)).found()
    assert found.lower <= truth <= found.upper


def test_the_picture_shows_both_ends(tmp_path, monkeypatch):
    panels, curve = [], dp.tradeoff(dp.Rounds([(dp.KRandomization(n=2, q="1/4"), 2)]), rtol="1e-1")
    monkeypatch.setattr("dpcalc.plots.draw", lambda found, *_, **__: panels.extend(found))
    curve.plot(tmp_path / "tradeoff.svg")
    low, high, _ = panels[0].curves
    assert all(x <= y for x, y in zip(low.y, high.y, strict=True))
    assert low.y != high.y


@pytest.mark.parametrize("alpha", ["1/8", "1/4", "1/2"])
def test_a_mu_at_one_point_lies_within_its_ends(alpha):
    """One record, q = 1/4: a test of the rate alpha <= 1/4 misses 1 - 3 alpha, of a larger one (1 - alpha)/3."""
    with mpmath.workdps(60):
        rate = mpmath.mpf(Fraction(alpha).numerator) / Fraction(alpha).denominator
        missed = max(1 - 3 * rate, (1 - rate) / 3)
        mu = mpmath.sqrt(2) * (mpmath.erfinv(1 - 2 * rate) + mpmath.erfinv(1 - 2 * missed))
        found = dp.tradeoff(dp.KRandomization(n=1, q="1/4")).gaussian_mu(alpha)
        low, high = (mpmath.mpf(end.numerator) / end.denominator for end in (found.lower, found.upper))
        assert low < mu < high < low * (1 + mpmath.mpf(10) ** -9)


@pytest.mark.soak
def test_what_would_take_too_long_is_not_taken_for_faint():
    draw = random.Random(1)
    weights = [[draw.randint(1, 1000) for _ in range(3)] for _ in range(20)]
    rows = [[Fraction(x, sum(row)) for x in row] for row in weights]
    curve = dp.tradeoff(dp.Shuffle(dp.FiniteMechanism(rows), n=50))
    for ask in (lambda: curve.advantage, lambda: curve.false_negative("1/100"), curve.gaussian_mu):
        with pytest.raises(dp.TooLarge, match="comparing all pairs of inputs"):
            ask()


class Coarse(module.Tradeoff):
    """Of which no delta narrower than 1/1000 is to be had; what is known then is that of one dataset, say."""

    asked: ClassVar[list[Fraction]] = []
    narrowest = Fraction(1, 1000)

    def _delta(self, lam, rtol):
        self.asked.append(rtol)
        if rtol < self.narrowest:
            raise dp.Undecided("the sign is not settled at 1,024 bits", dp.Enclosure(Fraction(0), Fraction(1, 10**6)))
        return super()._delta(lam, rtol)


class Unsettled(Coarse):
    """Of which no delta is to be had."""

    narrowest = Fraction(1)


def test_what_a_step_on_the_way_could_not_settle_is_not_taken_for_delta():
    mechanism, rtol = dp.NoisyCount(dp.Binomial(5, "1/3"), 1), Fraction(1, 10_000)
    truth = dp.tradeoff(mechanism, rtol=rtol).advantage
    found = Coarse(mechanism, None, rtol).advantage
    assert Coarse.asked == [rtol, 16 * rtol]
    assert found.lower <= truth.lower <= truth.upper <= found.upper


def test_a_wide_delta_is_taken_as_it_is():
    histogram = dp.UnaryEncoding(n=20, q=".1", categories=4, ones=2)
    found, total = dp.tradeoff(histogram).advantage, dp.delta(histogram, epsilon=0)
    assert total.note is not None
    assert (found.lower, found.upper) == (total.lower, total.upper)


def test_a_delta_that_is_never_settled_has_no_tradeoff():
    with pytest.raises(dp.Undecided, match="not settled at 1,024 bits"):
        Unsettled(dp.KRandomization(n=4, q="1/5"), None, Fraction(1, 10_000)).false_negative("1/4")


def test_its_width_is_no_finer_than_that_of_delta():
    bits = dp.KRandomization(n=100, q="1/10")
    assert dp.tradeoff(bits).rtol == Fraction(1, 10**4)
    assert dp.tradeoff(dp.Rounds([(bits, 2)])).rtol == Fraction(1, 100)
    assert dp.tradeoff(dp.Rounds([(bits, 2)]), rtol="1e-3").rtol == Fraction(1, 1000)
