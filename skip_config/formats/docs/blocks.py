"""The code blocks of a document: where they stand, which language they are in, and their text."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Final, NamedTuple

from skip_config.diagnostics import Remark
from skip_config.formats.embedded.text import Embedded, Pieces
from skip_config.source import Source, Span

_FENCE: Final = re.compile(
    r"(?P<prefix>(?:[ \t]*>)*[ \t]*(?:[-*+][ \t]+|\d+[.)][ \t]+)?)(?P<mark>`{3,}|~{3,})(?P<info>[^`\r\n]*)"
)
_LANGUAGE: Final = re.compile(r"[{.\s]*(?P<name>[\w+-]*)")
_DIRECTIVE: Final = re.compile(
    r"(?P<indent>[ \t]*)\.\.[ \t]+(?:code-block|code|sourcecode|prompt)::[ \t]*(?P<name>[\w+-]*)[^\r\n]*"
)
_OPTION: Final = re.compile(r"[ \t]+:[\w-]+:")
_PROMPT: Final = re.compile(r"[ \t]*(?:\([\w.-]+\)[ \t]*)?(?:[\w.-]+@[\w.-]+(?::[^\s$%#]*)?[ \t]*)?[$%][ \t]+")
_SECOND_PROMPT: Final = re.compile(r">[ \t]")
_STARTS_PROGRAM: Final = re.compile(
    r"^[ \t]*(?:\$[ \t]+)?(?:[A-Z_]+=\S*[ \t]+)*(?:python[\d.]*|torchrun|bash|sh|ray|srun|sbatch|accelerate)[ \t]",
    re.MULTILINE,
)
_STARTS_WITH_OVERRIDE: Final = re.compile(r"(?:\s|#[^\n]*\n)*[\"']?[+~]{0,2}[A-Za-z_]\w*\.[\w.]+=", re.ASCII)

_RAGGED: Final = Remark(
    "cannot-rewrite",
    "a line of this block is indented less than its fence, so the blanks before a new line would not all count",
    "indent the block as its fence is indented, then run skipcfg migrate again",
)

KINDS: Final[dict[str, str]] = {
    **dict.fromkeys(("bash", "sh", "shell", "zsh", "ksh"), "shell"),
    **dict.fromkeys(("console", "shell-session", "shellsession", "terminal", "sh-session", "bash-session"), "shell"),
    **dict.fromkeys(("yaml", "yml"), "yaml"),
    **dict.fromkeys(("powershell", "pwsh", "ps1"), "powershell"),
    **dict.fromkeys(("bat", "batch", "cmd"), "cmd"),
    **dict.fromkeys(("makefile", "make"), "makefile"),
    **dict.fromkeys(("dockerfile", "docker"), "dockerfile"),
}
"""Name of a language behind a fence -> kind of file."""


class Block(NamedTuple):
    """A code block.

    Args:
        language: As it is named; empty when it is not.
        lines: Of each line: where it starts in the file, where its text does, and where that ends.
        ragged: Whether a line is indented less than the fence, so that blanks before a new one would be lost.
    """

    language: str
    lines: tuple[tuple[int, int, int], ...]
    ragged: bool = False

    @property
    def span(self) -> Span:
        """From the first line to the end of the last."""
        return Span(self.lines[0][0], self.lines[-1][2]) if self.lines else Span(0, 0)


def markdown_blocks(source: Source) -> Iterator[Block]:
    """The fences of a Markdown document."""
    lines = _lines(source)
    index = 0
    while index < len(lines):
        start, end = lines[index]
        opening = _FENCE.match(source.text, start, end)
        index += 1
        if opening is None:
            continue
        quoted = opening["prefix"].count(">")
        indent = len(re.sub(r".*>[ \t]?", "", opening["prefix"])) if quoted else len(opening["prefix"])
        closing = re.compile(rf"(?:[ \t]*>)*[ \t]*{re.escape(opening['mark'][0])}{{{len(opening['mark'])},}}[ \t]*\Z")
        body, ragged = [], False
        while index < len(lines) and not closing.match(source.text[slice(*lines[index])]):
            at, stop = lines[index]
            content = _content(source.text, at, stop, quoted, indent)
            blanks = len(source.text[at:content]) - len(source.text[at:content].rstrip(" \t"))
            ragged = ragged or (content < stop and blanks < indent)
            body.append((at, content, stop))
            index += 1
        index += 1
        language = _LANGUAGE.match(opening["info"])
        yield Block(language["name"].lower() if language else "", tuple(body), ragged)


def _content(text: str, start: int, end: int, quoted: int, indent: int) -> int:
    """Where the text of a line of a fence starts: behind the quote marks and the fence's own indentation."""
    at = start
    if quoted:
        marks = re.compile(rf"(?:[ \t]*>){{1,{quoted}}}[ \t]?").match(text, start, end)
        at = marks.end() if marks else start
    blanks = len(text[at:end]) - len(text[at:end].lstrip(" \t"))
    return at + min(blanks, indent)


def rst_blocks(source: Source) -> Iterator[Block]:
    """The code blocks of a reStructuredText document, and its literal blocks, which name no language."""
    lines = _lines(source)
    index = 0
    while index < len(lines):
        start, end = lines[index]
        line = source.text[start:end]
        directive = _DIRECTIVE.match(line)
        literal = line.rstrip().endswith("::") and not line.lstrip().startswith("..")
        index += 1
        if directive is None and not literal:
            continue
        outer = len(line) - len(line.lstrip(" \t"))
        while directive and index < len(lines) and _OPTION.match(source.text[slice(*lines[index])]):
            index += 1
        first = index
        while index < len(lines) and _belongs(source.text[slice(*lines[index])], outer):
            index += 1
        body = lines[first:index]
        while body and not source.text[slice(*body[0])].strip():
            body = body[1:]
        while body and not source.text[slice(*body[-1])].strip():
            body = body[:-1]
        texts = [source.text[slice(*one)] for one in body]
        indent = min((len(text) - len(text.lstrip(" \t")) for text in texts if text.strip()), default=0)
        name = directive["name"].lower() if directive else ""
        yield Block(name, tuple((at, min(at + indent, stop), stop) for at, stop in body))


def _belongs(line: str, outer: int) -> bool:
    return not line.strip() or len(line) - len(line.lstrip(" \t")) > outer


def _lines(source: Source) -> list[tuple[int, int]]:
    """Start and end of each line, without its ending."""
    found = []
    for start in source.line_starts:
        if start < len(source.text):
            end = source.line_span(start).end
            found.append((start, start + len(source.text[start:end].rstrip("\r\n"))))
    return found


def embedded_block(source: Source, block: Block) -> Embedded | None:
    """A block as an inner text; None when it is in a language that nothing is edited in."""
    texts = [source.text[text:end] for _, text, end in block.lines]
    kind = KINDS.get(block.language)
    if block.language == "" and _STARTS_PROGRAM.search("\n".join(texts)):
        kind = "shell"
    if kind is None:
        return None
    prompts = kind == "shell" and any(_PROMPT.match(text) for text in texts)
    pieces = Pieces(source)
    if kind == "shell" and block.lines and _STARTS_WITH_OVERRIDE.match("\n".join(texts)):
        pieces.put("run \\\n", block.lines[0][1])  # the command that these words are for is left to the reader
    continued = False
    for (start, content, end), text in zip(block.lines, texts, strict=True):
        if prompts:
            prompt = _SECOND_PROMPT.match(text) if continued else _PROMPT.match(text)
            if prompt is None and not continued:
                continue  # what the command printed
            content += prompt.end() if prompt else 0
            continued = text.rstrip().endswith("\\")
        pieces.line(start)
        pieces.copy(content, end)
        pieces.put("\n", end)
    if block.lines:
        pieces.line(source.line_span(block.lines[-1][0]).end)
    inner = pieces.embedded(kind, source.line_span(block.lines[-1][0]).end if block.lines else 0)
    return replace(inner, sealed=_RAGGED) if kind == "yaml" and block.ragged else inner
