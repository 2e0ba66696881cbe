"""What the expressions of Python code hold: lists, dicts, command lines, and calls that hand them on."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from skip_config.formats.overrides import OVERRIDE
from skip_config.formats.python.names import called, is_text
from skip_config.formats.python.reading import Place, Reading
from skip_config.formats.python.scopes import Guard, Item, Items, Name
from skip_config.formats.python.texts import Text
from skip_config.formats.python.tokens import Token, is_command_line, read_pair, read_words
from skip_config.source import Span

_SAME_ITEMS: Final = frozenset(
    {"list", "tuple", "dict", "copy", "deepcopy", "split", "join", "sorted", "chain", "from_dotlist", "map", "filter"}
)
"""Functions whose result has the items of what they get."""

PRINTERS: Final = frozenset(
    {"print", "debug", "info", "warning", "warn", "error", "critical", "exception", "log", "pprint", "echo"}
)
"""Functions that show a text to people."""

PATTERNS: Final = frozenset(
    {"startswith", "endswith", "replace", "removeprefix", "removesuffix", "find", "index", "count"}
    | {"match", "search", "fullmatch", "sub", "findall", "finditer", "compile"}
)
"""Functions that look for a text."""

READERS: Final = frozenset({"get", "pop", "select", "getattr", "hasattr", "delattr"})
"""Functions that look up a key."""

PROSE: Final = frozenset({"help", "description", "epilog", "title", "reason", "ids", "id", "usage"})
"""Keywords whose text is for people."""

_OPTIONS: Final = ("--set", "--override", "-o")


def value(reading: Reading, node: ast.expr, place: Place) -> Items:
    """What an expression holds."""
    text = reading.text(node)
    if text is not None:
        return _text_items(reading, text, place)
    if isinstance(node, (ast.List, ast.Tuple, ast.Set)):
        return _elements(reading, node, place)
    if isinstance(node, ast.Dict):
        return _pairs(reading, node, place)
    if isinstance(node, ast.BinOp):
        return (*value(reading, node.left, place), *value(reading, node.right, place))
    if isinstance(node, (ast.IfExp, ast.BoolOp)):
        return _alternatives(reading, node, place)
    if isinstance(node, ast.Call):
        return _call(reading, node, place)
    if isinstance(node, ast.NamedExpr):
        name = Name(place.scopes[0], node.target.id)
        reading.event(name, "set", value(reading, node.value, place), reading.at(node), place.guards)
        return (Item(reading.end(node), names=(name,)),)
    if isinstance(node, (ast.Starred, ast.Await)):
        return value(reading, node.value, place)
    if isinstance(node, ast.Lambda):
        return value(reading, node.body, place)
    names = reading.candidates(node, place)
    if names:
        return (Item(reading.at(node), names=names),)
    for child in _children(node):
        loose(reading, child, place)
    return ()


def loose(reading: Reading, node: ast.expr, place: Place) -> None:
    """An expression whose value goes nowhere that matters here."""
    reading.root(value(reading, node, place))


def single(reading: Reading, node: ast.expr, statement: ast.stmt, place: Place) -> Items:
    """A value that a statement hands over: where it is one override, the statement can be repeated."""
    token = _pair(reading, node) if isinstance(node, ast.Tuple) else reading.override(reading.text(node))
    if token is None:
        return value(reading, node, place)
    block = next((b for b in _blocks(reading.module.parents.get(statement)) if statement in b), [statement])
    spare = isinstance(reading.module.parents.get(statement), ast.Module) or any(
        not isinstance(one, ast.Expr) for one in block
    )
    return (reading.keep(replace(token, statement=reading.module.span(statement), spare=spare), place),)


def _pair(reading: Reading, node: ast.Tuple) -> Token | None:
    """`("a.b.c", value)`."""
    if len(node.elts) != 2:
        return None
    return read_pair(reading.module, node.elts[0], node.elts[1], reading.module.span(node), reading.resolve)


def _blocks(node: ast.AST | None) -> list[list[ast.stmt]]:
    fields = [getattr(node, name, None) for name in ("body", "orelse", "finalbody")]
    return [one for one in fields if isinstance(one, list)]


def _children(node: ast.expr) -> list[ast.expr]:
    found = [child for child in ast.iter_child_nodes(node) if isinstance(child, ast.expr)]
    if isinstance(node, (ast.ListComp, ast.GeneratorExp, ast.SetComp, ast.DictComp)):
        found += [generator.iter for generator in node.generators]
    return found


def _alternatives(reading: Reading, node: ast.IfExp | ast.BoolOp, place: Place) -> Items:
    guard, swapped = reading.at(node) + 1, False
    values = node.values if isinstance(node, ast.BoolOp) else [node.body, node.orelse]
    if isinstance(node, ast.IfExp):
        loose(reading, node.test, place)
        guard, swapped = reading.condition(node.test, place)
    reading.found.branches[guard] = (len(values), True)
    found: list[Item] = []
    for branch, one in enumerate(reversed(values) if swapped else values):
        items = value(reading, one, place)
        found += [item._replace(guards=(Guard(guard, branch), *item.guards)) for item in items]
    return tuple(found)


# ------------------------------------------------------------------ displays


def _elements(reading: Reading, node: ast.List | ast.Tuple | ast.Set, place: Place) -> Items:
    module = reading.module
    if isinstance(node, ast.Tuple) and isinstance(module.parents.get(node), (ast.List, ast.Tuple, ast.Set)):
        pair = _pair(reading, node)
        if pair is not None:
            return (reading.keep(replace(pair, listed=True), place),)
    texts = [reading.text(one) for one in node.elts]
    parameters = _are_parameters(reading, node)
    free = not isinstance(node, ast.Tuple) or all(
        text is not None or isinstance(one, ast.Starred) for text, one in zip(texts, node.elts, strict=True)
    )
    options = _options(node.elts, texts)
    found: list[Item] = []
    for index, (one, text) in enumerate(zip(node.elts, texts, strict=True)):
        token = reading.override(text) if free and not parameters else None
        if token is not None:
            outer = module.outer(one)
            start = reading.at(node.elts[index - 1]) if index in options else outer.start
            found.append(reading.keep(replace(token, span=Span(start, outer.end), listed=True), place))
        elif isinstance(one, (ast.List, ast.Set, ast.Dict, ast.Tuple)):
            inner = value(reading, one, place)
            # A pair in parentheses belongs to the list; another list is a command by itself.
            is_pair = len(inner) == 1 and inner[0].token is not None and inner[0].token.span == module.span(one)
            found += inner if is_pair else ()
            reading.root(() if is_pair else inner)
        else:
            found += value(reading, one, place)
    return tuple(found)


def _options(elements: Sequence[ast.expr], texts: Sequence[Text | None]) -> set[int]:
    """Indexes of the elements before which an option stands that belongs to each override, as `--set` does."""
    found: dict[str, list[int]] = {}
    for index, text in enumerate(texts[1:], 1):
        before = elements[index - 1]
        option = before.value if isinstance(before, ast.Constant) and isinstance(before.value, str) else ""
        if option.startswith("-") and text is not None and OVERRIDE.match(text.value):
            found.setdefault(option, []).append(index)
    return {index for name, indexes in found.items() if len(indexes) > 1 or name in _OPTIONS for index in indexes}


def _are_parameters(reading: Reading, node: ast.expr) -> bool:
    """Whether a list holds the parameters of a test, of which each is used by itself."""
    parents = [one for one in reading.module.ancestors(node) if not isinstance(one, ast.keyword)]
    if parents and isinstance(parents[0], ast.Call):
        return called(parents[0]) == "parametrize"
    if isinstance(node, ast.Tuple) and len(parents) > 1 and isinstance(parents[0], (ast.List, ast.Tuple)):
        return isinstance(parents[1], ast.Call) and called(parents[1]) == "parametrize"
    return False


def _pairs(reading: Reading, node: ast.Dict, place: Place) -> Items:
    found: list[Item] = []
    module = reading.module
    for key, one in zip(node.keys, node.values, strict=True):
        if key is None:
            found += value(reading, one, place)
            continue
        outer = Span(module.outer(key).start, module.outer(one).end)
        pair = read_pair(module, key, one, outer, reading.resolve)
        if pair is not None:
            found.append(reading.keep(replace(pair, listed=True), place))
        else:
            loose(reading, one, place)
    return tuple(found)


# --------------------------------------------------------------------- calls


def _call(reading: Reading, node: ast.Call, place: Place) -> Items:
    name = called(node)
    arguments = [*node.args, *(one.value for one in node.keywords if one.arg not in PROSE)]
    if name in PRINTERS | PATTERNS | READERS:
        if isinstance(node.func, ast.Attribute):
            loose(reading, node.func.value, place)
        for one in arguments:
            if reading.text(one) is None:
                loose(reading, one, place)
        return ()
    if name in _SAME_ITEMS:
        found = value(reading, node.func.value, place) if isinstance(node.func, ast.Attribute) else ()
        items = [item for one in node.args for item in value(reading, one, place)]
        for keyword in node.keywords:
            inner = value(reading, keyword.value, place)
            items += inner if keyword.arg is None else ()
            reading.root(() if keyword.arg is None else inner)
        return (*found, *items)
    if isinstance(node.func, ast.Attribute):
        loose(reading, node.func.value, place)
    function = reading.names.functions.get(name) if is_local(node.func) else None
    if function is None:
        _arguments(reading, node, place)
    else:
        _hand_over(reading, node, function, place)
    names = reading.candidates(node.func, place, "()")
    return (Item(reading.at(node), names=names),) if names else ()


def is_local(node: ast.expr) -> bool:
    """Whether what is called is a name, or a method of the same object."""
    return isinstance(node, ast.Name) or (
        isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id in ("self", "cls")
    )


def _arguments(reading: Reading, node: ast.Call, place: Place) -> None:
    texts = [reading.text(one) for one in node.args]
    several = sum(text is not None for text in texts) > 1 and all(
        text is not None or isinstance(one, ast.Starred) for text, one in zip(texts, node.args, strict=True)
    )
    given: list[Item] = []
    for one, text in zip(node.args, texts, strict=True):
        token = reading.override(text) if several else None
        items = (reading.keep(replace(token, listed=True), place),) if token else value(reading, one, place)
        given += items if several else ()
        reading.root(() if several else items)
    reading.root(tuple(given))
    for keyword in node.keywords:
        if keyword.arg not in PROSE:
            loose(reading, keyword.value, place)


def _hand_over(
    reading: Reading, node: ast.Call, function: ast.FunctionDef | ast.AsyncFunctionDef, place: Place
) -> None:
    """The parameters of a function of the same file are set by each of its calls."""
    scope = reading.at(function)
    count = reading.found.branches.get(scope + 1, (0, True))[0]
    reading.found.branches[scope + 1] = (count + 1, True)
    guards = (*place.guards, Guard(scope + 1, count))
    names = [one.arg for one in (*function.args.posonlyargs, *function.args.args)]
    names = names[1:] if isinstance(node.func, ast.Attribute) and names[:1] in (["self"], ["cls"]) else names
    rest: list[Item] = []
    for index, one in enumerate(node.args):
        if index >= len(names) and function.args.vararg is not None:
            token = reading.override(reading.text(one))
            rest += (reading.keep(replace(token, listed=True), place),) if token else value(reading, one, place)
        elif index < len(names):
            reading.event(Name(scope, names[index]), "set", value(reading, one, place), scope, guards)
        else:
            loose(reading, one, place)
    if rest and function.args.vararg is not None:
        reading.event(Name(scope, function.args.vararg.arg), "set", tuple(rest), scope, guards)
    for keyword in node.keywords:
        items = value(reading, keyword.value, place)
        if keyword.arg is None or keyword.arg in PROSE:
            reading.root(items)
        else:
            reading.event(Name(scope, keyword.arg), "set", items, scope, guards)


# --------------------------------------------------------------------- texts


def _text_items(reading: Reading, text: Text, place: Place) -> Items:
    token = reading.override(text)
    if token is not None:
        return (reading.keep(token, place),)
    if not is_command_line(text):
        return (Item(text.span.start, word=text.value),)
    reading.found.command_lines.append(text)
    return tuple(
        reading.keep(one, place) if isinstance(one, Token) else Item(text.span.start, word=one)
        for one in read_words(text, split=reading.names.splits)
    )


__all__ = ["PATTERNS", "PRINTERS", "PROSE", "READERS", "is_local", "is_text", "loose", "single", "value"]
