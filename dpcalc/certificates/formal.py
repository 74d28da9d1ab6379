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
from dpcalc.certificates.coq import OneRound, Theorem, covered, frac, next_to, statement, widened
from dpcalc.certificates.formal_rounds import alike, formal_rounds
from dpcalc.certificates.whole_numbers import Setting
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
    if lower > upper:
        raise DomainError("certificate", f"{lower} to {upper}", "ends of which lower is at most upper")
    if what == "least_n" and lower <= 1:
        lower = Fraction(0)
    holds, fails = (lower, upper) if what == "most_k" else (upper, lower)
    low, terms = next_to(*_limit(what, given, holds), above=False)
    high, more = next_to(*_limit(what, given, fails), above=True)
    if "noise" in asked:  # no witness is needed
        witness, (_, top), (found, _) = OneRound(), check.noisy(asked, low), check.noisy(asked, high)
        opening, dp = _of_noise(what, asked)
    else:
        named = entries.part("dataset").whole("m") if "dataset" in entries else 0
        goal = given.get("delta", upper)
        at, top, blocks = covered(_setting(what, given, holds, low), goal, Enclosure(lower, upper))
        witness, setting = OneRound(named, blocks, at), _setting(what, given, fails, high)
        others = whole_numbers.law_of(setting, at, named, setting.n - 1 - named)
        found = whole_numbers.excesses(setting, others) if fails > 0 else Fraction(0)
        opening, dp = _of_bits(what, given)
    if what == "delta":
        upper, lower = widened(top, upper, 1), widened(found, lower, -1)
    elif top > given["delta"] or (fails > 0 and found <= given["delta"]):
        raise Undecided("an end was not found to hold, or to fail", Enclosure(lower, upper))
    return Theorem(
        asked=asked, given=given, lower=lower, upper=upper, lambda_low=low, lambda_high=high, terms=max(terms, more),
        opening=opening, statement=_statement(what, given, lower, upper, dp), witness=witness,
    )  # fmt: skip


def _of_bits(what: str, given: dict[str, Fraction]) -> tuple[str, str]:
    """The question's first words, and Coq's name of its DP."""
    shown = {name: str(x) if name in ("n", "k") else frac(x) for name, x in given.items()}
    opening = "Epsilon_of" if what == "epsilon" else what.capitalize()
    return opening, " ".join(["DP", *(shown.get(name, name) for name in ("n", "k", "q")), "lam"])


def _of_noise(what: str, asked: check.Entries) -> tuple[str, str]:
    """The same of a noisy count."""
    weights, most = check.weights(asked.part("noise")), asked.whole("sensitivity")
    listed = f"[:: {'; '.join(map(str, weights))}]"
    return f"Noise_{what} {listed} {most}%nat", f"DP_noise (weighted R {listed}%num) {most} lam"


def _limit(what: str, given: dict[str, Fraction], end: Fraction) -> tuple[str, Fraction]:
    """The name and the value of lam or epsilon, whichever is given or solved for, at an end of the answer."""
    if what == "epsilon":
        return "epsilon", end
    return next((name, given[name]) for name in ("lam", "epsilon") if name in given)


def _setting(what: str, given: dict[str, Fraction], end: Fraction, lam: Fraction) -> Setting:
    at = {**given, {"least_q": "q", "least_n": "n", "most_k": "k"}.get(what, ""): end}
    return Setting(int(at["n"]), int(at["k"]), at["q"], lam)


def _statement(what: str, given: dict[str, Fraction], lower: Fraction, upper: Fraction, dp: str) -> str:
    """The theorem in Coq's words."""
    if what in ("delta", "epsilon"):
        return statement(*list(given.items())[-1], lower, upper, dp, dp)
    limit = f"lam = {frac(given['lam'])}" if "lam" in given else f"is_exp {frac(given['epsilon'])} lam"
    opening, dp = f"forall lam : R, {limit} ->", f"{dp} {frac(given['delta'])}"
    if what == "most_k":
        return f"{opening}\n  {dp.replace(' k ', f' {lower} ')} /\\ ~ {dp.replace(' k ', f' ({lower}.+1) ')}"
    every, holds, fails = {
        "least_q": ("forall q : R,", f"{frac(upper)} <= q <= 2%:R^-1", f"0 < q <= {frac(lower)}"),
        "least_n": ("forall n : nat,", f"({upper} <= n)%N", f"(0 < n <= {lower})%N"),
    }[what]
    return f"{opening} {every}\n  ({holds} -> {dp}) /\\\n  ({fails} -> ~ {dp})"


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
