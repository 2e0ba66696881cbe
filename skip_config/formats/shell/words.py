"""One shell word taken apart: quotes, expansions, and the override that it may be."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final, NamedTuple

from skip_config.formats.overrides import OVERRIDE, hydra_value
from skip_config.formats.shell.view import View
from skip_config.legacy import MISSING, Maybe, Opaque

_CLOSERS: Final = {"(": ")", "{": "}"}
_NAME: Final = re.compile(r"[A-Za-z_]\w*|[0-9@*#?$!-]", re.ASCII)

Resolve = Callable[[str], "str | None"]
"""The text of a variable that the script sets once, to a plain text."""


class Piece(NamedTuple):
    """A character of a word, or an expansion in it.

    Args:
        text: The character; the name of a plain `$name` or `${name}`; empty for other expansions.
        start, end: Its range in the text.
        quote: The quote that it stands in, or empty.
        opened: Where that quote stands.
        expansion: Whether it is one.
    """

    text: str
    start: int
    end: int
    quote: str
    opened: int
    expansion: bool = False


def pieces(view: View, start: int, end: int) -> list[Piece]:
    """Take the word at `start`–`end` apart as bash does."""
    text = view.text
    found: list[Piece] = []
    quote, opened, at = "", -1, start
    while at < end:
        char = text[at]
        if quote == "'" and not (char == "$" and view.expanded_outside(at)):
            if char == "'":
                quote = ""
            else:
                found.append(Piece(char, at, at + 1, quote, opened))
            at += 1
        elif char == "\\" and at + 1 < end:
            following = text[at + 1]
            if following != "\n":
                kept = quote == '"' and following not in '"\\$`'
                found += [Piece("\\", at, at + 1, quote, opened)] if kept else []
                found.append(Piece(following, at + 1 if kept else at, at + 2, quote, opened))
            at += 2
        elif char == "$" and not quote and (plain := _plain_ansi(text, at, end)):
            found += [Piece(text[i], i, i + 1, "'", at + 1) for i in range(at + 2, plain - 1)]
            at = plain
        elif char in "$`" and (stop := expansion_end(text, at, end)) > at + 1:
            found.append(Piece(_name(text[at:stop]), at, stop, quote, opened, expansion=True))
            at = stop
        elif char == '"' or (char == "'" and not quote):
            quote, opened = ("", -1) if char == quote else (char, at)
            at += 1
        else:
            found.append(Piece(char, at, at + 1, quote, opened))
            at += 1
    return found


def _plain_ansi(text: str, start: int, end: int) -> int:
    """Where `$'…'` ends, when it has no escapes and so says the same as `'…'`; 0 for anything else."""
    if text[start : start + 2] != "$'":
        return 0
    close = text.find("'", start + 2, end)
    return close + 1 if close >= 0 and "\\" not in text[start:close] else 0


def _name(expansion: str) -> str:
    inner = expansion[2:-1] if expansion.startswith("${") else expansion[1:]
    return inner if _NAME.fullmatch(inner) else ""


def expansion_end(text: str, start: int, end: int) -> int:
    """Where the expansion that starts at `start` ends; `start + 1` when it is none."""
    if text[start] == "`":
        close = text.find("`", start + 1, end)
        return end if close < 0 else close + 1
    following = text[start + 1 : start + 2]
    if following == "'":  # $'…' is a quote of its own
        close = start + 2
        while close < end and text[close] != "'":
            close += 2 if text[close] == "\\" else 1
        return min(close + 1, end)
    if following not in _CLOSERS:
        name = _NAME.match(text, start + 1, end)
        return name.end() if name else start + 1
    stack, at = [_CLOSERS[following]], start + 2
    while at < end and stack:
        char = text[at]
        if char == "\\":
            at += 1
        elif stack[-1] == "'":
            stack = stack[:-1] if char == "'" else stack
        elif char == stack[-1]:
            stack.pop()
        elif char == "'" and '"' not in stack[-1:]:
            stack.append("'")
        elif char == '"':
            stack.append('"')
        elif char == "$" and text[at + 1 : at + 2] in _CLOSERS and text[at + 1 : at + 2]:
            stack.append(_CLOSERS[text[at + 1]])
            at += 1
        elif char == "(" and stack[-1] == ")":
            stack.append(")")
        at += 1
    return min(at, end)


class Token(NamedTuple):
    """An override in a view.

    Args:
        view: The text that it stands in.
        start, end: Its range there, with its quotes.
        prefix, key, value: See `Override`.
        key_end: Where its `=` stands (the end of the key when there is none).
        quote: The quote that is open at the `=`, or empty.
        whole: Whether that quote goes on to the end of the word.
        shell_value: Whether the value has expansions of the shell.
        text: The word as Hydra gets it, with a `0` for each expansion of the shell.
    """

    view: View
    start: int
    end: int
    prefix: str
    key: str
    value: Maybe
    key_end: int
    quote: str
    whole: bool
    shell_value: bool
    text: str

    @property
    def place(self) -> int:
        """The offset in the file that identifies it."""
        return self.view.starts[self.start]

    @property
    def value_start(self) -> int:
        """Where the value starts in the view."""
        return min(self.key_end + 1, self.end)


def read_override(view: View, start: int, end: int, resolve: Resolve) -> Token | None:
    """Read a word as an override.

    Args:
        view: The text.
        start, end: The word's range.
        resolve: Gives the text of variables in the key.

    Returns:
        None when it is something else.
    """
    word = pieces(view, start, end)
    literal: list[str] = []
    index = 0
    for index, piece in enumerate(word):  # noqa: B007
        if piece.expansion:
            known = resolve(piece.text) if piece.text else None
            if known is None:
                return None
            literal.append(known)
        else:
            literal.append(piece.text)
            if piece.text == "=":
                break
    else:
        index = len(word)
    match = OVERRIDE.match("".join(literal))
    if not match or match.end() != len("".join(literal)) or (not match[3] and match[1] != "~"):
        return None
    if index == len(word):
        return Token(view, start, end, match[1], match[2], MISSING, end, "", False, False, "".join(literal))
    equals = word[index]
    whole = bool(equals.quote) and all(piece.opened == equals.opened for piece in word[index:])
    whole = whole and view.text[end - 1] == equals.quote and end - 1 > equals.start
    rest = word[index + 1 :]
    shell_value = any(piece.expansion for piece in rest)
    value: Maybe
    if shell_value:
        value = Opaque(view.text[equals.end : end - whole])
    else:
        value = hydra_value("".join(piece.text for piece in rest))
    text = "".join(literal) + "".join("0" if piece.expansion else piece.text for piece in rest)
    return Token(view, start, end, match[1], match[2], value, equals.start, equals.quote, whole, shell_value, text)
