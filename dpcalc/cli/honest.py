"""Users who hide nobody: --dropouts and --colluding, numbers of users or shares such as 5% of all.

Only the n honest users protect each other; to leave out all others is the worst case (``mechanisms.fleet``). So
commands that are given n subtract these users from it; where n is the answer, a batch needs that many users more.
"""

from __future__ import annotations

import math
from argparse import Namespace
from fractions import Fraction

from dpcalc.errors import DomainError
from dpcalc.numbers.rational import integer, rational

_WAYS = ("dropouts", "colluding")
_ALLOWED = "a whole number of users >= 0, or a share such as 5%"


def only_honest(options: Namespace) -> Namespace:
    """The options, with n the number of honest users.

    Raises:
        DomainError: no honest user is left.
    """
    if vars(options).get("n") is None or not (lost := _lost(options)):
        return options
    users = integer(options.n, "n", minimum=1)
    left = math.floor((1 - sum(share for share, _ in lost)) * users) - sum(count for _, count in lost)
    if left < 1:
        raise DomainError("n", options.n, f"more users than drop out or collude: {users - left:,} of {users:,}")
    return Namespace(**{**vars(options), "n": str(left), "users": users})


def less(options: Namespace) -> str:
    """How n came about, in words: all users less those who are lost; empty if nobody is."""
    lost = [f"{text} {name}" for name in _WAYS if (text := vars(options).get(name)) is not None]
    return f"{options.users:,} users less {' and '.join(lost)}" if lost else ""


def batch(options: Namespace, honest: int) -> int | None:
    """The fewest users among whom ``honest`` are honest; None if nobody is lost."""
    if not (lost := _lost(options)):
        return None
    return math.ceil((honest + sum(count for _, count in lost)) / (1 - sum(share for share, _ in lost)))


def _lost(options: Namespace) -> list[tuple[Fraction, int]]:
    """For each option that was given, the users who are lost: a share of all and a number, one of them 0."""
    found = []
    for name in _WAYS:
        if (text := vars(options).get(name)) is not None:
            if text.endswith("%"):
                found.append((rational(text[:-1], name, _ALLOWED) / 100, 0))
            else:
                try:
                    found.append((Fraction(0), integer(text, name, minimum=0)))
                except DomainError:
                    raise DomainError(name, text, _ALLOWED) from None
            if found[-1][0] < 0 or sum(share for share, _ in found) >= 1:
                raise DomainError(name, text, f"{_ALLOWED}, together less than all")
    return found
