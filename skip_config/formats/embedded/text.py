"""An inner text, and the place of each of its characters in the file that holds it."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Final

from skip_config.diagnostics import Remark
from skip_config.source import Edit, Source, Span, apply

_COUNT: Final = re.compile(r"\$\(seq -s, 1 (\d{1,4})\)")
_MASK: Final = re.compile(r"\$\{MASKED_([0-9a-f]+)\}")


def mask(text: str) -> str:
    """A variable of the inner shell in the place of text that something else fills in before the shell runs.

    `$(OUT)` of make, `{n}` of a notebook, `${{ inputs.n }}` of a workflow: no shell knows their value.
    """
    return f"${{{mask_name(text)}}}"


def mask_name(text: str) -> str:
    """The name of the variable that stands for a text."""
    return f"MASKED_{text.encode().hex()}"


def unmask(text: str) -> str:
    """Put the texts back that `mask` took out."""
    return _MASK.sub(lambda match: bytes.fromhex(match[1]).decode(), text)


def steps_written_out(text: str) -> str:
    """Lists in the place of the `$(seq …)` that count to a number, for where `$(…)` is not the shell's."""
    return _COUNT.sub(lambda match: ",".join(map(str, range(1, int(match[1]) + 1))), text)


def as_it_is(text: str) -> str:
    """The text itself."""
    return text


Escape = Callable[[str, int], str]
"""Turns a piece of inner text without line ends, and the offset that it is for, into what the file must have."""


def without_masks(text: str, at: int) -> str:
    """For files that need no escapes of their own."""
    del at
    return unmask(text)


def with_doubled_dollars(text: str, at: int) -> str:
    """For files that fill in what follows a `$` themselves, and have `$$` for the shell's."""
    del at
    return unmask(re.sub(r"\$(?!\{MASKED_)", "$$", text))


@dataclass(frozen=True)
class Embedded:
    """A text of another language inside a file.

    Args:
        kind: Its language, a kind of `skip_config.formats`.
        text: What the inner language gets, with `\\n` at the ends of lines.
        starts: For each character, and for the end, its offset in the file.
        host: The whole file.
        lines: Start of an inner line -> where that line starts in the file, indentation and the like
            included; also for the end of the text, when a line ends there. Empty when the lines of the
            text are none of the file.
        line_end: What ends an inner line in the file.
        escape: A piece without line ends as the file must have it, masked texts put back.
        adapt: Applied to what the inner format wants to write, where not all of it may stand.
        folded: Whether lines of the file go on in the next one without a sign, so that the ` \\` before
            a line end of the text has no counterpart.
        whole: Makes the text for the whole place from the whole result, where single edits could break
            the host's quoting; None elsewhere.
        joined: The texts that this one is put together from, each with its offset here.
        computes: Whether a shell runs it, so that `$(…)` written there is carried out.
        ends: For each character, the offset behind it in the file, where that is not where the next one
            starts; empty when it is for all of them.
        filename: The name that the text has as a file; that of the file that holds it when empty.
        sealed: Why nothing can be written into it, when that is so.
    """

    kind: str
    text: str
    starts: Sequence[int]
    host: Source
    lines: Mapping[int, int] = field(default_factory=dict)
    line_end: str = "\n"
    escape: Escape = without_masks
    adapt: Callable[[str], str] = as_it_is
    folded: bool = False
    whole: Callable[[str], str] | None = None
    joined: tuple[tuple[int, Embedded], ...] = ()
    computes: bool = True
    ends: Sequence[int] = ()
    filename: str = ""
    sealed: Remark | None = None

    @cached_property
    def source(self) -> Source:
        """The text as a file of its own."""
        return Source(self.text, self.filename or self.host.filename)

    @cached_property
    def _line_starts(self) -> list[int]:
        return sorted(self.lines)

    def adapted(self, edits: Sequence[Edit]) -> list[Edit]:
        """Edits on the text, as far as they may stand there."""
        return [Edit(edit.span, self.part_at(edit.span.start).adapt(edit.text)) for edit in edits]

    def part_at(self, offset: int) -> Embedded:
        """The text that is joined in here at an offset; the text itself when it is one."""
        for at, one in reversed(self.joined):
            if at <= offset:
                return one.part_at(offset - at)
        return self

    def outward(self, edits: Sequence[Edit]) -> list[Edit]:
        """Edits on the text, as edits on the file."""
        if self.joined:
            found = []
            for index, (offset, one) in enumerate(self.joined):
                limit = self.joined[index + 1][0] if index + 1 < len(self.joined) else len(self.text) + 1
                inside = [edit for edit in edits if offset <= edit.span.start < limit]
                size = len(one.text)  # what stands between the texts is none of the file
                found += one.outward([Edit(Span(a - offset, min(b - offset, size)), text) for (a, b), text in inside])
            return found
        if self.whole is not None and edits:
            return [Edit(Span(self.starts[0], self.starts[-1]), self.whole(apply(self.text, edits)))]
        return [self._outward(edit) for edit in edits]

    def _outward(self, edit: Edit) -> Edit:
        (start, end), text = edit
        if not text and start in self.lines and end in self.lines:
            return Edit(Span(self.lines[start], self.lines[end]), "")
        if text.endswith("\n") and start in self.lines and end in self.lines and self.line_end == self.host.newline:
            prefix = self._prefix(0)
            written = "".join(
                (prefix + self.escape(line, start) if line else "") + self.line_end for line in text[:-1].split("\n")
            )
            return Edit(Span(self.lines[start], self.lines[end]), written)
        line_end = self.line_end + self._prefix(start)
        *ended, last = text.split("\n")
        if self.folded:
            ended = [line.removesuffix("\\").rstrip() for line in ended]
        written = line_end.join(self.escape(line, start) for line in (*ended, last))
        stop = self.ends[end - 1] if self.ends and end not in self.lines and end > start else self.starts[end]
        return Edit(Span(self.starts[start], max(stop, self.starts[start])), written)

    def _prefix(self, offset: int) -> str:
        """What stands before the text of the line at `offset` in the file."""
        if not self.lines:
            return ""
        index = max(bisect_right(self._line_starts, offset) - 1, 0)
        start = self._line_starts[index]
        return self.host.text[self.lines[start] : self.starts[start]]

    def part(self, start: int, end: int, kind: str) -> Embedded:
        """A range of the text as a text by itself."""
        lines = {at - start: place for at, place in self.lines.items() if start <= at <= end}

        def escape(text: str, at: int) -> str:
            return self.escape(text, at + start)

        return replace(
            self,
            kind=kind,
            text=self.text[start:end],
            starts=self.starts[start : end + 1],
            lines=lines,
            escape=escape,
            ends=self.ends[start:end],
        )

    def rewritten(self, changes: Iterable[tuple[Span, str]]) -> Embedded:
        """The text with ranges of it put in other words, as `mask` does; each stands for its range.

        Args:
            changes: The ranges, in order, with what stands for them.
        """
        texts: list[str] = []
        starts: list[int] = []
        ends: list[int] = []
        behind = self.ends or self.starts[1:]
        moved: list[tuple[int, int]] = [(0, 0)]
        position = 0
        for (start, end), other in changes:
            texts += [self.text[position:start], other]
            starts += [*self.starts[position:start], *[self.starts[start]] * len(other)]
            ends += [*behind[position:start], *[behind[end - 1]] * len(other)]
            position = end
            moved.append((end, len(starts)))
        if not position:
            return self
        texts.append(self.text[position:])
        starts += self.starts[position:]
        ends += behind[position:]
        lines = {}
        for at, place in self.lines.items():
            before, after = moved[bisect_right(moved, (at, len(starts))) - 1]
            lines[at - before + after] = place
        return replace(self, text="".join(texts), starts=starts, lines=lines, ends=ends)


def join(texts: Sequence[Embedded], end: str = "\n") -> Embedded:
    """Several texts of a file as one, for a language in which they hang together.

    Args:
        texts: The texts, in the order in which they are to be read.
        end: What stands behind each but the last.
    """
    if len(texts) == 1:
        return texts[0]
    offset = 0
    parts: list[tuple[int, Embedded]] = []
    starts: list[int] = []
    pieces: list[str] = []
    for one in texts:
        behind = "" if (end and one.text.endswith(end)) or one is texts[-1] else end
        parts.append((offset, one))
        pieces.append(one.text + behind)
        starts += [*one.starts[:-1], *([one.starts[-1]] * len(behind))]
        offset += len(pieces[-1])
    return Embedded(texts[0].kind, "".join(pieces), [*starts, texts[-1].starts[-1]], texts[0].host, joined=tuple(parts))


class Pieces:
    """Puts an inner text together from pieces of a file and what has to stand between them."""

    def __init__(self, host: Source) -> None:
        self.host = host
        self.texts: list[str] = []
        self.starts: list[int] = []
        self.ends: list[int] = []
        self.lines: dict[int, int] = {}

    def copy(self, start: int, end: int) -> None:
        """A range of the file, as it is."""
        self.texts.append(self.host.text[start:end])
        self.starts += range(start, end)
        self.ends += range(start + 1, end + 1)

    def put(self, text: str, start: int, end: int | None = None) -> None:
        """A text that stands for a range of the file; for nothing at all when that has no end."""
        self.texts.append(text)
        self.starts += [start] * len(text)
        self.ends += [start if end is None else end] * len(text)

    def line(self, at: int) -> None:
        """An inner line starts here, and in the file at `at`."""
        self.lines[len(self.starts)] = at

    def embedded(
        self,
        kind: str,
        end: int,
        *,
        line_end: str | None = None,
        escape: Escape = without_masks,
        adapt: Callable[[str], str] = as_it_is,
        folded: bool = False,
        whole: Callable[[str], str] | None = None,
    ) -> Embedded:
        """The text that has been put together.

        Args:
            kind: Its language.
            end: Where it ends in the file.
            line_end, escape, adapt, folded, whole: See `Embedded`; the file's line ending by default.
        """
        line_end = self.host.newline if line_end is None else line_end
        text = "".join(self.texts)
        starts = [*self.starts, end]
        return Embedded(
            kind, text, starts, self.host, self.lines, line_end, escape, adapt, folded, whole, ends=self.ends
        )


def not_computed(text: Embedded) -> Embedded:
    """The same text where nothing runs it as it stands, so that a list must be written out."""
    return replace(text, computes=False, adapt=steps_written_out)


def as_variable(name: str, text: Embedded) -> Embedded:
    """A text that is only words, as the value of a variable; whoever expands it sees no quotes around a list."""
    changes = [(Span(*match.span()), "\\" + match[0]) for match in re.finditer(r'["`]', text.text)]
    inner = not_computed(text.rewritten(changes))
    if changes:
        escape = text.escape

        def unescaped(piece: str, at: int) -> str:
            return escape(re.sub(r'\\(["`])', r"\1", piece), at)

        inner = replace(inner, escape=unescaped)
    opening, closing = Pieces(text.host), Pieces(text.host)
    opening.put(f'{name}="', text.starts[0])
    closing.put('"\n', text.starts[-1])
    parts = [opening.embedded(text.kind, text.starts[0]), inner, closing.embedded(text.kind, text.starts[-1])]
    return join(parts, end="")
