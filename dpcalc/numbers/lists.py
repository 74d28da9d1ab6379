"""Where several values are asked for: what counts as a list. Text does not, for "12" is one number and not two."""

from __future__ import annotations

from typing import Any

from dpcalc.errors import DomainError

__all__ = ["as_list", "one_or_many"]


def as_list(values: Any, name: str, allowed: str) -> list[Any]:
    """The values as a list.

    Raises:
        DomainError: text, or nothing that can be gone through.

    >>> as_list(("1", "0"), "records", "bit vectors")
    ['1', '0']
    >>> as_list("10", "records", "a list of bit vectors")
    Traceback (most recent call last):
    ...
    dpcalc.errors.DomainError: records = '10' is not allowed: give a list of bit vectors
    """
    if not _is_list(values):
        raise DomainError(name, values, allowed)
    return list(values)


def one_or_many(values: Any) -> list[Any]:
    """The values as a list; one value, such as a number or a text, is a list of one.

    >>> one_or_many("12"), one_or_many([1, 2])
    (['12'], [1, 2])
    """
    return list(values) if _is_list(values) else [values]


def _is_list(values: Any) -> bool:
    if isinstance(values, str | bytes):
        return False
    try:  # an array of no dimensions has __iter__, and refuses
        iter(values)
    except TypeError:
        return False
    return True
