import re
import shlex
import tomllib
from collections import Counter
from pathlib import Path

import pytest

import dpcalc
from dpcalc import claims
from dpcalc.cli import main
from dpcalc.cli.fleet_file import EXAMPLE

README = Path(__file__).parents[2] / "README.md"
PAGES = [README, *sorted((README.parent / "notebooks").rglob("*.md"))]


def blocks(page, kind):
    """What stands in the page's fences of a kind, such as console."""
    return re.findall(rf"^```{re.escape(kind)}\n(.*?)^```$", page.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE)


def sessions(page):
    """A command and what it is said to print, each."""
    return [text for block in blocks(page, "console") for text in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]]


SHOWN = [(page, session) for page in PAGES for session in sessions(page)]
NAMES = [f"{page.stem}: {session.splitlines()[0]}" for page, session in SHOWN]


@pytest.mark.parametrize(("page", "session"), SHOWN, ids=NAMES)
def test_a_page_shows_what_is_printed(page, session, capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("fleet.toml").write_text("".join(blocks(page, "toml")) or EXAMPLE, encoding="utf-8")
    command, _, shown = session.partition("\n")
    program, *arguments = shlex.split(command)
    assert program == "dpcalc"
    assert main(arguments) == 0
    printed = "\n".join(line.rstrip() for line in capsys.readouterr().out.splitlines())
    assert printed.strip() == shown.strip()


def test_the_readme_shows_the_plan_and_the_solvers():
    assert {session.split()[1] for session in sessions(README)} >= {"plan", "least-q", "delta", "epsilon", "ratio"}


@pytest.mark.parametrize("page", [page for page in PAGES if blocks(page, "sh")], ids=lambda page: page.stem)
def test_a_clean_clone_is_checked_by_the_commands_of_a_page(page):
    own = {"python3 -m venv .venv", ". .venv/bin/activate"}  # there the environment has another name
    steps = [step for block in blocks(page, "sh") for step in re.split(" && |\n", block.strip()) if step not in own]
    run = (README.parent / ".ci" / "run").read_text(encoding="utf-8").splitlines()
    assert [line for line in run if line in steps] == steps


@pytest.mark.parametrize("page", [page for page in PAGES if page.parent.name == "guide"], ids=lambda page: page.stem)
def test_every_block_of_the_guide_is_run(page):
    kinds = re.findall(r"^```(.+)$", page.read_text(encoding="utf-8"), flags=re.MULTILINE)
    assert {"console"} <= set(kinds) <= {"console", "python", "toml"}
    assert all(block.startswith(">>> ") for block in blocks(page, "python"))  # run by doctest


def test_the_readme_shows_the_benchmarks_last_run():
    results = README.parent / "benchmarks" / "results.md"
    assert results.read_text(encoding="utf-8").strip() in README.read_text(encoding="utf-8")


def test_the_readme_counts_the_verdicts_that_are_pinned():
    text = README.read_text(encoding="utf-8")
    lines = (Path(__file__).parents[1] / "data" / "claims.txt").read_text(encoding="utf-8").splitlines()[1:]
    listed = [[cell.strip() for cell in line.split(" | ")] for line in lines]
    tables = (
        (2, ["proven", "holds", "holds only for", "corrected", "refuted", "vacuous", "not decided"]),
        (3, ["identity", "exhausted", "argued", "computed", "definition", "not checked"]),
    )
    for column, kinds in tables:
        for document in [*claims.DOCUMENTS, "all"]:
            counts = Counter(cells[column] for cells in listed if document in (cells[0].partition("-")[0], "all"))
            row = [document, *(str(counts[kind]) for kind in kinds), str(counts.total())]
            assert f"| {' | '.join(row)} |" in text


def test_the_package_index_gets_no_link_into_the_repository():
    pyproject = tomllib.loads((README.parent / "pyproject.toml").read_text(encoding="utf-8"))
    text = README.read_text(encoding="utf-8")
    assert "](notebooks/" in text
    for step in pyproject["tool"]["hatch"]["metadata"]["hooks"]["fancy-pypi-readme"]["substitutions"]:
        text = re.sub(step["pattern"], step["replacement"], text)
    assert not re.search(r"\]\((?!https?://)", text)


def test_who_cites_names_this_version():
    assert f"\nversion: {dpcalc.__version__}\n" in (README.parent / "CITATION.cff").read_text(encoding="utf-8")


def test_the_readme_maps_every_notebook_and_so_does_the_book():
    text, folder = README.read_text(encoding="utf-8"), README.parent / "notebooks"
    index = (folder / "index.md").read_text(encoding="utf-8")
    for path in folder.iterdir():
        shown = path.suffix in (".ipynb", ".md", ".png")
        assert f"(notebooks/{path.name})" in text or not shown
        assert f"<{path.stem}>" in index or path.suffix != ".ipynb"


def test_the_book_s_reference_covers_every_part_with_public_names():
    parts = {part for page in PAGES for part in re.findall("^```{public} (.*)$", page.read_text("utf-8"), re.M)}
    homes = [home.split(".") for home in dpcalc._HOMES]
    assert parts == {".".join(home[: 3 if home[1] == "notes" else 2]) for home in homes}
