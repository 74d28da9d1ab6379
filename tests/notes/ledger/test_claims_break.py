"""Breaking any closed form changes a verdict: the ledger's checks really use them."""

import ast
import inspect
import re
from pathlib import Path

import nbformat
import pytest
from sympy import Rational

from dpcalc import symbolic
from dpcalc.laws.pool import Pool
from dpcalc.notes.claims.claim import Ruling
from tests.notes import ledger
from tests.notes.ledger.loc import cases, lemmas

#: A claim that fails when the closed form, which no cell of the notebook of symbols asserts, is off by a thousandth.
NOTICED = {
    "local_epsilon": "K16-4.46",
    "ratio_variance": "K16-6.11",
    "second_moment": "K16-6.11",
    "vector_q": "K16-6.11",
}
NOTEBOOK = Path(__file__).parents[3] / "notebooks" / "03_the_equations_in_symbols.ipynb"


def outcome(name):
    [claim] = (claim for claim in ledger.CLAIMS if claim.id == name)
    try:
        return claim.check().ruling
    except (ArithmeticError, ValueError):  # the check finds that not even its own correction holds
        return None


def test_every_closed_form_is_looked_at():
    forms = {name for name, form in vars(symbolic).items() if getattr(form, "__module__", "") == symbolic.__name__}
    cells = [cell.source for cell in nbformat.read(NOTEBOOK, as_version=4).cells if cell.cell_type == "code"]
    tests = [node for cell in cells for node in ast.walk(ast.parse(cell)) if isinstance(node, ast.Assert)]
    asserted = set(re.findall(r"symbolic\.(\w+)\(", " ".join(map(ast.unparse, tests))))
    assert asserted | set(NOTICED) == {name for name in forms if not name.startswith("_")}


@pytest.mark.parametrize("form", NOTICED)
@pytest.mark.soak
def test_a_broken_closed_form_is_noticed(form, monkeypatch):
    right = outcome(NOTICED[form])
    whole = getattr(symbolic, form)
    monkeypatch.setattr(symbolic, form, lambda *given: whole(*given) * Rational(1001, 1000))
    assert outcome(NOTICED[form]) != right


OTHER = {ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Div, ast.Div: ast.Mult, ast.Pow: ast.Mult}
BOUNDS = {
    "LOC-L1-r-lower": (cases, "lower_end"),
    "LOC-L2": (cases, "lemma_2"),
    "LOC-L3": (cases, "lemma_3"),
    "LOC-L3.3": (lemmas, "third_line"),
}


def alterations(function):
    """The function with one operator or one number altered, for each of these."""
    whole = ast.parse(inspect.getsource(function))
    for place, node in enumerate(ast.walk(whole)):
        if isinstance(node, ast.BinOp) or (isinstance(node, ast.Constant) and type(node.value) is int):
            altered = ast.parse(inspect.getsource(function))
            twin = list(ast.walk(altered))[place]
            if isinstance(twin, ast.BinOp):
                twin.op = OTHER[type(twin.op)]()
            else:
                twin.value += 1
            names = dict(vars(inspect.getmodule(function)))
            exec(compile(ast.fix_missing_locations(altered), "altered", "exec"), names)
            yield ast.unparse(altered), names[function.__name__]


@pytest.mark.parametrize("name", BOUNDS)
def test_an_altered_bound_is_noticed(name, monkeypatch):
    """A bound that is not attained could be altered and still hold: what it is derived from, too, is asked."""
    home, function = BOUNDS[name]
    tried = 0
    assert outcome(name) is Ruling.PROVEN
    for text, altered in alterations(getattr(home, function)):
        monkeypatch.setattr(home, function, altered)
        assert outcome(name) is not Ruling.PROVEN, text
        tried += 1
    assert tried > 3


def raising(*_, **__):
    raise ArithmeticError("no pmf")


@pytest.mark.parametrize("name", ["K16-s4.2-all-ones", "K16-s4.2-second-factor"])
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
