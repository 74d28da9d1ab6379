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
from dpcalc.families.noise import Shifts
from dpcalc.laws.symmetric import LaplaceLaw
from dpcalc.mechanisms.noise import Noise
from dpcalc.mechanisms.noisy_count import NoisyCount, Thresholded
from dpcalc.numbers.enclosure import Enclosure
from dpcalc.numbers.limit import Limit
from dpcalc.numbers.search import best_first
from dpcalc.pairs.family import Attained, OfMechanism, Width
from dpcalc.pairs.hidden import largest, law, seen, worst
from dpcalc.pairs.listed import Beside, ListedPair, Summed
from dpcalc.pairs.named import NamedPairs
from dpcalc.pairs.shift import Shifted, at_most
from dpcalc.pairs.two_laws import OneByOne, SomePairs, TwoLaws

_LESS = 1 - Fraction(1, 1 << 40)  # a unit rounded to doubles, times this, is not above the true one
_HUGE = 10**12  # a lambda at which delta is taken as a bound of its limit
_TABLE = 1 << 20  # bits of the noise's masses, up to which they are listed
_WIDER, _RANGES = 1.12, 28  # from one start to the next: this factor, or the one that gives so many ranges
_RANGED = 5_000  # holders: for more of them ranges take longer than seconds
_NO_NOISE = ((0, Fraction(1)),)
_MOST_HOLDERS = 400  # whose outcomes are listed
_MOST_RANGES = 8_000  # split in one search


@dataclass(frozen=True, slots=True)
class Holders:
    """A pair of neighbouring datasets and a direction.

    Attributes:
        others: how many other people hold the value. For a replaced record two numbers: for the value that the record
            has in the likelier dataset, and for the one that it has in the other. None: any number large enough.
        present: whether the event is likelier with the record; True for a replaced record.
    """

    others: tuple[int, ...] | None
    present: bool

    def __str__(self) -> str:
        where = "with the record" if self.present else "without the record"
        held = "any number large enough of"
        if self.others is not None:
            held = " and ".join(f"{one:,}" for one in self.others)
        who = "other who holds" if self.others == (1,) else "others who hold"
        return f"attained beside {held} {who} the value; the event is likelier {where}"


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class ThresholdDelta(Attained):
    """delta of a thresholded count; attributes of its dataset."""

    dataset: Holders

    @property
    def others(self) -> tuple[int, ...] | None:
        """How many other people hold the value, see ``Holders``."""
        return self.dataset.others

    @property
    def present(self) -> bool:
        """Whether the event is likelier with the record."""
        return self.dataset.present


@dataclass(frozen=True, slots=True)
class _OfThreshold(OfMechanism[ThresholdDelta], NamedPairs[ThresholdDelta]):
    """What the two families below have in common."""

    mechanism: Thresholded

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

    def delta(self, limit: Limit, *, rtol: Fraction, **_: Any) -> ThresholdDelta:
        """The larger one of both directions; exact for a rational lambda where few clients report."""
        return self._largest(limit, rtol).aimed(rtol)

    def rest(self, rtol: Fraction) -> Enclosure:
        """The probability of an infinite loss: just as many hold the value as are needed, or the noise has an end."""
        threshold, noise = self.mechanism.threshold, self.mechanism.noise
        if noise is None:
            return largest(
                threshold, self.mechanism.sampled, Limit(Fraction(threshold + 1)), rtol=rtol, present=True
            )[0]  # fmt: skip
        ends = NoisyCount(noise).rest(rtol), self._named_alone(rtol)
        return Enclosure(max(one.lower for one in ends), max(one.upper for one in ends))

    @property
    def last_loss(self) -> Fraction | None:
        """The loss per step of geometric noise: a change by 1 loses no more."""
        law = None if self.mechanism.noise is None else self.mechanism.noise.law
        return law.rho.epsilon.lower if isinstance(law, LaplaceLaw) else None

    @property
    def unit(self) -> Fraction | None:
        """A part of that loss, not above a part of the spread."""
        last = self.last_loss
        return None if last is None else last * _LESS / ceil(last / self.part)

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

    def pair(self, at: Holders, *, rtol: Fraction) -> TwoLaws:
        """The pair without noise, listed where few hold the value; of the noise alone; or of a value that nobody else
        holds, as if it were released as rarely as is proven, which hides more.
        """
        threshold, noise = self.mechanism.threshold, self.mechanism.noise
        if noise is None:
            assert at.others is not None
            return seen(at.others[0], threshold, self.mechanism.sampled, present=at.present)
        if at.others is not None:
            shown = self._named_alone(rtol).lower
            return ListedPair.of({1: shown, None: 1 - shown}, {None: Fraction(1)})
        return Shifted(noise.law.mirror if at.present else noise.law, 1)

    def _named_alone(self, rtol: Fraction) -> Enclosure:
        """P(Z >= K - 1): a value is released that nobody else holds."""
        assert self.mechanism.noise is not None
        return at_most(self.mechanism.noise.law.mirror, 1 - self.mechanism.threshold, rtol=rtol)

    def _largest(self, limit: Limit, rtol: Fraction) -> ThresholdDelta:
        found = [self._one(present, limit, rtol) for present in (True, False)]
        best = max(found, key=lambda one: one.lower)
        return replace(best, upper=max(one.upper for one in found))

    def _one(self, present: bool, limit: Limit, rtol: Fraction) -> ThresholdDelta:
        """One direction; with noise one of the module's two cases: a value that nobody else holds, or others too."""
        threshold, noise = self.mechanism.threshold, self.mechanism.noise
        if noise is None:
            found, others = largest(threshold, self.mechanism.sampled, limit, rtol=rtol, present=present)
            return ThresholdDelta(found.lower, found.upper, Holders((others,), present))
        if present:
            named = self._named_alone(rtol)
            return ThresholdDelta(named.lower, named.upper, Holders((0,), present))
        hidden = Shifts(NoisyCount(noise)).delta(limit, rtol=rtol)
        return ThresholdDelta(hidden.lower, hidden.upper, Holders(None, hidden.dataset.shift < 0))


@dataclass(frozen=True, slots=True)
class _Numbers(OneByOne):
    """Every n from ``first`` to ``last``, in one direction: with the record over without it if ``present``.

    As n grows delta grows up to the worst n, and falls from there on (proof notes, T12).
    """

    threshold: int
    share: Fraction
    first: int
    last: int | None
    present: bool

    def upper(self, limit: Limit, *, rtol: Fraction) -> Fraction:
        """delta of the n in the range that is nearest to the worst one."""
        places = worst(self.threshold, self.share, limit, present=self.present)
        nearest = {max(self.first, n if self.last is None else min(n, self.last)) for n in places}
        pairs = (seen(n, self.threshold, self.share, present=self.present) for n in nearest)
        return max(pair.upper(limit, rtol=rtol) for pair in pairs)

    @property
    def mirror(self) -> _Numbers:
        """The other direction."""
        return replace(self, present=not self.present)


#: Others who hold one value: whether the record holds it in the likelier dataset; how many they are, n; and whether
#: that stands for all of n, n + 1, ...: for their bound, which is the pair of n others had every count been shown.
_Value = tuple[bool, int, bool]


@dataclass(frozen=True, slots=True)
class ListedOthers(_OfThreshold):
    """Every n, with all outcomes listed.

    Attributes:
        noise: pairs of a value and its probability.
    """

    noise: tuple[tuple[int, Fraction], ...]

    delta_width = Width("1e-6", "1e-15")
    epsilon_width = Width("1e-4", "1e-9")
    farthest = 690  # a lambda of a thousand bits

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

    def delta(self, limit: Limit, *, rtol: Fraction, **_: Any) -> ThresholdDelta:
        """The largest delta: the width is aimed at."""
        return self._largest(self._ways, limit, rtol)

    @property
    def _ways(self) -> Sequence[tuple[bool, ...]]:
        """For each direction and each value that changes, whether the record holds it in the likelier dataset."""
        return [(True, False)] if self.mechanism.neighbours == "replace" else [(True,), (False,)]

    def _largest(self, ways: Sequence[tuple[bool, ...]], limit: Limit, rtol: Fraction) -> ThresholdDelta:
        """Search all numbers, best first, to a relative width."""
        lam, best, upper, at = limit.ends, Fraction(-1), Fraction(0), _whole(ways[0])

        def ceiling(values: Sequence[_Value]) -> Fraction:
            return self._pair(values).divergence(lam.lower)

        def look(values: Sequence[_Value]) -> None:
            """Single numbers."""
            nonlocal best, upper, at
            most = ceiling(values)
            value = most if lam.exact else self._pair(values).divergence(lam.upper)
            if value > best:
                best, at = value, values
            upper = max(upper, most)

        def parts(values: Sequence[_Value]) -> Iterator[tuple[Fraction, Sequence[_Value]]]:
            """One value's range split into its first number and the rest; the value whose rest has the least bound."""
            split = []
            for i, (present, n, more) in enumerate(values):
                if more:
                    both = (present, n, False), (present, n + 1, True)
                    one, rest = ((*values[:i], each, *values[i + 1 :]) for each in both)
                    split.append((ceiling(rest), rest, one))
            bound, rest, one = min(split)
            yield bound, rest
            if any(more for *_, more in one):
                yield ceiling(one), one
            else:
                look(one)

        likely = ceil(self.mechanism.threshold / self.mechanism.sampled)  # about the n with just enough reports
        for way in ways:
            look([(present, likely, False) for present in way])
        left = best_first(
            [(ceiling(values), values) for values in map(_whole, ways)],
            parts,
            enough=lambda: best * (1 + rtol),
            most=_MOST_RANGES,
        )
        upper = max([upper, best, *(most for most, _ in left[:1])])
        return ThresholdDelta(best, upper, Holders(tuple(n for _, n, _ in at), at[0][0])).aimed(rtol)

    def candidates(self, limit: Limit, *, rtol: Fraction, several: bool) -> Iterator[Holders]:
        """The worst dataset, and the worst one with the record, where some losses are infinite."""
        if not several:
            yield self.named(self.delta(limit, rtol=rtol))
        yield self.named(self._largest(self._ways[:1], limit, rtol))

    def pair(self, at: Holders, *, rtol: Fraction) -> Summed:
        """All outcomes; with two values the record leaves one and enters the other."""
        assert at.others is not None
        return self._pair([(at.present != bool(i), n, False) for i, n in enumerate(at.others)])

    def rest(self, rtol: Fraction) -> Enclosure:
        """Between 0 and delta for a large lambda."""
        return Enclosure(Fraction(0), self.delta(Limit(Fraction(_HUGE)), rtol=Fraction(1, 1000)).upper)

    def _pair(self, values: Sequence[_Value]) -> Summed:
        """What is seen of one value, or of both."""
        first, *second = (_seen(self.mechanism, self.noise, value) for value in values)
        return Beside(first, second[0]) if second else first


@lru_cache(maxsize=1 << 12)
def _seen(mechanism: Thresholded, noise: tuple[tuple[int, Fraction], ...], value: _Value) -> ListedPair:
    """What is seen of one value; with the record over without it, or the other way round."""
    present, n, every = value
    more, fewer = (
        law(holders, mechanism.sampled, noise, None if every else mechanism.threshold) for holders in (n + 1, n)
    )
    return ListedPair.of(more, fewer) if present else ListedPair.of(fewer, more)


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


def _whole(way: Sequence[bool]) -> Sequence[_Value]:
    """Every number of others."""
    return [(present, 0, True) for present in way]
