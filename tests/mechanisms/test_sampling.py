import os
from fractions import Fraction
from math import ceil, floor

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpcalc.mechanisms.sampling import bernoulli, pool, randomize
from tests.oracles.binomial import p_value

MILLION = 10**6
LONG = Fraction(3**200, 10**96)  # 0.2656..., a denominator of 319 bits
rates = st.fractions(min_value=0, max_value=1, max_denominator=300).filter(lambda q: q < 1)


def every_sequence(width, last):
    """All sequences of words in lexicographic order, and ``last`` for ever when they are used up.

    The undecided sequences are those that begin like q, one block: every next word comes equally often, in order.
    """
    size = 2**width

    def words(count):
        return np.repeat(np.arange(size, dtype=np.uint8), count // size) if count >= size else np.full(count, last)

    return words


@given(rates, st.sampled_from([(1, 9), (2, 5), (3, 3), (8, 2)]))
def test_exactly_the_right_fraction_of_all_sequences_gives_1(q, shape):
    width, depth = shape
    total = 2 ** (width * depth)
    low = bernoulli(q, total, words=every_sequence(width, 2**width - 1), width=width)
    high = bernoulli(q, total, words=every_sequence(width, 0), width=width)
    assert int(low.sum()) == floor(q * total)
    assert int(high.sum()) == ceil(q * total)
    assert not (low & ~high).any()  # one sequence at most is undecided, and it is one that begins like q


@pytest.mark.parametrize("numerator", range(16))
def test_a_dyadic_rate_needs_no_more_words_than_it_has(numerator):
    asked = []

    def words(count):
        asked.append(count)
        return every_sequence(2, 0)(count)

    assert int(bernoulli(Fraction(numerator, 16), 16, words=words, width=2).sum()) == numerator
    assert asked == ([] if numerator == 0 else [16] if numerator % 4 == 0 else [16, 4])


@pytest.mark.parametrize(("width", "kind"), [(8, np.uint8), (64, np.uint64)])
def test_ties_go_on_to_the_next_word(width, kind):
    digits = [LONG.numerator * 2 ** (width * j) // LONG.denominator % 2**width for j in range(1, 4)]
    below, above = [*digits[:2], digits[2] - 1], [*digits[:2], digits[2] + 1]
    for sequence, expected in ((below, True), (above, False)):
        left = iter(sequence)
        (found,) = bernoulli(
            LONG, 1, words=lambda count, left=left: np.full(count, next(left), dtype=kind), width=width
        )
        assert bool(found) is expected
        assert next(left, None) is None, "three words were needed"


@pytest.mark.parametrize(
    "q", [Fraction(1, 3), Fraction(1, 256), Fraction(3, 1000), LONG], ids=lambda q: f"{float(q):.4g}"
)
@pytest.mark.parametrize("count", [1, 7, 20_001])
def test_a_seed_gives_the_reports_that_its_bytes_decide(q, count):
    """Every report's bytes make an interval of length 256^-j; q lies outside it, on the side that was reported."""
    generator = np.random.default_rng(7)
    intervals, open_, length = [0] * count, list(range(count)), 0
    while open_:
        words = generator.integers(1 << 64, size=-(-len(open_) // 8), dtype=np.uint64).tolist()
        drawn = b"".join(word.to_bytes(8, "little") for word in words)
        length += 1
        for i, byte in zip(open_, drawn, strict=False):
            intervals[i] = Fraction(intervals[i] * 256**length + byte, 256**length)
        open_ = [i for i in open_ if intervals[i] < q < intervals[i] + Fraction(1, 256**length)]
    assert randomize(np.zeros(count, dtype=int), q=q, rng=7)[:, 0].tolist() == [int(x < q) for x in intervals]


@pytest.mark.parametrize("q", [Fraction(1, 3), Fraction(1, 4), LONG], ids=lambda q: f"{float(q):.4g}")
def test_a_report_takes_little_more_than_a_byte(q):
    asked = []

    def words(count):
        asked.append(count)
        return np.frombuffer(os.urandom(count), dtype=np.uint8)

    bernoulli(q, MILLION, words=words)
    assert MILLION <= sum(asked) < 1.01 * MILLION


def test_the_reports_of_one_person_are_independent():
    q = Fraction(1, 3)
    reports = randomize(np.zeros(MILLION // 2, dtype=int), q=q, k=2, rng=5)
    assert p_value(int((reports[:, 0] & reports[:, 1]).sum()), MILLION // 2, q**2) > 0.001
    assert p_value(int((reports[1:, 0] & reports[:-1, 1]).sum()), MILLION // 2 - 1, q**2) > 0.001


def test_a_seed_fixes_the_reports():
    bits = np.arange(1000) % 2
    reports = randomize(bits, q="1/3", k=3, rng=7)
    assert (reports == randomize(bits, q="1/3", k=3, rng=7)).all()
    assert (reports == randomize(bits, q="1/3", k=3, rng=np.random.default_rng(7))).all()
    assert (reports != randomize(bits, q="1/3", k=3, rng=np.int64(8))).any()


def test_the_operating_systems_randomness_differs_and_fits():
    bits = np.zeros(100_000, dtype=int)
    one, other = randomize(bits, q="1/3"), randomize(bits, q="1/3")
    assert (one != other).any()
    assert p_value(pool(one), 100_000, Fraction(1, 3)) > 1e-9  # fails once in a billion runs


def test_flips_do_not_depend_on_the_bits():
    bits = np.arange(1000) % 2
    flips = randomize(np.zeros(1000, dtype=int), q="1/3", k=3, rng=7)
    assert ((randomize(bits, q="1/3", k=3, rng=7) ^ bits[:, np.newaxis]) == flips).all()


def test_blocks_of_a_million_join_without_a_seam():
    asked = []

    def words(count):
        asked.append(count)
        return np.zeros(count, dtype=np.uint8)

    assert bernoulli(Fraction(1, 3), 2**21 + 2, words=words).all()
    assert asked == [2**20, 2**20, 2]


@pytest.mark.parametrize("kind", [bool, np.uint8, np.int64])
def test_shapes_and_types(kind):
    reports = randomize(np.array([0, 1, 1], dtype=kind), q="0.009", k=4, rng=1)
    assert (reports.shape, reports.dtype) == ((3, 4), np.uint8)
    vectors = randomize(np.array([[0, 1], [1, 1], [0, 0]], dtype=kind), q="0.009", k=4, rng=1)
    assert (vectors.shape, vectors.dtype) == ((3, 4, 2), np.uint8)
    assert set(np.unique(vectors)) <= {0, 1}
    almost_never = randomize([[0, 1], [1, 1]], q=Fraction(1, 10**100), k=2, rng=1)
    assert almost_never.tolist() == [[[0, 1], [0, 1]], [[1, 1], [1, 1]]]
