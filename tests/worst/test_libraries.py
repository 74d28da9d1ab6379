"""The one pass with wrong library functions of doubles: they only steer, so that its ends hold whatever they return."""

import ast
import math
import random
from collections import Counter
from functools import lru_cache
from inspect import getsource

import numpy as np
import pytest

from dpcalc.numbers import doubles, rounding
from dpcalc.worst import envelope_in_doubles, in_arrays, on_circle, one_by_one
from tests.oracles.scan import deltas
from tests.worst.chances import flipping, singles, worst
from tests.worst.test_envelope_in_doubles import holds
from tests.worst.test_one_pass import question

PLAIN = ("exp", "expm1", "log", "log1p", "log2", "log10", "sin", "cos", "tan", "sinh", "cosh", "tanh", "hypot")
ONLY = {
    math: ("asin", "acos", "atan", "atan2", "pow", "erf", "erfc", "gamma", "lgamma"),
    np: ("arcsin", "power", "abs"),
}
ERRORS = {"above": lambda _: 1 + 1e-6, "below": lambda _: 1 - 1e-6, "any": lambda draw: 1 + draw.uniform(-1e-6, 1e-6)}


@pytest.fixture(params=ERRORS)
def called(request, monkeypatch):
    """How often each function was called, all of them wrong."""
    draw, counts = random.Random(request.param), Counter()

    def wrong(name, right):
        def found(*args, **kwargs):
            value = right(*args, **kwargs)
            counts[name] += 1
            return value if name == "abs" and np.isrealobj(value) else value * ERRORS[request.param](draw)

        return found

    for library in (math, np):
        for name in (*PLAIN, *ONLY[library]):
            monkeypatch.setattr(library, name, wrong(name, getattr(library, name)))
    for module in (in_arrays, on_circle):
        for table in vars(module).values():
            if isinstance(table, type(lru_cache(len))):
                table.cache_clear()
    return counts


@pytest.mark.parametrize("pools", [in_arrays, one_by_one], ids=["arrays", "one by one"])
def test_the_ends_hold(called, pools):
    served = 0
    for seed in range(60):
        q, k, n, lam = question(seed, 28)
        truth, draw = deltas(n, q, k, lam), random.Random(-seed)
        found = worst(flipping(q), k, n - 1, (lam, lam), rtol=10 ** draw.uniform(-9, -2), pools=pools)
        if found:
            served += 1
            assert found.lower <= max(truth) <= found.upper, seed
            assert truth[found.ones] >= found.lower, seed
        ms = [draw.randrange(n) for _ in range(3)]
        for m, (low, high) in zip(ms, singles(flipping(q), k, n - 1, (lam, lam), ms, pools=pools) or [], strict=False):
            assert low <= truth[m] <= high, seed
    assert served > 10
    assert called["exp"] > 100


def test_envelopes_hold(called):
    assert sum(holds(seed, 150) for seed in (0, 3)) > 1
    assert called["exp"] > 10


def test_no_power_of_doubles():
    """It would be a library's; of constants it is Python's own, and tables are made of whole numbers."""
    for module in (doubles, rounding, in_arrays, envelope_in_doubles):
        for node in ast.walk(ast.parse(getsource(module))):
            if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Pow):
                assert isinstance(node.left, ast.Constant), ast.unparse(node)
                ast.literal_eval(node.right)
    assert rounding.UNIT * 2**53 == 1
