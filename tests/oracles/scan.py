"""delta of every composition by its own convolution of integers. Shares no code."""

from fractions import Fraction
from functools import reduce


def times(one, other):
    """The product of two polynomials given by their coefficients, lowest first."""
    found = [0] * (len(one) + len(other) - 1)
    for i, a in enumerate(one):
        for j, b in enumerate(other):
            found[i + j] += a * b
    return found


def divided(product, factor):
    """The polynomial whose product with ``factor`` is ``product``, lowest coefficient first."""
    left, found = list(product), []
    for i in range(len(product) - len(factor) + 1):
        quotient = left[i] // factor[0]
        found.append(quotient)
        for j, b in enumerate(factor):
            left[i + j] -= quotient * b
    if any(left):
        raise ArithmeticError("not a factor")
    return found


def powers(base, count):
    return reduce(times, [base] * count, [1])


def pmfs(n, q, k):
    """For m = 0, ..., n: the integer weights of the pooled count with m ones, over the denominator of q to the k n."""
    lie, truth = q.numerator, q.denominator - q.numerator
    zero, one = powers([truth, lie], k), powers([lie, truth], k)
    found = [powers(zero, n)]
    for _ in range(n):
        found.append(times(divided(found[-1], zero), one))
    return found


def deltas(n, q, k, lam):
    """delta of P_0 over P_1 for m = 0, ..., n - 1 ones among the others: the definition, summed over all outcomes."""
    pools, total = pmfs(n, q, k), q.denominator ** (n * k)
    a, b = lam.numerator, lam.denominator
    return [
        Fraction(sum(max(0, b * x - a * y) for x, y in zip(pools[m], pools[m + 1], strict=True)), b * total)
        for m in range(n)
    ]


def largest(n, q, k, lam):
    """The largest delta of both directions over all compositions, and the ones among the others of all that have it."""
    pools, total = pmfs(n, q, k), q.denominator ** (n * k)
    a, b = lam.numerator, lam.denominator
    best, where = -1, set()
    for m in range(n):
        pairs = list(zip(pools[m], pools[m + 1], strict=True))
        for value, excess in (
            (0, sum(max(0, b * x - a * y) for x, y in pairs)),
            (1, sum(max(0, b * y - a * x) for x, y in pairs)),
        ):
            if excess > best:
                best, where = excess, set()
            if excess == best:
                where.add((m, value))
    return Fraction(best, b * total), where
