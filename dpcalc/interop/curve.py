"""The privacy curve of a mechanism as a profile of OpenDP.

OpenDP asks for delta at an epsilon in doubles. What it gets is delta over every dataset, certified and rounded up to a
double: OpenDP's epsilon for a delta is one at which that holds, so that its own search needs no proof.

Source: OpenDP 0.16, ``new_privacy_profile``.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

from dpcalc.errors import DpcalcError, Undecided
from dpcalc.families.table import family
from dpcalc.mechanisms.mechanism import Mechanism
from dpcalc.numbers.limit import MAX_EPSILON
from dpcalc.privacy.delta import delta

if TYPE_CHECKING:
    from opendp.mod import PrivacyProfile


def privacy_profile(mechanism: Mechanism) -> PrivacyProfile:
    """The curve of delta over every dataset, for one neighbour's change, as OpenDP holds it.

    Args:
        mechanism: any.

    Returns:
        ``opendp.mod.PrivacyProfile``: its ``delta(epsilon)`` and ``epsilon(delta)`` hold for every dataset.

    Raises:
        DomainError: no such mechanism.
        DpcalcError: OpenDP is not installed (the extra ``interop``).

    OpenDP refuses it until its features "contrib" and "honest-but-curious" are enabled.

    >>> from dpcalc import KRandomization
    >>> from opendp.mod import enable_features
    >>> enable_features("contrib", "honest-but-curious")
    >>> profile = privacy_profile(KRandomization(n=1000, q="1/4"))
    >>> 0.142057 < profile.epsilon(1e-6) < 0.142058
    True
    """
    try:
        from opendp.measures import new_privacy_profile
    except ImportError as error:
        raise DpcalcError("OpenDP is not installed: pip install 'dpcalc-exact[interop]'") from error
    family(mechanism)  # refuses what has none
    found: PrivacyProfile = new_privacy_profile(lambda epsilon: _delta(mechanism, epsilon))
    return found


def _delta(mechanism: Any, epsilon: float) -> float:
    """At or above delta; that of a smaller epsilon, as delta falls, where this one is not settled or too large."""
    try:
        return float(delta(mechanism, epsilon=Fraction(min(epsilon, MAX_EPSILON))))
    except Undecided:  # as next to the largest loss of a sum of noises
        if not epsilon:
            raise
        return _delta(mechanism, epsilon * (15 / 16))
