"""What a theorem for Coq looks like, and numbers next to e^epsilon that its checker can tell to be so."""

from __future__ import annotations

import math
from fractions import Fraction

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
