import argparse
import re
import shlex
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

import dpcalc
from dpcalc.cli import main, program
from dpcalc.cli.fleet import EXAMPLE
from notebooks.console_blocks import PAGES, ROOT, blocks, sessions, shortened, shows

README = ROOT / "README.md"


def commands():
    """The parser of each command."""
    (action,) = (one for one in program._parser()._actions if isinstance(one, argparse._SubParsersAction))
    return action.choices


SHOWN = [(page, block) for page in PAGES for block in blocks(page, "console")]
NAMES = [f"{page.stem}: {block.splitlines()[0]}" for page, block in SHOWN]


def long(page, block):
    """Many rounds and certificates take seconds; README's are asked in any case."""
    return page != README and any(word in block for word in ("rounds", "--certificate"))


@pytest.mark.parametrize(
    ("page", "block"),
    [
        pytest.param(*shown, marks=[pytest.mark.soak] * long(*shown), id=name)
        for shown, name in zip(SHOWN, NAMES, strict=True)
    ],
)
def test_a_page_shows_what_is_printed(page, block, capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("fleet.toml").write_text("".join(blocks(page, "toml")) or EXAMPLE, encoding="utf-8")
    for command, shown in sessions(block):
        program, *arguments = shlex.split(command)
        assert program in ("dpcalc", "python")
        if program == "python":
            script, *files = arguments
            run = subprocess.run([sys.executable, ROOT / script, *files], check=True, capture_output=True, text=True)
            printed = run.stdout
        else:
            assert main(arguments) == 0
            printed = capsys.readouterr().out
        assert shows(shown, printed), printed


def test_what_is_shown_otherwise_is_noticed():
    assert shows("a\n...\nd\n", "a \nb\nc\nd\n")
    assert shows("a\n...\n", "a\nb\n")
    for wrong in ("a\n...\nc\n", "b\n...\nd\n", "a\nd\n", "a\n....\nd\n"):
        assert not shows(wrong, "a\nb\nc\nd\n")
    assert len(SHOWN) > 30


def test_what_is_left_out_is_left_out_again():
    printed = "a 2 \nb\nc 3\nd\ne 4\n"
    assert shortened("a 1\n...\nc 1\n...\ne 1\n", printed) == "a 2\n...\nc 3\n...\ne 4"
    assert shortened("a 1\n...\n", printed) == "a 2\n..."
    assert shortened("a 1\n", printed) == "a 2\nb\nc 3\nd\ne 4"


@pytest.mark.parametrize("page", [page for page in PAGES if blocks(page, "sh")], ids=lambda page: page.stem)
def test_a_clean_clone_is_checked_by_the_commands_of_a_page(page):
    own = {"python3 -m venv .venv", ". .venv/bin/activate"}  # there the environment has another name
    steps = [step for block in blocks(page, "sh") for step in re.split(" && |\n", block.strip()) if step not in own]
    run = (ROOT / ".ci" / "run").read_text(encoding="utf-8").splitlines()
    assert [line for line in run if line in steps] == steps


@pytest.mark.parametrize("page", [page for page in PAGES if page.parent.name == "guide"], ids=lambda page: page.stem)
def test_every_block_of_the_guide_is_run(page):
    kinds = re.findall(r"^```(.+)$", page.read_text(encoding="utf-8"), flags=re.MULTILINE)
    assert set(kinds) <= {"console", "python", "toml"}
    assert all(block.startswith(">>> ") for block in blocks(page, "python"))  # run by doctest


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_the_names_on_a_page_are_there(page):
    """Public names, commands with their options, and options alone, in running text."""
    text = re.sub(r"^```.*?^```$", "", page.read_text(encoding="utf-8"), flags=re.DOTALL | re.MULTILINE)
    spans = re.findall(r"`([^`\n]+)`", text)
    names = {name for span in spans for name in re.findall(r"^(?:dp|dpcalc)\.(\w+)", span) if name[0] != "_"}
    places = {path.stem for path in (ROOT / "dpcalc").iterdir()}
    assert {name for name in names - places if not hasattr(dpcalc, name)} == set()
    options = {name: set(command._option_string_actions) for name, command in commands().items()}
    assert {name for span in spans for name in re.findall(r"^dpcalc ([a-z-]+)", span)} <= set(options)
    own = [span for span in spans if not re.match("pip |python |sphinx-build ", span)]
    assert {name for span in own for name in re.findall(r"(?<!\S)--[a-z-]+", span)} <= set.union(*options.values())


def test_the_commands_in_the_readme_s_table_are_there():
    table = README.read_text(encoding="utf-8").partition("## Which command?")[2].partition("\n## ")[0]
    named = set(re.findall(r"`([a-z]+(?:-[a-z]+)*)", table))
    assert {"plan", "least-q"} <= named <= set(commands())


def test_the_speed_in_the_readme_is_that_of_the_last_run():
    rows = (ROOT / "benchmarks" / "results.md").read_text(encoding="utf-8").split("\n| **")
    measured = {line for part in rows if part.startswith("time of dp-accounting") for line in part.splitlines()}
    shown = README.read_text(encoding="utf-8").partition("## How fast")[2].partition("\n## ")[0]
    table = [line for line in shown.splitlines() if line.startswith("|")]
    assert table[0] == rows[0].splitlines()[0]
    assert set(table[2:]) <= measured
    assert all(what in "".join(table) for what in ("rounds", "rare flips"))


def test_the_package_index_gets_no_link_into_the_repository():
    pyproject = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    text = README.read_text(encoding="utf-8")
    assert "](notebooks/" in text
    for step in pyproject["tool"]["hatch"]["metadata"]["hooks"]["fancy-pypi-readme"]["substitutions"]:
        text = re.sub(step["pattern"], step["replacement"], text)
    assert not re.search(r"\]\((?!https?://)", text)


@pytest.mark.parametrize("page", sorted(ROOT.glob("*.md")), ids=lambda page: page.stem)
def test_a_link_of_a_page_outside_the_book_leads_somewhere(page):
    links = re.findall(r"\]\((?!https?://)([^)#]+)", page.read_text(encoding="utf-8"))
    assert [link for link in links if not (ROOT / link).exists()] == []


def test_who_cites_names_this_version():
    assert f"\nversion: {dpcalc.__version__}\n" in (ROOT / "CITATION.cff").read_text(encoding="utf-8")


def test_the_book_lists_every_notebook():
    folder = ROOT / "notebooks"
    listed = (folder / "index.md").read_text(encoding="utf-8")
    for path in folder.glob("*.ipynb"):
        assert f"<{path.stem}>" in listed  # in the table of contents
        assert f"({path.name})" in listed


def test_the_book_s_reference_covers_every_part_with_public_names():
    parts = {part for page in PAGES for part in re.findall("^```{public} (.*)$", page.read_text("utf-8"), re.M)}
    homes = [home.split(".") for home in dpcalc._HOMES.values() if home != "dpcalc.notes"]
    assert parts == {".".join(home[: 3 if home[1] == "notes" else 2]) for home in homes}


def test_the_readme_s_table_of_bounds_is_what_plan_finds():
    text = README.read_text(encoding="utf-8").partition("## What the notes asked")[2].partition("\n## ")[0]
    rows = [line for line in text.splitlines() if line.startswith("| ")][2:]
    table = [[cell.strip() for cell in row.split("|")[1:-1]] for row in rows]
    bounds = ("classical", "closed", "every", "private")
    found = dpcalc.plan(n=1000, lam=2, delta="1e-6", ks=[int(row[0]) for row in table], bounds=bounds)
    assert [row.k for row in found.rows] == [1, 2, 5, 10, 50]
    for row, (_, *cells) in zip(found.rows, table, strict=True):
        for bound, cell in zip(bounds, cells, strict=True):
            q, sigma = cell.split(", ")
            assert q == row.choices[bound].printed
            assert abs(float(row.choices[bound].sigma) - float(sigma)) <= 0.51 * 10.0 ** -len(sigma.partition(".")[2])
