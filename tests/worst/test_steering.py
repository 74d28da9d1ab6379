from fractions import Fraction

import pytest

from dpcalc.choose.least import least_n
from dpcalc.laws.pool import Pool
from dpcalc.worst import steering as module


@pytest.mark.parametrize(("n", "q", "near"), [(10**7, "1/4", 3e-12), (10**7, "1/100", 3e-10), (10**9, "9/20", 1e-12)])
@pytest.mark.parametrize("z", [0, 0.05, 0.2, 0.4])
def test_tails_next_to_the_mean(n, q, near, z):
    chance, p = float(Fraction(q)), float(1 - Fraction(q))
    t = int(n * chance - z * (n * chance * p) ** 0.5)
    truth = float(Pool.of((Fraction(q), n)).at_most(t, rtol=Fraction(1, 10**16)))
    assert module._edgeworth(n, chance, p, t) == pytest.approx(truth, rel=near)


def test_the_continued_fraction_is_left_where_it_would_be_long(monkeypatch):
    """Next to the mean of 6 10^11 reports it takes a million terms, 34 times: 15 s."""
    tails, tail = [], module._edgeworth
    monkeypatch.setattr(module, "_edgeworth", lambda *a: tails.append(a) or tail(*a))
    found = least_n(q="9/20", delta="1e-6", epsilon=0, k=10)
    assert tails
    assert found.lower <= 64_305_059_665 <= found.upper + 64_306
