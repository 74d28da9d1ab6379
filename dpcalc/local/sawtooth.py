r"""Where a condition that is not monotone in q fails last, and where it holds first: proven over whole ranges."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from dpcalc.errors import NoSolution, Undecided
from dpcalc.numbers.ball import bits_for
from dpcalc.numbers.decimal import decimal
from dpcalc.numbers.enclosure import Enclosure

#: Whether a condition is proven for all x in [low, high].
_OverRange = Callable[[Fraction, Fraction], bool]
_At = Callable[[Fraction], bool]

_LEAST = Fraction(1, 1 << 199)  # shares of the largest q below this are not searched
_MOST_STEPS = 1_000
_NARROWEST = Fraction(1, 1 << 60)  # what is narrower than this share of the answer's width may be missed


def last_failure(holds: _OverRange, fails: _At, *, top: Fraction, rtol: Fraction) -> tuple[Fraction, Fraction]:
    """(x, y) with the condition failing at x and holding on all of [y, top], y - x <= rtol y.

    Steps are dyadic, from the top down: doubled after two proofs, halved after none.

    Raises:
        NoSolution: it holds all the way down to 2^-199 of the top, or fails at the top.
        Undecided: no failing point is found next to a range that cannot be proven.
    """
    good, step, swift, least = top, top / 2, True, _LEAST * top
    for _ in range(_MOST_STEPS + 2 * bits_for(rtol)):
        if good <= least:
            raise NoSolution("the bound holds for every q in the searched range, down to 2^-200: no noise is asked for")
        if holds(good - step, good):
            good -= step
            step, swift = min(2 * step if swift else step, _dyadic_half(good)), True
            continue
        step, swift = step / 2, False
        # the top itself, where it is known to hold, is no answer
        if step * 64 <= rtol * good and (good < top or step < least):
            for x in (good - step * 2**j for j in range(1, 7)):
                if fails(x):
                    return x, good
            if step <= rtol * good * _NARROWEST:
                break
    raise Undecided(f"no proof near {decimal(good, good, 17)}", Enclosure(max(good - 64 * step, Fraction(0)), good))


def _dyadic_half(x: Fraction) -> Fraction:
    """The largest power of two at most x/2."""
    exponent = x.numerator.bit_length() - x.denominator.bit_length() - 2
    return Fraction(2) ** exponent


def first_success(
    holds: _OverRange, fails: _OverRange, *, start: Fraction, top: Fraction, rtol: Fraction
) -> tuple[Fraction, Fraction]:
    """(x, y) with the condition failing on all of (0, x] and holding at y, y - x <= rtol y; it fails on (0, start].

    Raises:
        Undecided: no holding point is found next to a range that cannot be proven to fail.
    """
    bad, step, swift = start, start, True
    for _ in range(_MOST_STEPS):
        if bad + step <= top and fails(bad, bad + step):
            bad += step
            step, swift = 2 * step if swift else step, True
            continue
        step, swift = step / 2, False
        if step * 64 <= rtol * bad:
            for y in (bad + step * 2**j for j in range(1, 7)):
                if holds(y, y):
                    return bad, y
            if step <= rtol * bad * _NARROWEST:
                break
    raise Undecided(f"no proof near {decimal(bad, bad, 17)}", Enclosure(bad, bad + 64 * step))
