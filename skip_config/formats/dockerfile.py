"""Dockerfiles: read as one shell script (`RUN`, `CMD`, `ENTRYPOINT`, with `ENV` and `ARG` as variables) and as
lists of words where an instruction is written as a JSON array."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from skip_config.diagnostics import Severity
from skip_config.formats import Draft
from skip_config.formats.argv import Word, WordList, is_override, migrate_lists
from skip_config.formats.embedded.json_text import characters, escaped
from skip_config.formats.embedded.migration import in_order, merge, propose, without_notes
from skip_config.formats.embedded.text import Embedded, Pieces, as_variable, join, not_computed, unmask
from skip_config.formats.json.read import parse
from skip_config.formats.mentions import left_alone
from skip_config.formats.shell.remarks import mentions_old_settings
from skip_config.formats.yaml.nodes import Node
from skip_config.formats.yaml.tree import UnreadableError
from skip_config.request import Request
from skip_config.source import Source, Span

_INSTRUCTION: Final = re.compile(
    r"[ \t]*(?:ONBUILD[ \t]+|HEALTHCHECK(?:[ \t]+--\S+)*[ \t]+)?(?P<name>[A-Za-z]+)[ \t]+", re.I
)
_FLAGS: Final = re.compile(r"(?:--\w[\w-]*(?:=\S+)?(?:[ \t]+|[ \t]*\\\r?\n[ \t]*))*")
_CONTINUED: Final = re.compile(r"\\[ \t]*\Z")
_COMMENT: Final = re.compile(r"[ \t]*#")
_HEREDOC: Final = re.compile(r"<<-?[ \t]*([\"']?)([A-Za-z_]\w*)\1")
_OLD_ENV: Final = re.compile(r"(?P<name>[A-Za-z_]\w*)[ \t]+")
_SHELLS: Final = frozenset({"bash", "sh", "zsh", "/bin/bash", "/bin/sh", "/usr/bin/bash"})


class Instruction(NamedTuple):
    """An instruction with its arguments.

    Args:
        name: In capitals.
        start, end: The range of what stands behind the name, flags left out.
        body: The range of the here-document that belongs to it; empty when there is none.
    """

    name: str
    start: int
    end: int
    body: Span


def migrate(source: Source, request: Request) -> Draft:
    """Propose edits for a Dockerfile."""
    texts, lists = find(source), find_lists(source)
    inner = merge(propose(texts, request), find)
    listed, expected = migrate_lists(source, lists, request)
    covered = [offset for text in texts for offset in text.starts]
    covered += [offset for one in lists for word in one.words for offset in range(*word.span)]
    beside = left_alone(source, covered, _comments(source))
    diagnostics = [*inner.diagnostics, *listed.diagnostics, *beside]
    if any(one.severity is Severity.ERROR for one in diagnostics):
        return Draft(diagnostics=in_order(without_notes(diagnostics)))

    def verify(result: Source) -> Sequence[str]:
        wrong = list(inner.verify(result)) if inner.edits else []
        found = [[word.text for word in one.words] for one in find_lists(result)]
        return wrong if found == expected else [*wrong, f"the lists read back as {found}"]

    return Draft((*inner.edits, *listed.edits), in_order(diagnostics), verify, inner.doubt)


# --------------------------------------------------------------------- reading


def _instructions(source: Source) -> Iterator[Instruction]:
    text, at = source.text, 0
    while at < len(text):
        span = source.line_span(at)
        match = _INSTRUCTION.match(text, span.start, span.end)
        if match is None or _COMMENT.match(text, span.start, span.end):
            at = span.end
            continue
        end = _end(source, span.start)
        at = source.line_span(end).end if end < len(text) else len(text)
        flags = _FLAGS.match(text, match.end(), end)
        start = flags.end() if flags else match.end()
        name = match["name"].upper()
        heredoc = _HEREDOC.search(text, start, end) if name in ("RUN", "COPY") else None
        body = Span(at, at)
        if heredoc:
            body = _body(source, at, heredoc[2])
            at = source.line_span(body.end).end if body.end < len(text) else len(text)
        yield Instruction(name, start, end, body)


def _end(source: Source, start: int) -> int:
    """The end of an instruction, continuations and the comments among them included."""
    text = source.text
    while True:
        span = source.line_span(start)
        line = text[span.start : span.end].rstrip("\r\n")
        goes_on = _CONTINUED.search(line) or (_COMMENT.match(line) is not None)
        if not goes_on or span.end >= len(text):
            return span.start + len(line)
        start = span.end


def _body(source: Source, start: int, delimiter: str) -> Span:
    at = start
    while at < len(source.text):
        span = source.line_span(at)
        if source.text[span.start : span.end].strip() == delimiter:
            return Span(start, span.start)
        at = span.end
    return Span(start, len(source.text))


def _comments(source: Source) -> list[Span]:
    found = [Span(one.start, one.end) for one in _instructions(source) if one.name in ("LABEL", "MAINTAINER")]
    for start in source.line_starts:
        if _COMMENT.match(source.text, start):
            found.append(source.line_span(start))
    return found


# ------------------------------------------------------------------ shell texts


def find(source: Source) -> list[Embedded]:
    """The whole file as one script, since variables of an instruction are there for the next ones."""
    if not mentions_old_settings(source.text):
        return []
    texts = [text for one in _instructions(source) for text in _texts(source, one)]
    return [join(texts)] if texts else []


def _texts(source: Source, one: Instruction) -> Iterator[Embedded]:
    content = source.text[one.start : one.end]
    if one.name in ("ENV", "ARG"):
        yield from _variables(source, one)
    elif one.name not in ("RUN", "CMD", "ENTRYPOINT", "COPY"):
        return
    elif content.startswith("["):
        for node in _array(source, one):
            if node.style == '"' and not _is_word(node):
                inner, starts = characters(source.text, node)
                yield Embedded("shell", inner, [*starts, node.end - 1], source, {}, "\\n", _escape_json)
    elif one.body.end > one.body.start:
        script = one.name == "RUN" and content.split("<<")[0].strip() in ("", *_SHELLS)
        if script or (one.name == "COPY" and ".sh" in content):
            yield _lines(source, one.body.start, one.body.end)
        elif one.name == "RUN":
            yield _lines(source, one.start, source.line_span(one.body.end).end)
    elif one.name != "COPY":
        yield _lines(source, one.start, one.end)


def _escape_json(text: str, at: int) -> str:
    del at
    return escaped(unmask(text))


def _lines(source: Source, start: int, end: int) -> Embedded:
    """A range of the file without the comments in it, which no shell gets to see."""
    pieces = Pieces(source)
    text, at, continued = source.text, start, False
    while at < end:
        span = source.line_span(at)
        stop = min(span.end, end)
        line = text[at:stop]
        if not (continued and _COMMENT.match(line)):
            content = line.rstrip("\r\n")
            continued = _CONTINUED.search(content) is not None
            kept = len(content.rstrip(" \t")) if continued else len(content)
            pieces.copy(at, at + kept)
            if len(content) < len(line):
                pieces.put("\n", at + len(content))
        at = stop
        pieces.line(at)
    return pieces.embedded("shell", end)


def _variables(source: Source, one: Instruction) -> Iterator[Embedded]:
    old = _OLD_ENV.match(source.text, one.start, one.end)
    text = _lines(source, one.start, one.end)
    if one.name == "ENV" and old and "=" not in source.text[one.start : old.end()]:
        yield as_variable(old["name"], text.part(old.end() - one.start, len(text.text), "shell"))
        return
    # tree-sitter takes assignments on a line for a prefix of the command on the next one.
    end = Pieces(source)
    end.put(";", one.end)
    yield join([not_computed(text), end.embedded("shell", one.end)], end="")


# ------------------------------------------------------------------------ lists


def find_lists(source: Source) -> list[WordList]:
    """The arrays of words among which an override stands."""
    if not mentions_old_settings(source.text):
        return []
    lists = []
    entry: tuple[str, ...] = ()
    for one in _instructions(source):
        if one.name not in ("RUN", "CMD", "ENTRYPOINT") or not source.text.startswith("[", one.start):
            continue
        nodes = _array(source, one)
        words = tuple(_word(source, node) for node in nodes if node.style == '"' and _is_word(node))
        if any(is_override(word.text) for word in words):
            lists.append(WordList(words, True, entry if one.name == "CMD" else ()))
        if one.name == "ENTRYPOINT":
            entry = tuple(node.value for node in nodes)
    return lists


def _array(source: Source, one: Instruction) -> Sequence[Node]:
    """The items of an instruction that is a JSON array; a shell form that starts with `[` has none."""
    blank = re.compile(r"\\(?=[ \t]*\r?\n)|(?m:^[ \t]*#[^\r\n]*)")
    text = blank.sub(lambda match: " " * len(match[0]), source.text[: one.end])
    try:
        node = parse(" " * one.start + text[one.start :])
    except UnreadableError:
        return ()
    return node.items


def _is_word(node: Node) -> bool:
    return is_override(node.value) or not re.search(r"\s", node.value.strip())


def _word(source: Source, node: Node) -> Word:
    text, starts = characters(source.text, node)
    return Word(Span(node.start, node.end), text, [*starts, node.end - 1], '"')
