r"""The notes' local bound: the least q at which outcomes within z standard deviations keep their ratio within lambda.

Three readings of it, all about the dataset of ones:

closed   the bound (1 + z (p - q)/sqrt(p q k n))^k <= lambda, which is explicit:
         q >= (1 - 1/sqrt(1 + 4 v))/2 with v = z^2 / ((lambda^{1/k} - 1)^2 k n);
real     R_s itself at the real s = p k n - z sqrt(p q k n);
lattice  R_s at the least integer s in the window.

For records of L bits, all of them equal and one changed to its opposite, z standard deviations are those of the ratio:

closed   of the mean likelihood ratio of the reports, (1 + z sqrt((E w^2 - 1)/(k n)))^k <= lambda with
         E w^2 = (1/(pq) - 3)^L: the same q with v = 1/(M^{1/L} - 1), M = 1 + k n (lambda^{1/k} - 1)^2/z^2;
variance of R itself, 1 + z sqrt(Var R) <= lambda. Var R grows with E w^2, which falls as q grows: one crossing.

L = 1 and k = 1 make all of these but the lattice one the same. With ``sides=2`` the reciprocal ratio at the high end
counts too: it is the larger one. None of them is differential privacy: outcomes outside the window are not looked at
(see ``exceedance``, ``identical_exceedance``), and delta is not bounded (see ``delta``, ``vector_delta``).

On the lattice a larger q may fail where a smaller one holds, because the worst integer jumps. The answer is the q from
which on the bound holds for *every* larger q; ``Bracket.first`` says where it holds first.

Source: K16, (4.33)-(4.45), (5.14)-(5.24), and for L bits section 6.1.2, which stops before its bound.
"""

from __future__ import annotations

import math
from fractions import Fraction

from dpcalc.choose.bracket import Bracket, first_success, last_failure
from dpcalc.choose.classical import limit_root
from dpcalc.choose.local_criterion import LocalCriterion
from dpcalc.counts.likelihood import second_moment, variance
from dpcalc.errors import DomainError, TooLarge, Undecided
from dpcalc.numbers.elementary import FINE, compound, root, sqrt
from dpcalc.numbers.enclosure import Enclosure
from dpcalc.numbers.limit import Limit
from dpcalc.numbers.lists import one_of
from dpcalc.numbers.rational import Number, between, integer, rational

__all__ = ["local_q", "local_sigma"]

_METHODS = ("closed", "variance", "real", "lattice")
_SEARCHED = ("real", "lattice")
_RTOL = Fraction(1, 10**12)
_MAX_K = 1_000  # terms of R_s, evaluated some hundred times
_HALF = Fraction(1, 2)
_CLOSED_DIGITS = 60  # of the ends, well below their distance


def local_q(
    *,
    n: Number,
    lam: Number | None = None,
    epsilon: Number | None = None,
    k: Number = 1,
    bits: Number = 1,
    sigmas: Number = 3,
    method: str = "closed",
    sides: Number = 1,
    rtol: Number = _RTOL,
) -> Bracket:
    """The least q from which on the notes' local bound holds.

    Args:
        n: records.
        lam: the ratio limit lambda > 1; give it or
        epsilon: its logarithm.
        k: reports per record.
        bits: L, bits per record.
        sigmas: z, half the width of the window in standard deviations.
        method: "closed" or "variance"; for single bits also "real" or "lattice".
        sides: 1 for the ratio only, as in the notes; 2 for the reciprocal too.
        rtol: relative width of the bracket; "closed" has about 40 digits.

    Raises:
        DomainError: an argument out of range; method "closed" for sides = 2 and k > 1, where no closed form is known;
            "real" or "lattice" for records of several bits.
        NoSolution: the bound holds for every q.
        TooLarge: k > 1,000 but for "closed".
        Undecided: rtol is beyond reach.

    Source: K16, (4.45), (5.24).

    >>> print(format(local_q(n=1000, lam=2), "30"))
    0.00876406756758793394379327849968...
    >>> print(local_q(n=1000, lam=2, bits=5))
    0.23454540995497092...
    """
    records, repeats, length = (integer(x, name, minimum=1) for x, name in ((n, "n"), (k, "k"), (bits, "bits")))
    limit = Limit.above_one(lam=lam, epsilon=epsilon)
    z = _positive(sigmas)
    side = integer(sides, "sides", minimum=1, maximum=2)
    one_of(method, "method", _METHODS)
    if length > 1 and method in _SEARCHED:
        raise DomainError("method", method, '"closed" or "variance" for bits > 1')
    if method == "closed":
        return _closed(records, repeats, length, limit, z, side)
    if repeats > _MAX_K:
        raise TooLarge("the exact ratio", size=repeats, limit=_MAX_K, unit="terms (k)", instead='method="closed"')
    width = between(rtol, "rtol", 0, 1, "a relative width")
    if method == "variance":
        return _by_variance(records, repeats, length, limit, z, side, width)
    criterion = LocalCriterion(n=records, k=repeats, sigmas=z, limit=limit, lattice=method == "lattice", sides=side)
    return _searched(criterion, width)


def local_sigma(
    *, lam: Number | None = None, epsilon: Number | None = None, k: Number = 1, sigmas: Number = 3
) -> Enclosure:
    """The standard deviation z / (k (lambda^{1/k} - 1)) of the estimate at the closed bound, whatever n is.

    It grows with k, from z/(lambda - 1) towards z/ln(lambda): at the notes' own bound more repeats lose precision.

    Raises:
        DomainError: an argument out of range; epsilon = 0.

    Source: K16, (4.42), (5.23).

    >>> print(local_sigma(lam=2)), print(local_sigma(lam=2, k=10))
    3
    4.1798178518738898...
    (None, None)
    """
    repeats, z = integer(k, "k", minimum=1), _positive(sigmas)
    gap = _gap(Limit.above_one(lam=lam, epsilon=epsilon), repeats)
    return Enclosure(z / (repeats * gap.upper), z / (repeats * gap.lower))


def _positive(sigmas: Number) -> Fraction:
    allowed = "a positive number of standard deviations"
    z = rational(sigmas, "sigmas", allowed)
    if z <= 0:
        raise DomainError("sigmas", sigmas, allowed)
    return z


def _gap(limit: Limit, k: int, rtol: Fraction = FINE) -> Enclosure:
    """lambda^{1/k} - 1."""
    one = limit_root(limit, k, rtol / k**2)
    return Enclosure(one.lower - 1, one.upper - 1)


# --- closed form --------------------------------------------------------------------------------------------------


def _closed(n: int, k: int, bits: int, limit: Limit, z: Fraction, sides: int) -> Bracket:
    if sides == 2 and k > 1:
        raise DomainError("method", "closed", '"variance", or "real" or "lattice" for bits = 1, if sides = 2 and k > 1')
    gap = _sided(_gap(limit, k), sides)
    least, most = (_q_at(k * n * g**2 / z**2, bits) for g in (gap.upper, gap.lower))
    q = Enclosure(least.lower, most.upper).outward(_CLOSED_DIGITS)
    return Bracket(
        lower=q.lower,
        upper=q.upper,
        at_lower=_closed_bound(q.lower, n, k, bits, z, sides),
        at_upper=_closed_bound(q.upper, n, k, bits, z, sides),
    )


def _sided(gap: Enclosure, sides: int) -> Enclosure:
    """lambda - 1, or 1 - 1/lambda for two sides: what the reciprocal leaves."""
    return gap if sides == 1 else Enclosure(gap.lower / (1 + gap.lower), gap.upper / (1 + gap.upper))


def _q_at(excess: Fraction, bits: int) -> Enclosure:
    """The q at which E w^2 = 1 + excess: (1 - 1/sqrt(1 + 4 v))/2 with v = pq/(p - q)^2 = 1/((1 + excess)^{1/L} - 1)."""
    one = root(1 + excess, bits, rtol=FINE * min(Fraction(1), excess) / (2 * bits))
    ends = []
    for v in (1 / (one.upper - 1), 1 / (one.lower - 1)):
        s = sqrt(1 + 4 * v, rtol=min(FINE, FINE * v))
        ends += [(1 - 1 / s.lower) / 2, (1 - 1 / s.upper) / 2]
    return Enclosure(ends[0], ends[-1])


def _closed_bound(q: Fraction, n: int, k: int, bits: int, z: Fraction, sides: int) -> Enclosure:
    """(1 + z sqrt((E w^2 - 1)/(k n)))^k, or for two sides and k = 1 the reciprocal 1/(1 - z sqrt((E w^2 - 1)/n))."""
    excess = compound(1 / (q * (1 - q)) - 4, bits, FINE**2)
    low, high = (_bound(end / (k * n), k, z, sides) for end in (excess.lower, excess.upper))
    return Enclosure(low.lower, high.upper)


def _bound(spread: Fraction, k: int, z: Fraction, sides: int) -> Enclosure:
    """(1 + z sqrt(spread))^k, or for two sides the reciprocal 1/(1 - z sqrt(spread))."""
    reach = sqrt(z**2 * spread, rtol=FINE**2)
    if sides == 2:
        if reach.upper >= 1:
            raise Undecided("so large a lambda needs more digits of q than are proven with sides = 2")
        return Enclosure(1 / (1 - reach.lower), 1 / (1 - reach.upper))
    low, high = (1 + compound(end, k, FINE**2) for end in (reach.lower, reach.upper))
    return Enclosure(low.lower, high.upper)


# --- variance of the ratio ----------------------------------------------------------------------------------------


def _by_variance(n: int, k: int, bits: int, limit: Limit, z: Fraction, sides: int, rtol: Fraction) -> Bracket:
    gap = _sided(_gap(limit, 1), sides)
    if sides == 2:  # 1 - z sqrt(Var R) is as small as 1/lambda, and to stay positive at the lower end
        rtol = min(rtol, (1 - gap.upper) / 4)
    least, most = _moment(n, k, gap, z, rtol / 16)
    low, high = _q_at(most - 1, bits).lower, _q_at(least - 1, bits).upper
    grid = 1 << (2 - _exponent(rtol * min(low, _HALF - high)))  # q = 1/2 would be no answer
    lower, upper = Fraction(math.floor(low * grid), grid), Fraction(math.ceil(high * grid), grid)
    at_lower, at_upper = (_bound(variance(n, k, second_moment(q, bits)), 1, z, sides) for q in (lower, upper))
    return Bracket(lower=lower, upper=upper, at_lower=at_lower, at_upper=at_upper)


def _moment(n: int, k: int, gap: Enclosure, z: Fraction, rtol: Fraction) -> tuple[Fraction, Fraction]:
    """Two values of E w^2, E w^2 - 1 known to ``rtol``: z^2 Var R is at most gap^2 at the first, at least at the other.

    Var R, with the overlaps' probabilities as weights, is a polynomial in E w^2 - 1 >= 0 without negative coefficients.
    """
    low = high = Fraction(1)
    while z**2 * variance(n, k, 1 + high) < gap.upper**2:
        low, high = high, 2 * high
    while z**2 * variance(n, k, 1 + low) > gap.lower**2:
        low, high = low / 2, low
    while high - low > rtol * low:
        middle = (low + high) / 2
        if z**2 * variance(n, k, 1 + middle) <= gap.lower**2:
            low = middle
        else:
            high = middle
    return 1 + low, 1 + high


def _exponent(x: Fraction) -> int:
    """About log2 x, not above it."""
    return x.numerator.bit_length() - x.denominator.bit_length() - 1


# --- searched -----------------------------------------------------------------------------------------------------


def _searched(criterion: LocalCriterion, rtol: Fraction) -> Bracket:
    lower, upper = last_failure(criterion.holds, criterion.fails, top=_HALF, rtol=rtol)
    return Bracket(
        lower=lower,
        upper=upper,
        at_lower=criterion.value(lower),
        at_upper=criterion.value(upper),
        first=_first(criterion, rtol) if criterion.lattice else None,
    )


def _first(criterion: LocalCriterion, rtol: Fraction) -> Bracket:
    """Where the lattice bound holds first."""
    total, z = criterion.reports, criterion.sigmas
    if criterion.sides == 1:
        # Up to this q only s = N lies in the window, and R_N = (q/p)^k < 1: the bound holds for every smaller q.
        upper, lower = 1 / (total * (1 + z) ** 2), Fraction(0)
        at_lower = Enclosure.of(0)
    else:
        # Up to z^2/(N + z^2) the outcome s = N lies in the window, with reciprocal ratio (p/q)^k.
        everywhere = min(z**2 / (total + z**2), _classical_end(criterion))
        lower, upper = first_success(criterion.holds, criterion.fails, start=everywhere / 2, top=_HALF, rtol=rtol)
        at_lower = criterion.value(lower)
    return Bracket(lower=lower, upper=upper, at_lower=at_lower, at_upper=criterion.value(upper))


def _classical_end(criterion: LocalCriterion) -> Fraction:
    """A q up to which (p/q)^k > lambda."""
    return 1 / (1 + limit_root(criterion.limit, criterion.k).upper)
