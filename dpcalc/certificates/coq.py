"""What a theorem for Coq looks like, and numbers next to e^epsilon that its checker can tell to be so."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from decimal import ROUND_CEILING, ROUND_FLOOR
from fractions import Fraction
from typing import ClassVar, Protocol

from dpcalc import check
from dpcalc.certificates import whole_numbers
from dpcalc.errors import DomainError, Undecided
from dpcalc.numbers.enclosure import Enclosure

_LAMBDA = 80  # bits of the denominator of numbers next to e^epsilon, and two for each of epsilon's own
_TERMS = 1000  # of the exponential series, at most
_WIDER = Fraction(1, 10**9)  # by which an end is moved outward at most

_HELD = {
    "delta": "delta = {high} is enough, and no delta below {low} is (both rounded outward).",
    "epsilon": "every epsilon from {high} on holds, none up to {low} does (both rounded outward).",
    "least_q": "every q from {high} to 1/2 holds, none up to {low} does (both rounded outward).",
    "least_n": "every n from {high} on holds, none up to {low} does.",
    "most_k": "k = {low} holds, k = {high} does not. Nothing is said of other k.",
}

_FILE = """\
(* Written by dpcalc from a certificate. The claim, for {words}
   Its exact numbers stand in the theorem; what {defined} defined in model.v. *)
From Coq Require Import NArith.
From mathcomp Require Import all_ssreflect all_algebra.
From dpcalc Require Import model whole check promise{modules}.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope N_scope.

Definition asked : {of}question := {asked}.

{shown}

Lemma accepted : accept{_of} asked shown = true.
Proof. vm_cast_no_check (erefl true). Qed.

Local Open Scope ring_scope.

Theorem promise (R : realFieldType) : {statement}.
Proof. exact (@accept{_of}_sound R asked shown accepted). Qed.

Print Assumptions promise.
"""
#: How the extracted program and Coq read what is given, in this order, and the ends.
_READ = ("n", "k", "q", "lam", "epsilon", "delta", "lower", "upper")
_LIMITS = {"lam": "Lambda", "epsilon": "Epsilon"}


class CoqWitness(Protocol):
    """What shows an answer."""

    #: What a file of it calls the question, the checker and what it defines.
    names: ClassVar[dict[str, str]]

    @property
    def numbers(self) -> Iterable[object]:
        """As the extracted program reads it."""

    def coq(self, limits: str) -> str:
        """As Coq defines it, after numbers next to lambda and the terms of the series that show it."""


@dataclass(frozen=True, slots=True)
class OneRound:
    """What shows an answer about one round.

    Attributes:
        dataset: the ones among the others that show the lower end.
        blocks: ranges of ones among the others.
        at: the precision.
    """

    dataset: int = 0
    blocks: Sequence[tuple[int, int]] = ()
    at: whole_numbers.Precision = whole_numbers.UNUSED

    names: ClassVar = {"defined": "DP means is", "modules": "", "of": "", "_of": ""}

    @property
    def numbers(self) -> list[int]:
        """As the extracted program reads it."""
        return [self.dataset, self.at.bits, self.at.faint, *(end for block in self.blocks for end in block)]

    def coq(self, limits: str) -> str:
        """As Coq defines it."""
        blocks = "; ".join(f"({low}, {high})" for low, high in self.blocks)
        return (
            f"Definition shown : witness := Witness {limits}%nat {self.dataset}%nat\n"
            f"  [:: {blocks}]%nat (Precision {self.at.bits} {self.at.faint})."
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Theorem:
    """A claim and its witness, as Coq's checker reads them.

    Attributes:
        what: the question.
        given: n, k, q, delta, and lam or epsilon, as far as they are given.
        lower, upper: the ends of the answer; a lower end of 0 claims nothing.
        lambda_low, lambda_high: numbers at most and at least lambda, at the ends where they serve.
        terms: of the exponential series.
        opening: what is asked besides what is given, for the extracted program and for Coq.
        about: what is asked about, in words.
        statement: what the theorem says, in Coq's words.
        witness: what shows it.
    """

    what: str
    given: dict[str, Fraction]
    lower: Fraction
    upper: Fraction
    lambda_low: Fraction
    lambda_high: Fraction
    terms: int
    opening: tuple[str, str]
    about: str
    statement: str
    witness: CoqWitness

    @property
    def numbers(self) -> str:
        """One line for the extracted program: the claim, then the witness."""
        asked = [self.opening[0]]
        for name, x in self._stated:
            asked.append(str(x) if self._whole(name) else f"{name} {two(x)}" if name in _LIMITS else two(x))
        limits = two(self.lambda_low), two(self.lambda_high), self.terms
        return " ".join(map(str, [*asked, *limits, *self.witness.numbers])) + "\n"

    @property
    def coq(self) -> str:
        """A .v file."""
        asked = [self.opening[1]]
        for name, x in self._stated:
            limit = f"({_LIMITS[name]} {ratio(x)})" if name in _LIMITS else ratio(x)
            asked.append(f"{x}%nat" if self._whole(name) else limit)
        shown = self.witness.coq(f"{ratio(self.lambda_low)} {ratio(self.lambda_high)} {self.terms}")
        return _FILE.format(
            words=self.words, asked=" ".join(asked), shown=shown, statement=self.statement, **self.witness.names
        )

    @property
    def words(self) -> str:
        """The claim in words."""
        held = _HELD[self.what].format(
            low=check.shown(self.lower, ROUND_FLOOR), high=check.shown(self.upper, ROUND_CEILING)
        )
        return f"{self.about}:\n   {held}"

    @property
    def ends(self) -> str:
        """Both in decimals, rounded outward."""
        least = f"at least {check.shown(self.lower, ROUND_FLOOR)}, " if self.lower else ""
        return f"{least}at most {check.shown(self.upper, ROUND_CEILING)}"

    @property
    def _stated(self) -> list[tuple[str, Fraction]]:
        """What is given and the ends, of which the most k have one."""
        every = self.given | {"lower": self.lower, "upper": self.upper}
        return [(name, every[name]) for name in _READ if name in every and (self.what, name) != ("most_k", "upper")]

    def _whole(self, name: str) -> bool:
        return name in ("n", "k") or (name in ("lower", "upper") and self.what in ("least_n", "most_k"))


def two(x: Fraction) -> str:
    """Two words of the extracted program's input."""
    return f"{x.numerator} {x.denominator}"


def ratio(x: Fraction) -> str:
    """A pair of whole numbers."""
    return f"({x.numerator}, {x.denominator})"


def frac(x: Fraction) -> str:
    """A number of R."""
    return f"(frac R {x.numerator} {x.denominator})"


def statement(
    name: str, x: Fraction, lower: Fraction, upper: Fraction, above: str, below: str, *, delta: str = ""
) -> str:  # fmt: skip
    """What a theorem about delta says, or about epsilon where delta is given, in Coq's words.

    Args:
        name: lam, epsilon or delta, whichever is given.
        x: its value.
        lower: the end below.
        upper: the end above.
        above: what holds for every delta or epsilon from the upper end on.
        below: what holds for none below the lower one.
        delta: what is known of a delta besides.
    """
    low, high = frac(lower), frac(upper)
    if name == "delta":
        return (
            f"forall epsilon lam : R, is_exp epsilon lam ->\n"
            f"  ({high} <= epsilon -> {above} {frac(x)}) /\\\n  (0 < epsilon <= {low} -> ~ {below} {frac(x)})"
        )
    limit = f"lam = {frac(x)}" if name == "lam" else f"is_exp {frac(x)} lam"
    return (
        f"forall lam : R, {limit} ->\n  {above} {high} /\\\n"
        f"  (forall delta : R, {delta}{below} delta -> {low} <= delta)"
    )


def widened(found: Fraction, end: Fraction, way: int) -> Fraction:
    """An end, or one a little further out where Coq finds less.

    Raises:
        Undecided: it would have to be moved further.
    """
    if (found - end) * way <= 0:
        return end
    outer = end * (1 + way * _WIDER)
    if (found - outer) * way > 0:
        raise Undecided(f"the {'upper' if way > 0 else 'lower'} end was not found to hold", Enclosure.of(end))
    return outer


def next_to(name: str, x: Fraction, *, above: bool) -> tuple[Fraction, int]:
    """A number next to lambda, on one side of it, and how many terms of the series show that."""
    if name == "lam":
        return x, 0
    unit = 1 << max(_LAMBDA, 2 * x.denominator.bit_length())
    terms, last = 1, Fraction(1)
    while 2 * x > terms + 1 or last * unit > 1:
        last, terms = last * x / terms, terms + 1
        if terms > _TERMS:
            raise DomainError("epsilon", x, f"an epsilon for which {_TERMS} terms of the exponential series are enough")
    if above:
        return Fraction(math.ceil(whole_numbers.horner(x, terms, 2) * unit), unit), terms
    return Fraction(math.floor(whole_numbers.horner(x, terms, 1) * unit), unit), terms
