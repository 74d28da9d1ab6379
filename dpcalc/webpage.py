"""A self-contained HTML page, for a design review or an auditor: nothing is loaded from elsewhere."""

from __future__ import annotations

from html import escape

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


def webpage(title: str, body: str) -> str:
    """The page.

    Args:
        title: plain text.
        body: HTML.
    """
    return (
        f'<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<title>{escape(title)}</title>\n'
        f'<meta name="viewport" content="width=device-width">\n<style>{_STYLE}</style>\n</head>\n'
        f"<body>\n{body}\n</body>\n</html>\n"
    )
