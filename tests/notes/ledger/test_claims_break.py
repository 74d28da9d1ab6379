"""Breaking any closed form changes a verdict: the ledger's checks really use them."""

import ast
import inspect
from pathlib import Path

import pytest
from sympy import Rational

from dpcalc import symbolic
from dpcalc.laws.pool import Pool
from dpcalc.notes.claims.claim import Ruling
from tests.notes import ledger

#: A claim that fails when the closed form is off by a thousandth.
NOTICED = {
    "classical_q": "K16-4.47",
    "closed_q": "K16-4.45",
    "estimate": "K16-5.1",
    "generating_function": "K16-s5.2-Gm",
    "local_epsilon": "K16-4.46",
    "ratio": "K16-4.32",
    "ratio_bound": "K16-5.13",
    "ratio_variance": "K16-6.11",
    "second_moment": "K16-6.11",
    "sigma": "K16-4.4",
    "sigma_at_closed_q": "K16-s5-sqrt-k",
    "two_sided_q": "K16-s4.3-direction",
    "variance": "K16-4.3",
    "vector_q": "K16-6.11",
    "vector_ratio": "K16-6.10",
    "window_bound": "K16-4.39",
}


def outcome(name):
    [claim] = (claim for claim in ledger.CLAIMS if claim.id == name)
    try:
        return claim.verdict().ruling
    except ArithmeticError:  # the check finds that not even its own correction holds
        return None


def test_every_closed_form_is_looked_at():
    forms = {name for name, form in vars(symbolic).items() if getattr(form, "__module__", "") == symbolic.__name__}
    assert set(NOTICED) == {name for name in forms if not name.startswith("_")}


@pytest.mark.parametrize("form", NOTICED)
@pytest.mark.soak
def test_a_broken_closed_form_is_noticed(form, monkeypatch):
    right = outcome(NOTICED[form])
    whole = getattr(symbolic, form)
    monkeypatch.setattr(symbolic, form, lambda *given: whole(*given) * Rational(1001, 1000))
    assert outcome(NOTICED[form]) != right


def raising(*_, **__):
    raise ArithmeticError("no pmf")


@pytest.mark.parametrize("name", ["K16-s4.2-all-ones", "K16-4.5", "K16-T4.1", "K16-s4.2-second-factor"])
def test_a_claim_about_probabilities_computes_them(name, monkeypatch):
    """A check that asks for a theorem's verdict would prove the claim by itself."""
    assert outcome(name) is not None
    monkeypatch.setattr("dpcalc.laws.pool.Pool.pmf", raising)
    monkeypatch.setattr("dpcalc.privacy.ratio.coefficient", raising)
    monkeypatch.setattr("tests.notes.ledger.k16.choice.ratio", raising)
    assert outcome(name) is None


def test_the_largest_ratio_of_ones_is_found_among_the_ratios(monkeypatch):
    right = Pool.pmf

    def exchanged(self):
        """All ones' law for that of one 0, and the other way round."""
        kinds = dict(self.kinds)
        if self.size == 5 and len(kinds) < 2:
            return right(Pool.of((max(kinds), 4), (1 - max(kinds), 1)))
        return right(self)

    monkeypatch.setattr(Pool, "pmf", exchanged)
    assert outcome("K16-s4.2-all-ones") in (None, Ruling.REFUTED)


def test_no_check_rests_on_a_verdict_that_computes_nothing():
    folder = Path(inspect.getfile(ledger)).parent
    calls = [
        node
        for path in folder.rglob("*.py")
        if not path.name.startswith("test_")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call) and ast.unparse(node.func).endswith("log_concavity_in_ones")
    ]
    assert calls
    assert all("compute=True" in ast.unparse(call) for call in calls)
