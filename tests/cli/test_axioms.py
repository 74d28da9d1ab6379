"""--axioms: what is not named did not run, and what is named did."""

import functools
import json
import sys
from importlib import import_module
from types import FunctionType

import pytest

import dpcalc as dp
from dpcalc.cli import main
from dpcalc.cli.axioms import lines, watched
from notebooks import pin_proofs

BITS = dp.KRandomization(n=30, q="1/10")
QUESTIONS = {
    "one dataset": lambda: dp.delta(BITS, lam=2, ones=3),
    "every dataset": lambda: dp.delta(BITS, lam=2),
    "many": lambda: dp.delta(dp.KRandomization(n=10**5, q="1/10"), epsilon="1/20"),
    "noise": lambda: dp.delta(dp.NoisyCount(dp.Binomial(30, "1/2")), lam=2),
}


def gone():
    raise AssertionError("it ran")


def functions_of(name):
    """The functions that a pin names, under what decorates them, all of a class; none for a constant or a closure."""
    parts = name.split(".")
    size = next(size for size in range(len(parts), 0, -1) if _is_module(parts[:size]))
    found = import_module(".".join(["dpcalc", *parts[:size]]))
    for part in parts[size:]:
        found = vars(found)[part]
    plain = [_plain(one) for one in (vars(found).values() if isinstance(found, type) else [found])]
    return [one for one in plain if one is not None and not one.__code__.co_freevars]


def _plain(found):
    while not isinstance(found, FunctionType | None):
        inner = (getattr(found, name, None) for name in ("fget", "func", "__func__", "__wrapped__"))
        found = next((one for one in inner if one is not None), None)
    return found


def _is_module(parts):
    return pin_proofs.HERE.parent.joinpath("dpcalc", *parts).with_suffix(".py").is_file()


@pytest.mark.parametrize("name", QUESTIONS)
def test_what_is_not_named_did_not_run(name, monkeypatch):
    found, rests = watched(QUESTIONS[name])
    pins = pin_proofs.pinned(pin_proofs.PINS.read_text("utf-8"))
    assert set(rests["theorems"]) < set(pins)
    unused = [pin for label, some in pins.items() if label not in rests["theorems"] for pin in some]
    functions = [one for pin in unused if not pin.startswith("notes.") for one in functions_of(pin)]
    assert len(functions) > 50
    for one in functions:
        monkeypatch.setattr(one, "__code__", (lambda *_, **__: gone()).__code__)
        monkeypatch.setitem(one.__globals__, "gone", gone)
    again = QUESTIONS[name]()
    assert (again.lower, again.upper) == (found.lower, found.upper)


def test_what_is_named_ran():
    rests = {name: watched(question)[1] for name, question in QUESTIONS.items()}
    assert "1.3" in rests["one dataset"]["theorems"]
    assert "5.1" in rests["every dataset"]["theorems"]
    assert "5.1" not in rests["one dataset"]["theorems"]
    assert "9.14" in rests["many"]["theorems"]
    assert {"worst.on_circle"} <= set(rests["many"]["doubles"])
    assert "N1" in rests["noise"]["theorems"]
    assert [name for name, one in rests.items() if one["doubles"]] == ["many"]
    assert "arb" in rests["one dataset"]["flint"]
    assert rests["one dataset"]["machine_checked"] == {"1.5": ["theory.mirror", "theory.DP_pools"]}


def test_nothing_of_ours_rests_on_nothing():
    found, rests = watched(lambda: functools.reduce(int.__mul__, range(1, 5)))
    assert (found, rests) == (24, {"theorems": [], "machine_checked": {}, "flint": [], "doubles": []})


def test_a_profiler_is_put_back():
    before = sys.getprofile()
    with pytest.raises(ZeroDivisionError):
        watched(lambda: 1 // 0)
    assert sys.getprofile() is before


def test_what_is_found_is_listed():
    assert lines({"theorems": ["1.3", "C9", "C10"], "machine_checked": {}, "flint": [], "doubles": []}) == [
        "rests on: 1.3, C9, C10 of the proof notes, and what their proofs cite",
        "machine-checked of these, as far as the notes say: none",
        "FLINT's numbers: none",
        "doubles, each rounding bounded: none",
    ]


def test_the_command(capsys):
    asked = ["delta", "--n", "30", "--q", "0.1", "--lam", "2", "--ones", "3"]
    assert main([*asked, "--axioms"]) == 0
    said = capsys.readouterr().out.splitlines()
    expected = watched(QUESTIONS["one dataset"])[1]
    assert [line for line in said if line in lines(expected)] == lines(expected)
    assert main([*asked, "--axioms", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["axioms"] == expected
    assert "axioms" not in found["inputs"]
    assert main(asked) == 0
    assert "rests on" not in capsys.readouterr().out
