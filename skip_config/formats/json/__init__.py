"""JSON: configs as objects, lists of overrides, and command lines in texts."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Final

from skip_config.diagnostics import Diagnostic, Remark, Severity, at, worst
from skip_config.formats import Draft
from skip_config.formats.bracketed import Move, differences, may_hold_old_settings, plan_move
from skip_config.formats.bracketed.layout import Notation
from skip_config.formats.json.read import is_relaxed, parse
from skip_config.formats.json.texts import Lists, read_lists
from skip_config.formats.overrides import recognise
from skip_config.formats.python.check import Replacements, settings_differ
from skip_config.formats.python.groups import move_groups
from skip_config.formats.python.tokens import quote_not_closed
from skip_config.formats.yaml.check import first_difference
from skip_config.formats.yaml.nodes import Node, walk
from skip_config.formats.yaml.package import Package
from skip_config.formats.yaml.places import old_place, old_places
from skip_config.formats.yaml.tree import UnreadableError
from skip_config.readable import MEND
from skip_config.releases import dotted
from skip_config.request import Request
from skip_config.source import Source, Span


def migrate(source: Source, request: Request) -> Draft:
    """Propose edits for a JSON file.

    Either everything old in the file is replaced, or, when something needs a decision, nothing.
    """
    if not may_hold_old_settings(source.text):
        return Draft()
    try:
        root = parse(source.text)
    except UnreadableError as error:
        remark = Remark(error.name, error.message, MEND)
        return Draft(diagnostics=(at(source, Span(error.start, error.end), remark, Severity.ERROR),))
    lists = read_lists(source, root)
    moves = _moves(source, lists.rest, request)
    moved = move_groups(source, lists.scopes, request)
    diagnostics = [*moved.diagnostics, *_dotted_keys(source, root)]
    diagnostics += [one for _, move in moves for one in move.diagnostics]
    if moves and is_relaxed(source.text):
        diagnostics.append(
            at(source, Span(moves[0][1].root.start, moves[0][1].root.start + 1), _RELAXED, Severity.ERROR)
        )
    edits = [*moved.edits, *(edit for _, move in moves for edit in move.edits)]
    if worst(diagnostics) is Severity.ERROR:
        edits = []
        diagnostics = [one for one in diagnostics if one.severity is not Severity.NOTE]  # of what is not done

    def verify(result: Source) -> Sequence[str]:
        return _verify(lists, moves, moved.replacements, request, result)

    doubt = quote_not_closed(source, lists.scopes.tokens.values())
    return Draft(tuple(edits), tuple(sorted(diagnostics, key=_position)), verify, doubt)


_RELAXED: Final = Remark(
    "cannot-rewrite",
    "this config has comments or a comma behind the last item, and its settings would move among them",
    "remove them, then run skipcfg migrate again, or move the settings by hand",
)


def _position(one: Diagnostic) -> tuple[int, int]:
    return one.line or 0, one.column or 0


def _moves(source: Source, root: Node, request: Request) -> list[tuple[tuple[str, ...], Move]]:
    """The objects that are configs with old settings, with their paths; none inside another."""
    found: list[tuple[tuple[str, ...], Move]] = []
    places: dict[tuple[str, ...], list[tuple[str, ...]]] = {}
    for path, node in walk(root):
        if node.kind != "mapping":
            continue
        around = next(((other, move) for other, move in found if path[: len(other)] == other), None)
        if around is None:
            move = plan_move(source, node, request, _notation(source), unsafe=False)
            if move is not None:
                found.append((path, move))
                places[path] = [(*path, *place.path) for place in old_places(node, Package())]
            continue
        inner = old_place(node, Package())
        if inner is not None and (*path, *inner.path) not in places[around[0]]:
            remark = Remark(
                "cannot-rewrite",
                f"{dotted((*path, *inner.path))} holds old settings, inside a config that has some of its own",
                "move these by hand, then run skipcfg migrate again",
            )
            key = inner.pairs[0][0]
            around[1].diagnostics.append(at(source, Span(key.start, key.end), remark, Severity.ERROR))
    return found


def _notation(source: Source) -> Notation:
    tight = '":' in source.text and '": ' not in source.text and '":\t' not in source.text
    if tight:
        return Notation(_tight_pair, ("{", "}"), _tight_value, _no_steps, 2, False, ",")
    return Notation(_pair, ("{", "}"), json.dumps, _no_steps, 2, False)


def _pair(key: str, value: str) -> str:
    return f"{json.dumps(key)}: {value}"


def _tight_pair(key: str, value: str) -> str:
    return f"{json.dumps(key)}:{value}"


def _tight_value(value: object) -> str:
    return json.dumps(value, separators=(",", ":"))


def _no_steps(node: Node) -> None:
    del node


_DOTTED_KEY: Final = "dotted-key"


def _dotted_keys(source: Source, root: Node) -> list[Diagnostic]:
    """Keys with dots: literal names for whoever reads the file as a config."""
    found = []
    for _, node in walk(root):
        for key, _ in node.pairs:
            meaning = recognise(key.value) if "." in key.value else None
            if meaning is not None and meaning.kind == "old":
                remark = Remark(
                    _DOTTED_KEY,
                    f"{key.value!r} with dots is one literal name in a config; if a program makes an override of it, "
                    "verl 0.9 stops there",
                    "write skip.rollout_tq.* instead",
                )
                found.append(at(source, Span(key.start, key.end), remark, Severity.WARNING, key=key.value))
    return found


def _verify(
    lists: Lists,
    moves: Sequence[tuple[tuple[str, ...], Move]],
    replacements: Replacements,
    request: Request,
    result: Source,
) -> list[str]:
    try:
        after = read_lists(result, parse(result.text))
    except UnreadableError as error:
        return [f"it no longer loads: {error.message}"]
    wrong = settings_differ(lists.scopes, replacements, after.scopes)
    for path, move in moves:
        node = _select(after.rest, path)
        wrong += ["an object is gone"] if node is None else differences(move, node)
    if not moves:
        difference = first_difference(lists.rest, after.rest, (), (), {})
        wrong += [f"something else changed: {difference}"] if difference else []
    if migrate(result, request).edits:
        wrong.append("a second run would change it again")
    return wrong


def _select(root: Node, path: Sequence[str]) -> Node | None:
    node: Node | None = root
    for part in path:
        if node is None:
            return None
        if node.kind == "sequence":
            node = node.items[int(part)]
        else:
            node = next((value for key, value in node.pairs if key.value == part), None)
    return node
