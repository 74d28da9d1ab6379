"""DW, "Differential Privacy": what delta means."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import comb

from dpcalc.claims.cases import mechanisms, rows_of
from dpcalc.claims.checking import equal, exhausted, repaired
from dpcalc.claims.claim import Finding, Ledger, Ruling
from dpcalc.mechanisms.finite import FiniteMechanism

__all__ = ["ledger"]

ledger = Ledger("DW")


@ledger.claim(
    "s-leakage-0.1",
    where="Differential Privacy, on delta",
    says="A privacy leakage of 0.1 % for 100 rows means that one individual's information is leaked completely.",
    script="""
        from fractions import Fraction as F
        leaked = F(1, 10) / 100 * 100  # 0.1 per cent of 100 rows
        assert leaked == F(1, 10) and F(1) / 100 * 100 == 1 and F(1, 10) / 100 * 1000 == 1
    """,
)
def _tenth_of_a_percent() -> Finding:
    """A share of 1/1000 of 100 rows is a tenth of a row. One row is 1 % of 100, or 0.1 % of 1,000."""
    share, rows = Fraction("0.1") / 100, 100
    return equal(1, share * rows, shown=("1 row", f"{share * rows} row"))


@ledger.claim(
    "s-delta-range",
    where="Differential Privacy, on delta",
    says="delta lies between 0 and 1, as the other side of the inequality is a probability.",
)
def _delta_range() -> Finding:
    """S = {} gives 0 <= delta; and delta = 1 is enough for every mechanism, as P[M(x) in S] <= 1."""
    return exhausted(
        product(mechanisms(2, 3, 3), (1, 2)),
        lambda c: c[0].delta(lam=c[1]) >= 0 and c[0].delta(lam=c[1]) <= 1 and c[0].is_private(lam=c[1], delta=1).holds,
        over="mechanisms of 3 outcomes in thirds, lambda 1 and 2", shown=("0 <= delta <= 1", "0 <= delta <= 1"),
        proven=True,
    )  # fmt: skip


@ledger.claim(
    "s-delta-minimum",
    where="Differential Privacy, on delta",
    says="A delta other than 0 means a minimum leakage of delta * 100 %.",
    script="""
        from fractions import Fraction as F
        x, y, delta = (F(1, 2), F(1, 2)), (F(1, 2), F(1, 2)), F(1, 4)  # an answer that ignores the data
        events = [(), (0,), (1,), (0, 1)]
        excess = [sum(x[s] for s in S) - sum(y[s] for s in S) for S in events]
        assert max(excess) <= delta and x == y  # private with this delta, and nothing leaks
    """,
)
def _delta_minimum() -> Finding:
    """It is a maximum: what an event's probability may have beyond e^epsilon times a neighbour's.

    A mechanism that is (epsilon, delta)-private may exceed by less, or leak nothing at all.
    """
    delta = Fraction(1, 4)
    allowed = [m for m in mechanisms(2, 2, 4) if m.is_private(lam=3, delta=delta)]
    constant = FiniteMechanism([["1/2", "1/2"], ["1/2", "1/2"]])
    return repaired(
        [constant, *allowed], lambda m: m.delta(lam=3) >= delta, lambda m: m.delta(lam=3) <= delta,
        over="(ln 3, 1/4)-private mechanisms of 2 outcomes, in quarters", failing=Ruling.REFUTED,
        shown=("at least delta is leaked", "at most delta in excess of e^epsilon"),
        show=lambda m: f"M = {rows_of(m.matrix)}",
    )  # fmt: skip


@ledger.claim(
    "s-delta-polynomial",
    where="Differential Privacy, on delta",
    says="A delta below the inverse of every polynomial in the size n makes sure that no individual's row is leaked.",
    assuming="in the limit of large n; leaked: an outcome that is impossible without the row",
)
def _negligible() -> Finding:
    """An event that is impossible without row i has probability at most e^epsilon * 0 + delta.

    So some row is leaked with probability at most n delta. If delta < n^-(c+1) for every c, this is
    below n^-c for every c. The inverse of one polynomial is not enough: publishing each row with
    probability delta = 1/n is (0, delta)-private and publishes some row with probability 1 - (1 -
    1/n)^n > 1 - 1/e.
    """
    return exhausted(
        product((2, 5, 10, 50, 100), (1, 2, 3, 4)), lambda c: _as_bounded(*c),
        over="each row published with probability n^-1 to n^-4, n up to 100",
        shown=("delta < 1/polynomial(n)", "P[a row leaks] <= n delta"), proven=True,
    )  # fmt: skip


@ledger.claim(
    "s-delta-percentage",
    where="Differential Privacy, on delta, in brackets",
    says="A delta below the inverse of a polynomial ensures that the percentage leaked is less than the data's size.",
    assuming="the polynomial n: delta < 1/n; the remark is meant to say that no whole row may leak",
    script="""
        from fractions import Fraction as F
        n, delta = 9, F(11, 100)
        assert delta < F(1, n) and n * delta < 1  # less than one row
        assert 100 * delta == 11 > n  # but 11 per cent, and 9 rows
    """,
)
def _percentage() -> Finding:
    """A percentage is no number of rows: delta < 1/n ensures n delta < 1, not 100 delta < n.

    n delta < 1 is less than one row in expectation. 100 delta < n need not hold for n < 10. For n
    >= 10 it does, as 100/n <= n, and for n > 100 it is true of every delta <= 1, so that it forbids
    nothing there.
    """
    cases = [(9, Fraction(11, 100)), *((n, Fraction(1, n) - Fraction(1, 1000)) for n in (2, 5, 9, 10, 50, 120))]
    return repaired(
        (c for c in cases if c[1] < Fraction(1, c[0])), lambda c: 100 * c[1] < c[0], lambda c: _rows_published(*c) < 1,
        over="n = 2 to 120, delta just below 1/n", shown=("100 delta < n", "n delta < 1"),
        show=lambda c: f"n = {c[0]}, delta = {c[1]}: 100 delta = {100 * c[1]} > n",
    )  # fmt: skip


def _as_bounded(n: int, power: int) -> bool:
    """Whether some row is published with probability at most n delta, delta = n^-power, and often
    for 1/n.
    """
    chance = _some_row(n, Fraction(1, n**power))
    return 0 < chance <= Fraction(n, n**power) and (power > 1 or chance > Fraction(63, 100))


def _some_row(n: int, delta: Fraction) -> Fraction:
    """The probability that some row is published, each of n rows with probability delta.

    For one row, there or not there, that is a mechanism whose least delta is this delta, whatever
    lambda is.
    """
    one = FiniteMechanism([[delta, 1 - delta], [0, 1]])
    return 1 - (1 - one.delta(lam=10**6).value) ** n


def _rows_published(n: int, delta: Fraction) -> Fraction:
    """The expected number of rows published, each of n with probability delta: the mean of a
    binomial count.
    """
    return sum((i * comb(n, i) * delta**i * (1 - delta) ** (n - i) for i in range(n + 1)), Fraction(0))
