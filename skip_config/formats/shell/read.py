"""Read a shell script with tree-sitter: a walk over the statements, down to the words of each command."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import TYPE_CHECKING, Final

from skip_config.formats.overrides import HINTS
from skip_config.formats.shell.script import Atom, Command, Definition, Guard, Guards, Script
from skip_config.formats.shell.view import View
from skip_config.formats.shell.words import read_override
from skip_config.source import Source, Span

if TYPE_CHECKING:
    from tree_sitter import Node, Parser

_NOT_ASCII: Final = re.compile(r"[^\x00-\x7f]")
LOST_CONTINUATION: Final = re.compile(r"\\[ \t]+(?:#[^\n]*)?(?=\n[ \t]+[+~]*['\"]?[A-Za-z_]\w*(?:\.[\w.@/-]+)+['\"]?=)")
"""A backslash that was to go on in the next line, and does not, for what follows it on its own."""

_SEVERAL: Final = re.compile(r"\s(?:\+{0,2}|~)[A-Za-z_]\w*(?:\.[\w@/-]+)+=", re.ASCII)
_PROGRAM: Final = re.compile(r"\s-m\s+[\w$.{}:-]+|\bpython|\.py\b|\.sh\b", re.ASCII)
_STARTS_MODULE: Final = re.compile(r"(?:^|\s)-m\s+[A-Za-z_]\w*(?:\.\w+)+|\S\.py(?:\s|$)", re.ASCII)
_EXPANSIONS: Final = frozenset({"simple_expansion", "expansion", "command_substitution", "arithmetic_expansion"})
_PATTERN_PROGRAMS: Final = frozenset({"sed", "grep", "egrep", "fgrep", "rg", "awk", "gawk", "perl"})
_PRINTERS: Final = frozenset({"echo", "printf"})
_ECHOES: Final = frozenset({"echo", "printf", "cat", "tr"})
_READERS: Final = frozenset({"read", "mapfile", "readarray"})
_FEEDS: Final = frozenset({"xargs", "parallel"})
_RUNNERS: Final = frozenset({"bash", "sh", "zsh", "sbatch", "qsub", "bsub", "at", "ssh", *_FEEDS})
_DATA_FILE: Final = re.compile(r"\.(?:ya?ml|json|py|md|txt|toml|cfg|ini)\W*$", re.IGNORECASE)
_TESTS: Final = frozenset({"test_command"})
_DEEPEST: Final = 5


@cache
def _parser() -> Parser:
    import tree_sitter
    import tree_sitter_bash

    return tree_sitter.Parser(tree_sitter.Language(tree_sitter_bash.language()))


def read(source: Source, *, every: bool = False) -> Script:
    """Read a whole file.

    Args:
        source: The file.
        every: Whether every override counts, and not only those that bear on a migration.
    """
    reader = _Reader(("=", "~") if every else HINTS)
    reader.read(View.of(source), (), None)
    return reader.script


class _Reader:
    """Walks statements; what it finds goes into `script`."""

    def __init__(self, hints: tuple[str, ...]) -> None:
        self.hints = hints
        self.script = Script()
        self.conditions: dict[str, int] = {}
        self.depth = 0

    def read(self, view: View, guards: Guards, function: str | None, *, captured: bool = False) -> None:
        # Every character as one byte, so that offsets in bytes are offsets in characters; the shell takes
        # whatever is not ASCII for a part of a word, and so does this.
        data = view.text if view.text.isascii() else _NOT_ASCII.sub("x", view.text)
        if "\\ " in data or "\\\t" in data:
            data = LOST_CONTINUATION.sub(lambda lost: " " * (len(lost[0]) - 1) + "\\", data)
        self.depth += 1
        _Walk(self, view, function).statement(_parser().parse(data.encode()).root_node, guards, captured)
        self.depth -= 1

    def resolve(self, name: str) -> str | None:
        return self.script.texts.get(name)

    def unless(self, name: str, expansion: str) -> Guard:
        """The condition of `${name:+…}` or `${name:-…}`: the same for each use of the variable."""
        node = self.conditions.setdefault(name, -1 - len(self.conditions))
        self.script.branches[node] = (2, True)
        return Guard(node, 0 if name and "+" in expansion.partition(name)[2][:2] else 1)

    def define(self, definition: Definition, text: str | None) -> None:
        self.script.definitions.setdefault(definition.name, []).append(definition)
        texts = self.script.texts
        texts[definition.name] = None if definition.name in texts or definition.guards or definition.function else text


class _Walk:
    """A walk over one view."""

    def __init__(self, reader: _Reader, view: View, function: str | None) -> None:
        self.reader = reader
        self.script = reader.script
        self.view = view
        self.function = function
        self.guards: Guards = ()
        self.split = False

    def text(self, node: Node) -> str:
        return self.view.text[node.start_byte : node.end_byte]

    def at(self, node: Node) -> int:
        return self.view.starts[node.start_byte]

    def span(self, node: Node) -> Span:
        return self.view.span(node.start_byte, node.end_byte)

    # ------------------------------------------------------------ statements

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
        atoms = tuple(atom for command in inner if command.name in _ECHOES for atom in command.atoms[1:])
        self.script.commands[before:] = [command for command in inner if command.name not in _ECHOES]
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
        if alternative or first.type in _TESTS or self.text(first).startswith(("[", "test ", "! ")):
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
        definition = self._definition(self.text(name), appends, atoms, node, guards, scalar)
        self.reader.define(definition, self._plain(value))

    def _plain(self, value: Node | None) -> str | None:
        if value is None or value.type not in ("word", "number", "string", "raw_string"):
            return None
        text = self.text(value)
        text = text[1:-1] if value.type in ("string", "raw_string") else text
        return None if any(char in text for char in "$`\\\"'") else text

    def _definition(
        self, name: str, appends: bool, atoms: tuple[Atom, ...], node: Node, guards: Guards, scalar: bool = False
    ) -> Definition:
        return Definition(name, appends, atoms, self.at(node), guards, self.function, scalar)

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

    def pipeline(self, node: Node, guards: Guards, captured: bool) -> None:
        stages = node.named_children
        first = len(self.script.commands)
        for index, stage in enumerate(stages):
            following = {self.name_of(one) for one in stages[index + 1 :]}
            before = len(self.script.commands)
            self.statement(stage, guards, captured or bool(following & _RUNNERS))
            if self.name_of(stage) in _FEEDS and len(self.script.commands) > before:
                self.feed(first)

    def feed(self, first: int) -> None:
        """Hand what earlier stages of a pipeline print to the `xargs` that was read last."""
        commands = self.script.commands
        *earlier, last = commands[first:]
        printed = [atom for command in earlier if command.name in _ECHOES for atom in command.atoms[1:]]
        commands[first:] = [command for command in earlier if command.name not in _ECHOES]
        commands.append(last._replace(atoms=(*last.atoms, *printed)))

    def name_of(self, node: Node) -> str:
        while node.type in ("redirected_statement", "negated_command", "list") and node.named_children:
            node = node.named_children[0]
        name = node.child_by_field_name("name") if node.type == "command" else None
        return self.text(name) if name is not None else ""

    def redirected(self, node: Node, guards: Guards, captured: bool) -> None:
        body = node.child_by_field_name("body")
        redirects = [child for child in node.named_children if body is None or child.id != body.id]
        target = next(
            (self.text(one) for one in redirects if one.type == "file_redirect" and _writes(self.text(one))), ""
        )
        before = len(self.script.commands)
        if body is not None:
            self.statement(body, guards, captured or bool(target))
        name = self.name_of(body) if body is not None else ""
        for redirect in redirects:
            if redirect.type == "heredoc_redirect":
                self.heredoc(redirect, name, target, guards, captured)
            elif redirect.type == "herestring_redirect" and redirect.named_children:
                self.supply(name, before, self.word(redirect.named_children[0], words=True), redirect, guards)

    def heredoc(self, node: Node, name: str, target: str, guards: Guards, captured: bool) -> None:
        before = len(self.script.commands)
        start = body = None
        for child in node.named_children:
            if child.type == "heredoc_start":
                start = child
            elif child.type == "heredoc_body":
                body = child
            elif child.type == "file_redirect":
                target = target or (self.text(child) if _writes(self.text(child)) else "")
            elif child.type not in ("heredoc_end", "file_descriptor"):
                # What stands behind `<<EOF` on its line hangs below the redirection.
                self.statement(child, guards, captured)
                names = {self.name_of(one) for one in (child, *child.named_children)}
                name = next((one for one in _FEEDS if one in names), name)
                captured = captured or bool(names & _RUNNERS)
        if start is None or body is None:
            return
        if name == "tee":
            target = "> file"
        if name in ("cat", "tee") and not target and not captured:
            self.script.prose.append(self.span(body))
            return
        if name.startswith("python") or _DATA_FILE.search(target):
            self.script.foreign.append(self.span(body))
            return
        quoted = any(char in self.text(start) for char in "'\"\\")
        name = name or next((one.name for one in reversed(self.script.commands) if one.name in _READERS), "")
        words = name in _FEEDS or name in _READERS or (captured and not target and name == "cat")
        verbatim = [
            Span(child.start_byte, child.end_byte) for child in body.named_children if child.type in _EXPANSIONS
        ]
        layer = None if quoted else "heredoc"
        inner = self.view.inside(body.start_byte, body.end_byte, layer, verbatim, words)  # type: ignore[arg-type]
        self.supply(name, before - 1, self.text_inside(inner, guards), node, guards)

    def supply(self, name: str, command: int, atoms: list[Atom], node: Node, guards: Guards) -> None:
        """Give a command what it reads from its input."""
        commands = self.script.commands
        if name in _READERS and commands:
            reader = next((one for one in reversed(commands) if one.name == name), commands[-1])
            variable = next((atom.text for atom in reversed(reader.atoms) if atom.kind == "word"), "")
            self.reader.define(self._definition(variable, False, tuple(atoms), node, guards), None)
        elif atoms and commands:
            index = len(commands) - 1
            commands[index] = commands[index]._replace(atoms=(*commands[index].atoms, *atoms))

    # -------------------------------------------------------------- commands

    def command(self, node: Node, guards: Guards, captured: bool) -> None:
        name_node = node.child_by_field_name("name")
        name = self.text(name_node) if name_node is not None else ""
        if name in _PATTERN_PROGRAMS:
            self.script.patterns.append(self.span(node))
        prints = name in _PRINTERS and not captured and " -v " not in self.text(node)
        if name in _PATTERN_PROGRAMS or prints:
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
                words = self.split and name in _PRINTERS
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

    # ----------------------------------------------------------------- words

    def word(self, node: Node, *, words: bool = False) -> list[Atom]:
        """The atoms of one word; `words` when it is the value of a variable, which may hold several."""
        start, end = node.start_byte, node.end_byte
        text = self.view.text[start:end]
        at = self.view.starts[start]
        if "$" not in text and "`" not in text and not any(hint in text for hint in self.reader.hints):
            bare = text.strip("'\"")
            if not (any(char in text for char in "'\"") and _PROGRAM.search(text)):
                return [Atom("word", bare, at)]
        if not (words and node.type in ("string", "raw_string")) and not _SEVERAL.search(text, 1):
            token = read_override(self.view, start, end, self.reader.resolve)
            if token is not None:
                return [Atom("word", text, at, token=token), *self.output(node)]
        return self.parts(node, words)

    def parts(self, node: Node, words: bool) -> list[Atom]:
        """The atoms of a word that is no override itself."""
        kind = node.type
        if kind in ("string", "raw_string"):
            return self.quoted(node, words)
        if kind == "simple_expansion":
            return [self.variable(self.text(node).lstrip("$"), node)]
        if kind == "expansion":
            return self.expansion(node)
        if kind == "command_substitution":
            return self.substitution(node)
        if kind == "concatenation":
            text = self.text(node).replace('"', "").replace("'", "")
            glued = self.glued(node)
            if glued:
                return glued
            whole = [] if any(hint in text for hint in self.reader.hints) else [Atom("word", text, self.at(node))]
            return [*whole, *(atom for child in node.named_children for atom in self.parts(child, words))]
        return [Atom("word", self.text(node), self.at(node))]

    def glued(self, node: Node) -> list[Atom]:
        """An override directly behind a variable, whose value ends in a blank: `"${OPTS}a.b=c"`."""
        first = node.named_children[0]
        if first.type not in ("expansion", "simple_expansion"):
            return []
        token = read_override(self.view, first.end_byte, node.end_byte, self.reader.resolve)
        if token is None or "." not in token.key:
            return []
        text = self.view.text[first.end_byte : node.end_byte]
        return [*self.parts(first, False), Atom("word", text, token.place, token=token)]

    def quoted(self, node: Node, words: bool) -> list[Atom]:
        text = self.text(node)
        inner = text[1:-1]
        if any(hint in inner for hint in self.reader.hints) or _PROGRAM.search(" " + inner):
            layer = "single" if node.type == "raw_string" else "double"
            verbatim = [Span(one.start_byte, one.end_byte) for one in node.named_children if one.type in _EXPANSIONS]
            start, end = node.start_byte + 1, node.end_byte - 1
            view = self.view.inside(start, end, layer, verbatim, words)  # type: ignore[arg-type]
            if self.reader.depth < _DEEPEST:
                return self.text_inside(view, self.guards)
        atoms = [Atom("word", inner, self.at(node))] if "$" not in inner else []
        for child in node.named_children:
            if child.type in _EXPANSIONS:
                atoms += [atom._replace(quoted=True) for atom in self.parts(child, words)]
        return atoms

    def text_inside(self, view: View, guards: Guards) -> list[Atom]:
        """Read a text as a script of its own; its words when it starts no program that is known."""
        commands = self.script.commands
        before = len(commands)
        self.reader.read(view, guards, self.function, captured=True)
        inner = commands[before:]
        if not view.words and any(_STARTS_MODULE.search(_plain_words(command)) for command in inner):
            return []
        del commands[before:]
        return [atom for command in inner for atom in command.atoms]

    def variable(self, name: str, node: Node) -> Atom:
        if name in ("@", "*") or name.isdigit():
            return Atom("arguments", name, self.at(node))
        return Atom("variable", name, self.at(node))

    def expansion(self, node: Node) -> list[Atom]:
        """`${name}`, and the words of `${name:+…}` and `${name:-…}`, which are there or not."""
        atoms: list[Atom] = []
        name = ""
        for child in node.named_children:
            if child.type in ("variable_name", "special_variable_name"):
                name = self.text(child)
                atoms.append(self.variable(name, node))
            elif child.type == "subscript":
                inner = child.child_by_field_name("name")
                atoms += [] if inner is None else [self.variable(self.text(inner), node)]
            elif child.type in ("word", "concatenation", "string", "raw_string", "expansion", "simple_expansion"):
                guard = self.reader.unless(name, self.text(node))
                atoms += [one._replace(guards=(*one.guards, guard)) for one in self.word(child)]
        return atoms

    def substitution(self, node: Node) -> list[Atom]:
        """What `$(echo …)` prints is known; what another program prints is not."""
        commands = self.script.commands
        before = len(commands)
        outer, self.split = self.split, True
        for child in node.named_children:
            self.statement(child, self.guards, True)
        self.split = outer
        inner = commands[before:]
        printed = [atom for command in inner if command.name in _ECHOES for atom in command.atoms[1:]]
        if printed or inner:
            commands[before:] = [one for one in inner if one.name not in _ECHOES]
        printed += [
            Atom("variable", f"{one.name}()", self.at(node))
            for one in inner
            if f"{one.name}()" in self.script.definitions
        ]
        return printed or [Atom("output", "", self.at(node))]

    def output(self, node: Node) -> list[Atom]:
        """Commands inside a value, as in `a.b=$(python3 …)`."""
        if "$(" in self.text(node) and any(hint in self.text(node).partition("$(")[2] for hint in self.reader.hints):
            for child in _substitutions(node):
                self.substitution(child)
        return []


def _writes(redirect: str) -> bool:
    return bool(re.match(r"(?:1|&)?>{1,2}\|?\s*[^&\s]", redirect)) and "/dev/" not in redirect


def _plain_words(command: Command) -> str:
    return " ".join(atom.text for atom in command.atoms if atom.kind == "word")


def _substitutions(node: Node) -> Iterator[Node]:
    for child in node.named_children:
        if child.type == "command_substitution":
            yield child
        else:
            yield from _substitutions(child)


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
