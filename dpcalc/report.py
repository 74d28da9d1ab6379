r"""How a value is shown: the parts of which ``table()`` and ``to_dict()`` are made.

Text: columns are aligned, digits are truncated and all certain. JSON: every kind of number has one shape,

    whole      3
    rational   "7/3", exact; it can be typed in again
    real       {"value": "7/3"} if it is known and short, else {"lower", "upper", "digits"}, its ends rounded outward
    promise    a real; its "meaning", for whom each end is proven; a "note" if it is wider than was asked
    bracket    the threshold, a real; the exact "value" to use; which end is "safe"; what is proven at each end: the
               "upper" end of delta where it holds, the "lower" one where it fails, and "for" whom; meaning and note

and a document, the JSON that a command prints, is an object with the version and what was asked.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from html import escape
from typing import Any

from dpcalc.displayed import Displayed
from dpcalc.errors import escaped
from dpcalc.numbers.bracket import Bracket
from dpcalc.numbers.decimal import rounded, telling_digits, usable
from dpcalc.numbers.enclosure import Enclosure
from dpcalc.numbers.promise import Promise
from dpcalc.version import __version__

MOST_ROWS = 20  #: rows of a long table that are printed, unless more are asked for
_END_DIGITS = 7  # of an end, in text
_MOST_DIGITS = 17  # of an end of which more are certain, in text
_JSON_DIGITS = 40  # of an end, in JSON
_SHORT = 20  # digits of the longest denominator of an exact value in JSON
_PARAMETER_DIGITS = 6  # of a parameter to use
_LONGEST = 200  # digits of a decimal; a longer one is written as a fraction


# --- text ---------------------------------------------------------------------------------------------------------


class Tabled(Displayed, ABC):
    """A result that prints as a table, also in a notebook; its repr is the first line."""

    __slots__ = ()

    @abstractmethod
    def table(self) -> str:
        """The whole result as text."""

    def __str__(self) -> str:
        return self.table()

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {self.table().partition(chr(10))[0]}>"


def aligned(rows: Sequence[Sequence[str]], *, right: bool = False) -> list[str]:
    """The rows as lines: two spaces between columns, each as wide as its longest cell; every cell is one line.

    Args:
        rows: cells, as many in every row; a heading is a row, and makes a wide column if it is padded.
        right: whether cells stand at the right of their column, as numbers do.

    >>> aligned([["q", "holds"], ["1/10", "no"]])
    ['q     holds', '1/10  no']
    """
    lines = [list(map(escaped, row)) for row in rows]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    place = str.rjust if right else str.ljust
    return ["  ".join(map(place, line, widths)).rstrip() for line in lines]


def digits(x: Enclosure, count: int) -> str:
    """At most ``count`` certain digits, truncated, without the dots: for a cell of a table."""
    return format(x, str(count)).replace("...", "")


def exactly(x: Fraction) -> str:
    """The exact number, to be typed in again: a truncated one may lie on the other side of a threshold.

    >>> exactly(Fraction(1, 8)), exactly(Fraction(1, 3))
    ('0.125', '1/3')
    """
    text = format(Enclosure.of(x), str(_LONGEST))
    return str(x) if "..." in text else text


def most(x: Enclosure, target: Fraction | None = None) -> str:
    """An upper bound as text: the value itself if it is known and short, else the upper end rounded up to a few digits.

    If the upper end is at most ``target``, there are as many digits as the text needs to be at most ``target``, too.

    >>> most(Enclosure(Fraction("0.8712345"), Fraction("0.8755")))
    '0.8755'
    >>> most(Enclosure(Fraction(2, 3), Fraction(2, 3) + Fraction(1, 10**9))), most(Enclosure.of("2/3"))
    ('0.666666668', '2/3')
    """
    return _told(x, x.upper, 1, target)


def least(x: Enclosure, target: Fraction | None = None) -> str:
    """A lower bound as text, as ``most``: rounded down, but still above ``target`` if the lower end is.

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
    """An end rounded outward, to more than ``count`` digits if it would pass the target otherwise."""
    if target is None:
        return rounded(end, count, toward)
    if end == target:
        return exactly(end)
    enough = 1 + telling_digits(min(end, target), max(end, target), 0)  # rounds by less than the distance of the two
    return rounded(end, max(count, enough), toward)


def promise_lines(name: str, found: Promise) -> list[str]:
    """The lines of a promise: its certain digits, both ends rounded outward, for whom they are proven, its note.

    >>> promise_lines("delta", Promise(Fraction(1, 8), Fraction(1, 8)))
    ['delta = 1/8', 'lower: reached by one dataset; upper: holds for every dataset']
    """
    low, high = rounded(found.lower, _END_DIGITS, -1), rounded(found.upper, _END_DIGITS, 1)
    ends = [] if found.exact else [f"at least {low}, at most {high}"]
    return [f"{name} = {found}", *ends, found.meaning, *_noted(found)]


def _noted(found: Promise | Bracket) -> list[str]:
    return [] if found.note is None else [found.note]


def shown(value: object) -> str:
    """As Python prints it, on one line; empty text, and text with spaces around it, in quotes."""
    return repr(value) if isinstance(value, str) and (not value or value != value.strip()) else escaped(str(value))


def bracket_lines(name: str, found: Bracket) -> list[str]:
    """The parameter to use, then the end that holds and the end that fails, each with its proof."""
    ends = [(True, found.value, found.at_holding), (False, found.failing, found.at_failing)]
    proven = [
        f"proven: {'holds' if holds else 'fails'} at {name} = {exactly(end)}, "
        f"where {bounded(quantity, found.target, holds=holds)}"
        for holds, end, quantity in ends
        if holds or found.lower < found.upper
    ]
    return [f"{name} = {_to_use(found)}", *proven, *_noted(found)]


def bounded(quantity: Enclosure, target: Fraction | None = None, *, holds: bool) -> str:
    """What is proven of the bounded quantity where the target holds, or fails: for a delta the end that decides it, and
    for whom.

    >>> bounded(Promise(Fraction(1, 3), Fraction(1, 2)), holds=False), bounded(Enclosure.of("1/3"), holds=False)
    ('delta is at least 0.3333333 for one dataset', 'the bounded quantity is 1/3')
    """
    if not isinstance(quantity, Promise):
        return f"the bounded quantity is {quantity}"
    if holds:
        return f"delta is at most {most(quantity, target)} for {quantity.proven_for}"
    return f"delta is at least {least(quantity, target)} for {quantity.attained_by}"


def _to_use(found: Bracket) -> str:
    """The parameter to use: a whole one exactly; another one rounded to the side that holds, short enough to type."""
    if found.whole:
        best = found.upper - found.lower <= 1
        open_end = "the least may be smaller" if found.holds_above else "the most may be larger"
        return str(found.value) if best else f"{found.value} ({open_end})"
    if found.lower == found.upper and "..." not in (known := str(found.enclosure)):
        return known
    short = usable(found.value, _PARAMETER_DIGITS, 1 if found.holds_above else -1)
    return f"{short} (rounded {'up' if found.holds_above else 'down'} from {found.enclosure})"


# --- JSON ---------------------------------------------------------------------------------------------------------


def plain(value: Any) -> Any:
    """The value in the shapes of JSON; what has no shape of its own becomes text, as a rational does.

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
    """A solver's answer for JSON, its threshold under ``name``."""
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
    """A promise for JSON, under ``name``, with its meaning and its note.

    >>> promise("delta", Promise(Fraction(1, 8), Fraction(1, 8)))["meaning"]
    'lower: reached by one dataset; upper: holds for every dataset'
    """
    return {name: plain(found), **_meaning(found)}


def _meaning(found: Promise | Bracket) -> dict[str, str]:
    return {"meaning": found.meaning, **({} if found.note is None else {"note": found.note})}


def _proven(quantity: Enclosure, target: Fraction | None, *, holds: bool) -> Any:
    """What is proven of the bounded quantity: for a delta one end, and for whom."""
    if not isinstance(quantity, Promise):
        return plain(quantity)
    if holds:
        return {"upper": _written(quantity, quantity.upper, 1, target), "for": quantity.proven_for}
    return {"lower": _written(quantity, quantity.lower, -1, target), "for": quantity.attained_by}


def _written(x: Enclosure, end: Fraction, toward: int, target: Fraction | None) -> str:
    """An end, rounded outward on its side of the target; exact if it is a short rational."""
    if x.exact and end.denominator < 10**_SHORT:
        return exactly(end)
    return _on_its_side(end, _JSON_DIGITS, toward, target)


def document(content: Mapping[str, Any], *, inputs: Mapping[str, Any]) -> dict[str, Any]:
    """An answer with what was asked, and the version that answered.

    >>> document({"delta": Enclosure.of("9/32")}, inputs={"n": "2"})["inputs"]
    {'n': '2'}
    """
    return {"version": __version__, "inputs": plain(inputs), **plain(content)}


# --- a page: self-contained HTML, for a design review or an auditor; nothing is loaded from elsewhere ---------------

_STYLE = """
body { font: 16px/1.5 system-ui, sans-serif; max-width: 70em; margin: 2em auto; padding: 0 1em; }
pre { overflow-x: auto; background: #8881; padding: 1em; }
table { border-collapse: collapse; }
td, th { border: 1px solid #8884; padding: .3em .6em; text-align: left; vertical-align: top; }
.answer, .warning { border-left: 4px solid; padding-left: 1em; font-size: 1.1em; margin: 0; }
.warning { border-color: #c24e00; }
svg { max-width: 100%; height: auto; }
@media (prefers-color-scheme: dark) { body { background: #111; color: #eee; } svg { background: #fff; } }
"""


def listed(lines: Iterable[str]) -> str:
    """A list of texts."""
    items = "\n".join(f"<li>{escape(line)}</li>" for line in lines)
    return f"<ul>\n{items}\n</ul>"


def webpage(title: str, body: str) -> str:
    """The page of a title, in plain text, and a body, in HTML."""
    return (
        f'<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<title>{escape(title)}</title>\n'
        f'<meta name="viewport" content="width=device-width">\n<style>{_STYLE}</style>\n</head>\n'
        f"<body>\n{body}\n</body>\n</html>\n"
    )
