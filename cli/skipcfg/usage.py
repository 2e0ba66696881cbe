"""What is said when the command line itself cannot be read: in our words, with what was probably meant."""

from __future__ import annotations

import re
from collections.abc import Callable
from difflib import get_close_matches

_REWORDED: tuple[tuple[str, Callable[[re.Match[str]], str]], ...] = (
    (r"Invalid value for (.+?): (?:Value error, )?(.*)", lambda m: f"{_plain(m[1])}: {reworded(m[2])}"),
    (r"Input should be greater than or equal to (\S+)", lambda m: f"must be {m[1]} or more"),
    (r"(\S+) is not in the range x>=(\S+)\.", lambda m: f"must be {m[2]} or more, not {m[1]}"),
    (r"Input should be a valid integer.*", lambda m: "must be a whole number"),
    (r"('.*') is not a valid integer\.", lambda m: f"must be a whole number, not {m[1]}"),
    (r"('.*') is not one of (.*?)\.?", lambda m: f"{m[1]} is not one of {_choices(m[1], m[2])}"),
    (r"Missing argument '(.*?)(?:\.\.\.)?'\.", lambda m: f"{m[1]} is missing"),
    (r"Missing option '(.*?)'\.", lambda m: f"{m[1]} is missing"),
    (r"No such option: (\S+?)(?: \(Possible options: (.*)\))?", lambda m: f"there is no option {m[1]}{_meant(m[2])}"),
    (r"No such option: (\S+) Did you mean (\S+)\?", lambda m: f"there is no option {m[1]}{_meant(m[2])}"),
    (r"No such command '(.*?)'\.(?: Did you mean (?:one of: )?(.*)\?)?", lambda m: _no_command(m[1], m[2])),
    (r"Got unexpected extra argument\S* \((.*)\)", lambda m: f"nothing is known to do with {m[1]}: remove it"),
    (r"Option '(\S+)' requires an argument\.", lambda m: f"{m[1]} needs a value behind it"),
)
"""Texts of the releases of Typer and click that we run with; another text is told as it is."""


def reworded(text: str) -> str:
    """A complaint of the parser as we would say it."""
    for pattern, words in _REWORDED:
        match = re.fullmatch(pattern, text, re.DOTALL)
        if match:
            return words(match)
    return text.rstrip(".")


def _plain(hint: str) -> str:
    return hint.replace("'", "")


def _choices(given: str, listed: str) -> str:
    choices = re.findall(r"'(.*?)'", listed)
    near = get_close_matches(given.strip("'"), choices, 1)
    return ", ".join(choices) + (_meant(near[0]) if near else "")


def _meant(near: str | None) -> str:
    return f"; did you mean {near.replace(chr(39), '')}?" if near else ""


def _no_command(name: str, near: str | None) -> str:
    return f"there is no command {name}{_meant(near)}"
