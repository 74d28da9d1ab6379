import random
from fractions import Fraction
from itertools import pairwise
from types import SimpleNamespace

import pytest

import dpcalc as dp
from dpcalc.choose.epsilon import epsilon
from dpcalc.choose.least import least_n
from dpcalc.errors import Undecided
from dpcalc.families.bits import Bits
from dpcalc.mechanisms.randomizers import k_ary_response
from dpcalc.mechanisms.response import Group, KRandomization
from dpcalc.numbers.ball import FAINT
from dpcalc.numbers.enclosure import Enclosure
from dpcalc.numbers.limit import Limit
from dpcalc.pairs.pair import Pair
from dpcalc.privacy.delta import delta
from dpcalc.worst import compositions
from dpcalc.worst.compositions import Compositions
from dpcalc.worst.datasets import Dataset, Delta
from dpcalc.worst.worst_composition import OverCompositions
from tests.oracles.scan import deltas, largest
from tests.worst.chances import box


def small_cases(n):
    """For every k a few (q, lambda), drawn once and for all; small lambda have the worst dataset inside."""
    draw = random.Random(n)
    for k in (1, 2, 3):
        q = draw.choice(
            [Fraction(1, 20), Fraction(1, 5), Fraction(1, 3), Fraction(9, 20), Fraction(draw.randint(1, 49), 100)]
        )
        yield k, q, draw.choice([Fraction(101, 100), Fraction(11, 10), Fraction(4, 3), Fraction(3, 2), Fraction(3)])


@pytest.mark.parametrize("n", range(1, 14))
def test_of_few_flips_the_middle_is_the_worst_at_total_variation(n):
    """At N q = p and below it, by the exact scan; above it the middle is not always the worst."""
    for q in {Fraction(1, n + 1), Fraction(1, 10 * n), Fraction(1, 3)}:
        datasets = Bits.symmetric(q, 1, n - 1)
        if q >= Fraction(1, 2) or not datasets.middle_is_worst(Limit.of(lam=1)):
            continue
        values = deltas(n, q, 1, Fraction(1))
        assert values[(n - 1) // 2] == max(values)
        found = datasets.at_once(Limit.of(lam=1), rtol=Fraction(1, 10**9))
        assert found.dataset.ones == (n - 1) // 2
        assert found.lower <= max(values) <= found.upper
    assert not Bits.symmetric(Fraction(1, n), 1, n).middle_is_worst(Limit.of(lam=1))
    assert not Bits.symmetric(Fraction(1, 10 * n), 1, n).middle_is_worst(Limit.of(lam="1.001"))
    assert not Bits.symmetric(Fraction(1, 10 * n), 2, n).middle_is_worst(Limit.of(lam=1))


def test_many_datasets_nearly_alike_are_settled_at_total_variation():
    found = delta(KRandomization(n=10_001, q="1e-7"), lam=1, rtol="1e-9")
    assert found.dataset == Dataset(ones=5_000, value=0)
    assert found.relative_width() <= Fraction(1, 10**9)
    at = found.lower / (1 - 2 * Fraction(1, 10**7))  # P(X = m) = (1 - q)^N (1 + 5,000^2 q^2/p^2 + ...)
    assert abs(at - (1 - Fraction(1, 10**7)) ** 10_000 * (1 + Fraction(25, 10**8))) < Fraction(1, 10**12)


def test_every_composition_of_300_records_is_enclosed():
    """For a rational and an irrational limit; the scan moves one record at a time, in integers."""
    n, q, lam = 300, Fraction(1, 4), Fraction(21, 20)
    best, _ = largest(n, q, 1, lam)
    m = KRandomization(n=n, q=q)
    assert delta(m, lam=lam).value == best
    low, high = (delta(m, epsilon=e) for e in ("0.0487902", "0.0487901"))  # ln(21/20) = 0.04879016...
    assert low.lower <= best <= high.upper
    assert high.relative_width() <= Fraction(1, 10**4)


def spied(name):
    """Bits, and what a method of their compositions is asked and answers."""
    seen = []

    def method(self, *given, **more):
        seen.append((given, getattr(Compositions, name)(self, *given, **more)))
        return seen[-1][1]

    family = type("Spied", (Compositions,), {name: method})

    def compositions(self):
        plain = Bits.compositions.fget(self)
        return family(plain.groups, plain.dummies, plain.hidden, plain.only)

    return type("Spied", (Bits,), {"compositions": property(compositions)}), seen


@pytest.mark.parametrize(("n", "q"), [(4_000, "1/4"), (2_001, "1/4"), (10**5, "1/4"), (2_001, "0.4999999")])
def test_a_flat_profile_needs_few_compositions(n, q):
    """At epsilon = 0 delta hardly depends on the composition: all lie within 1e-4."""
    family, looked_at = spied("pair_at")
    found = family.symmetric(Fraction(q), 1, n - 1).largest(Limit(Fraction(1)), rtol=Fraction(1, 10**4))
    assert found.relative_width() <= Fraction(1, 10**4)
    assert len(looked_at) < 60


@pytest.mark.parametrize("n", [400, 1000])
def test_what_agrees_to_12_digits_is_not_compared_exactly_at_any_price(n):
    """No report is flipped but with probability n q, so that 1 - 3 n q < delta < 1 for every composition."""
    family, looked_at = spied("pair_at")
    found = family.symmetric(Fraction("1e-100"), 1, n - 1).largest_exact(Limit.of(lam=2), rtol=Fraction(1, 10**4))
    assert 1 - Fraction(1, 10**4) < found.lower < 1
    assert found.upper == 1
    assert len(looked_at) < 100


@pytest.mark.parametrize(
    ("n", "gap", "k", "limit"),
    [(16_191, "2.5e-9", 1, "1e-9"), (10_052, "2.33e-8", 5, "7.55e-8"), (10**6, "1e-15", 1, "1e-16"),
     (10**6, "1e-4", 1, "1e-5"), (10**6, "1e-400", 2, "1e-400")],
)  # fmt: skip
def test_next_to_q_of_one_half_ties_are_settled(n, gap, k, limit):
    """Far in the tail, where the bound between two integer outcomes is not tight."""
    q, (family, looked_at) = Fraction(1, 2) - Fraction(gap), spied("pair_at")
    found = family.symmetric(q, k, n - 1).largest(Limit.of(epsilon=limit), rtol=Fraction(1, 10**7))
    assert found.relative_width() <= Fraction(1, 10**7)
    assert len(looked_at) < 400
    for ones in (0, n // 3, n - 1):
        others = Bits.symmetric(q, k, n - 1).pair(ones)
        assert others.divergence(Limit.of(epsilon=limit), rtol=Fraction(1, 10**9)).lower <= found.upper


@pytest.mark.parametrize(("n", "q", "target"), [(4_788_374, "3.05e-9", "1e-6"), (10**12, "1.2e-12", "1e-3")])
def test_where_flips_are_rarer_than_records_epsilon_is_found(n, q, target):
    """Next to the local epsilon, nearly all compositions have a delta far too small to be held."""
    m = KRandomization(n=n, q=q)
    found = epsilon(m, delta=target, rtol="1e-9")
    assert found.relative_width() <= Fraction(1, 10**9)
    assert found.upper < m.local_epsilon.lower
    assert delta(m, epsilon=found.lower, ones=0).upper > Fraction(target) * (1 - Fraction(1, 1000))
    assert delta(m, epsilon=found.upper).lower <= Fraction(target)


@pytest.mark.parametrize("n", [10**4, 10**6, 10**9])
def test_at_any_size_it_is_attained_and_bounds_single_datasets(n):
    epsilon, q = Fraction(2, int(n**0.5)), Fraction(1, 10)
    m = KRandomization(n=n, q=q)
    worst = delta(m, epsilon=epsilon, rtol=Fraction(1, 100))
    assert worst.relative_width() <= Fraction(1, 100)
    named = delta(m, epsilon=epsilon, ones=worst.dataset.ones)
    assert worst.lower <= named.upper
    for share in (0, 1, 10, 33, 50, 90, 100):
        ones = (n - 1) * share // 100
        single = Bits.of(m).pair(ones).divergence(Limit.of(epsilon=epsilon), rtol=Fraction(1, 10**9))
        assert single.lower <= worst.upper


@pytest.mark.parametrize(
    ("n", "q", "limit"),
    [(5000, "1/4", {"epsilon": "0.1"}), (300, "1/4", {"lam": 2}), (1, "1/4", {"lam": 2}),
     (5000, "1/1000", {"lam": "1.00923"}),  # the last ranges are settled at once
     (5, "1/4", {"lam": 3}), (301, "1/4", {"epsilon": 0})],
)  # fmt: skip
def test_progress_rises_to_1(n, q, limit):
    seen = []
    delta(KRandomization(n=n, q=q), **limit, progress=seen.append)
    assert seen == sorted(seen)
    assert seen[0] > 0
    assert seen[-1] == 1


@pytest.mark.parametrize(("n", "k"), [(10**9, 1), (10**12, 1), (10**12, 50)])
def test_a_delta_too_small_to_be_held_is_proven_so_for_every_dataset(n, k):
    """Every dataset has been looked at, or lies in a range whose ceiling is as small."""
    family, asked = spied("envelope")
    found = family.symmetric(Fraction(1, 10), k, n - 1).largest(Limit.of(lam=2), rtol=Fraction(1, 100))
    assert (found.lower, found.upper) == (0, FAINT.upper)
    small = sorted((*box.low, *box.high) for (box, _), (top, _) in asked if top <= Fraction(1, 1 << 999_999))
    assert small[0][0] == 0
    assert all(after[0] <= before[1] + 1 for before, after in pairwise(small))
    assert small[-1][1] == n - 1


def test_a_delta_just_large_enough_to_be_held_is_found_among_ones_that_are_not():
    pool = KRandomization(n=5_600_000, q="1/4")
    worst = delta(pool, lam=2)
    assert Fraction(1, 10**301_000) < worst.upper < Fraction(1, 10**290_000)
    assert delta(pool, lam=2, ones=worst.dataset.ones).lower <= worst.upper
    assert delta(pool, lam=2, ones=2_800_000).upper == FAINT.upper


def test_what_was_settled_loosely_is_not_forgotten_when_a_better_one_is_found():
    """q just above 0.48 and lambda just above 1: too many finalists for a while, then one that is better than all."""
    q, lam = "0.48" + "0" * 997 + "1", "1." + "0" * 59 + "1"
    found = delta(KRandomization(n=732, q=q), lam=lam)
    better = delta(KRandomization(n=732, q=q), lam=lam, ones=378)
    assert found.upper >= better.lower > Fraction("0.00118097587645")
    assert found.relative_width() <= Fraction(1, 10**4)


@pytest.mark.parametrize("n", [1, 2, 7])
def test_hardly_any_flips_and_few_records_have_a_rational_delta(n):
    m = KRandomization(n=n, q="1e-3000")
    found = delta(m, lam=2)
    assert found.exact
    assert found.value == max(deltas(n, m.q, 1, Fraction(2)))


@pytest.mark.parametrize("n", [10, pytest.param(10**5, marks=pytest.mark.soak)])
def test_next_to_q_of_one_half_the_total_variation_is_found_soon(n):
    m = KRandomization(n=n, q=Fraction(1, 2) - Fraction(1, 10**1000))
    found = delta(m, epsilon=0)
    assert found.relative_width() <= Fraction(1, 10**4)
    assert found.upper >= delta(m, epsilon=0, ones=(n - 1) // 2).lower


def test_what_is_faint_everywhere_is_bounded_without_an_inversion(no_inversion, never):
    """It took minutes to integrate along 10^15 reports; Chernoff's bound knows."""
    never(compositions, "envelope")
    found = Bits.symmetric(Fraction(1, 4), 1, 10**15 - 1).largest(Limit.of(lam=2), rtol=Fraction(1, 100))
    assert (found.lower, found.upper) == (0, FAINT.upper)


def test_a_steep_family_takes_few_envelopes():
    """Nearly all ranges lie so far below the worst dataset that Chernoff's bound discards them; it took 2,728."""
    family, envelopes = spied("envelope")
    asked = family.symmetric(Fraction("0.16"), 100, 36_477_088_438)
    found = asked.largest(Limit.of(epsilon="0.1"), rtol=Fraction(1, 100))
    assert found.lower <= Fraction(149764, 10**230089)
    assert found.upper >= Fraction(149763, 10**230089)
    assert found.dataset.ones == 0
    assert len(envelopes) < 200


def test_rare_flips_take_few_envelopes():
    """delta_m ripples along m: a bound that loses the ripples cuts the ranges ten times finer."""
    family, envelopes = spied("envelope")
    datasets = family.symmetric(Fraction(16, 10**12), 1, 10**12 - 1)
    found = datasets.largest(Limit.of(epsilon="0.0012121"), rtol=Fraction(1, 10**6))
    assert found.lower > Fraction(1, 10)
    assert len(envelopes) < 60


def test_of_a_large_count_one_envelope_settles_every_dataset():
    family, envelopes = spied("envelope")
    found = family.symmetric(Fraction(1, 10), 1, 10**12 - 1).largest(Limit.of(epsilon="3e-6"), rtol=Fraction(9, 10**10))
    assert found.lower <= found.upper <= found.lower * (1 + Fraction(1, 10**9))
    assert len(envelopes) == 1


def test_laws_far_apart_take_few_envelopes():
    """They change places some outcomes beyond the middle: an envelope around the middle proved nothing there."""
    family, envelopes = spied("envelope")
    datasets = family.symmetric(Fraction("6.799e-8"), 462, 10**8 - 1)
    found = datasets.largest(Limit.of(epsilon="2.07266"), rtol=Fraction(1, 10**6))
    assert found.upper <= Fraction(9999, 10_000)
    assert len(envelopes) < 40


def test_a_ceiling_takes_the_upper_end_of_the_pool_that_is_left(monkeypatch):
    """Mostly its ends are hardly apart."""
    monkeypatch.setattr(Pair, "enclosed", lambda *given, **more: Enclosure(Fraction(0), Fraction(1, 2)))
    monkeypatch.setattr(Compositions, "envelope", lambda *given, **more: (Fraction(1), 1))
    family = Bits.symmetric(Fraction(1, 4), 1, 99).compositions
    assert OverCompositions(family, Limit.of(lam="11/10"), Fraction(1, 100))._ceiling(box(0, 3)) == Fraction(1, 2)


class Blurred:
    """A family of which nothing is known but to the width that is asked for."""

    largest, largest_exact, search = Bits.largest, Bits.largest_exact, Bits.search

    def __init__(self, seed):
        draw = random.Random(seed)
        self.deltas = [Fraction(draw.randint(900, 1000), 2000) for _ in range(60)]
        self.shares = [draw.choice([0, Fraction(1, 2), 1]) for _ in range(60)]  # where in the widths the truth lies

    groups = (Group(n=60, q="1/4"),)

    @property
    def compositions(self):
        return self

    def at_once(self, limit, *, rtol):
        return None

    def boxes(self, limit):
        return [box(0, len(self.deltas) - 1)]

    def corners(self, whole):
        return whole.low, whole.high

    def others(self, group):
        return (len(self.deltas) - 1,)

    def pair_at(self, at):
        return SimpleNamespace(enclosed=lambda limit, rtol: self.single(at.ones[0], rtol))

    def pair(self, group, change, ones, zeros):
        return SimpleNamespace(enclosed=lambda limit, rtol: Enclosure(Fraction(0), Fraction(1)))

    def single(self, m, rtol):
        lower = self.deltas[m] / (1 + rtol * self.shares[m])
        return Enclosure(lower, lower * (1 + rtol))

    def envelope(self, part, limit, *, rtol, level):
        return max(self.deltas[part.low[0] : part.high[0] + 1]) * (1 + rtol), 1


@pytest.mark.parametrize("seed", range(10))
def test_the_largest_is_as_narrow_as_promised_where_single_ones_are_no_narrower_than_asked(seed):
    family, rtol = Blurred(seed), Fraction(1, 50)
    found = family.largest(Limit.of(lam=2), rtol=rtol)
    assert found.lower <= max(family.deltas) <= found.upper <= found.lower * (1 + rtol)


class Near(Blurred):
    """Deltas that differ far below what single ones are asked for, known as rationals too."""

    def __init__(self, seed):
        super().__init__(seed)
        draw = random.Random(-seed)
        self._blurred = Blurred(seed)
        self.deltas = [Fraction(1, 2) + Fraction(draw.randint(0, 10**6), 10**21) for _ in range(60)]
        self._blurred.deltas = self.deltas
        self.own = Fraction(1, 4), Fraction(3, 4)

    @property
    def compositions(self):
        return self._blurred

    def pair(self, m):
        return SimpleNamespace(exact_bits=1, exact=lambda lam: self.deltas[m])


@pytest.mark.parametrize("seed", range(5))
def test_of_those_that_may_be_the_largest_the_largest_is_taken(seed):
    family = Near(seed)
    found = family.largest_exact(Limit.of(lam=2), rtol=Fraction(1, 50))
    assert found.value == max(family.deltas) == family.deltas[found.dataset.ones]


def test_a_largest_delta_beside_far_smaller_ones_is_found():
    """It stands at a thousandth of the way."""
    datasets, limit = Bits.symmetric(Fraction("1.7119e-10"), 20, 10**12 - 1), Limit.of(epsilon=1)
    found = datasets.largest(limit, rtol=Fraction(1, 10**5))
    assert found.relative_width() <= Fraction(1, 10**5)
    assert all(
        datasets.pair(m).enclosed(limit, rtol=Fraction(1, 10**9)).lower <= found.upper for m in (0, 10**8, 10**9)
    )


@pytest.mark.soak
def test_laws_too_far_apart_for_one_circle_take_no_envelope(never):
    """300 standard deviations: 700 points, of which no digit is left, took 45 ms for every range."""
    never(compositions, "envelope")
    limit, rtol = Limit.of(epsilon="53337.5"), Fraction(3, 4)
    found = Bits.symmetric(Fraction("1e-5"), 10**6, 10**6 - 1).largest(limit, rtol=rtol)
    assert found.relative_width() <= rtol
    assert found.dataset.ones == 0


class Vague(Blurred):
    """A million datasets, of whose ranges little is known."""

    def boxes(self, limit):
        return [box(0, 10**6)]

    def others(self, group):
        return (10**6,)

    def single(self, m, rtol):
        return Enclosure(Fraction(1, 2), Fraction(1, 2) * (1 + rtol))

    def envelope(self, part, limit, *, rtol, level):
        return Fraction(11, 20), 1


def test_a_search_that_does_not_settle_says_what_it_has_proven():
    with pytest.raises(Undecided, match=r"not settled after 4,00\d pairs") as given_up:
        Vague(0).largest(Limit.of(lam=2), rtol=Fraction(1, 1000))
    assert (given_up.value.enclosure.lower, given_up.value.enclosure.upper) == (Fraction(1, 2), Fraction(11, 20))


class Unknown(Blurred):
    """Of whose every seventh dataset nothing is told."""

    def single(self, m, rtol):
        if m % 7 == 6:
            raise Undecided("it is beyond reach")
        return super().single(m, rtol)


def test_a_search_that_knows_nothing_of_a_dataset_does_not_settle():
    with pytest.raises(Undecided, match="not settled"):
        Unknown(0).largest(Limit.of(lam=2), rtol=Fraction(1, 100))


class Loose(Vague):
    """Of which doubles tell what is asked to a hundredth."""

    def at_once(self, limit, *, rtol):
        return None if rtol < Fraction(1, 100) else Delta(Fraction(1, 2), Fraction(1, 2) * (1 + rtol), Dataset(0, 0))


def test_where_a_width_is_beyond_reach_a_looser_one_is_tried():
    with pytest.raises(Undecided, match=r"not settled after .* pairs; ask for a larger rtol, such as 0\.01$") as caught:
        Loose(0).largest(Limit.of(lam=2), rtol=Fraction(1, 1000))
    assert caught.value.enclosure.upper == Fraction(101, 200)


def test_the_fewest_users_next_to_no_noise():
    found = least_n(q="1e-7", delta=".999", lam=1)
    assert (found.lower, found.upper) == (10_006, 10_007)


GROUPS = [dp.Group(n=40, q="0.1"), dp.Group(n=30, q="0.2", k=2)]
MECHANISMS = {
    "single bits": (KRandomization(n=500, q="1/3"), {"rtol": "1e-12"}),
    "one composition": (KRandomization(n=500, q="1/3"), {"ones": 3}),
    "noisy count": (dp.NoisyCount(dp.Binomial(80, "1/2"), 2), {}),
    "fleet": (dp.Fleet(GROUPS), {"rtol": "1e-3"}),
    "rounds": (dp.Rounds([(KRandomization(n=50, q="1/3"), 4)]), {}),
    "histogram": (dp.UnaryEncoding(n=5000, q="1/5", categories=4), {}),
    "shuffle": (dp.Shuffle(k_ary_response(3, lam=3), n=20), {}),
}


@pytest.mark.parametrize("name", MECHANISMS)
@pytest.mark.soak
def test_every_mechanism_tells_how_far_its_delta_is(name):
    mechanism, given = MECHANISMS[name]
    seen = []
    found = delta(mechanism, epsilon="1/4", progress=seen.append, **given)
    assert sorted(seen) == seen
    assert 0 <= seen[0] <= seen[-1] == 1
    assert len(seen) > 1 or name == "one composition"
    again = delta(mechanism, epsilon="1/4", **given)
    assert (found.lower, found.upper) == (again.lower, again.upper)


def test_a_delta_too_faint_to_be_held_is_an_answer():
    found = delta(KRandomization(n=10**9, q="1/4"), epsilon="0.9")
    assert (found.lower, found.upper) == (0, FAINT.upper)
    assert found.note == "wider than aimed at: no lower end above 0 is proven"


@pytest.mark.soak
def test_a_ball_too_wide_to_be_held_is_not_taken_for_faint():
    faint = Fraction(1, 10**200_000)
    fleet = dp.Fleet([dp.Group(n=1, q=faint, k=2)], dummies=[dp.Dummies(1)])
    assert dp.delta(fleet, epsilon=800_000).upper > Fraction(1, 3)
    with pytest.raises(dp.NoSolution):  # nobody flips, and 2 log(1/q) is above epsilon: delta is next to 1
        dp.least_n(q=faint, k=2, epsilon=800_000, delta="1/10")
