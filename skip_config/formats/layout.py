"""Put words in the place of a word of a command or a list, so that the lines look like their neighbours.

For every file in which overrides are words: shell, PowerShell, cmd, Makefile, Dockerfile. What differs is
how a line goes on in the next one.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from skip_config.source import Edit, Source, Span

SHELL_CONTINUATION: Final = re.compile(r"[ \t]*\\{1,2}\Z")
"""A backslash; two in a here-document whose delimiter is not quoted."""

PLAIN_CONTINUATION: Final = re.compile(r"[ \t]*(?<!\\)\\\Z")
"""A backslash: where no quotes stand around the command, two of them are a word."""

_INDENTATION: Final = re.compile(r"[ \t]*(?:#+[ \t]*)?\Z")
_ESCAPES: Final = ("\\", "`", "^")
_CLOSERS: Final = re.compile(r"[ \t]*[)\]'\"]*[ \t]*\Z")


class Replacement(NamedTuple):
    """Words for the place of one word.

    Args:
        span: The word that goes.
        words: What comes, ready for the file; empty to remove it.
        loose: Whether the end of a line separates words by itself, as in an array.
        joint: What stands between words on one line.
        continuation: Matches the end of a line that goes on, where that is not the same in the whole file.
    """

    span: Span
    words: Sequence[str]
    loose: bool = False
    joint: str = " "
    continuation: re.Pattern[str] | None = None


def lay_out(source: Source, replacements: Iterable[Replacement], continuation: re.Pattern[str]) -> list[Edit]:
    """Turn replacements into edits.

    Args:
        source: The file.
        replacements: One for each word that changes.
        continuation: Matches the end of a line that goes on, with the blanks before the sign.
    """
    edits: list[Edit] = []
    removed: dict[int, bool] = {}
    for replacement in replacements:
        sign = replacement.continuation or continuation
        if not replacement.words:
            edits += _remove(source, replacement.span, sign, removed)
        else:
            edits += _replace(source, replacement, sign)
    return edits + _close(source, removed, continuation)


def _line(source: Source, span: Span) -> tuple[int, str, str, int]:
    """Start of the line, what stands before and behind the span, and the end without line ending."""
    start = source.line_span(span.start).start
    last = source.line_span(max(span.start, span.end - 1))
    end = last.start + len(source.text[last.start : last.end].rstrip("\r\n"))
    end = max(end, span.end)
    return start, source.text[start : span.start], source.text[span.end : end], end


def _replace(source: Source, replacement: Replacement, continuation: re.Pattern[str]) -> list[Edit]:
    span, words, loose, joint, _ = replacement
    start, before, behind, end = _line(source, span)
    if len(words) == 1:
        return [Edit(span, words[0])]
    if not _INDENTATION.match(before) or ("#" in before and not loose):
        return [Edit(span, joint.join(words))]
    below = source.newline + before
    if continuation.fullmatch(behind):
        return [Edit(span, (behind + below).join(words))]
    above = continuation.search(source.text[:start].rstrip("\r\n")[-200:]) if start else None
    if loose and behind.lstrip().startswith("#"):
        return [Edit(span, words[0]), Edit(Span(end, end), "".join(below + word for word in words[1:]))]
    if loose and not above and _CLOSERS.match(behind):
        return [Edit(span, below.join(words))]
    if above and not continuation.search(behind) and (not loose or _CLOSERS.match(behind)):
        return [Edit(span, (above[0] + below).join(words))]
    return [Edit(span, joint.join(words))]


def _remove(source: Source, span: Span, continuation: re.Pattern[str], removed: dict[int, bool]) -> list[Edit]:
    """Remove a word, and its line when nothing else stands there.

    `removed` notes the starts of such lines, and whether the end of the text that holds the command is left.
    """
    start, before, behind, end = _line(source, span)
    if _INDENTATION.match(before) and (not behind.strip() or continuation.fullmatch(behind)):
        removed[start] = False
        return [Edit(Span(start, source.line_span(end).end if end < len(source.text) else end), "")]
    if _INDENTATION.match(before) and start and behind[:1] in "'\"" and _above(source, start, continuation):
        removed[start] = True
        return [Edit(Span(start, span.end), "")]
    if before.strip():
        left = before.rstrip(" \t")
        blank = len(before) - len(left) - left.endswith(_ESCAPES)  # an escaped blank is a word, or part of one
        return [Edit(Span(span.start - blank, span.end), "")]
    blank = len(behind) - len(behind.lstrip(" \t"))
    return [Edit(Span(span.start, span.end + blank), "")]


def _above(source: Source, start: int, continuation: re.Pattern[str]) -> bool:
    line = source.text[source.line_span(start - 1).start : start].rstrip("\r\n")
    return continuation.search(line) is not None


def _close(source: Source, removed: dict[int, bool], continuation: re.Pattern[str]) -> list[Edit]:
    """Take the continuation off a line whose next lines are gone, when the command ends there."""
    edits = []
    for start, closed in removed.items():
        if source.line_span(start).end in removed:
            continue
        last = source.text[start : source.line_span(start).end].rstrip("\r\n")
        if continuation.search(last):
            continue
        while start in removed and start > 0:
            start = source.line_span(start - 1).start
        line = source.text[start : source.line_span(start).end]
        dangling = continuation.search(line.rstrip("\r\n"))
        if dangling and start not in removed:
            end = len(line) if closed else len(line.rstrip("\r\n"))
            edits.append(Edit(Span(start + dangling.start(), start + end), ""))
    return edits
