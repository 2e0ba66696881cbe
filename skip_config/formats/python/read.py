"""Walk over the statements of Python code and note the settings in it, with what they are put together with."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable
from dataclasses import replace

from skip_config.formats.python.assignments import Assignments
from skip_config.formats.python.names import called, is_text, read_names
from skip_config.formats.python.positions import Module
from skip_config.formats.python.reading import Place, Reading
from skip_config.formats.python.scopes import Event, Guard, Item, Name, Scopes
from skip_config.formats.python.values import loose, single, value

_ADDS_ONE = frozenset({"append", "add", "insert", "appendleft"})
_ADDS_SEVERAL = frozenset({"extend", "update"})
_END = 1 << 60
_ADDER = re.compile(r"_*(?:add|append|set|push|put|insert|with|override|arg|opt)", re.IGNORECASE)
"""Names of functions that collect what they get: to call one twice adds two things."""


def read(module: Module) -> Scopes:
    """Read a whole file."""
    walk = _Walk(Reading(module, read_names(module)))
    for statement in module.tree.body:
        walk.statement(statement, Place(unit=module.span(statement).start))
    return walk.reading.found


class _Walk:
    def __init__(self, reading: Reading) -> None:
        self.reading = reading
        self.assignments = Assignments(reading)

    def body(self, statements: Iterable[ast.stmt], place: Place) -> None:
        for statement in statements:
            self.statement(statement, place)

    def statement(self, node: ast.stmt, place: Place) -> None:
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            self.function(node, place)
        elif isinstance(node, ast.ClassDef):
            for one in (*node.decorator_list, *node.bases, *(keyword.value for keyword in node.keywords)):
                loose(self.reading, one, place)
            at = self.reading.at(node)
            self.body(node.body, replace(place, scopes=(at, *place.scopes), owner=at))
        elif isinstance(node, ast.If):
            self.branching(node, place)
        elif isinstance(node, ast.Match):
            self.choice(node, place)
        elif isinstance(node, ast.Assert):
            self.assertion(node, place)
        elif isinstance(node, (ast.Assign, ast.AnnAssign, ast.AugAssign)):
            self.assignment(node, place)
        elif isinstance(node, ast.Return) and node.value is not None:
            name = Name(place.scopes[0], "return")
            items = value(self.reading, node.value, place)
            self.reading.event(name, "add", items, self.reading.end(node), place.guards)
        elif isinstance(node, ast.Expr):
            self.expression(node, place)
        else:
            self.parts(node, place)

    def parts(self, node: ast.AST, place: Place) -> None:
        """Whatever a statement is made of: loops, `with` and `try` run straight through."""
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.stmt):
                self.statement(child, place)
            elif isinstance(child, ast.expr):
                loose(self.reading, child, place)
            elif isinstance(child, (ast.withitem, ast.ExceptHandler)):
                self.parts(child, place)

    def function(self, node: ast.FunctionDef | ast.AsyncFunctionDef, place: Place) -> None:
        for one in (*node.decorator_list, *node.args.defaults, *filter(None, node.args.kw_defaults)):
            loose(self.reading, one, place)
        at = self.reading.at(node)
        self.body(node.body, Place((at, *place.scopes), place.owner, place.guards, at))
        events = self.reading.found.events
        inner = Name(at, "yield" if Name(at, "yield") in events else "return")
        if len(events.get(inner, ())) > 1 and inner.name == "return":  # each of them is a command of its own
            for event in events.pop(inner):
                self.reading.root(event.items)
        elif inner in events:
            outer = Name(place.scopes[0], f"{node.name}()")
            events.setdefault(outer, []).append(Event("set", (Item(_END, names=(inner,)),), 0, ()))

    def branching(self, node: ast.If, place: Place) -> None:
        loose(self.reading, node.test, place)
        guard, swapped = self.reading.condition(node.test, place)
        self.reading.found.branches[guard] = (2, True)
        for branch, statements in enumerate((node.body, node.orelse)):
            taken = Guard(guard, 1 - branch if swapped else branch)
            self.body(statements, replace(place, guards=(*place.guards, taken)))

    def choice(self, node: ast.Match, place: Place) -> None:
        loose(self.reading, node.subject, place)
        at = self.reading.at(node)
        self.reading.found.branches[at] = (len(node.cases), False)
        for branch, case in enumerate(node.cases):
            self.body(case.body, replace(place, guards=(*place.guards, Guard(at, branch))))

    def assertion(self, node: ast.Assert, place: Place) -> None:
        """What one function asserts about texts belongs together, as what one command gets does."""
        if isinstance(node.test, ast.Compare) and self.reading.override(self.reading.text(node.test.left)) is not None:
            items = single(self.reading, node.test.left, node, place)
            about = self.reading.module.text(node.test.comparators[0])
            self.reading.event(Name(place.scopes[0], f"texts in {about}"), "add", items, items[0].at, place.guards)
            for one in node.test.comparators:
                loose(self.reading, one, place)
        else:
            loose(self.reading, node.test, place)

    def assignment(self, node: ast.Assign | ast.AnnAssign | ast.AugAssign, place: Place) -> None:
        targets = node.targets if isinstance(node, ast.Assign) else [node.target]
        if node.value is None:
            return
        if isinstance(node, ast.Assign) and len(targets) == 1 and self.assignments.assignment(node, place):
            if self.reading.text(node.value) is None:
                loose(self.reading, node.value, place)
            return
        names = [name for one in targets if (name := self.reading.variable(one, place))]
        for target in targets:
            if isinstance(target, ast.Subscript):
                loose(self.reading, target, place)
        for name in names:
            self.assignments.alias(name, node.value)
        items = value(self.reading, node.value, place)
        if not names:
            self.reading.root(items)
        for name in names:
            kind = "add" if isinstance(node, ast.AugAssign) else "set"
            self.reading.event(name, kind, items, self.reading.end(node), place.guards)  # type: ignore[arg-type]

    # ------------------------------------------------ expressions that are statements

    def expression(self, node: ast.Expr, place: Place) -> None:
        inner = node.value.value if isinstance(node.value, ast.Await) else node.value
        if isinstance(inner, (ast.Yield, ast.YieldFrom)) and inner.value is not None:
            items = single(self.reading, inner.value, node, place)
            self.reading.event(Name(place.scopes[0], "yield"), "add", items, self.reading.end(node), place.guards)
        elif isinstance(inner, ast.Call):
            self.call(node, inner, place)
        elif not (is_text(inner) or isinstance(inner, ast.JoinedStr)):  # a text alone reaches nothing
            loose(self.reading, inner, place)

    def call(self, node: ast.Expr, call: ast.Call, place: Place) -> None:
        name = called(call)
        if self.assignments.call(node, call, place):
            return
        if isinstance(call.func, ast.Attribute) and name in _ADDS_ONE | _ADDS_SEVERAL and call.args:
            variable = self.reading.variable(call.func.value, place)
            if variable is not None:
                self.addition(node, call, variable, place)
                return
        overrides = [one for one in call.args if self.reading.override(self.reading.text(one)) is not None]
        if len(overrides) == 1 and len(call.args) <= 2 and _ADDER.match(name):
            self.handed(node, call, place)
            return
        loose(self.reading, call, place)

    def addition(self, node: ast.Expr, call: ast.Call, variable: Name, place: Place) -> None:
        """`commands.append(…)` and the like."""
        last = call.args[-1]
        items = single(self.reading, last, node, place)
        for keyword in call.keywords:
            loose(self.reading, keyword.value, place)
        if called(call) in _ADDS_ONE and isinstance(last, (ast.List, ast.Dict, ast.Set)):
            self.reading.root(items)  # one command of several
        else:
            self.reading.event(variable, "add", items, self.reading.end(node), place.guards)

    def handed(self, node: ast.Expr, call: ast.Call, place: Place) -> None:
        """One override that is handed to something: what gets others as well gets them together."""
        receiver = Name(place.scopes[0], f"given to {self.reading.module.text(call.func)}")
        for one in call.args:
            items = single(self.reading, one, node, place)
            self.reading.event(receiver, "add", items, self.reading.end(node), place.guards)
        for keyword in call.keywords:
            loose(self.reading, keyword.value, place)
