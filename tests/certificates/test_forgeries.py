"""What forgers tried: a false certificate, disks at the far ends of all exponents, files that keep the checker busy."""

import json
import os
import random
import signal
import subprocess
import sys
from fractions import Fraction
from pathlib import Path

import mpmath
import pytest

from dpcalc import check
from tests.certificates.test_check import made, summed_document, verdict

CHECKER = Path(check.__file__)


# --- a false claim --------------------------------------------------------------------------------------------------


def far_out(shift):
    """delta <= 0.45 for three records, where p^3 (1 - lambda q / p) = 0.68 is below it."""
    q = Fraction(5, 6) / 2**shift
    circle = {"t": 1, "r": Fraction(1, 2**shift), "left": (1 - Fraction(1, 2**60)) / 2 ** (shift + 4400)}
    return {
        "schema": check.SCHEMA,
        "question": {"what": "delta", "n": 3, "q": check.written(q), "k": 1, "lam": check.written(Fraction(8, 25) / q)},
        "answer": {"lower": 0, "upper": "9/20"},
        "bits": 192,
        "blocks": [
            {"from": 0, "to": 2, "by": "envelope", "right": "1/2", "points": 501, "kept": 251, "order": 40, "pieces": 2}
            | {"slope": 1}
            | {name: check.written(Fraction(x)) for name, x in circle.items()}
        ],
    }


@pytest.mark.parametrize("shift", [1000, 100_000, 260_000, 798_000, 1_048_000])
@pytest.mark.soak
def test_logarithms_that_are_not_found_prove_nothing(shift):
    assert not verdict(far_out(shift))[0]


# --- disks at the far ends of all exponents -------------------------------------------------------------------------

#: Numbers of a file have up to 2^21 bits; what is made of them goes further.
FAR = [0, 1, 63, 700, 9000, 740_000, 797_999, 830_000, 1 << 20, (1 << 22) - 400]
RIMS = [(0, 0), (1, 0), (-1, 0), (0, 1), (0, -1)]
FUNCTIONS = {
    "sum": (lambda x, y: x + y, lambda x, y: x + y),
    "product": (lambda x, y: x * y, lambda x, y: x * y),
    "real part": (lambda x, y: x.of(0).plus(x, y), lambda x, y: mpmath.mpc((x * y).real)),
    "real parts": (lambda x, y: x.plus(x, y).plus(y, x), lambda x, y: mpmath.mpc((x + 2 * x * y).real)),
    "share": (lambda x, _: x.over(7), lambda x, _: x / 7),
    "inverse": (lambda x, _: x.inverse(), lambda x, _: 1 / x),
    "power": (lambda x, _: x**1000, lambda x, _: x**1000),
    "opposite": (lambda x, _: -x, lambda x, _: -x),
    "bound": (lambda x, _: x.around(), lambda x, _: -abs(x)),
    "Taylor's terms": (lambda x, _: check.taylor(x, 9)[9], lambda x, _: x**9 / 362880),
    "logarithm": (lambda x, _: check.log(x, first(x)), lambda x, _: mpmath.log(x)),
}


def first(z):
    """Near the logarithm of the centre where that is not real."""
    if not z.b and z.a > 0:
        return None
    angle = mpmath.arg(mpmath.mpc(z.a, z.b))
    near = (z.e + (z.a * z.a + z.b * z.b).bit_length() // 2) * check.LOG_2
    return z.exam.disk(near) + z.of(0, round(angle * 2**40), -40)


def drawn(exam, draw, far):
    """A disk far out, and a number in it."""
    size = draw.choice([1, 10, exam.bits - 2])
    a, b = draw.randint(1, 2**size), draw.choice([0, 0, draw.randint(-(2**size), 2**size)])
    sign, way = draw.choice([1, 1, -1]) if b else 1, draw.choice([-1, 1])
    z = check.Disk(exam, sign * a, b, way * far, draw.choice([0, 0, a // 9]))
    across, along = draw.choice(RIMS)
    unit = mpmath.mpf(2) ** z.e
    return z, mpmath.mpc((z.a + across * z.c) * unit, (z.b + along * z.c) * unit)


def holds(z, x, turns=0):
    """Whether a number lies in a disk, or as many full turns away; with two thousand digits."""
    unit = mpmath.mpf(2) ** z.e
    off = x - mpmath.mpc(z.a * unit, z.b * unit)
    off -= turns * 2j * mpmath.pi * mpmath.nint(off.imag / (2 * mpmath.pi))
    return abs(off) <= z.c * unit * (1 + mpmath.mpf(2) ** -3000) + mpmath.mpf(2) ** -3000 * abs(x)


@pytest.mark.parametrize("bits", [64, 192])
@pytest.mark.parametrize("name", FUNCTIONS)
@pytest.mark.soak
def test_a_disk_holds_the_truth_over_the_whole_range(name, bits):
    exam, draw = check.Exam(bits), random.Random(name)
    ours, theirs = FUNCTIONS[name]
    found = 0
    with mpmath.workprec(6000):
        for far in FAR * (2 if name == "logarithm" else 4):
            x, u = drawn(exam, draw, far)
            y, v = drawn(exam, draw, draw.choice(FAR) if name == "product" else far)
            if name in ("logarithm", "inverse") and (x.a * x.a + x.b * x.b) < 9 * x.c * x.c:
                continue
            try:
                shown = ours(x, y)
            except check.Unproven:
                continue
            found += 1
            assert holds(shown, theirs(u, v), turns=name == "logarithm"), (x.a, x.b, x.e, x.c)
    assert found > len(FAR)


@pytest.mark.parametrize("bits", [64, 192, 640])
@pytest.mark.soak
def test_an_exponential_holds_the_truth_over_the_whole_range(bits):
    exam, draw = check.Exam(bits), random.Random(bits)
    with mpmath.workprec(6000):
        for far in [*range(-300, 86, 16), 20, 21, 22, 23]:
            a, b = (draw.randint(-(2**60), 2**60) for _ in range(2))
            z = check.Disk(exam, a, draw.choice([0, b]), far - 60, draw.choice([0, 1, 2**30 if far < 20 else 0]))
            for across, along in RIMS:
                unit = mpmath.mpf(2) ** z.e
                assert holds(
                    check.exp(z), mpmath.exp(mpmath.mpc((z.a + across * z.c) * unit, (z.b + along * z.c) * unit))
                )


@pytest.mark.parametrize("far", [0, 1, 63, 700, 9000, 60_000, 200_000])
def test_a_rational_lies_in_its_disk_over_the_whole_range(far):
    exam, draw = check.Exam(64), random.Random(far)
    with mpmath.workprec(6000):
        for x in (Fraction(draw.randint(1, 2**70) << far, 3), Fraction(3, draw.randint(1, 2**70) << far)):
            truth = mpmath.mpf(x.numerator) / x.denominator
            assert holds(exam.disk(x), truth)
            assert holds(exam.disk(-x), -truth)
            if x < 1:
                assert holds(check.geometric(exam.disk(x)), truth / (1 - truth))


@pytest.mark.parametrize("far", [0, 1, 63, 700, 9000, 60_000])
def test_ends_lie_around_what_is_in_a_disk(far):
    exam, draw = check.Exam(64), random.Random(far)
    for x in (Fraction(draw.randint(1, 2**70) << far, 3), Fraction(3, draw.randint(1, 2**70) << far)):
        low, high = exam.disk(x).ends()
        assert low <= x <= high
        low, high = check.extent({(0, 0): exam.disk(x), (1, 0): exam.disk(x / 5), (2, 0): exam.disk(-x)})
        assert low <= x - x / 5 - x  # at -1
        assert x + x / 100 <= high  # at 1/10


def test_half_a_turn_is_the_one_next_to_three():
    for bits in (64, 65, 100, 128, 192, 320, 640, 1280, 5000):
        exam = check.Exam(bits)
        with mpmath.workprec(6000):
            assert holds(check.log(check.Disk(exam, -1), check.Disk(exam, 0, 3)), mpmath.mpc(0, mpmath.pi))


# --- what would keep the checker busy -------------------------------------------------------------------------------

ROUND = {"n": 10, "q": "1/4", "k": 1}
CIRCLE = {"from": 0, "to": 9, "by": "circle", "t": 5, "r": "1/2", "left": "1/4", "right": "3/4", "points": 9, "kept": 5}
WHOLE = [{"from": 0, "to": 9, "by": "ratio"}]


def single(blocks, bits=64, **question):
    asked = {"what": "delta", **ROUND, "lam": 2, **question}
    answer = {"lower": 0, "upper": "1/9"}
    return {"schema": check.SCHEMA, "question": asked, "answer": answer, "bits": bits, "blocks": blocks}


def several(knots, window=10, grid="11/10", bits=64, **kind):
    asked = {"what": "delta", "lam": 2, "rounds": [{**ROUND, **kind}]}
    file = {"schema": check.SCHEMA, "question": asked, "answer": {"upper": "1/9"}, "bits": bits}
    return {**file, "grid": grid, "window": window, "rounds": [{"knots": knots}]}


def long(bits, up=0):
    """A rational in lowest terms with two parts of about so many bits, near 2^up."""
    return f"{3 ** (bits * 631 // 1000):#x}/{2 ** (bits - up):#x}"


def noise(weights, sensitivity):
    return {"noise": {"weights": weights}, "sensitivity": sensitivity}


def people(inputs, number, **more):
    return {**single([]), "question": {"what": "delta", "lam": "3/2", "inputs": inputs, "people": number, **more}}


def summed(parts, bits=64):
    return {**single([], bits), "question": {"what": "delta", "lam": 2, "noise": {"sum": parts}, "sensitivity": 1}}


def on_long_circles():
    file = json.loads(made("circle"))
    for block in file["blocks"]:
        block |= {"points": 400_001, "kept": 200_001}
    return file


def of(question):
    return {**single([]), "question": {"what": "delta", **question}}


PERSON = {"n": 1, "a": "1/2", "b": "1/3", "k": 1}
BUSY = {
    "a wide window, often": lambda: several(
        [{"step": 40, "blocks": WHOLE}], 142_857, times=10**9, categories=10**15, neighbours="delete", ones=10**15
    ),
    "steps far out on a long grid": lambda: several(
        [{"step": 9999 - i, "blocks": WHOLE} for i in range(1000)], grid=f"{2**64 - 1}/{2**63 + 1}"
    ),
    "a long grid, few steps": lambda: several(
        [{"step": 9999 - i, "blocks": WHOLE} for i in range(60)], grid=f"{2**63 + 2**54}/{2**63}"
    ),
    "circles of many bits": lambda: single([{**CIRCLE, "points": 20_001, "kept": 10_001}], bits=20_000),
    "blocks by long circles": on_long_circles,
    "a long envelope": lambda: single(
        [{**CIRCLE, "by": "envelope", "points": 20_001, "kept": 9000, "pieces": 50, "order": 40, "wide": 1}]
    ),
    "many blocks summed up": lambda: single(
        [{"from": i, "to": i, "by": "sum", "t": 2000} for i in range(5000)], n=5000, q=f"{2**60 + 1}/{2**63}"
    ),
    "one long sum": lambda: single([{"from": 0, "to": 0, "by": "sum", "t": 10**5}], n=10**6, q=f"{2**13 + 1}/{2**15}"),
    "one sum of long numbers": lambda: single([{"from": 0, "to": 0, "by": "sum", "t": 0}], n=10**9),
    "long ratios": lambda: single(
        [{"from": i, "to": i, "by": "ratio"} for i in range(10**4)], n=10**4, lam=long(500_000, 40_000), k=20_000
    ),
    "long radii": lambda: single([{**CIRCLE, "r": long(10**6), "left": long(900_000), "right": long(950_000)}] * 9),
    "a long file": lambda: single([{**CIRCLE, "from": i} for i in range(100_000)]),
    "many kinds of rounds": lambda: {
        **several([]),
        "question": {"what": "delta", "lam": 2, "rounds": [ROUND] * 200_000},
        "answer": {"upper": 1},
    },
    "every change of long noise": lambda: of({"lam": 2, **noise([1] * 9999, 400)}),
    "long binomial noise": lambda: of({"lam": 2, "sensitivity": 1, "noise": {"chance": "123/1000", "trials": 9999}}),
    "many people": lambda: of({"lam": 2, "groups": [{**PERSON, "n": 9999}]}),
    "an epsilon of many people": lambda: of({"what": "epsilon", "delta": "1/2", "groups": [{**PERSON, "n": 300}]}),
    "many rounds that hold": lambda: {
        **several([{"step": 40, "blocks": WHOLE}], 20_000),
        "question": {"what": "most_rounds", "lam": 2, "delta": "1/2", "rounds": [ROUND]},
        "answer": {"lower": 10**9},
    },
    "many groups": lambda: of({"lam": 2, "groups": [PERSON] * 20}),
    "a fleet at a long lambda": lambda: of({"lam": long(500_000, 3), "groups": [{**PERSON, "n": 30}]}),
    "people with long chances": lambda: of({"lam": 2, "groups": [{**PERSON, "a": long(400_000, -1), "n": 2}]}),
    "a histogram of many people": lambda: of({"lam": 2, "groups": [{**PERSON, "n": 300}], "categories": 3}),
    "a shuffle of many people": lambda: people([["1/2", "1/3", "1/6"], ["1/6", "1/3", "1/2"], [0, 0, 1]], 300),
    "many inputs": lambda: people([[f"{i}/99", f"{99 - i}/99"] for i in range(100)], 20),
    "a sum of many noises": lambda: summed([{"square": 400}] * 1000),
    "a sum of noise of long numbers": lambda: summed([{"chance": "123/1000", "trials": 999}] * 9),
    "noise that rises to long numbers": lambda: summed([{"mean": 9999}, {"mean": 9999, "minus": 1}], bits=20_000),
    "wide areas": lambda: summed([{"square": 10**6, "rounded": 1}]),
    "areas of many bits": lambda: summed([{"square": 100, "rounded": 1}], bits=20_000),
    "many knots": lambda: several([{"step": i, "blocks": WHOLE} for i in range(1001)]),
    "a number of too many digits": lambda: single([], q=f"{3**700_000:#x}/{2**1_200_000:#x}"),
}


@pytest.mark.parametrize("name", BUSY)
def test_what_would_keep_the_checker_busy_is_refused(name):
    """The same meter, with a fiftieth of the work."""
    accepted, said = check.examined(json.dumps(BUSY[name]()).encode(), work=check.WORK // 50)
    assert not accepted
    assert said in [f"Not proven: {words}" for words in (
        "too much to be looked at", "the file is too long", "q is too long"
    )]  # fmt: skip


RATIO = {"from": 0, "to": 0, "by": "ratio"}
SUM = {"from": 0, "to": 0, "by": "sum", "t": 0}
ALONE = {"n": 1, "q": "1/4", "k": 1}
RARE = {"n": 1, "q": f"1/{10**60}", "k": 1}  # delta is nearly 1: no finite loss has a mass


def kinds(kind, block, step, window=1, number=50):
    asked = {"what": "delta", "lam": 1, "rounds": [kind] * number}
    file = {"schema": check.SCHEMA, "question": asked, "answer": {"upper": "9/10"}, "bits": 64, "grid": 3}
    return {**file, "window": window, "rounds": [{"knots": [{"step": step, "blocks": [block]}]}] * number}


def one_envelope(**more):
    return single([{**CIRCLE, "by": "envelope", "t": 0, "points": 41, "kept": 4, "wide": 1, **more}])


SMALL = {
    "kinds of rounds": lambda: kinds(ALONE, RATIO, 1),
    "kinds of rounds without masses": lambda: kinds(RARE, SUM, 9, window=100),
    "kinds of rounds with wide windows without masses": lambda: kinds(RARE, SUM, 20, window=1000),
    "kinds of histograms in which nothing changes": lambda: kinds(
        {**ALONE, "categories": 2, "ones": 2, "neighbours": "replace"}, RATIO, 1
    ),
    "knots": lambda: several([{"step": 1, "blocks": [RATIO]}] * 200, grid=3, window=1, n=1),
    "ratios": lambda: single([{"from": i, "to": i, "by": "ratio"} for i in range(200)], n=200, lam=3),
    "sums": lambda: summed_document(30, Fraction(1, 4), 1, Fraction(2), 0, "9/10"),
    "noise": lambda: {**single([]), "question": {"what": "delta", "lam": 2, **noise([1] * 60, 9)}},
    "groups": lambda: {**single([]), "question": {"what": "delta", "lam": 2, "groups": [PERSON] * 6}},
    "groups of one": lambda: {**single([]), "question": {"what": "delta", "lam": 2, "groups": [{**PERSON, "n": 30}]}},
    "dummies": lambda: {
        **single([]),
        "question": {"what": "delta", "lam": 2, "groups": [PERSON], "dummies": [{"count": 1, "chance": "1/2"}] * 60},
    },
    "people": lambda: people([["1/2", "1/2"], ["1/3", "2/3"], [0, 1]], 9),
    "two counts": lambda: {
        **single([]),
        "question": {"what": "delta", "lam": 2, "groups": [{**PERSON, "n": 9}], "categories": 3},
    },
    "a sum of small noises": lambda: summed([{"mean": "1/3"}, {"ratio": "1/9"}, {"chance": "1/2", "trials": 1}] * 9),
    "an area": lambda: summed([{"square": 3, "rounded": 1}]),
    "a high order": lambda: one_envelope(order=40, pieces=2),
    "a high order on whole numbers": lambda: one_envelope(order=40, pieces=9, wide=0),
}


def charged(data):
    """What is said of a file, and how much work is charged for it."""
    exams = []

    class Kept(check.Exam):
        def __init__(self, **known):
            super().__init__(**known)
            exams.append(self)

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(check, "Exam", Kept)
        _, said = check.examined(data)
    return said, exams[0].spent


def instructions(file):
    """How many instructions of Python it takes to check a file, for every step that is charged."""
    found = 0

    def traced(frame, event, _):
        nonlocal found
        frame.f_trace_opcodes = True
        found += event == "opcode"
        return traced

    before, data = sys.gettrace(), json.dumps(file).encode()
    sys.settrace(traced)
    try:
        check.examined(data)
    finally:
        sys.settrace(before)
    return found * check.STEP / charged(data)[1]


@pytest.mark.parametrize("name", SMALL)
@pytest.mark.soak
def test_small_things_are_charged_as_products_are(name):
    assert instructions(SMALL[name]()) < 1.1 * instructions(one_envelope(by="circle", wide=0, pieces=50))


def test_two_fades_with_far_exponents_are_charged_before_they_are_compared():
    file = single([{**CIRCLE, "points": 99, "kept": 5}], q=f"0x1/{2**900_000:#x}", lam=2)
    said, spent = charged(json.dumps(file).encode())
    assert "too much" not in said
    assert spent > 4 * 900_000**2
    refused = check.examined(json.dumps(file).encode(), work=spent - 900_000**2)
    assert refused == (False, "Not proven: too much to be looked at")


def test_the_common_divisors_of_a_long_flip_probability_are_charged():
    asked = {"what": "local_q", "n": 1, "k": 1, "bits": 1, "sigmas": 3, "sides": 1, "lam": 2}
    q = f"{3**30_000:#x}/{2**50_000:#x}"
    file = {"schema": check.SCHEMA, "question": asked, "answer": {"lower": q, "upper": q}, "bits": 64}
    said, spent = charged(json.dumps(file).encode())
    assert "hold at the upper end" in said
    assert spent > 2 * (2 * 50_000 * 47_500) + 2 * 97_000**2  # both ends are read, and looked at


def test_a_sum_is_charged_by_the_numbers_that_are_looked_at():
    """Where few ones are reported most numbers of their law are not looked at."""
    spent = []
    for t in (10, 1900):
        law = check.Law(check.Exam(), 2000, Fraction(1, 20), 1, Fraction(2), Fraction(2), [])
        check.summed(law, law.least, 1000, 999, t)
        spent.append(law.exam.spent)
    assert spent[1] > 4 * spent[0]
    assert spent[1] > 2 * 1900 * 2000 * (20**2).bit_length() * 5  # of each law, so many numbers of so many bits


def test_of_many_unknown_entries_one_is_named():
    file = {**single([]), **{f"a{i}": 0 for i in range(10_000)}}
    assert check.examined(json.dumps(file).encode()) == (False, "Not proven: unknown entry: a0")


def test_a_file_is_charged_before_it_is_read():
    refused = check.examined(b"[" + b"[]," * 10**6 + b"1]", work=10**11)
    assert refused == (False, "Not proven: too much to be looked at")


# --- what is said ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "words"),
    [
        (
            "sum",
            "the least delta is at most 9/64 for every dataset of which one record's value changes, in both directions "
            "(1.3 to 1.5, 2.3, 3, 4), at least 9/64 for one of them.",
        ),
        ("one", "for every dataset with so many ones among the other records of which one record's value changes"),
        ("least n", "n = 10 holds for every dataset of which one record's value changes"),
        ("least n", "n = 9 fails for one of them; delta falls in n: 2.3"),
        ("most k", "k = 7 fails for one of them; nothing is said of other k"),
        ("most rounds", "times = 1 holds for every dataset in every round, chosen adaptively or not, of which one"),
        ("local epsilon", "epsilon = 1.09861228866810 fails for one of them"),
        ("local q", "q = 0.260286611775991 holds and q = 0.260286611775990 fails for the closed local bound; the"),
    ],
)
def test_it_is_said_for_whom_and_how_each_end_is_proven(name, words):
    assert words in verdict(json.loads(made(name)))[1]


def test_a_long_whole_end_is_said_as_it_is_written():
    file = json.loads(made("one"))
    file["answer"]["upper"] = f"{7**6000:#x}"
    accepted, said = verdict(file)
    assert accepted, said
    assert f"the least delta is at most {7**6000:#x}/0x1 for every dataset" in said


# --- at the command line --------------------------------------------------------------------------------------------


@pytest.fixture
def files(tmp_path):
    good, forged = tmp_path / "good.json", tmp_path / "forged.json"
    good.write_text(made("sum"), encoding="utf-8")
    forged.write_text(made("sum").replace('"m": 0', '"m": 1'), encoding="utf-8")
    return [str(good), str(forged)]


def run(*paths, **options):
    return subprocess.run(
        [sys.executable, "-I", "-S", str(CHECKER), *paths], stderr=subprocess.PIPE, text=True, check=False, **options
    )


def test_every_file_is_checked(files):
    good, forged = files
    done = run(good, forged, "/nowhere", stdout=subprocess.PIPE)
    lines = done.stdout.splitlines()
    assert (done.returncode, done.stderr, len(lines)) == (1, "", 3)
    assert lines[0].startswith(f'{good}: Proven: {{"n": 3, ')
    assert lines[1].startswith(f"{forged}: Not proven: ")
    assert lines[2] == "/nowhere: Nothing to check: /nowhere cannot be read: No such file or directory"
    assert run(good, good, stdout=subprocess.PIPE).returncode == 0
    assert run(forged, good, stdout=subprocess.PIPE).returncode == 1
    for asked in ((), ("--help",)):
        none = run(*asked, stdout=subprocess.PIPE)
        assert (none.returncode, none.stderr) == (1, "")
        assert none.stdout == "Nothing to check, give the path of a certificate, or several.\n"
    assert "it is no JSON" in run(CHECKER, stdout=subprocess.PIPE).stdout
    assert check.examined(b"{\x00\xff")[1].startswith("Not proven: the file is no certificate, as it is no JSON: ")


def test_what_cannot_be_written_is_said_in_one_line(files):
    with open("/dev/full", "wb") as full:
        done = run(files[0], stdout=full)
    assert (done.returncode, done.stderr.count("\n")) == (74, 1)
    assert "Traceback" not in done.stderr
    reading, writing = os.pipe()
    os.close(reading)
    done = run(files[0], stdout=writing)
    os.close(writing)
    assert (done.returncode, done.stderr) == (141, "")


def test_an_interrupt_ends_it_quietly(tmp_path):
    waiting = tmp_path / "waiting"
    os.mkfifo(waiting)
    before = signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's job in the background ignores it
    with subprocess.Popen(
        [sys.executable, "-I", "-S", str(CHECKER), str(waiting)], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as started:
        signal.signal(signal.SIGINT, before)
        with open(waiting, "wb"):  # returns once the checker reads
            started.send_signal(signal.SIGINT)
            out, err = started.communicate(timeout=60)
    assert (started.returncode, out, err) == (130, b"", b"")


def test_an_endless_file_is_not_read_to_its_end():
    done = run("/dev/zero", stdout=subprocess.PIPE)
    assert (done.returncode, done.stdout) == (1, "Not proven: the file is too long\n")


# --- odd documents --------------------------------------------------------------------------------------------------

GOOD = '{"schema": "dpcalc certificate 1", "bits": 64, "answer": {"lower": 0, "upper": 0}, "question": %s, '
GOOD += '"blocks": [{"from": 0, "to": 9, "by": "ratio"}]}'
ASKED = '{"what": "delta", "n": 10, "k": 1, "lam": 3, "q": %s}'


def test_the_document_that_the_odd_ones_are_made_of_is_accepted():
    assert check.examined((GOOD % ASKED % '"1/4"').encode())[0]


@pytest.mark.parametrize(
    "q",
    [
        "NaN", "Infinity", "-Infinity", "0.25", "25e-2", "true", "null", "[]", "{}", '["1/4"]', '{"": "1/4"}', '""',
        '"1/4/1"', '"/4"', '"1/"', '"+1/4"', '" 1/4"', '"1/4\\n"', '"1/ 4"', '"1_0/4_0"', '"0X1/4"', '"0x/4"',
        '"1e0/4"', '".25"', '"0.25"', '"NaN"', '"\\u0661/\\u0664"', '"\\uff11/4"', '"\\u00bd"', '"1\\u20444"', '"1/-4"',
        '"--1/4"', '"0xG/4"', '"1/0"', '"-0"', '"-1/4"', '"2/4"', "0", "1", "-0", "1" * 5000, f'"{"1" * 5000}"',
        '"1/4", "q": "1/4"', '"1/4", "\\u0071": "1/5"', '"1/4", "Q": "1/5"', '"1/4", "": 0', '"1/4", "ones": true',
        '"1/4", "ones": []', '"1/4", "ones": -1', '"1/4", "ones": 10', '"1/4", "epsilon": "1/2"', '"1/4", "times": 1',
        '"1/4", "neighbours": "delete"', '"1/4", "rounds": []', '"1/4", "rounds": [{}]', "[" * 10**5,
    ],
)  # fmt: skip
def test_odd_values_are_refused(q):
    accepted, said = check.examined((GOOD % ASKED % q).encode())
    assert not accepted
    assert said.startswith("Not proven: ")
    assert len(said) < 300
