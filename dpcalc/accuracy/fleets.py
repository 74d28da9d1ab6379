r"""What the counts of a fleet estimate: the number T of ones in all groups.

T_g of the n_g users of group g hold 1. S_g is the count of their reports. One more 1 raises its mean by
w_g = k_g (1 - 2 q_g).

*A count for each group.* T_hat = sum_g (S_g - q_g k_g n_g) / w_g is the only affine function of the counts with mean T
whatever the T_g are (the coefficient of T_g in the mean is that of S_g times w_g), hence the best. Its variance is the
sum of the variances of the groups' own estimates, the same for every T_g. Counts for each group show more than the
pooled count: each is as private as a ``KRandomization`` of its group alone.

*The pooled count* S has the mean c + sum_g w_g T_g. Where all w_g are equal, T_hat = (S - c) / w. Where they are not,
two splits of the same T give different means, and no affine function of S is unbiased; the intervals of
``fleet_intervals`` hold for every split.

The fleet must contain all users whose reports are counted, honest or not, and exactly as many dummies as it says.

*Asymmetric reports* of one group, 1 with probability a for a bit 1 and b for a bit 0, are estimated alike, with p = a
and q = b. The variance of S is then linear in T, largest where all bits are 1 or all are 0.

Source: K16, (4.1)-(4.4), for one group; proof notes, 11.7. T. Wang, J. Blocki, N. Li, S. Jha, Locally differentially
private protocols for frequency estimation (2017), for asymmetric reports and their variance at T = 0; proof notes, A6.
"""

from __future__ import annotations

from fractions import Fraction

from dpcalc.errors import DomainError
from dpcalc.laws.pool import Pool
from dpcalc.mechanisms.asymmetric import AsymmetricBits
from dpcalc.mechanisms.fleet import Fleet, Group
from dpcalc.mechanisms.response import KRandomization
from dpcalc.numbers.lists import one_or_many
from dpcalc.numbers.rational import integer


def counts_of(fleet: Fleet, s: object, *, unbiased: bool = False) -> tuple[int, ...]:
    """The counts as integers: the pooled count, or one for each group.

    Args:
        fleet: all users.
        s: one whole number, or a list.
        unbiased: whether to refuse a pooled count that has no unbiased estimate.

    Raises:
        DomainError: s is neither, a count is out of range, or there are dummies and more than the pooled count.
    """
    given, groups, dummies = one_or_many(s), groups_of(fleet), dummies_of(fleet)
    if len(given) == 1:
        if unbiased and not estimable(fleet):
            raise DomainError(
                "s", s, "a count for each group, as k (1 - 2 q) differs: one for all has no unbiased estimate"
            )
        return (integer(given[0], "s", minimum=0, maximum=dummies.size + sum(group.reports for group in groups)),)
    if len(given) != len(groups) or dummies.size:
        more = " (dummies are in no group's)" if dummies.size else f", or {len(groups)}, one for each group"
        raise DomainError("s", s, f"one pooled count{more}")
    return tuple(
        integer(count, "s", minimum=0, maximum=group.reports) for count, group in zip(given, groups, strict=True)
    )


def estimable(fleet: Fleet) -> bool:
    """Whether the pooled count has an unbiased estimate: w_g is the same for every group."""
    return len({weight(group) for group in groups_of(fleet)}) == 1


def fleet_variance(fleet: Fleet, share: Fraction | None = None) -> Fraction:
    """Var T_hat, of the estimate from a count for each group; with dummies, from the pooled count.

    Args:
        fleet: all users.
        share: of the ones, as ``group_variance`` takes it: it matters for one asymmetric group.

    Raises:
        DomainError: there are dummies, and the pooled count has no unbiased estimate.
    """
    groups, dummies = groups_of(fleet), dummies_of(fleet)
    if dummies.size and not estimable(fleet):
        raise DomainError("mechanism", fleet, "a Fleet whose groups have the same k (1 - 2 q), or without dummies")
    own = sum((group_variance(group, share) for group in groups), Fraction(0))
    return own + dummies.variance / weight(groups[0]) ** 2


def total_estimate(fleet: Fleet, counts: tuple[int, ...]) -> Fraction:
    """T_hat from ``counts_of`` a fleet."""
    groups, dummies = groups_of(fleet), dummies_of(fleet)
    if len(counts) == 1:
        mean = sum((reports_of(group, 0).mean for group in groups), dummies.mean)
        return (counts[0] - mean) / weight(groups[0])
    return sum((group_estimate(group, s) for group, s in zip(groups, counts, strict=True)), Fraction(0))


def groups_of(fleet: Fleet) -> list[Group]:
    """The groups; each has one flip probability, if there are several, or dummies.

    Raises:
        DomainError: one has not.
    """
    if len(fleet.groups) > 1 or fleet.dummies:
        for group in fleet.groups:
            _ = group.q
    return list(fleet.groups)


def users_of(fleet: Fleet) -> int:
    """N, of all groups."""
    return sum(group.n for group in fleet.groups)


def fleet_of(mechanism: KRandomization | AsymmetricBits | Fleet, rounds: int = 1) -> Fleet:
    """All users whose reports are counted, those of several rounds as if of one."""
    if isinstance(mechanism, Fleet):
        return mechanism
    group = group_of(mechanism)
    return Fleet([group.of(rounds * group.n)])


def group_of(mechanism: KRandomization | AsymmetricBits) -> Group:
    """The users that report to one count."""
    if isinstance(mechanism, AsymmetricBits):
        return mechanism.group
    return Group(n=mechanism.n, q=mechanism.q, k=mechanism.k)


def reports_of(group: Group, ones: int) -> Pool:
    """The group's reports if so many of its users hold 1."""
    a, b = group.chances
    return Pool.of((a, group.k * ones), (b, group.k * (group.n - ones)))


def dummies_of(fleet: Fleet) -> Pool:
    """The dummies' reports."""
    return Pool.of(*((dummy.probability, dummy.count) for dummy in fleet.dummies))


def weight(group: Group) -> Fraction:
    """w: by how much one more 1 raises the mean of the group's count."""
    a, b = group.chances
    return group.k * (a - b)


def group_estimate(group: Group, s: int) -> Fraction:
    """The estimate of a group's ones from its count."""
    _, b = group.chances
    return (s - b * group.reports) / weight(group)


def group_variance(group: Group, share: Fraction | None = None) -> Fraction:
    """The variance of ``group_estimate`` where a share of the group holds 1; without a share the largest there is."""
    one, zero = (x * (1 - x) for x in group.chances)
    each = max(one, zero) if share is None else share * one + (1 - share) * zero
    return each * group.reports / weight(group) ** 2
