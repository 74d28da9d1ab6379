"""Limits, targets, widths, outcomes and mechanisms of which privacy is not asked."""

import dpcalc as dp
from tests.refusals import refusals

NAMES = {
    "BIT": dp.KRandomization(n=5, q="1/4", k=2), "BITS": dp.KRandomization(n=3, q="0.2", bits=2),
    "NOISE": dp.NoisyCount(dp.Binomial(9, "1/2")), "MATRIX": dp.FiniteMechanism([["1/2", "1/2"], ["1/4", "3/4"]]),
    "HISTOGRAM": dp.UnaryEncoding(n=10, categories=4, q="1/4"),
}  # fmt: skip

test_refusals = refusals(
    """
delta(BIT) | lam or epsilon is missing
delta(BIT, lam=2, epsilon=1) | lam, epsilon = (2, 1) ~ exactly one
delta(BIT, lam="0.9") | lam = '0.9' ~ a ratio limit >= 1
delta(BIT, epsilon=-1) | epsilon = -1 ~
delta(BIT, lam=2, ones=5) | ones = 5 ~
delta(BIT, lam=2, rtol=1) | rtol = 1 ~
delta(BIT, lam="1.01", rtol="1e-101") | rtol = '1e-101' ~ a relative width with 1e-100 <= rtol < 1
delta(BIT, lam="1.01", ones=0, rtol="1e-1001") | rtol = '1e-1001' ~ a relative width with 1e-1000 <= rtol < 1
delta(BITS, lam=2) | bits = 2 ~ bits = 1
delta(3, lam=2) | mechanism = 3 ~ a KRandomization, UnaryEncoding, AsymmetricBits, Rounds, Fleet, NoisyCount
delta(MATRIX, lam=2) | mechanism = FiniteMechanism(
delta(NOISE, lam=2, ones=1) | ones = 1 is not allowed: leave it out: one number does not describe
delta(HISTOGRAM, lam=2, ones=3) | ones = 3 is not allowed: leave it out: each count of a histogram has its own ones
delta(Rounds([HISTOGRAM, BIT]), lam=2, ones=3) | ones = 3 is not allowed: leave it out: each count of a histogram
delta(Rounds([(NOISE, 2)]), lam=2, ones=0) | ones = 0 is not allowed: leave it out: ones applies to
delta(Rounds([(Fleet([Group(n=5, q="1/4"), Group(n=5, q="1/5")]), 2)]), lam=2, ones=1) | ones = 1 is not allowed
epsilon(BIT, delta=-1) | delta = -1 ~
epsilon(BIT, delta=1) | delta = 1 ~
epsilon(BIT, delta="0.01", rtol=0) | rtol = 0 ~
epsilon(BIT, delta="0.01", rtol="1e-10") | rtol = '1e-10' ~
epsilon(MATRIX, delta="0.1") | mechanism = FiniteMechanism(
Rounds([]) | rounds = [] ~
Rounds(7) | rounds = 7 ~
Rounds([7]) | rounds = 7 ~ single-bit mechanisms
Rounds([(BIT, 0)]) | times = 0 ~
Rounds([(BIT, 3)], at_most=0) | at_most = 0 ~
Rounds([(BIT, 3), KRandomization(n=5, q="1/3")], at_most=2) | at_most = 2 is not allowed: leave it out
delta(Rounds([(BIT, 2)]), lam=2, ones=5) | ones = 5 ~
Rounds([(BIT, 600_000), (BIT, 600_000)]) | rounds = '1,200,000 in all' ~ at most 1,000,000 rounds
Rounds([BITS]) | bits = 2 ~
Rounds(KRandomization(n=10 + i, q="1/4") for i in range(10**9)) | rounds = 'more than 100 values' ~ from 1 to 100
Rounds([Fleet([Group(n=5, q="1/4")], neighbours="add-remove")]) | rounds = Fleet(
tradeoff(5) | mechanism = 5 ~ a KRandomization
tradeoff(MATRIX) | mechanism = FiniteMechanism(
tradeoff(BITS) | bits = 2 ~
tradeoff(BIT, rtol=1) | rtol = 1 ~
tradeoff(BIT).false_negative(0) | false_positive = 0 ~
tradeoff(BIT).gaussian_mu(1) | false_positive = 1 ~
tradeoff(BIT).posterior(1, "1/2") | prior = 1 ~
tradeoff(BIT, ones=5).false_negative("1/2") | ones = 5 ~
tradeoff(BIT).plot("x.txt") | plot = 'x.txt' ~
profile(BIT, [1], ones=5) | ones = 5 ~
profile(BIT, [1], ones=3, rtol=0) | rtol = 0 ~
profile(BIT, [1, -1], ones=3) | epsilon = -1 ~
profile(BITS, [1], ones=3) | bits = 2 ~
ratio(BIT, 11) | s = 11 ~
ratio(BIT, 0, ones=5) | ones = 5 ~
ratio(BITS, 2) | s = 2 ~ 3 counts (s_0, ..., s_2) that sum to 3
ratio(BITS, (1, 2)) | s = (1, 2) ~ 3 counts (s_0, ..., s_2) that sum to 3
ratio(BITS, (1, 1, 2)) | s = (1, 1, 2) ~ 3 counts (s_0, ..., s_2) that sum to 3
ratio(BITS, (1, 3, -1)) | s = -1 ~ a whole number >= 0
ratio(BITS, (1, 1, 1), ones=1) | bits = 2 ~ bits = 1: ratio with ones is defined for the count of single bits
ratio_bound(BIT, "1/2") | s = '1/2' ~
ratio_bound(BITS, 0) | s = 0 ~ 3 counts (s_0, ..., s_2)
exceedance(BIT, epsilon=10**7) | epsilon = 10000000 ~
exceedance(BITS, lam=2) | bits = 2 ~
ratios(BIT, ones=5) | ones = 5 ~
ratios(5) | mechanism = 5 ~
ratios(BIT)[11] | place = 11 ~
ratios(BIT)[-12] | place = -12 ~
ratios(BIT).window(0) | sigmas = 0 ~
ratios(BIT)[4:4].maximum | outcomes = range(4, 4) ~
ratios(BITS) | bits = 2 ~
privacy_loss(KRandomization(n=1000, q="1/10"), interval=1e-9) | interval = 1e-09 ~ at least
""",
    **NAMES,
)

test_what_does_not_fit = refusals(
    """
ratio(KRandomization(n=5, q="1/4", k=5001), 0) | the exact ratio of an outcome needs
ratio_bound(KRandomization(n=5, q="1/4", k=5001), 0) | the exact ratio of an outcome needs
exceedance(KRandomization(n=5, q="1/4", k=5001), lam=2) | the exact ratio of an outcome needs
ratio(KRandomization(n=10, q="0.2", k=3_000, bits=2), (0, 0, 30_000)) | the exact ratio of an outcome needs 6,000 terms
""",
    dp.TooLarge,
)
