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
from skip_config.formats.yaml.tree import Node
from skip_config.source import Source, Span

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
    return Lists(scopes, _Reader(source, scopes).without(root, listed=False))


class _Reader:
    def __init__(self, source: Source, scopes: Scopes) -> None:
        self.source = source
        self.scopes = scopes

    def without(self, node: Node, *, listed: bool) -> Node:
        """A tree without the overrides in it, which are noted."""
        if node.kind == "mapping":
            pairs = [(key, self.without(value, listed=False)) for key, value in node.pairs]
            return replace(node, pairs=pairs)
        if node.kind == "sequence":
            return self.sequence(node)
        return node if listed or node.style is None else self.command_line(node)

    def sequence(self, node: Node) -> Node:
        items: list[Item] = []
        kept: list[Node] = []
        for one in node.items:
            token = self.override(one)
            if token is None:
                items.append(Item(one.start, word=one.value if one.kind == "scalar" else ""))
                kept.append(self.without(one, listed=False))
                continue
            items.append(self.note(token))
            if not _moves(token):
                kept.append(one)
        self.scopes.roots.append(tuple(items))
        return replace(node, items=kept)

    def override(self, node: Node) -> Token | None:
        if node.kind != "scalar" or node.style is None or "=" not in node.value:
            return None
        token = read_override_text(self.text(node), 0)
        return replace(token, listed=True) if token is not None else None

    def command_line(self, node: Node) -> Node:
        if "rollout" not in node.value or "=" not in node.value:
            return node
        text = self.text(node)
        token = read_override_text(text, 0)
        if token is not None:
            self.scopes.roots.append((self.note(token),))
            return replace(node, value="") if _moves(token) else node
        if not is_command_line(text):
            return node
        words = read_words(text, 0)
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
