"""The commands of the documents' wing, which ``dpcalc`` lists after its own."""

from __future__ import annotations

from dpcalc.notes.cli import barrier, blanket, claims, closeness, local_q, maximal, record, vector_delta

__all__ = ["COMMANDS"]

#: In the order in which --help lists them.
COMMANDS = tuple(
    module.COMMAND for module in (local_q, record, maximal, vector_delta, blanket, closeness, barrier, claims)
)
