"""No regular expression of the package takes more than linear time where it is used, or much more than that."""

from __future__ import annotations

import importlib
import pkgutil
import re
import time

import pytest

import skip_config

PIECES = [
    *"ab1 \t\n\r\"'`$#\\{}[]()<>|=.:,%!@/~+-*?&",
    *(
        "a.",
        ".a",
        "a=",
        " a",
        "a ",
        "\\\n",
        "{a}",
        "[a]",
        "${",
        "$(",
        "{{",
        "{%",
        "--a=b ",
        "-m a ",
        "# ",
        "a: ",
        '""',
        "''",
    ),
    *(
        "-a ",
        "--a ",
        "a=\\ ",
        "a=1 ",
        "a='1' ",
        "\n\n",
        " \n",
        "\t\n",
        "> ",
        "$$",
        "%a",
        "&a ",
        "!a ",
        "export ",
        "override ",
        "{.",
        "a@b:",
        "skip",
        "rollout.",
        "_",
    ),
]
LENGTH = 4_000
SLOWEST = 0.25
"""Seconds for the longer text; one that backtracks without end would need more than the age of the universe."""


def patterns() -> list[tuple[str, re.Pattern[str]]]:
    """The compiled patterns of all modules, with their names."""
    found = {}
    for module in pkgutil.walk_packages(skip_config.__path__, "skip_config."):
        for name, value in vars(importlib.import_module(module.name)).items():
            if isinstance(value, re.Pattern) and isinstance(value.pattern, str):
                found.setdefault(value.pattern, (f"{module.name.removeprefix('skip_config.')}.{name}", value))
    return sorted(found.values(), key=lambda row: row[0])


@pytest.mark.parametrize(
    ("pattern", "scanner"),
    [(pattern, name.endswith("._PIECE")) for name, pattern in patterns()],
    ids=[name for name, _ in patterns()],
)
def test_pattern(pattern: re.Pattern[str], scanner: bool) -> None:
    """Matched at the start of what nearly fits: the piece many times over, and an end that does not.

    A scanner takes what comes next and asks nothing of what follows.
    """
    for piece in PIECES:
        for start in ("", "a", "`", "${"):
            text = start + piece * (LENGTH // len(piece)) + "\x00"
            began = time.process_time()
            pattern.match(text)
            if not scanner:
                pattern.fullmatch(text)
            taken = time.process_time() - began
            assert taken < SLOWEST, f"{taken:.2f} s for {start + piece!r} repeated to {LENGTH} characters"
