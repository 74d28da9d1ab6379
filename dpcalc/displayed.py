"""What a notebook shows of an answer that is the last line of a cell: its text."""

from __future__ import annotations


class Displayed:
    """A value that a notebook shows as text: as it is printed, or what ``_text`` adds to that."""

    __slots__ = ()

    def _text(self) -> str:
        return str(self)

    def _repr_html_(self) -> str:
        from html import escape

        return f"<pre>{escape(self._text())}</pre>"
