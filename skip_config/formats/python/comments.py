"""Settings that are commented out in Python code: reported, and edited only when that is asked for."""

from __future__ import annotations

import io
import re
import tokenize
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from skip_config import releases
from skip_config.diagnostics import Diagnostic, Remark, Severity, at
from skip_config.formats.moved import EDIT_COMMENTS
from skip_config.formats.override_plan import Launch, Path, plan
from skip_config.formats.overrides import Override
from skip_config.formats.python.scopes import Scopes
from skip_config.formats.python.texts import Char, Part, Text
from skip_config.formats.python.tokens import Token, read_override_text, read_words
from skip_config.formats.python.write import NotWritableError, edits_for
from skip_config.releases import FLAT, dotted
from skip_config.request import Request
from skip_config.source import Edit, Source, Span

OLD_KEY: Final = re.compile(
    rf"(?<![\w.]){re.escape(dotted(FLAT.place))}\.(?:(?:{'|'.join(sorted(releases.FLAT_KEYS))})\b"
    rf"|{releases.NESTED_BLOCK}\b(?:\.(?:{'|'.join(sorted(releases.NESTED_KEYS))})\b)?)"
)
"""The full key of an old setting."""

_COMMENT: Final = re.compile(r"#.*skip")
_QUOTED: Final = re.compile(r"(['\"])([+~]{0,2}[A-Za-z_][\w.]*=[^'\"]*)\1")


@dataclass(frozen=True, slots=True)
class Comment:
    """A comment, from its `#` to the end of its line."""

    line: int
    span: Span


def comment_edits(source: Source, scopes: Scopes, request: Request) -> tuple[list[Edit], list[Diagnostic]]:
    """Edits on comments, when they are included, and a note for every group of lines."""
    edits: list[Edit] = []
    notes: list[Diagnostic] = []
    for group in _groups(source):
        keys = [match for one in group if (match := OLD_KEY.search(source.text, *one.span))]
        if not keys:
            continue
        remark = Remark("old-setting", f"{keys[0][0]} in a comment: left alone", EDIT_COMMENTS)
        if "comments" in request.include:
            made, problem = _migrated(source, scopes, group, request)
            edits += made
            text = "left alone" if not made else "moved, as a comment"
            remark = Remark("old-setting", f"{keys[0][0]} in a comment: {text}", problem)
        notes.append(at(source, Span(*keys[0].span()), remark, Severity.NOTE, key=keys[0][0]))
    return edits, notes


def _migrated(
    source: Source, scopes: Scopes, group: Sequence[Comment], request: Request
) -> tuple[list[Edit], str | None]:
    tokens = {token.place: token for one in group for token in _tokens(source, one)}
    if not any(token.is_old for token in tokens.values()):
        return [], "it holds no override that could be rewritten"
    module, around = _surroundings(scopes)
    path = tuple(Override(one.place, one.prefix, one.key, one.value) for one in tokens.values())
    decided = plan([Launch(((*around, *path),), module)], request)
    if decided.blocked:
        return [], next(
            one.finding.remark.message for one in decided.findings if one.finding.severity is Severity.ERROR
        )
    try:
        return edits_for(source, tokens, decided), None
    except NotWritableError as error:
        return [], error.remark.message


def _surroundings(scopes: Scopes) -> tuple[str | None, Path]:
    """What the code around shows: what is launched, and how long it trains."""
    for group in scopes.groups(every=True):
        for path in group.launch.paths:
            about = tuple(one for one in path if one.key in (dotted(releases.TOTAL_STEPS), dotted(releases.USE_V1)))
            if about or group.launch.module:
                return group.launch.module, about
    return scopes.module(), ()


def _tokens(source: Source, comment: Comment) -> Iterator[Token]:
    quoted = list(_QUOTED.finditer(source.text, *comment.span))
    if quoted:
        for match in quoted:
            token = read_override_text(_text(source, Span(*match.span()), match[1], Span(*match.span(2))))
            if token is not None:
                yield replace(token, listed=True)
    else:
        start = comment.span.start + 1
        body = Span(start, comment.span.end)
        yield from (one for one in read_words(_text(source, body, '"', body)) if isinstance(one, Token))


def _text(source: Source, span: Span, quote: str, inner: Span) -> Text:
    chars = tuple(Char(source.text[index], index, index + 1, 0) for index in range(*inner))
    return Text(span, chars, (Part(span, "", quote),), computes=False)


def _groups(source: Source) -> list[list[Comment]]:
    """Comments on lines that follow each other belong together."""
    groups: list[list[Comment]] = []
    for comment in _comments(source):
        if groups and groups[-1][-1].line + 1 == comment.line:
            groups[-1].append(comment)
        else:
            groups.append([comment])
    return groups


def _comments(source: Source) -> Iterator[Comment]:
    if not _COMMENT.search(source.text):
        return
    lines = io.StringIO(re.sub(r"\r\n?", "\n", source.text))
    try:
        for token in tokenize.generate_tokens(lines.readline):
            if token.type == tokenize.COMMENT:
                start = source.line_starts[token.start[0] - 1] + token.start[1]
                yield Comment(token.start[0], Span(start, start + len(token.string)))
    except (tokenize.TokenError, SyntaxError):  # it parses all the same: only comments are missed
        return
