"""The console blocks of README and the book: commands, and what they print.

    python notebooks/console_blocks.py [PAGE ...]

runs the commands of each page (of all pages, if none is named) and writes what they print now. A line ``...`` stands
for lines that are left out: as many lines are kept before, between and after them as before.
"""

from __future__ import annotations

import argparse
import re
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path

from dpcalc.cli.fleet import EXAMPLE

ROOT = Path(__file__).resolve().parents[1]
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "notebooks").rglob("*.md"))]
LEFT_OUT = "..."
_BLOCK = re.compile(r"(?<=^```console\n)(.*?)(?=^```$)", re.DOTALL | re.MULTILINE)


def blocks(page: Path, kind: str) -> list[str]:
    """What stands in the page's fences of a kind, such as console."""
    return re.findall(rf"^```{re.escape(kind)}\n(.*?)^```$", page.read_text("utf-8"), re.DOTALL | re.MULTILINE)


def sessions(block: str) -> list[tuple[str, str]]:
    """A command and what it is said to print, each."""
    parts = (session.partition("\n") for session in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:])
    return [(command, shown) for command, _, shown in parts]


def shows(shown: str, printed: str) -> bool:
    """Whether the lines shown are those printed, but for those that are left out."""
    lines = [".*" if line == LEFT_OUT else re.escape(line) for line in shown.strip().splitlines()]
    return re.fullmatch("\n".join(lines), stripped(printed), re.DOTALL) is not None


def stripped(printed: str) -> str:
    """Without spaces at the ends of lines."""
    return "\n".join(line.rstrip() for line in printed.splitlines()).strip()


def shortened(shown: str, printed: str) -> str:
    """What is printed now, with as much left out as in what was shown.

    Raises:
        ValueError: a part between two that are left out is not found by the words before its first digit.
    """
    parts: list[list[str]] = [[]]
    for line in shown.strip().splitlines():
        if line == LEFT_OUT:
            parts.append([])
        else:
            parts[-1].append(line)
    lines = stripped(printed).splitlines()
    if len(parts) == 1:
        return "\n".join(lines)
    first, *between, last = parts
    kept = ["\n".join(lines[: len(first)])]
    for part in between:
        head = re.split(r"\d", part[0])[0]
        start = next((i for i, line in enumerate(lines) if line.startswith(head)), None)
        if start is None:
            raise ValueError(f"nothing printed begins with {head!r}")
        kept.append("\n".join(lines[start : start + len(part)]))
    kept.append("\n".join(lines[len(lines) - len(last) :]))
    return f"\n{LEFT_OUT}\n".join(kept).strip("\n")


def renewed(page: Path, folder: Path) -> str:
    """The page with what its commands print now; they run in a folder."""
    (folder / "fleet.toml").write_text("".join(blocks(page, "toml")) or EXAMPLE, encoding="utf-8")

    def block(found: re.Match[str]) -> str:
        lines = []
        for command, shown in sessions(found[1]):
            program, *arguments = shlex.split(command)
            run = [sys.executable, *(["-m", "dpcalc"] if program == "dpcalc" else [str(ROOT / arguments.pop(0))])]
            printed = subprocess.run([*run, *arguments], check=True, capture_output=True, text=True, cwd=folder).stdout
            lines += [f"$ {command}", shown.strip("\n") if shows(shown, printed) else shortened(shown, printed)]
        return "\n".join(lines) + "\n"

    return _BLOCK.sub(block, page.read_text("utf-8"))


def main() -> None:
    """Write the pages anew."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("pages", nargs="*", type=Path, default=PAGES, metavar="PAGE", help="default: all")
    for page in parser.parse_args().pages:
        with tempfile.TemporaryDirectory() as folder:
            text = renewed(page, Path(folder))
        if text != page.read_text("utf-8"):
            page.write_text(text, "utf-8")
            print(page)


if __name__ == "__main__":
    main()
