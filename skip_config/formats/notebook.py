"""Notebooks: shell lines (`!python …`), shell cells (`%%bash`) and Python code in the sources of cells.

Everything else stays byte for byte: outputs are a record of a run, and the layout of the JSON is the file's own.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from skip_config import formats
from skip_config.diagnostics import Diagnostic, Remark, Severity, at
from skip_config.formats import Draft
from skip_config.formats.embedded.json_text import characters, escaped
from skip_config.formats.embedded.migration import in_order, merge, propose
from skip_config.formats.embedded.text import Embedded, join, mask, unmask
from skip_config.formats.json.read import parse
from skip_config.formats.mentions import left_alone, mentions
from skip_config.formats.yaml.nodes import Node, pair_of
from skip_config.formats.yaml.tree import UnreadableError
from skip_config.readable import MEND
from skip_config.request import Request
from skip_config.source import Source, Span

_SHELL_CELL: Final = re.compile(
    r"\s*%%(?:bash|sh|shell|zsh|(?:script|sx|system)\b[^\n]*?\b(?:ba|z)?sh|sx|system|!)[^\n]*\n"
)
_FILE_CELL: Final = re.compile(r"\s*%%(?:writefile|file)[ \t]+(?:-a[ \t]+)?[\"']?(?P<name>[^\s\"']+)[^\n]*\n")
_FILES: Final = frozenset({"shell", "powershell", "cmd", "makefile", "dockerfile", "yaml", "python"})
_OTHER_CELL: Final = re.compile(r"\s*%%(?!time|capture|prun|python)\w+")
_SHELL_LINE: Final = re.compile(
    r"^[ \t]*(?:[A-Za-z_][\w, .]*=[ \t]*)?(?:!{1,2}|%(?:sx|system)[ \t]+)(?P<command>(?:[^\\\n]|\\\n|\\[^\n]|\\\Z)*)",
    re.MULTILINE,
)
_NO_PYTHON: Final = re.compile(
    r"^[ \t]*(?P<assigned>[A-Za-z_][\w, .]*=[ \t]*)?(?P<rest>[!%](?:[^\\\n]|\\\n|\\[^\n])*|\?{1,2}\S+$|[\w.]+\?{1,2}$)",
    re.MULTILINE,
)
_COMMENT: Final = re.compile(r"^[ \t]*#[^\n]*", re.MULTILINE)
_PYTHON_VALUE: Final = re.compile(r"(?<![\\$\w{])\{[A-Za-z_][^{}\s'\"]*(?:\[[^][{}]*\])?[^{}\s]*\}(?!\})")


def migrate(source: Source, request: Request) -> Draft:
    """Propose edits for a notebook."""
    try:
        texts = find(source)
    except UnreadableError as error:
        return Draft(diagnostics=(unreadable(source, error),))
    draft = merge(propose(texts, request), _found_again)
    diagnostics = in_order([*draft.diagnostics, *_left_alone(source, texts)])
    return Draft(draft.edits, diagnostics, draft.verify, draft.doubt)


def _found_again(result: Source) -> list[Embedded]:
    try:
        return find(result)
    except UnreadableError:  # so that what was edited is missed
        return []


def unreadable(source: Source, error: UnreadableError) -> Diagnostic:
    """The diagnostic for a text that is no JSON."""
    return at(source, Span(error.start, error.end), Remark(error.name, error.message, MEND), Severity.ERROR)


def find(source: Source) -> list[Embedded]:
    """The inner texts of all code cells.

    Raises:
        UnreadableError: The file is not JSON.
    """
    texts: list[Embedded] = []
    code: list[Embedded] = []
    for cell in _cells(source, "code"):
        texts += _shell_texts(_masked(cell))
        code += _python_texts(cell)
    return [*texts, join(code)] if code and formats.serves("python") else texts


def _cells(source: Source, kind: str) -> Iterator[Embedded]:
    root = parse(source.text)
    holders = [root, *_items(root, "worksheets")]  # version 3 has sheets
    for holder in holders:
        for cell in _items(holder, "cells"):
            content = pair_of(cell, "source") or pair_of(cell, "input")
            type_of = pair_of(cell, "cell_type")
            if content is not None and type_of is not None and type_of[1].value == kind:
                yield _cell(source, content[1])


def _items(node: Node, name: str) -> Sequence[Node]:
    pair = pair_of(node, name)
    return pair[1].items if pair is not None else ()


def _cell(source: Source, node: Node) -> Embedded:
    """The source of a cell: one string, or a list with a string for each line."""
    strings = [node] if node.style == '"' else [item for item in node.items if item.style == '"']
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
    if node.style == '"':
        return Embedded("", text, starts, source, {}, "\\n", _escape)
    if len(lines) == len(strings) - 1 and strings[1:]:
        lines[len(text)] = strings[-1].end
        return Embedded("", text, starts, source, lines, '\\n"', _escape)
    return Embedded("", text, starts, source, {}, '\\n", "', _escape)


def _escape(text: str, at: int) -> str:
    del at
    return escaped(unmask(text))


def _shell_texts(cell: Embedded) -> Iterator[Embedded]:
    """Shell lines and shell cells, and what a cell writes to a file."""
    shell = _SHELL_CELL.match(cell.text)
    written = _FILE_CELL.match(cell.text)
    if shell:
        yield cell.part(shell.end(), len(cell.text), "shell")
    elif written:
        kind = formats.kind_of(written["name"], cell.text[written.end() :])
        if kind in _FILES:
            yield cell.part(written.end(), len(cell.text), kind)
    elif not _OTHER_CELL.match(cell.text):
        for line in _SHELL_LINE.finditer(cell.text):
            yield cell.part(*line.span("command"), "shell")


def _python_texts(cell: Embedded) -> Iterator[Embedded]:
    """A cell with Python code: cells share their variables, so all of them are read as one module."""
    if _SHELL_CELL.match(cell.text) or _OTHER_CELL.match(cell.text):
        return
    changes = []
    for line in _NO_PYTHON.finditer(cell.text):
        if line["assigned"]:
            changes.append((Span(*line.span("rest")), "None"))
        else:
            changes.append((Span(*line.span("rest")), "pass"))
    code = replace(cell.part(0, len(cell.text), "python").rewritten(changes), kind="python")
    try:
        ast.parse(code.text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return
    yield code


def _masked(cell: Embedded) -> Embedded:
    """A cell in which values that Python fills into shell lines (`{n}`) are masked."""
    values = [
        (Span(*value.span()), mask(value[0]))
        for line in _SHELL_LINE.finditer(cell.text)
        if "${" not in line["command"]  # braces of the shell's own
        for value in _PYTHON_VALUE.finditer(cell.text, *line.span("command"))
    ]
    return cell.rewritten(values)


def _left_alone(source: Source, texts: list[Embedded]) -> list[Diagnostic]:
    """Old settings in code that no inner text has, and the first one in the text cells."""
    covered = [offset for text in texts for offset in text.starts]
    code, comments = [], []
    for cell in _cells(source, "code"):
        code.append(Span(cell.starts[0], cell.starts[-1]))
        for comment in _COMMENT.finditer(cell.text):
            comments.append(Span(cell.starts[comment.start()], cell.starts[comment.end()]))
    found = left_alone(source, covered, comments, code)
    for cell in _cells(source, "markdown"):
        for span in mentions(cell.text)[:1]:
            key = cell.text[span.start : span.end]
            remark = Remark("old-setting", f"{key} in a text cell: left alone")
            place = Span(cell.starts[span.start], cell.starts[span.end])
            return [*found, at(source, place, remark, Severity.NOTE, key=key)]
    return found
