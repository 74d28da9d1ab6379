"""Every notebook runs from top to bottom, and prints what was committed.

The runs take minutes: ``pytest -m notebook``.
"""

import ast
import copy
import re
from collections.abc import Iterator
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

import dpcalc

NOTEBOOKS = sorted((Path(__file__).parents[1] / "notebooks").glob("*.ipynb"))


def texts(notebook):
    """The text that each code cell shows; pictures are left out, warnings are not."""
    shown = []
    for cell in notebook.cells:
        if cell.cell_type != "code":
            continue
        for output in cell.outputs:
            shown.append(output.text if output.output_type == "stream" else output.data.get("text/plain"))
    return "".join(text for text in shown if text)


def pictures(notebook):
    return sum("image/png" in output.get("data", {}) for cell in notebook.cells for output in cell.get("outputs", []))


@pytest.mark.notebook
@pytest.mark.filterwarnings("default::DeprecationWarning", "default::ResourceWarning")
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_it_runs_and_prints_what_was_committed(path):
    committed = nbformat.read(path, as_version=4)
    fresh = copy.deepcopy(committed)
    for cell in fresh.cells:
        if cell.cell_type == "code":
            cell.outputs = []
    NotebookClient(fresh, timeout=120, resources={"metadata": {"path": str(path.parent)}}).execute()
    assert texts(fresh) == texts(committed)
    assert pictures(fresh) == pictures(committed) > 0


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_it_was_committed_as_executed_in_one_go(path):
    cells = [cell for cell in nbformat.read(path, as_version=4).cells if cell.cell_type == "code"]
    assert [cell.execution_count for cell in cells] == list(range(1, len(cells) + 1))


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_it_imports_public_names_only_and_ends_in_what_can_be_read(path):
    cells = nbformat.read(path, as_version=4).cells
    assert cells[-1].cell_type == "markdown" or cells[-1].outputs
    trees = [ast.parse(cell.source) for cell in cells if cell.cell_type == "code"]
    for node in (node for tree in trees for node in ast.walk(tree)):
        if isinstance(node, ast.Import):
            assert not [name.name for name in node.names if name.name.startswith("dpcalc.")]
        elif isinstance(node, ast.ImportFrom) and node.module == "dpcalc":
            assert {name.name for name in node.names} <= set(dpcalc.__all__)
        elif isinstance(node, ast.ImportFrom) and node.module.startswith("dpcalc."):
            assert dpcalc._HOMES.get(node.module.rpartition(".")[2]) == "dpcalc.notes"  # a public one


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_its_pictures_have_the_style_of_all_and_words_or_formulas_for_labels(path):
    source = "\n".join(cell.source for cell in nbformat.read(path, as_version=4).cells if cell.cell_type == "code")
    assert 'plt.style.use("pictures.mplstyle")' in source
    calls = [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Call)]
    said = {option.arg: option.value for call in calls for option in call.keywords}
    assert not {"dpi", "layout", "frameon"} & said.keys()  # the style says them
    labels = [
        text.value for call in calls for option in call.keywords if option.arg in ("xlabel", "ylabel", "title")
        for text in ast.walk(option.value) if isinstance(text, ast.Constant) and isinstance(text.value, str)
    ]  # fmt: skip
    assert not [label for label in labels if re.search(r"sqrt\(|\^|\*", re.sub(r"\$[^$]*\$", "", label))]


SYMBOLS = next(path for path in NOTEBOOKS if path.stem.endswith("in_symbols"))
OTHER = {ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Div, ast.Div: ast.Mult, ast.Pow: ast.Mult}


def right_side(test: ast.expr) -> ast.expr | None:
    """The right-hand side of what is asserted: of the first ``same(left, right)`` or ``left == right`` in it."""
    for node in ast.walk(test):
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            return None
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "same":
            return node.args[1]
        if isinstance(node, ast.Compare) and all(isinstance(op, ast.Eq) for op in node.ops):
            return node.comparators[-1]
    return None


def alterations(test: ast.expr) -> Iterator[ast.expr]:
    """The assertion with one operator or one whole number of its right-hand side altered, for each of these."""
    for place, node in enumerate(ast.walk(right_side(test) or ast.Constant(None))):
        if isinstance(node, ast.BinOp) or (isinstance(node, ast.Constant) and type(node.value) is int):
            altered = copy.deepcopy(test)
            twin = list(ast.walk(right_side(altered)))[place]
            if isinstance(twin, ast.BinOp):
                twin.op = OTHER[type(twin.op)]()
            else:
                twin.value += 1
            yield altered


class Altered(ast.NodeTransformer):
    """Behind each assertion its alterations, each as a call ``altered(number, lambda: test)``."""

    def __init__(self) -> None:
        self.tests: list[str] = []

    def visit_Assert(self, node: ast.Assert) -> list[ast.stmt]:
        calls: list[ast.stmt] = [node]
        for test in alterations(node.test):
            source = f"altered({len(self.tests)}, lambda: {ast.unparse(test)})"
            self.tests.append(ast.unparse(test))
            calls.append(ast.parse(source).body[0])
        return calls


@pytest.mark.notebook
def test_every_identity_in_symbols_fails_if_one_operator_or_number_is_altered(monkeypatch):
    """The cells run once; behind each assertion its alterations are asked, and each fails, or cannot be computed."""
    monkeypatch.chdir(SYMBOLS.parent)
    monkeypatch.setenv("MPLBACKEND", "Agg")
    failed, transform = set(), Altered()

    def altered(number, test):
        if number not in failed:
            try:
                held = test()
            except (AttributeError, IndexError, KeyError, TypeError, ValueError, ZeroDivisionError):
                held = False
            if not held:
                failed.add(number)

    names = {"__name__": "cells", "altered": altered}
    for cell in nbformat.read(SYMBOLS, as_version=4).cells:
        if cell.cell_type == "code":
            exec(compile(ast.fix_missing_locations(transform.visit(ast.parse(cell.source))), cell.id, "exec"), names)
    assert [test for number, test in enumerate(transform.tests) if number not in failed] == []
    assert len(transform.tests) > 700


def test_every_printed_identity_in_symbols_is_asserted():
    """``same`` stands in assertions and definitions only."""
    for cell in nbformat.read(SYMBOLS, as_version=4).cells:
        for node in ast.walk(ast.parse(cell.source)) if cell.cell_type == "code" else ():
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "print":
                names = {name.id for name in ast.walk(node) if isinstance(name, ast.Name)}
                assert "same" not in names


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_it_asserts(path):
    sources = [cell.source for cell in nbformat.read(path, as_version=4).cells if cell.cell_type == "code"]
    assert sum(isinstance(node, ast.Assert) for source in sources for node in ast.walk(ast.parse(source))) > 0


def test_there_is_one_notebook_for_each_question():
    assert [path.stem[:2] for path in NOTEBOOKS] == [f"{number:02}" for number in range(1, 15)]
