"""What the calculator's page says beside a command's answer: its Python says the same, and its advice holds."""

import importlib.util
import json
import math
import re
import shutil
from fractions import Fraction
from functools import cache
from pathlib import Path
from urllib.parse import parse_qsl

import pytest

import dpcalc as dp
from dpcalc.cli.program import _parser
from dpcalc.privacy.cautions import ONE_ROUND
from tests.oracles.scan import deltas

NOTEBOOKS = Path(__file__).parents[1] / "notebooks"
PAGE = NOTEBOOKS / "calculator"

QUESTIONS = [
    {"goal": "least-q", "n": "1000", "epsilon": "1", "delta": "1e-6", "k": "2", "rounds": "1"},
    {"goal": "least-q", "n": "1", "epsilon": "0.000001", "delta": "1e-9"},  # next to 1/2
    {"goal": "epsilon", "n": "1e4", "q": "0.1", "delta": "1e-6"},
    {"goal": "epsilon", "n": "1000", "q": "0.1", "delta": "1e-6", "categories": "4", "neighbours": "delete"},
    {"goal": "delta", "n": "100", "q": "1/4", "epsilon": "0.5"},
    {"goal": "delta", "n": "40", "q": "1/4", "epsilon": "2", "rounds": "3"},
    {"goal": "delta", "n": "1e6", "q": "0.1", "epsilon": "0.0125"},
    {"goal": "delta", "n": "10", "q": "0.1", "epsilon": "9"},  # exactly 0
    {"goal": "least-n", "q": "0.1", "epsilon": "1", "delta": "1e-6"},
    {"goal": "least-q", "n": "40", "dropouts": "5%", "epsilon": "1", "delta": "1e-3", "rounds": "2"},
    {"goal": "least-n", "q": "0.1", "epsilon": "1", "delta": "1e-6", "dropouts": "40"},
    {"goal": "most-rounds", "n": "9", "q": "0.45", "epsilon": "0.5", "delta": "1e-3"},
]


@pytest.fixture(scope="module")
def answers():
    return loaded(PAGE / "answers.py")


@pytest.fixture(scope="module")
def answered(answers):
    """What is answered to a question; computed once."""
    return cache(lambda text: answers.answer(json.loads(text)))


def loaded(path):
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_form_shows_the_arguments_of_each_question(tmp_path):
    script = tmp_path / "calculator.js"
    shutil.copy(PAGE / "calculator.js", script)
    loaded(NOTEBOOKS / "build_calculator.py")._form(script)
    told = json.loads(re.search(r"^const ARGUMENTS = (\{.*\});", script.read_text(encoding="utf-8"), re.MULTILINE)[1])
    fields = {"n", "q", "k", "rounds", "epsilon", "delta"}
    assert all("dropouts" in told[goal] for goal in ("least-q", "epsilon", "delta", "least-n", "most-rounds"))
    shown = {
        "least-q": {"n", "k", "rounds", "epsilon", "delta"},
        "epsilon": {"n", "q", "k", "rounds", "delta"},
        "delta": {"n", "q", "k", "rounds", "epsilon"},
        "least-n": {"q", "k", "rounds", "epsilon", "delta"},
        "most-rounds": {"n", "q", "k", "epsilon", "delta"},
    }
    assert {goal: fields & set(told[goal]) for goal in shown} == shown
    assert all({"categories", "neighbours"} <= set(told[goal]) for goal in shown)
    options = re.findall(r'<option value="([a-z-]+)">', (PAGE / "index.html").read_text(encoding="utf-8"))
    assert set(options) & set(told) == set(shown)


@pytest.mark.parametrize("question", QUESTIONS)
def test_the_lines_of_python_print_the_answer(answered, question, capsys):
    found = answered(json.dumps(question))
    exec(found["python"])
    printed = capsys.readouterr().out.strip()
    assert printed
    assert printed in found["lines"][0]


@pytest.mark.parametrize("question", QUESTIONS)
def test_the_promise_holds_for_what_is_recommended(answers, answered, question):
    found = answered(json.dumps(question))
    asked = {**question, **answers._solved(question["goal"], found["document"])}
    assert answers._short(asked["delta"]) in found["recommendation"]
    for name in ("epsilon", "delta"):
        assert Fraction(answers._short(asked[name])) >= Fraction(asked[name])
    given = {name: asked[name] for name in ("n", "q", "k", "categories", "neighbours") if name in asked}
    if question["goal"] != "least-n":
        given["n"] = {"5%": 38, "0": given["n"]}[question.get("dropouts", "0")]
    assert f" {int(Fraction(given['n'])):,} honest users" in found["recommendation"]
    mechanism = (dp.UnaryEncoding if "categories" in given else dp.KRandomization)(**given)
    if asked.get("rounds", "1") != "1":
        mechanism = dp.Rounds([(mechanism, asked["rounds"])])
    promised = Fraction(answers._short(asked["delta"]))
    assert dp.delta(mechanism, epsilon=answers._short(asked["epsilon"])).lower <= promised
    if question["goal"] in ("least-q", "epsilon") and "categories" not in given:
        assert dp.delta(mechanism, epsilon=answers._short(asked["epsilon"])).upper <= promised


@pytest.mark.parametrize(
    ("question", "plainly"),
    [
        ({"goal": "least-q", "n": "50,000", "epsilon": "ln(2.71828182846)", "delta": "1e-8", "rounds": "1"},
         {"n": "50000"}),
        ({"goal": "epsilon", "n": "5_000", "q": "10%", "delta": "1e-8", "categories": "1,000"},
         {"n": "5000", "categories": "1000"}),
        ({"goal": "delta", "n": " 50", "q": "0.4", "epsilon": "30", "k": "1,000", "rounds": "1,000", "dropouts": "0"},
         {"n": "50", "k": "1000", "rounds": "1000"}),
        ({"goal": "least-n", "q": "0.1", "epsilon": "1", "delta": "1e-6", "dropouts": "1,000"}, {"dropouts": "1000"}),
    ],
)  # fmt: skip
def test_numbers_are_read_as_the_command_reads_them(answers, question, plainly):
    """The messages recommend 50,000, which the page did not take."""
    found, same = (json.loads(answers.answered(json.dumps(one))) for one in (question, {**question, **plainly}))
    for part in ("recommendation", "lines", "accuracy", "protects", "assumed"):
        assert found[part] == same[part]


def linked():
    """The addresses to which the book's pages link, below commands and in their own words."""
    address = loaded(NOTEBOOKS / "trying.py").address
    pages = [path for path in NOTEBOOKS.rglob("*") if path.suffix in (".md", ".ipynb")]
    texts = [path.read_text(encoding="utf-8") for path in pages]
    blocks = [block for text in texts for block in re.findall(r"```console\n(.*?)```", text, re.DOTALL)]
    written = [one for text in texts for one in re.findall(r"calculator/index\.html#[^\"\\ )]+", text)]
    return {*written, *filter(None, map(address, blocks))}


LINKED = linked()


def test_the_book_links_to_many_questions():
    assert len(LINKED) > 10
    address = loaded(NOTEBOOKS / "trying.py").address
    assert address("$ dpcalc delta --n 9 --q 1/4 --epsilon 1\ndelta = ...\n") == (
        "calculator/index.html#goal=delta&collected=bit&n=9&q=1%2F4&epsilon=1"
    )
    for other in ("plan --n 9", "delta --n 9 --q 0.2 --lam 2", "delta --n 9 --q 0.2 --epsilon 1 > out"):
        assert address(f"$ dpcalc {other}\n") is None


@pytest.mark.parametrize("link", sorted(LINKED))
def test_a_link_s_question_is_one_that_the_form_takes(answers, link):
    fields = dict(parse_qsl(link.partition("#")[2], strict_parsing=True))
    script = (PAGE / "calculator.js").read_text(encoding="utf-8")
    assert set(fields) <= set(json.loads(re.search(r"^const FIELDS = (\[.*\]);", script, re.MULTILINE)[1]))
    form = (PAGE / "index.html").read_text(encoding="utf-8")
    assert f'<option value="{fields["goal"]}">' in form
    assert f'<option value="{fields.pop("collected")}">' in form
    command = [fields.pop("goal"), *(word for name, text in fields.items() for word in (f"--{name}", text))]
    parsed = _parser().parse_args(command)
    assert {name: str(getattr(parsed, name)) for name in fields} == fields


def test_who_drops_out_hides_nobody_and_the_page_says_of_what_the_promise_is(answers):
    asked = {"goal": "epsilon", "n": "1000", "q": "0.1", "delta": "1e-6", "categories": "4", "neighbours": "replace"}
    found = answers.answer({**asked, "dropouts": "10%", "rounds": "1"})
    assert found["lines"] == answers.answer({**asked, "n": "900", "dropouts": "0", "rounds": "1"})["lines"]
    assert found["recommendation"].endswith(" is kept for 900 honest users, 4 categories, one round.")
    assert found["mechanism"]["n"] == "900"
    assert " --dropouts 10%" in found["command"]
    assert found["warnings"] == [ONE_ROUND]
    wait = answers.answer(next(question for question in QUESTIONS if question.get("dropouts") == "40"))
    n = int(wait["document"]["value"])
    assert wait["recommendation"].startswith(f"Wait for {n:,} honest users of {n + 40:,} users in all: then ")
    weak = answers.answer({"goal": "least-q", "n": "50000", "epsilon": "1", "delta": "1e-3", "rounds": "1"})
    assert weak["warnings"] == ["delta = 0.001 with n = 50,000 is kept by publishing 50 people at random", ONE_ROUND]
    refused = json.loads(answers.answered(json.dumps({**asked, "dropouts": "all"})))
    assert refused["field"] == "dropouts"


def test_the_safe_end_of_q_is_rounded_up_and_stays_below_a_half(answers):
    near = answers.answer(QUESTIONS[1])
    q = Fraction(answers._solved("least-q", near["document"])["q"])
    assert Fraction(near["document"]["value"]) <= q < Fraction(1, 2)


@pytest.mark.parametrize("question", QUESTIONS)
def test_an_answer_carries_its_question(answers, question):
    said = answers.answer(question)["asked"].partition(": ")[2].split(", ")
    assert said == [f"{name} = {text}" for name, text in question.items() if name != "goal"]


def test_it_is_told_how_much_is_done(answers, monkeypatch):
    told = []
    monkeypatch.setattr(answers._WORK, "told", lambda share, bounded: told.append(share))
    answers.answer({"goal": "delta", "n": "1e6", "q": "0.1", "epsilon": "0.0125"})
    assert told == sorted(told)
    assert 0 < told[0] <= told[-1] <= 1


@pytest.mark.parametrize("epsilon", ["0", "0.3", "1"])
def test_a_line_of_the_curve_is_the_mechanism_s_own(answers, epsilon):
    for n, q, k in [(1, "1/4", 1), (5, "1/5", 1), (4, "0.4", 2)]:
        mechanism = {"n": str(n), "q": q, "k": str(k)}
        line = json.loads(answers.curved(json.dumps({"mechanism": mechanism, "epsilon": epsilon})))
        at = Fraction(math.exp(float(epsilon)))
        truth = max(deltas(n, Fraction(q), k, at))
        assert truth - Fraction(1, 10**12) <= Fraction(line["delta"]) <= truth + Fraction(1, 10**4)
        least = 100 * (1 - truth)
        assert least - truth / 2 - Fraction(1, 10**9) <= Fraction(line["least"]) <= least + Fraction(1, 10**9)


def test_the_sum_of_both_errors_is_the_trade_off_s_and_not_that_of_any_mechanism(answers):
    found = answers.answer({"goal": "least-q", "n": "50000", "k": "1", "rounds": "1", "epsilon": "1", "delta": "1e-8"})
    line = json.loads(answers.curved(json.dumps({"mechanism": found["mechanism"], "epsilon": "0"})))
    advantage = dp.tradeoff(dp.KRandomization(**found["mechanism"])).advantage
    assert line["least"] == "94.29"  # of any mechanism with this epsilon: 53.7
    assert 0 <= 100 * (1 - advantage.upper) - Fraction(line["least"]) < Fraction(1, 100)


def test_a_curve_of_rounds_is_that_of_all_of_them(answers):
    mechanism = {"n": "40", "q": "1/4", "categories": "3", "neighbours": "delete", "rounds": "3"}
    line = json.loads(answers.curved(json.dumps({"mechanism": mechanism, "epsilon": "1/2"})))
    once = dp.UnaryEncoding(n=40, q="1/4", categories=3, neighbours="delete")
    assert line["delta"] == pytest.approx(float(dp.delta(dp.Rounds([(once, 3)]), epsilon="1/2").upper), rel=1e-12)
    far = {"mechanism": {"n": "1e12", "q": "0.1"}, "epsilon": "1"}
    assert 0 < json.loads(answers.curved(json.dumps(far)))["delta"] < 1e-300
    wrong = {"mechanism": {"n": "1e12", "q": "0.7"}, "epsilon": "1"}
    assert "\n" not in json.loads(answers.curved(json.dumps(wrong)))["error"]


@pytest.mark.parametrize(
    ("gained", "said"),
    [
        ("0", "100.000000000000"),
        ("1", "0.00"),
        ("0.0571", "94.29"),
        ("0.000771", "99.9229"),
        ("1e-30", "99.999999999999"),
    ],
)
def test_a_percentage_is_rounded_down(answers, gained, said):
    assert answers._percent(1 - Fraction(gained), Fraction(gained)) == said


def test_accuracy_is_that_of_a_typical_count(answers):
    found = answers.answer({"goal": "delta", "n": "1000", "q": "1/4", "epsilon": "1"})
    assert found["accuracy"] == {"sigma": "27.39", "ones": "100", "interval": "45 to 154"}  # sqrt(1000 * 3/4)


@pytest.mark.parametrize(
    ("question", "field"),
    [
        ({"goal": "least-q", "n": "0", "epsilon": "1", "delta": "1e-6"}, "n"),
        ({"goal": "least-q", "n": "9", "epsilon": "", "delta": "1e-6"}, "epsilon"),
        ({"goal": "delta", "n": "9", "q": "0.7", "epsilon": "1"}, "q"),
        ({"goal": "epsilon", "n": "9", "q": "0.1", "delta": "-1", "categories": "3"}, "delta"),
        ({"goal": "epsilon", "n": "9", "q": "0.1", "delta": "0.1", "categories": "one"}, "categories"),
        ({"goal": "most-rounds", "n": "9", "q": "0.1", "delta": "0.1", "epsilon": "1", "k": "1.5"}, "k"),
        ({"goal": "delta", "n": "9", "q": "0.1", "epsilon": "1", "rounds": "-2"}, "rounds"),
    ],
)
def test_a_refusal_names_its_field(answers, question, field):
    found = json.loads(answers.answered(json.dumps(question)))
    assert found["field"] == field
    assert found["error"].startswith(f"{field} = ")
    assert "\n" not in found["error"]


def test_a_question_without_a_solution_is_refused_in_one_line(answers):
    question = {"goal": "most-rounds", "n": "2", "q": "0.001", "epsilon": "0.1", "delta": "1e-9"}
    found = json.loads(answers.answered(json.dumps(question)))
    assert found["field"] == ""
    assert found["error"]


def test_a_certificate_is_the_command_s_own_and_is_checked(answers):
    made = json.loads(answers.certified(json.dumps(QUESTIONS[4])))["certificate"]
    assert json.loads(answers.checked(made))["holds"]
    assert not json.loads(answers.checked(made.replace('"answer"', '"answers"')))["holds"]
    rounds = next(question for question in QUESTIONS if question.get("rounds") == "3")
    wider = json.loads(answers.certified(json.dumps(rounds)))
    assert json.loads(answers.checked(wider["certificate"]))["holds"]
    assert wider["note"].startswith("the certificate proves: delta is at most ")
    nothing = {**rounds, "epsilon": "20"}  # delta is 0
    refused = json.loads(answers.certified(json.dumps(nothing)))
    assert "\n" not in refused["error"]


def test_no_menu_is_cut_on_a_phone():
    """A select of 390 pixels has room for 34 letters, less the arrow."""
    page = (PAGE / "index.html").read_text(encoding="utf-8")
    assert max(map(len, re.findall(r"<option[^>]*>([^<]+)</option>", page))) <= 34
