"""Carry values over to the new block as the file writes them, with their anchors."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from skip_config.formats.yaml.block import quoted
from skip_config.formats.yaml.nodes import Node, walk
from skip_config.formats.yaml.removal import Removal
from skip_config.source import Edit, Source, Span

_PROPERTIES = re.compile(r"(?:[&!][^\s,\[\]{}]*\s+)*")
_ANCHOR = re.compile(r"&[^\s,\[\]{}]+\s*")
_FLOW_SIGNS = re.compile(r"[,\[\]{}]")


class AnchorInUseError(Exception):
    """A mapping or a list goes that an alias elsewhere still needs.

    Args:
        node: The anchored node.
    """

    def __init__(self, node: Node) -> None:
        super().__init__(node.anchor)
        self.node = node


@dataclass(slots=True)
class Values:
    """The texts of values that move, and what becomes of their anchors.

    Args:
        source: The file.
        position: Where the new block is inserted.
        in_flow: Whether it is written in flow style.
        rewrite: Makes the interpolations of a value right for its new place; gets the value and its node.
        removal: What goes.
        edits: Aliases elsewhere that become the anchor, because it would otherwise come after them.
    """

    source: Source
    position: int
    in_flow: bool
    rewrite: Callable[[str, Node], str]
    removal: Removal
    edits: list[Edit] = field(default_factory=list)
    _anchored: dict[int, str] = field(default_factory=dict)  # node -> "here" or "there"
    _written: set[int] = field(default_factory=set)

    def settle_anchors(self, root: Node, carried: Sequence[Node]) -> None:
        """Decide for each anchor that goes where it is defined from now on.

        Raises:
            AnchorInUseError: It names a collection, whose text does not simply move.
        """
        for node, left in anchors_in_use(self.source, root, self.removal):
            if node.kind != "scalar":
                raise AnchorInUseError(node)
            moves = any(node is one for one in carried) and self.rewrite(node.value, node) == node.value
            if moves and left[0].start >= self.position and not self.in_flow:
                self._anchored[id(node)] = "here"
            else:  # defined where the first alias stands, whose place a relative interpolation counts from
                self._anchored[id(node)] = "there" if moves and left[0].start < self.position else "later"
                text = f"&{node.anchor} {scalar_text(self.source, node, node.value, in_flow=True)}"
                self.edits.append(Edit(Span(left[0].start, left[0].end), text))

    def text(self, node: Node) -> str:
        """A value's text for the new block."""
        if node.kind == "alias":
            target = node.resolved()
            if self.removal.covers(target.start):
                return self.text(target)
            return f"*{node.value}" if target.start < self.position else self._plain(target)
        where = self._anchored.get(id(node))
        if where == "there" or (where == "here" and id(node) in self._written):
            return f"*{node.anchor}"
        self._written.add(id(node))
        plain = self._plain(node)
        return f"&{node.anchor} {plain}" if where == "here" else plain

    def _plain(self, node: Node) -> str:
        return scalar_text(self.source, node, self.rewrite(node.value, node), in_flow=self.in_flow)


def scalar_text(source: Source, node: Node, value: str, *, in_flow: bool, with_anchor: bool = False) -> str:
    """The text of a scalar in a new place, on one line.

    Args:
        source: The file.
        node: The scalar as it stands.
        value: Its value, or another one for which its style is kept.
        in_flow: Whether the new place is inside brackets.
        with_anchor: Whether its anchor goes along.
    """
    raw = source.text[node.start : node.end]
    if node.kind != "scalar":
        return _ANCHOR.sub("", raw, count=1) if node.anchor and not with_anchor else raw
    match = _PROPERTIES.match(raw)
    properties = match[0] if match and (node.anchor or node.tag) else ""
    body = raw[len(properties) :]
    if node.anchor and not with_anchor:
        properties = _ANCHOR.sub("", properties, count=1)
    mark = node.style if node.style in ("'", '"') else ""
    if node.style in ("|", ">") or "\n" in body or "\r" in body:
        body = quoted(value, flow=in_flow)
    elif value != node.value:
        as_written = body == f"{mark}{node.value}{mark}"
        body = f"{mark}{value}{mark}" if as_written else quoted(value, flow=in_flow)
    if in_flow and node.style is None and _FLOW_SIGNS.search(body):
        body = quoted(value, flow=True)
    return properties + body


def anchors_in_use(source: Source, root: Node, removal: Removal) -> list[tuple[Node, list[Node]]]:
    """The anchored nodes that go, each with the aliases elsewhere that still need it, in order."""
    uses: dict[int, list[Node]] = {}
    anchored: list[Node] = []
    if not any("&" in source.text[region.start : region.end] for region in removal.regions):
        return []
    for _, node in _nodes(root):
        if node.kind == "alias" and not removal.covers(node.start):
            uses.setdefault(id(node.target), []).append(node)
        elif node.anchor is not None and removal.covers(node.start):
            anchored.append(node)
    return [(n, sorted(uses[id(n)], key=lambda use: use.start)) for n in anchored if id(n) in uses]


def first_user(source: Source, root: Node, removal: Removal) -> tuple[Node, Node] | None:
    """The first top-level pair that needs an anchor which goes, if it stands behind all that goes."""
    needed = [use.start for _, uses in anchors_in_use(source, root, removal) for use in uses]
    if not needed or min(needed) < max(region.end for region in removal.regions):
        return None
    pair = next(pair for pair in reversed(root.pairs) if pair[0].start <= min(needed))
    return pair if pair[0].start >= max(region.end for region in removal.regions) else None


def _nodes(root: Node) -> list[tuple[tuple[str, ...], Node]]:
    """All nodes, keys included."""
    found = []
    for path, node in walk(root):
        found.append((path, node))
        found += [(path, key) for key, _ in node.pairs]
    return found
