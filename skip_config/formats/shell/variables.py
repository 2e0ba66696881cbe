"""Values whose variables the script itself sets to plain texts, written out."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

_VARIABLE: Final = re.compile(r"\$(?:(\w+)|\{(\w+)\})", re.ASCII)
_SEQ: Final = re.compile(r"\$\(seq -s ?['\"]?,['\"]? (\d{1,6}) (\d{1,6})\)", re.ASCII)


def filled_in(value: str, known: Mapping[str, str]) -> str | None:
    """A value as the command gets it, or None when only the shell can tell.

    Args:
        value: As the script writes it.
        known: Variables that are set once, to plain texts.
    """
    value = _VARIABLE.sub(lambda found: known.get(found[1] or found[2], found[0]), value)
    value = _SEQ.sub(lambda found: ",".join(map(str, range(int(found[1]), int(found[2]) + 1))), value)
    if "$" in value or "`" in value or "\\" in value:
        return None
    return value.replace('"', "")
