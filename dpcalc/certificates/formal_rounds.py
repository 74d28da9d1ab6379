"""Equal rounds of a bit or a histogram as a theorem that Coq proves, or as the extracted program's input (lattice.v).

One count is bounded at lambda = g^0, g^1, ..., and so at 1/g, ... too. The lowest polygon through these bounds is the
profile of a pair whose losses are multiples of log g: it dominates the count, and as many of it as counts change are
summed up in whole numbers. The grid and its knots are those of the certificate for ``check.py``, the blocks are not.
Below stands one dataset, the same in every round (``formal_minorant``).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from decimal import ROUND_CEILING, ROUND_FLOOR
from fractions import Fraction
from functools import cached_property
from itertools import count, pairwise
from typing import Any

from dpcalc import check
from dpcalc.certificates.coq import ROUNDS_FILE, frac, next_to, ratio, two
from dpcalc.certificates.formal_blocks import Block, covered
from dpcalc.certificates.formal_minorant import NO_END, LowerEnd
from dpcalc.certificates.whole_minorant import Minorant, highest, sequence
from dpcalc.certificates.whole_numbers import Precision, Setting
from dpcalc.certificates.whole_rounds import Lattice, between_powers, heights, mirrored, of_rounds
from dpcalc.errors import Undecided
from dpcalc.numbers.enclosure import Enclosure
from dpcalc.numbers.search import logarithm
from dpcalc.rounds.profile_bounds import bound
from dpcalc.worst.datasets import Datasets

_WIDER = Fraction(1, 10**9)
_SHARP = Fraction(1, 10**5)  # relative, of the bounds of one round
_SCALE = 48  # bits of 1/g
_NEAR = 40  # of the numbers next to powers of g
_LEAST_BITS, _GUARD = 96, 48  # of masses; besides those of delta
_SPARE = 10.0  # what lies beyond the rows is e^-10 of delta, if losses are as normal ones

#: A place among the points, and its coordinates.
_Corner = tuple[int, Fraction, Fraction]


@dataclass(frozen=True, slots=True)
class _Knot:
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
        given: n, k, q, and lam or epsilon, or delta where epsilon is asked for.
        times: how many rounds.
        categories: of a histogram; 0 of a single bit.
        most: so many counts of a round change at most.
        lower, upper: the ends of the answer; a lower end of 0 claims nothing.
        number_below, number_above: numbers at most and at least lambda, at the ends where they serve.
        series: terms of the exponential series.
        lattice: the pair above all datasets of one round.
        knots: the bounds that show that it is.
        minorant: the pair below one dataset.
    """

    given: dict[str, Fraction]
    times: int
    categories: int
    most: int
    lower: Fraction
    upper: Fraction
    number_below: Fraction
    number_above: Fraction
    series: int
    lattice: Lattice
    knots: list[_Knot]
    minorant: Minorant

    @property
    def what(self) -> str:
        """The question."""
        return "epsilon" if "delta" in self.given else "delta"

    @property
    def numbers(self) -> str:
        """One line for the extracted program: the claim, then the witness."""
        w, (n, k, q, x) = self.lattice, self.given.values()
        kind = [f"histogram_{self.what}", self.times, self.categories, self.most]
        found = kind if self.categories else [f"rounds_{self.what}", self.times]
        name = [] if self.what == "epsilon" else [list(self.given)[-1]]
        found = [*found, n, k, two(q), *name, two(x), two(self.lower), two(self.upper)]
        found += [two(self.number_below), two(self.number_above), self.series]
        found += [w.coarse, w.scale, w.fine, w.infinite, w.reach, w.ahead, w.behind]
        found += [len(w.of_loss), *w.of_loss, len(self.knots)]
        for one in self.knots:
            found += [two(one.near), one.bound, one.at.bits, one.at.faint]
            found += [len(one.blocks), *(end for block in one.blocks for end in block)]
        return " ".join(map(str, [*found, *sequence(self.minorant)])) + "\n"

    @property
    def coq(self) -> str:
        """A .v file."""
        w, x, (n, k, q, goal) = self.lattice, self.minorant, self.given.values()
        about = {"lam": f"(Lambda {ratio(goal)})", "epsilon": f"(Epsilon {ratio(goal)})", "delta": ratio(goal)}
        releases = f"Histograms {self.times} {self.categories} {self.most}" if self.categories else f"Bits {self.times}"
        asked = f"Rounds_{self.what} ({releases})%nat {n}%nat {k}%nat {ratio(q)} {about[list(self.given)[-1]]}"
        knots = [
            f"Knot {ratio(one.near)} {one.bound}\n"
            f"      [:: {'; '.join(f'({low}, {high})' for low, high in one.blocks)}]%nat"
            f" (Precision {one.at.bits} {one.at.faint})"
            for one in self.knots
        ]
        shares = (f"({first}%nat, [:: {'; '.join(map(str, part))}])" for first, part in x.shares)
        return ROUNDS_FILE.format(
            words=self.words, asked=f"{asked} {ratio(self.lower)} {ratio(self.upper)}",
            low=ratio(self.number_below), high=ratio(self.number_above), terms=self.series,
            grid=f"{w.coarse} {w.scale} {w.fine}", knots=";\n    ".join(knots),
            masses=";\n    ".join(map(str, w.of_loss)), infinite=w.infinite,
            reach=w.reach, ahead=w.ahead, behind=w.behind,
            along=f"{x.coarse} {x.scale} {x.fine}", named=x.named, bits=x.at.bits, faint=x.at.faint, cut=x.cut,
            shares=";\n    ".join(shares), made=";\n    ".join(map(str, x.made)), deepest=x.deepest,
            highest=highest(x, len(x.made)), level=x.level, before=x.before, after=x.after, statement=self.statement,
        )  # fmt: skip

    @property
    def words(self) -> str:
        """The claim in words."""
        about = ", ".join(f"{name} = {x}" for name, x in self.given.items())
        if self.categories:
            about = f"{self.categories} categories, of which at most {self.most} change: {about}"
        low, high = (check.shown(x, way) for x, way in ((self.lower, ROUND_FLOOR), (self.upper, ROUND_CEILING)))
        holds = {
            "delta": f"delta = {high} is enough, and no delta below {low} is (both rounded outward).",
            "epsilon": f"every epsilon from {high} on holds, none up to {low} does (both rounded outward).",
        }[self.what]
        return f"{self.times} rounds of {about}, every strategy:\n   {holds}"

    @property
    def ends(self) -> str:
        """Both in decimals, rounded outward."""
        least = f"at least {check.shown(self.lower, ROUND_FLOOR)}, " if self.lower else ""
        return f"{least}at most {check.shown(self.upper, ROUND_CEILING)}"

    @property
    def statement(self) -> str:
        """What the theorem says, in Coq's words."""
        n, k, q, x = self.given.values()
        promise, one_hot = f"DP_rounds {self.times}", ""
        if self.categories:
            counts = f"{self.times} {self.categories} {self.most}"
            promise, one_hot = "DP_histograms {} " + counts, f"(one_hot {self.categories} {self.most})"
        above, below = (f"{promise.format(allowed)} {n} {k} {frac(q)} lam" for allowed in ("predT", one_hot))
        low, high = frac(self.lower), frac(self.upper)
        if self.what == "epsilon":
            return (
                f"forall epsilon lam : R, is_exp epsilon lam ->\n"
                f"  ({high} <= epsilon -> {above} {frac(x)}) /\\\n  (0 < epsilon <= {low} -> ~ {below} {frac(x)})"
            )
        limit = f"lam = {frac(x)}" if "lam" in self.given else f"is_exp {frac(x)} lam"
        return (
            f"forall lam : R, {limit} ->\n  {above} {high} /\\\n"
            f"  (forall delta : R, 0 <= delta -> {below} delta -> {low} <= delta)"
        )


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
    bits = {"n": Fraction(kind.whole("n")), "k": Fraction(kind.whole("k")), "q": kind.number("q")}
    given = bits | {name: asked.number(name) for name in ("lam", "epsilon", "delta") if name in asked}
    upper, times, counts = answer.number("upper"), kind.whole("times", 1, default=1), check.counts(kind)
    limit = ("epsilon", upper) if "delta" in given else list(given.items())[-1]
    low, terms = next_to(*limit, above=False)
    grid = _Grid(bits, given.get("delta", upper), file.number("grid"), [x.whole("step") for x in shown.parts("knots")])
    lattice, top = grid.composed(low, counts)
    if "delta" not in given and upper < top <= upper * (1 + _WIDER):
        upper *= 1 + _WIDER
    if top > given.get("delta", upper):
        raise Undecided("the upper end was not found to hold", Enclosure.of(upper))
    below = LowerEnd(Setting(int(bits["n"]), int(bits["k"]), bits["q"], Fraction(1)), counts, given.get("delta"), limit)
    lower, high, more, minorant = below.shown(upper) if _reached(kind) else NO_END
    categories = kind.whole("categories") if "categories" in kind else 0
    return FormalRounds(
        given, times, categories, counts // times, lower, upper, low, high, max(terms, more), lattice, grid.knots,
        minorant,
    )  # fmt: skip


def _reached(kind: check.Entries) -> bool:
    """Whether one dataset can do its worst in all counts that change: of a bit, and of one-hot records."""
    return "categories" not in kind or kind.whole("ones", default=1) == 1


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
    def knots(self) -> list[_Knot]:
        """A bound of one round for j = 0, 1, ..., last: of 1 where j is no step."""
        anything = _Knot(Fraction(1), self._empty.one, [], Precision(0, 0))
        return [self._knot(j) if j in self.steps else anything for j in range(self.last + 1)]

    def _knot(self, j: int) -> _Knot:
        near, one = Fraction(math.floor(self._power(j) * 2**_NEAR), 2**_NEAR), self._empty.one
        n, k, q = int(self.given["n"]), int(self.given["k"]), self.given["q"]
        goal = bound(Datasets(q, k, n - 1), Fraction(logarithm(near)), _SHARP)[0] * (1 + _SHARP)
        at, top, blocks = covered(Setting(n, k, q, near), goal, Enclosure.of(self.goal), len(self.steps))
        return _Knot(near, min(math.ceil(top * one), one), blocks, at)

    def composed(self, low: Fraction, counts: int) -> tuple[Lattice, Fraction]:
        """The pair, with rows so long that more of them show no more, and the bound of so many rounds."""
        lattice = self.placed(low, counts)
        while (top := between_powers(lattice, low, of_rounds(lattice, counts))) > self.goal:
            if min(lattice.ahead, lattice.behind) >= counts * self.last:
                break
            wider = 2 * max(lattice.ahead, lattice.behind)
            lattice = replace(lattice, ahead=wider, behind=wider)
        return lattice, top

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
