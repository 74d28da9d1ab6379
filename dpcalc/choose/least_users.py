r"""How large a fleet must be: the fewest users, with each group's share of them given.

Of N users group g has ceil(s_g N), where s_g is its share in the given fleet; the number of dummies is fixed. The worst
delta falls in N, as it falls with more honest users in any group (``mechanisms.fleet``): there is one threshold.
"""

from __future__ import annotations

from dpcalc.choose.crossing import least_whole, tolerance
from dpcalc.errors import DomainError
from dpcalc.families.table import family
from dpcalc.mechanisms.fleet import Fleet
from dpcalc.mechanisms.response import MOST_REPORTS
from dpcalc.numbers.bracket import Bracket
from dpcalc.numbers.limit import Limit, target_delta
from dpcalc.numbers.rational import Number


def least_users(
    fleet: Fleet, *, delta: Number, lam: Number | None = None, epsilon: Number | None = None, rtol: Number | None = None
) -> Bracket:
    """The fewest honest users with whom a fleet of these shares is (epsilon, delta)-differentially private.

    Args:
        fleet: the groups and their shares, dummies and neighbours; its own number of users does not matter.
        delta: the target, 0 < delta < 1.
        lam: lambda = e^epsilon >= 1; give it or
        epsilon: >= 0.
        rtol: relative width of the bracket that is aimed at, at least 1e-9 (default 1e-3); at least one user.

    Returns:
        A bracket of whole numbers N, of which each group has its share, rounded up: ``lower`` users are too few, with
        ``upper`` the target is proven. If one user of each group is enough, both ends are 1.

    Raises:
        DomainError: an argument out of range.
        NoSolution: more than 10^15 reports would be needed.
        Undecided: no bracket was found.

    >>> from dpcalc import Group
    >>> mixed = Fleet([Group(n=1, q="1/4"), Group(n=9, q="1/5")])
    >>> fewest = least_users(mixed, epsilon=1, delta="0.01")
    >>> print(fewest, [group.n for group in of_size(mixed, int(fewest.value)).groups])
    14 [2, 13]
    """
    if not isinstance(fleet, Fleet):
        raise DomainError("fleet", fleet, "a Fleet, such as Fleet([Group(n=1000, q='0.1')])")
    limit, target, width = Limit.of(lam=lam, epsilon=epsilon), target_delta(delta), tolerance(rtol)

    total = sum(group.n for group in fleet.groups)
    room = MOST_REPORTS - sum(one.count for one in fleet.dummies) - sum(group.k for group in fleet.groups)
    most = room * total // sum(group.n * group.k for group in fleet.groups)
    return least_whole(
        lambda n: (family(of_size(fleet, int(n))), limit), target, least=1, most=most, rtol=width, name="n"
    )  # fmt: skip


def of_size(fleet: Fleet, n: int) -> Fleet:
    """The fleet of n users, each group with its share, rounded up."""
    total = sum(group.n for group in fleet.groups)
    groups = [group.of(-(-n * group.n // total)) for group in fleet.groups]
    return Fleet(groups, dummies=fleet.dummies, neighbours=fleet.neighbours)
