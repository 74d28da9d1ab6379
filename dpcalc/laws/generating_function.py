r"""The generating function of a count of independent reports: its factors, and its coefficients.

    G(x) = prod (1 - a + a x)^c = E x^S = sum_i P[S = i] x^i,

with factors (a, c): c reports that are 1 with probability a.

Every root is real and negative, x = -r with r = (1 - a)/a: G(x) = (prod a^c) prod (r + x)^c, the form of K16's Lemma 1.
So Newton's inequalities hold, g_i^2 >= g_{i-1} g_{i+1} with g_i = P[S = i] / C(N, i), and log-concavity, which is less.
The cumulants of independent reports add up; with ln G(e^t) = sum kappa_j t^j / j!, those of one report are polynomials
in its probability, kappa_1 = a and kappa_{j+1} = a (1 - a) d kappa_j / da, as a' = a (1 - a) for a tilted by e^t.

Source: K16, (4.7)-(4.20), (5.5)-(5.8).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any, TypeVar

from flint import arb, fmpq, fmpq_poly

from dpcalc.errors import DomainError, must_fit
from dpcalc.laws.log_concavity import LogConcavity, compared
from dpcalc.laws.pmf import MAX_BYTES, Pmf
from dpcalc.laws.pool import Pool
from dpcalc.laws.terms import BITS, Numbers, Terms, chance
from dpcalc.numbers.enclosure import Enclosure
from dpcalc.numbers.lists import as_list, flag
from dpcalc.numbers.rational import Number, between, integer, rational
from dpcalc.report import MOST_ROWS, Tabled, aligned

_MOST_COMPARED = 2 * 10**11  # bytes of coefficients: some two minutes
_FACTORS = "pairs (a, c): c reports that are 1 with probability a, 0 < a < 1"

_Some = TypeVar("_Some", bound=Terms)


@dataclass(frozen=True)
class Probabilities(Numbers):
    """P[S = i] of a pool.

    Attributes:
        pool: of the reports.
        most: how many bytes exact ones may take.
    """

    pool: Pool
    most: int

    @property
    def size(self) -> int:
        """N."""
        return self.pool.size

    @property
    def needs(self) -> tuple[int, int, str]:
        """The whole pmf."""
        return self.pool.pmf_bytes, self.most, "bytes"

    @cached_property
    def pmf(self) -> Pmf:
        """All of them."""
        return self.pool.pmf()

    def integers(self, low: int, high: int) -> tuple[tuple[int, ...], int]:
        """The weights."""
        return self.pmf.weights[low:high], self.pmf.denominator

    def fraction(self, numerator: int, denominator: int) -> Fraction:
        """As the pmf does."""
        return self.pmf.fraction(numerator)

    def balls(self, low: int, high: int) -> list[arb]:
        """By inversions and the recurrence."""
        return self.pool.chances(low, high, BITS)


@dataclass(frozen=True, init=False, repr=False)
class GeneratingFunction(Tabled):
    """G(x) = prod (1 - a + a x)^c.

    Attributes:
        factors: the pairs (a, c), each a once.

    Raises:
        DomainError: factors that are no such pairs, or none with c > 0.

    >>> G = GeneratingFunction([("3/4", 1), ("1/4", 2)])
    >>> G.degree, G.mean, G.variance, G(1), list(G.coefficients) == list(G.pmf)
    (3, Fraction(5, 4), Fraction(9, 16), Fraction(1, 1), True)
    >>> G.roots
    ((Fraction(-1, 3), 1), (Fraction(-3, 1), 2))
    >>> found = G.log_concavity(ultra=True, strict=True)
    >>> found.holds, found.tightest, found.margin
    (True, 2, Enclosure(64/297))
    """

    factors: tuple[tuple[Fraction, int], ...]

    def __init__(self, factors: Iterable[tuple[Number, Number]]) -> None:
        found = []
        for pair in as_list(factors, "factors", _FACTORS):
            if not isinstance(pair, tuple | list) or len(pair) != 2:
                raise DomainError("factors", pair, _FACTORS)
            found.append((between(pair[0], "factors", 0, 1, _FACTORS), integer(pair[1], "factors", minimum=0)))
        object.__setattr__(self, "factors", Pool.of(*found).kinds)
        if not self.factors:
            raise DomainError("factors", factors, "at least one factor with c > 0")

    @cached_property
    def _pool(self) -> Pool:
        return Pool(self.factors)

    @property
    def degree(self) -> int:
        """N, the number of reports."""
        return self._pool.size

    @property
    def roots(self) -> tuple[tuple[Fraction, int], ...]:
        """The pairs (x, c): a root x = -(1 - a)/a < 0 of multiplicity c. K16's Lemma 1 has r = -x."""
        return tuple((1 - 1 / a, c) for a, c in self.factors)

    def __call__(self, x: Number) -> Fraction:
        """G(x) = E x^S, exactly."""
        at = rational(x, "x")
        value = Fraction(1)
        for a, c in self.factors:
            value *= (1 - a + a * at) ** c
        return value

    def __mul__(self, other: GeneratingFunction) -> GeneratingFunction:
        """The product: that of the sum of the two counts, independent of each other."""
        if not isinstance(other, GeneratingFunction):
            return NotImplemented
        return GeneratingFunction([*self.factors, *other.factors])

    @cached_property
    def _law(self) -> Probabilities:
        return Probabilities(self._pool, MAX_BYTES)

    @property
    def coefficients(self) -> Terms:
        """P[S = i] for i = 0, ..., N: rationals, or enclosures where the exact ones would take more than 2 GB."""
        return Terms(self._law, range(self.degree + 1))

    @property
    def pmf(self) -> Pmf:
        """The coefficients as integers over one denominator.

        Raises:
            TooLarge: they would take more than about 2 GB.
        """
        return self._law.pmf

    @property
    def mean(self) -> Fraction:
        """E S = G'(1)."""
        return self._pool.mean

    @property
    def variance(self) -> Fraction:
        """Var S."""
        return self._pool.variance

    def cumulants(self, count: Number) -> tuple[Fraction, ...]:
        """kappa_1 (the mean), kappa_2 (the variance), ..., as many as asked for, up to 100.

        Raises:
            DomainError: count outside 1..100.

        >>> GeneratingFunction([("1/4", 8)]).cumulants(3)
        (Fraction(2, 1), Fraction(3, 2), Fraction(3, 4))
        """
        orders = integer(count, "count", minimum=1, maximum=100)
        one, found = fmpq_poly([0, 1]), []
        for _ in range(orders):
            total = sum((c * one(fmpq(a.numerator, a.denominator)) for a, c in self.factors), fmpq(0))
            found.append(Fraction(int(total.p), int(total.q)))
            one = fmpq_poly([0, 1, -1]) * one.derivative()
        return tuple(found)

    def log_concavity(
        self, *, ultra: bool = False, strict: bool = False, progress: Callable[[float], None] | None = None
    ) -> LogConcavity:
        """Whether the coefficients are log-concave, or keep Newton's inequalities (``ultra``): compared exactly.

        With at most two factors only three of them are held in memory (proof notes, 1.12).

        Args:
            ultra: ask for Newton's inequalities.
            strict: ask for > in place of >=.
            progress: called now and then with the share of the coefficients that is done.

        Raises:
            TooLarge: it would take longer than some two minutes, or the coefficients of more than two factors would
                take more than about 2 GB.
        """
        stronger, above = flag(ultra, "ultra"), flag(strict, "strict")
        must_fit(
            f"to compare {self.degree:,} coefficients", self._pool.pmf_bytes, _MOST_COMPARED, "bytes in all",
            instead="fewer reports; of any number it is theorem 1.1",
        )  # fmt: skip
        return compared(self._pool.one_by_one(), self.degree, ultra=stronger, strict=above, progress=progress)

    def expression(self) -> Any:
        """G as a sympy expression in x; with free n, m, k and q, to differentiate in m, it is in ``symbolic``."""
        from sympy import Mul, Rational, Symbol

        x, factors = Symbol("x"), [(Rational(a.numerator, a.denominator), c) for a, c in self.factors]
        return Mul(*[(1 - a + a * x) ** c for a, c in factors])

    def table(self, limit: int = MOST_ROWS) -> str:
        """The degree, and the first and last coefficients."""
        heading = f"degree {self.degree:,}, mean {Enclosure.of(self.mean)}, coefficients {self.coefficients.kind}"
        return "\n".join([heading, *listed(self.coefficients, limit)])


def listed(coefficients: Terms, limit: int = MOST_ROWS) -> list[str]:
    """Lines with the outcomes and their probabilities; of more than ``limit`` the first and the last."""
    parts = shortened(coefficients, limit)
    rows = [[f"{i:,}", chance(x)] for part in parts for i, x in part.rows()]
    if len(parts) > 1:
        rows.insert(len(parts[0]), ["...", "..."])
    return aligned([["s", "P[S = s]"], *rows])


def shortened(terms: _Some, limit: int) -> list[_Some]:
    """The terms, or the first and the last of more than ``limit``."""
    half = max(1, limit // 2)
    return [terms] if len(terms) <= max(limit, 2) else [terms[:half], terms[-half:]]
