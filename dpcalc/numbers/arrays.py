"""Whether numpy is there.

numpy only makes answers faster. Where it is missing, as in a browser, balls, rationals or lists of doubles answer.
"""

from __future__ import annotations

from functools import cache


@cache
def arrays() -> bool:
    """Whether numpy can be imported."""
    try:
        import numpy  # noqa: F401
    except ImportError:
        return False
    return True
