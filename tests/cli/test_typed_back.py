"""What a command prints as its answer is typed back into another one, and must keep its promise there."""

import json
import math
import random
import re
from decimal import ROUND_CEILING, Context, Decimal
from fractions import Fraction

import pytest

import dpcalc as dp
from dpcalc.cli import main
from dpcalc.numbers.limit import Limit
from dpcalc.numbers.normal import hockey_stick
from tests.strategies import seeds


def words(**options):
    """As they are typed; json=True has no value."""
    return [
        w for name, value in options.items() for w in ([f"--{name}"] if value is True else [f"--{name}", f"{value}"])
    ]


class Asked:
    """One random question: the answer's line, and what holds for the number on it."""

    def __init__(self, seed, capsys):
        draw = self.draw = random.Random(seed)
        self.capsys = capsys
        self.n = draw.choice([1, 2, 7, draw.randint(10, 500), draw.randint(10**3, 10**5), 10 ** draw.randint(6, 9)])
        self.k = draw.choice([1, 1, 2, 5])
        self.q = draw.choice(["0.01", "1/10", "0.25", "1/3", "0.45", f"{draw.uniform(0.001, 0.499):.5f}"])
        self.delta = draw.choice(["1e-9", "1e-6", "1/1000", "0.1", "0.4"])
        self.limit = {"epsilon": draw.choice(["0.1", "1/2", "1", "3", f"{draw.uniform(0.01, 4):.4f}"])}
        self.more = {}
        if self.n < 10**4 and draw.random() < 0.2:
            self.more = draw.choice([{"rounds": 2}, {"categories": 4}, {"categories": 3, "neighbours": "delete"}])

    def run(self, command, **options):
        status = main([command, *words(**options)])
        found = self.capsys.readouterr()
        self.said = f"{command} {' '.join(words(**options))}: {found.err}"
        return status, found.out

    def number(self, name, out):
        return re.search(rf"(?:^|, ){name}(?: =)? (\S+)", out, flags=re.MULTILINE)[1]

    def holds(self, n, q, k, **more):
        """Whether delta is at most the target, by another command that is asked as sharply as that takes."""
        return any(self.at_most(n=n, q=q, k=k, **more, rtol=rtol) for rtol in ("1e-2", "1e-4", "1e-8"))

    def at_most(self, **asked):
        _, out = self.run("delta", **asked, **self.limit, json=True)
        assert out, self.said
        found = json.loads(out)["delta"]
        return Fraction(found.get("value", found.get("upper"))) <= Fraction(self.delta)


def least_q(ask):
    status, out = ask.run("least-q", n=ask.n, k=ask.k, delta=ask.delta, **ask.limit, **ask.more)
    if status:
        return False
    assert ask.holds(ask.n, ask.number("q", out), ask.k, **ask.more)
    return True


def least_n(ask):
    more = {name: value for name, value in ask.more.items() if name != "rounds"}
    status, out = ask.run("least-n", q=ask.q, k=ask.k, delta=ask.delta, **ask.limit, **more)
    if status:
        return False
    assert ask.holds(ask.number("n", out), ask.q, ask.k, **more)
    return True


def most_k(ask):
    status, out = ask.run("most-k", n=ask.n, q=ask.q, delta=ask.delta, **ask.limit)
    if status:
        return False
    assert ask.holds(ask.n, ask.q, ask.number("k", out))
    return True


def most_rounds(ask):
    n = min(ask.n, 10**4)
    status, out = ask.run("most-rounds", n=n, q=ask.q, delta=ask.delta, **ask.limit)
    if status:
        return False
    assert ask.holds(n, ask.q, 1, rounds=ask.number("rounds", out))
    return True


def delta(ask):
    status, out = ask.run("delta", n=ask.n, q=ask.q, k=ask.k, **ask.limit)
    if status or "at most" not in out:
        return False
    ask.delta = ask.number("at most", out)
    assert ask.holds(ask.n, ask.q, ask.k)
    return True


def epsilon(ask):
    status, out = ask.run("epsilon", n=ask.n, q=ask.q, k=ask.k, delta=ask.delta)
    if status:
        return False
    ask.limit = {"epsilon": ask.number("at most" if "at most" in out else "epsilon", out)}
    assert ask.holds(ask.n, ask.q, ask.k)
    return True


def plan(ask):
    status, out = ask.run("plan", n=ask.n, k=ask.k, delta=ask.delta, **ask.limit)
    if status:
        return False
    assert ask.holds(ask.n, re.search(r", q = (\S+)\. It keeps ", out)[1], ask.k)
    return True


def noise(ask):
    kind, size = ask.draw.choice([("binomial", "trials"), ("poisson", "mean"), ("geometric", "bound")])
    given = {"kind": kind, "sensitivity": ask.draw.choice([1, 2]), **ask.limit}
    status, out = ask.run("noise", delta=ask.delta, **given)
    if status:
        return False
    _, again = ask.run("noise", **given, **{size: ask.number(size, out)}, json=True)
    found = json.loads(again)["delta"]
    assert Fraction(found.get("value", found.get("upper"))) <= Fraction(ask.delta)
    return True


def gaussian_sigma(ask):
    _, out = ask.run("gaussian-sigma", delta=ask.delta, **ask.limit)
    sigma = Fraction(ask.number("at most", out))
    assert hockey_stick(sigma, Limit.of(**ask.limit)) <= ask.delta
    return True


KINDS = {
    one.__name__: one for one in (least_q, least_n, most_k, most_rounds, delta, epsilon, plan, noise, gaussian_sigma)
}


@pytest.mark.parametrize("seed", seeds(12, 132))
def test_an_answer_typed_back_holds(seed, capsys):
    ask = Asked(seed, capsys)
    KINDS[ask.draw.choice(list(KINDS))](ask)


@pytest.mark.parametrize("kind", [plan, least_q])
def test_a_q_next_to_one_half_holds(kind, capsys):
    ask = Asked(0, capsys)
    ask.n, ask.k, ask.delta, ask.limit = 1, 1, "1e-12", {"epsilon": "1e-8"}
    assert kind(ask)


PANELS = {
    "sigma of": lambda pool, limit: (pool.n * pool.p * pool.q / (pool.k * (pool.p - pool.q) ** 2)) ** Fraction(1, 2),
    "local epsilon": lambda pool, limit: pool.k * math.log1p((pool.p - pool.q) / pool.q),
    "P[ratio": lambda pool, limit: dp.exceedance(pool, **limit).ratio,
    "P[1/ratio": lambda pool, limit: dp.exceedance(pool, **limit).reciprocal,
    "delta at": lambda pool, limit: dp.delta(pool, **limit, rtol="1e-9"),
}


def is_rounded_up(value, cell, count):
    """Whether the cell holds a value, rounded up to so many digits."""
    up = Context(prec=count, rounding=ROUND_CEILING)
    near = (Decimal(float(value)) * (1 + Decimal(side) / 10**12) for side in (-1, 1))  # of a double
    return Decimal(cell) in map(up.create_decimal, near)


@pytest.mark.parametrize(
    ("n", "limit", "ks", "delta"),
    [
        (1000, {"epsilon": "1e-5"}, [3], None),
        pytest.param(50, {"epsilon": "1e-9"}, [1], None, marks=pytest.mark.soak),
        (1, {"epsilon": "1e-8"}, [1], "1e-12"),
        pytest.param(1000, {"lam": "2"}, [1, 10], "1e-6", marks=pytest.mark.soak),
        (10, {"lam": "1.5"}, [1, 2], "0.01"),
        pytest.param(300, {"epsilon": "0.02"}, [1, 4], "1e-4", marks=pytest.mark.soak),
    ],
)
def test_a_q_of_a_plan_typed_back_gives_its_whole_row(n, limit, ks, delta, capsys):
    check_rows(n, limit, ks, delta, capsys)


def check_rows(n, limit, ks, delta, capsys):
    """Every number of a plan's rows is that of its printed q."""
    target = {} if delta is None else {"delta": delta, "bounds": "all"}
    assert main(["plan", "--k", *map(str, ks), *words(n=n, **limit, **target)]) == 0
    table, *panels = (panel.splitlines() for panel in capsys.readouterr().out.split("\n\n")[-7:-1])
    names = table[1].split()[2:]
    rows = [(k, name, q) for k, line in zip(ks, table[2:], strict=True)
            for name, q in zip(names, line.split()[2:], strict=True)]  # fmt: skip
    assert len(panels) == len(PANELS)
    for panel, (title, value) in zip(panels, PANELS.items(), strict=True):
        assert panel[0].startswith(title)
        cells = [cell for line in panel[2 : 2 + len(ks)] for cell in line.split()[2:]]
        for (k, name, q), cell in zip(rows, cells, strict=True):
            assert (cell == "-") == (q == "-")
            if q != "-":
                count = 4 if title.startswith("delta") else 6
                assert is_rounded_up(value(dp.KRandomization(n=n, q=q, k=k), limit), cell, count), (title, k, name)
