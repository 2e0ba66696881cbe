"""Texts in JSON strings, whose characters are not those of the file."""

from __future__ import annotations

import json
import re
from typing import Final

from skip_config.formats.yaml.nodes import Node

_ESCAPE: Final = re.compile(r"\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|\\u[0-9a-fA-F]{4}|\\.")


def characters(text: str, node: Node) -> tuple[str, list[int]]:
    """The text of a string, as `json.read` gives it, and for each of its characters the offset in the file."""
    starts: list[int] = []
    at, end = node.start + 1, node.end - 1
    while at < end:
        starts.append(at)
        escape = _ESCAPE.match(text, at, end) if text[at] == "\\" else None
        at = escape.end() if escape else at + 1
    return node.value, starts


def escaped(text: str) -> str:
    """A text as it stands between the quotes of a JSON string."""
    return json.dumps(text, ensure_ascii=False)[1:-1]
