"""The text of a YAML scalar and where each of its characters stands in the file, for every style."""

from __future__ import annotations

import re
from typing import Final

from yaml.scanner import Scanner

from skip_config.formats.embedded.text import Embedded, Pieces, unmask, without_masks
from skip_config.formats.yaml.nodes import Node
from skip_config.source import Source

_PROPERTIES: Final = re.compile(r"(?:[&!][^\s]*[ \t]+)+")
_HEADER: Final = re.compile(r"[|>](?:[+-]?(?P<indent>[1-9])?[+-]?)[^\r\n]*")
_FOLD: Final = " \\\n"
"""What a folded line end is in the inner text: a blank to the host, and a line that goes on to the shell."""


def embedded_scalar(source: Source, node: Node, kind: str, *, flow: bool = False) -> Embedded | None:
    """A scalar as an inner text.

    Args:
        source: The file.
        node: The scalar.
        kind: The language of its text.
        flow: Whether it stands inside brackets, where a plain scalar may hold less.

    Returns:
        None when its positions cannot be told for sure; the text is then left alone.
    """
    reader = _Scalar(source, node, flow)
    found = reader.block(kind) if node.style in ("|", ">") else reader.flow(kind)
    if found is None:
        return None
    value = found.text.replace(_FOLD, " ") if found.folded else found.text
    return found if value.rstrip("\n") == node.value.rstrip("\n") else None


class _Scalar(Pieces):
    def __init__(self, source: Source, node: Node, inside_brackets: bool) -> None:
        super().__init__(source)
        self.node = node
        self.inside_brackets = inside_brackets
        properties = _PROPERTIES.match(source.text, node.start, node.end)
        self.begin = properties.end() if properties else node.start

    # ------------------------------------------------------------ block styles

    def block(self, kind: str) -> Embedded | None:
        text = self.host.text
        header = _HEADER.match(text, self.begin)
        if header is None:
            return None
        spans = []
        at = self.host.line_span(self.begin).end
        while at < self.node.end:
            span = self.host.line_span(at)
            spans.append((span.start, span.start + len(text[span.start : span.end].rstrip("\r\n")), span.end))
            at = span.end
        indents = [len(text[a:b]) - len(text[a:b].lstrip(" ")) for a, b, _ in spans if text[a:b].strip(" ")]
        if not indents:
            return None
        parent = self.host.line_span(self.node.start)
        outer = len(text[parent.start : parent.end]) - len(text[parent.start : parent.end].lstrip(" -"))
        indent = indents[0] if not header["indent"] else self.indent_of(int(header["indent"]), outer, indents[0])
        folded = self.node.style == ">"
        lines = [text[start:end][indent:] for start, end, _ in spans]
        for index, (start, end, behind) in enumerate(spans):
            line, following = lines[index], lines[index + 1] if index + 1 < len(lines) else ""
            before = lines[index - 1] if index else ""
            if folded and not line and before and index + 1 < len(lines):
                continue  # a line end between two lines is a blank, and so is one of several
            self.line(start)
            self.copy(min(start + indent, end), end)
            if folded and line and following and line[0] not in " \t" and following[0] not in " \t":
                self.put(_FOLD, end)
            elif behind > end:
                self.put("\n", end)
        end = spans[-1][2]
        self.line(end)
        return self.embedded(kind, end, folded=folded)

    @staticmethod
    def indent_of(written: int, outer: int, first: int) -> int:
        """Blanks before the text when the header gives their number; the parent's own count too."""
        return min(outer - outer % 2 + written, first)

    # ------------------------------------------------------------- flow styles

    def flow(self, kind: str) -> Embedded:
        text, quote = self.host.text, self.node.style or ""
        at, end = self.begin + len(quote), self.node.end - len(quote)
        several = "\n" in text[at:end] or "\r" in text[at:end]
        while at < end:
            char = text[at]
            if (broken := _LINE_BREAK.match(text, at, end)) is not None:
                at = self.fold(broken)
            elif quote == "'" and char == "'":
                self.put("'", at, at + 2)
                at += 2
            elif quote == '"' and char == "\\":
                at = self.escape(at, end)
            else:
                self.copy(at, at + 1)
                at += 1
        if several and not quote and self.inside_brackets:
            return self.embedded(kind, end, line_end=" ", folded=True, whole=self.quoted)
        if several:
            return self.embedded(kind, end, escape=_ESCAPES[quote], folded=True)
        line_end = {'"': "\\n"}.get(quote, " ")
        if not quote:
            return self.embedded(kind, end, line_end=line_end, whole=self.quoted)
        self.lines.clear()
        return self.embedded(kind, end, line_end=line_end, escape=_ESCAPES[quote])

    def fold(self, broken: re.Match[str]) -> int:
        """A line end inside a flow scalar is a blank; more of them are line ends, one less."""
        breaks = len(re.findall(r"\r\n|\n|\r", broken[0]))
        self.put(_FOLD if breaks == 1 else "\n" * (breaks - 1), broken.start())
        self.line(self.host.line_span(broken.end()).start)
        return broken.end()

    def escape(self, at: int, end: int) -> int:
        text = self.host.text
        sign = text[at + 1 : at + 2]
        joined = _ESCAPED_LINE_BREAK.match(text, at, end)
        if joined:
            return joined.end()
        if sign in Scanner.ESCAPE_CODES:
            size = Scanner.ESCAPE_CODES[sign]
            self.put(chr(int(text[at + 2 : at + 2 + size], 16)), at, at + 2 + size)
            return at + 2 + size
        self.put(Scanner.ESCAPE_REPLACEMENTS.get(sign, sign), at, at + 2)
        return at + 2

    def quoted(self, result: str) -> str:
        """A plain scalar's new text: plain again where YAML lets it, in quotes elsewhere."""
        result = unmask(result.replace(_FOLD, " "))
        if not _NOT_PLAIN.search(result) and not (self.inside_brackets and _NOT_IN_BRACKETS.search(result)):
            return result
        if "'" in result and '"' not in result and "\\" not in result:
            return f'"{result}"'
        return "'" + result.replace("'", "''") + "'"


_LINE_BREAK: Final = re.compile(r"[ \t]*(?:\r\n|\n|\r)(?:[ \t]*(?:\r\n|\n|\r))*[ \t]*")
_ESCAPED_LINE_BREAK: Final = re.compile(r"\\(?:\r\n|\n|\r)[ \t]*")
_NOT_PLAIN: Final = re.compile(r":(?:\s|\Z)|\s#|^[\s&*!|>%@`'\"#\[\]{},]|^[-?:](?:\s|\Z)")
_NOT_IN_BRACKETS: Final = re.compile(r"[\[\]{},]")


def _double(text: str, at: int) -> str:
    del at
    return unmask(text).replace("\\", "\\\\").replace('"', '\\"').replace("\t", "\\t")


def _single(text: str, at: int) -> str:
    del at
    return unmask(text).replace("'", "''")


_ESCAPES: Final = {"": without_masks, "'": _single, '"': _double}
