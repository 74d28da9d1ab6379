"""What the property tests draw: valid parameters, biased to where things break."""

from fractions import Fraction
from itertools import product

import pytest
from hypothesis import strategies as st

from dpcalc.mechanisms.response import KRandomization
from tests.oracles import vectors


def seeds(quick, last, step=1):
    """The first seeds of so many random cases: those from ``quick`` on belong to the soak."""
    return [*range(0, quick, step), *(pytest.param(i, marks=pytest.mark.soak) for i in range(quick, last, step))]


#: 0 < q < 1/2, often next to an end.
flips = st.one_of(
    st.sampled_from([Fraction(1, 10**9), Fraction(1, 1000), Fraction(1, 4), Fraction(499, 1000)]),
    st.integers(min_value=2, max_value=60).map(lambda d: Fraction(1, 2) - Fraction(1, d + 1)).filter(lambda q: q > 0),
    st.integers(min_value=3, max_value=10**6).map(lambda d: Fraction(1, d)),
    st.fractions(min_value=Fraction(1, 200), max_value=Fraction(99, 200), max_denominator=200),
)

repeats = st.one_of(st.just(1), st.integers(min_value=1, max_value=4))
records = st.one_of(st.just(1), st.integers(min_value=1, max_value=12))

#: lambda > 1, often next to 1.
limits = st.one_of(
    st.sampled_from([1 + Fraction(1, 10**9), Fraction(3, 2), Fraction(2), Fraction(3)]),
    st.fractions(min_value=Fraction(101, 100), max_value=30, max_denominator=100),
)

mechanisms = st.builds(lambda n, q, k: KRandomization(n=n, q=q, k=k), records, flips, repeats)


@st.composite
def compositions(draw, source=mechanisms):
    """A mechanism, and how many of its other n - 1 records hold 1."""
    mechanism = draw(source)
    return mechanism, draw(st.integers(min_value=0, max_value=mechanism.n - 1))


#: 0 < q < 1/2, anywhere.
plain_flips = st.fractions(min_value=Fraction(1, 10**6), max_value=Fraction(49, 100), max_denominator=10**6)

_LONGEST = 12  # flipped bits that the oracle lists the patterns of


@st.composite
def small_collections(draw, least=1):
    """Records and k, L <= 3, n <= 4, k <= 2, as far as the oracle's list of flips fits."""
    shapes = [
        (n, bits, k) for n, bits, k in product(range(least, 5), (1, 2, 3), (1, 2)) if n * bits * k <= _LONGEST
    ]  # fmt: skip
    n, bits, k = draw(st.sampled_from(shapes))
    records = draw(st.lists(st.sampled_from(vectors.vectors(bits)), min_size=n, max_size=n))
    return records, k


@st.composite
def counts(draw, number, least=0):
    """As many lists of counts, of one length up to 5, each from ``least`` to 6 and in no list all zero."""
    size = draw(st.integers(1, 5))
    one = st.lists(st.integers(least, 6), min_size=size, max_size=size).filter(any)
    return draw(st.tuples(*[one] * number))
