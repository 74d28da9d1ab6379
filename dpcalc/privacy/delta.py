"""delta(epsilon) of a mechanism, at one epsilon or at many: over every dataset, or for one composition of the others.

The lower end of an answer is attained by the dataset that it names; the upper end is proven for all datasets.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from dpcalc.errors import DpcalcError
from dpcalc.families.table import family
from dpcalc.mechanisms.mechanism import Mechanism
from dpcalc.numbers.arrays import arrays
from dpcalc.numbers.limit import Limit
from dpcalc.numbers.rational import Number
from dpcalc.pairs.family import Progress

if TYPE_CHECKING:
    import numpy as np


def delta(
    mechanism: Mechanism,
    *,
    lam: Number | None = None,
    epsilon: Number | None = None,
    ones: Number | Iterable[Number] | None = None,
    rtol: Number | None = None,
    progress: Progress | None = None,
) -> Any:
    r"""The least delta for which the pooled count is (epsilon, delta)-differentially private.

    Args:
        mechanism: single-bit records, a ``UnaryEncoding``, ``AsymmetricBits``, ``Rounds``, a ``Fleet``, ``Sampled``
            clients, a ``NoisyCount``, a ``Shuffle`` or a ``Thresholded``.
        lam: the ratio limit lambda = e^epsilon >= 1; give it or
        epsilon: >= 0; at 0 delta is the total variation distance.
        ones: look only at the datasets with this many ones among the other n - 1 records, in both directions (of
            rounds: with these ones in every round, and one direction in all); default: at all datasets.
        rtol: relative width, above 1e-1000 with ``ones`` (default 1e-12) and 1e-100 without (default 1e-4). For rounds
            and fleets with several randomizers it is above 1e-9 and only aimed at, see ``Rounds`` (default 1e-2;
            histograms of asymmetric bits 1e-3).
        progress: called now and then with the share of the work that is done, and with 1 at the end: the share of the
            datasets settled, of the changes compared (``NoisyCount``), of the inputs (``Shuffle``), of the two ends
            (``Rounds`` and histograms), of the pairs that may be looked at (``Fleet``).

    Returns:
        A ``Promise``, of the class of the mechanism's family: a ``Delta`` of single bits. It is an enclosure, with the
        dataset that attains it. It is exact for a rational lambda where the pmf is small (over
        all datasets: k n up to 2,000, unless q is long and many deltas agree to 12 digits), and exactly 0 if epsilon is
        at least the local epsilon.

    Raises:
        DomainError: none or both of lam and epsilon; an argument out of range; records of several bits.
        Undecided: rtol is beyond reach; its ``enclosure`` is what was proven.

    Source: the hockey-stick divergence.

    >>> from dpcalc import KRandomization
    >>> worst = delta(KRandomization(n=7, q="1/5"), lam="3/2")
    >>> worst.value, worst.dataset
    (Fraction(2176, 15625), Dataset(ones=1, value=0))
    """
    asked, limit = family(mechanism, ones), Limit.of(lam=lam, epsilon=epsilon)
    found = asked.checked(asked.delta(limit, rtol=asked.delta_width.of(rtol), progress=progress), rtol)
    if progress:
        progress(1.0)
    return found


def profile(
    mechanism: Mechanism,
    epsilons: Any,
    *,
    ones: Number | None = None,
    rtol: Number | None = None,
) -> np.ndarray[Any, np.dtype[np.object_]]:
    """delta at every epsilon of an array, as an object array of its shape; several times as fast as one by one.

    Args:
        mechanism: as in ``delta``.
        epsilons: an array-like of numbers >= 0; floats count as the decimals that print them.
        ones: as in ``delta``.
        rtol: as in ``delta``.

    Raises:
        DomainError: an epsilon < 0 or not a number; records of several bits.
        DpcalcError: numpy is not installed.

    >>> from dpcalc import KRandomization
    >>> deltas = profile(KRandomization(n=100, q="1/4"), [0, 0.5, 1])
    >>> deltas.shape, bool(deltas[0] > deltas[1] > deltas[2])
    ((3,), True)
    """
    if not arrays():
        raise DpcalcError("a profile is an array of numpy: pip install numpy")
    import numpy as np

    asked = family(mechanism, ones)
    values = np.asarray(epsilons, dtype=object)
    limits = [Limit.of(epsilon=epsilon) for epsilon in values.reshape(-1)]  # values.flat takes half as many dimensions
    found = np.empty(values.size, dtype=object)
    found[:] = [asked.checked(one, rtol) for one in asked.deltas(limits, rtol=asked.delta_width.of(rtol))]
    return found.reshape(values.shape)
