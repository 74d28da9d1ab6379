"""A theorem for Coq and its witness, as a .v file: the extracted program reads the question and the witness there.

e^epsilon is no fraction: ``next_to`` finds fractions on either side of it, and how many terms of the series show that.
"""

from __future__ import annotations

import json
import math
from dataclasses import dataclass, fields
from decimal import ROUND_CEILING, ROUND_FLOOR
from fractions import Fraction
from functools import partial
from typing import Any

from dpcalc import check
from dpcalc.certificates import whole_numbers
from dpcalc.certificates.whole_numbers import EXACTLY, Block, Grid, Lattice, Minorant, Precision, Setting
from dpcalc.errors import DomainError, Undecided
from dpcalc.families.bits import Bits
from dpcalc.numbers.enclosure import Enclosure
from dpcalc.numbers.limit import Limit
from dpcalc.numbers.search import last_where

_LAMBDA = 80  # bits of the denominator of a bound of e^epsilon; at least twice those of epsilon's
_TERMS = 1000  # of the exponential series, at most
WIDER = Fraction(1, 10**9)  #: the share by which an end is moved outward at most
_FEW = 400  # up to so many reports everything is exact
_SPARE = 50  # bits of precision, besides those of delta
NARROW = Fraction(1, 10**12)  #: relative width of bounds of delta, and far more than what is cut
_STEPS = 10**9  # all laws together may have so many masses

_FILE = """\
(* Written by dpcalc from a certificate of this question, and both ends of its answer, rounded outward:
   {words}.
   Coq prints what is proven, with the exact numbers, in the words of model.v. *)
From Coq Require Import NArith.
From mathcomp Require Import all_ssreflect all_algebra.
From dpcalc Require Import model whole check promise rounds grid lattice below answers.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope N_scope.

Definition asked : {of}question := {asked}.

Definition shown : {of}witness := {shown}.

Lemma accepted : accept{_of} asked shown = true.
Proof. vm_cast_no_check (erefl true). Qed.

Local Open Scope ring_scope.

Theorem promise (R : realFieldType) : {of}meaning R asked.
Proof. exact (@accept{_of}_sound R asked shown accepted). Qed.

Eval cbv beta iota delta [asked {of}meaning every_strategy every_strategy_one_hot is_limit value fst snd]
  in forall R, {of}meaning R asked.
Print Assumptions promise.
"""
#: The order in which Coq reads what is given, and the ends.
_READ = ("n", "k", "q", "lam", "epsilon", "delta", "lower", "upper")
_LIMITS = {"lam": "Lambda", "epsilon": "Epsilon"}


@dataclass(frozen=True, slots=True)
class RoundWitness:
    """The witness of one round.

    Attributes:
        number_below, number_above: bounds of lambda, each at the end of the answer that needs it.
        series: terms of the exponential series, which show these bounds.
        dataset: shows the lower end.
        blocks: cover all datasets.
        at: the precision.
    """

    number_below: Fraction
    number_above: Fraction
    series: int
    dataset: int
    blocks: list[Block]
    at: Precision


@dataclass(frozen=True, slots=True)
class RoundsWitness:
    """The witness of rounds: a pair that dominates all datasets of one round, and a pair that one dataset dominates."""

    number_below: Fraction
    number_above: Fraction
    series: int
    over_all: Lattice
    under_one: Minorant


def term(x: Any) -> str:
    """A value in Coq's words: a ratio, a natural number in a tuple, a list, a whole number, or a record."""
    match x:
        case Fraction():
            return f"({x.numerator}, {x.denominator})"
        case tuple():
            return f"({', '.join(f'{y}%nat' if isinstance(y, int) else term(y) for y in x)})"
        case list():
            return f"[:: {'; '.join(map(term, x))}]"
        case int():
            return str(x)
    parts = [term(getattr(x, one.name)) for one in fields(x)]
    if isinstance(x, Grid):  # a record of its own in Coq
        parts[:3] = [f"(Grid {' '.join(parts[:3])})"]
    return f"({type(x).__name__} {' '.join(parts)})"


@dataclass(frozen=True, slots=True)
class Theorem:
    """A claim and its witness, for Coq's checker.

    Attributes:
        asked: the question, as the certificate has it.
        opening: the words that begin it in Coq.
        given: n, k, q, delta, and lam or epsilon, as far as they are given.
        lower, upper: the ends of the answer; a lower end of 0 claims nothing.
        witness: what proves it.
    """

    asked: dict[str, Any]
    opening: str
    given: dict[str, Fraction]
    lower: Fraction
    upper: Fraction
    witness: RoundWitness | RoundsWitness

    @property
    def coq(self) -> str:
        """A .v file."""
        what, every, whole = self.asked["what"], self.given | {"lower": self.lower, "upper": self.upper}, {"n", "k"}
        if what in ("least_n", "most_k"):
            whole |= {"lower", "upper"}
        if what == "most_k":  # one end alone is stated, as the other is the next k
            del every["upper"]
        asked = [self.opening]
        for name, x in ((name, every[name]) for name in _READ if name in every):
            number = term(int(x) if name in whole else x)
            asked.append(f"({_LIMITS[name]} {number})" if name in _LIMITS else number)
        ends = check.shown(self.lower, ROUND_FLOOR), check.shown(self.upper, ROUND_CEILING)
        rounds = "rounds" in self.asked
        return _FILE.format(
            words=f"{json.dumps(self.asked)}: from {ends[0]} to {ends[1]}", asked=" ".join(asked),
            shown=term(self.witness), of="rounds_" * rounds, _of="_rounds" * rounds,
        )  # fmt: skip


def next_to(name: str, x: Fraction, *, above: bool) -> tuple[Fraction, int]:
    """A fraction above or below lambda, close to it, and how many terms of the exponential series show that.

    Args:
        name: lam or epsilon.
        x: its value.
        above: whether the fraction is at least lambda, or at most.

    Raises:
        DomainError: epsilon is too large for so few terms.
    """
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


def covered(asked: Setting, goal: Fraction, ends: Enclosure, times: int = 1) -> tuple[Precision, Fraction, list[Block]]:
    """The precision, a bound for all datasets, and blocks that prove it, each as long as its bound is within the goal.

    Args:
        asked: n, k, q and lambda.
        goal: the bound of delta that each block should reach.
        ends: the ends of the answer, for the error.
        times: how many such bounds are needed together.

    Raises:
        Undecided: there are too many reports.
    """
    n, k, at = asked.n, asked.k, precision(asked, goal)
    if at is not EXACTLY:
        width = 2 * math.sqrt(2 * 0.7 * at.bits * float(asked.q * (1 - asked.q)) * n * k) + 2 * at.bits
        if 2 * width * n * k * times > _STEPS:
            raise Undecided("too many reports for sums in whole numbers", ends)
    blocks, top, low = list[Block](), Fraction(0), 0

    def bounded(low: int, high: int) -> Fraction:
        return delta_of(asked, low, n - 1 - high).upper

    def within(low: int, high: int) -> bool:
        return bounded(low, high) <= goal

    while low < n:
        high = last_where(partial(within, low), low + 1, n - 1, near=low + 1)
        blocks.append((low, high))
        top, low = max(top, bounded(low, high)), high + 1
    return at, top, blocks


def delta_of(asked: Setting, ones: int, zeros: int) -> Enclosure:
    """delta, if so many others hold 1 and 0."""
    pair = Bits.symmetric(asked.q, asked.k, ones + zeros).pair(ones)
    return pair.enclosed(Limit.of(lam=asked.lam), rtol=NARROW)


def precision(asked: Setting, goal: Fraction) -> Precision:
    """The precision of masses that add up to about the goal; few reports are summed up exactly."""
    reports = asked.k * asked.n
    if reports <= _FEW:
        return EXACTLY
    room = max(0, -exponent(goal)) + exponent(asked.lam)
    return Precision(_SPARE + 16 + 2 * reports.bit_length() + room, 1 << 16)


def exponent(x: Fraction) -> int:
    """The binary exponent, about."""
    return x.numerator.bit_length() - x.denominator.bit_length()
