"""What is given away beside the code says what the code says: the paper, its references, the conda recipe."""

import re
import tomllib
from pathlib import Path

import yaml

import dpcalc as dp

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
RECIPE = yaml.safe_load((ROOT / ".conda" / "recipe.yaml").read_text(encoding="utf-8"))
_, HEAD, PAPER = (ROOT / "notebooks" / "paper" / "paper.md").read_text(encoding="utf-8").split("---\n", 2)
BIB = (ROOT / "notebooks" / "paper" / "paper.bib").read_text(encoding="utf-8")

#: What the Journal of Open Source Software asks for, in its order (its documentation of May 2026).
SECTIONS = [
    "Summary",
    "Statement of need",
    "State of the field",
    "Software design",
    "Research impact statement",
    "AI usage disclosure",
    "Acknowledgements",
    "References",
]


def spaced(requirement):
    """As conda writes it."""
    return re.sub(r"\s*(>=)", r" \1", requirement)


def test_the_recipe_builds_what_pyproject_names():
    project, build = PROJECT["project"], RECIPE["requirements"]
    python = spaced(f"python{project['requires-python']}")
    assert RECIPE["package"]["name"] == project["name"]
    assert RECIPE["context"]["version"] == dp.__version__
    assert set(build["run"]) == {python, *map(spaced, project["dependencies"])}
    assert set(build["host"]) == {python, "pip", *map(spaced, PROJECT["build-system"]["requires"])}
    scripts = [f"{name} = {place}" for name, place in project["scripts"].items()]
    assert RECIPE["build"]["python"]["entry_points"] == scripts
    about = RECIPE["about"]
    assert (about["summary"], about["license"]) == (project["description"], project["license"])
    assert [about["license_file"]] == project["license-files"]


def test_every_reference_is_cited_and_every_citation_is_there():
    cited, entries = set(re.findall(r"@([\w:]+)", PAPER)), re.findall(r"^@\w+\{([\w:]+),$", BIB, flags=re.MULTILINE)
    assert len(entries) == len(set(entries)) >= 10
    assert cited == set(entries)
    for entry in re.split(r"^(?=@)", BIB, flags=re.MULTILINE)[1:]:
        assert entry.count("{") == entry.count("}")
        assert {"author", "title"} <= set(re.findall(r"(\w+) = \{", entry)), entry


def test_the_paper_has_the_sections_and_the_length_that_are_asked_for():
    assert re.findall(r"^# (.+)$", PAPER, flags=re.MULTILINE) == SECTIONS
    assert 750 <= len(PAPER.split()) <= 1750
    head = yaml.safe_load(HEAD)
    assert {"title", "tags", "authors", "affiliations", "bibliography"} == set(head)
    assert head["authors"] == head["affiliations"] == []  # for its authors to fill in


def test_the_numbers_of_the_paper_are_computed():
    coins = [dp.least_trials(epsilon=epsilon, delta="1e-5").value for epsilon in (3, 1, "0.1")]
    told = re.search(r"fair coins are (\S+),\s+(\S+) and (\S+), each proven", PAPER)
    assert list(told.groups()) == [f"{count:,}" for count in map(int, coins)]
