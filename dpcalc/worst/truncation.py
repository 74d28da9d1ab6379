r"""The aliases that an inversion of ``one_pass`` leaves out, and the size of what is in front.

Source: proof notes, 9.3 and 9.13.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from flint import arb

from dpcalc.numbers.ball import working_precision
from dpcalc.numbers.rounding import EXP, UNIT
from dpcalc.worst.circle import PRECISION, Circle, CommonTilt, at_least, log_of

FAR = 690.0  #: logs beyond it leave the range of doubles
SPARE = 1 + 1e-9  #: for the roundings of a bound itself
LEAST = 2.0**-1000  #: ends of delta below it are not told: further down products are not rounded relatively
_SUM = 6 * UNIT  # error of a sum of four terms times logs, relative to the sum of their sizes

#: Logs that a, b, t and 1 are multiplied with.
Form: TypeAlias = tuple[float, float, float, float]


def exponent_errors(most: Sequence[float], forms: list[Form], constant: float) -> list[float]:
    """Relative error of the exponential of each form, a sum of terms times logs, and of the constant alias.

    Args:
        most: the largest a, b, t, or |t - a|.
        forms: of ``logs_of``.
        constant: of ``logs_of``.
    """
    a, b, t = most
    sizes = [abs(one) * a + abs(zero) * b + abs(theta) * t + abs(rest) for one, zero, theta, rest in forms]
    return [_SUM * (size + (abs(constant) + 1)) + (EXP + 8 * UNIT) for size in sizes]


def logs_of(saddle: CommonTilt, circle: Circle, *, less_ones: bool = False) -> tuple[list[Form], float, float]:
    """Logs that a, b, t and 1 are multiplied with: for F, and for the aliases on each radius, relative to F.

    With ``less_ones`` t - a stands in place of t, so that less cancels where nearly all of the a reports are 1.

    And what the constant alias is made of: M log r, and 1 / (1 - r^M), or 0 where it is covered. F and r^M are lifted
    alike.
    """
    one, zero, theta = saddle.logs
    with working_precision(PRECISION):
        if less_ones:
            one = log_of(saddle.sums[0] / saddle.r)
        sides = (*circle.rights, *circle.lefts)
        radii = [alias(saddle, radius, circle.points, less_ones=less_ones) for radius in sides]
        rest = 0.0 if circle.covered else float(1 / (1 - arb(saddle.r) ** circle.points))
        lift = saddle.halvings * arb.const_log2()
        own = float(saddle.k * saddle.sums[1].log() + lift)
        constant = float(circle.points * arb(saddle.r).log() + lift)
    return [(one, zero, -theta, own), *radii], constant, rest


def alias(saddle: CommonTilt, radius: float, points: int, *, less_ones: bool = False) -> Form:
    """log(A(R)/A(r)), or log(A(R)r/A(r)R), log(B(R)/B(r)), log(r/R), and that of the rest of the aliases' bound.

    That is |K|(R) / B(r)^k x / (1 - x), times R, or R^-2 if R < 1, for the farthest of d_{t-1}, ..., d_{t+2}.
    """
    (one_all, zero_all), k, at = saddle.sums, saddle.k, arb(radius)
    over, (ones, zeros) = at / saddle.r, saddle.factors(at)
    one, zero = ones / one_all, zeros / zero_all
    wide = zero**k + saddle.limit * (ones / zero_all) ** k
    rest = wide / (over ** (points if radius > saddle.r else -points) - 1)
    beyond = at_least((rest * at if radius >= 1 else rest / (at * at)).log())
    return log_of(one / over if less_ones else one), log_of(zero), -log_of(over), beyond
