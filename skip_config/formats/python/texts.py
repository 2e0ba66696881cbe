"""What the string expressions of Python hold, character by character, and where each character stands.

An expression may be put together from literals side by side, f-strings, `+`, `%` and `.format`. Its parts
that are only known when it runs are holes.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable
from typing import Final, NamedTuple

from skip_config.formats.python.positions import Module
from skip_config.numbers import whole
from skip_config.source import Span

HOLE: Final = "\ud800"
"""Stands for a hole; no file holds this character, since it has no UTF-8."""

_OPENING: Final = re.compile(r"([A-Za-z]{0,3})('''|\"\"\"|'|\")")
_BETWEEN: Final = re.compile(r"(?:\s|\\|[()]|#[^\r\n]*)+")
_SIMPLE: Final[dict[str, str]] = {
    "n": "\n", "t": "\t", "r": "\r", "a": "\a", "b": "\b", "f": "\f", "v": "\v", "\\": "\\", "'": "'", '"': '"',
}  # fmt: skip
_NUMBERED: Final = re.compile(r"x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|N\{[^}]*\}|[0-7]{1,3}")
_PERCENT: Final = re.compile(r"%(?:\((\w+)\))?[#0\- +]*[\d*]*(?:\.[\d*]+)?([diouxXeEfFgGcrsa%])")
_FIELD: Final = re.compile(r"\{\{|\}\}|\{(\w*)(?:![rsa])?(?::[^{}]*)?\}")


class Char(NamedTuple):
    """A character, or a hole.

    Args:
        value: The character, or `HOLE`.
        start, end: Its place in the file.
        part: Which literal it stands in; None outside of any.
        hole: The source of the expression that fills a hole.
    """

    value: str
    start: int
    end: int
    part: int | None
    hole: str | None = None


class Part(NamedTuple):
    """A literal.

    Args:
        span: Its place, with prefix and quotes.
        prefix: Such as `rb`, as written.
        quote: One or three quotes.
    """

    span: Span
    prefix: str
    quote: str

    @property
    def is_raw(self) -> bool:
        return "r" in self.prefix.lower()

    @property
    def is_format(self) -> bool:
        return "f" in self.prefix.lower()


class Text(NamedTuple):
    """A string expression.

    Args:
        span: Its place.
        chars: What it holds.
        parts: The literals in it, in order.
        plain: Whether it is one literal, or some side by side, and nothing else.
        computes: Whether an expression may stand in its place.
    """

    span: Span
    chars: tuple[Char, ...]
    parts: tuple[Part, ...]
    plain: bool = True
    computes: bool = True

    @property
    def value(self) -> str:
        """What it holds, with `HOLE` for each hole."""
        return "".join(char.value for char in self.chars)


Resolve = Callable[[ast.expr], "str | None"]
"""The text of a name that holds the same text wherever it is used."""


def read_text(module: Module, node: ast.expr, resolve: Resolve) -> Text | None:
    """Read a string expression; None when it is another one, or has no literal in it."""
    reader = _Reader(module, resolve)
    if not reader.add(node) or not reader.parts:
        return None
    plain = isinstance(node, (ast.Constant, ast.JoinedStr))
    return Text(module.span(node), tuple(reader.chars), tuple(reader.parts), plain)


class _Reader:
    def __init__(self, module: Module, resolve: Resolve) -> None:
        self.module = module
        self.resolve = resolve
        self.chars: list[Char] = []
        self.parts: list[Part] = []

    def add(self, node: ast.expr) -> bool:
        """Add an expression's characters; False when it is no string as far as one can see."""
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            return self.literals(node)
        if isinstance(node, ast.JoinedStr):
            return self.literals(node)
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
            return self.sum(node)
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mod):
            return self.add(node.left) and self.percent(node.right)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "format":
            return self.add(node.func.value) and self.format(node)
        return False

    def sum(self, node: ast.BinOp) -> bool:
        operands: list[ast.expr] = []
        left: ast.expr = node
        while isinstance(left, ast.BinOp) and isinstance(left.op, ast.Add):
            operands.append(left.right)
            left = left.left
        strings = 0
        for operand in (left, *reversed(operands)):
            known = self.resolve(operand)
            if self.add(operand):
                strings += 1
            elif known is not None:
                span = self.module.span(operand)
                self.chars += [Char(char, span.start, span.end, None) for char in known]
            elif isinstance(operand, (ast.List, ast.Tuple, ast.ListComp)):
                return False
            else:
                self.hole(operand)
        return strings > 0

    def hole(self, node: ast.expr) -> None:
        span = self.module.span(node)
        self.chars.append(Char(HOLE, span.start, span.end, None, self.module.text(node)))

    # --------------------------------------------------------------- literals

    def literals(self, node: ast.expr) -> bool:
        """Read literals side by side."""
        text = self.module.source.text
        at, end = self.module.span(node)
        while at < end:
            between = _BETWEEN.match(text, at, end)
            at = between.end() if between else at
            opening = _OPENING.match(text, at, end)
            if opening is None:
                return at >= end
            if "b" in opening[1].lower():
                return False
            at = self.literal(opening, end)
        return True

    def literal(self, opening: re.Match[str], end: int) -> int:
        text = self.module.source.text
        index = len(self.parts)
        self.parts.append(Part(Span(opening.start(), end), opening[1], opening[2]))
        part = self.parts[-1]
        at = opening.end()
        while at < end and not text.startswith(part.quote, at):
            if text[at] == "\\" and not part.is_raw:
                at = self.escape(at, index)
            elif text[at] == "\\":  # in a raw literal, of a quote as well
                step = 2 if text[at + 1 : at + 2] in ("'", '"', "\\") else 1
                self.chars += [Char(text[one], one, one + 1, index) for one in range(at, at + step)]
                at += step
            elif part.is_format and text[at] == "{" and text[at + 1 : at + 2] != "{":
                at = self.field(at, end, index)
            elif part.is_format and text[at] in "{}":
                self.chars.append(Char(text[at], at, at + 2, index))
                at += 2
            elif text.startswith("\r\n", at):
                self.chars.append(Char("\n", at, at + 2, index))
                at += 2
            else:
                self.chars.append(Char(text[at], at, at + 1, index))
                at += 1
        at = min(at + len(part.quote), end)
        self.parts[index] = part._replace(span=Span(opening.start(), at))
        return at

    def escape(self, at: int, part: int) -> int:
        text = self.module.source.text
        following = text[at + 1 : at + 2]
        if text.startswith("\r\n", at + 1):
            return at + 3
        if following in "\r\n":
            return at + 2  # the line goes on: nothing of it is in the string
        if following in _SIMPLE:
            self.chars.append(Char(_SIMPLE[following], at, at + 2, part))
            return at + 2
        numbered = _NUMBERED.match(text, at + 1)
        if numbered is None:
            self.chars.append(Char("\\", at, at + 1, part))
            return at + 1
        value: str = ast.literal_eval(f'"\\{numbered[0]}"')
        self.chars.append(Char("\N{REPLACEMENT CHARACTER}" if value == HOLE else value, at, numbered.end(), part))
        return numbered.end()

    def field(self, at: int, end: int, part: int) -> int:
        stop, close = _field_end(self.module.source.text, at + 1, end)
        hole = self.module.source.text[at + 1 : stop]
        try:
            known = self.resolve(ast.parse(hole.strip(), mode="eval").body) if hole.strip().isidentifier() else None
        except SyntaxError:  # a keyword
            known = None
        if known is not None and stop == close - 1:
            self.chars += [Char(char, at, close, part) for char in known]
        else:
            self.chars.append(Char(HOLE, at, close, part, hole.strip()))
        return close

    # ------------------------------------------------------ % and .format

    def percent(self, values: ast.expr) -> bool:
        given = iter(values.elts) if isinstance(values, ast.Tuple) else iter((values,))
        named = isinstance(values, ast.Dict)
        return self.substitute(_PERCENT, lambda match: None if named or match[1] else next(given, None), "%%")

    def format(self, call: ast.Call) -> bool:
        numbers = iter(range(len(call.args)))
        named = {keyword.arg: keyword.value for keyword in call.keywords}

        def value(match: re.Match[str]) -> ast.expr | None:
            name = match[1]
            index = next(numbers, None) if not name else whole(name)
            if index is None:
                return named.get(name)
            return call.args[index] if index < len(call.args) else None

        return self.substitute(_FIELD, value, "{{", "}}")

    def substitute(
        self, pattern: re.Pattern[str], value: Callable[[re.Match[str]], ast.expr | None], *literal: str
    ) -> bool:
        text = "".join(char.value for char in self.chars)
        chars: list[Char] = []
        at = 0
        for match in pattern.finditer(text):
            chars += self.chars[at : match.start()]
            first, last = self.chars[match.start()], self.chars[match.end() - 1]
            if match[0] in literal:
                chars.append(first._replace(end=last.end))
            else:
                node = value(match)
                hole = self.module.text(node) if node is not None and not isinstance(node, ast.Starred) else ""
                chars.append(Char(HOLE, first.start, last.end, first.part, hole))
            at = match.end()
        self.chars = chars + self.chars[at:]
        return True


_CLOSERS: Final[dict[str, str]] = {"(": ")", "[": "]", "{": "}"}


def _field_end(text: str, at: int, end: int) -> tuple[int, int]:
    """Where the expression of an f-string's field ends, and where the field does."""
    stack: list[str] = []
    expression: int | None = None
    while at < end:
        char = text[at]
        if char in "'\"" and expression is None:
            quote = text[at : at + 3] if text[at : at + 3] in ("'''", '"""') else char
            close = text.find(quote, at + len(quote), end)
            at = close + len(quote) if close >= 0 else end
            continue
        if char in _CLOSERS:
            stack.append(_CLOSERS[char])
        elif stack and char == stack[-1]:
            stack.pop()
        elif char == "}":
            return (at if expression is None else expression), at + 1
        elif not stack and expression is None and _ends_expression(text, at):
            expression = at
        at += 1
    return end, end


def _ends_expression(text: str, at: int) -> bool:
    """Whether a conversion, a format or the `=` of a field starts here."""
    before, char, behind = text[at - 1], text[at], text[at + 1 : at + 2]
    return char == ":" or (char == "!" and behind != "=") or (char == "=" and before not in "=!<>" and behind != "=")
