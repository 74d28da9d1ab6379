"""K16, section 5.3: that bound three standard deviations below the mean, and the least q."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction as F

from sympy import Expr, Rational, binomial, sqrt

from dpcalc import symbolic
from dpcalc.choose.local import local_q
from dpcalc.claims.checking import all_of, equal, exhausted, identity, named, restricted, unpacked
from dpcalc.claims.claim import Finding, Ledger, Ruling
from dpcalc.claims.k16.forms import (
    AT_END,
    for_repeats,
    in_odds,
    moments,
    p,
)
from dpcalc.mechanisms.response import KRandomization
from dpcalc.numbers.elementary import sqrt as root
from dpcalc.privacy.ratio import ratio
from dpcalc.symbolic import k, lam, n, q, s, z

__all__ = ["ledger"]

ledger = Ledger("K16")


@ledger.claim(
    "s5.3-window",
    where="section 5.3, display after (5.13)",
    says="Three deviations below the mean, s = pkn - 3 sqrt(pqkn).",
)
def _end() -> Finding:
    """Mean pkn and variance pqkn, as S sums kn independent reports; the check takes both from log G
    at x = 1.
    """
    mean, spread = moments(n)
    shown = ("pkn - 3 sqrt(pqkn)", "E S - 3 sqrt(Var S)")
    return in_odds(_END, mean - 3 * sqrt(spread), reports=k, shown=shown)


_END = p * k * n - 3 * sqrt(p * q * k * n)


@ledger.claim("5.14", where="(5.14), section 5.3", says="That s is put into the bound (5.13).")
def _inserted() -> Finding:
    """A substitution. The check compares with the bound in its closed form, for k = 1..3."""
    return _chain(
        "((pkn - 3 sqrt(pqkn))/(kn))^i ...",
        lambda i, j: ((p * k * n - 3 * sqrt(p * q * k * n)) / (k * n)) ** i
        * (1 - (p * k * n - 3 * sqrt(p * q * k * n)) / (k * n)) ** j
        * p ** (j - i) / q ** (j - i)
    )  # fmt: skip


@ledger.claim(
    "5.15",
    where="(5.15), section 5.3",
    says="(5.14) = sum over i of (p - 3 sqrt(pq/(kn)))^i (1 - p + 3 sqrt(pq/(kn)))^(k-i) C(k, i) (p/q)^(k-2i).",
)
def _shares() -> Finding:
    """Term by term, as sqrt(pqkn)/(kn) = sqrt(pq/(kn))."""
    return _chain(
        "(p - 3 sqrt(pq/(kn)))^i ...",
        lambda i, j: (p - 3 * sqrt(p * q / (k * n))) ** i
        * (1 - p + 3 * sqrt(p * q / (k * n))) ** j
        * p ** (j - i) / q ** (j - i)
    )  # fmt: skip


@ledger.claim(
    "5.16",
    where="(5.16), section 5.3",
    says="(5.14) = sum over i of (q/p)^i (p - 3 sqrt(pq/(kn)))^i (p/q)^(k-i) (q + 3 sqrt(pq/(kn)))^(k-i) C(k, i).",
)
def _split() -> Finding:
    """Term by term, as (p/q)^(k-2i) = (q/p)^i (p/q)^(k-i) and 1 - p = q."""
    return _chain(
        "(q/p)^i (p - 3 sqrt(pq/(kn)))^i ...",
        lambda i, j: q**i / p**i * (p - 3 * sqrt(p * q / (k * n))) ** i
        * p**j / q**j * (q + 3 * sqrt(p * q / (k * n))) ** j
    )  # fmt: skip


@ledger.claim(
    "5.17",
    where="(5.17), section 5.3",
    says="(5.14) = sum over i of C(k, i) (q - 3q sqrt(q/(pkn)))^i (p + 3p sqrt(p/(qkn)))^(k-i).",
)
def _absorbed() -> Finding:
    """Term by term: (q/p) sqrt(pq/(kn)) = q sqrt(q/(pkn)) and (p/q) sqrt(pq/(kn)) = p
    sqrt(p/(qkn)).
    """
    return _chain(
        "(q - 3q sqrt(q/(pkn)))^i ...",
        lambda i, j: (q - 3 * q * sqrt(q / (p * k * n))) ** i * (p + 3 * p * sqrt(p / (q * k * n))) ** j,
    )


@ledger.claim("5.18", where="(5.18), section 5.3", says="(5.14) = (q - 3q sqrt(q/(pkn)) + p + 3p sqrt(p/(qkn)))^k.")
def _summed() -> Finding:
    """The binomial theorem."""
    said = q - 3 * q * sqrt(q / (p * k * n)) + p + 3 * p * sqrt(p / (q * k * n))
    return _power("(q - 3q sqrt(q/(pkn)) + p + ...)^k", said)


@ledger.claim("5.19", where="(5.19), section 5.3", says="(5.14) = (q + p + 3p sqrt(p/(qkn)) - 3q sqrt(q/(pkn)))^k.")
def _reordered() -> Finding:
    """The same sum in another order."""
    said = q + p + 3 * p * sqrt(p / (q * k * n)) - 3 * q * sqrt(q / (p * k * n))
    return _power("(q + p + 3p sqrt(p/(qkn)) - ...)^k", said)


@ledger.claim("5.20", where="(5.20), section 5.3", says="(5.14) = (1 + 3 (p - q)/sqrt(qpkn))^k.")
def _short() -> Finding:
    """p sqrt(p/q) - q sqrt(q/p) = (p^2 - q^2)/sqrt(pq) = (p - q)/sqrt(pq), as p + q = 1.

    The check compares with (5.13) at the end of the window and with the closed form of this bound.
    """
    said, text = 1 + 3 * (p - q) / sqrt(q * p * k * n), "(1 + 3 (p - q)/sqrt(qpkn))^k"
    found = _power(text, said)
    base, exponent = symbolic.window_bound().subs(z, 3).as_base_exp()
    same = in_odds(said, base, reports=k, shown=(text, AT_END))
    return all_of(found, same, equal(k, exponent, proven=True, shown=(text, AT_END)))


@ledger.claim(
    "5.21",
    where="(5.21), section 5.3",
    says="R_s < (1 + 3 (p - q)/sqrt(qpkn))^k for the outcomes down to s, and this is to be at most lambda.",
    script="""
        from fractions import Fraction as F
        n, k, p, q = 100, 1, F(9, 10), F(1, 10)  # sqrt(qpkn) = 3, s = 90 - 9 = 81
        exact = F(n - 81, n) * p / q + F(81, n) * q / p
        assert not exact < (1 + 3 * (p - q) / 3) ** k and exact == F(9, 5)
    """,
)
def _bounded() -> Finding:
    """It can be an equality, for k = 1 or s = 0 at the end of the window.

    The bound of (5.13) falls in s, so for s >= pkn - 3 sqrt(pqkn), R_s <= (5.13) at s <= (5.20).

    Both are equalities only where s is the end of the window itself, and k = 1 or s = 0: then "<"
    fails. The check takes kn a square and q = 1/(1 + r^2), where the root is rational, and
    q = kn/(kn + 9), where the window ends at s = 0.
    """
    return restricted(
        _windows(),
        said=unpacked(_below_window_bound),
        where=unpacked(lambda n, k, q, s: k >= 2 and s > 0),
        over="k >= 2 and s > 0; <= always",
        shown=("R_s < (1 + 3 (p - q)/sqrt(qpkn))^k", "<=; = for k = 1 at s = pn - 3 sqrt(pqn)"),
        show=named("n, k, q, s"),
    )


def _windows() -> Iterator[tuple[int, int, F, int]]:
    """(n, k, q, s), s >= 0 in the lower half of the window, sqrt(pqkn) being rational."""
    for records, repeats in ((100, 1), (2, 2), (50, 2), (3, 3), (12, 3), (25, 4), (5, 5), (6, 6)):
        total = records * repeats
        for lie in (F(1, 10), F(1, 5), F(1, 17), F(total, total + 9)):
            if lie < F(1, 2):
                mean, reach = (1 - lie) * total, 3 * _exact_root(lie * (1 - lie) * total)
                yield from ((records, repeats, lie, seen) for seen in range(total) if mean - reach <= seen <= mean)


def _exact_root(square: F) -> F:
    return root(square).value


def _below_window_bound(n: int, k: int, q: F, s: int) -> bool:
    exact = ratio(KRandomization(n=n, k=k, q=q), s)
    bound = (1 + 3 * (1 - 2 * q) / _exact_root(q * (1 - q) * k * n)) ** k
    if exact > bound:
        raise ArithmeticError(f"the bound fails at n = {n}, k = {k}, q = {q}, s = {s}")
    return exact < bound


@ledger.claim(
    "5.22",
    where="(5.22), section 5.3",
    says="(1 + 3 (p - q)/sqrt(qpkn))^k <= lambda keeps the ratio within lambda down to three deviations.",
)
def _sufficient() -> Finding:
    """By (5.21) with <=. It is sufficient, not necessary, for k > 1, as R_s is below its bound.

    The check takes lambda equal to the bound, and every outcome of the lower half of the window;
    above the mean R_s is smaller still.
    """
    bound = symbolic.window_bound().subs(z, 3)
    return exhausted(
        _windows(),
        lambda case: bool(
            Rational(ratio(KRandomization(n=case[0], k=case[1], q=case[2]), case[3]))
            <= bound.subs({n: case[0], k: case[1], q: Rational(case[2])})
        ),
        over="8 pairs n, k, up to 4 values of q, every s in the lower half of the window",
        shown=("then R_s <= lambda", "then R_s <= lambda"),
        proven=True,
    )


@ledger.claim(
    "5.23",
    where="(5.23), section 5.3",
    says="So qpkn/(p - q)^2 >= 9/(lambda^(1/k) - 1)^2.",
    assuming="lambda > 1",
)
def _squared() -> Finding:
    """The k-th root of (5.22) is y <= lambda^(1/k) - 1 with y = 3 (p - q)/sqrt(qpkn) > 0; square
    and invert, where 9/y^2 = qpkn/(p - q)^2. An equivalence for lambda > 1.
    """
    base, _ = symbolic.window_bound().subs(z, 3).as_base_exp()
    said = q * p * k * n / (p - q) ** 2
    return in_odds(said, 9 / (base - 1) ** 2, reports=k, shown=("qpkn/(p - q)^2", "9/(bound^(1/k) - 1)^2"))


@ledger.claim(
    "5.24",
    where="(5.24), section 5.3",
    says="The least q is (1 - 1/sqrt(1 + 4c))/2 with c = 9/((lambda^(1/k) - 1)^2 kn).",
    assuming="lambda > 1, 0 < q < 1/2",
)
def _closed_form() -> Finding:
    """(5.23) is v >= c with v = pq/(p - q)^2 = pq/(1 - 4pq), which grows with q; v = c where
    p - q = 1/sqrt(1 + 4c).

    Put into v, the printed q must give c back; the closed form and the solver must agree with it.
    """
    c = 9 / ((lam ** (1 / k) - 1) ** 2 * k * n)
    said = (1 - 1 / sqrt(1 + 4 * c)) / 2
    at, shown = {lam: 4, n: 100, k: 2}, ("(1 - 1/sqrt(1 + 4c))/2", "(1 - 1/sqrt(1 + 4c))/2")
    back = (q * (1 - q) / (1 - 2 * q) ** 2).subs(q, said)
    met = identity(back, c, at=at, shown=shown)
    solved = local_q(n=100, k=2, lam=4).enclosure
    squared = 1 / (1 - 2 * solved) * (1 / (1 - 2 * solved))  # 1 + 4 * 9/200
    if not squared.lower <= F(59, 50) <= squared.upper:
        return Finding(ruling=Ruling.CORRECTED, said=shown[0], exact=f"{solved}", witness="n = 100, k = 2, lambda = 4")
    return all_of(met, identity(said, symbolic.closed_q().subs(z, 3), at=at, shown=shown))


# --- helpers ------------------------------------------------------------------------------------------------------


def _chain(text: str, term: Callable[[int, int], Expr]) -> Finding:
    """The sum over i + j = k of C(k, i) times the term printed, against the bound at the end of the
    window.
    """
    return for_repeats(
        lambda repeats: sum(binomial(repeats, i) * term(i, repeats - i) for i in range(repeats + 1)),
        symbolic.ratio_bound().subs(s, _END),
        text,
    )


def _power(text: str, base: Expr) -> Finding:
    """``base`` to the k, against the bound at the end of the window."""
    return for_repeats(lambda repeats: base**repeats, symbolic.ratio_bound().subs(s, _END), text)
