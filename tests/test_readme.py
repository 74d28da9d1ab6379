import re
import shlex
from pathlib import Path

import pytest

from dpcalc.cli import main

README = Path(__file__).parents[1] / "README.md"
CONSOLE = re.findall(r"```console\n(.*?)```", README.read_text(encoding="utf-8"), flags=re.DOTALL)
SESSIONS = [block for text in CONSOLE for block in re.split(r"^\$ ", text, flags=re.MULTILINE)[1:]]


@pytest.mark.parametrize("session", SESSIONS, ids=lambda session: session.split("\n")[0])
def test_the_readme_shows_what_is_printed(session, capsys):
    command, _, shown = session.partition("\n")
    program, *arguments = shlex.split(command)
    assert program == "dpcalc"
    assert main(arguments) == 0
    printed = "\n".join(line.rstrip() for line in capsys.readouterr().out.splitlines())
    assert printed.strip() == shown.strip()


def test_the_readme_shows_the_plan_and_the_solvers():
    assert {session.split()[1] for session in SESSIONS} >= {"plan", "least-q", "delta", "epsilon", "ratio"}


def test_the_readme_shows_the_benchmarks_last_run():
    results = README.parent / "benchmarks" / "results.md"
    assert results.read_text(encoding="utf-8").strip() in README.read_text(encoding="utf-8")
