"""The calculator as a folder that any static host serves.

    python notebooks/build_calculator.py --output calculator
    python -m http.server --directory calculator

Pyodide (Python in WebAssembly) comes from the npm registry, python-flint's wheel from the package index; both are
pinned, and refused if their SHA-256 is another. dpcalc's own wheel is built from this clone.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import shutil
import subprocess
import sys
import tarfile
import urllib.request
from pathlib import Path
from tempfile import TemporaryDirectory

from dpcalc.questions import QUESTIONS

_HERE = Path(__file__).resolve().parent
_PAGE = ("index.html", "style.css", "calculator.js", "worker.js", "sums.js", "answers.py")
_PYODIDE = "https://registry.npmjs.org/pyodide/-/pyodide-314.0.7.tgz"
_PYODIDE_HASH = "66b7949e5a0cba2250b586d7e368bf12fb482800748d182c4618254b685ffaa0"
_PYODIDE_FILES = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip", "pyodide-lock.json")
_FLINT = "python-flint==0.9.0"
_FLINT_PLATFORM = (
    "--platform=pyemscripten_2026_0_wasm32",
    "--python-version=314",
    "--implementation=cp",
    "--abi=cp314",
)
_FLINT_HASH = "b31f5c00e0e36040ab58d00b3025156e20869b990d776e4bf90f870b1ee11ad3"


def build(target: Path) -> None:
    """Write the folder; what was in it before is replaced."""
    with TemporaryDirectory() as scratch:
        folder = Path(scratch) / "built"
        folder.mkdir()
        for name in _PAGE:
            shutil.copy(_HERE / "calculator" / name, folder)
        shutil.copy(_HERE / "static" / "favicon.svg", folder)
        _form(folder / "calculator.js")
        _pyodide(Path(scratch), folder)
        _pip("download", "--only-binary=:all:", *_FLINT_PLATFORM, "--dest", str(folder), _FLINT)
        (flint,) = folder.glob("python_flint-*.whl")
        _checked(flint, _FLINT_HASH)
        _pip("wheel", "--wheel-dir", str(folder), str(_HERE.parent))
        wheels = sorted(path.name for path in folder.glob("*.whl"))
        (folder / "wheels.json").write_text(json.dumps(wheels), encoding="utf-8")
        _service_worker(folder)
        if target.exists():
            shutil.rmtree(target)
        shutil.copytree(folder, target)


def _pyodide(scratch: Path, folder: Path) -> None:
    archive = scratch / "pyodide.tgz"
    with urllib.request.urlopen(_PYODIDE, timeout=120) as source, archive.open("wb") as copy:
        shutil.copyfileobj(source, copy)
    _checked(archive, _PYODIDE_HASH)
    with tarfile.open(archive) as opened:
        for name in _PYODIDE_FILES:
            content = opened.extractfile(f"package/{name}")
            if content is None:
                raise SystemExit(f"{name} is missing in {_PYODIDE}")
            (folder / name).write_bytes(content.read())


def _checked(path: Path, expected: str) -> None:
    found = _hash(path)
    if found != expected:
        raise SystemExit(f"{path.name} has the SHA-256 {found}, expected {expected}")


def _hash(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def _pip(*words: str) -> None:
    command, *rest = words
    subprocess.run([sys.executable, "-m", "pip", command, "--quiet", "--no-deps", *rest], check=True)


def _form(script: Path) -> None:
    """Tell the form which arguments each question has."""
    arguments = {
        question.function.replace("_", "-"): [argument.name for argument in question.arguments]
        for question in QUESTIONS
    }
    text = script.read_text(encoding="utf-8").replace('{ "@ARGUMENTS@": [] }', json.dumps(arguments))
    script.write_text(text, encoding="utf-8")


def _service_worker(folder: Path) -> None:
    """With the names of all files, and a name of the cache that changes with any of them."""
    files = sorted(path.name for path in folder.iterdir())
    name = hashlib.sha256("".join(_hash(folder / file) for file in files).encode()).hexdigest()[:16]
    text = (_HERE / "calculator" / "service_worker.js").read_text(encoding="utf-8")
    text = text.replace("@NAME@", f"dpcalc-{name}").replace('["@FILES@"]', json.dumps(["./", *files]))
    (folder / "service_worker.js").write_text(text, encoding="utf-8")


def main() -> None:
    """Build into the folder that the command line names."""
    parser = argparse.ArgumentParser(description="Build the calculator's page.")
    parser.add_argument("--output", type=Path, default=Path("calculator"), help="folder to write (default: calculator)")
    target: Path = parser.parse_args().output
    if target.exists() and any(target.iterdir()) and not (target / "service_worker.js").is_file():
        parser.error(f"{target} holds something else: give another folder")
    build(target)
    size = sum(path.stat().st_size for path in target.iterdir())
    print(f"{target}: {size / 1e6:.1f} MB; serve it with: python -m http.server --directory {target}")


if __name__ == "__main__":
    main()
