"""The rounding of IEEE doubles: its unit, and numbers held in two of them.

Only round-to-nearest +, -, *, / and the square root are trusted, each with a relative error of at most u = ``UNIT``.
"""

from __future__ import annotations

from dataclasses import dataclass

UNIT = 2.0**-53
PRODUCT = 2.5 * UNIT  #: relative error of a complex product
EXP = 40 * UNIT  #: relative error of an exponential: that of ``doubles.exp``, or of one rounded from a ball
SPLITTER = 2.0**27 + 1  #: Veltkamp's, for heads of 26 bits


@dataclass(frozen=True, slots=True)
class Split:
    """A real number x = head + rest, head of at most 26 bits; errs by u |rest|."""

    head: float
    rest: float

    def __float__(self) -> float:
        """In one part."""
        return self.head + self.rest


def split(numerator: int, denominator: int) -> Split:
    """A positive rational in two parts; quotients of Python's integers are rounded correctly."""
    head = head_of(numerator / denominator)
    above, below = head.as_integer_ratio()
    return Split(head, (numerator * below - above * denominator) / (denominator * below))


def head_of(x: float) -> float:
    """The first 26 bits."""
    wide = SPLITTER * x
    return wide - (wide - x)
