r"""How is a value shown? Values hold data; their ``table()`` and ``to_dict()`` are written with what is here.

Text: columns are aligned, digits are truncated and all certain. JSON: every kind of number has one shape,

    whole      3
    rational   "7/3", exact, to be typed again
    real       {"value": "7/3"} where it is known and short, else {"lower", "upper", "digits"}, its ends rounded outward
    bracket    the threshold, a real; the "value" to use, exact; which end is "safe"; the bounded quantity at each end

and a document, whatever a command prints as JSON, is an object that says what was asked and of which version.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from fractions import Fraction
from html import escape
from typing import Any, Protocol

from dpcalc.numbers.decimal import rounded, usable
from dpcalc.numbers.enclosure import Enclosure
from dpcalc.version import __version__

__all__ = [
    "MOST_ROWS",
    "Tabled",
    "aligned",
    "at_most",
    "both_ends",
    "bracket",
    "bracket_lines",
    "digits",
    "document",
    "exactly",
    "plain",
    "shown",
]

MOST_ROWS = 20  #: rows of a long table that are printed, unless more are asked for
_END_DIGITS = 7
_TO_USE = 6  # digits of a parameter to use
_LONGEST = 200  # digits of a decimal that is written out; a longer one is written as a fraction


class _Bracket(Protocol):
    """A solver's answer (``choose.bracket``, which stands above this module)."""

    @property
    def lower(self) -> Fraction: ...
    @property
    def upper(self) -> Fraction: ...
    @property
    def value(self) -> Fraction: ...
    @property
    def enclosure(self) -> Enclosure: ...
    @property
    def holds_above(self) -> bool: ...
    @property
    def at_lower(self) -> Enclosure: ...
    @property
    def at_upper(self) -> Enclosure: ...


# --- text ---------------------------------------------------------------------------------------------------------


class Tabled(ABC):
    """A result that is read as a table: short in a list, whole where it is printed, and in a notebook."""

    __slots__ = ()

    @abstractmethod
    def table(self) -> str:
        """The whole of it as text."""

    def __str__(self) -> str:
        return self.table()

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {self.table().partition(chr(10))[0]}>"

    def _repr_html_(self) -> str:
        return f"<pre>{escape(self.table())}</pre>"


def aligned(rows: Sequence[Sequence[str]], *, right: bool = False) -> list[str]:
    """The rows as lines: two spaces between columns, each as wide as its longest cell.

    Args:
        rows: cells, as many in every row; a heading is a row, and makes a wide column if it is padded.
        right: whether cells stand at the right of their column, as numbers do.

    >>> aligned([["q", "holds"], ["1/10", "no"]])
    ['q     holds', '1/10  no']
    """
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    place = str.rjust if right else str.ljust
    return ["  ".join(map(place, row, widths)).rstrip() for row in rows]


def digits(x: Enclosure, count: int) -> str:
    """At most ``count`` certain digits, truncated, without the dots that say so: for a cell of a table."""
    return format(x, str(count)).replace("...", "")


def exactly(x: Fraction) -> str:
    """The number itself, to be typed again: one that is cut short may lie on the other side of a threshold.

    >>> exactly(Fraction(1, 8)), exactly(Fraction(1, 3))
    ('0.125', '1/3')
    """
    text = format(Enclosure.of(x), str(_LONGEST))
    return str(x) if "..." in text else text


def both_ends(x: Enclosure) -> list[str]:
    """A line with the two ends, rounded outward: for enclosures of which few digits are certain; none if exact.

    >>> both_ends(Enclosure(Fraction(1, 3), Fraction(1, 2)))
    ['at least 0.3333333, at most 0.5']
    """
    if x.exact:
        return []
    return [f"at least {rounded(x.lower, _END_DIGITS, -1)}, at most {rounded(x.upper, _END_DIGITS, 1)}"]


def at_most(x: Enclosure) -> list[str]:
    """A line with the end to rely on, rounded up; none if it is exact.

    >>> at_most(Enclosure(Fraction(1, 3), Fraction(1, 2)))
    ['at most 0.5']
    """
    return [] if x.exact else [f"at most {rounded(x.upper, _END_DIGITS, 1)}"]


def shown(value: object) -> str:
    """As Python prints it; text with spaces around it, and empty text, in quotes: they would not be seen."""
    return repr(value) if isinstance(value, str) and (not value or value != value.strip()) else str(value)


def bracket_lines(name: str, found: _Bracket) -> list[str]:
    """The parameter to use, then the end that holds and the end that fails, each with its proof."""
    holds, fails = (found.upper, found.at_upper), (found.lower, found.at_lower)
    if not found.holds_above:
        holds, fails = fails, holds
    lines = [f"{name} = {_to_use(found)}"]
    for word, (end, quantity) in {"holds": holds, "fails": fails}.items():
        if word == "holds" or found.lower < found.upper:
            lines.append(f"proven: {word} at {name} = {exactly(end)}, where the bounded quantity is {quantity}")
    return lines


def _to_use(found: _Bracket) -> str:
    """A whole parameter that holds; another one rounded to the side that holds, so that it may be typed again."""
    if found.lower.denominator == found.upper.denominator == 1:
        best = found.upper - found.lower <= 1
        return str(found.value) if best else f"{found.value} ({'at most' if found.holds_above else 'at least'})"
    if found.lower == found.upper and "..." not in (known := str(found.enclosure)):
        return known
    short = usable(found.value, _TO_USE, 1 if found.holds_above else -1)
    return f"{short} (rounded {'up' if found.holds_above else 'down'}; the threshold is {found.enclosure})"


# --- JSON ---------------------------------------------------------------------------------------------------------


def plain(value: Any) -> Any:
    """The value in the shapes of JSON; what JSON has no shape for becomes its text, as a rational does.

    >>> plain({"q": Fraction(1, 4), "k": [1, None], "sigma": Enclosure.of(3)})
    {'q': '1/4', 'k': [1, None], 'sigma': {'value': '3'}}
    """
    if value is None or isinstance(value, str | int):
        return value
    if isinstance(value, Enclosure):
        return value.to_dict()
    if isinstance(value, Mapping):
        return {str(name): plain(part) for name, part in value.items()}
    if isinstance(value, list | tuple):
        return [plain(part) for part in value]
    return str(value)


def bracket(name: str, found: _Bracket) -> dict[str, Any]:
    """A solver's answer, its threshold under ``name``."""
    return {
        name: plain(found.enclosure),
        "value": exactly(found.value),
        "safe": "upper" if found.holds_above else "lower",
        "at_lower": plain(found.at_lower),
        "at_upper": plain(found.at_upper),
    }


def document(content: Mapping[str, Any], *, inputs: Mapping[str, Any]) -> dict[str, Any]:
    """An answer with what was asked, and the version that answered.

    >>> document({"delta": Enclosure.of("9/32")}, inputs={"n": "2"})["inputs"]
    {'n': '2'}
    """
    return {"version": __version__, "inputs": plain(inputs), **plain(content)}
