import re
import shlex
from collections import Counter
from pathlib import Path

import pytest

from dpcalc import claims
from dpcalc.cli import main
from dpcalc.cli.fleet_file import EXAMPLE

README = Path(__file__).parents[2] / "README.md"
CONSOLE = re.findall(r"```console\n(.*?)```", README.read_text(encoding="utf-8"), flags=re.DOTALL)
SESSIONS = [block for text in CONSOLE for block in re.split(r"^\$ ", text, flags=re.MULTILINE)[1:]]


@pytest.mark.parametrize("session", SESSIONS, ids=lambda session: session.split("\n")[0])
def test_the_readme_shows_what_is_printed(session, capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("fleet.toml").write_text(EXAMPLE, encoding="utf-8")
    command, _, shown = session.partition("\n")
    program, *arguments = shlex.split(command)
    assert program == "dpcalc"
    assert main(arguments) == 0
    printed = "\n".join(line.rstrip() for line in capsys.readouterr().out.splitlines())
    assert printed.strip() == shown.strip()


def test_the_readme_shows_the_plan_and_the_solvers():
    assert {session.split()[1] for session in SESSIONS} >= {"plan", "least-q", "delta", "epsilon", "ratio"}


def test_a_clean_clone_is_checked_by_the_readme_s_commands():
    blocks = re.findall(r"```sh\n(.*?)\n```", README.read_text(encoding="utf-8"), flags=re.DOTALL)
    own = {"python3 -m venv .venv", ". .venv/bin/activate"}  # there the environment has another name
    steps = [step for block in blocks for step in block.split(" && ") if step not in own]
    run = (README.parent / ".ci" / "run").read_text(encoding="utf-8").splitlines()
    assert [line for line in run if line in steps] == steps


def test_the_readme_shows_the_benchmarks_last_run():
    results = README.parent / "benchmarks" / "results.md"
    assert results.read_text(encoding="utf-8").strip() in README.read_text(encoding="utf-8")


def test_the_readme_counts_the_verdicts_that_are_pinned():
    text = README.read_text(encoding="utf-8")
    lines = (Path(__file__).parents[1] / "data" / "claims.txt").read_text(encoding="utf-8").splitlines()[1:]
    listed = [[cell.strip() for cell in line.split(" | ")] for line in lines]
    tables = (
        (2, ["proven", "holds", "holds only for", "corrected", "refuted", "vacuous"]),
        (3, ["identity", "exhausted", "argued", "computed", "definition", "not checked"]),
    )
    for column, kinds in tables:
        for document in [*claims.DOCUMENTS, "all"]:
            counts = Counter(cells[column] for cells in listed if document in (cells[0].partition("-")[0], "all"))
            row = [document, *(str(counts[kind]) for kind in kinds), str(counts.total())]
            assert f"| {' | '.join(row)} |" in text


def test_the_readme_maps_every_notebook():
    text = README.read_text(encoding="utf-8")
    for path in (README.parent / "notebooks").iterdir():
        shown = path.suffix in (".ipynb", ".md", ".png")
        assert f"(notebooks/{path.name})" in text or not shown
