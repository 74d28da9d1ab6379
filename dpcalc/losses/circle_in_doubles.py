r"""All points of a lattice's circle in doubles with counted errors, by fast Fourier transforms.

With C, q and S_t as in ``lattice``, M a power of two and z_j = r e^{-2 pi i j / M} here, the masses x_i = c_i r^i / s
of a round, s their sum or a little more, have the transform phi_j = sum_i x_i e^{-2 pi i i j / M}, |phi_j| <= 1. With
the product over all kinds,

    S_t = r^{I - t} prod s^T (1/M) sum_j P_j q(z_j) e^{-2 pi i j (I - t) / M},    P_j = prod phi_j^T,

I the least loss of all rounds; a point and its conjugate add twice the real part.

*Rounding.* phi errs by e: what the balls of the masses leave open, their roundings, and the transform's. With
B = |phi| + e, P errs by at most prod B^T sum T (e + 3u) / B: T factors, one replaced after the other, and T products.
q errs by its two factors, z - 1 by 2.02 u r beside |z - 1| >= r - 1. Sums err by one u a term.

Source: proof notes, C27.
"""

from __future__ import annotations

import numpy as np
from flint import arb

from dpcalc.losses.lattice_circle import LatticeCircle
from dpcalc.losses.lattice_pair import LatticePair
from dpcalc.numbers.doubles import TRANSFORM, Complexes, Reals, modulus, repeated, roots, transform
from dpcalc.numbers.rounding import UNIT

_SPARE = 1.01  # for products of errors, and roundings of the bounds themselves
_NEAREST, _FARTHEST = 2.0**-30, 1e60  # r - 1, and r e^h, that are served
_SHARP = 64  # bits of e^h, which count as all
_LOST = 1e-3  # the largest share of P that roundings of all its factors may be
_NOTHING = 1e-290  # above what underflow may take from a product of numbers up to about 1
_FAINT = 2.0**-64  # points with less than this share of the heaviest one are only bounded


class CircleInDoubles:
    """The sums S_t.

    Args:
        circle: whose points, at least 8 and a power of two; its r is a double.
    """

    def __init__(self, circle: LatticeCircle) -> None:
        with np.errstate(all="ignore"):  # what is no number proves nothing
            self._evaluate(circle)

    def _evaluate(self, circle: LatticeCircle) -> None:
        """C(z_j) q(z_j) / M at the points that are not faint, and the error of all sums."""
        self._circle, count = circle, circle.points // 2 + 1
        product, bound, off, self._scale = np.ones(count, complex), np.ones(count), np.zeros(count), arb(1)
        for x, times in circle.rounds:
            phi, error, total = _seen(x, circle)
            size = modulus(phi) * (1 + 4 * UNIT) + error + 1e-150
            product *= repeated(phi, times)
            bound *= repeated(size, times)
            off += (times + 1) * (error + 3 * UNIT) / size
            self._scale *= total**times
        kernel, wrong = _kernel(circle, count)
        shares = np.full(count, 2.0 / circle.points)
        shares[[0, -1]] /= 2
        sizes = shares * modulus(kernel) * (bound + _NOTHING) * _SPARE
        self._places = np.flatnonzero(sizes >= sizes.max() * _FAINT)
        self._values = (shares * (product * kernel))[self._places]
        weight, faint = float(sizes[self._places].sum()), float(np.delete(sizes, self._places).sum())
        rounding = float((sizes * (off + wrong + 4 * UNIT)).sum()) + weight * (2 * len(self._places) + 8) * UNIT
        self._error = (rounding + faint) * _SPARE

    @classmethod
    def of(cls, circle: LatticeCircle) -> CircleInDoubles | None:
        """None where doubles lose too much."""
        r, total = float(circle.r), sum(times for _, times in circle.rounds)
        served = r - 1 > _NEAREST and r * float(circle.growth) < _FARTHEST and total * TRANSFORM < _LOST
        known = circle.r.is_exact() and circle.growth.rel_accuracy_bits() > _SHARP
        return cls(circle) if served and known else None

    def sum(self, t: int) -> arb:
        """S_t, a ball."""
        points, shift = self._circle.points, self._circle.first - t
        turns = roots(points).take(self._places * (shift % points) % points)
        found = float(self._values.real @ turns.real - self._values.imag @ turns.imag)
        return arb(found, self._error) * self._scale * self._circle.r**shift


def _seen(x: LatticePair, circle: LatticeCircle) -> tuple[Complexes, float, arb]:
    """phi of one kind at the first half of all points, by how much it may be off, and s."""
    tilted = x.tilted(circle.r)
    total = sum(tilted, arb(0)).upper()
    shares = [mass / total for mass in tilted]
    rows = -(-len(shares) // circle.points)
    folded = np.zeros(rows * circle.points)
    folded[: len(shares)] = list(map(float, shares))
    unknown, doublings = float(sum(shares, arb(0)).rad()), circle.points.bit_length() - 1
    found = transform(folded.reshape(rows, -1).sum(axis=0))[: circle.points // 2 + 1]
    error = (unknown + (rows + 2) * UNIT + TRANSFORM * doublings) * _SPARE + _NOTHING
    return found, error, total


def _kernel(circle: LatticeCircle, count: int) -> tuple[Complexes, float]:
    """q(z_j) at the first ``count`` points, and its relative error."""
    r, turns = float(circle.r), roots(circle.points)[:count]
    product = (r * turns - 1) * (float(circle.r * circle.growth) * turns - 1)
    square: Reals = product.real * product.real + product.imag * product.imag
    return product.conj() / square, 16 * UNIT * r / (r - 1)
