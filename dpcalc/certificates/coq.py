"""What Coq's checker reads and computes (notebooks/formal), in Python, to find its witness and to write it down.

Classes and functions have the names that they have in check.v and lattice.v, and return the same numbers. No
proof rests on this copy: if it errs, Coq refuses. A theorem and its witness are a .v file; the extracted program reads
the question and the witness there.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, fields
from decimal import ROUND_CEILING, ROUND_FLOOR
from fractions import Fraction
from itertools import accumulate
from typing import Any

from dpcalc import check

#: A range of datasets: the least and the most ones among the other records.
Block = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Precision:
    """Masses are rounded down to ``bits`` bits; then those of at most ``faint`` units at both ends are left out."""

    bits: int
    faint: int


EXACTLY = Precision(10**9, 0)
UNUSED = Precision(0, 0)  # where nothing is cut


@dataclass(frozen=True, slots=True)
class Setting:
    """n records, k reports of each, the flip probability and lambda."""

    n: int
    k: int
    q: Fraction
    lam: Fraction


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


# --- rounds: one pair above all datasets ------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Knot:
    """At most ``bound`` units of delta of one round are needed at ``near``, a number at most g^j, as blocks show."""

    near: Fraction
    bound: int
    blocks: list[Block]
    at: Precision


@dataclass(frozen=True, slots=True)
class Lattice:
    """A pair whose losses are multiples of log g, and the range of lambda where its rounds are computed.

    Attributes:
        coarse, scale: 1/g = coarse / 2^scale.
        fine: masses are in units of 2^-fine.
        knots: bounds of one round for j = 0, 1, ..., L, which show that the pair dominates all its datasets.
        of_loss: the P masses of the losses -L, ..., L.
        infinite: the P mass where Q is 0.
        reach: lambda lies between g^reach and the next power.
        ahead, behind: rows of numbers begin so many steps above that, and end so many below 1.
    """

    coarse: int
    scale: int
    fine: int
    knots: list[Knot]
    of_loss: list[int]
    infinite: int
    reach: int
    ahead: int
    behind: int

    @property
    def one(self) -> int:
        """1 in units."""
        return 1 << self.fine

    def power(self, j: int) -> Fraction:
        """g^j."""
        return Fraction(1 << self.scale, self.coarse) ** j

    def down_a_step(self, x: int) -> int:
        """x / g, rounded down."""
        return self.coarse * x >> self.scale


def of_rounds(lattice: Lattice, counts: int) -> tuple[int, int]:
    """Upper bounds of delta of so many rounds, in units: at lambda = g^reach, and at the next power."""
    most, ahead, behind = lattice.one, len(lattice.of_loss) // 2, lattice.behind
    powers = accumulate(range(behind), lambda x, _: lattice.down_a_step(x), initial=most)
    row = [0] * (lattice.reach + lattice.ahead + 2) + [most - x for x in powers][1:]
    for _ in range(counts):
        padded = [row[0]] * ahead + row + [most] * ahead
        sums = check.convolved(check.Exam(), lattice.of_loss[::-1], padded)[2 * ahead :]
        row = [check.upward(x + lattice.infinite * most, lattice.fine) for x in sums[: len(row)]]
        most = check.upward((sum(lattice.of_loss) + lattice.infinite) * most, lattice.fine)
    return row[lattice.ahead + 1], row[lattice.ahead]


def between_powers(lattice: Lattice, lam: Fraction, bounds: tuple[int, int]) -> Fraction:
    """The chord through these bounds, at lambda between the two powers of g."""
    a, b = lattice.power(lattice.reach), lattice.power(lattice.reach + 1)
    return ((b - lam) * bounds[0] + (lam - a) * bounds[1]) / ((b - a) * lattice.one)


#: What would prove a lower end of rounds (below.v): an end of 0 needs no witness.
NOTHING = "(Minorant (Grid 0 0 0) 0 (Precision 0 0) 0 [:: ] [:: ] 0 0 0 0 0)"


@dataclass(frozen=True, slots=True)
class RoundsWitness:
    """The witness of rounds: a pair that dominates all datasets of one round, and none that one dataset dominates."""

    number_below: Fraction
    number_above: Fraction
    series: int
    over_all: Lattice
    under_one: str


# --- the file ------------------------------------------------------------------------------------------------------

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


def term(x: Any) -> str:
    """A value in Coq's words: a ratio, a natural number in a tuple, a list, a whole number, or a record."""
    match x:
        case Fraction():
            return f"({x.numerator}, {x.denominator})"
        case tuple():
            return f"({', '.join(f'{y}%nat' if isinstance(y, int) else term(y) for y in x)})"
        case list():
            return f"[:: {'; '.join(map(term, x))}]"
        case int() | str():
            return str(x)
    parts = [term(getattr(x, one.name)) for one in fields(x)]
    if isinstance(x, Lattice):  # the first three are a record of their own in Coq
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
