"""Times and memory: medians of interleaved repeats in one process, peaks of fresh child processes.

Processor time of this process is counted, not the clock on the wall, so that other work on the machine disturbs less.
"""

from __future__ import annotations

import gc
import os
import platform
import resource
import subprocess
import sys
from collections.abc import Callable, Iterable, Mapping
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from statistics import median
from time import process_time
from typing import Any

__all__ = ["check", "machine", "medians", "peak", "peak_of"]

_SAMPLE = 0.02  # seconds that one sample of a fast call takes at least


def check(holds: bool, what: str) -> None:
    """Stop the benchmark at a wrong answer."""
    if not holds:
        raise AssertionError(f"wrong answer: {what}")


def medians(cases: Mapping[str, Callable[[], Any]], *, repeats: int) -> dict[str, float]:
    """Median seconds per call of each case; the cases take turns, so that drifts of the machine hit all alike."""
    loops = {name: max(1, round(_SAMPLE / max(_seconds(call, 1), 1e-6))) for name, call in cases.items()}
    samples: dict[str, list[float]] = {name: [] for name in cases}
    for _ in range(repeats):
        for name, call in cases.items():
            samples[name].append(_seconds(call, loops[name]))
    return {name: median(times) for name, times in samples.items()}


def _seconds(call: Callable[[], Any], loops: int) -> float:
    gc.collect()
    start = process_time()
    for _ in range(loops):
        call()
    return (process_time() - start) / loops


def peak_of(statements: str) -> float:
    """Peak memory, in MB, of a fresh Python process that runs the statements, imports and interpreter included."""
    code = f"import measure\n{statements}\nprint(measure.peak())"
    path = os.pathsep.join(place for place in sys.path if place)
    done = subprocess.run(
        [sys.executable, "-c", code], env={**os.environ, "PYTHONPATH": path}, check=True, capture_output=True, text=True
    )
    return float(done.stdout.split()[-1])


def peak() -> float:
    """Peak memory of this process so far, in MB."""
    status = Path("/proc/self/status")  # a child's ru_maxrss starts at its parent's peak on Linux; VmHWM does not
    if status.exists():
        return int(status.read_text(encoding="ascii").partition("VmHWM:")[2].split()[0]) / 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (2**20 if sys.platform == "darwin" else 2**10)


def machine(libraries: Iterable[str]) -> dict[str, Any]:
    """What the numbers were measured on."""
    return {
        "date": datetime.now(UTC).date().isoformat(),
        "architecture": platform.machine(),
        "cores": os.cpu_count(),
        "system": platform.system(),
        "python": platform.python_version(),
        "libraries": {name: _version(name) for name in libraries},
    }


def _version(name: str) -> str | None:
    try:
        return version(name)
    except PackageNotFoundError:
        return None
