"""Walk over Python code and note the settings in it, with what they are put together with."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Final

from skip_config.formats.overrides import OVERRIDE
from skip_config.formats.python.positions import Module
from skip_config.formats.python.scopes import Event, Guard, Guards, Item, Items, Name, Scopes
from skip_config.formats.python.texts import Text, read_text
from skip_config.formats.python.tokens import (
    Assigned,
    Token,
    chain_of,
    is_command_line,
    key_of,
    python_value,
    quote_of,
    read_override_text,
    read_pair,
    read_words,
)
from skip_config.legacy import Opaque
from skip_config.source import Span

_SAME_ITEMS: Final = frozenset(
    {"list", "tuple", "dict", "copy", "deepcopy", "split", "join", "sorted", "chain", "from_dotlist", "map", "filter"}
)
"""Functions whose result has the items of what they get."""

PRINTERS: Final = frozenset(
    {"print", "debug", "info", "warning", "warn", "error", "critical", "exception", "log", "pprint", "echo"}
)
PATTERNS: Final = frozenset(
    {"startswith", "endswith", "replace", "removeprefix", "removesuffix", "find", "index", "count", "match", "search",
     "fullmatch", "sub", "findall", "finditer", "compile", "pop", "get", "select", "getattr", "hasattr", "delattr"}
)  # fmt: skip
_OPTIONS: Final = ("--set", "--override", "-o")
_BOUND: Final = ("self", "cls")


@dataclass(frozen=True, slots=True)
class Place:
    """Where the walk is.

    Args:
        scopes: Offsets of the functions around it, the innermost first; the module (0) last.
        owner: Offset of the class around it, or None.
        guards: Conditions around it.
    """

    scopes: tuple[int, ...] = (0,)
    owner: int | None = None
    guards: Guards = ()


def read(module: Module) -> Scopes:
    """Read a whole file."""
    walk = _Walk(module)
    walk.body(module.tree.body, Place())
    return walk.found


class _Walk:
    def __init__(self, module: Module) -> None:
        self.module = module
        self.found = Scopes()
        self.texts = _constants(module)
        self.aliases: dict[Name, tuple[str, tuple[str, ...]]] = {}

    def resolve(self, node: ast.expr) -> str | None:
        return self.texts.get(node.id) if isinstance(node, ast.Name) else None

    # -------------------------------------------------------------- statements

    def body(self, statements: Iterable[ast.stmt], place: Place) -> None:
        for statement in statements:
            self.statement(statement, place)

    def statement(self, node: ast.stmt, place: Place) -> None:
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            for one in (*node.decorator_list, *node.args.defaults, *filter(None, node.args.kw_defaults)):
                self.loose(one, place)
            inner = Place((self.at(node), *place.scopes), place.owner, place.guards)
            self.body(node.body, inner)
            self.returned(node, place)
        elif isinstance(node, ast.ClassDef):
            for one in (*node.decorator_list, *node.bases, *(keyword.value for keyword in node.keywords)):
                self.loose(one, place)
            self.body(node.body, Place((self.at(node), *place.scopes), self.at(node), place.guards))
        elif isinstance(node, (ast.If, ast.While, ast.For, ast.AsyncFor)):
            self.branching(node, place)
        elif isinstance(node, ast.Match):
            self.loose(node.subject, place)
            for branch, case in enumerate(node.cases):
                guards = (*place.guards, Guard(self.at(node), branch))
                self.body(case.body, replace(place, guards=guards))
            self.found.branches[self.at(node)] = (len(node.cases), False)
        elif isinstance(node, (ast.Assign, ast.AnnAssign, ast.AugAssign)):
            self.assignment(node, place)
        elif isinstance(node, ast.Return) and node.value is not None:
            self.event(Name(place.scopes[0], "return"), "add", self.value(node.value, place), node, place)
        elif isinstance(node, ast.Expr):
            self.expression(node, place)
        else:
            for child in ast.iter_child_nodes(node):
                if isinstance(child, ast.stmt):
                    self.statement(child, place)
                elif isinstance(child, ast.expr):
                    self.loose(child, place)
                elif isinstance(child, ast.withitem):
                    self.loose(child.context_expr, place)
                elif isinstance(child, ast.ExceptHandler):
                    self.body(child.body, place)

    def branching(self, node: ast.If | ast.While | ast.For | ast.AsyncFor, place: Place) -> None:
        self.loose(node.iter if isinstance(node, (ast.For, ast.AsyncFor)) else node.test, place)
        if not isinstance(node, ast.If):
            self.body((*node.body, *node.orelse), place)
            return
        self.found.branches[self.at(node)] = (2, True)
        for branch, statements in enumerate((node.body, node.orelse)):
            self.body(statements, replace(place, guards=(*place.guards, Guard(self.at(node), branch))))

    def returned(self, node: ast.FunctionDef | ast.AsyncFunctionDef, place: Place) -> None:
        """A function stands for what it returns, where there is one `return`."""
        inner = Name(self.at(node), "yield" if Name(self.at(node), "yield") in self.found.events else "return")
        events = self.found.events.get(inner, [])
        if not events:
            return
        if len(events) > 1 and inner.name == "return":  # each of them is a command of its own
            self.found.roots += [event.items for event in events]
            del self.found.events[inner]
            return
        outer = Name(place.scopes[0], f"{node.name}()")
        self.found.events.setdefault(outer, []).append(Event("set", (Item(1 << 60, names=(inner,)),), 0, ()))

    def assignment(self, node: ast.Assign | ast.AnnAssign | ast.AugAssign, place: Place) -> None:
        targets = node.targets if isinstance(node, ast.Assign) else [node.target]
        if node.value is None:
            return
        for target in targets:
            if isinstance(target, (ast.Attribute, ast.Subscript)):
                if isinstance(node, ast.Assign) and len(targets) == 1 and self.setting(node, target, place):
                    self.loose(node.value, place)
                    return
                self.loose(target, place)
        names = [name for target in targets if (name := self.variable(target, place))]
        if len(names) == len(targets) == 1:
            self.alias(names[0], node.value)
        items = self.value(node.value, place, names[0].name if names else None)
        if not names:
            self.root(items)
        for name in names:
            self.event(name, "add" if isinstance(node, ast.AugAssign) else "set", items, node, place)

    def event(self, name: Name, kind: str, items: Items, node: ast.AST, place: Place) -> None:
        event = Event("set" if kind == "set" else "add", items, self.at(node), place.guards)
        self.found.events.setdefault(name, []).append(event)

    def alias(self, name: Name, value: ast.expr) -> None:
        chain = chain_of(value)
        if chain is not None:
            root, names, _ = chain
            for index in range(len(names)):
                if names[index] == "actor_rollout_ref":
                    self.aliases[name] = (self.before(value, len(names) - index), tuple(names[index:]))

    def before(self, node: ast.expr, steps: int) -> str:
        """The source of a chain without its last names."""
        chain = chain_of(node)
        while chain is not None and steps > 0:
            assert isinstance(node, (ast.Attribute, ast.Subscript))
            keys = node.slice.value.split(".") if isinstance(node, ast.Subscript) and _is_text(node.slice) else [""]
            steps -= len(keys)
            node = node.value
            chain = chain_of(node)
        return self.module.text(node)

    # --------------------------------------------------- assignments of settings

    def setting(self, node: ast.Assign, target: ast.Attribute | ast.Subscript, place: Place) -> bool:
        """Note an assignment to a setting; False when it is to something else."""
        if isinstance(target, ast.Subscript) and (pair := self.dotted_item(node, target, place)):
            name = self.variable(target.value, place)
            self.note(name or self.object(self.module.text(target.value), place), pair, place)
            return True
        found = self.target(target, place)
        if found is None:
            return False
        key, root, items = found
        quote = quote_of(self.module, target.slice) if isinstance(target, ast.Subscript) else '"'
        spelling = Assigned(
            self.module.span(target), self.module.span(node.value), "items" if items else "dots", root, quote,
            quote_of(self.module, node.value),
        )  # fmt: skip
        self.note(self.object(root, place), self.assigned(node, key, node.value, spelling, place), place)
        return True

    def assigned(self, node: ast.stmt, key: str, value: ast.expr, spelling: Assigned, place: Place) -> Token:
        there = python_value(self.module, value, as_text=False)
        span = self.module.span(node)
        expression = self.module.text(value) if isinstance(there, Opaque) else None
        return Token(
            span.start, "", key, there, span, spelling, expression, statement=span, assigned=True, scope=place.scopes[0]
        )

    def dotted_item(self, node: ast.Assign, target: ast.Subscript, place: Place) -> Token | None:
        """`overrides["a.b.c"] = value`."""
        if not (_is_text(target.slice) and "." in target.slice.value):  # type: ignore[attr-defined]
            return None
        span = self.module.span(node)
        pair = read_pair(self.module, target.slice, node.value, span, self.resolve, place.scopes[0])
        return replace(pair, place=span.start, statement=span) if pair else None

    def target(self, node: ast.expr, place: Place) -> tuple[str, str, bool] | None:
        """Key, source of the root and whether items are used, of a chain that names a setting."""
        chain = chain_of(node)
        if chain is None:
            return None
        start, names, items = chain
        variable = self.variable(start, place)
        root, base = self.aliases.get(variable, ("", ())) if variable else ("", ())
        found = key_of(names, base)
        if found is None:
            return None
        index, key = found
        return key, self.before(node, len(names) - index) if index >= 0 else root, items

    def note(self, name: Name, token: Token, place: Place) -> None:
        self.found.tokens[token.place] = token
        event = Event("add", (Item(token.place, (), token),), token.place, place.guards)
        self.found.events.setdefault(name, []).append(event)

    def object(self, root: str, place: Place) -> Name:
        return Name(place.scopes[0], f"settings of {root}")

    # -------------------------------------------------------------- expressions

    def expression(self, node: ast.Expr, place: Place) -> None:
        """An expression that is a statement."""
        value = node.value.value if isinstance(node.value, ast.Await) else node.value
        if isinstance(value, (ast.Yield, ast.YieldFrom)) and value.value is not None:
            items = self.single(value.value, node, place)
            self.event(Name(place.scopes[0], "yield"), "add", items, node, place)
        elif isinstance(value, ast.Call):
            self.call_statement(node, value, place)
        elif not _is_text(value):
            self.loose(value, place)

    def call_statement(self, node: ast.Expr, call: ast.Call, place: Place) -> None:
        name = called(call)
        if name in ("update", "setattr") and (token := self.call_setting(node, call, place)):
            self.note(self.object(token.spelling.root, place), token, place)  # type: ignore[union-attr]
            return
        if isinstance(call.func, ast.Attribute) and name in (
            "append",
            "extend",
            "insert",
            "update",
            "add",
            "appendleft",
        ):
            variable = self.variable(call.func.value, place)
            if variable is not None and call.args:
                items = self.single(call.args[-1], node, place)
                for keyword in call.keywords:
                    self.loose(keyword.value, place)
                if name != "extend" and name != "update" and isinstance(call.args[-1], (ast.List, ast.Dict, ast.Set)):
                    self.root(items)  # one command of several
                else:
                    self.event(variable, "add", items, node, place)
                return
        texts = [arg for arg in call.args if self.text(arg) is not None]
        if len(texts) == 1 and name not in PRINTERS | PATTERNS and len(call.args) <= 2:
            for arg in call.args:
                self.root(self.single(arg, node, place))
            for keyword in call.keywords:
                self.loose(keyword.value, place)
            return
        self.loose(call, place)

    def call_setting(self, node: ast.Expr, call: ast.Call, place: Place) -> Token | None:
        """`OmegaConf.update(cfg, "a.b", value)` or `setattr(cfg.a, "b", value)`."""
        if len(call.args) < 2:
            return None
        value = call.args[2] if len(call.args) > 2 else next((k.value for k in call.keywords if k.arg == "value"), None)
        if value is None or not _is_text(call.args[1]):
            return None
        first, second = call.args[0], call.args[1]
        outer = self.module.span(node)
        if called(call) == "update":
            pair = read_pair(self.module, second, value, outer, self.resolve, place.scopes[0])
            if pair is None or not isinstance(pair.spelling, Assigned):
                return None
            spelling = replace(pair.spelling, root=self.module.text(first))
            return replace(pair, place=outer.start, spelling=spelling, statement=outer, assigned=True)
        made = ast.Attribute(first, second.value, ast.Load())  # type: ignore[attr-defined]
        found = self.target_of_made(made, place)
        if found is None:
            return None
        key, root = found
        span = Span(self.module.span(first).start, self.module.span(second).end)
        spelling = Assigned(
            span, self.module.span(value), "setattr", root, quote_of(self.module, second), quote_of(self.module, value)
        )
        return self.assigned(node, key, value, spelling, place)

    def target_of_made(self, node: ast.Attribute, place: Place) -> tuple[str, str] | None:
        chain = chain_of(node)
        if chain is None:
            return None
        start, names, _ = chain
        variable = self.variable(start, place)
        root, base = self.aliases.get(variable, ("", ())) if variable else ("", ())
        found = key_of(names, base)
        if found is None or len(names) - found[0] < 2:
            return None
        return found[1], self.before(node.value, len(names) - found[0] - 1) if found[0] >= 0 else root

    def loose(self, node: ast.expr, place: Place) -> None:
        """An expression whose value goes nowhere that matters here."""
        self.root(self.value(node, place))

    def root(self, items: Items) -> None:
        if any(item.token or item.names for item in items):
            self.found.roots.append(items)

    def single(self, node: ast.expr, statement: ast.stmt, place: Place) -> Items:
        """A value that a statement hands over: where it is one override, the statement can be repeated."""
        text = self.text(node)
        token = self.token(text, place) if text is not None else None
        if isinstance(node, ast.Tuple) and len(node.elts) == 2:
            scope = place.scopes[0]
            token = read_pair(self.module, node.elts[0], node.elts[1], self.module.span(node), self.resolve, scope)
        if token is None:
            return self.value(node, place)
        token = replace(token, statement=self.module.span(statement))
        self.found.tokens[token.place] = token
        return (Item(token.place, (), token),)

    def value(self, node: ast.expr, place: Place, name: str | None = None) -> Items:
        """What an expression holds."""
        text = self.text(node)
        if text is not None:
            return self.text_items(text, place)
        if isinstance(node, (ast.List, ast.Tuple, ast.Set)):
            return self.elements(node, node.elts, place)
        if isinstance(node, ast.Dict):
            return self.pairs(node, place)
        if isinstance(node, ast.BinOp):
            return (*self.value(node.left, place), *self.value(node.right, place))
        if isinstance(node, (ast.IfExp, ast.BoolOp)):
            return self.alternatives(node, place)
        if isinstance(node, (ast.Name, ast.Attribute)):
            return self.variable_items(node, place)
        if isinstance(node, ast.Call):
            return self.call(node, place)
        if isinstance(node, (ast.Starred, ast.Await, ast.NamedExpr)):
            return self.value(node.value, place)
        if isinstance(node, ast.Lambda):
            return self.value(node.body, place)
        if isinstance(node, (ast.ListComp, ast.GeneratorExp, ast.SetComp, ast.DictComp)):
            for generator in node.generators:
                self.root(self.value(generator.iter, place))
            children = [node.key, node.value] if isinstance(node, ast.DictComp) else [node.elt]
        else:
            children = [child for child in ast.iter_child_nodes(node) if isinstance(child, ast.expr)]
        if isinstance(node, ast.Compare) and isinstance(self.module.parents.get(node), ast.Assert):
            statement = self.module.statement(node)
            assert statement is not None
            for child in children:
                self.root(self.single(child, statement, place))
            return ()
        for child in children:
            self.root(self.value(child, place))
        return ()

    def alternatives(self, node: ast.IfExp | ast.BoolOp, place: Place) -> Items:
        values = [node.body, node.orelse] if isinstance(node, ast.IfExp) else node.values
        if isinstance(node, ast.IfExp):
            self.loose(node.test, place)
        self.found.branches[self.at(node) + 1] = (len(values), True)
        found: list[Item] = []
        for branch, value in enumerate(values):
            guard = Guard(self.at(node) + 1, branch)
            found += [item._replace(guards=(guard, *item.guards)) for item in self.value(value, place)]
        return tuple(found)

    def variable_items(self, node: ast.Name | ast.Attribute, place: Place) -> Items:
        names = self.candidates(node, place)
        if not names:
            self.value_of_children(node, place)
            return ()
        return (Item(self.at(node), names=names),)

    def value_of_children(self, node: ast.expr, place: Place) -> None:
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.expr):
                self.root(self.value(child, place))

    # ------------------------------------------------------------- displays

    def elements(self, node: ast.expr, elements: Sequence[ast.expr], place: Place) -> Items:
        if isinstance(node, ast.Tuple) and len(elements) == 2:
            pair = read_pair(
                self.module, elements[0], elements[1], self.module.span(node), self.resolve, place.scopes[0]
            )
            parent = self.module.parents.get(node)
            if pair is not None and isinstance(parent, (ast.List, ast.Tuple, ast.Set)):
                return self.listed(pair)
        free = not isinstance(node, ast.Tuple) or all(
            isinstance(one, ast.Starred) or self.text(one) is not None for one in elements
        )
        if self.are_parameters(node):
            for one in elements:
                self.root(self.value(one, place))
            return ()
        found: list[Item] = []
        options = self.options(elements)
        for index, one in enumerate(elements):
            text = self.text(one)
            token = self.token(text, place) if text is not None and free else None
            if token is not None:
                outer = self.module.outer(one)
                start = self.at(elements[index - 1]) if index in options else outer.start
                found += self.listed(replace(token, span=Span(start, outer.end)))
            elif isinstance(one, (ast.List, ast.Set, ast.Dict, ast.Tuple)):
                inner = self.value(one, place)
                # Pairs in brackets of their own belong to the list; another list is a command by itself.
                is_pair = (
                    len(inner) == 1 and inner[0].token is not None and inner[0].token.span == self.module.span(one)
                )
                found += inner if is_pair else ()
                self.root(() if is_pair else inner)
            elif isinstance(one, ast.Name):
                found += self.variable_items(one, place)
            elif isinstance(one, ast.Attribute) and one.attr == "executable":
                found.append(Item(self.at(one), word="python"))
            else:
                found += self.value(one, place)
        return tuple(found)

    def options(self, elements: Sequence[ast.expr]) -> set[int]:
        """Indexes of the elements before which an option stands that belongs to each override, as `--set` does."""
        found: dict[str, list[int]] = {}
        for index, (before, one) in enumerate(zip(elements, elements[1:], strict=False)):
            if isinstance(before, ast.Constant) and isinstance(before.value, str) and self.text(one) is not None:
                if before.value.startswith("-") and OVERRIDE.match(self.text(one).value):  # type: ignore[union-attr]
                    found.setdefault(before.value, []).append(index + 1)
        return {index for name, indexes in found.items() if len(indexes) > 1 or name in _OPTIONS for index in indexes}

    def are_parameters(self, node: ast.expr) -> bool:
        """Whether a list holds the parameters of a test, of which each is used by itself."""
        parents = [one for one in (node, *self.module.ancestors(node)) if not isinstance(one, ast.keyword)]
        if len(parents) > 1 and isinstance(parents[1], ast.Call) and called(parents[1]) == "parametrize":
            return True
        if isinstance(node, ast.Tuple) and len(parents) > 2 and isinstance(parents[1], (ast.List, ast.Tuple)):
            return isinstance(parents[2], ast.Call) and called(parents[2]) == "parametrize"
        return False

    def listed(self, token: Token) -> Items:
        token = replace(token, listed=True)
        self.found.tokens[token.place] = token
        return (Item(token.place, (), token),)

    def pairs(self, node: ast.Dict, place: Place) -> Items:
        found: list[Item] = []
        for key, value in zip(node.keys, node.values, strict=True):
            if key is None:
                found += self.value(value, place)
                continue
            outer = Span(self.module.outer(key).start, self.module.outer(value).end)
            pair = read_pair(self.module, key, value, outer, self.resolve, place.scopes[0])
            if pair is not None:
                found += self.listed(pair)
            else:
                self.root(self.value(value, place))
        return tuple(found)

    # ----------------------------------------------------------------- calls

    def call(self, node: ast.Call, place: Place) -> Items:
        name = called(node)
        if name in PRINTERS or name in PATTERNS:
            for one in (*node.args, *(keyword.value for keyword in node.keywords)):
                if self.text(one) is None:
                    self.loose(one, place)
            return ()
        texts = [one for one in node.args if self.text(one) is not None]
        several = len(texts) > 1 and all(isinstance(one, ast.Starred) or one in texts for one in node.args)
        found: list[Item] = []
        if isinstance(node.func, ast.Attribute):
            found += self.value(node.func.value, place) if name in _SAME_ITEMS else ()
            if name not in _SAME_ITEMS:
                self.loose(node.func.value, place)
        given: list[Item] = []
        for one in node.args:
            text = self.text(one)
            token = self.token(text, place) if text is not None and several else None
            items = self.listed(token) if token is not None else self.value(one, place)
            if several or name in _SAME_ITEMS:
                given += items
            else:
                self.root(items)
        for keyword in node.keywords:
            items = self.value(keyword.value, place)
            if keyword.arg is None and name in _SAME_ITEMS:
                given += items
            else:
                self.root(items)
        if name in _SAME_ITEMS:
            return (*found, *given)
        self.root(tuple(given))
        names = self.candidates(node.func, place, call=True)
        return (Item(self.at(node), names=names),) if names else ()

    # ---------------------------------------------------------------- texts

    def text(self, node: ast.expr) -> Text | None:
        return read_text(self.module, node, self.resolve)

    def token(self, text: Text, place: Place) -> Token | None:
        return read_override_text(text, place.scopes[0])

    def text_items(self, text: Text, place: Place) -> Items:
        token = self.token(text, place)
        if token is not None:
            self.found.tokens[token.place] = token
            return (Item(token.place, (), token),)
        if not is_command_line(text):
            return (Item(text.span.start, word=text.value),)
        found = []
        for one in read_words(text, place.scopes[0]):
            if isinstance(one, Token):
                self.found.tokens[one.place] = one
                found.append(Item(one.place, (), one))
            else:
                found.append(Item(text.span.start, word=one))
        return tuple(found)

    # ------------------------------------------------------------------ names

    def at(self, node: ast.AST) -> int:
        return self.module.span(node).start

    def variable(self, node: ast.expr, place: Place) -> Name | None:
        """The variable that an assignment to `node` sets."""
        if isinstance(node, ast.Name):
            return Name(place.scopes[0], node.id)
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            if node.value.id in _BOUND and place.owner is not None:
                return Name(place.owner, node.attr)
            return Name(place.scopes[0], f"{node.value.id}.{node.attr}")
        return None

    def candidates(self, node: ast.expr, place: Place, *, call: bool = False) -> tuple[Name, ...]:
        """The variables that a use of `node` may mean, the nearest first."""
        suffix = "()" if call else ""
        if isinstance(node, ast.Name):
            return tuple(Name(scope, node.id + suffix) for scope in place.scopes)
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            if node.value.id in _BOUND and place.owner is not None:
                return (
                    Name(place.scopes[0], f"{node.value.id}.{node.attr}{suffix}"),
                    Name(place.owner, node.attr + suffix),
                )
            return tuple(Name(scope, f"{node.value.id}.{node.attr}{suffix}") for scope in place.scopes)
        return ()


def _is_text(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, str)


def called(call: ast.Call) -> str:
    return call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")


def _constants(module: Module) -> dict[str, str]:
    """Names that are set once in the whole file, to a plain text."""
    found: dict[str, list[str | None]] = {}
    for node in ast.walk(module.tree):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            parent = module.parents.get(node)
            value = parent.value if isinstance(parent, (ast.Assign, ast.AnnAssign)) else None
            known = value.value if isinstance(value, ast.Constant) and isinstance(value.value, str) else None
            found.setdefault(node.id, []).append(known)
        elif isinstance(node, ast.arg):
            found.setdefault(node.arg, []).append(None)
    return {name: texts[0] for name, texts in found.items() if len(texts) == 1 and texts[0] is not None}
