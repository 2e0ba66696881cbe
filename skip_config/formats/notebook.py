"""Notebooks: shell lines (`!python …`), shell cells (`%%bash`) and Python code in the sources of cells.

Everything else stays byte for byte: outputs are a record of a run, and the layout of the JSON is the file's own.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from skip_config.diagnostics import Diagnostic, Remark, Severity, at
from skip_config.formats import Draft, Request
from skip_config.formats.embedded.json_text import JsonNode, NotJsonError, characters, escaped, parse
from skip_config.formats.embedded.migration import in_order, merge, propose
from skip_config.formats.embedded.text import Embedded, mask, unmask
from skip_config.formats.mentions import mentions
from skip_config.source import Source, Span

_SHELL_CELL: Final = re.compile(
    r"\s*%%(?:bash|sh|shell|zsh|(?:script|sx|system)\b[^\n]*?\b(?:ba|z)?sh|sx|system|!)[^\n]*\n"
)
_OTHER_CELL: Final = re.compile(r"\s*%%(?!time|capture|prun|python)\w+")
_SHELL_LINE: Final = re.compile(
    r"^[ \t]*(?:[A-Za-z_][\w, .]*=[ \t]*)?(?:!{1,2}|%(?:sx|system)[ \t]+)(?P<command>(?:[^\\\n]|\\\n|\\[^\n]|\\\Z)*)",
    re.MULTILINE,
)
_PYTHON_VALUE: Final = re.compile(r"(?<![\\$\w{])\{[A-Za-z_][^{}\s'\"]*(?:\[[^][{}]*\])?[^{}\s]*\}(?!\})")


def migrate(source: Source, request: Request) -> Draft:
    """Propose edits for a notebook."""
    try:
        texts = find(source)
    except NotJsonError as error:
        return Draft(diagnostics=(unreadable(source, error),))
    draft = merge(propose(texts, request), find)
    return Draft(draft.edits, in_order([*draft.diagnostics, *_in_prose(source)]), draft.verify)


def unreadable(source: Source, error: NotJsonError) -> Diagnostic:
    """The diagnostic for a text that is no JSON."""
    place = Span(error.at, error.at)
    return at(source, place, Remark("cannot-parse", f"not JSON: {error.reason}"), Severity.ERROR)


def find(source: Source) -> list[Embedded]:
    """The inner texts of all code cells.

    Raises:
        NotJsonError: The file is not JSON.
    """
    return [text for cell in _cells(source, "code") for text in _texts(_masked(cell))]


def _cells(source: Source, kind: str) -> Iterator[Embedded]:
    root = parse(source.text)
    cells = root.get("cells")
    for cell in cells.items if cells is not None else ():
        content = cell.get("source") if cell.kind == "object" else None
        if content is None:  # version 3 of the format
            content = cell.get("input") if cell.kind == "object" else None
        type_of = cell.get("cell_type") if cell.kind == "object" else None
        if content is not None and type_of is not None and type_of.value == kind:
            yield _cell(source, content)


def _cell(source: Source, node: JsonNode) -> Embedded:
    """The source of a cell: one string, or a list with a string for each line."""
    strings = [node] if node.kind == "string" else [item for item in node.items if item.kind == "string"]
    text = ""
    starts: list[int] = []
    lines: dict[int, int] = {}
    for index, string in enumerate(strings):
        inner, places = characters(source.text, string)
        if index:
            lines[len(starts)] = strings[index - 1].end
        text += inner
        starts += places
    if not strings:
        return Embedded("", "", [node.end], source)
    starts.append(strings[-1].end - 1)
    if node.kind == "string":
        return Embedded("", text, starts, source, {}, "\\n", _escape)
    if len(lines) == len(strings) - 1 and strings[1:]:
        lines[len(text)] = strings[-1].end
        return Embedded("", text, starts, source, lines, '\\n"', _escape)
    return Embedded("", text, starts, source, {}, '\\n", "', _escape)


def _escape(text: str, at: int) -> str:
    del at
    return escaped(unmask(text))


def _texts(cell: Embedded) -> Iterator[Embedded]:
    shell = _SHELL_CELL.match(cell.text)
    if shell:
        yield cell.part(shell.end(), len(cell.text), "shell")
    elif not _OTHER_CELL.match(cell.text):
        for line in _SHELL_LINE.finditer(cell.text):
            yield cell.part(*line.span("command"), "shell")


def _masked(cell: Embedded) -> Embedded:
    """A cell in which values that Python fills into shell lines (`{n}`) are masked."""
    values = [
        (Span(*value.span()), mask(value[0]))
        for line in _SHELL_LINE.finditer(cell.text)
        if "${" not in line["command"]  # braces of the shell's own
        for value in _PYTHON_VALUE.finditer(cell.text, *line.span("command"))
    ]
    return cell.rewritten(values)


def _in_prose(source: Source) -> list[Diagnostic]:
    """One note for the first old setting in the text cells."""
    for cell in _cells(source, "markdown"):
        for span in mentions(cell.text):
            key = cell.text[span.start : span.end]
            remark = Remark("old-setting", f"{key} in a text cell: left alone")
            place = Span(cell.starts[span.start], cell.starts[span.end])
            return [at(source, place, remark, Severity.NOTE, key=key)]
    return []
