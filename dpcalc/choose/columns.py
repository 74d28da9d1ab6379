"""The columns of a plan: one for each bound.

private     (epsilon, delta)-differential privacy over every dataset; asked for by giving delta
classical   no outcome above lambda                                        (K16, 4.47)
closed      the notes' 3-sigma bound, all records 1, in closed form        (K16, 4.45, 5.24)
real        the same with the exact ratio at the real end of the window
lattice     the same at the worst integer outcome inside the window
two-sided   the lattice bound for the reciprocal ratio too
every       that for every dataset, each in its own window; where the search takes long the product bound, which is
            proven for every dataset, too

Only ``classical`` and ``private`` are differential privacy.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, NamedTuple

from dpcalc.choose.collected import collected, exposed, is_bit
from dpcalc.choose.least import least_q
from dpcalc.errors import Undecided
from dpcalc.local.solvers import classical_q, local_q, over_windows
from dpcalc.mechanisms.mechanism import Mechanism
from dpcalc.mechanisms.response import KRandomization
from dpcalc.numbers.bracket import Bracket
from dpcalc.numbers.limit import Limit
from dpcalc.privacy.ratio import Outside
from dpcalc.report import digits

_STEPS = 500_000  # of the search over every dataset: a second
ANY = Fraction(1, 4)  #: where the flip probability does not matter


class Case(NamedTuple):
    """What a row of a plan is about.

    Attributes:
        n: records.
        k: reports per record.
        words: what else is collected, as ``collected`` takes it.
        numbers: whether the bit is a number from 0 to 1, rounded at random (``RoundedNumbers``): as private as any bit.
        limit: lambda.
        delta: the target, or None.
        window: half the notes' window, in standard deviations.
    """

    n: int
    k: int
    words: dict[str, Any]
    numbers: bool
    limit: Limit
    delta: Fraction | None
    window: Fraction

    def at(self, q: Fraction) -> Mechanism:
        """The mechanism with this q."""
        return collected(n=self.n, q=q, k=self.k, **self.words)


@dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    """What a bound asks for.

    Attributes:
        least: the least q.
        answers: whether it knows the mechanism.
        windowed: whether it looks at outcomes in a window only, so that it is not differential privacy.
        remark: what is said under the table of k reports and of how likely an outcome breaks the limit.
    """

    least: Callable[[Case], Bracket]
    answers: Callable[[Mechanism], bool]
    windowed: bool = True
    remark: Callable[[int, Outside], str] | None = None


def _private(at: Case) -> Bracket:
    given: dict[str, Any] = {**at.limit.argument, **at.words}
    return least_q(n=at.n, delta=at.delta or 0, k=at.k, **given)


def _classical(at: Case) -> Bracket:
    return classical_q(**at.limit.argument, k=exposed(at.at(ANY)))


def _local(**more: Any) -> Callable[[Case], Bracket]:
    """``local_q``, by a method."""

    def least(at: Case) -> Bracket:
        given: dict[str, Any] = {**at.limit.argument, **more}
        return local_q(n=at.n, k=at.k, bits=at.words["bits"], sigmas=at.window, **given)

    return least


def _every(at: Case) -> Bracket:
    with suppress(Undecided):
        return over_windows(at.n, at.k, at.limit, at.window, sides=2, most=_STEPS)
    return _local(dataset="every", sides=2, method="product")(at)


def _closed_claim(k: int, outside: Outside) -> str:
    """How many outcomes keep the limit at the closed bound, as the notes have it and as it is."""
    inside = (digits(1 - chance, 4) for chance in (outside.ratio, outside.reciprocal))
    return (
        "The notes say that 99.98 % of outcomes keep the limit at the closed bound (K16, section 4.3); "
        "exact for k = {}: {} for the ratio, {} for its reciprocal.".format(k, *inside)
    )


#: In the order in which a plan shows them. The notes look at one count; K16 stops before the other bounds for vectors
#: in 6.1.2.
COLUMNS = {
    "private": Column(least=_private, answers=lambda asked: True, windowed=False),
    "classical": Column(least=_classical, answers=lambda asked: True, windowed=False),
    "closed": Column(
        least=_local(method="closed"),
        answers=lambda asked: isinstance(asked, KRandomization),
        remark=_closed_claim,
    ),
    "real": Column(least=_local(method="real"), answers=is_bit),
    "lattice": Column(least=_local(method="lattice"), answers=is_bit),
    "two-sided": Column(least=_local(method="lattice", sides=2), answers=is_bit),
    "every": Column(least=_every, answers=is_bit),
}
