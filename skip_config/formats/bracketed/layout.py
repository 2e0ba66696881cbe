"""Lay out new pairs in a mapping with brackets as its other pairs are."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from skip_config.formats.yaml.nodes import Node
from skip_config.formats.yaml.places import OldPlace
from skip_config.formats.yaml.removal import Removal
from skip_config.source import Edit, Source, Span

_LONGEST_LINE: Final = 100


@dataclass(frozen=True, slots=True)
class Notation:
    """How a language writes what is moved.

    Args:
        pair: Writes a key and the text of its value.
        mapping: The signs around pairs.
        value: Writes a value.
        steps_through: Writes the steps up to a number that the old value's node computes; None when
            the language cannot.
        indent: Blanks per level where the file does not tell.
        final_comma: Whether the last pair on a line of its own has a comma.
        comma: What stands between pairs on one line.
    """

    pair: Callable[[str, str], str]
    mapping: tuple[str, str]
    value: Callable[[object], str]
    steps_through: Callable[[Node], str | None]
    indent: int
    final_comma: bool
    comma: str = ", "


def without_gap(source: Source, edits: Sequence[Edit]) -> list[Edit]:
    """Deletions of a comma and of what stood behind it, with the blanks in between."""
    joined: list[Edit] = []
    for edit in sorted(edits):
        last = joined[-1].span if joined else None
        between = source.text[last.end : edit.span.start] if last is not None else "-"
        if last is not None and not between.strip(" \t") and not (edit.text or joined[-1].text):
            joined[-1] = Edit(Span(last.start, max(last.end, edit.span.end)), "")
        else:
            joined.append(edit)
    return joined


def insert(
    source: Source,
    mapping: Node,
    pairs: Sequence[tuple[str, object]],
    removal: Removal,
    place: OldPlace,
    notation: Notation,
) -> list[Edit]:
    """Put pairs at the end of a mapping, laid out as its others are."""
    text = source.text
    kept = [pair for pair in mapping.pairs if not removal.covers(pair[0].start)]
    start = source.line_span(mapping.start)
    outer = text[start.start : mapping.start]
    outer = outer[: len(outer) - len(outer.lstrip(" \t"))]
    first = mapping.pairs[0][0] if mapping.pairs else None
    column = _own_line(source, first) if first else None
    pad = column if column is not None else outer
    unit = pad[len(outer) :] if column is not None and len(pad) > len(outer) else " " * notation.indent
    if column is None:
        pad = outer + unit
    block = place.nested[1] if place.nested else place.chain[-1]
    broken = column is not None and _spans_lines(text, block)
    comments = [comment.text for comment in removal.comments]
    lay = _Layout(notation, source.newline, unit)
    lines = [lay.pair(key, value, pad, broken) for key, value in pairs]
    if column is not None and not broken and any(len(line) > _LONGEST_LINE for line in lines):
        lines = [lay.pair(key, value, pad, True) for key, value in pairs]
    if column is None:
        return _on_one_line(mapping, kept, notation.comma.join(lines), notation.comma)
    above = "".join(f"{comment}{source.newline}{pad}" for comment in comments)
    body = above + f",{source.newline}{pad}".join(lines)
    if not kept:
        close = source.line_span(mapping.end - 1)
        ending = "," if notation.final_comma else ""
        if text[close.start : mapping.end - 1].strip() == "":
            return [Edit(Span(close.start, close.start), f"{pad}{body}{ending}{source.newline}")]
        return [Edit(Span(mapping.end - 1, mapping.end - 1), body)]
    key, value = kept[-1]
    last = max(key.end, value.end)
    return _below_last(source, mapping, last, f"{source.newline}{pad}{body}", removal)


def _on_one_line(mapping: Node, kept: Sequence[tuple[Node, Node]], text: str, comma: str) -> list[Edit]:
    if not kept:
        return [Edit(Span(mapping.end - 1, mapping.end - 1), text)]
    last = max(kept[-1][0].end, kept[-1][1].end)
    return [Edit(Span(last, last), f"{comma}{text}")]


def _below_last(source: Source, mapping: Node, last: int, body: str, removal: Removal) -> list[Edit]:
    """Behind the last pair that stays, and behind the comment on its line."""
    text = source.text
    line = source.line_span(last)
    end = line.start + len(text[line.start : line.end].rstrip("\r\n"))
    rest = text[last:end]
    comment = rest.partition("#")[0].strip() in ("", ",") and "#" in rest
    if not comment or end >= mapping.end:
        return [Edit(Span(last, last), f",{body}")]
    comma = last + rest.index(",") if rest.lstrip().startswith(",") else None
    # The removal takes a comma that would stand before nothing; something stands behind it now.
    if comma is not None and any(edit.span.start == comma for edit in removal.edits):
        return [Edit(Span(last, last), ","), Edit(Span(end, end), body)]
    if comma is not None:
        return [Edit(Span(end, end), f"{body},")]
    return [Edit(Span(last, last), ","), Edit(Span(end, end), body)]


def _own_line(source: Source, node: Node) -> str | None:
    """The indentation of a node that is the first on its line."""
    before = source.text[source.line_span(node.start).start : node.start]
    return before if not before.strip() else None


def _spans_lines(text: str, node: Node) -> bool:
    return "\n" in text[node.start : node.end] or "\r" in text[node.start : node.end]


@dataclass(frozen=True, slots=True)
class _Layout:
    notation: Notation
    newline: str
    unit: str

    def pair(self, key: str, value: object, pad: str, broken: bool) -> str:
        """A key with its value, which is a text or a list of pairs, without indentation before it."""
        if isinstance(value, str):
            return self.notation.pair(key, value)
        assert isinstance(value, list)
        opening, closing = self.notation.mapping
        inner = pad + self.unit
        lines = [self.pair(name, one, inner, broken) for name, one in value]
        if not broken:
            return self.notation.pair(key, f"{opening}{self.notation.comma.join(lines)}{closing}")
        final = "," if self.notation.final_comma else ""
        body = "".join(f"{inner}{line}{final if line is lines[-1] else ','}{self.newline}" for line in lines)
        return self.notation.pair(key, f"{opening}{self.newline}{body}{pad}{closing}")
