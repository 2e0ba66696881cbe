"""Old keys in texts of Python code that are no settings of anything: told, and left alone."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import Final

from skip_config import releases
from skip_config.diagnostics import Diagnostic, Remark, Severity, at
from skip_config.formats.python.comments import OLD_KEY
from skip_config.formats.python.names import called
from skip_config.formats.python.positions import Module
from skip_config.formats.python.scopes import Scopes
from skip_config.formats.python.values import PATTERNS, PRINTERS, PROSE, READERS
from skip_config.releases import NESTED
from skip_config.source import Places, Span

_FLAT: Final = "|".join(sorted(releases.FLAT_KEYS))
_NESTED: Final = "|".join(sorted(releases.NESTED_KEYS))
_KEY_OF_PIECES: Final = re.compile(
    rf"\.(?:{_FLAT}|{releases.NESTED_BLOCK}\.(?:{_NESTED}))=|rollout\.{releases.NESTED_BLOCK}\.\{{"
)
_YAML: Final = re.compile(rf"^[ \t]*(?:{_FLAT}|{NESTED.keys['steps']}):", re.MULTILINE)
_WORDS_AROUND: Final = re.compile(r"\w\s+\w+\s+\w")


def mentions(module: Module, scopes: Scopes) -> list[Diagnostic]:
    """Texts that name old settings."""
    if "skip" not in module.source.text:
        return []
    covered = Places(token.statement or token.span for token in scopes.tokens.values())
    found: list[Diagnostic] = []
    for node in module.nodes:
        if _is_outermost_text(module, node):
            found += _text(module, node, covered)  # type: ignore[arg-type]
    return found


def _is_outermost_text(module: Module, node: ast.AST) -> bool:
    if not isinstance(node, ast.JoinedStr) and not (isinstance(node, ast.Constant) and isinstance(node.value, str)):
        return False
    return not isinstance(module.parents.get(node), (ast.JoinedStr, ast.FormattedValue))


def _text(module: Module, node: ast.expr, covered: Places) -> Iterator[Diagnostic]:
    span = module.span(node)
    raw = module.source.text[span.start : span.end]
    if "skip" not in raw or covered.cover(span):
        return
    match = OLD_KEY.search(raw)
    if match is None:
        yield from _other_text(module, node, raw, span)
        return
    place = Span(span.start + match.start(), span.start + match.end())
    if covered.hold(place.start):
        return
    key = match[0]
    parent = module.parents.get(node)
    if _is_pattern(parent):
        remark = Remark(
            "pattern-names-old-setting",
            f"{key} in a pattern: it will match nothing once the settings are migrated",
            "adapt the pattern to the new keys (skip.rollout_tq.enable, .dump_dir, .steps, .action)",
        )
        yield at(module.source, place, remark, Severity.WARNING, key=key)
    elif _is_put_together(node, raw, match.end()):
        yield at(module.source, place, _PUT_TOGETHER, Severity.ERROR, key=key)
    elif _is_prose(module, node, raw) or re.search(r"#[^\n]*\Z", raw[: match.start()]):
        yield at(module.source, place, Remark("old-setting", f"{key} in a text: left alone"), Severity.NOTE, key=key)
    elif is_used_up(module, node, covered):
        remark = Remark("old-setting", f"{key} in a constant that only the settings here used: left alone")
        yield at(module.source, place, remark, Severity.NOTE, key=key)
    elif not _is_read(parent):
        remark = Remark(
            "old-setting",
            f"{key} does not stand where a command or a config gets it, so it is left alone",
            "see whether it has to become one of skip.rollout or skip.rollout_tq",
        )
        yield at(module.source, place, remark, Severity.WARNING, key=key)


_PUT_TOGETHER: Final = Remark(
    "old-setting",
    "the key of an old setting is put together when this runs, so it cannot be rewritten here",
    "write each override out, then run skipcfg migrate again",
)


def _other_text(module: Module, node: ast.expr, raw: str, span: Span) -> Iterator[Diagnostic]:
    yaml = _YAML.search(raw) if "\n" in raw else None
    pieces = _KEY_OF_PIECES.search(raw)
    if yaml:
        place = Span(span.start + yaml.start(), span.start + yaml.end())
        remark = Remark(
            "old-setting",
            f"{yaml[0].strip()} in a text that looks like YAML: left alone",
            "move it into a YAML file and migrate that, or change it by hand",
        )
        yield at(module.source, place, remark, Severity.NOTE)
    elif pieces and not _is_prose(module, node, raw) and not _is_pattern(module.parents.get(node)):
        place = Span(span.start + pieces.start(), span.start + pieces.end())
        computed = isinstance(node, ast.JoinedStr) or isinstance(module.parents.get(node), ast.BinOp)
        yield at(module.source, place, _PUT_TOGETHER, Severity.ERROR if computed else Severity.WARNING)


def _is_put_together(node: ast.expr, raw: str, end: int) -> bool:
    return isinstance(node, ast.JoinedStr) and raw[end : end + 2].lstrip(".").startswith("{")


def _is_pattern(parent: ast.AST | None) -> bool:
    return isinstance(parent, ast.Call) and called(parent) in PATTERNS


def _is_read(parent: ast.AST | None) -> bool:
    """Whether a text is told as a read already."""
    return isinstance(parent, ast.Call) and called(parent) in READERS


def is_lookup(module: Module, node: ast.expr) -> bool:
    """Whether a text is looked for, or looked up: told by what does it."""
    parent = module.parents.get(node)
    return _is_pattern(parent) or _is_read(parent) or isinstance(parent, ast.Compare)


def is_used_up(module: Module, node: ast.expr, covered: Places) -> bool:
    """Whether a text is a constant, and each use of it is part of a setting."""
    parent = module.parents.get(node)
    if not isinstance(parent, ast.Assign) or not isinstance(parent.targets[0], ast.Name):
        return False
    target = parent.targets[0]
    uses = [one for one in module.nodes if isinstance(one, ast.Name) and one.id == target.id and one is not target]
    return bool(uses) and all(covered.cover(module.span(one)) for one in uses)


def is_for_people(module: Module, node: ast.expr) -> bool:
    """Whether a text is a docstring, a message or help."""
    span = module.span(node)
    return _is_prose(module, node, module.source.text[span.start : span.end])


def _is_prose(module: Module, node: ast.expr, raw: str) -> bool:
    """Whether a text is for people: a docstring, a message, help, or a sentence."""
    for parent in module.ancestors(node):
        if isinstance(parent, ast.Expr):
            return parent.value is node or _WORDS_AROUND.search(raw) is not None
        if isinstance(parent, (ast.Raise, ast.Assert)):
            return True
        if isinstance(parent, ast.Call) and called(parent) in PRINTERS:
            return True
        if isinstance(parent, ast.keyword) and parent.arg in PROSE:
            return True
        if isinstance(parent, ast.stmt):
            break
    return _WORDS_AROUND.search(raw) is not None
