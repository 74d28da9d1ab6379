"""Equal rounds of a bit or a histogram as a theorem that Coq proves, or as the extracted program's input (lattice.v).

One count is bounded at lambda = g^0, g^1, ..., and so at 1/g, ... too. The lowest polygon through these bounds is the
profile of a pair whose losses are multiples of log g: it dominates the count, and as many of it as counts change are
summed up in whole numbers. The grid and its knots are those of the certificate for ``check.py``, the blocks are not.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from decimal import ROUND_CEILING
from fractions import Fraction
from functools import cached_property
from itertools import count, pairwise
from typing import Any

from dpcalc import check
from dpcalc.certificates.coq import ROUNDS_FILE, frac, next_to, ratio, two
from dpcalc.certificates.formal_blocks import Block, covered
from dpcalc.certificates.whole_numbers import Precision, Setting
from dpcalc.certificates.whole_rounds import Lattice, between_powers, heights, mirrored, of_rounds
from dpcalc.errors import Undecided
from dpcalc.numbers.enclosure import Enclosure
from dpcalc.numbers.search import logarithm
from dpcalc.rounds.profile_bounds import bound
from dpcalc.worst.datasets import Datasets

__all__ = ["FormalRounds", "alike", "formal_rounds"]

_WIDER = Fraction(1, 10**9)
_SHARP = Fraction(1, 10**5)  # relative, of the bounds of one round
_SCALE = 48  # bits of 1/g
_NEAR = 40  # of the numbers next to powers of g
_LEAST_BITS, _GUARD = 96, 48  # of masses; besides those of delta
_SPARE = 10.0  # what lies beyond the rows is e^-10 of delta, if losses are as normal ones

#: A place among the points, and its coordinates.
_Corner = tuple[int, Fraction, Fraction]


@dataclass(frozen=True, slots=True)
class Knot:
    """A bound of one round.

    Attributes:
        near: a number at most g^j.
        bound: of delta there, in units.
        blocks: ranges of ones among the others.
        at: the precision.
    """

    near: Fraction
    bound: int
    blocks: list[Block]
    at: Precision


@dataclass(frozen=True, slots=True)
class FormalRounds:
    """A claim and its witness, as Coq's checker reads them.

    Attributes:
        given: n, k, q, and lam or epsilon.
        times: how many rounds.
        categories: of a histogram; 0 of a single bit.
        most: so many counts of a round change at most.
        upper: so much delta is enough.
        number_below: a number at most lambda.
        series: terms of the exponential series.
        lattice: the pair above all datasets of one round.
        knots: the bounds that show that it is.
    """

    given: dict[str, Fraction]
    times: int
    categories: int
    most: int
    upper: Fraction
    number_below: Fraction
    series: int
    lattice: Lattice
    knots: list[Knot]

    @property
    def numbers(self) -> str:
        """One line for the extracted program: the claim, then the witness."""
        w, (n, k, q, x) = self.lattice, self.given.values()
        what = (
            ["histogram_delta", self.times, self.categories, self.most]
            if self.categories
            else ["rounds_delta", self.times]
        )
        found = [*what, n, k, two(q), list(self.given)[-1], two(x), two(self.upper)]
        found += [
            two(self.number_below),
            self.series,
            w.coarse,
            w.scale,
            w.fine,
            w.infinite,
            w.reach,
            w.ahead,
            w.behind,
        ]
        found += [len(w.of_loss), *w.of_loss, len(self.knots)]
        for one in self.knots:
            found += [two(one.near), one.bound, one.at.bits, one.at.faint]
            found += [len(one.blocks), *(end for block in one.blocks for end in block)]
        return " ".join(map(str, found)) + "\n"

    @property
    def coq(self) -> str:
        """A .v file."""
        w, (n, k, q, x) = self.lattice, self.given.values()
        limit = f"({'Lambda' if 'lam' in self.given else 'Epsilon'} {ratio(x)})"
        kind, of = (
            ("histograms", f"{self.times}%nat {self.most}%nat") if self.categories else ("rounds", f"{self.times}%nat")
        )
        knots = [
            f"Knot {ratio(one.near)} {one.bound}\n"
            f"      [:: {'; '.join(f'({low}, {high})' for low, high in one.blocks)}]%nat"
            f" (Precision {one.at.bits} {one.at.faint})"
            for one in self.knots
        ]
        return ROUNDS_FILE.format(
            words=self.words, kind=kind, of=of, categories="_ _ " * bool(self.categories),
            claim=f"{n}%nat {k}%nat {ratio(q)} {limit} {ratio(self.upper)}",
            low=ratio(self.number_below), terms=self.series, coarse=w.coarse, scale=w.scale, fine=w.fine,
            knots=";\n    ".join(knots), masses=";\n    ".join(map(str, w.of_loss)), infinite=w.infinite,
            reach=w.reach, ahead=w.ahead, behind=w.behind, statement=self.statement,
        )  # fmt: skip

    @property
    def words(self) -> str:
        """The claim in words."""
        about = ", ".join(f"{name} = {x}" for name, x in self.given.items())
        if self.categories:
            about = f"{self.categories} categories, of which at most {self.most} change: {about}"
        return (
            f"{self.times} rounds of {about}, every strategy:\n   "
            f"delta = {check.shown(self.upper, ROUND_CEILING)} is enough (rounded outward)."
        )

    @property
    def statement(self) -> str:
        """What the theorem says, in Coq's words."""
        n, k, q, x = self.given.values()
        limit = f"lam = {frac(x)}" if "lam" in self.given else f"is_exp {frac(x)} lam"
        of = (
            f"DP_histograms {self.times} {self.categories} {self.most}"
            if self.categories
            else f"DP_rounds {self.times}"
        )
        return f"forall lam : R, {limit} ->\n  {of} {n} {k} {frac(q)} lam {frac(self.upper)}"


def alike(asked: dict[str, Any]) -> bool:
    """Whether a question is about equal rounds of a single bit or a histogram."""
    kinds = asked.get("rounds", ())
    return len(kinds) == 1 and set(kinds[0]) <= {"n", "q", "k", "times", "categories", "ones", "neighbours"}


def formal_rounds(asked: check.Entries, answer: check.Entries, file: check.Entries) -> FormalRounds:
    """What Coq's checker is asked to accept, and will.

    Args:
        asked: the question of a certificate: delta or epsilon of equal rounds of a single bit or a histogram.
        answer: its answer.
        file: the certificate.

    Raises:
        Undecided: the claim was not found to be so with the numbers that Coq would compute.
    """
    (kind,), (shown,) = asked.parts("rounds"), file.parts("rounds")
    given = {"n": Fraction(kind.whole("n")), "k": Fraction(kind.whole("k")), "q": kind.number("q")}
    given |= {name: asked.number(name) for name in ("lam", "epsilon") if name in asked}
    upper, times, counts = answer.number("upper"), kind.whole("times", 1, default=1), check.counts(kind)
    most = upper * (1 + _WIDER)
    if "delta" in asked:  # at this epsilon so much is enough
        given["epsilon"], upper, most = upper, asked.number("delta"), asked.number("delta")
    low, terms = next_to(*list(given.items())[-1], above=False)
    grid = _Grid(given, upper, file.number("grid"), [knot.whole("step") for knot in shown.parts("knots")])
    lattice = grid.placed(low, counts)
    while (top := between_powers(lattice, low, of_rounds(lattice, counts))) > upper:
        if min(lattice.ahead, lattice.behind) >= counts * grid.last:
            if top > most:
                raise Undecided("the upper end was not found to hold", Enclosure.of(upper))
            upper = most
        wider = 2 * max(lattice.ahead, lattice.behind)
        lattice = replace(lattice, ahead=wider, behind=wider)
    categories = kind.whole("categories") if "categories" in kind else 0
    return FormalRounds(given, times, categories, counts // times, upper, low, terms, lattice, grid.knots)


@dataclass(frozen=True)
class _Grid:
    """Bounds of one round at g^j, j of some steps, and the pair above all datasets that they make.

    Attributes:
        given: n, k, q.
        goal: delta of all rounds is about that.
        ratio: g is next to it.
        steps: 0 <= j, rising.
    """

    given: dict[str, Fraction]
    goal: Fraction
    ratio: Fraction
    steps: list[int]

    @property
    def last(self) -> int:
        """The last of them."""
        return self.steps[-1]

    @cached_property
    def _empty(self) -> Lattice:
        """The lattice, of which nothing is known but its step."""
        fine = max(_LEAST_BITS, _GUARD + math.ceil(-logarithm(self.goal) / math.log(2)))
        return Lattice(math.floor(2**_SCALE / self.ratio), _SCALE, fine, [], 0, 0, 0, 0)

    def _power(self, j: int) -> Fraction:
        return Fraction(1 << _SCALE, self._empty.coarse) ** j

    @cached_property
    def knots(self) -> list[Knot]:
        """A bound of one round for j = 0, 1, ..., last: of 1 where j is no step."""
        anything = Knot(Fraction(1), self._empty.one, [], Precision(0, 0))
        return [self._knot(j) if j in self.steps else anything for j in range(self.last + 1)]

    def _knot(self, j: int) -> Knot:
        near, one = Fraction(math.floor(self._power(j) * 2**_NEAR), 2**_NEAR), self._empty.one
        n, k, q = int(self.given["n"]), int(self.given["k"]), self.given["q"]
        goal = bound(Datasets(q, k, n - 1), Fraction(logarithm(near)), _SHARP)[0] * (1 + _SHARP)
        at, top, blocks = covered(Setting(n, k, q, near), goal, Enclosure.of(self.goal), len(self.steps))
        return Knot(near, min(math.ceil(top * one), one), blocks, at)

    def placed(self, low: Fraction, counts: int) -> Lattice:
        """The pair, and where so many rounds of it are looked at, if lambda is next to ``low``."""
        dominating, units = self._dominating, self._empty.one
        ahead, far = _extent([x / units for x in dominating.of_loss], counts, self.goal)
        reach = next(j for j in count() if self._power(j + 1) >= low)
        return replace(dominating, reach=reach, ahead=ahead, behind=max(1, far - reach))

    @cached_property
    def _dominating(self) -> Lattice:
        """The pair of the lowest polygon at or above the bounds."""
        bounds = mirrored(self._empty, [one.bound for one in self.knots])
        corners = [(-1, Fraction(0), Fraction(self._empty.one))]
        for j, y in enumerate(bounds, -self.last):
            if abs(j) in self.steps:
                corner = (j, self._power(j), Fraction(y))
                while len(corners) > 1 and _slope(corners[-1], corner) <= _slope(corners[-2], corners[-1]):
                    corners.pop()
                corners.append(corner)
        slopes = [_slope(a, b) for a, b in pairwise(corners)] + [Fraction(0)]
        masses = [0] * len(bounds)
        for (j, x, _), (before, after) in zip(corners[1:], pairwise(slopes), strict=True):
            masses[self.last + j] = max(0, math.ceil(x * (after - before)))
        spare = 4 * len(masses)  # as much as heights and mirror images are rounded
        found = replace(self._empty, of_loss=masses, infinite=bounds[-1] + spare)
        at_0, *at_knots = heights(found)
        looked_at = [i for i, x in enumerate(masses) if x or i + 1 == len(masses)]
        if at_0 < found.one or any(at_knots[i] < bounds[i] for i in looked_at):
            raise Undecided("the pair was not found to dominate one round", Enclosure.of(self.goal))
        return found


def _slope(a: _Corner, b: _Corner) -> Fraction:
    return (b[2] - a[2]) / (b[1] - a[1])


def _extent(masses: Sequence[float], counts: int, goal: Fraction) -> tuple[int, int]:
    """How far losses of all rounds lie below their mean, and above 0: beyond is little, if they are as normal ones."""
    losses = range(-(len(masses) // 2), len(masses) // 2 + 1)
    mean = sum(i * x for i, x in zip(losses, masses, strict=True))
    variance = sum(i * i * x for i, x in zip(losses, masses, strict=True)) - mean**2
    spread = math.sqrt(2 * (_SPARE - logarithm(goal)) * counts * variance)
    most = counts * losses[-1]
    return min(most, math.ceil(spread)), min(most, math.ceil(counts * mean + spread))
