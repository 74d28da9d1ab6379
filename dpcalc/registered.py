"""What the wing of the documents, ``dpcalc.notes``, registers with the core: by name, with its home.

No module of the core imports one of the wing. Each name is loaded when it is first asked for, as the public names are.
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
    """What the wing has under this name.

    >>> sorted(registered("COLUMNS"))
    ['classical', 'closed', 'lattice', 'real', 'two-sided']
    """
    return getattr(import_module(_HOMES[name]), name)
