"""The convex minorant of a profile of which only some values are known."""

from fractions import Fraction
from random import Random

from flint import fmpq

from dpcalc.losses.dominance import minorant
from tests.oracles import rounds


def test_the_minorant_is_below_every_pair():
    """Of random pairs and values that are known more or less; it comes near where they are known at many limits."""
    draw, exact_places = Random(24), [Fraction(x, 20) for x in range(1, 81)]
    for turn in range(30):
        masses = [draw.choices(range(9), k=5) for _ in "PQ"]
        pair = [(Fraction(a, sum(masses[0])), Fraction(b, sum(masses[1]))) for a, b in zip(*masses, strict=True)]
        error = Fraction(turn % 3, 100)
        places = sorted(draw.sample(exact_places, 25)) if error else exact_places
        known = [(fmpq_of(x), *map(fmpq_of, between(pair, x, error, draw))) for x in places]
        infinite = sum(p for p, q in pair if not q) * (not error or draw.choice((0, 1)))
        below = [(Fraction(str(a)), Fraction(str(b))) for a, b in minorant(known, fmpq_of(infinite))]
        assert all(a > 0 and b > 0 for a, b in below)
        for lam in [Fraction(x, 37) for x in range(1, 190, 3)]:
            found, exact = rounds.profile(below, lam) + infinite, rounds.profile(pair, lam)
            assert found <= exact
            assert error or lam > 4 or exact <= found + Fraction(1, 50)


def between(pair, x, error, draw):
    """Ends about a value of its profile."""
    exact = rounds.profile(pair, x)
    return exact * (1 - error * draw.randrange(3)), exact * (1 + error * draw.randrange(3))


def fmpq_of(x):
    return fmpq(*Fraction(x).as_integer_ratio())
