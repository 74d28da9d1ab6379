"""What is handed to Coq: text for every question, claims that hold, and arithmetic that errs to the safe side only."""

import json
from fractions import Fraction

import mpmath
import pytest

import dpcalc as dp
from dpcalc import check
from dpcalc.certificates import formal as writer
from dpcalc.certificates.formal import formal, main
from dpcalc.certificates.questions import asked
from dpcalc.cli import main as command
from dpcalc.rounds.joint import Joint
from notebooks.formal import worked
from tests.certificates.test_check import number
from tests.certificates.test_mutants import QUICK, mutant
from tests.oracles import certificates


@pytest.mark.parametrize("epsilon", ["0", "1/1000", "1/3", "1", "17/4", "30"])
def test_numbers_next_to_an_exponential(epsilon):
    x = Fraction(epsilon)
    (low, _), (high, _) = (writer.next_to("epsilon", x, above=above) for above in (False, True))
    with mpmath.workdps(80):
        truth = mpmath.exp(mpmath.mpf(x.numerator) / x.denominator)
        apart = [mpmath.mpf(y.numerator) / y.denominator - truth for y in (low, high)]
    assert apart[0] <= 0 <= apart[1]
    assert apart[1] - apart[0] < mpmath.mpf(2) ** -70 * truth


def test_what_the_series_leaves_out_is_counted():
    """With few terms, where it is much."""
    with mpmath.workdps(30):
        for terms in (1, 2, 3):
            for x in (Fraction(i, 10) for i in range(1, 5 * (terms + 1))):
                low, high = (writer.horner(x, terms, rest) for rest in (1, 2))
                truth = mpmath.exp(mpmath.mpf(x.numerator) / x.denominator)
                assert low.numerator < truth * low.denominator
                assert high.numerator > truth * high.denominator


def test_a_number_above_an_exponential_is_above_it_on_a_coarse_grid(monkeypatch):
    monkeypatch.setattr(writer, "_LAMBDA", 2)
    with mpmath.workdps(30):
        for i in range(1, 3000, 7):
            x = Fraction(i, 1 << 9)
            high, _ = writer.next_to("epsilon", x, above=True)
            assert high.numerator >= mpmath.exp(mpmath.mpf(x.numerator) / x.denominator) * high.denominator


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
    "noise": (dp.delta, (dp.NoisyCount(dp.Geometric("1/2", 3), 2),), {"lam": "3/2"}),
    "noise, epsilon": (dp.delta, (dp.NoisyCount(dp.Binomial(9, "1/3")),), {"epsilon": "0.3"}),
    "epsilon, noise": (dp.epsilon, (dp.NoisyCount(dp.Binomial(9, "1/3")),), {"delta": "1/20"}),
    "most_k": (dp.most_k, (), {"n": 9, "q": "1/3", "lam": 3, "delta": "1/20"}),
}


@pytest.mark.parametrize("name", QUESTIONS)
def test_a_certificate_becomes_a_claim_that_is_so(name):
    question, arguments, options = QUESTIONS[name]
    made = dp.certificate(question, *arguments, **options)
    found, ends = formal(made.document), made.document["answer"]
    lower, upper = number(ends["lower"]), number(ends["upper"])
    assert lower * (1 - Fraction(1, 10**9)) <= found.lower <= lower
    assert upper <= found.upper <= upper * (1 + Fraction(1, 10**9))
    if name not in ("delta, epsilon", "delta, more reports", "noise, epsilon"):  # Coq has a lambda of fewer digits
        assert (found.lower, found.upper) == (lower, upper)
        assert certificates.holds(made.document["question"], found.lower, found.upper)
    assert found.coq.count("accept_sound") == 1
    assert json.dumps(made.document["question"]) in found.coq
    assert f"question := {'Noise_' if 'noise' in name else ''}{found.asked['what']}".lower() in found.coq.lower()
    if "noise" in name:
        return
    covered = [m for low, high in found.witness.blocks for m in range(low, high + 1)]
    assert covered == list(range(len(covered)))
    holds = found.lower if found.asked["what"] == "most_k" else found.upper
    assert len(covered) == (holds if found.asked["what"] == "least_n" else found.given["n"])


def test_what_is_asked():
    found = formal(dp.certificate(dp.delta, dp.KRandomization(n=3, q="1/4"), lam=2).document)
    assert "question := Delta 3 1 (1, 4) (Lambda (2, 1)) (9, 64) (9, 64)." in found.coq
    assert "[:: (0%nat, 0%nat); (1%nat, 2%nat)] (Precision 1000000000 0))." in found.coq


def test_what_is_asked_of_noise():
    found = formal(dp.certificate(dp.delta, dp.NoisyCount(dp.FiniteNoise(["1/4", "1/2", "1/4"])), lam=2).document)
    assert "question := Noise_delta [:: 1; 2; 1] 1 (Lambda (2, 1)) (1, 4) (1, 4)." in found.coq


@pytest.mark.parametrize("end", ["lower", "upper"])
@pytest.mark.parametrize(
    "name",
    ["noise, epsilon", "epsilon, noise", "delta", "delta, more reports", "epsilon", "least_q", "least_n", "most_k"],
)
def test_a_claim_that_is_too_narrow_is_refused(name, end):
    question, arguments, options = QUESTIONS[name]
    document = json.loads(dp.certificate(question, *arguments, **options).text)
    x = number(document["answer"][end])
    step = 1 if name in ("least_n", "most_k") else x / 1000
    if name == "most_k":
        way = 1 if end == "lower" else -2
        document["answer"] = {name: int(x) + way for name, x in document["answer"].items()}
    else:
        other = {"lower": "upper", "upper": "lower"}[end]
        way = 1 if end == "lower" else -1
        document["answer"][end] = check.written(x + way * step)
        document["answer"][other] = check.written(number(document["answer"][other]) + way * 2 * step)
    with pytest.raises(dp.Undecided, match=r"was not found to|not found to be so"):
        formal(document)


@pytest.mark.parametrize(
    ("question", "arguments", "options"),
    [
        (dp.delta, (dp.Rounds([dp.KRandomization(n=3, q="1/4"), dp.KRandomization(n=4, q="1/4")]),), {"lam": 2}),
        (dp.delta, (dp.KRandomization(n=3, q="1/4"),), {"lam": 2, "ones": 1}),
        (dp.delta, (dp.Thresholded(3, sampled="1/4"),), {"lam": 2}),
        (dp.delta, (dp.Sampled(dp.NoisyCount(dp.Binomial(4, "1/3")), "1/3"),), {"lam": 2}),
        (dp.delta, (dp.NoisyCount(dp.Skellam(1, 1)),), {"lam": 2}),
        (dp.delta, (dp.NoisyCount(dp.Poisson(2)),), {"lam": 2}),
        (dp.delta, (dp.NoisyCount(dp.DiscreteLaplace(lam=2)),), {"lam": 2}),
        (dp.delta, (dp.AsymmetricBits(n=3, chances=("2/3", "1/4")),), {"lam": 2}),
        (dp.delta, (dp.NoisyCount(dp.NegativeBinomial(2, 0, lam=2)),), {"lam": 2}),
        (dp.delta, (dp.Shuffle(dp.k_ary_response(3, lam=3), n=2),), {"lam": 2}),
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


def test_the_command(tmp_path, capsys):
    made = dp.certificate(dp.delta, dp.KRandomization(n=3, q="1/4"), lam=2)
    made.write(tmp_path / "d.json")
    assert main([str(tmp_path / "d.json")]) == 0
    assert capsys.readouterr().out == formal(made.document).coq
    assert main([str(tmp_path / "none.json")]) == 2
    none = tmp_path / "none.json"
    assert capsys.readouterr().err == f"error: {none} cannot be read: No such file or directory\n"


ASKED = '{"what": "delta", "n": 3, "q": "1/4", "k": 1, "lam": 2}'
ANSWER = '{"lower": "9/64", "upper": "9/64"}'
FILE = json.dumps(dp.certificate(dp.delta, dp.KRandomization(n=3, q="1/4"), lam=2).document)
FILE = FILE.replace(json.dumps(json.loads(FILE)["question"]), ASKED)
ODD = {
    "no file": ("", "no JSON"),
    "a list": ("[]", "no object"),
    "a list for the question": (FILE.replace(ASKED, "[]"), "question is missing"),
    "no answer": (FILE.replace(ANSWER, "null"), "answer is missing"),
    "two equal keys": (FILE.replace('"n": 3', '"n": 9, "n": 3'), "an entry stands there twice"),
    "two answers": (FILE.replace('"answer"', '"answer": 0, "answer"'), "an entry stands there twice"),
    "categories": (FILE.replace('"n": 3', '"n": 3, "categories": 3'), "more than one of single bits"),
    "sampled": (FILE.replace('"n": 3', '"n": 3, "sampled": "1/2"'), "more than one of single bits"),
    "dummies": (FILE.replace('"n": 3', '"n": 3, "dummies": []'), "more than one of single bits"),
    "an unknown entry": (FILE.replace('"n": 3', '"n": 3, "shuffled": 1'), "unknown entry: shuffled"),
    "an unknown part": (FILE.replace('"bits"', '"proof": 0, "bits"'), "unknown entry: proof"),
    "a number for noise": (FILE.replace('"n": 3', '"noise": 3'), "more than one of single bits"),
    "noise alone": (FILE.replace(ASKED, '{"what": "delta", "noise": 3, "lam": 2}'), "noise is missing"),
    "rounds of numbers": (FILE.replace(ASKED, '{"what": "delta", "rounds": [3], "lam": 2}'), "rounds are missing"),
    "no rounds": (FILE.replace(ASKED, '{"what": "delta", "rounds": 3, "lam": 2}'), "rounds are missing"),
    "no users": (FILE.replace('"n": 3', '"n": 0'), "n is not a whole number from 1"),
    "q of 1": (FILE.replace('"q": "1/4"', '"q": 1'), "q is not between 0 and 1/2"),
    "a double": (FILE.replace('"1/4"', "0.25"), "0.25 is no exact number"),
    "another schema": (FILE.replace("certificate 1", "certificate 2"), "is expected"),
    "ends in the wrong order": (FILE.replace('"upper": "9/64"', '"upper": "1/64"'), "lower is above upper"),
    "lines": (FILE.replace('"what"', '"a\\nb": 0, "what"'), r"unknown entry: a\nb"),
}


def test_the_file_that_the_odd_ones_are_made_of_is_a_theorem(tmp_path, capsys):
    (tmp_path / "d.json").write_text(FILE, "utf-8")
    assert main([str(tmp_path / "d.json")]) == 0
    assert "Theorem" in capsys.readouterr().out


@pytest.mark.parametrize("name", ODD)
def test_odd_files_are_refused_in_the_checker_s_words(name, tmp_path, capsys):
    (tmp_path / "d.json").write_text(ODD[name][0], "utf-8")
    assert main([str(tmp_path / "d.json")]) == 2
    out, said = capsys.readouterr()
    assert (out, said.count("\n")) == ("", 1)
    assert said.startswith("error: Not proven: ")
    assert ODD[name][1] in said


@pytest.mark.soak
def test_no_file_ends_in_a_traceback(tmp_path, capsys):
    found = set()
    for seed in range(400):
        (tmp_path / "d.json").write_text(json.dumps(mutant(seed, [*QUICK])), "utf-8")
        found.add(main([str(tmp_path / "d.json")]))
        assert capsys.readouterr().err.count("\n") <= 1
    assert found == {0, 2}


@pytest.mark.parametrize(
    "asked",
    [
        ["least-q", "--n", "9", "--lam", "2", "--delta", "0.1"],
        ["noise", "--kind", "binomial", "--trials", "9", "--lam", "2"],
    ],
)
def test_an_answer_is_written_as_a_theorem(asked, tmp_path, capsys):
    proof, theorem, numbers = (tmp_path / name for name in ("q.json", "q.v", "q.txt"))
    assert command([*asked, "--certificate", str(proof), "--formal", str(theorem)]) == 0
    assert capsys.readouterr().out.endswith(f"certificate: {proof}\nformal: {theorem}\n")
    assert command([*asked, "--formal", str(numbers)]) == 0
    found = formal(json.loads(proof.read_text("utf-8")))
    assert (theorem.read_text("utf-8"), numbers.read_text("utf-8")) == (found.coq, found.coq)
    assert command([*asked, "--formal", str(tmp_path / "q.json")]) == 2


def test_what_coq_does_not_know_is_refused_before_any_work(tmp_path, never, capsys):
    never(Joint, "delta")
    asked = ["least-q", "--n", "9", "--lam", "2", "--delta", "0.1", "--rounds", "2", "--formal", str(tmp_path / "q.v")]
    assert command(asked) == 2
    said = capsys.readouterr().err
    assert "certificate = 'least_q with rounds' is not allowed" in said
    assert "for single bits and all datasets; delta or epsilon of noise or of equal rounds" in said


SLOW = {"readme_delta", "least_q_1000"}
WORKED = [pytest.param(name, marks=[pytest.mark.soak] * (name in SLOW)) for name in (*worked.KERNEL, "readme_delta")]


@pytest.mark.parametrize("name", WORKED)
def test_a_worked_theorem_is_that_of_its_certificate(name):
    certificate = (worked.FOLDER / f"{name}.json").read_text("utf-8")
    question, arguments, options = {**worked.KERNEL, **worked.EXTRACTED}[name]
    assert json.loads(certificate)["question"] == asked(question, arguments, options).document
    assert check.examined(certificate.encode())[0]
    ending = "v" if name in worked.KERNEL else "txt"
    assert (worked.FOLDER / f"{name}.{ending}").read_text("utf-8") == worked.shown(name).coq


def test_nothing_else_is_there():
    names = {f"{name}.v" for name in worked.KERNEL} | {f"{name}.txt" for name in worked.EXTRACTED}
    names |= {f"{name}.json" for name in (*worked.KERNEL, *worked.EXTRACTED)}
    assert {path.name for path in worked.FOLDER.iterdir() if path.suffix in (".v", ".txt", ".json")} == names
