r"""The witness of rounds and histograms: bounds of one round's delta at a few lambda, and the grid that composes them.

delta is a convex function of lambda. So the chords through upper bounds at lambda = g^j are upper bounds in between,
for all datasets of one round and in both directions. The chords are the privacy profile of a pair whose losses are
multiples of log g. T such pairs are composed by multiplying polynomials (proof notes, C1 to C6 and C9). Each bound is a
claim about single bits, with the blocks that prove it (``witness``), or about noise or a fleet, which need no witness.

Only the end that promises privacy is certified: an upper bound of delta, epsilon, q and n, a lower bound of the number
of rounds. These few chords cost 1 to 20 % of delta, and the end is moved outward for them. For rounds of noise delta is
also bounded from below, by the delta of the counts' sum. All choices made here only steer: the checker proves them.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from typing import Any

from dpcalc import check
from dpcalc.certificates.questions import Asked
from dpcalc.certificates.witness import Part, Witnesses
from dpcalc.errors import Undecided
from dpcalc.families.bits import Bits, upper
from dpcalc.families.table import family
from dpcalc.mechanisms.response import KRandomization
from dpcalc.numbers.ball import working_precision
from dpcalc.numbers.decimal import rounded
from dpcalc.numbers.limit import Limit
from dpcalc.numbers.search import logarithm
from dpcalc.pairs.family import Progress
from dpcalc.rounds.composed import Composed
from dpcalc.rounds.joint import Joint

_RTOL = 0.06  # relative width of delta on the composed lattice; the chords of every round add to it
_FINE = 0.001  # the same for noise, whose bounds are quick
_SPARE = Fraction(1, 20)  # a parameter is first moved outward until delta has changed by about this share
_TRIES, _FARTHER = 8, Fraction(3, 2)  # each further try moves it farther by this factor
_DIGITS = 6  # decimal digits of an end that is moved
_SHORT = 24  # bits of g - 1, so that powers of g are short rationals
_GUARD = 40  # bits of precision, besides those of delta
_GONE = 1e4  # the first window leaves out about delta divided by this; it is widened ...
_ENOUGH = Fraction(999, 1000)  # ... while that makes delta smaller by more than this factor
_WIDEST = 20_000  # the widest window: polynomials with more terms take minutes to be multiplied
_SHARE = Fraction(1, 4)  # of the width that the lattice asks of a single bound: there, bounds are usually much sharper
_NOT_NEAR = "nothing near the answer"
_FEW = 4  # the lower end may take a quarter of the checker's work

#: The ends that are shown, and the other entries of the document.
Shown = tuple[dict[str, Fraction], Part]


def composed(about: Asked, found: Any, progress: Progress | None = None) -> Shown:
    """The ends that can be shown, and their witness.

    Args:
        about: the question.
        found: its answer.
        progress: called now and then with the share of the bounds of single rounds that are found.

    Raises:
        Undecided, check.Unproven: none was found, or checking it would take too long.
    """
    end = "lower" if about.unknown == "times" else "upper"
    goal = found.upper if about.what == "delta" else about.target
    check.need(
        goal > 0, "of rounds, only the sum of the local epsilons shows that delta is 0, and it has no certificate"
    )
    if about.what == "delta":
        asked, noise = about.at(None), all("noise" in kind for kind in about.at(None).parts("rounds"))
        width = float((goal / found.lower - 1) / 4) if found.lower else _RTOL
        shown = _Composition(about, None, goal, progress, max(_FINE if noise else _RTOL, width))
        top = shown.bounded(asked)
        check.need(top <= 2 * goal, _NOT_NEAR)
        below = _below(asked, found.lower, shown.bits) if noise else {}
        return {**below, "upper": goal if top <= goal else short(top, 1)}, shown.part
    made = None
    for x in _outward(about, getattr(found, end)):
        if made is None or about.unknown in ("q", "n"):
            made = _Composition(about, x, goal, progress)
        if made.bounded(about.at(x)) <= goal:
            return {end: x}, made.part
    raise check.Unproven(_NOT_NEAR)


def _below(asked: check.Entries, lower: Fraction, bits: int) -> dict[str, Fraction]:
    """The lower end of rounds of noise, from the sum of their counts; none if it is below half of the answer's."""
    try:
        with check.metered(check.WORK // _FEW):
            check.exam.bits = bits
            found = check.from_below(asked, asked)
    except check.Unproven:  # too much work
        return {}
    return {"lower": min(lower, found)} if 0 < lower <= 2 * found else {}


def _outward(about: Asked, end: Fraction) -> Iterator[Fraction]:
    """Ends further and further out, to make up for what the chords lose: delta is smaller there."""
    if about.unknown == "times":
        yield from (end - i for i in range(min(int(end), _TRIES + int(end / 10))))
        return
    share = _SPARE / max(1, round(-logarithm(about.target)))  # delta changes more than a parameter, by this factor
    for i in range(_TRIES if end else 1):  # an epsilon of 0 cannot be moved by a share of itself
        x = end * (1 + share * _FARTHER**i)
        yield Fraction(math.ceil(x)) if about.unknown == "n" else short(x, 1)


def short(x: Fraction, way: int) -> Fraction:
    """The next short decimal upward, way = 1, or downward, way = -1; 0 if x is not above 0."""
    return Fraction(rounded(x, _DIGITS, way)) if x > 0 else Fraction(0)


@dataclass(frozen=True)
class _Composition:
    """The witness of rounds, made for one value of the unknown.

    Attributes:
        about: the question.
        x: the value of the unknown; None where nothing is solved for.
        goal: delta is about that.
        progress: called with the share of the bounds that are found.
        rtol: the relative width of delta on the lattice.
        works: the work that the checker is charged for each bound.
    """

    about: Asked
    x: Fraction | None
    goal: Fraction
    progress: Progress | None
    rtol: float = _RTOL
    works: list[int] = field(default_factory=list)

    def bounded(self, asked: check.Entries) -> Fraction:
        """The checker's upper bound of delta, of the same rounds at another value of the unknown."""
        check.exam.bits = self.bits
        pairs = [replace(pair, window=self._window) for pair, _ in self._rounds]
        return check.composed(asked, pairs, self._g)

    @property
    def part(self) -> Part:
        """The entries of the document."""
        rounds = [{"knots": knots} for _, knots in self._rounds]
        return Part(bits=self.bits, grid=check.written(self._g), window=self._window, rounds=rounds)

    @cached_property
    def _rounds(self) -> list[tuple[check.Losses, list[Part]]]:
        """For each kind of round a pair that dominates all its datasets, and the corners of that pair's profile."""
        if self._narrowest > _WIDEST:
            raise Undecided(f"{self._joint.total:,} rounds would take too long to be checked")
        check.need(self._g.numerator < check.FINEST, "losses so near to 0 have none")
        found = []
        number = sum(len(self._knots(count)) for _, count, _ in self._kinds if isinstance(count, KRandomization))
        for kind, count, _ in self._kinds:
            if isinstance(count, KRandomization):
                points, knots = self._bounds(kind, count, number)
            else:  # noise and fleets need no witness
                knots = {step: Part(step=step) for step, _ in self._knots(count)}
                lambdas = {step: check.round_at(kind, self._g, step) for step in knots}
                points = {step: check.rounded(check.bounded(at, kind)) for step, at in lambdas.items()}
            pair = check.chords(points, self._g, self._narrowest)
            steps = [step for step in sorted(points) if pair.masses[step - pair.first]]  # the corners of the hull
            check.need(bool(steps), "of some round every outcome gives the change away: its delta is 1")
            found.append((pair, [knots[step] for step in steps]))
        return found

    @property
    def _narrowest(self) -> int:
        """Losses in this window suffice if the sum of all losses is about normal."""
        variance, step = self._joint.spread**2, float(self._lattice.step)
        far = math.sqrt(2 * (math.log(_GONE) - logarithm(self.goal)))
        return math.ceil((variance / 2 + far * math.sqrt(variance)) / step)

    @cached_property
    def _window(self) -> int:
        """A window so wide that losses beyond it do not matter."""
        window, before = self._narrowest, Fraction(2)
        while True:
            pairs = [replace(pair, window=window) for pair, _ in self._rounds]
            top = check.composed(self.about.at(self.x), pairs, self._g)
            if top > before * _ENOUGH or 5 * window > 4 * _WIDEST:
                return window
            window, before = window * 5 // 4 + 1, top

    def _bounds(
        self, kind: check.Entries, bits: KRandomization, number: int
    ) -> tuple[dict[int, Fraction], dict[int, Part]]:
        """Upper bounds of one round's delta at steps of the grid, and their proofs; ``works`` gets the work of each."""
        points, knots = dict[int, Fraction](), dict[int, Part]()
        for step, width in self._knots(bits):
            self._go_on(number)
            law = check.law_of(check.round_at(kind, self._g, step))
            near = upper(Bits.of(bits), Limit.exp(step * self._lattice.step), width)
            goal = near * (1 + width * _SHARE)
            shown = Witnesses(law, goal).covered()
            points[step], knots[step] = check.rounded(shown.top), Part(step=step, blocks=shown.blocks)
            self.works.append(shown.work)
        return points, knots

    def _go_on(self, number: int) -> None:
        """Report progress; refuse as soon as checking would foreseeably take too long."""
        done = len(self.works)
        if self.progress:
            self.progress(done / number)
        if sum(self.works) * (done + number) > 2 * done * check.WORK:  # each later one takes half of the average
            largest = max(count.n for _, count, _ in self._kinds if isinstance(count, KRandomization))
            raise Undecided(
                f"a certificate of rounds or categories at n = {largest:,} would take too long to be checked; "
                "one of a single bit in a single round takes seconds"
            )

    @cached_property
    def _kinds(self) -> list[tuple[check.Entries, Any, int]]:
        """For each kind of round: its question at x, one of its counts, and how many counts one record changes."""
        kinds = self.about.at(self.x).parts("rounds")
        counts = [_bits(kind) if "q" in kind else self.about.kinds[i][0] for i, kind in enumerate(kinds)]
        return [(kind, count, check.counts(kind)) for kind, count in zip(kinds, counts, strict=True)]

    def _knots(self, count: Any) -> list[tuple[int, Fraction]]:
        """The steps at which delta of a count is bounded, and the relative width of each bound."""
        return self._lattice.knots[[one.family == family(count) for one, _ in self._lattice.rounds].index(True)]

    @cached_property
    def _joint(self) -> Joint:
        return Joint(tuple((count, times) for _, count, times in self._kinds), False)

    @cached_property
    def _lattice(self) -> Composed:
        (side,) = self._joint.profile(self.about.limit(self.x).steer(), self.rtol).sides
        with working_precision(side.bits):
            _ = side.knots  # kept, with the step: at fewer bits losses next to 0 are not told apart
        return side

    @cached_property
    def _g(self) -> Fraction:
        step = self._lattice.step
        unit = Fraction(2) ** (math.floor(math.log2(step)) - _SHORT)
        return 1 + math.ceil(math.expm1(float(step)) / unit) * unit

    @property
    def bits(self) -> int:
        return max(128, _GUARD + math.ceil(-logarithm(self.goal) / math.log(2)))


def _bits(kind: check.Entries) -> KRandomization:
    return KRandomization(n=kind.whole("n"), q=kind.number("q"), k=kind.whole("k"))
