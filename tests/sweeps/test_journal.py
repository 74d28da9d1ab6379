import json
import pickle
import subprocess
import sys
from contextlib import closing
from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpcalc.errors import DomainError
from dpcalc.numbers.bracket import Bracket
from dpcalc.numbers.enclosure import Enclosure
from dpcalc.numbers.promise import Promise
from dpcalc.sweeps.journal import Answer, Journal, answer, read, written
from dpcalc.sweeps.sweep import questions
from dpcalc.version import __version__
from dpcalc.worst.datasets import Dataset, Delta

QUESTIONS = questions("delta", None, {"n": [7, 8, 9], "q": "1/5", "lam": ["3/2", 2]})
ANSWERS = [answer(question) for question in QUESTIONS]
KEYS = {question.key for question in QUESTIONS}

# --- JSON ---------------------------------------------------------------------------------------------------------

fractions = st.one_of(st.fractions(), st.sampled_from([Fraction(1, 3**20_000), Fraction(-7, 1 << 70_000)]))
enclosures = st.tuples(fractions, fractions).map(lambda ends: Enclosure(min(ends), max(ends)))
deltas = st.builds(
    lambda x, ones, value: Delta(x.lower, x.upper, Dataset(ones, value)), enclosures, st.integers(0), st.integers(0, 1)
)
words = st.text().filter(str.isprintable)  # as all that is said; what else a file says is escaped
promises = st.builds(
    lambda x, who, whom, rtol: Promise(x.lower, x.upper, attained_by=who, proven_for=whom, rtol=rtol),
    enclosures, words, words, st.none() | st.fractions(),
)  # fmt: skip
brackets = st.builds(
    lambda x, y, z, above, whole: Bracket(
        lower=x.lower, upper=x.upper, at_lower=y, at_upper=z, holds_above=above, whole=whole
    ),
    enclosures, promises, deltas, st.booleans(), st.booleans(),
)  # fmt: skip


def everything(x):
    """All that an answer holds: enclosures and brackets are equal without it."""
    inner = (everything(x.at_lower), everything(x.at_upper), x.holds_above, x.whole) if isinstance(x, Bracket) else ()
    words = (x.words, x.rtol) if isinstance(x, Promise) else ()
    return type(x), x.lower, x.upper, getattr(x, "dataset", None), *words, *inner


@given(st.one_of(enclosures, promises, deltas, brackets))
@pytest.mark.soak
def test_json_keeps_every_bit_of_a_value(value):
    given = Answer(question=QUESTIONS[0], value=value)
    again = read(json.loads(json.dumps(written(given))))
    assert everything(again.value) == everything(value)
    assert (again.question, again.error, again.version) == (given.question, None, given.version)
    assert everything(pickle.loads(pickle.dumps(given)).value) == everything(value)


def test_json_keeps_an_error():
    given = answer(questions("delta", None, {"n": 2, "q": "0.7", "lam": 2})[0])
    assert given.error == "DomainError: q = '7/10' is not allowed: give a flip probability with 0 < q < 1/2"
    assert read(json.loads(json.dumps(written(given)))) == given
    assert pickle.loads(pickle.dumps(given)) == given


def test_a_line_can_be_read_without_dpcalc():
    line = written(ANSWERS[0])
    ends = [Fraction(*(int(part, 16) for part in line["answer"][end].split("/"))) for end in ("lower", "upper")]
    assert ends == [Fraction(2176, 15625)] * 2
    assert line["arguments"] == {"n": "7", "q": "1/5", "lam": "3/2"}
    assert line["shown"] == "2176/15625"


# --- the file -----------------------------------------------------------------------------------------------------


@pytest.fixture
def path(tmp_path):
    return tmp_path / "sweep.jsonl"


def fill(path, answers):
    with closing(Journal(path, KEYS)) as journal:
        for one in answers:
            journal.add(one)


def test_a_file_goes_on_where_it_was_left(path):
    fill(path, ANSWERS[:2])
    fill(path, ANSWERS[2:])
    with closing(Journal(path, KEYS)) as journal:
        assert list(journal.answers.values()) == ANSWERS
    assert path.read_text().count("\n") == len(ANSWERS)


def test_an_answer_is_in_the_file_before_it_is_closed(path):
    with closing(Journal(path, KEYS)) as journal:
        journal.add(ANSWERS[0])
        assert json.loads(path.read_text()) == written(ANSWERS[0])


@pytest.mark.soak
def test_a_last_line_cut_anywhere_costs_that_line_only(path):
    fill(path, ANSWERS[:2])
    content = path.read_bytes()
    first = content.index(b"\n") + 1
    for cut in range(first, len(content)):
        path.write_bytes(content[:cut])
        with closing(Journal(path, KEYS)) as journal:
            kept = list(journal.answers.values())
            assert kept == ANSWERS[: 1 if cut < len(content) - 1 else 2]  # the last cut misses the end of the line only
            journal.add(ANSWERS[1])
        fill(path, [])
        assert [read(json.loads(line)) for line in path.read_bytes().splitlines()] == [*kept, ANSWERS[1]]


@pytest.mark.parametrize(
    ("content", "line"),
    [
        ("a letter to a friend\n", "line 1 is no answer"),
        ("a letter to a friend", "line 1 is no answer"),
        ("{}", "line 1 is no answer"),
        ("[]\n", "line 1 is no answer"),
        ('{"function": "delta", "arguments": {"n": 1}}\n', "line 1 is no answer"),
        ('{"function": "delta", "arguments": [], "error": "", "version": ""}\n', "line 1 is no answer"),
        ('{"function": "delta", "arguments": {}, "error": "", "version": ""}\n', "line 1 answers another question"),
        (
            '{"function": "epsilon", "arguments": {"n": "7"}, "error": "", "version": ""}',
            r"another question, epsilon\(n=7\)",
        ),
        ('{"function": "delta", "argum\n{"function": "delta"', "line 1 is no answer"),
        ("\n", "line 1 is no answer"),
        ("\x00\x80\n", "line 1 is no answer"),
        ("[" * 100_000 + "\n", "line 1 is no answer"),
        ("[" * 100_000, "line 1 is no answer"),
        ('{"function": [], "arguments": {}, "error": "", "version": ""}\n', "line 1 is no answer"),
        ('{"function": "\\u001b[31m", "arguments": {}, "error": "", "version": ""}\n', r"question, \\x1b\[31m\(\)"),
    ],
)
def test_a_file_of_something_else_is_refused_and_left_alone(path, content, line):
    path.write_text(content, encoding="latin-1")
    with pytest.raises(DomainError, match=line) as refusal:
        Journal(path, KEYS)
    assert "\n" not in str(refusal.value)
    assert path.read_text(encoding="latin-1") == content


@pytest.mark.parametrize("value", ["1/2", "0x1/0x0", "0x2/0x1", 5, None, "0x1"])
def test_a_broken_answer_is_refused(path, value):
    line = written(ANSWERS[0])
    line["answer"]["lower"] = value
    path.write_text(json.dumps(line) + "\n")
    if value == "1/2":  # the prefix may be left out
        line["answer"]["upper"] = "x"
        path.write_text(json.dumps(line) + "\n")
    with pytest.raises(DomainError, match="line 1 is no answer"):
        Journal(path, KEYS)


@pytest.mark.parametrize(("name", "value"), [("holds_above", "no"), ("lower", "half"), ("at_lower", None)])
def test_a_broken_bracket_is_refused(name, value):
    line = written(answer(questions("least_q", None, {"n": 20, "lam": 2, "delta": "1/10"})[0]))
    assert isinstance(read(line).value, Bracket)
    line["answer"][name] = value
    with pytest.raises(TypeError):
        read(line)


def test_answers_of_another_version_are_refused(path):
    fill(path, [ANSWERS[0], replace(ANSWERS[1], version="0.0.9")])
    content = path.read_bytes()
    with pytest.raises(DomainError, match=f"line 2 was answered by dpcalc 0.0.9, this is {__version__}$") as refusal:
        Journal(path, KEYS)
    assert "\n" not in str(refusal.value)
    assert path.read_bytes() == content


def test_what_a_file_says_of_an_error_steers_no_terminal():
    line = {"function": "delta", "arguments": {}, "error": "DomainError: \x1b[2J\n", "version": __version__}
    assert read(line).error == r"DomainError: \x1b[2J\n"


FULL = """
import resource, signal
from dpcalc import DpcalcError, sweep
from concurrent.futures import ThreadPoolExecutor
resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))  # of the file: it fills like a disk
try:
    sweep("delta", n=[7, 8, 9], q="1/5", lam=["3/2", 2], path=PATH, executor=ThreadPoolExecutor(1))
except DpcalcError as error:
    print(error)
"""


def test_a_full_disk_stops_a_sweep_in_one_line_and_it_goes_on_later(path):
    command = [sys.executable, "-c", FULL.replace("PATH", repr(path.name))]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=path.parent)
    assert done.stderr == ""
    assert done.stdout == f"path = {path.name!r} is not allowed: give a file that can be written (File too large)\n"
    assert path.stat().st_size == 1000
    with closing(Journal(path, KEYS)) as journal:
        kept = list(journal.answers.values())
        assert kept == ANSWERS[: len(kept)] != []
        assert len(kept) < len(ANSWERS)


def test_a_part_that_the_system_takes_is_followed_by_the_rest(path):
    class Slow:
        def __init__(self, file):
            self.file = file

        def write(self, line):
            return self.file.write(line[:7])

        def close(self):
            self.file.close()

    with closing(Journal(path, KEYS)) as journal:
        journal._file = Slow(journal._file)
        journal.add(ANSWERS[0])
    assert json.loads(path.read_text()) == written(ANSWERS[0])


@pytest.mark.parametrize("wrong", [5, None, "no/such/place", "a\x00b", ".", "a" * 305, "/dev/full", "/dev/null"])
def test_what_is_no_file_is_refused_in_one_line(wrong):
    with pytest.raises(DomainError, match=r"^path = ") as refusal:
        Journal(wrong, KEYS)
    assert "\n" not in str(refusal.value)


def test_what_a_file_says_is_one_line():
    (call,) = questions("delta", [{"n": "7", "q": "1/5\nd", "lam": 2}], {})
    found = replace(ANSWERS[0], value=Promise(Fraction(0), Fraction(1), attained_by="a\nb", proven_for="\x1bc"))
    text = f"{call}{read(written(answer(call)))}{read(written(found)).value.meaning}"
    assert text.isprintable()
    assert r"upper: holds for \x1bc" in text
