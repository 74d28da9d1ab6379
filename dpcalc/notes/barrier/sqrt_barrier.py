r"""The sqrt(n) barrier, as a table and a picture.

To tell n zeros from bits that are 1 with scale n^e of them expected, through local randomizers, the best test errs
with a probability that tends to 1/2 (guessing) for e < 1/2 and to 0 for e > 1/2: about sqrt(n) ones are what hides.
The errors are those of ``lower_bound.distinguish``.

Source: LOC, "Lower Bound for means and sum".
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

from dpcalc.mechanisms.response import RandomizedResponse
from dpcalc.notes.barrier.lower_bound import Distinction, barrier
from dpcalc.numbers.enclosure import Enclosure
from dpcalc.numbers.lists import one_or_many
from dpcalc.numbers.rational import Number, rational
from dpcalc.plots import Curve, Panel, draw
from dpcalc.report import Tabled, aligned, digits, plain

_EXPONENTS = ("1/3", "1/2", "2/3")
_NS = tuple(10**i for i in range(2, 11, 2))


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Barrier(Tabled):
    """The best error of telling zeros from scale n^e ones, for each n and exponent e.

    Attributes:
        q: the flip probability.
        scale: the factor of n^e.
        ns: the numbers of people.
        columns: for each exponent one ``Distinction`` per n.
    """

    q: Fraction
    scale: Fraction
    ns: tuple[int, ...]
    columns: dict[Fraction, tuple[Distinction, ...]]

    def table(self) -> str:
        """The errors as text; digits are truncated and all certain."""
        title = f"best error of telling {self._factor}n^e expected ones from none, q = {self.q}"
        head = [f"{'n':>11}", *(f"{f'n^({e})':>10}" for e in self.columns)]
        rows = [[f"{n:,}", *(digits(error, 4) for error in errors.values())] for n, errors in self._rows()]
        return "\n".join([title, *aligned([head, *rows], right=True)])

    @property
    def _factor(self) -> str:
        return "" if self.scale == 1 else f"{self.scale} "

    def to_dict(self) -> dict[str, Any]:
        """For JSON."""
        rows = [{"n": n, "errors": plain(errors)} for n, errors in self._rows()]
        return {"q": plain(self.q), "scale": plain(self.scale), "rows": rows}

    def _rows(self) -> Iterator[tuple[int, dict[Fraction, Enclosure]]]:
        """For every n the error of each exponent."""
        for i, n in enumerate(self.ns):
            yield n, {e: column[i].error for e, column in self.columns.items()}

    def plot(self, path: str | Path) -> None:
        """Draw error against n, one curve per exponent.

        Raises:
            DomainError: the file's ending is unknown or it cannot be written.
            DpcalcError: matplotlib is not installed.
        """
        curves = [
            Curve(label=f"{self._factor}n^({e}) ones", x=self.ns, y=[float(row.error) for row in column])
            for e, column in self.columns.items()
        ]
        panel = Panel(
            title="Best local test of zeros against a few ones", x_label="people n",
            y_label="average error (probability)", curves=curves, level=(0.5, "guessing"), logarithmic=False,
        )  # fmt: skip
        draw([panel], path, title=f"The sqrt(n) barrier at q = {self.q}")


def sqrt_barrier(
    *,
    q: Number,
    ns: Number | Sequence[Number] = _NS,
    exponents: Number | Sequence[Number] = _EXPONENTS,
    scale: Number = 1,
) -> Barrier:
    """The best error for each n and exponent, with scale n^exponent ones expected.

    Raises:
        DomainError: an argument out of range, or more than n ones expected.

    >>> print(sqrt_barrier(q="1/4", ns=[100, 10_000]).table())
    best error of telling n^e expected ones from none, q = 1/4
                   n     n^(1/3)     n^(1/2)     n^(2/3)
                 100      0.3958      0.2869      0.1194
              10,000      0.4505      0.2824    0.004133
    """
    response = RandomizedResponse(q)
    people = one_or_many(ns)  # gone through once per exponent
    columns = {
        rational(exponent, "exponent"): barrier(response, people, scale=scale, exponent=exponent)
        for exponent in one_or_many(exponents)
    }
    return Barrier(
        q=response.q,
        scale=rational(scale, "scale"),
        ns=tuple(row.n for row in next(iter(columns.values()), ())),
        columns=columns,
    )
