"""Counts below a threshold are hidden: by the definition, every number of reports and every noise, in fractions."""

from fractions import Fraction
from math import comb

from tests.oracles.hockey_stick import excess

NOTHING = None  # what is seen where nothing is released


def law(holders, chance, noise, least):
    """The law of what is seen of a value that so many people hold; as many reports are one way."""
    seen = {}
    for count in range(holders + 1):
        likely = comb(holders, count) * chance**count * (1 - chance) ** (holders - count)
        for x, mass in noise.items():
            shown = count + x if count and count + x >= least else NOTHING
            seen[shown] = seen.get(shown, Fraction(0)) + likely * mass
    return seen


def both(one, other):
    """Independent."""
    return {(a, b): p * q for a, p in one.items() for b, q in other.items()}


def shown(holders, noise, least):
    """The law of what is seen of a value that all its holders report: ``noise`` has masses of any number type."""
    if not holders:
        return {NOTHING: 1}
    seen = {NOTHING: 0}
    for x, mass in noise.items():
        place = holders + x if holders + x >= least else NOTHING
        seen[place] = seen.get(place, 0) + mass
    return seen


def hidden_by(noise, most, lam):
    """For every threshold from 1 to ``most``, delta of a record that is added or removed beside any number of others.

    Beside n >= 1 others it is that beside one, with a threshold n - 1 lower.
    """
    beside, found = mutual(*(shown(n, noise, min(noise) + 1) for n in (1, 2)), lam), {}  # every count is shown
    for least in range(min(min(noise), 0) + 1, most + 1):
        beside = max(beside, mutual(*(shown(n, noise, least) for n in (1, 2)), lam))
        found[least] = max(beside, mutual(*(shown(n, noise, least) for n in (0, 1)), lam))
    return found


def mutual(first, second, lam):
    """sum [P - lambda Q]_+, of both directions the larger one."""
    return max(excess(first, second, lam), excess(second, first, lam))
