"""Small files whose numbers ask for long lists: the checker needs no more memory than its page says."""

import json
import random
import subprocess
import sys
from fractions import Fraction

import pytest

from dpcalc import check

MOST = 300  # MB, as notebooks/certificates.md says
MEASURED = """
import runpy, re, sys
check = runpy.run_path(sys.argv[1])
check["main"](sys.argv[2:])
print(re.search(r"VmHWM:\\s+(\\d+) kB", open("/proc/self/status").read())[1])
"""
pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="reads the peak of a process where Linux writes it")


def examined(file, folder, limit=60):
    """What the checker says of a file, and the most MB that it held."""
    path = folder / "file.json"
    path.write_bytes(file if isinstance(file, bytes) else json.dumps(file).encode())
    command = [sys.executable, "-I", "-S", "-c", MEASURED, check.__file__, str(path)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=limit, check=True)
    said, peak = done.stdout.splitlines()
    return said, int(peak) / 1000


def asking(bits=64, **question):
    asked = {"what": "delta", "lam": 2, **question}
    return {"schema": check.SCHEMA, "question": asked, "answer": {"lower": 0, "upper": "9/10"}, "bits": bits}


def group(n, k, b, a="1/2"):
    return {"n": n, "k": k, "a": a, "b": b}


def inputs(rows, kinds):
    """Inputs that are reported as they are with a chance of about a half."""
    return [[str(Fraction(kinds if i == j else 1, 2 * kinds - 1)) for j in range(kinds)] for i in range(rows)]


def of_long_parts():
    """A row whose sum has a denominator of 16 million bits."""
    draw = random.Random(1)
    return [[f"0x1/{draw.getrandbits(160_000) | 1:#x}" for _ in range(100)]]


def far_out():
    """Pieces whose bounds have exponents of millions of bits."""
    circle = {"t": 1_500_000, "r": "1/2", "left": "1/4", "right": "3/4", "points": 3, "kept": 2, "pieces": 999}
    file = asking(n=6_000_000, q="1/4", k=1)
    return {**file, "blocks": [{"from": 0, "to": 0, "by": "circle", "wide": 1, **circle}]}


#: Each needed more than 300 MB, or many minutes, before its lists were charged for or left out.
LONG = {
    "lists in lists": lambda: b"[" + (b"[" * 900 + b"]" * 900 + b",") * 4650 + b"0]",
    "one law": lambda: asking(groups=[group(1, 10_000, f"{2**38 - 1}/{2**39}")]),
    "two groups": lambda: asking(groups=[group(1, 10_000, "1/5"), group(1, 1, "1/5")]),
    "categories": lambda: asking(groups=[group(30, 100, "1/1999")], categories=3),
    "kinds of reports": lambda: asking(inputs=inputs(100, 100), people=3),
    "chances of long parts": lambda: asking(inputs=of_long_parts(), people=1),
    "pieces": far_out,
}


@pytest.mark.parametrize("name", [pytest.param(x, marks=[pytest.mark.soak] * (x == "kinds of reports")) for x in LONG])
def test_a_file_that_asks_for_long_lists_gets_no_memory_for_them(name, tmp_path):
    said, peak = examined(LONG[name](), tmp_path)
    assert peak < MOST
    assert said.startswith(
        ("Proven: ", "Not proven: too much to be looked at", "Not proven: d_t > 0 on the first pieces")
    )


def test_long_sums_that_need_no_list_are_proven(tmp_path):
    said, peak = examined(asking(threshold=30_000, sampled="1/3", lam=1000), tmp_path)
    assert said.startswith('Proven: {"lam": 1000, "threshold": 30000, "sampled": "1/3"}: the least delta')
    assert peak < 50


@pytest.mark.soak
def test_as_many_kinds_as_fit_are_proven(tmp_path):
    """The most memory of a file that is accepted."""
    said, peak = examined(asking(inputs=inputs(2, 100), people=3), tmp_path)
    assert said.startswith('Proven: {"lam": 2, "inputs": [["100/199", "1/199"')
    assert peak < 150


def drawn(draw):
    """A question of any kind that is summed up, whose sizes are drawn up to their limits."""

    def size(most):
        return round(most ** draw.random())

    kind = draw.choice(["threshold", "groups", "categories", "inputs", "reports", "noise", "sum"])
    chance = f"1/{2 + size(10 ** draw.choice([1, 3, 15]))}"
    if kind == "threshold":
        return asking(threshold=size(10**6), sampled=chance, lam=draw.choice([1, 2, 10**6]))
    if kind in ("groups", "categories"):
        many = 1 if kind == "categories" else draw.choice([1, 1, 2, 20])
        groups = [group(size(10_000), size(10_000), f"1/{3 + size(10**6)}") for _ in range(many)]
        return asking(groups=groups, **({"categories": draw.choice([2, 3])} if kind == "categories" else {}))
    if kind in ("inputs", "reports"):
        rows, kinds = 1 + size(99), 1 + size(99)
        more = {"reports": [[size(10_000) for _ in range(1 + size(99))]] * kinds} if kind == "reports" else {}
        return asking(inputs=inputs(rows, kinds), people=size(10_000), **more)
    noises = [
        {"chance": chance, "trials": size(10_000)},
        {"ratio": chance, "bound": size(10_000)},
        {"mean": size(10**6)},
    ]
    noise = {"sum": draw.choices(noises, k=size(1000))} if kind == "sum" else draw.choice(noises)
    return asking(draw.choice([64, 640, 20_000]), noise=noise, sensitivity=size(1000))


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(30))
def test_no_question_gets_more_memory_or_time_than_promised(seed, tmp_path):
    said, peak = examined(drawn(random.Random(seed)), tmp_path, limit=120)
    assert said.startswith(("Proven: ", "Not proven: "))
    assert peak < MOST
