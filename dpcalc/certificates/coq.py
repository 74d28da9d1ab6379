"""What a theorem for Coq looks like, and numbers next to e^epsilon that its checker can tell to be so."""

from __future__ import annotations

import math
from decimal import ROUND_CEILING, ROUND_FLOOR
from fractions import Fraction

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


def stated(name: str, x: Fraction) -> str:
    """lam or epsilon, or the delta for which epsilon is asked."""
    return {"lam": f"(Lambda {ratio(x)})", "epsilon": f"(Epsilon {ratio(x)})", "delta": ratio(x)}[name]


def held(what: str, lower: Fraction, upper: Fraction) -> str:
    """What is claimed, in words."""
    return _HELD[what].format(low=check.shown(lower, ROUND_FLOOR), high=check.shown(upper, ROUND_CEILING))


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
