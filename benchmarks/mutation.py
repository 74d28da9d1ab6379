"""Break the engine in one place at a time and see whether its tests notice: mutation testing of the folders below.

python benchmarks/mutation.py results.jsonl --mutants 100

Every mutant is one edit of one module: a comparison turned or made strict, a sum made a difference, a product a
quotient, a whole number larger by one, min for max, floor for ceil, and for or, a sign lost. It is tried on a copy of
the package against the tests of its own module, and what survives these against the test files that are nearest to it
by imports; with ``--all`` also against those of the whole core, minutes each. Left out are
modules whose floats only steer, and numbers that are assigned to a module's constants: precisions, sizes and how far to
search, which change how long an answer takes.

What survives is to be read: either it changes a bound or an answer, and gets a test, or it changes neither, and gets an
entry in ``mutation_survivors.json`` that says why; what is listed there is tried on its own tests only. Entries are
found by the function and the text of its line, so that one whose line has changed is to be read again.

Which mutants are tried is drawn at random from all that there are, the same ones for the same seed; an interrupted run
goes on from its file.
"""

from __future__ import annotations

import argparse
import ast
import json
import os
import random
import re
import resource
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import dpcalc

__all__ = ["SURVIVORS", "Mutant", "mutants", "run"]

ROOT = Path(__file__).resolve().parents[1]
SURVIVORS = ROOT / "benchmarks" / "mutation_survivors.json"
FOLDERS = (
    "laws",
    "pairs",
    "losses",
    "worst",
    "families",
    "rounds",
    "privacy",
    "notes/collections",
    "local",
    "notes/vectors",
)
_ALL = (*(f"tests/{folder}" for folder in FOLDERS), "tests/choose", "tests/accuracy")
_STEERING = {"saddle.py", "tilt.py"}  # floats that prove nothing: no bound depends on them
_NEAREST = 3  # test files that are near
_SECONDS = 600  # for one stage of a mutant (all: ten times); longer is told apart: a hang, or a slow machine
_MEMORY = 6 << 30  # bytes
_COMPARISONS = {ast.Lt: "<=", ast.LtE: "<", ast.Gt: ">=", ast.GtE: ">", ast.Eq: "!=", ast.NotEq: "=="}
_OPERATIONS = {
    ast.Add: "-",
    ast.Sub: "+",
    ast.Mult: "/",
    ast.Div: "*",
    ast.FloorDiv: "*",
    ast.LShift: ">>",
    ast.RShift: "<<",
}
_SIGNS = {
    ast.Add: "+",
    ast.Sub: "-",
    ast.Mult: "*",
    ast.Div: "/",
    ast.FloorDiv: "//",
    ast.LShift: "<<",
    ast.RShift: ">>",
}
_TOLD = {ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=", ast.Eq: "==", ast.NotEq: "!="}
_NAMES = {
    "min": "max",
    "max": "min",
    "floor": "ceil",
    "ceil": "floor",
    "any": "all",
    "all": "any",
    "lower": "upper",
    "upper": "lower",
}


@dataclass(frozen=True)
class Mutant:
    """One edit: in the module ``path``, the text from ``start`` to ``end`` (offsets) becomes ``new``."""

    path: str
    line: int
    start: int
    end: int
    old: str
    new: str


def mutants(path: Path, root: Path = ROOT) -> Iterator[Mutant]:
    """Every edit of one module below ``root``; docstrings, annotations and names of modules are left alone."""
    text = path.read_text(encoding="utf-8")
    starts = [0]
    for line in text.splitlines(keepends=True):
        starts.append(starts[-1] + len(line.encode()))
    raw, name = text.encode(), path.relative_to(root).as_posix()

    def at(node: ast.AST, *, end: bool = False) -> int:
        line, column = (node.end_lineno, node.end_col_offset) if end else (node.lineno, node.col_offset)  # type: ignore[attr-defined]
        return starts[line - 1] + column

    def edit(line: int, start: int, end: int, new: str) -> Mutant:
        return Mutant(name, line, start, end, raw[start:end].decode(), new)

    def between(left: ast.AST, right: ast.AST, sign: str, new: str, line: int) -> Iterator[Mutant]:
        """The operator between two operands."""
        low, high = at(left, end=True), at(right)
        place = raw.find(sign.encode(), low, high)
        if place >= 0:
            yield edit(line, place, place + len(sign), new)

    tree = ast.parse(text)
    typed = [getattr(node, name, None) for node in ast.walk(tree) for name in ("annotation", "returns")]
    constants = [node for node in tree.body if isinstance(node, ast.Assign | ast.AnnAssign)]
    left_out = {id(part) for root in (*typed, *constants) if root is not None for part in ast.walk(root)}
    for node in ast.walk(tree):
        if id(node) in left_out:
            continue
        if isinstance(node, ast.Compare):
            for left, sign, right in zip([node.left, *node.comparators], node.ops, node.comparators, strict=False):
                if type(sign) in _COMPARISONS:
                    yield from between(left, right, _TOLD[type(sign)], _COMPARISONS[type(sign)], node.lineno)
        elif isinstance(node, ast.BinOp) and type(node.op) in _OPERATIONS:
            yield from between(node.left, node.right, _SIGNS[type(node.op)], _OPERATIONS[type(node.op)], node.lineno)
        elif isinstance(node, ast.BoolOp):
            word, other = ("and", "or") if isinstance(node.op, ast.And) else ("or", "and")
            yield from between(node.values[0], node.values[1], word, other, node.lineno)
        elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
            yield edit(node.lineno, at(node), at(node) + 1, " ")
        elif isinstance(node, ast.Constant) and type(node.value) is int:
            yield edit(node.lineno, at(node), at(node, end=True), str(node.value + 1))
        elif isinstance(node, ast.Name) and node.id in _NAMES and isinstance(node.ctx, ast.Load):
            yield edit(node.lineno, at(node), at(node, end=True), _NAMES[node.id])
        elif isinstance(node, ast.Attribute) and node.attr in _NAMES and isinstance(node.ctx, ast.Load):
            end = at(node, end=True)
            yield edit(node.lineno, end - len(node.attr), end, _NAMES[node.attr])


def every(only: str = "") -> list[Mutant]:
    """All mutants of the engine, or of modules with such names (a pattern)."""
    modules = [p for folder in FOLDERS for p in sorted((ROOT / "dpcalc" / folder).rglob("*.py"))]
    kept = [p for p in modules if p.name not in {"__init__.py", *_STEERING} and re.search(only, p.stem)]
    return [mutant for p in kept for mutant in mutants(p)]


def entry(mutant: Mutant, root: Path = ROOT) -> tuple[str, str, str, str]:
    """How a survivor is listed: the module, the function, and the line before and after the edit."""
    raw = (root / mutant.path).read_bytes()
    start, end = raw.rfind(b"\n", 0, mutant.start) + 1, raw.find(b"\n", mutant.end)
    after = raw[start : mutant.start] + mutant.new.encode() + raw[mutant.end : end]
    line = 1 + raw.count(b"\n", 0, mutant.start)
    return mutant.path, _function(raw, line), raw[start:end].decode().strip(), after.decode().strip()


def _function(raw: bytes, line: int) -> str:
    """The names of the classes and functions around a line."""
    around = (ast.ClassDef, ast.FunctionDef)
    nodes = [node for node in ast.walk(ast.parse(raw)) if isinstance(node, around)]
    return ".".join(node.name for node in nodes if node.lineno <= line <= (node.end_lineno or 0))


def run(path: Path, count: int, seed: int, *, only: str = "", whole: bool = False) -> None:
    """Try so many mutants, stage after stage; verdicts are lines of the file."""
    among = every(only)
    chosen = random.Random(seed).sample(among, min(count, len(among)))
    done = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()] if path.exists() else []
    if [_mutant(one) for one in done] != chosen[: len(done)]:
        sys.exit(f"{path} holds other mutants: of other code, or of another seed")
    listed = {(one["path"], one["in"], one["before"], one["after"]) for one in json.loads(SURVIVORS.read_text("utf-8"))}
    print(f"{len(among):,} mutants, {len(chosen):,} to be tried, {len(done):,} of them done", flush=True)
    with TemporaryDirectory() as folder:
        copy = Path(folder) / "copy"
        shutil.copytree(ROOT, copy, ignore=shutil.ignore_patterns(".git", ".*_cache", "__pycache__"))
        for mutant in chosen[len(done) :]:
            own = _own(mutant.path)
            near = [test for test in _near(mutant.path) if test not in own]
            verdict = _verdict(copy, mutant, "own", own) or ("equivalent" if entry(mutant) in listed else "")
            verdict = verdict or _verdict(copy, mutant, "near", near)
            done.append({**asdict(mutant), "caught": verdict})
            _write(path, done)
        for one in done:
            if whole and not one["caught"]:
                mutant = _mutant(one)
                one["caught"] = _verdict(copy, mutant, "all", _above(mutant.path), 10 * _SECONDS) or "never"
                _write(path, done)
    for one in done:
        if one["caught"] in ("", "never"):
            print(f"survived: line {one['line']}", *entry(_mutant(one)), sep="\n    ")
    told = Counter(one["caught"] or "open" for one in done)
    print(", ".join(f"{count:,} {what}" for what, count in told.most_common()), f"of {len(done):,} tried")


def _mutant(line: dict[str, Any]) -> Mutant:
    return Mutant(**{name: line[name] for name in Mutant.__annotations__})


def _write(path: Path, done: list[dict[str, Any]]) -> None:
    path.write_text("".join(json.dumps(one) + "\n" for one in done), encoding="utf-8")


def _own(path: str) -> list[str]:
    """The doctests of a module and its own tests."""
    own = Path("tests") / Path(path).relative_to("dpcalc").parent / f"test_{Path(path).name}"
    return [path, *([own.as_posix()] if (ROOT / own).exists() else [])]


def _near(path: str) -> list[str]:
    """The test files nearest to a module: that use it, or one that imports it, or one that imports such a one."""
    found: list[str] = []
    reached, front = {path}, {path}
    while front and len(found) < _NEAREST:
        found += [test for folder in _above(path) for test in _users(folder, front) if test not in found]
        front = set(_users("dpcalc", front)) - reached
        reached |= front
    return found[:_NEAREST]


def _users(folder: str, modules: Iterable[str]) -> list[str]:
    """The files of a folder that import one of the modules, or use a public name of one."""
    files = sorted(path.relative_to(ROOT).as_posix() for path in (ROOT / folder).rglob("*.py"))
    return [name for name in files if not _used(name).isdisjoint(modules)]


@cache
def _used(name: str) -> set[str]:
    """The modules that a file imports, by their paths; through the public surface too."""
    text = (ROOT / name).read_text(encoding="utf-8")
    found = set(re.findall(r"from (dpcalc[\w.]*) import", text))
    found |= {
        f"{home}.{one}"
        for home, names in re.findall(r"from (dpcalc[\w.]*) import ([\w, ]+)", text)
        for one in names.split(", ")
    }
    public = set(re.findall(r"\bdp\.(\w+)", text))
    found |= {home for name, home in vars(dpcalc)["_HOMES"].items() if name in public}
    return {module.replace(".", "/") + ".py" for module in found}


def _above(path: str) -> list[str]:
    """The tests that may notice, those of the module's own folder first."""
    own = Path("tests", Path(path).relative_to("dpcalc").parent).as_posix()
    return [own, *(folder for folder in _ALL if folder != own)]


def _verdict(copy: Path, mutant: Mutant, stage: str, tests: Sequence[str], seconds: int = _SECONDS) -> str:
    """The stage if a test fails while the module is broken, or takes too long."""
    module = copy / mutant.path
    raw = module.read_bytes()
    module.write_bytes(raw[: mutant.start] + mutant.new.encode() + raw[mutant.end :])
    command = [sys.executable, "-m", "pytest", "-x", "-q", "-n", "0", "-p", "no:cacheprovider", *tests]
    environment = {**os.environ, "PYTHONPATH": str(copy), "PYTHONDONTWRITEBYTECODE": "1"}
    try:
        done = subprocess.run(
            command, cwd=copy, env=environment, capture_output=True, timeout=seconds, check=False,
            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (_MEMORY, _MEMORY)),
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        return f"{stage}, by its time"
    finally:
        module.write_bytes(raw)
    return "" if done.returncode in (0, 5) else stage  # 5: no tests there


def main() -> None:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("path", type=Path, help="the file of verdicts")
    parser.add_argument("--mutants", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", default="", help="modules whose names have this pattern")
    parser.add_argument("--all", action="store_true", help="try survivors on all tests of the engine too")
    options = parser.parse_args()
    run(options.path, options.mutants, options.seed, only=options.only, whole=options.all)


if __name__ == "__main__":
    main()
