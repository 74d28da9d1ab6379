r"""What the counts of a fleet estimate: the number T of ones in all groups.

T_g of the n_g users of group g hold 1. S_g is the count of their reports. One more 1 raises its mean by
w_g = k_g (1 - 2 q_g).

*A count for each group.* T_hat = sum_g (S_g - q_g k_g n_g) / w_g is the only affine function of the counts with mean T
whatever the T_g are (the coefficient of T_g in the mean is that of S_g times w_g), hence the best. Its variance is the
sum of the variances of the groups' own estimates, the same for every T_g. Counts for each group show more than the
pooled count: each is as private as a ``KRandomization`` of its group alone.

*The pooled count* S has the mean c + sum_g w_g T_g. Where all w_g are equal, T_hat = (S - c) / w. Where they are not,
two splits of the same T give different means, and no affine function of S is unbiased; the intervals of
``methods`` hold for every split.

The fleet must contain all users whose reports are counted, honest or not, and exactly as many dummies as it says.

*Asymmetric reports* of one group, 1 with probability a for a bit 1 and b for a bit 0, are estimated alike, with p = a
and q = b. The variance of S is then linear in T, largest where all bits are 1 or all are 0.

*Numbers* x_i in [0, 1], each rounded at random to a bit, of the sum T: T_hat has the mean T as with bits, and
n x (1 - x) <= n/4 is added to its variance at most, x = T / n (proof notes, T9).

Source: K16, (4.1)-(4.4), for one group; proof notes, 11.7. T. Wang, J. Blocki, N. Li, S. Jha, Locally differentially
private protocols for frequency estimation (2017), for asymmetric reports and their variance at T = 0; proof notes, A6.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from dpcalc.errors import DomainError
from dpcalc.laws.pool import Pool
from dpcalc.mechanisms.fleet import Fleet
from dpcalc.mechanisms.response import Group, KRandomization, RoundedNumbers
from dpcalc.mechanisms.unary import AsymmetricBits
from dpcalc.numbers.lists import one_or_many
from dpcalc.numbers.rational import integer

_NOBODY = Pool.of()


@dataclass(frozen=True, slots=True)
class Counted:
    """All users whose reports are counted, and the dummies' reports.

    Attributes:
        groups: the users; if there are several groups, or dummies, each has one flip probability.
        dummies: their reports.
        rounding: the largest variance that rounding a number at random adds to a bit; 0 where records are bits.
    """

    groups: tuple[Group, ...]
    dummies: Pool = _NOBODY
    rounding: Fraction = Fraction(0)

    @classmethod
    def of(cls, mechanism: KRandomization | AsymmetricBits | Fleet | RoundedNumbers, rounds: int = 1) -> Counted:
        """Those of a mechanism, not of asymmetric reports beside others; those of several rounds as if of one."""
        if not isinstance(mechanism, Fleet):
            bits = mechanism.simplest if isinstance(mechanism, RoundedNumbers) else mechanism
            rounding = Fraction(isinstance(mechanism, RoundedNumbers), 4)
            return cls((bits.group.of(rounds * bits.n),), rounding=rounding)
        if len(mechanism.groups) > 1 or mechanism.dummies:
            for group in mechanism.groups:
                if not group.symmetric:
                    allowed = "a + b = 1: asymmetric reports beside others are not estimated"
                    raise DomainError("chances", group.chances, allowed)
        return cls(mechanism.groups, Pool.of(*((dummy.probability, dummy.count) for dummy in mechanism.dummies)))

    @property
    def n(self) -> int:
        """The users of all groups."""
        return sum(group.n for group in self.groups)

    @property
    def size(self) -> int:
        """All reports."""
        return sum(group.reports for group in self.groups) + self.dummies.size

    @property
    def estimable(self) -> bool:
        """Whether the pooled count has an unbiased estimate: w_g is the same for every group."""
        return len({weight(group) for group in self.groups}) == 1

    def pool(self, ones: int) -> Pool:
        """The reports where so many ones fill the groups in their order."""
        found = self.dummies
        for group in self.groups:
            here = min(ones, group.n)
            found, ones = found + group.pool(here), ones - here
        return found

    def counts(self, s: object, *, unbiased: bool = False) -> tuple[int, ...]:
        """The counts as integers: the pooled count or, without dummies, one for each group.

        ``unbiased`` says whether to refuse a pooled count that has no unbiased estimate.
        """
        given = one_or_many(s)
        if len(given) == 1:
            if unbiased and not self.estimable:
                raise DomainError(
                    "s", s, "a count for each group, as k (1 - 2 q) differs: one for all has no unbiased estimate"
                )
            return (integer(given[0], "s", minimum=0, maximum=self.size),)
        if len(given) != len(self.groups) or self.dummies.size:
            more = (
                " (dummies are in no group's)" if self.dummies.size else f", or {len(self.groups)}, one for each group"
            )
            raise DomainError("s", s, f"one pooled count{more}")
        return tuple(
            integer(count, "s", minimum=0, maximum=group.reports)
            for count, group in zip(given, self.groups, strict=True)
        )

    def estimate(self, counts: Sequence[int]) -> Fraction:
        """T_hat from the pooled count, or from one for each group."""
        if len(counts) == 1:
            return (counts[0] - self.pool(0).mean) / weight(self.groups[0])
        each = zip(self.groups, counts, strict=True)
        return sum((Counted((group,)).estimate([count]) for group, count in each), Fraction(0))

    def variance(self, share: Fraction | None = None) -> Fraction:
        """Var T_hat, of the estimate from a count for each group; with dummies, from the pooled count.

        Of one asymmetric group it is that where a ``share`` of the users holds 1, without rounding; or without a share
        the largest there is. Refused where there are dummies, and the pooled count has no unbiased estimate.
        """
        if self.dummies.size and not self.estimable:
            allowed = "a Fleet whose groups have the same k (1 - 2 q), or without dummies"
            raise DomainError("mechanism", self.groups, allowed)
        own = sum((variance_of(group, share) / weight(group) ** 2 for group in self.groups), Fraction(0))
        rounding = self.n * self.rounding if share is None else 0
        return own + self.dummies.variance / weight(self.groups[0]) ** 2 + rounding

    @property
    def ranges(self) -> Fraction:
        """The squared ranges of independent terms of T_hat, added up: its moments are those of such a sum (T10).

        The terms are single reports and, of numbers, their roundings; or all reports of each user.
        """
        each = sum((group.reports / weight(group) ** 2 for group in self.groups), Fraction(0))
        together = sum((group.n * (group.k / weight(group)) ** 2 for group in self.groups), Fraction(0))
        return min(each + 4 * self.n * self.rounding, together) + self.dummies.size / weight(self.groups[0]) ** 2

    def merged(self, counts: Sequence[int]) -> tuple[Counted, list[int]]:
        """Groups with one randomizer as one, in the order of their weights; their counts, if each has one, added up."""
        found = dict[object, tuple[Group, int]]()
        for group, s in zip(self.groups, counts if len(counts) > 1 else [0] * len(self.groups), strict=True):
            beside, count = found.get(group.randomizer, (None, 0))
            found[group.randomizer] = group.of(group.n + (beside.n if beside else 0)), s + count
        groups, sums = zip(*sorted(found.values(), key=lambda one: weight(one[0])), strict=True)
        return replace(self, groups=groups), list(counts if len(counts) == 1 else sums)

    def flipped(self, counts: Sequence[int]) -> tuple[Counted, list[int]]:
        """Zeros counted in place of ones."""
        sizes = [self.size] if len(counts) == 1 else [group.reports for group in self.groups]
        zeros = [size - s for size, s in zip(sizes, counts, strict=True)]
        groups = tuple(group.flipped for group in self.groups)
        return replace(self, groups=groups, dummies=self.dummies.flipped), zeros


def weight(group: Group) -> Fraction:
    """w: by how much one more 1 raises the mean of the group's count."""
    a, b = group.chances
    return group.k * (a - b)


def variance_of(group: Group, share: Fraction | None = None) -> Fraction:
    """The variance of the group's count where a share of it holds 1; without a share the largest there is."""
    one, zero = (x * (1 - x) for x in group.chances)
    return group.reports * (max(one, zero) if share is None else share * one + (1 - share) * zero)
