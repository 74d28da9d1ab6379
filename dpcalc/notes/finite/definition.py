r"""Privacy of a finite mechanism by enumeration: the definition word by word, and the criterion by outcomes.

    events:    P[M(x) in S] <= lambda P[M(y) in S] + delta   for every set S of outcomes,
    outcomes:  P[M(x) = s] <= lambda P[M(y) = s]             for every outcome s,

for all neighbours x, y in both orders. KTEX proves that for delta = 0 the two agree. For delta > 0 the outcomes do not
decide: what single outcomes exceed by adds up.

Source: KTEX, (eq:dpdef) and Proposition (prop:dpcnt).
"""

from __future__ import annotations

from fractions import Fraction

from dpcalc.errors import must_fit
from dpcalc.mechanisms.finite import Event, FiniteMechanism, Privacy
from dpcalc.numbers.rational import Number, at_least, probability

_MAX_EVENTS = 1 << 18  # for each of the neighbours, in both orders


def outcome_criterion(mechanism: FiniteMechanism, *, lam: Number) -> Privacy:
    """Whether no outcome is more than ``lam`` times as likely as on a neighbour, that is, privacy with delta = 0.

    Raises:
        DomainError: lam < 1.

    >>> outcome_criterion(FiniteMechanism([["3/4", "1/4"], ["1/4", "3/4"]]), lam=3)
    Privacy(holds=True, witness=None)
    """
    limit = at_least(lam, "lam", 1)
    for x, y in mechanism.ordered():
        for s, (a, b) in enumerate(zip(mechanism.matrix[x], mechanism.matrix[y], strict=True)):
            if a > limit * b:
                return Privacy(holds=False, witness=Event.of(mechanism.matrix, x, y, [s]))
    return Privacy(holds=True)


def event_criterion(mechanism: FiniteMechanism, *, lam: Number, delta: Number = 0) -> Privacy:
    """Whether every one of the 2^c events obeys the definition.

    Raises:
        DomainError: lam < 1, or delta not a probability.
        TooLarge: more than 18 outcomes.

    >>> event_criterion(FiniteMechanism([["3/4", "1/4"], ["1/4", "3/4"]]), lam=2).witness.outcomes
    (0,)
    """
    limit, target = at_least(lam, "lam", 1), probability(delta, "delta")
    events = 1 << len(mechanism.matrix[0])
    must_fit("a check of every event", events, _MAX_EVENTS, "events", instead="FiniteMechanism.is_private")
    for x, y in mechanism.ordered():
        excess = [Fraction(0)]  # of every event among the outcomes so far; bit s of the index says whether s is in it
        for a, b in zip(mechanism.matrix[x], mechanism.matrix[y], strict=True):
            step = a - limit * b
            excess += [before + step for before in excess]
        for index, exceeds_by in enumerate(excess):
            if exceeds_by > target:
                outcomes = (s for s in range(index.bit_length()) if index >> s & 1)
                return Privacy(holds=False, witness=Event.of(mechanism.matrix, x, y, outcomes))
    return Privacy(holds=True)
