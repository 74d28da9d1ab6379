"""Equal rounds of a bit or a histogram as a theorem that Coq proves (lattice.v).

delta of one count is bounded at lambda = g^0, g^1, ..., and so at 1/g, ... too. The lower convex hull of these bounds
is the privacy profile of a pair whose losses are multiples of log g. The pair dominates the count; as many such pairs
as counts change are composed in whole numbers. The grid and its knots are those of the certificate for ``check.py``,
the blocks are not. The lower bound is that of one dataset, the same in every round (``formal_minorant``).
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from itertools import count, pairwise
from typing import Any

from dpcalc import check
from dpcalc.certificates.composition import lower_hull, slope
from dpcalc.certificates.coq import RoundKnot, RoundsWitness, Theorem, frac, next_to, statement, widened
from dpcalc.certificates.formal_blocks import covered
from dpcalc.certificates.formal_minorant import NO_END, extent, lower_end
from dpcalc.certificates.whole_numbers import UNUSED, Setting
from dpcalc.certificates.whole_rounds import Lattice, between_powers, heights, mirrored, of_rounds
from dpcalc.errors import Undecided
from dpcalc.families.profile_bounds import bound
from dpcalc.numbers.enclosure import Enclosure
from dpcalc.numbers.search import logarithm
from dpcalc.worst.datasets import Datasets

_SHARP = Fraction(1, 10**5)  # relative width of the bounds of one round
_SCALE = 48  # bits of 1/g
_NEAR = 40  # bits of the lower bounds of powers of g
_LEAST_BITS, _GUARD = 96, 48  # bits of masses at least, and besides those of delta
_SPARE = 10.0  # the rows leave out about e^-10 of delta, if the sum of losses is about normal


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
    grid = _Grid(bits, given.get("delta", upper), file.number("grid"), [x.whole("step") for x in shown.parts("knots")])
    lattice, top = grid.composed(low, counts)
    if "delta" not in given:
        upper = widened(top, upper, 1)
    elif top > given["delta"]:
        raise Undecided("the upper end was not found to hold", Enclosure.of(upper))
    once = Setting(int(bits["n"]), int(bits["k"]), bits["q"], Fraction(1))
    below = lower_end(once, counts, given.get("delta"), limit, upper) if _reached(kind) else NO_END
    lower, high, more, minorant = below
    kinds = f"{kind.whole('categories')} {counts // times}" if "categories" in kind else ""
    what, about = str(asked["what"]), ", ".join(f"{name} = {x}" for name, x in given.items())
    if kinds:
        about = f"{kind.whole('categories')} categories, of which at most {counts // times} change: {about}"
    return Theorem(
        what=what, given=given, lower=lower, upper=upper, lambda_low=low, lambda_high=high, terms=max(terms, more),
        opening=f"Rounds_{what} ({f'Histograms {times} {kinds}' if kinds else f'Bits {times}'})%nat",
        about=f"{times} rounds of {about}, every strategy",
        statement=_statement(given, times, kinds, lower, upper), witness=RoundsWitness(lattice, grid.knots, minorant),
    )  # fmt: skip


def _statement(given: dict[str, Fraction], times: int, kinds: str, lower: Fraction, upper: Fraction) -> str:
    """The theorem in Coq's words."""
    n, k, q, x = given.values()
    promises = [f"DP_rounds {times}"] * 2
    if kinds:
        promises = [f"DP_histograms {allowed} {times} {kinds}" for allowed in ("predT", f"(one_hot {kinds})")]
    above, below = (f"{promise} {n} {k} {frac(q)} lam" for promise in promises)
    return statement(list(given)[-1], x, lower, upper, above, below, delta="0 <= delta -> ")


def _reached(kind: check.Entries) -> bool:
    """Whether one dataset can be the worst in all counts that change: so for single bits and for one-hot records."""
    return "categories" not in kind or kind.whole("ones", default=1) == 1


@dataclass(frozen=True)
class _Grid:
    """Bounds of one round at g^j, for some steps j, and the pair that they make: it dominates all datasets.

    Attributes:
        given: n, k, q.
        goal: delta of all rounds is about that.
        ratio: the g of the certificate, which is rounded here.
        steps: the j >= 0, rising.
    """

    given: dict[str, Fraction]
    goal: Fraction
    ratio: Fraction
    steps: list[int]

    @property
    def last(self) -> int:
        """The last step."""
        return self.steps[-1]

    @cached_property
    def _empty(self) -> Lattice:
        """The lattice without its masses: only the step and the units."""
        fine = max(_LEAST_BITS, _GUARD + math.ceil(-logarithm(self.goal) / math.log(2)))
        return Lattice(math.floor(2**_SCALE / self.ratio), _SCALE, fine, [], 0, 0, 0, 0)

    def _power(self, j: int) -> Fraction:
        return Fraction(1 << _SCALE, self._empty.coarse) ** j

    @cached_property
    def knots(self) -> list[RoundKnot]:
        """A bound of one round for each j = 0, 1, ..., last: where j is no step, the bound is 1."""
        anything = RoundKnot(Fraction(1), self._empty.one, [], UNUSED)
        return [self._knot(j) if j in self.steps else anything for j in range(self.last + 1)]

    def _knot(self, j: int) -> RoundKnot:
        near, one = Fraction(math.floor(self._power(j) * 2**_NEAR), 2**_NEAR), self._empty.one
        n, k, q = int(self.given["n"]), int(self.given["k"]), self.given["q"]
        goal = bound(Datasets.symmetric(q, k, n - 1), Fraction(logarithm(near)), _SHARP)[0] * (1 + _SHARP)
        at, top, blocks = covered(Setting(n, k, q, near), goal, Enclosure.of(self.goal), len(self.steps))
        return RoundKnot(near, min(math.ceil(top * one), one), blocks, at)

    def composed(self, low: Fraction, counts: int) -> tuple[Lattice, Fraction]:
        """The pair, with rows so long that longer ones would not help, and the bound of delta of all rounds."""
        lattice = self.placed(low, counts)
        while (top := between_powers(lattice, low, of_rounds(lattice, counts))) > self.goal:
            if min(lattice.ahead, lattice.behind) >= counts * self.last:
                break
            wider = 2 * max(lattice.ahead, lattice.behind)
            lattice = replace(lattice, ahead=wider, behind=wider)
        return lattice, top

    def placed(self, low: Fraction, counts: int) -> Lattice:
        """The pair, with the first choice of its rows, for a lambda close to ``low``."""
        dominating, units = self._dominating, self._empty.one
        most, losses = counts * self.last, [x / units for x in dominating.of_loss]
        mean, spread = extent(losses, -self.last, counts, _SPARE - logarithm(self.goal))
        ahead, far = min(most, math.ceil(spread)), min(most, math.ceil(mean + spread))
        reach = next(j for j in count() if self._power(j + 1) >= low)
        return replace(dominating, reach=reach, ahead=ahead, behind=max(1, far - reach))

    @cached_property
    def _dominating(self) -> Lattice:
        """The pair whose privacy profile is the lower convex hull of the bounds."""
        bounds = mirrored(self._empty, [one.bound for one in self.knots])
        points = ((j, y) for j, y in enumerate(bounds, -self.last) if abs(j) in self.steps)
        start = (-1, Fraction(0), Fraction(self._empty.one))
        corners = lower_hull([start, *((j, self._power(j), Fraction(y)) for j, y in points)])
        slopes = [slope(a, b) for a, b in pairwise(corners)] + [Fraction(0)]
        masses = [0] * len(bounds)
        for (j, x, _), (before, after) in zip(corners[1:], pairwise(slopes), strict=True):
            masses[self.last + j] = max(0, math.ceil(x * (after - before)))
        spare = 4 * len(masses)  # covers the roundings in heights and mirror images
        found = replace(self._empty, of_loss=masses, infinite=bounds[-1] + spare)
        at_0, *at_knots = heights(found)
        looked_at = [i for i, x in enumerate(masses) if x or i + 1 == len(masses)]
        if at_0 < found.one or any(at_knots[i] < bounds[i] for i in looked_at):
            raise Undecided("the pair was not found to dominate one round", Enclosure.of(self.goal))
        return found
