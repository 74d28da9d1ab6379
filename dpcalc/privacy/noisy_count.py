r"""A count of sensitivity D with integer noise X added: what it gives away of one person.

The person changes the count by any c with |c| <= D. With f the pmf of X,

    delta = max over c of sum_s [f(s) - lambda f(s - c)]_+.

If f is log-concave, f(s)/f(s - c) falls in s for c > 0, so that delta is max_t F(t) - lambda F(t - c), which grows with
c: c = D and c = -D are enough. Otherwise all c are tried. Where f(s) > 0 = f(s - c) the loss is infinite: every noise
here ends at least on one side, so that delta stays above 0 for every epsilon.

Source: Ghazi, Kumar, Manurangsi, Pagh, "Private Counting from Anonymous Messages" (2020), Lemma 21: a D-summation with
noise is (epsilon, delta)-private if and only if all these divergences are at most delta.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction

from dpcalc.counts.noise import Law
from dpcalc.counts.shift import beyond, divergence, steepest
from dpcalc.errors import DomainError, NoSolution, TooFaint, TooLarge, Undecided
from dpcalc.mechanisms.noise import LARGEST, Binomial, FiniteNoise, Geometric, Noise, Poisson
from dpcalc.numbers.ball import too_faint
from dpcalc.numbers.elementary import log
from dpcalc.numbers.enclosure import Enclosure, decimal
from dpcalc.numbers.limit import MAX_EPSILON, Limit
from dpcalc.numbers.promise import Promise, Words
from dpcalc.numbers.rational import Number, between, integer
from dpcalc.numbers.search import logarithm, logit, steer
from dpcalc.privacy.accounted import Accounted, Progress
from dpcalc.privacy.pair import FAINT

__all__ = ["NoisyCount", "NoisyDelta"]

_RTOL_DELTA = Fraction(1, 10**12)
_RTOL_EPSILON = Fraction(1, 10**6)
_SHARP = Fraction(1, 10**60)  # of the least delta there is, where a target is next to it
_LEAST = 1e-18  # epsilons below are not searched
_MOST_TERMS = 20_000_000  # outcomes times shifts
_TRIES = 6
_CHANGES: Words = {"attained_by": "one change of the count", "proven_for": "every change of it"}
_ALLOWED = "Binomial, Poisson, Geometric or FiniteNoise"


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class NoisyDelta(Promise):
    """delta of a noisy count.

    Attributes:
        shift: c; the event that attains delta is likelier for some count than for the one larger by c.
    """

    shift: int


@dataclass(frozen=True, slots=True, init=False)
class NoisyCount(Accounted[NoisyDelta]):
    """A count to which integer noise is added.

    Args:
        noise: ``Binomial``, ``Poisson``, ``Geometric`` or ``FiniteNoise``.
        sensitivity: by how much one person changes the count at most, from 1 to 10^15.

    Raises:
        DomainError: an argument out of range.
        TooLarge: noise that is not log-concave with too many outcomes for all shifts to be tried.

    >>> from dpcalc import delta
    >>> count = NoisyCount(Binomial(80, "1/2"))
    >>> print(delta(count, epsilon=1))
    9.8336130003234044...e-7
    """

    noise: Noise
    sensitivity: int

    def __init__(self, noise: Noise, sensitivity: Number = 1) -> None:
        if not isinstance(noise, Binomial | Poisson | Geometric | FiniteNoise):
            raise DomainError("noise", noise, _ALLOWED)
        object.__setattr__(self, "noise", noise)
        object.__setattr__(self, "sensitivity", integer(sensitivity, "sensitivity", minimum=1, maximum=LARGEST))
        if isinstance(noise, FiniteNoise) and not noise.log_concave:
            terms = 2 * len(noise.pmf) * min(self.sensitivity, len(noise.pmf))
            if terms > _MOST_TERMS:
                raise TooLarge(
                    "every shift of noise that is not log-concave", size=terms, limit=_MOST_TERMS, unit="terms",
                    instead="log-concave noise",
                )  # fmt: skip

    @property
    def local_epsilon(self) -> Promise:
        """Never answered: the loss has no bound.

        Raises:
            NoSolution: always.
        """
        rest = self.beyond
        raise NoSolution(
            f"delta is above 0 for every epsilon: it falls to {rest}, the chance that the noise gives the change away"
        )

    @property
    def beyond(self) -> Enclosure:
        """The limit of delta for large epsilon: the probability of outcomes with an infinite loss."""
        try:
            return self._worst(lambda law, c: beyond(law, c, rtol=_RTOL_DELTA))
        except TooFaint:
            return FAINT

    def delta(
        self, limit: Limit, *, ones: Number | None = None, rtol: Number | None = None, progress: Progress | None = None
    ) -> NoisyDelta:
        """See ``dpcalc.delta``; exact for finite noise, and for a rational lambda where the pmf is small.

        Raises:
            DomainError: ``ones`` is given; rtol is not above 1e-1000.
        """
        width = _width(ones, rtol, _RTOL_DELTA, "1e-1000")
        return self._delta(limit, width, progress).aimed(width)

    def epsilon(self, target: Fraction, *, ones: Number | None = None, rtol: Number | None = None) -> Promise:
        """See ``dpcalc.epsilon``; for 0 < target < 1.

        Raises:
            NoSolution: no epsilon has a delta of at most the target.
            Undecided: no bracket of this width was found.
        """
        width = _width(ones, rtol, _RTOL_EPSILON, "1e-9")
        if self._delta(Limit(Fraction(1)), _RTOL_DELTA).upper <= target:
            return Promise(Fraction(0), Fraction(0), **_CHANGES)
        rest = self.beyond
        if rest.lower > target:
            raise NoSolution(
                f"no epsilon gives delta <= {decimal(target, target, 12)}: as epsilon grows, delta falls to {rest}, "
                "the chance that the noise gives the change away"
            )
        reached = self._reached(target) if rest.exact and rest.lower == target else None
        if reached is not None:
            least = log(reached)
            return Promise(least.lower, least.upper, **_CHANGES)
        if rest.lower < target <= rest.upper or (rest.lower == target and not rest.exact):
            rest = self._worst(lambda law, c: beyond(law, c, rtol=_SHARP))  # next to the least delta there is
            if rest.lower > target:
                raise NoSolution(f"no epsilon gives delta <= {decimal(target, target, 12)}")
        goal, fine = logit(target), width * (1 - target) / 1000
        if rest.upper < target:
            fine = min(fine, max((1 - rest.upper / target) / 8, _SHARP))

        def gap(u: float) -> float:
            found = self._delta(Limit.exp(Fraction(math.exp(u))), fine)
            flat = found.upper <= target and found.upper <= rest.upper * (1 + 2 * fine)  # delta falls no further
            return -math.inf if flat else logit(found.lower) - goal

        near = math.exp(steer(
            gap, math.log(_LEAST), math.log(MAX_EPSILON), start=math.log(self._guess(target)), tolerance=float(fine),
        ))  # fmt: skip
        for _ in range(_TRIES):
            low, high = _ends(near, float(width))
            at_low, at_high = self._delta(Limit.exp(low), fine), self._delta(Limit.exp(high), fine)
            if at_low.lower > target >= at_high.upper:
                return Promise(low, high, **_CHANGES)
            near *= 1 + float(width) / 2 * (1 if at_high.upper > target else -1)
        raise Undecided(f"no bracket of epsilon was found near {near:.6g}")

    def _reached(self, target: Fraction) -> Fraction | None:
        """The lambda from which on delta is the target, the least it falls to; None where it is no short rational."""
        ends = [steepest(law, abs(c)) for law, c in self._shifts() if beyond(law, abs(c), rtol=_RTOL_DELTA) == target]
        lam = max(ends)
        return lam if lam > 1 and self._delta(Limit(lam), _RTOL_DELTA).upper <= target else None

    def _shifts(self) -> Iterator[tuple[Law, int]]:
        """The laws and shifts that are compared: X for c > 0, -X for c < 0."""
        law, shifts = self.noise.law, range(self.sensitivity, self.sensitivity + 1)
        if isinstance(self.noise, FiniteNoise) and not self.noise.log_concave:
            shifts = range(1, min(self.sensitivity, len(self.noise.pmf)) + 1)
        for c in shifts:
            yield law, c
            yield law.mirror, -c

    def _delta(self, limit: Limit, rtol: Fraction, progress: Progress | None = None) -> NoisyDelta:
        return self._worst(lambda law, c: divergence(law, c, limit, rtol=rtol), progress)

    def _worst(self, value: Callable[[Law, int], Enclosure], progress: Progress | None = None) -> NoisyDelta:
        """The largest over all shifts."""
        found: list[tuple[Enclosure, int]] = []
        refused: int | None = None
        shifts = list(self._shifts())
        for law, c in shifts:
            if progress:
                progress(len(found) / len(shifts))
            try:
                found.append((value(law, abs(c)), c))
            except TooFaint as error:  # it may be the smaller of the two
                found.append((FAINT, c))
                refused = error.size if refused is None else min(refused, error.size)
        best, shift = max(found, key=lambda one: one[0].lower)
        if refused is not None and not best.lower:
            raise too_faint(refused)
        upper = max(one.upper for one, _ in found)
        return NoisyDelta(best.lower, upper, shift, **_CHANGES)

    def _guess(self, target: Fraction) -> float:
        """Epsilon of the Gaussian mechanism of the same deviation, about."""
        mu = self.sensitivity / max(self.noise.law.deviation, 1e-9)
        return min(max(mu * (math.sqrt(max(0.5, -2 * logarithm(target))) + mu / 2), 1e-9), 1e5)


def _ends(x: float, width: float) -> tuple[Fraction, Fraction]:
    """Short decimals around x."""
    digits = 3 - math.floor(math.log10(width * x))
    return Fraction(f"{x * (1 - width / 4):.{digits}f}"), Fraction(f"{x * (1 + width / 2):.{digits}f}")


def _width(ones: Number | None, rtol: Number | None, default: Fraction, least: str) -> Fraction:
    if ones is not None:
        raise DomainError("ones", ones, "leave it out: ones does not apply to a NoisyCount")
    return default if rtol is None else between(rtol, "rtol", least, 1, "a relative width")
