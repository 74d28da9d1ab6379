"""Bounds that are not defined, or not searched, where they are asked for."""

import dpcalc as dp
from tests.refusals import refusals

test_refusals = refusals(
    """
local_q(n=0, lam=2) | n = 0 ~
local_q(n=5, lam=1) | lam = 1 ~
local_q(n=5, lam=2, bits=0) | bits = 0 ~
local_q(n=5, lam=2, sigmas=0) | sigmas = 0 ~
local_q(n=5, lam=2, sides=3) | sides = 3 ~
local_q(n=5, lam=2, method="guess") | method = 'guess' ~
local_q(n=5, lam=2, method="real", rtol=0) | rtol = 0 ~
local_q(n=5, lam=2, method="product") | method = 'product' ~
local_q(n=5, lam=2, bits=2, method="lattice") | method = 'lattice' ~ "closed", "variance" or "box" for bits > 1
local_q(n=5, lam=2, bits=2, method="real") | method = 'real' ~ "closed", "variance" or "box" for bits > 1
local_q(n=5, lam=2, bits=2, method="box", k=2) | method = 'box' ~ "box" for bits > 1 and k = 1
local_q(n=5, lam=2, method="box") | method = 'box' ~ "box" for bits > 1 and k = 1
local_q(n=5, lam=2, k=10, sides=2) | method = 'closed' ~ "real", "lattice" or "variance" for sides = 2 and k > 1, or
local_q(n=5, lam=2, k=10, sides=2, bits=2) | method = 'closed' ~ "variance" for sides = 2 and k > 1
local_q(n=5, lam=2, dataset="every", method="real") | method = 'real' ~
local_q(n=5, lam=2, dataset="every", method="variance") | method = 'variance' ~
local_q(n=5, lam=2, dataset="every", bits=2) | dataset = 'every' ~
local_q(n=5, lam=2, dataset="any") | dataset = 'any' ~
local_sigma(epsilon=0) | epsilon = 0 ~
local_sigma(lam=2, dataset="every") | n is missing
local_sigma(lam=2, n=5) | n = 5 ~
local_sigma(lam=2, sides=2) | sides = 2 ~
local_sigma(lam=2, method="closed") | method = 'closed' ~
local_sigma(lam=2, n=5, dataset="every", method="real") | method = 'real' ~
local_sigma(lam=2, dataset="every", method="product") | n is missing
classical_q(epsilon=0) | epsilon = 0 ~
"""
)

test_what_does_not_fit = refusals(
    """
local_q(n=5, lam=2, k=1001, method="lattice") | the exact ratio needs 1,001 terms (k), the limit is 1,000 terms (k)
local_q(n=5, lam=2, k=1001, dataset="every") | the exact ratio needs 1,001 terms (k), the limit is 1,000 terms (k)
local_q(n=5, lam=2, bits=2, k=2000, method="variance") | the exact ratio needs 2,000 terms
local_q(n=5, lam=2, bits=65, method="box") | the box of outcomes needs 65 bits per record, the limit is 64 bits
""",
    dp.TooLarge,
)
