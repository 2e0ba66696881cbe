"""Files whose kind nobody knows for sure: lists of arguments are rewritten, what else names old settings is told.

`$(cat args.txt)`, `mapfile`, `xargs` and `@file` hand such a list to a command. It holds nothing but words
that no shell would read in another way: overrides, options, and comments on lines of their own.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import PurePath
from typing import Final

from skip_config.diagnostics import Remark, Severity, at
from skip_config.formats import Draft
from skip_config.formats.argv import Word, WordList, is_override, migrate_lists
from skip_config.formats.mentions import NAMED, mentions
from skip_config.formats.overrides import OVERRIDE
from skip_config.request import Request
from skip_config.source import Source, Span

_WORD: Final = re.compile(r"\S+")
_COMMENT: Final = re.compile(r"^[ \t]*#.*$", re.MULTILINE)
_READ_BY_SHELLS: Final = re.compile(r"[\"'\\$`{}<>;&|()]")
_PROSE: Final = (".txt", ".text")


def migrate(source: Source, request: Request) -> Draft:
    """Propose edits for a list of arguments, or report the first old setting of another file."""
    lists = find(source)
    if not lists:
        return _told(source)
    draft, expected = migrate_lists(source, lists, request)

    def verify(result: Source) -> Sequence[str]:
        found = [[word.text for word in one.words] for one in find(result, True)]
        return [] if found == expected else [f"the arguments read back as {found}"]

    return Draft(draft.edits, draft.diagnostics, verify)


def find(source: Source, whatever: bool = False) -> list[WordList]:
    """The arguments of a file, when it is a list of them and, unless `whatever`, holds an override of interest."""
    text = _COMMENT.sub(lambda comment: " " * len(comment[0]), source.text)
    words = tuple(_word(match) for match in _WORD.finditer(text))
    if not all(_is_argument(word.text) for word in words):
        return []
    if not whatever and not any(is_override(word.text) for word in words):
        return []
    return [WordList(words, flow=False, plain=True)]


def _word(match: re.Match[str]) -> Word:
    start, end = match.span()
    return Word(Span(start, end), match[0], range(start, end + 1), "")


def _is_argument(text: str) -> bool:
    if text.startswith("-"):
        return True
    match = OVERRIDE.match(text)
    if match is None or not (match[3] or match[1] == "~"):
        return False
    return not (is_override(text) and _READ_BY_SHELLS.search(text))


def _told(source: Source) -> Draft:
    prose = PurePath(source.filename).suffix.lower() in _PROSE
    dotted = mentions(source.text)
    alone = [] if prose else mentions(source.text, NAMED)
    spans = sorted([*dotted, *(one for one in alone if not any(one.end == other.end for other in dotted))])
    if not spans:
        return Draft()
    key = source.text[spans[0].start : spans[0].end]
    more = f" (and {len(spans) - 1} more)" if len(spans) > 1 else ""
    remark = Remark(
        "old-setting",
        f"{key} is named here{more}, in a kind of file that skipcfg does not rewrite: left alone",
        "if verl gets it, move it by hand: skipcfg migrate --diff on a script with the same settings shows how",
    )
    severity = Severity.NOTE if prose else Severity.WARNING
    return Draft(diagnostics=(at(source, spans[0], remark, severity, key=key),))
