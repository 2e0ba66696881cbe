"""Comments of removed lines: which go along to the new block, and where to."""

from __future__ import annotations

from dataclasses import dataclass, field

from skip_config.formats.yaml.block import column_of
from skip_config.formats.yaml.places import OldPlace
from skip_config.formats.yaml.removal import Removal
from skip_config.formats.yaml.settings import Gathered
from skip_config.source import Edit, Source


@dataclass(slots=True)
class SortedComments:
    """Comments of the removed lines by where they go."""

    block: list[str] = field(default_factory=list)
    behind_block: str = ""
    above: dict[str, list[str]] = field(default_factory=dict)
    behind: dict[str, str] = field(default_factory=dict)
    last: list[str] = field(default_factory=list)


def sort_comments(removal: Removal, gathered: Gathered, place: OldPlace) -> SortedComments:
    """Give each comment of the removed lines its place in the new block."""
    found = SortedComments()
    block_key = place.nested[0] if place.nested else None
    block_start = place.nested[1].start if place.nested else None
    for comment in removal.comments:
        name = gathered.keys.get(id(comment.owner)) if comment.owner is not None else None
        if name and comment.gap is None:
            found.above.setdefault(name, []).append(comment.text)
        elif name and name not in found.behind:
            found.behind[name] = f"{comment.gap}{comment.text}"
        elif comment.owner is not None and comment.owner is block_key and comment.gap and not found.behind_block:
            found.behind_block = f"{comment.gap}{comment.text}"
        elif block_start is not None and comment.offset > block_start and comment.owner in (None, block_key):
            found.last.append(comment.text)
        else:
            found.block.append(comment.text)
    return found


def with_comments_left(source: Source, removal: Removal, *, all_of_them: bool) -> list[Edit]:
    """The deletions, but comments stay where they are, each on a line of its own.

    Args:
        source: The file.
        removal: What goes.
        all_of_them: Whether comments behind a value stay too; else they go with what they speak of.
    """
    key = removal.pairs[0][0]
    pad = " " * (column_of(source, key) or 0)
    edits = []
    for edit in removal.edits:
        kept = []
        for comment in removal.comments:
            if not edit.span.start <= comment.offset < edit.span.end:
                continue
            if comment.gap is None:
                kept.append(source.text[slice(*source.line_span(comment.offset))])
            elif all_of_them:
                kept.append(f"{pad}{comment.text}{source.newline}")
        edits.append(Edit(edit.span, "".join(kept)))
    return edits
