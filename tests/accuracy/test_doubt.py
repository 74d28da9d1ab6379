"""Counts that no dataset makes likely, against the law of every dataset."""

import random
import re
from fractions import Fraction
from functools import reduce
from itertools import product

import pytest

import dpcalc as dp
from dpcalc.cli import main
from dpcalc.cli.fleet import EXAMPLE
from tests.oracles.rounds import law as counted
from tests.oracles.scan import times

RARE = Fraction(1, 10**9)
SAID = re.compile(r"^a (count|sum of all categories' counts) of ([\d,]+) or (less|more)(.*) has a probability of at most (\S+) under every dataset: ")  # fmt: skip  # noqa: E501


def told(note):
    """(what, the bound, which tail, where, the probability) of a note."""
    what, bound, tail, where, chance = SAID.match(note).groups()
    return what, int(bound.replace(",", "")), tail, where, Fraction(chance)


def tails(law, s):
    return sum(law[: s + 1]), sum(law[s:])


def largest(laws, s):
    """The largest probability of a count as small, and of one as large, over some datasets."""
    return tuple(map(max, zip(*(tails(law, s) for law in laws), strict=True)))


def judged(notes, below, above, s, what="count"):
    """Whether a note is there where it has to be, and says the truth of the least likely tail."""
    note = notes.note
    if min(below, above) >= RARE:
        assert note is None
        return False
    said, bound, tail, _, chance = told(note)
    assert (said, bound, tail) == (what, s, "less" if below < above else "more")
    assert min(below, above) <= chance <= min(below, above) * Fraction(101, 100)
    assert note in repr(notes)
    return True


@pytest.mark.parametrize(("n", "k", "q"), [(3, 20, "2/5"), (1, 60, "9/20"), (20, 3, "2/5")])
def test_a_count_that_no_dataset_makes_likely_is_told(n, k, q):
    mechanism = dp.KRandomization(n=n, q=q, k=k)
    laws = [counted(ones, n - ones, Fraction(q), k) for ones in range(n + 1)]
    found = [judged(dp.estimate(mechanism, s), *largest(laws, s), s) for s in range(n * k + 1)]
    assert found[0]
    assert found[-1]
    assert not found[n * k // 2]
    numbers = dp.RoundedNumbers(n=n, q=q, k=k, high=3)
    assert [dp.estimate(numbers, s).note is not None for s in range(n * k + 1)] == found


@pytest.mark.parametrize(
    ("kind", "more", "held"),
    [
        (dp.UnaryEncoding, {"q": Fraction(1, 4)}, (1,)),
        (dp.UnaryEncoding, {"q": Fraction(1, 4), "ones": 2}, (2,)),
        (dp.UnaryEncoding, {"q": Fraction(1, 4), "at_most": 2}, (0, 1, 2)),
        (dp.UnaryEncoding, {"q": Fraction(1, 4), "neighbours": "delete"}, (0, 1)),
    ],
)
def test_a_sum_of_a_histogram_that_no_dataset_makes_likely_is_told(kind, more, held):
    """Two records and three categories: every dataset, and the law of the sum of its counts."""
    n, k, d, q = 2, 10, 3, Fraction(1, 4)
    records = [x for x in product((0, 1), repeat=d) if sum(x) in held]
    counts = {tuple(map(sum, zip(*dataset, strict=True))) for dataset in product(records, repeat=n)}
    law = [counted(ones, n - ones, q, k) for ones in range(n + 1)]
    laws = [reduce(times, [law[ones] for ones in dataset]) for dataset in {tuple(sorted(x)) for x in counts}]
    mechanism, seen = kind(n=n, k=k, categories=d, **more), []
    for s in range(0, n * k * d + 1, 3):
        each = [s // d] * d
        estimates = dp.estimate(mechanism, each)
        assert len({one.note for one in estimates}) == 1
        if max(tails(law[0], s // d)[0], 0) > RARE and tails(law[n], s // d)[1] > RARE:  # no count by itself is rare
            seen.append(judged(estimates[0], *largest(laws, s), s, "sum of all categories' counts"))
    assert True in seen
    assert False in seen


def test_the_values_of_the_examples():
    found = dp.estimate(dp.KRandomization(n=1000, q="0.1"), 0)
    assert found.value == -125
    assert told(found.note) == ("count", 0, "less", "", Fraction("1.75e-46"))
    assert found.interval("0.95").upper == 0
    one, _, _ = dp.estimate(dp.UnaryEncoding(n=1000, q="0.01", categories=3), [300, 300, 300])
    assert 3 * one.value < 888
    assert told(one.note)[:3] == ("sum of all categories' counts", 900, "less")
    month = dp.estimate(dp.KRandomization(n=1000, q="0.1"), [400, 400, 990, 400])
    assert told(month.note)[1:4] == (990, "more", " (round 3)")
    assert dp.estimate(dp.KRandomization(n=10**9, q="0.1"), 10**8 - 50_000).note is None


def drawn(rng, n, q, days, categories):
    """One day's counts after the other: the first categories are held by most."""
    for _ in range(days):
        held = rng.choices(range(categories), [2.0**-c for c in range(categories)], k=n)
        yield [sum(rng.random() < (1 - q if one == c else q) for one in held) for c in range(categories)]


def test_a_table_that_is_likely_only_the_other_way_round_is_told():
    mechanism, exchanged = dp.UnaryEncoding(n=300, q="1/20", categories=5), "are the rows the categories"
    by_day = list(drawn(random.Random(1), 300, 0.05, 5, 5))
    by_category = list(zip(*by_day, strict=True))
    assert all(one.note is None for one in dp.estimate(mechanism, by_category))
    assert all(exchanged in one.note for one in dp.estimate(mechanism, by_day))
    assert exchanged not in dp.estimate(mechanism, [0] * 5)[0].note  # of one round


def test_a_fleet_s_counts_are_judged_each_or_together(tmp_path, capsys):
    groups = [dp.Group(n=2, q="2/5", k=30), dp.Group(n=3, q="1/3", k=20)]
    fleet = dp.Fleet(groups)
    laws = [
        [counted(ones, group.n - ones, group.q, group.k) for ones in range(group.n + 1)] for group in groups
    ]  # fmt: skip
    for low, high in ((0, 30), (30, 0), (60, 30), (30, 60), (2, 1)):
        found = dp.estimate(fleet, [low, high])
        chances = [min(largest(own, s)) for own, s in zip(laws, (low, high), strict=True)]
        *_, where, chance = told(found.note)
        assert where == f" (group {1 + chances.index(min(chances))})"
        assert min(chances) <= chance <= min(chances) * Fraction(101, 100)
    assert dp.estimate(fleet, [30, 30]).note is None
    pooled = dp.Fleet([dp.Group(n=2, q="2/5", k=30), dp.Group(n=1, q="2/5", k=30)])
    every = [reduce(times, [laws[0][a], counted(b, 1 - b, Fraction(2, 5), 30)]) for a in range(3) for b in range(2)]
    for s in (0, 7, 45, 90):
        judged(dp.estimate(pooled, s), *largest(every, s), s)
    path = tmp_path / "fleet.toml"
    path.write_text(EXAMPLE, encoding="utf-8")
    assert main(["fleet", str(path), "--counts", "0"]) == 0
    assert "warning: a count of 0 or less has a probability of at most " in capsys.readouterr().out
