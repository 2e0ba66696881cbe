"""`# skipcfg: ignore[name, name] why`: comments that silence findings on their line."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from skip_config.diagnostics import Diagnostic, Remark, Severity, at
from skip_config.source import Source, Span

_COMMENT = re.compile(r"(?:^|(?<=\s))#[^\r\n]*?\bskipcfg:\s*ignore\[([^\]\r\n]*)\]", re.MULTILINE)
_STALE = "stale-ignore"


class Ignore(NamedTuple):
    """One name in one comment.

    Args:
        name: The diagnostic that it silences.
        line: The line that it silences it on: its own, or the next one when nothing else is on its line.
        span: The name in the text.
    """

    name: str
    line: int
    span: Span


def ignores(source: Source) -> Iterator[Ignore]:
    """The ignore comments of a YAML file or a shell script."""
    if "skipcfg:" not in source.text:
        return
    for match in _COMMENT.finditer(source.text):
        line, column = source.position(match.start())
        alone = not source.text[match.start() - column + 1 : match.start()].strip()
        for name in re.finditer(r"[^,\s]+", match[1]):
            start = match.start(1) + name.start()
            yield Ignore(name[0], line + alone, Span(start, start + len(name[0])))


def suppressed(source: Source, found: Sequence[Diagnostic]) -> list[Diagnostic]:
    """The findings without those that a comment silences, and with a warning for each stale comment.

    Args:
        source: The file.
        found: Its findings. Those without a line cannot be silenced by a comment.
    """
    left = list(found)
    for ignore in ignores(source):
        kept = [one for one in left if (one.name, one.line) != (ignore.name, ignore.line)]
        if len(kept) == len(left):
            message = f"nothing on line {ignore.line} is called {ignore.name}: this comment silences nothing"
            remark = Remark(_STALE, message, "remove the comment, or put it on the line of the finding")
            left.append(at(source, ignore.span, remark, Severity.WARNING))
        else:
            left = kept
    return left
