"""Every claim of the five documents, checked: ``run()`` computes the verdicts, ``dpcalc claims`` prints them.

=====  =============================================================================================================
K16    K-Randomization, Maxim Zhilyaev and David Zeber, 8 January 2016
KTEX   the LaTeX rework of K16: the query A = Phi o R, privacy ratios, maximal collections
DW     notes on chapter 2 of Dwork's and Roth's text: simplex, histograms, (epsilon, delta), post-processing
LOC    notes on local privacy: binary sums by randomized response, and what no local protocol can beat
EC     notes on epsilon-closeness and on randomized response with parameter alpha
=====  =============================================================================================================
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from dpcalc.errors import DomainError
from dpcalc.notes.claims.claim import Claim, Verdict
from dpcalc.numbers.lists import flag, one_or_many

__all__ = ["DOCUMENTS", "claims", "run"]

DOCUMENTS = ("K16", "KTEX", "DW", "LOC", "EC")


def claims(ids: str | Iterable[str] = (), *, document: str | None = None) -> list[Claim]:
    """The claims with these IDs, in the order given, or all of them, in the documents' order.

    Args:
        ids: permanent names such as "K16-4.45", or one of them; upper or lower case.
        document: only this document's: K16, KTEX, DW, LOC or EC.

    Raises:
        DomainError: an ID or document that does not exist.
    """
    from dpcalc.notes.claims import dw, ec, k16, ktex, loc

    entered = [claim for part in (k16, ktex, dw, loc, ec) for claim in part.CLAIMS]
    if document is not None and (not isinstance(document, str) or document.upper() not in DOCUMENTS):
        raise DomainError("document", document, f"one of {', '.join(DOCUMENTS)}")
    known = {claim.id.upper(): claim for claim in entered}
    wanted = one_or_many(ids)
    for name in wanted:
        if not isinstance(name, str) or name.upper() not in known:
            raise DomainError("id", name, f"a claim's ID such as {_nearest(name, entered)}")
    chosen = [known[name.upper()] for name in wanted] or entered
    found = [claim for claim in chosen if document is None or claim.document == document.upper()]
    if not found:
        raise DomainError("document", document, f"the document of {', '.join(map(str, wanted))}, or no document")
    return found


def run(
    ids: str | Iterable[str] = (),
    *,
    document: str | None = None,
    errata: bool = False,
    progress: Callable[[float], None] | None = None,
) -> list[Verdict]:
    """The verdicts on the claims chosen, each computed now.

    Args:
        ids: permanent names such as "K16-4.45", or one of them; all claims when empty.
        document: only this document's.
        errata: only those where the document has to change (refuted, corrected, true in part).
        progress: called with the share done, 0 to 1.

    Raises:
        DomainError: an ID or document that does not exist.

    >>> from dpcalc import claims
    >>> [(verdict.id, verdict.ruling.value) for verdict in claims.run(["K16-4.45", "K16-5.12"])]
    [('K16-4.45', 'proven'), ('K16-5.12', 'refuted')]
    """
    chosen, selected = claims(ids, document=document), flag(errata, "errata")
    verdicts = []
    for i, claim in enumerate(chosen):
        verdicts.append(claim.verdict())
        if progress:
            progress((i + 1) / len(chosen))
    return [verdict for verdict in verdicts if verdict.ruling.erratum or not selected]


def _nearest(name: object, entered: Iterable[Claim]) -> str:
    from difflib import get_close_matches

    near = get_close_matches(name if isinstance(name, str) else "", [claim.id for claim in entered], n=3, cutoff=0.3)
    return ", ".join(near) or "K16-4.45"
