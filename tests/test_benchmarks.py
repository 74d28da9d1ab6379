import gc
import json
import shutil
import sys
from fractions import Fraction
from pathlib import Path

import agreement
import bench_counts
import bench_delta
import mutation
import old_against_new
import pytest
import run
import slowest
import soak
from measure import check, machine

import dpcalc as dp
from dpcalc.numbers.enclosure import Enclosure

RESULTS = Path(run.__file__).with_name("results.json")
SMALLEST = min(bench_delta.SIZES)


@pytest.fixture(scope="module")
def smallest():
    """Every benchmark at its smallest size, answers checked; without dp-accounting.

    Before each sample garbage is collected: not among all that the other tests keep.
    """
    gc.freeze()
    yield {
        "machine": machine(["numpy", "dp-accounting"]),
        "counts": bench_counts.run(n=100, small=1_000, large=10_000, records=8, k=3, repeats=1),
        "delta": bench_delta.run(sizes=[SMALLEST], peer=False, memory=False, repeats=1),
        "growth": bench_delta.growth(sizes=[SMALLEST], repeats=1),
    }
    gc.unfreeze()


@pytest.mark.soak
def test_the_smallest_sizes_run(smallest):
    for k in bench_delta.KS:
        seconds = smallest["delta"][f"{SMALLEST}"][f"k = {k}"]["seconds"]
        assert set(seconds) == {*bench_delta.TASKS, *bench_delta.FURTHER}
    assert run.table(smallest).startswith("| n | 10^2 |")


@pytest.mark.soak
def test_wrong_answers_stop_a_benchmark(monkeypatch):
    with pytest.raises(AssertionError, match="wrong answer: 2 = 3"):
        check(False, "2 = 3")
    monkeypatch.setattr(bench_delta, "delta_one", lambda n, k: bench_delta.by_tails(n, Fraction(1, 2)))
    with pytest.raises(AssertionError, match="delta, n = 100, k = 1"):
        bench_delta.run(sizes=[SMALLEST], peer=False, memory=False, repeats=1)


@pytest.mark.soak
def test_a_question_beyond_the_limit_is_stopped_and_the_rest_are_answered():
    hopeless = "[i for i in range(10**10) if i < 0]"
    in_c = "pow(3, 10**9) and 0"  # no signal handler of Python would run
    asked = ["dp.classical_q(lam=2)", hopeless, "dp.delta(5, lam=2)", in_c, "3**100_000", "dp.classical_q(lam=3)"]
    found = {one.question: one for one in slowest.ask(asked, limit=0.4, workers=2)}
    assert set(found) == set(asked)
    kinds = [found[text].kind for text in asked]
    assert kinds == ["answered", "stopped", "DomainError", "stopped", "answered", "answered"]
    assert found[hopeless].seconds == 0.4
    assert found["dp.classical_q(lam=2)"].text == "1/3"
    text = slowest.report(list(found.values()), shown=2)
    assert text.startswith("6 questions: 3 answered, 2 stopped, 1 DomainError; over 5 s: 0")
    assert text.count("stopped") == 3


@pytest.mark.soak
def test_the_table_shown_is_that_of_the_results():
    results = json.loads(RESULTS.read_text(encoding="utf-8"))
    assert run.table(results) == RESULTS.with_suffix(".md").read_text(encoding="utf-8")
    assert run.statements(results) == results["statements"]


@pytest.mark.soak
def test_quick_ways_and_balls_agree_and_a_run_goes_on(tmp_path, monkeypatch):
    path = tmp_path / "answers.jsonl"
    for questions, pieces in ((20, 1), (60, 3), (60, 3)):
        seen, wrong = agreement.run(path, questions, piece=20)
        assert not wrong
        assert len(path.read_text().splitlines()) == pieces
    assert min(seen.values()) >= 1
    assert seen["integers and the rational, one dataset"] >= 7
    monkeypatch.setattr(agreement.Pair, "counted", lambda *_, **__: Enclosure.of(1))
    assert "integers and balls, one dataset" in agreement.ask(0)[1]


@pytest.mark.soak
def test_a_soak_goes_on_and_counts_what_was_proven(tmp_path, monkeypatch):
    path = tmp_path / "answers.jsonl"
    for cases, pieces in ((4, 1), (8, 2), (8, 2)):
        seen, wrong, seconds = soak.run(path, cases, size=4)
        assert (wrong, seen.total(), len(path.read_text().splitlines())) == ([], cases, pieces)
        assert seconds > 0
    assert sum(count for what, count in seen.items() if what.endswith("proven or alike")) >= 6
    monkeypatch.setattr(soak.check, "examined", lambda data: (False, "Not proven: a step"))
    assert soak.ask(7) == ("delta", "no certificate")  # each is checked before it is handed out


def test_mutants_are_single_edits_and_survivors_are_found_by_their_text(tmp_path):
    reviewed = json.loads(mutation.SURVIVORS.read_text())
    for one in reviewed:  # an entry whose line is gone excuses nothing
        assert one["before"] in map(str.strip, (mutation.ROOT / one["path"]).read_text("utf-8").splitlines()), one
        assert one["before"] != one["after"]
        assert one["why"]
    text = "class A:\n    def f(self, x: int) -> int:\n        return -min(x, 1) if x < 2 else x + x\n\n\nSIZE = 4\n"
    (tmp_path / "one.py").write_text(text)
    found = list(mutation.mutants(tmp_path / "one.py", tmp_path))
    edits = {("-", " "), ("min", "max"), ("1", "2"), ("<", "<="), ("2", "3"), ("+", "-")}
    assert {(one.old, one.new) for one in found} == edits
    (sign,) = (one for one in found if one.old == "+")
    before = "return -min(x, 1) if x < 2 else x + x"
    assert mutation.entry(sign, tmp_path) == ("one.py", "A.f", before, before.replace("+", "-"))


@pytest.mark.soak
def test_sixty_seven_questions_and_random_ones_of_each_kind():
    asked = old_against_new.chosen()
    assert len(asked) == len(set(asked)) == 67
    more = old_against_new.drawn(1, 3)
    assert more == old_against_new.drawn(1, 3) != old_against_new.drawn(2, 3)
    assert len(more) == 3 * len(old_against_new.KINDS)
    for text in [*asked, *more]:
        compile(text, "question", "eval")
    functions = {text.partition("(")[0].removeprefix("dp.") for text in asked}
    assert len(functions & set(dp.__all__)) > 20


@pytest.fixture
def workers(tmp_path):
    """This checkout, and a copy of it in which a delta, an epsilon and a noise are broken."""
    here = Path(dp.__file__).parents[1]
    shutil.copytree(here / "dpcalc", tmp_path / "dpcalc", ignore=shutil.ignore_patterns("__pycache__"))
    (tmp_path / "dpcalc" / "privacy" / "gaussian.py").unlink()
    with (tmp_path / "dpcalc" / "privacy" / "delta.py").open("a") as file:
        file.write(
            "\n\n_asked = delta\n\n\n"
            "def delta(mechanism, **more):\n"
            "    found = _asked(mechanism, **more)\n"
            "    if mechanism.n == 8:\n"
            "        return type(found).that(found.answer * 2)\n"
            "    if mechanism.n == 9:\n"
            "        from dpcalc.numbers.enclosure import Enclosure\n"
            "        return Enclosure(found.lower, found.upper * 101 / 100)\n"
            "    if mechanism.n == 10:\n"
            "        sum(range(10**6))\n"
            "    if mechanism.n == 11:\n"
            "        sum(range(10**10))\n"
            "    return found\n"
        )
    both = [old_against_new.Worker(path, Path(sys.executable), limit=2) for path in (here, tmp_path)]
    yield both
    for worker in both:
        worker.close()


@pytest.mark.soak
def test_what_is_worse_is_told(workers):
    asked = [f"dp.delta(dp.KRandomization(n={n}, q='1/5'), lam='3/2')" for n in range(7, 12)]
    asked += ["dp.gaussian_sigma(epsilon=1, delta='1e-6')", "dp.delta(5, lam=2)", "dp.classical_q(lam=3)"]
    told = list(old_against_new.findings(asked, *workers))
    assert [text for text, *_ in told] == asked
    bad = [[one.what for one in found] for *_, found in told]
    assert bad == [[], ["disjoint"], ["wider"], ["slower"], ["lost"], ["lost"], [], []]
    assert told[4][2].text == "stopped"
    assert told[0][1].ends == told[0][2].ends == ((Fraction(87040, 625000),) * 2,)
    text = old_against_new.report([one for *_, found in told for one in found], len(asked), 5, (0.1, 0.2))
    assert text.startswith("8 questions, 5 with two answers: 1 disjoint, 2 lost, 1 wider, 1 slower; ")
    assert text.count(asked[1]) == 1
