r"""The released count of a value that n people hold, and n + 1, where counts below a threshold are hidden.

Each reports with probability p: X_n of them do. If X_n = 0 nothing is released. Else X_n + Z is, with Z the noise, if
it is at least K. Let holders come one by one, and T be the number at which {X_n >= 1, X_n + Z >= K} comes true:

    A_n = P(X_n >= 1, X_n + Z >= K) = P(T <= n).

Without noise T is the waiting time for the K-th success. The events that n + 1 holders make likelier than n are upper
tails {S >= t}, t >= K. T for t + 1 is T for t and one more independent waiting time, which is post-processing: t = K is
the worst. So over every n

    delta = max_n P(T <= n + 1) - lambda P(T <= n)    with the record,
            max_n P(T > n) - lambda P(T > n + 1)      without it,

two divergences between T and T + 1 (proof notes, T1). With f(n) = P(T = n), f(n + 1)/f(n) = (1 - p) n/(n + 1 - K)
falls, so that the n of each is known.

Where there is noise too, or two values, all outcomes are listed (``pairs.listed``).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import accumulate
from math import ceil, floor
from typing import Any

from flint import arb

from dpcalc.errors import must_fit
from dpcalc.laws import fixed_point
from dpcalc.laws.circle import UNIT_KERNEL, invert
from dpcalc.laws.noise import Law
from dpcalc.laws.parts import Finite
from dpcalc.laws.pool import Pool
from dpcalc.numbers.ball import ball, bits_for, decide, refine
from dpcalc.numbers.enclosure import Enclosure
from dpcalc.numbers.limit import Limit
from dpcalc.numbers.search import last_where
from dpcalc.pairs.directions import Directions

_MOST = 10**15  # holders of a value
_EXACT_BITS = 1 << 21  # of a pmf up to which a rational lambda gives a rational delta: milliseconds

_TAIL = Fraction(1, 10**40)  # relative width of tails, before they are subtracted
_LISTED, _BITS = 10_000, 500  # holders up to which all masses are listed, in so many bits

#: The probability of every released count; None is that nothing is released.
Masses = dict[int | None, Fraction]


def with_record(threshold: int, chance: Fraction, limit: Limit, *, rtol: Fraction) -> tuple[Enclosure, int]:
    """The largest delta of n + 1 holders over n, and that n.

    Raises:
        Undecided: rtol is beyond reach.
        TooLarge: more than 10^15 holders are needed.
    """
    n = _last(threshold, chance, limit, lambda lam, a: (lam - 1 + a, lam)) if chance < 1 else threshold - 1
    must_fit("the worst number of people who hold a value", n, _MOST, "people", instead="a smaller threshold")
    if n < threshold and _is_short(chance, n):  # only what has an infinite loss
        return Enclosure.of(chance**threshold), n
    return _divergence(threshold, chance, n, limit, rtol, joined=True), n


def without_record(threshold: int, chance: Fraction, limit: Limit, *, rtol: Fraction) -> tuple[Enclosure, int]:
    """The largest delta of n holders over n + 1, and that n; raises as ``with_record``."""
    if chance < 1 and limit.allows(1 / (1 - chance)):  # the record may stay silent: nothing is likelier without it
        return Enclosure.of(0), 0
    n = _last(threshold, chance, limit, lambda lam, a: (1 - lam * (1 - a), lam / lam)) if chance < 1 else threshold - 1
    if n > _MOST:  # up to there it grows, and it is at most P(T > n)
        most = Pool.of((chance, _MOST)).at_most(threshold - 1, rtol=Fraction(1, 2)).upper
        return Enclosure(Fraction(0), most), _MOST
    return _divergence(threshold, chance, n, limit, rtol, joined=False), n


def _divergence(threshold: int, chance: Fraction, n: int, limit: Limit, rtol: Fraction, *, joined: bool) -> Enclosure:
    """delta of n + 1 holders over n (``joined``) or of n over n + 1, for n >= K - 1.

    They are p P(X_n = K - 1) - (lambda - 1) P(X_n >= K) and lambda p P(X_n = K - 1) - (lambda - 1) P(X_n < K).
    """
    if limit.lam is not None and _is_short(chance, n):
        last, beyond = _counted(threshold, chance, n)
        weight, rest = (Fraction(1), beyond) if joined else (limit.lam, 1 - beyond)
        return Enclosure.of(weight * chance * last - (limit.lam - 1) * rest)

    def evaluate() -> arb:
        if n < threshold:
            last, rest = ball(chance) ** n, arb(0 if joined else 1)
        elif joined:  # by those who stay silent: n - K or fewer
            silent = invert(Pool.of((1 - chance, n)), UNIT_KERNEL, n - threshold)
            last, rest = silent.after, silent.cumulative
        else:
            reporting = invert(Pool.of((chance, n)), UNIT_KERNEL, threshold - 1)
            last, rest = reporting.here, reporting.cumulative
        return (1 if joined else limit.ball()) * ball(chance) * last - limit.log_ball().expm1() * rest

    start = bits_for(rtol) + Pool.of((chance, n)).guard_bits + n.bit_length() // 2 + 20
    found = refine(evaluate, rtol=rtol, start=start)
    return Enclosure(max(found.lower, Fraction(0)), min(found.upper, Fraction(1)))


def _last(threshold: int, chance: Fraction, limit: Limit, sides: Callable[[Any, Any], tuple[Any, Any]]) -> int:
    """The last n with n a < (K - 1) b, a and b being functions of lambda and the chance; 10^15 + 1 if it is larger."""
    if threshold == 1:
        return 0
    places = []
    for lam in (limit.ends.lower, limit.ends.upper):
        a, b = sides(lam, chance)
        places.append(min(ceil((threshold - 1) * b / a) - 1, _MOST + 1) if a > 0 else _MOST + 1)
    low, high = sorted(places)

    def holds(n: int) -> bool:
        def left() -> arb:
            a, b = sides(limit.ball(), ball(chance))
            gap: arb = (threshold - 1) * b - n * a
            return gap

        return decide(left)

    return last_where(holds, low + 1, high)


def _is_short(chance: Fraction, n: int) -> bool:
    """Whether the exact pmf of the number of reports is short."""
    return n * (n + 1) * chance.denominator.bit_length() <= _EXACT_BITS


def _counted(threshold: int, chance: Fraction, n: int) -> tuple[Fraction, Fraction]:
    """P(X_n = K - 1) and P(X_n >= K)."""
    if chance == 1:
        return Fraction(int(n == threshold - 1)), Fraction(int(n >= threshold))
    pmf = Pool.of((chance, n)).pmf()
    return pmf[threshold - 1], 1 - pmf.at_most(threshold - 1)


def beside(others: int, threshold: int, chance: Fraction) -> Directions:
    """With the record over without it, beside ``others`` holders of the value; without noise.

    P(X_{n+1} = s)/P(X_n = s) = (1 - p)(n + 1)/(n + 1 - s) grows, and that of nothing seen is at most any of s >= K: the
    best events are {S >= t} and {S < t} for some t >= K (proof notes, T1).
    """
    if chance == 1:  # the last one needed
        return Directions(lambda _: Enclosure.of(1), lambda _: Enclosure.of(1), Fraction(1))
    less, more = _tails(others, chance)
    less_with, more_with = _tails(others + 1, chance)

    def ahead(lam: Fraction) -> Enclosure:
        t = max(threshold, floor((others + 1) * (1 - (1 - chance) / lam)) + 1)
        return _excess(more_with(t), lam, more(t))

    def back(lam: Fraction) -> Enclosure:
        t = max(threshold, ceil((others + 1) * (1 - (1 - chance) * lam)))
        return _excess(less(t), lam, less_with(t))

    return Directions(ahead, back, more_with(max(threshold, others + 1)).lower)


@lru_cache(maxsize=512)
def _tails(n: int, chance: Fraction) -> tuple[Callable[[int], Enclosure], Callable[[int], Enclosure]]:
    """P(X_n < t) and P(X_n >= t), as functions of t."""
    if n > _LISTED:
        pool = Pool.of((chance, n))
        return lambda t: pool.at_most(t - 1, rtol=_TAIL), lambda t: pool.at_least(t, rtol=_TAIL)
    masses = fixed_point.law(((chance, n),), _BITS)
    sums = list(accumulate(masses.terms, initial=0))
    missing = masses.total - sums[-1]

    def between(size: int, some: bool, every: bool) -> Enclosure:
        return Enclosure(Fraction(size + missing * every, masses.total), Fraction(size + missing * some, masses.total))

    def less(t: int) -> Enclosure:
        return between(sums[max(0, min(t - masses.first, len(sums) - 1))], t > 0, t > n)

    def more(t: int) -> Enclosure:
        return between(sums[-1] - sums[max(0, min(t - masses.first, len(sums) - 1))], t <= n, t <= 0)

    return less, more


def alone(noise: Law, threshold: int, *, rtol: Fraction) -> Directions:
    """With the record over without it, of a value that nobody else holds; with noise, where every client reports."""
    shown, whole = above(noise, threshold - 1, rtol=rtol), Enclosure.of(1)
    return Directions(lambda lam: shown, lambda lam: _excess(whole, lam, whole - shown), shown.lower)


def _excess(likely: Enclosure, lam: Fraction, unlikely: Enclosure) -> Enclosure:
    """[a - lambda b]_+."""
    found = likely - unlikely * lam
    return Enclosure(max(found.lower, Fraction(0)), max(found.upper, Fraction(0)))


def above(noise: Law, place: int, *, rtol: Fraction) -> Enclosure:
    """P(Z >= place), from the tail of the mirror image."""
    low, high = noise.low, noise.high
    if low is not None and place <= low:
        return Enclosure.of(1)
    if high is not None and place > high:
        return Enclosure.of(0)
    if isinstance(noise, Finite):
        return Enclosure.of(1 - noise.pmf.at_most(place - 1 - noise.low))
    mirror = noise.mirror
    found = refine(lambda: mirror.at_most(-place), rtol=rtol, start=bits_for(rtol) + mirror.guard_bits)
    return Enclosure(max(found.lower, Fraction(0)), min(found.upper, Fraction(1)))


def law(holders: int, chance: Fraction, noise: Sequence[tuple[int, Fraction]], threshold: int | None) -> Masses:
    """What is seen of a value; every count above 0 and its noise, if there is no threshold.

    Args:
        holders: how many people hold it.
        chance: p.
        noise: places and masses.
        threshold: K.
    """
    if chance == 1:
        reports = [Fraction(int(x == holders)) for x in range(holders + 1)]
    else:
        reports = list(Pool.of((chance, holders)).pmf())
    seen: Masses = {None: reports[0]}
    for count, likely in enumerate(reports):
        for place, mass in noise if count and likely else ():
            shown = count + place if threshold is None or count + place >= threshold else None
            seen[shown] = seen.get(shown, Fraction(0)) + likely * mass
    return seen
