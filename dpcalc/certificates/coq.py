"""A theorem for Coq, what its file looks like, and numbers next to e^epsilon that its checker can tell to be so."""

from __future__ import annotations

import math
from dataclasses import dataclass
from decimal import ROUND_CEILING, ROUND_FLOOR
from fractions import Fraction

from dpcalc import check
from dpcalc.certificates import whole_numbers
from dpcalc.errors import DomainError

_LAMBDA = 80  # bits of the denominator of numbers next to e^epsilon, and two for each of epsilon's own
_TERMS = 1000  # of the exponential series, at most

FILE = """\
(* Written by dpcalc from a certificate. The claim, for {words}
   Its exact numbers stand in the theorem; what DP means is defined in model.v. *)
From Coq Require Import NArith.
From mathcomp Require Import all_ssreflect all_algebra.
From dpcalc Require Import model whole check promise.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope N_scope.

Definition asked : question := {asked}.

Definition shown : witness := Witness {low} {high} {terms}%nat {dataset}%nat
  [:: {blocks}]%nat (Precision {bits} {faint}).

Lemma accepted : accept asked shown = true.
Proof. vm_cast_no_check (erefl true). Qed.

Local Open Scope ring_scope.

Theorem promise (R : realFieldType) : {statement}.
Proof. exact (@accept_sound R asked shown accepted). Qed.

Print Assumptions promise.
"""

ROUNDS_FILE = """\
(* Written by dpcalc from a certificate. The claim, for {words}
   Its exact numbers stand in the theorem; what DP_rounds and DP_histograms mean is defined in model.v. *)
From Coq Require Import NArith.
From mathcomp Require Import all_ssreflect all_algebra.
From dpcalc Require Import model whole check promise rounds grid lattice below answers.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope N_scope.

Definition asked : rounds_question := {asked}.

Definition above_all : lattice := Lattice (Grid {grid})
  [:: {knots}]
  [:: {masses}]
  {infinite} {reach}%nat {ahead}%nat {behind}%nat.

Definition below_one : minorant := Minorant (Grid {along}) {named}%nat (Precision {bits} {faint}) {cut}
  [:: {shares}]
  [:: {made}]
  {deepest}%nat {highest} {level}%nat {before}%nat {after}%nat.

Definition shown : rounds_witness := Rounds_witness {low} {high} {terms}%nat above_all below_one.

Lemma accepted : accept_rounds asked shown = true.
Proof. vm_cast_no_check (erefl true). Qed.

Local Open Scope ring_scope.

Theorem promise (R : realFieldType) : {statement}.
Proof. exact (@accept_rounds_sound R asked shown accepted). Qed.

Print Assumptions promise.
"""


@dataclass(frozen=True, slots=True)
class Theorem:
    """A claim and its witness, as Coq's checker reads them.

    Attributes:
        what: the question.
        given: what is given in it.
        lower, upper: the ends of the answer; a lower end of 0 claims nothing.
        lambda_low, lambda_high: numbers at most and at least lambda, at the ends where they serve.
        terms: of the exponential series.
    """

    what: str
    given: dict[str, Fraction]
    lower: Fraction
    upper: Fraction
    lambda_low: Fraction
    lambda_high: Fraction
    terms: int

    @property
    def about(self) -> str:
        """What is given, in words."""
        return ", ".join(f"{name} = {x}" for name, x in self.given.items())

    @property
    def promise(self) -> str:
        """The answer in words."""
        low, high = (check.shown(x, way) for x, way in ((self.lower, ROUND_FLOOR), (self.upper, ROUND_CEILING)))
        return {
            "delta": f"delta = {high} is enough, and no delta below {low} is (both rounded outward).",
            "epsilon": f"every epsilon from {high} on holds, none up to {low} does (both rounded outward).",
            "least_q": f"every q from {high} to 1/2 holds, none up to {low} does (both rounded outward).",
            "least_n": f"every n from {high} on holds, none up to {low} does.",
            "most_k": f"k = {low} holds, k = {high} does not. Nothing is said of other k.",
        }[self.what]


def two(x: Fraction) -> str:
    """Two words of the extracted program's input."""
    return f"{x.numerator} {x.denominator}"


def ratio(x: Fraction) -> str:
    """A pair of whole numbers."""
    return f"({x.numerator}, {x.denominator})"


def frac(x: Fraction) -> str:
    """A number of R."""
    return f"(frac R {x.numerator} {x.denominator})"


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
