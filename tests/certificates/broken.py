"""The checker with a line changed: what does not notice it proves nothing."""

import types
from pathlib import Path

from dpcalc import check

SOURCE = Path(check.__file__).read_text(encoding="utf-8")


def loaded(source):
    """The checker from its source."""
    module = types.ModuleType("check")
    exec(compile(source, "check.py", "exec"), module.__dict__)
    return module


def without(*changes):
    """With text in place of other text that stands there once, pair after pair."""
    source = SOURCE
    for old, new in changes:
        assert source.count(old) == 1
        source = source.replace(old, new)
    return loaded(source)
