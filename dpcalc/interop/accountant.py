"""An accountant of dp-accounting that knows the mechanisms of dpcalc beside its own.

For one release of a mechanism the accountant holds a pair that is proven to dominate every dataset in both directions
(``losses``). dp-accounting composes releases, and computes its own events, in floating point, with errors near 1e-15 in
delta that it does not bound. ``Rounds`` composes the mechanisms of dpcalc with proof.

All events must have the same neighbours: REPLACE_ONE if a record is replaced, ADD_OR_REMOVE_ONE if it is added or
removed, REPLACE_SPECIAL if it is emptied (``neighbours="delete"``). A ``NoisyCount`` fits each of them: it knows only
by how much a neighbour changes its count. dp-accounting takes a Gaussian mechanism's sensitivity for that of adding a
record, and doubles it under REPLACE_ONE.

Source: dp-accounting 0.6, ``privacy_accountant`` and ``pld.pld_privacy_accountant``.
"""

from __future__ import annotations

from typing import Any

import attr
from dp_accounting import ComposedDpEvent, DpEvent, GaussianDpEvent, NeighboringRelation, SelfComposedDpEvent
from dp_accounting.pld.pld_privacy_accountant import CompositionErrorDetails, PLDAccountant
from dp_accounting.pld.privacy_loss_distribution import identity

from dpcalc.families.table import family
from dpcalc.interop.losses import repeated
from dpcalc.mechanisms.mechanism import Mechanism
from dpcalc.numbers.rational import integer

_RELATIONS = {
    "replace": NeighboringRelation.REPLACE_ONE,
    "add-remove": NeighboringRelation.ADD_OR_REMOVE_ONE,
    "delete": NeighboringRelation.REPLACE_SPECIAL,
}


@attr.s(frozen=True, slots=True, auto_attribs=True)
class MechanismDpEvent(DpEvent):  # type: ignore[misc]
    """One release of a mechanism of dpcalc.

    Args:
        mechanism: any, such as a ``KRandomization`` (shuffled randomized response), a ``UnaryEncoding`` (a histogram),
            a ``NoisyCount`` (integer noise), a ``Thresholded``, or ``Rounds``.

    Raises:
        DomainError: it is no mechanism.
    """

    mechanism: Mechanism = attr.ib(validator=lambda event, field, given: family(given))


class PrivacyAccountant(PLDAccountant):  # type: ignore[misc]
    """An accountant for ``MechanismDpEvent``, and for all events that dp-accounting's ``PLDAccountant`` supports.

    Args:
        neighboring_relation: of every event.
        value_discretization_interval: the step between two losses, far below the standard deviation of each loss.

    Raises:
        DomainError: by ``compose``, if a mechanism's largest loss that matters is more than a million intervals, or the
            count is no whole number.

    >>> from dp_accounting import GaussianDpEvent
    >>> from dpcalc import KRandomization
    >>> accountant = PrivacyAccountant()
    >>> day = MechanismDpEvent(KRandomization(n=100, q="1/4"))
    >>> 0.55 < accountant.compose(day).get_epsilon(1e-6) < 0.551
    True
    >>> 1.0 < accountant.compose(GaussianDpEvent(10)).get_epsilon(1e-6) < 1.01  # 0.834 by itself
    True
    """

    def __init__(
        self,
        neighboring_relation: NeighboringRelation = NeighboringRelation.REPLACE_ONE,
        value_discretization_interval: float = 1e-4,
    ) -> None:
        super().__init__(neighboring_relation, value_discretization_interval)

    def _maybe_compose(self, event: DpEvent, count: int, do_compose: bool) -> CompositionErrorDetails | None:
        """Composes an event so many times, or says why it is not supported."""
        do_compose = integer(count, "count", minimum=0) > 0 and do_compose
        if not isinstance(event, MechanismDpEvent):
            if not do_compose or isinstance(event, ComposedDpEvent | SelfComposedDpEvent | GaussianDpEvent):
                return super()._maybe_compose(event, count, do_compose)
            return self._once(event, count)
        other = {_RELATIONS[relation] for relation in event.mechanism.relations} - {self.neighboring_relation}
        if other:
            told = f"neighboring_relation must be {other.pop().name} for it. Found {self.neighboring_relation.name}."
            return CompositionErrorDetails(invalid_event=event, error_message=told)
        if do_compose:
            interval = self._value_discretization_interval
            releases = repeated(event.mechanism, count, interval=interval, pessimistic=True)
            self._pld: Any = self._pld.compose(releases)
        return None

    def _once(self, event: DpEvent, count: int) -> CompositionErrorDetails | None:
        """Composes an event of dp-accounting that is computed once: 0.6 forgets the count of a randomized response."""
        before, self._pld = self._pld, identity(self._value_discretization_interval)
        told = super()._maybe_compose(event, 1, True)
        self._pld = before.compose(self._pld.self_compose(count))
        return told
