"""One block per finding: place, severity, name, message, the line with a caret below, and what to do."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from skip_config.diagnostics import Diagnostic
from skipcfg.report import FileReport
from skipcfg.streams import name, printable

_WIDEST = 160
"""Cells of a quoted line; of a longer one, the part around the place is shown."""
_TAB = "    "


def render(files: Sequence[FileReport], error: str | None) -> str:
    """All findings as text; failures are told elsewhere."""
    del error
    blocks = (line for file in files for one in file.diagnostics for line in _block(file, one))
    return "".join(f"{printable(line)}\n" for line in blocks)


def _block(file: FileReport, one: Diagnostic) -> Iterator[str]:
    place = name(file.path)
    if one.line is not None:
        place += f":{one.line}:{one.column}"
    yield f"{place}: {one.severity.value}[{one.name}]: {name(one.message)}"
    text = file.lines.get(one.line or 0)
    if text is not None and text.strip():
        yield from _quote(text, one)
    if one.help:
        yield f"  help: {name(one.help)}"


def _quote(text: str, one: Diagnostic) -> Iterator[str]:
    start = (one.column or 1) - 1
    same_line = one.end_line == one.line
    end = (one.end_column or start + 2) - 1 if same_line else len(text)
    first = max(0, start - _WIDEST // 2) if len(text) > _WIDEST else 0
    shown = text[first : first + _WIDEST]
    before, marked = text[first:start], text[start : min(end, first + _WIDEST)]
    number = f"{one.line} | "
    yield f"  {number}{_plain(shown)}"
    yield f"  {' ' * (len(number) - 2)}| {' ' * _cells(before)}{'^' * max(1, _cells(marked))}"


def _plain(text: str) -> str:
    return printable(text.replace("\t", _TAB))


def _cells(text: str) -> int:
    """Width on a terminal: two cells for CJK and emoji, none for a combining mark."""
    if text.isascii():
        return len(_plain(text))
    from rich.cells import cell_len

    return cell_len(_plain(text))
