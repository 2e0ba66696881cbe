"""Shell text inside shell text: what an inner shell reads, and where each character of it stands in the file.

`bash -c "…"`, a here-document and a string that is run with `eval` hold scripts of their own, behind one
more layer of escapes. A `View` is such a text with the escapes taken off; edits are made on the file.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from skip_config.source import Source, Span

Layer = Literal["single", "double", "heredoc"]
"""What wraps an inner text: `heredoc` is one whose delimiter is not quoted."""


@dataclass(frozen=True, slots=True)
class View:
    """A text and its place in the file.

    Args:
        text: What a shell reads.
        starts: For each character, and for the end, its offset in the file.
        layers: What the text is wrapped in, from the outside in.
        newline: The file's line ending.
        words: Whether the text is a list of words rather than a script: its lines are no commands.
        shell: Which shell expands a `$` of this text that no backslash protects: 0 for the one that runs
            the file, else the offset where the text of an inner one starts.
    """

    text: str
    starts: Sequence[int]
    layers: tuple[Layer, ...] = ()
    newline: str = "\n"
    words: bool = False
    shell: int = 0

    @classmethod
    def of(cls, source: Source) -> View:
        """The whole file; bash itself would stumble over CR, so CR LF reads as one line end."""
        text = source.text
        if "\r\n" not in text:
            return cls(text, range(len(text) + 1), newline=source.newline)
        starts = [offset for offset, char in enumerate(text) if char != "\r" or text[offset + 1 : offset + 2] != "\n"]
        # A line end stands where its CR does.
        starts = [at - 1 if text[at] == "\n" and text[at - 1 : at] == "\r" else at for at in starts]
        return cls(text.replace("\r\n", "\n"), [*starts, len(text)], newline=source.newline)

    def span(self, start: int, end: int) -> Span:
        """The place in the file of a range of this text."""
        return Span(self.starts[start], self.starts[end])

    def inside(self, start: int, end: int, layer: Layer | None, verbatim: Sequence[Span], words: bool) -> View:
        """The text that an inner shell reads from a quoted range of this one.

        Args:
            start, end: The range between the quotes.
            layer: What it is wrapped in; None for a here-document with quoted delimiter.
            verbatim: Expansions in the range, whose text stays as it is.
            words: See `View`.
        """
        layers = self.layers if layer is None else (*self.layers, layer)
        if layer in (None, "single"):
            starts = self.starts[start : end + 1]
            return View(self.text[start:end], starts, layers, self.newline, words, shell=starts[0] or 1)
        escapable = '"\\$`' if layer == "double" else "\\$`"
        chars: list[str] = []
        offsets: list[int] = []
        at = start
        pending = sorted(verbatim, reverse=True)
        while at < end:
            if pending and at >= pending[-1].start:
                stop = min(pending.pop().end, end)
                chars.append(self.text[at:stop])
                offsets += self.starts[at:stop]
                at = max(stop, at)
                continue
            offsets.append(self.starts[at])
            at += 1 if self.text[at] == "\\" and at + 1 < end and self.text[at + 1] in escapable else 0
            chars.append(self.text[at])
            at += 1
        return View("".join(chars), [*offsets, self.starts[end]], layers, self.newline, words, self.shell)

    def escape(self, text: str) -> str:
        """A piece of inner text as the file must have it; `$` is left to expand where it can first."""
        for layer in reversed(self.layers):
            if layer == "double":
                text = text.replace("\\", "\\\\").replace('"', '\\"').replace("`", "\\`")
            elif layer == "heredoc":
                text = text.replace("\\", "\\\\").replace("`", "\\`")
        return text.replace("\n", self.newline)

    @property
    def can_single_quote(self) -> bool:
        """Whether a single quote written here reaches the inner shell as one."""
        return "single" not in self.layers

    @property
    def expands_outside(self) -> bool:
        """Whether a `$` written here is expanded by an outer shell, whatever quotes stand around it."""
        return "double" in self.layers or "heredoc" in self.layers

    @property
    def taken_literally(self) -> bool:
        """Whether these are words that no shell expands: in single quotes, or below a quoted `<<'EOF'`."""
        return self.words and self.shell == (self.starts[0] or 1)

    def expanded_outside(self, at: int) -> bool:
        """Whether an outer shell expands the `$` at `at`: it does unless a backslash stands before it."""
        return self.expands_outside and self.starts[at + 1] - self.starts[at] == 1
