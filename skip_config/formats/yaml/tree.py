"""A YAML text as nodes with exact positions, built from libyaml's event stream.

Composed nodes (`yaml.compose`) mislead: an alias carries its anchor's marks, and the end of a block
collection runs over the comments behind it. Here an alias is a node of its own, and a collection ends
where its last content ends.
"""

from __future__ import annotations

import re
from typing import Any, Literal

import yaml

from skip_config.formats.yaml.nodes import Document, Node
from skip_config.formats.yaml.scalars import scalar

MAX_DEPTH = 400
"""Levels of nesting that are read. verl's deepest file has 9."""

try:
    Loader: Any = yaml.CSafeLoader
except AttributeError:  # PyYAML built without libyaml
    Loader = yaml.SafeLoader


class UnreadableError(Exception):
    """The text is not YAML, or not YAML that OmegaConf would load.

    Args:
        message: What is wrong, in one line.
        start, end: Offsets of the place in the text.
        name: Name of the diagnostic.
    """

    def __init__(self, message: str, start: int, end: int, name: str = "cannot-parse") -> None:
        super().__init__(message)
        self.message = message
        self.start = start
        self.end = end
        self.name = name


def parse(text: str, loader: Any = None) -> list[Document]:
    """Read all documents of a text.

    Args:
        text: The text, without byte-order mark.
        loader: PyYAML loader class whose parser is used; libyaml's where there is one.

    Raises:
        UnreadableError: It is not YAML, has a doubled key (which OmegaConf refuses), an alias without
            anchor, or more than `MAX_DEPTH` levels.
    """
    stream: Any = None
    try:
        stream = (loader or Loader)(text)
        return _documents(stream, text)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        offset = min(mark.index, len(text)) if mark else 0
        context = f"{error.context}, " if error.context else ""
        raise UnreadableError(f"not YAML: {context}{error.problem}", offset, offset) from None
    except yaml.YAMLError as error:
        reason = getattr(error, "reason", None) or str(error).splitlines()[0]
        raise UnreadableError(f"not YAML: {reason}", 0, 0) from None
    finally:
        if stream is not None:
            stream.dispose()


def _documents(stream: Any, text: str) -> list[Document]:
    documents: list[Document] = []
    while True:
        event = stream.get_event()
        if isinstance(event, yaml.StreamEndEvent):
            return documents
        if isinstance(event, yaml.DocumentStartEvent):
            start = _offset(event.start_mark)
            if documents:
                documents[-1].end = min(documents[-1].end, start)
            builder = _Builder(stream, text)
            documents.append(Document(builder.build(), start, len(text), bool(builder.anchors)))
        elif isinstance(event, yaml.DocumentEndEvent) and event.explicit:
            documents[-1].end = _offset(event.start_mark)


def _offset(mark: Any) -> int:
    index: int = mark.index
    return index


class _Builder:
    """Turns the events of one document into nodes, without recursion."""

    def __init__(self, stream: Any, text: str) -> None:
        self._stream = stream
        self._text = text
        self.anchors: dict[str, Node] = {}

    def build(self) -> Node | None:
        next_event = self._stream.get_event
        scalar_event, alias_event = yaml.ScalarEvent, yaml.AliasEvent
        open_collections: list[_Open] = []
        current: _Open | None = None
        while True:
            event = next_event()
            kind = type(event)
            if kind is scalar_event:
                node = self._scalar(event)
            elif kind is alias_event:
                node = self._alias(event)
            elif kind in _STARTS:
                node = self._collection(_STARTS[kind], event)
                if current is not None:
                    current.add(node)
                if len(open_collections) >= MAX_DEPTH:
                    raise UnreadableError(f"nested deeper than {MAX_DEPTH} levels", node.start, node.start)
                current = _Mapping(node, self._text) if node.kind == "mapping" else _Sequence(node)
                open_collections.append(current)
                continue
            else:  # the end of a collection
                closed = open_collections.pop()
                closed.close(event)
                if not open_collections:
                    return closed.node
                current = open_collections[-1]
                continue
            if current is None:
                return None if node.is_null and node.anchor is None else node
            current.add(node)

    def _scalar(self, event: Any) -> Node:
        start, end, style = event.start_mark.index, event.end_mark.index, event.style or None
        if style in _BLOCK_STYLES:
            end = start + len(self._text[start:end].rstrip())
        node = Node("scalar", start, end, event.value, style, event.anchor, event.tag)
        if node.anchor is not None:
            self._name(node, node.anchor)
        return node

    def _collection(self, kind: Literal["mapping", "sequence"], event: Any) -> Node:
        start, end = event.start_mark.index, event.end_mark.index
        node = Node(kind, start, end, "", None, event.anchor, event.tag, bool(event.flow_style))
        if node.anchor is not None:
            self._name(node, node.anchor)
        return node

    def _name(self, node: Node, anchor: str) -> None:
        if anchor in self.anchors:
            raise UnreadableError(f"the anchor &{anchor} stands twice, which OmegaConf refuses", node.start, node.end)
        self.anchors[anchor] = node

    def _alias(self, event: Any) -> Node:
        start, end = event.start_mark.index, event.end_mark.index
        target = self.anchors.get(event.anchor)
        if target is None:
            raise UnreadableError(f"the alias *{event.anchor} has no anchor before it", start, end)
        return Node("alias", start, end, event.anchor, target=target)


_STARTS: dict[type, Literal["mapping", "sequence"]] = {
    yaml.MappingStartEvent: "mapping",
    yaml.SequenceStartEvent: "sequence",
}
_BLOCK_STYLES = ("|", ">")


def _is_text(key: Node) -> bool:
    try:
        return isinstance(scalar(key), str)
    except ValueError:  # a tag of another program
        return False


_COLON = re.compile(r"[ \t]*:")


class _Mapping:
    """A mapping whose end has not come yet."""

    __slots__ = ("_key", "_pairs", "_seen", "_text", "node")

    def __init__(self, node: Node, text: str) -> None:
        self.node = node
        self._text = text
        self._pairs: list[tuple[Node, Node]] = []
        node.pairs = self._pairs
        self._key: Node | None = None
        self._seen: dict[str, Node] = {}

    def add(self, node: Node) -> None:
        if self._key is not None:
            if node.start == node.end and node.kind == "scalar" and self._text[node.start - 1] != ":":
                self._place_behind_key(self._key, node)
            self._pairs.append((self._key, node))
            self._key = None
            return
        self._key = node
        if node.kind != "scalar":
            return
        name = node.value
        if name in self._seen and name != "<<" and _is_text(node) and _is_text(self._seen[name]):
            raise UnreadableError(
                f"the key {name!r} stands twice in one mapping, which OmegaConf refuses",
                node.start,
                node.end,
                "duplicate-key",
            )
        if name not in self._seen or _is_text(node):
            self._seen[name] = node

    def _place_behind_key(self, key: Node, nothing: Node) -> None:
        """Where a value that is not written belongs: libyaml puts it at its key, or (`? key`) at the next token."""
        colon = _COLON.match(self._text, key.end)
        nothing.start = nothing.end = colon.end() if colon else key.end

    def close(self, event: Any) -> None:
        if self.node.flow:
            self.node.end = event.end_mark.index
        elif self._pairs:
            key, value = self._pairs[-1]
            self.node.end = max(key.end, value.end)


class _Sequence:
    """A sequence whose end has not come yet."""

    __slots__ = ("_items", "node")

    def __init__(self, node: Node) -> None:
        self.node = node
        self._items: list[Node] = []
        node.items = self._items

    def add(self, node: Node) -> None:
        self._items.append(node)

    def close(self, event: Any) -> None:
        if self.node.flow:
            self.node.end = event.end_mark.index
        elif self._items:
            self.node.end = self._items[-1].end


_Open = _Mapping | _Sequence
