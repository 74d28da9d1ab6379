r"""The least epsilon for a target delta: the inverse of the privacy profile.

delta over all datasets falls strictly from the total variation distance at epsilon = 0 to 0 at the local epsilon, so
epsilon(delta) = inf {epsilon : delta(epsilon) <= delta} is bracketed by two certified signs.
"""

from __future__ import annotations

from fractions import Fraction

from dpcalc.choose.crossing import Known, crossing, tolerance
from dpcalc.errors import DomainError
from dpcalc.mechanisms.response import KRandomization
from dpcalc.numbers.ball import ball, bits_for, enclosure_of, union, working_precision
from dpcalc.numbers.elementary import log
from dpcalc.numbers.enclosure import Enclosure
from dpcalc.numbers.limit import MAX_EPSILON, Limit
from dpcalc.numbers.promise import EVERY, Promise
from dpcalc.numbers.rational import Number, integer, rational
from dpcalc.privacy.accounted import Accounted, pooled
from dpcalc.privacy.datasets import GIVEN, Datasets
from dpcalc.privacy.worst import exact_is_affordable, largest, largest_exact, settled

__all__ = ["epsilon"]

_RTOL = Fraction(1, 10**6)
_FINE = Fraction(1, 10**12)
_SLACK = 1 + 1e-12  # the search ends at the local epsilon or a little above: for the roundings of a logarithm
_SPARE_BITS = 40  # of a logarithm, beyond the width asked for
_LEAST = Fraction(1, 10**18)  # epsilons below this are not searched


def epsilon(
    mechanism: KRandomization | Accounted[Promise],
    *,
    delta: Number,
    ones: Number | None = None,
    rtol: Number | None = None,
) -> Promise:
    """The least epsilon for which the pooled count is (epsilon, delta)-differentially private.

    Args:
        mechanism: single-bit records, a ``UnaryEncoding``, ``Rounds``, a ``Fleet``, a ``NoisyCount``, or a ``Shuffle``.
        delta: 0 <= delta < 1; at 0 the answer is the local epsilon.
        ones: look at one composition of the other n - 1 records only; default: at all of them.
        rtol: relative width, at least 1e-9; default: 1e-6, and 1e-3 for rounds, where it is aimed at (see ``Rounds``).

    Returns:
        An enclosure: at ``lower`` one dataset's delta is proven above the target, at ``upper`` all are proven at or
        below it. Exactly 0 if the total variation distance is at most delta.

    Raises:
        DomainError: an argument out of range; records of several bits.
        NoSolution: the target is missed at epsilon = 0 and met at 1e-18 already, or missed at a million.
        Undecided: no bracket of this width was found, as for a target next to the total variation distance.

    >>> print(epsilon(KRandomization(n=1000, q="1/4"), delta="1e-6"))
    0.142057...
    """
    allowed = "a probability with 0 <= delta < 1"
    target = rational(delta, "delta", allowed)
    if not 0 <= target < 1:
        raise DomainError("delta", delta, allowed)
    if isinstance(mechanism, Accounted):
        mechanism = mechanism.simplest
    if isinstance(mechanism, Accounted):
        return mechanism.epsilon(target, ones=ones, rtol=rtol) if target else mechanism.local_epsilon
    mechanism = pooled(mechanism)
    mechanism.single_bit("epsilon")
    width = tolerance(_RTOL if rtol is None else rtol)
    holders = None if ones is None else integer(ones, "ones", minimum=0, maximum=mechanism.n - 1)
    if target == 0:
        return mechanism.local_epsilon
    datasets, words = Datasets.of(mechanism), EVERY if holders is None else GIVEN
    ratio = datasets.pair(holders or 0).ratio_limit(
        target, rtol=width if holders is not None else width / 100, backward=holders is not None
    )
    if holders is not None and ratio is not None:
        return Promise.that(_logarithm(ratio, width), **words).aimed(width)
    known = _known(ratio.lower, width) if ratio is not None and ratio.lower > 1 else None
    if known is None and _total_variation_within(datasets, target, holders):
        return Promise(Fraction(0), Fraction(0), **words)
    beyond = min(Fraction(datasets.largest_loss * _SLACK), Fraction(MAX_EPSILON))
    found = crossing(
        lambda x: (datasets, Limit.of(epsilon=x)),
        target, low=_LEAST, high=beyond, rtol=width, ones=holders, known=known,
    )  # fmt: skip
    if found.upper < beyond:
        return Promise(found.lower, found.upper, **words, rtol=width)
    return Promise(found.lower, min(found.upper, mechanism.local_epsilon.upper), **words, rtol=width)


def _known(least: Fraction, rtol: Fraction) -> Known:
    """Of the dataset whose delta is above the target at every lambda below ``least`` > 1."""
    precision = working_precision(least.denominator.bit_length() + bits_for(rtol) + _SPARE_BITS)
    with precision:
        crossed = (ball(least) - 1).log1p()
        place = float(crossed.log())

    def fails(epsilon: Fraction) -> bool:
        with precision:
            return bool(ball(epsilon) < crossed)

    return Known(place=place, fails=fails)


def _logarithm(found: Enclosure, rtol: Fraction) -> Enclosure:
    """epsilon of an enclosure of lambda >= 1, as narrow as ``Pair.ratio_limit`` leaves it."""
    if found.lower == 1:
        return Enclosure(Fraction(0), log(found.upper).upper)
    whole = max(found.lower.denominator, found.upper.denominator).bit_length()  # lambda - 1 loses no digit
    with working_precision(whole + bits_for(rtol) + _SPARE_BITS):
        return enclosure_of((union(found.lower, found.upper) - 1).log1p())


def _total_variation_within(datasets: Datasets, target: Fraction, ones: int | None) -> bool:
    """Whether delta <= target at epsilon = 0; one dataset usually refutes it."""
    limit = Limit.of(epsilon=0)
    if datasets.single(ones or 0, limit, rtol=_FINE).lower > target:  # both directions are equal
        return False
    if ones is not None:
        return datasets.one(ones, limit, rtol=_FINE).upper <= target
    worst = settled(datasets, limit, target, rtol=_FINE)
    if worst.lower <= target < worst.upper:  # they may be equal: exact where the pmf is small
        find = largest_exact if exact_is_affordable(datasets, limit) else largest
        worst = find(datasets, limit, rtol=_FINE)
    return worst.upper <= target
