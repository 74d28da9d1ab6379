"""Many questions at once: a function at every point of a grid, through any executor.

It asks the rows of a table times the combinations of a grid. The first questions are answered in this process; others
are started if the rest would take long.

A question holds its arguments as exact text: 0.1, "0.1" and Fraction(1, 10) give the same question, ``q = 1/10``. The
function is called with that text, so that a file records exactly what was asked. Text that is no number is kept: the
function refuses it.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Generator, Mapping, Sequence
from concurrent.futures import Executor, ProcessPoolExecutor, as_completed
from contextlib import closing, nullcontext
from dataclasses import dataclass, field, replace
from itertools import product
from math import prod
from time import monotonic
from typing import Any

from dpcalc.displayed import Displayed
from dpcalc.errors import DomainError, must_fit
from dpcalc.numbers.lists import is_frame, one_or_many, table_rows
from dpcalc.numbers.rational import rational
from dpcalc.pairs.family import Progress
from dpcalc.report import aligned
from dpcalc.sweeps.journal import SWEPT, Answer, Call, Journal, answer

_MOST = 1_000_000  # questions: some hundred MB
_ROWS = "a table: a data frame, rows that are mappings, or a mapping of columns"
_HERE = 0.5  # processes are started after so many seconds, if the rest would take twice as many
_AHEAD = 1_000  # questions handed to the executor at a time: memory is not to grow with their number

#: An argument's value: as text, and as it was given.
_Cell = tuple[str, Any]


@dataclass(frozen=True, slots=True, repr=False)
class Sweep(Displayed, Sequence[Answer]):
    """The answers of a sweep, in the order of its questions; ``print`` shows them as a table.

    Attributes:
        function: the name of the function.
        answers: one per question.
        index: of the given data frame, once per answer.
    """

    function: str
    answers: tuple[Answer, ...]
    index: Any = field(default=None, compare=False, repr=False)

    def __len__(self) -> int:
        return len(self.answers)

    def __getitem__(self, place: Any) -> Any:
        return self.answers[place]

    @property
    def columns(self) -> dict[str, list[Any]]:
        """The columns: the arguments as they were given, the answers under the name of the quantity, ``error``.

        None stands for an argument that was not given, a value that is not known, and no error.
        """
        given = [
            {name: value for (name, _), value in zip(one.question.arguments, one.question.given, strict=True)}
            for one in self.answers
        ]
        names = dict.fromkeys(name for row in given for name in row)
        return {
            **{name: [row.get(name) for row in given] for name in names},
            SWEPT[self.function].answer: [one.value for one in self.answers],
            "error": [one.error for one in self.answers],
        }

    def frame(self) -> Any:
        """The columns as a pandas DataFrame, with the index of the given one."""
        import pandas as pd

        return pd.DataFrame(self.columns, index=self.index)

    def __repr__(self) -> str:
        return f"<Sweep: {len(self)} answers of {self.function}>"

    def __str__(self) -> str:
        columns = {name: ["" if cell is None else str(cell) for cell in cells] for name, cells in self.columns.items()}
        if not any(columns["error"]):
            del columns["error"]
        return "\n".join(aligned([list(columns), *zip(*columns.values(), strict=True)]))


def sweep(
    function: Callable[..., Any] | str,
    table: Any = None,
    *,
    executor: Executor | None = None,
    path: str | os.PathLike[str] | None = None,
    progress: Progress | None = None,
    each: Callable[[Answer], object] | None = None,
    **grid: Any,
) -> Sweep:
    """A function's answers at every point of a grid, each as proven as one asked by itself.

    Args:
        function: ``delta``, ``epsilon``, ``least_q``, ``least_n``, ``most_k``, ``most_rounds``, ``gaussian_sigma``
            or the name of one. A mechanism is described by n, q and k (default 1); a histogram and rounds also by
            ``categories``, ``ones``, ``neighbours`` and ``rounds``.
        table: a row per question: a pandas DataFrame, rows that are mappings, or a mapping of columns.
        executor: runs the questions: any ``concurrent.futures.Executor``, such as a Dask client's ``get_executor()``;
            default: this process, and further ones of this machine if that would take long. (A script then needs its
            ``if __name__ == "__main__":``, as with all processes.) Threads get the same answers, but one at a time.
        path: a file to which every answer is appended, as a line of JSON with exact ends. If it holds answers of an
            interrupted sweep, only the other questions are asked.
        progress: called with the share of questions that are answered.
        each: called with each new ``Answer`` as it comes, in no particular order.
        **grid: arguments of the function and its mechanism, each one value or many. Every combination is asked, with
            every row of the table; the last argument changes fastest.

    Returns:
        The answers, in the order of the questions. Errors of dpcalc (``DomainError``, ``NoSolution``, ``TooLarge``,
        ``Undecided``) are answers too.

    Raises:
        DomainError: another function; an argument is unknown, given twice or missing; the file is of another sweep.
        TooLarge: more than a million questions.

    >>> from concurrent.futures import ThreadPoolExecutor
    >>> print(sweep("epsilon", n=[100, 1000], q=[0.1, 0.5], delta="1e-6", executor=ThreadPoolExecutor(1)))
    n     q    delta  epsilon      error
    100   0.1  1e-6   2.1588...
    100   0.5  1e-6                DomainError: q = '1/2' is not allowed: give a flip probability with 0 < q < 1/2
    1000  0.1  1e-6   0.377205...
    1000  0.5  1e-6                DomainError: q = '1/2' is not allowed: give a flip probability with 0 < q < 1/2
    """
    name = name_of(function)
    asked = questions(name, table, grid)
    if executor is not None and (isinstance(executor, type) or not callable(getattr(executor, "submit", None))):
        raise DomainError("executor", executor, "an Executor, such as concurrent.futures.ProcessPoolExecutor()")
    left = {question.key: question for question in asked}
    found: dict[Any, Answer] = {}
    total = len(left)
    with closing(Journal(path, left)) if path is not None else nullcontext() as journal:
        if journal is not None:
            found |= journal.answers
            left = {key: question for key, question in left.items() if key not in found}
        with closing(_answers(list(left.values()), executor)) as coming:  # an error stops all questions
            for one in coming:
                found[one.question.key] = one
                if journal is not None:
                    journal.add(one)
                if each is not None:
                    each(one)
                if progress is not None:
                    progress(len(found) / total)
    answers = tuple(replace(found[question.key], question=question) for question in asked)
    index = table.index.repeat(len(asked) // len(table)) if is_frame(table) and len(table) else None
    return Sweep(name, answers, index)


def _answers(left: Sequence[Call], executor: Executor | None) -> Generator[Answer, None, None]:
    """The answers as they come."""
    if executor is None:
        start = monotonic()
        for place, question in enumerate(left):
            spent = monotonic() - start
            if place and spent > _HERE and spent * (len(left) - place) > 2 * _HERE * place:
                left = left[place:]
                break
            yield answer(question)
        else:
            return
    with ProcessPoolExecutor() if executor is None else nullcontext(executor) as workers:
        for first in range(0, len(left), _AHEAD):
            futures = [workers.submit(answer, question) for question in left[first : first + _AHEAD]]
            try:
                for future in as_completed(futures):
                    yield future.result()
            finally:
                for future in futures:
                    future.cancel()


# --- what is asked -------------------------------------------------------------------------------------------------


def name_of(function: Any) -> str:
    """The key in ``SWEPT`` of a function or of its name."""
    for name, known in SWEPT.items():
        if function is known.call or (isinstance(function, str) and function == name):
            return name
    raise DomainError("function", function, f"one of {', '.join(SWEPT)}")


def questions(name: str, table: Any, grid: Mapping[str, Any]) -> list[Call]:
    """Every row of the table with every combination of the grid, the last argument changing fastest."""
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
    if isinstance(table, Mapping):
        columns = {name: one_or_many(values) for name, values in table.items()}
        if len({len(column) for column in columns.values()}) > 1:
            raise DomainError("table", {name: len(column) for name, column in columns.items()}, "columns of one length")
        table = [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]
    rows = table_rows(table, _ROWS)
    return [{name: (_text(x, name), x) for name, x in row.items() if x is not None} for row in rows]


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
