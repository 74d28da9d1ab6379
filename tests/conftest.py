import faulthandler
import os

import pytest
from _pytest.faulthandler import fault_handler_stderr_fd_key

LONG = ("notebook", "soak", "browser", "formal")
LONG_PAGE = "other_libraries.md"  # imports two libraries, and composes with them: tests/interop asks quicker questions
LONGEST = 3600  # seconds of a test of a long kind; pyproject.toml has those of the others


def pytest_configure(config):
    """Exact arithmetic takes as long as its numbers are long: no deadline. In CI every run draws the same examples."""
    if hasattr(config, "workerinput") or not config.getoption("numprocesses", None):  # else others run the tests
        from hypothesis import settings

        settings.register_profile("dpcalc", deadline=None, max_examples=20, derandomize="CI" in os.environ)
        settings.load_profile("dpcalc")


def pytest_collection_modifyitems(items):
    """A page may be long too."""
    for item in items:
        if item.path.name == LONG_PAGE:
            item.add_marker(pytest.mark.soak)


def pytest_runtest_setup(item):
    """A test of a long kind gets more time."""
    if any(map(item.get_closest_marker, LONG)):
        stderr = item.config.stash[fault_handler_stderr_fd_key]  # not the one that is captured
        faulthandler.dump_traceback_later(LONGEST, exit=True, file=stderr)


@pytest.fixture
def calls_of(monkeypatch):
    """Given where a function lives and its name: the list of its calls' positional arguments, which grows."""

    def listed(home, name):
        calls, function = [], getattr(home, name)
        monkeypatch.setattr(home, name, lambda *given, **more: calls.append(given) or function(*given, **more))
        return calls

    return listed


@pytest.fixture
def never(monkeypatch):
    """Given where a function lives and its name: to call it is an error from now on."""
    return lambda home, name: monkeypatch.setattr(home, name, None)


@pytest.fixture
def no_inversion(never):
    """An integral would be a mistake, of minutes."""
    from dpcalc.laws import threshold

    never(threshold, "read")
