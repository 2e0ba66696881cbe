"""Commands in the documents: each `$ skipcfg …` of a console block with the output that stands below it."""

from __future__ import annotations

import re
from pathlib import Path
from typing import NamedTuple

DOCS = Path(__file__).parents[1] / "docs"

_BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


class Example(NamedTuple):
    """A command and what it prints."""

    arguments: list[str]
    output: str


def files_of(text: str) -> dict[str, str]:
    """YAML blocks that begin with their file name in a comment."""
    found = {}
    for kind, body in _BLOCK.findall(text):
        head, _, rest = body.partition("\n")
        if kind == "yaml" and head.startswith("# "):
            found[head[2:].strip()] = rest
    return found


def examples_of(text: str) -> list[Example]:
    """Console blocks, one command each."""
    found = []
    for kind, body in _BLOCK.findall(text):
        if kind == "console":
            head, _, output = body.partition("\n")
            found.append(Example(head.removeprefix("$ skipcfg ").split(), output))
    return found
