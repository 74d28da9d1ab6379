r"""Log-concavity of a sequence, decided exactly.

a_i^2 >= a_{i-1} a_{i+1} at every inner index, with no zero between positive terms. Every polynomial with only real
roots has such coefficients, and so has the pmf of every sum of independent reports.

Source: K16, section 4.2.1 (Lemma 1) and section 5.2; Newton's inequalities.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import lcm

from dpcalc.displayed import Displayed
from dpcalc.errors import DomainError
from dpcalc.laws.pmf import Pmf
from dpcalc.numbers.lists import as_list, flag
from dpcalc.numbers.rational import Number, rational

_LEADING = 128  # bits that settle almost every comparison of two products


@dataclass(frozen=True, slots=True, kw_only=True)
class LogConcavity(Displayed):
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
    stronger, above = flag(ultra, "ultra"), flag(strict, "strict")
    terms = sequence.weights if isinstance(sequence, Pmf) else _integers(sequence)
    last = len(terms) - 1
    if any(term < 0 for term in terms):
        raise DomainError("sequence", min(terms), "non-negative terms only")
    support = [i for i, term in enumerate(terms) if term]
    for i in range(1, last):
        middle, sides = (i * (last - i), (i + 1) * (last - i + 1)) if stronger else (1, 1)
        if not dominates(terms[i], terms[i - 1], terms[i + 1], middle, sides, above):
            return LogConcavity(holds=False, witness=i)
        if not terms[i] and support and support[0] < i < support[-1]:
            return LogConcavity(holds=False, witness=i)
    return LogConcavity(holds=True)


def _integers(sequence: Iterable[Number]) -> Sequence[int]:
    """The sequence times one common denominator, which no log-concavity inequality notices."""
    terms = [rational(term, "sequence") for term in as_list(sequence, "sequence", "a list of numbers, or a Pmf")]
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
