"""Every certificate is accepted by the checker, by itself and without dpcalc; what it says is so."""

import ast
import json
import random
import re
import subprocess
import sys
from decimal import ROUND_CEILING, ROUND_FLOOR
from fractions import Fraction
from pathlib import Path

import pytest

import dpcalc as dp
from dpcalc import check
from dpcalc.certificates.certificate import weaker
from dpcalc.cli import main
from dpcalc.errors import DomainError, NoSolution, Undecided
from dpcalc.worst.datasets import Delta
from tests.certificates.test_check import number
from tests.oracles.certificates import holds
from tests.strategies import seeds

SMALL = 60  # reports up to which the oracle sums up every dataset
CHECKER = Path(check.__file__)
SLOW = {0, 8, 21}  # five seconds and more


def question(seed, largest=4.0):
    """A question and its arguments."""
    draw = random.Random(seed)
    n = draw.choice([draw.randint(1, 12), int(10 ** draw.uniform(0, largest)), int(10 ** draw.uniform(0, largest))])
    k = draw.choice([1, 1, 1, 2, 3])
    q = draw.choice(
        [
            Fraction(draw.randint(2, 98), 200),
            Fraction(draw.randint(1, 99), 10 ** draw.randint(3, 5)),
            Fraction(1, 2) - Fraction(draw.randint(1, 99), 10 ** draw.randint(3, 4)),
        ]
    )
    epsilon, target = (
        Fraction(f"{10 ** draw.uniform(-3, 1):.4f}"),
        Fraction(draw.randint(1, 9), 10 ** draw.randint(1, 8)),
    )
    limit = draw.choice([{"epsilon": epsilon or 1}, {"lam": 1 + epsilon}])
    ones = draw.choice([None, draw.randint(0, n - 1)])
    return draw.choice(
        [
            (dp.delta, (dp.KRandomization(n=n, q=q, k=k),), {**limit, "ones": ones}),
            (dp.epsilon, (dp.KRandomization(n=n, q=q, k=k),), {"delta": target, "ones": ones}),
            (dp.least_q, (), {"n": n, "k": k, "delta": target, **limit}),
            (dp.least_n, (), {"q": q, "k": k, "delta": target, **limit}),
            (dp.most_k, (), {"n": n, "q": q, "delta": target, **limit}),
            (dp.local_q, (), {"n": n, "k": k, "bits": draw.randint(1, 3), "sigmas": draw.randint(1, 5), **limit}),
        ]
    )


def accepted_and_so(seed, largest=4.0):
    """The kind of a random certificate that was accepted; None where the question has no answer."""
    asked, arguments, options = question(seed, largest)
    try:
        answer = asked(*arguments, **options)
    except (NoSolution, Undecided):
        return None
    made = dp.certificate(asked, *arguments, answer=answer, **options)
    accepted, words = check.examined(made.text.encode())
    assert accepted, words
    assert made.lower <= answer.lower <= answer.upper <= made.upper
    assert made.upper - made.lower <= (answer.upper - answer.lower) + answer.upper / 10**6
    given = made.document["question"]
    if given["what"] == "local_q" or int(given.get("n", made.upper)) * int(given.get("k", made.upper)) <= SMALL:
        assert holds(given, made.lower, made.upper)
    return given["what"]


@pytest.mark.parametrize("seed", [*sorted(set(range(24)) - SLOW), *seeds(24, 124)[24:]])
def test_random_certificates_are_accepted_and_so(seed):
    accepted_and_so(seed, largest=1.5 if seed < 24 else 4.0)


def test_a_million_users_are_checked_by_python_alone(tmp_path, capsys):
    path = tmp_path / "d.json"
    assert main(["delta", "--n", "1e6", "--q", "0.1", "--epsilon", "0.0125", "--certificate", str(path)]) == 0
    assert f"certificate: {path}" in capsys.readouterr().out
    alone = tmp_path / "check.py"
    alone.write_bytes(CHECKER.read_bytes())
    run = [sys.executable, "-I", "-S", str(alone), str(path)]  # no site-packages, nothing of this folder
    done = subprocess.run(run, capture_output=True, text=True, cwd=tmp_path, env={}, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    ends = {name: number(x) for name, x in json.loads(path.read_text(encoding="utf-8"))["answer"].items()}
    assert Fraction("8.11203622E-10") < ends["lower"] < ends["upper"] < Fraction("8.112036234E-10")
    assert done.stdout == (
        'Proven: {"n": 1000000, "q": "1/10", "k": 1, "epsilon": "1/80"}: the least delta is at most '
        f"{check.shown(ends['upper'], ROUND_CEILING)} for every dataset of which one record's value changes, in both "
        f"directions (1.3 to 1.5, 2.3, 3, 4), at least {check.shown(ends['lower'], ROUND_FLOOR)} for one of them.\n"
    )
    beside = subprocess.run([sys.executable, str(CHECKER), str(path)], capture_output=True, text=True, check=False)
    assert (beside.returncode, beside.stdout, beside.stderr) == (0, done.stdout, "")
    path.write_text(path.read_text(encoding="utf-8").replace('"to": 999999', '"to": 999998'), encoding="utf-8")
    done = subprocess.run(run, capture_output=True, text=True, cwd=tmp_path, env={}, check=False)
    assert (done.returncode, done.stdout) == (1, "Not proven: no block begins at m = 999999\n")


def test_the_checker_needs_nothing_but_the_standard_library():
    tree = ast.parse(CHECKER.read_text(encoding="utf-8"))
    names = {alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names}
    names |= {str(node.module) for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    assert {name.split(".")[0] for name in names} <= sys.stdlib_module_names
    assert not {"cmath", "random"} & names
    numbers = [node.value for node in ast.walk(tree) if isinstance(node, ast.Constant)]
    assert not any(isinstance(number, float | complex) for number in numbers)
    assert "float" not in {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}


@pytest.mark.parametrize(
    ("command", "says"),
    [
        ("delta --n 9 --q 0.2 --epsilon 1 --rounds 2", "delta is at most X, S above the answer's X"),
        ("delta --n 9 --q 0.1 --epsilon 1 --categories 3", "delta is at most X, S above the answer's X"),
        ("epsilon --n 30 --q 0.2 --delta 1e-2 --rounds 2", "epsilon is at most X, S above the answer's X"),
        ("least-q --n 30 --epsilon 1 --delta 1e-2 --rounds 2", "q = X holds, S above the answer's X"),
        ("least-n --q 0.2 --epsilon 1 --delta 1e-2 --rounds 2", "n = X holds, S above the answer's X"),
    ],
)
def test_what_is_answered_and_what_is_proven_are_told_apart(command, says, tmp_path, capsys):
    """Chords between the bounds at a few lambda cost percents; neither number is shown as the other."""
    path, plain = tmp_path / "proof.json", command.split()
    assert main(plain) == 0
    answered = capsys.readouterr().out
    assert main([*plain, "--certificate", str(path)]) == 0
    said = capsys.readouterr().out
    assert said.startswith(f"{answered}certificate: {path}\nthe certificate proves: ")
    form = f"the certificate proves: {says}; it is no proof (?:of a smaller [a-z]+|at that)"
    found = re.fullmatch(form.replace("X", r"(\S+?)").replace("S ", r"(\S+) % "), said.splitlines()[-1])
    proven, percent, answer = map(Fraction, found.groups())
    end = number(json.loads(path.read_text(encoding="utf-8"))["answer"]["upper"])
    assert end <= proven <= end * (1 + Fraction(1, 10**6))
    assert proven / answer - 1 <= percent / 100 * (1 + Fraction(1, 10**3)) <= (proven / answer - 1) * Fraction(12, 10)
    assert found[3] in answered


def test_a_certificate_that_proves_the_answer_has_no_note():
    assert dp.certificate(dp.delta, dp.KRandomization(n=9, q="1/4"), lam=2).note is None
    assert dp.certificate(dp.most_rounds, dp.KRandomization(n=3, q="2/5"), lam=2, delta="1/500").note is None


def test_ends_that_are_proven_are_rounded_outward():
    answer = dp.Enclosure(Fraction(1, 3), Fraction(2, 3))
    assert weaker("delta", answer, Fraction(2, 7), Fraction(6, 7)) == (
        "delta is at least 0.2857142, 15 % below the answer's 0.3333333; "
        "delta is at most 0.8571429, 29 % above the answer's 0.6666667; it is no proof of a smaller delta"
    )
    assert weaker("delta", answer, Fraction(1, 3), Fraction(2, 3)) is None


def test_beside_json_the_note_is_on_standard_error(tmp_path, capsys):
    asked = ["delta", "--n", "9", "--q", "0.2", "--epsilon", "1", "--rounds", "2", "--json"]
    assert main([*asked, "--certificate", str(tmp_path / "proof.json")]) == 0
    out, err = capsys.readouterr()
    assert "certificate" not in json.loads(out)
    assert err.splitlines()[-1].startswith("dpcalc delta: the certificate proves: delta is at most ")


def test_an_answer_too_narrow_for_the_disks_is_certified_a_little_wider():
    local = dp.certificate(dp.epsilon, dp.KRandomization(n=5, q="1/4"), delta=0)
    assert local.answer.upper - local.answer.lower < Fraction(1, 10**38)
    assert (local.lower, local.upper, local.widened) == (local.answer.lower, local.answer.upper, False)
    sharp = dp.delta(dp.KRandomization(n=40, q="1/4"), epsilon=1)
    narrow = Delta(sharp.upper * (1 - Fraction(1, 10**30)), sharp.upper, sharp.dataset)
    made = dp.certificate(dp.delta, dp.KRandomization(n=40, q="1/4"), epsilon=1, answer=narrow)
    assert made.widened
    assert made.note.startswith("delta is at least ")
    assert made.lower < narrow.lower
    assert check.examined(made.text.encode())[0]


def test_what_is_refused_is_refused_before_any_work(monkeypatch, tmp_path, capsys):
    def worked(*_, **__):
        raise AssertionError

    for name in ("rounds.joint.Joint.delta", "notes.vectors.least_noise.least_vector_noise"):
        monkeypatch.setattr(f"dpcalc.{name}", worked)
    asked = ["--n", "9", "--q", "0.2", "--lam", "2", "--rounds", "2", "--certificate"]
    held = tmp_path / "held.json"
    held.touch(mode=0o400)
    monkeypatch.setattr("os.access", lambda path, _: path != held)
    for path, words in (
        ("nowhere/d.json", "a folder that exists"),
        (".", "can be written (Is a directory)"),
        ("held.json", "can be"),
    ):
        assert main(["delta", *asked, str(tmp_path / path)]) == 74
        assert words in capsys.readouterr().err
    with pytest.raises(AssertionError):
        main(["delta", *asked, str(tmp_path / "d.json")])
    vectors = ["least-q", "--n", "9", "--lam", "2", "--delta", "0.1", "--bits", "2"]
    assert main([*vectors, "--certificate", str(tmp_path / "d.json")]) == 2
    assert "no certificate" in capsys.readouterr().err
    assert not (tmp_path / "d.json").exists()


def test_what_has_no_certificate_is_refused():
    day = dp.KRandomization(n=10, q="1/4")
    hidden = dp.Thresholded(2, sampled="3/4", neighbours="replace")
    people = dp.Shuffle(dp.k_ary_response(3, lam=3), n=60)
    for refused, options in (
        (lambda: dp.certificate(dp.delta, dp.KRandomization(n=9, q="1/4", bits=2), lam=2), "no certificate"),
        (lambda: dp.certificate(dp.delta, hidden, lam=2), "records added or removed"),
        (lambda: dp.certificate(dp.delta, people, lam=2), "n = 60 is not allowed: give at most 49 of such people"),
        (lambda: dp.certificate(dp.delta, dp.NoisyCount(dp.Binomial(20_000, "1/2")), lam=2), "20,000 outcomes"),
        (lambda: dp.certificate(dp.least_q, n=9, lam=2, delta="0.1", bits=3), "bits = 3"),
        (lambda: dp.certificate(dp.least_q, n=9, lam=2, delta="0.1", dataset="identical"), "dataset = 'identical'"),
        (lambda: dp.certificate(dp.local_q, n=9, lam=2, method="real"), "method = 'real'"),
        (lambda: dp.certificate(dp.ratio, day, s=1), "question = 'ratio'"),
        (lambda: dp.certificate([], day), "question = \\[\\]"),
        (lambda: dp.certificate(dp.least_q, n=9), "the arguments of least_q"),
        (lambda: dp.certificate(dp.delta, None, lam=2), "mechanism = None"),
        (lambda: dp.certificate(dp.delta, day, lam=2, answer=3), "answer = 3"),
        (lambda: dp.certificate(dp.delta, day, lam=2).write("/nowhere/d.json"), "certificate = '/nowhere/d.json'"),
    ):
        with pytest.raises(DomainError, match=options):
            refused()


def test_one_count_that_changes_is_that_of_single_bits():
    made = dp.certificate(dp.delta, dp.UnaryEncoding(n=9, categories=3, q="1/4", neighbours="delete"), lam=2)
    assert json.loads(made.text)["question"] == {"what": "delta", "n": 9, "q": "1/4", "k": 1, "lam": "2"}


def test_the_example_of_the_book_is_what_is_written_and_so():
    page = (CHECKER.parent.parent / "notebooks" / "certificates.md").read_text(encoding="utf-8")
    example = json.loads(page.split("```json")[1].split("```")[0])
    assert example == dp.certificate(dp.delta, dp.KRandomization(n=3, q="1/4"), lam=2).document
    example["blocks"][1:] = [{"from": 1, "to": 2, "by": "sum", "t": 0}]  # as its last paragraph has it
    assert check.examined(json.dumps(example).encode()) == (
        True,
        'Proven: {"n": 3, "q": "1/4", "k": 1, "lam": "2"}: the least delta is at most 9/64 for every dataset of which '
        "one record's value changes, in both directions (1.3 to 1.5, 2.3, 3, 4), at least 9/64 for one of them.",
    )  # fmt: skip
    rounds = json.loads(page.split("```json")[2].split("```")[0])
    assert check.examined(json.dumps(rounds).encode())[0]
    rounds["answer"]["upper"] = "7/16"  # exactly: a little less than what is shown
    assert not check.examined(json.dumps(rounds).encode())[0]


def test_what_a_circle_shows_is_not_summed_up():
    """The sum of 3,726 reports at so long a q takes half a minute to write and to check."""
    m = dp.KRandomization(n=1863, q=Fraction(500000, 187007473), k=2)
    made = dp.certificate(dp.delta, m, lam="125833/125000", ones=820)
    document = json.loads(made.text)
    assert not made.widened
    assert {part["by"] for part in [document["dataset"], *document["blocks"]]} == {"circle"}
    assert check.examined(made.text.encode())[0]


@pytest.mark.parametrize(
    "noise",
    [
        dp.NegativeBinomial("1/2", "1/2", lam=2),
        dp.NegativeBinomial(2, 3, lam=2),
        dp.NegativeBinomial(2, 0, epsilon=1),
        dp.DiscreteLaplace(1) + dp.DiscreteLaplace(1),
        dp.DiscreteLaplace(1) + dp.Poisson(1),
        dp.Skellam(2, 1) + dp.Binomial(3, "1/3") + dp.Poisson(3),
        dp.Geometric("1/2", 3) + dp.DiscreteGaussian(1),
        dp.RoundedLaplace(2),
        dp.RoundedGaussian(1),
    ],
    ids=str,
)
def test_a_noise_is_stated_by_the_parts_of_its_law(noise):
    """Both ends would be elsewhere if one were left out."""
    made = dp.certificate(dp.delta, dp.NoisyCount(noise), epsilon="1/5")
    assert made.answer.lower * (1 - Fraction(1, 10**9)) <= made.lower
    assert made.upper <= made.answer.upper * (1 + Fraction(1, 10**9))


def test_a_dataset_whose_threshold_is_next_to_all_reports_is_bounded():
    """Of ones alone, hardly ever flipped: beyond all reports d is 0, and not below it."""
    made = dp.certificate(dp.delta, dp.KRandomization(n=3942, q="5/39420"), epsilon="0.051")
    assert (made.lower, made.upper) == (made.answer.lower, made.answer.upper)
