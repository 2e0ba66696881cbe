"""Take pairs out of a YAML document without disturbing what stands around them, comments included."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from skip_config.formats.yaml.tree import Node, walk
from skip_config.source import Edit, Source, Span

Pair = tuple[Node, Node]


class CannotRemoveError(Exception):
    """A pair stands where it cannot be taken out, such as behind `? ` or on a line with others.

    Args:
        node: The key.
    """

    def __init__(self, node: Node) -> None:
        super().__init__(node.value)
        self.node = node


@dataclass(frozen=True, slots=True)
class Comment:
    """A comment inside a region that goes.

    Args:
        text: From its `#` to the end of its line.
        offset: Where it stood.
        gap: The blanks before it, when it stood behind something; None when it had a line of its own.
        owner: The key that it stood above or behind, or None.
    """

    text: str
    offset: int
    gap: str | None
    owner: Node | None


@dataclass(frozen=True, slots=True)
class Removal:
    """What goes, and the comments that it takes along.

    Args:
        edits: Deletions.
        regions: The characters that go.
        comments: All comments in them, in order.
        pairs: The topmost pairs that go: the ones asked for, or parents left empty by them.
    """

    edits: tuple[Edit, ...]
    regions: tuple[Span, ...]
    comments: tuple[Comment, ...]
    pairs: tuple[Pair, ...]

    def covers(self, offset: int) -> bool:
        """Whether the character at `offset` goes."""
        return any(region.start <= offset < region.end for region in self.regions)


def remove(source: Source, chain: Sequence[Node], pairs: Sequence[Pair]) -> Removal:
    """Remove pairs of one mapping, and its parents as far as that leaves them empty.

    Args:
        source: The file.
        chain: The mappings from the root to the one that holds the pairs.
        pairs: Pairs of the last mapping of `chain`.

    Raises:
        CannotRemoveError: A pair cannot be taken out by deleting characters.
    """
    mappings = list(chain)
    goes = list(pairs)
    while len(mappings) > 1 and len(goes) == len(mappings[-1].pairs):
        emptied = mappings.pop()
        goes = [pair for pair in mappings[-1].pairs if pair[1] is emptied]
    mapping = mappings[-1]
    if mapping.flow:
        regions, edits = _from_flow(source, mapping, goes)
    else:
        regions = [_block_region(source, key, value) for key, value in goes]
        edits = [Edit(_without_doubled_blank(source, region), "") for region in regions]
    comments = [comment for region in regions for comment in _comments(source, region, goes)]
    return Removal(tuple(edits), tuple(regions), tuple(comments), tuple(goes))


# ---------------------------------------------------------------- block style


def _block_region(source: Source, key: Node, value: Node) -> Span:
    """Whole lines: the comments directly above, the pair, the comments that belong inside it."""
    text = source.text
    first = source.line_span(key.start)
    indent = key.start - first.start
    if text[first.start : key.start].strip(" "):
        raise CannotRemoveError(key)
    start = first.start
    while start > 0:
        above = source.line_span(start - 1)
        line = text[above.start : above.end]
        if not line.lstrip(" \t").startswith("#") or _indent(line) > indent:
            break
        start = above.start
    end = source.line_span(max(key.end, value.end)).end
    if value.kind in ("mapping", "sequence") and not value.flow:
        end = _with_inner_comments(source, end, indent)
    return Span(start, end)


def _with_inner_comments(source: Source, end: int, indent: int) -> int:
    """Go on over comment lines that are indented deeper than the key whose block ends."""
    position = end
    while position < len(source.text):
        span = source.line_span(position)
        line = source.text[span.start : span.end]
        if line.strip():
            if not line.lstrip(" \t").startswith("#") or _indent(line) <= indent:
                break
            end = span.end
        position = span.end
    return end


def _without_doubled_blank(source: Source, region: Span) -> Span:
    """Where blank lines stand on both sides, let one go too."""
    text = source.text
    blank_above = region.start == 0 or not text[slice(*source.line_span(region.start - 1))].strip()
    if not blank_above or region.end >= len(text):
        return region
    below = source.line_span(region.end)
    return region if text[below.start : below.end].strip() else Span(region.start, below.end)


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip(" \t"))


# ----------------------------------------------------------------- flow style


def _from_flow(source: Source, mapping: Node, goes: Sequence[Pair]) -> tuple[list[Span], list[Edit]]:
    regions: list[Span] = []
    edits: list[Edit] = []
    going = {id(key) for key, _ in goes}
    kept = [pair for pair in mapping.pairs if id(pair[0]) not in going]
    for index, (key, value) in enumerate(mapping.pairs):
        if id(key) not in going:
            continue
        pair = Span(key.start, max(key.end, value.end))
        comma = _comma_after(source.text, pair.end)
        followed = any(later in kept for later in mapping.pairs[index + 1 :])
        if followed and comma is not None:
            pair = Span(pair.start, comma + 1)
        region = _whole_lines(source, pair)
        regions.append(region)
        edits.append(Edit(region, ""))
        if not followed and comma is None:
            # The comma that now stands before nothing: behind the last pair that stays.
            before = [pair for pair in mapping.pairs[:index] if pair in kept]
            if before:
                last = max(before[-1][0].end, before[-1][1].end)
                left = _comma_after(source.text, last)
                if left is not None:
                    edits.append(Edit(Span(left, left + 1), ""))
        elif not followed and comma is not None:
            region = _whole_lines(source, Span(pair.start, comma + 1))
            regions[-1] = region
            edits[-1] = Edit(region, "")
    return regions, _united(edits)


def _united(edits: Iterable[Edit]) -> list[Edit]:
    united: list[Edit] = []
    for edit in sorted(set(edits)):
        if united and edit.span.start < united[-1].span.end:
            united[-1] = Edit(Span(united[-1].span.start, max(united[-1].span.end, edit.span.end)), "")
        else:
            united.append(edit)
    return united


_SPACE_OR_COMMENT = re.compile(r"(?:\s|(?<=\s)#[^\r\n]*)*")


def _comma_after(text: str, offset: int) -> int | None:
    match = _SPACE_OR_COMMENT.match(text, offset)
    position = match.end() if match else offset
    return position if text[position : position + 1] == "," else None


def _whole_lines(source: Source, pair: Span) -> Span:
    """The pair with its lines if it stands alone on them, else with the blanks on one side."""
    text = source.text
    first, last = source.line_span(pair.start), source.line_span(pair.end - 1)
    before = text[first.start : pair.start]
    behind = text[pair.end : last.end]
    if not before.strip() and (not behind.strip() or behind.lstrip(" \t").startswith("#")):
        return Span(first.start, last.end)
    if behind[:1] in (" ", "\t"):
        return Span(pair.start, pair.end + len(behind) - len(behind.lstrip(" \t")))
    return Span(pair.start - (len(before) - len(before.rstrip(" \t"))), pair.end)


# ------------------------------------------------------------------- comments


def _comments(source: Source, region: Span, pairs: Sequence[Pair]) -> list[Comment]:
    """The comments of a region, each with the key that it stands above or behind."""
    keys: list[Node] = []
    scalars: list[Span] = []
    for key, value in pairs:
        for root in (key, value):
            for _, node in walk(root):
                if node.kind in ("scalar", "alias"):
                    scalars.append(Span(node.start, node.end))
                keys += [inner for inner, _ in node.pairs]
        keys.append(key)
    keys = sorted((k for k in keys if region.start <= k.start < region.end), key=lambda node: node.start)
    scalars.sort()
    found = []
    for match in re.finditer(r"(?:^|(?<=\s))#[^\r\n]*", source.text[region.start : region.end], re.MULTILINE):
        offset = region.start + match.start()
        if any(span.start <= offset < span.end for span in scalars):
            continue
        line = source.line_span(offset)
        before = source.text[line.start : offset]
        if before.strip():
            behind = [key for key in keys if key.start < offset]
            gap = before[len(before.rstrip()) :]
            found.append(Comment(match[0].rstrip(), offset, gap, behind[-1] if behind else None))
        else:
            found.append(Comment(match[0].rstrip(), offset, None, _key_below(source, line.end, keys)))
    return found


def _key_below(source: Source, position: int, keys: Sequence[Node]) -> Node | None:
    """The key on the next line that is not a comment, unless a blank line comes first."""
    while position < len(source.text):
        span = source.line_span(position)
        line = source.text[span.start : span.end].strip()
        if not line:
            return None
        if not line.startswith("#"):
            return next((key for key in keys if span.start <= key.start < span.end), None)
        position = span.end
    return None
