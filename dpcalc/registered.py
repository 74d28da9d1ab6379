"""What the core takes from ``dpcalc.notes``, the part about the documents: names, and the modules that have them.

No module of the core imports ``dpcalc.notes``. A module is loaded when one of its names is first asked for.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

_HOMES = {
    "COLUMNS": "dpcalc.notes.columns",  # the notes' bounds in a plan
    "COMMANDS": "dpcalc.notes.cli",
    "CERTIFIED": "dpcalc.notes.local.certified",  # a question of a certificate
    "compared": "dpcalc.notes.cli.compared",  # what ``dpcalc ratio`` says of two collections
    "identical_exceedance": "dpcalc.notes.vectors.identical_records",
    "least_vector_noise": "dpcalc.notes.vectors.least_noise",
    "vector_delta": "dpcalc.notes.vectors.identical_records",
}


def registered(name: str) -> Any:
    """The object of this name in ``dpcalc.notes``.

    >>> sorted(registered("COLUMNS"))
    ['classical', 'closed', 'lattice', 'real', 'two-sided']
    """
    return getattr(import_module(_HOMES[name]), name)
