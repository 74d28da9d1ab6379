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
_ALLOWED = "a whole number of users >= 0, or a share such as 5%, together less than all"


def only_honest(options: Namespace) -> Namespace:
    """The options, with n the number of honest users.

    Raises:
        DomainError: no honest user is left.
    """
    if vars(options).get("n") is None or not _given(options):
        return options
    users, (share, count) = integer(options.n, "n", minimum=1), _lost(options)
    left = math.floor((1 - share) * users) - count
    if left < 1:
        raise DomainError("n", options.n, f"more users than drop out or collude: {users - left:,} of {users:,}")
    return Namespace(**{**vars(options), "n": str(left), "users": users})


def less(options: Namespace) -> str:
    """How n came about, in words: all users less those who are lost; empty if nobody is."""
    lost = [f"{text} {name}" for name, text in _given(options).items()]
    return f"{options.users:,} users less {' and '.join(lost)}" if lost else ""


def batch(options: Namespace, honest: int) -> int | None:
    """The fewest users among whom ``honest`` are honest; None if nobody is lost."""
    share, count = _lost(options)
    return math.ceil((honest + count) / (1 - share)) if _given(options) else None


def _given(options: Namespace) -> dict[str, str]:
    return {name: text for name in _WAYS if (text := vars(options).get(name)) is not None}


def _lost(options: Namespace) -> tuple[Fraction, int]:
    """The users who are lost: a share of all, and a number."""
    share, count = Fraction(0), 0
    for name, text in _given(options).items():
        if not text.endswith("%"):
            try:
                count += integer(text, name, minimum=0)
            except DomainError:
                raise DomainError(name, text, _ALLOWED) from None
        elif (lost := rational(text[:-1], name, _ALLOWED) / 100) < 0 or share + lost >= 1:
            raise DomainError(name, text, _ALLOWED)
        else:
            share += lost
    return share, count
