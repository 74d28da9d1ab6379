r"""The witness of rounds and histograms: what one round gives away at a few lambda, and the grid that composes them.

delta is a convex function of lambda, so that chords of upper bounds at lambda = g^j are upper bounds between them: of
all datasets of one round, in both directions. The chords are the profile of a pair whose losses are multiples of log g,
and T such pairs are composed by multiplying polynomials (proof notes, C1 to C6 and C9). Each bound
is a statement about single bits, with the blocks that prove it (``witness``).

Only the end that promises something is shown: delta, epsilon, q and n from above, the number of rounds from below. It
is moved outward by a percent or two where these few chords ask for it. Where to look is steering.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import Any

from dpcalc import check
from dpcalc.certificates.questions import Asked
from dpcalc.certificates.witness import Part, Witnesses
from dpcalc.errors import Undecided
from dpcalc.mechanisms.response import KRandomization
from dpcalc.numbers.enclosure import Enclosure
from dpcalc.numbers.limit import Limit
from dpcalc.numbers.search import logarithm
from dpcalc.rounds.bits_round import BitsRound
from dpcalc.rounds.composed import Composed
from dpcalc.rounds.joint import Joint
from dpcalc.rounds.profile_bounds import bound
from dpcalc.worst.datasets import Datasets

__all__ = ["Shown", "composed"]

_RTOL = 0.06  # of delta: the width of the lattice that is composed; what is shown is less than half of it above
_SPARE = Fraction(1, 20)  # of delta, by which a parameter is moved outward
_TRIES = 8
_DIGITS = 5  # after the first one, of what is moved
_SHORT = 24  # bits of g - 1: all powers of g are rationals
_LEAST_BITS = 128
_GUARD = 40  # bits, besides those of delta
_GONE = 1e4  # so many times less than delta may lie beyond the first window, which is made wider ...
_ENOUGH = Fraction(999, 1000)  # ... as long as that makes delta so much less
_WIDEST = 20_000  # window: polynomials of more terms take minutes to be multiplied
_SHARE = Fraction(1, 4)  # of the lattice's widths of single bounds, which are met much better there as a rule
_AGAIN = 8  # blocks twice as long as the last step's are tried, but envelopes, and the other way, every so many steps
_EARLY = 8  # so many bounds tell how much work all of them are ...
_LONGEST = 3 * check.WORK  # ... at most
_NOTHING = -1e12  # the logarithm of 0

#: The ends that are shown, and the other entries of the document.
Shown = tuple[dict[str, Fraction], Part]

#: A corner of the polygon: its step, None for (0, 1), its lambda and delta there.
Corner = tuple[int | None, Fraction, Fraction]


def composed(about: Asked, found: Any) -> Shown:
    """The end that can be shown, and its witness.

    Raises:
        Undecided: none was found, or it takes too long.
    """
    try:
        shown = _delta(about, found.upper) if about.what == "delta" else _solved(about, found)
    except check.Unproven as step:
        raise Undecided(f"no certificate was found: {step}", Enclosure(found.lower, found.upper)) from step
    if shown is None:
        raise Undecided("no certificate of nearly this answer was found", Enclosure(found.lower, found.upper))
    return shown


def _delta(about: Asked, upper: Fraction) -> Shown | None:
    if not upper:
        raise Undecided("that delta is 0 is shown by the sum of the local epsilons alone, for rounds")
    shown = _Composition(about.at(None), about.limit(None), upper)
    top = shown.bounded(about.at(None))
    return ({"upper": upper if top <= upper else _upward(top)}, shown.part) if top <= 2 * upper else None


def _solved(about: Asked, found: Any) -> Shown | None:
    if not about.target:
        raise Undecided("that delta is 0 is shown by the sum of the local epsilons alone, for rounds")
    end = "lower" if about.unknown == "times" else "upper"
    shown = None
    for x in _outward(about, getattr(found, end)):
        if shown is None or about.unknown in ("q", "n"):
            shown = _Composition(about.at(x), about.limit(x), about.target)
        if shown.bounded(about.at(x)) <= about.target:
            return {end: x}, shown.part
    return None


def _outward(about: Asked, end: Fraction) -> Iterator[Fraction]:
    """Ends that are a little further out: where delta is lower by about what the chords lose."""
    if about.unknown == "times":
        yield from (end - i for i in range(min(int(end), _TRIES + int(end / 10))))
        return
    if not end:  # an epsilon of 0 cannot be moved by a share of itself
        yield end
        return
    share = _SPARE / max(1, round(-logarithm(about.target)))  # delta moves so much more than they do
    for i in range(_TRIES):
        x = end * (1 + share * (1 + i))
        yield Fraction(math.ceil(x)) if about.unknown == "n" else _upward(x)


def _upward(x: Fraction) -> Fraction:
    """A short decimal."""
    unit = Fraction(10) ** (_DIGITS - math.floor(logarithm(x) / math.log(10)))
    return math.ceil(x * unit) / unit


@dataclass(frozen=True)
class _Composition:
    """The witness of rounds near one limit.

    Attributes:
        asked: the question, in the certificate's words.
        limit: its lambda or epsilon.
        goal: delta is about that.
    """

    asked: check.Entries
    limit: Limit
    goal: Fraction

    def bounded(self, asked: check.Entries) -> Fraction:
        """An upper bound of delta of the same rounds."""
        check.Disk.bits = self._bits
        return check.composed(asked, [replace(pair, window=self._window) for pair, _ in self._rounds], self._g)

    @property
    def part(self) -> Part:
        """What proves it."""
        rounds = [{"knots": knots} for _, knots in self._rounds]
        return Part(bits=self._bits, grid=check.written(self._g), window=self._window, rounds=rounds)

    @cached_property
    def _rounds(self) -> list[tuple[check.Losses, list[Part]]]:
        """The pair above all datasets of each kind, and the corners of its polygon."""
        if self._narrowest > _WIDEST:
            raise Undecided(f"{self._joint.total:,} rounds would take too long to be checked")
        found = []
        for kind, datasets, _ in self._kinds:
            points, blocks = self._bounds(kind, datasets)
            steps = _convex(points, self._g)
            pair = check.chords({step: points[step] for step in steps}, self._g, self._narrowest)
            found.append((pair, [Part(step=step, blocks=blocks[step]) for step in steps]))
        return found

    @property
    def _narrowest(self) -> int:
        """Beyond it lies little, if losses are as normal ones."""
        variance, step = self._joint.spread**2, float(self._lattice.step)
        far = math.sqrt(2 * (math.log(_GONE) - logarithm(self.goal)))
        return math.ceil((variance / 2 + far * math.sqrt(variance)) / step)

    @cached_property
    def _window(self) -> int:
        """So wide that what lies beyond does not matter."""
        window, before = self._narrowest, Fraction(2)
        while True:
            pairs = [replace(pair, window=window) for pair, _ in self._rounds]
            top = check.composed(self.asked, pairs, self._g)
            if top > before * _ENOUGH or 5 * window > 4 * _WIDEST:
                return window
            window, before = window * 5 // 4 + 1, top

    def _bounds(self, kind: check.Entries, datasets: Datasets) -> tuple[dict[int, Fraction], dict[int, list[Part]]]:
        """Upper bounds of delta of one round at steps of the grid, and their blocks."""
        points, found, starts = dict[int, Fraction](), dict[int, list[Part]](), list[int]()
        ways: tuple[bool, ...] = (False, True)
        before, knots = check.Meter.spent, self._knots(datasets)
        for step, width in knots:
            work = check.Meter.spent - before
            if len(points) >= _EARLY and work * len(knots) > _LONGEST * len(points):
                raise Undecided(
                    f"a certificate of rounds or categories at n = {datasets.others + 1:,} would take too long; "
                    "one of a single bit in a single round takes seconds"
                )
            law = check.law_at(kind, self._g, step)
            near = bound(datasets, step * self._lattice.step, width)[0]
            witnesses = Witnesses(law, Limit(law.least), logarithm(near) if near else _NOTHING)
            narrow, top, blocks = _cheapest(witnesses, ways, near * (1 + width * _SHARE), starts)
            points[step], found[step] = check.rounded(top), blocks
            ways = (narrow,) if len(points) % _AGAIN else (narrow, not narrow)
            rest = "envelope" if len(points) % _AGAIN else ""  # it takes long where it fails
            starts = [part["from"] for i, part in enumerate(blocks) if i % 2 == 0 or part["by"] == rest]
        return points, found

    @cached_property
    def _kinds(self) -> list[tuple[check.Entries, Datasets, int]]:
        """What is run, the pairs of one of its counts, and how many counts change in all its rounds."""
        found = []
        for kind in self.asked.parts("rounds"):
            n, q, k = kind.whole("n"), kind.number("q"), kind.whole("k")
            found.append((kind, Datasets(q, k, n - 1), check.counts(kind)))
        return found

    def _knots(self, datasets: Datasets) -> list[tuple[int, Fraction]]:
        """Where delta of one kind is bounded, and how sharply."""
        kinds = [one for one, _ in self._joint.each]
        return self._lattice.knots(kinds.index(BitsRound(datasets)))

    @cached_property
    def _joint(self) -> Joint:
        kinds = [(KRandomization(n=x.others + 1, q=x.q, k=x.k), times) for _, x, times in self._kinds]
        return Joint(tuple(kinds), False)

    @cached_property
    def _lattice(self) -> Composed:
        (side,) = self._joint.profile(self.limit.steer(), _RTOL).sides
        return side

    @cached_property
    def _g(self) -> Fraction:
        step = self._lattice.step
        unit = Fraction(2) ** (math.floor(math.log2(step)) - _SHORT)
        return 1 + math.ceil(math.expm1(float(step)) / unit) * unit

    @property
    def _bits(self) -> int:
        return max(_LEAST_BITS, _GUARD + math.ceil(-logarithm(self.goal) / math.log(2)))


def _cheapest(
    witnesses: Witnesses, ways: tuple[bool, ...], goal: Fraction, starts: list[int]
) -> tuple[bool, Fraction, list[Part]]:
    """By narrow blocks or not, what is found with the least work: whether they are narrow, the bound and the blocks."""
    meter, allowed, best = check.Meter, check.Meter.most, (ways[0], Fraction(2), list[Part]())
    for narrow in ways:
        before, most, meter.most = meter.spent, meter.most, allowed
        try:
            top, blocks = replace(witnesses, narrow=narrow).covered(goal, starts=starts)
        except check.Unproven:  # too much work
            if narrow is ways[0]:
                raise
            break
        finally:
            meter.most = most
        if top <= goal or top < best[1]:
            best = narrow, top, blocks
        if top <= goal:
            allowed = min(most, 2 * meter.spent - before)  # for the other way as much
    return best


def _convex(points: dict[int, Fraction], g: Fraction) -> list[int]:
    """The steps at which the lowest polygon has its corners: chords over the others are below them, and bounds."""
    corners: list[Corner] = [(None, Fraction(0), Fraction(1))]
    corners += [(step, *at) for step, at in check.polygon(points, g).items()]
    kept: list[Corner] = []
    for corner in corners:
        while len(kept) > 1 and _slope(kept[-1], corner) <= _slope(kept[-2], kept[-1]):
            kept.pop()
        kept.append(corner)
    while _slope(kept[-2], kept[-1]) >= 0:
        kept.pop()
    return [step for step, _, _ in kept if step is not None and step >= 0]


def _slope(a: Corner, b: Corner) -> Fraction:
    return (b[2] - a[2]) / (b[1] - a[1])
