r"""Upper bounds of delta of one round over all datasets, at many limits.

All limits at once where outcomes are few, or too faint for doubles (``all_datasets``); else one after the other, in one
pass of doubles or by an envelope (``worst``); where all of them would take too long, by Chernoff's bound. They serve
the chords of composed rounds: how sharp each is asked for is steered there.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache
from typing import TypeAlias

from dpcalc.errors import Undecided
from dpcalc.numbers.arrays import arrays
from dpcalc.numbers.ball import bits_for
from dpcalc.numbers.limit import Limit
from dpcalc.rounds.all_datasets import bounds, outcomes
from dpcalc.worst.branch_and_bound import largest
from dpcalc.worst.datasets import Datasets
from dpcalc.worst.loss_spread import spread
from dpcalc.worst.steering import log_odds, serves

__all__ = ["bound", "over_datasets", "single"]

#: From this variance of a count on, one bound for all compositions is the quicker way. Without arrays that is so from
#: _SMOOTH_ALONE on, where the bound is not much wider than asked for: by about _RIPPLE over the variance.
_SMOOTH, _SMOOTH_ALONE = 30_000, 500
_RIPPLE = Fraction(3, 20)
_FEW, _FEW_ALONE = 500, 1500  # outcomes of a round, up to which they are rather listed; without arrays
_EACH, _EACH_ALONE = 1500, 8000  # outcomes listed for each limit
_CENTRES = 4  # tilts at which outcomes are listed
_WORK = 1500  # ranges of datasets, looked at one by one in some 5 s
_TRIED = 8  # knots: the first ones need not tell how many that will be
_STEPS = 0.3  # the loss is steep that changes by so many deviations from one outcome to the next
_RECORDS = 500  # records to an outcome, from which on bounds one by one take long without arrays
_NEARLY = 0.5  # deviations from 0, where all datasets are too alike
_FAR = 25.0  # so many deviations out many outcomes are too faint for doubles
_SOME, _LISTED = 15_000, 1_500_000  # the same there: of a round, and in all, which take some 3 s
_ENOUGH = 4  # times as wide it may be elsewhere: all others take longer
_GUARD = 30  # bits of it
_PLAIN = 600  # up to this logarithm a float holds delta


#: epsilon, and how sharp the bound should be.
Asked: TypeAlias = tuple[Fraction, Fraction]


def over_datasets(datasets: Datasets, asked: Sequence[Asked], *, centre: float, sharpness: float) -> list[Fraction]:
    """At or above delta over all datasets, for each limit.

    Args:
        datasets: of the round.
        asked: epsilons >= 0, in rising order, and relative widths.
        centre: the epsilon that matters most.
        sharpness: the width there.
    """
    known = dict[Fraction, Fraction]()
    out, size = centre / spread(datasets), outcomes(datasets)
    far = out > _FAR
    steep = far or _steep(datasets, out)
    few, each = (_FEW, _EACH) if arrays() and steep else (_FEW_ALONE, _EACH_ALONE)
    if size < (_SOME if far else few) and (
        steep or (size * datasets.k < few and not _serves(datasets, centre, sharpness))
    ):
        least, tilt = _NEARLY * spread(datasets), Fraction(centre)
        left = [one for one in asked if least < one[0] < datasets.largest_loss]
        for _ in range(_CENTRES if left else 0):
            values = bounds(datasets, left, tilt, most=_LISTED if far else each * len(left), left=not far)
            known |= {x: value for (x, _), value in zip(left, values, strict=True) if value is not None}
            before, left = left, [one for one in left if one[0] not in known]
            if not left or len(left) == len(before):
                break
            tilt = left[len(left) // 2][0]
    known |= _one_by_one(datasets, [one for one in asked if one[0] not in known], centre)
    return [known[x] for x, _ in asked]


def _one_by_one(datasets: Datasets, asked: Sequence[Asked], centre: float) -> dict[Fraction, Fraction]:
    """The same one after the other, those in the middle first; by Chernoff's bound where all would take too long."""
    found, spent = dict[Fraction, Fraction](), 0
    places = sorted(asked, key=lambda one: abs(one[0] - centre))
    for tried, (epsilon, width) in enumerate(places):
        if spent * len(places) > _WORK * max(tried, _TRIED):
            return found | {x: datasets.quick(Limit.exp(x)) for x, _ in places[tried:]}
        found[epsilon], _, ranges = bound(datasets, epsilon, width)
        spent += ranges
    return found


def _serves(datasets: Datasets, centre: float, sharpness: float) -> bool:
    """Whether doubles bound all datasets at once, and quickly, where the losses lie that matter."""
    if not arrays() and datasets.others > _RECORDS * outcomes(datasets):
        return False
    return datasets.at_once(Limit.exp(Fraction(centre)), rtol=Fraction(sharpness)) is not None


def _steep(datasets: Datasets, out: float) -> bool:
    """Whether one outcome more or less changes the loss much so many deviations out, so that bounds one by one take
    long.
    """
    deviation = math.sqrt(datasets.k * (datasets.others + 1) * float(datasets.q * (1 - datasets.q)))
    return out > _STEPS * deviation


@lru_cache(maxsize=1 << 14)
def bound(datasets: Datasets, epsilon: Fraction, rtol: Fraction) -> tuple[Fraction, int, int]:
    """A bound of delta over all datasets, about so sharp, the ones of one that comes near it, and how many ranges of
    datasets were looked at.
    """
    limit = Limit.exp(epsilon)
    if datasets.kept_within(limit):
        return Fraction(0), 0, 0
    try:
        variance = datasets.k * datasets.others * datasets.q * (1 - datasets.q)
        if variance > (_SMOOTH if arrays() else max(Fraction(_SMOOTH_ALONE), _RIPPLE / rtol)):
            bits = bits_for(rtol) + 2 * (datasets.k * (datasets.others + 1)).bit_length() + _GUARD
            level = _about(datasets, limit, rtol) * (1 + _ENOUGH * rtol)
            bound = datasets.envelope(0, datasets.others, limit, bits=bits, level=level)
            if bound <= level:
                return bound, 0, 0
        shares: list[float] = []
        found = largest(datasets, limit, rtol=rtol, progress=shares.append)
    except Undecided:
        return datasets.quick(limit), 0, _WORK
    return found.upper, found.dataset.ones, len(shares) - 1


def _about(datasets: Datasets, limit: Limit, rtol: Fraction) -> Fraction:
    """delta of the dataset of zeros; it steers."""
    odds = log_odds(datasets, limit) if serves(datasets, limit) else math.inf
    return Fraction(1 / (1 + math.exp(-odds))) if abs(odds) < _PLAIN else datasets.single(0, limit, rtol=rtol / 8).lower


@lru_cache(maxsize=1 << 14)
def single(datasets: Datasets, ones: int, epsilon: Fraction, rtol: Fraction) -> Fraction:
    """A bound of delta of one composition in both directions."""
    return datasets.one(ones, Limit.exp(epsilon), rtol=rtol).upper
