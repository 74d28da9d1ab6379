r"""The notes' local bound: the least q at which outcomes within z standard deviations keep their ratio within lambda.

Three readings of it, all about the dataset whose records are all 1:

closed   the bound (1 + z (p - q)/sqrt(p q k n))^k <= lambda, which is explicit:
         q >= (1 - 1/sqrt(1 + 4 v))/2 with v = z^2 / ((lambda^{1/k} - 1)^2 k n);
real     R_s itself at the real s = p k n - z sqrt(p q k n);
lattice  R_s at the least integer s in the window.

For records of L bits, all of them equal and one changed to its opposite, z standard deviations are those of the ratio:

closed   of the mean likelihood ratio of the reports, (1 + z sqrt((E w^2 - 1)/(k n)))^k <= lambda with
         E w^2 = (1/(pq) - 3)^L: the same q with v = 1/(M^{1/L} - 1), M = 1 + k n (lambda^{1/k} - 1)^2/z^2;
variance of R itself, 1 + z sqrt(Var R) <= lambda. Var R grows with E w^2, which falls as q grows: one crossing;
box      for k = 1, R at every whole outcome (s_0, ..., s_L) with each s_l within z standard deviations.

For k = 1 the closed bound is that of another window of outcomes, a ball (proof notes, 12.2; ``local.vector_window``).

L = 1 and k = 1 make all of these but the lattice one the same. With ``sides=2`` the reciprocal ratio at the high end
counts too: it is the larger one. None of them is differential privacy: outcomes outside the window are not looked at
(see ``exceedance``, ``identical_exceedance``), and delta is not bounded (see ``delta``, ``vector_delta``).

On the lattice a larger q may fail where a smaller one holds, because the worst integer jumps. The answer is the q from
which on the bound holds for *every* larger q; ``Bracket.first`` says where it holds first.

The dataset of ones has the largest R at each *fixed* outcome; but the window moves with the dataset, and the lowest
outcome of another one's may show a larger R. ``dataset="every"`` asks for the limit in each dataset's own window: at
whole outcomes, as between them R means nothing where both bits are held (``local.every_window``). Whether "real"
with two sides covers every dataset is not proven: it did at z = 2 and 3 wherever it was tried (n <= 100, k <= 3, lambda
to 5), it does where z^2 >= k n/lambda^{1/k}, and it does not at z = 1 (n = 8, lambda = 3).

Source: K16, (4.33)-(4.45), (5.14)-(5.24), and for L bits section 6.1.2, which stops before its bound.
"""

from __future__ import annotations

import math
from dataclasses import replace
from fractions import Fraction

from dpcalc.accuracy.estimator import variance
from dpcalc.errors import DomainError, Undecided, must_fit
from dpcalc.local.criterion import LocalCriterion
from dpcalc.local.every_window import over_datasets
from dpcalc.local.own_windows import OwnWindows
from dpcalc.local.ratio_in_window import RatioInWindow
from dpcalc.local.ratio_variance import variance_enclosure
from dpcalc.local.sawtooth import first_success, last_failure
from dpcalc.local.vector_window import box_q
from dpcalc.mechanisms.response import KRandomization
from dpcalc.numbers.ball import bits_for
from dpcalc.numbers.bracket import Bracket
from dpcalc.numbers.elementary import FINE, compound, root, sqrt
from dpcalc.numbers.enclosure import Enclosure
from dpcalc.numbers.limit import Limit
from dpcalc.numbers.lists import one_of
from dpcalc.numbers.rational import Number, between, deviations, integer

_METHODS = ("closed", "variance", "real", "lattice", "box")
_SEARCHED = ("real", "lattice")
_DATASETS = ("all-ones", "every")
_RTOL = Fraction(1, 10**12)
_MAX_K = 1_000  # terms of R_s, evaluated some hundred times
_HALF = Fraction(1, 2)
_BITS = 192  # of the balls beyond what lambda - 1 and the width need: twice what cancels and what may be narrower
_CLOSED_DIGITS = 60  # of the ends, well below their distance


def local_q(
    n: Number,
    *,
    lam: Number | None = None,
    epsilon: Number | None = None,
    k: Number = 1,
    bits: Number = 1,
    sigmas: Number = 3,
    method: str | None = None,
    sides: Number = 1,
    dataset: str = "all-ones",
    rtol: Number = _RTOL,
) -> Bracket:
    """The least q from which on the notes' local bound holds: with all records 1, unless every dataset is asked for.

    Args:
        n: records.
        lam: the ratio limit lambda > 1; give it or
        epsilon: its logarithm.
        k: reports per record.
        bits: L, bits per record.
        sigmas: z, half the width of the window in standard deviations.
        method: "closed", the default for all records 1, or "variance"; for single bits also "real" or "lattice", the
            default, and the only one, for every dataset; for several bits and k = 1 also "box".
        sides: 1 for the ratio only, as in the notes; 2 for the reciprocal too.
        dataset: "all-ones", as in the notes: nothing is said of other datasets. "every": no dataset exceeds the limit
            at a whole outcome of its own window, and the bracket's ``witness`` is the one that fails at its lower end.
        rtol: relative width of the bracket; "closed" has about 40 digits.

    Raises:
        DomainError: an argument out of range; method "closed" for sides = 2 and k > 1, where no closed form is known;
            "real" or "lattice" for records of several bits, "box" for single bits or k > 1; every dataset with another
            method, or with several bits.
        NoSolution: the bound holds for every q.
        TooLarge: k > 1,000 but for "closed"; more than 64 bits for "box".
        Undecided: rtol is beyond reach; for every dataset it may be so from n = 10^4 and k = 10 on, after minutes.

    Source: K16, (4.45), (5.24).

    >>> print(format(local_q(n=1000, lam=2), "30"))
    0.00876406756758793394379327849968...
    >>> print(local_q(n=1000, lam=2, bits=5))
    0.23454540995497092...
    >>> print(local_q(n=1000, lam=2, bits=5, method="box"))
    0.2548073415712...
    >>> found = local_q(n=50, lam=2, dataset="every")
    >>> print(found, found.witness, sep="; ")
    0.226708869369...; 1 one, s = 3: R = 2.0822913...
    """
    records, repeats, length = (integer(x, name, minimum=1) for x, name in ((n, "n"), (k, "k"), (bits, "bits")))
    limit = Limit.above_one(lam=lam, epsilon=epsilon)
    z = deviations(sigmas)
    side = integer(sides, "sides", minimum=1, maximum=2)
    every = one_of(dataset, "dataset", _DATASETS) == "every"
    method = one_of(("lattice" if every else "closed") if method is None else method, "method", _METHODS)
    if every and length > 1:
        raise DomainError("dataset", dataset, '"all-ones" for bits > 1, where windows are of the ratio')
    if every and method != "lattice":
        allowed = '"lattice" for every dataset: between whole outcomes R means nothing where both bits are held'
        raise DomainError("method", method, allowed)
    if length > 1 and method in _SEARCHED:
        raise DomainError("method", method, '"closed", "variance" or "box" for bits > 1')
    if method == "box" and (length == 1 or repeats > 1):
        raise DomainError("method", method, '"box" for bits > 1 and k = 1')
    width = between(rtol, "rtol", 0, 1, "a relative width")
    if method == "box":
        return box_q(n=records, bits=length, limit=limit, sigmas=z, sides=side, rtol=width)
    if method == "closed":
        return _closed(records, repeats, length, limit, z, side)
    must_fit("the exact ratio", repeats, _MAX_K, "terms (k)", instead='method="closed"')
    if method == "variance":
        return _by_variance(records, repeats, length, limit, z, side, width)
    bits = _BITS + 2 * (bits_for(width) + bits_for(min(_HALF, limit.excess)))
    if every:
        KRandomization(n=records, q=_HALF / 2, k=repeats)  # refuses more reports than are searched
        own = [
            OwnWindows(n=records, k=repeats, sigmas=z, limit=limit, neighbour=neighbour, bits=bits)
            for neighbour in (False, True)[:side]
        ]
        return over_datasets(own, width)
    ratio = RatioInWindow(total=records * repeats, k=repeats, sigmas=z, limit=limit, bits=bits)
    return _searched(LocalCriterion(ratio=ratio, lattice=method == "lattice", sides=side), width)


def local_sigma(
    *, lam: Number | None = None, epsilon: Number | None = None, k: Number = 1, sigmas: Number = 3,
    dataset: str = "all-ones", n: Number | None = None, sides: Number = 1,
) -> Enclosure:  # fmt: skip
    """The standard deviation z / (k (lambda^{1/k} - 1)) of the estimate at the closed bound, whatever n is.

    It grows with k, from z/(lambda - 1) towards z/ln(lambda): at the notes' own bound more repeats lose precision.
    That is with all records 1; for every dataset it is the standard deviation at ``local_q``, which n and the sides are
    needed for.

    Raises:
        DomainError: an argument out of range; epsilon = 0; n or sides for all records 1, or no n for every dataset.

    And whatever ``local_q`` raises.

    Source: K16, (4.42), (5.23).

    >>> print(local_sigma(lam=2)), print(local_sigma(lam=2, k=10))
    3
    4.1798178518738898...
    (None, None)
    >>> print(local_sigma(lam=2, dataset="every", n=50))
    5.41670568745...
    """
    repeats, z = integer(k, "k", minimum=1), deviations(sigmas)
    if one_of(dataset, "dataset", _DATASETS) == "every":
        if n is None:
            raise DomainError("n", ..., "the number of records, for every dataset")
        found = local_q(n=n, lam=lam, epsilon=epsilon, k=k, sigmas=sigmas, sides=sides, dataset=dataset)
        low, high = (sqrt(variance(KRandomization(n=n, q=q, k=k))) for q in (found.lower, found.upper))
        return Enclosure(low.lower, high.upper)
    other = None if integer(sides, "sides", minimum=1, maximum=2) == 1 else sides
    for name, value in {"n": n, "sides": other}.items():
        if value is not None:
            raise DomainError(name, value, f'no {name} for all records 1; dataset = "every" takes it')
    gap = _gap(Limit.above_one(lam=lam, epsilon=epsilon), repeats)
    return Enclosure(z / (repeats * gap.upper), z / (repeats * gap.lower))


def _gap(limit: Limit, k: int, rtol: Fraction = FINE) -> Enclosure:
    """lambda^{1/k} - 1."""
    one = limit.root(k, rtol / k**2)
    return Enclosure(one.lower - 1, one.upper - 1)


# --- closed form --------------------------------------------------------------------------------------------------


def _closed(n: int, k: int, bits: int, limit: Limit, z: Fraction, sides: int) -> Bracket:
    if sides == 2 and k > 1:
        raise DomainError("method", "closed", '"variance", or "real" or "lattice" for bits = 1, if sides = 2 and k > 1')
    gap = _sided(_gap(limit, k), sides)
    least, most = (_q_at(k * n * g**2 / z**2, bits) for g in (gap.upper, gap.lower))
    q = Enclosure(least.lower, most.upper).outward(_CLOSED_DIGITS)
    at_lower, at_upper = (
        _bound(_spread(end, bits, FINE**2) / (k * n), k, z, sides, FINE**2) for end in (q.lower, q.upper)
    )
    return Bracket(lower=q.lower, upper=q.upper, at_lower=at_lower, at_upper=at_upper)


def _sided(gap: Enclosure, sides: int) -> Enclosure:
    """lambda - 1, or 1 - 1/lambda for two sides: what the reciprocal leaves."""
    return gap if sides == 1 else Enclosure(gap.lower / (1 + gap.lower), gap.upper / (1 + gap.upper))


def _q_at(spread: Fraction, bits: int, rtol: Fraction = FINE) -> Enclosure:
    """The q at which E w^2 = 1 + spread: (1 - 1/sqrt(1 + 4 v))/2 with v = pq/(p - q)^2 = 1/((1 + spread)^{1/L} - 1)."""
    one = root(1 + spread, bits, rtol=rtol * min(Fraction(1), spread) / (2 * bits))
    ends = []
    for v in (1 / (one.upper - 1), 1 / (one.lower - 1)):
        s = sqrt(1 + 4 * v, rtol=rtol * min(Fraction(1), v))
        ends += [(1 - 1 / s.lower) / 2, (1 - 1 / s.upper) / 2]
    return Enclosure(ends[0], ends[-1])


def _spread(q: Fraction, bits: int, rtol: Fraction) -> Enclosure:
    """E w^2 - 1."""
    return compound(1 / (q * (1 - q)) - 4, bits, rtol)


def _bound(variance: Enclosure, k: int, z: Fraction, sides: int, rtol: Fraction) -> Enclosure:
    """(1 + z sqrt(variance))^k, or for two sides the reciprocal 1/(1 - z sqrt(variance))."""
    reach = Enclosure(sqrt(z**2 * variance.lower, rtol).lower, sqrt(z**2 * variance.upper, rtol).upper)
    if sides == 2:
        if reach.upper >= 1:
            raise Undecided("so large a lambda needs more digits of q than are proven with sides = 2")
        return 1 / (1 - reach)
    return Enclosure(1 + compound(reach.lower, k, rtol).lower, 1 + compound(reach.upper, k, rtol).upper)


# --- variance of the ratio ----------------------------------------------------------------------------------------


def _by_variance(n: int, k: int, bits: int, limit: Limit, z: Fraction, sides: int, rtol: Fraction) -> Bracket:
    if sides == 2:  # 1 - z sqrt(Var R) is as small as 1/lambda, and to stay positive at the lower end
        rtol = min(rtol, 1 / (4 * limit.ends.upper))
    fine = min(FINE, rtol / 1024)
    gap = _sided(_gap(limit, 1, fine), sides)
    inner, outer = _spreads(n, k, gap, z, rtol / 16, fine)
    low, high = _q_at(outer, bits, fine).lower, _q_at(inner, bits, fine).upper
    grid = 1 << (3 - _exponent(rtol * min(low, _HALF - high)))  # q = 1/2 would be no answer
    ends = Fraction(math.ceil(low * grid) - 1, grid), Fraction(math.ceil(high * grid), grid)
    bounds = []
    for q in ends:
        spread = _spread(q, bits, fine**2)
        least, most = (variance_enclosure(n, k, end, fine**2) for end in (spread.lower, spread.upper))
        bounds.append(_bound(Enclosure(least.lower, most.upper), 1, z, sides, fine**2))
    return Bracket(lower=ends[0], upper=ends[1], at_lower=bounds[0], at_upper=bounds[1])


def _spreads(n: int, k: int, gap: Enclosure, z: Fraction, rtol: Fraction, fine: Fraction) -> tuple[Fraction, Fraction]:
    """Two x = E w^2 - 1, ``rtol`` apart: z^2 Var R is at most gap^2 at the first and at least gap^2 at the other.

    Var R is a polynomial in x without negative or constant coefficients, so that Var(c x) >= c Var(x) for c >= 1. Where
    the enclosures of the two sides overlap, all of them narrower than 8 ``fine``, the crossing is as near.
    """

    def side(x: Fraction) -> int:
        """-1 where z^2 Var R <= gap^2 is proven, 1 where >= is, else 0."""
        found = z**2 * variance_enclosure(n, k, x, fine)
        return -1 if found.upper <= gap.lower**2 else int(found.lower >= gap.upper**2)

    low = high = gap.upper**2 * n / (k * z**2)  # here the first term alone is gap^2
    factor = 2
    while side(low) >= 0:
        low, high, factor = low / factor, low, factor**2
    while high - low > rtol * low:
        middle = (low + high) / 2
        found = side(middle)
        if not found:
            return middle / (1 + rtol / 4), middle * (1 + rtol / 4)
        low, high = (low, middle) if found > 0 else (middle, high)
    return low, high


def _exponent(x: Fraction) -> int:
    """About log2 x, not above it."""
    return x.numerator.bit_length() - x.denominator.bit_length() - 1


# --- searched -----------------------------------------------------------------------------------------------------


def _searched(criterion: LocalCriterion, rtol: Fraction) -> Bracket:
    found = _bracket(criterion, *last_failure(criterion.holds, criterion.fails, top=_HALF, rtol=rtol))
    return replace(found, first=_first(criterion, rtol) if criterion.lattice else None)


def _first(criterion: LocalCriterion, rtol: Fraction) -> Bracket:
    """Where the lattice bound holds first."""
    total, z = criterion.ratio.total, criterion.ratio.sigmas
    if criterion.sides == 1:
        # Up to this q only the outcome without zeros lies in the window, and R = (q/p)^k < 1: it holds for smaller q.
        upper = 1 / (total * (1 + z) ** 2)
        return Bracket(lower=Fraction(0), upper=upper, at_lower=Enclosure.of(0), at_upper=criterion.value(upper))
    # Up to z^2/(N + z^2) that outcome lies in the window, with the reciprocal ratio (p/q)^k.
    everywhere = min(z**2 / (total + z**2), 1 / (1 + criterion.ratio.limit.root(criterion.ratio.k).upper))
    return _bracket(
        criterion, *first_success(criterion.holds, criterion.fails, start=everywhere / 2, top=_HALF, rtol=rtol)
    )


def _bracket(criterion: LocalCriterion, lower: Fraction, upper: Fraction) -> Bracket:
    tie = criterion.tie(lower, upper)
    if tie is not None:
        at = Enclosure.of(criterion.ratio.limit.given)  # a ratio of the window, and no other is above it
        return Bracket(lower=tie, upper=tie, at_lower=at, at_upper=at)
    return Bracket(lower=lower, upper=upper, at_lower=criterion.value(lower), at_upper=criterion.value(upper))
