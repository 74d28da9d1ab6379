r"""A certificate as a theorem that Coq proves: ``python -m dpcalc.certificates.formal q.json > q.v``.

The .v file states the promise by the definition of differential privacy (notebooks/formal/model.v). Its proof is that
``accept``, a program in whole numbers, accepts the witness; ``accept_sound`` proves that this is enough. The extracted
program reads the same file. Both ends are computed here as Coq will compute them (``whole_numbers``): a claim that is
too narrow is widened by one part in 10^9, or refused, before Coq sees it.

The blocks differ from those of the certificate: Coq's checker knows no circles and no envelopes, only ranges of
datasets.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from dpcalc import check
from dpcalc.certificates import whole_numbers
from dpcalc.certificates.coq import Theorem, Witness, covered, next_to, term, widened
from dpcalc.certificates.formal_rounds import alike, formal_rounds
from dpcalc.certificates.whole_numbers import UNUSED, Setting
from dpcalc.errors import DomainError, DpcalcError, Undecided
from dpcalc.numbers.enclosure import Enclosure

_KINDS = ("delta", "epsilon", "least_q", "least_n", "most_k")
#: The entries of a question, and of its noise, that Coq's checker knows.
_KNOWN = {"what", "n", "k", "q", "delta", "lam", "epsilon"} | {"noise", "sensitivity"}
_KNOWN |= {"weights", "chance", "trials", "ratio", "bound"}


def formalized(asked: dict[str, Any]) -> str:
    """The name of a question that Coq's checker knows.

    Raises:
        DomainError: it does not know this one.
    """
    what = str(asked.get("what"))
    noise = asked.get("noise", {})
    others = sorted({*asked, *noise} - _KNOWN) + ["ratio without bound"] * ("ratio" in noise and "bound" not in noise)
    if what in ("delta", "epsilon") and alike(asked):
        return what
    if what not in _KINDS or others:
        about = f"{what} with {', '.join(others)}" if others else what
        allowed = f"one of {', '.join(_KINDS)}, for single bits and all datasets"
        raise DomainError("certificate", about, f"{allowed}; delta or epsilon of noise or of equal rounds")
    return what


def formal(document: dict[str, Any]) -> Theorem:
    """The theorem of a certificate, with a witness that Coq's checker will accept.

    Args:
        document: a certificate of delta, epsilon, least_q, least_n or most_k for single bits in one round, of delta or
            epsilon for a noisy count or for equal rounds of a bit or a histogram.

    Raises:
        DomainError: a certificate of something else.
        Undecided: the numbers that Coq would compute do not prove the claim.
    """
    entries = check.Entries(document)
    asked, answer = entries.part("question"), entries.part("answer")
    what = formalized(asked)
    if "rounds" in asked:
        return formal_rounds(asked, answer, entries)
    given = {name: asked.number(name) for name in ("n", "k", "q", "delta", "lam", "epsilon") if name in asked}
    lower, upper = answer.number("lower"), answer.number("upper")
    if what == "least_n" and lower <= 1:
        lower = Fraction(0)
    holds, fails = (lower, upper) if what == "most_k" else (upper, lower)
    low, terms = next_to(*_limit(what, given, holds), above=False)
    high, more = next_to(*_limit(what, given, fails), above=True)
    terms = max(terms, more)
    if "noise" in asked:  # no witness is needed
        (_, top), (found, _) = check.noisy(asked, low), check.noisy(asked, high)
        opening = f"Noise_{what} {term(check.weights(asked.part('noise')))} {asked.whole('sensitivity')}"
        witness = Witness(low, high, terms, 0, [], UNUSED)
    else:
        named = entries.part("dataset").whole("m") if "dataset" in entries else 0
        at, top, blocks = covered(_setting(what, given, holds, low), given.get("delta", upper), Enclosure(lower, upper))
        setting = _setting(what, given, fails, high)
        others = whole_numbers.law_of(setting, at, named, setting.n - 1 - named)
        found = whole_numbers.excesses(setting, others) if fails > 0 else Fraction(0)
        opening = "Epsilon_of" if what == "epsilon" else what.capitalize()
        witness = Witness(low, high, terms, named, blocks, at)
    if what == "delta":
        upper, lower = widened(top, upper, 1), widened(found, lower, -1)
    elif top > given["delta"] or (fails > 0 and found <= given["delta"]):
        raise Undecided("an end was not found to hold, or to fail", Enclosure(lower, upper))
    return Theorem(asked, opening, given, lower, upper, witness)


def _limit(what: str, given: dict[str, Fraction], end: Fraction) -> tuple[str, Fraction]:
    """The name and the value of lam or epsilon, whichever is given or solved for, at an end of the answer."""
    if what == "epsilon":
        return "epsilon", end
    return next((name, given[name]) for name in ("lam", "epsilon") if name in given)


def _setting(what: str, given: dict[str, Fraction], end: Fraction, lam: Fraction) -> Setting:
    at = {**given, {"least_q": "q", "least_n": "n", "most_k": "k"}.get(what, ""): end}
    return Setting(int(at["n"]), int(at["k"]), at["q"], lam)


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the .v file of a certificate; returns the exit status."""
    parser = argparse.ArgumentParser(prog="python -m dpcalc.certificates.formal", description="A theorem for Coq.")
    parser.add_argument("certificate", help="a certificate, as --certificate writes it")
    options = parser.parse_args(arguments)
    try:
        data = check.read(options.certificate)
        accepted, said = check.examined(data)
        check.need(accepted, said)
        found = formal(json.loads(data))
    except (DpcalcError, check.Unproven) as reason:
        print(f"error: {reason}", file=sys.stderr)
        return 2
    sys.stdout.write(found.coq)
    return 0


if __name__ == "__main__":
    sys.exit(main())
