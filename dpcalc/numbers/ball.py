r"""Ball arithmetic, and the way out of it: refine until a width or a decision is reached.

A ball (FLINT's ``arb``) is a midpoint and a radius: the number meant is proven to lie within the radius. Precision is
never an argument of dpcalc's functions. ``refine`` and ``decide`` evaluate at doubled precision until the answer is as
narrow or as certain as asked. At a cap they give up and raise ``Undecided`` with the last enclosure found.

Source: FLINT's manual, "Using ball arithmetic": the inclusion principle, and guess-and-verify.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from fractions import Fraction
from threading import RLock

from flint import arb, ctx, fmpq

from dpcalc.errors import TooLarge, Undecided
from dpcalc.numbers.enclosure import Enclosure
from dpcalc.numbers.rational import reduced

#: Bits up to which precision is doubled: 4,900 digits, more than can be typed; a step there takes milliseconds.
_CAP = 1 << 14
_START = 64  # bits tried first: one machine word
_GUARD = 16  # bits above the accuracy wanted, for the roundings of a short formula
#: The largest |log2| of a rational end; 2^-1,000,000 is about 1e-301,030.
MAX_EXPONENT = 1_000_000
#: The least upper end that is stored.
LEAST_HELD = arb((1, 1 - MAX_EXPONENT))
#: Encloses every probability that is too small to be stored.
FAINT = Enclosure(Fraction(0), Fraction(1, 1 << MAX_EXPONENT - 1))

_TURN = RLock()
if hasattr(os, "register_at_fork"):  # a child would wait for ever for a thread that it does not have
    os.register_at_fork(before=_TURN.acquire, after_in_parent=_TURN.release, after_in_child=_TURN.release)


class working_precision:
    """FLINT computes with ``bits`` bits inside, and with the previous precision afterwards, also after an error.

    Only one thread is inside at a time, as FLINT has one precision for all threads. Another thread's precision would
    not make a ball wrong, but wider or narrower than the caller expects.
    """

    __slots__ = ("_bits", "_found")

    def __init__(self, bits: int) -> None:
        self._bits = bits

    def __enter__(self) -> None:
        _TURN.acquire()
        self._found = ctx.prec
        ctx.prec = self._bits  # every caller asks for FLINT's least, 2 bits, or more

    def __exit__(self, *_: object) -> None:
        ctx.prec = self._found
        _TURN.release()


def ball(x: Fraction | int) -> arb:
    """The ball around a rational, at the current precision."""
    return arb(x) if isinstance(x, int) else arb(fmpq(x.numerator, x.denominator))


def union(low: Fraction, high: Fraction) -> arb:
    """The ball around the interval [low, high]."""
    return ball(low).union(ball(high))


def enclosure_of(x: arb) -> Enclosure:
    """The ends of a finite ball as exact rationals, those of ``FAINT`` where they are too small to be stored.

    Raises:
        Undecided: the ball is not finite.
        TooLarge: the number is so large, or known so loosely, that its ends would not fit.
    """
    if not x.is_finite():
        raise Undecided("no finite enclosure was found")
    with working_precision(2 * _CAP):  # an end far finer than the number is rounded outward
        low, high = x.lower(), x.upper()
    return Enclosure.trusted(_end(low, -1), _end(high, 1))


def _end(x: arb, side: int) -> Fraction:
    """An exact ball as a rational; rounded up (``side`` = 1) or down (-1) if it is too small to be stored."""
    mantissa, exponent = map(int, x.man_exp())
    size = mantissa.bit_length() + exponent
    if mantissa and size > MAX_EXPONENT:
        raise TooLarge(
            "a number so large or so close to 0", size=size, limit=MAX_EXPONENT, unit="bits of exponent",
            instead="a smaller epsilon or lambda, or an outcome nearer to the mean",
        )  # fmt: skip
    if mantissa and size < -MAX_EXPONENT:
        return side * FAINT.upper if mantissa * side > 0 else Fraction(0)
    return dyadic(mantissa, exponent)


def dyadic(mantissa: int, exponent: int) -> Fraction:
    """mantissa 2^exponent, reduced by the zero bits at the mantissa's end, which is faster than a common divisor."""
    if exponent >= 0:
        return reduced(mantissa << exponent, 1)
    zeros = min((mantissa & -mantissa).bit_length() - 1, -exponent) if mantissa else -exponent
    return reduced(mantissa >> zeros, 1 << (-exponent - zeros))


def bits_for(rtol: Fraction) -> int:
    """Bits of relative accuracy that make a ball's relative width at most ``rtol``."""
    return rtol.denominator.bit_length() - rtol.numerator.bit_length() + 3


def refine(evaluate: Callable[[], arb], *, rtol: Fraction, start: int = _START, cap: int = _CAP) -> Enclosure:
    """The number ``evaluate()`` encloses, to relative width ``rtol``, doubling the precision from ``start`` bits.

    Raises:
        Undecided: ``cap`` bits were not enough (a number that is exactly 0 never has a relative width).

    >>> print(refine(lambda: arb(2).log(), rtol=Fraction(1, 10**20)))
    0.69314718055994530...
    """
    wanted, bits, last = bits_for(rtol), max(start, bits_for(rtol) + _GUARD), None
    while bits <= cap:
        with working_precision(bits):
            x = evaluate()
            if x.is_finite() and (x.is_exact() or x.rel_accuracy_bits() >= wanted):
                return enclosure_of(x)
        last, bits = x, 2 * bits
    found = last and _try_enclosure(last)
    if found and found.upper <= FAINT.upper:
        return found
    raise Undecided(f"relative width {float(rtol):.3g} not reached at {cap} bits", found)


def decide(evaluate: Callable[[], arb], *, start: int = _START, cap: int = _CAP) -> bool:
    """Whether the number ``evaluate()`` encloses is positive (True) or negative (False).

    Raises:
        Undecided: the sign is not settled at ``cap`` bits, as for a number that is exactly 0.

    >>> decide(lambda: arb(3).log() - 1)
    True
    """
    bits, last = start, None
    while bits <= cap:
        with working_precision(bits):
            last = evaluate()
            if last > 0:
                return True
            if last < 0:
                return False
        bits *= 2
    raise Undecided(f"the sign is not settled at {cap} bits", last and _try_enclosure(last))


def _try_enclosure(x: arb) -> Enclosure | None:
    try:
        return enclosure_of(x) if x.is_finite() else None
    except TooLarge:  # too wide to be stored
        return None
