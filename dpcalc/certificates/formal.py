r"""A certificate as a theorem that Coq proves: ``python -m dpcalc.certificates.formal q.json > q.v``.

The .v file states the promise by the definition of differential privacy (notebooks/formal/model.v). Its proof is that
``accept``, a program in whole numbers, accepts the witness; ``accept_sound`` proves that this is enough. ``--numbers``
writes the input of the extracted program instead. Both ends are computed here as Coq will compute them
(``whole_numbers``): a claim that is too narrow is widened by one part in 10^9, or refused, before Coq sees it.

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
from dpcalc.certificates.coq import OneRound, Theorem, frac, next_to, statement, widened
from dpcalc.certificates.formal_blocks import covered
from dpcalc.certificates.formal_noise import formal_noise
from dpcalc.certificates.formal_rounds import alike, formal_rounds
from dpcalc.certificates.whole_numbers import Setting
from dpcalc.errors import DomainError, DpcalcError, Undecided
from dpcalc.numbers.enclosure import Enclosure

_KINDS = ("delta", "epsilon", "least_q", "least_n", "most_k")
#: What Coq's checker does not know, by the entry of the question that shows it.
_OTHERS = {
    "rounds": " of rounds or a histogram",
    "ones": " of one dataset",
    "threshold": " of a threshold",
    "scale": " of noise without whole weights",
    "square": " of noise without whole weights",
    "mean": " of noise without whole weights",
    "shape": " of noise without whole weights",
    "sum": " of a sum of noises",
    "share": " of a sampled contribution",
    "groups": " of asymmetric bits or a fleet",
    "inputs": " of few people",
}


def formalized(asked: dict[str, Any]) -> str:
    """The name of a question that Coq's checker knows.

    Raises:
        DomainError: it does not know this one.
    """
    what = str(asked.get("what"))
    named = {*asked, *asked.get("noise", ())}
    about = next((words for name, words in _OTHERS.items() if name in named), "")
    if what in ("delta", "epsilon") and alike(asked):
        return what
    if what not in _KINDS or about:
        others = "delta or epsilon of noise or of equal rounds"
        allowed = f"one of {', '.join(_KINDS)}, for single bits and all datasets; {others}"
        raise DomainError("certificate", f"{what}{about}", allowed)
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
    if "noise" in asked:
        return formal_noise(asked, answer)
    if "rounds" in asked:
        return formal_rounds(asked, answer, entries)
    given = {name: asked.number(name) for name in ("n", "k", "q", "delta", "lam", "epsilon") if name in asked}
    lower, upper = answer.number("lower"), answer.number("upper")
    if lower > upper:
        raise DomainError("certificate", f"{lower} to {upper}", "ends of which lower is at most upper")
    dataset = entries.part("dataset").whole("m") if "dataset" in entries else 0
    if what == "least_n" and lower <= 1:
        lower = Fraction(0)
    return _of_bits(what, given, lower, upper, dataset)


def _of_bits(what: str, given: dict[str, Fraction], lower: Fraction, upper: Fraction, dataset: int) -> Theorem:
    """The theorem about single bits; the ends are widened a little where that is necessary."""
    asked = Enclosure(lower, upper)
    holds, fails = (lower, upper) if what == "most_k" else (upper, lower)
    low, terms = next_to(*_limit(what, given, holds), above=False)
    high, more = next_to(*_limit(what, given, fails), above=True)
    at, top, blocks = covered(_setting(what, given, holds, low), given.get("delta", upper), asked)
    if what == "delta":
        upper = widened(top, upper, 1)
    elif top > given["delta"]:
        raise Undecided("the end that holds was not found to hold", asked)
    if fails > 0:
        setting = _setting(what, given, fails, high)
        found = whole_numbers.excesses(setting, whole_numbers.law_of(setting, at, dataset, setting.n - 1 - dataset))
        if what == "delta":
            lower = widened(found, lower, -1)
        elif found <= given["delta"]:
            raise Undecided("the end that fails was not found to fail", asked)
    return Theorem(
        what=what, given=given, lower=lower, upper=upper, lambda_low=low, lambda_high=high, terms=max(terms, more),
        opening=(what, "Epsilon_of" if what == "epsilon" else what.capitalize()),
        about=f"{', '.join(f'{name} = {x}' for name, x in given.items())}, every dataset, both directions",
        statement=_statement(what, given, lower, upper), witness=OneRound(dataset, blocks, at),
    )  # fmt: skip


def _limit(what: str, given: dict[str, Fraction], end: Fraction) -> tuple[str, Fraction]:
    """The name and the value of lam or epsilon, whichever is given or solved for, at an end of the answer."""
    if what == "epsilon":
        return "epsilon", end
    return next((name, given[name]) for name in ("lam", "epsilon") if name in given)


def _setting(what: str, given: dict[str, Fraction], end: Fraction, lam: Fraction) -> Setting:
    at = {**given, {"least_q": "q", "least_n": "n", "most_k": "k"}.get(what, ""): end}
    return Setting(int(at["n"]), int(at["k"]), at["q"], max(lam, Fraction(1)))


def _statement(what: str, given: dict[str, Fraction], lower: Fraction, upper: Fraction) -> str:
    """The theorem in Coq's words."""
    shown = {name: frac(x) for name, x in given.items()}
    delta, q = shown.get("delta", ""), shown.get("q", "q")
    n, k = (str(given.get(name, name)) for name in ("n", "k"))
    if what in ("delta", "epsilon"):
        dp = f"DP {n} {k} {q} lam"
        return statement(*list(given.items())[-1], lower, upper, dp, dp)
    limit = f"lam = {shown['lam']}" if "lam" in shown else f"is_exp {shown['epsilon']} lam"
    opening = f"forall lam : R, {limit} ->"
    if what == "most_k":
        dp = f"DP {n} {{}} {q} lam {delta}"
        return f"{opening}\n  {dp.format(lower)} /\\ ~ {dp.format(f'({lower}.+1)')}"
    dp = f"DP {n} {k} {q} lam {delta}"
    every, holds, fails = {
        "least_q": ("forall q : R,", f"{frac(upper)} <= q <= 2%:R^-1", f"0 < q <= {frac(lower)}"),
        "least_n": ("forall n : nat,", f"({upper} <= n)%N", f"(0 < n <= {lower})%N"),
    }[what]
    return f"{opening} {every}\n  ({holds} -> {dp}) /\\\n  ({fails} -> ~ {dp})"


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the .v file of a certificate, or the input of the extracted program; returns the exit status."""
    parser = argparse.ArgumentParser(prog="python -m dpcalc.certificates.formal", description="A theorem for Coq.")
    parser.add_argument("certificate", help="a certificate, as --certificate writes it")
    parser.add_argument("--numbers", action="store_true", help="the input of the extracted checker instead")
    options = parser.parse_args(arguments)
    try:
        data = check.read(options.certificate)
        accepted, said = check.examined(data)
        check.need(accepted, said)
        found = formal(json.loads(data))
    except (DpcalcError, check.Unproven) as reason:
        print(f"error: {reason}", file=sys.stderr)
        return 2
    sys.stdout.write(found.numbers if options.numbers else found.coq)
    return 0


if __name__ == "__main__":
    sys.exit(main())
