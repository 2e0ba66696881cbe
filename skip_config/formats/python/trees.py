"""Configs that are written as dicts: `{"actor_rollout_ref": {...}}`, `dict(actor_rollout_ref=dict(...))`."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final

from skip_config.formats.bracketed import Move, plan_move
from skip_config.formats.bracketed.layout import Notation
from skip_config.formats.python.positions import Module
from skip_config.formats.python.tokens import quote_of
from skip_config.formats.python.write import operand, python_text
from skip_config.formats.yaml.nodes import Node, walk
from skip_config.formats.yaml.tree import MAX_DEPTH
from skip_config.numbers import is_too_large
from skip_config.request import Request

_EXPRESSION: Final = "${%s}"
"""An expression reads as an interpolation does: only the run knows its value."""


@dataclass(frozen=True, slots=True)
class TreeMove:
    """What becomes of one dict.

    Args:
        node: The outermost dict of which it is a part.
        index: Which of its dicts is the config, counted in the order of `mappings`.
        move: The plan.
    """

    node: ast.expr
    index: int
    move: Move


def tree_moves(module: Module, request: Request) -> list[TreeMove]:
    """Plan the move of old settings in every dict that holds a config."""
    found = []
    for display in displays(module):
        root = read_display(module, display)
        for index, mapping in enumerate(mappings(root)):
            move = plan_move(module.source, mapping, request, _notation(module, display), unsafe=True)
            if move is not None:
                found.append(TreeMove(display, index, move))
                break
    return found


def displays(module: Module) -> Iterator[ast.expr]:
    """The outermost dicts of a file, in order."""
    pending: list[ast.AST] = [module.tree]
    while pending:
        node = pending.pop()
        if is_mapping(node):
            yield node  # type: ignore[misc]
        else:
            pending += reversed(list(ast.iter_child_nodes(node)))


def is_mapping(node: ast.AST) -> bool:
    """Whether a node is a dict display, or a call of `dict` with keywords."""
    if isinstance(node, ast.Call):
        return isinstance(node.func, ast.Name) and node.func.id == "dict" and not node.args and bool(node.keywords)
    return isinstance(node, ast.Dict)


def mappings(root: Node) -> Iterator[Node]:
    """A mapping and the ones inside it, from the outside in."""
    for _, node in walk(root):
        if node.kind == "mapping":
            yield node


def read_display(module: Module, node: ast.expr, depth: int = 0) -> Node:
    """A dict as a tree; what is computed in it reads as an interpolation."""
    span = module.outer(node)
    if depth < MAX_DEPTH and is_mapping(node):
        inner = module.span(node)
        if isinstance(node, ast.Call):
            pairs = [(_keyword(module, one), read_display(module, one.value, depth + 1)) for one in node.keywords]
        else:
            assert isinstance(node, ast.Dict)
            pairs = [
                (_key(module, key, value), read_display(module, value, depth + 1))
                for key, value in zip(node.keys, node.values, strict=True)
            ]
        return Node("mapping", inner.start, inner.end, flow=True, pairs=pairs)
    if depth < MAX_DEPTH and isinstance(node, (ast.List, ast.Tuple)):
        return Node(
            "sequence",
            span.start,
            span.end,
            flow=True,
            items=[read_display(module, one, depth + 1) for one in node.elts],
        )
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return Node("scalar", span.start, span.end, node.value, '"')
    if isinstance(node, ast.Constant) and is_too_large(node.value):
        return Node("scalar", span.start, span.end, module.text(node), '"')
    if isinstance(node, ast.Constant) and (node.value is None or isinstance(node.value, (bool, int, float))):
        value = "null" if node.value is None else str(node.value).lower()
        return Node("scalar", span.start, span.end, value)
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub) and isinstance(node.operand, ast.Constant):
        return Node("scalar", span.start, span.end, f"-{node.operand.value!r}")
    return Node("scalar", span.start, span.end, _EXPRESSION % module.text(node))


def _key(module: Module, key: ast.expr | None, value: ast.expr) -> Node:
    if key is None:
        start = module.source.text.rindex("**", 0, module.span(value).start)
        return Node("scalar", start, start + 2, "**")
    span = module.outer(key)
    if isinstance(key, ast.Constant) and isinstance(key.value, str):
        return Node("scalar", span.start, span.end, key.value, '"')
    return Node("scalar", span.start, span.end, _EXPRESSION % module.text(key))


def _keyword(module: Module, keyword: ast.keyword) -> Node:
    start = module.span(keyword).start
    name = keyword.arg or "**"
    return Node("scalar", start, start + len(name), name, '"' if keyword.arg else None)


def _notation(module: Module, display: ast.expr) -> Notation:
    if isinstance(display, ast.Call):
        quote = next((quote_of(module, one) for one in ast.walk(display) if _is_text(one)), '"')  # type: ignore[arg-type]
        return Notation(_as_keyword, ("dict(", ")"), _value(quote), _steps_through, 4, True)
    assert isinstance(display, ast.Dict)
    quote = next((quote_of(module, key) for key in display.keys if key is not None and _is_text(key)), '"')

    def pair(key: str, value: str) -> str:
        return f"{quote}{key}{quote}: {value}"

    return Notation(pair, ("{", "}"), _value(quote), _steps_through, 4, True)


def _is_text(node: ast.AST) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, str)


def _as_keyword(key: str, value: str) -> str:
    return f"{key}={value}"


def _value(quote: str) -> Callable[[object], str]:
    def write(value: object) -> str:
        return python_text(tuple(value) if isinstance(value, list) else value, quote)

    return write


def _steps_through(node: Node) -> str | None:
    if node.style is not None or not node.value.startswith("${"):
        return None
    return f"list(range(1, {operand(node.value[2:-1])} + 1))"
