r"""delta of rounds whose losses lie on one short lattice: the masses of all sums of losses, by multiplication.

With C(z) = prod_g G_g(z)^{T_g} as in ``lattice``, C_j the P mass of the loss j h of all rounds and W the mass of an
infinite one,

    delta = W + sum_{j > J} C_j (1 - e^{epsilon - j h}),    J = floor(epsilon / h).

All terms are >= 0, and products of polynomials with coefficients >= 0 lose hardly any digits, however faint they are:
nothing is truncated. Inversion on a circle is quicker, but its truncation error is only small beside Chernoff's bound
of the sum. That may lie hundreds of orders of magnitude above delta where the losses of one round lie far apart.

Source: proof notes, C9.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import cached_property
from itertools import accumulate

from flint import arb, arb_poly

from dpcalc.losses.lattice import floor
from dpcalc.losses.lattice_pair import LatticePair, infinite
from dpcalc.numbers.ball import ball
from dpcalc.numbers.limit import Limit


class Convolution:
    """Rounds whose losses lie on one lattice.

    Args:
        step: h > 0.
        rounds: the losses of each kind of round, and how many times it is run.

    Everything is done at the current precision.

    >>> from dpcalc.numbers.ball import working_precision
    >>> with working_precision(100):  # randomized response at q = 1/4, of the losses log 3 and -log 3
    ...     once = LatticePair(-1, (arb(1) / 4, arb(0), arb(3) / 4), arb(0))
    ...     print(Convolution(Fraction(11, 10), [(once, 1)]).delta(Limit.of(lam=2)).str(8))
    [0.25069337 +/- 4.46e-9]
    """

    def __init__(self, step: Fraction, rounds: Sequence[tuple[LatticePair, int]]) -> None:
        self._step, self._rounds = step, rounds
        self._first = sum(x.first * times for x, times in rounds)

    def delta(self, limit: Limit) -> arb:
        """A ball that holds delta, for any limit."""
        above = max(floor(limit, self._step) + 1 - self._first, 0)
        masses, others = self._sums
        if above >= len(masses):
            return self.beyond
        return (masses[above] - limit.ball() * others[above]).nonnegative_part() + self.beyond

    @cached_property
    def beyond(self) -> arb:
        """W."""
        return infinite(self._rounds)

    @cached_property
    def _sums(self) -> tuple[list[arb], list[arb]]:
        """Of the P and of the Q masses from each loss on."""
        whole = _product([arb_poly(list(x.masses)) ** times for x, times in self._rounds])
        falling, likely = ball(-self._step).exp(), whole.coeffs() or [arb(0)]
        powers = accumulate(likely[1:], lambda power, _: power * falling, initial=ball(-self._first * self._step).exp())
        unlikely = [mass * power for mass, power in zip(likely, powers, strict=True)]
        first, second = (list(accumulate(reversed(masses)))[::-1] for masses in (likely, unlikely))
        return first, second


def _product(factors: Sequence[arb_poly]) -> arb_poly:
    """Of equally long halves: one by one a long product would meet every short factor."""
    if len(factors) < 2:
        return factors[0] if factors else arb_poly([1])
    middle = len(factors) // 2
    return _product(factors[:middle]) * _product(factors[middle:])
