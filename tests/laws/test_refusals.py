"""Arguments of tails, pmfs, generating functions and lists of coefficients that are not allowed."""

import dpcalc as dp
from dpcalc.laws.pmf import Pmf
from tests.refusals import refusals

test_refusals = refusals(
    """
binomial_at_most(-1, "1/2", 0) | n = -1 ~
binomial_at_most(5, "1.01", 0) | p = '1.01' ~
binomial_at_most(5, "1/2", "1/2") | s = '1/2' ~ a whole number
binomial_at_least(5, "x", 1) | p = 'x' ~
binomial_at_most(10, "1/3", 2, rtol=1) | rtol = 1 ~
binomial_at_least(10, 0, 2, rtol=0) | rtol = 0 ~
Pmf(weights=(1, -1, 2), denominator=2) | weights = (1, -1, 2) ~
Pmf(weights=(), denominator=0) | weights = () ~
Pmf(weights=(1, 2), denominator=4) | denominator = 4 ~
GeneratingFunction([]) | factors = [] ~
GeneratingFunction([("1/2", 0)]) | factors = [('1/2', 0)] ~
GeneratingFunction([("1", 1)]) | factors = '1' ~ pairs (a, c)
GeneratingFunction([(0, 1)]) | factors = 0 ~ pairs (a, c)
GeneratingFunction([("1/2", -1)]) | factors = -1 ~ a whole number >= 0
GeneratingFunction(["1/2"]) | factors = '1/2' ~ pairs (a, c)
GeneratingFunction("12") | factors = '12' ~
GeneratingFunction(3) | factors = 3 ~
GeneratingFunction([("1/2", "x")]) | factors = 'x' ~ a whole number >= 0
GeneratingFunction([(1, 2, 3)]) | factors = (1, 2, 3) ~ pairs (a, c)
COINS.cumulants(0) | count = 0 ~
COINS.cumulants(101) | count = 101 ~
log_concavity([1, -1, 1]) | sequence = -1 ~ non-negative terms only
log_concavity([1, "x", 1]) | sequence = 'x' ~
""",
    Pmf=Pmf,
    COINS=dp.GeneratingFunction([("1/2", 3)]),
)

test_what_does_not_fit = refusals(
    """
list(ratios(KRandomization(n=10**12, q="1/4"))) | a list of all outcomes needs 1,000,000,000,001 outcomes
generating_function(KRandomization(n=10**7, q="1/4"), ones=3).log_concavity() | to compare 10,000,000 coefficients needs
""",
    dp.TooLarge,
)
