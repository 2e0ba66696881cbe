"""Field docs of the schema, read from the docstrings of its classes: one text for people, files and editors."""

from __future__ import annotations

import inspect
import re

_FIELD = re.compile(r"^    (\w+): ((?:.+\n?)(?:^ {8}.*\n?)*)", re.MULTILINE)


def first_line(cls: type) -> str:
    """The summary of a class: the first line of its docstring."""
    return inspect.getdoc(cls).splitlines()[0] if cls.__doc__ else ""  # type: ignore[union-attr]


def of_fields(cls: type) -> dict[str, str]:
    """What each field means: the section `Args` of the docstring, by name, each text on one line."""
    text = inspect.getdoc(cls) or ""
    _, _, section = text.partition("Args:\n")
    section, _, _ = section.partition("\n\n")
    return {match[1]: " ".join(match[2].split()) for match in _FIELD.finditer(section)}
