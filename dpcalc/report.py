r"""How is a value shown? Values hold data; their ``table()`` and ``to_dict()`` are written with what is here.

Text: columns are aligned, digits are truncated and all certain. JSON: every kind of number has one shape,

    whole      3
    rational   "7/3", exact, to be typed again
    real       {"value": "7/3"} where it is known and short, else {"lower", "upper", "digits"}, its ends rounded outward
    promise    a real, its "meaning": for whom each end is proven, and a "note" where it is wider than was asked
    bracket    the threshold, a real; the "value" to use, exact; which end is "safe"; what is proven at each end: of a
               delta the "upper" end where it holds, the "lower" one where it fails, and "for" whom; meaning and note

and a document, whatever a command prints as JSON, is an object that says what was asked and of which version.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any

from dpcalc.displayed import Displayed
from dpcalc.numbers.bracket import Bracket
from dpcalc.numbers.decimal import rounded, telling_digits, usable
from dpcalc.numbers.enclosure import Enclosure
from dpcalc.numbers.promise import Promise
from dpcalc.version import __version__

MOST_ROWS = 20  #: rows of a long table that are printed, unless more are asked for
_END_DIGITS = 7
_MOST_DIGITS = 17
_WRITTEN = 40  # digits of an end in JSON
_SHORT = 20  # digits of a denominator that is written as it is
_TO_USE = 6  # digits of a parameter to use
_LONGEST = 200  # digits of a decimal that is written out; a longer one is written as a fraction


# --- text ---------------------------------------------------------------------------------------------------------


class Tabled(Displayed, ABC):
    """A result that is read as a table: short in a list, whole where it is printed, and in a notebook."""

    __slots__ = ()

    @abstractmethod
    def table(self) -> str:
        """The whole of it as text."""

    def __str__(self) -> str:
        return self.table()

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {self.table().partition(chr(10))[0]}>"


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


def most(x: Enclosure, target: Fraction | None = None) -> str:
    """What it is at most: itself if it is known and short, else the digits of its upper end that tell, rounded up.

    With a ``target`` that end does not exceed, so many digits that what is written does not either.

    >>> most(Enclosure(Fraction("0.8712345"), Fraction("0.8755")))
    '0.8755'
    >>> most(Enclosure(Fraction(2, 3), Fraction(2, 3) + Fraction(1, 10**9))), most(Enclosure.of("2/3"))
    ('0.666666668', '2/3')
    """
    return _told(x, x.upper, 1, target)


def least(x: Enclosure, target: Fraction | None = None) -> str:
    """What it is at least, as ``most``: rounded down, and above a ``target`` that its lower end is above.

    >>> least(Enclosure(Fraction(2, 3), Fraction(2, 3) + Fraction(1, 10**9)))
    '0.666666666'
    """
    return _told(x, x.lower, -1, target)


def _told(x: Enclosure, end: Fraction, toward: int, target: Fraction | None) -> str:
    if x.exact and "..." not in (known := str(x)):
        return known
    count = _MOST_DIGITS if x.exact else min(telling_digits(x.lower, x.upper, _END_DIGITS), _MOST_DIGITS)
    return _on_its_side(end, count, toward, target)


def _on_its_side(end: Fraction, count: int, toward: int, target: Fraction | None) -> str:
    """An end rounded outward, to more digits than ``count`` where it would else pass the target."""
    if target is None:
        return rounded(end, count, toward)
    if end == target:
        return exactly(end)
    enough = 1 + telling_digits(min(end, target), max(end, target), 0)  # cuts less than the distance of the two
    return rounded(end, max(count, enough), toward)


def promise_lines(name: str, found: Promise, ends: Callable[[Enclosure], list[str]] = at_most) -> list[str]:
    """Its certain digits, ``at_most`` or ``both_ends`` of it, for whom they are proven, and whether it is too wide.

    >>> promise_lines("delta", Promise(Fraction(1, 8), Fraction(1, 8)))
    ['delta = 1/8', 'lower: reached by one dataset; upper: holds for every dataset']
    """
    return [f"{name} = {found}", *ends(found), found.meaning, *_noted(found)]


def _noted(found: Promise | Bracket) -> list[str]:
    return [] if found.note is None else [found.note]


def shown(value: object) -> str:
    """As Python prints it; text with spaces around it, and empty text, in quotes: they would not be seen."""
    return repr(value) if isinstance(value, str) and (not value or value != value.strip()) else str(value)


def bracket_lines(name: str, found: Bracket) -> list[str]:
    """The parameter to use, then the end that holds and the end that fails, each with its proof."""
    ends = {"holds": (found.value, found.at_holding), "fails": (found.failing, found.at_failing)}
    lines = [f"{name} = {_to_use(found)}"]
    for word, (end, quantity) in ends.items():
        if word == "holds" or found.lower < found.upper:
            lines.append(f"proven: {word} at {name} = {exactly(end)}, where {bounded(quantity, word, found.target)}")
    return [*lines, *_noted(found)]


def bounded(quantity: Enclosure, word: str, target: Fraction | None = None) -> str:
    """What is proven of the bounded quantity where it "holds" or "fails": of a delta one end, which decides the
    ``target``, and for whom.

    >>> bounded(Promise(Fraction(1, 3), Fraction(1, 2)), "fails"), bounded(Enclosure.of("1/3"), "fails")
    ('delta is at least 0.3333333 for one dataset', 'the bounded quantity is 1/3')
    """
    if not isinstance(quantity, Promise):
        return f"the bounded quantity is {quantity}"
    if word == "holds":
        return f"delta is at most {most(quantity, target)} for {quantity.proven_for}"
    return f"delta is at least {least(quantity, target)} for {quantity.attained_by}"


def _to_use(found: Bracket) -> str:
    """A whole parameter that holds; another one rounded to the side that holds, so that it may be typed again."""
    if found.whole:
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
    match value:
        case None | str() | int():
            return value
        case Enclosure():
            return value.to_dict()
        case Mapping():
            return {str(name): plain(part) for name, part in value.items()}
        case list() | tuple():
            return [plain(part) for part in value]
    return str(value)


def bracket(name: str, found: Bracket) -> dict[str, Any]:
    """A solver's answer, its threshold under ``name``."""
    known = found.lower == found.upper
    return {
        name: plain(found.enclosure),
        "value": exactly(found.value),
        "safe": "upper" if found.holds_above else "lower",
        "at_lower": _proven(found.at_lower, found.target, holds=known or not found.holds_above),
        "at_upper": _proven(found.at_upper, found.target, holds=known or found.holds_above),
        **_meaning(found),
    }


def promise(name: str, found: Promise) -> dict[str, Any]:
    """An answer under ``name``, for whom its ends are proven, and that it is wider than was asked, if it is.

    >>> promise("delta", Promise(Fraction(1, 8), Fraction(1, 8)))["meaning"]
    'lower: reached by one dataset; upper: holds for every dataset'
    """
    return {name: plain(found), **_meaning(found)}


def _meaning(found: Promise | Bracket) -> dict[str, str]:
    return {"meaning": found.meaning, **({} if found.note is None else {"note": found.note})}


def _proven(quantity: Enclosure, target: Fraction | None, *, holds: bool) -> Any:
    """Of a delta the end that is proven, and for whom."""
    if not isinstance(quantity, Promise):
        return plain(quantity)
    if holds:
        return {"upper": _written(quantity, quantity.upper, 1, target), "for": quantity.proven_for}
    return {"lower": _written(quantity, quantity.lower, -1, target), "for": quantity.attained_by}


def _written(x: Enclosure, end: Fraction, toward: int, target: Fraction | None) -> str:
    """An end rounded outward, on its side of the target; a short rational itself."""
    if x.exact and end.denominator < 10**_SHORT:
        return exactly(end)
    return _on_its_side(end, _WRITTEN, toward, target)


def document(content: Mapping[str, Any], *, inputs: Mapping[str, Any]) -> dict[str, Any]:
    """An answer with what was asked, and the version that answered.

    >>> document({"delta": Enclosure.of("9/32")}, inputs={"n": "2"})["inputs"]
    {'n': '2'}
    """
    return {"version": __version__, "inputs": plain(inputs), **plain(content)}
