"""What the core takes from ``dpcalc.notes``, the part about the documents: names, and the modules that have them.

No module of the core imports ``dpcalc.notes``. A module is loaded when one of its names is first asked for.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

_HOMES = {
    "COMMANDS": "dpcalc.notes.cli",
    "compared": "dpcalc.notes.cli.record",  # what ``dpcalc ratio`` says of two collections
    "identical_exceedance": "dpcalc.notes.vectors.identical_records",
    "least_vector_noise": "dpcalc.notes.vectors.least_noise",
    "vector_delta": "dpcalc.notes.vectors.identical_records",
}


def registered(name: str) -> Any:
    """The object of this name in ``dpcalc.notes``.

    >>> registered("COMMANDS")[0].name
    'record'
    """
    return getattr(import_module(_HOMES[name]), name)
