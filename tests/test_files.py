"""A file is written whole or not at all; what cannot be written is refused in one line, before the work."""

import errno
import os
import stat
import subprocess
import sys
from functools import partial
from threading import Thread

import pytest

from dpcalc import files
from dpcalc.errors import DomainError

OLD, NEW = b"what was there", b"what comes"


@pytest.fixture
def path(tmp_path):
    return tmp_path / "answer.json"


@pytest.mark.parametrize(
    ("name", "why"),
    [
        (".", "(Is a directory)"),
        ("nowhere/x", "a file in a folder that exists"),
        ("a" * 305, "(File name too long)"),
        ("a\0b", "(embedded null byte)"),
        ("loop", "(Too many levels of symbolic links)"),
        ("file/x", "(Not a directory)"),
        ("full", "(No space left on device)"),
        ("read-only", "(Permission denied)"),
    ],
)
def test_what_cannot_be_written_is_refused_in_one_line(tmp_path, monkeypatch, name, why):
    (tmp_path / "loop").symlink_to("loop")
    (tmp_path / "full").symlink_to("/dev/full")
    for held in ("file", "read-only"):
        (tmp_path / held).write_bytes(OLD)
    monkeypatch.setattr("os.access", lambda asked, _: asked.name != "read-only")  # root may write everything
    before = sorted(tmp_path.iterdir())
    with pytest.raises(files.Unwritten) as refused:
        files.check(tmp_path / name, "report")
    assert str(refused.value).startswith("report = ")
    assert why in str(refused.value)
    assert "\n" not in str(refused.value)
    if name != "read-only":
        with pytest.raises(files.Unwritten):
            files.write(tmp_path / name, NEW, "report")
    assert sorted(tmp_path.iterdir()) == before
    assert (tmp_path / "read-only").read_bytes() == OLD


def test_a_path_and_its_ending_are_checked(path):
    with pytest.raises(DomainError, match=r"^plot = .* is not allowed: give a file name ending in \.png, \.svg$"):
        files.check(path, "plot", endings=(".png", ".svg"))
    assert files.check(path, "plot", endings=(".json",)) == path
    with pytest.raises(DomainError, match=r"^plot = 5 is not allowed: give the path of a file$"):
        files.check(5, "plot")


def test_looking_changes_nothing(path, tmp_path):
    files.check(path, "report")
    assert not list(tmp_path.iterdir())
    path.write_bytes(OLD)
    before = path.stat()
    files.check(path, "report")
    assert (path.stat(), path.read_bytes(), list(tmp_path.iterdir())) == (before, OLD, [path])


def full(*_):
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


@pytest.mark.parametrize("step", ["os.fsync", "pathlib.Path.replace"])
def test_what_was_there_stays_until_the_new_is_whole(path, tmp_path, monkeypatch, step):
    path.write_bytes(OLD)
    monkeypatch.setattr(step, full)
    for ask in (partial(files.write, path, NEW), *([partial(files.check, path)] if step == "os.fsync" else [])):
        with pytest.raises(files.Unwritten, match=r"\(No space left on device\)$"):
            ask("report")
        assert (path.read_bytes(), list(tmp_path.iterdir())) == (OLD, [path])


def test_a_file_is_replaced_and_keeps_its_mode_and_its_links(path, tmp_path):
    path.write_bytes(OLD)
    path.chmod(0o640)
    link, inode = tmp_path / "link", path.stat().st_ino
    link.symlink_to(path.name)
    files.write(link, NEW, "report")
    assert link.is_symlink()
    assert path.read_bytes() == NEW
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    assert path.stat().st_ino != inode  # whoever reads the old one reads it whole
    assert sorted(tmp_path.iterdir()) == [path, link]


def test_a_new_file_has_the_mode_of_any_other(path, tmp_path):
    (tmp_path / "other").write_bytes(OLD)
    files.write(path, NEW, "report")
    assert path.read_bytes() == NEW
    assert path.stat().st_mode == (tmp_path / "other").stat().st_mode


def test_a_pipe_is_written_directly_and_once(tmp_path):
    pipe, found = tmp_path / "pipe", []
    os.mkfifo(pipe)
    reader = Thread(target=lambda: found.append(pipe.read_bytes()), daemon=True)
    reader.start()
    files.check(pipe, "report")
    reader.join(0.1)
    assert reader.is_alive()  # what is opened and closed would have ended it
    files.write(pipe, NEW, "report")
    reader.join()
    assert found == [NEW]
    assert stat.S_ISFIFO(pipe.stat().st_mode)


def test_the_program_s_own_output_is_not_replaced(path):
    code = (
        "import sys; from dpcalc import files; print('before', flush=True);"
        "target = files.check('/dev/stdout', 'report'); files.write(target, b'between\\n', 'report'); print('after')"
    )
    with path.open("wb") as output:
        subprocess.run([sys.executable, "-c", code], stdout=output, check=True)
    assert path.read_text().split() == ["before", "between", "after"]


def test_a_device_takes_everything():
    assert files.check("/dev/null", "report").is_char_device()
    files.write(files.check("/dev/null", "report"), NEW, "report")
    assert stat.S_ISCHR(os.stat("/dev/null").st_mode)
