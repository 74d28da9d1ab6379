import importlib
import subprocess
import sys
from importlib.resources import files

import pytest

import dpcalc


def test_every_public_name_is_there():
    for name in dpcalc.__all__:
        assert getattr(dpcalc, name) is not None
    assert set(dpcalc.__all__) <= set(dir(dpcalc))


def test_the_homes_and_the_list_agree():
    homes = dpcalc._HOMES
    named = [name for names in homes.values() for name in names]
    assert sorted([*named, *dpcalc._MODULES]) == sorted(dpcalc.__all__)
    for home, names in homes.items():
        assert set(names) <= set(importlib.import_module(home).__all__)


def test_the_package_is_typed():
    assert (files("dpcalc") / "py.typed").is_file()


def test_import_is_light():
    names = {"numpy", "sympy", "mpmath", "scipy", "matplotlib", "pandas", "flint", "concurrent", "decimal", "fractions"}
    code = f"import sys, dpcalc; assert not {names} & set(sys.modules)"
    subprocess.run([sys.executable, "-c", code], check=True)


@pytest.mark.parametrize(
    "call",
    [
        "delta(m, lam=2)",
        "delta(m, epsilon=1)",
        "epsilon(m, delta='0.01')",
        "least_q(n=100, lam=2, delta='0.01')",
        "plan(n=10, lam=2, ks=(1,))",
        "gaussian_sigma(lam=2, delta='1e-6')",
    ],
)
def test_an_answer_loads_flint_and_numpy_at_most(call):
    code = (
        f"import sys, dpcalc as dp; m = dp.KRandomization(n=100, q='0.1'); print(dp.{call}); "
        "assert not {'mpmath', 'sympy', 'scipy', 'matplotlib'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], check=True, stdout=subprocess.DEVNULL)
