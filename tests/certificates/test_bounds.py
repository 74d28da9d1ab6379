"""What the checker finds on circles holds the truth, however badly they are chosen; each error term is needed."""

import random
from fractions import Fraction
from functools import cache
from itertools import product
from math import floor

import pytest

from dpcalc import check
from tests.certificates.broken import without
from tests.oracles.hockey_stick import pmf

Q, LAM, OTHERS = Fraction(1, 5), Fraction(3, 2), 8


@cache
def exact(ones, others, t):
    """h_t and d_t by the definition, with so many ones among the others; for any whole t."""
    pool = [(1 - Q, ones), (Q, others - ones)]
    steps = [x - LAM * y for x, y in zip(pmf([*pool, (Q, 1)]), pmf([*pool, (1 - Q, 1)]), strict=True)]
    return sum(steps[: max(t + 1, 0)], Fraction(0)), steps[t] if 0 <= t < len(steps) else Fraction(0)


def boxes():
    """Ones, half, and a circle with its pieces: good, too few points, points left out, one radius, blocks."""
    fine = {"left": "1/1000000", "right": 10**6, "points": 25, "kept": 13}
    for r in ("1/3", "9/10"):
        yield 3, 0, {"t": 3, "r": r, **fine, "pieces": 4}
    for r, t, points in product(("1/3", "3/4", "95/100"), (1, 4, 7), (3, 5, 7, 9)):
        for kept in {1, (points - 1) // 2, (points + 1) // 2}:
            for left, right in (("1/20", "3/2"), ("1/20", "99/100"), ("1/4", 20)):
                yield 3, 0, {"t": t, "r": r, "left": left, "right": right, "points": points, "kept": kept, "pieces": 2}
    yield 8, 0, {"t": 0, "r": "1/10", "left": "1/1000", "right": "3/10", "points": 3, "kept": 2, "pieces": 1}
    for half, slope, order, kept in product((1, 3), (0, 1), (1, 3, 12), (9, 13)):
        few = {"t": 1, "r": "3/4", "left": "1/20", "right": 9, "points": 25, "kept": kept}
        yield 4, half, {**few, "slope": slope, "pieces": 4, "order": order}
        yield 4, half, {**few, "slope": "3/5", "pieces": 4, "order": order, "step": "1/2", "wide": 1}
        yield 4, half, {**few, "slope": "3/5", "pieces": 2, "order": order, "wide": 1, "points": 7, "kept": 3}


def missed(checker, others=OTHERS):
    """Whether some h_t or d_t lies outside of what the checker finds for it."""
    law = checker.Law(checker.Exam(64), others + 1, Q, 1, LAM, LAM, [])
    for ones, half, circle in boxes():
        w = checker.Entries(law.exam, circle)
        try:
            found = [[checker.extent(x) for x in pair] for pair in
                     checker.inverted(law, LAM, ones, others - ones, half, w)]  # fmt: skip
        except checker.Unproven:
            continue
        slope, step = w.number("slope", 0), w.number("step", 1)
        for x, i in product(range(-half, half + 1), range(len(found))):
            first, last = (circle["t"] + slope * x + (i + far * circle.get("wide", 0)) * step for far in (0, 1))
            for t in range(floor(-(-first // 1)), floor(last) + 1):
                for (low, high), truth in zip(found[i], exact(ones + x, others, t), strict=True):
                    if not low <= truth <= high:
                        return True
    return False


@pytest.mark.soak
def test_whatever_the_circle_the_truth_is_held():
    assert not missed(check)


FADING = "for x in (q + p * of_r, p + q * of_r)]", "for x in (p + q * of_r, q + p * of_r)]"


def test_the_points_left_out_fade_as_their_own_reports_do(monkeypatch):
    """With 60 zeros and no ones; those of ones would fade faster."""
    few = {"t": 4, "r": "1/20", "left": "1/1000000", "right": 10**6, "points": 61, "pieces": 1}
    monkeypatch.setitem(globals(), "boxes", lambda: [(0, 0, {**few, "kept": kept}) for kept in (12, 16, 20)])
    assert not missed(check, 60)
    assert missed(without(FADING), 60)


#: Error terms: the source without them.
TERMS = {
    "rounding of a centre": ("(c >> cut) + 3", "c >> cut"),
    "a product of a radius": ("* y.c + (abs(y.a) + abs(y.b)) * self.c", "* 0"),
    "the exponential's remainder": ("sum(terms, terms[-1].around())", "sum(terms[:3], z.of(0))"),
    "the logarithm's remainder": ("accumulate([w] * 6,", "accumulate([w] * 1,"),
    "aliases of h": ("(alias + miss[0] + gone", "(miss[0] + gone"),
    "aliases of d": ("(alias + miss[1] + gone)", "(miss[1] + gone)"),
    "aliases to the right": (
        "alias = largest(right) * geometric((of_r * disk(right).inverse()) ** points)",
        "alias = nothing",
    ),
    "aliases to the left": ("alias = alias + largest(left)", "alias = alias + nothing"),
    "Taylor's remainder of h": ("(alias + miss[0]", "(alias"),
    "Taylor's remainder of d": ("(alias + miss[1]", "(alias"),
    "points left out of h": (" + gone * disk(1 / (1 - r))", ""),
    "points left out of d": ("miss[1] + gone)", "miss[1])"),
    "the constant alias": ("+ constant +", "+"),
    "the constant below 1": ("if right >= 1 else nothing", "if right >= 0 else nothing"),
    "the range of u at the radii": (" * disk(max(Fraction(1), 1 / x)) ** far", ""),
    "the majorant's sign": ("(b**k + of_lam * a**k)", "(b**k + -of_lam * a**k)"),
    "conjugate points": ("Fraction(2 if j else 1, points)", "Fraction(1, points)"),
    "what varies below": ("least -= sum(max(-low, high) for low, high in ends.values())", "pass"),
    "what varies above": ("top += steep + bend if steep >= -2 * bend else", "top += 0 if steep >= -2 * bend else"),
    "the top of a parabola": ("else steep * steep // (-4 * bend) + 1", "else 0"),
    "the mixed terms": ("scaled(top + sum(max(-low, high) for low, high in ends.values()), unit)", "scaled(top, unit)"),
}


@pytest.mark.parametrize("term", TERMS)
@pytest.mark.soak
def test_without_an_error_term_the_truth_is_missed(term):
    assert missed(without(TERMS[term]))


def inside(x, z):
    """Whether a rational complex number lies in a disk."""
    unit = Fraction(2) ** z.e
    return (x[0] - z.a * unit) ** 2 + (x[1] - z.b * unit) ** 2 <= (z.c * unit) ** 2


def slipped(checker):
    """Whether some number is outside of the disk that should hold it: on the rims, where nothing is to spare."""
    exam, draw = checker.Exam(12), random.Random(1)
    rims = [(Fraction(3, 5), Fraction(4, 5)), (Fraction(-1), Fraction(0)), (Fraction(0), Fraction(1))]
    for _ in range(2000):
        x, y = (
            checker.Disk(
                exam, draw.randint(-4000, 4000), draw.randint(-4000, 4000), draw.randint(-30, 30), draw.randint(0, 9)
            )
            for _ in range(2)
        )
        u, v = (
            ((z.a + z.c * a) * Fraction(2) ** z.e, (z.b + z.c * b) * Fraction(2) ** z.e)
            for z, (a, b) in zip((x, y), draw.choices(rims, k=2), strict=True)
        )
        results = [((u[0] + v[0], u[1] + v[1]), x + y), ((u[0] * v[0] - u[1] * v[1], u[0] * v[1] + u[1] * v[0]), x * y)]
        if (square := u[0] ** 2 + u[1] ** 2) and x.a * x.a + x.b * x.b > 4 * x.c * x.c + 4:
            results.append(((u[0] / square, -u[1] / square), x.inverse()))
        share = Fraction(draw.randint(1, 10**6), draw.randint(1, 10**6))
        results.append(((share, Fraction(0)), exam.disk(share)))
        if not all(inside(truth, z) for truth, z in results):
            return True
    return False


def test_disks_hold_what_they_should():
    assert not slipped(check)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("(c >> cut) + 3", "c >> cut"),
        ("(abs(self.a) + abs(self.b) + self.c) * y.c", "self.c * y.c"),
        ("off = (self.c << shift) // (least * (least - self.c)) + 3", "off = 3"),
        ("Disk(self, top, 0, -shift, 1 if rest else 0)", "Disk(self, top, 0, -shift)"),
        ("(self.c << shift) + y.c)", "self.c << shift)"),
        ("((y.modulus() + y.c) >> (shift - deep)) + 1", "0"),
    ],
)
def test_a_disk_without_one_of_its_roundings_loses_a_number(old, new):
    assert slipped(without((old, new)))
