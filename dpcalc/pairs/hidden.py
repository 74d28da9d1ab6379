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

from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache
from math import ceil, lcm

from dpcalc.errors import must_fit
from dpcalc.laws.pool import Pool
from dpcalc.numbers.enclosure import Enclosure
from dpcalc.numbers.limit import Limit
from dpcalc.numbers.rational import LARGEST
from dpcalc.pairs.pair import Pair
from dpcalc.pairs.shift import EXACT_BITS
from dpcalc.pairs.two_laws import TwoLaws

_FEW = 400  # holders whose outcomes are listed, however long the chance is

#: The probability of every released count; None is that nothing is released.
Masses = dict[int | None, Fraction]


@lru_cache(maxsize=64)
def seen(others: int, threshold: int, chance: Fraction, *, present: bool) -> TwoLaws:
    """What is seen of a value that so many others hold, at least K - 1, without noise: one more holder over without it
    (``present``), or without it over with it; listed where few hold it.

    Of the others' count and the record's 0 or 1 all below K is one outcome.
    """
    pair = Pair(Pool.of((chance, others)), (Fraction(0), chance), 1, joined=(threshold, 0))
    way = pair.mirror if present else pair
    return way.listed() if others < _FEW or way.exact_bits <= EXACT_BITS else way


def worst(threshold: int, chance: Fraction, limit: Limit, *, present: bool) -> set[int]:
    """The n with the largest delta of n + 1 holders over n (``present``), or of n over n + 1: T1; two numbers of which
    one is it, where lambda is irrational.

    It is the last n with n (lambda - 1 + p) < (K - 1) lambda, or with n (1 - lambda (1 - p)) < K - 1; 0 where delta is
    0 for every n. It is monotone in lambda, and up to 10^15 the two ends of lambda leave no number between.
    """
    silent, lam = 1 - chance, limit.ends
    if not present and limit.allows(1 / silent):
        return {0}
    sides = ((x - silent, x) if present else (1 - x * silent, Fraction(1)) for x in (lam.lower, lam.upper))
    return {max(ceil((threshold - 1) * b / a) - 1, 0) if a > 0 else LARGEST + 1 for a, b in sides}


def largest(threshold: int, chance: Fraction, limit: Limit, *, rtol: Fraction, present: bool) -> tuple[Enclosure, int]:
    """The largest delta of n + 1 holders over n (``present``), or of n over n + 1; and an n that reaches its lower end.

    Raises:
        Undecided: rtol is beyond reach.
        TooLarge: more than 10^15 holders are needed.
    """
    if chance == 1:  # as many are seen as are there
        return Enclosure.of(1), threshold - 1
    places = worst(threshold, chance, limit, present=present)
    if min(places) > LARGEST and not present:  # up to there it grows, and it is at most P(T > n)
        most = Pool.of((chance, LARGEST)).at_most(threshold - 1, rtol=Fraction(1, 2)).upper
        return Enclosure(Fraction(0), most), LARGEST
    must_fit(
        "the worst number of people who hold a value", min(places), LARGEST, "people", instead="a smaller threshold"
    )
    found = [(seen(n, threshold, chance, present=present).enclosed(limit, rtol=rtol), n) for n in places]
    best, n = max(found, key=lambda one: one[0].lower)
    return Enclosure(best.lower, max(one.upper for one, _ in found)), n


def law(holders: int, chance: Fraction, noise: Sequence[tuple[int, Fraction]], threshold: int | None) -> Masses:
    """What is seen of a value; every count above 0 and its noise, if there is no threshold.

    Args:
        holders: how many people hold it.
        chance: p.
        noise: places and masses.
        threshold: K.
    """
    reports, scale = Pool.of((chance, holders)).pmf(), lcm(*(mass.denominator for _, mass in noise))
    weights = [(place, int(mass * scale)) for place, mass in noise]
    seen: dict[int | None, int] = {None: reports.weights[0] * scale}
    for count, likely in enumerate(reports.weights[1:], 1):
        for place, weight in weights if likely else ():
            shown = count + place if threshold is None or count + place >= threshold else None
            seen[shown] = seen.get(shown, 0) + likely * weight
    return {shown: Fraction(weight, reports.denominator * scale) for shown, weight in seen.items()}
