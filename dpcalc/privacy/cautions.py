"""When a privacy promise means little: one plain line for each reason. The command line and all pages print them.

*delta.* Publishing the records of m of n people, drawn at random, is (0, m/n)-private: a changed record is seen with
probability m/n. Publishing one of them with probability n delta is (0, delta)-private. Neither protects anybody.
*epsilon.* Above 10 an outcome may be e^epsilon, more than 22,000, times likelier with one person's record than without.
*The local epsilon.* If one person's reports alone keep epsilon, with the name on them, delta is 0 for any n: the crowd
adds nothing.
*Days.* What the same people report later adds to what is known of them.
"""

from __future__ import annotations

import math
from fractions import Fraction

from dpcalc.numbers.decimal import decimal, rounded
from dpcalc.numbers.elementary import log
from dpcalc.numbers.enclosure import Enclosure
from dpcalc.numbers.limit import Limit

_MOST_BETRAYED = Fraction(1, 100)  # the largest n delta without a warning: people expected to be exposed
_MOST_EPSILON = 10
_LONG = 20  # from this epsilon on e^epsilon is written as a power of ten
_DIGITS = 7

ONE_ROUND = "rounds = 1 is the promise of one day: what the same people report on other days adds to it"
#: What no promise of a pooled count covers.
NOT_PROTECTED = (
    "that a user took part",
    "what the counts truthfully say about everybody",
    "anything seen before the reports are shuffled and added up: who sees single reports learns far more",
)


def cautions(
    *, n: int, limit: Limit, delta: Fraction, local_epsilon: Enclosure | None = None, rounds: int | None = None
) -> tuple[str, ...]:
    """The reasons why the promise (epsilon, delta) for n records means little; none if there are none.

    Args:
        n: records.
        limit: e^epsilon.
        delta: that is promised.
        local_epsilon: of one person's reports; None where epsilon is the answer.
        rounds: how often everybody reports; None where that is open.

    >>> cautions(n=50_000, limit=Limit.of(epsilon=1), delta=Fraction(1, 1000))
    ('delta = 0.001 with n = 50,000 is kept by publishing 50 people at random',)
    """
    found, epsilon = [], limit.epsilon
    if n * delta > _MOST_BETRAYED:
        found.append(f"delta = {_text(delta)} with n = {n:,} is kept by publishing {_betrayed(n * delta)}")
    if epsilon.lower > _MOST_EPSILON:
        few = f"{int(rounded(limit.ends.lower, 2, -1)):,}" if epsilon.lower < _LONG else ""
        told = few or f"10^{math.floor(epsilon.lower / log(Fraction(10)).upper)}"
        found.append(f"{limit} lets one person's record make what is seen {told} times likelier")
    if local_epsilon is not None and local_epsilon.upper < epsilon.lower:
        alone = rounded(local_epsilon.upper, _DIGITS, 1)
        found.append(
            f"{limit} is kept without a crowd: one person's reports keep epsilon = {alone} with the name on them"
        )
    return (*found, *([ONE_ROUND] if rounds == 1 else []))


def _text(delta: Fraction) -> str:
    text = decimal(delta, delta, _DIGITS)
    return rounded(delta, _DIGITS, 1) if "..." in text else text


def _betrayed(expected: Fraction) -> str:
    if expected < 1:
        return f"one person, drawn at random, with probability {rounded(expected, 2, -1)}"
    people = math.floor(expected)
    return f"{people:,} {'person' if people == 1 else 'people'} at random"
