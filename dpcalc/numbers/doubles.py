r"""IEEE doubles with a counted error: roots of unity, powers of complex numbers, the exponential.

Only +, -, *, / and the square root of round-to-nearest doubles are trusted, each with a relative error of at most
u = ``UNIT``, and that a shift by whole bits (``ldexp``) has none; sums and products may be taken in any order, fused or
not. Here |z| is the modulus and an error of z is relative to it.

*A complex product* errs by at most 5u/2: the four real products by u each, which Cauchy's inequality makes
sqrt(2) u |x| |y|, and the two sums by u; this holds with fused operations too.

*Powers.* Squaring doubles a relative error, so that z^e carries e times the error of z, however accurate each step
is. ``powers`` therefore keeps beside each square X_i of X_{i-1} a correction c_i with z^(2^i) = X_i (1 + c_i). The
residue X_i^2 - X_{i+1} is a sum of doubles (Veltkamp, Dekker), and so is z - X_0. Once c_i is applied, every power
z^(2^i) is right to about u, and a product of those in the binary digits of e to about 7u/2 for each digit.

Source: Dekker 1971, for the exact product; the count of all errors: proof notes, 9.6 to 9.10.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache, reduce
from itertools import pairwise
from typing import TypeAlias

import numpy as np
from flint import arb, fmpq
from numpy.typing import NDArray

from dpcalc.numbers.ball import working_precision
from dpcalc.numbers.rounding import PRODUCT, SPLITTER, UNIT, Split, head_of

Reals: TypeAlias = NDArray[np.float64]
Complexes: TypeAlias = NDArray[np.complex128]
Integers: TypeAlias = NDArray[np.int64]

INFINITE = 1000.0  #: e^1000 is beyond the range of doubles: ``exp`` returns infinity

_NOTHING = 1e-60  # a power below it is not corrected either
_SMALL = 1 / 16  # of corrected powers a base below it is left out: its powers vanish before its error grows
_LEAST = 1 / 1024  # where every base is at least this, all may be left uncorrected
_PLAIN = 8 * UNIT  # error of a base in one part
_BASE = 2.0**-74  # error of a base in two parts, and of all residues
_DIGITS = 7  # binary digits at most in one table of powers: no more entries than rows, up to 128
_PRECISION = 128

#: Products summed in one matrix product, at most: larger ones go to threads, which wait long for each other.
AT_ONCE = 1 << 18

_LOG2_E = 1.4426950408889634
_LN2_HEAD = float.fromhex("0x1.62e42fee00000p-1")  # 32 bits: its multiples by integers below 2^20 are exact
_LN2_REST = float.fromhex("0x1.a39ef35793c76p-33")
_TAYLOR = np.array([1 / math.factorial(i) for i in range(17)])  # quotients of integers are rounded correctly


def exp(x: Reals) -> Reals:
    """e^x for -708 <= x <= 1000 to a relative ``rounding.EXP``, infinite where that leaves the range of doubles.

    x = i log 2 + f: a polynomial in f, and a shift by i bits.
    """
    some = AT_ONCE // len(_TAYLOR)
    if len(x) > some:
        return np.concatenate([exp(x[i : i + some]) for i in range(0, len(x), some)])
    shift = np.rint(x * _LOG2_E)
    powers = np.empty((17, len(x)))
    powers[0] = 1.0
    powers[1] = (x - shift * _LN2_HEAD) - shift * _LN2_REST
    for i in (1, 2, 4, 8):
        np.multiply(powers[1 : i + 1], powers[i], out=powers[i + 1 : 2 * i + 1])
    return np.ldexp(_TAYLOR @ powers, shift.astype(np.int32))


def modulus(z: Complexes) -> Reals:
    """|z| to a relative 3u and an absolute 1e-160; hypot is a library function."""
    return np.sqrt(z.real * z.real + z.imag * z.imag)


@lru_cache(maxsize=256)
def roots(points: int) -> Complexes:
    """e^{-2 pi i j / points} for 0 <= j < points, each part to a relative 1.01 u; ``points`` a multiple of 8."""
    eighth = points // 8
    with working_precision(_PRECISION):
        pairs = [arb.sin_cos_pi_fmpq(fmpq(2 * j, points)) for j in range(eighth + 1)]
        first = np.array([complex(float(c), -float(s)) for s, c in pairs])
    quarter = np.concatenate((first, -1j * first[eighth - 1 :: -1].conj()))  # e^{-i(pi/2 - u)} = -i e^{iu}
    half = np.concatenate((quarter, -1j * quarter[1:]))
    found = np.concatenate((half, -half[1:-1]))
    found.flags.writeable = False
    return found


@dataclass(frozen=True, slots=True)
class Chords:
    """g_j = e^{2 pi i j / M} - 1 in two parts; the first axis is the real and the imaginary part.

    Attributes:
        head, rest: the parts.
        near: their sum, rounded.
    """

    head: Reals
    rest: Reals
    near: Complexes

    @classmethod
    def of(cls, points: int, count: int) -> Chords:
        """The first ``count`` of them, count <= points/2 + 1."""
        head, rest = _chords(points)
        if count > head.shape[1]:
            head, rest = _chords(points, every=True)
        return cls(head, rest, (head + rest)[0] + 1j * (head + rest)[1]).first(count)

    def first(self, count: int) -> Chords:
        """The first ``count`` of these."""
        return Chords(self.head[:, :count], self.rest[:, :count], self.near[:count])


@lru_cache(maxsize=256)
def _chords(points: int, every: bool = False) -> tuple[Reals, Reals]:
    count = points // 2 + 1 if every else min(points // 2 + 1, 64)
    found = np.empty((2, 2, count))
    with working_precision(_PRECISION):
        for j in range(count):
            sine, cosine = arb.sin_cos_pi_fmpq(fmpq(j, points))
            for part, value in enumerate((-2 * sine * sine, 2 * sine * cosine)):
                head = head_of(float(value))
                found[:, part, j] = head, float(value - arb(head))
    found.flags.writeable = False
    return found[0], found[1]


@dataclass(frozen=True, slots=True)
class Powers:
    """Powers of z_{g,j} = 1 + mu_g g_j for g = 0, 1 (|z| <= 1).

    Attributes:
        squares: z^(2^i), first axis i.
        relative: the relative error of each square, and
        absolute: that of the powers of z next to 0, which have no relative one; both as ``count`` counts them.
    """

    squares: Complexes
    relative: float
    absolute: float

    def count(self, factors: int) -> float:
        """Relative error of a product of so many squares, with a factor of modulus 1 known to 2u."""
        return 1.001 * ((factors + 1) * (self.relative + PRODUCT) + 2 * UNIT)

    def alone(self, exponent: int) -> Complexes:
        """z^exponent for both: exponent.bit_length() factors or fewer."""
        return reduce(np.multiply, [self.squares[i] for i in range(exponent.bit_length()) if exponent >> i & 1])

    def power(self, exponents: tuple[Integers, Integers]) -> Complexes:
        """z_0^a z_1^b: one row for each pair of exponents, at most 2 len(squares) factors."""
        bits, _, nodes = self.squares.shape
        width = min(max(len(exponents[0]).bit_length() - 2, 1), _DIGITS, bits)
        rows, shifts, offsets = _layout(bits, width)
        count = len(rows) // width
        digits = self.squares.take(rows, axis=0).reshape(count, width, 2, nodes)
        tables = np.empty((1 << width, count, 2, nodes), complex)  # [e, l, g]: z_g^(e 2^(l width))
        tables[0] = 1.0
        for i in range(width):
            np.multiply(tables[: 1 << i], digits[:, i], out=tables[1 << i : 2 << i])
        places = (np.array(exponents) >> shifts & (1 << width) - 1) * (2 * count) + offsets
        factors = tables.reshape(-1, nodes).take(places.reshape(2 * count, -1), axis=0)
        product: Complexes = np.multiply.reduce(factors, axis=0)
        return product


@lru_cache(maxsize=256)
def _layout(bits: int, width: int) -> tuple[Integers, Integers, Integers]:
    """For digits of ``width`` bits: the squares of each, how far its bits are shifted, where its table starts.

    The last table is filled up with copies of the last square, which no exponent asks for.
    """
    count = -(-bits // width)
    rows = np.minimum(np.arange(count * width), bits - 1)
    shifts = np.arange(0, count * width, width)[:, None, None]
    return rows, shifts, np.arange(2 * count).reshape(count, 2, 1)


def powers(
    first: Split, second: Split, chords: Chords, bits: int, *, within: float = 0.0, plain: float = _PLAIN
) -> Powers:
    """The squares z^(2^i), i < bits, of z = 1 + mu g with each mu = ``first``, ``second`` in (0, 1).

    They are left uncorrected if the error of a power stays ``within`` anyway; a base in one part errs by ``plain``.
    """
    mus = np.array((float(first), float(second)))
    squares = np.empty((bits, 2, len(chords.near)), complex)
    np.multiply(mus[:, None], chords.near, out=squares[0])
    squares[0] += 1.0
    last = squares[0, :, -1].tolist()  # the moduli of the bases fall from one point to the next
    least = min(math.sqrt(z.real * z.real + z.imag * z.imag) for z in last)
    once = plain / least + PRODUCT if least >= _LEAST else math.inf  # error of the first, and of each square
    if once * (1 << bits) <= within:
        _square(squares)
        return Powers(squares, once * (1 << bits) / bits, 1e-57)
    heads = np.array([first.head, second.head])[:, None, None]
    rests = np.array([first.rest, second.rest])[:, None, None]
    exact = heads * chords.head  # 26 + 26 bits
    little = heads * chords.rest + rests * (chords.head + chords.rest)
    parts = exact + little
    parts[:, 0] = (1.0 + exact[:, 0]) + little[:, 0]
    squares.real[0], squares.imag[0] = parts[:, 0], parts[:, 1]
    _square(squares)
    size = modulus(squares[0])
    small = size < _SMALL
    least = float(size.min(initial=1.0, where=~small))
    one = 3 * UNIT / least + PRODUCT
    lost = _lost(1.0, exact[:, 0], 1.0 + exact[:, 0])
    exact[:, 0] += 1.0
    residue = _lost(exact, little, parts)
    residue[:, 0] += lost
    _correct(squares, residue, small)
    largest = float(1 << bits - 1)
    grown = largest * (one + UNIT)
    after = largest * _BASE / least + grown * grown
    absolute = (10 * UNIT if small.any() else 0.0) + 1e-57
    return Powers(squares, 1.01 * UNIT + PRODUCT * largest * (one + UNIT) + after, absolute)


def _square(squares: Complexes) -> None:
    """Each the square of the one before."""
    for x, y in pairwise(squares):
        np.multiply(x, x, out=y)


def _correct(squares: Complexes, residue: Reals, small: NDArray[np.bool_]) -> None:
    """Multiply every square by 1 + c_i: c_i / 2^i is the sum of r_0, r_1 / 2, r_2 / 4, ... relative to the squares."""
    nothing = modulus(squares) < _NOTHING
    corrections = np.empty_like(squares)
    corrections.real[0], corrections.imag[0] = residue[:, 0], residue[:, 1]
    corrections[1:] = _residues(squares)
    corrections[nothing] = 0.0
    corrections /= np.where(nothing, 1.0, squares)
    corrections *= _HALVES[: len(squares)]
    corrections = np.cumsum(corrections, axis=0)
    corrections *= _DOUBLES[: len(squares)]
    corrections[:, small] = 0.0
    squares += squares * corrections


_HALVES = np.array([1 / (1 << i) for i in range(64)])[:, None, None]
_DOUBLES = np.array([float(1 << i) for i in range(64)])[:, None, None]


def _lost(x: Reals | float, y: Reals, total: Reals) -> Reals:
    """X + y - total exactly, total their rounded sum (Knuth)."""
    back = total - x
    return (x - (total - back)) + (y - back)


def _residues(squares: Complexes) -> Complexes:
    """X_i^2 - X_{i+1}."""
    x = np.stack((squares.real[:-1], squares.imag[:-1]))
    wide = SPLITTER * x
    head = wide - (wide - x)
    rest = x - head
    square = x * x
    lost = ((head * head - square) + 2 * (head * rest)) + rest * rest
    product = x[0] * x[1]
    cross = ((head[0] * head[1] - product) + head[0] * rest[1] + rest[0] * head[1]) + rest[0] * rest[1]
    found = np.empty(squares[1:].shape, complex)
    minus = -squares.real[1:]
    gap = square[0] + minus
    lost_gap = _lost(square[0], minus, gap)
    found.real = (gap - square[1]) + ((lost_gap + lost[0]) - lost[1])
    found.imag = (2 * product - squares.imag[1:]) + 2 * cross
    return found
