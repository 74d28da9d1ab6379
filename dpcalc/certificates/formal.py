r"""A certificate as a theorem that Coq proves: ``python -m dpcalc.certificates.formal q.json > q.v``.

The .v file states the promise from the definition of differential privacy (notebooks/formal/model.v), and its proof is
that ``accept``, a program in whole numbers of which ``accept_sound`` is proven, accepts the witness. With ``--numbers``
the same is written for the extracted program. Both ends are computed beforehand as Coq will (``whole_numbers``), so
that a claim that is too narrow is widened here, by one part in 10^9, or refused, and not only there.

The blocks are ranges of datasets of its own: Coq's checker knows no circles and no envelopes.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import ROUND_CEILING, ROUND_FLOOR
from fractions import Fraction
from pathlib import Path
from typing import Any

from dpcalc import check
from dpcalc.certificates import whole_numbers
from dpcalc.certificates.coq import FILE, frac, next_to, ratio, two
from dpcalc.certificates.formal_blocks import covered
from dpcalc.certificates.formal_noise import FormalNoise, formal_noise
from dpcalc.certificates.formal_rounds import FormalRounds, alike, formal_rounds
from dpcalc.certificates.whole_numbers import Precision, Setting
from dpcalc.errors import DomainError, DpcalcError, Undecided
from dpcalc.numbers.enclosure import Enclosure

_KINDS = ("delta", "epsilon", "least_q", "least_n", "most_k")
#: What Coq's checker does not know, by what names it in a question.
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
_WIDER = Fraction(1, 10**9)


@dataclass(frozen=True, slots=True)
class Formal:
    """A claim and its witness, as Coq's checker reads them.

    Attributes:
        what: the question.
        given: n, k, q, delta, and lam or epsilon, as far as they are given.
        lower, upper: the ends of the answer; a lower end of 0 claims nothing.
        lambda_low, lambda_high: numbers at most and at least lambda, at the ends where they serve.
        terms: of the exponential series.
        dataset: the ones among the others that show the lower end.
        blocks: ranges of ones among the others.
        at: the precision.
    """

    what: str
    given: dict[str, Fraction]
    lower: Fraction
    upper: Fraction
    lambda_low: Fraction
    lambda_high: Fraction
    terms: int
    dataset: int
    blocks: list[tuple[int, int]]
    at: Precision

    @property
    def numbers(self) -> str:
        """One line for the extracted program: the claim, then the witness."""
        limit = next(f"{name} {two(self.given[name])}" for name in ("lam", "epsilon", "n", "k") if name in self.given)
        n, k, q, delta = (self.given.get(name, Fraction(0)) for name in ("n", "k", "q", "delta"))
        ends = f"{two(self.lower)} {two(self.upper)}"
        claim = {
            "delta": f"{n} {k} {two(q)} {limit} {ends}",
            "epsilon": f"{n} {k} {two(q)} {two(delta)} {ends}",
            "least_q": f"{n} {k} {limit} {two(delta)} {ends}",
            "least_n": f"{k} {two(q)} {limit} {two(delta)} {self.lower} {self.upper}",
            "most_k": f"{n} {two(q)} {limit} {two(delta)} {self.lower}",
        }[self.what]
        found = [self.what, claim, two(self.lambda_low), two(self.lambda_high), self.terms, self.dataset]
        found += [self.at.bits, self.at.faint, *(end for block in self.blocks for end in block)]
        return " ".join(map(str, found)) + "\n"

    @property
    def coq(self) -> str:
        """A .v file."""
        given = {name: ratio(x) for name, x in self.given.items()}
        natural = {name: f"{x}%nat" for name, x in self.given.items() if name in ("n", "k")}
        limit = f"(Lambda {given['lam']})" if "lam" in given else f"(Epsilon {given.get('epsilon', '')})"
        lower, upper, delta = ratio(self.lower), ratio(self.upper), given.get("delta", "")
        n, k, q = natural.get("n", ""), natural.get("k", ""), given.get("q", "")
        asked = {
            "delta": f"Delta {n} {k} {q} {limit} {lower} {upper}",
            "epsilon": f"Epsilon_of {n} {k} {q} {delta} {lower} {upper}",
            "least_q": f"Least_q {n} {k} {limit} {delta} {lower} {upper}",
            "least_n": f"Least_n {k} {q} {limit} {delta} {self.lower}%nat {self.upper}%nat",
            "most_k": f"Most_k {n} {q} {limit} {delta} {self.lower}%nat",
        }[self.what]
        blocks = "; ".join(f"({low}, {high})" for low, high in self.blocks)
        return FILE.format(
            words=self.words, asked=asked, low=ratio(self.lambda_low), high=ratio(self.lambda_high), terms=self.terms,
            dataset=self.dataset, blocks=blocks, bits=self.at.bits, faint=self.at.faint, statement=self.statement,
        )  # fmt: skip

    @property
    def words(self) -> str:
        """The claim in words."""
        about = ", ".join(f"{name} = {x}" for name, x in self.given.items())
        low, high = (check.shown(x, way) for x, way in ((self.lower, ROUND_FLOOR), (self.upper, ROUND_CEILING)))
        return (
            f"{about}, every dataset, both directions:\n   "
            + {
                "delta": f"delta = {high} is enough, and no delta below {low} is (both rounded outward).",
                "epsilon": f"every epsilon from {high} on holds, none up to {low} does (both rounded outward).",
                "least_q": f"every q from {high} to 1/2 holds, none up to {low} does (both rounded outward).",
                "least_n": f"every n from {high} on holds, none up to {low} does.",
                "most_k": f"k = {low} holds, k = {high} does not. Nothing is said of other k.",
            }[self.what]
        )

    @property
    def statement(self) -> str:
        """What the theorem says, in Coq's words."""
        shown = {name: frac(x) for name, x in self.given.items()}
        low, high, delta, q = frac(self.lower), frac(self.upper), shown.get("delta", ""), shown.get("q", "q")
        n, k = (f"{self.given[name]}" if name in self.given else name for name in ("n", "k"))
        limit = f"lam = {shown['lam']}" if "lam" in shown else f"is_exp {shown.get('epsilon', 'epsilon')} lam"
        opening = f"forall lam : R, {limit} ->"
        if self.what == "delta":
            return (
                f"{opening}\n  DP {n} {k} {q} lam {high} /\\\n"
                f"  (forall delta : R, DP {n} {k} {q} lam delta -> {low} <= delta)"
            )
        if self.what == "most_k":
            dp = f"DP {n} {{}} {q} lam {delta}"
            return f"{opening}\n  {dp.format(self.lower)} /\\ ~ {dp.format(f'({self.lower}.+1)')}"
        dp = f"DP {n} {k} {q} lam {delta}"
        holds, fails = {
            "epsilon": (f"{high} <= epsilon", f"0 < epsilon <= {low}"),
            "least_q": (f"{high} <= q <= 2%:R^-1", f"0 < q <= {low}"),
            "least_n": (f"({self.upper} <= n)%N", f"(0 < n <= {self.lower})%N"),
        }[self.what]
        every = {"epsilon": "", "least_q": "forall q : R,", "least_n": "forall n : nat,"}[self.what]
        opening = f"forall epsilon lam : R, {limit} ->" if self.what == "epsilon" else f"{opening} {every}"
        return f"{opening}\n  ({holds} -> {dp}) /\\\n  ({fails} -> ~ {dp})"


# --- from a certificate -------------------------------------------------------------------------------------


def formalized(asked: dict[str, Any]) -> str:
    """What is asked, if Coq's checker knows it.

    Raises:
        DomainError: it does not.
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


#: A claim and its witness.
Theorem = Formal | FormalNoise | FormalRounds


def formal(document: dict[str, Any]) -> Theorem:
    """What Coq's checker is asked to accept, and will.

    Args:
        document: a certificate of delta, epsilon, least_q, least_n or most_k for single bits in one round, of delta or
            epsilon for a noisy count or for equal rounds of a bit or a histogram.

    Raises:
        DomainError: a certificate of something else.
        Undecided: the claim was not found to be so with the numbers that Coq would compute.
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
    return _Claim(what, given, lower, upper, dataset).shown()


@dataclass(frozen=True, slots=True)
class _Claim:
    what: str
    given: dict[str, Fraction]
    lower: Fraction
    upper: Fraction
    dataset: int

    def shown(self) -> Formal:
        """Its witness; the ends are widened a little where they have to be."""
        most = self.what == "most_k"
        holds, fails = (self.lower, self.upper) if most else (self.upper, self.lower)
        low, terms = next_to(*self._limit(holds), above=False)
        high, more = next_to(*self._limit(fails), above=True)
        delta = self.what == "delta"
        lower, upper = self.lower, self.upper
        goal = upper if delta else self.given["delta"]
        at, top, blocks = covered(self._setting(holds, low), goal, Enclosure(lower, upper))
        if delta and top > upper:
            upper = _outward(top, upper * (1 + _WIDER), self)
        elif not delta and top > self.given["delta"]:
            raise Undecided("the end that holds was not found to hold", Enclosure(self.lower, self.upper))
        if fails > 0:
            setting = self._setting(fails, high)
            law = whole_numbers.law_of(setting, at, self.dataset, setting.n - 1 - self.dataset)
            found = whole_numbers.excesses(setting, law)
            if delta and found < lower:
                lower = _inward(found, lower * (1 - _WIDER), self)
            elif not delta and found <= self.given["delta"]:
                raise Undecided("the end that fails was not found to fail", Enclosure(self.lower, self.upper))
        return Formal(
            self.what, self.given, lower, upper, low, high, max(terms, more), self.dataset, blocks, at
        )  # fmt: skip

    def _limit(self, end: Fraction) -> tuple[str, Fraction]:
        if self.what == "epsilon":
            return "epsilon", end
        return next((name, self.given[name]) for name in ("lam", "epsilon") if name in self.given)

    def _setting(self, end: Fraction, lam: Fraction) -> Setting:
        unknown = {"least_q": "q", "least_n": "n", "most_k": "k"}.get(self.what, "")
        given = {**self.given, unknown: end}
        return Setting(int(given["n"]), int(given["k"]), given["q"], max(lam, Fraction(1)))


def _outward(found: Fraction, most: Fraction, claim: _Claim) -> Fraction:
    if found > most:
        raise Undecided("the upper end was not found to hold", Enclosure(claim.lower, claim.upper))
    return most


def _inward(found: Fraction, least: Fraction, claim: _Claim) -> Fraction:
    if found < least:
        raise Undecided("the lower end was not found to hold", Enclosure(claim.lower, claim.upper))
    return least


def main(arguments: Sequence[str] | None = None) -> int:
    """Write the .v file of a certificate, or its numbers."""
    parser = argparse.ArgumentParser(prog="python -m dpcalc.certificates.formal", description="A theorem for Coq.")
    parser.add_argument("certificate", help="a certificate, as --certificate writes it")
    parser.add_argument("--numbers", action="store_true", help="the input of the extracted checker instead")
    options = parser.parse_args(arguments)
    try:
        found = formal(json.loads(Path(options.certificate).read_text("utf-8")))
    except (DpcalcError, check.Unproven, OSError, ValueError) as reason:
        print(f"error: {reason}", file=sys.stderr)
        return 2
    sys.stdout.write(found.numbers if options.numbers else found.coq)
    return 0


if __name__ == "__main__":
    sys.exit(main())
