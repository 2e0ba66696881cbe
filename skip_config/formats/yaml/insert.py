"""Put new keys into a YAML document: the `skip` block, missing roles, `gen_batch_size`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from skip_config import releases
from skip_config.formats.yaml.block import Line, Style, column_of, render, render_flow
from skip_config.formats.yaml.brackets import into_flow, is_json, outside
from skip_config.formats.yaml.ending import end_of, keeps_blank_lines, leaf_before, unfinished_text
from skip_config.formats.yaml.nodes import Document, Node, pair_of, walk
from skip_config.formats.yaml.removal import comma_after
from skip_config.formats.yaml.scalars import holds_nothing
from skip_config.source import Edit, Source, Span

Pair = tuple[Node, Node]


class CannotInsertError(Exception):
    """Keys cannot be put into a mapping by inserting characters.

    Args:
        node: What stands in the way.
        why: The reason, as the rest of a sentence that starts with its name.
    """

    def __init__(self, node: Node, why: str) -> None:
        super().__init__(why)
        self.node = node
        self.why = why


def insert_block(
    source: Source,
    document: Document,
    root: Node,
    block: Line,
    style: Style,
    deletions: Sequence[Edit],
    before: Pair | None,
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
        return into_flow(source, root, [block], style, deletions)
    check_start(source, root)
    text = render([block], style)
    before = before or unfinished_text(source, document, root)
    if before:
        position = _above_with_comments(source, before[0])
        return [Edit(Span(position, position), text + (style.newline if style.spaced else ""))]
    position = outside(end_of(source, document, root), deletions)
    return [_at_end(source, document, root, position, text, style, deletions)]


def check_start(source: Source, root: Node) -> None:
    """See that the keys of a block mapping start their lines: there could be a U+FEFF before them.

    Raises:
        CannotInsertError: They do not.
    """
    first = root.pairs[0][0]
    if column_of(source, first) is None:
        raise CannotInsertError(first, "does not stand first in its line")


def insert_into(source: Source, root: Node, pair: Pair, lines: Sequence[Line], style: Style) -> list[Edit]:
    """Append keys to the mapping of a pair, which may be null or empty.

    Raises:
        CannotInsertError: What stands there is no mapping, or other places share it.
    """
    key, mapping = pair
    if mapping.kind == "alias":
        raise CannotInsertError(key, "is an alias")
    if mapping.anchor is not None and is_shared(root, mapping):
        raise CannotInsertError(key, f"has the anchor &{mapping.anchor}, which other places use")
    if mapping.kind == "mapping" and mapping.pairs:
        return _into_mapping(source, mapping, lines, style)
    if mapping.kind == "sequence" or (mapping.kind == "scalar" and not holds_nothing(mapping)):
        shown = mapping.value if mapping.kind == "scalar" else "a list"
        raise CannotInsertError(key, f"is {shown}, and not a mapping")
    colon = source.text[key.end : mapping.start].rstrip()[-1:] == ":"
    column = column_of(source, key)
    if column is None and mapping.kind == "mapping":
        return [Edit(Span(mapping.start, mapping.end), f"{{{render_flow(lines)}}}")]
    if column is None and colon:
        return [Edit(Span(mapping.start, mapping.end), f" {{{render_flow(lines)}}}")]
    if column is None or not colon or "?" in source.text[source.line_span(key.start).start : key.start]:
        raise CannotInsertError(key, "is written in a way that cannot be added to")
    text = render(lines, replace(style, column=column + style.indent))
    edits = [_below(source, max(key.end, mapping.end), text, style)]
    after_colon = source.text.index(":", key.end) + 1
    if mapping.end > after_colon:
        edits.append(Edit(Span(after_colon, mapping.end), ""))
    return edits


def _into_mapping(source: Source, mapping: Node, lines: Sequence[Line], style: Style) -> list[Edit]:
    if mapping.flow:
        return into_flow(source, mapping, lines, style, ())
    first = mapping.pairs[0][0]
    column = column_of(source, first)
    if column is None:  # behind `- ` or `: `; its column is still that of its keys
        column = first.start - source.line_span(first.start).start
    last = max(mapping.pairs[-1][0].end, mapping.pairs[-1][1].end)
    return [_below(source, last, render(lines, replace(style, column=column)), style)]


def insert_first(source: Source, mapping: Node, line: Line, style: Style) -> Edit:
    """Insert a key before the first one of a mapping that has some."""
    first = mapping.pairs[0][0]
    column = column_of(source, first)
    if mapping.flow or column is None:
        if not mapping.flow:
            raise CannotInsertError(first, "is written in a way that cannot be added to")
        return Edit(Span(first.start, first.start), f"{render_flow([line], as_json=is_json(mapping))}, ")
    start = source.line_span(first.start).start
    return Edit(Span(start, start), render([line], replace(style, column=column)))


def insert_after(source: Source, mapping: Node, pair: Pair, line: Line, style: Style) -> list[Edit]:
    """Insert a key directly after another one."""
    key, value = pair
    end = max(key.end, value.end)
    column = column_of(source, key)
    if not mapping.flow:
        if column is None:
            column = key.start - source.line_span(key.start).start
        return [_below(source, end, render([line], replace(style, column=column)), style)]
    text = render_flow([line], as_json=is_json(mapping))
    comma = comma_after(source.text, end)
    if column is None or comma is None or source.line_span(comma).start != source.line_span(key.start).start:
        return [Edit(Span(end, end), f", {text}")]
    rest = source.text[comma + 1 : source.line_span(comma).end].strip()
    if rest and not rest.startswith("#"):
        return [Edit(Span(end, end), f", {text}")]
    return [_below(source, comma + 1, f"{' ' * column}{text},{style.newline}", style)]


def is_shared(root: Node, node: Node) -> bool:
    """Whether an alias stands for the node."""
    return any(one.target is node for _, one in walk(root) if one.kind == "alias")


def united(edits: Sequence[Edit]) -> list[Edit]:
    """Insertions at the same place as one: what belongs deeper comes first."""
    at: dict[int, list[str]] = {}
    result = []
    for edit in edits:
        if edit.span.start == edit.span.end:
            at.setdefault(edit.span.start, []).append(edit.text)
        else:
            result.append(edit)
    for position, texts in at.items():
        result.append(Edit(Span(position, position), "".join(sorted(texts, key=_depth, reverse=True))))
    return result


def _depth(text: str) -> int:
    text = text.lstrip("\r\n")
    return len(text) - len(text.lstrip(" "))


def _below(source: Source, offset: int, text: str, style: Style) -> Edit:
    """Insert lines behind the line that holds `offset`."""
    line = source.line_span(max(offset - 1, 0))
    if source.text[line.start : line.end].endswith(("\n", "\r")):
        return Edit(Span(line.end, line.end), text)
    return Edit(Span(line.end, line.end), style.newline + text.removesuffix(style.newline))


def _above_with_comments(source: Source, key: Node) -> int:
    start = source.line_span(key.start).start
    while start > 0:
        above = source.line_span(start - 1)
        if not source.text[above.start : above.end].startswith("#"):
            break
        start = above.start
    return start


def _at_end(
    source: Source, document: Document, root: Node, position: int, text: str, style: Style, deletions: Sequence[Edit]
) -> Edit:
    before = position
    while True:
        ending = next((edit for edit in deletions if edit.span.end == before and not edit.text), None)
        if ending is None or ending.span.start == before:
            break
        before = ending.span.start
    lines_above = source.text[document.start : before]
    if lines_above and not lines_above.endswith(("\n", "\r")):
        text = style.newline + text
    last = lines_above.splitlines()[-1] if lines_above.strip() else ""
    # A comment on the last line would look like the heading of the block.
    parted = style.spaced or last.lstrip().startswith("#")
    if parted and last.strip() and not keeps_blank_lines(source, leaf_before(root, before)):
        text = style.newline + text
    if position == len(source.text) and not source.text.endswith(("\n", "\r")) and source.text:
        text = text.removesuffix(style.newline)
    return Edit(Span(position, position), text)


def gen_batch_size(source: Source, root: Node, style: Style) -> list[Edit]:
    """Insert `gen_batch_size: null` directly after `data.train_batch_size`, unless the key is there."""
    data = pair_of(root, releases.GEN_BATCH_SIZE[0])
    if data is None or data[1].kind != "mapping" or (data[1].anchor and is_shared(root, data[1])):
        return []
    before = pair_of(data[1], releases.TRAIN_BATCH_SIZE[1])
    if before is None or pair_of(data[1], releases.GEN_BATCH_SIZE[1]):
        return []
    return insert_after(source, data[1], before, Line(releases.GEN_BATCH_SIZE[1], "null"), style)
