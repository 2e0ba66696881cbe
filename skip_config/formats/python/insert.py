"""Put new elements and statements where an old one stood, on lines that look like their neighbours."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from skip_config.formats.python.tokens import Token
from skip_config.source import Edit, Source, Span

_COMMA: Final = re.compile(r"[ \t]*,")
_BLANK_OR_COMMENT: Final = re.compile(r"[ \t\f]*(?:#[^\r\n]*)?\Z")


def in_list(source: Source, token: Token, written: Sequence[str]) -> list[Edit]:
    """New elements for an old one: on lines of their own if it has one."""
    span = token.span
    line = source.line_span(span.start)
    last = source.line_span(max(span.end - 1, span.start))
    before = source.text[line.start : span.start]
    end = last.start + len(source.text[last.start : last.end].rstrip("\r\n"))
    comma = _COMMA.match(source.text, span.end)
    behind = comma.end() if comma else span.end
    alone = not before.strip() and _BLANK_OR_COMMENT.match(source.text, behind, end)
    if not written:
        return _removed(source, span, bool(alone))
    if len(written) == 1:
        return [Edit(span, written[0])]
    if not alone:
        return [Edit(span, ", ".join(written))]
    below = source.newline + before
    if not source.text[behind:end].strip():
        return [Edit(span, f",{below}".join(written))]
    first, rest = written[0], f",{below}".join(written[1:])
    if comma:
        return [Edit(span, first), Edit(Span(end, end), f"{below}{rest},")]
    return [Edit(span, f"{first},"), Edit(Span(end, end), f"{below}{rest}")]


def _removed(source: Source, span: Span, alone: bool) -> list[Edit]:
    comma = re.compile(r"\s*,").match(source.text, span.end)
    end = comma.end() if comma else span.end
    if alone:
        line, last = source.line_span(span.start), source.line_span(max(end - 1, span.start))
        if not source.text[end : last.end].strip():
            return [Edit(Span(line.start, last.end), "")]
    if comma:
        blank = re.compile(r"[ \t]*").match(source.text, end)
        return [Edit(Span(span.start, blank.end() if blank else end), "")]
    lead = re.compile(r"(?:,\s*)?\Z").search(source.text, 0, span.start)
    return [Edit(Span(lead.start() if lead else span.start, span.end), "")]


def statements(source: Source, token: Token, written: Sequence[str]) -> list[Edit]:
    """The statement once for each setting; removed, or `pass`, for none."""
    statement = token.statement
    assert statement is not None
    line, last = source.line_span(statement.start), source.line_span(statement.end - 1)
    before = source.text[line.start : statement.start]
    end = last.start + len(source.text[last.start : last.end].rstrip("\r\n"))
    alone = not before.strip() and _BLANK_OR_COMMENT.match(source.text, statement.end, end)
    if not written and alone and token.spare:
        return [Edit(Span(line.start, last.end), "")]
    if not written:
        return [Edit(statement, "pass")]
    head = source.text[statement.start : token.span.start]
    tail = source.text[token.span.end : statement.end]
    first = Edit(token.span, written[0])
    rest = [f"{head}{one}{tail}" for one in written[1:]]
    if not alone:
        return [first, Edit(Span(statement.end, statement.end), "".join(f"; {one}" for one in rest))]
    below = source.newline + before
    return [first, Edit(Span(end, end), "".join(below + one for one in rest))]


def united(source: Source, edits: Sequence[Edit]) -> list[Edit]:
    """The same edits, with deletions that overlap as one."""
    joined: list[Edit] = []
    for edit in sorted(set(edits)):
        last = joined[-1] if joined else None
        if last is not None and not edit.text and not last.text and edit.span.start < last.span.end:
            joined[-1] = Edit(Span(last.span.start, max(last.span.end, edit.span.end)), "")
        else:
            joined.append(edit)
    return [_with_comma_before(source, edit) for edit in joined]


def _with_comma_before(source: Source, edit: Edit) -> Edit:
    """A deletion up to the closing bracket of the same line takes the comma that would be left before it."""
    if edit.text or not re.compile(r"[ \t]*[\]}]").match(source.text, edit.span.end):
        return edit
    line = source.line_span(edit.span.start).start
    comma = re.compile(r",[ \t]*\Z").search(source.text, line, edit.span.start)
    return Edit(Span(comma.start(), edit.span.end), "") if comma else edit
