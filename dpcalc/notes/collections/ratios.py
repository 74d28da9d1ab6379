r"""What an outcome of the query A tells about one record: the privacy ratio of any two collections of bit vectors.

For collections x and x' that differ in one row,

    pi(s) = P[A(x') = s] / P[A(x) = s]

at every outcome s: all of them are possible from any collection. The outcomes being finite, epsilon is the largest
log pi(s) or -log pi(s), and delta sums (P[A(x') = s] - lambda P[A(x) = s])_+ or the reverse, exactly.

The other notion of neighbours, one record more, has no finite answer here: the totals k n of the outcomes differ, so
that every outcome tells which of the two collections it came from. It needs a release that hides n, and the notes
define none.

Source: KTEX, section 3 and Proposition (prop:dpcnt); K16, section 3.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

from dpcalc.errors import DomainError, TooLarge
from dpcalc.mechanisms.finite import FiniteMechanism
from dpcalc.mechanisms.response import KRandomization, RandomizedResponse
from dpcalc.notes.collections.occupancy import Outcome
from dpcalc.notes.collections.records import Record, cells, collection, query_weights
from dpcalc.numbers.elementary import log
from dpcalc.numbers.enclosure import Enclosure
from dpcalc.numbers.promise import Promise, Words
from dpcalc.numbers.rational import Number, integer
from dpcalc.privacy.ratios import ratios
from dpcalc.report import Tabled

_SHOWN = 20  # outcomes in a table
_PAIR: Words = {"attained_by": "these two collections", "proven_for": "these two collections"}


def privacy_ratios(
    records: Iterable[Any], neighbour: Iterable[Any], *, q: Number, k: Number = 1
) -> dict[Outcome, Fraction]:
    """pi(s) = P[A(neighbour) = s] / P[A(records) = s] for every outcome s, in lexicographic order.

    Those of records of one bit are ``dpcalc.ratios``, by their numbers of zeros and ones.

    Raises:
        DomainError: collections that do not differ in exactly one row, or another argument out of range.
        TooLarge: the outcome space would not fit.

    Source: KTEX, section 3.

    >>> privacy_ratios(["1", "1"], ["1", "0"], q="1/4")
    {(0, 2): Fraction(1, 3), (1, 1): Fraction(5, 3), (2, 0): Fraction(3, 1)}
    """
    rows, changed, flip, repeats = _asked(records, neighbour, q, k)
    return (
        _of_bits(rows, changed, flip, repeats) if len(rows[0]) == 1 else _compared(rows, changed, flip, repeats).ratios
    )


def _of_bits(rows: tuple[Record, ...], changed: tuple[Record, ...], q: Fraction, k: int) -> dict[Outcome, Fraction]:
    """By the number of zeros: R_s where the changed record falls from 1 to 0, else 1/R_s."""
    before, after = (sum(bit for (bit,) in side) for side in (rows, changed))
    mechanism, ones = KRandomization(n=len(rows), q=q, k=k), min(before, after)
    found = ratios(mechanism, ones=ones)
    if not found.exact:
        size, limit, unit = found.law.needs
        raise TooLarge(
            f"the exact ratios of {mechanism.reports:,} reports", size=size, limit=limit, unit=unit,
            instead=f"dpcalc.ratios(KRandomization(n={mechanism.n}, q='{q}', k={k}), ones={ones}), enclosures",
        )  # fmt: skip
    values = zip(found.outcomes, found, strict=True)
    pi = {(mechanism.reports - s, s): x if before > after else 1 / x for s, x in values if isinstance(x, Fraction)}
    return dict(reversed(pi.items()))


@dataclass(frozen=True, kw_only=True, repr=False)
class Comparison(Tabled):
    """Two collections that differ in one row, and everything their outcomes can tell.

    Attributes:
        records, neighbour: x and x'.
        q: the flip probability.
        k: reports per record.
        weights, neighbour_weights: the two pmfs as integers over one denominator, outcome by outcome.
    """

    records: tuple[Record, ...]
    neighbour: tuple[Record, ...]
    q: Fraction
    k: int
    weights: dict[Outcome, int]
    neighbour_weights: dict[Outcome, int]

    @cached_property
    def ratios(self) -> dict[Outcome, Fraction]:
        """pi(s), by outcome."""
        return {s: Fraction(self.neighbour_weights[s], weight) for s, weight in self.weights.items()}

    @property
    def maximum(self) -> Fraction:
        """The largest pi."""
        return max(self.ratios.values())

    @property
    def minimum(self) -> Fraction:
        """The smallest pi, always 1/maximum."""
        return min(self.ratios.values())

    def attaining(self, ratio: Fraction) -> tuple[Outcome, ...]:
        """The outcomes with pi(s) = ``ratio``."""
        return tuple(s for s, value in self.ratios.items() if value == ratio)

    @property
    def epsilon(self) -> Promise:
        """The least epsilon for which these two collections satisfy epsilon-differential privacy: k d log(p/q).

        When every report is the same y, pi = (P[R(x') = y] / P[R(x) = y])^k, with x and x' the changed records. At
        y = x' this is (p/q)^{k d}, at y = x the reciprocal, and no record's k reports show more: the others do not hide
        it at all.
        """
        return Promise.that(log(self.maximum), **_PAIR)

    def delta(self, *, lam: Number | None = None, epsilon: Number | None = None) -> Promise:
        """The least delta for these two collections, over all events and both directions; exact for lam.

        Raises:
            DomainError: lam < 1, epsilon < 0, or not exactly one of the two.
        """
        total = sum(self.weights.values())
        rows = ([Fraction(w, total) for w in side.values()] for side in (self.weights, self.neighbour_weights))
        return Promise.that(FiniteMechanism(rows).delta(lam=lam, epsilon=epsilon), **_PAIR)

    def to_dict(self) -> dict[str, Any]:
        """For JSON: vectors as strings of bits, rationals as strings."""
        return {
            "records": [label(record) for record in self.records],
            "neighbour": [label(record) for record in self.neighbour],
            "q": str(self.q),
            "k": self.k,
            "maximum": {"ratio": str(self.maximum), "outcomes": [*map(list, self.attaining(self.maximum))]},
            "minimum": {"ratio": str(self.minimum), "outcomes": [*map(list, self.attaining(self.minimum))]},
            "epsilon": self.epsilon.to_dict(),
            "ratios": [{"outcome": list(outcome), "ratio": str(ratio)} for outcome, ratio in self.ratios.items()],
        }

    def table(self, limit: int = _SHOWN) -> str:
        """The outcomes with the largest and the smallest ratios, and epsilon."""
        rows = sorted(self.ratios.items(), key=lambda item: item[1], reverse=True)
        shown = rows if len(rows) <= limit else [*rows[: limit // 2], *rows[-(limit // 2) :]]
        lines = [f"{' '.join(map(str, outcome))}  {Enclosure.of(ratio)}" for outcome, ratio in shown]
        if len(rows) > len(shown):
            lines.insert(limit // 2, f"... {len(rows) - len(shown):,} outcomes between ...")
        heading = "counts of " + " ".join(label(cell) for cell in cells(len(self.records[0])))
        return "\n".join([f"{heading}  ratio", *lines, f"epsilon = {self.epsilon}"])


def compare(records: Iterable[Any], neighbour: Iterable[Any], *, q: Number, k: Number = 1) -> Comparison:
    """Everything the outcomes of A tell about which of two collections that differ in one row they came from.

    Args:
        records: the collection x.
        neighbour: the collection x', its rows in the same order.
        q: the flip probability, 0 < q < 1/2.
        k: reports per record.

    Raises:
        DomainError: collections that do not differ in exactly one row, or another argument out of range.
        TooLarge: the outcome space would not fit; the message names the number of outcomes.

    Source: KTEX, section 3.

    >>> pair = compare(["110", "111", "101"], ["000", "111", "101"], q="0.2")
    >>> print(pair.maximum, len(pair.attaining(pair.maximum)), pair.epsilon, pair.delta(lam=2))
    16 4 2.7725887222397812... 868063/1953125
    >>> compare(["11"], ["11"], q="0.2")
    Traceback (most recent call last):
    ...
    dpcalc.errors.DomainError: neighbour = ['11'] is not allowed: give a collection that differs in exactly one row
    """
    return _compared(*_asked(records, neighbour, q, k))


def _asked(
    records: Iterable[Any], neighbour: Iterable[Any], q: Number, k: Number
) -> tuple[tuple[Record, ...], tuple[Record, ...], Fraction, int]:
    """Both collections, q and k, as they are allowed to be."""
    rows, changed = collection(records), collection(neighbour, "neighbour")
    if len(rows) != len(changed):
        raise DomainError(
            "neighbour", neighbour,
            "as many records, one of them changed: with one record more the number of reports differs, so every "
            "outcome tells the collections apart and epsilon is infinite, unless n is hidden",
        )  # fmt: skip
    if len(rows[0]) != len(changed[0]):
        raise DomainError("neighbour", neighbour, f"records of {len(rows[0])} bits")
    if sum(x != y for x, y in zip(rows, changed, strict=True)) != 1:
        raise DomainError("neighbour", neighbour, "a collection that differs in exactly one row")
    return rows, changed, RandomizedResponse(q).q, integer(k, "k", minimum=1)


def _compared(rows: tuple[Record, ...], changed: tuple[Record, ...], q: Fraction, k: int) -> Comparison:
    weights, neighbour_weights = (query_weights(side, q, k)[0] for side in (rows, changed))
    return Comparison(
        records=rows, neighbour=changed, q=q, k=k, weights=weights, neighbour_weights=neighbour_weights
    )  # fmt: skip


def label(record: Record) -> str:
    """The vector as a string of bits."""
    return "".join(map(str, record))
