"""What is waited for first: fresh processes that plan, draw and certify.

Processor time is counted, the interpreter and its imports included; dpcalc's modules are compiled, as where it is
installed.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from statistics import median

from measure import check

__all__ = ["FIRST", "run"]

_PLAN = ("plan", "--n", "50000", "--epsilon", "1", "--delta", "1e-8")
_MONTH = ("delta", "--n", "50000", "--q", "0.031", "--epsilon", "1", "--categories", "8", "--rounds", "30")
#: Command lines; FILE is one that is written.
FIRST: Mapping[str, tuple[str, ...]] = {
    "the help": ("--help",),
    "the least q of 50,000 users": ("least-q", *_PLAN[1:]),
    "a plan of four k": (*_PLAN, "--k", "1", "2", "5", "10"),
    "a plan and its picture": (*_PLAN, "--k", "1", "2", "5", "10", "--plot", "FILE.png"),
    "a month of eight categories": _MONTH,
    "its certificate": (*_MONTH, "--certificate", "FILE.json"),
}


def run(*, asked: Sequence[str] = tuple(FIRST), repeats: int = 5) -> dict[str, float]:
    """Median seconds by what is asked."""
    samples: dict[str, list[float]] = {name: [] for name in asked}
    with tempfile.TemporaryDirectory() as folder:
        for _ in range(repeats):
            for name, times in samples.items():
                times.append(_seconds([text.replace("FILE", str(Path(folder, "made"))) for text in FIRST[name]]))
    return {name: median(times) for name, times in samples.items()}


def _seconds(command: list[str]) -> float:
    before, compiled = os.times(), {**os.environ, "PYTHONDONTWRITEBYTECODE": ""}
    done = subprocess.run([sys.executable, "-m", "dpcalc", *command], env=compiled, capture_output=True)
    check(done.returncode == 0 and bool(done.stdout), f"dpcalc {' '.join(command)}")
    after = os.times()
    return after.children_user - before.children_user + after.children_system - before.children_system
