"""Equal rounds of a bit or a histogram as a theorem that Coq proves (lattice.v).

delta of one count is bounded at lambda = g^0, g^1, ..., and so at 1/g, ... too. The lower convex hull of these bounds
is the privacy profile of a pair whose losses are multiples of log g. The pair dominates the count; as many such pairs
as counts change are composed in whole numbers. The grid and its knots are those of the certificate for ``check.py``,
the blocks are not. The lower bound is that of one dataset, the same in every round (``formal_minorant``).
"""

from __future__ import annotations

import math
from dataclasses import replace
from fractions import Fraction
from itertools import count
from typing import Any

from dpcalc import check
from dpcalc.certificates.coq import SeveralRounds, Theorem, covered, frac, next_to, statement, widened
from dpcalc.certificates.formal_minorant import NO_END, lower_end
from dpcalc.certificates.whole_numbers import UNUSED, Knot, Lattice, Setting, between_powers, of_rounds
from dpcalc.errors import Undecided
from dpcalc.families.bits import Bits, upper
from dpcalc.numbers.enclosure import Enclosure
from dpcalc.numbers.limit import Limit
from dpcalc.numbers.search import logarithm

_SHARP = Fraction(1, 10**5)  # relative width of the bounds of one round
_SCALE = 48  # bits of 1/g
_NEAR = 40  # bits of the lower bounds of powers of g
_LEAST_BITS, _GUARD = 96, 48  # bits of masses at least, and besides those of delta
_ENOUGH = 1 - Fraction(1, 10**9)  # rows go on twice as far while that makes delta smaller by more than this factor


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
    if "delta" not in given:
        upper = widened(top, upper, 1)
    elif top > given["delta"]:
        raise Undecided("the upper end was not found to hold", Enclosure.of(upper))
    below = lower_end(once, counts, given.get("delta"), limit, upper) if _reached(kind) else NO_END
    lower, high, more, minorant = below
    kinds = f"{kind.whole('categories')} {counts // times}" if "categories" in kind else ""
    return Theorem(
        asked=asked, given=given, lower=lower, upper=upper, lambda_low=low, lambda_high=high, terms=max(terms, more),
        opening=f"Rounds_{asked['what']} ({f'Histograms {times} {kinds}' if kinds else f'Bits {times}'})%nat",
        statement=_statement(given, times, kinds, lower, upper), witness=SeveralRounds(lattice, minorant),
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


def _above(asked: Setting, counts: int, goal: Fraction, g: Fraction, steps: list[int]) -> tuple[Lattice, Fraction]:
    """A pair that dominates all datasets of one round, and the bound of delta of all rounds.

    Args:
        asked: n, k, q, and a lower bound of lambda.
        counts: how many counts change.
        goal: delta of all rounds is about that.
        g: the ratio of the certificate, which is rounded here.
        steps: the j >= 0 at which one round is bounded at lambda = g^j, rising.
    """
    fine = max(_LEAST_BITS, _GUARD + math.ceil(-logarithm(goal) / math.log(2)))
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
    while top > goal and top < before * _ENOUGH:
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
    return Knot(near, min(math.ceil(top * pair.one), pair.one), blocks, at)
