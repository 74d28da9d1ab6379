r"""The closed forms as sympy expressions, to differentiate, expand and take limits of.

Every function returns an expression in the module's symbols, named as in the package's glossary: ``n``, ``k``, ``q``,
``s``, ``lam``, ``z`` (sigmas), ``L`` (bits), ``t`` (the true count), ``x``; p stands for 1 - q. Rationals
in, exact values out::

    >>> from dpcalc import symbolic
    >>> from sympy import limit, oo
    >>> symbolic.ratio(1).subs({symbolic.n: 100, symbolic.s: 0, symbolic.q: "3/10"})
    7/3
    >>> limit(symbolic.sigma_at_closed_q(), symbolic.k, oo)
    z/log(lambda)
"""

from __future__ import annotations

from sympy import Expr, IndexedBase, Symbol, binomial, ff, log, sqrt, symbols

n, k, L = symbols("n k L", positive=True, integer=True)
q, z = symbols("q z", positive=True)
lam = Symbol("lambda", positive=True)
s, t, m = symbols("s t m", nonnegative=True)
x = Symbol("x")
counts = IndexedBase("s")
p = 1 - q


# --- the count and its estimate -----------------------------------------------------------------------------------


def generating_function() -> Expr:
    """G_m(x) = (q + p x)^(k m) (p + q x)^(k (n - m)): the pooled count when m records are 1 (K16, section 5.2)."""
    return (q + p * x) ** (k * m) * (p + q * x) ** (k * (n - m))


def estimate() -> Expr:
    """(s - q k n) / (k (p - q)), the estimate of the true count t (K16, 5.1)."""
    return (s - q * k * n) / (k * (p - q))


def variance() -> Expr:
    """p q n / (k (p - q)^2), the variance of the estimate, in records^2 (K16, 4.3 and 5.3 corrected)."""
    return p * q * n / (k * (p - q) ** 2)


def sigma() -> Expr:
    """The standard deviation of the estimate, in records (K16, 4.4 and 5.4)."""
    return sqrt(variance())


# --- one outcome --------------------------------------------------------------------------------------------------


def ratio(reports: int = 1) -> Expr:
    """R_s of ``reports`` reports per record, all records 1, one changed to 0: a polynomial in s (K16, 4.32, 5.9)."""
    total, odds = reports * n, p / q
    return sum(
        binomial(reports, i) * ff(s, i) * ff(total - s, reports - i) / ff(total, reports) * odds ** (reports - 2 * i)
        for i in range(reports + 1)
    )


def ratio_bound() -> Expr:
    """The bound of R_s by Maclaurin's inequality, (s/(kn) q/p + (1 - s/(kn)) p/q)^k (K16, 5.13 summed up)."""
    share = s / (k * n)
    return (share * q / p + (1 - share) * p / q) ** k


def window_bound() -> Expr:
    """(1 + z (p - q) / sqrt(p q k n))^k: that bound z standard deviations below the mean (K16, 5.20)."""
    return (1 + z * (p - q) / sqrt(p * q * k * n)) ** k


def vector_ratio(bits: int) -> Expr:
    """The ratio of n identical records, k = 1, with s[l] reports that agree with the record in l bits (K16, 6.10)."""
    return sum(counts[i] * (p / q) ** (bits - 2 * i) for i in range(bits + 1)) / n


def local_epsilon() -> Expr:
    """k L log(p/q): what one record's reports alone leak (K16, 4.46; RAPPOR), in nats."""
    return k * L * log(p / q)


# --- several bits -------------------------------------------------------------------------------------------------


def second_moment() -> Expr:
    """E w^2 = (1/(p q) - 3)^L of a report's likelihood ratio w, whose mean is 1."""
    return (1 / (p * q) - 3) ** L


def ratio_variance(reports: int = 1) -> Expr:
    """The variance of the ratio of n identical records of L bits with k = ``reports`` reports each."""
    total = reports * n
    return sum(
        binomial(reports, j)
        * ff(reports, j)
        * ff(total - reports, reports - j)
        / ff(total, reports)
        * (second_moment() ** j - 1)
        for j in range(1, reports + 1)
    )


# --- how little noise is enough -----------------------------------------------------------------------------------


def classical_q() -> Expr:
    """1 / (1 + lambda^(1/(k L))): no outcome's ratio exceeds lambda (K16, 4.47)."""
    return 1 / (1 + lam ** (1 / (k * L)))


def closed_q() -> Expr:
    """The least q with ``window_bound`` at most lambda (K16, 4.45 and 5.24, with z for 3)."""
    return (1 - 1 / sqrt(1 + 4 * z**2 / ((lam ** (1 / k) - 1) ** 2 * k * n))) / 2


def two_sided_q() -> Expr:
    """The least q with both the ratio and its reciprocal within lambda inside the window, for k = 1."""
    return (1 - 1 / sqrt(1 + 4 * z**2 / ((1 - 1 / lam) ** 2 * n))) / 2


def vector_q() -> Expr:
    """The least q with 1 + z sqrt((E w^2 - 1)/n) at most lambda, for L bits and k = 1; ``closed_q`` when L = 1."""
    return (1 - sqrt(1 - 4 / (3 + (1 + n * (lam - 1) ** 2 / z**2) ** (1 / L)))) / 2


def sigma_at_closed_q() -> Expr:
    """z / (k (lambda^(1/k) - 1)): ``sigma`` at ``closed_q``, whatever n is; it grows with k to z / log(lambda)."""
    return z / (k * (lam ** (1 / k) - 1))
