r"""Log-concavity of a sequence, decided exactly.

a_i^2 >= a_{i-1} a_{i+1} at every inner index, with no zero between positive terms. Every polynomial with only real
roots has such coefficients, and so has the pmf of every sum of independent reports. The *margin* at i is

    a_i^2 / (a_{i-1} a_{i+1}) - 1,

or, of Newton's inequalities, a_i^2 / (a_{i-1} a_{i+1} (1 + 1/i) (1 + 1/(N-i))) - 1: it is to be >= 0.

The terms are read once, and three of them are held. Their leading bits bound the margin; only where these bounds do not
decide are the three multiplied (proof notes, 1.12).

Source: K16, section 4.2.1 (Lemma 1) and section 5.2; Newton's inequalities.
"""

from __future__ import annotations

import math
from array import array
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import islice
from math import lcm
from pathlib import Path
from typing import NamedTuple

from flint import arb, fmpz

from dpcalc.displayed import Displayed
from dpcalc.errors import DomainError
from dpcalc.laws.pmf import Pmf
from dpcalc.numbers.ball import enclosure_of, working_precision
from dpcalc.numbers.enclosure import Enclosure
from dpcalc.numbers.lists import as_list, flag
from dpcalc.numbers.rational import Number, rational
from dpcalc.plots import Curve, Mark, Panel, draw, stride

COMPARED = "compared exactly, at every index"
_LEADING = 128  # bits of a term that are looked at first
_STEPS = 200  # times that progress is told


@dataclass(frozen=True, slots=True, kw_only=True)
class LogConcavity(Displayed):
    """Whether a sequence is log-concave, where it first fails or is tightest, and what was computed.

    Attributes:
        holds: the verdict.
        witness: None, or the index (for two-dimensional families: the pair of indices) of the first failure.
        tightest: where it holds, the first index, or pair of indices, with the least margin: none is smaller by
            10^-36 of 1 plus the margin. None where there is no inner index, or nothing was computed.
        margin: the margin there, to some 37 decimal places, exact where the terms are short.
        proof: "compared exactly, at every index", or the theorem that the verdict rests on if nothing was computed.
        margins: where it holds, the margins at the inner indices 1, 2, ..., as doubles, to be drawn. Of a
            two-dimensional family the least one for each second index.
    """

    holds: bool
    witness: int | tuple[int, int] | None = None
    tightest: int | tuple[int, int] | None = None
    margin: Enclosure | None = None
    proof: str = COMPARED
    margins: Sequence[float] = field(default=(), repr=False, compare=False)

    def __bool__(self) -> bool:
        return self.holds

    def plot(self, path: str | Path, *, index: str = "index") -> None:
        """Draw the margin over the inner indices.

        Args:
            path: a .png, .pdf or .svg file.
            index: the name of the index.

        Raises:
            DomainError: no margin to draw: it fails, nothing was computed, or all are 0; another file name.
            DpcalcError: matplotlib is not installed.
        """
        places = [(i, x) for i, x in enumerate(self.margins, 1) if 0 < x < math.inf]
        if not places:
            raise DomainError("plot", str(path), "an answer with margins above 0: this one has none")
        thin = places[:: stride(len(places))]
        least = min(places, key=lambda place: place[1])
        draw(
            [
                Panel(
                    title="by how much each square is above the product of its neighbours", x_label=index,
                    y_label="margin", x_logarithmic=False,
                    marks=[Mark(x=least[0], y=least[1], label=f"{least[1]:.3g}")],
                    curves=[Curve(label="margin", x=[float(i) for i, _ in thin], y=[x for _, x in thin])],
                )
            ],
            path,
            title=f"log-concavity, {self.proof}",
        )  # fmt: skip


def log_concavity(sequence: Pmf | Iterable[Number], *, ultra: bool = False, strict: bool = False) -> LogConcavity:
    r"""Whether a_i^2 >= a_{i-1} a_{i+1} at every inner index, and no zero stands between positive terms.

    Args:
        sequence: non-negative numbers a_0, ..., a_N; floats count as the decimals that print them.
        ultra: ask for Newton's stronger a_i^2 >= a_{i-1} a_{i+1} (1 + 1/i)(1 + 1/(N-i)), which every polynomial with
            only real roots satisfies.
        strict: ask for > instead of >=.

    Raises:
        DomainError: a negative term, or one that is not a number.

    Source: K16, Lemma 1; Newton's inequalities.

    >>> found = log_concavity([1, 4, 5, 2])
    >>> found.holds, found.tightest, found.margin
    (True, 2, Enclosure(17/8))
    >>> log_concavity([1, 1, 2]).witness
    1
    """
    terms = sequence.weights if isinstance(sequence, Pmf) else _integers(sequence)
    if any(term < 0 for term in terms):
        raise DomainError("sequence", min(terms), "non-negative terms only")
    return compared(iter(terms), len(terms) - 1, ultra=flag(ultra, "ultra"), strict=flag(strict, "strict"))


def _integers(sequence: Iterable[Number]) -> Sequence[int]:
    """The sequence times one common denominator, which no log-concavity inequality notices."""
    terms = [rational(term, "sequence") for term in as_list(sequence, "sequence", "a list of numbers, or a Pmf")]
    scale = lcm(*(term.denominator for term in terms))
    return [term.numerator * (scale // term.denominator) for term in terms]


def compared(
    terms: Iterator[int | fmpz],
    last: int,
    *,
    ultra: bool,
    strict: bool,
    progress: Callable[[float], None] | None = None,
) -> LogConcavity:
    """The verdict on integers a_0, ..., a_last >= 0, each read once.

    Args:
        terms: the integers.
        last: N.
        ultra: Newton's inequalities.
        strict: > in place of >=.
        progress: called now and then with the share of the indices that is done.
    """
    search = Search(strict)
    held = [Leading.of(a) for a in islice(terms, 2)]
    begun, gap, margins = bool(held and held[0].exact), None, array("d")
    for i, after in enumerate(map(Leading.of, terms), 1):
        before, here = held
        if here.exact:
            begun = True
        elif begun and gap is None:
            gap = i
        if gap is not None and after.exact:
            return LogConcavity(holds=False, witness=gap)
        weights = (i * (last - i), (i + 1) * (last - i + 1)) if ultra else (1, 1)
        margin = search.margin(i, here, before, after, *weights)
        if margin is None:
            return LogConcavity(holds=False, witness=i)
        margins.append(float(margin))
        held = [here, after]
        if progress and not i % (last // _STEPS + 1):
            progress(i / last)
    return search.holds(margins)


class Search:
    """The comparisons of one family, and where it is tightest so far."""

    def __init__(self, strict: bool) -> None:
        self._strict = strict
        self._least = arb.pos_inf()
        self._tightest: int | tuple[int, int] | None = None
        self._exact: Fraction | None = None

    def margin(
        self, place: int | tuple[int, int], x: Leading, y: Leading, z: Leading, middle: int = 1, sides: int = 1
    ) -> arb | None:
        """middle x^2 / (sides y z) - 1, infinite next to a zero; None if the inequality fails."""
        if not (y.exact and z.exact):
            return arb.pos_inf() if x.exact or not self._strict else None
        with working_precision(_LEADING):
            found = middle * x.near * x.near / (sides * y.near * z.near) - 1
        if not found > 0:
            gap = -1 if found < 0 else middle * x.exact * x.exact - sides * y.exact * z.exact
            if gap < 0 or (self._strict and not gap):
                return None
            found = found.nonnegative_part() if gap else arb(0)
        if found < self._least:
            self._least, self._tightest = found, place
            short = max(term.exact.bit_length() for term in (x, y, z)) <= _LEADING
            self._exact = Fraction(int(middle * x.exact**2), int(sides * y.exact * z.exact)) - 1 if short else None
        return found

    def holds(self, margins: Sequence[float]) -> LogConcavity:
        """The verdict if no inequality failed."""
        margin = None
        if self._tightest is not None:
            margin = enclosure_of(self._least) if self._exact is None else Enclosure.of(self._exact)
        return LogConcavity(holds=True, tightest=self._tightest, margin=margin, margins=margins)


class Leading(NamedTuple):
    """A term, and a ball around it from its leading bits."""

    exact: int | fmpz
    near: arb

    @classmethod
    def of(cls, a: int | fmpz) -> Leading:
        """Of an integer."""
        with working_precision(_LEADING):
            return cls(a, +arb(a))
