"""A budget over time: against every strategy in fractions, mpmath, and its own words."""

import json
import random
from fractions import Fraction

import mpmath
import pytest

import dpcalc as dp
from tests.oracles import filters as oracle

COIN = dp.Binomial(6, "1/2")
COINS = {x: Fraction(mass, 64) for x, mass in enumerate((1, 6, 15, 20, 15, 6, 1))}


def used(budget, mechanism, **more):
    while budget.allows(mechanism, **more):
        budget = budget.after(mechanism, **more)
    return budget


def exact(x):
    with mpmath.workdps(40):
        return mpmath.mpf(x.numerator) / x.denominator


@pytest.mark.parametrize(("epsilon", "delta"), [("1", "1e-6"), ("1/10", "1e-3"), ("8", "1e-12")])
def test_the_budget_is_the_most_that_keeps_delta(epsilon, delta):
    budget = dp.Filter(epsilon=epsilon, delta=delta)
    with mpmath.workdps(40):
        at, eps = exact(Fraction(delta)), exact(Fraction(epsilon))
        assert oracle.gaussian(mpmath.sqrt(exact(budget.budget)), eps) <= at
        assert oracle.gaussian(mpmath.sqrt(exact(budget.budget) * (1 + mpmath.mpf(10) ** -9)), eps) > at


def test_no_strategy_passes_the_budget():
    """Three bits of different noise, and noise that ends, in any order, by what was seen."""
    chosen = random.Random(1)
    for _ in range(12):
        epsilon, delta = Fraction(chosen.randint(5, 40), 10), Fraction(chosen.randint(1, 30), 100)
        budget = dp.Filter(epsilon=epsilon, delta=delta, set_aside=delta / 4)
        options = []
        for q in (Fraction(chosen.randint(20, 48), 100) for _ in range(2)):
            one = dp.KRandomization(n=1, q=q)
            options.append((oracle.flipped_bit(q), budget.cost(one), Fraction(0)))
        charge = max(delta / 8, Fraction(1, 64))
        if charge <= budget.set_aside:
            options.append((oracle.truncated(COINS, 1), budget.cost(dp.NoisyCount(COIN), charged=charge), charge))
        lam = Fraction(str(round(float(mpmath.exp(exact(epsilon))), 12))) + Fraction(1, 10**11)
        assert oracle.strategy(options, budget.budget, budget.set_aside, lam, 3) <= delta


@pytest.mark.soak
def test_costs_add_up_and_never_pass_the_budget():
    """2,000 random steps."""
    chosen = random.Random(2)
    kinds = [dp.KRandomization(n=n, q=q) for n, q in ((100, "1/4"), (500, "1/3"), (40, "2/5"))]
    budget = fresh = dp.Filter(epsilon=3, delta="1e-5")
    spent, steps = Fraction(0), 0
    for _ in range(2000):
        one, times = chosen.choice(kinds), chosen.randint(1, 3)
        allowed = spent + times * budget.cost(one) <= budget.budget
        assert budget.allows(one, times=times) is allowed
        if allowed:
            budget, spent, steps = budget.after(one, times=times), spent + times * budget.cost(one), steps + 1
        else:
            with pytest.raises(dp.NoSolution, match="does not allow it"):
                budget.after(one, times=times)
            if chosen.random() < 0.05:
                budget, spent, steps = fresh, Fraction(0), 0
        assert budget.spent == spent
        assert budget.left == budget.budget - spent >= 0
        assert len(budget.runs) == steps


def test_what_it_says():
    daily = dp.KRandomization(n=1000, q="1/4")
    budget = used(dp.Filter(epsilon=1, delta="1e-6"), daily)
    assert len(budget.runs) == sum(run.times for run in budget.runs)
    assert budget.left < budget.cost(daily)
    assert budget.by_sum == 0  # one costs ln 3 alone
    assert Fraction(9, 10) < budget.epsilon_spent <= 1
    assert oracle.gaussian(mpmath.sqrt(exact(budget.spent)), exact(budget.epsilon_spent)) <= exact(budget.delta)


def test_a_sum_of_epsilons():
    answer = dp.KRandomization(n=10, q="1/4")
    budget = used(dp.Filter(epsilon=4), answer)
    assert (len(budget.runs), budget.by_sum) == (3, 3)  # 3 ln 3 = 3.2958...
    assert mpmath.mpf(3.2958) < exact(budget.epsilon_spent) < mpmath.mpf(3.2959)
    wider = dp.Filter(epsilon=4, delta="1e-6").after(answer, times=2).after(dp.KRandomization(n=5, q="2/5"), times=5)
    assert wider.by_sum == 2 + 4  # 4 - 2 ln 3 = 1.8027..., of which ln 1.5 fits in four times


def test_a_histogram_costs_two_bits_and_rounds_all_of_theirs():
    budget, bit = dp.Filter(epsilon=1, delta="1e-6"), dp.KRandomization(n=1000, q="1/4")
    one, both = budget.cost(bit), dp.UnaryEncoding(n=1000, categories=4, q="1/4")
    assert budget.cost(both) == 2 * one
    assert budget.cost(dp.Rounds([(bit, 3), both])) == 5 * one


def test_its_state_is_text():
    budget = dp.Filter(epsilon="1/3", delta="1e-6", set_aside="1e-7", neighbours="delete")
    noisy = dp.NoisyCount(dp.Binomial(5000, "1/2"))
    budget = budget.after(noisy, times=2, charged="1e-9")
    text = budget.to_json()
    assert dp.Filter.from_json(text) == budget
    assert dp.Filter.from_json(text).left == budget.left
    state = json.loads(text)
    state["runs"][0]["cost"] = "1"
    for wrong in ("", "[]", "{}", "nonsense", json.dumps(state), json.dumps({"epsilon": "1", "runs": [{}]})):
        with pytest.raises(dp.DomainError):
            dp.Filter.from_json(wrong)


def test_what_shows_an_infinite_loss_is_charged_or_refused():
    noisy = dp.NoisyCount(dp.Binomial(5000, "1/2"))
    with pytest.raises(dp.NoSolution, match="set a part of delta aside"):
        dp.Filter(epsilon=1, delta="1e-6").allows(noisy)
    budget = dp.Filter(epsilon=1, delta="1e-6", set_aside="1e-7")
    with pytest.raises(dp.DomainError, match="set aside"):
        budget.allows(noisy, charged="2e-7")
    assert not budget.allows(noisy, times=11, charged="1e-8")
    spent = budget.after(noisy, times=10, charged="1e-8")
    assert spent.charged == spent.set_aside
    assert not spent.allows(noisy, charged="1e-8")


def test_what_is_left_beside_a_charge_is_the_least_mu():
    """One flipped bit has delta = p - lambda q; an eighth of it may be told."""
    told, mu = mpmath.mpf(1) / 8, dp.tradeoff(dp.KRandomization(n=1, q="1/4")).gaussian_mu(beside="1/8")

    def enough(mu):
        limits = [mpmath.mpf(i) / 200 for i in range(1, 250)]
        deltas = [max(mpmath.mpf(3) / 4 - mpmath.exp(x) / 4, 0) for x in limits]
        return all(d <= told + (1 - told) * oracle.gaussian(mu, x) for d, x in zip(deltas, limits, strict=True))

    assert enough(exact(mu.upper))
    assert not enough(exact(mu.lower) * mpmath.mpf("0.99"))
