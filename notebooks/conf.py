"""The book: Sphinx reads this folder.

``sphinx-build -W -n notebooks build/book`` makes it; warnings are errors, so that a link that leads nowhere stops it.
"""

from __future__ import annotations

import argparse
import re
import sys
from pathlib import Path

from docutils import nodes
from pygments.lexers.special import TextLexer
from sphinx.addnodes import pending_xref
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.ext import napoleon
from sphinx.util.docutils import SphinxDirective

import dpcalc
from dpcalc.cli import program

sys.path.insert(0, str(Path(__file__).parent))
import trying

project = "dpcalc"
copyright = "the authors of dpcalc, Apache License 2.0"
version = release = dpcalc.__version__

extensions = [
    "myst_nb",
    "sphinx_copybutton",
    "sphinx.ext.autodoc",
    "sphinx.ext.napoleon",
    # Sphinx would load MathJax from another server. With this one the book is whole on a machine without a network, and
    # nobody learns who reads it.
    "sphinx-mathjax-offline",
]

exclude_patterns = ["paper"]  # pandoc reads it, not Sphinx

html_theme = "furo"
html_title = f"dpcalc {release}"
html_static_path, html_css_files = ["static"], ["book.css"]
html_favicon = "static/favicon.svg"
html_show_sourcelink = False
copybutton_prompt_text = r"\$ |>>> |\.\.\. "
copybutton_prompt_is_regexp = True

nb_execution_mode = "off"  # notebooks are shown as committed; ``pytest -m notebook`` executes and compares them
myst_enable_extensions = ["deflist", "dollarmath"]
myst_dmath_double_inline = True  # proofs have displayed formulas amid sentences
myst_heading_anchors = 3

autodoc_member_order = "bysource"
autodoc_type_aliases = {name: name for name in ("Counts", "Mechanism", "Method", "Noise", "Number", "Progress")}
maximum_signature_line_length = 100
napoleon_use_ivar = True
napoleon_custom_sections = ["Returns"]  # sentences; napoleon would take what stands before a colon for a type
nitpick_ignore_regex = [
    # Documented elsewhere; to look there a build would need a network.
    ("py:class", r"(collections|concurrent|dp_accounting|fractions|np|numpy|os|pathlib|sympy)\..*"),
    ("py:class", "Decimal|Fraction|PrivacyLossDistribution|PrivacyProfile"),
    ("py:class", r"dpcalc\..*|Name|Panel"),  # inner types, in signatures
]


def docstring(app: Sphinx, what: str, name: str, obj: object, options: object, lines: list[str]) -> None:
    """The docstring as napoleon reads it, but for two things that it would take for a type.

    What stands before a colon in a property's first sentence; and the first name of ``lower, upper: ...``.
    """
    lines[:] = [re.sub(r"^ +([a-z]\w*, )+(?=\w+: )", lambda names: names[0].replace(", ", "/"), line) for line in lines]
    read(app, "function" if what == "property" else what, name, obj, options, lines)


read, napoleon._process_docstring = napoleon._process_docstring, docstring


class Public(SphinxDirective):
    """The public names that live in a part of the package, such as ``dpcalc.privacy``, in the alphabet's order."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        """The nodes of one autodoc directive a name."""
        part = self.arguments[0]
        names = [name for name, home in dpcalc._HOMES.items() if f"{home}.".startswith(f"{part}.")]
        if not names:
            raise self.error(f"no public name lives in {part}")
        entries = []
        for name in sorted(names):
            of_a_class = isinstance(getattr(dpcalc, name), type)
            entries += [f".. auto{'class' if of_a_class else 'function'}:: dpcalc.{name}"]
            entries += ["   :members:", ""] if of_a_class else [""]
        return self.parse_text_to_nodes("\n".join(["```{eval-rst}", *entries, "```"]))


class Commands(SphinxDirective):
    """What each command's ``--help`` prints, a section each."""

    def run(self) -> list[nodes.Node]:
        """The sections, in the order of ``dpcalc --help``."""
        parser = program._parser()
        (commands,) = (action for action in parser._actions if isinstance(action, argparse._SubParsersAction))
        found: list[nodes.Node] = [nodes.literal_block(text=parser.format_help(), language="console")]
        for name, own in commands.choices.items():
            said = nodes.literal_block(text=own.format_help(), language="console")
            found.append(nodes.section("", nodes.title(text=name), said, ids=[f"command-{name}"]))
        return found


def public_name(app: Sphinx, env: BuildEnvironment, node: pending_xref, text: nodes.Element) -> nodes.Element | None:
    """A signature names a class by its home; the reference knows it by its public name."""
    name = node.get("reftarget", "").rpartition(".")[2]
    if node.get("refdomain") != "py" or name not in dpcalc.__all__:
        return None
    python = env.domains.python_domain
    return python.resolve_xref(env, node["refdoc"], app.builder, "obj", f"dpcalc.{name}", node, text)


def aliases(app: Sphinx, what: str, name: str, obj: object, options: object, *parts: str) -> tuple[str | None, ...]:
    """Sphinx 9.0 shows its own wrapper around an alias within a union."""
    return tuple(part and re.sub(r"TypeAliasForwardRef\('(\w+)'\)", r"\1", part) for part in parts)


def last_lines(app: Sphinx, name: str, source: list[str]) -> None:
    """Leave out the empty line that ends an example for doctest."""
    source[0] = source[0].replace("\n\n```\n", "\n```\n")


def tie(app: Sphinx, tree: nodes.document) -> None:
    """Keep a formula and the bracket, comma or ending that touches it on one line; browsers would part them."""
    for formula in list(tree.findall(nodes.math)):
        parent = formula.parent
        place = parent.index(formula)
        before, after = (parent[i] if 0 <= i < len(parent) else None for i in (place - 1, place + 1))
        opening = re.search(r"[(\[“‘]*$", before if isinstance(before, nodes.Text) else "")
        ending = re.match(r"\S*", after if isinstance(after, nodes.Text) else "")
        if opening and ending and (opening[0] or ending[0]):
            tied = nodes.inline("", "", nodes.Text(opening[0]), formula, nodes.Text(ending[0]), classes=["tied"])
            rest = [nodes.Text(before[: opening.start()])] if opening[0] else []
            parent[place - len(rest) : place + (1 + bool(ending[0]))] = [
                *rest, tied, *([nodes.Text(after[ending.end() :])] if ending[0] else [])
            ]  # fmt: skip


def try_it(app: Sphinx, tree: nodes.document) -> None:
    """Below a command that the calculator's page knows, a link that asks it there."""
    for block in list(tree.findall(nodes.literal_block)):
        if block.get("language") == "console" and (page := trying.address(block.astext() + "\n")):
            link = nodes.reference("", "Ask the calculator", refuri="../" * app.env.docname.count("/") + page)
            block.parent.insert(block.parent.index(block) + 1, nodes.paragraph("", "", link, classes=["try"]))


def setup(app: Sphinx) -> None:
    """Called by Sphinx."""
    app.add_lexer("console", TextLexer)  # the usual one colours parts of numbers
    app.connect("source-read", last_lines)
    app.connect("doctree-read", tie)
    app.connect("doctree-read", try_it)
    app.add_directive("public", Public)
    app.add_directive("commands", Commands)
    app.connect("missing-reference", public_name)
    app.connect("autodoc-process-signature", aliases)
