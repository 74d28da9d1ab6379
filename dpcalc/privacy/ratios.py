r"""The privacy ratios of the whole outcome space: R_s for every pooled count s, or for a range of them.

    R_s = P(S = s | changed record 0) / P(S = s | changed record 1),    s = 0, ..., k n.

It falls strictly as s grows, whatever the other records hold (proof notes, 1): s = 0 has the largest ratio. The
outcomes with a ratio above a limit come first, those with a reciprocal above it last.

Let N = k n reports be pooled, A = q + p x and B = p + q x. With m ones among the other n - 1 records,

    R_s = [x^s] B^k Q / [x^s] A^k Q,    Q = A^{km} B^{k(n-1-m)}.

**All records 1** (m = n - 1). The denominator is C(N, s) p^s q^{N-s}; the numerator c_s = [x^s] B^k A^{N-k} obeys the
recurrence of ``laws.pmf``. Divided by C(N, s) p^s q^{N-s} this is

    p^2 (N - s) R_{s+1} = (p^2 (N - s) - q^2 s - k (p^2 - q^2)) R_s + q^2 s R_{s-1},                            (1)

or, for the fall d_s = R_s - R_{s+1} from an outcome to the next, p^2 (N - s) d_s + q^2 s d_{s-1} = k (p^2 - q^2) R_s.
With q = u/D and v = D - u, E_s = C(N, k) (u v)^k R_s = sum_j C(N - s, k - j) C(s, j) v^{2(k-j)} u^{2j} is an integer of
about 2 k log2(v) bits whatever n is; E_0 = C(N, k) v^{2k}. So (1) costs a few short products for each outcome, and no
pmf. Only a block of outcomes is held: there is no n too large.

All other records 0: the mirror, R_s = 1/R_{N-s}, as counting zeros exchanges 0 and 1.

**Other datasets.** Numerator and denominator are two pmfs of N reports, each by its recurrence: two pmfs cost less than
one pmf Q and k + 1 products for each outcome.

Where the integers do not fit, both pmfs are enclosed.

Source: K16, (4.32)-(4.36), (5.9), (5.14); the recurrence (1) is that of the Krawtchouk polynomials, in s.
"""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import comb
from pathlib import Path
from typing import Any

from flint import arb

from dpcalc.errors import DomainError
from dpcalc.families.bits import Bits
from dpcalc.laws.generating_function import Probabilities, shortened
from dpcalc.laws.pmf import Recurrence
from dpcalc.laws.pool import Pool
from dpcalc.laws.terms import BITS, Numbers, Terms, chance
from dpcalc.mechanisms.pooled_count import pooled
from dpcalc.mechanisms.response import KRandomization, expect_bits
from dpcalc.numbers.enclosure import Enclosure
from dpcalc.numbers.limit import Limit
from dpcalc.numbers.rational import Number, deviations
from dpcalc.plots import Curve, Mark, Panel, draw, stride
from dpcalc.privacy.ratio import chance_of, exceedance, likelihood_mean, others_of
from dpcalc.report import MOST_ROWS, Tabled, aligned

_SHORT = 40_000  # bits: a step takes some microseconds
_MOST_BYTES = 10**9  # of both pmfs together: some ten seconds
_DIGITS = "12"  # in a table
_STEEPEST = 700.0  # the largest epsilon whose lambda is drawn: e to it is a double


@dataclass(frozen=True)
class Quotient(Numbers):
    """P[S = s] of one pool over that of another, of as many reports.

    Attributes:
        zero, one: the pools of D', where the changed record is 0, and of D, where it is 1.
    """

    zero: Pool
    one: Pool

    @property
    def size(self) -> int:
        """N."""
        return self.one.size

    @property
    def needs(self) -> tuple[int, int, str]:
        """Both pmfs."""
        return self.zero.pmf_bytes + self.one.pmf_bytes, _MOST_BYTES, "bytes"

    @cached_property
    def _weights(self) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """Both have the denominator D^N."""
        return self.zero.pmf().weights, self.one.pmf().weights

    def integers(self, low: int, high: int) -> tuple[Sequence[int], Sequence[int] | int]:
        """The weights of both pmfs."""
        above, below = self._weights
        return above[low:high], below[low:high]

    def balls(self, low: int, high: int) -> list[arb]:
        """Quotients of both pmfs."""
        pmfs = (pool.chances(low, high, BITS) for pool in (self.zero, self.one))
        return [x / y for x, y in zip(*pmfs, strict=True)]


@dataclass(frozen=True)
class AllOnes(Quotient):
    """R_s for all records 1, of k reports each; q is the flip probability.

    >>> from dpcalc.mechanisms.pooled_count import pooled
    >>> of = KRandomization(n=2, q="1/4")
    >>> AllOnes(pooled(of, 1), pooled(of, 2), of.k, of.q).integers(0, 3)
    ([18, 10, 2], 6)
    """

    k: int
    q: Fraction

    @property
    def needs(self) -> tuple[int, int, str]:
        """2 k log2(D) bits for each, about, however many there are."""
        return 2 * self.k * self.q.denominator.bit_length(), _SHORT, "bits each"

    def integers(self, low: int, high: int) -> tuple[Sequence[int], Sequence[int] | int]:
        """E_s, by (1), and C(N, k) (u v)^k."""
        u, v = self.q.numerator, self.q.denominator - self.q.numerator
        fall = self.size * v**2 - self.k * (v**2 - u**2)
        steps = Recurrence((v**2 * self.size, -(v**2)), (fall, -(u**2) - v**2), (0, u**2))
        below: int = comb(self.size, self.k) * (u * v) ** self.k
        before, first = (self._at(s, below) if s >= 0 else 0 for s in (low - 1, low))
        return list(map(int, steps.integers(low, high, before, first))), below

    def _at(self, s: int, below: int) -> int:
        found = likelihood_mean(self.q, self.k, (self.size - s, s))
        return found.numerator * (below // found.denominator)


@dataclass(frozen=True)
class AllZeros(AllOnes):
    """R_s beside records that are all 0: with both bits exchanged, 1/R_{N-s} beside records that are all 1."""

    def integers(self, low: int, high: int) -> tuple[Sequence[int], Sequence[int] | int]:
        """Those of all ones, numerators and denominators exchanged."""
        above, below = AllOnes.integers(self, self.size + 1 - high, self.size + 1 - low)
        assert isinstance(below, int)
        return [below] * len(above), above[::-1]


@dataclass(frozen=True, repr=False)
class Ratios(Terms, Tabled):
    """R_s of the outcomes s in a range, in its order: rationals where ``exact``, else enclosures.

    It is a sequence: ``ratios(m)[s]`` is R_s, and ``ratios(m)[a:b]`` are the ``Ratios`` of the outcomes a, ..., b - 1.
    Nothing is computed before it is asked for.

    Attributes:
        law: the numbers.
        outcomes: the range of s.
        mechanism: n, q and k.
        ones: how many of the other n - 1 records hold 1.
    """

    mechanism: KRandomization
    ones: int

    # --- the largest ones -----------------------------------------------------------------------------------

    @property
    def maximum(self) -> Fraction | Enclosure:
        """The largest ratio, attained at the outcome ``attained_at``."""
        return self[self.outcomes.index(self.attained_at)]

    @property
    def minimum(self) -> Fraction | Enclosure:
        """The smallest ratio, attained at the largest outcome."""
        return self[self.outcomes.index(max(self._ends()))]

    @property
    def attained_at(self) -> int:
        """The outcome of the largest ratio: the smallest one.

        Raises:
            DomainError: no outcomes.
        """
        return min(self._ends())

    def _ends(self) -> tuple[int, int]:
        if not self.outcomes:
            raise DomainError("outcomes", self.outcomes, "at least one outcome")
        return self.outcomes[0], self.outcomes[-1]

    # --- which outcomes, and how likely they are --------------------------------------------------------------

    def above(self, *, lam: Number | None = None, epsilon: Number | None = None) -> Ratios:
        """The outcomes with R_s > lambda; their ``probability`` is that of ``exceedance``.

        Raises:
            DomainError, TooLarge: as ``exceedance``.
        """
        return self._within(0, exceedance(self.mechanism, lam=lam, epsilon=epsilon, ones=self.ones).low)

    def below(self, *, lam: Number | None = None, epsilon: Number | None = None) -> Ratios:
        """The outcomes with 1/R_s > lambda.

        Raises:
            DomainError, TooLarge: as ``exceedance``.
        """
        found = exceedance(self.mechanism, lam=lam, epsilon=epsilon, ones=self.ones)
        return self._within(found.high, self.mechanism.reports)

    def window(self, sigmas: Number = 3) -> Ratios:
        """The outcomes at most ``sigmas`` standard deviations from the mean of S, as in ``count_interval``.

        S is the count of the dataset D, in which the changed record is 1.

        Raises:
            DomainError: sigmas <= 0.
        """
        found = self._one.window(deviations(sigmas))
        return self._within(found.start, found.stop - 1)

    def _within(self, low: int, high: int) -> Ratios:
        rising = self.outcomes if self.outcomes.step > 0 else self.outcomes[::-1]
        first, last = bisect_left(rising, low), bisect_right(rising, high)
        return self[first:last] if rising is self.outcomes else self[len(self) - last : len(self) - first]

    @property
    def probability(self) -> Enclosure:
        """P[S is one of the outcomes] under D, exact where the pmf is small."""
        return self._probability(self._one)

    @property
    def probability_neighbour(self) -> Enclosure:
        """The same under D', in which the changed record is 0."""
        return self._probability(self._zero)

    def _probability(self, pool: Pool) -> Enclosure:
        if abs(self.outcomes.step) > 1:
            return sum((chance for _, chance in self._chances(pool).rows()), Enclosure.of(0))
        if not self.outcomes:
            return Enclosure.of(0)
        return chance_of(pool, min(self._ends()), max(self._ends()), exact=self._short)

    @property
    def probabilities(self) -> Terms:
        """P[S = s] under D of each outcome: rationals where the pmf is small, else enclosures."""
        return self._chances(self._one)

    def _chances(self, pool: Pool) -> Terms:
        return Terms(Probabilities(pool, pool.pmf_bytes if self._short else 0), self.outcomes)

    @cached_property
    def _short(self) -> bool:
        """Whether the pmfs are small enough to be exact."""
        return Bits.of(self.mechanism).pair(self.ones).exact_fits

    @cached_property
    def _zero(self) -> Pool:
        return pooled(self.mechanism, self.ones)

    @cached_property
    def _one(self) -> Pool:
        return pooled(self.mechanism, self.ones + 1)

    # --- how they are shown ---------------------------------------------------------------------------------

    def __repr__(self) -> str:
        return f"<Ratios: {self._heading()}; {self.kind}>"

    def _heading(self) -> str:
        if not self.outcomes:
            return "no outcomes"
        ends = " to ".join(f"{s:,}" for s in dict.fromkeys(self._ends()))
        count = f"{len(self):,} outcome{'s' if len(self) > 1 else ''}"
        return f"{count}, s = {ends}; {self.ones:,} of the other records 1"

    def table(self, limit: int = MOST_ROWS) -> str:
        """The outcomes with their ratios and P[S = s] under D; if more than ``limit``, the first and the last ones."""
        parts = shortened(self, limit)
        rows = [row for part in parts for row in _rows(part)]
        if len(parts) > 1:
            rows.insert(len(parts[0]), ["...", "...", "..."])
        kinds = f"ratio {self.kind}; P[S = s] {self.probabilities.kind}"
        return "\n".join([self._heading(), kinds, *aligned([["s", "ratio", "P[S = s]"], *rows], right=True)])

    def rows(self) -> Iterator[tuple[int, Enclosure, Enclosure]]:
        """s, R_s and P[S = s] under D for each outcome, to be written one by one.

        Raises:
            TooLarge: more than a million outcomes.
        """
        return ((s, x, y) for (s, x), (_, y) in zip(super().rows(), self.probabilities.rows(), strict=True))

    def to_dict(self) -> dict[str, Any]:
        """For JSON.

        Raises:
            TooLarge: more than a million outcomes.
        """
        rows = [{"s": s, "ratio": x.to_dict(), "probability": y.to_dict()} for s, x, y in self.rows()]
        return {"ones": self.ones, "exact": self.exact, "ratios": rows}

    def plot(
        self, path: str | Path, *, lam: Number | None = None, epsilon: Number | None = None, sigmas: Number = 3
    ) -> None:
        """Draw the ratio, and P[S = s] under D and D', over the outcomes, with the limit and the ends of the window.

        Outcomes more than twice as far from the mean as the ends of the window are left out: they are never seen.

        Raises:
            DomainError: no outcomes there; both of lam and epsilon; a file name ending other than .png, .pdf, .svg.
            DpcalcError: matplotlib is not installed.
        """
        reach = deviations(sigmas)
        wide, window = self.window(2 * reach), self.window(reach)
        low, high = wide._ends()
        thin = wide[:: stride(len(wide))]
        level, said = None, ""
        if lam is not None or epsilon is not None:
            limit, above = Limit.of(lam=lam, epsilon=epsilon), self.above(lam=lam, epsilon=epsilon)
            level = (math.exp(min(limit.steer(), _STEEPEST)), str(limit))
            said = f", above the limit with probability {chance(above.probability, '4')}"
        ends = window[:: max(1, len(window) - 1)]
        marks = [Mark(x=s, y=y, label=f"s = {s:,}") for s, y in zip(ends.outcomes, ends.floats(), strict=True)]
        laws = {"1": thin.probabilities, "0": thin._chances(self._zero)}
        panels = [
            Panel(
                title=f"privacy ratio{said}", x_label="s", y_label="ratio", x_logarithmic=False, level=level,
                marks=marks, curves=[_curve("ratio", thin)],
            ),
            Panel(
                title="how likely each outcome is", x_label="pooled count s", y_label="probability",
                x_logarithmic=False, logarithmic=False,
                curves=[_curve(f"changed record {bit}", law) for bit, law in laws.items()],
            ),
        ]  # fmt: skip
        draw(panels, path, title=f"outcomes {low:,} to {high:,}, {self.ones:,} of the other records 1")


def ratios(mechanism: KRandomization, *, ones: Number | None = None) -> Ratios:
    """R_s for every outcome s = 0, ..., k n: a sequence, with its largest values, windows, probabilities, a picture.

    With all records 1, or all others 0, the ratios are rational for any n, and enclosed only if k log2(D) > 20,000,
    where q = u/D. For other datasets they are rational where two pmfs fit into 1 GB, as for about 20,000 reports with
    D = 1000, and else enclosed to some 40 digits.

    Args:
        mechanism: n, q and k.
        ones: how many of the other n - 1 records hold 1; default all of them, K16's dataset.

    Raises:
        DomainError: ones out of range; records of several bits.

    Source: K16, (4.32), (5.9).

    >>> r = ratios(KRandomization(n=1000, q="0.0087640676"))
    >>> r.maximum == r[0] == r.mechanism.odds, r.attained_at
    (True, 0)
    >>> near = r.window(3)
    >>> near.outcomes, print(Enclosure.of(near.maximum), near.probability)
    1.9314298244165308... 0.99607640216562214...
    (range(983, 1001), None)
    >>> r.above(lam=2).outcomes, print(r.above(lam=2).probability)
    0.0039235978343778598...
    (range(0, 983), None)
    """
    expect_bits(mechanism, "ratios")
    most, others = mechanism.n - 1, others_of(mechanism, ones)
    pools = pooled(mechanism, others), pooled(mechanism, others + 1)
    law = Quotient(*pools)
    if others in (0, most):
        law = (AllOnes if others == most else AllZeros)(*pools, mechanism.k, mechanism.q)
    return Ratios(law, range(mechanism.reports + 1), mechanism, others)


def _rows(part: Ratios) -> list[list[str]]:
    return [[f"{s:,}", *(chance(x, _DIGITS) for x in each)] for s, *each in part.rows()]


def _curve(label: str, terms: Terms) -> Curve:
    """The curve of all terms that are finite and above 0 as doubles."""
    points = [(s, y) for s, y in zip(terms.outcomes, terms.floats().tolist(), strict=True) if 0 < y < math.inf]
    return Curve(label=label, x=[float(s) for s, _ in points], y=[y for _, y in points])
