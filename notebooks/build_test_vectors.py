"""Test vectors for other implementations: ``python notebooks/build_test_vectors.py`` writes ``test_vectors.json``.

A vector has the columns of a row of ``dpcalc audit``, with lam = e^epsilon or epsilon, and the two ends of delta: no
dataset has more than ``upper``, one has ``lower``. All numbers are rationals, as text. Where both ends are equal delta
is known exactly; else they are rounded outward to 30 digits.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import dpcalc as dp
from dpcalc.audits.promised import KINDS

TARGET = Path(__file__).with_name("test_vectors.json")
DIGITS = 30

_USER = {"neighbours": "replace"}
_COINS = {"mechanism": "binomial", "sensitivity": 1, "neighbours": "add-remove"}

#: What is asked, in the columns of an audit.
CASES: tuple[dict[str, Any], ...] = (
    *({"mechanism": "bits", "n": n, "q": q, "k": k, **_USER, "lam": lam}
      for n, q, k, lam in ((1, "1/4", 1, 2), (2, "1/4", 1, 2), (3, "1/4", 1, 2), (3, "1/4", 2, 2), (7, "1/5", 1, "3/2"),
                           (10, "1/10", 3, 3), (20, "1/3", 1, 1), (60, "1/30", 3, 28))),
    *({"mechanism": "bits", "n": n, "q": q, **_USER, "epsilon": epsilon}
      for n, q, epsilon in ((1000, "1/4", "1/10"), (50_000, "49/50000", 1), (10**6, "1/10", "1/80"))),
    *({"mechanism": "histogram", "n": n, "categories": 4, "q": "1/4", "neighbours": relation, "lam": 2}
      for n in (1, 2, 3) for relation in ("replace", "delete")),
    {"mechanism": "histogram", "n": 100, "categories": 16, "q": "1/10", "neighbours": "replace", "epsilon": 1},
    *({**_COINS, "trials": trials, "probability": p, "lam": lam}
      for trials, p, lam in ((5, "1/2", 2), (17, "1/2", 20), (80, "1/2", 3), (10, "1/4", 2))),
    *({**_COINS, "trials": trials, "probability": "1/2", "epsilon": epsilon}
      for trials, epsilon in ((17, 3), (62, 1), (3787, "1/10"), (79, 1), (80, 1))),
    {**_COINS, "trials": 12, "probability": "1/2", "sensitivity": 3, "lam": 2},
    *({**_COINS, "mechanism": "geometric", "bound": bound, "ratio": "1/2", "sensitivity": change, "lam": 2}
      for bound, change in ((0, 1), (5, 1), (5, 2), (20, 1))),
    *({**_COINS, "mechanism": "geometric", "bound": bound, "scale": scale, "sensitivity": change, "epsilon": epsilon}
      for bound, scale, change, epsilon in ((14, 1, 1, 1), (25, 2, 1, "1/2"), (14, "1/2", 8, 2), (14, "1/2", 8, 16))),
    {**_COINS, "mechanism": "poisson", "mean": "34.0675", "epsilon": 1},
    {**_COINS, "mechanism": "skellam", "mu": "7.1205", "epsilon": 1},
    {**_COINS, "mechanism": "discrete gaussian", "sigma": "4.2308", "epsilon": 1},
    {**_COINS, "mechanism": "discrete laplace", "scale": 2, "epsilon": "1/4"},
    {"mechanism": "threshold", "threshold": 20, "sampled": "21/200", "neighbours": "add-remove", "epsilon": 1},
    {"mechanism": "threshold", "threshold": 2, "sampled": "1/4", "neighbours": "add-remove", "lam": 2},
    {"mechanism": "asymmetric bits", "n": 12, "a": "1/2", "b": "1/10", **_USER, "lam": "3/2"},
)  # fmt: skip


def vector(case: dict[str, Any]) -> dict[str, Any]:
    """The case, its numbers as text, with both ends of delta."""
    limit = {name: case[name] for name in ("lam", "epsilon") if name in case}
    cells = {name: value for name, value in case.items() if name not in limit}
    found = dp.delta(KINDS[cells["mechanism"]].make(cells), **limit)
    ends = found.outward(DIGITS)
    written = {name: value if name in ("mechanism", "neighbours") else str(value) for name, value in case.items()}
    return {**written, "delta": {"lower": str(ends.lower), "upper": str(ends.upper)}}


def vectors() -> Iterator[dict[str, Any]]:
    """All of them."""
    return map(vector, CASES)


if __name__ == "__main__":
    text = json.dumps({"version": dp.__version__, "vectors": list(vectors())}, indent=1)
    TARGET.write_text(text + "\n", encoding="utf-8")
    print(f"{len(CASES)} vectors: {TARGET.name}")
