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
from collections.abc import Callable, Iterator
from dataclasses import replace
from fractions import Fraction
from functools import partial
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
_SEARCHED = 4  # a search is charged up to about so many times the work of its check
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
        bounded, part = _made(about, None, goal, progress, max(_FINE if noise else _RTOL, width))
        top = bounded(asked)
        check.need(top <= 2 * goal, _NOT_NEAR)
        below = _below(asked, found.lower, about.exam.bits) if noise else {}
        return {**below, "upper": goal if top <= goal else short(top, 1)}, part
    part = Part()
    for x in _outward(about, getattr(found, end)):
        if not part or about.unknown in ("q", "n"):
            bounded, part = _made(about, x, goal, progress)
        if bounded(about.at(x)) <= goal:
            return {end: x}, part
    raise check.Unproven(_NOT_NEAR)


def _below(asked: check.Entries, lower: Fraction, bits: int) -> dict[str, Fraction]:
    """The lower end of rounds of noise, from the sum of their counts; none if it is below half of the answer's."""
    try:
        part = check.Entries(check.Exam(bits, check.WORK // _FEW), asked)
        found = check.from_below(part, part)
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
        x = Fraction(math.ceil(x)) if about.unknown == "n" else short(x, 1)
        if about.unknown != "q" or x < Fraction(1, 2):
            yield x


def short(x: Fraction, way: int) -> Fraction:
    """The next short decimal upward, way = 1, or downward, way = -1; 0 if x is not above 0."""
    return Fraction(rounded(x, _DIGITS, way)) if x > 0 else Fraction(0)


def _made(
    about: Asked, x: Fraction | None, goal: Fraction, progress: Progress | None, rtol: float = _RTOL
) -> tuple[Callable[[check.Entries], Fraction], Part]:
    """The checker's upper bound of these rounds at any value of the unknown, and the witness, made for one value.

    Args:
        about: the question.
        x: the value of the unknown; None where nothing is solved for.
        goal: delta is about that.
        progress: called with the share of the bounds that are found.
        rtol: the relative width of delta on the lattice.
    """
    kinds = about.at(x).parts("rounds")
    counts: list[Any] = [
        KRandomization(n=kind.whole("n"), q=kind.number("q"), k=kind.whole("k")) if "q" in kind else about.kinds[i][0]
        for i, kind in enumerate(kinds)
    ]
    joint = Joint(tuple((count, check.counts(kind)) for kind, count in zip(kinds, counts, strict=True)), False)
    (lattice,) = joint.profile(about.limit(x).steer(), rtol).sides
    with working_precision(lattice.bits):  # at fewer bits losses next to 0 are not told apart
        step, families = lattice.step, list[Any](one.family for one, _ in lattice.rounds)
        listed = [lattice.knots[families.index(family(count))] for count in counts]
    unit = Fraction(2) ** (math.floor(math.log2(step)) - _SHORT)
    g = 1 + math.ceil(math.expm1(float(step)) / unit) * unit
    far = math.sqrt(2 * (math.log(_GONE) - logarithm(goal)))
    window = math.ceil((joint.spread**2 / 2 + far * joint.spread) / float(step))  # if the losses are about normal
    if window > _WIDEST:
        raise Undecided(f"{joint.total:,} rounds would take too long to be checked")
    check.need(g.numerator < check.FINEST, "losses so near to 0 have none")
    about.exam.bits = max(128, _GUARD + math.ceil(-logarithm(goal) / math.log(2)))

    largest = max((kind.whole("n") for kind in kinds if "q" in kind), default=0)
    number = sum(len(knots) for kind, knots in zip(kinds, listed, strict=True) if "q" in kind)
    start, done = about.exam.spent, 0
    pairs, rounds = list[check.Losses](), list[Part]()
    for kind, count, steps in zip(kinds, counts, listed, strict=True):
        points, knots = dict[int, Fraction](), dict[int, Part]()
        for j, width in steps:
            asked, knots[j] = check.round_at(kind, g, j), Part(step=j)
            if "q" in kind:
                if progress:
                    progress(done / number)
                spent = about.exam.spent - start
                if done and spent * (done + number) > 2 * done * _SEARCHED * check.WORK:  # later ones take half of it
                    raise Undecided(
                        f"a certificate of rounds or categories at n = {largest:,} would take too long to be checked; "
                        "one of a single bit in a single round takes seconds"
                    )
                near = upper(Bits.of(count), Limit.exp(j * step), width)
                bound, knots[j]["blocks"] = Witnesses(check.law_of(asked), near * (1 + width * _SHARE)).covered()
                done += 1
            else:  # noise and fleets need no witness
                bound = check.bounded(asked, kind)
            points[j] = check.rounded(about.exam, bound)
        pairs.append(check.chords(about.exam, points, g, window))
        corners = [j for j in sorted(points) if pairs[-1].masses[j - pairs[-1].first]]
        check.need(bool(corners), "of some round every outcome gives the change away: its delta is 1")
        rounds.append({"knots": [knots[j] for j in corners]})

    before = Fraction(2)
    while (top := check.composed(about.at(x), pairs, g)) <= before * _ENOUGH and 5 * window <= 4 * _WIDEST:
        window, before = window * 5 // 4 + 1, top
        pairs = [replace(pair, window=window) for pair in pairs]
    part = Part(bits=about.exam.bits, grid=check.written(g), window=window, rounds=rounds)
    return partial(check.composed, pairs=pairs, g=g), part
