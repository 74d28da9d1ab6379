"""Every notebook runs from top to bottom, and prints what was committed.

The runs take minutes: ``pytest -m notebook``.
"""

import ast
import copy
import re
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
