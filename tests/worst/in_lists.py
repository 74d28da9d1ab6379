"""The sums of the calculator's page in lists: what ``sums.js`` does, for tests."""

import math
from operator import mul

from flint import arb

from dpcalc.numbers.ball import working_precision
from dpcalc.numbers.rounding import UNIT
from dpcalc.worst.on_circle import FAR, LEAST, MOVES, SPARE


class Tables:
    """Those of ``one_by_one.flat``."""

    def __init__(self, flat):
        squares, self.roots, weights = ([complex(*z) for z in zip(x[::2], x[1::2], strict=True)] for x in flat[:3])
        self.errors, forms, alone = flat[3:]
        kept, self.forms = len(weights) // 5, [forms[i : i + 4] for i in range(0, len(forms), 4)]
        self.weights = [weights[i : i + kept] for i in range(0, len(weights), kept)]
        self.squares = [squares[i : i + 2 * kept] for i in range(0, len(squares), 2 * kept)]
        self.k, self.points, self.rights = map(int, alone[:3])
        self.constant, self.rest, self.rest_error, self.front_error, self.alias_error, self.covered = alone[3:]


def deltas(flat, places):
    """Lower and upper end of delta of each pool; t is where to look first, and the upper end 1 if it is not settled."""
    tables, found = Tables(flat), []
    for a, b, start in places:
        t, last = start, a + b + tables.k - 1
        for _ in range(MOVES + 1):
            lower, upper, move = ends(sums_of(tables, a, b, t), tables.front_error, t, last)
            t = min(max(t + 2 * move, 0), last)
            if not move:
                break
        found.append((lower, upper))
    return found


def ends(sums, off, t, last):
    """Lower and upper end of delta, and in which direction t should move if it should.

    From the sums at t, of ``last`` at most, and the relative error of F.
    """
    values, errors, least, most = sums
    high = [value + error for value, error in zip(values, errors, strict=True)]
    low = [value - error for value, error in zip(values, errors, strict=True)]
    rise = max(high[3], -low[2], 0.0)
    slack = 8 * UNIT * (abs(high[0]) + rise + 2 * errors[0])
    upper = max(high[0] + rise + slack, 0.0) * (most * (1 + off))
    rise = max(low[3], -high[2], 0.0)
    lower = max((low[0] + rise - slack) * (least * (1 - off)), 0.0)
    start, end = t <= 1, t >= last - 1
    settled = (low[1] > 0 or start) and (high[4] < 0 or end)
    move = 0 if settled else (low[4] > 0 and not end) - (high[1] < 0 and not start)
    upper = max(upper, LEAST) if settled and upper < 1.0 else 1.0  # not a number neither
    return (lower if LEAST <= lower < 1.0 else 0.0), upper, move


def sums_of(tables, a, b, t):
    one, points, kept = tables, tables.points, len(tables.weights[0])
    terms = [one.roots[t * j % points] for j in range(kept)]
    for i, squares in enumerate(one.squares):
        if a >> i & 1:
            terms = list(map(mul, terms, squares))
        if b >> i & 1:
            terms = list(map(mul, terms, squares[kept:]))
    values = [sum(map(mul, terms, row)).real for row in tables.weights]
    logs = [of_one * a + of_zero * b + theta * t + own for of_one, of_zero, theta, own in one.forms]
    front, first_left = exp(logs[0]), 1 + one.rights
    errors = [error * SPARE for error in tables.errors]
    for wraps, bounds in (
        (one.covered or t <= a + b + one.k + 1 - points, logs[1:first_left]),
        (t >= points - 2, logs[first_left:]),
    ):
        if wraps:
            bound = exp(min(bounds, default=math.inf)) * (1 + one.alias_error)
            errors = [error + bound for error in errors]
    constant = exp(one.constant - logs[0]) * tables.rest if tables.rest else 0.0
    values[0] += constant
    errors[0] += constant * tables.rest_error
    return values, errors, 0.0 if logs[0] < -FAR else front, front


def exp(x):
    """e^x; infinity, or e^-690, where that leaves the range of doubles."""
    if x > FAR:
        return math.inf
    with working_precision(160):
        return float(arb(max(x, -FAR)).exp())
