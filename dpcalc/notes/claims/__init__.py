"""What the five documents claim, and whether it is true: text, from a file a document; ``dpcalc claims`` prints it.

=====  =============================================================================================================
K16    K-Randomization, Maxim Zhilyaev and David Zeber, 8 January 2016
KTEX   the LaTeX rework of K16: the query A = Phi o R, privacy ratios, maximal collections
DW     notes on chapter 2 of Dwork's and Roth's text: simplex, histograms, (epsilon, delta), post-processing
LOC    notes on local privacy: binary sums by randomized response, and what no local protocol can beat
EC     notes on epsilon-closeness and on randomized response with parameter alpha
=====  =============================================================================================================

LOC takes local privacy as its notes do: the two probabilities of a message, given either bit, are within a factor
e^{2 epsilon} of each other. The usual definition of epsilon-local privacy grants e^epsilon.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Mapping
from functools import cache
from importlib.resources import files
from typing import Any

from dpcalc.errors import DomainError
from dpcalc.notes.claims.claim import Claim, Known, Ruling
from dpcalc.numbers.lists import flag, one_or_many

__all__ = ["DOCUMENTS", "find", "run"]

DOCUMENTS = ("K16", "KTEX", "DW", "LOC", "EC")


def run(ids: str | Iterable[str] = (), *, document: str | None = None, errata: bool = False) -> list[Claim]:
    """The claims with these IDs, in the order given, or all of them, in the documents' order.

    Each has the verdict on record, and names the cell or test that shows it.

    Args:
        ids: permanent names such as "K16-4.45", or one of them; upper or lower case.
        document: only this document's: K16, KTEX, DW, LOC or EC.
        errata: only those where the document has to change (refuted, corrected, true in part).

    Raises:
        DomainError: an ID or document that does not exist.

    >>> from dpcalc import claims
    >>> [(claim.id, claim.ruling.value) for claim in claims.run(["K16-4.45", "K16-5.12"])]
    [('K16-4.45', 'proven'), ('K16-5.12', 'refuted')]
    """
    selected = flag(errata, "errata")
    if document is not None and (not isinstance(document, str) or document.upper() not in DOCUMENTS):
        raise DomainError("document", document, f"one of {', '.join(DOCUMENTS)}")
    known = {claim.id.upper(): claim for claim in _ledger()}
    wanted = one_or_many(ids)
    for name in wanted:
        if not isinstance(name, str) or name.upper() not in known:
            raise DomainError("id", name, f"a claim's ID such as {_nearest(name)}")
    chosen = [known[name.upper()] for name in wanted] or list(_ledger())
    found = [claim for claim in chosen if document is None or claim.document == document.upper()]
    if not found:
        raise DomainError("document", document, f"the document of {', '.join(map(str, wanted))}, or no document")
    return [claim for claim in found if claim.ruling.erratum or not selected]


def find(words: str, *, document: str | None = None) -> list[Claim]:
    """The claims that a reader means by an ID, an equation, a section, a lemma or a word; the weightiest first.

    An ID or an equation's number means one claim; "K16-5" and "section 5.3" mean a part of a document; "lemma 1" what
    stands at that place. Else all words have to occur in a claim's text.

    Args:
        words: such as "K16-4.45", "(5.9)", "5.9", "K16-5", "section 5.3", "lemma 1" or "window"; any case.
        document: only this document's: K16, KTEX, DW, LOC or EC.

    Raises:
        DomainError: no claim is found, or no such document.

    >>> from dpcalc import claims
    >>> [claim.id for claim in claims.find("(5.9)")]
    ['K16-5.9']
    """
    if not isinstance(words, str) or not words.strip():
        raise DomainError("words", words, "an ID, an equation, a section or a word")
    among, sought = run(document=document), words.strip().lower()
    for means in (_named, _within, _placed, _worded):
        if found := [claim for claim in among if means(claim, sought)]:
            return sorted(found, key=lambda claim: -claim.weight)
    raise DomainError("words", words, f"a word of a claim, or an ID such as {_nearest(words)}")


def _named(claim: Claim, sought: str) -> bool:
    """Whether it is the claim's ID, its equation's number, or a label of its document."""
    bare = sought.strip("()")
    return bare in (claim.id.lower(), claim.id.lower().partition("-")[2]) or claim.where.lower().startswith(f"({bare})")


def _within(claim: Claim, sought: str) -> bool:
    """Whether "K16-5", "5.3" or "section 5.3" is a part of the document in which the claim stands."""
    document, _, part = sought.rpartition("-")
    if document not in ("", claim.document.lower()):
        return False
    number = re.fullmatch(r"(?:sections? )?(\d[\d.]*)", part)
    return bool(number and re.search(rf"section {re.escape(number[1])}(?![\d])", claim.where.lower()))


def _placed(claim: Claim, sought: str) -> bool:
    """Whether the place names it: a number or two words and more, such as "lemma 1", "case I" or "upper bound".

    "(3)" is the tag of a line.
    """
    if re.fullmatch(r"\(\d+\)", sought):
        return sought in claim.where
    phrase = " ".join(_plain(sought).split())
    named = re.search(rf"\b{re.escape(phrase)}(?!\.?\d)\b", _plain(claim.where.lower()))
    return bool(named and re.search(r"\d| ", phrase))


def _worded(claim: Claim, sought: str) -> bool:
    """Whether every word occurs, or begins one that does; brackets and the spelling of randomise do not matter."""
    text = _plain(" ".join((claim.id, claim.where, claim.statement, claim.words, claim.quote, claim.why)).lower())
    return all(re.search(rf"(?<!\w){re.escape(word)}", text) for word in _plain(sought).split())


def _plain(text: str) -> str:
    return re.sub(r"[()\[\]{},;$\\]", " ", text).replace("randomis", "randomiz")


@cache
def _ledger() -> tuple[Claim, ...]:
    """Every claim, in the documents' order; a repetition has the verdict of what it repeats."""
    texts = (files("dpcalc.notes.claims").joinpath(f"{name.lower()}.toml").read_text("utf-8") for name in DOCUMENTS)
    rows: list[dict[str, Any]] = [row for text in texts for row in tomllib.loads(text)["claim"]]
    named = {row["id"]: row for row in rows}
    return tuple(_claim(_repeated(row, named[row["same_as"]]) if "same_as" in row else row) for row in rows)


def _repeated(row: Mapping[str, Any], earlier: Mapping[str, Any]) -> dict[str, Any]:
    shared = {name: earlier[name] for name in _OF_THE_VERDICT if name in earlier}
    return {**shared, **row, "why": f"As {earlier['id']}: {row.get('why') or earlier.get('why', '')}"}


_OF_THE_VERDICT = ("verdict", "known", "assuming", "over", "tested", "witness", "verified")


def _claim(row: Mapping[str, Any]) -> Claim:
    fields: dict[str, Any] = {
        name: value.strip("\n") if isinstance(value, str) else value for name, value in row.items()
    }
    return Claim(ruling=Ruling(fields.pop("verdict")), known=Known(fields.pop("known")), **fields)


def _nearest(name: object) -> str:
    from difflib import get_close_matches

    near = get_close_matches(name if isinstance(name, str) else "", [claim.id for claim in _ledger()], n=3, cutoff=0.3)
    return ", ".join(near) or "K16-4.45"
