r"""The least threshold for a target (epsilon, delta).

A release with the threshold K + 1 is one with K in which the counts equal to K are hidden, too. That is post-processing
of every dataset's release, so that delta falls as K rises: there is one least K (proof notes, T5). With noise delta
does not fall to 0, but to what the noise alone gives.
"""

from __future__ import annotations

from fractions import Fraction

from dpcalc.choose.crossing import shown
from dpcalc.errors import NoSolution, Undecided
from dpcalc.families.table import family
from dpcalc.mechanisms.noise import LARGEST, Noise
from dpcalc.mechanisms.thresholded import Thresholded
from dpcalc.numbers.bracket import Bracket
from dpcalc.numbers.limit import Limit, target_delta
from dpcalc.numbers.promise import Promise
from dpcalc.numbers.rational import Number
from dpcalc.numbers.search import last_where

_RTOL = Fraction(1, 10**6)  # of a delta on the way
_FINE = Fraction(1, 10**15)  # of delta at the two ends


def least_threshold(
    *, delta: Number, lam: Number | None = None, epsilon: Number | None = None, sampled: Number = 1,
    noise: Noise | None = None, neighbours: str = "add-remove",
) -> Bracket:  # fmt: skip
    """The least count that may be released for (epsilon, delta)-differential privacy.

    Args:
        delta: the target, 0 < delta < 1.
        lam: lambda = e^epsilon >= 1; give it or
        epsilon: >= 0.
        sampled: the chance that a client reports, 0 < sampled <= 1.
        noise: added to each count; None: none.
        neighbours: "add-remove" or "replace".

    Returns:
        A bracket of neighbouring whole numbers: the target fails at ``lower`` and holds at ``upper`` (its ``value``)
        and all larger ones. If it holds at 1, both ends are 1.

    Raises:
        DomainError: an argument out of range.
        NoSolution: no threshold up to 10^15 is enough, as without noise where every client reports.
        TooLarge: outcomes must be listed (see ``Thresholded``), and are too many.
        Undecided: a delta equals the target to 300 digits.

    >>> least_threshold(sampled="0.105", epsilon=1, delta="1e-8").value
    Fraction(11, 1)
    """
    limit, target = Limit.of(lam=lam, epsilon=epsilon), target_delta(delta)

    def delta_at(threshold: int, rtol: Fraction) -> Promise:
        asked = family(Thresholded(threshold, sampled=sampled, noise=noise, neighbours=neighbours))
        found: Promise = asked.delta(limit, rtol=rtol, target=target)
        return found

    # near 1, as the outcomes of a large threshold may be too many to be listed
    last = last_where(lambda threshold: delta_at(threshold, _RTOL).upper > target, 1, LARGEST, near=1)
    if last == LARGEST:
        raise NoSolution(f"delta is above {shown(target)} even at {last:,}, the last threshold searched")
    lower, upper = max(last, 1), last + 1
    at_lower, at_upper = delta_at(lower, _FINE), delta_at(upper, _FINE)
    if lower < upper and at_lower.lower <= target:
        raise Undecided(f"delta at {lower:,} is too near {shown(target)}", at_lower)
    return Bracket(
        lower=Fraction(lower), upper=Fraction(upper), at_lower=at_lower, at_upper=at_upper, whole=True, target=target
    )
