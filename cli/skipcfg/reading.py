"""From bytes to a source, and which complaints about unreadable files reach the user."""

from __future__ import annotations

from collections.abc import Iterable

from skip_config.diagnostics import Diagnostic, Severity
from skip_config.source import BOM, Source

UNREADABLE = frozenset({"cannot-parse", "cannot-decode", "duplicate-key"})
"""Findings that matter only for a file that was named or that holds an old key."""


def decode(data: bytes, name: str) -> Source | Diagnostic:
    """The source, or the diagnostic for bytes that are not UTF-8."""
    try:
        return Source.decode(data, name)
    except UnicodeDecodeError as error:
        text = data[len(BOM) :] if data.startswith(BOM) else data
        before = text[: error.start].decode("utf-8")
        line, column = Source(before, name).position(len(before))
        return Diagnostic(
            "cannot-decode",
            Severity.ERROR,
            f"not UTF-8: byte 0x{text[error.start]:02x} cannot be decoded",
            line,
            column,
            line,
            column + 1,
            help="save the file as UTF-8, then run skipcfg again",
        )


def without_unreadable(diagnostics: Iterable[Diagnostic]) -> tuple[Diagnostic, ...]:
    """The findings but for those that say the file cannot be read."""
    return tuple(one for one in diagnostics if one.name not in UNREADABLE)
