"""delta of several noisy counts from its definition, with fractions."""

from fractions import Fraction
from itertools import product


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
