"""Writes ``worked/``: this project's answers as theorems for Coq's kernel (.v), and for the extracted checker (.txt).

``python notebooks/formal/worked.py``; a test compares what is there with what would be written.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import dpcalc as dp
from dpcalc.certificates.formal import Formal, formal

FOLDER = Path(__file__).parent / "worked"

#: A minute each in the kernel at most.
KERNEL: dict[str, tuple[Callable[..., Any], tuple[Any, ...], dict[str, Any]]] = {
    "three_records": (dp.delta, (dp.KRandomization(n=3, q="1/4"),), {"lam": 2}),  # certificates.md, by hand
    "hundred": (dp.delta, (dp.KRandomization(n=100, q="0.1"),), {"epsilon": 1}),
    "epsilon_300": (dp.epsilon, (dp.KRandomization(n=300, q="0.1", k=2),), {"delta": "1e-6"}),
    "least_n": (dp.least_n, (), {"q": "0.1", "epsilon": 1, "delta": "1e-6"}),
    "most_k": (dp.most_k, (), {"n": 60, "q": "0.2", "epsilon": 1, "delta": "1e-2"}),
    "least_q_1000": (dp.least_q, (), {"n": 1000, "epsilon": 1, "delta": "1e-6"}),
}
#: README's, for the extracted checker: the kernel would take hours.
EXTRACTED: dict[str, tuple[Callable[..., Any], tuple[Any, ...], dict[str, Any]]] = {
    "readme_plan": (dp.least_q, (), {"n": 50_000, "epsilon": 1, "delta": "1e-8"}),
    "readme_delta": (dp.delta, (dp.KRandomization(n=50_000, q="0.00098"),), {"epsilon": 1}),
}


def made(question: Callable[..., Any], arguments: tuple[Any, ...], options: dict[str, Any]) -> Formal:
    """The claim of a question's certificate, with Coq's witness."""
    return formal(dp.certificate(question, *arguments, **options).document)


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for name, asked in KERNEL.items():
        (FOLDER / f"{name}.v").write_text(made(*asked).coq, "utf-8")
    for name, asked in EXTRACTED.items():
        (FOLDER / f"{name}.txt").write_text(made(*asked).numbers, "utf-8")
