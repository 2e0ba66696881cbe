"""Makefiles: read as one shell script, in which make's variables are variables and recipes are commands.

What make fills in before the shell runs (`$(NAME)`, `$@`, `$(call …)`) is masked; `$$` is the shell's `$`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from skip_config.diagnostics import Remark, Severity, at
from skip_config.formats import Draft
from skip_config.formats.embedded.migration import in_order, merge, propose
from skip_config.formats.embedded.text import Embedded, Pieces, mask, mask_name, steps_written_out, with_doubled_dollars
from skip_config.formats.mentions import left_alone
from skip_config.request import Request
from skip_config.source import Source, Span

_ASSIGNMENT: Final = re.compile(
    r"(?P<target>[^\t#=:][^#=:]*:(?!:?:?=)[ \t]*)?"
    r"(?:(?:export|override|private)[ \t]+)*(?P<name>[\w.-]+)[ \t]*(?P<sign>[:?+]|::|:::)?=[ \t]*"
)
_CONDITION: Final = re.compile(r"[ ]*(?P<word>ifn?eq|ifn?def|else|endif)\b(?P<more>[ \t]+if)?")
_DEFINE: Final = re.compile(r"[ ]*(?:(?:export|override)[ \t]+)*define\b")
_END_OF_DEFINE: Final = re.compile(r"[ ]*endef\b")
_RULE: Final = re.compile(r"[^\t\s#=][^#=]*:")
_RECIPE_PREFIX: Final = re.compile(r"[ \t]*[@+-]*[ \t@+-]*")
_UNCLOSED: Final = Remark(
    "script-not-readable",
    "a reference of make's that is not closed on its line: make stops there",
    "close it, then run skipcfg migrate again",
)
_REFERENCE: Final = re.compile(r"(?<!\$)\$\(([\w.-]+)\)")
_COMMENT: Final = re.compile(r"(?<!\\)#.*", re.DOTALL)


def migrate(source: Source, request: Request) -> Draft:
    """Propose edits for a Makefile."""
    texts = find(source)
    unclosed = _unclosed(source)
    draft = merge(propose(texts, request), find)
    covered = [offset for text in texts for offset in text.starts]
    beside = left_alone(source, covered, _comments(source))
    if draft.edits and unclosed is not None:
        return Draft(diagnostics=(at(source, unclosed, _UNCLOSED, Severity.ERROR),))
    return Draft(draft.edits, in_order([*draft.diagnostics, *beside]), draft.verify, draft.doubt)


def find(source: Source) -> list[Embedded]:
    """The whole file as one script: definitions first, since make reads all of them before it runs a recipe."""
    pieces = _Make(source)
    entries = list(_entries(source))
    for entry in entries:
        pieces.add(entry, definitions=True)
    recipes = len(pieces.starts)
    in_braces = source.text.count("${") > source.text.count("$(")
    for entry in entries:
        pieces.add(entry, definitions=False)

    def escape(text: str, at: int) -> str:
        written = with_doubled_dollars(text if at >= recipes else re.sub(r'\\(["`$])', r"\1", text), at)
        return _REFERENCE.sub(r"${\1}", written) if in_braces else written

    return [pieces.embedded("shell", len(source.text), escape=escape, adapt=steps_written_out)]


class _Entry(NamedTuple):
    """A logical line.

    Args:
        kind: `definition`, `recipe`, `condition`, `comment`.
        start, end: Its range, without the last line's ending.
        match: Of what told its kind.
    """

    kind: str
    start: int
    end: int
    match: re.Match[str] | None = None


def _entries(source: Source) -> Iterator[_Entry]:
    text = source.text
    at, ruled, canned = 0, False, False
    while at < len(text):
        start, end = at, _logical_end(source, at)
        line = text[start:end]
        at = source.line_span(end).end if end < len(text) else len(text)
        if canned or _DEFINE.match(line):
            canned = not _END_OF_DEFINE.match(line)
        elif line.startswith("\t") and ruled:
            yield _Entry("comment" if line.lstrip().startswith("#") else "recipe", start, end)
        elif line.lstrip().startswith("#"):
            yield _Entry("comment", start, end)
        elif condition := _CONDITION.match(line):
            yield _Entry("condition", start, end, condition)
        elif assignment := _ASSIGNMENT.match(line):
            comment = _COMMENT.search(line)
            stop = start + len(line[: comment.start()].rstrip()) if comment else end
            yield _Entry("definition", start, max(stop, start + assignment.end()), assignment)
            if comment:
                yield _Entry("comment", start + comment.start(), end)
        elif _RULE.match(line):
            ruled = True


def _logical_end(source: Source, start: int) -> int:
    """The end of a line with its continuations, without the last line ending."""
    text = source.text
    while True:
        span = source.line_span(start)
        line = text[span.start : span.end].rstrip("\r\n")
        if (len(line) - len(line.rstrip("\\"))) % 2 == 0 or span.end >= len(text):
            return span.start + len(line)
        start = span.end


def _unclosed(source: Source) -> Span | None:
    """The first `$(` that has no end, among definitions and recipes."""
    for entry in _entries(source):
        if entry.kind not in ("definition", "recipe"):
            continue
        at = source.text.find("$", entry.start, entry.end)
        while 0 <= at < entry.end - 1:
            stop = at + 2
            if source.text[at + 1] in "({":
                closed = _closing(source.text, at, entry.end)
                if closed is None:
                    return Span(at, at + 2)
                stop = closed
            at = source.text.find("$", stop, entry.end)
    return None


def _comments(source: Source) -> list[Span]:
    return [Span(entry.start, entry.end) for entry in _entries(source) if entry.kind == "comment"]


def _closing(text: str, at: int, end: int) -> int | None:
    """Where the reference that starts at `at` ends, if it does."""
    opening, closing = text[at + 1], ")" if text[at + 1] == "(" else "}"
    depth = 0
    for index in range(at + 1, end):
        depth += {opening: 1, closing: -1}.get(text[index], 0)
        if depth == 0:
            return index + 1
    return None


def _reference(name: str) -> str:
    """A reference as it is masked, however the file writes it: `$(A)` and `${A}` are the same variable."""
    return f"$({name})"


class _Make(Pieces):
    """The script that a Makefile stands for."""

    def add(self, entry: _Entry, definitions: bool) -> None:
        """Add a line to the part of the script that holds definitions, or to the one with the recipes."""
        if entry.kind == "condition" and entry.match:
            self.condition(entry.match, entry.start)
        elif entry.kind == "definition" and definitions and entry.match:
            self.definition(entry, entry.match)
        elif entry.kind == "recipe" and not definitions:
            prefix = _RECIPE_PREFIX.match(self.host.text, entry.start, entry.end)
            self.content(prefix.end() if prefix else entry.start, entry.end, quoted=False)
            self.put("\n", entry.end)

    def condition(self, match: re.Match[str], at: int) -> None:
        word = match["word"]
        shell = {"else": "elif true; then :\n" if match["more"] else "else :\n", "endif": "fi\n"}
        self.put(shell.get(word, "if true; then :\n"), at)

    def definition(self, entry: _Entry, match: re.Match[str]) -> None:
        """A variable; one of a target counts for the commands of that target only, so it may be there or not."""
        own = match["target"] is not None
        sign = "+=" if match["sign"] == "+" else "="
        if own:
            self.put("if true; then ", entry.start)
        self.put(f'{mask_name(_reference(match["name"]))}{sign}"', entry.start)
        if sign == "+=":
            self.put(" ", entry.start + match.end())
        self.content(entry.start + match.end(), entry.end, quoted=True)
        self.put('"; fi\n' if own else '"\n', entry.end)

    def content(self, start: int, end: int, *, quoted: bool) -> None:
        """A text that make hands on; `quoted` when it stands in the double quotes of a definition here."""
        text = self.host.text
        at = start
        while at < end:
            char = text[at]
            if char == "$" and at + 1 < end:
                at = self.dollar(at, end, quoted)
            elif char == "\r" and text[at + 1 : at + 2] == "\n":
                self.put("\n", at, at + 2)
                at += 2
                self.line(at)
            elif char == "\n":
                self.copy(at, at + 1)
                at += 1
                self.line(at)
            elif quoted and char in '"`':
                self.put("\\" + char, at, at + 1)
                at += 1
            else:
                self.copy(at, at + 1)
                at += 1

    def dollar(self, at: int, end: int, quoted: bool) -> int:
        text = self.host.text
        following = text[at + 1]
        if following == "$":
            self.put("\\$" if quoted else "$", at, at + 2)
            return at + 2
        stop = at + 2 if following not in "({" else _closing(text, at, end) or end
        name = text[at + 2 : stop - 1]
        if following in "({" and re.fullmatch(r"[\w.-]+", name):
            self.put(mask(_reference(name)), at, stop)
        else:
            self.put(mask(text[at:stop]), at, stop)
        return stop
