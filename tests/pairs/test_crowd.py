from fractions import Fraction
from math import isclose

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dpcalc.numbers.limit import Limit
from dpcalc.pairs.crowd import Crowd
from tests.oracles.histograms import law
from tests.oracles.hockey_stick import excess

FINE = Fraction(1, 10**6)

#: Laws of three outcomes, zeros included.
laws = st.lists(st.integers(0, 5), min_size=3, max_size=3).filter(any).map(
    lambda weights: [Fraction(x, sum(weights)) for x in weights]
)  # fmt: skip


@settings(max_examples=25, deadline=None)
@given(laws, laws, laws, st.integers(1, 4), st.sampled_from([Fraction(1), Fraction(3, 2), Fraction(4)]))
def test_it_is_the_divergence_of_the_enumerated_histograms(a, b, c, n, lam):
    here, there = law([a] + [c] * (n - 1)), law([b] + [c] * (n - 1))
    truth, crowd = excess(here, there, lam), Crowd.of(a, b, c, n)
    assert crowd.listed(Limit(lam)).value == truth
    certified = crowd.integrated(Limit(lam), rtol=Fraction(1, 100))
    assert certified.lower <= truth <= certified.upper
    alone = sum(max(0, x - lam * y) for x, y in zip(a, b, strict=True))
    assert truth <= crowd.bound(Limit(lam)) <= alone
    assert certified.upper <= alone


@settings(max_examples=15, deadline=None)
@given(laws, laws, laws, st.integers(1, 3), st.fractions(0, 1, max_denominator=4))
def test_reports_shown_apart_hide_nobody(a, b, c, n, share):
    """A crowd of weight gamma: each of the others is one of it with this chance, else it is gone."""
    truth = Fraction(0)
    for m in range(n):
        ways = [1, n - 1, (n - 1) * (n - 2) // 2][m]
        chance = ways * share**m * (1 - share) ** (n - 1 - m)
        truth += chance * excess(law([a] + [c] * m), law([b] + [c] * m), Fraction(3, 2))
    crowd = Crowd.of(a, b, [share * x for x in c], n)
    assert crowd.listed(Limit(Fraction(3, 2))).value == truth


def test_outcomes_that_tell_alike_are_one():
    parts = [Fraction(1, 4), Fraction(1, 8), Fraction(3, 8), Fraction(1, 4)]
    other = [Fraction(1, 8), Fraction(1, 16), Fraction(9, 16), Fraction(1, 4)]
    crowd = Crowd.of(parts, other, [Fraction(1, 2), Fraction(1, 4), Fraction(1, 4), 0], 5)
    assert crowd.inside == (
        (Fraction(1, 2), Fraction(1, 4), Fraction(3, 4)),
        (Fraction(3, 2), Fraction(9, 4), Fraction(1, 4)),
    )
    assert crowd.apart == ((Fraction(1, 4), Fraction(1, 4)),)
    assert crowd.histograms == 6
    split = Crowd.of([*parts[:3], *[Fraction(1, 8)] * 2], [*other[:3], *[Fraction(1, 8)] * 2],
                     [Fraction(1, 2), Fraction(1, 4), Fraction(1, 4), 0, 0], 5)  # fmt: skip
    assert split == crowd


def test_a_limit_known_by_its_logarithm_lies_between_its_neighbours():
    half, quarter = Fraction(1, 2), Fraction(1, 4)
    crowd = Crowd.of([half, quarter, quarter, 0], [quarter, half, 0, quarter], [half, half, 0, 0], 15)
    below, above = (crowd.listed(Limit.of(lam=lam)).value for lam in ("1.1051709180756476", "1.1051709180756477"))
    limit = Limit.of(epsilon="0.1")
    assert crowd.listed(limit).lower < crowd.listed(limit).upper
    for found in (crowd.listed(limit), crowd.integrated(limit, rtol=FINE)):
        assert found.lower <= below
        assert above <= found.upper
        assert isclose(found.lower, found.upper, rel_tol=1e-5)


def test_a_report_alone_holds_what_its_limit_allows():
    """n = 1: delta of the one report, which falls in lambda; e^0.1 is just above the number below."""
    half, lam = Fraction(1, 2), Fraction("1.10517091807564762481170782649024666822454719473751871879286328944096")
    crowd = Crowd.of([Fraction(3, 4), Fraction(1, 4)], [Fraction(1, 4), Fraction(3, 4)], [half, half], 1)
    found = crowd.integrated(Limit.of(epsilon="0.1"), rtol=Fraction(1, 10))
    least, most = (Fraction(3, 4) - (lam + off) / 4 for off in (Fraction(1, 10**68), 0))
    assert found.lower < least < most < found.upper


def test_nothing_is_kept_within_where_a_report_never_comes_from_the_other():
    half = Fraction(1, 2)
    assert not Crowd.of([half, half], [1, 0], [half, half], 3).kept_within(Limit.of(epsilon=10**6))
    assert not Crowd.of([half, half], [1, 0], [1, 0], 3).kept_within(Limit.of(epsilon=10**6))
    assert Crowd.of([1, 0], [half, half], [half, half], 3).kept_within(Limit.of(lam=2))
    assert not Crowd.of([1, 0], [half, half], [half, half], 3).kept_within(Limit.of(lam="1.99"))


@pytest.mark.parametrize("rtol", ["1e-2", "1e-5"])
def test_a_large_crowd_is_enclosed_as_narrowly_as_asked(rtol):
    p, q, r = Fraction(1, 2), Fraction(1, 5), Fraction(3, 10)
    found = Crowd.of([p, q, r], [q, p, r], [r, r, Fraction(2, 5)], 10_000).integrated(
        Limit.of(epsilon="0.02"), rtol=Fraction(rtol)
    )
    assert 0 < found.relative_width() <= Fraction(rtol)


def test_many_reports_of_one_kind_are_not_listed():
    """There is one histogram of them, but 10^7 + 1 numbers of reports to be tabulated."""
    half = Fraction(1, 2)
    crowd = Crowd.of([half, half], [Fraction(1, 4), Fraction(3, 4)], [1, 0], 10**7)
    assert crowd.histograms == 1
    assert crowd.listed(Limit.of(lam="3/2")) is None
    assert crowd.integrated(Limit.of(lam="3/2"), rtol=FINE).value == Fraction(1, 8)


@pytest.mark.parametrize("n", [3, 100, 150, 10**12])
def test_all_reports_together_may_exclude_an_input(n):
    """Beside b, which is never seen as 0, a crowd of zeros alone shows a: all n reports are 0."""
    crowd = Crowd.of([Fraction(99, 100), Fraction(1, 100)], [0, Fraction(1)], [Fraction(99, 100), Fraction(1, 100)], n)
    truth = Fraction(99, 100) ** min(n, 10**5)
    if n > 10**5:
        assert crowd.infinite == 0
    else:
        assert 0 <= truth - crowd.infinite <= truth * Fraction(1, 10**30)
