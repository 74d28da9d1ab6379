"""delta of small mechanisms from its definition, with fractions."""

from fractions import Fraction
from itertools import product
from math import comb


def coins_delta(trials, lam, chance=Fraction(1, 2)):
    """delta of a count with coins, from the definition; one person changes the count by 1, up or down."""
    return noise_delta([comb(trials, x) * chance**x * (1 - chance) ** (trials - x) for x in range(trials + 1)], lam)


def noise_delta(law, lam, most=1):
    """delta of a count with noise of this law; one person changes the count by at most so much."""

    def excess(change):
        wide = [*([Fraction(0)] * change), *law, *([Fraction(0)] * change)]
        moved = [*([Fraction(0)] * 2 * change), *law], [*law, *([Fraction(0)] * 2 * change)]
        return max(sum(max(Fraction(0), p - lam * r) for p, r in zip(wide, other, strict=True)) for other in moved)

    return max(excess(change) for change in range(1, most + 1))


def bits_delta(n, q, lam):
    """delta of n flipped bits over every pair of neighbours, from the definition."""

    def law(bits):
        chances = [Fraction(0)] * (n + 1)
        for lies in product([0, 1], repeat=n):
            chance = q ** sum(lies) * (1 - q) ** (n - sum(lies))
            chances[sum(bit ^ lie for bit, lie in zip(bits, lies, strict=True))] += chance
        return chances

    def excess(one, two):
        return sum(max(Fraction(0), p - lam * r) for p, r in zip(law(one), law(two), strict=True))

    return max(excess((a, *rest), (1 - a, *rest)) for a in (0, 1) for rest in product([0, 1], repeat=n - 1))


def counts_delta(law, lam, changes):
    """delta of several counts with independent noise of this law, each of which changes by so much, up or down."""

    def excess(changes):
        total = Fraction(0)
        most = max(map(abs, changes))
        for shown in product(range(-most, len(law) + most), repeat=len(changes)):
            here = there = Fraction(1)
            for s, change in zip(shown, changes, strict=True):
                here *= law[s] if 0 <= s < len(law) else 0
                there *= law[s - change] if 0 <= s - change < len(law) else 0
            total += max(Fraction(0), here - lam * there)
        return total

    return max(excess(changes), excess([-change for change in changes]))
