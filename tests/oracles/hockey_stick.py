"""Hockey-stick divergences of pooled counts by their definition, in fractions: no order of outcomes is assumed."""

from fractions import Fraction


def pmf(kinds):
    """The pmf of a sum of independent reports, c of each kind (a, c), one report after the other."""
    weights, whole = [1], 1
    for a, count in kinds:
        for _ in range(count):
            weights = [
                (a.denominator - a.numerator) * stay + a.numerator * come
                for stay, come in zip([*weights, 0], [0, *weights], strict=True)
            ]
            whole *= a.denominator
    return [Fraction(weight, whole) for weight in weights]


def divergence(likely, unlikely, lam):
    """sum_i [p_i - lambda r_i]_+ of lists."""
    return sum(max(Fraction(0), p - lam * r) for p, r in zip(likely, unlikely, strict=True))


def excess(likely, unlikely, lam):
    """The same of masses by what is seen, of any type of numbers."""
    return sum(max(0, p - lam * unlikely.get(seen, 0)) for seen, p in likely.items())
