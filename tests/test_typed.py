"""Numbers as they may be written. mypy reads this file too: an ignored error that it does not find is an error."""

from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest

import dpcalc as dp


def test_numbers_are_taken_as_they_are_written() -> None:
    m = dp.KRandomization(n=np.int64(10), q=Decimal("0.25"), k="1")
    for same in (
        dp.KRandomization(n="1e1", q=np.float32(0.25)), dp.KRandomization(n=10.0, q=Fraction(1, 4)),
        dp.KRandomization(n=np.uint8(10), q="25%", k=np.float64(1)),
    ):  # fmt: skip
        assert same == m
    fewest = dp.least_n(q="0.1", lam=2, delta="1e-3")
    assert dp.delta(dp.KRandomization(n=fewest, q=0.1), lam=np.int32(2)) <= 1e-3


def test_what_is_no_number_is_refused() -> None:
    with pytest.raises(dp.DomainError):
        dp.KRandomization(n="x", q=[1])  # type: ignore[arg-type]
    with pytest.raises(dp.DomainError):
        dp.KRandomization(n=None, q=0.1)  # type: ignore[arg-type]
    with pytest.raises(dp.DomainError):
        dp.least_q(n=10, lam=2, delta=b"1")  # type: ignore[arg-type]
    with pytest.raises(dp.DomainError):
        dp.estimate(dp.KRandomization(n=10, q=0.1), object())  # type: ignore[arg-type]
    with pytest.raises(dp.DomainError):
        dp.Enclosure.of(object())  # type: ignore[arg-type]
