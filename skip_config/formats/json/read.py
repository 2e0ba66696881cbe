"""Read JSON as a tree with exact positions; the nodes are those of `yaml.tree`, so that both share one machinery.

Comments and a comma behind the last item, which editors allow in their settings, are read too.
"""

from __future__ import annotations

import json
import re
from typing import Final

from skip_config.formats.yaml.nodes import Node
from skip_config.formats.yaml.tree import MAX_DEPTH, UnreadableError

_BLANK: Final = re.compile(r"[ \t\r\n]*(?:(?://[^\n]*(?=\n|\Z)|/\*[^*]*\*+(?:[^/*][^*]*\*+)*/)[ \t\r\n]*)*")
"""What stands between two signs; each text can be read in one way only."""

_STRING: Final = re.compile(r'"(?:[^"\\\x00-\x1f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"')
_NUMBER: Final = re.compile(r"-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?", re.ASCII)
_NAMES: Final = ("true", "false", "null", "NaN", "Infinity", "-Infinity")
"""The last three are what Python's `json` writes and reads besides."""


def parse(text: str) -> Node:
    """Read a text.

    Raises:
        UnreadableError: It is not JSON, has a doubled key, or more than `MAX_DEPTH` levels.
    """
    return _Reader(text).document()


def is_relaxed(text: str) -> bool:
    """Whether a text that can be read has comments or a comma too many.

    Raises:
        UnreadableError: As `parse`.
    """
    reader = _Reader(text)
    reader.document()
    return reader.relaxed


class _Reader:
    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self.relaxed = False

    def document(self) -> Node:
        self.blank()
        node = self.value(0)
        self.blank()
        if self.at < len(self.text):
            raise self.error("one value", self.at)
        return node

    def error(self, wanted: str, at: int) -> UnreadableError:
        found = repr(self.text[at]) if at < len(self.text) else "the end"
        return UnreadableError(f"not JSON: {found} where {wanted} should be", at, min(at + 1, len(self.text)))

    def blank(self) -> None:
        match = _BLANK.match(self.text, self.at)
        assert match is not None
        self.relaxed = self.relaxed or "/" in match[0]
        self.at = match.end()

    def sign(self) -> str:
        return self.text[self.at : self.at + 1]

    def value(self, depth: int) -> Node:
        if depth > MAX_DEPTH:
            raise UnreadableError(f"nested deeper than {MAX_DEPTH} levels", self.at, self.at)
        sign = self.sign()
        if sign == "{":
            return self.mapping(depth)
        if sign == "[":
            return self.sequence(depth)
        if sign == '"':
            return self.string()
        for name in _NAMES:
            if self.text.startswith(name, self.at):
                return self.scalar(name)
        number = _NUMBER.match(self.text, self.at)
        if number is None:
            raise self.error("a value", self.at)
        return self.scalar(number[0])

    def scalar(self, text: str) -> Node:
        start = self.at
        self.at += len(text)
        return Node("scalar", start, self.at, text)

    def string(self) -> Node:
        match = _STRING.match(self.text, self.at)
        if match is None:
            raise self.error("a text in double quotes", self.at)
        start, self.at = self.at, match.end()
        inner = match[0][1:-1]
        value = json.loads(match[0]) if "\\" in inner else inner
        return Node("scalar", start, self.at, value, '"')

    def mapping(self, depth: int) -> Node:
        start = self.at
        pairs: list[tuple[Node, Node]] = []
        names: set[str] = set()
        self.at += 1
        self.blank()
        while self.sign() != "}":
            key = self.string()
            if key.value in names:
                message = f"the key {key.value!r} stands twice in one object"
                raise UnreadableError(message, key.start, key.end, "duplicate-key")
            names.add(key.value)
            self.expect(":")
            pairs.append((key, self.value(depth + 1)))
            self.separator("}")
        self.at += 1
        return Node("mapping", start, self.at, flow=True, pairs=pairs)

    def sequence(self, depth: int) -> Node:
        start = self.at
        items: list[Node] = []
        self.at += 1
        self.blank()
        while self.sign() != "]":
            items.append(self.value(depth + 1))
            self.separator("]")
        self.at += 1
        return Node("sequence", start, self.at, flow=True, items=items)

    def expect(self, sign: str) -> None:
        self.blank()
        if self.sign() != sign:
            raise self.error(repr(sign), self.at)
        self.at += 1
        self.blank()

    def separator(self, close: str) -> None:
        """Step over a comma; stop before the end."""
        self.blank()
        if self.sign() == close:
            return
        self.expect(",")
        self.relaxed = self.relaxed or self.sign() == close
