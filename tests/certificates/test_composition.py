"""Certificates of rounds and histograms: their promises are kept, and the checker composes as the definition says."""

import random
from decimal import ROUND_CEILING
from fractions import Fraction
from functools import cache
from itertools import pairwise, product
from math import ceil, prod

import mpmath
import pytest

import dpcalc as dp
from dpcalc import check
from dpcalc.errors import DomainError, DpcalcError, Undecided
from tests.certificates.broken import without
from tests.oracles.certificates import promised
from tests.oracles.scan import deltas
from tests.strategies import seeds

SHORT = Fraction(1, 2**40)  # a bound is at most so much above what it is of


# --- promises -------------------------------------------------------------------------------------------------------


def question(seed):
    """A question about a few rounds of a few records, so that every strategy can be tried."""
    draw = random.Random(seed)
    q, lam = Fraction(draw.randint(10, 45), 100), 1 + Fraction(draw.randint(1, 200), 100)
    limit = draw.choice([{"lam": lam}, {"epsilon": lam - 1}])
    target = Fraction(draw.randint(1, 30), 200)
    n, k = draw.randint(1, 3), draw.choice([1, 1, 2])
    day = dp.KRandomization(n=n, q=q, k=k)
    week = draw.choice(
        [
            dp.Rounds([(day, 2)]),
            dp.Rounds([day, dp.KRandomization(n=4 - n, q=q / 2)], adaptive=draw.choice([True, False])),
            dp.UnaryEncoding(n=n, categories=3, q=q),
            dp.UnaryEncoding(n=n, categories=4, q=q, ones=2, neighbours="delete"),
        ]
    )
    return draw.choice(
        [
            (dp.delta, (week,), limit),
            (dp.epsilon, (week,), {"delta": target}),
            (dp.least_q, (), {"n": n, "rounds": 2, "delta": target, **limit}),
            (dp.least_n, (), {"q": 2 * q / 3 + Fraction(1, 6), "categories": 3, "delta": target, **limit}),
            (dp.most_rounds, (day,), {"delta": target, **limit}),
        ]
    )


def kept(seed):
    """The kind of a random certificate, if there is one."""
    asked, arguments, options = question(seed)
    try:
        made = dp.certificate(asked, *arguments, **options)
    except DpcalcError:
        return None
    accepted, said = check.examined(made.text.encode())
    assert accepted, said
    given, end = made.document["question"], made.lower if made.upper is None else made.upper
    safe = made.answer.lower if made.upper is None else made.answer.upper
    assert 0.5 * safe <= end <= 2 * safe
    sizes = [(int(kind.get("n", end)) + 1) * int(kind["k"]) for kind in given["rounds"]]
    if max(sizes) <= 8 and (given["what"] != "most_rounds" or end <= 2):
        assert promised(given, end)
    return given["what"]


@pytest.mark.parametrize("seed", seeds(12, 300))
def test_a_random_promise_is_kept(seed):
    kept(seed)


def test_the_end_that_is_shown_is_near_the_answer():
    made = dp.certificate(dp.delta, dp.Rounds([(dp.KRandomization(n=30, q="1/10"), 3)]), epsilon=2)
    assert made.lower is None
    assert made.upper <= made.answer.upper * Fraction(110, 100)  # one pair above all datasets, not range by range
    assert made.widened
    accepted, said = check.examined(made.text.encode())
    assert accepted
    assert said == (
        'Proven: {"rounds": [{"n": 30, "q": "1/10", "k": 1, "times": 3}], "epsilon": "2"}: the least delta is at most '
        f"{check.shown(made.upper, ROUND_CEILING)} for every dataset {check.ROUNDS}."
    )


def test_rounds_of_a_deleted_histogram_of_asymmetric_bits_have_a_certificate():
    """Of its one count, which shows at least as much: there each round's record may change either way."""
    bits = {"n": 5, "chances": ("4/5", "11/20")}
    histogram = dp.AsymmetricBits(**bits, categories=2, neighbours="delete")
    rounds = [dp.Rounds([(one, 2)]) for one in (histogram, dp.Fleet([dp.Group(**bits)]))]
    found = dp.certificate(dp.delta, rounds[0], lam=2)
    less, more = (dp.delta(one, lam=2).value for one in rounds)
    assert less < more <= found.upper <= more * Fraction(5, 4)
    assert check.examined(found.text.encode())[0]


def test_an_epsilon_of_0_is_shown():
    made = dp.certificate(dp.epsilon, dp.Rounds([(dp.KRandomization(n=3, q="9/20"), 2)]), delta="1/2")
    assert (made.lower, made.upper) == (None, 0)
    assert check.examined(made.text.encode())[1].count("epsilon = 0 holds") == 1


@pytest.mark.soak
def test_what_is_too_much_or_nothing_is_refused():
    day = dp.KRandomization(n=10, q="1/4")
    for refused, words in (
        (lambda: dp.certificate(dp.delta, dp.Rounds([(day, 2)]), lam=9), "delta is 0"),
        (lambda: dp.certificate(dp.epsilon, dp.Rounds([(day, 2)]), delta=0), "delta is 0"),
        (lambda: dp.certificate(dp.delta, dp.Rounds([(day, 10**6)]), lam=2), "too long to be checked"),
    ):
        with pytest.raises(Undecided, match=words):
            refused()
    with pytest.raises(DomainError, match="ones = 1"):
        dp.certificate(dp.delta, dp.Rounds([(day, 2)]), lam=2, ones=1)


def test_where_every_q_that_is_tried_is_beyond_a_half_there_is_no_certificate():
    with pytest.raises(Undecided, match="nothing near the answer"):
        dp.certificate(dp.least_q, n=100, rounds=2, lam=1, delta="1e-6")


def test_losses_next_to_0_are_told_apart_before_they_are_refused():
    faint, found = dp.UnaryEncoding(n=100, categories=3, q=Fraction(1, 2) - Fraction(1, 10**30)), Fraction(9, 10**33)
    with pytest.raises(Undecided, match="losses so near to 0 have none"):
        dp.certificate(dp.delta, faint, epsilon="1e-30", answer=dp.Enclosure(Fraction(0), found))


def test_what_would_take_the_checker_too_long_is_refused_after_a_few_bounds(monkeypatch):
    monkeypatch.setattr(check, "WORK", 3 * 10**10)
    shares = []
    with pytest.raises(Undecided, match="categories at n = 300 would take too long to be checked; one of a single bit"):
        dp.certificate(dp.delta, dp.UnaryEncoding(n=300, categories=4, q="1/10"), epsilon="1/2", progress=shares.append)
    assert 2 < len(shares) < 30
    assert shares[-1] < 1 / 2


def test_how_much_of_a_certificate_is_found_is_told():
    shares, days = [], dp.Rounds([(dp.KRandomization(n=9, q="1/4"), 2), dp.KRandomization(n=5, q="1/3")])
    dp.certificate(dp.delta, days, lam=2, progress=shares.append)
    assert shares == sorted(shares)
    assert (shares[0], shares[-1]) == (0, 1)
    assert len(shares) > 15


# --- the checker's composition, by its definition -------------------------------------------------------------------


def pair(points, g):
    """Masses (P, Q) by their loss, and P mass of an infinite one, of the pair whose profile is the polygon."""
    corners = {step: (g**step, value) for step, value in points.items()}
    corners |= {-step: (1 / g**step, 1 - (1 - value) / g**step) for step, value in points.items()}
    steps = sorted(corners)
    line = [(Fraction(0), Fraction(1)), *(corners[step] for step in steps), (g ** (steps[-1] + 1), points[steps[-1]])]
    slopes = [(b[1] - a[1]) / (b[0] - a[0]) for a, b in pairwise(line)]
    assert slopes == sorted(slopes)
    masses = {step: after - before for step, (before, after) in zip(steps, pairwise(slopes), strict=True)}
    return masses, points[steps[-1]]


def composed(pairs, g, lam, window):
    """sum [P - lambda Q]_+ over all tuples of losses; up to two pairs may leave the window."""
    total = 1 - prod(1 - beyond for _, beyond in pairs)
    for chosen in product(*(losses.items() for losses, _ in pairs)):
        loss, likely = sum(loss for loss, _ in chosen), Fraction(1)
        for one, mass in chosen:
            likely *= g**one * mass
        loss = max(loss, -window)
        total += likely * (1 if loss > window else max(0, 1 - lam / g**loss))
    return total


@cache
def case(seed):
    """A question with a witness that is as sharp as can be, and the bound that it shows."""
    draw = random.Random(seed)
    g = draw.choice([Fraction(3, 2), Fraction(11, 7), Fraction(5, 4)])
    kinds, witnesses, pairs = [], [], []
    for _ in range(draw.choice([1, 2])):
        n, k, q = draw.randint(1, 4), draw.choice([1, 2]), Fraction(draw.randint(5, 45), 100)
        steps = sorted({0, *(draw.randint(1, 6) for _ in range(3))} if draw.random() < 0.8 else {2, 4})
        knots, points = [], {}
        for step in steps:
            law = check.Law(check.Exam(), n, q, k, g**step, g**step, [])
            blocks = []
            for m in range(n):
                signs = [check.summed(law, g**step, m, n - 1 - m, t)[1] > 0 for t in range(k * n + 1)]
                last = max((t for t, up in enumerate(signs) if up), default=0)
                blocks.append({"from": m, "to": m, "by": "sum", "t": last})
            if (1 / q - 1) ** k <= g**step:
                blocks = [{"from": 0, "to": n - 1, "by": "ratio"}]
            points[step] = max(deltas(n, q, k, g**step))
            knots.append({"step": step, "blocks": blocks[: (n + 1) // 2] if step == 0 else blocks})
        while flat := [step for step, mass in pair(points, g)[0].items() if step >= 0 and mass < SHORT]:
            del points[flat[-1]]  # corners on a line: rounded up, one of them would be above it
        knots = [knot for knot in knots if knot["step"] in points]
        times = 2 if draw.random() < 0.5 else 1
        histogram = {"categories": 3, "ones": 1, "neighbours": draw.choice(["replace", "delete"])}
        kind = {"n": n, "q": str(q), "k": k, "times": times} | draw.choice([{}, histogram])
        changed = 2 if kind.get("neighbours") == "replace" else 1
        kinds.append(kind)
        witnesses.append({"knots": knots})
        pairs += [pair(points, g)] * (times * changed)
    epsilon = draw.choice([None, Fraction(draw.randint(1, 20), 10)])
    lam = 1 + Fraction(draw.randint(0, 20), 10)
    if epsilon is not None:
        with mpmath.workdps(60):
            lam = Fraction(str(mpmath.exp(mpmath.mpf(epsilon.numerator) / epsilon.denominator)))
    window = draw.choice([1, 2, 5]) if len(pairs) == 2 and len(kinds) == 1 else 50
    asked = {"what": "delta", "rounds": kinds} | ({"lam": str(lam)} if epsilon is None else {"epsilon": str(epsilon)})
    file = {"grid": str(g), "window": window, "rounds": witnesses}
    return asked, file, composed(pairs, g, lam, window)


def loose(checker):
    """Whether some bound is below what it is of, or well above it."""
    for bits, seed in product((64, 128), range(40)):
        exam, (asked, file, exact) = checker.Exam(bits), case(seed)
        try:
            found = checker.bounded(checker.Entries(exam, asked), checker.Entries(exam, file))
        except (checker.Unproven, ArithmeticError, ValueError):
            return True
        if not exact <= found <= exact * (1 + SHORT) + SHORT:
            return True
    return False


@pytest.mark.parametrize("seed", range(30))
def test_the_pair_of_any_bounds_has_their_hull_as_its_profile(seed):
    draw = random.Random(seed)
    g = Fraction(draw.randint(11, 30), 10)
    points = {step: Fraction(draw.randint(0, 64), 64) for step in draw.sample(range(6), draw.randint(1, 6))}
    found, unit = check.chords(check.Exam(64), points, g, 9), 1 << 64
    assert min(found.masses) >= 0
    corners = [(Fraction(0), Fraction(1)), *((g**step, y) for step, y in points.items())]
    corners += [(1 / g**step, 1 - (1 - y) / g**step) for step, y in points.items()]
    for x, y in corners:
        below = [(u, v) for u, v in corners if u <= x]
        chords = [
            v + (w - v) * (x - u) / (t - u) for (u, v), (t, w) in product(below, corners) if u <= x <= t and u < t
        ]
        hull = min([y, *chords, *(v for _, v in below)])
        profile = found.beyond + sum(a * max(0, 1 - x / g**i) for i, a in enumerate(found.masses, found.first))
        assert hull * unit <= profile < hull * unit + 14


def losses(checker, exam, draw, window):
    """Some, in units of 1/256; now and then as large as can be."""
    masses = [draw.choice([0, 1, 255, draw.randint(0, 255)]) for _ in range(draw.randint(1, 12))]
    if draw.random() < 0.3:
        masses = [127] * 17
    return checker.Losses(exam, window, -draw.randint(0, 7), masses, draw.randint(0, 255))


def careless(checker):
    """Whether a product, or a sum, of few bits is below its value or more than what is rounded up above it."""
    exam, draw = checker.Exam(8), random.Random(1)
    for _ in range(300):
        window, g, lam = draw.randint(7, 20), Fraction(draw.randint(11, 30), 10), Fraction(draw.randint(10, 40), 10)
        x, y = (losses(checker, exam, draw, window) for _ in range(2))
        try:
            found, delta = x * y, x.delta(g, lam)
        except OverflowError:
            return True
        truth = dict.fromkeys(range(-window, window + 1), Fraction(0))
        beyond = Fraction(x.beyond * (sum(y.masses) + y.beyond) + sum(x.masses) * y.beyond, 256)
        for (i, a), (j, b) in product(enumerate(x.masses, x.first), enumerate(y.masses, y.first)):
            if i + j > window:
                beyond += Fraction(a * b, 256)
            else:
                truth[max(i + j, -window)] += Fraction(a * b, 256)
        shown = truth | {-window: 0} | dict(enumerate(found.masses, found.first))
        if not all(truth[i] <= shown[i] < truth[i] + 30 for i in truth) or not beyond <= found.beyond < beyond + 30:
            return True
        exact = x.beyond + sum(a * max(0, 1 - lam / g**i) for i, a in enumerate(x.masses, x.first))
        if not exact <= delta * 256 <= exact + sum(x.masses) * 2 * lam * 12 / 256:
            return True
    for step in range(1, 9):
        g, points = Fraction(draw.randint(11, 30), 10), {step: Fraction(draw.randint(100, 900), 1000)}
        exact, beyond = pair(points, g)
        found = checker.chords(exam, points, g, 9)
        shown = dict(enumerate(found.masses, found.first))
        if {i: ceil(g**i * mass * 256) for i, mass in exact.items()} != {i: shown[i] for i in exact}:
            return True
        if found.beyond != ceil(beyond * 256):
            return True
    return False


@pytest.mark.soak
def test_bounds_are_those_of_the_definition():
    assert not loose(check)
    assert not careless(check)


#: Steps of the composition: the source without them.
STEPS = {
    "products rounded up": ("return -(-x >> bits)", "return x >> bits"),
    "masses rounded up": ("masses[step] = ceil(", "masses[step] = floor("),
    "the last bound rounded up": ("ceil(kept[-1][2] * unit)", "floor(kept[-1][2] * unit)"),
    "bounds rounded up": ("Fraction(min(ceil(value", "Fraction(min(floor(value"),
    "lambda rounded down": ("floor(g**step * 2**64)", "ceil(g**step * 2**64)"),
    "the limit rounded down": ("total.delta(g, limit(asked)[0])", "total.delta(g, limit(asked)[1])"),
    "powers of g rounded down": ("least * g.denominator // g.numerator", "-(-least * g.denominator // g.numerator)"),
    "Q rounded down": ("lam.numerator * least // lam.denominator", "-(-lam.numerator * least // lam.denominator)"),
    "infinite losses of the first": ("self.beyond * (sum(y.masses) + y.beyond)", "self.beyond * y.beyond"),
    "infinite losses of the second": (" + sum(self.masses) * y.beyond", ""),
    "infinite losses of both": ("(sum(y.masses) + y.beyond)", "sum(y.masses)"),
    "losses above the window": (" + sum(found[end:])", ""),
    "losses below the window": ("[sum(found[: low + 1]), ", "[found[low], "),
    "the window's end": ("self.window + 1 - first", "self.window - first"),
    "no loss below lambda": ("max(0, unit - ", "(unit - "),
    "infinite losses at last": ("total = self.beyond * unit", "total = 0"),
    "the other direction": ("1 - (1 - value) / g**step", "value / g**step"),
    "the chord from 0": (
        "kept, slopes = [(0, Fraction(0), Fraction(1))]",
        "kept, slopes = [(0, Fraction(-1), Fraction(1))]",
    ),
    "flat in the end": ("slopes.append(Fraction(0))", "slopes.append(Fraction(1))"),
    "room for a digit": ("** 2 * len(y.masses)", "** 2"),
    "two counts of a replaced record": ("2 * min(ones, categories - ones)", "min(ones, categories - ones)"),
    "one count of a deleted record": ("times * (ones if deleted else", "times * (ones if True else"),
    "the number of rounds": ("return times\n", "return 1\n"),
}


@pytest.mark.parametrize("step", STEPS)
@pytest.mark.soak
def test_without_a_step_a_bound_is_missed(step):
    module = without(STEPS[step])
    assert loose(module) or careless(module)


@pytest.mark.parametrize("more", [[], [(dp.NoisyCount(dp.DiscreteLaplace(1)), 2)]])
def test_rounds_that_give_everything_away_have_no_certificate(more):
    rounds = dp.Rounds([(dp.NoisyCount(dp.Binomial(1, "1/2"), 5), 2), *more])
    with pytest.raises(dp.Undecided, match="every outcome gives the change away"):
        dp.certificate(dp.delta, rounds, epsilon="1/2")
