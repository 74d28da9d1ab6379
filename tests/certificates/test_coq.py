"""The extracted checker: it agrees with check.py, refuses what is wrong, and a changed line of it cannot be proven.

These need Coq and ``make checker`` in notebooks/formal; run with -m formal.
"""

import json
import random
import re
import shutil
import subprocess
from fractions import Fraction
from functools import partial
from itertools import islice, product
from pathlib import Path

import pytest

import dpcalc as dp
from dpcalc import check
from dpcalc.certificates.formal import formal
from notebooks.formal import worked
from tests.certificates.test_certificate import question
from tests.certificates.test_check import number
from tests.oracles import certificates
from tests.oracles.rounds import adaptive

pytestmark = pytest.mark.formal
FORMAL = Path(worked.__file__).parent


def accepted(numbers, folder):
    """Whether the checker accepts each of several lines."""
    paths = []
    for i, line in enumerate(numbers):
        paths.append(folder / f"{i}.txt")
        paths[-1].write_text(line)
    found = subprocess.run([FORMAL / "checker", *paths], capture_output=True, text=True, check=False)
    lines = found.stdout.splitlines()
    assert len(lines) == len(numbers), found.stderr
    assert (found.returncode == 0) == all(line.startswith("Proven") for line in lines)
    return [line.startswith("Proven") for line in lines]


def words(one):
    """The words of a theorem's question and witness, as the checker reads them."""
    text = formal(one.document).coq
    text = text[text.index("Definition asked") : text.index("Lemma")]
    return re.sub(r"[(),;]|%nat", " ", re.sub(r"([].])", r" \1 ", text)).split()


def drawn(seed, largest):
    """A certificate of a kind that both know, or None."""
    asked, arguments, options = question(seed, largest)
    options.pop("ones", None)
    try:
        return dp.certificate(asked, *arguments, **options) if asked is not dp.local_q else None
    except dp.DpcalcError:
        return None


def several(count, largest=1.5):
    found = (drawn(seed, largest) for seed in range(100 * count))
    return list(islice((one for one in found if one is not None and reports(one) < 1000), count))


def reports(one):
    """The most that a claim is about."""
    asked, upper = one.document["question"], number(one.document["answer"]["upper"])
    n, k = int(asked.get("n", 0)) or int(upper), int(asked.get("k", 0)) or int(upper)
    return n * k


def test_two_hundred_certificates_are_accepted_by_both(tmp_path):
    made = several(200)
    assert all(check.examined(one.text.encode())[0] for one in made)
    assert accepted([formal(one.document).coq for one in made], tmp_path) == [True] * 200
    assert {one.document["question"]["what"] for one in made} == {"delta", "epsilon", "least_q", "least_n", "most_k"}


def noise(seed):
    """A certificate of a noisy count."""
    draw = random.Random(seed)
    law = draw.choice(
        [
            dp.Binomial(draw.randint(1, 9), Fraction(draw.randint(1, 9), 10)),
            dp.Geometric(Fraction(draw.randint(1, 9), 10), draw.randint(0, 5)),
            dp.FiniteNoise([Fraction(1, 4), *draw.choice([(0, Fraction(1, 2), 0), (Fraction(1, 2),)]), Fraction(1, 4)]),
        ]
    )
    count, x = dp.NoisyCount(law, draw.randint(1, 4)), Fraction(draw.randint(0, 200), 100)
    try:
        if draw.random() < 0.3:
            return dp.certificate(dp.epsilon, count, delta=Fraction(draw.randint(1, 99), 100))
        return dp.certificate(dp.delta, count, **draw.choice([{"lam": 1 + x}, {"epsilon": x}]))
    except dp.NoSolution:
        return None


def test_a_hundred_certificates_of_noise_are_accepted_by_both(tmp_path):
    made = list(islice((one for one in map(noise, range(1000)) if one is not None), 100))
    assert all(check.examined(one.text.encode())[0] for one in made)
    assert accepted([formal(one.document).coq for one in made], tmp_path) == [True] * 100
    assert {one.document["question"]["what"] for one in made} == {"delta", "epsilon"}


def rounds(seed, largest=30):
    """A certificate of equal rounds of a bit, or of a histogram, or None."""
    draw = random.Random(seed)
    n, q, k = draw.randint(1, largest), Fraction(draw.randint(10, 40), 97), draw.choice([1, 1, 2])
    one = dp.KRandomization(n=n, q=q, k=k)
    if draw.random() < 0.4:
        neighbours = draw.choice(["replace", "delete"])
        one = dp.UnaryEncoding(n=n, categories=draw.randint(3, 5), q=q, k=k, neighbours=neighbours)
    try:
        x, several = Fraction(draw.randint(0, 100), 100), dp.Rounds([(one, draw.randint(2, 3))])
        if draw.random() < 0.2:
            return dp.certificate(dp.epsilon, several, delta=x / 5)
        return dp.certificate(dp.delta, several, **draw.choice([{"lam": 1 + x}, {"epsilon": x}]))
    except dp.DpcalcError:
        return None


def test_certificates_of_rounds_are_accepted_by_both(tmp_path):
    made = list(islice((one for one in map(rounds, range(400)) if one is not None), 40))
    assert all(check.examined(one.text.encode())[0] for one in made)
    assert accepted([formal(one.document).coq for one in made], tmp_path) == [True] * 40
    asked, about = ("Rounds_delta", "Rounds_epsilon"), ("Bits", "Histograms")
    assert {tuple(words(one)[5:7]) for one in made} == set(product(asked, about))


def test_a_lower_end_of_rounds_is_read(tmp_path):
    """As earlier versions wrote it: it is accepted, and refused if the witness shows less."""
    text = (Path(__file__).parents[1] / "data" / "formal" / "rounds_with_a_lower_end.v").read_text("utf-8")
    more = text.replace("(172133, 1000000)", "(172134, 1000000)")
    assert more != text
    assert accepted([text, more], tmp_path) == [True, False]


def test_changed_fields_of_rounds_are_refused_unless_the_claim_is_so(tmp_path):
    """Fields of the claim, and of the witness, changed a little and by much."""
    draw, lines = random.Random(30), []
    made = (rounds(seed, 3) for seed in range(40))
    claims = [words(one) for one in made if one is not None]
    claims = [claim for claim in claims if claim[7] == "2" and (claim[6] == "Bits" or claim[9] == "1")]
    while len(lines) < 500:
        changed = list(draw.choice(claims))
        numbers = [i for i, word in enumerate(changed) if word.isdigit() and i > 7]
        at = draw.choice(numbers[:10] if draw.random() < 0.3 else numbers)
        x = int(changed[at])
        changed[at] = str(
            draw.choice([x + 1, abs(x - 1), 2 * x, 0, 1, x + max(1, x // 1000), abs(x - max(1, x // 1000))])
        )
        lines.append(" ".join(changed))
    believed = [line for line, ok in zip(lines, accepted(lines, tmp_path), strict=True) if ok]
    assert 20 < len(believed) < 480
    assert [line for line in believed if not composed_is_so(line)] == []


def composed_is_so(line):
    """Whether a claim about rounds is true, by every strategy."""
    what, about, *rest = line.split()[5:]
    times, bit = int(rest[0]), about == "Bits"
    changes, (n, k, up, down, *rest) = 1 if bit else int(rest[2]), rest[1 if bit else 3 :]
    name = "delta" if what == "Rounds_epsilon" else rest.pop(0)
    x, lower, upper = (
        Fraction(int(a), int(b)) if int(b) else Fraction(0) for a, b in (rest[i : i + 2] for i in (0, 2, 4))
    )
    release = [(int(n), Fraction(int(up), int(down)), int(k))] * changes

    def needed(at, end):
        at = min(at, Fraction(100)) if name != "Lambda" else at
        return adaptive(
            [release] * times, certificates.limits({"lam" if name == "Lambda" else "epsilon": str(at)})[end]
        )

    if name == "delta":
        return (not lower or needed(lower, 0) > x) and (x >= 1 or needed(upper, 1) <= x)
    return lower <= needed(x, 0) and (upper >= 1 or needed(x, 1) <= upper)


def question_of(line):
    """The claim of a line, as a certificate's question and its two ends."""
    rest = iter(line.split()[5:])

    def whole():
        return int(next(rest))

    def ratio():
        up, down = whole(), whole()
        return Fraction(up, down) if down else Fraction(0)  # as in Coq

    def limit():
        return {{"Lambda": "lam", "Epsilon": "epsilon"}[next(rest)]: str(ratio())}

    what = next(rest).lower().removesuffix("_of")
    if what.startswith("noise"):
        next(rest)
        weights = [int(word) for word in iter(partial(next, rest), "]")]
        asked = {"what": what[6:], "noise": {"weights": weights}, "sensitivity": whole()}
        asked |= limit() if what == "noise_delta" else {"delta": str(ratio())}
        return asked, ratio(), ratio()
    asked = {"what": what}
    if what in ("delta", "epsilon", "least_q", "most_k"):
        asked["n"] = whole()
    if what != "most_k":
        asked["k"] = whole()
    if what != "least_q":
        asked["q"] = str(ratio())
    if what != "epsilon":
        asked |= limit()
    if what != "delta":
        asked["delta"] = str(ratio())
    if what == "most_k":
        k = whole()
        return asked, Fraction(k), Fraction(k + 1)
    if what == "least_n":
        return asked, Fraction(whole()), Fraction(whole())
    return asked, ratio(), ratio()


def is_so(line):
    """Whether a line's claim is true, by brute force. No outcome has a ratio of e^100: there delta is 0."""
    asked, *ends = question_of(line)
    if "epsilon" in asked:
        asked["epsilon"] = str(min(Fraction(asked["epsilon"]), Fraction(100)))
    if asked["what"] == "epsilon":
        ends = [min(end, Fraction(100)) for end in ends]
    return certificates.holds(asked, *ends)


def test_changed_fields_are_refused_unless_the_claim_is_so(tmp_path):
    draw, lines = random.Random(29), []
    claims = [words(one) for one in several(150, 0.8) if reports(one) < 25]
    claims += [words(one) for one in map(noise, range(60)) if one is not None]
    while len(lines) < 500:
        changed = list(draw.choice(claims))
        at = draw.randrange(1, len(changed))
        if not changed[at].isdigit():
            continue
        x = int(changed[at])
        changed[at] = str(
            draw.choice([x + 1, abs(x - 1), 2 * x, 0, 1, x + max(1, x // 1000), abs(x - max(1, x // 1000))])
        )
        lines.append(" ".join(changed))
    believed = [line for line, ok in zip(lines, accepted(lines, tmp_path), strict=True) if ok]
    assert 20 < len(believed) < 480
    assert [line for line in believed if not is_so(line)] == []


def test_wrong_claims_are_refused_by_both(tmp_path):
    lines, files = [], []
    for one in several(60, 1.0):
        document = json.loads(one.text)
        if document["question"]["what"] != "delta":
            continue
        line = " ".join(words(one))
        upper = number(document["answer"]["upper"])
        if upper in (0, 1) or number(document["answer"]["lower"]) != upper:
            continue
        wrong = upper * (1 - Fraction(1, 10**12))
        document["answer"] = {"lower": 0, "upper": check.written(wrong)}
        files.append(document)
        lines.append(line.replace(f" {upper.numerator} {upper.denominator} {upper.numerator} {upper.denominator} ",
                                   f" 0 1 {wrong.numerator} {wrong.denominator} ", 1))  # fmt: skip
    assert len(lines) >= 3
    assert not any(check.examined(json.dumps(one).encode())[0] for one in files)
    assert not any(accepted(lines, tmp_path))


def test_numbers_that_would_not_fit_are_refused(tmp_path):
    true = HONEST.split()
    lines = [" ".join([*true[:at], str(x), *true[at + 1 :]]) for at in (6, 7) for x in (-1, 10**8 + 1, 2**61, 2**70)]
    assert accepted([HONEST, *lines, "Definition asked := Delta 3", ""], tmp_path) == [True] + [False] * 10


HONEST = " ".join(words(dp.certificate(dp.delta, dp.KRandomization(n=3, q="1/4"), lam=2)))
ODD = {
    "": "too few numbers",
    "Definition asked : question := delta": "an unknown question",
    "Definition asked : question := Delta": "too few numbers",
    HONEST.replace(" . ", " 0 . ", 1): ". is expected",
    HONEST.replace(" ] ", " 0 ] "): "a whole number is expected",
    HONEST.replace("Precision", "Witness"): "Precision is expected",
    HONEST.replace(" 3 ", " 0x3 ", 1): "a whole number is expected",
    HONEST.replace(" 3 ", " -3 ", 1): "a whole number is expected",
    HONEST.replace(" 3 ", " 1_0 ", 1): "a whole number is expected",
    HONEST.replace(" 9 64 ", " 0 0 ", 1): "a number is divided by 0",
    HONEST.replace(" 9 64 ", f" {'9' * 100_001} 1 ", 1): "a number is too long",
    HONEST + " " * (1 << 23): "the file is too long",
}


@pytest.mark.parametrize("line", ODD, ids=range(len(ODD)))
def test_odd_lines_are_refused_in_one_line(line, tmp_path):
    (tmp_path / "odd.txt").write_text(line)
    found = subprocess.run([FORMAL / "checker", tmp_path / "odd.txt"], capture_output=True, text=True, check=False)
    assert (found.returncode, found.stdout, found.stderr) == (1, f"Not proven: {ODD[line]}\n", "")


@pytest.mark.parametrize("n", [20_000, 10**8])
def test_a_line_that_asks_for_too_much_is_refused(n, tmp_path):
    """Of numbers that are not cut, which would take hours."""
    blocks = f"[:: (0, {n // 2 - 1}); ({n // 2}, {n - 1})]"
    line = f"Definition asked : question := Delta {n} 1 (1, 4) (Lambda (2, 1)) (0, 1) (1, 2). "
    line += f"Definition shown : witness := RoundWitness (2, 1) (2, 1) 0 {n // 2} {blocks} (Precision 1000000000 0)."
    (tmp_path / "long.txt").write_text(line)
    found = subprocess.run([FORMAL / "checker", tmp_path / "long.txt"], capture_output=True, text=True, timeout=400)
    assert found.stdout == "Not proven: too much to be looked at\n"


MUTATIONS = {
    "a report's parameters exchanged": ("check.v", "b * x + a * last :: steps", "a * x + b * last :: steps"),
    "errors that are not multiplied": (
        "check.v",
        "(up c (D * error x + N.ones c) + t)",
        "(up c (error x + N.ones c) + t)",
    ),
    "a cut that is not counted": ("check.v", "(up c (D * error x + N.ones c) + t)", "(up c (D * error x) + t)"),
    "masses left out that are not counted": (
        "check.v",
        "(up c (D * error x + N.ones c) + t)",
        "(up c (D * error x + N.ones c))",
    ),
    "an error of a product": ("check.v", "(error x * most y + error y * most x)", "(error x * most y)"),
    "lambda turned round": (
        "check.v",
        "let more := excess v u (of_zero k a b)",
        "let more := excess u v (of_zero k a b)",
    ),
    "an outcome too few": ("check.v", "N.of_nat (k + count x).+1 *", "N.of_nat (k + count x) *"),
    "a block beyond the datasets": ("check.v", "[&& (b.2 < records c)%N, count x", "[&& count x"),
    "a law of other reports": ("check.v", "count x == ones c b, count y == zeros c b &", "count x == ones c b &"),
    "datasets left out": ("check.v", "covered (records c) bs & all_bounded", "true & all_bounded"),
    "lambda below 1": ("check.v", "proper (lambda c) & at_most (1, 1) (lambda c)]", "proper (lambda c) & true]"),
    "a lower end with P rounded up": ("lower.v", "(total less * error x)%num,", "0%num,"),
    "equality for more": ("lower.v", "& below delta (excesses", "& at_most delta (excesses"),
    "a remainder of the series left out": (
        "exponential.v",
        "(horner x.1 x.2 terms (2, 1)%num) y]",
        "(horner x.1 x.2 terms (1, 1)%num) y]",
    ),
    "a change too few": ("noise.v", "(iota 1 most)", "(iota 1 most.-1)"),
    "one direction of two": (
        "noise.v",
        "(larger (raised l w c) (lowered l w c))) 0%num (iota 1 most)",
        "(raised l w c)) 0%num (iota 1 most)",
    ),
    "noise at lambda below 1": ("noise.v", "proper l & at_most (1, 1)%num l]", "proper l & true]"),
    "a unit without lambda": ("noise.v", "(l.2 * total w)%num)", "total w)"),
    "a knot that nobody proved": ("lattice.v", "((one <=? bound x) ||", "(true ||"),
    "a knot beyond its power of g": ("lattice.v", "[&& proper (near x), at_most (near x) g\n", "[&& proper (near x)\n"),
    "a mirror image rounded down": (
        "lattice.v",
        "(one - down (fine w) (z * (one - y)) :: found)",
        "(one - up (fine w) (z * (one - y)) :: found)",
    ),
    "a tail rounded down": ("lattice.v", "(p + x, up_a_step w (q + x))", "(p + x, down_a_step w (q + x))"),
    "a last knot that is not looked at": ("lattice.v", "((x =? 0) && (0 < size l')%N || (y", "((x =? 0) || (y"),
    "a pair of too little mass": ("lattice.v", "&& (one <=? total (of_loss w) + infinite w)", ""),
    "infinite losses left out": ("lattice.v", "(weigh M l row + infinite w * M)", "(weigh M l row)"),
    "rounds rounded down": ("lattice.v", "up (fine w) (weigh M l row +", "down (fine w) (weigh M l row +"),
    "lambda beyond the chord": ("lattice.v", "at_most lam b\n", "true\n"),
    "a histogram of one count": ("answers.v", "Histograms T _ most => (T * most)%N", "Histograms T _ most => T"),
    "parts larger than the whole": ("below.v", "total part.2 <=? unit_of (cut w)", "true"),
    "Q masses without their error": ("below.v", "map (N.add (total one * error x))", "map (N.add (error x))"),
    "a ratio rounded down": ("below.v", "let z := up_a_step w x in\n    (ok", "let z := down_a_step w x in\n    (ok"),
    "masses that are not there": ("below.v", "(y * most <=? one * head 0 A)", "true"),
    "a ratio that is not reached": ("below.v", " && (head 0 B * z <=? y * least)", ""),
    "a ratio beyond the highest": (
        "below.v",
        "<=? highest w * power (coarse w) beyond",
        "<=? highest w * 2 * power (coarse w) beyond",
    ),
    "a lower end rounded up": ("below.v", "down (fine w) (weigh M (made w) row)", "up (fine w) (weigh M (made w) row)"),
    "no rounds rounded up": ("below.v", "let y := up_a_step w x in one - y", "let y := down_a_step w x in one - y"),
    "a row that goes on too high": ("below.v", "slide_down (last 0 row) (size row)", "slide_down one (size row)"),
    "lambda beyond the level": ("below.v", "shown_by c && at_most (lambda c)", "shown_by c && at_most (1, 1)"),
    "equality for more in rounds": ("below.v", "delta.1 * one <? delta.2", "delta.1 * one <=? delta.2"),
    "more categories than change": ("answers.v", "(0 < most <= 2)%N && (most <= categories)%N", "(0 < most <= 2)%N"),
    "more noise beyond 1/2": ("promise.v", "\n      && at_most lower (1, 2)%num", ""),
}


@pytest.mark.parametrize("name", MUTATIONS)
def test_a_changed_line_cannot_be_proven(name, tmp_path):
    file, old, new = MUTATIONS[name]
    folder = tmp_path / "formal"
    shutil.copytree(FORMAL, folder, ignore=shutil.ignore_patterns("worked", "checker", "__pycache__"))
    for compiled in FORMAL.glob("*.vo"):  # what does not depend on the change is not compiled again
        shutil.copystat(compiled, folder / compiled.name)
    text = (folder / file).read_text("utf-8")
    assert text.count(old) == 1
    (folder / file).write_text(text.replace(old, new), "utf-8")
    found = subprocess.run(["make", "-C", folder, "answers.vo"], capture_output=True, text=True, check=False)
    assert found.returncode != 0
    assert "Error:" in found.stderr
