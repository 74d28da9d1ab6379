"""What a sweep asks: one function at many arguments, the rows of a table times the combinations of a grid.

A question holds its arguments as exact text: 0.1, "0.1" and Fraction(1, 10) give the same question, ``q = 1/10``. The
function is called with that text, so that a file records exactly what was asked. Text that is no number is kept: the
function refuses it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import product
from math import prod
from typing import Any

from dpcalc.errors import DomainError, escaped, must_fit
from dpcalc.numbers.lists import as_list, frame_rows, is_frame, one_or_many
from dpcalc.numbers.rational import rational
from dpcalc.questions import QUESTIONS

_MOST = 1_000_000  # questions: some hundred MB
_ROWS = "a table: a data frame, rows that are mappings, or a mapping of columns"


#: The questions that may be swept, by the names of their functions.
SWEPT = {row.function: row for row in QUESTIONS if row.swept}


#: An argument's value: as text, and as it was given.
_Cell = tuple[str, Any]


@dataclass(frozen=True, slots=True)
class Call:
    """One question of a sweep.

    Attributes:
        function: a key of ``SWEPT``.
        arguments: pairs of a name and the text of its value, in the order in which they were given.
        given: the values as they were given.
    """

    function: str
    arguments: tuple[tuple[str, str], ...]
    given: tuple[Any, ...] = field(default=(), compare=False, repr=False)

    def __str__(self) -> str:
        return f"{self.function}({', '.join(f'{name}={escaped(text)}' for name, text in self.arguments)})"

    @property
    def key(self) -> tuple[str, frozenset[tuple[str, str]]]:
        """The same for equal questions, in whatever order their arguments are given."""
        return self.function, frozenset(self.arguments)

    def ask(self) -> Any:
        """The function's answer; raises what it raises."""
        row = SWEPT[self.function]
        return row.call(**row.read(dict(self.arguments)))


def name_of(function: Any) -> str:
    """The key in ``SWEPT`` of a function or of its name.

    Raises:
        DomainError: it is not there.
    """
    for name, known in SWEPT.items():
        if function is known.call or (isinstance(function, str) and function == name):
            return name
    raise DomainError("function", function, f"one of {', '.join(SWEPT)}")


def questions(name: str, table: Any, grid: Mapping[str, Any]) -> list[Call]:
    """Every row of the table with every combination of the grid, the last argument changing fastest.

    Args:
        name: a key of ``SWEPT``.
        table: a data frame, rows that are mappings, or a mapping of columns; None for none.
        grid: for each further argument one value or many.

    Raises:
        DomainError: an argument is unknown, missing or given twice; the table is none.
        TooLarge: more than a million questions.
    """
    rows = [{}] if table is None else _rows(table)
    for row in rows:
        _check(name, row, grid)
    axes = {argument: [(_text(value, argument), value) for value in one_or_many(grid[argument])] for argument in grid}
    count = len(rows) * prod(map(len, axes.values()))
    must_fit("a sweep", count, _MOST, "questions", instead="several sweeps")
    made = []
    for row, values in product(rows, product(*axes.values())):
        cells = row | dict(zip(axes, values, strict=True))
        texts = tuple((argument, text) for argument, (text, _) in cells.items())
        made.append(Call(name, texts, tuple(value for _, value in cells.values())))
    return made


def _rows(table: Any) -> list[dict[str, _Cell]]:
    """The rows of a table; None stands for an argument that is not given."""
    if is_frame(table):
        found = frame_rows(table)
    elif isinstance(table, Mapping):
        columns = {name: one_or_many(values) for name, values in table.items()}
        if len({len(column) for column in columns.values()}) > 1:
            raise DomainError("table", {name: len(column) for name, column in columns.items()}, "columns of one length")
        found = [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]
    else:
        found = as_list(table, "table", _ROWS)
    for row in found:
        if not isinstance(row, Mapping):
            raise DomainError("table", row, _ROWS)
    return [{name: (_text(x, name), x) for name, x in row.items() if x is not None} for row in found]


def _check(name: str, row: Mapping[Any, Any], axes: Mapping[str, Any]) -> None:
    """Refuse names of arguments that the function does not take, takes twice, or misses."""
    known = SWEPT[name].own
    for argument in (*row, *axes):
        if argument not in known:
            raise DomainError("argument", argument, f"one of {name}'s: {', '.join(known)}")
        if argument in row and argument in axes:
            raise DomainError("argument", argument, "it in the table or beside it, not in both")
    needed = [argument for argument in known if known[argument].needed]
    given = {*row, *axes}
    for argument in needed:
        if argument not in given and not given.intersection(known[argument].instead):
            raise DomainError(argument, ..., f"it: {name} asks for {', '.join(needed)}")


def _text(value: Any, argument: str) -> str:
    """The number as exact text; other text as it is."""
    try:
        return str(rational(value, argument))
    except DomainError:
        if isinstance(value, str):
            return value
        if isinstance(value, float) or hasattr(value, "dtype"):  # no number in this row: the function will say so
            return str(value)
        raise
    except ValueError:  # Python prints no integer of more than 4,300 digits
        raise DomainError(argument, value, "a number of at most 4,000 digits") from None
