import importlib
import subprocess
import sys
from importlib.resources import files

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
    code = "import sys, dpcalc; assert not {'numpy', 'sympy', 'scipy', 'matplotlib', 'flint'} & set(sys.modules)"
    subprocess.run([sys.executable, "-c", code], check=True)


def test_the_calculator_runs_without_sympy_scipy_and_matplotlib():
    code = (
        "import sys, dpcalc as dp; dp.plan(n=10, lam=2, ks=(1,)); "
        "assert not {'sympy', 'scipy', 'matplotlib'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
