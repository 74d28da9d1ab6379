"""What the program writes, where it cannot be written: one line, status 74, and nothing else is lost."""

import ast
import errno
import os
import subprocess
import sys
from contextlib import redirect_stderr, redirect_stdout, suppress
from pathlib import Path

import pytest

from dpcalc.cli import main, program
from tests.cli.test_cli import FIRST, POOL, run

PLAN = ["plan", "--n", "20", "--lam", "2", "--delta", "0.1", "--k", "1"]
PRINTED = [FIRST["delta"], FIRST["closeness"], ["--help"], ["--version"], ["delta", "--help"]]


@pytest.fixture
def words(tmp_path):
    """A command with its files."""
    (tmp_path / "people.csv").write_text("zip,os\n1,a\n1,b\n2,a\n2,a\n", encoding="utf-8")
    (tmp_path / "fleet.toml").write_text("[[group]]\nn = 2\nq = 0.1\n[[group]]\nn = 1\nq = 0.2\n", encoding="utf-8")
    names = {"TABLE": "people.csv", "FLEET": "fleet.toml", "PICTURE": "plan.svg", "PROOF": "proof.json"}
    return lambda command: [str(tmp_path / names[word]) if word in names else word for word in command]


def full():
    """A disk without room."""
    return open("/dev/full", "w")


def broken():
    """A pipe that nobody reads."""
    reader, writer = os.pipe()
    os.close(reader)
    return open(writer, "w")


@pytest.mark.parametrize(
    ("opened", "said"),
    [
        (full, "the output cannot be written (No space left on device)\n"),
        (broken, ""),
        (lambda: None, "the output cannot be written (it is closed)\n"),
    ],
    ids=["full", "broken", "closed"],
)
@pytest.mark.parametrize("command", PRINTED, ids=" ".join)
def test_whatever_happens_to_the_output_is_said_in_one_line(command, opened, said, words, capsys):
    with redirect_stdout(opened()):
        status, _, err = run(capsys, *words(command))
    name = "dpcalc" if command[0].startswith("-") else f"dpcalc {command[0]}"
    assert err == (f"{name}: {said}" if said else "")
    assert status == 74 if said else status in (0, 1)  # of closeness a verdict


def test_every_command_prints_there_only():
    """What a command does with its output does not depend on which it is."""
    prints = {"command.py": 2, "program.py": 2}
    for path in Path(program.__file__).parent.glob("*.py"):
        calls = [node.func for node in ast.walk(ast.parse(path.read_text("utf-8"))) if isinstance(node, ast.Call)]
        assert sum(isinstance(call, ast.Name) and call.id == "print" for call in calls) == prints.get(path.name, 0)


@pytest.mark.parametrize("command", [["delta", *POOL, "--lam", "2"], ["delta", *POOL, "--lam", "0"], ["delta"]])
def test_nothing_is_said_where_nobody_listens(command, capsys):
    usual, out, _ = run(capsys, *command)
    disk = full()
    for stream in (None, disk):
        with redirect_stderr(stream):
            assert run(capsys, *command)[:2] == (usual, out)
    with suppress(OSError):
        disk.close()


@pytest.mark.parametrize("more", [[], ["--help"]])
def test_a_process_ends_as_quietly(more):
    command = [sys.executable, "-m", "dpcalc", "delta", *POOL, "--lam", "2", *more]
    with open("/dev/full", "w") as full:
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True, check=False)
        assert (done.returncode, done.stderr.count("\n")) == (74, 1)
        assert subprocess.run(command, stdout=full, stderr=full, check=False).returncode == 74


FILES = [
    (PLAN, "--report", "x.html"),
    (["barrier", "--q", "0.2", "--n", "10"], "--plot", "x.svg"),
    (["delta", *POOL, "--lam", "2"], "--certificate", "x.json"),
]


#: What is refused with another status once it is worked on.
HOPELESS = [
    (["plan", "--n", "20", "--lam", "2", "--sigmas", "0"], "--report", "x.html"),
    (["plan", "--n", "20", "--lam", "2", "--sigmas", "0"], "--plot", "x.png"),
    (["tradeoff", "--n", "7", "--q", "0.2", "--false-positive", "2"], "--plot", "x.png"),
    (["barrier", "--q", "0.2", "--n", "0"], "--plot", "x.svg"),
    (["delta", *POOL, "--lam", "2", "--ones", "2000"], "--certificate", "x.json"),
]


@pytest.mark.parametrize(("command", "option", "name"), HOPELESS)
@pytest.mark.parametrize("wrong", ["folder", "long", "full", "nowhere"])
def test_a_file_that_cannot_be_written_is_refused_before_any_work(command, option, name, wrong, tmp_path, capsys):
    assert run(capsys, *command)[0] == 2
    targets = {wrong: tmp_path / name for wrong in ("folder", "full")}
    targets |= {"long": tmp_path / ("a" * 305 + name), "nowhere": tmp_path / "nowhere" / name}
    if wrong == "folder":
        targets[wrong].mkdir()
    if wrong == "full":
        targets[wrong].symlink_to("/dev/full")
    status, out, err = run(capsys, *command, option, str(targets[wrong]))
    assert (status, out, err.count("\n")) == (74, "", 1)
    assert err.startswith(f"dpcalc {command[0]}: {option[2:]} = ")


@pytest.mark.parametrize(("command", "option", "name"), FILES)
def test_an_answer_is_printed_though_its_file_cannot_be_written(command, option, name, tmp_path, monkeypatch, capsys):
    """The disk fills while the answer is worked on."""
    _, answer, _ = run(capsys, *command)
    target = tmp_path / name

    def fill(file):
        if os.fstat(file).st_size > 1:  # one byte is written where a target is looked at
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr("os.fsync", fill)
    target.write_text("what was there")
    status, out, err = run(capsys, *command, option, str(target))
    assert (status, out, err.count("\n")) == (74, answer, 1)
    assert err.endswith("(No space left on device)\n")
    assert target.read_text() == "what was there"


@pytest.mark.parametrize(("command", "option", "name"), FILES)
def test_a_file_that_is_written_is_said_to_be(command, option, name, tmp_path, capsys):
    _, answer, _ = run(capsys, *command)
    target = tmp_path / name
    status, out, err = run(capsys, *command, option, str(target))
    assert (status, out, err) == (0, f"{answer}{option[2:]}: {target}\n", "")
    assert target.stat().st_size > 100


def test_two_files_are_written_or_refused_by_themselves(tmp_path, monkeypatch, capsys):
    def held(*_):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))

    report, picture = tmp_path / "x.html", tmp_path / "x.png"
    replaced = type(report).replace
    monkeypatch.setattr(
        "pathlib.Path.replace", lambda made, target: held() if target == report else replaced(made, target)
    )
    status, out, err = run(capsys, *PLAN, "--report", str(report), "--plot", str(picture))
    assert (status, err.count("\n"), out.splitlines()[-1]) == (74, 1, f"plot: {picture}")
    assert sorted(tmp_path.iterdir()) == [picture]


def test_a_certificate_that_is_not_found_costs_no_answer(tmp_path, capsys):
    nothing = ["delta", "--n", "3", "--q", "0.4", "--lam", "1000", "--rounds", "2"]  # delta is 0
    _, answer, _ = run(capsys, *nothing)
    status, out, err = run(capsys, *nothing, "--certificate", str(tmp_path / "x.json"))
    assert (status, out, err.count("\n")) == (5, answer, 1)
    assert not list(tmp_path.iterdir())


RED = "\x1b[31m"


def test_a_file_steers_no_terminal(tmp_path, capsys):
    table = tmp_path / "people.csv"
    table.write_text(f'zip,os{RED}\x9b,"two\nlines"\n1\u202e,a,b\n2,b,a\n', encoding="utf-8")
    asked = ["closeness", str(table), "--quasi", "zip", "--epsilon", "1", "--sensitive"]
    _, out, err = run(capsys, *asked, "ox")
    assert (out, err.count("\n")) == ("", 1)
    assert r"zip, os\x1b[31m\x9b, two\nlines" in err
    _, out, _ = run(capsys, *asked, f"os{RED}\x9b")
    assert r"1\u202e" in out
    assert not set(out + err) & set("\x1b\x9b\u202e")
    fleet = tmp_path / "fleet.toml"
    for text in (f'[[group]]\nn = 3\nq = 0.1\n"{RED}" = 1\n'.replace(RED, r"\u001b[31m"), f'"{RED}" = 1', "["):
        fleet.write_text(text, encoding="utf-8")
        status, out, err = run(capsys, "fleet", str(fleet), "--epsilon", "1")
        assert (status, out, err.count("\n")) == (2, "", 1)
        assert "\x1b" not in err


def test_a_letter_that_the_terminal_lacks_is_escaped(tmp_path):
    table = tmp_path / "people.csv"
    table.write_text("zip,os\ncafé,a\n2,b\n", encoding="utf-8")
    asked = ["closeness", str(table), "--quasi", "zip", "--sensitive", "os", "--epsilon", "1"]
    plain = {**os.environ, "PYTHONIOENCODING": "ascii"}
    command = [sys.executable, "-m", "dpcalc", *asked]
    done = subprocess.run(command, capture_output=True, text=True, env=plain, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert r"caf\xe9" in done.stdout


def test_main_prints_letters_as_they_are(tmp_path, capsys):
    table = tmp_path / "people.csv"
    table.write_text("zip,os\ncafé,a\n2,b\n", encoding="utf-8")
    assert main(["closeness", str(table), "--quasi", "zip", "--sensitive", "os", "--epsilon", "1"]) == 0
    assert "café" in capsys.readouterr().out
