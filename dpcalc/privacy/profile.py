"""The privacy profile: delta as a function of epsilon, at many points."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from dpcalc.errors import DpcalcError
from dpcalc.mechanisms.response import KRandomization
from dpcalc.numbers.arrays import arrays
from dpcalc.numbers.limit import Limit
from dpcalc.numbers.promise import Promise
from dpcalc.numbers.rational import Number
from dpcalc.privacy.accounted import Accounted, pooled
from dpcalc.privacy.delta import delta, deltas

if TYPE_CHECKING:
    import numpy as np

__all__ = ["profile"]


def profile(
    mechanism: KRandomization | Accounted[Promise],
    epsilons: Any,
    *,
    ones: Number | None = None,
    rtol: Number | None = None,
) -> np.ndarray[Any, np.dtype[np.object_]]:
    """delta at every epsilon of an array, as an object array of the same shape.

    Args:
        mechanism: as in ``delta``.
        epsilons: an array-like of numbers >= 0; floats count as the decimals that print them.
        ones: as in ``delta``.
        rtol: as in ``delta``.

    Raises:
        DomainError: an epsilon < 0 or not a number; records of several bits.
        DpcalcError: numpy is not installed.

    >>> deltas = profile(KRandomization(n=100, q="1/4"), [0, 0.5, 1])
    >>> deltas.shape, bool(deltas[0] > deltas[1] > deltas[2])
    ((3,), True)
    """
    if not arrays():
        raise DpcalcError("a profile is an array of numpy: pip install numpy")
    import numpy as np

    if not isinstance(mechanism, Accounted):
        mechanism = pooled(mechanism)
    values = np.asarray(epsilons, dtype=object)
    asked = values.reshape(-1)  # values.flat takes half as many dimensions as an array may have
    found = np.empty(values.size, dtype=object)
    if isinstance(mechanism, KRandomization) and ones is not None:
        found[:] = deltas(mechanism, [Limit.of(epsilon=epsilon) for epsilon in asked], ones=ones, rtol=rtol)
    else:
        found[:] = [delta(mechanism, epsilon=epsilon, ones=ones, rtol=rtol) for epsilon in asked]
    return found.reshape(values.shape)
