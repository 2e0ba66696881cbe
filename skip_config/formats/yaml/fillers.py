"""What other programs fill into the commands of a job file before a shell sees them."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from typing import Final

from skip_config.formats.embedded.text import Embedded, mask, steps_written_out, with_doubled_dollars
from skip_config.source import Span

_TEMPLATED: Final = re.compile(r"\$?\{\{.*?\}\}|\{%.*?%\}", re.DOTALL)
_COMPOSE_DOLLAR: Final = re.compile(r"\$\$|\$\{[^{}]*(?:\{[^{}]*\}[^{}]*)*\}|\$\w+")


def templated(text: Embedded) -> Embedded:
    """What a template or a workflow fills in before a shell runs is masked."""
    return text.rewritten([(Span(*match.span()), mask(match[0])) for match in _TEMPLATED.finditer(text.text)])


def composed(text: Embedded, computes: bool) -> Embedded:
    """Compose fills in `$NAME` and `${NAME}` before a shell runs, which gets `$` from `$$`."""
    changes = [
        (Span(*match.span()), "$" if match[0] == "$$" else mask(match[0]))
        for match in _COMPOSE_DOLLAR.finditer(text.text)
    ]
    escape, whole = text.escape, text.whole
    doubled: Callable[[str], str] | None = None
    if whole is not None:
        quoted = whole

        def doubled(result: str) -> str:
            return quoted(with_doubled_dollars(result, 0))

    return replace(
        text.rewritten(changes),
        escape=lambda piece, offset: escape(with_doubled_dollars(piece, offset), offset),
        whole=doubled,
        computes=computes,
        adapt=text.adapt if computes else steps_written_out,
    )
