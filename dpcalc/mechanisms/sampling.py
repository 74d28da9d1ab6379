r"""Exact sampling of randomized response: no float, no rounded probability.

A bit is reported flipped with probability exactly q, by comparing a uniform U in [0, 1) with q word by word:

    U = 0.W_1 W_2 ...  (words drawn uniformly and independently),     q = 0.d_1 d_2 ...     in base B = 2^8.

The first word that differs decides whether U < q; while W_j = d_j the next word is drawn. A dyadic q has no digits left
after finitely many words, and a U that agrees with all of them is not below q. A word is a byte, so that a report takes
8 (1 + 1/256 + ...) = 8.03 random bits on average; word by word of one bit it would be 2, in many more steps.

The decision U < q falls at word j with probability B^{-(j-1)} d_j / B, and P[U < q] = sum_j d_j B^{-j} = q. The digits
come from long division of integers, so q may have a denominator of any size; a word ties with probability 1/B, so that
the sampler ends with probability 1, nearly always after one word.

Source: KTEX, "Bit randomization"; K16, section 5 (k randomizations, pooled).
"""

from __future__ import annotations

import os
from collections.abc import Callable
from fractions import Fraction
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dpcalc.errors import DomainError, must_fit
from dpcalc.numbers.rational import Number, between, integer, ranged

#: A source of randomness: called with a count, it returns that many independent uniform words.
Words: TypeAlias = Callable[[int], NDArray[np.unsignedinteger[Any]]]

_WIDTH = 8  # bits of a word
_BLOCK = 1 << 20  # words drawn at a time, to bound memory; the reports that go with a seed depend on it
_MAX_REPORTS = 1_000_000_000  # bits: a gigabyte of them as an array, and some seconds


def randomize(
    bits: ArrayLike, *, q: Number, k: Number = 1, rng: int | np.random.Generator | None = None
) -> NDArray[np.uint8]:
    """The reports: each bit k times, each time flipped independently with probability exactly q.

    Args:
        bits: one bit per person, shape (n,), or one bit vector per person, shape (n, L).
        q: the flip probability, 0 < q < 1/2.
        k: reports per person.
        rng: None for the operating system's randomness. A seed or a numpy Generator makes the reports reproducible,
            and anyone who knows the seed can undo them: for tests and simulations only.

    Returns:
        shape (n, k) or (n, k, L): entry [i, j] is the j-th report of person i.

    Raises:
        DomainError: an entry that is not a bit, or an argument out of range.
        TooLarge: more than a billion reported bits.

    >>> randomize([0, 1, 1], q="1/4", k=2, rng=7).shape
    (3, 2)
    >>> randomize([0, 2], q="1/4")
    Traceback (most recent call last):
    ...
    dpcalc.errors.DomainError: bits = 2 is not allowed: give integers 0 and 1 (or booleans)
    """
    truth = _bits(bits, "bits", "(n,) or (n, L)", dimensions=(1, 2))
    flip, times = between(q, "q", 0, "1/2", "a probability"), integer(k, "k", minimum=1)
    size = truth.size * times
    must_fit("the array of reports", size, _MAX_REPORTS, "bits", instead="a block of people at a time")
    shape = (len(truth), times, *truth.shape[1:])
    flips = bernoulli(flip, size, words=_words(rng)).reshape(shape)
    return truth[:, np.newaxis] ^ flips


def bernoulli(q: Fraction, count: int, *, words: Words, width: int = _WIDTH) -> NDArray[np.bool_]:
    """``count`` independent bits that are 1 with probability exactly q, 0 <= q < 1, from words of ``width`` bits.

    >>> int(bernoulli(Fraction(3, 8), 8, words=lambda count: np.arange(count, dtype=np.uint8), width=3).sum())
    3
    """
    ranged(q, "q", "a probability", 0, 1, "[)")
    ones = np.zeros(count, dtype=np.bool_)
    if not q:
        return ones
    for start in range(0, count, _BLOCK):
        block = ones[start : start + _BLOCK]
        digit, rest = divmod(q.numerator << width, q.denominator)
        drawn = words(block.size)
        np.less(drawn, digit, out=block)
        tied = np.flatnonzero(drawn == digit)
        while tied.size and rest:
            digit, rest = divmod(rest << width, q.denominator)
            drawn = words(tied.size)
            block[tied] = drawn < digit
            tied = tied[drawn == digit]
    return ones


def pool(reports: ArrayLike) -> int:
    """S, the number of ones among all reports of a bit: what is left when nobody's name is kept.

    Raises:
        DomainError: an entry that is not a bit, or another shape than (n, k).

    >>> pool([[1, 0], [1, 1], [0, 0]])
    3
    """
    return int(np.count_nonzero(_bits(reports, "reports", "(n, k)", dimensions=(2,))))


def _bits(values: ArrayLike, name: str, shapes: str, *, dimensions: tuple[int, ...]) -> NDArray[np.uint8]:
    allowed = "integers 0 and 1 (or booleans)"
    try:
        array = np.asarray(values)
    except ValueError:
        raise DomainError(name, values, f"a rectangular array of shape {shapes}") from None
    if array.ndim not in dimensions or not array.size:
        raise DomainError(f"shape of {name}", array.shape, f"one or more bits in an array of shape {shapes}")
    if array.dtype.kind not in "bui":
        raise DomainError(f"type of {name}", str(array.dtype), allowed)
    wrong = array[(array != 0) & (array != 1)]
    if wrong.size:
        raise DomainError(name, wrong[0].item(), allowed)
    return array.astype(np.uint8)


def _words(rng: int | np.random.Generator | None) -> Words:
    if rng is None:
        return lambda count: np.frombuffer(os.urandom(count), dtype=np.uint8)
    seed = isinstance(rng, int | np.integer) and not isinstance(rng, bool | np.timedelta64) and rng >= 0
    if not seed and not isinstance(rng, np.random.Generator):
        raise DomainError("rng", rng, "None, a seed (a whole number >= 0) or a numpy Generator")
    generator = np.random.default_rng(rng)

    def drawn(count: int) -> NDArray[np.uint8]:
        # bytes of 64-bit words, lowest first on every machine: a third of the time of drawing bytes
        words = generator.integers(1 << 64, size=-(-count // 8), dtype=np.uint64)
        return words.astype("<u8", copy=False).view(np.uint8)[:count]

    return drawn
