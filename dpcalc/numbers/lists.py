"""Arguments that are not numbers: lists, names and flags.

Text is no list: "12" is one number, not two. Nor is a set or a mapping: what stands twice would count once. Only text
is a name: an array would be compared entry by entry.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sized
from itertools import islice
from typing import Any

from dpcalc.errors import DomainError

_MOST = 10**7  # values of a list


def as_list(values: Any, name: str, allowed: str, most: int = _MOST) -> list[Any]:
    """The values as a list.

    Raises:
        DomainError: text, a set or a mapping, something that cannot be iterated, or more than ``most`` values.

    >>> as_list(("1", "0"), "records", "bit vectors")
    ['1', '0']
    >>> as_list("10", "records", "a list of bit vectors")
    Traceback (most recent call last):
    ...
    dpcalc.errors.DomainError: records = '10' is not allowed: give a list of bit vectors
    """
    if not _is_list(values):
        raise DomainError(name, values, allowed)
    long = isinstance(values, Sized) and len(values) > most
    listed = [] if long else list(islice(values, most + 1))  # an iterator may be endless
    if long or len(listed) > most:
        raise DomainError(name, f"more than {most:,} values", allowed)
    return listed


def one_or_many(values: Any) -> list[Any]:
    """The values as a list; one value, such as a number or a text, is a list of one.

    >>> one_or_many("12"), one_or_many([1, 2])
    (['12'], [1, 2])
    """
    return list(values) if _is_list(values) else [values]


def one_of(value: Any, name: str, names: Iterable[str]) -> str:
    """The value, if it is one of the names.

    Raises:
        DomainError: it is not.

    >>> one_of("open", "method", ("closed", "real"))
    Traceback (most recent call last):
    ...
    dpcalc.errors.DomainError: method = 'open' is not allowed: give one of closed, real
    """
    known = list(names)
    if not isinstance(value, str) or value not in known:
        raise DomainError(name, value, f"one of {', '.join(known)}")
    return value


def flag(value: Any, name: str) -> bool:
    """The value as True or False; numpy's scalars are accepted, arrays are not.

    Raises:
        DomainError: it is neither.

    >>> flag("no", "strict")
    Traceback (most recent call last):
    ...
    dpcalc.errors.DomainError: strict = 'no' is not allowed: give True or False
    """
    scalar = getattr(getattr(value, "dtype", None), "kind", "") == "b" and not value.shape
    if not scalar and not (isinstance(value, int) and value in (0, 1)):
        raise DomainError(name, value, "True or False")
    return bool(value)


def is_frame(table: Any) -> bool:
    """Whether it is a pandas DataFrame, which is not imported to find out."""
    return hasattr(table, "columns") and hasattr(table, "itertuples")


def table_rows(table: Any, allowed: str, most: int = _MOST) -> list[Mapping[str, Any]]:
    """The rows of a data frame, or of a list of mappings: values by the names of columns.

    Raises:
        DomainError: it is neither, or has more than ``most`` rows.
    """
    if is_frame(table):
        table = [dict(zip(table.columns, row, strict=True)) for row in table.itertuples(index=False, name=None)]
    rows = as_list(table, "table", allowed, most)
    for i, row in enumerate(rows, 1):
        if not isinstance(row, Mapping) or not all(isinstance(name, str) for name in row):
            raise DomainError(f"table, row {i}", row, "the columns with their values")
    return rows


def _is_list(values: Any) -> bool:
    """Whether it has values in an order, each as often as it stands there: no set, no mapping."""
    if isinstance(values, int | str | bytes | bytearray | memoryview | set | frozenset | Mapping):
        return False
    try:  # an array of no dimensions has __iter__, and refuses
        iter(values)
    except TypeError:
        return False
    return True
