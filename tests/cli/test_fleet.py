"""``dpcalc fleet``: its file, what is asked of it, and what is wrong with it."""

import json
from fractions import Fraction

import pytest

import dpcalc as dp
from dpcalc.cli import main
from dpcalc.cli.fleet import EXAMPLE, fleets

SMALL = """\
[[group]]
n = 3
q = 0.25
honest = 2

[[group]]  # the others
"n" = 2
 q = "1/5"
k = 2

[[dummies]]
count = 1
"""


@pytest.fixture
def ask(tmp_path, capsys):
    """Asks of a file with this text."""

    def run(text, *arguments):
        path = tmp_path / "fleet.toml"
        path.write_text(text, encoding="utf-8")
        status = main(["fleet", str(path), *arguments])
        found = capsys.readouterr()
        return status, found.out, found.err

    return run


def value(document):
    return Fraction(document["value"])


def test_a_file_says_what_the_arguments_say(tmp_path):
    path = tmp_path / "small.toml"
    path.write_text(SMALL, encoding="utf-8")
    groups, dummies = [dp.Group(n=3, q="1/4"), dp.Group(n=2, q="1/5", k=2)], [dp.Dummies(1)]
    assert fleets(str(path))[0] == dp.Fleet(groups, dummies=dummies)
    assert fleets(str(path))[1] == dp.Fleet(groups, dummies=dummies, honest=[2, 2])
    path.write_text('neighbours = "add-remove"\n' + SMALL.partition("[[dummies]]")[0], encoding="utf-8")
    assert fleets(str(path))[0] == dp.Fleet(groups, neighbours="add-remove")


def test_delta_epsilon_and_the_profile_are_of_the_honest(ask):
    fleet = dp.Fleet([dp.Group(n=2, q="1/4"), dp.Group(n=2, q="1/5", k=2)], dummies=[dp.Dummies(1)])
    found = dp.delta(fleet, lam=2)
    document = json.loads(ask(SMALL, "--lam", "2", "--json")[1])
    assert value(document["delta"]) == found.value
    assert document["group"] == found.dataset.group + 1
    assert tuple(document["ones"]) == found.dataset.ones
    assert (document["value"], document["other"]) == (found.dataset.value, found.dataset.other)
    assert document["fleet"]["groups"][0] == {"n": 2, "q": "1/4", "k": 1}
    assert document["fleet"]["dummies"] == [{"count": 1, "probability": "1/2"}]
    one = json.loads(ask(SMALL, "--lam", "2", "--ones", "1", "0", "--json")[1])
    assert value(one["delta"]) == dp.delta(fleet, lam=2, ones=[1, 0]).value
    assert "epsilon = " + str(dp.epsilon(fleet, delta="0.1")) in ask(SMALL, "--delta", "0.1")[1]
    rows = [line.split() for line in ask(SMALL, "--epsilon", "0.5", "1", "2")[1].splitlines()]
    assert rows[0] == ["epsilon", "delta", "at", "least", "at", "most"]
    assert [row[0] for row in rows[1:4]] == ["0.5", "1", "2"]
    assert rows[2][1] == str(dp.delta(fleet, epsilon=1))


def test_each_delta_of_a_profile_has_both_ends_and_they_have_their_meaning(ask):
    text = "[[group]]\nn = 20\nq = 0.1\n[[group]]\nn = 10\nq = 0.2\n"
    asked = ["--epsilon", "0.5", "1"]
    lines = ask(text, *asked)[1].splitlines()
    points = json.loads(ask(text, *asked, "--json")[1])["profile"]
    for line, point in zip(lines[1:3], points, strict=True):
        low, high = map(Fraction, line.split()[2:])
        ends = [Fraction(point["delta"][end]) for end in ("lower", "upper")]
        assert low <= ends[0] <= ends[1] <= high
        assert high - low <= max((ends[1] - ends[0]) * Fraction(3, 2), ends[1] / 10**16)  # one unit of the last digit
    assert lines[3:] == ["lower: reached by one dataset; upper: holds for every dataset"]


def test_a_user_may_be_absent_and_a_group_alone(ask):
    hidden = 'neighbours = "add-remove"\n[[group]]\nn = 3\nq = 0.2\n'
    status, out, _ = ask(hidden, "--lam", "2")
    assert (status, out.splitlines()[0]) == (0, f"delta = {dp.delta(FLEET_HIDDEN, lam=2)}")
    assert "is absent" in out
    alone = json.loads(ask("[[group]]\nn = 3\nq = 0.2\n", "--lam", "2", "--json")[1])
    found = dp.delta(dp.KRandomization(n=3, q="0.2"), lam=2)
    assert value(alone["delta"]) == found.value
    assert (alone["ones"], alone["value"]) == (found.dataset.ones, found.dataset.value)


FLEET_HIDDEN = dp.Fleet([dp.Group(n=3, q="1/5")], neighbours="add-remove")


def test_the_ones_are_those_of_all_users(ask):
    fleet = dp.Fleet([dp.Group(n=40_000, q="0.01"), dp.Group(n=10_000, q="0.05", k=2)])
    ends = dp.confidence_interval(fleet, [12_000, 6_000], confidence="0.95")
    status, out, _ = ask(EXAMPLE, "--counts", "12000", "6000")
    assert status == 0
    assert out.startswith("estimate = 14614.5124716..., standard deviation 26.56")
    assert f"from {ends.lower} to {ends.upper} users hold 1, with confidence 0.95 or more" in out
    ends = dp.confidence_interval(fleet, 18_000, confidence="0.9")
    document = json.loads(ask(EXAMPLE, "--counts", "18000", "--confidence", "0.9", "--json")[1])
    assert [value(end) for end in document["interval"]] == [ends.lower.value, ends.upper.value]
    assert "estimate" not in document
    assert "no unbiased estimate" in ask(EXAMPLE, "--counts", "18000")[1]


def test_the_fewest_users_of_these_shares(ask):
    text = "[[group]]\nn = 10\nq = 0.25\n[[group]]\nn = 90\nq = 0.2\n"
    status, out, _ = ask(text, "--epsilon", "1", "--delta", "0.01")
    assert status == 0
    assert out.splitlines()[0] == "n = 14"
    assert (
        out.splitlines()[-1] == "honest users of each group, its share of n rounded up: 2, 13; the proof is of these 15"
    )
    document = json.loads(ask(text, "--epsilon", "1", "--delta", "0.01", "--json")[1])
    assert (document["value"], document["groups"], document["safe"]) == ("14", [2, 13], "upper")


def test_the_example_is_a_fleet(capsys, ask):
    assert main(["fleet", "--example"]) == 0
    text = capsys.readouterr().out
    assert text == EXAMPLE
    uncommented = text.replace("# [[dummies]]", "[[dummies]]").replace("# count", "count").replace("# prob", "prob")
    assert json.loads(ask(uncommented, "--lam", "2", "--ones", "0", "0", "--json")[1])["fleet"]["dummies"]


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("[[group]]\nn = 3\nq = 0.7\n", "fleet.toml, group 1: q = '0.7' is not allowed: give a flip probability"),
        (SMALL.replace("1/5", "x"), "fleet.toml, group 2: q = 'x' is not allowed: give a flip probability"),
        (SMALL.replace("honest = 2", "honest = 4"), "fleet.toml, group 1: honest = 4 is not allowed: give a whole"),
        (SMALL.replace("count = 1", "count = 0"), "fleet.toml, dummies 1: count = 0 is not allowed: give a whole"),
        (
            SMALL.replace("k = 2", "kk = 2"),
            "fleet.toml, group 2: kk = 2 is not allowed: give only n, q, k, honest here",
        ),
        ("users = 3\n" + SMALL, "fleet.toml: users = 3 is not allowed: give only group, dummies, neighbours"),
        ("[[group]]\nn = 3\n", "fleet.toml, group 1: q is missing: give q = ..., which every [[group]] has"),
        ("", "fleet.toml: group is missing: give [[group]]"),
        ("group = 5", "fleet.toml: group = 5 is not allowed: give [[group]]"),
        ("group = [{n = 3, q = 1}]", "fleet.toml, group 1: q = 1 is not allowed"),
        ('neighbours = "x"\n' + SMALL, "fleet.toml: neighbours = 'x' is not allowed: give one of replace"),
        ("[[group]]\nn = 1e15\nq = 0.1\n" + SMALL, "fleet.toml: groups = "),
        ("[[group]\n", "dpcalc fleet --example prints; this is none, at line 1, column 8"),
        (
            "n,q\n100,0.1\n",
            "is not allowed: give a TOML file, such as dpcalc fleet --example prints; this is none, at line 1",
        ),
        (
            "[[group]]\nn = " + "9" * 5000 + "\nq = 0.1",
            "is not allowed: give a TOML file, such as dpcalc fleet --example prints; this is none",
        ),
        ("a = " + "[" * 5000, "is not allowed: give a TOML file, such as dpcalc fleet --example prints; this is none"),
    ],
    ids=lambda text: text[:20],
)
def test_a_file_that_is_wrong_gives_one_line_that_names_the_place(text, complaint, ask):
    status, out, err = ask(text, "--lam", "2")
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert complaint in err
    assert len(err) < 400


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        ([], "give --lam or --epsilon, --delta, or --counts"),
        (["--lam", "2", "--epsilon", "1", "2"], "give exactly one of lam"),
        (["--lam", "2", "--delta", "1"], "delta = '1' is not allowed: give a probability with 0 < delta < 1"),
        (["--lam", "2", "--delta", "0.1", "--ones", "1", "1"], "give no --ones with a limit and --delta"),
        (["--epsilon", "1", "2", "--delta", "0.1"], "give one epsilon with --delta"),
        (["--counts", "3", "--lam", "2"], "lam = '2' is not allowed: give no --lam with --counts"),
        (["--counts", "3", "2"], "one pooled count (dummies are in no group's)"),
        (["--counts", "99"], "counts = '99' is not allowed"),
        (["--epsilon", *map(str, range(101))], "epsilon = '101 values' is not allowed: give at most 100"),
        (["--lam", "2", "--confidence", "0.9"], "give no --confidence without --counts"),
        (["--lam", "2", "--ones", "1"], "ones = ['1'] is not allowed: give 2 whole numbers"),
    ],
)
def test_a_question_that_is_none_gives_one_line(arguments, complaint, ask):
    status, out, err = ask(SMALL, *arguments)
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert complaint in err


@pytest.mark.parametrize(
    "make",
    [
        lambda path: None,
        lambda path: path.mkdir(),
        lambda path: path.write_bytes(b"\xff"),
        lambda path: path.write_bytes(b"#" * 1_000_001),
    ],
)
def test_a_file_that_cannot_be_read(make, tmp_path, capsys):
    path = tmp_path / "fleet.toml"
    make(path)
    assert main(["fleet", str(path), "--lam", "2"]) == 2
    err = capsys.readouterr().err
    assert err.startswith("dpcalc fleet: file = ")
    assert err.count("\n") == 1
    assert main(["fleet", "--lam", "2"]) == 2
    assert "give a TOML file, such as dpcalc fleet --example prints" in capsys.readouterr().err
