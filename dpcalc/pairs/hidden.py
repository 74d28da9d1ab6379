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
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from math import ceil, floor, lcm

from flint import arb

from dpcalc.errors import must_fit
from dpcalc.laws.circle import UNIT_KERNEL, invert
from dpcalc.laws.pmf import Pmf
from dpcalc.laws.pool import Pool
from dpcalc.numbers.ball import ball, bits_for, refine
from dpcalc.numbers.enclosure import Enclosure
from dpcalc.numbers.limit import Limit
from dpcalc.numbers.rational import LARGEST
from dpcalc.pairs.shift import EXACT_BITS
from dpcalc.pairs.two_laws import TwoLaws

_SPARE = 90  # bits beyond the width asked for: they cost next to nothing

#: The probability of every released count; None is that nothing is released.
Masses = dict[int | None, Fraction]


@dataclass(frozen=True, slots=True)
class Hidden(TwoLaws):
    """What is seen of a value that n others hold, with one more holder and without; without noise.

    Attributes:
        others: n.
        threshold: K.
        chance: p.
        present: whether the record is there under P; else under Q.
    """

    others: int
    threshold: int
    chance: Fraction
    present: bool

    @property
    def mirror(self) -> Hidden:
        """Q over P."""
        return replace(self, present=not self.present)

    @property
    def infinite(self) -> Fraction:
        """A lower bound of the P mass where Q is 0: of all n + 1, if they are seen; and of n if all report."""
        if self.others + 1 < self.threshold or not (self.present or self.chance == 1):
            return Fraction(0)
        return refine(lambda: ball(self.chance) ** (self.others + 1), rtol=Fraction(1, 10**40)).lower

    def enclosed(self, limit: Limit, *, rtol: Fraction) -> Enclosure:
        """delta, exact for a rational lambda where few report.

        P(X_{n+1} = s)/P(X_n = s) = (1 - p)(n + 1)/(n + 1 - s) grows, and that of nothing seen is at most any of s >= K:
        the best events are {S >= t} and {S < t} for some t >= K (proof notes, T1). Where the ends of an irrational
        lambda leave two t, one of them is it.
        """
        silent = 1 - self.chance
        if not self.present and silent and limit.allows(1 / silent):  # the record may stay silent
            return Enclosure.of(0)
        places = {self._place(lam) for lam in (limit.ends.lower, limit.ends.upper)}
        found = [self._of_event(t, limit, rtol) for t in places]
        return Enclosure(max(one.lower for one in found), max(one.upper for one in found))

    def _place(self, lam: Fraction) -> int:
        """The best t."""
        silent, most = 1 - self.chance, self.others + 1
        best = floor(most * (1 - silent / lam)) + 1 if self.present else ceil(most * (1 - silent * lam))
        return max(self.threshold, min(best, most))

    def _of_event(self, t: int, limit: Limit, rtol: Fraction) -> Enclosure:
        """What {S >= t}, or {S < t}, gives, where that is above 0.

        They are p P(X_n = t - 1) - (lambda - 1) P(X_n >= t) and lambda p P(X_n = t - 1) - (lambda - 1) P(X_n < t).
        """
        n, p, present = self.others, self.chance, self.present
        if n < t - 1:
            return Enclosure.of(0)
        alone = present and n == t - 1  # only what has an infinite loss
        if (alone or limit.lam is not None) and n * (n + 1) * p.denominator.bit_length() <= EXACT_BITS:
            pmf, lam = _reports(n, p), limit.lam or Fraction(1)
            below = pmf.at_most(t - 1)
            weight, others = (1, 1 - below) if present else (lam, below)
            return positive(Enclosure.of(weight * p * pmf[t - 1] - (lam - 1) * others))

        def evaluate() -> arb:
            if n < t:
                last, rest = ball(p) ** n, arb(0 if present else 1)
            elif present:  # by those who stay silent: n - t or fewer
                silent = invert(Pool.of((1 - p, n)), UNIT_KERNEL, n - t)
                last, rest = silent.after, silent.cumulative
            else:
                reporting = invert(Pool.of((p, n)), UNIT_KERNEL, t - 1)
                last, rest = reporting.here, reporting.cumulative
            return (1 if present else limit.ball()) * ball(p) * last - limit.log_ball().expm1() * rest

        start = bits_for(rtol) + Pool.of((p, n)).guard_bits + n.bit_length() // 2 + _SPARE
        return positive(refine(evaluate, rtol=rtol, start=start))


@lru_cache(maxsize=64)
def _reports(n: int, chance: Fraction) -> Pmf:
    return Pool.of((chance, n)).pmf()


def positive(found: Enclosure) -> Enclosure:
    """A probability that is 0 where this is below 0."""
    return Enclosure(max(found.lower, Fraction(0)), min(max(found.upper, Fraction(0)), Fraction(1)))


def worst(threshold: int, chance: Fraction, limit: Limit, *, present: bool) -> set[int]:
    """The n with the largest delta of n + 1 holders over n (``present``), or of n over n + 1: T1; two numbers of which
    one is it, where lambda is irrational.

    It is the last n with n (lambda - 1 + p) < (K - 1) lambda, or with n (1 - lambda (1 - p)) < K - 1; 0 where delta is
    0 for every n. It is monotone in lambda, and up to 10^15 the two ends of lambda leave no number between.
    """
    silent, lam = 1 - chance, limit.ends
    if not silent or (not present and limit.allows(1 / silent)):
        return {threshold - 1 if not silent else 0}
    sides = ((x - silent, x) if present else (1 - x * silent, Fraction(1)) for x in (lam.lower, lam.upper))
    return {max(ceil((threshold - 1) * b / a) - 1, 0) if a > 0 else LARGEST + 1 for a, b in sides}


def largest(threshold: int, chance: Fraction, limit: Limit, *, rtol: Fraction, present: bool) -> tuple[Enclosure, int]:
    """The largest delta of n + 1 holders over n (``present``), or of n over n + 1; and an n that reaches its lower end.

    Raises:
        Undecided: rtol is beyond reach.
        TooLarge: more than 10^15 holders are needed.
    """
    places = worst(threshold, chance, limit, present=present)
    if min(places) > LARGEST and not present:  # up to there it grows, and it is at most P(T > n)
        most = Pool.of((chance, LARGEST)).at_most(threshold - 1, rtol=Fraction(1, 2)).upper
        return Enclosure(Fraction(0), most), LARGEST
    must_fit(
        "the worst number of people who hold a value", min(places), LARGEST, "people", instead="a smaller threshold"
    )
    found = [(Hidden(n, threshold, chance, present).enclosed(limit, rtol=rtol), n) for n in places]
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
