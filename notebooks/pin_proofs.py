"""Which functions rest on which theorem: pinned in ``dpcalc/proofs.toml``, each with a hash of its source.

    python notebooks/pin_proofs.py
    python notebooks/pin_proofs.py N8 C23

The first lists every function that is another since its proofs were last read, with the statements to read again. The
second pins what rests on the statements that you have read, as it is now. Of a function that is gone the line is left:
write the name of what took its place.

The hash is of the syntax tree without docstrings: comments and formatting do not count.
"""

from __future__ import annotations

import ast
import hashlib
import re
import sys
from collections.abc import Collection
from functools import cache
from pathlib import Path

HERE = Path(__file__).resolve().parent
PINS = HERE.parent / "dpcalc" / "proofs.toml"
_STATEMENT = re.compile(r"^\*\*(?:Theorem|Lemma|Corollary) ([ACFLNST]?\d+(?:\.\d+)?)\b", re.MULTILINE)
_LABEL, _PIN = re.compile(r'\["(.+)"\]'), re.compile(r'"(.+)" = "(.*)"')


def statements() -> list[str]:
    """The labels of all theorems, lemmas and corollaries of the proof notes."""
    return [label for path in sorted(HERE.glob("proof*.md")) for label in _STATEMENT.findall(path.read_text("utf-8"))]


def pinned(text: str) -> dict[str, dict[str, str]]:
    """For every label the functions that rest on it, and their hashes."""
    found: dict[str, dict[str, str]] = {}
    for line in text.splitlines():
        if label := _LABEL.fullmatch(line):
            here = found.setdefault(label[1], {})
        elif pin := _PIN.fullmatch(line):
            here[pin[1]] = pin[2]
    return found


def fingerprint(name: str) -> str | None:
    """The hash of a function, method, class or constant such as ``laws.pool.Pool.chance``; None if it is gone."""
    parts = name.split(".")
    for size in range(len(parts) - 1, 0, -1):
        path = HERE.parent.joinpath("dpcalc", *parts[:size]).with_suffix(".py")
        if path.is_file():
            node: ast.AST | None = _tree(path)
            for part in parts[size:]:
                node = next((one for one in getattr(node, "body", ()) if part in _names(one)), None)
            return hash_of(node) if node else None
    return None


def hash_of(tree: ast.AST) -> str:
    """Of a syntax tree; the same for all versions of Python."""
    return hashlib.sha256(repr(_shape(tree)).encode()).hexdigest()[:8]


def changed(pins: dict[str, dict[str, str]]) -> dict[str, list[str]]:
    """The functions that are another than pinned, or gone, and the labels of what they rest on."""
    found: dict[str, list[str]] = {}
    for label, functions in pins.items():
        for name, known in functions.items():
            if fingerprint(name) != known:
                found.setdefault(name, []).append(label)
    return found


def refreshed(text: str, read: Collection[str]) -> str:
    """The same with the hashes of today below the labels that were read; of what is gone the old one."""
    lines, here = [], ""
    for line in text.splitlines():
        if label := _LABEL.fullmatch(line):
            here = label[1]
        pin = _PIN.fullmatch(line) if here in read else None
        lines.append(f'"{pin[1]}" = "{fingerprint(pin[1]) or pin[2]}"' if pin else line)
    return "\n".join(lines) + "\n"


@cache
def _tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text("utf-8"))


def _names(node: ast.AST) -> list[str]:
    """What a statement defines."""
    targets = getattr(node, "targets", None) or [getattr(node, "target", node)]
    flat = [part for target in targets for part in getattr(target, "elts", [target])]
    return [getattr(part, "name", None) or getattr(part, "id", "") for part in flat]


def _shape(node: object) -> object:
    """A syntax tree as nested tuples: no places, no empty fields, no docstrings."""
    if isinstance(node, list):
        return tuple(map(_shape, node))
    if not isinstance(node, ast.AST):
        return repr(node)
    fields = dict(ast.iter_fields(node))
    if isinstance(node, ast.FunctionDef | ast.ClassDef) and ast.get_docstring(node, clean=False) is not None:
        fields["body"] = node.body[1:]
    return type(node).__name__, *((name, _shape(x)) for name, x in sorted(fields.items()) if x not in (None, []))


def main(read: Collection[str] = (), pins: Path = PINS) -> None:
    """Pin what rests on the statements that were read, and list what is still another than pinned."""
    text = pins.read_text("utf-8")
    if unknown := sorted(set(read) - set(pinned(text))):
        sys.exit(f"no statement has the label {', '.join(unknown)}")
    text = refreshed(text, read)
    pins.write_text(text, "utf-8")
    for name, labels in changed(pinned(text)).items():
        gone = "" if fingerprint(name) else " is gone; name what took its place"
        print(f"{name}{gone}: read again {', '.join(labels)}")


if __name__ == "__main__":
    main(sys.argv[1:])
