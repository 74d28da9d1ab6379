"""The search over boxes, for the largest of a list of numbers."""

import random
from fractions import Fraction

import pytest

from dpcalc.numbers.search import best_first


class Listed:
    """Boxes are slices; their ceilings are loose."""

    def __init__(self, values, slack):
        self.values, self.slack, self.best, self.looked = values, slack, Fraction(0), 0

    def ceiling(self, low, high):
        return max(self.values[low:high]) + self.slack * (high - low - 1)

    def parts(self, box):
        low, high = box
        middle = (low + high) // 2
        for part in ((low, middle), (middle, high)):
            if part[1] - part[0] == 1:
                self.best, self.looked = max(self.best, self.values[part[0]]), self.looked + 1
            elif (ceiling := self.ceiling(*part)) > self.best:
                yield ceiling, part

    def search(self, **given):
        whole = 0, len(self.values)
        left = best_first([(self.ceiling(*whole), whole)], self.parts, **given)
        return max([self.best, *(ceiling for ceiling, _ in left)]), left


@pytest.mark.parametrize("slack", [Fraction(0), Fraction(1, 50), Fraction(3)])
def test_the_largest_is_found_and_bounded(slack):
    draw = random.Random(1)
    for _ in range(50):
        listed = Listed([Fraction(draw.randint(1, 1000)) for _ in range(draw.randint(2, 60))], slack)
        bound, _ = listed.search(enough=lambda listed=listed: listed.best)
        assert bound == listed.best == max(listed.values)


def test_whatever_is_enough_and_however_little_work_the_bound_holds():
    draw = random.Random(2)
    for most in range(12):
        listed = Listed([Fraction(draw.randint(1, 1000)) for _ in range(60)], Fraction(5))
        bound, left = listed.search(enough=lambda: Fraction(990), most=most)
        assert listed.best <= max(listed.values) <= bound
        assert left[0][0] == max(ceiling for ceiling, _ in left)
        assert len(left) + listed.looked <= most + 1


def test_the_largest_box_is_divided_first_and_enough_is_asked_again():
    listed = Listed([Fraction(x) for x in (9, 1, 1, 1, 1, 1, 1, 1)], Fraction(0))
    bound, left = listed.search(enough=lambda: listed.best)
    assert (bound, left, listed.looked) == (9, [(1, (4, 8)), (1, (2, 4))], 2)


def test_it_ends_at_a_box_that_must_not_be_divided():
    asked = []
    listed = Listed([Fraction(x) for x in (1, 2, 3, 4)], Fraction(1))
    bound, left = listed.search(enough=lambda: Fraction(0), more=lambda box: asked.append(box) or box != (2, 4))
    assert asked == [(0, 4), (2, 4)]
    assert left[0] == (5, (2, 4))
    assert bound == 5
