"""Which texts are not read at all, whatever kind of file they are."""

from __future__ import annotations

import re
from itertools import islice

from skip_config.diagnostics import Diagnostic, Severity

MAX_CHARACTERS = 5_000_000
"""Length of a text that is read: a hundred times verl's longest config, and some seconds of parsing."""

LONGER = {"yaml": 50_000_000, "log": 100_000_000}
"""Kinds whose migration reads more: logs are searched and not parsed, and YAML is parsed outside Python."""

MEND = "mend it there, then run skipcfg again"
"""What to do about a text that is not what the name of its file promises."""

MAX_WORDS = 200_000
"""Words and signs of a text that is parsed: what each becomes takes some hundred bytes and ten microseconds."""

_WORD = re.compile(r"[\w.:/+=-]+|[^\s\w]")
_FEW = 200_000
"""Characters of a text that cannot have more words than that."""

TOO_DEEP = Diagnostic(
    "cannot-parse",
    Severity.ERROR,
    "something in the file is nested too deeply to be read",
    help="nest it less, then run skipcfg again",
)


def why_not_read(kind: str | None, text: str) -> Diagnostic | None:
    """The finding for a text that is too long or has too much in it, or that no file can hold.

    Args:
        kind: The kind of file, where longer ones may be read.
        text: The whole text.
    """
    most = LONGER.get(kind or "", MAX_CHARACTERS)
    if len(text) > most:
        message = f"the file has {len(text):,} characters, and at most {most:,} are read"
        return Diagnostic(
            "cannot-parse", Severity.ERROR, message, help="split the file, then run skipcfg on the part with settings"
        )
    if len(text) > _FEW and kind != "log" and next(islice(_WORD.finditer(text), MAX_WORDS, None), None):
        message = f"the file has more than {MAX_WORDS:,} words and signs, which is as many as are read"
        return Diagnostic(
            "cannot-parse", Severity.ERROR, message, help="split the file, then run skipcfg on the part with settings"
        )
    try:
        text.encode()
    except UnicodeEncodeError as error:
        message = f"half of a surrogate pair, {text[error.start]!a}, which is no character, and which UTF-8 cannot hold"
        return Diagnostic("cannot-decode", Severity.ERROR, message, help="remove it, then run skipcfg again")
    return None
