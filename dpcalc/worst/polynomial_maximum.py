r"""The largest value of some real polynomials over an interval, from above, as sharply as a level asks.

For c = p(x_0 + w y), a polynomial in y with |y| <= 1,

    p <= c_0 + max_y (c_1 y + c_2 y^2) + |c_3| + |c_4| + ...,

where the maximum of the parabola is |c_1| + c_2 if c_2 < 0 and |c_1| >= 2 |c_2|, else at most c_1^2 / (4 |c_2|) if
c_2 < 0 and |c_1| + c_2 if not. The piece with the largest bound is halved: what the bound exceeds p by falls with the
third power of w.

Source: best-first search with a second-order Taylor form; proof notes, 4.5.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import NamedTuple

from flint import arb, arb_poly

from dpcalc.numbers.ball import ball
from dpcalc.numbers.best_first import best_first

_HALVINGS = 200


def largest_value(polynomials: Sequence[arb_poly], half: Fraction, *, level: arb | None = None) -> arb:
    """A bound of all of them for |x| <= half, at the current precision; infinite where a coefficient is not finite.

    Args:
        polynomials: with balls for coefficients, at least one polynomial.
        half: >= 0.
        level: if given, a bound at or below it is not made any sharper; nor one of what may well be above it.

    >>> from flint import arb_poly
    >>> round(float(largest_value([arb_poly([1, 2, -1])], Fraction(1))), 9)  # at x = 1
    2.0
    """
    starts = [_piece(p, place, Fraction(0), half) for place, p in enumerate(polynomials)]
    if not all(bound.is_finite() for bound, _ in starts):
        return arb.pos_inf()

    def halves(piece: _Piece) -> Iterator[tuple[arb, _Piece]]:
        _, place, centre, width = piece
        return (_piece(polynomials[place], place, centre + side * width / 2, width / 2) for side in (-1, 1))

    left = best_first(
        starts, halves, most=_HALVINGS, enough=lambda: arb.neg_inf() if level is None else level,
        more=lambda piece: level is None or bool(piece.value <= level),
    )  # fmt: skip
    return left[0][0]


class _Piece(NamedTuple):
    """A polynomial over centre - width <= x <= centre + width: its value in the middle, and which one it is.

    Every piece is cut from the whole polynomial, as the widths of its coefficients would add up from cut to cut.
    """

    value: arb
    place: int
    centre: Fraction
    width: Fraction


def _piece(p: arb_poly, place: int, centre: Fraction, width: Fraction) -> tuple[arb, _Piece]:
    """A bound, and the piece."""
    c = p(arb_poly([ball(centre), ball(width)]))
    return _bound(c), _Piece(c[0], place, centre, width)


def _bound(c: arb_poly) -> arb:
    """An exact number at or above c(y) for all |y| <= 1."""
    linear, square = abs(c[1]), c[2]
    top = linear + square.max(arb(0))
    if square < 0:
        top = top.min(linear + square) if linear >= -2 * square else top.min(linear * linear / (-4 * square))
    return arb((c[0] + top + sum((abs(c[i]) for i in range(3, c.length())), arb(0))).upper())
