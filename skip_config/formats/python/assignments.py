"""Settings that code assigns: attributes, items, `OmegaConf.update` and `setattr`."""

from __future__ import annotations

import ast
from dataclasses import dataclass, field, replace

from skip_config import releases
from skip_config.formats.python.names import called, is_text
from skip_config.formats.python.reading import Place, Reading
from skip_config.formats.python.scopes import Name
from skip_config.formats.python.tokens import (
    Assigned,
    Token,
    chain_of,
    key_of,
    python_value,
    quote_of,
    read_pair,
    subscript_text,
)
from skip_config.legacy import Opaque
from skip_config.source import Span


@dataclass(slots=True)
class Assignments:
    """Reads assignments.

    Args:
        reading: What is kept.
        aliases: Variables that stand for a part of the config: the source of its root, and the path.
    """

    reading: Reading
    aliases: dict[Name, tuple[str, tuple[str, ...]]] = field(default_factory=dict)

    def alias(self, name: Name, value: ast.expr) -> None:
        """Note that a variable is set, perhaps to a part of the config."""
        self.aliases.pop(name, None)
        chain = chain_of(value)
        top = releases.ROLLOUT_PLACE[0]
        if chain is not None and top in chain[1]:
            index = chain[1].index(top)
            self.aliases[name] = (self._before(value, len(chain[1]) - index), tuple(chain[1][index:]))

    def assignment(self, node: ast.Assign, place: Place) -> bool:
        """Note `target = value` when the target is a setting; False when it is something else."""
        target = node.targets[0]
        if isinstance(target, ast.Subscript) and (pair := self._dotted_item(node, target)):
            name = self.reading.variable(target.value, place)
            self._note(name or _object(self._text(target.value), place), pair, place)
            return True
        found = self._target(target, place)
        if found is None:
            return False
        key, root = found
        items = isinstance(target, ast.Subscript)
        quote = quote_of(self.reading.module, target.slice) if isinstance(target, ast.Subscript) else '"'
        span = self.reading.module.span(target)
        spelling = Assigned(span, self.reading.module.span(node.value), "items" if items else "dots", root, quote)
        self._note(_object(root, place), self._assigned(node, key, node.value, spelling), place)
        return True

    def call(self, node: ast.Expr, call: ast.Call, place: Place) -> bool:
        """Note `OmegaConf.update(cfg, "a.b", value)` or `setattr(cfg.a, "b", value)`; False for another call."""
        name = called(call)
        if name not in ("update", "setattr") or len(call.args) < 2:
            return False
        named_key = name == "update" and self.reading.resolve(call.args[1]) is not None
        if not (is_text(call.args[1]) or named_key):
            return False
        named = next((one.value for one in call.keywords if one.arg == "value"), None)
        value = call.args[2] if len(call.args) > 2 else named
        if value is None:
            return False
        token = self._update(node, call, value) if name == "update" else self._setattr(node, call, value, place)
        if token is None:
            return False
        assert isinstance(token.spelling, Assigned)
        self._note(_object(token.spelling.root, place), token, place)
        return True

    def _update(self, node: ast.Expr, call: ast.Call, value: ast.expr) -> Token | None:
        outer = self.reading.module.span(node)
        pair = read_pair(self.reading.module, call.args[1], value, outer, self.reading.resolve)
        if pair is None or not isinstance(pair.spelling, Assigned):
            return None
        spelling = replace(pair.spelling, root=self._text(call.args[0]))
        return replace(pair, place=outer.start, spelling=spelling, statement=outer, assigned=True)

    def _setattr(self, node: ast.Expr, call: ast.Call, value: ast.expr, place: Place) -> Token | None:
        first, second = call.args[0], call.args[1]
        assert isinstance(second, ast.Constant)
        name = str(second.value)
        chain = chain_of(first)
        start, names = chain if chain is not None else (first, [])
        root, base = self._alias_of(start, place)
        found = key_of([*names, name], base)
        if found is None or len(names) < max(found[0], 0):
            return None
        module = self.reading.module
        source = self._before(first, len(names) - found[0]) if found[0] >= 0 else root
        span = Span(module.span(first).start, module.span(second).end)
        spelling = Assigned(span, module.span(value), "setattr", source, quote_of(module, second))
        return self._assigned(node, found[1], value, spelling)

    def _assigned(self, node: ast.stmt, key: str, value: ast.expr, spelling: Assigned) -> Token:
        module = self.reading.module
        there = python_value(module, value, as_text=False)
        span = module.span(node)
        expression = module.text(value) if isinstance(there, Opaque) else None
        quoted = replace(spelling, value_quote=quote_of(module, value))
        return Token(span.start, "", key, there, span, quoted, expression, statement=span, assigned=True)

    def _dotted_item(self, node: ast.Assign, target: ast.Subscript) -> Token | None:
        """`overrides["a.b.c"] = value`."""
        text = subscript_text(target) or self.reading.resolve(target.slice)
        if text is None or "." not in text:
            return None
        span = self.reading.module.span(node)
        pair = read_pair(self.reading.module, target.slice, node.value, span, self.reading.resolve)
        return replace(pair, place=span.start, statement=span) if pair else None

    def _target(self, node: ast.expr, place: Place) -> tuple[str, str] | None:
        """Key, and source of the root, of a chain that names a setting."""
        chain = chain_of(node)
        if chain is None:
            return None
        start, names = chain
        root, base = self._alias_of(start, place)
        found = key_of(names, base)
        if found is None:
            return None
        index, key = found
        return key, self._before(node, len(names) - index) if index >= 0 else root

    def _alias_of(self, node: ast.expr, place: Place) -> tuple[str, tuple[str, ...]]:
        variable = self.reading.variable(node, place)
        return self.aliases.get(variable, ("", ())) if variable is not None else ("", ())

    def _before(self, node: ast.expr, steps: int) -> str:
        """The source of a chain without its last names."""
        while steps > 0:
            assert isinstance(node, (ast.Attribute, ast.Subscript))
            text = subscript_text(node) if isinstance(node, ast.Subscript) else None
            steps -= len(text.split(".")) if text else 1
            node = node.value
        return self._text(node)

    def _text(self, node: ast.expr) -> str:
        return self.reading.module.text(node)

    def _note(self, name: Name, token: Token, place: Place) -> None:
        self.reading.event(name, "add", (self.reading.keep(token, place),), token.place, place.guards)


def _object(root: str, place: Place) -> Name:
    """What stands for all settings that one function assigns to one object."""
    return Name(place.scopes[0], f"settings of {root}")
