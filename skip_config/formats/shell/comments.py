"""Overrides that are commented out: reported, and edited as comments only when that is asked for."""

from __future__ import annotations

import re
from typing import Final

from skip_config.diagnostics import Diagnostic, Remark, Severity, at
from skip_config.formats.layout import SHELL_CONTINUATION, Replacement, lay_out
from skip_config.formats.moved import EDIT_COMMENTS
from skip_config.formats.override_plan import Launch, plan
from skip_config.formats.overrides import Override, recognise
from skip_config.formats.shell.migration import NotWritableError, Place, token_span
from skip_config.formats.shell.reach import surroundings
from skip_config.formats.shell.script import Script
from skip_config.formats.shell.view import View
from skip_config.formats.shell.words import Token, read_override
from skip_config.formats.shell.write import words_for
from skip_config.request import Request
from skip_config.source import Edit, Source, Span

_WORD: Final = re.compile(r"(?:'[^'\n]*'|\"[^\"\n]*\"|\\.|[^\s'\"\\#])+")


def comment_edits(source: Source, script: Script, request: Request) -> tuple[list[Edit], list[Diagnostic]]:
    """Edits on comments, when they are included, and a note for every group of lines."""
    edits: list[Edit] = []
    notes: list[Diagnostic] = []
    for group in _groups(source, script.comments):
        tokens = {token.place: token for span in group for token in _tokens(source, span)}
        old = [token for token in tokens.values() if (one := recognise(token.key)) and one.kind == "old"]
        if not old:
            continue
        remark = Remark("old-setting", f"{old[0].key} is commented out: left alone", EDIT_COMMENTS)
        if "comments" in request.include:
            edited, problem = _migrated(source, script, request, tokens)
            edits += edited
            text = "moved, as a comment" if problem is None else f"commented out, and left alone: {problem.message}"
            remark = Remark("old-setting", f"{old[0].key} is {text}", problem.help if problem else None)
        notes.append(at(source, token_span(old[0]), remark, Severity.NOTE, key=old[0].key))
    return edits, notes


def _groups(source: Source, comments: list[Span]) -> list[list[Span]]:
    """Comments on lines that follow each other belong together."""
    groups: list[list[Span]] = []
    last = -1
    for span in sorted(comments):
        line = source.position(span.start)[0]
        if groups and line == last + 1:
            groups[-1].append(span)
        else:
            groups.append([span])
        last = line
    return groups


def _tokens(source: Source, span: Span) -> list[Token]:
    if "skip" not in source.text[span.start : span.end]:
        return []
    view = View(source.text, range(len(source.text) + 1), newline=source.newline)
    words = _WORD.finditer(source.text, span.start, span.end)
    found = [read_override(view, word.start(), word.end(), lambda name: None) for word in words]
    return [token for token in found if token is not None]


def _migrated(
    source: Source, script: Script, request: Request, tokens: dict[int, Token]
) -> tuple[list[Edit], Remark | None]:
    module, around = surroundings(script)
    path = tuple(Override(token.place, token.prefix, token.key, token.value) for token in tokens.values())
    decided = plan([Launch(((*around, *path),), module)], request)
    if decided.blocked:
        return [], next(found.finding.remark for found in decided.findings if found.finding.severity is Severity.ERROR)
    tokens = {atom.token.place: atom.token for atom in script.atoms() if atom.token} | tokens
    try:
        replacements = [
            Replacement(
                token_span(tokens[place]), words_for(Place(source, script, tokens, tokens[place]), settings), True
            )
            for place, settings in decided.replacements.items()
        ]
    except NotWritableError as error:
        return [], error.remark
    return lay_out(source, replacements, SHELL_CONTINUATION), None
