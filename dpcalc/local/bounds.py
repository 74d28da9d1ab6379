r"""A bound of the ratios in a window, and the q from which on it keeps a limit: proven over whole ranges of q.

The notes' windows pass whole outcomes as q grows, so that a bound may fail at a larger q than one at which it holds.
The answer is the q *from which on* it holds.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

from flint import arb

from dpcalc.errors import NoSolution, Undecided
from dpcalc.local.windows import BITS
from dpcalc.numbers.ball import ball, bits_for, enclosure_of, working_precision
from dpcalc.numbers.bracket import Bracket
from dpcalc.numbers.decimal import decimal
from dpcalc.numbers.enclosure import Enclosure
from dpcalc.numbers.limit import Limit

HALF = Fraction(1, 2)
_LEAST = Fraction(1, 1 << 199)  # shares of the largest q below this are not searched
_MOST_STEPS = 1_000
NARROWEST = Fraction(1, 1 << 60)  #: what is narrower than this share of the answer's width may be missed


@dataclass(frozen=True, slots=True, kw_only=True)
class Bound(ABC):
    """A bound of the ratios in a window of the N = k n reports, and the limit that it is to keep.

    Attributes:
        total: N.
        k: reports per record.
        sigmas: z, half the width of the window in standard deviations.
        sides: 1 for R, 2 for 1/R too.
        limit: lambda > 1.
        rtol: relative width of the answer.
        length: L, bits per record.
    """

    total: int
    k: int
    sigmas: Fraction
    sides: int
    limit: Limit
    rtol: Fraction
    length: int = 1

    @abstractmethod
    def over(self, low: Fraction, high: Fraction) -> arb:
        """A ball around the bound at low = high; over a wider range the bound is nowhere above the ball."""

    @property
    def top(self) -> Fraction:
        """A q from which on the limit is kept."""
        return HALF

    @property
    def width(self) -> Fraction:
        """The relative width that is searched for."""
        return self.rtol

    @property
    def bits(self) -> int:
        """Precision of the balls: twice what is needed, as terms cancel."""
        return 2 * (BITS + bits_for(self.width) + bits_for(min(HALF, self.limit.excess)))

    def holds(self, low: Fraction, high: Fraction) -> bool:
        """Whether the limit is proven to be kept for all q in [low, high]."""
        with working_precision(self.bits):
            return bool(self.over(low, high) <= self.limit.ball())

    def fails(self, q: Fraction) -> bool:
        """Whether it is proven to be broken at q."""
        with working_precision(self.bits):
            return bool(self.over(q, q) > self.limit.ball())

    def value(self, q: Fraction) -> Enclosure:
        """The bound at q."""
        with working_precision(self.bits):
            return enclosure_of(self.over(q, q))

    def ends(self) -> tuple[Fraction, Fraction]:
        """A q at which the limit is broken, and one from which on it is kept.

        Raises:
            NoSolution, Undecided: as ``edge``.
        """
        upper, lower = edge(self.holds, self.fails, start=self.top, end=Fraction(0), rtol=self.width)
        return lower, upper

    def bracket(self) -> Bracket:
        """The two, and the bound there."""
        lower, upper = self.ends()
        return Bracket(lower=lower, upper=upper, at_lower=self.value(lower), at_upper=self.value(upper))


def edge(
    holds: Callable[[Fraction, Fraction], bool], fails: Callable[[Fraction], bool], *,
    start: Fraction, end: Fraction, rtol: Fraction,
) -> tuple[Fraction, Fraction]:  # fmt: skip
    """(x, y): a condition holds on all between the start and x, and fails at y, a relative width nearer to the end.

    Steps are dyadic: doubled after two proofs, halved after none.

    Args:
        holds: whether the condition is proven on all of [low, high].
        fails: whether it is proven to fail at one point.
        start: > 0; the condition holds there.
        end: above or below it; 0 is never reached.
        rtol: the relative width.

    Raises:
        NoSolution: it holds all the way down to 2^-199 of the start.
        Undecided: no failing point is found next to a range that cannot be proven.
    """
    x, step, swift, way = start, start / 2, True, 1 if end > start else -1
    for _ in range(_MOST_STEPS + 2 * bits_for(rtol)):
        if x <= _LEAST * start:
            raise NoSolution("the bound holds for every q in the searched range, down to 2^-200: no noise is asked for")
        low, high = sorted((x, x + way * step))
        if high <= max(start, end) and holds(low, high):
            x += way * step
            step, swift = min(2 * step if swift else step, _dyadic_half(x)), True
            continue
        step, swift = step / 2, False
        # the start itself, where it is known to hold, is no answer
        if step * 64 <= rtol * x and (x != start or step < _LEAST * start):
            for y in (x + way * step * 2**j for j in range(1, 7)):
                if fails(y):
                    return x, y
            if step <= rtol * x * NARROWEST:
                break
    near = sorted((x, max(x + way * 64 * step, Fraction(0))))
    raise Undecided(f"no proof near {decimal(x, x, 17)}", Enclosure(*near))


def _dyadic_half(x: Fraction) -> Fraction:
    """The largest power of two at most x/2."""
    exponent = x.numerator.bit_length() - x.denominator.bit_length() - 2
    return Fraction(2) ** exponent


def gamma(total: int, q: Fraction) -> arb:
    """(p - q)/sqrt(p q N), which falls with q."""
    return ball(1 - 2 * q) / ball(q * (1 - q) * total).sqrt()
