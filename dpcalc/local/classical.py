r"""The classical bound: no outcome at all may show a ratio above lambda.

One record's k reports of ``bits`` bits show at most (p/q)^{k bits} (K16 changes all bits of a record; RAPPOR's h hash
functions differ in 2 h bits), so the least q is 1 / (1 + lambda^{1/(k bits)}).

Source: K16, (4.46), (4.47) and section 3.
"""

from __future__ import annotations

from dpcalc.numbers.bracket import Bracket
from dpcalc.numbers.elementary import FINE, compound
from dpcalc.numbers.limit import Limit
from dpcalc.numbers.rational import Number, integer


def classical_q(
    *, lam: Number | None = None, epsilon: Number | None = None, k: Number = 1, bits: Number = 1
) -> Bracket:
    """The least q with (p/q)^(k bits) <= lambda: exact where it is rational, else to about 40 digits.

    Raises:
        DomainError: none or both of lam and epsilon; epsilon = 0; k or bits < 1.
        TooLarge: lambda is beyond 2^1,000,000, or epsilon beyond about 690,000.

    >>> classical_q(lam=2).value, print(classical_q(lam=2, k=2))
    0.41421356237309504...
    (Fraction(1, 3), None)
    """
    power = integer(k, "k", minimum=1) * integer(bits, "bits", minimum=1)
    limit = Limit.above_one(lam=lam, epsilon=epsilon)
    one = limit.root(power)
    ends = [1 / (1 + end) for end in (one.upper, one.lower)]
    values = [1 + compound(1 / q - 2, power, FINE**2) for q in ends]
    return Bracket(lower=ends[0], upper=ends[1], at_lower=values[0], at_upper=values[1])
