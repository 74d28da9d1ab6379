"""What the ledger of the documents' claims says, computed: a module a document, or a part of one.

A row of ``dpcalc/notes/claims/*.toml`` names the test that runs its check.
"""

from tests.notes.ledger import dw, ec, k16, ktex, loc

CLAIMS = [claim for part in (k16, ktex, dw, loc, ec) for claim in part.CLAIMS]
