r"""IEEE doubles with a counted error, in arrays: the exponential, and moduli.

Only +, -, *, / and the square root of round-to-nearest doubles are trusted, each with a relative error of at most
u = ``UNIT``, and that a shift by whole bits (``ldexp``) has none; sums and products may be taken in any order, fused or
not. Here |z| is the modulus and an error of z is relative to it.

Source: proof notes, 9.7.
"""

from __future__ import annotations

import math
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

Reals: TypeAlias = NDArray[np.float64]
Complexes: TypeAlias = NDArray[np.complex128]
Integers: TypeAlias = NDArray[np.int64]

INFINITE = 1000.0  #: e^1000 is beyond the range of doubles: ``exp`` returns infinity

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
