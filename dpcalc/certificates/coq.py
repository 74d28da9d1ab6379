"""A theorem for Coq and its witness, as a .v file: the extracted program reads the question and the witness there.

e^epsilon is no fraction: ``next_to`` finds fractions on either side of it, and how many terms of the series show that.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable
from dataclasses import dataclass, field
from decimal import ROUND_CEILING, ROUND_FLOOR
from fractions import Fraction
from typing import Any, ClassVar

from dpcalc import check
from dpcalc.certificates import whole_numbers
from dpcalc.certificates.whole_numbers import EXACTLY, UNUSED, Block, Lattice, Minorant, Precision, Setting
from dpcalc.errors import DomainError, Undecided
from dpcalc.families.bits import Bits
from dpcalc.numbers.enclosure import Enclosure
from dpcalc.numbers.limit import Limit
from dpcalc.numbers.search import last_where

_LAMBDA = 80  # bits of the denominator of a bound of e^epsilon; at least twice those of epsilon's
_TERMS = 1000  # of the exponential series, at most
_WIDER = Fraction(1, 10**9)  # the share by which an end is moved outward at most
_FEW = 400  # up to so many reports everything is exact
_SPARE = 50  # bits of precision, besides those of delta
_NARROW = Fraction(1, 10**12)  # relative width of the bounds that choose the blocks
_STEPS = 10**9  # all laws together may have so many masses

_FILE = """\
(* Written by dpcalc from a certificate of this question, and both ends of its answer, rounded outward:
   {words}.
   The exact numbers stand in the theorem; what {defined} defined in model.v. *)
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
#: The order in which Coq reads what is given, and the ends.
_READ = ("n", "k", "q", "lam", "epsilon", "delta", "lower", "upper")
_LIMITS = {"lam": "Lambda", "epsilon": "Epsilon"}


@dataclass(frozen=True, slots=True)
class OneRound:
    """The witness of one round: a dataset that shows the lower end, blocks that cover all datasets, the precision."""

    dataset: int = 0
    blocks: list[Block] = field(default_factory=list)
    at: Precision = UNUSED

    names: ClassVar = {"defined": "DP means is", "modules": "", "of": "", "_of": ""}

    def coq(self, limits: str) -> str:
        """The witness as Coq defines it, after bounds of lambda and the terms of the series that show them."""
        return (
            f"Definition shown : witness := Witness {limits}%nat {self.dataset}%nat\n"
            f"  {_ranges(self.blocks)} {_precision(self.at)}."
        )


@dataclass(frozen=True, slots=True)
class SeveralRounds:
    """The witness of rounds: a pair that dominates all datasets of one round, and a pair that one dataset dominates."""

    lattice: Lattice
    minorant: Minorant

    names: ClassVar = {
        "defined": "DP_rounds and DP_histograms mean is", "modules": " rounds grid lattice below answers",
        "of": "rounds_", "_of": "_rounds",
    }  # fmt: skip

    def coq(self, limits: str) -> str:
        """The witness as Coq defines it, after bounds of lambda and the terms of the series that show them."""
        w, x = self.lattice, self.minorant
        knots = (
            f"Knot {ratio(one.near)} {one.bound}\n      {_ranges(one.blocks)} {_precision(one.at)}" for one in w.knots
        )
        shares = (f"({first}%nat, [:: {'; '.join(map(str, part))}])" for first, part in x.shares)
        return f"""\
Definition above_all : lattice := Lattice (Grid {w.coarse} {w.scale} {w.fine})
  [:: {_listed(knots)}]
  [:: {_listed(w.of_loss)}]
  {w.infinite} {w.reach}%nat {w.ahead}%nat {w.behind}%nat.

Definition below_one : minorant := Minorant (Grid {x.coarse} {x.scale} {x.fine}) {x.named}%nat \
{_precision(x.at)} {x.cut}
  [:: {_listed(shares)}]
  [:: {_listed(x.made)}]
  {x.deepest}%nat {whole_numbers.highest(x, len(x.made))} {x.level}%nat {x.before}%nat {x.after}%nat.

Definition shown : rounds_witness := Rounds_witness {limits}%nat above_all below_one."""


def _listed(entries: Iterable[object]) -> str:
    """An entry in each line."""
    return ";\n    ".join(map(str, entries))


def _ranges(blocks: Iterable[Block]) -> str:
    return f"[:: {'; '.join(f'({low}, {high})' for low, high in blocks)}]%nat"


def _precision(at: Precision) -> str:
    return f"(Precision {at.bits} {at.faint})"


@dataclass(frozen=True, slots=True, kw_only=True)
class Theorem:
    """A claim and its witness, for Coq's checker.

    Attributes:
        asked: the question, as the certificate has it.
        given: n, k, q, delta, and lam or epsilon, as far as they are given.
        lower, upper: the ends of the answer; a lower end of 0 claims nothing.
        lambda_low, lambda_high: lower and upper bounds of lambda, each at the end of the answer that needs it.
        terms: of the exponential series, which show these bounds.
        opening: the words that begin the question.
        statement: the theorem in Coq's words.
        witness: what proves it.
    """

    asked: dict[str, Any]
    given: dict[str, Fraction]
    lower: Fraction
    upper: Fraction
    lambda_low: Fraction
    lambda_high: Fraction
    terms: int
    opening: str
    statement: str
    witness: OneRound | SeveralRounds

    @property
    def coq(self) -> str:
        """A .v file."""
        every, whole = self.given | {"lower": self.lower, "upper": self.upper}, {"n", "k"}
        if self.what in ("least_n", "most_k"):
            whole |= {"lower", "upper"}
        if self.what == "most_k":  # one end alone is stated, as the other is the next k
            del every["upper"]
        asked = [self.opening]
        for name, x in ((name, every[name]) for name in _READ if name in every):
            limit = f"({_LIMITS[name]} {ratio(x)})" if name in _LIMITS else ratio(x)
            asked.append(f"{x}%nat" if name in whole else limit)
        shown = self.witness.coq(f"{ratio(self.lambda_low)} {ratio(self.lambda_high)} {self.terms}")
        ends = check.shown(self.lower, ROUND_FLOOR), check.shown(self.upper, ROUND_CEILING)
        return _FILE.format(
            words=f"{json.dumps(self.asked)}: from {ends[0]} to {ends[1]}", asked=" ".join(asked), shown=shown,
            statement=self.statement, **self.witness.names,
        )  # fmt: skip

    @property
    def what(self) -> str:
        """Which question it is."""
        return str(self.asked["what"])


def ratio(x: Fraction) -> str:
    """A fraction, as a pair of whole numbers of Coq."""
    return f"({x.numerator}, {x.denominator})"


def frac(x: Fraction) -> str:
    """A fraction, as a number of Coq's field R."""
    return f"(frac R {x.numerator} {x.denominator})"


def statement(
    name: str, x: Fraction, lower: Fraction, upper: Fraction, above: str, below: str, *, delta: str = ""
) -> str:  # fmt: skip
    """A theorem about delta, or about epsilon where delta is given, in Coq's words.

    Args:
        name: lam, epsilon or delta, whichever is given.
        x: its value.
        lower: the lower end of the answer.
        upper: the upper end.
        above: the property that every delta or epsilon from the upper end on has.
        below: the property that none below the lower end has.
        delta: a premise about delta.
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
    """The end, or one a little further out, so that what Coq will find proves it.

    Args:
        found: the bound that Coq will compute.
        end: the end that should be proven.
        way: 1 for an upper end, -1 for a lower one.

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
    """The precision, the bound that is proven for all datasets, and the blocks.

    Args:
        asked: n, k, q and lambda.
        goal: the bound of delta that each block should reach.
        ends: the ends of the answer, for the error.
        times: how many such bounds are needed together.

    Raises:
        Undecided: there are too many reports.
    """
    n, k = asked.n, asked.k
    at = EXACTLY
    if k * n > _FEW:
        room = _SPARE + 16 + 2 * (k * n).bit_length() + max(0, -_exponent(goal))
        at = Precision(room, 1 << 16)
        width = 2 * math.sqrt(2 * 0.7 * room * float(asked.q * (1 - asked.q)) * n * k) + 2 * room
        if 2 * width * n * k * times > _STEPS:
            raise Undecided("too many reports for sums in whole numbers", ends)
    blocks = _blocks(asked, goal)
    a, b = asked.q.numerator, asked.q.denominator - asked.q.numerator
    ones = whole_numbers.sweep(at, b, a, [k * low for low, _ in blocks])
    zeros = whole_numbers.sweep(at, a, b, [k * (n - 1 - high) for _, high in reversed(blocks)])
    laws = zip(ones, reversed(list(zeros)), strict=True)
    return at, max(whole_numbers.bounded(asked, whole_numbers.together(x, y)) for x, y in laws), blocks


def _exponent(x: Fraction) -> int:
    return x.numerator.bit_length() - x.denominator.bit_length()


def _blocks(asked: Setting, goal: Fraction) -> list[Block]:
    """Ranges that cover 0, ..., n - 1, each as long as its bound stays within the goal; shorter ones bound better."""
    limit, found, low = Limit.of(lam=asked.lam), list[Block](), 0

    def within(high: int) -> bool:
        pool = Bits.symmetric(asked.q, asked.k, low + asked.n - 1 - high).pair(low)
        return pool.divergence(limit, rtol=_NARROW).upper <= goal

    while low < asked.n:
        found.append((low, last_where(within, low + 1, asked.n - 1, near=low + 1)))
        low = found[-1][1] + 1
    return found
