import ast
import inspect
import re
import subprocess
import sys
from collections import Counter
from importlib.resources import files
from pathlib import Path
from types import ModuleType

import pytest

import dpcalc


def test_every_public_name_is_there():
    for name in dpcalc.__all__:
        assert getattr(dpcalc, name) is not None
    assert dir(dpcalc) == sorted(dpcalc.__all__)


def test_every_public_name_is_made_where_the_stub_says():
    stub = (files("dpcalc") / "__init__.pyi").read_text("utf-8")
    listed = [one for one in ast.parse(stub).body if isinstance(one, ast.ImportFrom)]
    assert all(name.asname == name.name for one in listed for name in one.names)  # else it is not public
    homes = {name.name: one.module for one in listed for name in one.names}
    assert homes == {**dpcalc._HOMES, "__version__": "dpcalc.version"}
    for name in dpcalc.__all__:
        value, home = getattr(dpcalc, name), dpcalc._HOMES[name]
        made = value.__name__ if isinstance(value, ModuleType) else f"{value.__module__}.{value.__qualname__}"
        assert made == f"{home}.{name}"


def test_names_are_private_by_their_underscore_alone():
    """Only the packages' doors list what is public."""
    paths = [path for path in Path(dpcalc.__file__).parent.rglob("*.py") if path.name != "__init__.py"]
    assert not [path for path in paths if re.search("^__all__", path.read_text("utf-8"), re.MULTILINE)]


def test_no_two_classes_of_the_core_have_one_name():
    package = Path(dpcalc.__file__).parent
    paths = [path for path in package.rglob("*.py") if "notes" not in path.relative_to(package).parts]
    classes = [one.name for path in paths for one in ast.walk(ast.parse(path.read_text("utf-8")))
               if isinstance(one, ast.ClassDef)]  # fmt: skip
    assert len(classes) > 100
    assert not [name for name, count in Counter(classes).items() if count > 1]


def test_the_package_is_typed():
    assert (files("dpcalc") / "py.typed").is_file()


def test_import_is_light():
    names = {"numpy", "sympy", "mpmath", "scipy", "matplotlib", "pandas", "flint", "concurrent", "decimal", "fractions"}
    code = f"import sys, dpcalc; assert not {names} & set(sys.modules)"
    subprocess.run([sys.executable, "-c", code], check=True)


def test_a_question_about_one_bit_loads_nothing_of_the_documents():
    code = "import sys, dpcalc as dp; dp.least_q(n=1000, epsilon=1, delta='1e-6'); print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout.split()
    assert "dpcalc.choose.least" in loaded
    assert not [name for name in loaded if name.startswith("dpcalc.notes")]
    modules = [name for name in loaded if name.startswith("dpcalc.") and name.count(".") > 1]
    assert len(modules) <= 53


def test_the_core_names_the_documents_wing_in_two_places_only():
    """What is imported by its name as text is not seen by import-linter."""
    package = Path(dpcalc.__file__).parent
    paths = {path.relative_to(package).as_posix(): path for path in (*package.rglob("*.py"), *package.rglob("*.pyi"))}
    naming = {name for name, path in paths.items() if re.search(r"dpcalc\W{1,3}notes\b", path.read_text("utf-8"))}
    assert {name for name in naming if not name.startswith("notes/")} == {"__init__.pyi", "registered.py"}


def test_an_answer_loads_flint_and_numpy_at_most():
    code = (
        "import sys, dpcalc as dp; m = dp.KRandomization(n=100, q='0.1'); dp.delta(m, lam=2); dp.delta(m, epsilon=1); "
        "dp.epsilon(m, delta='0.01'); dp.least_q(n=100, lam=2, delta='0.01'); dp.plan(n=10, lam=2, ks=(1,)); "
        "dp.gaussian_sigma(lam=2, delta='1e-6'); "
        "assert not {'mpmath', 'sympy', 'scipy', 'matplotlib'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], check=True, stdout=subprocess.DEVNULL)


@pytest.mark.parametrize(
    ("name", "first", "more"),
    [
        ("plan", 10, {"lam": 2, "ks": 1}),
        ("least_q", 10, {"lam": 2, "delta": "0.1"}),
        ("least_n", "0.1", {"lam": 2, "delta": "0.1"}),
        ("most_k", 10, {"q": "0.1", "lam": 9, "delta": "0.1"}),
        ("least_b", 3, {"a": "1/2", "lam": 2, "delta": "0.1"}),
        ("most_a", 3, {"ratio": 9, "lam": 2, "delta": "0.3"}),
        ("local_q", 10, {"lam": 2}),
    ],
)
def test_what_everybody_gives_first_needs_no_name(name, first, more):
    function = getattr(dpcalc, name)
    named = next(iter(inspect.signature(function).parameters))
    assert str(function(first, **more)) == str(function(**{named: first}, **more))
    with pytest.raises(TypeError):
        function(first, first, **more)
