"""One block per place: its findings, the line with a caret below the first, and what to do.

What would only repeat itself is told once: a place that several findings share, a help that goes for
findings in a row, and notes that many files have alike.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import NamedTuple

from skip_config.diagnostics import Diagnostic, Severity
from skipcfg.report import FileReport, counted
from skipcfg.streams import name, printable

_WIDEST = 160
"""Cells of a quoted line; of a longer one, the part around the place is shown."""
_TAB = "    "

_SHOWN_ALIKE = 3
"""Blocks of the same notes that are shown in full; of the others, the places."""
_LISTED = 20
"""Of those places, how many."""


class Block(NamedTuple):
    """The findings at one place, the gravest first."""

    file: FileReport
    findings: tuple[Diagnostic, ...]

    @property
    def place(self) -> str:
        """File, line and column."""
        first = self.findings[0]
        return name(self.file.path) + (f":{first.line}:{first.column}" if first.line is not None else "")

    @property
    def alike(self) -> tuple[tuple[str, str], ...] | None:
        """What the same notes elsewhere have in common; None where something has to be done."""
        notes = all(one.severity is Severity.NOTE for one in self.findings)
        return tuple((one.name, one.message) for one in self.findings) if notes else None


def render(files: Sequence[FileReport], error: str | None) -> str:
    """All findings as text; failures are told elsewhere."""
    del error
    return "".join(f"{printable(line)}\n" for line in _lines([block for file in files for block in _blocks(file)]))


def _blocks(file: FileReport) -> Iterator[Block]:
    def place(one: Diagnostic) -> tuple[int | None, ...]:
        return one.line, one.column, one.end_line, one.end_column

    for where, group in groupby(file.diagnostics, place):
        found = sorted(group, key=lambda one: (list(Severity).index(one.severity), one.name != "old-setting"))
        if where[0] is None:  # what concerns the whole file shares no place
            yield from (Block(file, (one,)) for one in found)
        else:
            yield Block(file, tuple(found))


def _lines(blocks: Sequence[Block]) -> Iterator[str]:
    alike: dict[tuple[tuple[str, str], ...], list[str]] = {}
    told: set[str] = set()
    for index, block in enumerate(blocks):
        if block.alike is not None:
            places = alike.setdefault(block.alike, [])
            places.append(block.place)
            if len(places) > _SHOWN_ALIKE:
                continue
        below = blocks[index + 1] if index + 1 < len(blocks) else None
        yield from _block(block, told, below)
    for places in alike.values():
        yield from _folded(places)


def _folded(places: Sequence[str]) -> Iterator[str]:
    rest = places[_SHOWN_ALIKE:]
    if not rest:
        return
    yield f"as at {places[0]}, in {counted(len(rest), 'more place')}:"
    yield from (f"  {place}" for place in rest[:_LISTED])
    if len(rest) > _LISTED:
        yield f"  and {len(rest) - _LISTED} more, which --format json lists"


def _block(block: Block, told: set[str], below: Block | None) -> Iterator[str]:
    first, *others = block.findings
    yield f"{block.place}: {_finding(first)}"
    text = block.file.lines.get(first.line or 0)
    if text is not None and text.strip():
        yield from _quote(text, first)
    yield from _help(first, told, _goes_on(block, below))
    for one in others:
        yield f"  {_finding(one)}"
        yield from _help(one, told, goes_on=False)


def _finding(one: Diagnostic) -> str:
    return f"{one.severity.value}[{one.name}]: {name(one.message)}"


def _goes_on(block: Block, below: Block | None) -> bool:
    """Whether the next finding of the file is of the same kind and has the same help."""
    if below is None or below.file is not block.file or len(block.findings) > 1:
        return False
    this, after = block.findings[0], below.findings[0]
    return (this.name, this.help) == (after.name, after.help)


def _help(one: Diagnostic, told: set[str], goes_on: bool) -> Iterator[str]:
    if not one.help or goes_on or (one.severity is Severity.NOTE and one.help in told):
        return
    told.add(one.help)
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
