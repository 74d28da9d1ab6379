"""The privacy curve of a mechanism as a profile of OpenDP.

OpenDP asks for delta at an epsilon, in doubles. It gets a proven upper bound of delta over every dataset, rounded up to
a double. The epsilon that OpenDP finds for a delta is one where this bound is at most delta: its search needs no proof.

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
    """delta as a function of epsilon, over every dataset and for one change of a record, as OpenDP holds it.

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
    family(mechanism)  # refuses what is no mechanism
    found: PrivacyProfile = new_privacy_profile(lambda epsilon: _delta(mechanism, epsilon))
    return found


def _delta(mechanism: Any, epsilon: float) -> float:
    """An upper bound of delta: at this epsilon, or at a smaller one, where this one is too large or not settled."""
    try:
        return float(delta(mechanism, epsilon=Fraction(min(epsilon, MAX_EPSILON))))
    except Undecided:  # near the largest loss of a sum of noises, say
        if not epsilon:
            raise
        return _delta(mechanism, epsilon * (15 / 16))
