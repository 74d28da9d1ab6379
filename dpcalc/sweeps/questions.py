"""What a sweep asks: one function at many arguments, the rows of a table times the combinations of a grid.

A question holds its arguments exactly, as text: 0.1, "0.1" and Fraction(1, 10) are the same question, ``q = 1/10``.
It is asked from that text, so that what a file says was asked is what was asked. Text that is no number is kept: it is
for the function to refuse.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import product
from math import prod
from typing import Any, NamedTuple

from dpcalc.choose.epsilon import epsilon
from dpcalc.choose.least import least_n, least_q, most_k
from dpcalc.errors import DomainError, TooLarge
from dpcalc.mechanisms.response import KRandomization
from dpcalc.numbers.lists import as_list, one_or_many
from dpcalc.numbers.rational import rational
from dpcalc.privacy.delta import delta

__all__ = ["FUNCTIONS", "Function", "Question", "is_frame", "name_of", "questions"]

_MOST = 1_000_000  # questions: some hundred MB
_ROWS = "a table: a data frame, rows that are mappings, or a mapping of columns"


@dataclass(frozen=True, slots=True, kw_only=True)
class Function:
    """A function that may be swept.

    Attributes:
        call: the public function.
        answer: the name of what it returns.
        needed: arguments that every question must have.
        others: arguments that it may have.
        pooled: whether n, q and k make the mechanism that it looks at.
    """

    call: Callable[..., Any]
    answer: str
    needed: tuple[str, ...]
    others: tuple[str, ...]
    pooled: bool = False

    def ask(self, **arguments: str) -> Any:
        """The answer to arguments as text; raises what ``call`` raises."""
        if self.pooled:
            mechanism = {name: arguments.pop(name) for name in ("n", "q", "k") if name in arguments}
            return self.call(KRandomization(**mechanism), **arguments)
        return self.call(**arguments)


FUNCTIONS = {
    "delta": Function(
        call=delta, answer="delta", needed=("n", "q"), others=("k", "lam", "epsilon", "ones", "rtol"), pooled=True
    ),
    "epsilon": Function(
        call=epsilon, answer="epsilon", needed=("n", "q", "delta"), others=("k", "ones", "rtol"), pooled=True
    ),
    "least_q": Function(call=least_q, answer="q", needed=("n", "delta"), others=("lam", "epsilon", "k", "rtol")),
    "least_n": Function(call=least_n, answer="n", needed=("q", "delta"), others=("lam", "epsilon", "k", "rtol")),
    "most_k": Function(call=most_k, answer="k", needed=("n", "q", "delta"), others=("lam", "epsilon")),
}


@dataclass(frozen=True, slots=True)
class Question:
    """One call.

    Attributes:
        function: a key of ``FUNCTIONS``.
        arguments: pairs of a name and the text of its value, in the order in which they were given.
        given: the values as they were given.
    """

    function: str
    arguments: tuple[tuple[str, str], ...]
    given: tuple[Any, ...] = field(default=(), compare=False, repr=False)

    def __str__(self) -> str:
        return f"{self.function}({', '.join(f'{name}={text}' for name, text in self.arguments)})"

    @property
    def key(self) -> tuple[str, frozenset[tuple[str, str]]]:
        """Equal for equal questions, whatever the order of their arguments."""
        return self.function, frozenset(self.arguments)

    def ask(self) -> Any:
        """The function's answer; raises what it raises."""
        return FUNCTIONS[self.function].ask(**dict(self.arguments))


def name_of(function: Any) -> str:
    """The key in ``FUNCTIONS`` of a function or of its name.

    Raises:
        DomainError: it is not there.
    """
    for name, known in FUNCTIONS.items():
        if function is known.call or (isinstance(function, str) and function == name):
            return name
    raise DomainError("function", function, f"one of {', '.join(FUNCTIONS)}")


def questions(name: str, table: Any, grid: Mapping[str, Any]) -> list[Question]:
    """Every row of the table with every combination of the grid, the last argument changing fastest.

    Args:
        name: a key of ``FUNCTIONS``.
        table: a data frame, rows that are mappings, or a mapping of columns; None for none.
        grid: for each further argument one value or many.

    Raises:
        DomainError: an argument that is unknown, missing or given twice; what is no table.
        TooLarge: more than a million questions.
    """
    axes = {argument: [_Cell.of(value, argument) for value in one_or_many(grid[argument])] for argument in grid}
    rows = [{}] if table is None else _rows(table)
    count = len(rows) * prod(map(len, axes.values()))
    if count > _MOST:
        raise TooLarge("a sweep", size=count, limit=_MOST, unit="questions", instead="several sweeps")
    for row in rows:
        _check(name, row, axes)
    return [
        _question(name, row | dict(zip(axes, values, strict=True)))
        for row in rows
        for values in product(*axes.values())
    ]


class _Cell(NamedTuple):
    """One argument's value."""

    text: str
    given: Any

    @classmethod
    def of(cls, value: Any, argument: Any) -> _Cell:
        return cls(_text(value, argument), value)


def _question(name: str, cells: Mapping[str, _Cell]) -> Question:
    texts = tuple((argument, cell.text) for argument, cell in cells.items())
    return Question(name, texts, tuple(cell.given for cell in cells.values()))


def is_frame(table: Any) -> bool:
    """Whether it is a pandas DataFrame, which is not imported to find out."""
    return hasattr(table, "columns") and hasattr(table, "itertuples")


def _rows(table: Any) -> list[dict[str, _Cell]]:
    """The rows of a table; None stands for an argument that is not given."""
    if is_frame(table):
        found = [dict(zip(table.columns, row, strict=True)) for row in table.itertuples(index=False, name=None)]
    elif isinstance(table, Mapping):
        columns = {name: one_or_many(values) for name, values in table.items()}
        if len({len(column) for column in columns.values()}) > 1:
            raise DomainError("table", {name: len(column) for name, column in columns.items()}, "columns of one length")
        found = [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]
    else:
        found = as_list(table, "table", _ROWS)
    return [dict(_cells(row)) for row in found]


def _cells(row: Any) -> Iterator[tuple[str, _Cell]]:
    if not isinstance(row, Mapping):
        raise DomainError("table", row, _ROWS)
    for name, value in row.items():
        if value is not None:
            yield name, _Cell.of(value, name)


def _check(name: str, row: Mapping[Any, Any], axes: Mapping[str, Any]) -> None:
    """Refuse names of arguments that the function does not take, takes twice, or misses."""
    known = FUNCTIONS[name]
    for argument in (*row, *axes):
        if argument not in (*known.needed, *known.others):
            raise DomainError("argument", argument, f"one of {name}'s: {', '.join((*known.needed, *known.others))}")
        if argument in row and argument in axes:
            raise DomainError("argument", argument, "it in the table or beside it, not in both")
    for argument in known.needed:
        if argument not in row and argument not in axes:
            raise DomainError(argument, ..., f"it: {name} asks for {', '.join(known.needed)}")


def _text(value: Any, argument: str) -> str:
    """The number, exactly; text that is none as it is."""
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
