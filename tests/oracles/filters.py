"""What a strategy reaches that chooses every mechanism by what it saw, within a budget: every choice, in fractions."""

from fractions import Fraction

import mpmath


def strategy(options, budget, aside, lam, rounds):
    """The largest delta at lambda; options are pairs of laws with a cost and a charge, and it may stop at any time."""
    best = max(Fraction(0), 1 - lam)
    if rounds == 0:
        return best
    for outcomes, cost, charge in options:
        if cost <= budget and charge <= aside:
            reached = sum(
                (
                    p * strategy(options, budget - cost, aside - charge, lam * q / p, rounds - 1)
                    for p, q in outcomes
                    if p
                ),
                Fraction(0),
            )
            best = max(best, reached)
    return best


def flipped_bit(q):
    """One person's bit."""
    return [(1 - q, q), (q, 1 - q)]


def truncated(masses, change):
    """Noise that ends, and a count that changes."""
    return [(p, masses.get(x - change, Fraction(0))) for x, p in masses.items()]


def gaussian(mu, epsilon):
    """delta of N(0, 1) and N(mu, 1), in 40 digits."""
    with mpmath.workdps(40):
        mu, epsilon = mpmath.mpf(mu), mpmath.mpf(epsilon)
        return mpmath.ncdf(mu / 2 - epsilon / mu) - mpmath.exp(epsilon) * mpmath.ncdf(-mu / 2 - epsilon / mu)
