import pytest

from dpcalc.worst import one_by_one
from tests.worst import in_lists


@pytest.fixture(autouse=True)
def evaluated(monkeypatch):
    """Where no arrays are, pools are evaluated as the calculator's page does it."""
    monkeypatch.setattr(one_by_one, "evaluate", in_lists.deltas)
