"""Put new keys into a YAML document: the `skip` block, missing roles, `gen_batch_size`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from skip_config import releases
from skip_config.formats.yaml.block import Line, Style, render, render_flow
from skip_config.formats.yaml.tree import Document, Node, pair_of
from skip_config.source import Edit, Source, Span


def insert_block(
    source: Source,
    document: Document,
    root: Node,
    block: Line,
    style: Style,
    deletions: Sequence[Edit],
    before: tuple[Node, Node] | None,
) -> list[Edit]:
    """Insert a new top-level key.

    Args:
        source: The file.
        document: The document that gets it.
        root: Its root mapping.
        block: The key with what is below it.
        style: Layout of the file.
        deletions: Edits that are made besides; nothing is inserted inside them.
        before: The top-level pair that it is to precede, or None for the end of the document.
    """
    if root.flow:
        return [_into_flow(source, root, [block], deletions)]
    text = render([block], style)
    if before:
        position = _above_with_comments(source, before[0])
        return [Edit(Span(position, position), text + (style.newline if style.spaced else ""))]
    position = _outside(_end_of(source, document, root), deletions)
    return [_at_end(source, document, position, text, style, deletions)]


def insert_into(source: Source, pair: tuple[Node, Node], lines: Sequence[Line], style: Style) -> list[Edit]:
    """Append keys to the mapping of a pair, which may be null or empty."""
    key, mapping = pair
    if mapping.kind == "mapping" and mapping.pairs and mapping.flow:
        return [_into_flow(source, mapping, lines, ())]
    if mapping.kind == "mapping" and mapping.pairs:
        first = mapping.pairs[0][0]
        column = first.start - source.line_span(first.start).start
        last = max(mapping.pairs[-1][0].end, mapping.pairs[-1][1].end)
        return [_below(source, last, render(lines, replace(style, column=column)), style)]
    if key.end != mapping.end and mapping.kind == "mapping" and _inside_flow(source, key):
        return [Edit(Span(mapping.start, mapping.end), f"{{{render_flow(lines)}}}")]
    column = key.start - source.line_span(key.start).start
    text = render(lines, replace(style, column=column + style.indent))
    colon = source.text.index(":", key.end) + 1
    edits = [_below(source, max(key.end, mapping.end), text, style)]
    if mapping.end > colon:
        edits.append(Edit(Span(colon, mapping.end), ""))
    return edits


def insert_first(source: Source, mapping: Node, line: Line, style: Style) -> Edit:
    """Insert a key before the first one of a mapping that has some."""
    first = mapping.pairs[0][0]
    if mapping.flow:
        return Edit(Span(first.start, first.start), f"{render_flow([line])}, ")
    start = source.line_span(first.start).start
    column = first.start - start
    return Edit(Span(start, start), render([line], replace(style, column=column)))


def insert_after(source: Source, mapping: Node, pair: tuple[Node, Node], line: Line, style: Style) -> Edit:
    """Insert a key directly after another one."""
    key, value = pair
    end = max(key.end, value.end)
    if mapping.flow:
        return Edit(Span(end, end), f", {render_flow([line])}")
    column = key.start - source.line_span(key.start).start
    return _below(source, end, render([line], replace(style, column=column)), style)


def _below(source: Source, offset: int, text: str, style: Style) -> Edit:
    """Insert lines behind the line that holds `offset`."""
    line = source.line_span(max(offset - 1, 0))
    if source.text[line.start : line.end].endswith(("\n", "\r")):
        return Edit(Span(line.end, line.end), text)
    return Edit(Span(line.end, line.end), style.newline + text.removesuffix(style.newline))


def _into_flow(source: Source, mapping: Node, lines: Sequence[Line], deletions: Sequence[Edit]) -> Edit:
    kept = [pair for pair in mapping.pairs if not _deleted(pair[0].start, deletions)]
    if not kept:
        position = mapping.end - 1
        return Edit(Span(position, position), render_flow(lines))
    key, value = kept[-1]
    end = max(key.end, value.end)
    own_line = source.line_span(key.start).start != source.line_span(mapping.start).start
    line = source.line_span(key.start)
    lead = source.text[line.start : key.start] if own_line else ""
    gap = f",{source.newline}{lead}" if own_line and not lead.strip() else ", "
    return Edit(Span(end, end), gap + render_flow(lines))


def _inside_flow(source: Source, key: Node) -> bool:
    line = source.line_span(key.start)
    return bool(source.text[line.start : key.start].strip())


def _deleted(offset: int, deletions: Sequence[Edit]) -> bool:
    return any(edit.span.start <= offset < edit.span.end for edit in deletions)


def _above_with_comments(source: Source, key: Node) -> int:
    start = source.line_span(key.start).start
    while start > 0:
        above = source.line_span(start - 1)
        if not source.text[above.start : above.end].startswith("#"):
            break
        start = above.start
    return start


def _last_leaf(node: Node) -> Node:
    while node.pairs or node.items:
        node = node.pairs[-1][1] if node.pairs else node.items[-1]
    return node


def _end_of(source: Source, document: Document, root: Node) -> int:
    """Behind the last line of a document that is not blank."""
    text = source.text
    leaf = _last_leaf(root)
    if leaf.style in ("|", ">") and "+" in text[leaf.start : leaf.end].splitlines()[0]:
        return document.end  # the blank lines at the end belong to its value
    position = document.start + len(text[document.start : document.end].rstrip())
    return min(source.line_span(max(position - 1, 0)).end, document.end)


def _outside(position: int, deletions: Sequence[Edit]) -> int:
    for edit in deletions:
        if edit.span.start < position < edit.span.end:
            return edit.span.end
    return position


def _at_end(
    source: Source, document: Document, position: int, text: str, style: Style, deletions: Sequence[Edit]
) -> Edit:
    before = position
    while True:
        ending = next((edit for edit in deletions if edit.span.end == before and not edit.text), None)
        if ending is None:
            break
        before = ending.span.start
    lines_above = source.text[document.start : before]
    if lines_above and not lines_above.endswith(("\n", "\r")):
        text = style.newline + text
    last = lines_above.splitlines()[-1] if lines_above.strip() else ""
    if style.spaced and last.strip():
        text = style.newline + text
    if position == len(source.text) and not source.text.endswith(("\n", "\r")) and source.text:
        text = text.removesuffix(style.newline)
    return Edit(Span(position, position), text)


def gen_batch_size(source: Source, root: Node, style: Style) -> Edit | None:
    """Insert `gen_batch_size: null` directly after `data.train_batch_size`, unless the key is there."""
    data = pair_of(root, releases.GEN_BATCH_SIZE[0])
    if data is None or data[1].kind != "mapping":
        return None
    before = pair_of(data[1], releases.TRAIN_BATCH_SIZE[1])
    if before is None or pair_of(data[1], releases.GEN_BATCH_SIZE[1]):
        return None
    return insert_after(source, data[1], before, Line(releases.GEN_BATCH_SIZE[1], "null"), style)
