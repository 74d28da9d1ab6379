r"""What an attacker gains: the trade-off between false alarms and misses, and what follows from it.

The attacker sees the release and guesses which of two neighbouring datasets it came from. A test raises the alarm on an
event S: its false-positive rate is Q(S), its false-negative rate 1 - P(S). With h(lambda) = max_S P(S) - lambda Q(S),
every test of the rate alpha misses at least

    f(alpha) = sup over lambda > 0 of phi(lambda),    phi(lambda) = 1 - h(lambda) - lambda alpha,

and the best randomized one no more. Over all datasets, in both directions, h is delta where lambda >= 1, and
1 - lambda + lambda delta(1/lambda) below 1, by exchanging the two datasets. f is then the lower convex hull of the
curves of all datasets: no test on any dataset does better. Where a pair of datasets is drawn at random and told to the
attacker, a test for each does as well on average. On a single dataset, in a known direction, the attacker may fall a
little short of it (0.40688 in place of 0.4044 at n = 4, q = 1/5, alpha = 1/4).

phi is concave. As h falls, with a slope of at least -1, the slope of phi is between -alpha and 1 - alpha. Between two
neighbouring points phi lies below the line through the two points before, and below the one through the two after; at
the ends below lines with these extreme slopes. So a few values of delta enclose f: the largest of them from below, the
highest crossing of such lines from above.

Source: Neyman and Pearson (1933); Dong, Roth, Su, "Gaussian Differential Privacy" (2022), Proposition 2.12.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from pathlib import Path

from dpcalc.displayed import Displayed
from dpcalc.errors import DomainError, NoSolution, Undecided
from dpcalc.families.bits import Bits
from dpcalc.families.table import family
from dpcalc.mechanisms.mechanism import Mechanism
from dpcalc.mechanisms.response import KRandomization
from dpcalc.numbers.decimal import decimal
from dpcalc.numbers.enclosure import Enclosure
from dpcalc.numbers.limit import Limit
from dpcalc.numbers.normal import quantile
from dpcalc.numbers.promise import DRAWN, Promise
from dpcalc.numbers.rational import Number, between, rational
from dpcalc.privacy.gaussian import least_gaussian_mu, mu_at, rounded

_MOST_POINTS = 60  # values of delta for one answer
_SHORT = 160  # bits: a lambda at which two lines cross is rounded if it is longer
_NARROWEST = Fraction(1, 10**8)  # the least relative width asked of delta
_USUAL = Fraction(1, 10**4)  # the relative width that is aimed at
_WIDEST = Fraction(1, 2)  # the largest one, where a narrower one is undecided
_WIDER = 16  # times the width before
_EXACT = 100  # reports: with more of them delta over all datasets is enclosed, which is faster than exact
_FARTHEST = 10**290  # the largest lambda at which delta is asked for
_SHARE = "a probability with 0 <= beside < 1"
_GRID = (0.001, 0.003, 0.01, 0.02, *(i / 20 for i in range(1, 20)), 0.98, 0.99)  # false-positive rates of a picture


@dataclass(frozen=True, slots=True)
class Tradeoff(Displayed):
    """The trade-off curve: the least false-negative rate for each false-positive rate, over all datasets.

    Attributes:
        mechanism: what is attacked.
        ones: how many of the other records hold 1; None for all datasets.
        rtol: the relative width aimed at, as far as delta is known so well.
    """

    mechanism: Mechanism
    ones: Number | None
    rtol: Fraction

    def false_negative(self, false_positive: Number) -> Enclosure:
        """The least false-negative rate of a test with this false-positive rate.

        Args:
            false_positive: alpha, strictly between 0 and 1.

        Returns:
            An enclosure. No test on any dataset misses less than ``lower``. Where a pair of datasets is drawn at
            random and told to the attacker, some tests miss no more than ``upper`` on average; on each pair alone, or
            if the attacker is not told, all may miss a little more.

        Raises:
            DomainError: alpha out of range.

        >>> tradeoff(KRandomization(n=1, q="1/4")).false_negative("1/8").value
        Fraction(5, 8)
        """
        alpha = between(false_positive, "false_positive", 0, 1, "a probability")
        return _OverCurve(self._profile, alpha, self.rtol).found()

    def posterior(self, prior: Number, false_positive: Number) -> Promise:
        """The largest probability that an alarm is true, of a test with this false-positive rate.

        At or below ``upper`` on every dataset. ``lower`` is reached on a mixture of pairs of datasets of which the
        attacker is told which was drawn; on a single pair it may be less.

        Args:
            prior: the attacker's probability of the dataset that an alarm points to, strictly between 0 and 1.
            false_positive: strictly between 0 and 1.

        Raises:
            DomainError: an argument out of range.

        >>> tradeoff(KRandomization(n=1, q="1/4")).posterior("1/2", "1/4").value
        Fraction(3, 4)
        """
        belief = between(prior, "prior", 0, 1, "a probability")
        alpha = between(false_positive, "false_positive", 0, 1, "a probability")
        missed = self.false_negative(alpha)
        low, high = (belief * (1 - end) for end in (missed.upper, missed.lower))
        found = Enclosure(low / (low + (1 - belief) * alpha), high / (high + (1 - belief) * alpha))
        return self._drawn(found)

    @property
    def advantage(self) -> Promise:
        """The largest excess of true over false alarms: delta at epsilon = 0, the total variation distance."""
        return self._profile(Fraction(1), self.rtol).aimed(self.rtol)

    def gaussian_mu(self, false_positive: Number | None = None, *, beside: Number = 0) -> Promise:
        """The least mu for which the mechanism is mu-Gaussian differentially private.

        Telling neighbouring datasets apart is then no easier than telling N(0, 1) from N(mu, 1). With a false-positive
        rate only tests of that rate are compared; the lower end is then reached on a mixture of pairs of datasets, as
        in ``posterior``, and that of the whole curve as ``delta`` is.

        Args:
            false_positive: strictly between 0 and 1; default: everywhere.
            beside: only without ``false_positive``: eta, with which mu is the least such that delta(epsilon) is at most
                eta + (1 - eta) delta_mu(epsilon) for all epsilon. An infinite privacy loss needs eta > 0.

        Raises:
            DomainError: alpha out of range.
            NoSolution: no mu is enough, as some outcome has an infinite loss and delta does not fall to ``beside``.

        >>> print(tradeoff(KRandomization(n=1, q="1/4")).gaussian_mu())
        1.3489795003921634...
        """
        eta = rational(beside, "beside", _SHARE)
        if not 0 <= eta < 1 or (eta and false_positive is not None):
            raise DomainError("beside", beside, _SHARE if false_positive is None else "0 for one false_positive")
        if false_positive is None:

            def rest(lam: Fraction) -> Enclosure:
                found = self._profile(lam, self.rtol / 4)
                low, high = (max((end - eta) / (1 - eta), Fraction(0)) for end in (found.lower, found.upper))
                return Enclosure(low, high)

            mechanism, bits = self.mechanism, None
            if not eta and self.ones is None and isinstance(mechanism, KRandomization):
                bits = Bits.of(mechanism)
            mu = least_gaussian_mu(rest, self._lambda_of(eta), self.rtol, bits=bits)
            return Promise.that(mu, **self.advantage.words, rtol=self.rtol)
        alpha = between(false_positive, "false_positive", 0, 1, "a probability")
        missed = self.false_negative(alpha)
        if missed.lower <= 0:
            raise NoSolution(f"no mu is proven to be enough: a test may miss {missed} only")
        found = Enclosure(mu_at(alpha, missed.upper).lower, mu_at(alpha, missed.lower).upper)
        return self._drawn(found)

    def _drawn(self, found: Enclosure) -> Promise:
        """What follows from a point of the curve."""
        return Promise.that(found, attained_by=DRAWN, proven_for=self.advantage.proven_for, rtol=self.rtol)

    def _lambda_of(self, eta: Fraction) -> Fraction:
        """A lambda at which delta is at most eta."""
        lam = Fraction(2)
        while eta and lam <= _FARTHEST:
            if self._profile(lam, _WIDEST).upper <= eta:
                return lam
            lam *= lam
        try:
            return Limit(self.mechanism.local_epsilon.upper, logarithmic=True).ends.upper
        except NoSolution:
            if not eta:
                raise
            words = f"no mu is proven to be enough: delta is not seen to fall to {decimal(eta, eta, 12)}"
            raise NoSolution(words) from None

    def plot(self, path: str | Path) -> None:
        """Draw the proven curve, its upper end and blind guessing; .png, .pdf or .svg, with matplotlib.

        Raises:
            DomainError: a file that cannot be written, or another ending.
            DpcalcError: matplotlib is not installed.
        """
        from dpcalc.plots import Curve, Panel, check_target, draw

        check_target(path)
        found = [self.false_negative(x) for x in _GRID]
        ends = [("proven: no attacker misses less", [float(x.lower) for x in found])]
        ends += [("upper end of the least rate", [float(x.upper) for x in found])]
        curves = [Curve(label=label, x=_GRID, y=values) for label, values in ends]
        curves.append(Curve(label="blind guessing", x=(0.0, 1.0), y=(1.0, 0.0)))
        panel = Panel(
            title=f"membership advantage {self.advantage:4}", x_label="share of false alarms",
            y_label="least share of misses", curves=curves, logarithmic=False, x_logarithmic=False,
        )  # fmt: skip
        draw([panel], path, title="What an attacker gains, over every dataset")

    def _profile(self, lam: Fraction, rtol: Fraction) -> Promise:
        """delta at lambda >= 1; asked again with a larger width where it is undecided.

        The enclosure of an ``Undecided`` is not used: it may be that of one dataset, or of some step on the way.
        """
        width = max(rtol, _NARROWEST)
        while True:
            try:
                return self._delta(lam, width)
            except Undecided:
                if width >= _WIDEST:
                    raise
                width = min(width * _WIDER, _WIDEST)

    def _delta(self, lam: Fraction, rtol: Fraction) -> Promise:
        mechanism = self.mechanism
        if isinstance(mechanism, KRandomization) and self.ones is None and mechanism.reports > _EXACT:
            return Bits.of(mechanism).largest(Limit(lam), rtol=rtol)
        asked = family(mechanism, self.ones)  # which is not told that the caller gave a width: a wider answer serves
        found: Promise = asked.checked(asked.delta(Limit(lam), rtol=asked.delta_width.of(rtol)), None)
        return found


def tradeoff(mechanism: Mechanism, *, ones: Number | None = None, rtol: Number | None = None) -> Tradeoff:
    """What an attacker gains from a release, over every dataset and in both directions.

    Args:
        mechanism: as in ``delta``.
        ones: as in ``delta``.
        rtol: relative width of its answers that is aimed at, above 1e-9 and below 1; the width of delta limits it.
            Default: 1e-4, or that of ``delta`` if it is wider, as of rounds, fleets and histograms.

    Raises:
        DomainError: an argument out of range; records of several bits.

    >>> print(tradeoff(KRandomization(n=1000, q="1/10")).advantage)
    0.0336795174561...
    """
    asked = family(mechanism, ones)  # refuses records of several bits
    if rtol is None:
        return Tradeoff(mechanism, ones, max(_USUAL, asked.delta_width.of(None)))
    return Tradeoff(mechanism, ones, between(rtol, "rtol", "1e-9", 1, "a relative width"))


class _OverCurve:
    """The search for f(alpha): phi at some lambdas, its largest value among them, and a bound of it everywhere."""

    def __init__(self, profile: Callable[[Fraction, Fraction], Enclosure], alpha: Fraction, rtol: Fraction) -> None:
        self._profile, self._alpha, self._rtol = profile, alpha, rtol
        self._fine, self._blunt = rtol, False
        # phi(0) = 0 as every profile begins at 1, and phi(1/alpha) = -h(1/alpha)
        self._values = {Fraction(0): Enclosure.of(0), 1 / alpha: Enclosure(Fraction(-1), Fraction(0))}

    def found(self) -> Enclosure:
        """f(alpha)."""
        for start in self._starts():
            self._ask(start)
        for _ in range(_MOST_POINTS):
            top, place = self._bound()
            lam, best = self._best
            missing, width = top - best.lower, best.upper - best.lower
            if missing <= self._rtol * best.lower or (self._blunt and missing <= 2 * width):
                break
            if width > missing / 4 and not self._blunt and self._fine > _NARROWEST:
                self._fine, place = max(self._fine / 16, _NARROWEST), lam
            elif place in self._values:
                break
            self._ask(place)
        low = self._best[1].lower
        return Enclosure(max(low, Fraction(0)), min(max(self._bound()[0], low), 1 - self._alpha))

    @property
    def _best(self) -> tuple[Fraction, Enclosure]:
        """The lambda of the largest lower end, and phi there."""
        return max(self._values.items(), key=lambda item: item[1].lower)

    def _starts(self) -> list[Fraction]:
        """Three lambdas around the best one of the Gaussian mechanism with the same advantage."""
        self._ask(Fraction(1))
        apart = min(max(float(self._profile(Fraction(1), self._fine).upper), 1e-9), 1 - 1e-9)
        mu = 2 * _steered_quantile((1 + apart) / 2)
        near = -mu * _steered_quantile(float(self._alpha)) - mu * mu / 2
        most = -math.log(self._alpha)
        return [rounded(math.exp(max(min(near + step * mu, most - 1e-3), -300.0))) for step in (-0.5, 0, 0.5)]

    def _ask(self, lam: Fraction) -> None:
        h = self._profile(max(lam, 1 / lam), self._fine)
        self._blunt = h.upper - h.lower > 2 * self._fine * h.upper  # no narrower delta is to be had
        self._values[lam] = (1 - h - lam * self._alpha) if lam >= 1 else (1 - self._alpha - h) * lam

    def _bound(self) -> tuple[Fraction, Fraction]:
        """An upper bound of phi, and a lambda in the gap between points where the bound is reached."""
        points = sorted(self._values.items())
        top, place = max((value.upper, x) for x, value in points)
        for i, ((x, low), (y, high)) in enumerate(pairwise(points)):
            rise = _slope(points[i - 1], points[i]) if i else 1 - self._alpha
            fall = _slope(points[i + 2], points[i + 1]) if i + 2 < len(points) else -self._alpha
            at = y
            if rise > fall:
                at = min(max((high.upper - low.upper + rise * x - fall * y) / (rise - fall), x), y)
            value = max(low.upper + rise * (at - x), low.upper, high.upper)
            if value > top:
                top, place = value, self._between(x, y, at)
        return top, place

    def _between(self, x: Fraction, y: Fraction, at: Fraction) -> Fraction:
        """A short number strictly between x and y: ``at`` if it is short, else one near it, not too near x or y."""
        if x < at < y and max(at.numerator.bit_length(), at.denominator.bit_length()) <= _SHORT:
            return at
        margin = (y - x) / 8
        return rounded(min(max(at, x + margin), y - margin))


def _slope(outer: tuple[Fraction, Enclosure], inner: tuple[Fraction, Enclosure]) -> Fraction:
    """The slope from the outer point to the inner one: phi at its lower end outside, at its upper end inside."""
    (x, low), (y, high) = outer, inner
    return (high.upper - low.lower) / (y - x)


def _steered_quantile(p: float) -> float:
    return float(quantile(Fraction(p), Fraction(1, 10**6)))
