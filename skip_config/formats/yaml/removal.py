"""Take pairs out of a YAML document without disturbing what stands around them, comments included."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import takewhile

from skip_config.formats.yaml.block import column_of
from skip_config.formats.yaml.nodes import Node, walk
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
        regions = [_block_region(source, mapping, key, value) for key, value in goes]
        opening = list(takewhile(goes.__contains__, mapping.pairs)) if len(mappings) > 1 else []
        edits = [
            Edit(_without_doubled_blank(source, region, opens=pair in opening), "")
            for pair, region in zip(goes, regions, strict=True)
        ]
    _check_alone(regions, mappings, goes)
    comments = [comment for region in regions for comment in _comments(source, region, goes)]
    return Removal(tuple(edits), tuple(regions), tuple(comments), tuple(goes))


def _check_alone(regions: Sequence[Span], mappings: Sequence[Node], goes: Sequence[Pair]) -> None:
    """See that nothing that stays stands in the lines that go, as it could behind a U+2028."""
    going = {id(key) for key, _ in goes}
    for mapping in mappings:
        for key, _ in mapping.pairs:
            if id(key) not in going and any(region.start <= key.start < region.end for region in regions):
                raise CannotRemoveError(goes[0][0])


# ---------------------------------------------------------------- block style


def _block_region(source: Source, mapping: Node, key: Node, value: Node) -> Span:
    """Whole lines: the comments directly above, the pair, the comments that belong inside it."""
    text = source.text
    first = source.line_span(key.start)
    indent = column_of(source, key)
    if indent is None:
        raise CannotRemoveError(key)
    ends = [max(one[0].end, one[1].end) for one in mapping.pairs if one[0].start < key.start]
    floor = max(ends, default=0)  # a text may go on over lines that look like comments
    start = first.start
    while start > floor:
        above = source.line_span(start - 1)
        line = text[above.start : above.end]
        if above.start < floor or not line.lstrip(" \t").startswith("#") or _indent(line) > indent:
            break
        start = above.start
    if start == 0:
        start = first.start  # the head of the file: a licence, or Hydra's `# @package`
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


def _without_doubled_blank(source: Source, region: Span, *, opens: bool) -> Span:
    """Where blank lines stand on both sides, or one would follow the key of the mapping, let one go too."""
    text = source.text
    blank_above = opens or region.start == 0 or not text[slice(*source.line_span(region.start - 1))].strip()
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
        comma = comma_after(source.text, pair.end)
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
                left = comma_after(source.text, last)
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


def comma_after(text: str, offset: int) -> int | None:
    """Where the comma behind `offset` stands, if nothing but blanks and comments comes before it."""
    match = _SPACE_OR_COMMENT.match(text, offset)
    position = match.end() if match else offset
    return position if text[position : position + 1] == "," else None


def _whole_lines(source: Source, pair: Span) -> Span:
    """The pair with its lines, and the comments above, if it stands alone; else with the blanks on one side."""
    text = source.text
    first, last = source.line_span(pair.start), source.line_span(pair.end - 1)
    before = text[first.start : pair.start]
    behind = text[pair.end : last.end]
    if not before.strip() and (not behind.strip() or behind.lstrip(" \t").startswith("#")):
        start = first.start
        while start > 0 and text[slice(*source.line_span(start - 1))].lstrip(" \t").startswith("#"):
            start = source.line_span(start - 1).start
        return Span(start, last.end)
    if behind[:1] in (" ", "\t"):
        return Span(pair.start, pair.end + len(behind) - len(behind.lstrip(" \t")))
    return Span(pair.start - (len(before) - len(before.rstrip(" \t"))), pair.end)


# ------------------------------------------------------------------- comments


_COMMENT = re.compile(r"(?:(?<=[\s,\[\]{}\"'])|^)#[^\r\n]*")


def _comments(source: Source, region: Span, goes: Sequence[Pair]) -> list[Comment]:
    """The comments of a region, each with the key that it stands above or behind."""
    pairs = [(key, value) for pair in goes for key, value in _pairs(*pair) if region.start <= key.start < region.end]
    pairs.sort(key=lambda pair: pair[0].start)
    found = []
    for span in comments_in(source, region, [root for pair in goes for root in pair]):
        offset, comment = span.start, source.text[span.start : span.end].rstrip()
        line = source.line_span(offset)
        before = source.text[line.start : offset]
        if before.strip():
            gap = before[len(before.rstrip()) :] or " "
            found.append(Comment(comment, offset, gap, _owner(source, pairs, offset)))
        else:
            found.append(Comment(comment, offset, None, _key_below(source, line.end, [k for k, _ in pairs])))
    return found


def comments_in(source: Source, region: Span, roots: Iterable[Node]) -> Iterator[Span]:
    """The comments of a region, in order; `roots` hold all the scalars in it."""
    texts = sorted(_text_span(source, node) for root in roots for _, node in walk(root) if node.value)
    position, at = region.start, 0
    while match := _COMMENT.search(source.text, position, region.end):
        while at < len(texts) and texts[at].end <= match.start():
            at += 1
        if at < len(texts) and texts[at].start <= match.start():
            position = texts[at].end
        else:
            position = match.end()
            yield Span(*match.span())


def _pairs(key: Node, value: Node) -> list[Pair]:
    """A pair and all pairs in its value."""
    return [(key, value), *(pair for _, node in walk(value) for pair in node.pairs)]


def _text_span(source: Source, node: Node) -> Span:
    """The characters of a scalar in which a `#` starts no comment."""
    start = node.start
    if node.style in ("|", ">"):  # behind `|` there may be one
        start = min(source.line_span(start).end, node.end)
    return Span(start, node.end)


def _owner(source: Source, pairs: Sequence[Pair], offset: int) -> Node | None:
    """The key that a comment stands behind: of the pairs that end or open on its line, the outermost."""
    line = source.line_span(offset)
    for key, value in pairs:
        closed = value.flow or not (value.pairs or value.items)
        if closed and line.start < max(key.end, value.end) <= offset:
            return key
        if line.start <= key.start < offset and value.start >= line.end:
            return key
    before = [key for key, _ in pairs if key.start < offset]
    return before[-1] if before else None


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
