r"""The family of single-bit records in one direction: every number m of other records that hold 1, or one given m.

Of symmetric bits the other direction is the mirror image, so that one is enough.

delta over all datasets falls strictly from the total variation distance at epsilon = 0 to 0 at the local epsilon. All
records equal is not always the worst dataset: n = 7, q = 1/5, lambda = 3/2 has it at m = 1.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

from dpcalc.families.profile_bounds import over_datasets, ranges
from dpcalc.mechanisms.response import KRandomization
from dpcalc.numbers.elementary import log
from dpcalc.numbers.enclosure import Enclosure
from dpcalc.numbers.limit import Limit
from dpcalc.numbers.lists import one_or_many
from dpcalc.numbers.promise import GIVEN, Promise
from dpcalc.numbers.rational import Number, integer
from dpcalc.pairs.family import Progress, Width
from dpcalc.pairs.named import NamedPairs
from dpcalc.pairs.outcomes import Revealed, largest_loss_bits
from dpcalc.pairs.pair import Pair
from dpcalc.pairs.two_laws import Asked, SomePairs
from dpcalc.worst.datasets import NARROWEST, Datasets, Delta


@dataclass(frozen=True, slots=True)
class _OfBits(NamedPairs[Delta]):
    """What the families of all datasets and of one dataset have in common."""

    datasets: Datasets

    @property
    def local_epsilon(self) -> Promise:
        """k log ((1 - b) / (1 - a)), of symmetric bits k log (p / q)."""
        return Promise.that(log(self.datasets.odds) * self.datasets.k)

    @property
    def spread(self) -> float:
        """About the standard deviation of the privacy loss."""
        return self.datasets.spread

    @property
    def unit(self) -> Fraction:
        """The loss of one report."""
        return log(self.datasets.odds).lower

    def named(self, found: Promise) -> int:
        """The number of ones."""
        assert isinstance(found, Delta)
        return found.dataset.ones

    def pair(self, at: int, *, rtol: Fraction) -> Pair:
        """That of so many ones."""
        return self.datasets.pair(at)

    def quick(self, limit: Limit) -> Fraction:
        """Chernoff's bound."""
        return self.datasets.quick(limit)


@dataclass(frozen=True, slots=True)
class Bits(_OfBits):
    """Every dataset of single bits."""

    delta_width = Width("1e-4", "1e-100")
    epsilon_width = Width("1e-6", "1e-9")
    settles = True
    one_is_quick = True

    @classmethod
    def of(cls, mechanism: KRandomization) -> Bits:
        """Of a mechanism.

        Raises:
            DomainError: records of several bits.
        """
        mechanism.single_bit("delta")
        return cls(Datasets.of(mechanism))

    def delta(
        self, limit: Limit, *, rtol: Fraction, target: Fraction | None = None, progress: Progress | None = None
    ) -> Delta:
        """The largest delta; exact for a rational lambda where the pmfs are small."""
        if target is not None:
            return self.datasets.decided(limit, target, rtol=rtol)
        exact = self.datasets.exact_is_affordable(limit)
        search = self.datasets.largest_exact if exact else self.datasets.largest
        return search(limit, rtol=rtol, progress=progress).aimed(rtol)

    def deltas(self, limits: Sequence[Limit], *, rtol: Fraction) -> list[Delta]:
        """delta at every limit; limits near each other are quicker together."""
        others = [i for i, limit in enumerate(limits) if not self.datasets.exact_is_affordable(limit)]
        places = sorted(others, key=lambda i: limits[i].steer())
        known = self.datasets.together([limits[i] for i in places], [rtol] * len(places))
        found = dict(zip(places, known, strict=True))
        return [
            one.aimed(rtol) if (one := found.get(i)) else self.delta(limit, rtol=rtol)
            for i, limit in enumerate(limits)
        ]  # fmt: skip

    def given(self, ones: Number | Iterable[Number]) -> BitsGiven:
        """The dataset with so many ones among the other records: a number, or a list of one number."""
        listed = one_or_many(ones)
        one = listed[0] if len(listed) == 1 else ones
        return BitsGiven(self.datasets, integer(one, "ones", minimum=0, maximum=self.datasets.others))

    def one(self, limit: Limit, *, rtol: Fraction, near: Fraction) -> Enclosure:
        """delta of the worse one of the two ends; the likelier dataset has the changed record 0."""
        return self.datasets.pair(self.datasets.worse_end(limit)).enclosed(limit, rtol=rtol)

    def fineness(self, rtol: Fraction, target: Fraction) -> Fraction:
        """A hundredth of the width, but no less than doubles prove; for targets next to 1 in units of 1 - target."""
        return max(NARROWEST, rtol / 100) * (1 - target)

    def revealed(self, at: int, *, centre: float, fineness: int, bits: int) -> Revealed:
        """The outcomes, for a lower end only: none need be fainter than that of the largest loss."""
        enough = min(bits, largest_loss_bits(self.datasets.pair(at)))
        return self.datasets.pair(at).revealed(centre=centre, fineness=fineness, bits=enough)

    def candidates(self, limit: Limit, *, rtol: Fraction, several: bool) -> Iterator[int]:
        """Zeros or ones: any gives a lower end, and one of these the largest as a rule."""
        yield self.datasets.worse_end(limit)

    def uppers(self, asked: Sequence[Asked]) -> list[Fraction]:
        """In passes over many limits, where they serve."""
        return over_datasets(self.datasets, asked)

    @property
    def mirror(self) -> Bits | None:
        """The other direction; None for symmetric bits."""
        return None if len(self.datasets.ways) == 1 else Bits(self.datasets.mirror)

    @property
    def ranges(self) -> Sequence[SomePairs]:
        """Of the number of ones."""
        return ranges(self.datasets)


@dataclass(frozen=True, slots=True)
class BitsGiven(_OfBits):
    """One dataset of single bits, with ``ones`` among the others, in both directions."""

    ones: int

    delta_width = Width("1e-12", "1e-1000")
    epsilon_width = Bits.epsilon_width
    words = GIVEN

    def delta(
        self, limit: Limit, *, rtol: Fraction, target: Fraction | None = None, progress: Progress | None = None
    ) -> Delta:
        """The larger one of the two directions."""
        return self.datasets.one(self.ones, limit, rtol=rtol, target=target)

    def one(self, limit: Limit, *, rtol: Fraction, near: Fraction) -> Enclosure:
        """delta, exact only where it may be ``near``."""
        return self.delta(limit, rtol=rtol, target=near)

    def deltas(self, limits: Sequence[Limit], *, rtol: Fraction) -> list[Delta]:
        """delta at every limit; many limits of one dataset are quicker together."""
        return self.datasets.profile(self.ones, limits, rtol=rtol)

    def candidates(self, limit: Limit, *, rtol: Fraction, several: bool) -> Iterator[int]:
        """The one dataset."""
        yield self.ones

    def uppers(self, asked: Sequence[Asked]) -> list[Fraction]:
        """One after the other, in integers where they are quicker."""
        return [self.delta(Limit.exp(epsilon), rtol=rtol).upper for epsilon, rtol in asked]
