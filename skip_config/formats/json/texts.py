"""Overrides in the texts of a JSON file: lists of arguments, and command lines."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, replace
from typing import Final

from skip_config.formats.overrides import recognise
from skip_config.formats.python.scopes import Item, Scopes
from skip_config.formats.python.texts import Char, Part, Text
from skip_config.formats.python.tokens import Token, is_command_line, read_override_text, read_words
from skip_config.formats.yaml.nodes import Node
from skip_config.source import Source, Span

_LAUNCHED: Final = ("module", "program", "script", "entrypoint", "command", "cmd")
_ARGUMENTS: Final = ("args", "arguments", "argv", "overrides")
_ESCAPE: Final = re.compile(r"\\(?:u[0-9a-fA-F]{4}|.)")


@dataclass(frozen=True, slots=True)
class Lists:
    """The overrides of a file.

    Args:
        scopes: What comes together.
        rest: The tree of the file without them.
    """

    scopes: Scopes
    rest: Node


def read_lists(source: Source, root: Node) -> Lists:
    """Read every list of texts, and every text that is a command line."""
    scopes = Scopes()
    return Lists(scopes, _Reader(source, scopes).without(root))


class _Reader:
    def __init__(self, source: Source, scopes: Scopes) -> None:
        self.source = source
        self.scopes = scopes

    def without(self, node: Node) -> Node:
        """A tree without the overrides in it, which are noted."""
        if node.kind == "mapping":
            return self.mapping(node)
        if node.kind == "sequence":
            kept, items = self.sequence(node)
            self.scopes.roots.append(items)
            return kept
        return node if node.style is None else self.command_line(node)

    def mapping(self, node: Node) -> Node:
        """An object; a launcher's has what it launches under one key and the arguments under another."""
        launched: list[Item] = []
        pairs: list[tuple[Node, Node]] = []
        for key, value in node.pairs:
            if value.kind == "sequence" and key.value in (*_LAUNCHED, *_ARGUMENTS):
                kept, items = self.sequence(value)
                launched += items
                pairs.append((key, kept))
                continue
            if value.kind == "scalar" and key.value in _LAUNCHED:
                option = ("-m",) if key.value == "module" else ()
                launched += [Item(value.start, word=word) for word in (*option, *value.value.split())]
            pairs.append((key, self.without(value)))
        self.scopes.roots.append(tuple(launched))
        return replace(node, pairs=pairs)

    def sequence(self, node: Node) -> tuple[Node, tuple[Item, ...]]:
        items: list[Item] = []
        kept: list[Node] = []
        for one in node.items:
            token = self.override(one)
            if token is None:
                items.append(Item(one.start, word=one.value if one.kind == "scalar" else ""))
                kept.append(self.without(one))
                continue
            items.append(self.note(token))
            if not _moves(token):
                kept.append(one)
        return replace(node, items=kept), tuple(items)

    def override(self, node: Node) -> Token | None:
        if node.kind != "scalar" or node.style is None or "=" not in node.value:
            return None
        token = read_override_text(self.text(node))
        return replace(token, listed=True) if token is not None else None

    def command_line(self, node: Node) -> Node:
        if "rollout" not in node.value or "=" not in node.value:
            return node
        text = self.text(node)
        token = read_override_text(text)
        if token is not None:
            self.scopes.roots.append((self.note(token),))
            return replace(node, value="") if _moves(token) else node
        if not is_command_line(text):
            return node
        words = read_words(text)
        items = [self.note(one) if isinstance(one, Token) else Item(node.start, word=one) for one in words]
        self.scopes.roots.append(tuple(items))
        return replace(node, value=" ".join(one for one in words if isinstance(one, str)))

    def note(self, token: Token) -> Item:
        self.scopes.tokens[token.place] = token
        return Item(token.place, token=token)

    def text(self, node: Node) -> Text:
        """A text character by character."""
        raw = self.source.text
        part = Part(Span(node.start, node.end), "", '"')
        chars: list[Char] = []
        at = node.start + 1
        while at < node.end - 1:
            escape = _ESCAPE.match(raw, at) if raw[at] == "\\" else None
            end = escape.end() if escape else at + 1
            value = json.loads(f'"{escape[0]}"') if escape else raw[at]
            chars.append(Char("\N{REPLACEMENT CHARACTER}" if "\ud800" <= value <= "\udfff" else value, at, end, 0))
            at = end
        return Text(Span(node.start, node.end), tuple(chars), (part,), computes=False)


def _moves(token: Token) -> bool:
    meaning = recognise(token.key)
    return meaning is not None and meaning.kind in ("old", "new")
