"""What is kept while Python code is walked over: the settings found, and what happens to variables."""

from __future__ import annotations

import ast
from dataclasses import dataclass, field, replace
from typing import Literal

from skip_config.formats.python.names import Names
from skip_config.formats.python.positions import Module
from skip_config.formats.python.scopes import Event, Guards, Item, Items, Name, Scopes
from skip_config.formats.python.texts import Text, read_text
from skip_config.formats.python.tokens import Token, read_override_text

_BOUND = ("self", "cls")


@dataclass(frozen=True, slots=True)
class Place:
    """Where the walk is.

    Args:
        scopes: Offsets of the functions around it, the innermost first; the module (0) last.
        owner: Offset of the class around it, or None.
        guards: Conditions around it.
        unit: Offset of the function or, outside of any, of the statement around it.
    """

    scopes: tuple[int, ...] = (0,)
    owner: int | None = None
    guards: Guards = ()
    unit: int = 0


@dataclass(slots=True)
class Reading:
    """The state of a walk.

    Args:
        module: The file.
        names: Its names.
        found: What has been found.
        conditions: For each condition of a function, by its source, the node of its guards.
    """

    module: Module
    names: Names
    found: Scopes = field(default_factory=Scopes)
    conditions: dict[tuple[int, str], int] = field(default_factory=dict)

    def at(self, node: ast.AST) -> int:
        """Where a node starts."""
        return self.module.span(node).start

    def end(self, node: ast.AST) -> int:
        """Where a node ends."""
        return self.module.span(node).end

    def resolve(self, node: ast.expr) -> str | None:
        """The text that a name stands for wherever it is used."""
        return self.names.texts.get(node.id) if isinstance(node, ast.Name) else None

    def text(self, node: ast.expr) -> Text | None:
        """A string expression."""
        return read_text(self.module, node, self.resolve)

    def override(self, text: Text | None) -> Token | None:
        """The override that a string is."""
        return read_override_text(text) if text is not None else None

    def keep(self, token: Token, place: Place) -> Item:
        """Note a setting."""
        expression = self.names.number(token.expression) if token.expression is not None else None
        kept = replace(token, expression=expression, scope=place.scopes[0], unit=place.unit)
        self.found.tokens[token.place] = kept
        return Item(token.place, token=kept)

    def root(self, items: Items) -> None:
        """Note what comes together without a variable."""
        if any(item.token for item in items) or (len(items) > 1 and any(item.names for item in items)):
            self.found.roots.append(items)

    def event(self, name: Name, kind: Literal["set", "add"], items: Items, at: int, guards: Guards) -> None:
        """Note what happens to a variable."""
        self.found.events.setdefault(name, []).append(Event(kind, items, at, guards))

    def condition(self, test: ast.expr, place: Place) -> tuple[int, bool]:
        """The node for the guards of a condition, and whether its branches are swapped."""
        swapped = isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not)
        inner = test.operand if isinstance(test, ast.UnaryOp) and swapped else test
        if not isinstance(inner, (ast.Name, ast.Attribute)):
            return self.at(test) + 1, False
        key = (place.scopes[0], self.module.text(inner))
        return self.conditions.setdefault(key, self.at(inner) + 1), swapped

    # ------------------------------------------------------------------ names

    def variable(self, node: ast.expr, place: Place) -> Name | None:
        """The variable that an assignment to `node` sets."""
        if isinstance(node, ast.Name):
            return Name(place.scopes[0], node.id)
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            if node.value.id in _BOUND and place.owner is not None:
                return Name(place.owner, node.attr)
            return Name(place.scopes[0], f"{node.value.id}.{node.attr}")
        return None

    def candidates(self, node: ast.expr, place: Place, suffix: str = "") -> tuple[Name, ...]:
        """The variables that a use of `node` may mean, the nearest first."""
        if isinstance(node, ast.Name):
            return tuple(Name(scope, node.id + suffix) for scope in place.scopes)
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            name = f"{node.value.id}.{node.attr}{suffix}"
            if node.value.id in _BOUND and place.owner is not None:
                return (Name(place.scopes[0], name), Name(place.owner, node.attr + suffix))
            return tuple(Name(scope, name) for scope in place.scopes)
        return ()
