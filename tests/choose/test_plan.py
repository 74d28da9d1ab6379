from fractions import Fraction

import mpmath
import pytest

import dpcalc as dp
from dpcalc.choose.plan import BOUNDS
from dpcalc.errors import DomainError


@pytest.fixture(scope="module")
def notes():
    """The notes' example: n = 1000, lambda = 2."""
    return dp.plan(n=1000, lam=2, delta="1e-6", ks=(1, 10))


def test_the_notes_example(notes):
    # Issue's numbers: sigma = 3 and sigma^2 = 2000 exactly, q to the digits given there
    closed, classical = (notes.rows[0].choices[name] for name in ("closed", "classical"))
    assert closed.sigma.value == 3
    assert classical.q.value == Fraction(1, 3)
    assert classical.sigma.lower**2 < 2000 < classical.sigma.upper**2
    assert format(closed.q, "14") == "0.0087640675675879..."
    assert format(closed.outside.ratio, "8") == "0.0039235976..."
    assert format(closed.outside.reciprocal, "9") == "0.0626623581..."


def test_repeating_loses_precision_at_the_notes_bound_and_gains_under_privacy(notes):
    once, often = notes.rows
    assert format(often.choices["closed"].q, "8") == "0.11638604..."
    assert format(often.choices["closed"].sigma, "8") == "4.1798178..."
    assert once.choices["closed"].sigma < often.choices["closed"].sigma
    assert once.choices["private"].sigma > often.choices["private"].sigma > notes.gaussian
    assert notes.best == 10


def test_private_choices_meet_the_target_and_the_notes_do_not(notes):
    for row in notes.rows:
        assert row.choices["private"].delta <= Fraction(1, 10**6)
        for name in ("closed", "real", "lattice", "two-sided"):
            assert row.choices[name].delta > Fraction(1, 10**6)


def test_classical_choices_leak_nothing_beyond_lambda(notes):
    for row in notes.rows:
        assert row.choices["classical"].delta.value == 0
        assert row.choices["classical"].outside.ratio.value == 0


def test_every_bound_stands_in_the_table(notes):
    text = notes.table()
    assert all(name in text for name in BOUNDS)
    assert "99.98 %" in text
    assert "0.9960" in text
    assert "0.9373" in text


def test_the_best_k_stays_within_the_budget():
    assert dp.plan(n=50, lam=2, delta="1e-2", ks=(1, 2, 3), budget=100).best == 2
    assert dp.plan(n=50, lam=2, delta="1e-2", ks=(3,), budget=100).best is None


def test_progress_reaches_the_end():
    seen = []
    dp.plan(n=20, lam=2, ks=(1, 2), progress=seen.append)
    assert seen == [0.5, 1.0]


def test_a_bound_without_an_answer_says_why():
    row = dp.plan(n=10, lam=100, ks=(2,)).rows[0]
    assert set(row.missing) == {"real", "lattice"}
    assert "holds for every q" in row.missing["real"]


@pytest.mark.parametrize("arguments", [{"ks": ()}, {"ks": (0,)}, {"sigmas": 0}, {"budget": 0}, {"delta": 0}])
def test_bad_arguments_are_refused(arguments):
    with pytest.raises(DomainError):
        dp.plan(**{"n": 10, "lam": 2, "ks": (1,), **arguments})


@pytest.mark.parametrize(
    ("lam", "delta"), [(2, "1e-6"), ("1.01", "1e-12"), (50, "0.3"), (2, "0.9"), (2, "1e-300"), ("1e9", "0.999999")]
)
def test_gaussian_sigma_solves_the_profile(lam, delta):
    sigma = dp.gaussian_sigma(lam=lam, delta=delta)
    assert sigma.relative_width() <= Fraction(1, 10**12)
    with mpmath.workdps(60):
        eps = mpmath.log(mpmath.mpf(lam))

        def gap(end):
            s = mpmath.mpf(end.numerator) / end.denominator
            phi = [mpmath.erfc(-x / mpmath.sqrt(2)) / 2 for x in (1 / (2 * s) - eps * s, -1 / (2 * s) - eps * s)]
            return phi[0] - mpmath.mpf(lam) * phi[1] - mpmath.mpf(delta)

        assert gap(sigma.lower) > 0 >= gap(sigma.upper)


def test_a_k_too_large_costs_its_own_row_only():
    found = dp.plan(n=10, lam=2, ks=(1, 6000))
    once, often = found.rows
    assert set(once.choices) == set(BOUNDS) - {"private"}
    assert often.choices == {}
    assert set(often.missing) == set(once.choices)
    remarks = found.table().splitlines()[-2:]
    assert remarks[0].startswith("k = 6000, classical, closed: the exact ratio of an outcome needs 6,000 terms")
    assert remarks[1].startswith("k = 6000, real, lattice, two-sided: the exact ratio needs 6,000 terms")
    assert found.to_dict()["rows"][1]["missing"] == often.missing


@pytest.mark.parametrize("limit", [{"epsilon": "1e-49"}, {"lam": 1 + Fraction(1, 10**44)}])
def test_a_limit_next_to_1_has_a_plan(limit):
    (row,) = dp.plan(n=10, ks=[1], **limit).rows
    assert list(row.choices) == list(BOUNDS[:-1])
    assert all(choice.q.value < Fraction(1, 2) for choice in row.choices.values())


@pytest.mark.parametrize("limit", [{"epsilon": 0}, {"epsilon": "1e-51"}, {"lam": 1 + Fraction(1, 10**60)}])
def test_a_limit_nearer_to_1_is_refused_by_its_own_name(limit):
    with pytest.raises(DomainError, match=f"^{next(iter(limit))} = .* 1e-50 or more"):
        dp.plan(n=10, ks=[1], **limit)
