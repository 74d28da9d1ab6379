"""How a notebook shows an answer that is the last line of a cell: as text."""

from __future__ import annotations


class Displayed:
    """A value that a notebook shows as ``_text`` has it; by default as it is printed."""

    __slots__ = ()

    def _text(self) -> str:
        return str(self)

    def _repr_html_(self) -> str:
        from html import escape

        return f"<pre>{escape(self._text())}</pre>"
