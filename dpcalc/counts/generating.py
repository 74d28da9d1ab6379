r"""Coefficients of generating functions, and their log-concavity.

    G(x) = (q + p x)^a (p + q x)^b = sum_i c_i x^i,   0 < q < 1, p = 1 - q,

is the generating function of a sum of ``a`` reports that are 1 with probability p and ``b`` that are 1 with
probability q. Its coefficients are the pmf of that sum.

Source: K16, section 4.2.1 (G_m, Lemma 1) and section 5.2.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import lcm

from dpcalc.counts.pmf import Pmf
from dpcalc.errors import DomainError, TooLarge
from dpcalc.numbers.listed import listed
from dpcalc.numbers.rational import Number, rational

__all__ = ["LogConcavity", "check_size", "coefficients", "dominates", "log_concavity"]

_MAX_BYTES = 2_000_000_000
_LEADING = 128  # bits that settle almost every comparison of two products


def coefficients(q: Fraction, likely: int, unlikely: int) -> Pmf:
    r"""The pmf of a sum of ``likely`` Bernoulli(1 - q) and ``unlikely`` Bernoulli(q) reports, exactly.

    With q = u/D and v = D - u the weights over D^(likely + unlikely) obey, T = likely + unlikely,

        u v (i+1) c_{i+1} = (likely v^2 + unlikely u^2 - (u^2 + v^2) i) c_i + u v (T - i + 1) c_{i-1},

    which is (q + px)(p + qx) G'(x) = [likely p (p + qx) + unlikely q (q + px)] G(x) read off at x^i. Every division is
    exact because the weights are integers.

    Raises:
        TooLarge: the weights would take more than about 2 GB.

    >>> coefficients(Fraction(1, 4), 1, 1).weights
    (3, 10, 3)
    """
    total, u, d = likely + unlikely, q.numerator, q.denominator
    check_size(total, d)
    v = d - u
    cross, start, slope = u * v, likely * v * v + unlikely * u * u, u * u + v * v
    before, now = 0, u**likely * v**unlikely
    weights = [now]
    for i in range(total):
        after = ((start - slope * i) * now + cross * (total - i + 1) * before) // (cross * (i + 1))
        before, now = now, after
        weights.append(now)
    return Pmf(weights=tuple(weights), denominator=d**total)


def check_size(total: int, d: int, pmfs: int = 1) -> None:
    """Refuse exact pmfs of ``total`` reports whose weights, over powers of ``d``, would not fit.

    Raises:
        TooLarge: the weights of all of them would take more than about 2 GB.
    """
    size = pmfs * (total + 1) * (total * d.bit_length() // 8 + 32)
    if size > _MAX_BYTES:
        what = "the exact pmf" if pmfs == 1 else f"{pmfs:,} times the exact pmf"
        raise TooLarge(
            f"{what} of {total:,} reports", size=size, limit=_MAX_BYTES, unit="bytes",
            instead="dpcalc.delta (certified, any size)" if pmfs == 1 else "fewer records",
        )  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class LogConcavity:
    """Whether a sequence is log-concave, and where it first fails.

    Attributes:
        holds: the verdict.
        witness: None, or the index (for two-dimensional families: the pair of indices) of the first failure.
    """

    holds: bool
    witness: int | tuple[int, int] | None = None

    def __bool__(self) -> bool:
        return self.holds


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

    >>> log_concavity([1, 2, 1]), log_concavity([1, 1, 2])
    (LogConcavity(holds=True, witness=None), LogConcavity(holds=False, witness=1))
    """
    terms = sequence.weights if isinstance(sequence, Pmf) else _integers(sequence)
    last = len(terms) - 1
    if any(term < 0 for term in terms):
        raise DomainError("sequence", min(terms), "non-negative terms only")
    support = [i for i, term in enumerate(terms) if term]
    for i in range(1, last):
        middle, sides = (i * (last - i), (i + 1) * (last - i + 1)) if ultra else (1, 1)
        if not dominates(terms[i], terms[i - 1], terms[i + 1], middle, sides, strict):
            return LogConcavity(holds=False, witness=i)
        if not terms[i] and support and support[0] < i < support[-1]:
            return LogConcavity(holds=False, witness=i)
    return LogConcavity(holds=True)


def _integers(sequence: Iterable[Number]) -> Sequence[int]:
    """The sequence times one common denominator, which no log-concavity inequality notices."""
    terms = [rational(term, "sequence") for term in listed(sequence, "sequence", "a list of numbers, or a Pmf")]
    scale = lcm(*(term.denominator for term in terms))
    return [term.numerator * (scale // term.denominator) for term in terms]


def dominates(x: int, y: int, z: int, middle: int = 1, sides: int = 1, strict: bool = False) -> bool:
    """Whether middle x^2 >= sides y z (or >) for non-negative integers, from leading bits where they settle it."""
    shift = 2 * (x.bit_length() - _LEADING)
    if shift > 0 and y and z:
        y_shift, z_shift = max(0, y.bit_length() - _LEADING), max(0, z.bit_length() - _LEADING)
        top, y_top, z_top = x >> (shift // 2), y >> y_shift, z >> z_shift
        scale = y_shift + z_shift - shift  # y z = y_top z_top 2^scale in units of 2^shift, up to the bits cut off
        least, most = middle * top * top, sides * (y_top + 1) * (z_top + 1)
        if _shifted(least, -scale) > most:
            return True
        least, most = sides * y_top * z_top, middle * (top + 1) * (top + 1)
        if _shifted(least, scale) > most:
            return False
    left, right = middle * x * x, sides * y * z
    return left > right if strict else left >= right


def _shifted(x: int, shift: int) -> int:
    return x << shift if shift >= 0 else x >> -shift
