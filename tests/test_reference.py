"""The tables of the reference say what the docstrings say now."""

import pytest

from notebooks import tables


@pytest.mark.parametrize("path", tables.pages(), ids=lambda path: path.stem)
def test_the_tables_are_not_stale(path):
    """Run ``python notebooks/tables.py``."""
    page = path.read_text("utf-8")
    assert tables.written(page) == page


def test_a_table_is_written_above_what_it_describes_and_only_once():
    page = "# Errors\n\nAll of them.\n\n```{public} dpcalc.errors\n```\n"
    once = tables.written(page)
    assert "All of them.\n\n| Name | What it is |\n| :-- | :-- |\n| `dp." in once
    assert once.endswith("|\n\n```{public} dpcalc.errors\n```\n")
    assert tables.written(once) == once
    assert tables.written(once.replace("| `dp.", "| `old.")) == once


def test_every_public_name_is_in_a_table():
    text = "\n".join(path.read_text("utf-8") for path in tables.pages())
    modules = {"claims", "symbolic"}  # with pages of their own
    assert {name for name in tables.dpcalc.__all__ if f"| `dp.{name}` |" not in text} <= modules
