"""What forgers tried: a false certificate, disks at the far ends of all exponents, files that keep the checker busy."""

import json
import os
import random
import signal
import subprocess
import sys
from fractions import Fraction
from pathlib import Path

import mpmath
import pytest

from dpcalc import check
from tests.certificates.test_check import made, verdict

CHECKER = Path(check.__file__)


@pytest.fixture(autouse=True)
def _precision():
    before = check.Disk.bits
    check.Meter.spent = 0
    yield
    check.Disk.bits = before


# --- a false claim --------------------------------------------------------------------------------------------------


def far_out(shift):
    """delta <= 0.45 for three records, where p^3 (1 - lambda q / p) = 0.68 is below it."""
    q = Fraction(5, 6) / 2**shift
    circle = {"t": 1, "r": Fraction(1, 2**shift), "left": (1 - Fraction(1, 2**60)) / 2 ** (shift + 4400)}
    return {
        "schema": check.SCHEMA,
        "question": {"what": "delta", "n": 3, "q": check.written(q), "k": 1, "lam": check.written(Fraction(8, 25) / q)},
        "answer": {"lower": 0, "upper": "9/20"},
        "bits": 192,
        "blocks": [
            {"from": 0, "to": 2, "by": "envelope", "right": "1/2", "points": 501, "kept": 251, "order": 40, "pieces": 2}
            | {"slope": 1}
            | {name: check.written(Fraction(x)) for name, x in circle.items()}
        ],
    }


@pytest.mark.parametrize("shift", [1000, 100_000, 260_000, 798_000, 1_048_000])
def test_logarithms_that_are_not_found_prove_nothing(shift):
    accepted, said = verdict(far_out(shift))
    print(said, check.Meter.spent)
    assert not accepted
