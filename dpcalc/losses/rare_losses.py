r"""delta of rounds that nearly always show the same outcome, as a count that few report and a threshold hides.

Let a_i and b_i be the masses of the outcomes of a round with finite losses, and m the likeliest one. In all rounds
together A = prod a_m^T and B = prod b_m^T are those of the usual outcomes, x = sum T sum_{i != m} a_i / a_m, and with
another outcome in one round, of a kind g,

    delta = W + [A - lambda B]_+ + sum_g T_g sum_{i != m} [A a_i / a_m - lambda B b_i / b_m]_+ + R,

where R, of two or more rounds with another outcome, is from 0 to A (e^x - 1 - x) <= A x^2 e^x / 2. A lattice takes
long for faint losses far from each other, and rounds a usual loss next to 0 up to a whole step in every round.

Source: proof notes, C25.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

from flint import arb

from dpcalc.losses.dominance import LatticePair, infinite, sharp
from dpcalc.numbers.limit import Limit
from dpcalc.pairs.two_laws import Revealed

_USUAL = 0.5  # the least A with which this way is tried
_NOTHING = 2.0**-40  # the largest loss that counts as next to none
_KNOWN = 16  # bits to which delta must come out


class RareLosses:
    """Rounds that nearly always show their usual outcomes.

    Args:
        rounds: what each kind shows, with an outcome of masses > 0, and how many times it is run.

    Everything is done at the current precision.

    >>> from fractions import Fraction
    >>> from dpcalc.numbers.ball import working_precision
    >>> with working_precision(100):
    ...     faint = arb(10) ** -9
    ...     once = Revealed([(1 - faint, 1 - faint / 20), (faint, faint / 20)], arb(0), None)
    ...     print(RareLosses([(once, 4)]).delta(Limit.exp(Fraction(1))).str(8))
    [3.4563436e-9 +/- 3.04e-17]
    """

    def __init__(self, rounds: Sequence[tuple[Revealed, int]]) -> None:
        usual = [(max(one.outcomes, key=lambda outcome: float(outcome[0])), times) for one, times in rounds]
        likely, unlikely = (prod((one[i] ** times for one, times in usual), start=arb(1)) for i in (0, 1))
        self._outcomes, rare = [(likely, unlikely)], arb(0)
        for (most, times), (one, _) in zip(usual, rounds, strict=True):
            for other in one.outcomes:
                if other is not most:
                    share = times * other[0] / most[0]
                    self._outcomes.append((likely * share, unlikely * times * other[1] / most[1]))
                    rare += share
        self._rest = arb(0).union(likely * rare**2 * rare.exp() / 2)
        self._beyond = infinite(
            [(LatticePair(0, tuple(a for a, _ in one.outcomes), one.infinite), times) for one, times in rounds]
        )

    @classmethod
    def near(cls, rounds: Sequence[tuple[Revealed, int]], limit: Limit) -> RareLosses | None:
        """These rounds, if their delta at a limit comes out narrow enough; else None."""
        likeliest = [(max((float(a) for a, _ in one.outcomes), default=0.0), times) for one, times in rounds]
        if prod(mass**times for mass, times in likeliest) < _USUAL:
            return None
        found = cls(rounds)
        return found if found.delta(limit).rel_accuracy_bits() >= _KNOWN else None

    def delta(self, limit: Limit) -> arb:
        """A ball that holds delta, for any limit."""
        lam = limit.ball()
        each = ((a - lam * b).nonnegative_part() for a, b in self._outcomes)
        return sum(each, self._beyond) + self._rest


def usual_together(seen: Revealed) -> Revealed:
    """A pair below: the outcomes that are well known, those with next to no loss merged into one."""
    known = list(filter(sharp, seen.outcomes))
    nothing = [abs(a - b) < _NOTHING * a for a, b in known]
    usual = [one for one, alike in zip(known, nothing, strict=True) if alike]
    others = [one for one, alike in zip(known, nothing, strict=True) if not alike]
    likely, unlikely = (sum((one[i] for one in usual), arb(0)) for i in (0, 1))
    return Revealed([(likely, unlikely), *others] if usual else others, seen.infinite, None)
