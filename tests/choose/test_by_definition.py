"""Every solver: where its answer holds and where it fails, by definitions that share no code with it."""

from fractions import Fraction
from functools import partial

import pytest

import dpcalc as dp
from tests import registry
from tests.oracles import asymmetric, noise, rounds, summed

LAM, SMALL, FIFTH = Fraction(3, 2), Fraction(1, 100), Fraction(1, 5)
QUARTER, THIRD, HALF = Fraction(1, 4), Fraction(1, 3), Fraction(1, 2)
COIN = {0: QUARTER, 1: HALF, 2: QUARTER}
MIXED, REPEATED = [(1, "1/4", 1), (2, "1/5", 1)], [(2, "1/3", 2), (1, "1/5", 1)]


def worst(made, lam):
    """Over all pairs of neighbouring datasets of what the registry makes."""
    return summed.delta(made[1]().values(), lam)


def histogram(n, q, k, lam, categories=3, **more):
    return worst(registry.histogram(n, categories, q, k, **more), lam)


def strategies(n, q, lam, k=1):
    """Of two rounds."""
    return rounds.adaptive([[(int(n), q, int(k))]] * 2, lam)


def two_chances(n, a, b, lam, k=1, categories=None):
    if categories:
        return worst(registry.asymmetric_histogram(n, categories, a, b, k), lam)
    return worst(registry.asymmetric(n, a, b, k), lam)


def alike(q, lam):
    """Of four records, the three others with equal bits."""
    listed = registry.bits(4, q)[1]()
    return summed.delta([one for key, one in listed.items() if len(set(key.others[0])) == 1], lam)


def shared(groups, users, lam):
    """Of a fleet of so many users, each group's share of them rounded up."""
    whole = sum(n for n, *_ in groups)
    return worst(registry.fleet([(-(-int(users) * n // whole), 1 - Fraction(q), q, k) for n, q, k in groups]), lam)


def users(groups, **asked):
    return dp.least_users(dp.Fleet([dp.Group(n=n, q=q, k=k) for n, q, k in groups]), **asked)


#: What is asked, the worst delta at a parameter and lambda, lambda and the target.
SOLVED = {
    "least_q of rounds": (partial(dp.least_q, 1, rounds=3), lambda q, x: rounds.fixed_alike((1, q, 1), 3, x), 2, FIFTH),
    "least_q of strategies": (partial(dp.least_q, 2, rounds=2), lambda q, x: strategies(2, q, x), 2, "1/20"),
    "least_q of repeats": (partial(dp.least_q, 2, k=2, rounds=2), lambda q, x: strategies(2, q, x, 2), 2, "1/10"),
    "least_q of a histogram": (partial(dp.least_q, 3, categories=3), lambda q, x: histogram(3, q, 1, x), 2, "1/20"),
    "least_n of rounds": (partial(dp.least_n, "1/4", rounds=2), lambda n, x: strategies(n, QUARTER, x), 2, QUARTER),
    "most_k of rounds": (partial(dp.most_k, 3, q="1/3", rounds=2), lambda k, x: strategies(3, THIRD, x, k), 2, FIFTH),
    "least_b": (partial(dp.least_b, 5, a="1/2"), lambda b, x: two_chances(5, HALF, b, x), LAM, "1/10"),
    "least_b of repeats": (
        partial(dp.least_b, 3, a="1/2", k=2), lambda b, x: two_chances(3, HALF, b, x, 2), LAM, "1/10"
    ),
    "least_b of a histogram": (
        partial(dp.least_b, 3, a="1/2", categories=3), lambda b, x: two_chances(3, HALF, b, x, 1, 3), LAM, "1/10"
    ),
    "least_b, a large epsilon": (
        partial(dp.least_b, 3, a="1/2"), lambda b, x: two_chances(3, HALF, b, x), 10**30, "1/10"
    ),
    "least_b of rounds": (
        partial(dp.least_b, 3, a="1/2", rounds=2), lambda b, x: asymmetric.several(3, (HALF, b, 1), 2, x), LAM, FIFTH
    ),
    "most_a of rounds": (
        partial(dp.most_a, 3, ratio=9, rounds=2), lambda a, x: asymmetric.several(3, (a, a / 9, 1), 2, x), LAM, FIFTH
    ),
}  # fmt: skip
SOLVED |= {
    f"least_q, lambda = 10^{power}, {name}": (partial(dp.least_q, n, **more), told, 10**power, SMALL)
    for power in (19, 108)
    for name, n, more, told in (
        ("one record", 1, {}, lambda q, x: worst(registry.bits(1, q), x)),
        ("four", 4, {}, lambda q, x: worst(registry.bits(4, q), x)),
        ("alike", 4, {"dataset": "identical"}, alike),
        ("two reports", 2, {"k": 2}, lambda q, x: worst(registry.bits(2, q, 2), x)),
        ("a histogram", 2, {"categories": 2}, lambda q, x: histogram(2, q, 1, x, 2)),
        ("rounds", 2, {"rounds": 2}, lambda q, x: rounds.fixed([(2, q, 1)] * 2, x)),
    )
}
SOLVED |= {
    f"most_a, {arm}, {d} categories": (
        partial(dp.most_a, 3, ratio=9, arm=arm, categories=d),
        lambda x, lam, d=d, arm=arm: two_chances(3, *((x, x / 9) if arm == "ones" else (1 - x / 9, 1 - x)), lam, 1, d),
        LAM, FIFTH,
    )
    for arm in ("ones", "zeros") for d in (None, 3)
}  # fmt: skip
SOLVED |= {
    f"most_k of a histogram, {neighbours}, {target}": (
        partial(dp.most_k, 2, categories=2, q="2/5", neighbours=neighbours),
        lambda k, x, how=neighbours: histogram(2, Fraction(2, 5), int(k), x, 2, neighbours=how), 2, target,
    )
    for neighbours, target in (("replace", "1/5"), ("delete", "1/10"))
}  # fmt: skip
SOLVED |= {
    f"{ask.__name__} of up to two categories, {how}": (
        partial(ask, n, **more, categories=3, at_most=2, neighbours=how),
        lambda x, lam, how=how, of=of: histogram(*of(x), lam, at_most=2, neighbours=how), 2, target,
    )
    for ask, n, more, of, targets in (
        (dp.least_q, 2, {}, lambda q: (2, q, 1), ("1/5", "1/5")),
        (dp.least_n, "3/8", {}, lambda n: (int(n), Fraction(3, 8), 1), ("1/8", "1/10")),
        (dp.most_k, 1, {"q": "3/8"}, lambda k: (1, Fraction(3, 8), int(k)), ("1/4", "1/5")),
    )
    for how, target in zip(("replace", "delete"), targets, strict=True)
}  # fmt: skip
SOLVED |= {
    f"most_rounds, {target}": (
        partial(dp.most_rounds, dp.KRandomization(n=2, q="1/4")),
        lambda times, x: rounds.fixed_alike((2, QUARTER, 1), int(times), x), 2, target,
    )
    for target in ("1/5", "1/2")
}  # fmt: skip
SOLVED |= {
    f"least_trials, {p}": (
        partial(dp.least_trials, probability=p, sensitivity=c),
        lambda n, x, p=p, c=c: noise.delta(noise.binomial(int(n), Fraction(p)), c, x), lam, target,
    )
    for p, c, lam, target in (("1/2", 1, 2, "1/50"), ("1/4", 2, 3, "1/100"))
}  # fmt: skip
SOLVED |= {
    f"least_bound, {ratio}, {c}": (
        partial(dp.least_bound, ratio=ratio, sensitivity=c),
        lambda bound, x, r=ratio, c=c: noise.delta(noise.geometric(Fraction(r), int(bound)), c, x), lam, target,
    )
    for ratio, c, lam, target in (("1/2", 1, 2, "1/50"), ("1/2", 3, 9, "1/100"), ("2/3", 1, "5/4", "1/9"))
}  # fmt: skip
SOLVED |= {
    f"least_threshold, {p}": (
        partial(dp.least_threshold, sampled=p),
        lambda at, x, p=p: worst(registry.thresholded(int(at), p, most=5 * int(at) + 12), x), lam, target,
    )
    for p, lam, target in (("1/2", 2, "1/50"), ("1/4", "3/2", "1/20"), ("3/4", 5, "1/10"))
}  # fmt: skip
SOLVED |= {
    "least_threshold of noise": (
        partial(dp.least_threshold, noise=dp.Binomial(2, "1/2")),
        lambda at, x: worst(registry.thresholded(int(at), 1, dp.Binomial(2, "1/2"), COIN, most=6), x), 3, THIRD,
    ),
    "least_threshold, records replaced": (
        partial(dp.least_threshold, sampled="1/2", neighbours="replace"),
        lambda at, x: worst(registry.thresholded(int(at), HALF, neighbours="replace"), x), 3, "1/10",
    ),
}  # fmt: skip
SOLVED |= {
    f"least_users, {len(groups)}, {target}": (partial(users, groups), partial(shared, groups), 2, target)
    for groups, target in ((MIXED, FIFTH), (MIXED, "3/20"), (REPEATED, "1/6"))
}


@pytest.mark.parametrize("name", SOLVED)
def test_the_target_fails_at_one_end_and_holds_at_the_other(name):
    ask, worst, lam, target = SOLVED[name]
    lam, target = Fraction(lam), Fraction(target)
    found = ask(lam=lam, delta=target)
    fails, holds = (found.lower, found.upper) if found.holds_above else (found.upper, found.lower)
    assert found.value == holds
    assert worst(holds, lam) <= target < worst(fails, lam)
    assert found.upper - found.lower == 1 or found.upper <= found.lower * Fraction(1002, 1000)
