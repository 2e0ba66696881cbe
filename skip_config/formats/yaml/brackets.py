"""Put new keys into a mapping that is written in brackets."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from skip_config.formats.yaml.block import Line, Style, column_of, render_flow, render_flow_lines
from skip_config.formats.yaml.nodes import Node
from skip_config.formats.yaml.removal import comma_after
from skip_config.source import Edit, Source, Span


def spans_lines(source: Source, node: Node) -> bool:
    """Whether a node is written on more than one line."""
    return source.line_span(node.start).end < node.end


def is_json(mapping: Node) -> bool:
    """Whether all its keys are in double quotes, as in JSON."""
    return all(key.style == '"' for key, _ in mapping.pairs)


def into_flow(
    source: Source, mapping: Node, lines: Sequence[Line], style: Style, deletions: Sequence[Edit]
) -> list[Edit]:
    """Append keys, laid out as the others are.

    Args:
        source: The file.
        mapping: The mapping.
        lines: The keys with what is below them.
        style: Layout of the file.
        deletions: Edits that are made besides.
    """
    as_json = is_json(mapping)
    kept = [pair for pair in mapping.pairs if not _deleted(pair[0].start, deletions)]
    if not spans_lines(source, mapping):
        text = render_flow(lines, as_json=as_json)
        if not kept:
            return [Edit(Span(mapping.end - 1, mapping.end - 1), text)]
        end = max(kept[-1][0].end, kept[-1][1].end)
        return [Edit(Span(end, end), f", {text}")]
    layout = _flow_layout(source, mapping, style)
    if not kept:
        return [_into_emptied(source, mapping, lines, layout, as_json)]
    end = max(kept[-1][0].end, kept[-1][1].end)
    comma = comma_after(source.text, end)
    if comma is not None and _deleted(comma, deletions):
        comma = None
    text = render_flow_lines(lines, layout, as_json=as_json, comma=comma is not None)
    edits = [] if comma is not None else [Edit(Span(end, end), ",")]
    position = end if comma is None else comma + 1
    line = source.line_span(position - 1)
    rest = "".join(source.text[at] for at in range(position, line.end) if not _deleted(at, deletions)).strip()
    if not rest or rest.startswith("#"):
        position = outside(line.end, deletions)
        if source.text[:position].endswith(("\n", "\r")):
            return [*edits, Edit(Span(position, position), text)]
    text = style.newline + text.removesuffix(style.newline)
    if edits and position == end:
        return [Edit(Span(end, end), "," + text)]
    return [*edits, Edit(Span(position, position), text)]


def _into_emptied(source: Source, mapping: Node, lines: Sequence[Line], layout: Style, as_json: bool) -> Edit:
    text = render_flow_lines(lines, layout, as_json=as_json, comma=False)
    first = mapping.pairs[0][0].start if mapping.pairs else mapping.end - 1
    start = source.line_span(first).start
    if start > mapping.start and mapping.pairs:
        closing = source.line_span(mapping.end - 1).start
        if source.text[closing : mapping.end - 1].strip():  # the bracket closes on a line with others
            text = text.removesuffix(layout.newline)
        return Edit(Span(start, start), text)
    return Edit(Span(mapping.end - 1, mapping.end - 1), layout.newline + text)


def _flow_layout(source: Source, mapping: Node, style: Style) -> Style:
    """`style` with the column and the indent of the keys of a mapping in brackets."""
    line = source.line_span(mapping.start)
    outer = len(source.text[line.start : line.end]) - len(source.text[line.start : line.end].lstrip(" "))
    columns = [column for key, _ in mapping.pairs if (column := column_of(source, key)) is not None]
    column = columns[-1] if columns else outer + style.indent
    return replace(style, column=column, indent=max(column - outer, 1) if columns else style.indent)


def _deleted(offset: int, deletions: Sequence[Edit]) -> bool:
    return any(edit.span.start <= offset < edit.span.end for edit in deletions)


def outside(position: int, deletions: Sequence[Edit]) -> int:
    """The position, or the end of the deletion that it lies in."""
    for edit in deletions:
        if edit.span.start < position < edit.span.end:
            return edit.span.end
    return position
