"""Write new settings in the place of old ones, as their neighbours are written."""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping, Sequence
from typing import Final

from skip_config import releases
from skip_config.diagnostics import Remark
from skip_config.formats.layout import SHELL_CONTINUATION, Replacement, lay_out
from skip_config.formats.override_plan import NewOverride, Plan
from skip_config.formats.python.insert import in_list, statements, united
from skip_config.formats.python.names import GIVES_TEXT
from skip_config.formats.python.texts import Part, Text
from skip_config.formats.python.tokens import Assigned, OverrideText, Token, Word
from skip_config.releases import MANAGER
from skip_config.source import Edit, Source, Span
from skip_config.translate import KEPT, Through

LONGEST_LIST: Final = 16
"""A longer list of steps is left to `range`."""

_STR_CALL: Final = re.compile(r"str\((.*)\)\Z", re.DOTALL)
_BINDS_TIGHTER: Final = (ast.Name, ast.Attribute, ast.Call, ast.Subscript, ast.Constant)
_ARITHMETIC: Final = (ast.Add, ast.Sub, ast.Mult, ast.Div, ast.FloorDiv, ast.Mod)


class NotWritableError(Exception):
    """A setting cannot be written at a place.

    Args:
        remark: What to tell.
        place: Of the old setting.
    """

    def __init__(self, remark: Remark, place: int) -> None:
        super().__init__(remark.message)
        self.remark = remark
        self.place = place


def edits_for(source: Source, tokens: Mapping[int, Token], plan: Plan) -> list[Edit]:
    """The edits that a plan asks for.

    Raises:
        NotWritableError: One of its settings cannot be written where it has to stand.
    """
    edits: list[Edit] = []
    words: list[Replacement] = []
    for place, settings in plan.replacements.items():
        token = tokens[place]
        written = [_written(source, tokens, token, one) for one in settings]
        if isinstance(token.spelling, Word):
            words.append(Replacement(token.span, written, False))
        elif token.listed:
            edits += in_list(source, token, written)
        elif len(written) == 1:
            edits.append(Edit(token.span, written[0]))
        elif token.statement is not None:
            edits += statements(source, token, written)
        else:
            raise NotWritableError(_one_place(token, settings), place)
    for place in plan.plain:
        edits.append(_without_prefix(source, tokens[place]))
    return united(source, [*edits, *lay_out(source, words, SHELL_CONTINUATION)])


def _one_place(token: Token, settings: Sequence[NewOverride]) -> Remark:
    new = " and ".join(dict.fromkeys(one.key for one in settings)) or "nothing"
    return Remark(
        "cannot-rewrite",
        f"{token.key} stands where one text is wanted, and {new} would have to stand there",
        "put it into a list of overrides, then run skipcfg migrate again",
    )


def _without_prefix(source: Source, token: Token) -> Edit:
    start = source.text.index(token.prefix, token.place)
    return Edit(Span(start, start + len(token.prefix)), "")


# --------------------------------------------------------------------- texts


def _written(source: Source, tokens: Mapping[int, Token], token: Token, new: NewOverride) -> str:
    expression = ""
    if isinstance(new.value, Through) and not (_expands(token) and new.origin in (None, token.place)):
        expression = _range(tokens[token.place if new.origin is None else new.origin], token)
    spelling = token.spelling
    if isinstance(spelling, OverrideText):
        text = spelling.text
        before = source.text[token.span.start : text.span.start]  # a parenthesis, or an option such as --set
        behind = source.text[text.span.end : token.span.end]
        return f"{before}{_override_text(source, token, spelling, new, expression)}{behind}"
    if isinstance(spelling, Word):
        return _word(source, token, spelling, new, expression)
    return _assigned(source, token, spelling, new, expression)


def _range(origin: Token, token: Token) -> str:
    """The expression of the steps up to a number that Python computes."""
    reason = None
    if origin.expression is None:
        reason = "is put together in a text"
    elif origin.place != token.place and origin.scope != token.scope:
        reason = "is known to another function than the one that would make the list"
    elif origin.statement is not None and origin.place > token.place:
        reason = "is set below the place where the list would stand"
    if reason is not None:
        remark = Remark(
            "old-value-unknown",
            f"{origin.key} {reason}, and the list of steps would have to count to it",
            f"write the number into {origin.key}, then run skipcfg migrate again",
        )
        raise NotWritableError(remark, token.place)
    assert origin.expression is not None
    return f"list(range(1, {operand(origin.expression)} + 1))"


def operand(expression: str) -> str:
    """An expression as the left operand of `+`, as a number."""
    inner = _STR_CALL.match(expression)
    if inner and _parsed(inner[1]) is not None:
        return operand(inner[1])
    if GIVES_TEXT.match(expression):
        return f"int({expression})"
    node = _parsed(expression)
    arithmetic = isinstance(node, ast.BinOp) and isinstance(node.op, _ARITHMETIC)
    return expression if isinstance(node, _BINDS_TIGHTER) or arithmetic else f"({expression})"


def _parsed(expression: str) -> ast.expr | None:
    try:
        return ast.parse(expression.strip(), mode="eval").body
    except (SyntaxError, ValueError):
        return None


def hydra_text(value: object) -> str:
    """A value as an override has it."""
    return f"[{','.join(map(str, value))}]" if isinstance(value, tuple) else str(value)


def _override_text(source: Source, token: Token, spelling: OverrideText, new: NewOverride, expression: str) -> str:
    text, equals = spelling.text, spelling.equals
    first = text.parts[0]
    if new.value is KEPT and equals is not None:
        return _with_key(source, text, equals, new.key)
    steps = new.value if isinstance(new.value, tuple) else ()
    if len(steps) > LONGEST_LIST and steps == tuple(range(1, len(steps) + 1)) and text.computes:
        expression = f"list(range(1, {len(steps) + 1}))"
    if expression and not text.computes:
        raise NotWritableError(_not_known(token), token.place)
    if expression:
        return _format_text(f"{new.key}=", expression, first.quote)
    return f"{first.quote}{new.key}={hydra_text(new.value)}{first.quote}"


def _with_key(source: Source, text: Text, equals: int, key: str) -> str:
    """The same expression with another key."""
    raw = source.text
    sign = text.chars[equals]
    if sign.part is None:  # the sign itself comes from a variable
        first = text.parts[0]
        return f"{first.quote}{key}={first.quote} + {raw[text.chars[equals + 1].start : text.span.end]}"
    part = text.parts[sign.part]
    behind = text.chars[equals + 1 :]
    prefix = part.prefix
    if part.is_format and not any(one.hole is not None or raw[one.start : one.end] in ("{{", "}}") for one in behind):
        prefix = re.sub("[fF]", "", prefix) if text.plain and len(text.parts) == 1 else prefix
    lead = raw[text.span.start : min(text.parts[0].span.start, text.chars[0].start)]
    return f"{lead}{prefix}{part.quote}{key}{raw[sign.start : text.span.end]}"


def _format_text(start: str, expression: str, quote: str) -> str:
    """An f-string that any Python since 3.10 reads."""
    other = '"' if quote.startswith("'") else "'"
    for one in (quote, other):
        if one[0] not in expression and "\\" not in expression and "\n" not in expression:
            return f"f{one}{start}{{{expression}}}{one}"
    return f"{quote}{start}{quote} + str({expression})"


def _word(source: Source, token: Token, spelling: Word, new: NewOverride, expression: str) -> str:
    """A word of a command line, as the literal must have it."""
    text, shell = spelling.text, spelling.shell
    part = _part_of(text, spelling)
    raw = source.text
    if part is None:
        raise NotWritableError(_one_place(token, (new,)), token.place)
    if new.value is KEPT:
        sign = next(char for char in text.chars[spelling.start : spelling.end] if char.value == "=")
        return f"{_escaped(shell.quote, part)}{new.key}{raw[sign.start : token.span.end]}"
    steps = new.value if isinstance(new.value, tuple) else ()
    if isinstance(new.value, Through) and not expression:
        return _sequence(source, token, spelling, part, new.key)
    if expression:
        if spelling.split or not part.is_format or part.quote[0] in expression or "\\" in expression:
            raise NotWritableError(_not_known(token), token.place)
        value = f"{{{expression}}}"
    else:
        value = hydra_text(new.value)
        value = value.replace("{", "{{").replace("}", "}}") if part.is_format else value
    if shell.quote:
        quote = _escaped(shell.quote, part)
        return f"{quote}{new.key}={value}{quote}"
    if (steps or expression) and not spelling.split:
        quote = _escaped("'" if part.quote[0] != "'" or len(part.quote) == 3 else '"', part)
        return f"{quote}{new.key}={value}{quote}"
    return f"{new.key}={value}"


def _expands(token: Token) -> bool:
    """Whether a shell makes the value, out of a variable of its own."""
    return isinstance(token.spelling, Word) and token.spelling.shell.shell_value and not token.computed


def _sequence(source: Source, token: Token, spelling: Word, part: Part, key: str) -> str:
    """The steps up to a number that the shell knows: it makes the list."""
    sign = next(char for char in spelling.text.chars[spelling.start : spelling.end] if char.value == "=")
    quote = _escaped('"', part)
    last = source.text[sign.end : token.span.end].replace(_escaped('"', part), "").replace('"', "")
    if spelling.split or "'" in last:
        raise NotWritableError(_not_known(token), token.place)
    return f"{quote}{key}=[$(seq -s, 1 {last})]{quote}"


def _not_known(token: Token) -> Remark:
    return Remark(
        "old-value-unknown",
        f"the number of steps is not known where {token.key} stands, and the list of steps would have to count to it",
        f"write the number into {token.key}, then run skipcfg migrate again",
    )


def _part_of(text: Text, spelling: Word) -> Part | None:
    """The literal that a word stands in; None when it stands in several."""
    parts = {char.part for char in text.chars[spelling.start : spelling.end]}
    only = parts.pop() if len(parts) == 1 else None
    return text.parts[only] if only is not None else None


def _escaped(quote: str, part: Part) -> str:
    return f"\\{quote}" if quote and quote == part.quote else quote


# ------------------------------------------------------- key and value apart


def python_text(value: object, quote: str) -> str:
    """A value as Python code."""
    if isinstance(value, tuple):
        if len(value) > LONGEST_LIST and value == tuple(range(1, len(value) + 1)):
            return f"list(range(1, {len(value) + 1}))"
        return str(list(value))
    return f"{quote}{value}{quote}" if isinstance(value, str) else str(value)


def _assigned(source: Source, token: Token, spelling: Assigned, new: NewOverride, expression: str) -> str:
    raw = source.text
    between = raw[spelling.key.end : spelling.value.start]
    if new.value is KEPT:
        value = raw[slice(*spelling.value)]
    else:
        value = expression or python_text(new.value, spelling.value_quote)
    before = raw[token.span.start : spelling.key.start]
    return f"{before}{_target(spelling, new)}{between}{value}{raw[spelling.value.end : token.span.end]}"


def _target(spelling: Assigned, new: NewOverride) -> str:
    quote = spelling.quote
    if spelling.style == "quoted":
        return f"{quote}{new.key}{quote}"
    names: tuple[str, ...] = (*MANAGER.place, new.role, new.field)
    if spelling.style == "items":
        return spelling.root + "".join(f"[{quote}{name}{quote}]" for name in names)
    if spelling.style == "setattr":
        return f"{spelling.root}.{releases.dotted(names[:-1])}, {quote}{names[-1]}{quote}"
    return f"{spelling.root}.{releases.dotted(names)}"
