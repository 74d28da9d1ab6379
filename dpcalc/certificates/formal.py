r"""A certificate as a theorem that Coq proves: ``python -m dpcalc.certificates.formal q.json > q.v``.

The .v file states the promise by the definition of differential privacy (notebooks/formal/model.v). Its proof is that
``accept``, a program in whole numbers, accepts the witness; ``accept_sound`` proves that this is enough. The extracted
program reads the same file. A claim that is too narrow is widened by one part in 10^9, or refused, before Coq sees it.

The blocks differ from those of the certificate: Coq's checker knows no circles and no envelopes, only ranges of
datasets. e^epsilon is no fraction: ``next_to`` finds fractions on either side of it.

*Rounds* (lattice.v). delta of one count is bounded at lambda = g^0, g^1, ..., and so at 1/g, ... too. The lower convex
hull of these bounds is the privacy profile of a pair whose losses are multiples of log g. The pair dominates the count;
as many such pairs as counts change are composed in whole numbers. The grid and its knots are those of the certificate.

The certificate of rounds claims no lower end, so the theorem has none: it is 0. The checker would accept one (below.v).
"""

from __future__ import annotations

import argparse
import json
import math
import sys
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from functools import partial
from itertools import count
from typing import Any

from dpcalc import check
from dpcalc.certificates import coq
from dpcalc.certificates.coq import (
    EXACTLY,
    NOTHING,
    UNUSED,
    Block,
    Knot,
    Lattice,
    Precision,
    RoundsWitness,
    RoundWitness,
    Setting,
    Theorem,
)
from dpcalc.errors import DomainError, DpcalcError, Undecided
from dpcalc.families.bits import Bits, upper
from dpcalc.numbers.enclosure import Enclosure
from dpcalc.numbers.limit import Limit
from dpcalc.numbers.search import last_where, logarithm

_LAMBDA = 80  # bits of the denominator of a bound of e^epsilon; at least twice those of epsilon's
_TERMS = 1000  # of the exponential series, at most
_WIDER = Fraction(1, 10**9)  # the share by which an end is moved outward at most
_FEW = 400  # up to so many reports everything is exact
_SPARE = 50  # bits of precision, besides those of delta
_NARROW = Fraction(1, 10**12)  # relative width of bounds of delta, and far more than what is cut
_STEPS = 10**9  # all laws together may have so many masses
_SHARP = Fraction(1, 10**5)  # relative width of the bounds of one of several rounds
_SCALE, _NEAR = 64, 40  # bits of 1/g, and of the lower bounds of powers of g
_GUARD = 96  # bits of masses, besides those of delta
_ENOUGH = Fraction(1, 10**9)  # rows go on twice as far while that makes delta smaller by more than this share

_KINDS = ("delta", "epsilon", "least_q", "least_n", "most_k")
_GIVEN = ("n", "k", "q", "delta", "lam", "epsilon")
#: The entries of a question, and of its noise, that Coq's checker knows; and those of rounds of it.
_KNOWN = {"what", *_GIVEN, "noise", "sensitivity", "weights", "chance", "trials", "ratio", "bound"}
_ALIKE = {"n", "q", "k", "times", "categories", "ones", "neighbours"}


def formalized(asked: dict[str, Any]) -> str:
    """The name of a question that Coq's checker knows.

    Raises:
        DomainError: it does not know this one.
    """
    what, noise, kinds = str(asked.get("what")), asked.get("noise", {}), asked.get("rounds", ())
    others = sorted({*asked, *noise} - _KNOWN) + ["ratio without bound"] * ("ratio" in noise and "bound" not in noise)
    if what in ("delta", "epsilon") and len(kinds) == 1 and set(kinds[0]) <= _ALIKE:
        return what
    if what not in _KINDS or others:
        about = f"{what} with {', '.join(others)}" if others else what
        allowed = f"one of {', '.join(_KINDS)}, for single bits and all datasets"
        raise DomainError("certificate", about, f"{allowed}; delta or epsilon of noise or of equal rounds")
    return what


def formal(document: dict[str, Any]) -> Theorem:
    """The theorem of a certificate, with a witness that Coq's checker will accept.

    Args:
        document: a certificate of delta, epsilon, least_q, least_n or most_k for single bits in one round, of delta or
            epsilon for a noisy count or for equal rounds of a bit or a histogram.

    Raises:
        DomainError: a certificate of something else.
        Undecided: the claim is too narrow, or there are too many reports.
    """
    file = check.Entries(check.Exam(), document)
    asked, answer = file.part("question"), file.part("answer")
    what = formalized(asked)
    return _rounds(asked, answer, file) if "rounds" in asked else _one_round(what, asked, answer, file)


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the .v file of a certificate; returns the exit status."""
    parser = argparse.ArgumentParser(prog="python -m dpcalc.certificates.formal", description="A theorem for Coq.")
    parser.add_argument("certificate", help="a certificate, as --certificate writes it")
    options = parser.parse_args(arguments)
    try:
        data = check.read(options.certificate)
        accepted, said = check.examined(data)
        check.need(accepted, said)
        found = formal(json.loads(data))
    except (DpcalcError, check.Unproven) as reason:
        print(f"error: {reason}", file=sys.stderr)
        return 2
    sys.stdout.write(found.coq)
    return 0


# --- one round -------------------------------------------------------------------------------------------------------


def _one_round(what: str, asked: check.Entries, answer: check.Entries, file: check.Entries) -> Theorem:
    given = {name: asked.number(name) for name in _GIVEN if name in asked}
    lower, upper = answer.number("lower"), answer.number("upper")
    if what == "least_n" and lower <= 1:
        lower = Fraction(0)
    holds, fails = (lower, upper) if what == "most_k" else (upper, lower)
    low, terms = next_to(*_limit(what, given, holds), above=False)
    high, more = next_to(*_limit(what, given, fails), above=True)
    exact, opening = False, "Epsilon_of" if what == "epsilon" else what.capitalize()
    named, blocks, at = 0, list[Block](), UNUSED
    if "noise" in asked:  # no witness is needed, and Coq finds the same
        (_, top), (found, _) = check.noisy(asked, low), check.noisy(asked, high)
        opening = f"Noise_{what} {coq.term(check.weights(asked.part('noise')))} {asked.whole('sensitivity')}"
    else:
        named = file.part("dataset").whole("m") if "dataset" in file else 0
        at, top, blocks = covered(_setting(what, given, holds, low), given.get("delta", upper), Enclosure(lower, upper))
        setting, exact = _setting(what, given, fails, high), "lam" in given and at is EXACTLY
        found = _delta(setting, named, setting.n - 1 - named).lower if fails > 0 else Fraction(0)
        top, found = top * (1 + _NARROW), found * (1 - _NARROW)  # Coq's are between
    least, most = (lower, upper) if what == "delta" else (given["delta"] if fails > 0 else Fraction(0), given["delta"])
    if top > most * (1 + _WIDER) or found < least * (1 - _WIDER):
        raise Undecided("an end was not found to hold, or to fail", Enclosure(lower, upper))
    if what == "delta" and not exact:
        upper, lower = upper * (1 + _WIDER * (top > upper)), lower * (1 - _WIDER * (found < lower))
    return Theorem(asked, opening, given, lower, upper, RoundWitness(low, high, max(terms, more), named, blocks, at))


def _limit(what: str, given: dict[str, Fraction], end: Fraction) -> tuple[str, Fraction]:
    """The name and the value of lam or epsilon, whichever is given or solved for, at an end of the answer."""
    return ("epsilon", end) if what == "epsilon" else next((x, given[x]) for x in ("lam", "epsilon") if x in given)


def _setting(what: str, given: dict[str, Fraction], end: Fraction, lam: Fraction) -> Setting:
    at = {**given, what.partition("_")[2]: end}
    return Setting(int(at["n"]), int(at["k"]), at["q"], lam)


def next_to(name: str, x: Fraction, *, above: bool) -> tuple[Fraction, int]:
    """A fraction above or below lambda, close to it, and how many terms of the exponential series show that.

    Args:
        name: lam or epsilon.
        x: its value.
        above: whether the fraction is at least lambda, or at most.

    Raises:
        DomainError: epsilon is too large for so few terms.
    """
    if name == "lam":
        return x, 0
    unit = 1 << max(_LAMBDA, 2 * x.denominator.bit_length())
    terms, last = 1, Fraction(1)
    while 2 * x > terms + 1 or last * unit > 1:
        last, terms = last * x / terms, terms + 1
        if terms > _TERMS:
            raise DomainError("epsilon", x, f"an epsilon for which {_TERMS} terms of the exponential series are enough")
    if above:
        return Fraction(math.ceil(horner(x, terms, 2) * unit), unit), terms
    return Fraction(math.floor(horner(x, terms, 1) * unit), unit), terms


def horner(x: Fraction, terms: int, rest: int) -> Fraction:
    """The first ``terms`` terms of the exponential series, and ``rest`` times the next one."""
    found = Fraction(rest)
    for i in range(terms, 0, -1):
        found = 1 + x / i * found
    return found


def covered(asked: Setting, goal: Fraction, ends: Enclosure, times: int = 1) -> tuple[Precision, Fraction, list[Block]]:
    """The precision, a bound for all datasets, and blocks that prove it, each as long as its bound is within the goal.

    Args:
        asked: n, k, q and lambda.
        goal: the bound of delta that each block should reach.
        ends: the ends of the answer, for the error.
        times: how many such bounds are needed together.

    Raises:
        Undecided: there are too many reports.
    """
    n, k, at = asked.n, asked.k, _precision(asked, goal)
    if at is not EXACTLY:
        width = 2 * math.sqrt(2 * 0.7 * at.bits * float(asked.q * (1 - asked.q)) * n * k) + 2 * at.bits
        if 2 * width * n * k * times > _STEPS:
            raise Undecided("too many reports for sums in whole numbers", ends)
    blocks, top, low = list[Block](), Fraction(0), 0

    def bounded(low: int, high: int) -> Fraction:
        return _delta(asked, low, n - 1 - high).upper

    def within(low: int, high: int) -> bool:
        return bounded(low, high) <= goal

    while low < n:
        high = last_where(partial(within, low), low + 1, n - 1, near=low + 1)
        blocks.append((low, high))
        top, low = max(top, bounded(low, high)), high + 1
    return at, top, blocks


def _delta(asked: Setting, ones: int, zeros: int) -> Enclosure:
    """delta, if so many others hold 1 and 0."""
    pair = Bits.symmetric(asked.q, asked.k, ones + zeros).pair(ones)
    return pair.enclosed(Limit.of(lam=asked.lam), rtol=_NARROW)


def _precision(asked: Setting, goal: Fraction) -> Precision:
    """The precision of masses that add up to about the goal; few reports are summed up exactly."""
    reports = asked.k * asked.n
    if reports <= _FEW:
        return EXACTLY
    room = max(0, -_exponent(goal)) + _exponent(asked.lam)
    return Precision(_SPARE + 16 + 2 * reports.bit_length() + room, 1 << 16)


def _exponent(x: Fraction) -> int:
    """The binary exponent, about."""
    return x.numerator.bit_length() - x.denominator.bit_length()


# --- rounds ----------------------------------------------------------------------------------------------------------


def _rounds(asked: check.Entries, answer: check.Entries, file: check.Entries) -> Theorem:
    (kind,), (shown,) = asked.parts("rounds"), file.parts("rounds")
    given = {name: part.number(name) for part in (kind, asked) for name in _GIVEN if name in part}
    upper, times, counts = answer.number("upper"), kind.whole("times", 1, default=1), check.counts(kind)
    low, terms = next_to(*_limit(asked["what"], given, upper), above=False)
    steps = [x.whole("step") for x in shown.parts("knots")]
    once = Setting(int(given["n"]), int(given["k"]), given["q"], low)
    lattice, top = _above(once, counts, given.get("delta", upper), file.number("grid"), steps)
    if "delta" not in given and top > upper:
        upper *= 1 + _WIDER
    if top > given.get("delta", upper):
        raise Undecided("the upper end was not found to hold", Enclosure.of(upper))
    about = f"Bits {times}"
    if "categories" in kind:
        about = f"Histograms {times} {kind.whole('categories')} {counts // times}"
    witness = RoundsWitness(low, Fraction(1), terms, lattice, NOTHING)
    return Theorem(asked, f"Rounds_{asked['what']} ({about})", given, Fraction(0), upper, witness)


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
    bounds = {j: Fraction(knot.bound, pair.one) for j, knot in knots.items()}
    hull = check.chords(check.Exam(fine, check.WORK), bounds, pair.power(1), 1)
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
        top = coq.between_powers(pair, asked.lam, coq.of_rounds(pair, counts))
        room *= 2
    return pair, top


def _knot(asked: Setting, pair: Lattice, j: int, times: int) -> Knot:
    """A bound of one round at g^j, one of so many."""
    near = Fraction(math.floor(pair.power(j) * 2**_NEAR), 2**_NEAR)
    bits = Bits.symmetric(asked.q, asked.k, asked.n - 1)
    goal = upper(bits, Limit.exp(Fraction(logarithm(near))), _SHARP) * (1 + _SHARP)
    at, top, blocks = covered(replace(asked, lam=near), goal, Enclosure.of(goal), times)
    return Knot(near, min(math.ceil(top * (1 + _NARROW) * pair.one), pair.one), blocks, at)


def _fine(goal: Fraction, counts: int) -> int:
    """Bits of masses, whose products add up to about the goal."""
    return _GUARD - _exponent(goal / counts)


if __name__ == "__main__":
    sys.exit(main())
