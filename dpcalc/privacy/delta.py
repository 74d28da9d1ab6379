"""delta(epsilon) of the pooled count: of one dataset, or the largest over every dataset and both directions.

The lower end of an answer is attained by the dataset named; the upper end is proven for all the others. All records
equal is not always the worst dataset: n = 7, q = 1/5, lambda = 3/2 has it at m = 1.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import overload

from dpcalc.mechanisms.response import KRandomization
from dpcalc.numbers.limit import Limit
from dpcalc.numbers.rational import Number, between, integer
from dpcalc.privacy.accounted import Accounted, Found, Progress, pooled
from dpcalc.privacy.datasets import Datasets, Delta
from dpcalc.privacy.worst import exact_is_affordable, largest, largest_exact

__all__ = ["delta", "deltas"]

_RTOL_ONE = Fraction(1, 10**12)
_RTOL_ALL = Fraction(1, 10**4)


@overload
def delta(
    mechanism: KRandomization,
    *,
    lam: Number | None = None,
    epsilon: Number | None = None,
    ones: Number | None = None,
    rtol: Number | None = None,
    progress: Progress | None = None,
) -> Delta: ...


@overload
def delta(
    mechanism: KRandomization | Accounted[Found],
    *,
    lam: Number | None = None,
    epsilon: Number | None = None,
    ones: Number | None = None,
    rtol: Number | None = None,
    progress: Progress | None = None,
) -> Delta | Found: ...


def delta(
    mechanism: KRandomization | Accounted[Found],
    *,
    lam: Number | None = None,
    epsilon: Number | None = None,
    ones: Number | None = None,
    rtol: Number | None = None,
    progress: Progress | None = None,
) -> Delta | Found:
    r"""The least delta for which the pooled count is (epsilon, delta)-differentially private.

    Args:
        mechanism: single-bit records, a ``UnaryEncoding``, ``Rounds``, a ``Fleet``, a ``NoisyCount``, or a ``Shuffle``.
        lam: the ratio limit lambda = e^epsilon >= 1; give it or
        epsilon: >= 0; at 0 delta is the total variation distance.
        ones: look at one composition of the other n - 1 records only (both directions; of rounds, the same ones in all
            of them, and one direction in all); default: at all of them.
        rtol: relative width, above 1e-1000 for one composition (default 1e-12) and 1e-100 for all (default 1e-4); for
            rounds and fleets above 1e-9 (default 1e-2), where it is aimed at (see ``Rounds``).
        progress: called now and then with the share of the work that is done, and with 1 at the end. It is of the
            compositions settled; of a ``NoisyCount`` of the changes compared; of a ``Shuffle`` of the inputs; of
            ``Rounds`` and histograms of the two ends; of a ``Fleet`` of the pairs that it may look at.

    Returns:
        An enclosure, exact for a rational lambda where the pmf is small (for all compositions: k n up to 2,000, unless
        q is long and many agree to 12 digits), with the dataset that attains it. Exactly 0 if epsilon is at least the
        local epsilon.

    Raises:
        DomainError: none or both of lam and epsilon; an argument out of range; records of several bits.
        Undecided: rtol is beyond reach; its ``enclosure`` is what was proven.
        TooLarge: delta is below 2^-999,999, about 1e-301,029.

    Source: the hockey-stick divergence.

    >>> worst = delta(KRandomization(n=7, q="1/5"), lam="3/2")
    >>> worst.value, worst.dataset
    (Fraction(2176, 15625), Dataset(ones=1, value=0))
    """
    if isinstance(mechanism, Accounted):
        mechanism = mechanism.simplest
    if isinstance(mechanism, Accounted):
        answer = mechanism.delta(Limit.of(lam=lam, epsilon=epsilon), ones=ones, rtol=rtol, progress=progress)
        if progress:
            progress(1.0)
        return answer
    mechanism = pooled(mechanism)
    mechanism.single_bit("delta")
    limit = Limit.of(lam=lam, epsilon=epsilon)
    if ones is not None:
        datasets, holders, width = _one(mechanism, ones, rtol)
        found = datasets.one(holders, limit, rtol=width)
        if progress:
            progress(1.0)
        return found
    datasets, width = Datasets.of(mechanism), _width(rtol, "1e-100", _RTOL_ALL)
    search = largest_exact if exact_is_affordable(datasets, limit) else largest
    return search(datasets, limit, rtol=width, progress=progress).aimed(width)


def deltas(mechanism: KRandomization, limits: Sequence[Limit], *, ones: Number, rtol: Number | None) -> list[Delta]:
    """delta of one dataset at every limit; the arguments and what is raised are those of ``delta``."""
    mechanism.single_bit("delta")
    datasets, holders, width = _one(mechanism, ones, rtol)
    return datasets.profile(holders, limits, rtol=width)


def _one(mechanism: KRandomization, ones: Number, rtol: Number | None) -> tuple[Datasets, int, Fraction]:
    """One dataset, how many ones it has, and the width asked for."""
    datasets = Datasets.of(mechanism)
    holders = integer(ones, "ones", minimum=0, maximum=datasets.others)
    return datasets, holders, _width(rtol, "1e-1000", _RTOL_ONE)


def _width(rtol: Number | None, least: str, default: Fraction) -> Fraction:
    """The relative width; ``least`` is what takes seconds."""
    return default if rtol is None else between(rtol, "rtol", least, 1, "a relative width")
