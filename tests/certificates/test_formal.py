"""What is handed to Coq: text for every question, claims that hold, and arithmetic that errs to the safe side only."""

import json
import random
from fractions import Fraction
from pathlib import Path

import mpmath
import pytest

import dpcalc as dp
from dpcalc import check
from dpcalc.certificates import formal as module
from dpcalc.certificates import whole_numbers
from dpcalc.certificates.formal import formal, main
from dpcalc.certificates.whole_numbers import EXACTLY, Precision, Setting
from notebooks.formal import worked
from tests.oracles import certificates
from tests.oracles.scan import deltas


def settings(seed):
    draw = random.Random(seed)
    n, k = draw.randint(1, 12), draw.randint(1, 3)
    return Setting(n, k, Fraction(draw.randint(1, 40), 97), 1 + Fraction(draw.randint(0, 60), draw.randint(1, 20)))


@pytest.mark.parametrize("at", [EXACTLY, Precision(40, 5), Precision(20, 1), Precision(12, 3)])
@pytest.mark.parametrize("seed", range(12))
def test_what_is_cut_is_counted(seed, at):
    asked = settings(seed)
    for m, truth in enumerate(deltas(asked.n, asked.q, asked.k, asked.lam)):
        law = whole_numbers.law_of(asked, at, m, asked.n - 1 - m)
        low, high = whole_numbers.excesses(asked, law), whole_numbers.bounded(asked, law)
        assert low <= truth <= high
        if at is EXACTLY:
            assert low == truth == high


def test_few_bits_are_cut_and_many_are_not():
    """Or the test above would look at exact numbers."""
    asked = settings(3)
    errors = [whole_numbers.law_of(asked, at, 2, 3).error for at in (EXACTLY, Precision(12, 3))]
    assert errors[0] == 0 < errors[1]


def test_a_sweep_is_each_law_alone():
    at, counts = Precision(30, 2), [0, 0, 3, 9, 9, 20]
    for law, count in zip(whole_numbers.sweep(at, 2, 7, counts), counts, strict=True):
        (alone,) = whole_numbers.sweep(at, 2, 7, [count])
        assert law == alone
        assert law.count == count


@pytest.mark.parametrize("epsilon", ["0", "1/1000", "1/3", "1", "17/4", "30"])
def test_numbers_next_to_an_exponential(epsilon):
    x = Fraction(epsilon)
    (low, _), (high, _) = (module._next_to("epsilon", x, above=above) for above in (False, True))
    with mpmath.workdps(80):
        truth = mpmath.exp(mpmath.mpf(x.numerator) / x.denominator)
        apart = [mpmath.mpf(y.numerator) / y.denominator - truth for y in (low, high)]
    assert apart[0] <= 0 <= apart[1]
    assert apart[1] - apart[0] < mpmath.mpf(2) ** -70 * truth


QUESTIONS = {
    "delta": (dp.delta, (dp.KRandomization(n=9, q="1/5"),), {"lam": "3/2"}),
    "delta, epsilon": (dp.delta, (dp.KRandomization(n=9, q="1/5"),), {"epsilon": "0.3"}),
    "delta, all equal": (dp.delta, (dp.KRandomization(n=9, q="1/5"),), {"lam": 1}),
    "delta, 0": (dp.delta, (dp.KRandomization(n=9, q="1/5"),), {"lam": 4}),
    "delta, more reports": (dp.delta, (dp.KRandomization(n=700, q="1/10"),), {"epsilon": 1}),
    "epsilon": (dp.epsilon, (dp.KRandomization(n=9, q="1/5", k=2),), {"delta": "1/20"}),
    "epsilon, delta 0": (dp.epsilon, (dp.KRandomization(n=9, q="1/5"),), {"delta": 0}),
    "least_q": (dp.least_q, (), {"n": 9, "epsilon": 1, "delta": "1/20"}),
    "least_n": (dp.least_n, (), {"q": "1/5", "epsilon": 1, "delta": "1/20"}),
    "most_k": (dp.most_k, (), {"n": 9, "q": "1/3", "lam": 3, "delta": "1/20"}),
}


@pytest.mark.parametrize("name", QUESTIONS)
def test_a_certificate_becomes_a_claim_that_is_so(name):
    question, arguments, options = QUESTIONS[name]
    made = dp.certificate(question, *arguments, **options)
    found, part = formal(made.document), check.Entries(made.document["answer"])
    assert part.number("lower") * (1 - Fraction(1, 10**9)) <= found.lower <= part.number("lower")
    assert part.number("upper") <= found.upper <= part.number("upper") * (1 + Fraction(1, 10**9))
    if name != "delta, more reports":
        assert (found.lower, found.upper) == (part.number("lower"), part.number("upper"))
        assert certificates.holds(made.document["question"], found.lower, found.upper)
    covered = [m for low, high in found.blocks for m in range(low, high + 1)]
    assert covered == list(range(len(covered)))
    holds = found.lower if found.what == "most_k" else found.upper
    assert len(covered) == (holds if found.what == "least_n" else found.given["n"])
    assert found.coq.count("accept_sound") == 1
    assert "every dataset, both directions" in found.coq
    assert found.numbers.split()[0] == found.what


def test_what_is_stated():
    """The theorem of one answer, word by word."""
    found = formal(dp.certificate(dp.delta, dp.KRandomization(n=3, q="1/4"), lam=2).document)
    assert " ".join(found.statement.split()) == (
        r"forall lam : R, lam = (frac R 2 1) -> DP 3 1 (frac R 1 4) lam (frac R 9 64) /\ "
        "(forall delta : R, DP 3 1 (frac R 1 4) lam delta -> (frac R 9 64) <= delta)"
    )
    assert found.numbers == "delta 3 1 1 4 lam 2 1 9 64 9 64 2 1 2 1 0 0 1000000000 0 0 0 1 2\n"


@pytest.mark.parametrize("end", ["lower", "upper"])
@pytest.mark.parametrize("name", ["delta", "delta, more reports", "epsilon", "least_q", "least_n", "most_k"])
def test_a_claim_that_is_too_narrow_is_refused(name, end):
    question, arguments, options = QUESTIONS[name]
    document = json.loads(dp.certificate(question, *arguments, **options).text)
    x = check.Entries(document["answer"]).number(end)
    step = 1 if name in ("least_n", "most_k") else x / 1000
    if name == "most_k":
        way = 1 if end == "lower" else -2
        document["answer"] = {name: int(x) + way for name, x in document["answer"].items()}
    else:
        other = {"lower": "upper", "upper": "lower"}[end]
        way = 1 if end == "lower" else -1
        document["answer"][end] = check.written(x + way * step)
        document["answer"][other] = check.written(check.Entries(document["answer"]).number(other) + way * 2 * step)
    with pytest.raises(dp.Undecided, match="was not found to"):
        formal(document)


@pytest.mark.parametrize(
    ("question", "arguments", "options"),
    [
        (dp.delta, (dp.Rounds([(dp.KRandomization(n=3, q="1/4"), 2)]),), {"lam": 2}),
        (dp.delta, (dp.KRandomization(n=3, q="1/4"),), {"lam": 2, "ones": 1}),
    ],
)
def test_what_coq_does_not_know_is_refused(question, arguments, options):
    with pytest.raises(dp.DomainError, match="single bits and all datasets"):
        formal(dp.certificate(question, *arguments, **options).document)


def test_what_would_take_days_is_refused():
    document = {
        "question": {"what": "delta", "n": 10**9, "q": "1/3", "k": 1, "lam": "2"},
        "answer": {"lower": 0, "upper": "1/2"},
    }
    with pytest.raises(dp.Undecided, match="too many reports"):
        formal(document)


def test_ends_in_the_wrong_order_are_refused():
    document = {
        "question": {"what": "delta", "n": 3, "q": "1/4", "k": 1, "lam": "2"},
        "answer": {"lower": "1/2", "upper": "1/3"},
    }
    with pytest.raises(dp.DomainError, match="lower is at most upper"):
        formal(document)


def test_the_command(tmp_path, capsys):
    made = dp.certificate(dp.delta, dp.KRandomization(n=3, q="1/4"), lam=2)
    made.write(tmp_path / "d.json")
    assert main([str(tmp_path / "d.json")]) == 0
    assert capsys.readouterr().out == formal(made.document).coq
    assert main(["--numbers", str(tmp_path / "d.json")]) == 0
    assert capsys.readouterr().out == formal(made.document).numbers
    assert main([str(tmp_path / "none.json")]) == 2
    assert capsys.readouterr().err.startswith("error: ")


@pytest.mark.parametrize("name", worked.KERNEL)
def test_the_worked_theorems_are_what_is_written(name):
    assert (worked.FOLDER / f"{name}.v").read_text("utf-8") == worked.made(*worked.KERNEL[name]).coq


@pytest.mark.soak
@pytest.mark.parametrize("name", worked.EXTRACTED)
def test_the_worked_numbers_are_what_is_written(name):
    assert (worked.FOLDER / f"{name}.txt").read_text("utf-8") == worked.made(*worked.EXTRACTED[name]).numbers


def test_nothing_else_is_there():
    names = {f"{name}.v" for name in worked.KERNEL} | {f"{name}.txt" for name in worked.EXTRACTED}
    kept = {path.name for path in Path(worked.FOLDER).iterdir() if path.suffix in (".v", ".txt")}
    assert kept == names
