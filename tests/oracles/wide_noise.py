"""Noise on all integers by its definition, in mpmath: masses on a window outside of which nothing is left to see."""

from collections import defaultdict

import mpmath


def gaussian(square, reach):
    weights = {x: mpmath.exp(-mpmath.mpf(x * x) / (2 * square)) for x in range(-reach, reach + 1)}
    return _scaled(weights)


def laplace(decay, reach):
    return _scaled({x: mpmath.exp(-decay * abs(x)) for x in range(-reach, reach + 1)})


def poisson(mean, reach):
    masses, mass = {}, mpmath.exp(-mean)
    for x in range(reach + 1):
        masses[x] = mass
        mass *= mean / (x + 1)
    return masses


def failures(shape, decay, reach):
    """Of independent trials before the ``shape``-th success."""
    a = mpmath.exp(-decay)
    masses, mass = {}, (1 - a) ** shape
    for x in range(reach + 1):
        masses[x] = mass
        mass *= a * (shape + x) / (x + 1)
    return masses


def rounded_laplace(scale, reach):
    return _rounded(lambda z: mpmath.exp(-z / scale) / 2, reach)


def rounded_gaussian(sigma, reach):
    return _rounded(lambda z: mpmath.ncdf(-z / sigma), reach)


def _rounded(beyond, reach):
    """Of a symmetric Z with P[Z >= z] = beyond(z) for z >= 0, to the nearest whole number."""
    half = mpmath.mpf(1) / 2
    masses = {x: beyond(abs(x) - half) - beyond(abs(x) + half) for x in range(-reach, reach + 1) if x}
    return {**masses, 0: 1 - 2 * beyond(half)}


def minus(pmf):
    return {-x: mass for x, mass in pmf.items()}


def plus(*pmfs):
    """Of the sum of independent ones."""
    total = {0: mpmath.mpf(1)}
    for pmf in pmfs:
        more = defaultdict(mpmath.mpf)
        for x, mass in total.items():
            for y, other in pmf.items():
                more[x + y] += mass * other
        total = dict(more)
    return total


def delta(pmf, sensitivity, lam):
    """The largest over every change of the count by at most the sensitivity, where both laws are seen."""
    found = []
    for c in range(-sensitivity, sensitivity + 1):
        if c:
            found.append(mpmath.fsum(max(mpmath.mpf(0), mass - lam * pmf.get(s - c, 0)) for s, mass in pmf.items()))
    return max(found)


def _scaled(weights):
    whole = mpmath.fsum(weights.values())
    return {x: weight / whole for x, weight in weights.items()}
