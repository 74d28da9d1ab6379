r"""The notes' local bound: the least q at which outcomes within z standard deviations keep their ratio within lambda.

Three readings of it, all about the dataset of ones:

closed   the bound (1 + z (p - q)/sqrt(p q k n))^k <= lambda, which is explicit:
         q >= (1 - 1/sqrt(1 + 4 v))/2 with v = z^2 / ((lambda^{1/k} - 1)^2 k n);
real     R_s itself at the real s = p k n - z sqrt(p q k n);
lattice  R_s at the least integer s in the window.

With ``sides=2`` the reciprocal ratio at the high end counts too: it is the larger one. None of them is differential
privacy: outcomes outside the window are not looked at (see ``exceedance``), and delta is not bounded (see ``delta``).

On the lattice a larger q may fail where a smaller one holds, because the worst integer jumps. The answer is the q from
which on the bound holds for *every* larger q; ``Bracket.first`` says where it holds first.

Source: K16, (4.33)-(4.45), (5.14)-(5.24); MATH, section 3.
"""

from __future__ import annotations

from fractions import Fraction

from dpcalc.errors import DomainError, TooLarge
from dpcalc.numbers.elementary import FINE, sqrt
from dpcalc.numbers.enclosure import Enclosure
from dpcalc.numbers.rational import Number, between, integer, rational
from dpcalc.privacy.limit import RatioLimit
from dpcalc.privacy.window import LocalCriterion
from dpcalc.solvers.bracket import Bracket, first_success, last_failure
from dpcalc.solvers.classical import limit_root

__all__ = ["local_q", "local_sigma"]

_METHODS = ("closed", "real", "lattice")
_RTOL = Fraction(1, 10**12)
_MAX_K = 1_000  # terms of R_s, evaluated some hundred times
_HALF = Fraction(1, 2)


def local_q(
    *,
    n: Number,
    lam: Number | None = None,
    epsilon: Number | None = None,
    k: Number = 1,
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
        sigmas: z, half the width of the window in standard deviations of S.
        method: "closed", "real" or "lattice".
        sides: 1 for the ratio only, as in the notes; 2 for the reciprocal too.
        rtol: relative width of the bracket for "real" and "lattice"; "closed" has about 40 digits.

    Raises:
        DomainError: an argument out of range; method "closed" for sides = 2 and k > 1, where no closed form is known.
        NoSolution: the bound holds for every q.
        TooLarge: k > 1,000 for "real" and "lattice".
        Undecided: rtol is beyond reach.

    Source: K16, (4.45), (5.24).

    >>> print(format(local_q(n=1000, lam=2), "30"))
    0.00876406756758793394379327849968...
    """
    records, repeats = integer(n, "n", minimum=1), integer(k, "k", minimum=1)
    limit = RatioLimit.of(lam=lam, epsilon=epsilon)
    if limit.lam == 1:
        raise DomainError("epsilon", epsilon, "a number > 0 for a bound on ratios")
    z = _positive(sigmas)
    side = integer(sides, "sides", minimum=1, maximum=2)
    if method not in _METHODS:
        raise DomainError("method", method, f"one of {', '.join(_METHODS)}")
    if method == "closed":
        return _closed(records, repeats, limit, z, side)
    if repeats > _MAX_K:
        raise TooLarge("the exact ratio", size=repeats, limit=_MAX_K, unit="terms (k)", instead='method="closed"')
    criterion = LocalCriterion(n=records, k=repeats, sigmas=z, limit=limit, lattice=method == "lattice", sides=side)
    return _searched(criterion, between(rtol, "rtol", 0, 1, "a relative width"))


def local_sigma(
    *, lam: Number | None = None, epsilon: Number | None = None, k: Number = 1, sigmas: Number = 3
) -> Enclosure:
    """The standard deviation z / (k (lambda^{1/k} - 1)) of the estimate at the closed bound, whatever n is.

    It grows with k, from z/(lambda - 1) towards z/ln(lambda): at the notes' own bound more repeats lose precision.

    Source: K16, (4.42), (5.23).

    >>> print(local_sigma(lam=2)), print(local_sigma(lam=2, k=10))
    3
    4.1798178518738898...
    (None, None)
    """
    repeats, z = integer(k, "k", minimum=1), _positive(sigmas)
    gap = _gap(RatioLimit.of(lam=lam, epsilon=epsilon), repeats)
    return Enclosure(z / (repeats * gap.upper), z / (repeats * gap.lower))


def _positive(sigmas: Number) -> Fraction:
    allowed = "a positive number of standard deviations"
    z = rational(sigmas, "sigmas", allowed)
    if z <= 0:
        raise DomainError("sigmas", sigmas, allowed)
    return z


def _gap(limit: RatioLimit, k: int, rtol: Fraction = FINE) -> Enclosure:
    """lambda^{1/k} - 1."""
    one = limit_root(limit, k, rtol / k**2)
    return Enclosure(one.lower - 1, one.upper - 1)


# --- closed form --------------------------------------------------------------------------------------------------


def _closed(n: int, k: int, limit: RatioLimit, z: Fraction, sides: int) -> Bracket:
    if sides == 2 and k > 1:
        raise DomainError("method", "closed", '"real" or "lattice" for sides = 2 and k > 1')
    gap = _gap(limit, k)
    if sides == 2:  # 1 - 1/lambda in place of lambda - 1
        gap = Enclosure(gap.lower / (1 + gap.lower), gap.upper / (1 + gap.upper))
    ends = [_q_at(z**2 / (g**2 * k * n)) for g in (gap.upper, gap.lower)]
    lower, upper = ends[0].lower, ends[1].upper
    return Bracket(
        lower=lower,
        upper=upper,
        at_lower=_closed_bound(lower, n, k, z, sides),
        at_upper=_closed_bound(upper, n, k, z, sides),
    )


def _q_at(v: Fraction) -> Enclosure:
    """(1 - 1/sqrt(1 + 4 v))/2, the q at which p q / (p - q)^2 = v."""
    s = sqrt(1 + 4 * v, rtol=min(FINE, FINE * v))
    return Enclosure((1 - 1 / s.lower) / 2, (1 - 1 / s.upper) / 2)


def _closed_bound(q: Fraction, n: int, k: int, z: Fraction, sides: int) -> Enclosure:
    """(1 + z (p - q)/sqrt(p q k n))^k, or for two sides and k = 1 the reciprocal 1/(1 - z (p - q)/sqrt(p q n))."""
    reach = sqrt(z**2 * (1 - 2 * q) ** 2 / (q * (1 - q) * k * n), rtol=FINE**2)
    if sides == 2:
        return Enclosure(1 / (1 - reach.lower), 1 / (1 - reach.upper))
    return Enclosure((1 + reach.lower) ** k, (1 + reach.upper) ** k)


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
