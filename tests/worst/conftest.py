import pytest

from dpcalc.worst import on_circle
from tests.worst import in_lists


@pytest.fixture(autouse=True)
def evaluated(monkeypatch):
    """Where no arrays are, pools are evaluated as the calculator's page does it."""
    monkeypatch.setattr(on_circle, "evaluate", in_lists.deltas)
