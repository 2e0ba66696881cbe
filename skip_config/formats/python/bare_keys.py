"""Old keys in dots that stand by themselves, beside settings of the same kind: what they are for cannot be seen."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from skip_config.diagnostics import Diagnostic, Remark, Severity, at
from skip_config.formats.overrides import recognise
from skip_config.formats.python.mentions import is_for_people, is_lookup, is_used_up
from skip_config.formats.python.names import is_text
from skip_config.formats.python.positions import Module
from skip_config.formats.python.scopes import Scopes
from skip_config.formats.python.tokens import Assigned
from skip_config.source import Places


def bare_keys(module: Module, scopes: Scopes) -> list[Diagnostic]:
    """Errors for the keys that would be left behind when the settings with keys in dots move.

    To move some settings of an object and not the others would be to change what it says.
    """
    if not any(token.is_old and _has_key_in_dots(token.spelling) for token in scopes.tokens.values()):
        return []
    covered = Places(token.statement or token.span for token in scopes.tokens.values())
    return [_left_behind(module, node) for node in _bare(module, covered)]


def _has_key_in_dots(spelling: object) -> bool:
    return isinstance(spelling, Assigned) and spelling.style == "quoted"


def _bare(module: Module, covered: Places) -> Iterator[ast.Constant]:
    for node in module.nodes:
        if not isinstance(node, ast.Constant) or not is_text(node) or covered.cover(module.span(node)):
            continue
        meaning = recognise(str(node.value))
        if meaning is None or meaning.kind != "old" or meaning.name in ("block", "unknown", ""):
            continue
        if is_lookup(module, node) or is_for_people(module, node) or is_used_up(module, node, covered):
            continue
        yield node


def _left_behind(module: Module, node: ast.Constant) -> Diagnostic:
    key = str(node.value)
    remark = Remark(
        "old-setting",
        f"{key} stands by itself, and what is done with it cannot be seen here: it may belong to the settings "
        "that this file sets by their keys, so those are left too",
        "write the key where its value is set, then run skipcfg migrate again, or move all of them by hand",
    )
    return at(module.source, module.span(node), remark, Severity.ERROR, key=key)
