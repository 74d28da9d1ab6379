r"""A table becomes counts: how often each sensitive value occurs in each equivalence class.

A class holds the rows that agree in every quasi-identifying column. A table is a pandas DataFrame, any iterable of
mappings from column to value, or the path of a CSV file (UTF-8, commas, a header line; its values stay the strings
that are written, so that an empty cell is a value of its own, and "130" is another
than "130 "). Rows are read once and not kept.

Source: EC, "Epsilon-Closeness".
"""

from __future__ import annotations

import csv
import os
from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Sequence
from operator import itemgetter
from pathlib import Path
from typing import Any

from dpcalc.errors import DomainError
from dpcalc.numbers.lists import as_list, is_frame, one_or_many

_Row = tuple[Hashable, ...]


def class_counts(
    table: Any, *, quasi: str | Sequence[Hashable], sensitive: Hashable
) -> dict[tuple[Hashable, ...], Counter[Hashable]]:
    """For every class, by its quasi-identifying values, the count of each sensitive value; in order of appearance.

    Args:
        table: a DataFrame, an iterable of mappings, or the path of a CSV file.
        quasi: the quasi-identifying columns, or one name.
        sensitive: the sensitive column.

    Raises:
        DomainError: no such column, no rows, a missing value (None or NaN), or a file that is not such a CSV file.

    >>> rows = [{"age": "20s", "ill": "flu"}, {"age": "30s", "ill": "flu"}, {"age": "20s", "ill": "cold"}]
    >>> class_counts(rows, quasi=["age"], sensitive="ill")
    {('20s',): Counter({'flu': 1, 'cold': 1}), ('30s',): Counter({'flu': 1})}
    >>> class_counts(rows, quasi=["city"], sensitive="ill")
    Traceback (most recent call last):
    ...
    dpcalc.errors.DomainError: quasi = 'city' is not allowed: give a column of the table; row 1 has only age, ill
    """
    allowed = "one or more columns, each once, without the sensitive one"
    names = hashables(one_or_many(quasi), "quasi", allowed)
    (sensitive,) = hashables([sensitive], "sensitive", "one column")
    if not names or sensitive in names or len(set(names)) < len(names):
        raise DomainError("quasi", quasi, allowed)
    columns = (*names, sensitive)
    if isinstance(table, str | os.PathLike):
        rows = _file_rows(Path(table), columns)
    elif is_frame(table):
        rows = _frame_rows(table, columns)
    else:
        rows = _mapping_rows(table, columns)
    counts = Counter(rows)
    if not counts:
        raise DomainError("table", table, "at least one row")
    classes: dict[_Row, Counter[Hashable]] = {}
    for row, count in counts.items():
        classes.setdefault(row[:-1], Counter())[row[-1]] = count
    return classes


def hashables(values: Any, name: str, allowed: str) -> tuple[Hashable, ...]:
    """Names of columns, or values of one.

    Raises:
        DomainError: text or nothing that can be gone through, or a value that cannot be one.

    >>> hashables(["no", "yes"], "order", "every value exactly once")
    ('no', 'yes')
    """
    found = as_list(values, name, allowed)
    for value in found:
        try:
            hash(value)
        except (TypeError, ValueError):  # numpy's timedelta64 without a unit
            raise DomainError(name, value, allowed) from None
    return tuple(found)


def _role(column: Hashable, sensitive: Hashable) -> str:
    return "sensitive" if column == sensitive else "quasi"


def _check_columns(columns: _Row, present: Iterable[Hashable], where: str) -> None:
    """Every column asked for is there exactly once.

    Raises:
        DomainError: it is not.
    """
    found = list(present)
    for column in columns:
        if found.count(column) != 1:
            has = "has only " + ", ".join(map(str, found)) if column not in found else "has it more than once"
            raise DomainError(_role(column, columns[-1]), column, f"a column of the table; {where} {has}")


def _missing_value(column: Hashable, columns: _Row, number: int) -> DomainError:
    return DomainError(_role(column, columns[-1]), column, f"a column without missing values; row {number} has one")


def _frame_rows(frame: Any, columns: _Row) -> Iterator[_Row]:
    _check_columns(columns, frame.columns, "the frame")
    for column in columns:
        missing = frame[column].isna().tolist()
        if True in missing:
            raise _missing_value(column, columns, missing.index(True) + 1)
    return zip(*(frame[column].tolist() for column in columns), strict=True)


def _mapping_rows(table: Iterable[Any], columns: _Row) -> Iterator[_Row]:
    try:
        iter(table)
    except TypeError:
        allowed = "a DataFrame, an iterable of mappings, or the path of a CSV file"
        raise DomainError("table", table, allowed) from None
    for number, row in enumerate(table, start=1):
        try:
            values = tuple(row[column] for column in columns)
            hash(values)
            missing = [value is None or bool(value != value) for value in values]  # NaN differs from itself
        except KeyError:
            _check_columns(columns, row, f"row {number}")
            raise
        except (TypeError, IndexError, ValueError):
            raise DomainError("table", row, f"mappings from column to a hashable value; row {number} is none") from None
        if True in missing:
            raise _missing_value(columns[missing.index(True)], columns, number)
        yield values


def _file_rows(path: Path, columns: _Row) -> Iterator[_Row]:
    if "\0" in str(path):  # which Python refuses in words of its own
        raise DomainError("table", str(path), "the path of a file")
    number = 0
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            reader = csv.reader(file, strict=True)
            header = next((line for line in reader if line), None)
            if header is None:
                raise DomainError("table", str(path), "a CSV file with a header line; this file is empty")
            _check_columns(columns, header, str(path))
            pick = itemgetter(*(header.index(str(column)) for column in columns))
            for number, fields in enumerate(filter(None, reader), start=1):  # blank lines are no rows
                if len(fields) != len(header):
                    raise DomainError(
                        "table", str(path),
                        f"rows of {len(header)} fields; row {number} (line {reader.line_num}) has {len(fields)}",
                    )  # fmt: skip
                yield pick(fields)
    except csv.Error as error:
        raise DomainError("table", str(path), f"a CSV file; after row {number}: {error}") from None
    except UnicodeDecodeError:
        raise DomainError("table", str(path), f"a file in UTF-8; {_undecodable(path)}") from None
    except UnicodeEncodeError:
        raise DomainError("table", str(path), "the path of a file") from None
    except OSError as error:
        raise DomainError("table", str(path), f"a file that can be read; here: {error.strerror}") from None


def _undecodable(path: Path) -> str:
    """Where the first line is that is not UTF-8."""
    with path.open("rb") as file:
        for number, line in enumerate(file, start=1):
            try:
                line.decode()
            except UnicodeDecodeError as error:
                return f"line {number} has the byte 0x{line[error.start]:02x} at place {error.start + 1}"
    return "it ends within a character"
