"""K16, section 4.2: the end of the theorem's proof."""

from __future__ import annotations

from fractions import Fraction

from dpcalc.claims.checking import all_of, exhausted, identity
from dpcalc.claims.claim import Finding, Ledger, Ruling
from dpcalc.claims.k16.polynomials import EQUALITY, GRID, GROWS, generating, mechanisms, strictly
from dpcalc.claims.k16.products import elementary
from dpcalc.mechanisms.pooled_count import log_concavity_in_ones
from dpcalc.mechanisms.response import KRandomization
from dpcalc.symbolic import m, n, p, q, x, z

__all__ = ["ledger"]

ledger = Ledger("K16")


@ledger.claim(
    "s4.2-factored",
    where="section 4.2.1, after Lemma 1",
    says="G_m(x) = p^m q^(n-m) (q/p + x)^m (p/q + x)^(n-m).",
)
def _factored() -> Finding:
    """q + p x = p (q/p + x) and p + q x = q (p/q + x), raised to the powers m and n - m."""
    said = p**m * q ** (n - m) * (q / p + x) ** m * (p / q + x) ** (n - m)
    at, some = {q: "1/4", x: 2}, {m: 2, n: 5}
    return all_of(
        identity(p * (q / p + x), generating(m).subs({m: 1, n: 1}), at=at),
        identity(q * (p / q + x), generating(m).subs({m: 0, n: 1}), at=at),
        identity(
            said.subs(some), generating(m).subs(some), at=at,
            shown=("p^m q^(n-m) (q/p + x)^m (p/q + x)^(n-m)", "(q + p x)^m (p + q x)^(n-m)"),
        ),
    )  # fmt: skip


@ledger.claim(
    "s4.2-roots",
    where="section 4.2.1, after Lemma 1",
    says="The factors are of the form that Lemma 1 needs, r_j >= 0.",
    assuming="0 < q < 1/2",
)
def _roots_are_positive() -> Finding:
    """r_j is q/p or p/q, both positive; q > 0 is needed. The argument is about the common factor Q
    and not about G_m, as K16 writes here: the lemma for G_m would compare neighbouring i, and the
    theorem compares neighbouring m. Q has the same kinds of factors, two fewer.
    """
    positive = all(root.subs(q, 1 / (2 + z)).factor().is_positive for root in (q / p, p / q))
    return Finding(
        ruling=Ruling.PROVEN if positive else Ruling.REFUTED, said="q/p >= 0 and p/q >= 0", exact="q/p > 0 and p/q > 0"
    )  # fmt: skip


@ledger.claim(
    "s4.2-conclusion",
    where="section 4.2.1, end of the proof",
    says="By Lemma 1, a_i^m / a_i^(m+1) > a_i^(m-1) / a_i^m.",
    assuming="0 < m < n",
    script=EQUALITY,
)
def _conclusion() -> Finding:
    """At i = 0 and i = n both sides are equal.

    Lemma 1, applied to Q (not to G_m), gives >= for every i, and > exactly where b_{i-1} > 0: for
    0 < i < n.

    Checked with the coefficients of the factored form, p^m q^(n-m) times elementary symmetric sums of
    the r_j.
    """

    def gain(pool: KRandomization, ones: int, i: int) -> Fraction:
        fewer, same, more = (_factored_coefficients(pool, ones + step)[i] for step in (-1, 0, 1))
        return same / more - fewer / same

    return strictly(gain, GROWS)


@ledger.claim(
    "s4.2-all-ones",
    where="section 4.2.1, last sentence",
    says="The ratio is largest for m = n.",
    assuming="m ones in D (see s4.2-coefficients)",
)
def _largest_at_n() -> Finding:
    """With >= for > the ratio a_i^(m-1)/a_i^m does not fall from m to m + 1, for m = 1, ..., n - 1;
    so it is largest at m = n, which is all the theorem says. Strictness is not needed.
    """
    return exhausted(
        mechanisms(), lambda pool: bool(log_concavity_in_ones(pool)), over=GRID,
        shown=("largest at m = n", "largest at m = n, with >= for >"), proven=True,
    )  # fmt: skip


# --- helpers ------------------------------------------------------------------------------------------------------


def _factored_coefficients(pool: KRandomization, ones: int) -> list[Fraction]:
    """The coefficients of p^m q^(n-m) (q/p + x)^m (p/q + x)^(n-m), m = ``ones``."""
    zeros = pool.n - ones
    roots = (pool.q / pool.p,) * ones + (pool.p / pool.q,) * zeros
    return [pool.p**ones * pool.q**zeros * c for c in elementary(roots)]
