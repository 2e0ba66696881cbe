"""What can be said about the names of a file before its code is walked over."""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass
from typing import Final

from skip_config.formats.python.positions import Module

GIVES_TEXT: Final = re.compile(r"(?:os\.)?(?:environ\b|getenv\b)|(?:str|input)\(|sys\.argv\b|[rRfFuU]?['\"]")
"""Expressions whose value is a text, so that a number has to be made of it."""


_SPLIT: Final = re.compile(r"(?<!shlex)\.split(?:lines)?\(")


@dataclass(frozen=True, slots=True)
class Names:
    """The names of a file.

    Args:
        texts: Names that are set once, to a plain text.
        textual: Names and attributes that hold a text: read from the environment, or an option without type.
        splits: Whether the file splits texts at their blanks.
        functions: Functions by name; a name that is defined more than once is left out.
    """

    texts: dict[str, str]
    textual: frozenset[str]
    splits: bool
    functions: dict[str, ast.FunctionDef | ast.AsyncFunctionDef]

    def number(self, expression: str) -> str:
        """An expression as a number, when it is known to give a text."""
        name = expression.rpartition(".")[2]
        known = name in self.textual and expression.replace(".", "").isidentifier()
        return f"int({expression})" if known else expression


def read_names(module: Module) -> Names:
    """Read the names of a file."""
    values: dict[str, list[ast.expr | None]] = {}
    functions: dict[str, list[ast.FunctionDef | ast.AsyncFunctionDef]] = {}
    options: set[str] = set()
    for node in module.nodes:
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            parent = module.parents.get(node)
            value = parent.value if isinstance(parent, (ast.Assign, ast.AnnAssign)) else None
            values.setdefault(node.id, []).append(value)
        elif isinstance(node, ast.arg):
            values.setdefault(node.arg, []).append(None)
        elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            functions.setdefault(node.name, []).append(node)
        elif isinstance(node, ast.Call):
            options |= _options_of_text(node)
    once = {name: found[0] for name, found in values.items() if len(found) == 1 and found[0] is not None}
    texts = {name: v.value for name, v in once.items() if isinstance(v, ast.Constant) and isinstance(v.value, str)}
    textual = {name for name, value in once.items() if GIVES_TEXT.match(module.text(value))}
    alone = {name: found[0] for name, found in functions.items() if len(found) == 1}
    return Names(texts, frozenset(textual | options), _SPLIT.search(module.source.text) is not None, alone)


def _options_of_text(call: ast.Call) -> set[str]:
    """The attributes of `argparse` options without a type: given on the command line, they are texts."""
    if called(call) != "add_argument" or any(one.arg in ("type", "action") for one in call.keywords):
        return set()
    names = [one.value for one in call.args if isinstance(one, ast.Constant) and isinstance(one.value, str)]
    return {name.lstrip("-").replace("-", "_") for name in names if name.startswith("--")}


def called(call: ast.Call) -> str:
    """The last name of what is called."""
    return call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")


def is_text(node: ast.AST) -> bool:
    """Whether a node is a plain text."""
    return isinstance(node, ast.Constant) and isinstance(node.value, str)
