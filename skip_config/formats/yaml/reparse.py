"""Read an edited text by parsing only what the edits touched.

Why that is the same as parsing all of it: at the start of a line that holds the next key of a mapping in
block style, a YAML parser is always in the same state, whatever came before. So the lines from one key to
the next (a *slot*) read the same in any surrounding, as long as nothing else is carried along: anchors,
which need the whole text, and what a parser does with blank lines and comments behind a value, for which
reason a slot has to begin with its key. Where any of this is in doubt, the answer is None, and the whole
text has to be parsed.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from skip_config.formats.yaml.nodes import Document, Node
from skip_config.formats.yaml.tree import UnreadableError, parse
from skip_config.source import Edit, Span, apply

_Pair = tuple[Node, Node]

_MARK = re.compile(r"^(?:---|\.\.\.|[%\ufeff])", re.MULTILINE)
"""What begins or ends a document, or may stand before one."""


def reparse(text: str, documents: Sequence[Document], edits: Sequence[Edit]) -> Document | None:
    """Read the result of edits.

    Args:
        text: The text before.
        documents: What it was parsed into.
        edits: What was done to it; none overlaps another.

    Returns:
        The document that the result holds; None where it has to be parsed. Unchanged parts are the very
        nodes of `documents`, **with their old offsets**; the others have offsets within a part of the text.
    """
    if len(documents) != 1 or documents[0].anchored or documents[0].end != len(text):
        return None
    root = documents[0].root
    if root is None or not _is_block(root):
        return None
    pairs = _Edited(text).pairs(root, sorted(edits), len(text))
    if pairs is None:
        return None
    return Document(Node("mapping", root.start, root.end, pairs=pairs), 0, len(text))


def _is_block(node: Node) -> bool:
    return node.kind == "mapping" and not node.flow and bool(node.pairs) and node.tag is None


class _Edited:
    """A text, some parts of which are edited."""

    def __init__(self, text: str) -> None:
        self._text = text

    def pairs(self, mapping: Node, edits: Sequence[Edit], stop: int) -> list[_Pair] | None:
        """The pairs of a mapping after edits in order, whose last slot ends at `stop`; None where it is in doubt."""
        slots = [self._line(key.start) for key, _ in mapping.pairs]
        indent = mapping.pairs[0][0].start - slots[0]
        for slot, (key, _) in zip(slots, mapping.pairs, strict=True):
            if key.start - slot != indent or self._text[slot : key.start].strip(" ") or key.kind != "scalar":
                return None
        if any(edit.span.start < slots[0] or edit.span.end > stop for edit in edits):
            return None
        slots.append(stop)
        found: list[_Pair] = []
        index = 0
        while index < len(mapping.pairs):
            last, mine = _touched(slots, index, edits)
            if not mine:
                found.append(mapping.pairs[index])
            else:
                one = self._within(mapping.pairs[index], mine, slots[last + 1]) if last == index else None
                fresh = [one] if one else self._parsed(slots[index], slots[last + 1], mine, indent)
                if fresh is None:
                    return None
                found += fresh
            index = last + 1
        names = {key.value for key, _ in found}
        return found if found and len(names) == len(found) else None

    def _line(self, offset: int) -> int:
        return self._text.rfind("\n", 0, offset) + 1

    def _within(self, pair: _Pair, edits: Sequence[Edit], stop: int) -> _Pair | None:
        """A pair whose value was edited between its first key and its end."""
        key, value = pair
        if not _is_block(value) or edits[0].span.start < self._line(value.pairs[0][0].start):
            return None
        pairs = self.pairs(value, edits, stop)
        return None if pairs is None else (key, Node("mapping", value.start, value.end, pairs=pairs))

    def _parsed(self, start: int, stop: int, edits: Sequence[Edit], indent: int) -> list[_Pair] | None:
        """The pairs of slots that are parsed anew."""
        shifted = [Edit(Span(edit.span.start - start, edit.span.end - start), edit.text) for edit in edits]
        text = apply(self._text[start:stop], shifted)
        if not text:
            return []
        if (stop != len(self._text) and not text.endswith("\n")) or _MARK.search(text):
            return None
        try:
            documents = parse(text)
        except UnreadableError:
            return None
        root = documents[0].root if len(documents) == 1 and not documents[0].anchored else None
        if root is None or not _is_block(root) or root.pairs[0][0].start != indent or text[:indent].strip(" "):
            return None
        return list(root.pairs)


def _touched(slots: Sequence[int], first: int, edits: Sequence[Edit]) -> tuple[int, list[Edit]]:
    """The last of the slots that are edited together with the first one, and the edits."""
    last = first
    while True:
        stop, closes = slots[last + 1], last == len(slots) - 2
        mine = [edit for edit in edits if slots[first] <= edit.span.start and (edit.span.start < stop or closes)]
        if closes or all(edit.span.end <= stop for edit in mine):
            return last, mine
        last += 1
