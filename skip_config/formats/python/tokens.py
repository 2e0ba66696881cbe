"""Settings as Python code writes them: override strings, words of a command line, pairs, assignments."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, Literal

from skip_config.diagnostics import Diagnostic, Remark, Severity, at
from skip_config.formats.overrides import OVERRIDE, hydra_value, recognise
from skip_config.formats.python.positions import Module
from skip_config.formats.python.texts import HOLE, Resolve, Text, read_text
from skip_config.formats.shell.view import View
from skip_config.formats.shell.words import Token as ShellToken
from skip_config.formats.shell.words import read_override
from skip_config.legacy import MISSING, Maybe, Opaque
from skip_config.numbers import is_too_large
from skip_config.releases import dotted
from skip_config.source import Source, Span


@dataclass(frozen=True, slots=True)
class OverrideText:
    """A whole string that is an override.

    Args:
        text: The string.
        equals: Index of its `=`; None for a `~key`.
    """

    text: Text
    equals: int | None


@dataclass(frozen=True, slots=True)
class Word:
    """A word of a string that is a command line.

    Args:
        text: The string.
        start, end: Range of the word in its characters.
        shell: The word as the shell reads it.
        split: Whether the text is split at its blanks, by no shell, so that quotes would stay.
    """

    text: Text
    start: int
    end: int
    shell: ShellToken
    split: bool = False


@dataclass(frozen=True, slots=True)
class Assigned:
    """A key and a value that are apart: a pair of a dict, an assignment, `OmegaConf.update`.

    Args:
        key: Place of the key, or of the target.
        value: Place of the value.
        style: How the key is written: in `quoted` dots, as a target with `dots` or `items`, or as the
            two first arguments of `setattr`.
        root: Source of what the target starts from.
        quote: Of the key, or of the items.
        value_quote: Of the value, when it is a text.
    """

    key: Span
    value: Span
    style: Literal["quoted", "dots", "items", "setattr"] = "quoted"
    root: str = ""
    quote: str = '"'
    value_quote: str = '"'


Spelling = OverrideText | Word | Assigned


@dataclass(frozen=True, slots=True)
class Token:
    """A setting in a file.

    Args:
        place: The offset that identifies it.
        prefix, key, value: See `Override`.
        span: What goes when it is replaced.
        spelling: How it is written.
        expression: Source of the value, where Python computes it and nothing is added to it.
        statement: The statement that is repeated when it becomes several settings.
        listed: Whether it stands in a list, where it may become several.
        computed: Whether Python computes the value inside of a text.
        assigned: Whether a value is assigned, so that nobody sees what to.
        spare: Whether the statement may go without leaving a block empty.
        scope: Offset of the function around it; 0 for the module.
        unit: Offset of the function or, outside of any, of the statement around it.
    """

    place: int
    prefix: str
    key: str
    value: Maybe
    span: Span
    spelling: Spelling
    expression: str | None = None
    statement: Span | None = None
    listed: bool = False
    computed: bool = False
    assigned: bool = False
    spare: bool = False
    scope: int = 0
    unit: int = 0

    @property
    def is_old(self) -> bool:
        meaning = recognise(self.key)
        return meaning is not None and meaning.kind == "old"


_EXPANSION: Final = "${_}"
"""What the shell sees in the place of a hole."""

_WORD: Final = re.compile(r"(?:'[^']*'|\"[^\"]*\"|\\.|[^\s'\"\\;&|])+")
_PROGRAM: Final = re.compile(r"(?:^|\s)(?:-m\s+[\w.]+|\S*python[\d.]*|\S+\.py|\S+\.sh|torchrun|ray)(?=\s|$)")
_BLANK: Final = re.compile(r"\s")
_COMMENT_LINE: Final = re.compile(r"(?m)^[ \t]*#.*$")
_ONE_OF_SEVERAL: Final = re.compile(r"\s[+~]{0,2}['\"]?[A-Za-z_]\w*(?:\.[\w@/-]+)+=", re.ASCII)


def override_text(text: Text) -> tuple[str, str, Maybe, int | None] | None:
    """Prefix, key, value and index of the `=` of a string that is one override."""
    value = text.value
    match = OVERRIDE.match(value)
    if match is None or (not match[3] and match[1] != "~") or _ONE_OF_SEVERAL.search(value):
        return None
    if value != value.rstrip():
        return None  # a piece of a command line, which ends with what parts it from the next one
    if not match[3]:
        return match[1], match[2], MISSING, None
    return match[1], match[2], _value(text, match.end()), match.end() - 1


def _value(text: Text, start: int) -> Maybe:
    rest = text.chars[start:]
    if any(char.hole is not None for char in rest):
        if len(rest) == 1 and rest[0].hole:
            return Opaque(rest[0].hole)
        return Opaque("".join(f"{{{char.hole}}}" if char.hole is not None else char.value for char in rest))
    return hydra_value("".join(char.value for char in rest))


def read_override_text(text: Text) -> Token | None:
    """Read a string as one override."""
    parts = override_text(text)
    if parts is None:
        return None
    prefix, key, value, equals = parts
    holes = [char for char in text.chars[(equals or 0) + 1 :] if char.hole is not None]
    sole = bool(holes) and equals is not None and len(text.chars) == equals + 2
    computed = any(char.part is None or char.hole is not None for char in text.chars)
    computed = computed or bool(holes)
    spelling = OverrideText(text, equals)
    expression = holes[0].hole if sole else None
    return Token(text.span.start, prefix, key, value, text.span, spelling, expression, computed=computed)


def is_command_line(text: Text) -> bool:
    """Whether a string is a command line, or a piece of one, rather than a sentence."""
    value = text.value
    if not _BLANK.search(value):
        return False
    if _PROGRAM.search(value):
        return True
    words = _WORD.findall(value)
    return bool(words) and all(
        ((one := OVERRIDE.match(word.strip("'\""))) and one[0].endswith("="))
        or word.startswith(("-", "$", HOLE))
        or "=" in word
        for word in words
    )


def quote_not_closed(source: Source, tokens: Iterable[Token]) -> Diagnostic | None:
    """What to tell when settings in a command line whose quotes do not close cannot be moved."""
    firsts = {id(one.spelling.text): one for one in reversed(list(tokens)) if isinstance(one.spelling, Word)}
    token = next((one for one in firsts.values() if _is_open(one.spelling)), None)
    if token is None:
        return None
    remark = Remark(
        "override-not-followed",
        f"{token.key} stands in a command line in which a quote is not closed",
        "close it, then run skipcfg migrate again, or move the setting by hand",
    )
    return at(source, token.span, remark, Severity.ERROR, key=token.key)


def _is_open(spelling: Spelling) -> bool:
    rest = _WORD.sub("", spelling.text.value) if isinstance(spelling, Word) else ""
    return "'" in rest or '"' in rest


def read_words(text: Text, *, split: bool = False) -> list[Token | str]:
    """Read a string as words: overrides, and the text of every other word.

    Args:
        text: The string.
        split: See `Word`.
    """
    content, starts = _shell_text(text)
    view = View(content, [*starts, len(text.chars)])
    found: list[Token | str] = []
    skipped = [match.span() for match in _COMMENT_LINE.finditer(content)]
    for match in _WORD.finditer(content):
        if any(start <= match.start() < end for start, end in skipped):
            continue
        shell = read_override(view, match.start(), match.end(), lambda name: None)
        if shell is None or recognise(shell.key) is None:
            found.append(match[0])
            continue
        start, end = starts[match.start()], view.starts[match.end()]
        span = Span(text.chars[start].start, text.chars[end - 1].end)
        holes = [char for char in text.chars[start:end] if char.hole is not None]
        value: Maybe = shell.value
        expression = None
        if holes:
            rest = content[shell.value_start : shell.end - shell.whole]
            expression = holes[0].hole if len(holes) == 1 and rest.strip("'\"") == _EXPANSION else None
            value = Opaque(expression or rest)
        spelling = Word(text, start, end, shell, split)
        computed = bool(holes)
        word = Token(span.start, shell.prefix, shell.key, value, span, spelling, expression, None, True, computed)
        found.append(word)
    return found


def _shell_text(text: Text) -> tuple[str, list[int]]:
    """What the shell would see, each hole as an expansion; and for each character its index in `chars`."""
    content: list[str] = []
    starts: list[int] = []
    for index, char in enumerate(text.chars):
        piece = _EXPANSION if char.hole is not None else char.value
        content.append(piece)
        starts += [index] * len(piece)
    return "".join(content), starts


# ------------------------------------------------------------------ key and value apart


def python_value(module: Module, node: ast.expr, *, as_text: bool) -> Maybe:
    """The value of an expression; an `Opaque` when Python computes it.

    Args:
        module: The file.
        node: The expression.
        as_text: Whether a text is an override's value, to be read as Hydra does.
    """
    try:
        value = ast.literal_eval(node)
    except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
        return Opaque(module.text(node))
    if isinstance(value, str):
        return hydra_value(value) if as_text else Opaque(value) if "${" in value else value
    if is_too_large(value):
        return module.text(node)
    if isinstance(value, (tuple, set)):
        return list(value)
    return value if value is None or isinstance(value, (bool, int, float, list, dict)) else Opaque(module.text(node))


def quote_of(module: Module, node: ast.expr) -> str:
    """The quote that a text is written with."""
    found = re.match(r"[A-Za-z]*('|\")", module.text(node))
    return found[1] if found else '"'


def read_pair(module: Module, key: ast.expr, value: ast.expr, outer: Span, resolve: Resolve) -> Token | None:
    """Read a key in dots and its value, as a dict or a call has them; the key may be a name for a text."""
    known = resolve(key)
    text = read_text(module, key, resolve) if known is None else None
    if known is None and text is None:
        return None
    name = known if text is None else text.value
    span = module.span(key) if text is None else text.span
    match = OVERRIDE.match(f"{name}=")
    if name is None or match is None or match.end() != len(name) + 1 or recognise(match[2]) is None:
        return None
    there = python_value(module, value, as_text=True)
    quote = quote_of(module, key)
    value_quote = quote_of(module, value) if isinstance(value, ast.Constant) and isinstance(value.value, str) else quote
    spelling = Assigned(span, module.span(value), quote=quote, value_quote=value_quote)
    expression = module.text(value) if isinstance(there, Opaque) else None
    return Token(span.start, match[1], match[2], there, outer, spelling, expression)


def subscript_text(node: ast.Subscript) -> str | None:
    """The text in brackets, or None."""
    index = node.slice
    return index.value if isinstance(index, ast.Constant) and isinstance(index.value, str) else None


def chain_of(node: ast.expr) -> tuple[ast.expr, list[str]] | None:
    """An attribute and item chain: what it starts from, and its names."""
    names: list[str] = []
    while True:
        if isinstance(node, ast.Attribute):
            names.append(node.attr)
        elif isinstance(node, ast.Subscript) and (text := subscript_text(node)) is not None:
            names += reversed(text.split("."))
        else:
            return (node, names[::-1]) if names else None
        node = node.value


def key_of(names: list[str], base: tuple[str, ...]) -> tuple[int, str] | None:
    """Where in a chain verl's root config ends, and the key from there.

    Args:
        names: The chain's names.
        base: The path that an alias at its start stands for.
    """
    full = [*base, *names]
    for index in range(len(full)):
        key = dotted(tuple(full[index:]))
        meaning = recognise(key)
        if meaning is not None and (meaning.kind != "new" or index == 0 or meaning.role):
            return index - len(base), key
    return None
