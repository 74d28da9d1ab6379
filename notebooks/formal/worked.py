"""Writes ``worked/``: this project's answers as theorems for Coq's kernel (.v), and for the extracted checker (.txt).

``python notebooks/formal/worked.py`` asks again. Beside each is its certificate (.json), of which it is made.
"""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import dpcalc as dp
from dpcalc.certificates.certificate import Certificate
from dpcalc.certificates.coq import Theorem
from dpcalc.certificates.formal import formal

FOLDER = Path(__file__).parent / "worked"

#: A minute each in the kernel at most.
KERNEL: dict[str, tuple[Callable[..., Any], tuple[Any, ...], dict[str, Any]]] = {
    "three_records": (dp.delta, (dp.KRandomization(n=3, q="1/4"),), {"lam": 2}),  # certificates.md, by hand
    "hundred": (dp.delta, (dp.KRandomization(n=100, q="0.1"),), {"epsilon": 1}),
    "epsilon_300": (dp.epsilon, (dp.KRandomization(n=300, q="0.1", k=2),), {"delta": "1e-6"}),
    "least_n": (dp.least_n, (), {"q": "0.1", "epsilon": 1, "delta": "1e-6"}),
    "noise": (dp.delta, (dp.NoisyCount(dp.Binomial(80, "1/2")),), {"epsilon": 1}),
    "most_k": (dp.most_k, (), {"n": 60, "q": "0.2", "epsilon": 1, "delta": "1e-2"}),
    "rounds": (dp.delta, (dp.Rounds([(dp.KRandomization(n=20, q="1/5"), 10)]),), {"epsilon": 1}),
    "histograms": (
        dp.delta,
        (dp.Rounds([(dp.UnaryEncoding(n=50, categories=8, q="1/10"), 3)]),),
        {"epsilon": 1},
    ),
    "least_q_1000": (dp.least_q, (), {"n": 1000, "epsilon": 1, "delta": "1e-6"}),
}
#: README's and the tutorial's, for the extracted checker: the kernel would take hours.
EXTRACTED: dict[str, tuple[Callable[..., Any], tuple[Any, ...], dict[str, Any]]] = {
    "readme_plan": (dp.least_q, (), {"n": 50_000, "epsilon": 1, "delta": "1e-8"}),
    "readme_delta": (dp.delta, (dp.KRandomization(n=50_000, q="0.00098"),), {"epsilon": 1}),
    "tutorial_plan": (dp.least_q, (), {"n": 50_000, "epsilon": "0.5", "delta": "1e-8"}),
    "tutorial_epsilon": (dp.epsilon, (dp.KRandomization(n=50_000, q="0.0027"),), {"delta": "1e-8"}),
}


def asked(name: str) -> Certificate:
    """The answer to a question, with its certificate."""
    question, arguments, options = {**KERNEL, **EXTRACTED}[name]
    return dp.certificate(question, *arguments, **options)


def shown(name: str) -> Theorem:
    """The claim of the certificate in the folder, with Coq's witness."""
    return formal(json.loads((FOLDER / f"{name}.json").read_text("utf-8")))


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for name in (*KERNEL, *EXTRACTED):
        asked(name).write(FOLDER / f"{name}.json")
    for name in (*KERNEL, *EXTRACTED):
        ending = "v" if name in KERNEL else "txt"
        (FOLDER / f"{name}.{ending}").write_text(shown(name).coq, "utf-8")
