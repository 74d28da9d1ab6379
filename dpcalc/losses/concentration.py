r"""A bound of delta of many rounds from their local epsilons alone.

With e the local epsilon of a round, its loss L lies between -e and e whatever was seen before. Under the likelier law
its mean is at most e tanh(e/2): the round is post-processing of one randomized response of that epsilon (P. Kairouz,
S. Oh, P. Viswanath, The composition theorem for differential privacy, 2015), whose loss has that mean. By Azuma's
inequality

    delta <= P[sum L > epsilon] <= exp(-(epsilon - sum e tanh(e/2))^2 / (2 sum e^2)),

for adaptive choices too.

Source: C. Dwork, G. Rothblum, S. Vadhan, Boosting and differential privacy (2010).
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from flint import arb

from dpcalc.numbers.ball import FAINT, ball, enclosure_of, working_precision
from dpcalc.numbers.limit import Limit

_BITS = 128  # the bound need not be sharp


def concentrated(rounds: Sequence[tuple[Fraction, int]], limit: Limit) -> Fraction:
    """At or above delta; 1 where the limit is not above the mean loss.

    Args:
        rounds: local epsilons, and how many times each.
        limit: the ratio limit of all rounds.

    >>> float(concentrated([(Fraction(1, 100), 10_000)], Limit.of(epsilon=5)))
    4.006454618283189e-05
    """
    with working_precision(_BITS):
        mean = squares = arb(0)
        for most, times in rounds:
            e = ball(most)
            mean, squares = mean + times * e * (e / 2).tanh(), squares + times * e**2
        over = limit.log_ball() - mean
        if not over > 0:
            return Fraction(1)
        bound = (-(over**2) / (2 * squares)).exp()
        return min(enclosure_of(bound.max(ball(FAINT.upper))).upper, Fraction(1))
