"""What cannot be solved for, and conditions that always or never hold."""

import dpcalc as dp
from tests.refusals import refusals

NAMES = {
    "ASKED": {"lam": 2, "delta": "0.1"}, "BIT": dp.KRandomization(n=3, q="1/4"), "BUDGET": dp.Filter(epsilon=1),
    "HIDDEN": dp.Fleet([dp.Group(n=3, q="1/4")], neighbours="add-remove"),
}  # fmt: skip

test_refusals = refusals(
    """
least_q(n=5, lam=2, delta=0) | delta = 0 ~
least_q(n=5, lam=2, delta=1) | delta = 1 ~
least_q(n=5, delta="0.1") | lam or epsilon is missing
least_q(n=5, **ASKED, k=0) | k = 0 ~
least_q(n=5, **ASKED, rtol="1e-12") | rtol = '1e-12' ~
least_q(n=9, **ASKED, rounds=0) | rounds = 0 ~
least_q(n=9, **ASKED, rounds=10**9) | rounds = 1000000000 ~
least_q(n=9, **ASKED, categories=1) | categories = 1 ~
least_q(n=9, **ASKED, categories=4, ones=5) | ones = 5 ~
least_q(n=9, **ASKED, ones=3) | ones = 3 ~ only 1 without categories
least_q(n=9, **ASKED, neighbours="delete") | neighbours = 'delete' ~ only replace without categories
least_q(HIDDEN, **ASKED) | mechanism = Fleet(
least_q(BIT, **ASKED, k=2) | k = 2 is not allowed: leave it out: the mechanism says it
least_n(AsymmetricBits(n=3, chances=("1/2", "1/9")), **ASKED) | mechanism = AsymmetricBits(
most_k(9, **ASKED) | q is missing
least_n(q="1/4", lam=2, delta=0) | delta = 0 ~
least_n(q="1/4", delta="0.1") | lam or epsilon is missing
least_n(q="1/4", **ASKED, k=0) | k = 0 ~
least_n(q="1/4", **ASKED, rtol="1e-12") | rtol = '1e-12' ~
least_n(q="1/4", **ASKED, categories=4, neighbours="add") | neighbours = 'add' ~
least_n(q="1/2", **ASKED, rounds=2) | q = '1/2' ~
most_rounds(BIT, lam=2, delta=1) | delta = 1 ~
most_rounds(3, **ASKED) | mechanism = 3 ~
certificate(most_k, 3, q="1/3", lam=2, delta="1/5", rounds=2) | rounds = 2 is not allowed: leave it out
most_a(n=9, ratio=1, **ASKED) | ratio = 1 ~
most_a(n=9, ratio=3, **ASKED, arm="left") | arm = 'left' ~ one of ones, zeros
least_b(n=9, a=1, **ASKED) | a = 1 ~
least_bound(**ASKED, sensitivity=2) | ratio is missing: give a ratio, or epsilon > 0 in place of lam
least_bound(epsilon=0, delta="0.1") | ratio is missing: give a ratio, or epsilon > 0 in place of lam
least_trials(**ASKED, rtol="abc") | rtol = 'abc' ~
least_bound(epsilon=1, delta="0.1", rtol=5) | rtol = 5 ~
least_scale(**ASKED, shape=0) | shape = 0 ~
least_scale(**ASKED, shape="abc") | shape = 'abc' ~
least_users(5, **ASKED) | fleet = 5 ~ a Fleet
plan(n=10, lam=2, ks=()) | ks = () ~
plan(n=10, lam=2, ks=(0,)) | k = 0 ~
plan(n=10, lam=2, ks=(1,), sigmas=0) | sigmas = 0 ~
plan(n=10, lam=2, ks=(1,), budget=0) | budget = 0 ~
plan(n=10, lam=2, ks=(1,), delta=0) | delta = 0 ~
plan(n=10, ks=[1], epsilon="1e-51") | epsilon = '1e-51' ~ a number >= 1e-50
plan(n=10, ks=[1], lam="1." + 60 * "0" + "1") | lam = '1.00
plan(n=100, lam=2, ks=1, bounds="private") | delta is missing: give a delta, with the bound private
Filter(epsilon=0) | epsilon = 0 ~
Filter(epsilon=1, delta=1) | delta = 1 ~
Filter(epsilon=1, delta="1e-6", set_aside="1e-6") | set_aside = '1e-6' ~ a part of delta
Filter(epsilon=1, set_aside="1e-12") | set_aside = '1e-12' ~ a part of delta
Filter(epsilon=1, neighbours="add") | neighbours = 'add' ~ one of replace, delete, add-remove
BUDGET.allows(3) | mechanism = 3 ~ a mechanism, such as
BUDGET.allows(Thresholded(3, sampled="1/2")) | mechanism = Thresholded(threshold=3, sampled='1/2') ~ one whose
Filter(epsilon=1, neighbours="delete").allows(BIT) | mechanism = KRandomization(n=3, q='1/4') ~ one whose neighbours are
Filter(epsilon=1, delta="1e-6").allows(Sampled(HIDDEN, "1/2")) | mechanism = Sampled(
BUDGET.after(BIT, times=0) | times = 0 ~
""",
    **NAMES,
)

test_what_always_or_never_holds = refusals(
    """
most_k(n=10, q="1/10", lam=2, delta="1e-6") | delta is above 1e-6 with 1 to 8 reports per record; more were not tried
most_k(n=10, q="1/10", lam=2, delta="1e-6", rounds=2) | delta is above 1e-6 with one report per record; more were not
most_k(n=10**10, q="0.1", lam=2, delta="1e-6") | delta is at most 1e-6 even at k = 100,000, the last value searched
most_k(n=10**6, q="0.1", epsilon=1, delta="0.99999") | delta is at most 0.99999 even at k = 1,000,000, the last
most_k(n=10**15, q="0.49", lam=2, delta="0.9") | delta is at most 0.9 even at k = 1, the last value searched
least_q(n=10**12, epsilon="1e-20", delta="1e-300") | delta is above 1e-300 even at q = 0.499999999999, the last
least_q(n=1, lam=2, delta="0." + 310 * "9") | delta is at most 0.999999999999... even at q = 1e-300, the last value
least_n(q="1e-100", lam=2, delta="1e-6") | delta is above 1e-6 even at n = 1,000,000,000,000,000, the last value
least_n(q="0.1", epsilon=0, delta="1e-9") | delta is above 1e-9 even at n = 1,000,000,000,000,000, the last value
least_n(q="1e-9", lam="1.0001", delta="1e-9", k=2) | delta is above 1e-9 even at n = 500,000,000,000,000, the last
least_n(q="0.1", epsilon=1, delta="1e-9", k=10**9) | delta is above 1e-9 even at n = 1,000,000, the last value searched
least_b(n=1, a="1/2", epsilon=1, delta="9/10") | delta is at most 0.9 even at 1e-300, the last value searched
least_trials(epsilon="1e-9", delta="1e-9") | delta is above 1e-9 even at 1,000,000,000,000,000, the last value searched
least_mean(epsilon="1e-9", delta="1e-9") | delta is above 1e-9 even at 1,000,000,000,000,000, the last value searched
least_mean(epsilon="600", delta="0.9999999999999999") | delta is at most 0.999999999999... even at 1e-15, the last value
least_bound(epsilon="1", ratio="1/2", sensitivity=10, delta="1e-20") | delta is above 1e-20 even at 1,000,000
least_scale(epsilon=1, delta="1e-6", shape="1/10") | delta is above 1e-6 even at scale = 5,000
least_scale(epsilon=1, delta="1e-6", shape="1/4", sensitivity=10**15) | delta is above 1e-6 even at scale = 5,000
least_threshold(epsilon=1, delta="1e-6") | delta is above 1e-6 even at threshold = 1,000,000,000,000,000, the last value
least_threshold(noise=Binomial(20, "1/2"), epsilon=1, delta="1e-6") | delta is above 1e-6 even at threshold = 1,000,000
""",
    dp.NoSolution,
    **NAMES,
)
