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
    """sum_i [p_i - lambda r_i]_+."""
    return sum(max(Fraction(0), p - lam * r) for p, r in zip(likely, unlikely, strict=True))


def ratio_limit(likely, unlikely, delta):
    """The least lambda >= 1 with a divergence of at most delta, for pmfs without zeros.

    The divergence at lambda is the largest P(I) - lambda R(I) of all events I; those of the largest ratios suffice.
    """
    best, p_sum, r_sum = Fraction(1), Fraction(0), Fraction(0)
    for p, r in sorted(zip(likely, unlikely, strict=True), key=lambda pair: pair[0] / pair[1], reverse=True):
        p_sum, r_sum = p_sum + p, r_sum + r
        best = max(best, (p_sum - delta) / r_sum)
    return best
