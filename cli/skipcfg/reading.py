"""From bytes to a source, and which complaints about unreadable files reach the user."""

from __future__ import annotations

from collections.abc import Iterable

from skip_config.diagnostics import Diagnostic, Severity
from skip_config.source import BOM, Source

UNREADABLE = frozenset({"cannot-parse", "cannot-decode", "duplicate-key"})
"""Findings that matter only for a file that was named or that holds an old key."""

HEAD = 256
"""Bytes from which the kind of a file without extension is told: its shebang."""


def not_served(what: str) -> Diagnostic:
    """The note for a file that was named and is passed over."""
    return Diagnostic(
        "not-served",
        Severity.NOTE,
        f"{what}: nothing is looked at, nothing is changed",
        help="name a config, a script or code: .yaml, .json, .sh, .py, .ipynb, .md and the like",
    )


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


def passed_over(diagnostics: Iterable[Diagnostic]) -> bool:
    """Whether the findings of a file say that nobody looked into it."""
    return any(one.name in ("not-served", "binary-file") for one in diagnostics)
