"""Which texts are not read at all, whatever kind of file they are."""

from __future__ import annotations

import re
from itertools import islice

from skip_config.diagnostics import Diagnostic, Severity

MAX_CHARACTERS = 5_000_000
"""Length of a text that is read: a hundred times verl's longest config, and some seconds of parsing."""

LONGER = {"yaml": 50_000_000, "log": 100_000_000}
"""Kinds of which more is read: logs are searched and not parsed, and YAML is parsed outside Python."""

MEND = "mend it there, then run skipcfg again"
"""What to do about a text that is not what the name of its file promises."""

MAX_WORDS = 200_000
"""Words and signs of a text that is parsed: what each becomes takes some hundred bytes and ten microseconds."""

MORE_WORDS = {"shell": 1_000_000, "notebook": 1_000_000, "json": 400_000}
"""Kinds whose parser takes less for each, or, in outputs of notebooks, nothing."""

MAX_NODES = 500_000
"""Lines, items and keys of a YAML text: what each becomes takes half a kilobyte and three microseconds."""

_WORD = re.compile(r"[\w.:/+=-]+|[^\s\w]")
_BETWEEN_NODES = "\n\r,:\x85\u2028\u2029"

TOO_DEEP = Diagnostic(
    "cannot-parse",
    Severity.ERROR,
    "something in the file is nested too deeply to be read",
    help="nest it less, then run skipcfg again",
)


def why_not_read(kind: str | None, text: str) -> Diagnostic | None:
    """The finding for a text that is too long or has too much in it, or that no file can hold.

    Args:
        kind: The kind of file.
        text: The whole text.
    """
    most = LONGER.get(kind or "", MAX_CHARACTERS)
    if len(text) > most:
        message = f"the file has {len(text):,} characters, and at most {most:,} are read"
        return Diagnostic(
            "cannot-parse", Severity.ERROR, message, help="split the file, then run skipcfg on the part with settings"
        )
    too_much = _too_much(kind, text)
    if too_much is not None:
        message = f"the file has more than {too_much}, which is as many as are read"
        return Diagnostic(
            "cannot-parse", Severity.ERROR, message, help="split the file, then run skipcfg on the part with settings"
        )
    try:
        text.encode()
    except UnicodeEncodeError as error:
        message = f"half of a surrogate pair, {text[error.start]!a}, which is no character, and which UTF-8 cannot hold"
        return Diagnostic("cannot-decode", Severity.ERROR, message, help="remove it, then run skipcfg again")
    return None


def _too_much(kind: str | None, text: str) -> str | None:
    """What a text has more of than is read, or None; the parser would take memory for each."""
    if kind == "log":
        return None
    if kind == "yaml":
        count = sum(text.count(sign) for sign in _BETWEEN_NODES) if len(text) > MAX_NODES else 0
        return f"{MAX_NODES:,} lines, items and keys" if count > MAX_NODES else None
    most = MORE_WORDS.get(kind or "", MAX_WORDS)
    if len(text) <= most or next(islice(_WORD.finditer(text), most, None), None) is None:
        return None
    return f"{most:,} words and signs"
