import pytest

from dpcalc import check


@pytest.fixture(autouse=True)
def _precision():
    """The checker's, which is raised where a claim needs it, and what it has spent: both are the process's."""
    before, check.exam.spent = check.exam.bits, 0
    yield
    check.exam.bits = before
