"""The end of a document or file: text blocks to whose values it belongs, and line endings that stay as they were."""

from __future__ import annotations

import re

from skip_config.formats.yaml.nodes import Document, Node, walk
from skip_config.source import Edit, Source, Span

_KEEPS_BLANK_LINES = re.compile(r"[|>]\d?\+")


def _last_leaf(node: Node) -> Node:
    while node.pairs or node.items:
        node = node.pairs[-1][1] if node.pairs else node.items[-1]
    return node


def _is_block_text(node: Node) -> bool:
    return node.kind == "scalar" and node.style in ("|", ">")


def keeps_blank_lines(source: Source, node: Node) -> bool:
    """Whether it is a text such as `|+`, to whose value the blank lines behind it belong."""
    lines = source.text[node.start : node.end].splitlines()
    return _is_block_text(node) and bool(lines) and _KEEPS_BLANK_LINES.search(lines[0]) is not None


def unfinished_text(source: Source, document: Document, root: Node) -> tuple[Node, Node] | None:
    """The last top-level pair, if the file ends inside its text block: a line ending would add to its value."""
    last = _last_leaf(root)
    if _is_block_text(last) and document.end == len(source.text) and not source.text.endswith(("\n", "\r")):
        return root.pairs[-1]
    return None


def end_of(source: Source, document: Document, root: Node) -> int:
    """Behind the last line of a document that is not blank."""
    text = source.text
    if keeps_blank_lines(source, _last_leaf(root)):
        return document.end
    position = document.start + len(text[document.start : document.end].rstrip())
    return min(source.line_span(max(position - 1, 0)).end, document.end)


def ends_in_text_block(root: Node, offset: int) -> bool:
    """Whether what stands before an offset is a text block: its last line ending belongs to its value."""
    return _is_block_text(leaf_before(root, offset))


def leaf_before(root: Node, offset: int) -> Node:
    """The last leaf that starts before an offset."""
    leaves = [node for _, node in walk(root) if not node.pairs and not node.items and node.start < offset]
    return leaves[-1] if leaves else root


def ending_as_before(source: Source, root: Node, edits: list[Edit]) -> list[Edit]:
    """Where the last lines go, the file ends as before: with or without a line ending, without blank lines."""
    text = source.text
    start = len(text)
    tail: list[Edit] = []
    while (one := next((edit for edit in edits if edit.span.end == start and not edit.text), None)) and one.span.start:
        tail.append(one)
        start = one.span.start
    if not tail or any(edit.span == (len(text), len(text)) for edit in edits):
        return edits
    ended = text.endswith(("\n", "\r"))
    rest = [edit for edit in edits if edit not in tail and edit.span != (start, start)]
    before = "".join(edit.text for edit in edits if edit.span == (start, start))
    if before:
        return [*rest, Edit(Span(start, len(text)), before if ended else before.removesuffix(source.newline))]
    if ends_in_text_block(root, start):
        return edits
    kept = len(text[:start].rstrip())
    kept = max([kept, *(edit.span.end for edit in rest)])
    if ended:
        kept = source.line_span(max(kept - 1, 0)).end
    return [*rest, Edit(Span(min(kept, start), len(text)), "")]
