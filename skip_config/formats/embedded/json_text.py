"""A JSON text as nodes with exact positions: for hosts whose strings hold text of another language."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from json.decoder import scanstring  # type: ignore[attr-defined]
from typing import Final, Literal

_BLANKS: Final = re.compile(r"[ \t\r\n]*")
_LITERAL: Final = re.compile(r"-?\d[\d.eE+-]*|true|false|null|-?Infinity|NaN")
_ESCAPE: Final = re.compile(r"\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|\\u[0-9a-fA-F]{4}|\\.")
_MOST_LEVELS: Final = 200


class NotJsonError(ValueError):
    """The text is not JSON.

    Args:
        reason: What is wrong, in one line.
        at: Where.
    """

    def __init__(self, reason: str, at: int) -> None:
        super().__init__(reason)
        self.reason = reason
        self.at = at


@dataclass(frozen=True, slots=True)
class JsonNode:
    """A value in a JSON text.

    Args:
        kind: What it is; `other` for numbers and literals.
        start, end: Its range.
        value: The text of a string.
        members: Keys and values of an object, in order.
        items: Of an array.
    """

    kind: Literal["object", "array", "string", "other"]
    start: int
    end: int
    value: str = ""
    members: Sequence[tuple[str, JsonNode]] = ()
    items: Sequence[JsonNode] = ()

    def get(self, name: str) -> JsonNode | None:
        """The last member of that name, which is the one that counts."""
        return next((node for key, node in reversed(self.members) if key == name), None)


def parse(text: str) -> JsonNode:
    """Read a whole text.

    Raises:
        NotJsonError: It is something else.
    """
    try:
        node = _value(text, _skip(text, 0), 0)
    except json.JSONDecodeError as error:
        raise NotJsonError(error.msg, error.pos) from None
    end = _skip(text, node.end)
    if end != len(text):
        raise NotJsonError("something stands behind the value", end)
    return node


def _skip(text: str, at: int) -> int:
    match = _BLANKS.match(text, at)
    return match.end() if match else at


def _value(text: str, at: int, level: int) -> JsonNode:
    char = text[at : at + 1]
    if level > _MOST_LEVELS:
        raise NotJsonError(f"nested deeper than {_MOST_LEVELS} levels", at)
    if char == '"':
        value, end = scanstring(text, at + 1, False)
        return JsonNode("string", at, end, value)
    if char == "{":
        return _object(text, at, level)
    if char == "[":
        return _array(text, at, level)
    literal = _LITERAL.match(text, at)
    if literal is None:
        raise NotJsonError("no value", at)
    return JsonNode("other", at, literal.end())


def _object(text: str, start: int, level: int) -> JsonNode:
    members: list[tuple[str, JsonNode]] = []
    at = _skip(text, start + 1)
    while text[at : at + 1] != "}":
        if members:
            at = _expect(text, at, ",")
        if text[at : at + 1] != '"':
            raise NotJsonError("no key", at)
        key, at = scanstring(text, at + 1, False)
        at = _expect(text, _skip(text, at), ":")
        node = _value(text, at, level + 1)
        members.append((key, node))
        at = _skip(text, node.end)
    return JsonNode("object", start, at + 1, members=members)


def _array(text: str, start: int, level: int) -> JsonNode:
    items: list[JsonNode] = []
    at = _skip(text, start + 1)
    while text[at : at + 1] != "]":
        if items:
            at = _expect(text, at, ",")
        items.append(_value(text, at, level + 1))
        at = _skip(text, items[-1].end)
    return JsonNode("array", start, at + 1, items=items)


def _expect(text: str, at: int, sign: str) -> int:
    if text[at : at + 1] != sign:
        raise NotJsonError(f"no {sign!r}", at)
    return _skip(text, at + 1)


def characters(text: str, node: JsonNode) -> tuple[str, list[int]]:
    """The text of a string, and for each of its characters the offset in the file."""
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
