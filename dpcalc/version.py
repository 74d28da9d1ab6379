"""The version, in its one home: the package, its documents and pyproject.toml read it here."""

__version__ = "0.2.0"
