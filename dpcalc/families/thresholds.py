r"""The family of a thresholded count: every number n of other holders of a value, with the record and without it.

For a record that is added or removed two cases have formulas. Without noise the worst n is known (``pairs.hidden``).
With noise, where every client reports, delta is the larger one of two: that of a ``NoisyCount``, for a value that
others hold; and P(Z >= K - 1), the chance that a value is released which only the record holds.

Otherwise the worst n is searched, best first. The bound for a range n, n + 1, ... is the divergence for n others had
all counts been shown: the pair for any larger number can be made from that one by post-processing. For a replaced
record there are two values, each with a range. Ranges are split until no bound is above the largest delta found.

Source: proof notes, T1 to T3 and T12.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from math import ceil, sqrt
from typing import Any

from dpcalc.errors import DomainError, must_fit
from dpcalc.families.shifts import Shifts
from dpcalc.laws.noise import LaplaceLaw, Truncated
from dpcalc.mechanisms.noise import Noise
from dpcalc.mechanisms.noisy_count import NoisyCount
from dpcalc.mechanisms.thresholded import Thresholded
from dpcalc.numbers.best_first import best_first
from dpcalc.numbers.elementary import log
from dpcalc.numbers.enclosure import Enclosure
from dpcalc.numbers.limit import Limit
from dpcalc.numbers.promise import Promise
from dpcalc.pairs.directions import Directions, NamedPairs, SomePairs
from dpcalc.pairs.family import Width, settled
from dpcalc.pairs.hidden import Masses, above, alone, beside, law, with_record, without_record
from dpcalc.pairs.listed import Beside, ListedPair, Summed
from dpcalc.pairs.shift import beyond, divergence

_HUGE = 10**12  # a lambda at which delta is taken as a bound of its limit
_STEEPEST = Fraction(10**300)  # bounds are computed in doubles: for a larger lambda the bound for this one is used
_TABLE = 1 << 20  # bits of the noise's masses, up to which they are listed
_WIDER, _RANGES = 1.12, 28  # from one start to the next: this factor, or the one that gives so many ranges
_RANGED = 5_000  # holders: for more of them ranges take longer than seconds
_NO_NOISE = ((0, Fraction(1)),)
_MOST_HOLDERS = 400  # whose outcomes are listed
_MOST_RANGES = 8_000  # split in one search


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class ThresholdDelta(Promise):
    """delta of a thresholded count.

    Attributes:
        others: how many other people hold the value. For a replaced record two numbers: for the value that the record
            has in the likelier dataset, and for the one that it has in the other. None: any number large enough.
        present: whether the event is likelier with the record; True for a replaced record.
    """

    others: tuple[int, ...] | None
    present: bool


@dataclass(frozen=True, slots=True)
class Holders:
    """A pair of neighbouring datasets and a direction; attributes as in ``ThresholdDelta``."""

    others: tuple[int, ...] | None
    present: bool


@dataclass(frozen=True, slots=True)
class _OfThreshold(NamedPairs[ThresholdDelta]):
    """What the two families below have in common."""

    mechanism: Thresholded

    def named(self, found: Promise) -> Holders:
        """The dataset of a delta that was found."""
        assert isinstance(found, ThresholdDelta)
        return Holders(found.others, found.present)

    @property
    def alike(self) -> bool:
        """No: the fewer others there are, the larger are the losses, and the more they vary."""
        return False

    @property
    def spread(self) -> float:
        """That of normal laws, for a count at the threshold."""
        share, noise = float(self.mechanism.sampled), self.mechanism.noise
        variance = self.mechanism.threshold * (1 - share) + (0.0 if noise is None else noise.law.deviation**2)
        return share / sqrt(max(variance, 1e-6))


@dataclass(frozen=True, slots=True)
class Thresholds(_OfThreshold):
    """A record that is added or removed, beside the worst number of others."""

    delta_width = Width("1e-12", "1e-1000")
    epsilon_width = Width("1e-6", "1e-9")

    @classmethod
    def of(cls, mechanism: Thresholded) -> Thresholds | ListedOthers:
        """Of a mechanism.

        Raises:
            DomainError: outcomes must be listed, and the noise has no list of rational probabilities.
            TooLarge: too many outcomes to be listed.
        """
        if mechanism.neighbours == "add-remove" and (mechanism.noise is None or mechanism.sampled == 1):
            return cls(mechanism)
        return ListedOthers.of(mechanism)

    def delta(self, limit: Limit, *, rtol: Fraction, target: Fraction | None = None, **_: Any) -> ThresholdDelta:
        """The larger one of both directions; exact for a rational lambda where few clients report."""
        return settled(lambda width: self._largest(limit, width), rtol, target)

    def rest(self, rtol: Fraction) -> Enclosure:
        """The probability of an infinite loss: just as many hold the value as are needed, or the noise has an end."""
        threshold, noise = self.mechanism.threshold, self.mechanism.noise
        if noise is None:
            return with_record(threshold, self.mechanism.sampled, Limit(Fraction(threshold + 1)), rtol=rtol)[0]
        ends = NoisyCount(noise).rest(rtol), above(noise.law, threshold - 1, rtol=rtol)
        return Enclosure(max(one.lower for one in ends), max(one.upper for one in ends))

    def inverse(self, target: Fraction, rtol: Fraction) -> Promise | None:
        """Where the target is the limit of delta, the loss from which on delta has that value."""
        threshold, share, rest = self.mechanism.threshold, self.mechanism.sampled, self.rest(Fraction(1, 10**12))
        if self.mechanism.noise is not None or not (rest.exact and rest.lower == target):
            return None
        lam = max((1 - share) * threshold, Fraction(1))  # the largest finite ratio: one more report than is needed
        return None if self.delta(Limit(lam), rtol=rtol).upper > target else Promise.that(log(lam))

    @property
    def unit(self) -> Fraction | None:
        """The loss per step of geometric noise."""
        law = None if self.mechanism.noise is None else self.mechanism.noise.law
        return law.rho.epsilon.lower if isinstance(law, Truncated | LaplaceLaw) else None

    @property
    def ranges(self) -> Sequence[SomePairs]:
        """Ranges of n, each a little wider than the one before, in each direction."""
        threshold, share = self.mechanism.threshold, self.mechanism.sampled
        if self.mechanism.noise is not None or share == 1 or threshold > _RANGED * share:
            return ()
        growth = max(_WIDER, float(2 / share) ** (1 / _RANGES))
        starts = [threshold - 1]
        while starts[-1] < threshold * 2 / share:
            starts.append(max(starts[-1] + 1, int(starts[-1] * growth)))
        ends = [*(start - 1 for start in starts[1:]), None]
        return [
            _Numbers(threshold, share, *both, present)
            for both in zip(starts, ends, strict=True)
            for present in (True, False)
        ]

    def candidates(self, limit: Limit, *, rtol: Fraction, several: bool) -> Iterator[Holders]:
        """The worst n with the record and without it; with noise n = 0 and any n that is large enough."""
        ways = (True,) if several else (True, False)
        if self.mechanism.noise is None:
            found = (self._one(present, limit, rtol) for present in ways)
            yield from (self.named(one) for one in found if one.upper)
        else:
            yield Holders((0,), True)
            yield from (Holders(None, present) for present in ways)

    def directions(self, at: Holders, *, rtol: Fraction) -> Directions:
        """The pair without noise, of a value that nobody else holds, or of the noise alone."""
        threshold, noise = self.mechanism.threshold, self.mechanism.noise
        if noise is None:
            assert at.others is not None
            found = beside(at.others[0], threshold, self.mechanism.sampled)
            return found if at.present else Directions(found.back, found.ahead)
        if at.others is not None:
            return alone(noise.law, threshold, rtol=rtol)
        law = noise.law.mirror if at.present else noise.law
        return Directions(
            lambda lam: divergence(law, 1, Limit(lam), rtol=rtol),
            lambda lam: divergence(law.mirror, 1, Limit(lam), rtol=rtol),
            beyond(law, 1, rtol=rtol).lower,
        )

    def listed(self, at: Holders) -> Sequence[tuple[Fraction, Fraction]] | None:
        """Without noise: no count, and every count from the threshold on."""
        if self.mechanism.noise is not None or at.others is None or at.others[0] >= _MOST_HOLDERS:
            return None
        with_it, without = (
            law(n, self.mechanism.sampled, _NO_NOISE, self.mechanism.threshold)
            for n in (at.others[0] + 1, at.others[0])
        )
        return ListedPair.of(*((with_it, without) if at.present else (without, with_it))).masses

    def _largest(self, limit: Limit, rtol: Fraction) -> ThresholdDelta:
        found = [self._one(present, limit, rtol) for present in (True, False)]
        best = max(found, key=lambda one: one.lower)
        return replace(best, upper=max(one.upper for one in found))

    def _one(self, present: bool, limit: Limit, rtol: Fraction) -> ThresholdDelta:
        """One direction; with noise one of the module's two cases: a value that nobody else holds, or others too."""
        mechanism = self.mechanism
        if mechanism.noise is None:
            ask = with_record if present else without_record
            found, others = ask(mechanism.threshold, mechanism.sampled, limit, rtol=rtol)
            return ThresholdDelta(found.lower, found.upper, (others,), present)
        if present:
            named = above(mechanism.noise.law, mechanism.threshold - 1, rtol=rtol)
            return ThresholdDelta(named.lower, named.upper, (0,), present)
        hidden = Shifts(NoisyCount(mechanism.noise)).delta(limit, rtol=rtol)
        return ThresholdDelta(hidden.lower, hidden.upper, None, hidden.shift < 0)


@dataclass(frozen=True, slots=True)
class _Numbers(SomePairs):
    """Every n from ``first`` to ``last``, in one direction: with the record over without it if ``present``.

    As n grows delta grows up to the worst n, and falls from there on (proof notes, T12).
    """

    threshold: int
    share: Fraction
    first: int
    last: int | None
    present: bool

    def uppers(self, limits: Sequence[Limit], *, rtol: Fraction) -> list[Fraction]:
        """delta of the n in the range that is nearest to the worst one."""
        found = []
        for limit in limits:
            lam = limit.ends.lower
            pair = beside(self._worst(lam), self.threshold, self.share)
            found.append((pair.ahead if self.present else pair.back)(lam).upper)
        return found

    def _worst(self, lam: Fraction) -> int:
        needed, silent = self.threshold - 1, 1 - self.share
        rate = (lam - silent) / lam if self.present else 1 - lam * silent
        worst = ceil(needed / rate) - 1 if rate > 0 else self.first
        return max(self.first, worst if self.last is None else min(worst, self.last))

    @property
    def mirror(self) -> _Numbers:
        """The other direction."""
        return replace(self, present=not self.present)


@dataclass(frozen=True, slots=True)
class ListedOthers(_OfThreshold):
    """Every n, with all outcomes listed.

    Attributes:
        noise: pairs of a value and its probability.
    """

    noise: tuple[tuple[int, Fraction], ...]

    delta_width = Width("1e-6", "1e-15")
    epsilon_width = Width("1e-4", "1e-9")
    farthest = 690  # doubles hold e to it

    @classmethod
    def of(cls, mechanism: Thresholded) -> ListedOthers:
        """Of a mechanism; raises as ``Thresholds.of``."""
        noise = _NO_NOISE if mechanism.noise is None else _listed(mechanism.noise)
        holders = (mechanism.threshold + len(noise)) / mechanism.sampled
        must_fit(
            "listing what is seen of a value", ceil(holders), _MOST_HOLDERS, "people",
            instead='neighbours="add-remove" without noise, or a smaller threshold',
        )  # fmt: skip
        return cls(mechanism, noise)

    def delta(self, limit: Limit, *, rtol: Fraction, target: Fraction | None = None, **_: Any) -> ThresholdDelta:
        """The largest delta: the width is aimed at; with a target the search ends once its side is known."""
        return self._over(self._kinds, limit, rtol, target)

    @property
    def _kinds(self) -> Sequence[tuple[bool, ...]]:
        """For each direction and each value that changes, whether the record holds it in the likelier dataset."""
        return [(True, False)] if self.mechanism.neighbours == "replace" else [(True,), (False,)]

    def _over(
        self, kinds: Sequence[tuple[bool, ...]], limit: Limit, rtol: Fraction, target: Fraction | None = None
    ) -> ThresholdDelta:
        search = _OverOthers(self, limit.ends)
        likely = ceil(self.mechanism.threshold / self.mechanism.sampled)  # about the n with just enough reports
        for kind in kinds:
            search.look(kind, tuple((likely, False) for _ in kind))
            search.run(kind, rtol, target)
        return ThresholdDelta(search.best, max(search.upper, search.best), search.others, search.present).aimed(rtol)

    def candidates(self, limit: Limit, *, rtol: Fraction, several: bool) -> Iterator[Holders]:
        """The worst dataset, and the worst one with the record, where some losses are infinite."""
        if not several:
            yield self.named(self.delta(limit, rtol=rtol))
        yield self.named(self._over(self._kinds[:1], limit, rtol))

    def directions(self, at: Holders, *, rtol: Fraction) -> Directions:
        """Sums over all outcomes."""
        assert at.others is not None
        kind = (at.present, *(not at.present for _ in at.others[1:]))
        search, places = _OverOthers(self, Enclosure.of(1)), tuple((n, False) for n in at.others)
        pair, back = search.pair(kind, places), search.pair(tuple(not present for present in kind), places)
        return Directions(
            lambda lam: Enclosure.of(pair.divergence(lam)),
            lambda lam: Enclosure.of(back.divergence(lam)),
            pair.infinite,
        )

    def listed(self, at: Holders) -> Sequence[tuple[Fraction, Fraction]] | None:
        """All outcomes of one value."""
        assert at.others is not None
        if len(at.others) > 1:
            return None
        return _OverOthers(self, Enclosure.of(1)).seen(at.present, (at.others[0], False)).masses

    def rest(self, rtol: Fraction) -> Enclosure:
        """Between 0 and delta for a large lambda."""
        return Enclosure(Fraction(0), self.delta(Limit(Fraction(_HUGE)), rtol=Fraction(1, 1000)).upper)


def _listed(noise: Noise) -> tuple[tuple[int, Fraction], ...]:
    """The values of a noise and their probabilities.

    Raises:
        DomainError: they are no short list of rationals.
    """
    law = noise.law
    table, low = law.table(_TABLE), law.low
    if table is None or low is None:
        raise DomainError(
            "noise", noise,
            "noise with a short list of rational probabilities where clients are sampled or records are replaced",
        )  # fmt: skip
    return tuple((low + x, mass) for x, mass in enumerate(table) if mass)


#: (n, False): n others hold a value. (n, True): bounds all of n, n + 1, ...; n others, had every count been shown.
_Place = tuple[int, bool]


@lru_cache(maxsize=4)
def _found(asked: ListedOthers) -> tuple[dict[_Place, Masses], dict[tuple[bool, _Place], ListedPair]]:
    """The laws and pairs that were listed so far; they are the same at every limit."""
    return {}, {}


class _OverOthers:
    """A best-first search over the numbers of others.

    A ``kind`` is a direction: for one value whether the record holds it in the likelier dataset; for two values both.

    Attributes:
        best: the largest delta found.
        upper: a bound of delta for all numbers.
        others, present: where ``best`` was found.
    """

    def __init__(self, asked: ListedOthers, lam: Enclosure) -> None:
        self._asked, self._lam = asked, lam
        self.best, self.upper, self.present = Fraction(-1), Fraction(0), True
        self.others: tuple[int, ...] = (0,)
        self._laws, self._known = _found(asked)

    def run(self, kind: tuple[bool, ...], rtol: Fraction, target: Fraction | None) -> None:
        """Search all numbers in one direction, to a relative width or until the side of the target is known."""
        whole: tuple[_Place, ...] = tuple((0, True) for _ in kind)

        def parts(places: tuple[_Place, ...]) -> Iterator[tuple[Fraction, tuple[_Place, ...]]]:
            for part in self._split(kind, places):
                if any(more for _, more in part):
                    yield self._ceiling(kind, part), part
                else:
                    self.look(kind, part)

        left = best_first(
            [(self._ceiling(kind, whole), whole)],
            parts,
            enough=lambda: max(self.best * (1 + rtol), target or Fraction(0)),
            more=lambda _: target is None or self.best <= target,
            most=_MOST_RANGES,
        )
        self.upper = max([self.upper, *(ceiling for ceiling, _ in left[:1])])

    def look(self, kind: tuple[bool, ...], places: tuple[_Place, ...]) -> None:
        """Take in single numbers: delta is computed exactly where its bound is above the best."""
        ceiling = self._ceiling(kind, places)
        if ceiling > self.best:
            ceiling, value = map(self.pair(kind, places).divergence, (self._lam.lower, self._lam.upper))
            if value > self.best:
                self.best, self.others, self.present = value, tuple(n for n, _ in places), kind[0]
        self.upper = max(self.upper, ceiling)

    def _split(self, kind: tuple[bool, ...], places: tuple[_Place, ...]) -> list[tuple[_Place, ...]]:
        """One value's range split into its first number and the rest; the value whose rest has the least bound."""
        ways = []
        for i, (n, more) in enumerate(places):
            if more:
                one, rest = ((*places[:i], place, *places[i + 1 :]) for place in ((n, False), (n + 1, True)))
                ways.append((self._ceiling(kind, rest), [one, rest]))
        return min(ways)[1]

    def _ceiling(self, kind: tuple[bool, ...], places: tuple[_Place, ...]) -> Fraction:
        """An upper bound of delta at single numbers, or over ranges."""
        return self.pair(kind, places).ceiling(float(min(self._lam.lower, _STEEPEST)))

    def pair(self, kind: tuple[bool, ...], places: tuple[_Place, ...]) -> Summed:
        """What is seen of one value, or of both."""
        first, *second = map(self.seen, kind, places)
        return Beside(first, second[0]) if second else first

    def seen(self, present: bool, place: _Place) -> ListedPair:
        """The pair of laws of one value: with the record over without it if ``present``, else the other way round."""
        if (present, place) not in self._known:
            n, every = place
            laws = self._law((n + 1, every)), self._law((n, every))
            self._known[present, place] = ListedPair.of(*(laws if present else laws[::-1]))
        return self._known[present, place]

    def _law(self, place: _Place) -> Masses:
        if place not in self._laws:
            holders, every = place
            least = None if every else self._asked.mechanism.threshold
            self._laws[place] = law(holders, self._asked.mechanism.sampled, self._asked.noise, least)
        return self._laws[place]
