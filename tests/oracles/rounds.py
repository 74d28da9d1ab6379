"""Several rounds by their definition, in fractions: all choices of datasets, all tuples of outcomes, all strategies."""

from fractions import Fraction
from itertools import combinations_with_replacement, product
from math import lcm, prod

from tests.oracles.hockey_stick import pmf


def law(ones, zeros, q, k):
    """The pmf of the pooled count of so many records of each kind."""
    return pmf([(1 - q, k * ones), (q, k * zeros)])


def pairs(n, q, k):
    """The outcomes (P, Q) of every pair of datasets and both directions; the changed record holds 0 under the first."""
    forward = [list(zip(law(m, n - m, q, k), law(m + 1, n - 1 - m, q, k), strict=True)) for m in range(n)]
    return forward + [[(b, a) for a, b in one] for one in forward]


def shifts(masses, most):
    """The same of noise on a count that changes by at most so much, up or down."""
    f = dict(enumerate(masses))
    seen = range(-most, len(masses) + most)
    return [[(f.get(s, 0), f.get(s - c, 0)) for s in seen] for c in range(-most, most + 1) if c]


def divergence(chosen, lam):
    """sum [P - lambda Q]_+ over every tuple of outcomes."""
    return sum(max(Fraction(0), prod(p for p, _ in seen) - lam * prod(r for _, r in seen)) for seen in product(*chosen))


def fixed(rounds, lam):
    """The largest divergence over all datasets and directions of every round (n, q, k)."""
    return max(divergence(chosen, lam) for chosen in product(*(pairs(*one) for one in rounds)))


def fixed_alike(one, times, lam):
    """The same for equal rounds, whose order does not matter."""
    return max(divergence(chosen, lam) for chosen in combinations_with_replacement(pairs(*one), times))


def best_of_two(pairs, lam):
    """The largest delta of two rounds over all strategies, a second pair for every first outcome; in integers."""
    whole = lcm(*(Fraction(x).denominator for pair in pairs for one in pair for x in one))
    every = {tuple((int(a * whole), int(b * whole)) for a, b in pair) for pair in pairs}
    up, down = lam.numerator, lam.denominator

    def after(p, q):
        return max(sum(max(0, down * p * a - up * q * b) for a, b in pair) for pair in every)

    return Fraction(max(sum(after(p, q) for p, q in pair) for pair in every), down * whole**2)


def adaptive(releases, lam):
    """The largest divergence over all strategies: of each release several counts at once, in its turn.

    Counts are (n, q, k), noise as its masses and by how much one record changes what it is added to, or a list of all
    their pairs, alone.
    """
    ways = {1: list, 2: shifts, 3: pairs}
    return adaptive_among([list(product(*(ways[len(one)](*one) for one in each))) for each in releases], lam)


def adaptive_among(releases, lam):
    """The same, given of each release every choice of its counts' outcomes."""
    if not releases:
        return max(Fraction(0), 1 - lam)
    found = []
    for chosen in releases[0]:
        seen = [(prod(p for p, _ in counts), prod(r for _, r in counts)) for counts in product(*chosen)]
        found.append(sum(p * adaptive_among(releases[1:], lam * r / p) for p, r in seen if p))
    return max(found)


def profile(outcomes, lam):
    """sum [P - lambda Q]_+ over the outcomes of one pair."""
    return divergence([outcomes], lam)
