"""The commands of the documents' wing, which ``dpcalc`` lists after its own."""

from __future__ import annotations

from dpcalc.cli.asking import command
from dpcalc.notes.cli import barrier, blanket, claims, closeness, record
from dpcalc.questions import BITS, LAM, LIMIT, USERS, Argument, K, N, Q, Question

__all__ = ["COMMANDS"]

_MAXIMAL = Question(
    "maximal_collections", "", "the pairs of collections with the largest ratio and delta",
    (N, Q, K, BITS, LAM._replace(help="also the largest delta at this ratio limit")),
    "maximal --n 4 --bits 2 --q 0.2 --lam 3/2",
)  # fmt: skip
_VECTORS = Question(
    "vector_delta", "delta", "delta of identical records of several bits, and a bound",
    (*USERS, Q, K, BITS, *LIMIT, Argument("rtol", "relative width (default 1e-4)")),
    "vector-delta --n 100 --q 0.2 --bits 2 --lam 2", mechanism=True,
)  # fmt: skip
#: In the order in which --help lists them.
COMMANDS = (
    record.COMMAND, command(_MAXIMAL)._replace(name="maximal"),
    command(_VECTORS), blanket.COMMAND, closeness.COMMAND, barrier.COMMAND, claims.COMMAND,
)  # fmt: skip
