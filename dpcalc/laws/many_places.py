r"""The distribution function of a sum of reports at many places, from the points of one circle.

With G, z_j, M, R and s as in ``inversion`` and K one product, the values G(z_j) K(z_j) / (1 - z_j) serve every t:
z_j^-t is r^-t times the j-th power of e^{-2 pi i t / M}, and the sum over j a polynomial there. The bounds of aliases
and of points left out hold for every t, whichever place the circle was chosen for. d standard deviations away from it
the sum weighs about e^{-d^2 / 2} as much. The truncation error is smaller by that factor, and aliases are farther away.

Source: proof notes, 3.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

from flint import acb, acb_poly, arb, ctx, fmpq

from dpcalc.laws.inversion import Contour, Factor, Product, Term, geometric, guard_bits, left_out, radius, summed
from dpcalc.laws.tilt import Tilt
from dpcalc.numbers.ball import working_precision

_TURNED = 48  # bits that Horner's rule loses: every turn of a box makes it larger


def at_most(
    factors: Sequence[Factor], added: Sequence[Sequence[Factor]], places: Sequence[int], t: int, reach: float
) -> list[list[arb]]:
    """P[S <= place] for the pool with each of the ``added`` reports, as accurate as the current precision.

    Args:
        factors: kinds of reports, (a, c) with 0 < a < 1.
        added: the reports added to the pool, one answer for each entry; all entries have as many reports.
        places: from 0 on and below the number of all reports.
        t: the place in the middle, for which the circle is chosen.
        reach: how many standard deviations the places lie from t at most.

    >>> from fractions import Fraction
    >>> half = Fraction(1, 2)
    >>> [[x.str(4) for x in at] for at in at_most([(half, 3)], [[(half, 1)]], [0, 1, 3], 1, 1.0)]
    [['[0.06250 +/- 3e-10]'], ['[0.3125 +/- 3e-9]'], ['[0.9375 +/- 3e-9]']]
    """
    nats = math.log(2) * ctx.prec + reach**2 / 2
    with working_precision(math.ceil(nats / math.log(2)) + guard_bits(factors) + _TURNED):
        wide = (reach + math.sqrt(reach**2 + 2 * nats)) ** 2 / 2
        circle = Contour.around(factors, [Term(lambda: arb(1), tuple(own)) for own in added], t, wide, faint=True)
        product, each, r, points = Product(factors), [Product(own) for own in added], arb(circle.r), circle.points
        spread = product.spread(r)
        circle = replace(circle, kept=summed(points, float(spread), nats))
        z = [r * (acb(2 * j) / points).exp_pi_i() for j in range(circle.kept)]
        values = [product.at(x) / (1 - x) * (2 if j else 1) / points for j, x in enumerate(z)]
        series = [acb_poly([value * own.at(x) for x, value in zip(z, values, strict=True)]) for own in each]
        beyond, bounds = False, [(r, left_out(circle, spread) / (1 - r) if circle.proper else arb.pos_inf())]
        if points <= circle.degree:
            tilt = Tilt(factors)
            right, left = (radius(tilt.toward(at)) for at in (min(places) + points, max(places) - points))
            beyond = bool(right >= 1)
            bounds += [(right, geometric(r / right, points)), (left, geometric(left / r, points) / left)]
        errors = [(x, bound * product.bound(x) * sum((own.bound(x) for own in each), arb(0))) for x, bound in bounds]
        turns, found = r**points, []
        for place in places:
            error = sum((bound / x**place for x, bound in errors), arb(0)).upper()
            whole = beyond or place + points >= circle.degree
            beside = arb(turns / (1 - turns) if whole else 0) + arb(0, error)
            turn, power = acb(fmpq(-2 * place, points)).exp_pi_i(), r**-place
            found.append([one(turn).real * power - beside for one in series])
    return found
