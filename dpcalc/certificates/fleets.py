"""A fleet as a certificate says it: groups of people with their chances, and dummies."""

from __future__ import annotations

from math import prod
from typing import Any

from dpcalc import check
from dpcalc.errors import DomainError
from dpcalc.mechanisms.asymmetric import AsymmetricBits
from dpcalc.mechanisms.fleet import Dummies, Fleet, Group

_MOST = 700_000  # masses of all laws
_MOST_OF_TWO = 7_000_000  # of two counts


def described(fleet: Fleet, named: Any) -> dict[str, Any]:
    """A fleet in the certificate's words.

    Args:
        fleet: whose count is released.
        named: as it was given: asymmetric bits are a fleet, too.

    Raises:
        DomainError: n is hidden, or so many people that to sum up every dataset takes too long.
    """
    reports = sum(group.n * group.k for group in fleet.groups) + sum(one.count for one in fleet.dummies)
    if fleet.hidden or prod(group.n + 1 for group in fleet.groups) * reports > _MOST:
        raise DomainError("mechanism", named, "a fleet or asymmetric bits with n public and n k up to 800")
    groups = [_group(group) for group in fleet.groups]
    dummies = [{"count": one.count, "chance": check.written(one.probability)} for one in fleet.dummies]
    return {"groups": groups} | ({"dummies": dummies} if dummies else {})


def histogram(bits: AsymmetricBits) -> dict[str, Any]:
    """A histogram of asymmetric bits.

    Raises:
        DomainError: so many people that to sum up every dataset takes too long.
    """
    group, categories = bits.group, bits.categories
    if group.n**2 * (group.n * group.k + 1) ** 2 > _MOST_OF_TWO:
        raise DomainError("mechanism", bits, "a histogram of asymmetric bits of up to 50 people or so")
    return {"groups": [_group(group)], "categories": categories}


def _group(group: Group) -> dict[str, Any]:
    a, b = group.chances
    return {"n": group.n, "a": check.written(a), "b": check.written(b), "k": group.k}


def fleet(asked: check.Entries) -> Fleet:
    """What these words describe."""
    groups = [
        Group(n=one.whole("n"), chances=(one.number("a"), one.number("b")), k=one.whole("k"))
        for one in asked.parts("groups")
    ]
    listed = asked.parts("dummies") if "dummies" in asked else []
    return Fleet(groups, dummies=[Dummies(one.whole("count"), one.number("chance")) for one in listed])
