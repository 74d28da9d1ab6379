import os
import signal
import subprocess
import sys
import time
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest

import dpcalc as dp
from dpcalc.errors import DomainError
from dpcalc.sweeps import sweep as module

GRID = {"n": [5, 50, 500], "q": ["0.1", "0.25"], "epsilon": [0.5, "1"]}
DIRECT = [
    dp.delta(dp.KRandomization(n=n, q=q), epsilon=epsilon)
    for n in GRID["n"] for q in GRID["q"] for epsilon in GRID["epsilon"]
]  # fmt: skip


class Backwards(Executor):
    """Runs everything in this process, the last first, when nothing more is sent."""

    def __init__(self):
        self.waiting = []

    def submit(self, call, /, *given, **named):
        future = Future()
        self.waiting.append((future, call, given))
        if len(self.waiting) == 12:
            for last, asked, arguments in reversed(self.waiting):
                last.set_result(asked(*arguments))
        return future


def ends(found):
    return [(x.lower, x.upper, x.dataset) for x in found]


# --- executors ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("executor", [ThreadPoolExecutor, ProcessPoolExecutor, Backwards])
def test_an_executor_changes_neither_answers_nor_their_order(executor):
    with executor() as workers:
        found = dp.sweep(dp.delta, executor=workers, **GRID)
    assert ends(one.value for one in found) == ends(DIRECT)
    assert [one.error for one in found] == [None] * 12


@pytest.mark.parametrize(("seconds", "places"), [(0, 1), (3600, 0)])
def test_processes_are_the_default_where_they_are_worth_it(seconds, places, monkeypatch):
    pools = []
    monkeypatch.setattr(module, "ProcessPoolExecutor", lambda: pools.append(1) or ProcessPoolExecutor())
    monkeypatch.setattr(module, "_HERE", seconds)
    seen = []
    found = dp.sweep("delta", each=seen.append, **GRID)
    assert ends(one.value for one in found) == ends(DIRECT)
    assert sorted(map(str, seen)) == sorted(map(str, found))
    assert len(pools) == places


@pytest.mark.soak
def test_a_dask_client_is_an_executor():
    from distributed import Client

    with Client(n_workers=1, threads_per_worker=1, dashboard_address=None) as client:
        found = dp.sweep(dp.delta, executor=client.get_executor(), **GRID)
    assert ends(one.value for one in found) == ends(DIRECT)


@pytest.mark.parametrize("wrong", [5, "processes", Executor])
def test_what_is_no_executor_is_refused(wrong):
    with pytest.raises(DomainError, match=r"^executor = .*give an Executor"):
        dp.sweep("delta", executor=wrong, **GRID)


class Workers:
    """An executor that has its own way with a question."""

    def __init__(self, work):
        self.work = work

    def submit(self, _, question):
        future = Future()
        try:
            future.set_result(self.work(question))
        except ZeroDivisionError as error:
            future.set_exception(error)
        return future


# --- what comes back ----------------------------------------------------------------------------------------------


def test_errors_are_answers():
    with ThreadPoolExecutor(1) as workers:
        found = dp.sweep(
            dp.epsilon,
            [
                {"n": 100, "q": "0.7", "delta": "0.1"},
                {"n": 1, "q": "1e-9", "delta": "1e-9"},
                {"n": 100, "q": "0.1", "delta": "0.1"},
            ],
            executor=workers,
        )
        lost = dp.sweep(dp.most_k, n=10, q="0.01", epsilon="0.1", delta="1e-9", executor=workers)
        small = dp.sweep(dp.delta, n=100, q="0.25", epsilon="1e60", executor=workers)
    assert found[0].error.startswith("DomainError: q = '7/10' is not allowed")
    assert found[0].value is None
    assert found[2].value == dp.epsilon(dp.KRandomization(n=100, q="0.1"), delta="0.1")
    assert lost[0].error.startswith("NoSolution: ")
    assert small[0].error.startswith("DomainError: epsilon")


def test_a_question_asked_twice_is_answered_once():
    seen = []
    with ThreadPoolExecutor(1) as workers:
        found = dp.sweep(dp.delta, n=[5, "5", 5.0], q="0.1", lam=2, executor=workers, each=seen.append)
    assert len(seen) == 1
    assert len(found) == 3
    assert found.columns["n"] == [5, "5", 5.0]


def test_columns_hold_what_was_given_and_what_was_found():
    q = np.array([0.1, 0.6])
    with ThreadPoolExecutor(1) as workers:
        found = dp.sweep(dp.delta, q=q, n=5, lam="3/2", executor=workers)
    columns = found.columns
    assert list(columns) == ["q", "n", "lam", "delta", "error"]
    assert columns["q"] == [0.1, 0.6]
    assert columns["lam"] == ["3/2"] * 2
    assert columns["delta"] == [dp.delta(dp.KRandomization(n=5, q="0.1"), lam="3/2"), None]
    assert columns["error"][0] is None
    assert str(found).splitlines()[0].split() == list(columns)
    assert str(found).splitlines()[2].startswith("0.6  5  3/2")


def test_a_frame_goes_in_and_comes_out():
    table = pd.DataFrame({"n": [5, 50], "q": [0.1, 0.25]}, index=["few", "more"])
    with ThreadPoolExecutor(1) as workers:
        found = dp.sweep(dp.delta, table, lam=[2, 3], executor=workers).frame()
        plain = dp.sweep(dp.delta, n=[5, 50], q=0.1, lam=2, executor=workers).frame()
    assert list(found.index) == ["few", "few", "more", "more"]
    assert found["n"].tolist() == [5, 5, 50, 50]
    assert found["q"].dtype == float
    assert found["delta"].map(float).is_monotonic_decreasing
    assert found["delta"].iloc[2].lower == dp.delta(dp.KRandomization(n=50, q=0.25), lam=2).lower
    assert list(plain.index) == [0, 1]


def test_pandas_is_imported_for_frames_only():
    code = (
        "import sys, dpcalc as dp; from concurrent.futures import ThreadPoolExecutor as E; "
        "print(dp.sweep('delta', n=5, q=[.1, .2], lam=2, executor=E(1))); assert 'pandas' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True, stdout=subprocess.DEVNULL)


def test_nothing_asked_is_nothing_answered():
    found = dp.sweep(dp.delta, n=[], q="0.1", lam=2)
    assert len(found) == 0
    assert found.columns == {"delta": [], "error": []}
    assert len(dp.sweep(dp.delta, pd.DataFrame({"n": [], "q": []})).frame()) == 0


def test_progress_rises_to_one(tmp_path):
    shares = []
    with ThreadPoolExecutor(1) as workers:
        dp.sweep(dp.delta, n=5, q=["0.1", "0.2"], lam=2, executor=workers, path=tmp_path / "a")
        dp.sweep(
            dp.delta, n=5, q=["0.1", "0.2", "0.3", "0.4"], lam=2, executor=workers, path=tmp_path / "a",
            progress=shares.append,
        )  # fmt: skip
    assert shares == [0.75, 1]


# --- interrupted --------------------------------------------------------------------------------------------------


def test_what_was_answered_before_a_fault_is_kept(tmp_path, monkeypatch):
    path = tmp_path / "sweep.jsonl"

    def fault(one):
        raise KeyboardInterrupt

    with ThreadPoolExecutor(1) as workers:
        with pytest.raises(KeyboardInterrupt):
            dp.sweep(dp.delta, executor=workers, path=path, each=fault, **GRID)
        assert path.read_text().count("\n") == 1
        seen = []
        found = dp.sweep(dp.delta, executor=workers, path=path, each=seen.append, **GRID)
    assert len(seen) == 11
    assert ends(one.value for one in found) == ends(DIRECT)


def test_a_fault_in_a_question_is_raised():
    with pytest.raises(ZeroDivisionError):
        dp.sweep(dp.delta, executor=Workers(lambda question: 1 / 0), **GRID)


SLOWLY = """
import time
import dpcalc as dp

if __name__ == "__main__":
    dp.sweep("delta", path={path!r}, each=lambda one: time.sleep(0.2), **{grid!r})
"""


@pytest.mark.soak
def test_a_sweep_that_was_killed_goes_on_from_its_file(tmp_path):
    path, script = tmp_path / "sweep.jsonl", tmp_path / "script.py"
    script.write_text(SLOWLY.format(path=str(path), grid=GRID))
    running = subprocess.Popen([sys.executable, str(script)], start_new_session=True)
    end = time.monotonic() + 120
    while not path.exists() or path.read_bytes().count(b"\n") < 3:
        assert time.monotonic() < end
        assert running.poll() is None
        time.sleep(0.01)
    os.killpg(running.pid, signal.SIGKILL)
    assert running.wait() == -signal.SIGKILL
    kept = path.read_bytes()
    with path.open("ab") as file:
        file.write(b'{"function": "delta", "arguments": {"n": "5')  # as if in the middle of a line
    seen = []
    with ThreadPoolExecutor(1) as workers:
        found = dp.sweep(dp.delta, path=path, executor=workers, each=seen.append, **GRID)
        again = dp.sweep(dp.delta, path=path, executor=None, each=seen.append, **GRID)
    assert 3 <= kept.count(b"\n") < 12
    assert path.read_bytes().startswith(kept)
    assert len(seen) == 12 - kept.count(b"\n")
    assert ends(one.value for one in found) == ends(one.value for one in again) == ends(DIRECT)
    assert found[0].value.lower.denominator > Fraction(1)


def test_a_file_of_other_questions_is_refused(tmp_path):
    path = tmp_path / "sweep.jsonl"
    with ThreadPoolExecutor(1) as workers:
        dp.sweep(dp.delta, n=5, q="0.1", lam=2, executor=workers, path=path)
        content = path.read_bytes()
        with pytest.raises(DomainError, match=r"line 1 answers another question, delta\(n=5, q=1/10, lam=2\)"):
            dp.sweep(dp.delta, n=5, q="0.1", lam=3, executor=workers, path=path)
    assert path.read_bytes() == content
