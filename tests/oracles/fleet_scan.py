"""delta of every composition of a fleet, in doubles, by convolving every pool."""

from functools import reduce

import numpy as np


def powers(report, most):
    """The laws of 0, 1, ..., most such reports."""
    found = [np.ones(1)]
    for _ in range(most):
        found.append(np.convolve(found[-1], report))
    return found


def scan(groups, own, dummies, lam):
    """An array with one axis for each group: its m from 0 to its number of others.

    Groups are (others, q, k), dummies (count, chance); ``own`` are the laws of what the changed user adds under P_0 and
    under P_1.
    """
    fixed = reduce(np.convolve, [powers([1 - float(a), float(a)], count)[-1] for count, a in dummies], np.ones(1))
    tables = []
    for n, q, k in groups:
        lie = float(q)
        ones, zeros = powers([lie, 1 - lie], n * k)[::k], powers([1 - lie, lie], n * k)[::k]
        tables.append([np.convolve(ones[m], zeros[n - m]) for m in range(n + 1)])
    found = np.zeros([n + 1 for n, _, _ in groups])
    for at in np.ndindex(*found.shape):
        pool = reduce(np.convolve, [table[m] for table, m in zip(tables, at, strict=True)], fixed)
        first, second = (np.convolve(pool, one) for one in own)
        size = max(len(first), len(second))
        first, second = (np.pad(x, (0, size - len(x))) for x in (first, second))
        found[at] = np.maximum(first - float(lam) * second, 0).sum()
    return found
