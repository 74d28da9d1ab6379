r"""The ratio R of one dataset at one outcome, by a recursion of one step.

Of N reports let i be 1 with probability p and the others with q, and f_i(s) the chance of s ones; u_i = f_{i-1}(s) /
f_i(s). For the dataset with c ones R is the product of u_i over the k reports of the record that changes,
k (c - 1) < i <= k c. With X_i = (p - q)(i p + (N - i) q - s)/(pq) (proof notes, L1)

    i (u_i - 1) + (N - i)(1 - 1/u_{i+1}) = X_i        0 <= i <= N, terms with the factor 0 left out,

which gives u_1 and u_N at once and each u from the one beside it. u_i does not fall with i (1.10): it is at most the
root u of i (u - 1) + (N - i)(1 - 1/u) = X_i, and at least that of the equation for i - 1.

The step upwards multiplies an error of 1/u by u^2 i/(N - i), the step downwards one of u by its inverse. So the errors
of a start from these bounds shrink upwards as long as that is below 1, and from there on downwards; a start so many
steps away that they are below the precision is as good as u_1 and u_N. Where to start and to meet is chosen in doubles.
"""

from __future__ import annotations

from collections.abc import Callable
from math import inf, log, sqrt

from flint import arb, ctx

from dpcalc.numbers.search import last_where

_UNKNOWN = arb(0, inf)
_NONE = arb("inf")
_TINY = 1e-30


def root(a: int, b: int, x: arb) -> arb:
    """The u > 0 with a (u - 1) + b (1 - 1/u) = x, a, b >= 0; infinity where there is none."""
    rest = b - a - x
    whole = (rest * rest + 4 * a * b).sqrt()
    if rest > 0:
        return 2 * b / (whole + rest)
    return (whole - rest) / (2 * a) if a else _NONE


def pooled_ratio(
    total: int, k: int, ones: int, outcome: int, q: arb, spend: Callable[[int], None] = lambda steps: None
) -> arb:
    """R of the dataset with so many ones, at least 1, for every q of a ball; not finite where the ball is too wide.

    ``spend`` is told how many steps are to be taken.
    """
    if outcome == 0:
        return (1 / q - 1) ** k
    gap = 1 - 2 * q
    variance = q * (1 - q) if 4 * q < 1 else (1 - gap * gap) / 4  # the latter is narrow next to 1/2
    pull, offset = gap / variance, total * q - outcome
    first, last = k * (ones - 1) + 1, k * ones
    growth = _growth(total, float(pull), float(offset), float(gap))
    turn = last_where(lambda i: growth(i) <= 1, first, last)

    def x(i: int) -> arb:
        return pull * (offset + i * gap)

    def between(i: int) -> arb:
        if i == 1:
            return 1 / (1 - x(0) / total)
        if i == total:
            return 1 + x(total) / total
        return root(i - 1, total - i + 1, x(i - 1)).union(root(i, total - i, x(i)))

    found = arb(1)
    if turn >= first:
        i = max(1, first - _steps(lambda t: growth(first - t), first))
        spend(turn + 1 - i)
        u = between(i)
        while u > 0:
            if i >= first:
                found *= u
            if i == turn:
                break
            u = 1 / (1 - (x(i) - i * (u - 1)) / (total - i))
            i += 1
        else:
            return _UNKNOWN
    if turn < last:
        i = min(total, last + _steps(lambda t: 1 / max(growth(last + t), _TINY), total - last))
        spend(i - turn)
        found *= downwards(total, x, between(i), i, range(turn + 1, last + 1))
    return found


def downwards(total: int, x: Callable[[int], arb], u: arb, start: int, wanted: range) -> arb:
    """The product of the wanted u_i, by steps downwards from u = u_start; not finite where a ball is too wide."""
    found = arb(1)
    for i in range(start, wanted.start - 1, -1):
        if i < start:
            u = 1 + (x(i) - (total - i) * (1 - 1 / u)) / i
        if not u > 0:
            return _UNKNOWN
        if i in wanted:
            found *= u
    return found


def _growth(total: int, pull: float, offset: float, gap: float) -> Callable[[int], float]:
    """About u_i^2 i/(N - i), which grows with i."""

    def growth(i: int) -> float:
        a, b = i - 0.5, total - i + 0.5
        rest = b - a - pull * (offset + a * gap)
        whole = sqrt(rest * rest + 4 * a * b)
        u = 2 * b / (whole + rest) if rest > 0 else (whole - rest) / (2 * a)
        return u * u * a / b

    return growth


def _steps(shrinks: Callable[[int], float], most: int) -> int:
    """How many steps bring an error below the precision; it shrinks the more in each the farther away that is."""
    needed, steps = -ctx.prec * log(2), 2
    while steps < most and not steps / 2 * log(max(shrinks(steps // 2), _TINY)) < needed:
        steps += max(1, steps // 2)
    return min(steps, most)
