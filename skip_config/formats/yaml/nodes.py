"""YAML as nodes with exact positions, and ways through them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal


@dataclass(slots=True, eq=False)
class Node:
    """One scalar, mapping, sequence or alias.

    Args:
        kind: What it is.
        start: Offset of its first character, anchor and tag included.
        end: Offset behind its last character; for a collection in block style, of its last content.
        value: A scalar's text, or an alias's name.
        style: A scalar's style: None (plain), `'`, `"`, `|` or `>`.
        flow: Whether a collection is written with brackets.
        anchor: Name of its anchor.
        tag: Its tag, when the file writes one.
        pairs: Keys and values of a mapping, in order.
        items: Items of a sequence, in order.
        target: The node that an alias stands for.
    """

    kind: Literal["scalar", "mapping", "sequence", "alias"]
    start: int
    end: int
    value: str = ""
    style: str | None = None
    anchor: str | None = None
    tag: str | None = None
    flow: bool = False
    pairs: Sequence[tuple[Node, Node]] = ()
    items: Sequence[Node] = ()
    target: Node | None = None

    def resolved(self) -> Node:
        """The node itself, or what the alias stands for."""
        return self.target if self.target is not None else self

    @property
    def is_null(self) -> bool:
        """Whether it is written as nothing at all, as in `skip:`."""
        return self.kind == "scalar" and self.style is None and not self.value and self.tag is None


@dataclass(slots=True)
class Document:
    """One document of a stream.

    Args:
        root: Its content, or None when it is empty.
        start: Offset at which it starts.
        end: Offset at which the next document, an end marker or the end of the text follows.
        anchored: Whether it has anchors.
    """

    root: Node | None
    start: int
    end: int
    anchored: bool = False


def walk(root: Node) -> Iterator[tuple[tuple[str, ...], Node]]:
    """Every node below and including `root` with its path; aliases are not followed.

    Items of a sequence have their index as the last part of the path.
    """
    stack: list[tuple[tuple[str, ...], Node]] = [((), root)]
    while stack:
        path, node = stack.pop()
        yield path, node
        if node.pairs:
            stack += [((*path, key.resolved().value), child) for key, child in reversed(node.pairs)]
        elif node.items:
            stack += [((*path, str(index)), node.items[index]) for index in range(len(node.items) - 1, -1, -1)]


def pair_of(mapping: Node, name: str) -> tuple[Node, Node] | None:
    """The key and the value that a mapping itself writes under `name`, merge keys left out."""
    for key, value in mapping.pairs:
        if key.kind == "scalar" and key.value == name:
            return key, value
    return None


def entries(mapping: Node) -> dict[str, tuple[Node, Node]]:
    """Keys and values of a mapping with merge keys (`<<`) applied, as the loader does."""
    found: dict[str, tuple[Node, Node]] = {}
    pending = [mapping]
    visited: set[int] = set()
    while pending:
        current = pending.pop(0)
        if id(current) in visited:
            continue
        visited.add(id(current))
        for key, value in current.pairs:
            if is_merge(key):
                merged = value.resolved()
                pending += [item.resolved() for item in merged.items] if merged.kind == "sequence" else [merged]
            elif key.resolved().kind == "scalar":
                found.setdefault(key.resolved().value, (key, value))
    return found


def is_merge(key: Node) -> bool:
    """Whether a key is `<<`, written plain."""
    return key.kind == "scalar" and key.style is None and key.tag is None and key.value == "<<"


def select(root: Node | None, *path: str) -> Node | None:
    """The node at a path of keys, aliases and merge keys followed, or None."""
    node = root.resolved() if root is not None else None
    for part in path:
        if node is None or node.kind != "mapping":
            return None
        found = pair_of(node, part) or entries(node).get(part)  # what it writes itself wins
        node = found[1].resolved() if found else None
    return node
