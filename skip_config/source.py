"""A file's text, positions in it, and edits on it that touch no other byte."""

from __future__ import annotations

import codecs
import re
from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from typing import NamedTuple

BOM = codecs.BOM_UTF8

# YAML's and Unicode's further line breaks (U+0085, U+2028) end no line in any editor or diff.
_LINE_END = re.compile(r"\r\n|\n|\r")


class Span(NamedTuple):
    """A range of character offsets: `start` is inside, `end` is not."""

    start: int
    end: int


class Places:
    """Ranges that are asked many times: each answer takes the logarithm of their number.

    Args:
        spans: In any order; they may overlap.
    """

    def __init__(self, spans: Iterable[Span]) -> None:
        ordered = sorted(spans)
        self._starts = [span.start for span in ordered]
        self._reach = list(accumulate((span.end for span in ordered), max))

    def hold(self, offset: int) -> bool:
        """Whether one of them holds the character at `offset`."""
        return self.cover(Span(offset, offset + 1))

    def cover(self, span: Span) -> bool:
        """Whether one of them holds the whole of `span`."""
        index = bisect_right(self._starts, span.start)
        return index > 0 and self._reach[index - 1] >= span.end


class Edit(NamedTuple):
    """Replace the characters of `span` by `text`."""

    span: Span
    text: str


class OverlappingEditsError(ValueError):
    """Two different edits claim the same characters. Always a bug of the code that made them."""


@dataclass(frozen=True)
class Source:
    """The text of one file.

    Args:
        text: The text without byte-order mark, with its line endings as they are.
        filename: The name that tells the kind of file; the file need not exist.
        bom: Whether the file starts with a UTF-8 byte-order mark.
    """

    text: str
    filename: str
    bom: bool = False

    @classmethod
    def decode(cls, data: bytes, filename: str) -> Source:
        """Read a file's bytes.

        Raises:
            UnicodeDecodeError: The bytes are not UTF-8.
        """
        bom = data.startswith(BOM)
        return cls(data[len(BOM) :].decode("utf-8") if bom else data.decode("utf-8"), filename, bom)

    def encode(self) -> bytes:
        """The bytes of the file; the inverse of `decode`."""
        return (BOM if self.bom else b"") + self.text.encode("utf-8")

    def with_text(self, text: str) -> Source:
        """The same file with another text."""
        return Source(text, self.filename, self.bom)

    @cached_property
    def newline(self) -> str:
        """The line ending that most lines have; `\\n` for a text of one line."""
        crlf = self.text.count("\r\n")
        lf = self.text.count("\n") - crlf
        cr = self.text.count("\r") - crlf
        if crlf >= max(lf, cr) and crlf:
            return "\r\n"
        return "\r" if cr > lf else "\n"

    @cached_property
    def line_starts(self) -> list[int]:
        """The offset of the first character of each line."""
        if "\r" in self.text:
            return [0, *(match.end() for match in _LINE_END.finditer(self.text))]
        return [0, *accumulate(len(line) + 1 for line in self.text.split("\n")[:-1])]

    def position(self, offset: int) -> tuple[int, int]:
        """Line and column of an offset, both from 1, the column in characters."""
        line = bisect_right(self.line_starts, offset)
        return line, offset - self.line_starts[line - 1] + 1

    def line_span(self, offset: int) -> Span:
        """The line that holds `offset`, with its line ending."""
        index = bisect_right(self.line_starts, offset)
        end = self.line_starts[index] if index < len(self.line_starts) else len(self.text)
        return Span(self.line_starts[index - 1], end)


def apply(text: str, edits: Iterable[Edit]) -> str:
    """Apply edits whose spans are offsets in `text`.

    Raises:
        OverlappingEditsError: Two different edits share characters, or insert at the same place.
    """
    ordered = sorted(set(edits))
    pieces = []
    position = 0
    previous: Edit | None = None
    for edit in ordered:
        if previous is not None and (edit.span.start < previous.span.end or edit.span == previous.span):
            raise OverlappingEditsError(f"{previous} and {edit}")
        pieces += [text[position : edit.span.start], edit.text]
        position = edit.span.end
        previous = edit
    pieces.append(text[position:])
    return "".join(pieces)
