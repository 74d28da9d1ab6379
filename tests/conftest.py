import os

import pytest
from hypothesis import settings

# Exact arithmetic takes as long as its numbers are long: no deadline. In CI every run draws the same examples.
settings.register_profile("dpcalc", deadline=None, max_examples=30, derandomize="CI" in os.environ)
settings.load_profile("dpcalc")


@pytest.fixture
def no_inversion(monkeypatch):
    """An integral would be a mistake, of minutes."""
    monkeypatch.setattr("dpcalc.pairs.two_laws.invert", None)
