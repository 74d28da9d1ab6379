"""Equal rounds of a bit or a histogram as a theorem that Coq proves (lattice.v).

delta of one count is bounded at lambda = g^0, g^1, ..., and so at 1/g, ... too. The lower convex hull of these bounds
is the privacy profile of a pair whose losses are multiples of log g. The pair dominates the count; as many such pairs
as counts change are composed in whole numbers. The grid and its knots are those of the certificate for ``check.py``,
the blocks are not.

The lower bound is that of one dataset, the same in every round (below.v). The outcomes of its count are cut into parts,
and the parts are merged to outcomes whose losses are multiples of log g (proof notes, C8). The merging starts with the
largest likelihood ratio, and adds parts of the next outcomes until the ratio of all is at a point of the grid. The
choice of the dataset and of this grid only steers.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import count
from typing import Any

from dpcalc import check
from dpcalc.certificates import whole_numbers
from dpcalc.certificates.composition import short
from dpcalc.certificates.coq import NARROW, WIDER, RoundsWitness, Theorem, covered, exponent, next_to, precision
from dpcalc.certificates.whole_numbers import (
    NOTHING,
    UNUSED,
    Knot,
    Lattice,
    Minorant,
    Setting,
    Share,
    between_powers,
    of_rounds,
)
from dpcalc.errors import Undecided
from dpcalc.families.bits import Bits, upper
from dpcalc.numbers.enclosure import Enclosure
from dpcalc.numbers.limit import Limit
from dpcalc.numbers.search import logarithm
from dpcalc.rounds.round import Round
from dpcalc.rounds.tilted_rounds import tilted

_SHARP = Fraction(1, 10**5)  # relative width of the bounds of one round
_SCALE, _NEAR, _CUT = 64, 40, 40  # bits of 1/g, of the lower bounds of powers of g, and of the share of an outcome
_GUARD = 96  # bits of masses, besides those of delta
_ENOUGH = Fraction(1, 10**9)  # rows go on twice as far while that makes delta smaller by more than this share
_WORK, _FEWEST, _MOST = 2400, 80, 400  # points of the grid, divided by the number of rounds; the fewest and the most
_NARROWEST = 1e-9  # range of losses
_FINER = 8  # the grid may be so many times finer, to have lambda on it
_RARE = 1e-6  # the grid ends at losses that are so rare
_SHARE = 10_000  # rows go on twice as far while that makes delta larger by more than one part in so many


def alike(asked: dict[str, Any]) -> bool:
    """Whether a question is about equal rounds of a single bit or a histogram."""
    kinds = asked.get("rounds", ())
    return len(kinds) == 1 and set(kinds[0]) <= {"n", "q", "k", "times", "categories", "ones", "neighbours"}


def formal_rounds(asked: check.Entries, answer: check.Entries, file: check.Entries) -> Theorem:
    """The theorem, with a witness that Coq's checker will accept.

    Args:
        asked: the question of a certificate: delta or epsilon of equal rounds of a single bit or a histogram.
        answer: its answer.
        file: the certificate.

    Raises:
        Undecided: the numbers that Coq would compute do not prove the claim.
    """
    (kind,), (shown,) = asked.parts("rounds"), file.parts("rounds")
    bits = {"n": Fraction(kind.whole("n")), "k": Fraction(kind.whole("k")), "q": kind.number("q")}
    given = bits | {name: asked.number(name) for name in ("lam", "epsilon", "delta") if name in asked}
    upper, times, counts = answer.number("upper"), kind.whole("times", 1, default=1), check.counts(kind)
    limit = ("epsilon", upper) if "delta" in given else list(given.items())[-1]
    low, terms = next_to(*limit, above=False)
    steps = [x.whole("step") for x in shown.parts("knots")]
    once = Setting(int(bits["n"]), int(bits["k"]), bits["q"], low)
    lattice, top = _above(once, counts, given.get("delta", upper), file.number("grid"), steps)
    if "delta" not in given and top > upper:
        upper *= 1 + WIDER
    if top > given.get("delta", upper):
        raise Undecided("the upper end was not found to hold", Enclosure.of(upper))
    below = lower_end(once, counts, given.get("delta"), limit, upper) if _reached(kind) else NO_END
    lower, high, more, minorant = below
    about = f"Bits {times}"
    if "categories" in kind:
        about = f"Histograms {times} {kind.whole('categories')} {counts // times}"
    witness = RoundsWitness(low, high, max(terms, more), lattice, minorant)
    return Theorem(asked, f"Rounds_{asked['what']} ({about})", given, lower, upper, witness)


def _reached(kind: check.Entries) -> bool:
    """Whether one dataset can be the worst in all counts that change: so for single bits and for one-hot records."""
    return "categories" not in kind or kind.whole("ones", default=1) == 1


def _above(asked: Setting, counts: int, goal: Fraction, g: Fraction, steps: list[int]) -> tuple[Lattice, Fraction]:
    """A pair that dominates all datasets of one round, and the bound of delta of all rounds.

    Args:
        asked: n, k, q, and a lower bound of lambda.
        counts: how many counts change.
        goal: delta of all rounds is about that.
        g: the ratio of the certificate, which is rounded here.
        steps: the j >= 0 at which one round is bounded at lambda = g^j, rising.
    """
    fine = _fine(goal, counts)
    pair = Lattice(math.floor(2**_SCALE / g), _SCALE, fine, [], [], 0, 0, 0, 0)
    knots = {j: _knot(asked, pair, j, len(steps)) for j in steps}
    with check.metered(check.WORK):
        check.exam.bits = fine
        hull = check.chords({j: Fraction(knot.bound, pair.one) for j, knot in knots.items()}, pair.power(1), 1)
    last = max(j for j in steps if hull.masses[j - hull.first])
    anything = Knot(Fraction(1), pair.one, [], UNUSED)  # where j is no step
    pair = replace(
        pair, knots=[knots.get(j, anything) for j in range(last + 1)],
        of_loss=[mass for j, mass in enumerate(hull.masses, hull.first) if abs(j) <= last],
        infinite=hull.beyond + 8 * (last + 1),  # covers the roundings of mirror images, and of the pair's own tails
        reach=next(j for j in count() if pair.power(j + 1) >= asked.lam),
    )  # fmt: skip
    room, before, top = max(last, 1) * math.isqrt(counts), Fraction(2), Fraction(1)
    while top > goal and top < before * (1 - _ENOUGH):
        pair, before = replace(pair, ahead=room, behind=room), top
        top = between_powers(pair, asked.lam, of_rounds(pair, counts))
        room *= 2
    return pair, top


def _knot(asked: Setting, pair: Lattice, j: int, times: int) -> Knot:
    """A bound of one round at g^j, one of so many."""
    near = Fraction(math.floor(pair.power(j) * 2**_NEAR), 2**_NEAR)
    bits = Bits.symmetric(asked.q, asked.k, asked.n - 1)
    goal = upper(bits, Limit.exp(Fraction(logarithm(near))), _SHARP) * (1 + _SHARP)
    at, top, blocks = covered(replace(asked, lam=near), goal, Enclosure.of(goal), times)
    return Knot(near, min(math.ceil(top * (1 + NARROW) * pair.one), pair.one), blocks, at)


def _fine(goal: Fraction, counts: int) -> int:
    """Bits of masses, whose products add up to about the goal."""
    return _GUARD - exponent(goal / counts)


def minorant(asked: Setting, counts: int, goal: Fraction) -> Minorant:
    """The witness of nearly the worst dataset, the same in all rounds; lambda is close to a point of the grid.

    Args:
        asked: n, k, q, and an upper bound of lambda.
        counts: how many rounds.
        goal: delta is about that.
    """
    rounds = Round(Bits.symmetric(asked.q, asked.k, asked.n - 1))
    named = int(tilted(((rounds, counts),), logarithm(asked.lam)).chosen[0])
    at, fine = precision(asked, goal / counts), _fine(goal, counts)
    law, unit = whole_numbers.law_of(asked, at, named, asked.n - 1 - named), asked.q.denominator**asked.k
    (P, Q), most, least = whole_numbers.masses(asked, law), unit * law.most, unit * law.least
    losses = [logarithm(Fraction(p * least, q * most)) if p else -math.inf for p, q in zip(P, Q, strict=True)]

    def seen(rare: float) -> list[float]:
        return [x for x, p in zip(losses, P, strict=True) if p / most > rare / counts]

    usual, highest_loss = seen(_RARE), max(seen(min(_RARE, float(goal) * _RARE)))
    h, level = _grid(logarithm(asked.lam), (max(usual) - min(usual)) / min(max(_WORK // counts, _FEWEST), _MOST))
    coarse = math.floor(math.exp(-h) * (1 << _SCALE))
    coarse -= coarse >> 44  # more than the floats' own errors
    deepest, beyond = max(1, math.ceil(-min(usual) / h)), max(1, math.ceil(highest_loss / h)) + 1
    highest = -(-(1 << fine + _SCALE * beyond) // coarse**beyond)
    w = Minorant(coarse, _SCALE, fine, named, at, _CUT, [], [], deepest, highest, level, 0, 0)

    grid = whole_numbers.ratios(w, deepest + beyond)
    shares, sums = _shares([p * w.one * least for p in P], [q * most for q in Q], grid, most * least), [0] * len(grid)
    for p, (first, part) in zip(P, shares, strict=True):
        for i, share in enumerate(part, first):
            sums[i] += share * p
    return _long_enough(replace(w, shares=shares, made=[x * w.one // (most << _CUT) for x in sums]), counts)


def _grid(epsilon: float, h: float) -> tuple[float, int]:
    """A step of the grid, about h, and the level of epsilon."""
    h = max(h, _NARROWEST)
    level = math.ceil(epsilon / h)
    return (max(epsilon / level, h / _FINER), level) if level else (h, 0)


def _long_enough(w: Minorant, counts: int) -> Minorant:
    """The witness with rows that reach so far beyond lambda, and below 1, that longer ones would hardly help."""
    room, before, found = len(w.made) * math.isqrt(counts), -1, 0
    while found - before > found // _SHARE:
        w, before = replace(w, before=room, after=room), found
        found, room = whole_numbers.rows_down(w, counts)[room], 2 * room
    return w


def _shares(P: Sequence[int], Q: Sequence[int], grid: Sequence[int], unit: int) -> list[Share]:
    """For each outcome, which share of it goes to which point of the grid.

    Args:
        P: the masses, in units such that the ratio is at least a point z of the grid if P >= z Q.
        Q: see there.
        grid: the points, rising.
        unit: P must exceed z Q by at least that, as shares are rounded.
    """
    full, parts = 1 << _CUT, [dict[int, int]() for _ in P]
    order = sorted((i for i, q in enumerate(Q) if q), key=lambda i: Fraction(P[i], Q[i]), reverse=True)
    left, start = [full] * len(P), 0
    for point in reversed(range(len(grid))):
        surplus, taken = 0, dict[int, int]()
        for i in order[start:]:
            apart = P[i] - grid[point] * Q[i]
            taken[i] = left[i] if apart >= 0 else min(left[i], max(0, surplus - unit * full) // -apart)
            surplus += taken[i] * apart
            if taken[i] < left[i]:
                break
        if surplus >= unit * full:  # else the outcomes wait for a lower point
            for i, share in taken.items():
                left[i], parts[i][point] = left[i] - share, share
        while start < len(order) and not left[order[start]]:
            start += 1
    return [_listed(part) for part in parts]


def _listed(part: dict[int, int]) -> Share:
    kept = {i: share for i, share in part.items() if share}
    first, last = min(kept, default=0), max(kept, default=-1)
    return first, [kept.get(i, 0) for i in range(first, last + 1)]


#: A lower end, an upper bound of lambda there, the terms that show this bound, and the witness.
_End = tuple[Fraction, Fraction, int, Minorant]
NO_END: _End = (Fraction(0), Fraction(1), 0, NOTHING)


def lower_end(
    asked: Setting, counts: int, delta: Fraction | None, limit: tuple[str, Fraction], upper: Fraction
) -> _End:
    """The lower end that one dataset shows, rounded down to a short decimal.

    Args:
        asked: n, k, q.
        counts: how many counts change.
        delta: the target, if epsilon is asked for; else None.
        limit: the name and the value of lam or epsilon, at the upper end of the answer.
        upper: that end.
    """
    high, terms = next_to(*limit, above=True)
    if not upper:
        return NO_END
    w = minorant(replace(asked, lam=max(high, Fraction(1))), counts, delta or upper)
    row = whole_numbers.rows_down(w, counts)
    if delta is None:
        lower = short(min(Fraction(row[w.before], w.one), upper), -1)
        return (lower, high, terms, w) if lower else NO_END
    at = next((i for i, x in enumerate(row[: w.level + w.before]) if x > delta * w.one), None)
    if at is None:
        return NO_END
    w = replace(w, level=w.level + w.before - at, before=at)  # the highest point of the grid where delta is larger
    least = Fraction(w.level * math.log((1 << w.scale) / w.coarse)) * (1 - WIDER)  # more than the errors of floats
    lower = short(least, -1)
    high, terms = next_to("epsilon", lower, above=True)
    if high > w.power(w.level):
        raise Undecided("the lower end was not found to hold", Enclosure(lower, upper))
    return lower, high, terms, w
