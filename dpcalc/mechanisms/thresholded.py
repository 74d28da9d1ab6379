"""Counts of values that nobody has listed beforehand: those below a threshold are not released.

Each person holds a value and reports it, or only with some probability. Of a value that nobody reports nothing is
known, not even its name. To the count of any other one noise may be added; it is released, with the value, if it is
then at or above the threshold.

*A record is added or removed*: one count changes, and the others hide nothing. *A record is replaced*: one value loses
it and another one gains it, and what is seen of both is released.

Source: Brave's Nebula samples clients; Prochlo, and servers that ask for k-anonymity, add noise before the threshold.
"""

from __future__ import annotations

from dataclasses import KW_ONLY
from functools import partial
from typing import ClassVar

from dpcalc.mechanisms.mechanism import Mechanism, Name, Parameter, Real, Whole, declared, instance, parameter
from dpcalc.mechanisms.noise import Noise
from dpcalc.numbers.lists import one_of
from dpcalc.numbers.rational import LARGEST, integer, positive


@declared()
class Thresholded(Mechanism):
    """Every count at or above a threshold is released with its value, and nothing of the others.

    >>> from dpcalc import delta
    >>> print(delta(Thresholded(20, sampled="0.105"), epsilon=1))
    6.4799443209122789...e-15
    """

    unbounded: ClassVar[str] = "delta is above 0 for every epsilon: a value may be released that it could not be before"

    threshold: Whole = parameter(partial(integer, minimum=1, maximum=LARGEST), "the least count released, up to 10^15")
    _: KW_ONLY
    sampled: Real = parameter(
        partial(positive, what="a probability", maximum=1), "that a client reports, 0 < sampled <= 1", default=1
    )
    noise: Parameter[Noise | None, Noise | None] = parameter(
        instance(Noise, "noise, such as Binomial(100, '1/2'), or None"),
        "what is added to the count of a value that somebody reports, before it is compared",
        default=None,
    )
    neighbours: Name = parameter(
        partial(one_of, names=("add-remove", "replace")), '"add-remove" of a record, or "replace" of its value',
        default="add-remove",
    )  # fmt: skip
