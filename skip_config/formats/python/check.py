"""Prove a migrated file: parsed again, it has the settings that were planned, and everything else it had."""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping, Sequence
from typing import Final

from skip_config.formats.bracketed import differences as tree_differences
from skip_config.formats.override_plan import NewOverride, Path
from skip_config.formats.overrides import recognise
from skip_config.formats.python.positions import Module, UnreadableError, parse
from skip_config.formats.python.read import read
from skip_config.formats.python.scopes import Scopes
from skip_config.formats.python.tokens import Token, Word, read_words
from skip_config.formats.python.trees import TreeMove, displays, mappings, read_display
from skip_config.formats.python.write import operand
from skip_config.legacy import Maybe, Opaque
from skip_config.numbers import is_too_large, whole
from skip_config.source import Places, Source, Span
from skip_config.translate import KEPT, Through

Replacements = Mapping[int, Sequence[NewOverride]]

_QUOTES: Final = "'\""
_SEQUENCE: Final = re.compile(r"\[\$\(seq -s, 1 (.*)\)\]\Z", re.DOTALL)
_RANGE: Final = re.compile(r"list\(range\(1, (.*)\)\)\Z", re.DOTALL)


def differences(
    module: Module, scopes: Scopes, replacements: Replacements, trees: Sequence[TreeMove], result: Source
) -> list[str]:
    """What is wrong with a result, in words.

    Args:
        module: The file as it was.
        scopes: Its settings.
        replacements: What was to stand in the places of the old ones that were migrated.
        trees: The dicts in which settings moved.
        result: The file afterwards.
    """
    try:
        after = parse(result)
    except UnreadableError as error:
        return [f"it no longer parses: {error.message}"]
    again = read(after)
    wrong = settings_differ(scopes, replacements, again)
    ours, theirs = list(displays(module)), list(displays(after))
    if len(ours) != len(theirs):
        return [*wrong, f"{len(ours)} dicts before, {len(theirs)} after"]
    moved = {ours.index(tree.node): tree for tree in trees}
    for index, tree in moved.items():
        root = list(mappings(read_display(after, theirs[index])))[tree.index]
        wrong += tree_differences(tree.move, root)
    if _rest(module, scopes, [ours[index] for index in moved]) != _rest(
        after, again, [theirs[index] for index in moved]
    ):
        wrong.append("something else changed")
    return wrong


# ------------------------------------------------------------------ settings


def settings_differ(before: Scopes, replacements: Replacements, after: Scopes) -> list[str]:
    """Whether the settings of a result are not those that were planned, in words."""
    wrong = []
    left = sum(token.is_old for token in after.tokens.values())
    if left != sum(token.is_old and token.place not in replacements for token in before.tokens.values()):
        wrong.append("an old setting is still there")
    wanted, found = _all_settings(before, replacements), _all_settings(after, {})
    if wanted != found:
        wrong.append(f"the new settings read back as {sorted(found)}, not as {sorted(wanted)}")
    return wrong


def _all_settings(scopes: Scopes, replacements: Replacements) -> set[str]:
    groups = scopes.groups(every=True)
    return {str(_settings(path, scopes.tokens, replacements)) for one in groups for path in one.launch.paths} - {"[]"}


def _settings(path: Path, tokens: Mapping[int, Token], replacements: Replacements) -> list[tuple[str, object]]:
    found: list[tuple[str, object]] = []
    for override in path:
        for new in replacements.get(override.place, ()):
            found.append((new.key, _planned(new, override.place, tokens)))
        meaning = recognise(override.key)
        if meaning is not None and meaning.kind == "new":
            found.append((override.key, _plain(override.value)))
    return found


def _planned(new: NewOverride, place: int, tokens: Mapping[int, Token]) -> object:
    if new.value is KEPT:
        return _plain(tokens[place].value)
    if isinstance(new.value, Through):
        origin = tokens[place if new.origin is None else new.origin]
        if origin.expression is None:
            return f"seq {new.value.last.text.strip(_QUOTES)}"
        return f"1 to {operand(origin.expression)} + 1"
    return list(new.value) if isinstance(new.value, tuple) else new.value


def _plain(value: Maybe) -> object:
    """A value read from a file, in the form that a planned one has."""
    if not isinstance(value, Opaque):
        return value
    by_shell = _SEQUENCE.match(value.text.strip(_QUOTES))
    if by_shell is not None:
        return f"seq {by_shell[1]}"
    counted = _RANGE.match(value.text)
    if counted is None:
        return value.text
    number = whole(counted[1], 5)
    return f"1 to {counted[1]}" if number is None else list(range(1, number))


# ---------------------------------------------------------------------- rest


def _rest(module: Module, scopes: Scopes, trees: Sequence[ast.expr]) -> object:
    """The syntax tree without settings, old or new."""
    gone: list[Span] = [module.span(tree) for tree in trees]
    texts: dict[Span, object] = {
        text.span: [word for word in read_words(text) if isinstance(word, str)] for text in scopes.command_lines
    }
    for token in scopes.tokens.values():
        meaning = recognise(token.key)
        if meaning is None or meaning.kind not in ("old", "new", "gen-batch-size"):
            continue
        if not isinstance(token.spelling, Word):
            gone.append(token.statement or token.span)
    return _Dump(module, gone, texts).of(module.tree)


class _Dump:
    def __init__(self, module: Module, gone: Sequence[Span], texts: Mapping[Span, object]) -> None:
        self.module = module
        self.gone = Places(gone)
        self.texts = texts

    def of(self, node: object) -> object:
        if isinstance(node, list):
            return [self.of(one) for one in node if not self.is_gone(one)]
        if not isinstance(node, ast.AST):
            return hex(node) if isinstance(node, int) and is_too_large(node) else repr(node)
        if self.is_gone(node):
            return None
        if self.texts and isinstance(node, ast.expr) and self.module.span(node) in self.texts:
            return self.texts[self.module.span(node)]
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and not node.value.strip():
            return []  # a command line of which nothing is left
        return [type(node).__name__, *(self.of(value) for _, value in ast.iter_fields(node))]

    def is_gone(self, node: object) -> bool:
        if isinstance(node, ast.Pass):
            return True
        if not isinstance(node, (ast.expr, ast.stmt)):
            return False
        return self.gone.cover(self.module.span(node))
