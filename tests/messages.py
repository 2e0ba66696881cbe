"""Every text that the program can print, read out of its source: what is not a constant stands as `{…}`."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from itertools import islice, product
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[1]
FOLDERS = ("skip_config", "cli/skipcfg", "hydra_plugins")
HOLE = "{…}"
_MOST = 64
"""Alternatives of one text that are looked at."""


class Text(NamedTuple):
    """One text at one place.

    Args:
        where: File and line.
        call: What it is given to: `Remark`, `Diagnostic`, `Hit`, `fail`, `err`, an exception, ...
        part: `message` or `help`.
        text: The text.
        name: The name of the diagnostic, where the call states it.
        helped: Whether the same call gives a help.
    """

    where: str
    call: str
    part: str
    text: str
    name: str | None = None
    helped: bool = False


class Shape(NamedTuple):
    """Which argument of a call is which: positions from 0."""

    name: int | None
    message: int
    help: int | None


CALLS = {
    "Remark": Shape(0, 1, 2),
    "Diagnostic": Shape(0, 2, 8),
    "Hit": Shape(None, 1, 3),
    "hit": Shape(None, 2, 3),
    "Check": Shape(0, 2, 4),
    "fail": Shape(None, 0, None),
    "err": Shape(None, 0, None),
    "PathError": Shape(None, 1, None),
    "Obstacle": Shape(None, 1, None),
    "Refused": Shape(None, 0, None),
    "Unknown": Shape(None, 0, None),
    "Note": Shape(0, 1, 2),
}
"""Calls whose arguments reach the user; exceptions of ours are added by their name."""


def texts() -> Iterator[Text]:
    """All texts of the three packages."""
    for folder in FOLDERS:
        for path in sorted((ROOT / folder).rglob("*.py")):
            yield from _of_module(path)


def _of_module(path: Path) -> Iterator[Text]:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    constants = _assigned(tree.body)
    for scope, names in _scopes(tree, constants):
        for node in scope:
            if isinstance(node, ast.Call):
                yield from _of_call(node, path, names)


def _scopes(
    tree: ast.Module, constants: dict[str, list[ast.expr]]
) -> Iterator[tuple[list[ast.AST], dict[str, list[ast.expr]]]]:
    functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]
    inner = {id(node) for function in functions for node in ast.walk(function)}
    yield [node for node in ast.walk(tree) if id(node) not in inner], constants
    for function in functions:
        nodes = list(ast.walk(function))
        yield nodes, constants | _assigned(nodes)


def _assigned(nodes: list[ast.AST] | list[ast.stmt]) -> dict[str, list[ast.expr]]:
    found: dict[str, list[ast.expr]] = {}
    for node in nodes:
        targets = (
            node.targets if isinstance(node, ast.Assign) else [node.target] if isinstance(node, ast.AnnAssign) else []
        )
        value = getattr(node, "value", None)
        for target in targets:
            if isinstance(target, ast.Name) and value is not None:
                found.setdefault(target.id, []).append(value)
    return found


def _of_call(call: ast.Call, path: Path, names: dict[str, list[ast.expr]]) -> Iterator[Text]:
    function = call.func
    called = (
        function.id if isinstance(function, ast.Name) else function.attr if isinstance(function, ast.Attribute) else ""
    )
    shape = CALLS.get(called) or (Shape(None, 0, None) if called.endswith("Error") and called[0].isupper() else None)
    if shape is None or called in ("UsageError", "UnicodeDecodeError"):
        return
    where = f"{path.relative_to(ROOT)}:{call.lineno}"
    given = {keyword.arg: keyword.value for keyword in call.keywords}
    name = _argument(call, shape.name, given.get("name"))
    stated = name.value if isinstance(name, ast.Constant) and isinstance(name.value, str) else None
    help_ = _argument(call, shape.help, given.get("help") or given.get("advice"))
    message = _argument(call, shape.message, given.get("message"))
    helped = help_ is not None and not (isinstance(help_, ast.Constant) and help_.value is None)
    for part, node in (("message", message), ("help", help_)):
        if node is not None:
            for text in islice(_alternatives(node, names, 0), _MOST):
                yield Text(where, called, part, text, stated, helped)


def _argument(call: ast.Call, position: int | None, keyword: ast.expr | None) -> ast.expr | None:
    if keyword is not None or position is None or position >= len(call.args):
        return keyword
    found = call.args[position]
    return None if isinstance(found, ast.Starred) else found


def _alternatives(node: ast.expr, names: dict[str, list[ast.expr]], depth: int) -> list[str]:
    """The texts that an expression can be, as far as the source tells."""
    if depth > 6:
        return [HOLE]
    inside = depth + 1
    match node:
        case ast.Constant(value=str(text)):
            return [text]
        case ast.JoinedStr(values=parts):
            pieces = [_alternatives(part, names, inside) for part in parts]
            return ["".join(row) for row in islice(product(*pieces), _MOST)]
        case ast.FormattedValue(value=value):
            return _alternatives(value, names, inside)
        case ast.BinOp(left=left, op=ast.Add(), right=right):
            pieces = [_alternatives(left, names, inside), _alternatives(right, names, inside)]
            return ["".join(row) for row in islice(product(*pieces), _MOST)]
        case ast.IfExp(body=body, orelse=orelse):
            return _alternatives(body, names, inside) + _alternatives(orelse, names, inside)
        case ast.Name(id=name) if name in names:
            return [text for value in names[name] for text in _alternatives(value, names, inside)]
        case _:
            return [HOLE]
