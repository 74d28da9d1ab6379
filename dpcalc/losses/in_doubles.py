"""Products of pairs in doubles, as a search over datasets asks for them: which it may ask for, and what they cost."""

from __future__ import annotations

import math
from types import ModuleType

from dpcalc.losses import listed_product
from dpcalc.numbers.arrays import arrays
from dpcalc.numbers.limit import Limit

STEEPEST = 300.0  #: the largest epsilon that doubles serve
FAINTEST = 1e-240  #: a delta that doubles hold
START = 40.0  #: nats below the mode, up to which outcomes are listed at first
TABLE = 5_000  #: outcomes of a product take as long as making a pair
EVERY = 16  #: boxes, after which a dataset in the middle of one is looked at

_FEWER = 20  # times as long an outcome takes in lists


def products() -> ModuleType:
    """In arrays, or in lists where there are none."""
    if arrays():
        from dpcalc.losses import product  # and numpy with it

        return product
    return listed_product


def affordable(most: int) -> int:
    """So much work, or less where there are no arrays."""
    return most if arrays() else most // _FEWER


def doubles(limit: Limit) -> tuple[float, float]:
    """Doubles around lambda."""
    ends = limit.ends
    return math.nextafter(float(ends.lower), 0.0), math.nextafter(float(ends.upper), math.inf)
