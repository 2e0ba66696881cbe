"""Read a shell script with tree-sitter: a walk over the statements, down to the words of each command."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from skip_config.formats.overrides import HINTS
from skip_config.formats.shell.arguments import Reader
from skip_config.formats.shell.input import Input
from skip_config.formats.shell.programs import ECHOES, PATTERN_PROGRAMS, PRINTERS
from skip_config.formats.shell.script import Atom, Command, Definition, Guard, Guards, Script
from skip_config.formats.shell.view import View
from skip_config.source import Source

if TYPE_CHECKING:
    from tree_sitter import Node


def read(source: Source, *, every: bool = False) -> Script:
    """Read a whole file.

    Args:
        source: The file.
        every: Whether every override counts, and not only those that bear on a migration.
    """
    reader = Reader(("=", "~") if every else HINTS, _Walk)
    reader.read(View.of(source), (), None)
    return reader.script


class _Walk(Input):
    """A walk over the statements of one view."""

    def statement(self, node: Node, guards: Guards, captured: bool = False) -> None:
        """Walk a statement; `captured` when what it prints is used, not only shown."""
        visit = _STATEMENTS.get(node.type)
        if visit is not None:
            visit(self, node, guards, captured)
            return
        if node.type == "ERROR":
            self.script.broken.append(self.span(node))
        for child in node.named_children:
            self.statement(child, guards, captured)

    def comment(self, node: Node, guards: Guards, captured: bool) -> None:
        del guards, captured
        self.script.comments.append(self.span(node))

    def definition(self, node: Node, guards: Guards, captured: bool) -> None:
        name = node.child_by_field_name("name")
        body = node.child_by_field_name("body")
        if name is None or body is None:
            return
        self.script.functions.add(self.text(name))
        outer, self.function = self.function, self.text(name)
        before = len(self.script.commands)
        printed = re.search(rf"[(`]\s*{re.escape(self.function)}\b", self.view.text) is not None
        self.split = printed
        self.statement(body, guards, captured or printed)
        self.split = False
        if printed:
            self.printed(before, node, guards)
        self.function = outer

    def printed(self, before: int, node: Node, guards: Guards) -> None:
        """Keep what a function prints, for `$(function)`."""
        inner = self.script.commands[before:]
        atoms = tuple(atom for command in inner if command.name in ECHOES for atom in command.atoms[1:])
        self.script.commands[before:] = [command for command in inner if command.name not in ECHOES]
        self.reader.define(Definition(f"{self.function}()", False, atoms, self.at(node), guards), None)

    def branching(self, node: Node, guards: Guards, captured: bool) -> None:
        key, branch, total = self.at(node), 0, False
        taken: Guards = guards
        for child in node.children:
            if child.type == "then":
                taken = (*guards, Guard(key, 0))
            elif child.type in ("elif_clause", "else_clause"):
                branch += 1
                total = total or child.type == "else_clause"
                self.clause(child, guards, Guard(key, branch), captured)
            elif child.is_named:
                self.statement(child, taken, captured)
        self.script.branches[key] = (branch + 1, total)

    def clause(self, node: Node, guards: Guards, guard: Guard, captured: bool) -> None:
        taken = (*guards, guard) if node.type == "else_clause" else guards
        for child in node.children:
            if child.type == "then":
                taken = (*guards, guard)
            elif child.is_named:
                self.statement(child, taken, captured)

    def choice(self, node: Node, guards: Guards, captured: bool) -> None:
        key = self.at(node)
        items = [child for child in node.named_children if child.type == "case_item"]
        total = False
        for branch, item in enumerate(items):
            pattern = item.named_children[0] if item.named_children else None
            total = total or (pattern is not None and self.text(pattern) == "*")
            if pattern is not None:
                self.script.foreign.append(self.span(pattern))
            for child in item.named_children[1:]:
                self.statement(child, (*guards, Guard(key, branch)), captured)
        self.script.branches[key] = (len(items), total)

    def listing(self, node: Node, guards: Guards, captured: bool) -> None:
        first, *rest = node.named_children
        self.statement(first, guards, captured)
        alternative = any(child.type == "||" for child in node.children)
        if alternative or first.type == "test_command" or self.text(first).startswith(("[", "test ", "! ")):
            key = self.at(node) + 1
            self.script.branches[key] = (1, False)
            guards = (*guards, Guard(key, 0))
        for child in rest:
            self.statement(child, guards, captured)

    def loop(self, node: Node, guards: Guards, captured: bool) -> None:
        name = node.child_by_field_name("variable")
        values = [child for child in node.children_by_field_name("value") if child.is_named]
        if name is not None and values:
            atoms = tuple(atom for value in values for atom in self.word(value))
            self.reader.define(self._definition(self.text(name), False, atoms, node, guards), None)
        for child in node.named_children:
            if child.type in ("do_group", "compound_statement", "ERROR"):
                self.statement(child, guards, captured)

    def assignment(self, node: Node, guards: Guards, captured: bool) -> None:
        del captured
        self.guards = guards
        name = node.child_by_field_name("name")
        value = node.child_by_field_name("value")
        if name is None:
            return
        element = name.type == "subscript"
        appends = element or any(child.type == "+=" for child in node.children)
        if element:
            name = name.child_by_field_name("name") or name
        atoms = () if value is None else self.value(value)
        scalar = value is not None and value.type != "array" and not element
        definition = self._definition(self.text(name), appends, atoms, node, guards, scalar)._replace(element=element)
        self.reader.define(definition, self._plain(value))

    def _plain(self, value: Node | None) -> str | None:
        if value is None or value.type not in ("word", "number", "string", "raw_string"):
            return None
        text = self.text(value)
        text = text[1:-1] if value.type in ("string", "raw_string") else text
        return None if any(char in text for char in "$`\\\"'") else text

    def value(self, node: Node) -> tuple[Atom, ...]:
        """The atoms of a variable's value."""
        if node.type == "array":
            atoms = []
            for child in node.named_children:
                if child.type == "comment":
                    self.comment(child, (), False)
                else:
                    atoms += self.word(child)
            return tuple(atoms)
        return tuple(self.word(node, words=True))

    def command(self, node: Node, guards: Guards, captured: bool) -> None:
        name_node = node.child_by_field_name("name")
        name = self.text(name_node) if name_node is not None else ""
        if name in PATTERN_PROGRAMS:
            self.script.patterns.append(self.span(node))
        prints = name in PRINTERS and not captured and " -v " not in self.text(node)
        if name in PATTERN_PROGRAMS or prints:
            self.script.prose.append(self.span(node))
            return
        self.guards = guards
        atoms: list[Atom] = []
        own: list[Atom] = []
        number = 0
        for child in node.named_children:
            if child.type == "variable_assignment":
                value = child.child_by_field_name("value")
                own += () if value is None else self.value(value)
            elif child.type == "command_name":
                atoms += self.word(child.named_children[0] if child.named_children else child)
            elif child.type == "herestring_redirect" and child.named_children:
                atoms += self.word(child.named_children[0], words=True)
            elif child.type not in ("file_redirect", "heredoc_redirect", "comment", "ERROR"):
                number += 1
                # What is printed to be split into words reaches them with its quotes.
                words = self.split and name in PRINTERS
                atoms += [atom._replace(word=number) for atom in self.word(child, words=words)]
            elif child.type in ("comment", "ERROR"):
                self.statement(child, guards, captured)
        texts = [atom.text for atom in atoms]
        if name == "printf" and "-v" in texts[1:2] and len(texts) > 3:
            self.reader.define(self._definition(texts[2], False, tuple(atoms[3:]), node, guards), None)
            return
        if name == "set" and "--" in texts:
            given = tuple(atoms[texts.index("--") + 1 :])
            self.reader.define(self._definition("@", False, given, node, guards), None)
            return
        self.script.commands.append(Command((*own, *atoms), name, self.at(node), guards, self.function))

    def declaration(self, node: Node, guards: Guards, captured: bool) -> None:
        for child in node.named_children:
            if child.type == "variable_assignment":
                self.assignment(child, guards, captured)

    def nothing(self, node: Node, guards: Guards, captured: bool) -> None:
        """The words of a condition are no arguments."""
        del guards, captured
        self.script.foreign.append(self.span(node))


_STATEMENTS: Final = {
    "comment": _Walk.comment,
    "function_definition": _Walk.definition,
    "if_statement": _Walk.branching,
    "case_statement": _Walk.choice,
    "list": _Walk.listing,
    "for_statement": _Walk.loop,
    "select_statement": _Walk.loop,
    "variable_assignment": _Walk.assignment,
    "declaration_command": _Walk.declaration,
    "pipeline": _Walk.pipeline,
    "redirected_statement": _Walk.redirected,
    "command": _Walk.command,
    "test_command": _Walk.nothing,
}
