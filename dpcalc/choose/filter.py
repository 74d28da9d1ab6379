r"""A privacy filter: may one more mechanism run within the budget, chosen with all earlier results in view?

*Gaussian.* A mechanism whose trade-off curve is nowhere below that of N(0, 1) and N(mu, 1) costs mu^2. As long as the
costs add up to at most B, all releases together are no easier to tell apart than N(0, 1) and N(sqrt B, 1), however each
mechanism was chosen (proof notes, F1). B is the largest for which delta of these two at epsilon is within the budget. A
mechanism with an infinite privacy loss, such as bounded noise, has no such mu. Then a probability eta of giving
everything away is charged to a part of delta that was set aside, and mu^2 is the cost of the rest (proof notes, F2).

*Pure.* Where delta = 0 the cost is the local epsilon: no outcome is more than e^cost times likelier.

A person's own filter, fed with what those mechanisms cost that the person takes part in, is that person's budget.

Source: Koskela, Tobaben, Honkela, "Individual Privacy Accounting with Gaussian Differential Privacy" (2023); Rogers,
Roth, Ullman, Vadhan, "Privacy Odometers and Filters" (2016), for sums of epsilons.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, replace
from fractions import Fraction
from functools import lru_cache, partial
from math import floor
from typing import Any

from dpcalc.choose.epsilon import epsilon
from dpcalc.errors import DomainError, NoSolution
from dpcalc.mechanisms.mechanism import (
    MOST_ROUNDS,
    Mechanism,
    Name,
    Parameter,
    Real,
    Whole,
    declared,
    instance,
    parameter,
)
from dpcalc.mechanisms.noisy_count import GaussianMechanism
from dpcalc.numbers.decimal import rounded
from dpcalc.numbers.limit import MAX_EPSILON
from dpcalc.numbers.lists import one_of
from dpcalc.numbers.rational import Number, at_least, integer, positive, ranged, rational
from dpcalc.privacy.gaussian import gaussian_sigma
from dpcalc.privacy.tradeoff import tradeoff

_MU_DIGITS = 6
_BUDGET_DIGITS = 12


_SPENT = partial(at_least, low=0)


@declared(kw_only=True)
class Run:
    """What was run, and what it cost."""

    mechanism: Name = parameter(lambda words, _: str(words), "in words")
    times: Whole = parameter(partial(integer, minimum=1, maximum=MOST_ROUNDS), "how often")
    cost: Real = parameter(_SPENT, "of all runs together: mu^2, or epsilon where delta = 0")
    charged: Real = parameter(_SPENT, "by all runs together, to the part of delta that was set aside")
    epsilon: Parameter[Fraction | None, Number | None] = parameter(
        _SPENT, "the local epsilon of all runs together; None where the privacy loss is infinite", default=None
    )


@declared(kw_only=True)
class Filter:
    """A budget (epsilon, delta) for whatever is run on the same people, chosen with all earlier results in view.

    It is a value: ``after`` is another filter.

    >>> from dpcalc import KRandomization
    >>> budget, daily = Filter(epsilon=1, delta="1e-6"), KRandomization(n=10**4, q="1/10")
    >>> while budget.allows(daily):
    ...     budget = budget.after(daily)
    >>> len(budget.runs), budget.by_sum
    (24, 0)
    """

    epsilon: Real = parameter(partial(positive, maximum=MAX_EPSILON), "> 0")
    delta: Real = parameter(
        partial(ranged, what="a probability", low=0, high=1, ends="[)"),
        "0 <= delta < 1; at 0 by basic composition: the epsilons are added",
        default=0,
    )
    set_aside: Real = parameter(
        rational,
        "a part of delta for mechanisms with an infinite privacy loss; 0 <= set_aside < delta",
        default=0,
    )
    neighbours: Name = parameter(
        partial(one_of, names=("replace", "delete", "add-remove")),
        '"replace", "delete" or "add-remove": the same for every mechanism',
        default="replace",
    )
    runs: Parameter[tuple[Run, ...], tuple[Run, ...]] = parameter(
        instance(tuple, "the runs of a filter"), "what was run before", default=()
    )

    def _check(self, given: Mapping[str, Any]) -> None:
        if self.set_aside and not 0 < self.set_aside < self.delta:
            raise DomainError("set_aside", given["set_aside"], "a part of delta, 0 <= set_aside < delta")
        if self.runs and (self.left < 0 or self.charged > self.set_aside):
            raise DomainError("runs", self.runs, "runs within the budget")

    @property
    def budget(self) -> Fraction:
        """The largest allowed sum of all costs: of mu^2, or of epsilon where delta = 0."""
        if not self.delta:
            return self.epsilon
        return _budget(self.epsilon, self.delta - self.set_aside)

    @property
    def spent(self) -> Fraction:
        """The sum of all costs so far."""
        return sum((run.cost for run in self.runs), Fraction(0))

    @property
    def left(self) -> Fraction:
        """What is left of the budget."""
        return self.budget - self.spent

    @property
    def charged(self) -> Fraction:
        """What is spent of the part of delta that was set aside."""
        return sum((run.charged for run in self.runs), Fraction(0))

    @property
    def by_sum(self) -> int:
        """How many of the runs basic composition would have allowed: a sum of local epsilons up to the same epsilon."""
        total, allowed = Fraction(0), 0
        for run in self.runs:
            if run.epsilon is None:
                continue
            one = run.epsilon / run.times
            times = min(run.times, floor((self.epsilon - total) / one)) if one else run.times
            total, allowed = total + times * one, allowed + times
        return allowed

    @property
    def epsilon_spent(self) -> Fraction:
        """An epsilon that all runs together keep, at the filter's delta."""
        if not self.delta or not self.spent:
            return self.spent
        found = epsilon(GaussianMechanism(1 / self.spent), delta=self.delta - self.set_aside)
        return min(found.upper, self.epsilon)

    def cost(self, mechanism: Mechanism, *, charged: Number = 0) -> Fraction:
        """What one run costs.

        Args:
            mechanism: whose neighbours are those of the filter.
            charged: a part of what was set aside; the larger it is, the smaller the cost.

        Raises:
            DomainError: another relation of neighbours; no such mechanism.
            NoSolution: its privacy loss is infinite, and nothing or too little is charged.
        """
        self._same(mechanism)
        eta = rational(charged, "charged", "a part of delta")
        if not 0 <= eta <= self.set_aside:
            raise DomainError("charged", charged, "at most what was set aside of delta")
        if not self.delta:
            return mechanism.local_epsilon.upper
        counts = mechanism.counts
        number = sum(times for _, times in counts)
        try:
            return sum((times * _mu(one, eta / number) ** 2 for one, times in counts), Fraction(0))
        except NoSolution as error:
            raise NoSolution(f"{error}; set a part of delta aside and charge more of it") from None

    def allows(self, mechanism: Mechanism, *, times: Number = 1, charged: Number = 0) -> bool:
        """Whether it may still be run; arguments and errors as in ``after``."""
        return self._allows(self._run(mechanism, times, charged))

    def after(self, mechanism: Mechanism, *, times: Number = 1, charged: Number = 0) -> Filter:
        """The filter once it has been run.

        Args:
            mechanism: as in ``cost``.
            times: how often, one after the other.
            charged: for each time, as in ``cost``.

        Raises:
            DomainError: an argument out of range; another relation of neighbours.
            NoSolution: it is not allowed; or it has no cost.
        """
        run = self._run(mechanism, times, charged)
        if not self._allows(run):
            raise NoSolution("the budget does not allow it: run nothing, or what costs less")
        return replace(self, runs=(*self.runs, run))

    def to_json(self) -> str:
        """The state as text, all numbers as fractions."""
        own = {name: getattr(self, name) for name in ("epsilon", "delta", "set_aside", "neighbours")}
        return json.dumps({**own, "runs": [asdict(run) for run in self.runs]}, default=str, indent=1)

    @classmethod
    def from_json(cls, text: str) -> Filter:
        """The filter of a text that ``to_json`` wrote.

        Raises:
            DomainError: it is another text, or its runs exceed the budget.
        """
        try:
            state = json.loads(text)
            return cls(**state | {"runs": tuple(Run(**run) for run in state["runs"])})
        except (AttributeError, KeyError, TypeError, json.JSONDecodeError):
            raise DomainError("text", text, "text that Filter.to_json wrote") from None

    def _run(self, mechanism: Mechanism, times: Number, charged: Number) -> Run:
        """What would be run."""
        number = integer(times, "times", minimum=1, maximum=MOST_ROUNDS)
        cost, largest = self.cost(mechanism, charged=charged), _local_epsilon(mechanism)
        return Run(
            mechanism=str(mechanism), times=number, cost=number * cost, charged=number * rational(charged, "charged"),
            epsilon=None if largest is None else number * largest,
        )  # fmt: skip

    def _allows(self, run: Run) -> bool:
        return run.cost <= self.left and self.charged + run.charged <= self.set_aside

    def _same(self, mechanism: Mechanism) -> None:
        """Refuse another relation of neighbours."""
        if not isinstance(mechanism, Mechanism):
            raise DomainError("mechanism", mechanism, "a mechanism, such as KRandomization(n=1000, q='0.1')")
        relations = mechanism.relations
        if relations - {self.neighbours}:
            raise DomainError(
                "mechanism", mechanism,
                f'one whose neighbours are "{self.neighbours}", as those of the filter, not "{min(relations)}"',
            )  # fmt: skip


def _local_epsilon(mechanism: Mechanism) -> Fraction | None:
    """The local epsilon; None where the privacy loss is infinite."""
    try:
        return mechanism.local_epsilon.upper
    except NoSolution:
        return None


@lru_cache(maxsize=256)
def _mu(mechanism: Mechanism, eta: Fraction) -> Fraction:
    """A mu that is enough beside a probability eta of giving everything away, rounded up."""
    return Fraction(rounded(tradeoff(mechanism, rtol="1e-4").gaussian_mu(beside=eta).upper, _MU_DIGITS, 1))


@lru_cache(maxsize=256)
def _budget(epsilon: Fraction, delta: Fraction) -> Fraction:
    """The largest mu^2 for which N(0, 1) and N(mu, 1) have this delta at epsilon, rounded down."""
    return Fraction(rounded(1 / gaussian_sigma(epsilon=epsilon, delta=delta).upper ** 2, _BUDGET_DIGITS, -1))
