"""The privacy profile: delta as a function of epsilon, at many points."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from dpcalc.errors import DpcalcError
from dpcalc.families.table import family
from dpcalc.mechanisms.mechanism import Mechanism
from dpcalc.numbers.arrays import arrays
from dpcalc.numbers.limit import Limit
from dpcalc.numbers.rational import Number

if TYPE_CHECKING:
    import numpy as np


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
