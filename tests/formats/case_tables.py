"""Read tables of small files: `=== name`, the file, `---`, what comes out or what is told."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

FOLDER = Path(__file__).parent


class Case(NamedTuple):
    """One row.

    Args:
        name: In words.
        before: The file, without line ending at its end.
        after: What stands behind `---`; empty when there is nothing.
    """

    name: str
    before: str
    after: str


def read_cases(table: str) -> list[Case]:
    """The rows of a table, as in `python/safe`."""
    text = (FOLDER / f"{table}.txt").read_text(encoding="utf-8")
    rows = []
    for part in text.removeprefix("=== ").split("\n=== "):
        name, _, rest = part.partition("\n")
        before, _, after = rest.partition("\n---\n")
        rows.append(Case(name, before.rstrip("\n"), after.rstrip("\n")))
    return rows
