"""Whether there are arrays of doubles.

numpy makes many questions quick, and none is answered by it alone: where it is missing, as in a browser, those who ask
here leave its way out, and balls or rationals answer.
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
